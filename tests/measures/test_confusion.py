"""Yes or no against what is so: worked examples, properties, unreadable answers, intervals."""

import math
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knowact.core.table import Estimate
from knowact.measures.confusion import (
    Answer,
    Ends,
    Said,
    Score,
    bounds,
    constant,
    constant_policies,
    estimate,
    scored,
    sums,
    value,
)


def counts(answers: Sequence[Answer]) -> list[float]:
    """How many incomplete items were answered no, yes, unreadably; then complete ones yes, no, unreadably."""
    return sums(scored(answers)).sum(axis=0)[:6].tolist()


def estimates(answers: Sequence[Answer], seed: int) -> dict[Score, Estimate]:
    return {score: estimate(score, answers, seed) for score in Score}


SAID: list[Said | None] = ["yes", "no", "unreadable", None]


def minimal_pairs(*said: tuple[Said | None, Said | None]) -> list[Answer]:
    """Pairs, each given as (answer on the incomplete item, answer on the complete one)."""
    return [
        Answer(str(pair), complete, one, f"c{pair}")
        for pair, both in enumerate(said)
        for complete, one in zip((False, True), both, strict=True)
    ]


VECTOR = minimal_pairs(("no", "yes"), ("no", "yes"), ("yes", "no"), ("no", "yes"))
"""Worked out by hand."""
ANY = st.lists(st.tuples(st.sampled_from(SAID), st.sampled_from(SAID)), min_size=1, max_size=9).map(
    lambda said: minimal_pairs(*said)
)
READABLE = st.lists(
    st.tuples(st.sampled_from(SAID[:2]), st.sampled_from(SAID[:2])), min_size=1, max_size=9
).map(lambda said: minimal_pairs(*said))


def test_the_scoring_vector_of_the_spec() -> None:
    expected = {
        Score.ACCURACY: 0.75,
        Score.F1: 0.75,
        Score.RECALL_NO: 0.75,
        Score.RECALL_YES: 0.75,
        Score.BALANCED_ACCURACY: 0.75,
        Score.MCC: 0.5,
        Score.PAIR_ACCURACY: 0.75,
        Score.UNREADABLE: 0.0,
    }
    assert {score: value(score, VECTOR) for score in Score} == pytest.approx(expected)
    assert {score: one.value for score, one in estimates(VECTOR, 0).items()} == pytest.approx(expected)
    assert counts(VECTOR) == [3, 1, 0, 3, 1, 0]


def test_constant_policies_have_the_floors_of_the_spec() -> None:
    floors = constant_policies(VECTOR)
    assert floors[Score.ACCURACY] == {"no": 0.5, "yes": 0.5}
    assert floors[Score.F1] == {"no": pytest.approx(2 / 3), "yes": 0.0}
    for score in (Score.PAIR_ACCURACY, Score.MCC):
        assert floors[score] == {"no": 0.0, "yes": 0.0}
    assert floors[Score.BALANCED_ACCURACY] == {"no": 0.5, "yes": 0.5}


def test_one_in_both_classes_and_pairs_divide_the_denominator() -> None:
    found = estimates(VECTOR, 0)
    assert {score: one.n for score, one in found.items()} == {
        Score.ACCURACY: 8,
        Score.F1: 8,
        Score.RECALL_NO: 4,
        Score.RECALL_YES: 4,
        Score.BALANCED_ACCURACY: 8,
        Score.MCC: 8,
        Score.PAIR_ACCURACY: 4,
        Score.UNREADABLE: 8,
    }
    assert found[Score.PAIR_ACCURACY].method == found[Score.RECALL_NO].method == "wilson"
    assert found[Score.ACCURACY].method == found[Score.F1].method == "cluster bootstrap"


def test_an_unreadable_answer_is_wrong_but_no_false_alarm_for_f1() -> None:
    answers = minimal_pairs(("no", "yes"), ("no", "unreadable"), ("unreadable", "yes"), ("no", "yes"))
    assert counts(answers) == [3, 0, 1, 3, 0, 1]
    assert value(Score.ACCURACY, answers) == 0.75
    assert value(Score.F1, answers) == pytest.approx(6 / 7)
    assert value(Score.RECALL_NO, answers) == value(Score.RECALL_YES, answers) == 0.75
    assert value(Score.MCC, answers) == 0.5
    assert value(Score.PAIR_ACCURACY, answers) == 0.5
    assert value(Score.UNREADABLE, answers) == 0.25


def test_bounds_read_every_unreadable_answer_one_way() -> None:
    answers = minimal_pairs(
        ("no", "yes"), ("unreadable", "yes"), ("no", "unreadable"), ("unreadable", "unreadable")
    )
    # As "yes": hits 2 of 4, passes 4 of 4. As "no": hits 4 of 4, passes 2 of 4.
    assert bounds(Score.ACCURACY, answers) == Ends(0.75, 0.75)
    f1 = bounds(Score.F1, answers)
    assert (f1.low, f1.high) == pytest.approx((2 / 3, 0.8))
    assert bounds(Score.RECALL_NO, answers) == Ends(0.5, 1.0)
    assert bounds(Score.UNREADABLE, answers) == Ends(0.0, 0.0)
    assert bounds(Score.RECALL_NO, []) == Ends(None, None)


