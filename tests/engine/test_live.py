"""How often a run's log is written, and when a viewer can follow what is under way."""

from pathlib import Path
from typing import Any

import pytest
from inspect_ai.log import read_eval_log

from local_agents import LocalAgents
from running import MODEL, knowact, run_at, tasks_of


@pytest.fixture
def settings(local: LocalAgents, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What the engine is given, which is then stopped at once."""
    given: dict[str, Any] = {}

    def stop(*_: object, **settings: object) -> None:
        given.update(settings)
        raise KeyboardInterrupt

    monkeypatch.setattr("knowact.engine.runs.eval_set", stop)
    return given


@pytest.mark.parametrize("words", [(), ("--live",)], ids=["by default", "live"])
def test_a_viewer_follows_trials_under_way_only_where_it_is_asked_for(
    words: tuple[str, ...], local: LocalAgents, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    local.tasks = tasks_of()[:2]
    done = knowact(capsys, "run", "kapro", "--model", MODEL, "--limit", 2, *words, "--log-dir", tmp_path)
    assert done.code == 0, done.said
    config = read_eval_log(run_at(tmp_path).logs[0], header_only=True).eval.config
    assert (config.log_realtime, config.log_buffer) == (bool(words), 1)


@pytest.mark.parametrize(
    ("model", "limit", "trials", "buffer"),
    [(MODEL, 56, 1, 1), (MODEL, 399, 1, 1), (MODEL, 100, 8, 4), ("knowact/oracle", 100, 8, None)],
)
def test_a_log_is_written_after_every_trial_or_two_hundred_times(  # noqa: PLR0917 - the table's columns
    model: str,
    limit: int,
    trials: int,
    buffer: int | None,
    settings: dict[str, Any],
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    words = ("--model", model, "--limit", limit, "--trials", trials, "--log-dir", tmp_path)
    assert knowact(capsys, "run", "kapro", *words).code == 130
    assert settings.get("log_buffer") == buffer
