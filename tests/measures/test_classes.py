"""Macro F1 over classes of which one is right."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowact.measures.classes import Classed, macro_f1


def items(*pairs: tuple[str, str]) -> list[Classed]:
    return [Classed(gold, said, str(place)) for place, (gold, said) in enumerate(pairs)]


def test_by_hand() -> None:
    # a: 2 TP / (2 gold + 1 said) = 2/3; b: 2/(1 + 2) = 2/3; c: 0/(1 + 1) = 0
    found = macro_f1(items(("a", "a"), ("a", "b"), ("b", "b"), ("c", "")))
    assert found.value == pytest.approx((2 / 3 + 2 / 3 + 0) / 3)
    assert found.n == 4


def test_a_class_that_is_never_right_has_no_f1_of_its_own_but_costs_the_others() -> None:
    assert macro_f1(items(("a", "a"), ("a", "x"))).value == pytest.approx(2 / 3)


def test_nothing_scored_is_not_measured() -> None:
    assert macro_f1([]).value is None


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from(["a", "b", "c", "x", ""])), min_size=1))
def test_it_lies_within_its_interval_and_is_1_only_where_all_is_right(pairs: list[tuple[str, str]]) -> None:
    found = macro_f1(items(*pairs))
    assert found.value is not None
    assert 0 <= found.value <= 1
    assert (found.value == pytest.approx(1)) == all(gold == said for gold, said in pairs)
    if found.low is not None and found.high is not None:
        assert found.low <= found.value <= found.high


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from(["a", "b", "c", "d", ""])), min_size=1))
def test_macro_f1_is_what_a_second_implementation_finds(pairs: list[tuple[str, str]]) -> None:
    gold, said = [right for right, _ in pairs], [taken for _, taken in pairs]
    expected = 0.0
    for name in sorted(set(gold)):
        hits = sum(right == taken == name for right, taken in pairs)
        precision = hits / said.count(name) if name in said else 0.0
        recall = hits / gold.count(name)
        expected += 2 * precision * recall / (precision + recall) / len(set(gold)) if hits else 0.0
    assert macro_f1(items(*pairs)).value == pytest.approx(expected)


def test_macro_f1_has_an_interval_where_all_are_right() -> None:
    found = macro_f1(items(*[("a", "a"), ("b", "b")] * 10))
    assert found.value == found.high == 1
    assert found.low is not None
    assert 0.5 < found.low < 1
