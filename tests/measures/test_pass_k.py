"""Pass^k and Pass@k against brute force, their intervals, and what is refused."""

import math
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knowact.core.errors import BadUsage
from knowact.core.record import Outcome, Record, Result
from knowact.core.table import Estimate
from knowact.measures.intervals import BOOTSTRAP
from knowact.measures.pass_k import (
    AVERAGE,
    WIDER,
    Power,
    Tally,
    pass_at,
    pass_hat,
    rates,
    retry_estimate,
    tallies,
)


@st.composite
def outcomes_and_k(draw: st.DrawFn) -> tuple[list[bool], int]:
    outcomes = draw(st.lists(st.booleans(), min_size=1, max_size=8))
    return outcomes, draw(st.integers(1, len(outcomes)))


def tally(item: str, successes: int, trials: int, kind: str = "base", cluster: str = "") -> Tally:
    return Tally(item, kind, cluster or item, successes, trials)


def attempt(item: str, epoch: int, reward: float, *, kind: str = "base", spoilt: bool = False) -> Record:
    return Record(
        item=item,
        condition="clean",
        epoch=epoch,
        cluster=item,
        labels={"type": kind},
        offered=(),
        required=frozenset(),
        outcomes={"talk": Outcome.USER_FAULT if spoilt else Outcome.ANSWERED},
        results={"reward": Result.of(reward)},
    )


@given(outcomes_and_k())
@settings(deadline=None, max_examples=200)
def test_both_estimators_are_the_mean_over_every_choice_of_k_trials(case: tuple[list[bool], int]) -> None:
    outcomes, k = case
    chosen = list(combinations(outcomes, k))
    every = sum(all(one) for one in chosen) / len(chosen)
    some = sum(any(one) for one in chosen) / len(chosen)
    assert pass_hat(sum(outcomes), len(outcomes), k) == pytest.approx(every)
    assert pass_at(sum(outcomes), len(outcomes), k) == pytest.approx(some)


@given(st.integers(0, 12), st.integers(1, 12))
@settings(deadline=None, max_examples=100)
def test_with_more_trials_looked_at_pass_hat_falls_and_pass_at_rises(successes: int, trials: int) -> None:
    successes = min(successes, trials)
    hats = [pass_hat(successes, trials, k) for k in range(1, trials + 1)]
    ats = [pass_at(successes, trials, k) for k in range(1, trials + 1)]
    assert hats == sorted(hats, reverse=True)
    assert ats == sorted(ats)
    assert hats[0] == pytest.approx(ats[0]) == pytest.approx(successes / trials)
    assert all(0 <= hat <= at <= 1 for hat, at in zip(hats, ats, strict=True))


@given(st.integers(0, 10), st.integers(1, 10))
@settings(deadline=None, max_examples=100)
def test_failing_always_is_the_complement_of_succeeding_once(failures: int, trials: int) -> None:
    failures = min(failures, trials)
    for k in range(1, trials + 1):
        assert pass_at(trials - failures, trials, k) == pytest.approx(1 - pass_hat(failures, trials, k))


@pytest.mark.parametrize(("successes", "trials", "k"), [(1, 2, 3), (0, 3, 0), (3, 2, 1), (-1, 2, 1)])
def test_impossible_arguments_are_refused(successes: int, trials: int, k: int) -> None:
    with pytest.raises(ValueError, match=r"impossible|cannot be drawn"):
        pass_hat(successes, trials, k)
    with pytest.raises(ValueError, match=r"impossible|cannot be drawn"):
        pass_at(successes, trials, k)
    if not 0 <= successes <= trials:
        with pytest.raises(ValueError, match="impossible"):
            tally("a", successes, trials)


def test_a_k_beyond_all_trials_is_refused_with_what_to_do() -> None:
    with pytest.raises(BadUsage, match=r"no task has more than 3: run with --trials 5"):
        rates([tally("a", 2, 3)], Power.HAT, 5, seed=0)
    with pytest.raises(BadUsage, match="1 or more"):
        rates([tally("a", 2, 3)], Power.HAT, 0, seed=0)
    with pytest.raises(BadUsage, match="no task has more than 0"):
        rates([], Power.AT, 1, seed=0)


def test_the_average_weighs_every_kind_alike_whatever_its_size() -> None:
    found = [tally(f"b{i}", 3, 3) for i in range(6)] + [
        tally(f"h{i}", 0, 3, "hallucination") for i in range(2)
    ]
    got = rates(found, Power.HAT, 3, seed=1)
    assert got["base"].estimate.value == 1.0
    assert got["hallucination"].estimate.value == 0.0
    assert got[AVERAGE].estimate.value == 0.5
    assert got[AVERAGE].estimate.n == 8


