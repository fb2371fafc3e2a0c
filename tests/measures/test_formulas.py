"""Sets, KAS and quadrants: worked examples, and the identities of KAPRO's appendix D."""

import math
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knowact.core.record import Record
from knowact.measures.kas import agreement_bounds, jaccard, kas, least_accuracy, overuse, underuse
from knowact.measures.quadrants import Quadrant

from .made_records import ACT, KNOW, vectors

NAMES = st.frozensets(st.sampled_from("abcdefx"))
SHARES = st.floats(0, 1)
TASKS = st.lists(st.tuples(NAMES, NAMES, NAMES), min_size=1, max_size=12)
OUTCOMES = st.lists(st.tuples(st.sampled_from([True, False, None]), st.sampled_from([True, False, None])))

# know, act, over and under knowing, over and under acting, as in the specification's table.
EXPECTED = {
    "1": ("1", "1", "0", "0", "0", "0", "Kc/Ac"),
    "2": ("1", "0", "0", "0", "1", "0", "Kc/Aw"),
    "3": ("1", "1/2", "0", "0", "0", "1/2", "Kc/Aw"),
    "4": ("2/3", "1", "0", "1/3", "0", "0", "Kw/Ac"),
    "5": ("1/2", "1", "1/2", "0", "0", "0", "Kw/Ac"),
    "6": ("0", "0", "1/2", "1/2", "0", "1", "Kw/Aw"),
    "7": ("1/3", "2/3", "1/3", "1/3", "1/3", "0", "Kw/Aw"),
}


@pytest.mark.parametrize("record", vectors(), ids=lambda record: record.item)
def test_a_vector_of_the_specification_gets_its_values(record: Record) -> None:

    assert record.knew is not None
    assert record.acted is not None
    measures = (KNOW, ACT, "over_know", "under_know", "over_act", "under_act")
    *values, quadrant = EXPECTED[record.item]
    assert [record.value(name) for name in measures] == [float(Fraction(value)) for value in values]
    assert (Quadrant(quadrant).knew, Quadrant(quadrant).acted) == (record.knew, record.acted)


def test_the_vectors_means_give_the_specifications_kas() -> None:
    know = math.fsum(record.value(KNOW) for record in vectors()) / 7
    act = math.fsum(record.value(ACT) for record in vectors()) / 7
    assert know == pytest.approx(4.5 / 7)
    assert act == pytest.approx((4 + 1 / 6) / 7)
    assert kas(know, act) == pytest.approx(0.618132, abs=5e-7)


@settings(deadline=None)
@given(NAMES, NAMES)
def test_jaccard_is_symmetric_bounded_and_one_only_for_equal_sets(
    x: frozenset[str], t: frozenset[str]
) -> None:
    assert jaccard(x, t) == jaccard(t, x)
    assert 0 <= jaccard(x, t) <= 1
    assert (jaccard(x, t) == 1) == (x == t)


@settings(deadline=None)
@given(NAMES, NAMES)
def test_what_jaccard_lacks_is_overuse_and_underuse(x: frozenset[str], t: frozenset[str]) -> None:
    assert 1 - jaccard(x, t) == pytest.approx(overuse(x, t) + underuse(x, t), abs=1e-15)
    assert overuse(x, t) == underuse(t, x)


@settings(deadline=None)
@given(NAMES, NAMES, NAMES)
def test_the_jaccard_distance_takes_no_detour(
    x: frozenset[str], y: frozenset[str], t: frozenset[str]
) -> None:
    assert 1 - jaccard(x, y) <= (1 - jaccard(x, t)) + (1 - jaccard(y, t)) + 1e-12


def test_two_empty_sets_agree_and_lack_nothing() -> None:
    empty = frozenset[str]()
    assert (jaccard(empty, empty), overuse(empty, empty), underuse(empty, empty)) == (1, 0, 0)


@settings(deadline=None)
@given(SHARES, SHARES)
def test_kas_lies_between_its_branches_and_is_symmetric(know: float, act: float) -> None:
    value = kas(know, act)
    assert value == kas(act, know)
    assert min(know, act) - 1e-15 <= value <= max(know, act) + 1e-15
    assert value <= (know + act) / 2 + 1e-15
    assert (value == 0) == (min(know, act) == 0)


@settings(deadline=None)
@given(SHARES, SHARES, SHARES)
def test_kas_grows_with_each_branch(know: float, act: float, more: float) -> None:
    assert kas(max(know, more), act) >= kas(know, act) - 1e-15


def test_kas_of_equal_branches_is_that_value_and_zero_beats_everything() -> None:
    assert kas(0.25, 0.25) == 0.25
    assert kas(1, 0) == kas(0, 1) == kas(0, 0) == 0


@settings(deadline=None)
@given(TASKS)
def test_agreement_never_falls_below_its_bounds(
    tasks: list[tuple[frozenset[str], frozenset[str], frozenset[str]]],
) -> None:
    know = math.fsum(jaccard(said, gold) for said, _, gold in tasks) / len(tasks)
    act = math.fsum(jaccard(did, gold) for _, did, gold in tasks) / len(tasks)
    agreement = math.fsum(jaccard(said, did) for said, did, _ in tasks) / len(tasks)
    bounds = agreement_bounds(know, act)
    assert agreement >= bounds.by_accuracies - 1e-12
    assert bounds.by_accuracies >= bounds.by_kas - 1e-12
    assert bounds.by_kas == pytest.approx(2 * kas(know, act) - 1)


@settings(deadline=None)
@given(SHARES, SHARES)
def test_a_kas_puts_the_floor_of_appendix_d_under_both_branches(know: float, act: float) -> None:
    assert min(know, act) >= least_accuracy(kas(know, act)) - 1e-12


def test_the_floor_is_reached_when_the_other_branch_is_perfect() -> None:
    assert least_accuracy(kas(0.3, 1)) == pytest.approx(0.3)
    assert (least_accuracy(0), least_accuracy(1)) == (0, 1)


@pytest.mark.parametrize("wrong", [-0.01, 1.01, math.nan, math.inf])
def test_a_number_that_is_no_share_is_refused(wrong: float) -> None:
    for call in (lambda: kas(wrong, 0.5), lambda: kas(0.5, wrong), lambda: least_accuracy(wrong)):
        with pytest.raises(ValueError, match="between 0 and 1"):
            call()
    with pytest.raises(ValueError, match="between 0 and 1"):
        agreement_bounds(wrong, 0.5)
