"""Which tools go together: plans sampled by the affinity of the tools' usage scenarios.

KAPRO, section 3.1 (spec kapro.md, section 3.1): affinity is the cosine of two tools' scenarios, joint
affinity of a set the mean over its pairs. The paper embeds the scenarios with a model; offline we weigh
their words (TF-IDF), together with the topics that the phrasings name. It is a prior, no more: what
really feeds what is decided by data-flow types and found out by running the plan.
"""

import math
import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

from knowact.core.task import Boundary
from knowact.retrieval.affinity import affinities as cosines
from knowact.retrieval.affinity import vectors
from knowact.worlds.everyday.catalogue import OPERATIONS
from version_1.links import Link, links, rivals, takes
from version_1.parts import Sketch, Source
from version_1.words import Variant, phrasings

Side = Literal[Boundary.EXTERNAL, Boundary.INTERNAL]
_NEAREST: Final = 14
"""Of the tools that could join a plan, so many with the largest joint affinity are drawn from."""
_SHARPNESS: Final = 6.0
_LEAST: Final = 0.03
"""Tools whose scenarios have next to nothing in common are not chained."""
_BOTH_SIDES: Final = 1.6
"""Tools that are needed for some arguments and not for others come that much more often."""
_DIGITS: Final = 4
"""Affinities are rounded, so that a last bit of floating point never decides about a plan."""


@lru_cache(maxsize=1)
def affinities() -> Mapping[tuple[str, str], float]:
    """Return the affinity of every ordered pair of phrased tools, 0 to 1."""
    names = list(phrasings())
    texts = [f"{OPERATIONS[name].scenario} {' '.join(phrasings()[name].topics * 2)}" for name in names]
    matrix = cosines(vectors(texts))
    return {
        (one, other): round(float(matrix[row, column]), _DIGITS)
        for row, one in enumerate(names)
        for column, other in enumerate(names)
    }


def joint(tools: Sequence[str]) -> float:
    """Return the joint affinity of some tools: the mean over their pairs; 0 for one alone."""
    pairs = [affinities()[one, other] for place, one in enumerate(tools) for other in tools[:place]]
    # Not `sum`: since Python 3.12 that adds floats in another way, and the data would differ.
    return math.fsum(pairs) / len(pairs) if pairs else 0.0


@dataclass(frozen=True, slots=True)
class Wish:
    """What kind of plan is wanted."""

    boundary: Boundary
    steps: int
    linked: bool


