"""How pairs of one kind are made: draw, compose, prove, and draw again."""

import random
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from knowact.core.proof import Possibility
from knowact.core.seeds import generator
from knowact.suites.ict.cases import Incomplete, Level, Manipulation, Pair, Source
from version_1.fail_talms.recipe import Base
from version_1.ict.requests import Requests, any_rivals, bystanders, needed, tone_of
from version_1.ict.seats import Seating
from version_1.ict.similar import neighbours
from version_1.ict.talk import SHAPES, Shape
from version_1.ict.twins import SINGLE, Stage, Twins

LEVELS: Final[Mapping[Level, float]] = {Level.NEAR: 0.42, Level.MEDIUM: 0.22, Level.FAR: 0.2}
"""So many replacements are at which level; what is left is `absent`."""
_NEEDS: Final = {1: 0.45, 2: 0.4, 3: 0.15}
"""How many tools a single request needs. A dialogue's last one needs one, as an API-Bank dialogue does."""
_OFFERED: Final = {3: 1, 4: 3, 5: 4, 6: 3, 7: 2, 8: 1}
"""How many tools are offered for a single request: about five."""
_STRANGER: Final = 0.05
"""So often a dialogue has one tool more than its calls and its request need."""
_TWICE_THE_SAME: Final = 0.85
"""So often the two earlier requests of a dialogue are for one tool."""
_SAME_AGAIN: Final = 0.12
"""So often the last request of a dialogue asks for what was asked before, about something else."""
_REQUESTS: Final = 0.25
"""So many removals are of the request itself."""
_CHAINS: Final = 0.25
"""So many removals of a value from a single request are of one that the first of two steps takes."""
_TRIES: Final = 600
"""Draws per group that is wanted, before the recipe gives up."""
_TWO: Final = 2


class _Wish(NamedTuple):
    """What a removal is to be like.

    Attributes:
        shape: Of its dialogue, if it is one.
        needs: How many tools its request needs.
        request: Whether the request itself is lost, or a value.
        chain: Whether the lost value is one that the first of two steps takes.
    """

    shape: Shape
    needs: int
    request: bool = False
    chain: bool = False


class Cell(NamedTuple):
    """A kind of pair."""

    source: Source
    manipulation: Manipulation
    possibility: Incomplete

    @property
    def halves(self) -> bool:
        """Whether one of two tools is replaced, in pairs of two."""
        return self.manipulation is Manipulation.REPLACEMENT and self.possibility is Possibility.PARTLY

    @property
    def stem(self) -> str:
        """What the ids of its pairs begin with."""
        words = [self.source.value.partition("_")[0], self.manipulation.value.partition("_")[2]]
        return "-".join([*words, "partly"] if self.possibility is Possibility.PARTLY else words)


