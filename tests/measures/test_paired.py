"""Two runs on the same items: pairing, the difference, the p-value, Holm's correction."""

import itertools
import math
from dataclasses import replace
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knowact.core.errors import BadUsage
from knowact.core.record import Outcome, Record
from knowact.core.table import Estimate
from knowact.measures.columns import columns
from knowact.measures.kas import kas
from knowact.measures.paired import Comparison, compare_kas, compare_means, holm
from knowact.measures.summary import average_kas

from .made_records import ACT, KNOW, scored

SIXTHS = st.integers(0, 6).map(lambda sixth: sixth / 6)
PAIRS = st.lists(st.tuples(st.integers(0, 4), SIXTHS, SIXTHS, SIXTHS, SIXTHS), min_size=1, max_size=12)
P_VALUES = st.lists(st.one_of(st.none(), st.floats(0, 1)), max_size=8)


def runs(rows: list[tuple[int, float, float, float, float]]) -> tuple[list[Record], list[Record]]:
    first = [scored(str(i), f"c{c}", know, act) for i, (c, know, act, _, _) in enumerate(rows)]
    second = [scored(str(i), f"c{c}", know, act) for i, (c, _, _, know, act) in enumerate(rows)]
    return first, second


def ends(found: Comparison) -> tuple[float, float]:
    assert found.difference.low is not None
    assert found.difference.high is not None
    return found.difference.low, found.difference.high


def uneven() -> tuple[list[Record], list[Record]]:
    """Nine clusters of two; the second run is better in seven of them."""
    rows = [
        (cluster, value / 6, 1.0, after / 6, 0.5)
        for cluster, (value, after) in enumerate(
            [(1, 3), (2, 4), (0, 5), (3, 1), (2, 6), (1, 2), (4, 5), (5, 3), (0, 2)]
        )
        for _ in range(2)
    ]
    return runs(rows)


@settings(deadline=None, max_examples=40)
@given(PAIRS, st.randoms(use_true_random=False))
def test_a_comparison_is_the_difference_of_both_runs_in_any_order(
    rows: list[tuple[int, float, float, float, float]], shuffler: Random
) -> None:
    first, second = runs(rows)
    found = compare_means(first, second, KNOW, 5)
    expected = np.mean([after - before for _, before, _, after, _ in rows])
    assert found.difference.value == pytest.approx(float(expected), abs=1e-12)
    low, high = ends(found)
    assert low <= (found.difference.value or 0) <= high
    assert found.matched == len(rows)
    assert found.p is not None
    assert 0 < found.p <= 1
    shuffler.shuffle(first)
    shuffler.shuffle(second)
    assert compare_means(first, second, KNOW, 5) == found


@settings(deadline=None, max_examples=25)
@given(PAIRS)
def test_kas_is_compared_at_the_level_of_the_data_set(
    rows: list[tuple[int, float, float, float, float]],
) -> None:
    found = compare_kas(*runs(rows), (KNOW, ACT), "boundary", 5)
    before = kas(float(np.mean([row[1] for row in rows])), float(np.mean([row[2] for row in rows])))
    after = kas(float(np.mean([row[3] for row in rows])), float(np.mean([row[4] for row in rows])))
    assert found.first == pytest.approx(before)
    assert found.second == pytest.approx(after)
    assert found.difference.value == pytest.approx(after - before, abs=1e-12)


@settings(deadline=None, max_examples=25)
@given(PAIRS)
def test_a_run_against_itself_differs_in_nothing(rows: list[tuple[int, float, float, float, float]]) -> None:
    first, _ = runs(rows)
    for found in (
        compare_means(first, first, KNOW, 0),
        compare_kas(first, first, (KNOW, ACT), "boundary", 0),
    ):
        assert found.difference.value == 0
        assert found.p == 1
        low, high = ends(found)
        assert low == pytest.approx(-high)


def test_turning_the_runs_round_turns_the_difference_round() -> None:
    first, second = uneven()
    forth, back = compare_means(first, second, KNOW, 0), compare_means(second, first, KNOW, 0)
    assert forth.difference.value == pytest.approx(-(back.difference.value or 0))
    assert ends(forth) == pytest.approx([-end for end in reversed(ends(back))], abs=0.02)
    assert forth.p == pytest.approx(back.p, abs=0.02)


def test_the_p_value_is_that_of_all_sign_flips_of_clusters() -> None:
    first, second = uneven()
    shifts = [b.value(KNOW) - a.value(KNOW) for a, b in zip(first[::2], second[::2], strict=True)]
    observed = abs(math.fsum(shifts))
    flipped = [
        abs(math.fsum(sign * shift for sign, shift in zip(signs, shifts, strict=True)))
        for signs in itertools.product((1, -1), repeat=len(shifts))
    ]
    exact = sum(value >= observed - 1e-12 for value in flipped) / len(flipped)
    found = compare_means(first, second, KNOW, 0)
    assert 0.05 < exact < 0.5
    assert found.p == pytest.approx(exact, abs=0.015)


