"""Two models or strategies on the same pairs: McNemar's test, differences of scores."""

import math
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knowact.measures.confusion import (
    Answer,
    McNemar,
    Said,
    Score,
    compare,
    estimate,
    exact_p,
    mcnemar,
    mcnemar_pairs,
    value,
)
from knowact.measures.intervals import BOOTSTRAP, UNANIMOUS, wilson

SAID: list[Said] = ["yes", "no", "unreadable"]
RUNS = st.lists(st.tuples(*[st.sampled_from(SAID)] * 4, st.integers(0, 4)), min_size=1, max_size=10)


def run(rows: list[tuple[Said, Said, str]]) -> list[Answer]:
    """Pairs, each given as (answer on the incomplete item, on the complete one, cluster)."""
    incomplete = [
        Answer(str(pair), complete=False, said=row[0], cluster=row[2]) for pair, row in enumerate(rows)
    ]
    whole = [Answer(str(pair), complete=True, said=row[1], cluster=row[2]) for pair, row in enumerate(rows)]
    return incomplete + whole


def always(said: Said, n: int) -> list[Answer]:
    return run([(said, said, str(pair)) for pair in range(n)])


@pytest.mark.parametrize(
    ("first", "second", "p"),
    [
        (0, 0, 1.0),
        (5, 5, 1.0),
        (1, 9, 22 / 1024),
        (9, 1, 22 / 1024),
        (0, 6, 2 / 64),
        (3, 4, 1.0),
        (0, 1, 1.0),
    ],
)
def test_the_p_value_is_the_exact_binomial_one(first: int, second: int, p: float) -> None:
    assert exact_p(first, second) == pytest.approx(p)


def test_thousands_of_differing_items_do_not_overflow() -> None:
    assert 0 < exact_p(2400, 2600) < 0.01


def test_a_negative_count_is_refused() -> None:
    with pytest.raises(ValueError, match="no counts"):
        exact_p(-1, 3)


def test_items_and_pairs_are_compared_apart() -> None:
    first = run([("no", "yes", "a"), ("no", "no", "b"), ("yes", "yes", "c"), ("no", "yes", "d")])
    second = run(
        [("no", "yes", "a"), ("no", "yes", "b"), ("unreadable", "no", "c"), ("unreadable", "yes", "d")]
    )
    assert mcnemar(first, second) == McNemar(only_first=2, only_second=1, alike=1)
    assert mcnemar_pairs(first, second) == McNemar(only_first=1, only_second=1, alike=2)
    assert mcnemar_pairs(first, second).p == 1.0


def test_items_that_one_side_lacks_are_left_out() -> None:
    first, second = always("no", 4), always("yes", 5)
    first[0] = replace(first[0], said=None)
    assert mcnemar(first, second) == McNemar(0, 1, 3)
    assert mcnemar_pairs(first, second) == McNemar(0, 0, 3)
    found = compare(Score.RECALL_NO, first, second, 0)
    assert (found.matched, found.unscored, found.only_first, found.only_second) == (3, 1, 0, 2)


def test_a_difference_says_what_it_rests_on() -> None:
    first, second = always("no", 4), always("yes", 4)
    rests = {score: compare(score, first, second, 0).difference.n for score in Score}
    assert rests == {score: estimate(score, first).n for score in Score}
    assert (rests[Score.PAIR_ACCURACY], rests[Score.RECALL_NO], rests[Score.ACCURACY]) == (4, 4, 8)


def test_two_constant_policies_differ_by_everything_in_one_class_and_by_nothing_in_all() -> None:
    no, yes = always("no", 30), always("yes", 30)
    for score, gap in ((Score.ACCURACY, 0.0), (Score.RECALL_NO, -1.0), (Score.RECALL_YES, 1.0)):
        assert compare(score, no, yes, 0).difference.value == pytest.approx(gap)
    assert compare(Score.ACCURACY, no, yes, 0).p == 1.0
    assert compare(Score.RECALL_NO, no, yes, 0).p == pytest.approx(1 / 10_001)


def test_where_no_draw_differs_the_scale_and_the_clusters_make_the_width() -> None:
    no, yes, other = always("no", 30), always("yes", 30), wilson(0, 30).high
    assert other is not None
    for score, point, low, high in (
        (Score.ACCURACY, 0, -other, other),
        (Score.MCC, 0, -2 * other, 2 * other),
        (Score.RECALL_NO, -1, -1, -1 + 2 * other),
    ):
        found = compare(score, no, yes, 0).difference
        assert (found.value, found.low, found.high) == pytest.approx((point, low, high))
        assert found.method == UNANIMOUS


