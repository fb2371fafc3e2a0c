"""Every built-in agent lands where the docs say, over all tasks."""

import re
from functools import cache
from pathlib import Path

import pytest

from car_agents import shipped, trial
from knowact.core.record import Outcome, Record
from knowact.core.table import DatasetInfo, Run
from knowact.suites.car.records import ERROR, PROBE, SUCCESS
from knowact.suites.car.run_groups import groups, joint_tallies

PAGE = Path(__file__).parents[2] / "docs" / "suites" / "car.md"
COLUMNS = {
    "base": "base",
    "missing tool": "hallucination_missing_tool",
    "missing parameter": "hallucination_missing_tool_parameter",
    "missing response": "hallucination_missing_tool_response",
    "internal": "disambiguation_internal",
    "user": "disambiguation_user",
}


def cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def promised() -> dict[str, dict[str, set[str]]]:
    """The table of the docs: agent, type of task, what it may come to."""
    table = PAGE.read_text("utf-8").split("<!-- held by tests/suites/test_car_suite_agents.py -->", 1)[1]
    head, _, *rows = [line for line in table.splitlines() if line.startswith("|")]
    names = cells(head)[1:]
    found: dict[str, dict[str, set[str]]] = {}
    for row in rows:
        agent, *given = cells(row)
        found[agent.strip("`")] = {
            COLUMNS[name]: set(re.split(r",\s*", cell)) for name, cell in zip(names, given, strict=True)
        }
    return found


PROMISED = promised()


def landed(record: Record) -> str:
    """What a trial came to, in the words of the table."""
    if record.results[SUCCESS].value == 1:
        return "success"
    if record.outcomes[PROBE] is Outcome.LIMIT:
        return "limit"
    return next(flag.removeprefix(ERROR) for flag in record.flags if flag.startswith(ERROR))


@cache
def records(agent: str) -> dict[str, Record]:
    return {item.what.id: trial(agent, item) for item in shipped()}


def test_the_table_is_about_all_agents_and_all_types() -> None:
    agents = {"oracle", "premature", "fabricator", "silent-omitter", "misreporter", "asker", "refuser"}
    assert set(PROMISED) == agents
    assert all(set(row) == set(COLUMNS.values()) for row in PROMISED.values())
    assert {item.what.type.value for item in shipped()} == set(COLUMNS.values())


@pytest.mark.slow
@pytest.mark.parametrize("agent", sorted(PROMISED))
def test_an_agent_lands_where_the_docs_say(agent: str) -> None:
    found: dict[str, set[str]] = {}
    for item in shipped():
        found.setdefault(item.what.type.value, set()).add(landed(records(agent)[item.what.id]))
    assert found == PROMISED[agent]


@pytest.mark.parametrize("agent", sorted(PROMISED))
def test_only_the_oracle_succeeds_on_both_members_of_a_hallucination_task(agent: str) -> None:
    run = Run(
        "run", "car", DatasetInfo("cabin", "2-A", "0"), agent, {}, (), 240, list(records(agent).values())
    )
    (group,) = groups([run])
    joint = [one.successes for one in joint_tallies(group) if one.kind == "hallucination"]
    assert len(joint) == 90
    nothing_to_tell = sum(item.telling.form() is None for item in shipped() if item.what.removal)
    assert sum(joint) == {"oracle": 90, "misreporter": nothing_to_tell}.get(agent, 0)


@pytest.mark.parametrize("agent", ["asker", "refuser"])
def test_asking_and_refusing_always_get_nothing_anywhere(agent: str) -> None:
    assert not any(record.results[SUCCESS].value for record in records(agent).values())


def test_a_trial_is_the_same_every_time() -> None:
    item = shipped()[3]
    assert trial("fabricator", item).results == trial("fabricator", item).results


def test_hostile_output_is_scored_and_never_succeeds() -> None:
    for item in shipped()[::6]:
        record = trial("hostile", item)
        assert record.scored
        assert record.results[SUCCESS].value == 0
