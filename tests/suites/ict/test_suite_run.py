"""ICT for real, through the engine: what is sent, what is kept, and what the page says."""

from pathlib import Path

import pytest

from doubles.endpoint import Reply, Request, Say
from ict_trials import (
    RELEASE,
    REMOVED_FROM_REQUESTS,
    able,
    finds_questions,
    likes_reasons,
    planned,
    tasks_of_requests,
)
from knowact.core.record import Record, Status
from knowact.core.task import Task
from knowact.engine.transcripts import read_transcripts
from knowact.suites.ict.asked import EXPLICIT, IMPLICIT, WHY
from knowact.suites.ict.cases import DEFAULT_DATA
from knowact.suites.ict.explanations import people_and_judge
from knowact.suites.ict.tables import TABLES
from local_agents import READERS, LocalAgents
from running import MODEL, READ, Ran, json_report, knowact, records_at, table_rows

pytestmark = pytest.mark.slow

PAIRS = 4


def run(capsys: pytest.CaptureFixture[str], folder: Path, *words: object, agent: str = "oracle") -> Ran:
    done = knowact(capsys, "run", "ict", "--model", f"knowact/{agent}", "--log-dir", folder, *words)
    assert done.code == 0, done.said
    return done


def conversations(folder: Path) -> dict[str, dict[str, list[tuple[str, str]]]]:
    """Who said what, by item and probe."""
    (log,) = folder.rglob("*.eval")
    return {
        f"{one.item}": {probe: [(turn.role, turn.text) for turn in turns] for probe, turns in one.probes}
        for one in read_transcripts(log)
    }


class TestWhatIsSent:
    def test_four_shots_are_earlier_turns_and_why_goes_on_after_the_no(
        self, capsys: pytest.CaptureFixture[str], tmp_path: Path
    ) -> None:
        run(capsys, tmp_path, "--limit", PAIRS, "--strategy", "four-shot")
        items = {item.task.id: item for item in planned(limit=PAIRS).items}
        for name, said in conversations(tmp_path).items():
            roles = [role for role, _ in said[EXPLICIT]]
            assert roles == ["system", *["user", "assistant"] * 5]
            assert (WHY in said and bool(said[WHY])) == bool(items[name].lacks)
            if items[name].lacks:
                assert said[WHY][: len(said[EXPLICIT])] == said[EXPLICIT]
                assert [role for role, _ in said[WHY][len(said[EXPLICIT]) :]] == ["user", "assistant"]
                assert said[WHY][-2][1].startswith("Why not?")

    def test_going_on_is_a_conversation_of_its_own(
        self, capsys: pytest.CaptureFixture[str], tmp_path: Path
    ) -> None:
        run(capsys, tmp_path, "--limit", PAIRS)
        for said in conversations(tmp_path).values():
            assert not any("Yes or No" in text for _, text in said[IMPLICIT])


class TestWhatIsShownInTheEnd:
    def test_a_feedback_run_closes_with_its_own_table(
        self, capsys: pytest.CaptureFixture[str], tmp_path: Path
    ) -> None:
        done = run(capsys, tmp_path, "--limit", 8, "--probe", "feedback")
        assert "After a call it tells complete from removed in 100% of" in done.out
        assert "removed, call succeeds" in done.out
        assert "nothing measured" not in done.out

    def test_all_kinds_of_runs_make_one_page(
        self, capsys: pytest.CaptureFixture[str], tmp_path: Path
    ) -> None:
        logs = tmp_path / "logs"
        run(capsys, logs, "--limit", 8)
        run(capsys, logs, "--limit", 8, agent="hostile")
        run(capsys, logs, "--limit", 8, "--probe", "feedback")
        run(capsys, logs, "--limit", 8, "--strategy", "structured-verification", "--plain", "--no-why")
        run(capsys, logs, "--limit", 4, "--kind", "partly")
        run(capsys, logs, "--data", RELEASE, agent="always-no")
        done = knowact(capsys, "report", logs, "--out", tmp_path / "report")
        assert done.code == 0, done.said
        page = (tmp_path / "report" / "index.html").read_text("utf-8")
        tables = [make([]) for make in TABLES if make is not people_and_judge]
        assert all(table.title in page for table in tables)
        report = json_report(capsys, logs, tmp_path / "r.json")
        filled = {table["id"] for table in report["tables"] if table["rows"]}
        over_all_suites = {"headlines", "knowing-acting", "profile", "sets", "set-sizes"}
        # Nothing says how these pairs are proven.
        assert filled - over_all_suites == {table.id for table in tables} - {"proof"}
        assert {row["data"] for row in table_rows(report, "joint", "pair accuracy")} == {
            *(DEFAULT_DATA, "ict@published"),
        }


