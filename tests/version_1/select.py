"""Choosing from a surplus so that nothing but the content tells the cells of a data set apart.

validity.md, section 4: within equal topology and number of tools, lengths must not give the boundary away,
nor, at equal numbers, the topology. So the cells that could be told apart are filled to one common
distribution of lengths.
"""

import math
import random
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import TypeVar

_T = TypeVar("_T")
_Cell = TypeVar("_Cell", bound=Hashable)


def edges(values: Sequence[float], parts: int) -> list[float]:
    """Return the inner borders that cut values into so many parts of about equal size."""
    ordered = sorted(values)
    return sorted({ordered[len(ordered) * place // parts] for place in range(1, parts)})


def bin_of(value: float, borders: Sequence[float]) -> int:
    """Return the part that a value falls into."""
    return sum(value >= border for border in borders)


def matched(
    pools: Mapping[_Cell, Sequence[_T]],
    sizes: Mapping[_Cell, int],
    bin_key: Callable[[_T], Hashable],
    rng: random.Random,
) -> dict[_Cell, list[_T]]:
    """Take `sizes` items from each pool, with bins as alike between pools as supply allows.

    Args:
        pools: What there is, cell by cell; each at least as large as its size.
        sizes: How many are wanted.
        bin_key: Which bin an item falls into.
        rng: Which of a bin's items are taken.

    Raises:
        ValueError: A pool is too small.
    """
    supply = {cell: Counter(map(bin_key, pool)) for cell, pool in pools.items()}
    bins = sorted({name for counts in supply.values() for name in counts}, key=repr)
    # What the poorest pool can bear, relative to what it has to give.
    common = {name: min(supply[cell][name] / sizes[cell] for cell in pools) for name in bins}
    chosen: dict[_Cell, list[_T]] = {}
    for cell, pool in pools.items():
        if len(pool) < sizes[cell]:
            raise ValueError(f"{len(pool)} candidates for {cell!r}, but {sizes[cell]} are wanted")
        quotas = _quotas(common, supply[cell], sizes[cell])
        by_bin: defaultdict[Hashable, list[_T]] = defaultdict(list)
        for item in pool:
            by_bin[bin_key(item)].append(item)
        chosen[cell] = [item for name in bins for item in rng.sample(by_bin[name], quotas[name])]
    return chosen


def _quotas(common: Mapping[Hashable, float], supply: Counter[Hashable], size: int) -> dict[Hashable, int]:
    """Share a size out over bins in the common proportions, then one by one where most is missing."""
    # Not `sum`, which adds floats differently from Python 3.12 on.
    whole = math.fsum(common.values()) or 1.0
    fair = {name: size * share / whole for name, share in common.items()}
    quotas = {name: min(supply[name], int(share)) for name, share in fair.items()}
    for _ in range(size - sum(quotas.values())):
        open_bins = [name for name in quotas if quotas[name] < supply[name]]
        name = max(open_bins, key=lambda one: (fair[one] - quotas[one], supply[one] - quotas[one], repr(one)))
        quotas[name] += 1
    return quotas