class Sampler:
    """Draws plans; tools and links that were used less come rather.

    Args:
        rng: For every choice.
    """

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self.used: Counter[str] = Counter()

    def sketch(self, wish: Wish) -> tuple[Sketch, ...] | None:
        """Draw one plan; None where the draw led nowhere."""
        sides = self._sides(wish)
        if wish.linked:
            return self._chained(sides)
        return self._unlinked(sides)

    def note(self, sketches: Sequence[Sketch]) -> None:
        """Remember that a plan was taken."""
        for sketch in sketches:
            self.used[f"{sketch.tool} {sketch.variant.side.value}"] += 1
            for parameter, source in sketch.links.items():
                giver = sketches[source.part].tool
                self.used[_name(Link(giver, source.field, sketch.tool, parameter))] += 1
                self.used[f"{giver} giver"] += 1
                self.used[f"{sketch.tool} taker"] += 1

    def _sides(self, wish: Wish) -> list[Side]:
        if wish.boundary is Boundary.EXTERNAL:
            return [Boundary.EXTERNAL] * wish.steps
        if wish.boundary is Boundary.INTERNAL:
            return [Boundary.INTERNAL] * wish.steps
        sides: list[Side] = [Boundary.EXTERNAL, Boundary.INTERNAL]
        sides += self._rng.choices(tuple(sides), k=wish.steps - len(sides))
        self._rng.shuffle(sides)
        return sides

    def _unlinked(self, sides: Sequence[Side]) -> tuple[Sketch, ...] | None:
        sketches: list[Sketch] = []
        for side in sides:
            tool = self._joining(sketches, side)
            if tool is None:
                return None
            sketches.append(self._plain(tool, side))
        return tuple(sketches)

    def _joining(self, sketches: Sequence[Sketch], side: Side) -> str | None:
        """Draw a tool of a side that goes with those chosen."""
        chosen = [sketch.tool for sketch in sketches]
        fitting = [
            tool
            for tool in phrasings()
            if _variants(tool, side)
            and tool not in chosen
            and not any(_needless(tool, side, one.tool, one.variant.side) for one in sketches)
        ]
        if chosen:
            fitting.sort(key=lambda tool: (-joint([*chosen, tool]), tool))
            fitting = fitting[:_NEAREST]
        if not fitting:
            return None
        return self._rng.choices(fitting, [self._weight(tool, side, chosen) for tool in fitting])[0]

    def _weight(self, tool: str, side: Side, chosen: Sequence[str]) -> float:
        rare = 1 / (1 + self.used[f"{tool} {side.value}"]) ** 1.5
        both = _BOTH_SIDES if len({variant.side for variant in phrasings()[tool].variants}) > 1 else 1.0
        return rare * both * math.exp(_SHARPNESS * joint([*chosen, tool]) if chosen else 0.0)

    def _plain(self, tool: str, side: Side) -> Sketch:
        words = phrasings()[tool]
        return Sketch(tool, words, self._rng.choice(_variants(tool, side)))

    def _chained(self, sides: Sequence[Side]) -> tuple[Sketch, ...] | None:
        first = self._link(_between(sides[0], sides[1]))
        if first is None:
            return None
        start, follower = self._plain(first.giver, sides[0]), self._taking(first, sides[1], 0)
        if len(sides) == 2:
            return start, follower
        shape = self._rng.choice(("chain", "chain", "fork", "join", "beside"))
        return self._third(shape, (start, follower), first, sides[2])

    def _third(
        self, shape: str, pair: tuple[Sketch, Sketch], first: Link, side: Side
    ) -> tuple[Sketch, ...] | None:
        """Add a third step: at the end, beside the second, as a second source of it, or on its own."""
        start, follower = pair
        names = {start.tool, follower.tool}
        if shape == "beside":
            tool = self._joining([start, follower], side)
            return None if tool is None else (start, follower, self._plain(tool, side))
        if shape == "join":
            found = self._link(
                link
                for link in _between(side, follower.variant.side)
                if link.taker == first.taker
                and link.parameter != first.parameter
                and link.giver not in names
                and takes(follower.variant, link.parameter)
            )
            if found is None:
                return None
            both = {**follower.links, found.parameter: Source(1, found.field)}
            joined = Sketch(follower.tool, follower.words, follower.variant, both)
            return start, self._plain(found.giver, side), joined
        giver, at = (follower, 1) if shape == "chain" else (start, 0)
        found = self._link(
            link
            for link in _between(giver.variant.side, side)
            if link.giver == giver.tool and link.taker not in names
        )
        return None if found is None else (start, follower, self._taking(found, side, at))

    def _taking(self, link: Link, side: Side, part: int) -> Sketch:
        fitting = [one for one in _variants(link.taker, side) if takes(one, link.parameter)]
        source = {link.parameter: Source(part, link.field)}
        return Sketch(link.taker, phrasings()[link.taker], self._rng.choice(fitting), source)

    def _link(self, candidates: Iterator[Link]) -> Link | None:
        fitting = [link for link in candidates if affinities()[link.giver, link.taker] >= _LEAST]
        if not fitting:
            return None
        return self._rng.choices(fitting, [self._link_weight(link) for link in fitting])[0]

    def _link_weight(self, link: Link) -> float:
        ends = self.used[f"{link.giver} giver"] + self.used[f"{link.taker} taker"]
        rare = 1 / ((1 + self.used[_name(link)]) ** 2 * (1 + ends))
        return rare * math.exp(_SHARPNESS * affinities()[link.giver, link.taker])


def _between(giver: Side, taker: Side) -> Iterator[Link]:
    """Yield the links from tools of one side to tools of another."""
    for link in links():
        if _needless(link.giver, giver, link.taker, taker):
            continue
        able = any(takes(variant, link.parameter) for variant in _variants(link.taker, taker))
        if able and _variants(link.giver, giver):
            yield link


def _needless(one: str, side: Side, other: str, other_side: Side) -> bool:
    """Whether one of two tools, being there, makes the other's one unnecessary that is to be needed."""
    return Boundary.EXTERNAL in (side, other_side) and rivals(one, other)


@lru_cache(maxsize=1_024)
def _variants(tool: str, side: Side) -> tuple[Variant, ...]:
    return tuple(variant for variant in phrasings()[tool].variants if variant.side is side)


def _name(link: Link) -> str:
    return f"{link.giver}.{link.field} {link.taker}.{link.parameter}"