IDLE = "A wonderful thing to have in this fine city."
"""A reply of which the form says nothing."""


def misquotes(request: Request, task: Task) -> Reply:
    return Say('{"part_1": {"asked": "which it never said"}}')


class TestWhoReads:
    def records(
        self, local: LocalAgents, capsys: pytest.CaptureFixture[str], folder: Path, *words: object
    ) -> dict[str, Record]:
        local.tasks, local.answers = tasks_of_requests(PAIRS), able
        local.extractor, local.judge = finds_questions, likes_reasons
        (muser,) = local.tasks[1:2]
        local.habits[muser.id] = lambda request, _: Say(IDLE) if request.tools else None
        options = ("--limit", PAIRS, *REMOVED_FROM_REQUESTS, "--log-dir", folder, *words)
        done = knowact(capsys, "run", "ict", "--model", MODEL, *options)
        assert done.code == 0, done.said
        return records_at(folder)

    def test_an_extractor_fills_the_form_and_a_judge_decides_the_rest(
        self, local: LocalAgents, capsys: pytest.CaptureFixture[str], tmp_path: Path
    ) -> None:
        found = self.records(local, capsys, tmp_path, *READ)
        muser = found.pop(local.tasks[1].id)
        assert (muser.flags["implicit_other"], muser.flags["implicit_by_judge"]) == (1, 1)
        assert (muser.results["implicit"].by, muser.acted) == ("judge", False)
        lacking = [one for one in found.values() if one.labels["gold"] != "complete"]
        assert {one.results["implicit"].why for one in lacking} == {"clarifying_question"}
        assert all(
            (one.knew, one.acted, one.results["implicit"].by) == (True, True, "form") for one in lacking
        )
        assert all(one.acted for one in found.values())
        assert {one.value("why") for one in (muser, *lacking)} == {1}
        asked = [one for one in local.requests if one.model in READERS]
        assert len(asked) == PAIRS + 3 * (1 + PAIRS), "a form for each question, votes for the rest"

    def test_a_form_that_stays_invalid_after_a_repair_is_not_scored(
        self, local: LocalAgents, capsys: pytest.CaptureFixture[str], tmp_path: Path
    ) -> None:
        local.tasks, local.answers = tasks_of_requests(PAIRS), able
        local.extractor = misquotes
        options = ("--limit", PAIRS, *REMOVED_FROM_REQUESTS, "--log-dir", tmp_path, "--no-why", *READ)
        knowact(capsys, "run", "ict", "--model", MODEL, *options)
        for one in records_at(tmp_path).values():
            lacking = one.labels["gold"] != "complete"
            wanted = Status.JUDGE_ERROR if lacking else Status.VALUE
            assert one.results["implicit"].status is wanted
        assert len([one for one in local.requests if one.model in READERS]) == 2 * PAIRS

    def test_nobody_is_asked_where_nobody_is_bound(
        self, local: LocalAgents, capsys: pytest.CaptureFixture[str], tmp_path: Path
    ) -> None:
        found = self.records(local, capsys, tmp_path, "--rules", "published")
        assert found[local.tasks[1].id].value("implicit") == 1
        assert {one.results["why"].status for one in found.values() if one.labels["gold"] != "complete"} == {
            Status.NOT_JUDGED
        }
        assert not [one for one in local.requests if one.model in READERS]

    def test_the_headline_takes_readers_and_a_sentence_says_so(
        self, local: LocalAgents, capsys: pytest.CaptureFixture[str], tmp_path: Path
    ) -> None:
        done = knowact(capsys, "run", "ict", "--model", MODEL, "--limit", 2, "--log-dir", tmp_path)
        assert done.code == 2
        assert "needs a model as extractor and judge" in done.err
        found = self.records(local, capsys, tmp_path, "--judge", "none")
        assert {one.results["implicit"].status for one in found.values()} == {Status.NOT_JUDGED}
        assert not [one for one in local.requests if one.model in READERS]

    def test_the_explicit_probe_needs_nobody(
        self, local: LocalAgents, capsys: pytest.CaptureFixture[str], tmp_path: Path
    ) -> None:
        found = self.records(local, capsys, tmp_path, "--probe", "explicit", "--no-why")
        assert all(one.knew for one in found.values())
        assert not [one for one in local.requests if one.model in READERS]
