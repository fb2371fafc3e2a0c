"""Any mixture of runs: what stands beside each other, what is paired with what, and that nothing crashes.

Properties over random runs of all six suites, through the functions that `report` and `compare` use.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from knowact.core.errors import BadUsage
from knowact.core.table import Row, Run
from knowact.core.transcript import no_transcripts
from knowact.report.as_json import dumps
from knowact.report.build import ReportInput, build, labelled, tables
from knowact.report.compare import compare_within
from knowact.report.page import page
from knowact.report.treatments import treatments
from knowact.suites import find
from made_runs import MODELS, SUITES, Made, by_suite, made_run

pytestmark = pytest.mark.slow

FEW = settings(max_examples=4, phases=(Phase.explicit, Phase.generate))
"""Every example makes all tables of a suite, so there are few, and none is made smaller."""

DATA = (("everyday", "2-A"), ("everyday", "2-A.seed7"), ("my-tasks", "own"))
NOISY = {"distractors": 10}
HELPED = {"helper": "model"}
LOW = {"reasoning_effort": "low"}


def strategies_of(suite: str) -> tuple[Mapping[str, Any], ...]:
    """Options that no two runs may differ in unless just that is compared."""
    own: Mapping[str, tuple[Mapping[str, Any], ...]] = {
        "kapro": ({"strategy": "acknowledge-limits"}, NOISY),
        "ict": ({"strategy": "chain-of-thought"},),
        "fail_talms": ({"strategy": "acknowledge-limits"}, NOISY, HELPED),
        "car": ({"strategy": "acknowledge-limits"},),
    }
    return ({}, {"rules": "published"}, {"seed": 3}, *own.get(suite, ()))


@st.composite
def makings(draw: st.DrawFn, suite: str) -> Made:
    """Any run of a suite."""
    options: dict[str, Any] = {}
    for some in draw(st.lists(st.sampled_from(strategies_of(suite)), max_size=2)):
        options |= some
    return Made(
        suite=suite,
        model=draw(st.sampled_from(MODELS)),
        data=draw(st.sampled_from(DATA)),
        edition=draw(st.sampled_from("aab")),
        options=options | draw(st.sampled_from([{}, {}, {"limit": 2}, {"trials": 2}])),
        settings=draw(st.sampled_from([{}, {}, LOW, {"reasoning_effort": "high"}])),
        judge=draw(st.sampled_from(["", "", "hub/judge"])),
    )


def shown(suite: str, runs: Sequence[Run]) -> list[tuple[str, Row]]:
    """All numbers of a suite's section but p values corrected over all rows, with the id of their table."""
    found = find(suite)
    paired = treatments(found, labelled(runs))
    more = (paired.differences, paired.tests) if paired else ()
    return [
        (table.id, row)
        for table in (*tables(found, runs), *more)
        for row in table.rows
        if "Holm" not in row.measure
    ]


def lost(before: Sequence[tuple[str, Row]], after: Sequence[tuple[str, Row]]) -> list[object]:
    """The numbers that do not stand there any more; a row head may say more by then.

    It names the data, or the options in which runs differ.
    """
    heads: dict[object, list[Mapping[str, str]]] = defaultdict(list)
    for table, row in after:
        heads[table, row.measure, row.estimate].append(row.keys)
    return [
        (table, dict(row.keys), row.measure)
        for table, row in before
        if not any(
            all(keys.get(name, "").startswith(said) for name, said in row.keys.items())
            for keys in heads[table, row.measure, row.estimate]
        )
    ]


OTHER_KINDS: tuple[Mapping[str, Any], ...] = (
    {"data": DATA[1]},
    {"data": DATA[2]},
    {"edition": "b"},
    {"options": {"rules": "published"}},
    {"options": {"seed": 3}},
    {"judge": "hub/judge"},
    {"settings": LOW, "options": {"seed": 3}},
    {"data": DATA[1], "settings": LOW},
)
"""In what a run differs from every one of `FAMILY`, so that it is no partner of any."""


def family(suite: str) -> list[Made]:
    """Runs that a report compares with one another, one treatment or model at a time."""
    treated = [one for one in strategies_of(suite) if not one.keys() & {"rules", "seed"}]
    return [Made(suite, options=one) for one in treated] + [Made(suite, MODELS[2])]


@pytest.mark.parametrize("suite", SUITES)
@FEW
@given(data=st.data())
def test_a_run_of_another_kind_changes_no_cell(suite: str, data: st.DataObject) -> None:
    here = family(suite)
    extra = replace(data.draw(st.sampled_from(here)), **data.draw(st.sampled_from(OTHER_KINDS)))
    place = data.draw(st.integers(0, len(here)))
    before = shown(suite, [made_run(one) for one in here])
    after = shown(suite, [made_run(one) for one in (*here[:place], extra, *here[place:])])
    assert lost(before, after) == []


