"""Which runs are paired, against which, and under which name."""

import dataclasses
from typing import Any

import pytest

from knowact.core.option import Option
from knowact.core.record import Result
from knowact.core.suite import Suite
from knowact.core.table import Run
from knowact.report.treatments import treatments

from .report_double import make_run, make_suite

STRATEGY = Option("strategy", "", "plain", ("plain", "none", "check"), several=True)


@pytest.fixture
def suite() -> Suite:
    return dataclasses.replace(make_suite(), options=(STRATEGY,), compared=("right",))


def run(name: str, share: float, settings: tuple[str, ...] = (), **options: Any) -> Run:
    """One whose first records are right, as many as a share says."""
    made = make_run("m", 1.0)
    right = share * len(made.records)
    records = [
        dataclasses.replace(one, results={"right": Result.of(place < right)})
        for place, one in enumerate(made.records)
    ]
    options = {"strategy": "plain", "votes": 3, **options}
    return dataclasses.replace(made, id=name, records=records, options=options, settings=settings)


def pairs(suite: Suite, *runs: Run) -> set[tuple[str, str]]:
    found = treatments(suite, runs)
    return (
        set() if found is None else {(r.keys["against"], r.keys["treatment"]) for r in found.differences.rows}
    )


def test_each_is_held_against_the_run_without_a_treatment_whenever_it_was_begun(suite: Suite) -> None:
    runs = (run("a", 0.5, strategy="check"), run("b", 0.25))
    assert pairs(suite, *runs) == {("strategy plain", "strategy check")}
    found = treatments(suite, runs)
    assert found is not None
    (row,) = (
        row for row in found.differences.rows if row.measure == "difference" and "all" in row.keys.values()
    )
    assert row.estimate.value == pytest.approx(0.25)


def test_none_is_no_treatment(suite: Suite) -> None:
    runs = (run("a", 0.5, strategy="check"), run("b", 0.25, strategy="none"))
    assert pairs(suite, *runs) == {("strategy none", "strategy check")}


def test_without_an_untreated_one_the_first_counts(suite: Suite) -> None:
    low, high = (run(name, 0.5, ("reasoning_effort",), reasoning_effort=name) for name in ("low", "high"))
    assert pairs(suite, high, low) == {("reasoning effort high", "reasoning effort low")}


def test_an_effort_of_none_is_a_treatment(suite: Suite) -> None:
    off, usual = run("off", 0.5, ("reasoning_effort",), reasoning_effort="none"), run("usual", 0.5)
    assert pairs(suite, off, usual) == {("reasoning effort as usual", "reasoning effort none")}


def test_runs_that_differ_otherwise_are_no_pair(suite: Suite) -> None:
    treated = run("a", 0.5, strategy="check")
    assert pairs(suite, treated, run("b", 0.5, votes=5)) == set()
    assert pairs(suite, treated, dataclasses.replace(run("c", 0.5), model="other")) == set()
    read = dataclasses.replace(run("d", 0.5), roles={"judge": ("x/y",)})
    assert pairs(suite, treated, read) == set()
    assert pairs(suite, treated) == set()


def test_p_values_are_corrected_over_all_treatments(suite: Suite) -> None:
    runs = (run("a", 0.1), run("b", 0.9, strategy="check"), run("c", 0.1, strategy="none"))
    found = treatments(suite, runs)
    assert found is not None
    raw = [row.estimate.value for row in found.tests.rows if row.measure == "p"]
    corrected = [row.estimate.value for row in found.tests.rows if row.measure == "p, Holm"]
    assert len(raw) == len(corrected) > 4
    low = min(one for one in raw if one is not None)
    assert min(one for one in corrected if one is not None) == pytest.approx(min(1, low * len(raw)))
