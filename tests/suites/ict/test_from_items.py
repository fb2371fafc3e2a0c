"""`knowact forge ict --from`: pairs of anybody's items, judged and written over real HTTP."""

import json
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from knowact.core.prompts import load_prompt
from knowact.engine.writing import ATTEMPTS
from knowact.suites.ict.cases import Level, load_cases
from knowact.suites.ict.making import Making
from knowact.suites.ict.removing import Brief, Rewritten, complaints
from knowact.testing.endpoint import Refuse401, Reply, Request, Say, ScriptedEndpoint
from own_tasks import Record, parcel, rain, replayed, write_items
from running import Ran, knowact

WRITER, JUDGE = "openai-api/forge/writer", "openai-api/forge/judge"
ROLES = ("--role", f"writer={WRITER}", "--role", f"judge={JUDGE}")
PLACES = ("Aarhus", "Bilbao", "Coimbra", "Dresden", "Esbjerg", "Faro")
JOBS = ("harbour fees", "tram delays", "museum queues", "market stalls", "river levels", "night buses")


def tool(job: str) -> Record:
    """A tool that nobody has said anything of beyond its description."""
    return {
        "name": f"get_{job.replace(' ', '_')}",
        "description": f"Report the {job} of a place today.",
        "parameters": {
            "type": "object",
            "properties": {
                "place": {"type": "string", "description": "Name of the place"},
                "unit": {"type": "string", "default": "usual"},
            },
            "required": ["place", "unit"],
        },
    }


def task(number: int, **changed: Any) -> Record:
    """A complete item with two tools of its own."""
    job, place = JOBS[number], PLACES[number]
    spare = JOBS[(number + 1) % len(JOBS)]
    made: Record = {
        "id": f"item-{number}",
        "opening": {"text": f"I am off soon. Give me the {job} in {place}, I have to plan my day."},
        "world": {"name": "cassette", "setup": {"tools": [tool(job), tool(spare)]}},
        "offered": [tool(spare)["name"], tool(job)["name"]],
        "plan": [
            {
                "tool": tool(job)["name"],
                "boundary": "external",
                "arguments": {"place": {"value": place}, "unit": {"value": "usual", "origin": "default"}},
            }
        ],
        "topology": "single_hop",
        "cluster": f"item-{number}",
    }
    return {**made, **changed}


@pytest.fixture
def items(tmp_path: Path) -> Path:
    return write_items(tmp_path / "items", [task(number) for number in range(len(JOBS))])


