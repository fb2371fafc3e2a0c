"""Which tools are needed, offered and replaced, so that a set of tools as such tells nothing.

*Crossed twins* (validity.md, section 4), by construction. Two requests need tools that are alike, and are
offered the same others: {A, …} is enough for the first and, B in A's place, too little for it; for the second
it is the other way round. At the level `absent` requests stand in a row: what is left when the first one's
tool is gone is what the second one is offered, and so on.
"""

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from knowact.suites.ict.cases import Level
from version_1.ict.requests import Requests, any_rivals, rivals, worldly
from version_1.ict.similar import Neighbours
from version_1.links import links
from version_1.sample import joint

_LINKED: Final = 0.4
"""So many requests for two tools are chains, as far as that can be chosen."""
_NEAREST: Final = 14
"""Of the tools that could join a request, so many that go best with it are drawn from."""
_TWO: Final = 2


@dataclass(frozen=True, slots=True)
class Seat:
    """What one request of a group needs and is offered.

    Attributes:
        needs: Its tools, in the plan's order.
        offered: All tools that are offered in the complete version.
        swaps: What takes the place of which needed tool in the incomplete one; "" for nothing.
        chained: Whether the first needed tool is to feed the second.
    """

    needs: tuple[str, ...]
    offered: tuple[str, ...]
    swaps: Mapping[str, str]
    chained: bool = False


@dataclass(frozen=True, slots=True)
class Group:
    """Tools that are exchanged for one another, request by request, before anybody else sits down.

    Attributes:
        level: How alike they are.
        needs: What each request needs.
        chained: Whether first tools are to feed second ones.
        kept: A tool that each request needs besides, and that stays.
    """

    level: Level
    needs: tuple[tuple[str, ...], ...]
    chained: bool = False
    kept: str = ""

    @property
    def tools(self) -> tuple[str, ...]:
        """All of them."""
        every = tuple(tool for tools in self.needs for tool in tools)
        return (*every, self.kept) if self.kept else every

    @property
    def at_once(self) -> int:
        """How many of them are offered to one request, at most."""
        return len(self.tools) if self.level is Level.ABSENT else len(self.needs[0]) + bool(self.kept)

    def seats(self, besides: Sequence[str]) -> tuple[Seat, ...]:
        """Seat the requests, with the same other tools offered to all of them."""
        if self.level is Level.ABSENT:
            return tuple(self._in_a_row(place, besides) for place in range(len(self.needs)))
        one, other = self.needs
        return self._exchanged(one, other, besides), self._exchanged(other, one, besides)

    def _in_a_row(self, place: int, besides: Sequence[str]) -> Seat:
        tools = self.needs[place]
        later = [tool for others in self.needs[place + 1 :] for tool in others]
        return Seat(tools, (*tools, *later, *besides), dict.fromkeys(tools, ""), self.chained)

    def _exchanged(self, gone: tuple[str, ...], instead: tuple[str, ...], besides: Sequence[str]) -> Seat:
        needs = (*gone, self.kept) if self.kept else gone
        swaps = dict(zip(gone, instead, strict=True))
        return Seat(needs, (*needs, *besides), swaps, self.chained)


class Seating:
    """Draws groups of tools.

    Args:
        requests: Knows which tools were used how often.
        neighbours: Which tools are alike.
    """

    def __init__(self, requests: Requests, neighbours: Neighbours) -> None:
        self._requests = requests
        self._neighbours = neighbours
        self._chains: Counter[tuple[str, str]] = Counter()

    def group(self, size: int, needs: int, level: Level, rng: random.Random) -> Group | None:
        """Draw a group; None where the draw led nowhere.

        Args:
            size: How many requests: two, at levels other than `absent`.
            needs: How many tools each needs.
            level: How alike the exchanged tools are.
            rng: For every choice.
        """
        first, chained = self.tools(needs, rng, worldly())
        taken = [first]
        while len(taken) < size:
            other = self._others(taken, level, rng)
            if other is None:
                return None
            taken.append(other)
        return Group(level, tuple(taken), chained)

    def half(self, level: Level, rng: random.Random) -> Group | None:
        """Draw a group of two requests for two tools each, one of which stays."""
        tools, _ = self.tools(_TWO, rng, worldly())
        gone, kept = tools
        other = self._others([(kept,), (gone,)], level, rng)
        return Group(level, ((gone,), other), kept=kept) if other else None

    def tools(
        self, count: int, rng: random.Random, of: Sequence[str], *, linked: bool = False
    ) -> tuple[tuple[str, ...], bool]:
        """Draw tools that go together, and say whether the first can feed the second.

        Args:
            count: How many.
            rng: For every choice.
            of: The tools to draw from.
            linked: Whether the first is to feed the second.
        """
        if count == _TWO and (linked or rng.random() < _LINKED):
            return self._linked(of, rng), True
        found = [self._requests.rarely(of, rng)]
        while len(found) < count:
            fitting = [tool for tool in of if tool not in found and not any_rivals([tool], found)]
            fitting.sort(key=lambda tool: (-joint([tool, *found]), tool))
            found.append(self._requests.rarely(fitting[:_NEAREST], rng))
        return tuple(found), False

    def _linked(self, of: Sequence[str], rng: random.Random) -> tuple[str, str]:
        """Draw two tools of which one can feed the other, seldom-used ones rather."""
        ends = dict.fromkeys(
            (link.giver, link.taker)
            for link in links()
            if link.giver in of and link.taker in of and not rivals(link.giver, link.taker)
        )
        used = self._requests.used
        weights = [
            joint(end) / ((1 + used[end[0]]) * (1 + used[end[1]]) * (1 + self._chains[end]) ** 2)
            for end in ends
        ]
        chosen = rng.choices(list(ends), weights)[0]
        self._chains[chosen] += 1
        return chosen

    def _others(
        self, taken: Sequence[tuple[str, ...]], level: Level, rng: random.Random
    ) -> tuple[str, ...] | None:
        """Draw a tool for each of the last ones, at a level; none does the job of another by a formula."""
        every = [tool for tools in taken for tool in tools]
        found: list[str] = []
        for tool in taken[-1]:
            at = self._neighbours.at(tool, level) if level is not Level.ABSENT else worldly()
            fitting = [
                one for one in at if one in worldly() and one not in every and not any_rivals([one], every)
            ]
            if not fitting:
                return None
            # Of the near ones the nearest rather: that is what the level is for.
            near = [1 / self._neighbours.rank(tool, one) for one in fitting] if level is Level.NEAR else None
            found.append(self._requests.rarely(fitting, rng, near))
            every.append(found[-1])
        return tuple(found)