class Maker:
    """Makes pairs.

    Args:
        seed: Fixes everything.
        retriever: What ranks tools by likeness.
    """

    def __init__(self, seed: int, retriever: str) -> None:
        self._seed = seed
        self._alike = neighbours(retriever)
        self._requests = Requests(seed)
        self._seating = Seating(self._requests, self._alike)
        self._twins = Twins(self._requests, self._alike)

    def replacements(self, cell: Cell, number: int, level: Level, length: int) -> list[Pair]:
        """Make the pairs of one group, whose sets of tools cross.

        Raises:
            ValueError: There is none.
        """
        # Drawn once: what is refused more often should not come less often.
        kind = generator(self._seed, *cell, number)
        needs, shape = self._needs(cell.source, level, kind), _shape(kind)
        for turn in range(_TRIES):
            rng = generator(self._seed, *cell, number, turn)
            if cell.halves:
                group = self._seating.half(level, rng)
            else:
                group = self._seating.group(length, needs, level, rng)
            company = self._company(cell.source, shape, group.tools, group.at_once, rng) if group else None
            if group is None or company is None:
                continue
            stage, besides = company
            made = self._twins.replaced(group.seats(besides), stage, cell.possibility, rng)
            if made is not None:
                self._note([base for base, _ in made])
                return [pair for _, pair in made]
        raise ValueError(self._complaint(f"{level.value} replacement", cell))

    def removal(self, cell: Cell, number: int) -> Pair:
        """Make one pair from whose second version something is missing.

        Raises:
            ValueError: There is none.
        """
        wish = self._wish(cell, generator(self._seed, *cell, number))
        for turn in range(_TRIES):
            made = self._removal(cell, wish, generator(self._seed, *cell, number, turn))
            if made is not None:
                self._note([made[0]])
                return made[1]
        raise ValueError(self._complaint("removal", cell))

    def _wish(self, cell: Cell, rng: random.Random) -> "_Wish":
        """Decide once what a removal is like: what is refused more often should not come less often."""
        shape = _shape(rng)
        if cell.possibility is Possibility.PARTLY:
            return _Wish(shape, _TWO)
        if rng.random() < _REQUESTS:
            return _Wish(shape, self._needs(cell.source, None, rng), request=True)
        chain = cell.source is Source.SINGLE_REQUEST and rng.random() < _CHAINS
        return _Wish(shape, _TWO if chain else 1, chain=chain)

    def _removal(self, cell: Cell, wish: "_Wish", rng: random.Random) -> tuple[Base, Pair] | None:
        tools, linked = self._seating.tools(wish.needs, rng, needed(), linked=wish.chain)
        company = self._company(cell.source, wish.shape, tools, wish.needs, rng, again=True)
        if company is None:
            return None
        stage, besides = company
        chained = linked and (wish.chain or wish.request)
        sketches = self._requests.chained(tools, rng) if chained else None
        if wish.chain and sketches is None:
            return None
        offered = tuple(dict.fromkeys((*tools, *besides)))
        base = self._requests.make(sketches or self._requests.plain(tools, rng), tone_of(rng), rng, offered)
        if base is None:
            return None
        pair = self._twins.removed(base, stage, cell.possibility, rng, request=wish.request)
        return (base, pair) if pair else None

    def _needs(self, source: Source, level: Level | None, rng: random.Random) -> int:
        """Draw how many tools a request needs."""
        if source is Source.MULTI_TURN or level is Level.ABSENT:
            # Where tools are just gone, two of them at once leave hardly any.
            return 1
        return rng.choices(list(_NEEDS), list(_NEEDS.values()))[0]

    def _company(
        self,
        source: Source,
        shape: Shape,
        tools: Sequence[str],
        needs: int,
        rng: random.Random,
        *,
        again: bool = False,
    ) -> tuple[Stage, tuple[str, ...]] | None:
        """Draw what is offered beside some tools, and what was called before.

        Args:
            source: How the user speaks.
            shape: Of the dialogue, if it is one.
            tools: The tools that requests need.
            needs: How many of them are offered at once.
            rng: For every choice.
            again: Whether an earlier call may be of such a tool.
        """
        if source is Source.SINGLE_REQUEST:
            total = rng.choices(list(_OFFERED), list(_OFFERED.values()))[0]
            return SINGLE, bystanders(tools, max(1, total - needs), self._alike.ranked, rng)
        past = self._past(shape, tools, rng, again=again)
        if past is None or any_rivals([one for one in past if one not in tools], tools):
            return None
        every = tuple(dict.fromkeys(past))
        stranger = (
            bystanders((*tools, *every), 1, self._alike.ranked, rng) if rng.random() < _STRANGER else ()
        )
        return Stage(shape, past), (*every, *stranger)

    def _past(
        self, shape: Shape, tools: Sequence[str], rng: random.Random, *, again: bool
    ) -> tuple[str, ...] | None:
        """Draw the tools of the earlier calls."""
        if again and shape is not Shape.TWO_CALLS and rng.random() < _SAME_AGAIN:
            first: str | None = rng.choice(tools)
        else:
            first = self._requests.going_with(tools, rng)
        if first is None or shape.has_remark:
            return (first,) if first else None
        if shape is Shape.TWICE and rng.random() < _TWICE_THE_SAME:
            return first, first
        second = self._requests.going_with((*tools, first), rng)
        return (first, second) if second else None

    def _note(self, bases: Sequence[Base]) -> None:
        for base in bases:
            self._requests.note(base)

    def _complaint(self, what: str, cell: Cell) -> str:
        reasons = ", ".join(f"{why} ({n})" for why, n in self._requests.refused.most_common(3))
        return f"no {what} for {cell.stem}; refused: {reasons}"


def _shape(rng: random.Random) -> Shape:
    return rng.choices(list(SHAPES), list(SHAPES.values()))[0]
