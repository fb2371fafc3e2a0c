"""Intervals and the bootstrap under them, against known values and by property."""

import math
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from knowact.core.table import Estimate
from knowact.measures import clusters, intervals
from knowact.measures.agreement import pearson
from knowact.measures.clusters import Floats, profiles
from knowact.measures.kas import kas
from knowact.measures.limits import COUNT, DIFFERENCE

SIXTHS = st.integers(0, 6).map(lambda sixth: sixth / 6)
ROWS = st.lists(st.tuples(st.integers(0, 5), SIXTHS, SIXTHS), min_size=1, max_size=20)


def floats(*values: float) -> Floats:
    return np.array(values, dtype=np.float64)


def split(rows: list[tuple[int, float, float]]) -> tuple[NDArray[np.int64], Floats, Floats]:
    table = np.array(rows, dtype=np.float64)
    return table[:, 0].astype(np.int64), table[:, 1], table[:, 2]


def ends(estimate: Estimate) -> tuple[float, float]:
    assert estimate.low is not None
    assert estimate.high is not None
    return estimate.low, estimate.high


# The first three as the suites' specifications recompute them from the papers' counts, in percent.
@pytest.mark.parametrize(
    ("successes", "n", "low", "high"),
    [
        (73, 90, 71.8, 87.9),
        (35, 96, 27.5, 46.4),
        (63, 94, 57.0, 75.7),
        (0, 10, 0.0, 27.8),
        (10, 10, 72.2, 100),
    ],
)
def test_wilson_gives_known_intervals(successes: int, n: int, low: float, high: float) -> None:
    found = intervals.wilson(successes, n)
    assert (found.value, found.n, found.method) == (successes / n, n, "wilson")
    assert [100 * end for end in ends(found)] == pytest.approx([low, high], abs=0.05)


