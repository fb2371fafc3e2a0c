"""Seeds are the same everywhere, for ever. Fixed vectors: changing one changes everybody's data."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knowact.core.seeds import derive, generator

VECTORS = [
    (0, (), 4_761_921_975_702_974_394),
    (0, ("order", "task-1"), 397_331_892_743_141_281),
    (1, ("order", "task-1"), 9_221_430_804_455_845_644),
    (-5, (3, True), 4_507_009_434_413_422_192),
    (2**70, ("é", ""), 7_594_802_732_512_331_789),
]


@pytest.mark.parametrize(("seed", "parts", "expected"), VECTORS)
def test_a_derived_seed_never_changes(seed: int, parts: tuple[object, ...], expected: int) -> None:
    assert derive(seed, *parts) == expected


def test_a_generator_never_changes() -> None:
    rng = generator(0, "order", "task-1")
    assert [rng.randrange(100) for _ in range(6)] == [35, 52, 8, 90, 15, 93]


@settings(deadline=None, max_examples=200)
@given(st.integers(), st.lists(st.text(max_size=5) | st.integers(), max_size=3))
def test_it_fits_a_signed_word(seed: int, parts: list[object]) -> None:
    assert 0 <= derive(seed, *parts) < 2**63


@settings(deadline=None, max_examples=200)
@given(
    st.lists(st.text("ab1", max_size=3), max_size=3),
    st.lists(st.text("ab1", max_size=3), max_size=3),
    st.integers(0, 3),
    st.integers(0, 3),
)
def test_different_choices_have_different_seeds(
    left: list[str], right: list[str], seed: int, other: int
) -> None:
    assert (derive(seed, *left) == derive(other, *right)) == ((seed, left) == (other, right))


def test_parts_are_not_run_together() -> None:
    assert len({derive(0, "ab", "c"), derive(0, "a", "bc"), derive(0, "abc"), derive(0, "abc", "")}) == 4


def test_drawing_from_one_generator_leaves_the_others_alone() -> None:
    expected = generator(7, "b").random()
    first, second = generator(7, "a"), generator(7, "b")
    first.random()
    assert second.random() == expected


def test_neighbouring_seeds_do_not_resemble_each_other() -> None:
    """The mean of a thousand uniform draws has a standard error of 0.009; five of them are allowed."""
    draws = [generator(seed, "x").random() for seed in range(1000)]
    assert abs(sum(draws) / 1000 - 0.5) < 0.046
    pairs = sum((a < 0.5) == (b < 0.5) for a, b in pairwise(draws))
    assert 420 < pairs < 580
