"""An endpoint that fails, under ICT: what passes leaves no trace, what lasts leaves items unscored."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from doubles.endpoint import EmptyReply, Reply, Request, Say
from faults import LASTING, PASSING, once
from ict_trials import REMOVED_FROM_REQUESTS, able, finds_questions, likes_reasons, tasks_of_requests
from knowact.core.record import Outcome, Record
from knowact.suites.ict.asked import EXPLICIT, IMPLICIT
from local_agents import Habit, LocalAgents
from running import MODEL, PATIENT, READ, knowact, measured, records_at, run_at

PAIRS = 10
"""Sixteen items: more than there are faults."""


def going_on(reply: Reply) -> Habit:
    """Do this when let to go on; say as usual."""
    return lambda request, _: reply if request.tools else None


def asked(reply: Reply) -> Habit:
    """Say this when asked; go on as usual."""
    return lambda request, _: None if request.tools else reply


def without_reason(request: Request, number: int) -> Reply | None:
    return EmptyReply() if request.last_text.startswith("Why not?") else None


def words(folder: Path) -> Sequence[object]:
    options = ("--limit", PAIRS, *REMOVED_FROM_REQUESTS, *READ, "--log-dir", folder)
    return ("run", "ict", "--model", MODEL, *options)


def assert_right(record: Record) -> None:
    assert (record.knew, record.acted) == (True, True), record.item


@pytest.mark.slow
def test_faults_that_pass_leave_no_trace_in_the_scores(
    local: LocalAgents, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    local.tasks, local.answers = tasks_of_requests(PAIRS), able
    local.extractor, local.judge = finds_questions, likes_reasons
    for task, reply in zip(local.tasks, PASSING.values(), strict=False):
        local.habits[task.id] = once(reply)
    done = knowact(capsys, *words(tmp_path))
    assert done.code == 0, done.said
    records = records_at(tmp_path)
    assert len(records) == 2 * PAIRS
    for record in records.values():
        assert_right(record)
    plain = {task.id: 2 if task.id.endswith(".complete") else 3 for task in local.tasks}
    assert local.asked() == {name: plain[name] + 2 * (name in local.habits) for name in plain}


@pytest.mark.soak
def test_what_the_instrument_spoils_is_unscored_and_done_by_the_same_command_later(
    local: LocalAgents, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    local.tasks, local.answers = tasks_of_requests(PAIRS), able
    local.extractor, local.judge = finds_questions, likes_reasons
    spoilt = dict(zip(LASTING, local.tasks, strict=False))
    for name, task in spoilt.items():
        local.habits[task.id] = going_on(LASTING[name])
    mute, babbling, unexplained = local.tasks[-3:]
    local.habits[mute.id] = going_on(EmptyReply(null=True))
    local.habits[babbling.id] = asked(Say("Bananas are rich in potassium."))
    local.habits[unexplained.id] = without_reason

    first = knowact(capsys, *words(tmp_path), *PATIENT)
    assert first.code == 1
    assert f"{len(spoilt)} of {2 * PAIRS} trials could not be scored." in first.err
    assert "Do not quote" in first.out
    before = records_at(tmp_path)
    for name, task in spoilt.items():
        record = before[task.id]
        assert (record.scored, record.acted) == (False, None), name
        assert record.outcomes[IMPLICIT] is Outcome.INSTRUMENT_ERROR, name
        assert record.outcomes[EXPLICIT] is Outcome.ANSWERED, f"{name}: what was said before is kept"
        assert "implicit" not in record.results, name
    assert (before[mute.id].outcomes[IMPLICIT], before[mute.id].acted) == (Outcome.EMPTY, False)
    assert (before[babbling.id].outcomes[EXPLICIT], before[babbling.id].knew) == (Outcome.UNREADABLE, False)

    local.recover()
    second = knowact(capsys, *words(tmp_path), *PATIENT)
    assert second.code == 0, second.said
    assert set(local.asked()) == {task.id for task in spoilt.values()}
    after = records_at(tmp_path)
    for task in spoilt.values():
        assert_right(after[task.id])
    for task in (mute, babbling, unexplained):
        assert measured(after[task.id]) == measured(before[task.id])
    assert run_at(tmp_path).scored == 2 * PAIRS
