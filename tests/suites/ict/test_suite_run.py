"""ICT for real, through the engine: what is sent, what is kept, and what the page says."""

from pathlib import Path

import pytest

from ict_trials import RELEASE, REMOVED_FROM_REQUESTS, able, planned, tasks_of_requests
from knowact.core.record import Record, Status
from knowact.engine.transcripts import read_transcripts
from knowact.suites.ict.asked import EXPLICIT, IMPLICIT, WHY
from knowact.suites.ict.tables import TABLES
from knowact.testing.endpoint import Reply, Request, Say
from local_agents import LocalAgents
from running import JUDGE, MODEL, Ran, json_report, knowact, records_at, table_rows

PAIRS = 4


def run(capsys: pytest.CaptureFixture[str], folder: Path, *words: object, agent: str = "oracle") -> Ran:
    done = knowact(capsys, "run", "ict", "--model", f"knowact/{agent}", "--log-dir", folder, *words)
    assert done.code == 0, done.said
    return done


def talks(folder: Path) -> dict[str, dict[str, list[tuple[str, str]]]]:
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
        for name, said in talks(tmp_path).items():
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
        for said in talks(tmp_path).values():
            assert not any("Yes or No" in text for _, text in said[IMPLICIT])


class TestWhatIsShownInTheEnd:
    def test_a_feedback_run_closes_with_its_own_table(
        self, capsys: pytest.CaptureFixture[str], tmp_path: Path
    ) -> None:
        done = run(capsys, tmp_path, "--limit", 8, "--probe", "feedback")
        assert "After a call's outcome it tells complete from removed in 100% of" in done.out
        assert "removed, call succeeds" in done.out
        assert "nothing was measured" not in done.out

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
        for make in TABLES:
            assert make([]).title in page
        report = json_report(capsys, logs, tmp_path / "r.json")
        filled = {table["id"] for table in report["tables"] if table["rows"]}
        assert filled == {make([]).id for make in TABLES}
        assert {row["data"] for row in table_rows(report, "joint", "pair accuracy")} == {
            *("everyday@1-A", "ict@published"),
        }


def votes_other(request: Request) -> Reply:
    """A judge that finds all replies idle and all reasons wrong."""
    other = "tool_call" in request.conversation
    return Say('{"verdict": "other"}' if other else '{"verdict": "wrong"}')


class TestAGrader:
    def records(
        self, local: LocalAgents, capsys: pytest.CaptureFixture[str], folder: Path, *words: object
    ) -> dict[str, Record]:
        local.tasks, local.answers, local.judge = tasks_of_requests(PAIRS), able, votes_other
        (muser,) = local.tasks[1:2]
        local.habits[muser.id] = lambda request, _: (
            Say("A wonderful thing to have in this fine city.") if request.tools else None
        )
        options = ("--limit", PAIRS, *REMOVED_FROM_REQUESTS, "--log-dir", folder, *words)
        done = knowact(capsys, "run", "ict", "--model", MODEL, *options)
        assert done.code == 0, done.said
        return records_at(folder)

    def test_decides_what_the_rules_cannot_tell_and_judges_reasons(
        self, local: LocalAgents, capsys: pytest.CaptureFixture[str], tmp_path: Path
    ) -> None:
        found = self.records(local, capsys, tmp_path, "--role", f"grader={JUDGE}")
        muser = found[local.tasks[1].id]
        assert (muser.flags["implicit_other"], muser.flags["implicit_by_grader"]) == (1, 1)
        assert muser.verdicts["implicit"].by == "grader"
        assert {one.value("why_grader") for one in found.values() if one.labels["gold"] != "complete"} == {0}
        judged = [one for one in local.requests if one.model == "judge"]
        assert len(judged) == 3 * (1 + PAIRS)

    def test_is_asked_nothing_where_none_is_bound(
        self, local: LocalAgents, capsys: pytest.CaptureFixture[str], tmp_path: Path
    ) -> None:
        found = self.records(local, capsys, tmp_path)
        assert found[local.tasks[1].id].verdicts["implicit"].status is Status.NOT_JUDGED
        assert not [one for one in local.requests if one.model == "judge"]