@settings(deadline=None)
@given(st.integers(1, 10**6).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_contains_its_rate_and_mirrors(counts: tuple[int, int]) -> None:
    successes, n = counts
    low, high = ends(intervals.wilson(successes, n))
    assert 0 <= low <= successes / n <= high <= 1
    assert ends(intervals.wilson(n - successes, n)) == pytest.approx((1 - high, 1 - low), abs=1e-12)


def test_wilson_of_nothing_is_not_measured_and_nonsense_is_refused() -> None:
    assert intervals.wilson(0, 0) == Estimate(None, 0)
    for successes, n in ((3, 2), (-1, 2)):
        with pytest.raises(ValueError, match="impossible"):
            intervals.wilson(successes, n)


def test_independent_rates_get_wilson_and_everything_else_the_bootstrap() -> None:
    rate = floats(1, 0, 1, 1)
    assert intervals.mean(rate, np.arange(4), 0) == intervals.wilson(3, 4)
    assert intervals.mean(rate, np.array([0, 0, 1, 2]), 0).method == "cluster bootstrap"
    assert intervals.mean(floats(1, 0.5, 1, 0), np.arange(4), 0).method == "cluster bootstrap"


@settings(deadline=None, max_examples=60)
@given(ROWS, st.randoms(use_true_random=False), st.permutations(range(6)))
def test_neither_the_order_of_records_nor_the_names_of_clusters_change_an_estimate(
    rows: list[tuple[int, float, float]], shuffler: Random, renamed: list[int]
) -> None:
    shuffled = [(renamed[cluster], know, act) for cluster, know, act in rows]
    shuffler.shuffle(shuffled)
    before, after = split(rows), split(shuffled)
    assert intervals.mean(before[1], before[0], 7) == intervals.mean(after[1], after[0], 7)
    assert intervals.harmonic(*before[1:], before[0], 7) == intervals.harmonic(*after[1:], after[0], 7)


@settings(deadline=None, max_examples=60)
@given(ROWS, st.integers(0, 99))
def test_an_interval_contains_its_estimate_and_stays_within_the_scale(
    rows: list[tuple[int, float, float]], seed: int
) -> None:
    codes, know, act = split(rows)
    for found in (intervals.mean(know, codes, seed), intervals.harmonic(know, act, codes, seed)):
        assert found.value is not None
        low, high = ends(found)
        assert -1e-12 <= low <= found.value <= high <= 1 + 1e-12
        assert found.n == len(rows)
    assert intervals.mean(know, codes, seed).value == pytest.approx(know.mean())
    expected = kas(min(1.0, float(know.mean())), min(1.0, float(act.mean())))
    assert intervals.harmonic(know, act, codes, seed).value == pytest.approx(expected)


def test_the_seed_fixes_the_interval_and_another_seed_gives_another() -> None:
    values = np.random.default_rng(1).random(50)
    codes = np.arange(50) // 2
    first = intervals.mean(values, codes, 3)
    assert first == intervals.mean(values, codes, 3)
    other = intervals.mean(values, codes, 4)
    assert other.value == first.value
    assert ends(other) != ends(first)
    assert ends(other) == pytest.approx(ends(first), abs=0.02)


def test_the_bootstrap_spreads_as_cluster_means_do() -> None:
    values = np.random.default_rng(2).random((400, 3))
    found = profiles(np.column_stack((values.ravel(), np.ones(1200))), np.arange(1200) // 3)
    draws = intervals.mean_of_totals(found.resampled(0))
    assert len(draws) == 2000
    # The bootstrap's standard error of a mean is known in closed form for clusters of one size.
    assert draws.std() == pytest.approx(values.mean(axis=1).std() / math.sqrt(400), rel=0.06)
    assert draws.mean() == pytest.approx(values.mean(), abs=0.002)


def test_repeating_records_within_clusters_adds_no_certainty() -> None:
    values = np.random.default_rng(3).choice([0.0, 1 / 3, 1.0], 60)
    once = intervals.mean(values, np.arange(60), 0)
    thrice = intervals.mean(np.repeat(values, 3), np.repeat(np.arange(60), 3), 0)
    assert ends(thrice) == pytest.approx(ends(once))
    assert thrice.n == 3 * once.n


def test_drawing_profiles_is_drawing_clusters() -> None:
    codes, values = np.array([0, 0, 1, 2, 3]), floats(0.5, 0.5, 1.0, 0.0, 1.0)
    found = profiles(np.column_stack((values, np.ones(5))), codes)
    assert found.sums.tolist() == [[0, 1], [1, 1], [1, 2]]
    assert found.copies.tolist() == [1, 2, 1]
    assert found.clusters == 4
    assert found.totals.tolist() == [3, 5]
    draws = found.resampled(0, 20_000)
    # Each draw takes four clusters; that all four are the empty-handed one happens once in 256.
    assert np.mean(draws[:, 0] == 0) == pytest.approx(1 / 256, abs=0.0015)
    assert set(draws[:, 1].tolist()) == {4, 5, 6, 7, 8}


def test_drawing_in_portions_changes_no_draw(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = np.random.default_rng(4).random((30, 2))
    found = profiles(rows, np.arange(30))
    whole = found.resampled(0, 101), found.swapped(0, 101)
    monkeypatch.setattr(clusters, "_CELLS_AT_ONCE", 64)
    portions = found.resampled(0, 101), found.swapped(0, 101)
    for one, other in zip(whole, portions, strict=True):
        assert one == pytest.approx(other)


@pytest.mark.parametrize(
    ("rows", "codes"),
    [
        (np.zeros((0, 2)), np.zeros(0, np.int64)),
        (np.zeros((2, 2)), np.zeros(3, np.int64)),
        (np.zeros(2), np.zeros(2, np.int64)),
    ],
)
def test_profiles_of_rows_that_do_not_fit_are_refused(rows: Floats, codes: NDArray[np.int64]) -> None:
    with pytest.raises(ValueError, match="at least one row"):
        profiles(rows, codes)


def test_profiles_refuse_what_was_not_measured() -> None:
    with pytest.raises(ValueError, match="not measured"):
        profiles(np.array([[math.nan, 1.0], [1.0, 1.0]]), np.array([0, 1]))


def test_what_was_not_measured_enters_neither_value_nor_denominator() -> None:
    values, codes = floats(0.5, math.nan, 1.0, math.nan), np.arange(4)
    found = intervals.mean(values, codes, 0)
    assert (found.value, found.n) == (0.75, 2)
    nothing = floats(math.nan, math.nan)
    assert intervals.mean(nothing, np.arange(2), 0) == Estimate(None, 0)
    assert intervals.harmonic(nothing, nothing, np.arange(2), 0) == Estimate(None, 0)


def test_kas_rests_on_the_items_where_both_were_measured() -> None:
    know, act = floats(1.0, 0.5, math.nan, 0.0), floats(0.5, 1.0, 1.0, math.nan)
    found = intervals.harmonic(know, act, np.arange(4), 0)
    assert (found.value, found.n) == (0.75, 2)


def test_agreement_of_all_clusters_still_leaves_room_for_doubt() -> None:
    ones = np.ones(30)
    codes = np.arange(30) // 3
    perfect = intervals.mean(ones, codes, 0)
    assert (perfect.value, perfect.method) == (1, "wilson over clusters")
    assert ends(perfect) == pytest.approx((ends(intervals.wilson(10, 10))[0], 1))
    middle = intervals.mean(0 * ones, codes, 0, (-1, 1))
    low, high = ends(middle)
    assert low == pytest.approx(-high)
    assert 0 < high < 0.3
    assert ends(intervals.mean(ones / 2, np.zeros(30, dtype=np.int64), 0)) == pytest.approx(
        (0.1, 0.9), abs=0.01
    )


def test_kas_of_unanimous_items_takes_both_intervals() -> None:
    codes = np.arange(12) // 2
    perfect = intervals.harmonic(np.ones(12), np.ones(12), codes, 0)
    low, high = ends(perfect)
    assert (perfect.value, high) == (1, 1)
    assert low == pytest.approx(ends(intervals.mean(np.ones(12), codes, 0))[0])
    # Knowing varies, but acting is always wrong: KAS is zero in every draw, and could yet be more.
    half = intervals.harmonic(np.tile([0.0, 1.0], 6), np.zeros(12), np.arange(12), 0)
    low, high = ends(half)
    assert (half.value, low) == (0, 0)
    assert high > ends(intervals.wilson(0, 12))[1]


def test_a_measure_without_limits_has_no_interval_where_nothing_varies() -> None:
    calls = floats(2, 2, 2)
    assert intervals.mean(calls, np.arange(3), 0, (0, math.inf)) == Estimate(2, 3)
    assert intervals.mean(floats(2, 5, 2), np.arange(3), 0, (0, math.inf)).method == "cluster bootstrap"


def test_rounding_of_large_numbers_is_no_variation() -> None:
    tokens = np.full(7, 1e6 / 3)
    assert intervals.mean(tokens, np.array([0, 0, 0, 1, 1, 2, 3]), 0, (0, math.inf)).method == ""


def test_a_value_outside_its_scale_is_refused() -> None:
    with pytest.raises(ValueError, match=r"from 0\.5 to 1\.5, outside 0 to 1"):
        intervals.mean(floats(0.5, 1.5), np.arange(2), 0)
    for know, act in ((floats(0.5, 1.0), floats(-0.1, 0.5)), (floats(0.5, 1.1), floats(0.1, 0.5))):
        with pytest.raises(ValueError, match="outside 0 to 1"):
            intervals.harmonic(know, act, np.arange(2), 0)


@settings(deadline=None)
@given(st.lists(st.tuples(SIXTHS, SIXTHS), min_size=1, max_size=9))
def test_kas_of_arrays_is_kas(pairs: list[tuple[float, float]]) -> None:
    totals = np.array([(5 * know, 5 * act, 5.0) for know, act in pairs])
    expected = [kas(know, act) for know, act in pairs]
    assert intervals.kas_of_totals(totals).tolist() == pytest.approx(expected)


def test_draws_without_items_have_no_value() -> None:
    assert np.isnan(intervals.kas_of_totals(np.zeros((2, 3)))).all()
    assert np.isnan(intervals.mean_of_totals(np.zeros((2, 2)))).all()
    assert intervals.percentile(0.5, floats(math.nan, math.nan), 3) is None
    found = intervals.percentile(0.5, floats(math.nan, 0.4, 0.6), 3)
    assert found is not None
    assert ends(found) == pytest.approx((0.405, 0.595))


def test_an_interval_reaches_its_estimate_even_where_the_draws_miss_it() -> None:
    draws = np.linspace(0.4, 0.6, 101)
    for point, expected in ((0.1, (0.1, 0.595)), (0.5, (0.405, 0.595)), (0.9, (0.405, 0.9))):
        found = intervals.percentile(point, draws, 3)
        assert found is not None
        assert ends(found) == pytest.approx(expected)


def test_pearson_gives_a_known_interval() -> None:
    # 28 points built to have r = 0.5: z = 0.5493, standard error 1/5.
    rng = np.random.default_rng(5)
    x, noise = rng.random(28), rng.random(28)
    x = (x - x.mean()) / x.std()
    noise = noise - noise.mean() - (noise @ x) / 28 * x
    y = 0.5 * x + math.sqrt(0.75) * noise / noise.std()
    found = pearson(x.tolist(), y.tolist())
    assert found.value == pytest.approx(0.5)
    assert ends(found) == pytest.approx((0.1560, 0.7358), abs=1e-4)
    assert (found.n, found.method) == (28, "fisher z")


POINTS = st.lists(st.tuples(st.integers(-9, 9), st.integers(-9, 9)), min_size=0, max_size=12)


@settings(deadline=None)
@given(POINTS, st.floats(0.5, 9), st.floats(-9, 9))
def test_pearson_is_symmetric_bounded_and_blind_to_scale(
    points: list[tuple[int, int]], scale: float, shift: float
) -> None:
    x, y = [float(a) for a, _ in points], [float(b) for _, b in points]
    found = pearson(x, y)
    assert pearson(y, x).value == pytest.approx(found.value)
    if found.value is None:
        assert len(points) < 3 or len(set(x)) == 1 or len(set(y)) == 1
        return
    assert -1 <= found.value <= 1
    assert pearson([scale * a + shift for a in x], y).value == pytest.approx(found.value, abs=1e-9)
    assert pearson([-a for a in x], y).value == pytest.approx(-found.value)
    if found.low is not None:
        low, high = ends(found)
        assert low <= found.value <= high
        assert len(points) >= 4


def test_pearson_says_nothing_where_nothing_can_be_said() -> None:
    assert pearson([], []) == Estimate(None, 0)
    assert pearson([1, 2], [1, 3]) == Estimate(None, 2)
    assert pearson([1, 1, 1, 1], [1, 2, 3, 4]) == Estimate(None, 4)
    assert pearson([0.1] * 5, [1, 2, 3, 4, 5]) == Estimate(None, 5)
    three = pearson([1, 2, 3], [1, 2, 2])
    assert three.value is not None
    assert (three.low, three.high, three.method) == (None, None, "")
    four = pearson([1, 2, 3, 4], [1, 3, 2, 4])
    assert four.value == pytest.approx(0.8)
    assert ends(four) == pytest.approx(
        (math.tanh(math.atanh(0.8) - 1.96), math.tanh(math.atanh(0.8) + 1.96)), abs=1e-4
    )
    line = pearson([1, 2, 3, 4, 5], [2, 4, 6, 8, 10])
    assert line.value == pytest.approx(1)


def test_rounding_pushes_no_r_past_one() -> None:
    x = [float(place) for place in range(8)]  # unrounded, these lines have r = ±1.0000000000000002
    assert pearson(x, [3 * a for a in x]) == Estimate(1.0, 8)
    assert pearson(x, [-3 * a for a in x]) == Estimate(-1.0, 8)


def test_pearson_survives_very_small_and_very_large_numbers() -> None:
    expected = pytest.approx(0.8)
    assert pearson([1e-200, 2e-200, 3e-200, 4e-200], [1e200, 3e200, 2e200, 4e200]).value == expected


def test_pearson_leaves_out_points_that_were_not_measured() -> None:
    whole = pearson([1, 2, 3, 4], [1, 3, 2, 4])
    assert pearson([1, 2, math.nan, 3, 4, 9], [1, 3, 7, 2, 4, math.nan]) == whole


def test_pearson_refuses_what_makes_no_points() -> None:
    with pytest.raises(ValueError, match="do not make points"):
        pearson([1], [1, 2])
    with pytest.raises(ValueError, match="infinite"):
        pearson([1, math.inf], [1, 2])


TERNARY = st.lists(st.sampled_from((-1.0, 0.0, 1.0)), min_size=1, max_size=40)


@settings(deadline=None, max_examples=60)
@given(TERNARY, st.integers(1, 2))
def test_the_interval_of_a_difference_is_symmetric_under_change_of_sign(
    values: list[float], trials: int
) -> None:
    """Also where all values seen are 0 or 1: an interval of a share would exclude every negative one."""
    seen, codes = floats(*values), np.arange(len(values)) // trials
    one, other = intervals.mean(seen, codes, 0, DIFFERENCE), intervals.mean(-seen, codes, 0, DIFFERENCE)
    assert (one.value, one.method) == (-(other.value or 0.0), other.method)
    (low, high), (low_of_other, high_of_other) = ends(one), ends(other)
    # Draws are not mirrored: an end rests on 50 of them, and moves in steps of a cluster.
    doubt = 0.0 if one.method == intervals.UNANIMOUS else 4 / len(set(codes.tolist()))
    assert low == pytest.approx(-high_of_other, abs=1e-9 + doubt)
    assert high == pytest.approx(-low_of_other, abs=1e-9 + doubt)


@given(st.lists(st.sampled_from((0.0, 1.0)), min_size=1, max_size=40))
def test_only_a_share_has_a_shares_interval(values: list[float]) -> None:
    seen, codes = floats(*values), np.arange(len(values))
    assert intervals.mean(seen, codes, 0).method == "wilson"
    assert intervals.mean(seen, codes, 0, DIFFERENCE).method != "wilson"
    assert intervals.mean(seen, codes, 0, COUNT).method != "wilson"


def test_a_gap_that_no_trial_shows_could_yet_be_negative() -> None:
    """Two of seven trials knew only: the other five show no difference, so 0 is not excluded."""
    low, _ = ends(intervals.mean(floats(1, 1, 0, 0, 0, 0, 0), np.arange(7), 0, DIFFERENCE))
    assert low <= 0
    low, high = ends(intervals.mean(floats(0), np.arange(1), 0, DIFFERENCE))
    assert low == pytest.approx(-high)
