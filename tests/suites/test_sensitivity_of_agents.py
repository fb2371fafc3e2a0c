"""Where built-in agents stand on d': who does the same everywhere at 0, who tells the items apart high up."""

from collections.abc import Iterable
from functools import cache

import pytest

from car_agents import shipped as car_items
from car_agents import trial as car_trial
from fail_talms_trials import shipped as request_items
from fail_talms_trials import trial as request_trial
from ict_trials import as_run, items_of, planned
from ict_trials import trial as pair_trial
from knowact.core.record import Record
from knowact.core.table import DatasetInfo, Estimate, Run, Table
from knowact.measures.sensitivity import ALARMS, CRITERION, D_PRIME, HITS
from knowact.suites.car import tables as car
from knowact.suites.fail_talms import tables as fail_talms
from knowact.suites.ict import tables as ict


def cells(table: Table, name: str) -> list[Estimate]:
    found = [row.estimate for row in table.rows if row.measure == name]
    assert found
    return found


def values(table: Table, name: str) -> set[float | None]:
    return {one.value for one in cells(table, name)}


def run(records: Iterable[Record], suite: str) -> Run:
    kept = list(records)
    return Run(suite, suite, DatasetInfo(suite, "1", "0"), "m", {}, (), len(kept), kept)


@cache
def of_pairs(agent: str) -> Table:
    return ict.sensitivity([as_run(pair_trial(agent, item) for item in items_of(planned(limit=60)))])


@cache
def of_requests(agent: str, *, helped: bool) -> Table:
    bases = set(list(dict.fromkeys(item.task.cluster for item in request_items()))[::25])
    some = (item for item in request_items() if item.task.cluster in bases)
    return fail_talms.sensitivity(
        [run((request_trial(agent, item, helped=helped) for item in some), "fail_talms")]
    )


@cache
def of_the_car(agent: str) -> Table:
    clusters = set(list(dict.fromkeys(item.task.cluster for item in car_items()))[::4])
    some = (item for item in car_items() if item.task.cluster in clusters)
    return car.sensitivity([run((car_trial(agent, item) for item in some), "car")])


@pytest.mark.parametrize("agent", ["always-act", "always-no", "always-ask", "always-idk", "fabricator"])
def test_in_dialogues_and_requests_a_habit_tells_nothing_apart(agent: str) -> None:
    for table in (of_pairs(agent), of_requests(agent, helped=False), of_requests(agent, helped=True)):
        assert values(table, D_PRIME) == {0}


def test_the_criterion_says_which_habit_it_is() -> None:
    for held, table in (
        (0, of_pairs("always-act")),
        (1, of_pairs("always-no")),
        (0, of_requests("always-act", helped=True)),
        (1, of_requests("always-ask", helped=True)),
    ):
        assert values(table, HITS) == values(table, ALARMS) == {held}
        assert all(((one.value or 0) > 0) == (not held) for one in cells(table, CRITERION))


def test_the_oracle_tells_everything_apart_everywhere() -> None:
    tables = (of_pairs("oracle"), of_requests("oracle", helped=False), of_requests("oracle", helped=True))
    for table in (*tables, of_the_car("oracle")):
        assert values(table, HITS) == {1}
        assert values(table, ALARMS) == {0}
        assert values(table, CRITERION) == {0}
        assert all((one.low or 0) > 1 for one in cells(table, D_PRIME))


@pytest.mark.parametrize("agent", ["refuser", "asker", "premature", "fabricator", "silent-omitter"])
def test_in_the_car_who_never_names_a_limit_tells_nothing_apart(agent: str) -> None:
    table = of_the_car(agent)
    assert values(table, D_PRIME) == {0}
    assert values(table, HITS) == {0}