def test_a_single_kind_needs_no_average() -> None:
    assert set(rates([tally("a", 1, 2)], Power.HAT, 2, seed=0)) == {"base"}


def test_items_of_one_base_task_widen_the_interval() -> None:
    apart = [tally(f"t{i}", 3 * (i % 2), 3) for i in range(40)]
    together = [replace(one, cluster=f"c{i % 4}") for i, one in enumerate(apart)]
    narrow, wide = (rates(found, Power.HAT, 2, seed=3)["base"].estimate for found in (apart, together))
    assert narrow.low is not None
    assert narrow.high is not None
    assert wide.low is not None
    assert wide.high is not None
    assert wide.high - wide.low > narrow.high - narrow.low
    assert narrow.value == wide.value == 0.5


def test_unanimous_kinds_still_leave_room_for_doubt() -> None:
    found = [tally(f"b{i}", 3, 3) for i in range(4)] + [
        tally(f"h{i}", 3, 3, "hallucination") for i in range(4)
    ]
    estimate = rates(found, Power.HAT, 3, seed=0)[AVERAGE].estimate
    assert estimate.value == estimate.high == 1.0
    assert estimate.low is not None
    assert estimate.low < 0.9


def test_an_average_of_kinds_that_are_each_unanimous_is_as_unsure_as_they_are() -> None:
    found = [tally(f"b{i}", 0, 3) for i in range(90)] + [tally(f"u{i}", 3, 3, "user") for i in range(50)]
    got = rates(found, Power.HAT, 1, seed=0)
    estimate, low, high = got[AVERAGE].estimate, got["user"].estimate.low, got["base"].estimate.high
    assert estimate.value == 0.5
    assert estimate.method == WIDER
    assert (low, high) == (pytest.approx(0.926, abs=0.003), pytest.approx(0.041, abs=0.001))
    assert estimate.low == pytest.approx((0 + (low or 0)) / 2)
    assert estimate.high == pytest.approx(((high or 0) + 1) / 2)


def test_one_unanimous_kind_is_not_taken_for_certain_beside_one_that_varies() -> None:
    varied = [tally(f"b{i}", 3 * (i % 2), 3) for i in range(400)]
    sure = [tally(f"u{i}", 3, 3, "user") for i in range(5)]
    got = rates([*varied, *sure], Power.HAT, 1, seed=0)
    estimate, part = got[AVERAGE].estimate, got["user"].estimate
    assert (estimate.value, estimate.method) == (0.75, WIDER)
    assert estimate.low is not None
    assert part.low is not None
    assert estimate.low <= (0.5 + part.low) / 2
    both_vary = rates([*varied, *sure, tally("u5", 0, 3, "user")], Power.HAT, 1, seed=0)
    assert both_vary[AVERAGE].estimate.method == BOOTSTRAP


def test_kinds_that_make_up_for_each_other_leave_an_average_with_an_interval() -> None:
    found = [
        one
        for i, hits in enumerate((5, 3, 5))
        for one in (tally(f"b{i}", hits, 5, "base", f"c{i}"), tally(f"u{i}", 5 - hits, 5, "user", f"c{i}"))
    ]
    got = rates(found, Power.HAT, 1, seed=0)
    estimate, parts = got[AVERAGE].estimate, [got[kind].estimate for kind in ("base", "user")]
    assert (estimate.value, estimate.method) == (pytest.approx(0.5), WIDER)
    assert estimate.low == pytest.approx(sum(part.low or 0 for part in parts) / 2)
    assert estimate.high == pytest.approx(sum(part.high or 0 for part in parts) / 2)


@given(st.permutations([tally("a", 0, 3), tally("b", 1, 3), tally("c", 2, 3), tally("d", 3, 3, "other")]))
@settings(deadline=None, max_examples=20)
def test_the_order_of_items_changes_nothing(found: list[Tally]) -> None:
    reference = rates(sorted(found, key=lambda one: one.item), Power.AT, 2, seed=5)
    assert rates(found, Power.AT, 2, seed=5) == reference


def test_the_order_of_kinds_changes_no_interval_of_their_average() -> None:
    found = [
        tally(f"{kind}{i}", i % 4, 3, kind, f"c{i}")
        for kind, size in (("b", 20), ("a", 10), ("c", 15))
        for i in range(size)
    ]
    assert rates(found[::-1], Power.HAT, 1, seed=0)[AVERAGE] == rates(found, Power.HAT, 1, seed=0)[AVERAGE]