def test_what_an_instrument_spoilt_enters_nothing() -> None:
    spoilt = [*VECTOR, *(replace(one, pair=f"x{one.pair}", said=None) for one in VECTOR)]
    assert estimates(spoilt, 3) == estimates(VECTOR, 3)
    half = [replace(VECTOR[0], said=None), *VECTOR[1:]]
    assert estimate(Score.PAIR_ACCURACY, half, 0).n == 3
    assert estimate(Score.ACCURACY, half, 0).n == 7
    assert len(constant(half, "no")) == 7


def test_nothing_scored_has_no_value() -> None:
    for score in Score:
        assert (estimate(score, [], 0).value, math.isnan(value(score, []))) == (None, True)


def test_one_class_alone_has_no_balanced_accuracy() -> None:
    incomplete = [one for one in VECTOR if not one.complete]
    for score in (Score.BALANCED_ACCURACY, Score.MCC, Score.RECALL_YES, Score.PAIR_ACCURACY):
        assert estimate(score, incomplete, 0).value is None
    assert estimate(Score.F1, incomplete, 0).value == pytest.approx(6 / 7)
    complete = [one for one in constant(VECTOR, "yes") if one.complete]
    assert estimate(Score.F1, complete, 0).value is None


def test_a_flawless_run_is_not_certain() -> None:
    right: tuple[Said | None, Said | None] = ("no", "yes")
    perfect = minimal_pairs(*[right] * 12)
    for score in (Score.F1, Score.BALANCED_ACCURACY, Score.MCC, Score.ACCURACY):
        one = estimate(score, perfect, 0)
        assert (one.value, one.high) == (1.0, 1.0)
        assert one.low is not None
        assert 0.3 < one.low < 0.95
    alike = constant(perfect, "no")
    mcc = estimate(Score.MCC, alike, 0)
    assert mcc.value == 0
    assert mcc.low is not None
    assert mcc.high is not None
    assert mcc.low < 0 < mcc.high


def test_items_of_one_cluster_are_no_independent_evidence() -> None:
    said: list[tuple[Said | None, Said | None]] = [("no", "yes"), ("yes", "yes"), ("no", "no"), ("no", "yes")]
    alone = minimal_pairs(*said * 6)
    together = [replace(one, cluster=f"c{int(one.pair) % 4}") for one in alone]
    for score in (Score.F1, Score.PAIR_ACCURACY):
        wide, narrow = estimate(score, together, 0), estimate(score, alone, 0)
        assert wide.value == narrow.value
        assert (wide.high or 0) - (wide.low or 0) > 1.3 * ((narrow.high or 0) - (narrow.low or 0))


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ([*VECTOR, VECTOR[0]], "two incomplete items"),
        ([*VECTOR, replace(VECTOR[1], said=None)], "two complete items"),
        ([replace(VECTOR[0], cluster="elsewhere"), *VECTOR[1:]], "different clusters"),
    ],
)
def test_what_is_no_pair_is_refused(wrong: list[Answer], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        scored(wrong)


@settings(deadline=None, max_examples=60)
@given(ANY, st.integers(0, 5))
def test_every_interval_holds_its_value_within_the_limits(answers: list[Answer], seed: int) -> None:
    for score, one in estimates(answers, seed).items():
        if one.value is None:
            assert one.low is None
            continue
        lowest = -1 if score is Score.MCC else 0
        assert one.low is not None
        assert one.high is not None
        assert lowest - 1e-12 <= one.low <= one.value <= one.high <= 1 + 1e-12
        assert one.value == pytest.approx(value(score, answers))


@settings(deadline=None, max_examples=40)
@given(READABLE)
def test_the_textbook_identities_hold_and_order_plays_no_part(answers: list[Answer]) -> None:
    tp, fn, _, tn, fp, _ = counts(answers)
    assert value(Score.ACCURACY, answers) == pytest.approx((tp + tn) / len(scored(answers)))
    assert value(Score.F1, answers) == pytest.approx(2 * tp / (2 * tp + fp + fn))
    spread = (tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)
    assert value(Score.MCC, answers) == pytest.approx(
        (tp * tn - fp * fn) / math.sqrt(spread) if spread else 0
    )
    assert value(Score.BALANCED_ACCURACY, answers) == pytest.approx(value(Score.ACCURACY, answers))
    assert value(Score.PAIR_ACCURACY, answers) <= min(
        value(Score.RECALL_NO, answers), value(Score.RECALL_YES, answers)
    )
    assert estimates(list(reversed(answers)), 1) == estimates(answers, 1)


@settings(deadline=None, max_examples=40)
@given(ANY)
def test_mapping_unreadable_answers_moves_each_recall_one_way(answers: list[Answer]) -> None:
    for score in (Score.RECALL_NO, Score.RECALL_YES, Score.ACCURACY, Score.BALANCED_ACCURACY):
        ends = bounds(score, answers)
        if ends.low is not None:
            assert value(score, answers) <= (ends.high or 0) + 1e-12