def test_the_p_value_of_kas_is_that_of_all_swaps_of_clusters() -> None:
    first, second = uneven()
    know = [(a.value(KNOW), b.value(KNOW)) for a, b in zip(first[::2], second[::2], strict=True)]
    act = [(a.value(ACT), b.value(ACT)) for a, b in zip(first[::2], second[::2], strict=True)]

    def gap(swaps: tuple[int, ...]) -> float:
        sides = [
            kas(
                float(np.mean([pair[side ^ swap] for pair, swap in zip(know, swaps, strict=True)])),
                float(np.mean([pair[side ^ swap] for pair, swap in zip(act, swaps, strict=True)])),
            )
            for side in (0, 1)
        ]
        return abs(sides[1] - sides[0])

    all_swaps = list(itertools.product((0, 1), repeat=len(know)))
    exact = sum(gap(swaps) >= gap(all_swaps[0]) - 1e-12 for swaps in all_swaps) / len(all_swaps)
    assert compare_kas(first, second, (KNOW, ACT), "boundary", 0).p == pytest.approx(exact, abs=0.015)


def test_a_clear_difference_has_a_small_p_value_but_never_zero() -> None:
    first = [scored(str(i), str(i), 0, 0) for i in range(60)]
    second = [scored(str(i), str(i), float(i % 10 > 0), 0) for i in range(60)]
    found = compare_means(first, second, KNOW, 0)
    assert found.p == pytest.approx(1 / 10_001)
    assert ends(found)[0] > 0.8


def test_repeating_items_within_clusters_adds_no_evidence() -> None:
    first, second = uneven()
    once = compare_means(first[::2], second[::2], KNOW, 0)
    twice = compare_means(first, second, KNOW, 0)
    assert (twice.p, twice.matched) == (once.p, 2 * once.matched)
    assert ends(twice) == pytest.approx(ends(once))


def test_what_has_no_partner_or_no_value_is_counted() -> None:
    first, second = uneven()
    first[0] = replace(first[0], outcomes={"act": Outcome.INSTRUMENT_ERROR})
    first += [scored("only", "only", 1, 1)]
    found = compare_means(first, second[:-2], KNOW, 0)
    assert (found.matched, found.unscored, found.only_first, found.only_second) == (15, 1, 3, 0)
    turned = compare_means(second[:-2], first, KNOW, 0)
    assert (turned.matched, turned.unscored, turned.only_first, turned.only_second) == (15, 1, 0, 3)


def test_an_epoch_or_condition_of_its_own_is_no_partner() -> None:
    first = [scored("a", "a", 1, 1), scored("a", "a", 1, 1, epoch=2)]
    second = [scored("a", "a", 0, 1), scored("a", "a", 0, 1, condition="noise")]
    found = compare_means(first, second, KNOW, 0)
    assert (found.matched, found.only_first, found.only_second) == (1, 1, 1)


def test_a_trial_that_one_run_lacks_is_never_taken_for_another() -> None:
    clean = [scored(item, item, 1, 1) for item in "ab"]
    more = [clean[0], scored("a", "a", 0, 1, condition="noise"), clean[1]]
    for first, second, left in ((more, clean, (1, 0)), (clean, more, (0, 1))):
        found = compare_means(first, second, KNOW, 0)
        assert (found.matched, found.only_first, found.only_second) == (2, *left)
        assert found.difference.value == 0


def test_nothing_in_common_gives_no_difference() -> None:
    first, second = [scored("a", "a", 1, 1)], [scored("b", "b", 1, 1)]
    found = compare_means(first, second, KNOW, 0)
    assert found == Comparison(None, None, Estimate(None, 0), None, 0, 1, 1)
    assert compare_means([], [], KNOW, 0).matched == 0


def test_two_conditions_of_one_run_are_compared_by_item() -> None:
    clean = [scored(str(i), str(i), 1, 1) for i in range(20)]
    noisy = [scored(str(i), str(i), float(i % 4 > 0), 1, condition="noise") for i in range(20)]
    found = compare_means(clean, noisy, "Kc/Ac", 0, trial=("item", "epoch"))
    assert found.matched == 20
    assert found.difference.value == pytest.approx(-0.25)
    assert compare_means(clean, noisy, "Kc/Ac", 0).matched == 0


def test_columns_made_before_compare_like_their_records() -> None:
    first, second = uneven()
    made = [columns(run, (KNOW, ACT), ("boundary",)) for run in (first, second)]
    assert compare_kas(made[0], made[1], (KNOW, ACT), "boundary", 3) == compare_kas(
        first, second, (KNOW, ACT), "boundary", 3
    )


def test_a_trial_that_occurs_twice_is_refused() -> None:
    first, second = uneven()
    with pytest.raises(BadUsage, match="two records with the same item, condition, epoch"):
        compare_means([*first, first[0]], second, KNOW, 0)


