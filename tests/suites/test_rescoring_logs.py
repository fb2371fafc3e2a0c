"""`knowact rescore` of our own logs, for all suites: the same trials, scored again."""

import io
import json
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from bad_files import spoilt
from car_conversations import KINDS, filled
from car_people import MODEL, TRUE_NAME, USER, Drive, always
from doubles.endpoint import Refuse401, Reply, Request, Say, ServerError
from knowact.core.record import Outcome, Record
from knowact.engine.reader import find_logs, read_runs
from knowact.suites.car.records import SPENT
from knowact.suites.kapro.items import datasets as kapro_data
from running import Ran, json_report, knowact

pytestmark = pytest.mark.slow

RUNS = {
    "kapro": ("hostile", 8),
    "ict": ("fabricator", 4),
    "fail-talms": ("always-no", 3),
    "car": ("silent-omitter", 2),
}
"""By suite: an agent that does something wrong, and how many base tasks."""

Key = tuple[str, str, int]


def records_at(folder: Path) -> dict[Key, Record]:
    """The records of the newest run of the only task below a folder."""
    (run,) = read_runs(find_logs([folder]))
    return {(one.item, one.condition, one.epoch): one for one in run.records}


def said(record: Record) -> tuple[Any, ...]:
    """What a record says of the trial, without what it took; prompts differ between rule sets."""
    results = {
        name: (one.status, one.value)
        for name, one in record.results.items()
        if "tokens" not in name and "seconds" not in name
    }
    return results, dict(record.outcomes), record.needed, record.used, record.knew, record.acted, record.calls


class Again:
    """Runs suites below a folder, and scores the logs again."""

    def __init__(self, capsys: pytest.CaptureFixture[str], folder: Path) -> None:
        self.capsys, self.folder = capsys, folder

    def run(self, suite: str, name: str, *more: object) -> Path:
        agent, limit = RUNS[suite]
        logs = self.folder / name
        words = (
            "run",
            suite,
            "--model",
            f"knowact/{agent}",
            "--limit",
            limit,
            "--trials",
            1,
            "--log-dir",
            logs,
        )
        assert knowact(self.capsys, *words, *more).code in {0, 1}
        return logs

    def rescore(self, suite: str, logs: Path, *more: object) -> tuple[Ran, Mapping[str, Any]]:
        """Score again into the folder `again`; what the JSON says of the only run."""
        file = self.folder / "again.json"
        ran = knowact(
            self.capsys, "rescore", suite, logs, "--log-dir", self.folder / "again", "--json", file, *more
        )
        assert "Traceback" not in ran.said
        told: list[dict[str, Any]] = [{}]
        if ran.code in {0, 1}:
            told = json.loads(file.read_text(encoding="utf-8"))["runs"]
        (run,) = told
        return ran, run


