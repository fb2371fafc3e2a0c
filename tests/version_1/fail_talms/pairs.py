"""Which two tools of a category go into a request, and how often each category comes.

Spec fail-talms.md, section 4: every request needs two tools of one category.
"""

import math
import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations
from types import MappingProxyType
from typing import Final, Literal

from knowact.core.task import Boundary
from knowact.worlds.everyday.catalogue import OPERATIONS
from version_1.links import Link, links, rivals, takes
from version_1.parts import Sketch, Source
from version_1.words import Variant, phrasings

Side = Literal[Boundary.EXTERNAL, Boundary.INTERNAL]
_CHAINED: Final = 0.7
"""So many requests of a pair that can be chained are chains."""
_CHAINS_RATHER: Final = 4.0
"""A pair that can be chained comes that much more often: there are few."""
_ALONE: Final = 0.17
"""So many requests have one step that a model can do alone, where a category has pairs of both kinds."""
_FEW: Final = 4
_ALONE_WEIGHT: Final = 1 / 3
"""What a pair with such a step counts for a category's share, beside one whose tools are both needed."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two tools; of the first one's job a person may take the second's, if that is `alone`.

    Attributes:
        first, second: The tools.
        alone: Whether a model can do the second one's job alone, with the arguments that are drawn; a person
            could, too.
    """

    first: str
    second: str
    alone: bool

    @property
    def tools(self) -> frozenset[str]:
        """Both."""
        return frozenset((self.first, self.second))


@lru_cache(maxsize=1)
def pairs() -> Mapping[str, tuple[Pair, ...]]:
    """Return the pairs of every category, in a fixed order.

    No tool of a pair can do the other's job by a formula, or neither would be missed.
    """
    found: dict[str, list[Pair]] = {}
    for first, second in permutations(phrasings(), 2):
        category = OPERATIONS[first].tool.category
        if OPERATIONS[second].tool.category != category or rivals(first, second):
            continue
        if not variants(first, Boundary.EXTERNAL):
            continue
        if first < second and variants(second, Boundary.EXTERNAL):
            found.setdefault(category, []).append(Pair(first, second, alone=False))
        if variants(second, Boundary.INTERNAL) and by_human(second):
            found.setdefault(category, []).append(Pair(first, second, alone=True))
    # Of the sciences' tools nearly all calculate, so that no pair can be made another by exchanging one.
    return MappingProxyType(
        {name: tuple(_with_a_twin(found[name])) or tuple(found[name]) for name in sorted(found)}
    )


def _with_a_twin(found: Sequence[Pair]) -> Iterator[Pair]:
    """Yield the pairs one of whose tools can be exchanged so that the result is another pair."""
    sets = {pair.tools for pair in found}
    every = sorted({tool for pair in found for tool in pair.tools})
    for pair in found:
        needed = {pair.first} if pair.alone else pair.tools
        gone = [pair.second] if pair.alone else [pair.first, pair.second]
        if any(
            (pair.tools - {hidden}) | {instead} in sets
            for hidden in gone
            for instead in every
            if instead not in pair.tools and not any(rivals(one, instead) for one in {*needed, hidden})
        ):
            yield pair


def by_human(tool: str) -> bool:
    """Whether a person who is asked could do a tool's job."""
    replaceable = OPERATIONS[tool].tool.replaceable
    return replaceable is not None and replaceable.by_human


@lru_cache(maxsize=1_024)
def variants(tool: str, side: Side) -> tuple[Variant, ...]:
    """The ways to draw a tool's calls on one side of the boundary."""
    return tuple(variant for variant in phrasings()[tool].variants if variant.side is side)


def shares(total: int) -> dict[str, int]:
    """Share requests out over the categories, by the root of how many pairs each has."""
    weights = {
        category: math.sqrt(math.fsum(_ALONE_WEIGHT if pair.alone else 1.0 for pair in found))
        for category, found in pairs().items()
    }
    whole = math.fsum(weights.values())
    exact = {category: total * weight / whole for category, weight in weights.items()}
    found = {category: int(share) for category, share in exact.items()}
    for category in sorted(exact, key=lambda one: (found[one] - exact[one], one))[
        : total - sum(found.values())
    ]:
        found[category] += 1
    return found


class PairSampler:
    """Draws pairs and links; those that were used less come rather.

    Args:
        rng: For every choice.
    """

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self.used: Counter[str] = Counter()

    def sketch(self, category: str) -> tuple[tuple[Sketch, ...], Pair]:
        """Draw one plan of a category."""
        found = pairs()[category]
        alone = self._rng.random() < _share_alone(found)
        fitting = [pair for pair in found if pair.alone is alone]
        weights = [self._weight(pair) for pair in fitting]
        pair = self._rng.choices(fitting, weights)[0]
        return self._plan(pair), pair

    def note(self, pair: Pair) -> None:
        """Remember that a pair was taken."""
        self.used.update([_name(pair), pair.first, pair.second])

    def _weight(self, pair: Pair) -> float:
        rare = 1 / (1 + self.used[_name(pair)]) ** 3 / (1 + self.used[pair.first] + self.used[pair.second])
        return rare * (_CHAINS_RATHER**3 if _chains(pair, _sides(pair)) else 1.0)

    def _plan(self, pair: Pair) -> tuple[Sketch, ...]:
        sides = _sides(pair)
        chains = _chains(pair, sides)
        if chains and self._rng.random() < _CHAINED:
            link = self._rng.choice(chains)
            fed = [one for one in variants(link.taker, sides[link.taker]) if takes(one, link.parameter)]
            giver = self._plain(link.giver, sides[link.giver])
            source = {link.parameter: Source(0, link.field)}
            return giver, Sketch(link.taker, phrasings()[link.taker], self._rng.choice(fed), source)
        plain = [self._plain(tool, side) for tool, side in sides.items()]
        self._rng.shuffle(plain)
        return tuple(plain)

    def _plain(self, tool: str, side: Side) -> Sketch:
        return Sketch(tool, phrasings()[tool], self._rng.choice(variants(tool, side)))


def _share_alone(found: Sequence[Pair]) -> float:
    """How many of a category's requests have a step that a model can do alone."""
    alone = sum(pair.alone for pair in found)
    both = len(found) - alone
    # A few pairs of needed tools would have to carry a whole category.
    return alone / (alone + both) if both < _FEW else _ALONE * bool(alone)


def _sides(pair: Pair) -> dict[str, Side]:
    second: Side = Boundary.INTERNAL if pair.alone else Boundary.EXTERNAL
    return {pair.first: Boundary.EXTERNAL, pair.second: second}


def _chains(pair: Pair, sides: Mapping[str, Side]) -> list[Link]:
    return [
        link for link in links() if frozenset((link.giver, link.taker)) == pair.tools and _fits(link, sides)
    ]


def _fits(link: Link, sides: Mapping[str, Side]) -> bool:
    return any(takes(one, link.parameter) for one in variants(link.taker, sides[link.taker]))


def _name(pair: Pair) -> str:
    return f"{pair.first} {pair.second} {pair.alone}"