def test_the_interval_of_a_difference_is_as_wide_as_its_standard_error_says() -> None:
    first = run([("no" if pair % 2 else "yes", "yes", str(pair)) for pair in range(200)])
    second = run([("no" if pair % 5 else "yes", "yes", str(pair)) for pair in range(200)])
    found = compare(Score.RECALL_NO, first, second, 0).difference
    # 80 turn right and 20 wrong: 0.3, and a standard error of √((0.5 - 0.3²) / 200).
    assert found.method == BOOTSTRAP
    assert (found.low, found.high) == pytest.approx((0.3 - 1.96 * 0.0453, 0.3 + 1.96 * 0.0453), abs=0.01)


def test_a_clear_gain_in_f1_has_an_interval_above_zero_and_a_small_p_value() -> None:
    before = run([("no" if pair % 4 == 0 else "yes", "yes", str(pair)) for pair in range(80)])
    after = run([("no" if pair % 4 else "yes", "yes", str(pair)) for pair in range(80)])
    for score in (Score.F1, Score.MCC, Score.PAIR_ACCURACY):
        found = compare(score, before, after, 0)
        assert found.difference.low is not None
        assert found.difference.low > 0.1
        assert found.p is not None
        assert found.p < 0.001


def test_clusters_weigh_as_one() -> None:
    rows: list[tuple[Said, Said, str]] = [("yes", "yes", f"c{pair // 10}") for pair in range(30)]
    better: list[tuple[Said, Said, str]] = [("no", "yes", f"c{pair // 10}") for pair in range(30)]
    assert mcnemar(run(rows), run(better)) == McNemar(only_first=0, only_second=3, alike=0)
    assert mcnemar(run(rows), run(better)).p == pytest.approx(2 / 2**3)
    # Three clusters can be swapped in eight ways, two of which are as far apart.
    assert compare(Score.ACCURACY, run(rows), run(better), 0).p == pytest.approx(0.25, abs=0.02)


def test_runs_without_a_common_item_have_no_difference() -> None:
    other = [replace(one, pair=f"x{one.pair}") for one in always("no", 2)]
    found = compare(Score.F1, always("no", 2), other, 0)
    assert (found.first, found.difference.value, found.p, found.only_first) == (None, None, None, 4)
    complete = [one for one in always("yes", 3) if one.complete]
    assert compare(Score.F1, complete, complete, 0).difference.value is None


def test_runs_on_different_data_are_refused() -> None:
    elsewhere = [replace(one, cluster="elsewhere") for one in always("no", 3)]
    with pytest.raises(ValueError, match="pair '0' is in different clusters"):
        compare(Score.F1, always("no", 3), elsewhere, 0)


@settings(deadline=None, max_examples=30)
@given(RUNS, st.sampled_from(list(Score)))
def test_a_difference_is_that_of_the_values_and_turns_with_the_runs(
    rows: list[tuple[Said, Said, Said, Said, int]], score: Score
) -> None:
    first = run([(a, b, str(cluster)) for a, b, _, _, cluster in rows])
    second = run([(c, d, str(cluster)) for _, _, c, d, cluster in rows])
    forth, back = compare(score, first, second, 2), compare(score, second, first, 2)
    expected = value(score, second) - value(score, first)
    if math.isnan(expected):
        assert forth.difference.value is None
        return
    assert forth.difference.value == pytest.approx(expected)
    assert back.difference.value == pytest.approx(-expected)
    assert forth.difference.low is not None
    assert forth.difference.high is not None
    assert forth.difference.low <= expected + 1e-12
    assert expected - 1e-12 <= forth.difference.high
    assert forth.p is not None
    assert 0 < forth.p <= 1
    same = compare(score, first, first, 2)
    assert (same.difference.value, same.p) == (0.0, 1.0)
    assert mcnemar(first, second) == verdicts_turned(mcnemar(second, first))
    assert mcnemar_pairs(first, second).n == len({cluster for *_, cluster in rows})


def verdicts_turned(one: McNemar) -> McNemar:
    return McNemar(one.only_second, one.only_first, one.alike)


@settings(deadline=None, max_examples=30)
@given(RUNS, st.integers(1, 5))
def test_the_same_trials_over_again_make_no_p_value_smaller(
    rows: list[tuple[Said, Said, Said, Said, int]], trials: int
) -> None:
    first: list[tuple[Said, Said, str]] = [(a, b, str(pair)) for pair, (a, b, *_) in enumerate(rows)]
    second: list[tuple[Said, Said, str]] = [(c, d, str(pair)) for pair, (_, _, c, d, _) in enumerate(rows)]
    for test in (mcnemar, mcnemar_pairs):
        assert test(run(first * trials), run(second * trials)) == test(run(first), run(second))


def test_twelve_pairs_that_all_differ_in_three_trials_are_twelve_witnesses() -> None:
    rows: list[tuple[Said, Said, str]] = [("no", "yes", str(pair)) for pair in range(12)]
    shy: list[tuple[Said, Said, str]] = [("no", "no", str(pair)) for pair in range(12)]
    for test in (mcnemar, mcnemar_pairs):
        found = test(run(rows * 3), run(shy * 3))
        assert (found.n, found.p) == (12, pytest.approx(2 / 2**12))
