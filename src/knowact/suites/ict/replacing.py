"""Replaced tools: what stands in the place of a required one (ICT).

The paper takes one of the most similar tools of the same data, by name and description. Here its rank is kept
with it, as a level; and no tool is taken that is offered already, that differs from the required one in its
name alone, or that is known to do the other's job.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from knowact.core.clean import dumps
from knowact.core.seeds import generator
from knowact.core.tool import Tool
from knowact.datasets.in_world import RECORDED
from knowact.forge.alike import DIGITS, Scorer, text_of
from knowact.forge.complete import CompleteItem
from knowact.suites.ict.cases import Gone, Level
from knowact.worlds.registry import find

LEVELS: Final[Mapping[Level, float]] = {Level.NEAR: 0.5, Level.MEDIUM: 0.25, Level.FAR: 0.25}
"""So many replacements are wanted at which level."""
RANKS: Final[Mapping[Level, int]] = {Level.NEAR: 5, Level.MEDIUM: 30}
"""The last rank of a level, among all other tools; what is further down is far."""


def level_of(rank: int) -> Level:
    """The level of a rank, counted from 1."""
    return next((level for level, last in RANKS.items() if rank <= last), Level.FAR)


@dataclass(frozen=True, slots=True)
class Pool:
    """Tools that can take one another's place.

    Attributes:
        tools: Each once, by name: data of several origins have different tools of one name.
        score: How alike texts are.
    """

    tools: Sequence[Tool]
    score: Scorer
    _ranked: dict[str, Sequence[Tool]] = field(default_factory=dict[str, Sequence[Tool]])

    def others(self, tool: Tool) -> Sequence[Tool]:
        """The tools of other names, the most similar first; of namesakes the most similar one alone."""
        key = identity(tool)
        if key not in self._ranked:
            others = [one for one in self.tools if one.name != tool.name]
            found = zip(self.score(text_of(tool), list(map(text_of, others))), others, strict=True)
            order = sorted(found, key=lambda one: -round(one[0], DIGITS))
            named: dict[str, Tool] = {}
            for _, one in order:
                named.setdefault(one.name, one)
            self._ranked[key] = tuple(named.values())
        return self._ranked[key]


def identity(tool: Tool) -> str:
    """Equal for tools that an agent cannot tell apart."""
    return dumps([tool.name, tool.description, tool.parameters])


class Pools:
    """The pools of a data set: items with recorded results share theirs, others keep to their world.

    Args:
        items: All items.
        score: How alike texts are.
    """

    def __init__(self, items: Sequence[CompleteItem], score: Scorer) -> None:
        shared: dict[str, dict[str, Tool]] = {}
        for item in items:
            tools = {identity(one): one for one in item.tools.values()}
            shared.setdefault(self._of(item), {}).update(tools)
        # Their order decides between tools that are equally similar.
        self._pools = {
            name: Pool([tools[key] for key in sorted(tools)], score) for name, tools in shared.items()
        }

    @staticmethod
    def _of(item: CompleteItem) -> str:
        world = item.task.world
        return "recorded" if world.name in RECORDED else dumps([world.name, world.setup])

    def of(self, item: CompleteItem) -> Pool:
        """The pool of an item."""
        return self._pools[self._of(item)]


@dataclass(frozen=True, slots=True)
class Substitute:
    """What becomes of one required tool; `tool` is what stands in its place, None where nothing does."""

    gone: Gone
    tool: Tool | None = None


def substitutes(
    item: CompleteItem, pool: Pool, level: Level | None, seed: int
) -> Iterator[tuple[Substitute, ...]]:
    """Yield what may become of the required tools, all of them at once; another choice each time.

    Args:
        item: The complete item.
        pool: Its pool.
        level: How alike the substitutes are; None draws one of the levels that the pool has.
        seed: Of the draws.
    """
    gone = list(dict.fromkeys(step.tool for step in item.task.plan if step.external))
    if level is Level.ABSENT:
        yield tuple(Substitute(Gone(tool=name, level=level)) for name in gone)
        return
    found = {name: _by_level(item, item.tools[name], pool) for name in gone}
    levels = [one for one in LEVELS if all(ranked[one] for ranked in found.values())]
    if not levels or level not in (None, *levels):
        return
    rng = generator(seed, "level", item.task.id)
    wanted = level or rng.choices(levels, [LEVELS[one] for one in levels])[0]
    drawn = {
        name: generator(seed, "substitute", item.task.id, name).sample(ranked[wanted], len(ranked[wanted]))
        for name, ranked in found.items()
    }
    for number in range(max(map(len, drawn.values()))):
        chosen: dict[str, Substitute] = {}
        for name, ranked in drawn.items():
            taken = {one.gone.by for one in chosen.values()}
            free = ((n, one) for n, one in (*ranked[number:], *ranked[:number]) if one.name not in taken)
            if (one := next(free, None)) is not None:
                rank, other = one
                gone = Gone(tool=name, by=other.name, rank=rank, level=wanted)
                chosen[name] = Substitute(gone, other)
        if len(chosen) == len(drawn):
            yield tuple(chosen.values())


def _by_level(item: CompleteItem, tool: Tool, pool: Pool) -> Mapping[Level, Sequence[tuple[int, Tool]]]:
    """The tools that may stand in the place of one, with their ranks, by level."""
    found: dict[Level, list[tuple[int, Tool]]] = {level: [] for level in LEVELS}
    rivals = _rivals(item, tool, pool.tools)
    for rank, other in enumerate(pool.others(tool), start=1):
        same = (other.description, other.parameters) == (tool.description, tool.parameters)
        if other.name not in item.task.offered and other.name not in rivals and not same:
            found[level_of(rank)].append((rank, other))
    return found


def _rivals(item: CompleteItem, tool: Tool, others: Sequence[Tool]) -> Collection[str]:
    """The tools that are known to do another's job with work that a model does itself."""
    made = find(item.task.world.name).material
    if made is None:
        return item.task.stand_ins
    material = made()
    return {*item.task.stand_ins, *(one.name for one in others if material.stands_in(one.name, tool.name))}
