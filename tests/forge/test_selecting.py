"""Choosing from a surplus: sizes are kept, and bins made alike."""

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knowact.forge.choose import interleaved
from version_1.select import bin_of, edges, matched

POOLS = st.lists(st.lists(st.integers(0, 4), min_size=12, max_size=60), min_size=1, max_size=4)


@settings(deadline=None, max_examples=80)
@given(POOLS, st.integers(0, 9), st.integers(1, 12))
def test_takes_so_many_from_each_and_nothing_twice(pools: list[list[int]], seed: int, size: int) -> None:
    named = {n: [(n, place, value) for place, value in enumerate(pool)] for n, pool in enumerate(pools)}
    chosen = matched(named, dict.fromkeys(named, size), lambda item: item[2], random.Random(seed))
    for cell, items in chosen.items():
        assert len(set(items)) == len(items) == size
        assert set(items) <= set(named[cell])


def test_makes_bins_alike_where_supply_allows() -> None:
    short, long = [0] * 60 + [1] * 20, [0] * 20 + [1] * 60
    pools = {"a": list(enumerate(short)), "b": list(enumerate(long))}
    chosen = matched(pools, {"a": 40, "b": 40}, lambda item: item[1], random.Random(0))
    counts = {cell: Counter(value for _, value in items) for cell, items in chosen.items()}
    assert counts["a"] == counts["b"] == {0: 20, 1: 20}


def test_too_small_a_pool_is_refused() -> None:
    with pytest.raises(ValueError, match="2 candidates for 'a', but 3 are wanted"):
        matched({"a": [1, 2]}, {"a": 3}, lambda item: item, random.Random(0))


def test_borders_cut_into_equal_parts() -> None:
    borders = edges(list(range(100)), 4)
    assert borders == [25, 50, 75]
    assert [bin_of(value, borders) for value in (0, 25, 74, 99)] == [0, 1, 2, 3]


@settings(deadline=None, max_examples=60)
@given(st.lists(st.integers(1, 40), min_size=1, max_size=5))
def test_every_prefix_has_its_fair_share(sizes: list[int]) -> None:
    dealt = interleaved([[(n, turn) for turn in range(size)] for n, size in enumerate(sizes)])
    assert len(dealt) == sum(sizes)
    for length in range(1, len(dealt) + 1):
        seen = Counter(n for n, _ in dealt[:length])
        for n, size in enumerate(sizes):
            assert abs(seen[n] - length * size / len(dealt)) <= 1.5