@pytest.fixture
def again(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Again:
    return Again(capsys, tmp_path)


@pytest.mark.parametrize("suite", RUNS)
class TestWithoutAModel:
    def test_equal_rules_give_equal_results(self, again: Again, suite: str) -> None:
        logs = again.run(suite, "run")
        before = records_at(logs)
        ran, told = again.rescore(suite, logs)
        assert ran.code == 0
        assert told["differences"] == told["notes"] == []
        assert records_at(again.folder / "again") == before
        # Read together, the newest scoring counts, and the older one is named.
        done = knowact(again.capsys, "report", again.folder, "--out", again.folder / "page")
        assert f"Superseded: {logs}" in done.out

    def test_the_other_rules_give_what_a_run_under_them_gives(self, again: Again, suite: str) -> None:
        logs = again.run(suite, "run")
        published = records_at(again.run(suite, "published", "--rules", "published"))
        ran, told = again.rescore(suite, logs, "--rules", "published")
        assert ran.code == 0
        assert (told["asked_under"], told["rules"]) == ("definition", "published")
        assert "asked under the definition rules" in told["notes"][0]
        found = records_at(again.folder / "again")
        assert {key: said(one) for key, one in found.items()} == {
            key: said(one) for key, one in published.items()
        }
        # Both stand beside each other in a report, and neither supersedes the other.
        done = knowact(again.capsys, "report", again.folder, "--out", again.folder / "page")
        assert "Superseded" not in done.out
        runs = read_runs(find_logs([again.folder]))
        assert len(runs) == 3
        assert sum("asked under the definition rules" in " ".join(one.problems) for one in runs) == 1

    def test_and_back_again(self, again: Again, suite: str) -> None:
        logs = again.run(suite, "run")
        before = records_at(logs)
        again.rescore(suite, logs, "--rules", "published")
        (other,) = (again.folder / "again").rglob("*.eval")
        ran, told = again.rescore(suite, other, "--rules", "definition")
        assert ran.code == 0
        assert told["asked_under"] == "definition"
        back = [
            one
            for one in read_runs(find_logs([again.folder / "again"]))
            if one.options["rules"] == "definition"
        ]
        found = {(one.item, one.condition, one.epoch): said(one) for one in back[0].records}
        assert found == {key: said(one) for key, one in before.items()}


def test_what_was_not_asked_is_not_scored(again: Again) -> None:
    logs = again.run("fail-talms", "run", "--rules", "published")
    skipped = [one for one in records_at(logs).values() if one.outcomes["act"] is Outcome.NOT_RUN]
    assert skipped
    ran, told = again.rescore("fail-talms", logs, "--rules", "definition")
    assert ran.code == 1
    assert any("lack a question that these rules ask" in note for note in told["notes"])
    assert told["scored"] == 0


def test_items_that_only_the_other_rules_ask_about_are_left_out_and_counted(again: Again) -> None:
    logs = again.run("ict", "run", "--probe", "feedback")
    ran, told = again.rescore("ict", logs, "--rules", "published")
    assert ran.code == 0, ran.said
    assert any(note.startswith("4 trials are of items that these rules do not ask") for note in told["notes"])
    found = records_at(again.folder / "again")
    assert found.keys() < records_at(logs).keys()
    assert {condition for _, condition, _ in found} == {
        *("complete-call-fails", "removed-call-fails", "removed-call-succeeds")
    }
    assert told["scored"] == len(found) == 12


def counts_of(table: Mapping[str, Any], measure: str) -> dict[str, tuple[float | None, int]]:
    return {row["on"]: (row["value"], row["n"]) for row in table["rows"] if row["measure"] == measure}


SECOND = f"{TRUE_NAME}/second"


class TestAnotherJudgeOverHttp:
    """Of conversations that were held, and judged, over HTTP."""

    @pytest.fixture
    def held(self, drive: Drive, again: Again) -> Drive:
        assert drive("hallucination", 3).code == 0
        drive.wheel.requests.clear()
        return drive

    def test_one_that_says_the_same_agrees(self, held: Drive, again: Again) -> None:
        before = records_at(held.folder)
        ran, told = again.rescore("car", held.folder, "--judge", SECOND)
        assert ran.code == 0
        assert {*held.wheel.counted()} == {"second"}, "no agent, no user, no other judge"
        assert "Role judge:" in ran.err
        spent = {f"{role}_{what}" for role in ("judge", "extractor") for what in SPENT}
        assert {one["measure"] for one in told["differences"]} <= spent
        _, agreement = told["tables"]
        assert {value for value, _ in counts_of(agreement, "agreement").values()} == {1.0}
        assert counts_of(agreement, "Cohen's kappa")["acknowledged"][0] == 1.0
        found = records_at(again.folder / "again")
        calls = held.wheel.counted()["second"]
        roles = ("judge", "extractor")
        assert sum(one.role_calls[role] for one in found.values() for role in roles) == calls
        assert sum(one.value(f"{role}_calls") or 0 for one in found.values() for role in roles) == calls
        tokens = [sum(one.role_tokens[role]) for one in found.values() for role in roles]
        assert sum(tokens) == sum(held.wheel.handed["second", what] for what in ("in", "out"))
        assert {key: one.tokens for key, one in found.items()} == {k: one.tokens for k, one in before.items()}

    def test_a_report_of_both_says_how_far_they_agree(self, held: Drive, again: Again) -> None:
        _, told = again.rescore("car", held.folder, "--judge", SECOND)
        found = json_report(again.capsys, held.folder, again.folder / "one.json")
        assert not any(one["id"] == "readers-agree" for one in found["tables"]), "nobody else has read it"
        shutil.copytree(held.folder, again.folder / "again", dirs_exist_ok=True)
        found = json_report(again.capsys, again.folder / "again", again.folder / "both.json")
        (table,) = [one for one in found["tables"] if one["id"] == "readers-agree"]
        between = {row["between"] for row in table["rows"]}
        assert {frozenset(one.split(" and ")) for one in between} == {
            frozenset((f"{TRUE_NAME}/{role}", SECOND)) for role in ("judge", "extractor")
        }
        apart, both = (
            {row["on"]: (row["value"], row["n"]) for row in one["rows"] if row["measure"] == "agreement"}
            for one in (told["tables"][1], table)
        )
        assert apart.items() <= both.items()
        assert {value for value, _ in both.values()} == {1.0}

    def test_people_judge_messages_and_policies(
        self, held: Drive, again: Again, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        words = ("human", "audit", "car", "--verdicts", held.folder, "--out", again.folder / "out", "--n", 2)
        for kind, shown in (("acknowledged", "\nacknowledged: "), ("policies", "The rule: ")):
            monkeypatch.setattr(sys, "stdin", io.StringIO("1\n2\n\n"))
            done = knowact(again.capsys, *words, "--kind", kind, "--annotator", "ann")
            assert done.code == 0, done.said
            assert shown.strip() in done.out
            assert '"anyOf"' not in done.out, "the form is for models"
            summed = knowact(again.capsys, *words, "--kind", kind, "--summary")
            assert "and ann (person)" in summed.out

    def test_one_that_hears_nothing_ends_no_conversation(self, held: Drive, again: Again) -> None:
        held.wheel.second = deaf
        ran, told = again.rescore("car", held.folder, "--role", f"judge={SECOND}")
        assert ran.code == 1
        assert told["scored"] == 0
        assert any("ended by a ruling that no longer stands" in note for note in told["notes"])
        kappas = counts_of(told["tables"][1], "Cohen's kappa")
        assert kappas["acknowledged"][0] == 0.0
        # The log holds the new votes: without a judge they stand.
        (log,) = (again.folder / "again").rglob("*.eval")
        held.wheel.requests.clear()
        ran, told = again.rescore("car", log)
        assert held.wheel.requests == []
        assert told["differences"] == []

    def test_one_that_fails_leaves_its_trials_unscored(self, held: Drive, again: Again) -> None:
        failing = iter([True])
        held.wheel.second = lambda _: ServerError() if next(failing, False) else None
        ran, told = again.rescore("car", held.folder, "--judge", SECOND)
        assert ran.code in {0, 1}
        held.wheel.second = always(Refuse401())
        ran, told = again.rescore("car", held.folder, "--judge", SECOND)
        assert ran.code == 1
        assert told["scored"] == 0
        assert "3 trials could not be read again" in told["notes"][-1]

    def test_votes_are_taken_where_nobody_had_judged(self, drive: Drive, again: Again) -> None:
        drive.wheel.expects(type="hallucination", limit=1)
        role = ("--user", "model", "--role", f"user={USER}", "--judge", "none")
        words = ("car", "--model", MODEL, "--type", "hallucination", "--limit", 1, "--trials", 1, *role)
        assert knowact(drive.capsys, "run", *words, "--log-dir", drive.folder).code in {0, 1}
        (before,) = records_at(drive.folder).values()
        assert before.value("acknowledged") != 1
        ran, told = again.rescore("car", drive.folder, "--judge", SECOND)
        assert ran.code == 0, told
        (after,) = records_at(again.folder / "again").values()
        assert after.value("acknowledged") == 1
        assert told["planned"] == told["scored"] == 1


def deaf(request: Request) -> Reply | None:
    """Finds that no message does anything; of policies and users, as usual."""
    prompt = request.conversation
    kind = next(kind for mark, kind in KINDS.items() if mark in prompt)
    return Say(json.dumps(filled(prompt, {}))) if kind not in {"policy", "user"} else None


class TestWhatCannotBeDone:
    @pytest.fixture
    def logs(self, again: Again) -> Path:
        return again.run("kapro", "run")

    def test_it_is_told_in_a_sentence(self, again: Again, logs: Path, tmp_path: Path) -> None:
        empty = tmp_path / "empty"
        empty.mkdir()
        for words, told in (
            (("kapro", logs, "--rules", "both"), "one rule set"),
            (("car", logs), "no log of car"),
            (("kapro", logs, "--role", "user=mockllm/model"), "Only extractor and judge can read"),
            (("kapro", logs, "--judge", "knowact/oracle"), "cannot be the"),
            (("kapro", logs, "--judge", "nowhere/model"), "cannot be used"),
            (("kapro", logs, "--judge", "self"), "is a built-in agent"),
            (("kapro", logs, "--role", "helper=mockllm/model"), "The helper takes part in the conversation"),
            (("kapro", logs, "--data", tmp_path / "gone"), "gone"),
            (("kapro", empty, "--judge", "mockllm/model"), "only logs can be read again"),
        ):
            done = knowact(again.capsys, "rescore", *words)
            assert done.code == 2, (words, done.said)
            assert told in done.err, (words, done.err)
            assert done.err.count("\n") == 1

    def test_data_that_have_changed_are_refused(self, again: Again, tmp_path: Path) -> None:
        data = tmp_path / "data"
        shutil.copytree(kapro_data()[0].path, data)
        logs = again.run("kapro", "run", "--data", data)
        ran, _ = again.rescore("kapro", logs)
        assert ran.code == 0, "a folder of one's own is found again"
        moved = data.rename(tmp_path / "moved")
        assert again.rescore("kapro", logs)[0].code == 2
        assert again.rescore("kapro", logs, "--data", moved)[0].code == 0
        (log,) = logs.rglob("*.eval")
        spoilt(
            log, "header.json", lambda head: head["eval"]["metadata"]["knowact"]["dataset"].update(sha256="0")
        )
        ran, _ = again.rescore("kapro", log, "--data", moved)
        assert ran.code == 2
        assert "is not what it was when this log was written" in ran.err


def test_a_log_of_another_scoring_version_is_scored_by_this_one(again: Again) -> None:
    logs = again.run("ict", "run")
    before = records_at(logs)
    (log,) = logs.rglob("*.eval")
    spoilt(log, "header.json", lambda head: head["eval"]["metadata"]["knowact"].update(scoring=1))
    done = knowact(again.capsys, "report", log)
    assert done.code == 2
    assert "score it again" in done.err
    ran, _ = again.rescore("ict", log)
    assert ran.code == 0
    assert records_at(again.folder / "again") == before


@pytest.mark.parametrize(("before", "now"), [("record", "act"), ("skip", "skip")])
def test_a_log_with_an_option_under_its_former_name_is_read_and_scored_again(
    again: Again, before: str, now: str
) -> None:
    logs = again.run("fail-talms", "run", "--after-no", now)
    records = records_at(logs)
    (run,) = read_runs(find_logs([logs]))
    (log,) = logs.rglob("*.eval")

    def rename(options: dict[str, Any]) -> None:
        assert options.pop("after_no") == now
        options["gate"] = before

    spoilt(log, "header.json", lambda head: rename(head["eval"]["metadata"]["knowact"]["options"]))
    spoilt(log, "header.json", lambda head: rename(head["eval"]["task_args"]))
    (former,) = read_runs(find_logs([logs]))
    assert former.options == run.options
    assert former.id == run.id
    ran, _ = again.rescore("fail-talms", log)
    assert ran.code == 0, ran.said
    assert records_at(again.folder / "again") == records