def test_records_are_counted_by_item_and_spoilt_trials_stand_aside() -> None:
    records = [
        attempt("a", 1, 1.0),
        attempt("a", 2, 0.0),
        attempt("a", 3, 1.0, spoilt=True),
        attempt("b", 1, 1.0, kind="hallucination"),
    ]
    assert tallies(records, "reward", "type") == (
        Tally("a", "base", "a", 1, 2, 1),
        Tally("b", "hallucination", "b", 1, 1, 0),
    )


def test_a_missing_result_is_an_unscored_trial() -> None:
    record = replace(attempt("a", 1, 1.0), results={})
    assert tallies([record], "reward", "type") == (Tally("a", "base", "a", 0, 0, 1),)


def test_what_is_no_success_or_failure_and_trials_that_disagree_are_refused() -> None:
    with pytest.raises(ValueError, match="not a success or a failure"):
        tallies([attempt("a", 1, 0.5)], "reward", "type")
    with pytest.raises(ValueError, match="disagree"):
        tallies([attempt("a", 1, 1.0), attempt("a", 2, 1.0, kind="other")], "reward", "type")


def test_the_bounds_take_spoilt_trials_as_all_failed_and_as_all_succeeded() -> None:
    found = [tally("a", 3, 3), Tally("b", "base", "b", 2, 2, unscored=1)]
    rate = rates(found, Power.HAT, 3, seed=0)["base"]
    assert rate.left_out == 1
    assert (rate.estimate.value, rate.estimate.n) == (1.0, 1)
    assert (rate.least, rate.most) == (0.5, 1.0)


def test_trials_that_were_run_but_spoilt_are_no_reason_to_refuse_a_k() -> None:
    rate = rates([Tally("b", "base", "b", 2, 2, unscored=1)], Power.HAT, 3, seed=0)["base"]
    assert (rate.estimate, rate.least, rate.most) == (Estimate(None, 0), 0.0, 1.0)


def test_an_item_that_was_never_tried_often_enough_has_no_bounds() -> None:
    rate = rates([tally("a", 3, 3), tally("b", 1, 1)], Power.HAT, 3, seed=0)["base"]
    assert (rate.left_out, rate.least, rate.most) == (1, None, None)


def test_a_kind_without_enough_trials_leaves_no_average() -> None:
    got = rates([tally("a", 3, 3), tally("b", 1, 1, "other")], Power.AT, 2, seed=0)
    assert got["other"].estimate == got[AVERAGE].estimate == Estimate(None, 0)
    assert got[AVERAGE].least is None


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(1, 5)), min_size=1, max_size=6))
@settings(deadline=None, max_examples=30)
def test_each_estimate_lies_within_its_interval_and_its_bounds(drawn: list[tuple[int, int]]) -> None:
    found = [
        Tally(f"t{i}", "xy"[i % 2], f"c{i % 3}", min(c, n), n, unscored=i % 2)
        for i, (c, n) in enumerate(drawn)
    ]
    for power in Power:
        for rate in rates(found, power, 1, seed=2).values():
            estimate = rate.estimate
            assert estimate.value is not None
            assert estimate.low is not None
            assert estimate.high is not None
            assert rate.least is not None
            assert rate.most is not None
            assert 0 <= estimate.low <= estimate.value <= estimate.high <= 1
            assert rate.least <= estimate.value + 1e-9
            assert estimate.value <= rate.most + 1e-9


def test_an_agent_that_never_wavers_does_not_depend_on_retries() -> None:
    assert retry_estimate([tally("a", 0, 3), tally("b", 3, 3)], 3, seed=1).value == 0
    wavering = [pass_at(1, 3, k) - pass_hat(1, 3, k) for k in (1, 2, 3)]
    assert retry_estimate([tally("a", 1, 3)], 3, seed=1).value == pytest.approx(math.fsum(wavering) / 3)


def test_the_estimate_of_retries_is_the_same_number_and_resamples_base_tasks() -> None:
    found = [tally("a", 1, 3), tally("b", 3, 3), tally("c", 2, 3, cluster="b"), tally("d", 1, 2)]
    estimate = retry_estimate(found, 3, seed=1)
    assert (estimate.value, estimate.n) == (pytest.approx(10 / 27), 3)
    assert estimate.low is not None
    assert estimate.high is not None
    assert 0 <= estimate.low < 10 / 27 < estimate.high <= 1
    assert retry_estimate(found, 4, seed=1).n == 0