def test_runs_on_different_data_are_refused() -> None:
    first, second = uneven()
    second[3] = replace(second[3], cluster="elsewhere")
    with pytest.raises(BadUsage, match="not on the same data"):
        compare_means(first, second, KNOW, 0)


def test_a_difference_can_reach_as_far_as_its_scale() -> None:
    first = [scored(str(i), str(i), 1, 0) for i in range(10)]
    second = [scored(str(i), str(i), 0, 1) for i in range(10)]
    gap = compare_means(first, second, "DirGap", 0, limits=(-1, 1))
    assert gap.difference.value == -2
    low, high = ends(gap)
    assert low == -2
    assert -1 < high < -0.5
    assert compare_means(first, second, KNOW, 0, limits=(0, math.inf)).difference.low is None


def test_holm_gives_known_corrections() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx((0.03, 0.06, 0.06, 0.02))
    assert holm([0.6, 0.7]) == (1.0, 1.0)
    assert holm([0.02]) == (0.02,)
    assert holm([]) == ()
    assert holm([None, 0.02, None, 0.5]) == (None, 0.04, None, 0.5)


@settings(deadline=None)
@given(P_VALUES)
def test_holm_lies_between_the_raw_and_the_bonferroni_value_and_keeps_the_order(
    p: list[float | None],
) -> None:
    adjusted = holm(p)
    tests = sum(value is not None for value in p)
    kept = [(raw, new) for raw, new in zip(p, adjusted, strict=True) if raw is not None and new is not None]
    assert len(kept) == tests == sum(new is not None for new in adjusted)
    for raw, new in kept:
        assert raw <= new <= min(1, raw * tests) + 1e-12
    assert [new for _, new in sorted(kept)] == sorted(new for _, new in kept)


@pytest.mark.parametrize("wrong", [-0.1, 1.1, math.nan])
def test_holm_refuses_what_is_no_p_value(wrong: float) -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        holm([0.5, wrong])


LABELLED = st.lists(
    st.tuples(st.integers(0, 4), st.sampled_from("ehi"), SIXTHS, SIXTHS, SIXTHS, SIXTHS),
    min_size=1,
    max_size=12,
)


def labelled_runs(
    rows: list[tuple[int, str, float, float, float, float]],
) -> tuple[list[Record], list[Record]]:
    first = [
        scored(str(i), f"c{c}", know, act, labels={"boundary": b})
        for i, (c, b, know, act, _, _) in enumerate(rows)
    ]
    second = [
        scored(str(i), f"c{c}", know, act, labels={"boundary": b})
        for i, (c, b, _, _, know, act) in enumerate(rows)
    ]
    return first, second


@settings(deadline=None, max_examples=40)
@given(LABELLED)
def test_kas_of_two_runs_is_compared_as_it_is_printed_of_each(
    rows: list[tuple[int, str, float, float, float, float]],
) -> None:
    first, second = labelled_runs(rows)
    found = compare_kas(first, second, (KNOW, ACT), "boundary")
    alone = [average_kas(run, KNOW, ACT, "boundary").value for run in (first, second)]
    assert [found.first, found.second] == pytest.approx(alone)
    assert found.difference.value == pytest.approx((alone[1] or 0) - (alone[0] or 0), abs=1e-12)


@settings(deadline=None, max_examples=25)
@given(LABELLED, st.randoms(use_true_random=False))
def test_the_order_of_trials_and_the_names_of_clusters_change_no_comparison(
    rows: list[tuple[int, str, float, float, float, float]], shuffler: Random
) -> None:
    first, second = labelled_runs(rows)
    found = compare_kas(first, second, (KNOW, ACT), "boundary")
    renamed = {f"c{number}": f"z{9 - number}" for number in range(5)}
    moved = [[replace(one, cluster=renamed[one.cluster]) for one in run] for run in (first, second)]
    for run in moved:
        shuffler.shuffle(run)
    assert compare_kas(moved[0], moved[1], (KNOW, ACT), "boundary") == found


@settings(deadline=None, max_examples=25)
@given(LABELLED)
def test_the_same_trials_scored_twice_differ_by_nothing_with_certainty(
    rows: list[tuple[int, str, float, float, float, float]],
) -> None:
    first, _ = labelled_runs(rows)
    for found in (
        compare_means(first, first, KNOW, same_trials=True),
        compare_kas(first, first, (KNOW, ACT), "boundary", same_trials=True),
    ):
        assert (found.difference.value, *ends(found)) == (0, 0, 0)


def test_two_distinct_runs_that_differ_nowhere_may_still_differ_elsewhere() -> None:
    first, second = uneven()[0], uneven()[0]
    low, high = ends(compare_means(first, second, KNOW))
    assert low < 0 < high


def test_the_same_trials_that_were_scored_otherwise_have_an_interval() -> None:
    first, second = uneven()
    found = compare_means(first, second, KNOW, same_trials=True)
    assert found.difference == compare_means(first, second, KNOW).difference