class Models:
    """A judge that knows which tool a wish takes, and a writer that cuts out a value with its preposition."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.first: list[Reply] = []
        self.capable: set[str] = set()
        """Tools that can do every job, as the judge sees it."""
        self.careless: set[str] = set()
        """Places that the judge finds said wherever they are not."""
        self.refuses: set[str] = set()
        self.shown: list[str] = []

    def script(self, request: Request) -> Reply:
        self.asked.append(request.model)
        self.shown.append(request.conversation)
        if self.first:
            return self.first.pop(0)
        if request.model == "judge":
            return Say(json.dumps({"why": "because", "verdict": self.verdict(request.conversation)}))
        brief = json.loads(request.conversation.split("The brief:\n\n")[1])
        if brief["value"] in self.refuses:
            return Say('{"refused": "nothing is left"}')
        words = f"in {brief['value']}"
        return Say(json.dumps({"words": words, "text": brief["message"].replace(f" {words}", "")}))

    def verdict(self, shown: str) -> str:
        shown, said = shown.split("The conversation.")
        offered = {one["name"] for one in json.loads(shown.split("The tools:\n")[1])}
        (number,) = (number for number, job in enumerate(JOBS) if f"the {job}" in said)
        if not offered & {tool(JOBS[number])["name"], *self.capable}:
            return "tool"
        return "possible" if PLACES[number] in {*self.careless} or PLACES[number] in said else "information"


@pytest.fixture
def models(monkeypatch: pytest.MonkeyPatch) -> Iterator[Models]:
    played = Models()
    with ScriptedEndpoint(played.script, keep_requests=False) as endpoint:
        monkeypatch.setenv("FORGE_API_KEY", "x")
        monkeypatch.setenv("FORGE_BASE_URL", endpoint.base_url)
        yield played


def forged(capsys: pytest.CaptureFixture[str], source: object, folder: Path, *words: object) -> Ran:
    always = ("--out", folder, "--yes", "--max-connections", "1", "--votes", "1", "--seed", "4")
    return knowact(capsys, "forge", "ict", "--from", source, *always, *words)


def lines(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def reasons(folder: Path) -> Counter[str]:
    return Counter(one["reason"] for one in lines(folder / "rejected.jsonl"))


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

    def test_that_say_the_value_twice_are_noticed(
        self, models: Models, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        opening = {"text": f"I need the {JOBS[0]} in {PLACES[0]}, please, yes, {PLACES[0]}."}
        items = write_items(tmp_path / "items", [task(0, opening=opening)])
        done = forged(capsys, items, tmp_path / "pairs", "--way", "removal", *ROLES)
        assert done.code == 1
        assert not (tmp_path / "pairs" / "items.jsonl").exists()
        assert f"the text still says '{PLACES[0]}'." in done.err

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


def function(job: str) -> Record:
    """A tool as function-calling sets publish it."""
    made = {name: value for name, value in tool(job).items() if name != "parameters"}
    return {**made, "parameters": {**tool(job)["parameters"], "type": "dict"}}


def turns_of(number: int) -> list[list[Record]]:
    return [[{"role": "user", "content": task(number)["opening"]["text"]}]]


@pytest.fixture
def published(tmp_path: Path) -> Path:
    """Rows of turns and functions, their calls in another folder, and what cannot be used among them."""
    rows = [
        {"id": f"row-{number}", "question": turns_of(number), "function": [function(job)]}
        for number, job in enumerate(JOBS)
    ]
    told = {"role": "system", "content": "You are terse."}
    rows[3]["question"] = [[told, *turns_of(3)[0]]]
    rows[4]["question"] = [*turns_of(4), *turns_of(4)]
    calls = [
        {
            "id": f"row-{number}",
            "ground_truth": [
                {tool(JOBS[number])["name"]: {"place": ["somewhere", PLACES[number]], "unit": ["", "usual"]}}
            ],
        }
        for number in range(len(JOBS) - 1)
    ]
    folder = tmp_path / "published"
    (folder / "possible_answer").mkdir(parents=True)
    name = "BFCL_v3_simple.json"
    (folder / name).write_text("\n".join(map(json.dumps, rows)), "utf-8")
    (folder / "possible_answer" / name).write_text("\n".join(map(json.dumps, calls)), "utf-8")
    return folder


class TestPublishedRows:
    def test_of_turns_and_functions_come_with_their_calls(
        self, models: Models, published: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        out = tmp_path / "pairs"
        done = forged(capsys, published, out, *ROLES)
        assert done.code == 0, done.said
        pairs = {pair.id: pair for pair in load_cases(out).pairs}
        assert pairs.keys() == {f"row-{n}-{way}" for n in range(3) for way in ("replacement", "removal")}
        lost = pairs["row-1-removal"].lost
        assert lost is not None
        assert (lost.parameter, lost.value) == ("place", PLACES[1])
        sheet = (out / "README.md").read_text("utf-8")
        for why in (
            "a system message comes with it",
            "it goes on after a reply",
            "no gold call is published",
        ):
            assert f"Not used: 1 ({why}" in sheet

    def test_of_choices_come_with_the_call_that_is_right(
        self, models: Models, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        called = [
            {"name": tool(JOBS[number])["name"], "arguments": {"place": PLACES[number]}}
            for number in range(3)
        ]
        forms: list[Any] = [
            called[0],
            json.dumps(called[1]),
            f"<TOOLCALL>[{json.dumps(called[2])}]</TOOLCALL>",
            "Just call it.",
        ]
        rows = [
            {
                "uuid": f"row-{number}",
                "question": task(number)["opening"]["text"],
                "tools": [json.dumps(function(JOBS[number]))],
                "correct_answer": "tool_call" if number != 4 else "cannot_answer",
                "answers": {"tool_call": forms[min(number, 3)], "direct": "Sure."},
            }
            for number in range(5)
        ]
        folder = tmp_path / "published"
        folder.mkdir()
        (folder / "when2call_test_mcq.jsonl").write_text("\n".join(map(json.dumps, rows)), "utf-8")
        done = forged(capsys, folder, tmp_path / "pairs", "--way", "removal", *ROLES)
        assert done.code == 0, done.said
        assert {pair.id for pair in load_cases(tmp_path / "pairs").pairs} == {
            f"row-{number}-removal" for number in range(3)
        }
        assert "its gold call cannot be read" in (tmp_path / "pairs" / "README.md").read_text("utf-8")

    def test_a_folder_with_neither_is_refused(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        (tmp_path / "notes.json").write_text("[1, 2]", "utf-8")
        done = forged(capsys, tmp_path, tmp_path / "pairs")
        assert done.code == 2
        assert "the folder holds neither items.jsonl nor published rows with their calls" in done.err


class TestTheCommand:
    def test_killed_anywhere_it_goes_on_and_asks_nothing_twice(
        self,
        models: Models,
        items: Path,
        tmp_path: Path,
        capsys: pytest.CaptureFixture[str],
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        whole = forged(capsys, items, tmp_path / "whole", *ROLES)
        assert whole.code == 0
        asked = Counter(models.asked)
        models.asked.clear()
        kept = Making.keep
        moments = iter((3, 4, 9))
        ends = [next(moments)]

        def interrupted(self: Making, answer: object) -> None:
            kept(self, answer)
            ends[0] -= 1
            if ends[0] == 0:
                ends[0] = next(moments, -1)
                raise KeyboardInterrupt

        monkeypatch.setattr(Making, "keep", interrupted)
        codes = [forged(capsys, items, tmp_path / "killed", *ROLES).code for _ in range(4)]
        assert codes == [130, 130, 130, 0]
        assert Counter(models.asked) == asked
        one, other = ((tmp_path / name / "items.jsonl").read_bytes() for name in ("whole", "killed"))
        assert one == other
        models.asked.clear()
        assert forged(capsys, items, tmp_path / "killed").code == 0
        assert models.asked == []

    def test_what_a_provider_fails_is_told_and_asked_again(
        self, models: Models, items: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        models.first = [Refuse401(), *[Say("No idea.")] * ATTEMPTS]
        words = ("--way", "replacement", "--size", "4", *ROLES)
        done = forged(capsys, items, tmp_path / "pairs", *words)
        assert done.code == 1
        assert "no usable vote on" in done.err
        assert "2 answers are missing. Run the same command to go on." in done.err
        assert not (tmp_path / "pairs" / "items.jsonl").exists()
        assert forged(capsys, items, tmp_path / "pairs", *words).code == 0

    def test_a_file_can_be_the_judge(
        self, items: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        rulings = tmp_path / "rulings.jsonl"
        rulings.write_text('{"id": "nothing", "ruling": {"verdict": "tool"}}', "utf-8")
        done = forged(capsys, items, tmp_path / "pairs", "--size", "1", "--role", f"judge=file:{rulings}")
        assert done.code == 1
        assert "no usable vote on" in done.err

    @pytest.mark.parametrize(
        ("words", "said"),
        [
            ((), "6 votes are open. Add --role judge=MODEL."),
            (("--size", "0"), "0 is not in the range"),
            (("--with", "kapro=x"), "--with does not go with --from."),
            (("--embed", "some/encoder"), "Embeddings need the package sentence-transformers"),
        ],
    )
    def test_wrong_words_end_in_a_sentence(
        self,
        words: tuple[str, ...],
        said: str,
        items: Path,
        tmp_path: Path,
        capsys: pytest.CaptureFixture[str],
        *,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        monkeypatch.setitem(sys.modules, "sentence_transformers", None)
        done = forged(capsys, items, tmp_path / "pairs", "--way", "replacement", *words)
        assert done.code == 2
        assert said in done.err

    @pytest.mark.parametrize(
        ("source", "said"),
        [
            ("nowhere", "There is no folder 'nowhere', and no suite of that name. Suites: "),
            ("car", "The items of car are conversations; pairs take requests."),
            ("kapro=nowhere", "no data set or folder named 'nowhere'"),
        ],
    )
    def test_a_source_that_is_none_is_refused(
        self, source: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        done = forged(capsys, source, tmp_path / "pairs")
        assert done.code == 2
        assert said in done.err

    def test_items_from_which_nothing_can_go_missing_are_refused(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        items = write_items(tmp_path / "items", [replayed()])
        done = forged(capsys, items, tmp_path / "pairs")
        assert done.code == 2
        assert "items has no complete item that needs a tool (no tool is needed: 1)." in done.err

    def test_a_broken_line_is_named(
        self, items: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        with (items / "items.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps(task(0, id="odd", offered=["fly"])))
        done = forged(capsys, items, tmp_path / "pairs")
        assert done.code == 2
        assert "items.jsonl:7, field" in done.err

    def test_another_suites_complete_items_serve_as_well(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        done = forged(capsys, "fail-talms", tmp_path / "pairs", "--way", "replacement", "--size", "3")
        assert done.code == 0, done.said
        pairs = load_cases(tmp_path / "pairs").pairs
        assert len(pairs) == 3
        assert "something is missing in them already" in (tmp_path / "pairs" / "README.md").read_text("utf-8")

    @pytest.mark.parametrize(
        ("words", "said"),
        [
            (("--from", "kapro"), "kapro makes no pairs of other data."),
            (("--seed", "3", "--level", "near"), "--level does not go with a recipe; add --from."),
            ((), "--seed N fixes plans and the world's values. Add it."),
        ],
    )
    def test_what_does_not_go_together_is_said(
        self, words: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        done = knowact(capsys, "forge", "kapro", *words)
        assert done.code == 2
        assert said in done.err
