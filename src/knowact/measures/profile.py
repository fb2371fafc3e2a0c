"""One profile per model: how far it knows, acts, asks, admits, and stays consistent, over all suites."""

import math
from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from knowact.core.record import Record
from knowact.core.suite import Suite
from knowact.core.table import Estimate, Row, Run, as_table, rows_of
from knowact.core.traits import MEANING, Trait
from knowact.measures.clusters import SEED, Floats
from knowact.measures.columns import columns
from knowact.measures.intervals import bootstrapped
from knowact.measures.limits import SHARE
from knowact.measures.pairing import usual_run
from knowact.measures.summary import mean_estimate

MOVER: Final = "MOVER"
PROFILE: Final = "profile"
"""The table's id."""
ALL_SUITES: Final = "mean over suites"
_MEANINGS: Final = " ".join(f"{trait.value.capitalize()}: {meaning}." for trait, meaning in MEANING.items())


def trait_estimate(records: Sequence[Record], trait: Trait, seed: int = SEED) -> Estimate:
    """Measure one trait on records to which traits were added (`Suite.with_traits`).

    n counts trials, for consistency items that were done rightly at least once.
    """
    return consistency(records, seed) if trait is Trait.CONSISTENT else mean_estimate(records, trait, seed)


def consistency(records: Sequence[Record], seed: int = SEED) -> Estimate:
    """How likely what was done rightly in one trial is done rightly in another of the same item.

    That is Pass^2 over Pass^1 of acting: the sum over items of c (c - 1) / (m - 1) over the sum of c, with c
    of an item's m trials right. An agent that acts rightly on some items always and on the others never has
    1; one that tosses a coin of chance p for every trial has p. Being wrong alike is no merit here.

    Args:
        records: Of one run; those of one item and condition are its trials.
        seed: Fixes the bootstrap, which resamples clusters.

    Returns:
        n counts the items with two or more scored trials of which one at least is right: no other says
        anything of it, so none of them narrows the interval. Without a value where there is none.
    """
    read = columns(records, ())
    measured = read.take(np.flatnonzero(read.acted >= 0))
    if not len(measured):
        return Estimate(None, 0)
    first, item = measured.by_item()
    trials = np.bincount(item)
    right = np.bincount(item, weights=measured.acted).astype(np.float64)
    telling = (trials > 1) & (right > 0)
    n = int(telling.sum())
    if not n:
        return Estimate(None, 0)
    again = right * (right - 1) / np.maximum(trials - 1, 1)
    rows: Floats = np.column_stack((again, right))[telling]
    return bootstrapped(rows, measured.cluster.codes[first][telling], seed, SHARE, n=n)


def average(parts: Sequence[Estimate]) -> Estimate:
    """The unweighted mean of independent estimates; those without a value are left out.

    Its ends lie as far from it as the square root of the sum of the squared distances of the parts' ends,
    over their number (MOVER; Zou and Donner, 2008). n is the sum of the parts'.
    """
    known = [(part.value, part) for part in parts if part.value is not None]
    if not known:
        return Estimate(None, sum(part.n for part in parts))
    value, n = math.fsum(value for value, _ in known) / len(known), sum(part.n for _, part in known)
    if len(known) == 1:
        return known[0][1]
    below, above = (
        math.sqrt(math.fsum((value - (end if end is not None else value)) ** 2 for value, end in ends))
        / len(known)
        for ends in ([(v, part.low) for v, part in known], [(v, part.high) for v, part in known])
    )
    return Estimate(value, n, value - below, value + above, MOVER)


def usual(suite: Suite, runs: Sequence[Run]) -> Run:
    """Of one model's runs of a suite, the one for its profile.

    It is the one with the fewest options changed (how many items and trials aside), other data and settings
    of the engine being changes, too; of equals the one with most scored trials, of those the first. A run
    without any scored trial is taken only where there is no other.
    """
    begun = [run for run in runs if run.scored] or runs
    return usual_run(sorted(begun, key=lambda run: -run.scored), suite.defaults())


def profile(
    suites: Sequence[tuple[Suite, Sequence[Run]]], seed: int = SEED, traits: Sequence[Trait] = tuple(Trait)
) -> dict[Trait, dict[str, Estimate]]:
    """Measure the profile of one model.

    Args:
        suites: Each suite with the model's runs after `Suite.with_traits`; of several the `usual` one counts.
        seed: Fixes the bootstrap.
        traits: Which traits; each takes a bootstrap per suite.

    Returns:
        By trait, the estimate of each suite that shows it, by the suite's name.
    """
    records = {suite.name: usual(suite, runs).records for suite, runs in suites if runs}
    parts = {
        trait: {name: trait_estimate(some, trait, seed) for name, some in records.items()} for trait in traits
    }
    return {
        trait: {name: estimate for name, estimate in some.items() if estimate.n}
        for trait, some in parts.items()
    }


@as_table(
    PROFILE,
    "What each model is like: its profile over all suites",
    note=_MEANINGS,
    highest=False,
    across=("suite",),
)
def profile_table(suites: Sequence[tuple[Suite, Sequence[Run]]]) -> Iterator[Row]:
    """One profile per model.

    The mean over suites has each suite that shows the trait once, whatever its size, and an interval for
    independent parts (MOVER). n counts trials, for consistency items that were done rightly at least once. Of
    several runs of one suite the nearest to its defaults counts, of those the one with most scored trials.
    """
    for model in dict.fromkeys(run.model for _, runs in suites for run in runs):
        own = [(suite, [run for run in runs if run.model == model]) for suite, runs in suites]
        traits = profile(own)
        shown = dict.fromkeys(name for parts in traits.values() for name in parts)
        if len(shown) > 1:
            means = {str(trait): average(list(parts.values())) for trait, parts in traits.items()}
            yield from rows_of({"model": model, "suite": ALL_SUITES}, means, empty=False)
        for name in shown:
            own_parts = {str(trait): parts[name] for trait, parts in traits.items() if name in parts}
            yield from rows_of({"model": model, "suite": name}, own_parts)
