"""The same command again: nothing to do, something left to do, more money, or all of it anew."""

import json
from pathlib import Path

import pytest

from doubles.endpoint import Refuse401
from knowact.engine.budget import BUDGET
from local_agents import LocalAgents
from running import JUDGE, MODEL, knowact, measured, records_at, run_at, tasks_of

pytestmark = pytest.mark.slow

ITEMS = 6
PRICED = "openai-api/local/priced"


@pytest.fixture
def command(local: LocalAgents, tmp_path: Path) -> tuple[object, ...]:
    local.tasks = tasks_of()[:ITEMS]
    return ("run", "kapro", "--model", MODEL, "--limit", ITEMS, "--log-dir", tmp_path / "logs")


def price_file(folder: Path) -> Path:
    """A model that costs about a dollar a call."""
    file = folder / "prices.json"
    dollars = {"input": 1000.0, "output": 1000.0, "input_cache_write": 0.0, "input_cache_read": 0.0}
    file.write_text(json.dumps({PRICED: dollars}), encoding="utf-8")
    return file


def folders(logs: Path) -> list[str]:
    return sorted(path.name for path in (logs / "kapro").iterdir())


def test_a_second_identical_command_asks_nothing_and_says_the_same(
    local: LocalAgents, command: tuple[object, ...], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    first = knowact(capsys, *command)
    assert first.code == 0, first.said
    before = records_at(tmp_path)
    assert len(before) == ITEMS
    local.requests.clear()
    second = knowact(capsys, *command)
    assert second.code == 0, second.said
    assert local.requests == []
    assert second.out == first.out.replace("\n\nkapro", " (resuming)\n\nkapro", 1)
    assert {item: measured(r) for item, r in records_at(tmp_path).items()} == {
        item: measured(r) for item, r in before.items()
    }
    assert len(folders(tmp_path / "logs")) == 1


def test_timeouts_and_retries_make_no_other_run_but_options_and_roles_do(
    local: LocalAgents, command: tuple[object, ...], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert knowact(capsys, *command).code == 0
    local.requests.clear()
    assert knowact(capsys, *command, "--max-connections", 3, "--", "--max-retries", 1).code == 0
    assert local.requests == []
    assert len(folders(tmp_path / "logs")) == 1
    for number, change in enumerate((("--seed", 1), ("--role", f"judge={JUDGE}"), ("--", "--top-p", "0.5"))):
        assert knowact(capsys, *command, *change).code == 0
        assert len(folders(tmp_path / "logs")) == number + 2, change


def test_fresh_begins_anew_and_keeps_the_earlier_run_beside(
    local: LocalAgents, command: tuple[object, ...], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    knowact(capsys, *command)
    everything = len(local.requests)
    (name,) = folders(tmp_path / "logs")
    for round_number in (1, 2):
        local.requests.clear()
        done = knowact(capsys, *command, "--fresh")
        assert done.code == 0, done.said
        assert "(resuming)" not in done.out
        assert f"{name}-superseded-{round_number}" in done.out
        assert len(local.requests) == everything
    assert folders(tmp_path / "logs") == [name, f"{name}-superseded-1", f"{name}-superseded-2"]
    run = run_at(tmp_path / "logs")
    assert len(run.superseded) == 2
    assert len(run.records) == ITEMS


def test_more_trials_is_another_run_with_each_item_once_per_epoch(
    local: LocalAgents, command: tuple[object, ...], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    done = knowact(capsys, *command, "--trials", 2)
    assert done.code == 0, done.said
    run = run_at(tmp_path)
    assert run.planned == run.scored == 2 * ITEMS
    assert {(r.item, r.epoch) for r in run.records} == {(t.id, e) for t in local.tasks for e in (1, 2)}


def test_a_cost_limit_stops_with_3_and_a_higher_one_goes_on(
    local: LocalAgents, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    local.tasks = tasks_of()[:ITEMS]
    words = ("run", "kapro", "--model", PRICED, "--limit", ITEMS, "--log-dir", tmp_path / "logs")
    engine = ("--", "--model-cost-config", price_file(tmp_path), "--retry-on-error", "0")

    first = knowact(capsys, *words, "--max-connections", 1, "--cost-limit", 2, *engine)
    assert first.code == 3, first.said
    assert "The cost limit is reached ($" in first.err
    assert "At least $" in first.out
    some = run_at(tmp_path / "logs").scored
    assert 0 < some < ITEMS
    asked = len(local.requests)
    # The call that goes over the limit is the last one: nobody can take back what was under way.
    assert 2 <= BUDGET.spent < 4

    second = knowact(capsys, *words, "--cost-limit", 1000, *engine)
    assert second.code == 0, second.said
    run = run_at(tmp_path / "logs")
    assert run.scored == run.planned == ITEMS
    assert all(record.cost is not None and record.cost > 0 for record in run.records)
    whole = sum(3 if task.required else 2 for task in local.tasks)
    assert whole <= len(local.requests) <= whole + 2
    assert asked < whole


def test_a_limit_that_the_last_call_reaches_has_stopped_nothing(
    local: LocalAgents, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    local.tasks = tasks_of()[:2]
    engine = ("--", "--model-cost-config", price_file(tmp_path))
    words = ("run", "kapro", "--model", PRICED, "--limit", 2, "--max-connections", 1, "--log-dir", tmp_path)
    assert knowact(capsys, *words, "--cost-limit", 1000, *engine).code == 0
    enough = BUDGET.spent - 1e-6
    assert knowact(capsys, *words, "--fresh", "--cost-limit", enough, *engine).code == 0
    assert BUDGET.exhausted


def test_several_models_in_one_command_end_with_the_worst_code(
    local: LocalAgents, command: tuple[object, ...], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    for task in local.tasks:
        local.habits[task.id] = lambda _, __: Refuse401()
    done = knowact(capsys, *command, "--model", "knowact/oracle", "--", "--retry-on-error", "0")
    assert done.code == 1
    assert "No headline." in done.out
    assert "KAS, averaged over the kinds of task, is 100% on 6 items." in done.out
    assert len(folders(tmp_path / "logs")) == 2
