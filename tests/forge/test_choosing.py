"""Choosing: every prefix of what is dealt out is a fair sample."""

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from knowact.forge.choose import interleaved


@settings(deadline=None, max_examples=60)
@given(st.lists(st.integers(1, 40), min_size=1, max_size=5))
def test_every_prefix_has_its_fair_share(sizes: list[int]) -> None:
    dealt = interleaved([[(n, turn) for turn in range(size)] for n, size in enumerate(sizes)])
    assert len(dealt) == sum(sizes)
    for length in range(1, len(dealt) + 1):
        seen = Counter(n for n, _ in dealt[:length])
        for n, size in enumerate(sizes):
            assert abs(seen[n] - length * size / len(dealt)) <= 1.5
