"""The noise floor of knowing and acting: worked out by hand, and agents that are simulated, truth known."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pytest

from knowact.core.record import Outcome, Record
from knowact.core.table import Estimate
from knowact.measures.noise_floor import DISAGREEMENT, EXCESS, FLOOR, noise_floor
from knowact.measures.summary import quadrant_estimates

from .made_records import scored


def trials(item: str, *both: tuple[bool, bool], cluster: str = "") -> list[Record]:
    """The trials of an item, each given as (knew, acted)."""
    return [
        replace(scored(item, cluster or item, knew, acted, epoch=epoch), knew=knew, acted=acted)
        for epoch, (knew, acted) in enumerate(both, start=1)
    ]


def values(records: Sequence[Record]) -> dict[str, float | None]:
    return {name: one.value for name, one in noise_floor(records).items()}


def test_worked_out_by_hand() -> None:
    # Knowing 1, 1, 0 and acting 1, 0, 0. Of six ordered pairs of trials, knowing of the one and acting of the
    # other differ in (1,2) (1,3) (2,3) (3,1); knowing differs in 4 of 6, and so does acting.
    found = values(trials("a", (True, True), (True, False), (False, False)))
    assert found == pytest.approx({DISAGREEMENT: 4 / 6, FLOOR: 4 / 6, EXCESS: 0})
    # It always knows and never acts: nothing of that is chance.
    assert values(trials("a", *[(True, False)] * 2)) == {DISAGREEMENT: 1, FLOOR: 0, EXCESS: 1}
    # It never differs from trial to trial, nor in acting.
    assert values(trials("a", *[(True, True)] * 3)) == {DISAGREEMENT: 0, FLOOR: 0, EXCESS: 0}


def test_an_item_weighs_the_same_however_often_it_was_tried_and_one_trial_says_nothing() -> None:
    records = [
        *trials("a", *[(True, False)] * 9),
        *trials("b", *[(True, True)] * 2),
        *trials("c", (True, True)),
    ]
    assert values(records)[EXCESS] == 0.5
    assert noise_floor(records)[EXCESS].n == 2
    assert noise_floor(trials("c", (True, False))) == noise_floor([]) == {}


def test_one_item_that_happens_to_be_all_excess_is_no_proof_of_any() -> None:
    odd = trials("odd", *[(True, False)] * 2)
    found = noise_floor([*odd, *(one for at in range(9) for one in trials(f"i{at}", *[(True, True)] * 2))])
    assert found[EXCESS].value == pytest.approx(0.1)
    assert (found[EXCESS].low or 0) <= 0


def test_what_was_not_measured_or_spoilt_is_no_trial() -> None:
    knew = replace(trials("a", (True, False))[0], epoch=3, acted=None)
    spoilt = replace(trials("a", (True, False))[0], epoch=4, outcomes={"act": Outcome.INSTRUMENT_ERROR})
    records = trials("a", (True, True), (True, True))
    assert noise_floor([*records, knew, spoilt]) == noise_floor(records)


def test_conditions_of_one_task_are_items_of_their_own() -> None:
    one = trials("a", *[(True, True)] * 2)
    other = [replace(record, condition="noisy", acted=False) for record in one]
    assert noise_floor([*one, *other])[EXCESS].n == 2


def test_the_quadrants_say_it_where_there_are_several_trials() -> None:
    assert EXCESS not in quadrant_estimates(trials("a", (True, True)))
    assert quadrant_estimates(trials("a", *[(True, False)] * 2))[EXCESS].value == 1


Chances = Callable[[np.random.Generator], tuple[float, float]]
"""Draws the probabilities of knowing and of acting rightly about one item."""


def simulated(rng: np.random.Generator, chances: Chances, items: int = 60, runs: int = 3) -> list[Record]:
    records: list[Record] = []
    for item in range(items):
        know, act = chances(rng)
        said = [(bool(rng.random() < know), bool(rng.random() < act)) for _ in range(runs)]
        records += trials(f"i{item}", *said)
    return records


def noisy(rng: np.random.Generator) -> tuple[float, float]:
    """Knowing and acting are two readings of one thing, whatever that is."""
    chance = float(rng.beta(1, 1))
    return chance, chance


def forgetful(rng: np.random.Generator) -> tuple[float, float]:
    """It acts on what it knows in seven of ten cases: p - q is 0.3 p, and the mean of p squared is 1/3."""
    chance = float(rng.beta(1, 1))
    return chance, 0.7 * chance


@pytest.mark.parametrize(("chances", "truth"), [(noisy, 0.0), (forgetful, 0.09 / 3)])
def test_simulated_agents_land_on_the_truth(chances: Chances, truth: float) -> None:
    rng = np.random.default_rng(11)
    found: list[Estimate] = [noise_floor(simulated(rng, chances))[EXCESS] for _ in range(120)]
    mean = np.mean([one.value or 0 for one in found])
    assert mean == pytest.approx(truth, abs=0.006)
    covered = sum((one.low or 0) <= truth <= (one.high or 0) for one in found)
    assert covered >= 0.88 * len(found)


def test_one_that_cannot_restrain_itself_is_told_from_one_that_wavers() -> None:
    rng = np.random.default_rng(3)
    wavers = noise_floor(simulated(rng, lambda _: (0.5, 0.5), items=200))
    assert (wavers[FLOOR].value or 0) == pytest.approx(0.5, abs=0.04)
    assert (wavers[EXCESS].low or 0) < 0 < (wavers[EXCESS].high or 0)
    rash = noise_floor(simulated(rng, lambda _: (0.9, 0.2), items=200))
    assert (rash[EXCESS].low or 0) < 0.49 < (rash[EXCESS].high or 0)
    assert (rash[EXCESS].low or 0) > 0.35


def test_knowing_and_acting_that_are_read_from_one_conversation_are_no_less_apart() -> None:
    """Within a trial they always agree; between trials they waver: that is chance, and no excess."""
    rng = np.random.default_rng(4)
    same = [bool(rng.random() < 0.5) for _ in range(600)]
    records = [
        one for at in range(200) for one in trials(f"i{at}", *((x, x) for x in same[3 * at : 3 * at + 3]))
    ]
    found = noise_floor(records)
    assert found[DISAGREEMENT].value == pytest.approx(found[FLOOR].value or 0)
    assert found[EXCESS].value == 0