FACTORS = ("helper", "max_questions"), ("reasoning_effort", "reasoning_tokens", "max_tokens")
"""Options that change together, as one treatment."""


def factors(one: Run, other: Run) -> set[str]:
    """In what two runs differ, but for how much was asked."""
    options = {
        name for name in {*one.options, *other.options} if one.options.get(name) != other.options.get(name)
    }
    found = {next((group[0] for group in FACTORS if name in group), name) for name in options}
    found -= {"data", "limit", "trials"}
    found |= {
        name for name in ("model", "suite", "dataset", "roles") if getattr(one, name) != getattr(other, name)
    }
    return found


@pytest.mark.parametrize("suite", SUITES)
@FEW
@given(data=st.data())
def test_two_runs_are_compared_only_where_they_differ_in_one_thing(suite: str, data: st.DataObject) -> None:
    chosen = data.draw(st.lists(makings(suite), min_size=2, max_size=6, unique_by=lambda one: one.id))
    runs = {made.id: made_run(made) for made in chosen}
    for table, row in shown(suite, [*runs.values()]):
        assert row.paired is not None or "difference" not in row.measure, table
        if row.paired is not None:
            differ = factors(runs[row.paired.first], runs[row.paired.second])
            assert len(differ) == 1, (table, dict(row.keys), differ)
            assert "dataset" not in differ


def of_pair(row: Row, pair: set[str]) -> bool:
    """Whether a number compares these two runs."""
    return row.paired is not None and {row.paired.first, row.paired.second} == pair


def of_alike(row: Row) -> bool:
    """Whether a number that does not say what it compares is of the model with trials that are alike."""
    return row.keys.get("model") == "hub/alike" and not any("seed 3" in said for said in row.keys.values())


TREATED = [
    ("kapro", "shift", NOISY),
    ("kapro", "treatments", {"strategy": "acknowledge-limits"}),
    ("fail_talms", "paired", HELPED),
    ("ict", "paired", {"strategy": "chain-of-thought"}),
    ("car", "treatments", {"strategy": "acknowledge-limits"}),
]


@pytest.mark.parametrize(("suite", "table", "treatment"), TREATED)
@FEW
@given(data=st.data())
def test_the_same_trials_differ_by_nothing_whatever_stands_beside(
    suite: str, table: str, treatment: Mapping[str, Any], data: st.DataObject
) -> None:
    plain = Made(suite, model="hub/alike")
    treated = replace(plain, options=treatment, twin_of=plain)
    others = data.draw(st.lists(makings(suite), max_size=4, unique_by=lambda one: one.id))
    # A sweep of the same model, under another seed: its runs are partners of one another.
    others += [
        replace(plain, options={"seed": 3}),
        replace(treated, options={"seed": 3, **treatment}, twin_of=None),
    ]
    runs = [made_run(one) for one in data.draw(st.permutations([plain, treated, *others]))]
    pair = {plain.id, treated.id}
    changes = [
        row.estimate.value
        for name, row in shown(suite, runs)
        if name == table
        and (of_pair(row, pair) if row.paired else of_alike(row))
        and (name == "shift" or "difference" in row.measure)
    ]
    assert changes
    assert set(changes) <= {0.0, None}


@pytest.mark.parametrize("suite", SUITES)
@FEW
@given(data=st.data())
def test_a_run_beside_itself_differs_by_nothing(suite: str, data: st.DataObject) -> None:
    made = data.draw(makings(suite))
    found = compare_within(find(suite), made_run(made), made_run(made), seed=0)
    differences = [row.estimate.value for row in found.differences.rows if row.measure == "difference"]
    assert differences
    assert set(differences) <= {0.0, None}
    assert {row.estimate.value for row in found.tests.rows if row.measure == "p"} <= {1.0, None}


@pytest.mark.parametrize("suite", SUITES)
@FEW
@given(data=st.data())
def test_runs_on_other_data_are_not_compared(suite: str, data: st.DataObject) -> None:
    one, other = data.draw(makings(suite)), data.draw(makings(suite))
    if one.data == other.data:
        other = replace(other, data=next(each for each in DATA if each != one.data))
    with pytest.raises(BadUsage, match="whatever their ids") as refused:
        compare_within(find(suite), made_run(one), made_run(other), seed=0)
    for name, version in (one.data, other.data):
        assert f"{name}@{version}" in str(refused.value)


@FEW
@given(data=st.data())
def test_no_mixture_of_runs_crashes_a_report(data: st.DataObject) -> None:
    some = [data.draw(st.lists(makings(suite), max_size=4)) for suite in SUITES]
    chosen = by_suite([one for part in some for one in part])
    report = build(ReportInput(chosen, no_transcripts, lambda run, record: f"{run.id} {record.item}"))
    assert {one.run.id for one in report.runs} == {run.id for _, runs in chosen for run in runs}
    assert dumps(report)
    assert page(report)
