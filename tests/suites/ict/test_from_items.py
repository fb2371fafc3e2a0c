"""`knowact forge ict --from`: pairs of anybody's items, judged and written over real HTTP."""

import json
from collections import Counter
from itertools import pairwise
from pathlib import Path
from string import ascii_uppercase

import pytest

from doubles.endpoint import Say
from knowact.core.prompts import load_prompt
from knowact.engine.writing import ATTEMPTS
from knowact.suites.ict.cases import Level, load_cases
from knowact.suites.ict.removing import Brief, Rewritten, complaints
from own_tasks import Record, parcel, rain, write_items
from running import knowact

from .pairs_from import JOBS, JUDGE, PLACES, ROLES, WRITER, Models, forged, lines, reasons, task, tool


class TestToolsThatDeclareNothing:
    @pytest.mark.slow
    def test_give_pairs_that_a_judge_has_seen_and_that_run(
        self, models: Models, items: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        out = tmp_path / "pairs"
        done = forged(capsys, items, out, *ROLES)
        assert done.code == 0, done.said
        found = load_cases(out)
        assert Counter(pair.manipulation.value for pair in found.pairs) == {
            "api_replacement": len(JOBS),
            "utterance_removal": len(JOBS),
        }
        for pair in found.pairs:
            told = pair.task.provenance
            assert told["proof"] == "declared"
            wanted = "tool" if pair.gone else "information"
            said = {"complete": "possible", "incomplete": wanted}
            prompt = load_prompt("knowact.suites.ict", "suffices").sha256
            assert told["votes"] == {
                version: {"judge": JUDGE, "prompt": prompt, "verdicts": [verdict]}
                for version, verdict in said.items()
            }
        run = ("run", "ict", "--data", out, "--model", "knowact/oracle", "--yes", "--log-dir", tmp_path / "l")
        ran = knowact(capsys, *run)
        assert ran.code == 0, ran.said
        assert "12 declared" in ran.said
        report = tmp_path / "report.json"
        knowact(capsys, "report", tmp_path / "l", "--json", report)
        tables = json.loads(report.read_text("utf-8"))["tables"]
        rows = [row for one in tables if one["id"] in {"joint", "proof"} for row in one["rows"]]
        right = [row["value"] for row in rows if row["measure"] in {"joint conduct", "pair accuracy"}]
        assert right == [1.0] * (2 * 2 + 2)
        assert {row.get("proof") for row in rows} == {None, "declared"}

    def test_are_replaced_by_similar_ones_of_other_items_that_come_along(
        self, models: Models, items: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        out = tmp_path / "pairs"
        words = ("--way", "replacement", "--level", "near", "--size", "3", *ROLES)
        assert forged(capsys, items, out, *words).code == 0
        pairs = load_cases(out).pairs
        assert len(pairs) == 3
        for pair in pairs:
            (gone,) = pair.gone
            assert gone.level is Level.NEAR
            assert gone.by not in pair.task.offered
            assert set(pair.incomplete_version.offered) == {*pair.task.offered} - {gone.tool} | {gone.by}
        assert "writer" not in models.asked

    def test_a_substitute_that_can_serve_the_request_is_not_taken(
        self, models: Models, items: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        models.capable = {tool(job)["name"] for job in JOBS[:3]}
        out = tmp_path / "pairs"
        assert forged(capsys, items, out, "--way", "replacement", *ROLES).code == 0
        for pair in load_cases(out).pairs:
            assert not set(pair.incomplete_version.offered) & models.capable
        assert reasons(out)["a tool that is left can serve it"] > 0

    def test_absent_ones_leave_the_others(
        self, models: Models, items: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        out = tmp_path / "pairs"
        assert forged(capsys, items, out, "--way", "replacement", "--level", "absent", *ROLES).code == 0
        for pair in load_cases(out).pairs:
            assert pair.level is Level.ABSENT
            assert len(pair.incomplete_version.offered) == 1

    def test_a_complete_version_that_the_judge_finds_wanting_makes_no_pair(
        self, models: Models, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        odd = task(0, opening={"text": f"Tell me the {JOBS[0]} around here, please."})
        items = write_items(tmp_path / "items", [odd, *map(task, range(1, 6))])
        out = tmp_path / "pairs"
        assert forged(capsys, items, out, "--way", "replacement", *ROLES).code == 0
        assert "item-0-replacement" not in {pair.id for pair in load_cases(out).pairs}
        assert reasons(out) == {"the judge says of the complete version: information": 3}


class TestWordsTakenOut:
    def test_as_the_writers_examples_show_it_pass_the_checks(self) -> None:
        shown = load_prompt("knowact.suites.ict", "remove").text.splitlines()
        pairs = [
            (json.loads(asked.removesuffix(" becomes")), json.loads(answer))
            for asked, answer in pairwise(shown)
            if asked.startswith('{"message"')
        ]
        assert len(pairs) == 5
        for asked, answer in pairs:
            brief = Brief(conversation=asked["message"], needs="", meaning="", **asked)
            assert complaints(brief, Rewritten(brief="", **answer)) == []
            assert complaints(brief, Rewritten(brief="", words=answer["words"], text=asked["message"]))

    def test_lack_the_value_and_keep_the_rest(
        self, models: Models, items: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        out = tmp_path / "pairs"
        assert forged(capsys, items, out, "--way", "removal", "--size", "2", *ROLES).code == 0
        for pair in load_cases(out).pairs:
            lost = pair.lost
            assert lost is not None
            assert pair.incomplete is not None
            assert lost.parameter == "place"
            assert str(lost.value) not in pair.incomplete.text
            assert pair.incomplete.text.endswith("I have to plan my day.")
            removal = pair.task.provenance["removal"]
            assert isinstance(removal, dict)
            assert removal["writer"] == WRITER
            assert removal["attempts"] == 1
            assert removal["prompt"]

    def test_that_still_say_too_much_are_sent_back_with_what_is_wrong(
        self, models: Models, items: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        bad = [
            {"words": "in Atlantis", "text": "Give me the weather."},
            {"text": "I am off soon."},
            {"words": 3},
        ]
        out = tmp_path / "pairs"
        words = ("--way", "removal", "--size", "1", *ROLES)
        models.first = [
            Say('{"why": "", "verdict": "possible"}'),
            *(Say(json.dumps(one)) for one in bad),
        ]
        assert forged(capsys, items, out, *words).code == 0
        assert [one["attempts"] for one in lines(out / "texts.jsonl")] == [4]
        assert models.asked == ["judge", "writer", "writer", "writer", "writer", "judge"]

    def test_that_the_judge_finds_sufficient_all_the_same_make_no_pair(
        self, models: Models, items: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        models.careless, models.refuses = {PLACES[1]}, {PLACES[2]}
        out = tmp_path / "pairs"
        done = forged(capsys, items, out, "--way", "removal", "--size", "6", *ROLES)
        assert done.code == 1
        assert "Only 4 of 6 pairs could be made." in done.err
        assert reasons(out) == {"it can be done without the value": 1, "its writer refused it": 1}
        assert "Rejected: 1 (its writer refused it)." in (out / "README.md").read_text("utf-8")

    def test_come_from_people_too(
        self, models: Models, items: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        out, sheet, texts = tmp_path / "pairs", tmp_path / "briefs.jsonl", tmp_path / "texts.jsonl"
        words = ("--way", "removal", "--size", "2", "--role", f"judge={JUDGE}")
        done = forged(capsys, items, out, *words, "--briefs", sheet)
        assert done.code == 0, done.said
        briefs = lines(sheet)
        assert len(briefs) == 2
        said = [
            {
                "brief": one["id"],
                "writer": "Ada",
                "words": f"in {one['value']}",
                "text": one["message"].replace(f" in {one['value']}", ""),
            }
            for one in briefs
        ]
        texts.write_text("\n".join(json.dumps({**one, "text": "Well, well."}) for one in said), "utf-8")
        wrong = forged(capsys, items, out, *words, "--texts", texts)
        assert wrong.code == 2
        assert f"2 texts of {texts} cannot be used." in wrong.err
        assert "changes more than it has to" in wrong.err
        texts.write_text("\n".join(map(json.dumps, said)), "utf-8")
        assert forged(capsys, items, out, *words, "--texts", texts).code == 0
        assert "Words taken out by: 2 Ada." in (out / "README.md").read_text("utf-8")

    def test_that_never_become_right_are_given_up_and_another_item_is_taken(
        self, models: Models, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        openings = [
            {"text": f"I need the {JOBS[number]} in {PLACES[number]}, please, yes, {PLACES[number]}."}
            for number in range(2)
        ]
        tasks = [task(number, opening=opening) for number, opening in enumerate(openings)]
        items = write_items(tmp_path / "items", [*tasks, task(2)])
        out = tmp_path / "pairs"
        for _ in range(2):
            done = forged(capsys, items, out, "--way", "removal", "--size", "3", *ROLES)
            assert done.code == 1
            assert [pair.id for pair in load_cases(out).pairs] == ["item-2-removal"]
            assert "Rejected: 2 (its writer produced no valid text)." in done.out
            assert models.asked.count("writer") == 1 + 2 * ATTEMPTS
        details = {one["detail"] for one in lines(out / "rejected.jsonl")}
        assert details == {f"the text still says '{PLACES[number]}'." for number in range(2)}

    def test_of_a_writer_that_fails_most_of_them_stop_it(
        self, models: Models, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        wish = f"I am off soon. Give me the {JOBS[0]} in {PLACES[0]}, dear"
        tasks = [task(0, id=f"to-{one}", opening={"text": f"{wish} {one}."}) for one in ascii_uppercase[:12]]
        items = write_items(tmp_path / "items", tasks)
        answers = [Say('{"why": "", "verdict": "possible"}')] * len(tasks)
        models.first = [*answers, *[Say('{"words": "in Atlantis", "text": "Give me the weather."}')] * 99]
        done = forged(capsys, items, tmp_path / "pairs", "--way", "removal", *ROLES)
        assert (done.code, models.asked.count("writer")) == (2, 11 * ATTEMPTS), done.said
        assert (
            f"{WRITER} wrote no valid text for 11 of 11 briefs. Most often: the words 'in Atlantis'"
            in done.err
        )

    @pytest.mark.parametrize(
        "utterances",
        [
            [
                ("assistant", f"Welcome to {PLACES[0]}."),
                ("user", f"So the {JOBS[0]} in {PLACES[0]}, please."),
            ],
            [("user", "Good morning, I have arrived."), ("user", f"I need the {JOBS[0]} here, please.")],
        ],
    )
    def test_cannot_lack_what_the_user_alone_does_not_say(
        self,
        models: Models,
        utterances: list[tuple[str, str]],
        tmp_path: Path,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        said = [{"role": role, "text": text} for role, text in utterances]
        items = write_items(
            tmp_path / "items", [task(0, opening={"kind": "dialogue", "utterances": said}), task(1)]
        )
        done = forged(capsys, items, tmp_path / "pairs", "--way", "removal", *ROLES)
        assert done.code == 0, done.said
        (pair,) = load_cases(tmp_path / "pairs").pairs
        assert pair.id == "item-1-removal"
        assert reasons(tmp_path / "pairs") == {
            "no required value is said by the user, once and nowhere else": 1
        }


def reached() -> Record:
    """A task whose plan leads to its facts in the world of seed 0."""
    made = parcel()
    made["plan"][1]["arguments"]["order_number"]["value"] = "A4071"
    made["facts"][0]["value"] = "held at customs"
    return made


class TestToolsThatDeclareWhatTheyCanDo:
    def test_are_proven_without_any_model(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        items = write_items(tmp_path / "items", [reached(), rain()])
        done = forged(capsys, items, tmp_path / "pairs", "--way", "replacement")
        assert done.code == 0, done.said
        (pair,) = load_cases(tmp_path / "pairs").pairs
        assert pair.id == "parcel-replacement"
        assert len(pair.gone) == 2
        assert pair.task.provenance["proof"] == "proven"
        missed, *_ = lines(tmp_path / "pairs" / "rejected.jsonl")
        assert missed["reason"] == "its plan does not lead to its facts"
        assert missed["detail"] == "fact 0 says 4.5, the plan gives 7"

    def test_a_text_is_put_to_the_judge_all_the_same(
        self, models: Models, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        items = write_items(tmp_path / "items", [reached()])
        models.first = [
            Say('{"words": "Lantern Electronics", "text": "They wrote to me. Where is that order?"}'),
            Say('{"verdict": "information"}'),
        ]
        done = forged(capsys, items, tmp_path / "pairs", "--way", "removal", *ROLES)
        assert done.code == 0, done.said
        (pair,) = load_cases(tmp_path / "pairs").pairs
        assert models.asked == ["writer", "judge"]
        assert pair.task.provenance["proof"] == "proven"
