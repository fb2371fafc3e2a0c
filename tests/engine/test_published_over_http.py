"""The published sample over real HTTP: all eight records, two replay gaps, with and without a judge."""

from pathlib import Path

import pytest

from doubles.endpoint import Refuse401, Reply, Request, Say
from knowact.core.record import Status
from knowact.roles.judge import reference_of
from local_agents import LocalAgents
from running import JUDGE, MODEL, PATIENT, json_report, knowact, records_at, table_rows, tasks_of

RIGHT, WRONG, RUBBISH = Say('{"verdict": "right"}'), Say('{"verdict": "wrong"}'), Say("I had rather not say.")


@pytest.fixture
def gaps(local: LocalAgents, kaware: Path) -> set[str]:
    """The records whose replay has a gap, of the eight that the agents are asked about."""
    local.tasks = tasks_of(kaware)
    assert len(local.tasks) == 8
    return {task.id for task in local.tasks if task.replay_gap}


@pytest.mark.slow
def test_without_a_judge_there_is_no_pass_rate(
    local: LocalAgents, gaps: set[str], kaware: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    done = knowact(capsys, "run", "kapro", "--data", kaware, "--model", MODEL, "--log-dir", tmp_path)
    assert done.code == 0, done.said
    records = records_at(tmp_path)
    assert len(records) == 8
    assert gaps == {"external.multi-hop.103", "hybrid.multi-hop.178"}
    assert {record.item for record in records.values() if "replay_gap" in record.flags} == gaps
    for record in records.values():
        assert (record.knew, record.acted) == (True, True), record.item
        assert record.results["pass"].status is Status.NOT_JUDGED, record.item
        why = "no recording of" if record.item in gaps else "no judge was bound"
        assert why in record.results["pass"].why
    for gap in gaps:
        assert f"Item {gap} has no recording of" in done.out
    report = json_report(capsys, tmp_path, tmp_path / "report.json")
    rates = table_rows(report, "main", "Pass")
    assert {row["boundary"] for row in rates} == {"external", "hybrid", "internal"}
    assert all(row["value"] is None and row["n"] == 0 for row in rates)
    assert [row["value"] for row in table_rows(report, "main", "KAS")] == [1.0] * 5
    (summary,) = report["runs"]
    assert summary["not_judged"]["pass"] == {"not_judged": 8}


@pytest.mark.slow
def test_a_recording_that_is_called_for_and_missing_is_told_to_the_agent_and_counted(
    local: LocalAgents, gaps: set[str], kaware: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    words = ("--subspace", "external", "--topology", "multi_hop", "--log-dir", tmp_path)
    done = knowact(capsys, "run", "kapro", "--data", kaware, "--model", MODEL, *words)
    assert done.code == 0, done.said
    (record,) = records_at(tmp_path).values()
    assert record.flags["no_recording"] == 1
    told = [message for message in local.requests[-1].messages if message["role"] == "tool"]
    assert sum("no_recording" in message["content"] for message in told) == 1
    assert len(told) == 2


@pytest.mark.slow
def test_a_judge_gives_a_pass_rate_and_its_votes_are_stored(
    local: LocalAgents, gaps: set[str], kaware: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    disliked = next(task for task in local.tasks if task.id not in gaps)

    def judge(request: Request) -> Reply:
        return WRONG if disliked.opening.text in request.conversation else RIGHT

    local.judge = judge
    words = ("--role", f"judge={JUDGE}", "--log-dir", tmp_path)
    done = knowact(capsys, "run", "kapro", "--data", kaware, "--model", MODEL, *words)
    assert done.code == 0, done.said
    records = records_at(tmp_path)
    for task in local.tasks:
        result = records[task.id].results["pass"]
        if task.id in gaps:
            assert result.status is Status.NOT_JUDGED
        else:
            assert (result.value, result.by) == (0.0 if task is disliked else 1.0, "judge")
            assert result == records[task.id].results["pass_judge"]
            votes = "0 right, 3 wrong" if task is disliked else "3 right, 0 wrong"
            assert result.why == f"{votes}, 0 unreadable"
    asked = [request for request in local.requests if request.model == "judge"]
    assert len(asked) == 3 * 6
    assert all(any(reference_of(t) in one.conversation for t in local.tasks) for one in asked)
    report = json_report(capsys, tmp_path, tmp_path / "report.json")
    rates = {row["boundary"]: (row["value"], row["n"]) for row in table_rows(report, "main", "Pass")}
    judged = [task for task in local.tasks if task.id not in gaps]
    expected = {
        boundary: [records[task.id].value("pass") for task in judged if task.boundary == boundary]
        for boundary in rates
    }
    assert rates == {
        boundary: (pytest.approx(sum(values) / len(values)), len(values))
        for boundary, values in expected.items()
    }


@pytest.mark.slow
def test_a_judges_rubbish_is_an_error_of_the_judge_and_no_fail(
    local: LocalAgents, gaps: set[str], kaware: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    votes = {
        "internal.parallel.13": (RUBBISH, RUBBISH, RUBBISH),
        "internal.single-hop.67": (RIGHT, WRONG, RUBBISH),
        "internal.multi-hop.9": (RIGHT, RUBBISH, RIGHT),
    }

    def judge(request: Request) -> Reply:
        task = local.task_of(request)
        before = [one for one in local.requests if one.model == "judge" and local.task_of(one) is task]
        return votes[task.id][len(before) - 1]

    local.judge = judge
    words = ("--subspace", "internal", "--role", f"judge={JUDGE}", "--log-dir", tmp_path)
    done = knowact(capsys, "run", "kapro", "--data", kaware, "--model", MODEL, *words)
    records = records_at(tmp_path)
    assert {item: record.results["pass"].status for item, record in records.items()} == {
        "internal.parallel.13": Status.JUDGE_ERROR,
        "internal.single-hop.67": Status.JUDGE_ERROR,
        "internal.multi-hop.9": Status.VALUE,
    }
    report = json_report(capsys, tmp_path, tmp_path / "report.json")
    assert [(row["value"], row["n"]) for row in table_rows(report, "main", "Pass")] == [(1.0, 1)]
    assert report["runs"][0]["not_judged"]["pass"] == {"judge_error": 2}
    assert done.code == 1
    assert "on 2 the judge came to no majority" in done.err


@pytest.mark.slow
def test_a_judge_that_cannot_be_reached_leaves_items_unscored_until_it_can(
    local: LocalAgents, gaps: set[str], kaware: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    local.judge = lambda _: Refuse401()
    words = ("--subspace", "internal", "--role", f"judge={JUDGE}", "--log-dir", tmp_path, *PATIENT)
    first = knowact(capsys, "run", "kapro", "--data", kaware, "--model", MODEL, *words)
    assert first.code == 1
    assert "No trial could be scored. Most often: Error code: 401" in first.err
    assert not any(record.scored for record in records_at(tmp_path).values())
    local.judge = lambda _: RIGHT
    second = knowact(capsys, "run", "kapro", "--data", kaware, "--model", MODEL, *words)
    assert second.code == 0, second.said
    assert {record.value("pass") for record in records_at(tmp_path).values()} == {1.0}
    assert len(records_at(tmp_path)) == 3
