"""How far a run is, counted; and how that is shown on a terminal and in a pipe."""

from contextlib import closing
from pathlib import Path
from threading import Event

import pytest

from doubles.endpoint import Hang, Refuse401
from knowact.core.record import Outcome
from knowact.engine.budget import BUDGET
from knowact.engine.progress import Count, RunProgress, Standing, ended_before
from knowact.running import progress as shown
from knowact.running.progress import Due, duration, progress_line, progress_lines, rate
from local_agents import LocalAgents
from running import MODEL, knowact, run_at, tasks_of, wait_for_trials
from screens import PATIENCE, Screen


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_trials_and_probes_are_counted_each_once_however_often_they_are_tried() -> None:
    clock = Clock()
    run = RunProgress(4, clock=clock)
    run.expect({"a": ["know", "act"], "b": ["know", "act"]}, epochs=2)
    run.probe_ended(("a", 1), "know", Outcome.UNREADABLE)
    run.probe_ended(("a", 1), "know", Outcome.ANSWERED)  # tried again
    run.probe_ended(("b", 1), "know", Outcome.EMPTY)
    clock.now += 10
    now = run.now()
    assert (now.whole.done, now.whole.total, now.share, now.left) == (0, 4, 0.25, 30.0)
    assert now.parts == (Count("know", 2, 4, 0, {"empty": 1}), Count("act", 0, 4))
    run.trial_ended(("a", 1), {"know": Outcome.ANSWERED, "act": Outcome.INSTRUMENT_ERROR})
    now = run.now()
    assert (now.whole.done, now.parts[1]) == (1, Count("act", 1, 4, 0, {"instrument error": 1}))


def test_what_ended_before_counts_as_done_and_not_for_the_rate() -> None:
    run = RunProgress(4, [("a", 1), ("a", 2), ("b", 1)], clock := Clock())
    run.expect({"a": ["talk"], "b": ["talk"]}, epochs=2)
    clock.now += 60
    assert run.now().share == 0
    run.trial_ended(("b", 2), {"talk": Outcome.LIMIT})
    now = run.now()
    assert (now.whole, now.parts, now.share) == (Count("trials", 4, 4, 3, {"limit": 1}), (), 1.0)
    assert "1.0/min" in progress_line(now)


def test_the_cost_is_that_of_this_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(BUDGET, "spent", 2.0)
    run = RunProgress(1)
    monkeypatch.setattr(BUDGET, "spent", 2.25)
    assert run.now().cost == 0.25


def test_lines_are_aligned_fit_the_screen_and_hold_nothing_twice() -> None:
    parts = (Count("tools needed", 14, 1_400, 0, {"unreadable": 2}), Count("act\x1b[2J", 12, 1_400))
    now = Standing(Count("trials", 12, 1_400), parts, 6.0, 0.01, 0.5)
    lines = progress_lines(now)
    assert lines[0] == "  trials           12 of 1,400  1%, 2.0/s, $0.50, 9 min 54 s left"
    assert lines[1] == "  tools needed     14 of 1,400  unreadable 2"
    assert "\x1b" not in "".join(lines)
    assert progress_line(now).count("1,400") == 3


def test_units_are_those_that_people_use() -> None:
    assert [duration(one) for one in (4, 200, 7_500, 200_000)] == [
        "4 s",
        "3 min 20 s",
        "2 h 5 min",
        "2 d 7 h",
    ]
    assert [rate(one) for one in (3.0, 0.5, 0.001)] == ["3.0/s", "30.0/min", "3.6/h"]


def test_a_pipe_gets_a_line_per_tenth_but_not_too_often_and_one_where_nothing_moves() -> None:
    due = Due(0.0)
    assert not due.at(5, 0.9)
    assert due.at(11, 0.2)
    assert not due.at(30, 0.25)
    assert due.at(31, 0.31)
    assert not due.at(32, 0.9)
    assert due.at(31 + shown.LATE, 0.3)


def test_a_folder_says_which_trials_have_ended(
    local: LocalAgents, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert ended_before(tmp_path / "nothing") == frozenset()
    local.tasks = tasks_of()[:2]
    ran = knowact(capsys, "run", "kapro", "--model", MODEL, "--limit", 2, "--yes", "--log-dir", tmp_path)
    assert ran.code == 0, ran.said
    folder = Path(run_at(tmp_path).logs[0]).parent
    assert ended_before(folder) == {(task.id, 1) for task in local.tasks}


@pytest.mark.slow
def test_a_terminal_shows_counts_in_place_and_is_clean_afterwards(local: LocalAgents, tmp_path: Path) -> None:
    local.tasks = tasks_of()[:3]
    stuck = local.tasks[2].id
    local.habits[stuck] = lambda _, __: Hang(2 * PATIENCE)
    words = ("run", "kapro", "--model", MODEL, "--limit", 3, "--yes", "--log-dir", tmp_path)
    with closing(Screen(words)) as screen:
        screen.wait_for("trials        2 of 3  67%")
        screen.wait_for("tools needed  2 of 3")
        wait_for_trials(tmp_path, 2)
        screen.process.send_signal(2)
        assert screen.ends() == 130, screen.shown
    _, _, after = screen.shown.rpartition("\x1b[2K")
    assert "trials        2 of 3" not in after
    assert "Scored 2 of 3 planned trials" in after


def test_a_pipe_gets_no_control_characters(
    local: LocalAgents, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shown, "LOOKED", 0.01)
    monkeypatch.setattr(shown, "SOON", 0.0)
    monkeypatch.setattr(shown, "STEP", 0.0)
    told = Event()

    def line(now: Standing) -> str:
        told.set()
        return progress_line(now)

    # The endpoint answers when the first line has been written.
    monkeypatch.setattr(shown, "progress_line", line)
    local.tasks = tasks_of()[:2]
    for task in local.tasks:
        local.habits[task.id] = lambda _, __: None if told.wait(600) else Refuse401()
    ran = knowact(capsys, "run", "kapro", "--model", MODEL, "--limit", 2, "--yes", "--log-dir", tmp_path)
    assert "trials 0 of 2, 0%" in ran.err
    assert "\x1b" not in ran.said
    assert "\r" not in ran.said
    quiet = ("--display", "none", "--fresh")
    again = knowact(
        capsys, "run", "kapro", "--model", MODEL, "--limit", 2, "--yes", *quiet, "--log-dir", tmp_path
    )
    assert "trials 0 of 2" not in again.said
