"""The number that places a run: the same for the page, the terminal, `check` and the engine's log."""

import math

from knowact.core.record import Status
from knowact.core.role_model import BUILT_IN
from knowact.core.suite import Suite
from knowact.core.table import Estimate, Headline, Run, supposing
from knowact.measures.summary import mean_estimate


def headline_of(suite: Suite) -> Headline:
    """The number that places the runs of a suite: its own, or the mean of its first measure."""
    return suite.headline or _first_measure(suite)


def _first_measure(suite: Suite) -> Headline:
    name = suite.measures[0] if suite.measures else ""

    def of(run: Run) -> Estimate:
        values = (record.value(name) for record in run.records if record.scored)
        shares = all(0 <= value <= 1 for value in values if not math.isnan(value))
        return mean_estimate(run.records, name) if shares else Estimate(None, 0)

    return Headline(name, of, lambda _: {}, rests_on=(name,), suppose=supposing(name))


def headline_estimate(suite: Suite, run: Run) -> Estimate:
    """The headline of a run; no value where it is not measured, not judged, or nothing was scored.

    Args:
        suite: The run's.
        run: With all its results (`Suite.with_traits`).
    """
    if not run.scored or not_judged(suite, run):
        return Estimate(None, 0)
    return headline_of(suite).of(run)


def not_judged(suite: Suite, run: Run) -> str:
    """Why a run's headline is not judged, and which role to bind; empty if it is judged.

    If what the headline rests on needs a reader and none is bound, one trial that is not judged is enough:
    the trials that calls alone decide are no fair sample.

    Args:
        suite: The run's.
        run: With the results that take several trials (`Suite.with_related`).
    """
    names = headline_of(suite).rests_on
    read = [
        record.results[name]
        for record in run.records
        if record.scored
        for name in names
        if name in record.results
    ]
    silent = [result for result in read if result.status is Status.NOT_JUDGED]
    built_in = run.model.startswith(BUILT_IN)
    missing = [] if built_in else [role for role in run.headline if role not in run.roles]
    if silent and missing:
        return (
            f"No headline: it depends on the agent's words, and no model was {' and '.join(missing)} "
            f"({len(silent):,} of {len(read):,} trials are not judged). Run again with --judge MODEL or "
            f"--role {missing[0]}=MODEL."
        )
    if silent and not any(result.status in {Status.VALUE, Status.JUDGE_ERROR} for result in read):
        why = next((f" ({result.why})" for result in silent if result.why), "")
        return f"No headline: it is not judged{why}."
    return ""
