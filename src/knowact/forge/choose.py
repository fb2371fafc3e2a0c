"""Choosing drafts for a data set: proven candidates from all scenarios, dealt into the kinds that are wanted.

The order is stratified, so that any prefix is a fair sample, and a longer data set begins with the shorter
one. What was chosen before stays; only places that are empty, or whose draft was refused, are filled.
"""

import random
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final, TypeVar

from knowact.core.errors import BadUsage
from knowact.core.seeds import generator
from knowact.core.task import Boundary, Topology
from knowact.forge.drafts import Draft, Sketch, Unusable, drafted, sketches
from knowact.forge.proving import unproven, unproven_in_a_crowd
from knowact.worlds.material import Material

T = TypeVar("T")
Kind = tuple[Boundary, Topology, int]
"""Boundary, topology and number of steps."""
ROUNDS: Final = 3
"""How often the arguments of each sketch are drawn."""
_LOOKED_AT: Final = 300
"""Drafts of a pool that are held against each other for one place."""
Watch = Callable[[int, int], None]
"""Told how much is done, and how much there is."""


def unwatched(_done: int, _wanted: int) -> None:
    """Watch nothing."""


def candidates(material: Material, seed: int, watch: Watch = unwatched) -> Iterator[Draft]:
    """Yield every draft that the scenarios yield; they are proven when they are taken.

    Args:
        material: The world.
        seed: Fixes arguments, persons and the world's values.
        watch: Told after each scenario how many are done, and how many there are.
    """
    for done, (name, scenario) in enumerate(material.scenarios.items(), start=1):
        for sketch in sketches(name, scenario):
            for turn in range(ROUNDS):
                with suppress(Unusable):
                    yield drafted(sketch.model_copy(update={"turn": turn}), material, seed)
        watch(done, len(material.scenarios))


def chosen(
    drafts: Iterable[Draft],
    order: Sequence[Kind],
    material: Material,
    seed: int,
    *,
    kept: Sequence[Draft] = (),
    refused: Iterable[Sketch] = (),
    spare: int = 0,
) -> list[Draft]:
    """Deal drafts into places.

    Args:
        drafts: Candidates.
        order: The kind of draft that each place wants.
        material: The world.
        seed: The world's.
        kept: Drafts that were chosen before, in order.
        refused: What is not to be used.
        spare: So many places may stay empty where no candidate of their kind is left.

    Raises:
        BadUsage: There are too few candidates of a kind.
    """
    waiting: defaultdict[Kind, deque[Draft]] = defaultdict(deque)
    use = _Use(material, seed, generator(seed, "choose"))
    for draft in kept:
        waiting[draft.kind].append(draft)
        use.note(draft)
    taken = {sketch.key for sketch in (*refused, *(draft.sketch for draft in kept))}
    pools: defaultdict[Kind, list[Draft]] = defaultdict(list)
    for draft in drafts:
        if draft.sketch.key not in taken:
            pools[draft.kind].append(draft)
    dealt: list[Draft] = []
    empty = 0
    for kind in order:
        try:
            dealt.append(waiting[kind].popleft() if waiting[kind] else use.take(pools[kind], kind))
        except BadUsage:
            empty += 1
            if empty > spare:
                raise
    return dealt


def supply(drafts: Iterable[Draft], material: Material, seed: int) -> list[Draft]:
    """Take all drafts that can fill places: proven ones, no two that ask for the same.

    Args:
        drafts: Candidates.
        material: The world.
        seed: The world's.
    """
    pools: defaultdict[Kind, list[Draft]] = defaultdict(list)
    for draft in drafts:
        pools[draft.kind].append(draft)
    use, proven = _Use(material, seed, generator(seed, "choose")), list[Draft]()
    for kind, pool in sorted(pools.items()):
        with suppress(BadUsage):
            while True:
                proven.append(use.take(pool, kind))
    return proven


def interleaved(buckets: Sequence[Sequence[T]]) -> list[T]:
    """Deal buckets out in proportion to their sizes, so that every prefix is a fair sample."""
    placed = [
        ((turn + 0.5) / len(bucket), number, turn)
        for number, bucket in enumerate(buckets)
        for turn in range(len(bucket))
    ]
    return [buckets[number][turn] for _, number, turn in sorted(placed)]


def stratified(sizes: Mapping[Kind, int], size: int) -> list[Kind]:
    """The kinds of a data set's places, so that every prefix has its share of each.

    Args:
        sizes: How many of each kind the whole data set has.
        size: How many places are wanted, from its beginning.
    """
    return interleaved([[kind] * number for kind, number in sorted(sizes.items())])[:size]


@dataclass(slots=True)
class _Use:
    """What was taken by now, so that scenarios, jobs, tools and sides all get their turn."""

    material: Material
    seed: int
    rng: random.Random
    scenarios: Counter[str] = field(default_factory=Counter[str])
    combined: Counter[frozenset[str]] = field(default_factory=Counter[frozenset[str]])
    jobs: Counter[str] = field(default_factory=Counter[str])
    sides: Counter[tuple[str, bool]] = field(default_factory=Counter[tuple[str, bool]])
    requests: set[str] = field(default_factory=set[str])

    def take(self, pool: list[Draft], kind: Kind) -> Draft:
        """Take a proven draft of a pool, of some that are looked at the one that repeats least.

        Raises:
            BadUsage: None is left.
        """
        while pool:
            places = self.rng.sample(range(len(pool)), min(_LOOKED_AT, len(pool)))
            draft = pool.pop(min(places, key=lambda place: (self._cost(pool[place]), place)))
            if self._may(draft) and self._proven(draft):
                self.note(draft)
                return draft
        boundary, topology, steps = kind
        requests = f"{boundary.value} {topology.value.replace('_', '-')} requests with {steps} steps"
        raise BadUsage(f"The scenarios yield no more {requests}. Choose a smaller --size, or add scenarios.")

    def _proven(self, draft: Draft) -> bool:
        return not (
            unproven(draft.task, self.seed, self.material) or unproven_in_a_crowd(draft.task, self.material)
        )

    def _may(self, draft: Draft) -> bool:
        """Whether nobody asks for the same yet, and no step is external for its size alone."""
        steps = (step for step in draft.task.plan if step.external)
        return _request(draft) not in self.requests and not any(
            self.material.by_size(step.tool, step.call_arguments) for step in steps
        )

    def _cost(self, draft: Draft) -> float:
        names = _names(draft)
        lopsided = sum(
            self.sides[step.tool, step.external] - self.sides[step.tool, not step.external]
            for step in draft.task.plan
        )
        jobs = sum(self.jobs[name] for name in names)
        stated = sum(bool(step.told) for step in draft.task.plan)
        return (
            4.0 * self.scenarios[draft.sketch.scenario]
            + 100.0 * self.combined[frozenset(names)]
            + (2.0 * jobs + 4.0 * lopsided - 40.0 * stated) / len(names)
        )

    def note(self, draft: Draft) -> None:
        """Count a draft that is used."""
        names = _names(draft)
        self.scenarios[draft.sketch.scenario] += 1
        self.combined[frozenset(names)] += 1
        self.requests.add(_request(draft))
        self.jobs.update(names)
        self.sides.update((step.tool, step.external) for step in draft.task.plan)


def _names(draft: Draft) -> list[str]:
    return [f"{draft.sketch.scenario}.{job}" for job in draft.sketch.jobs]


def _request(draft: Draft) -> str:
    """What is asked for, with all its values: two draws may come out alike."""
    calls = ((step.question, step.call_arguments) for step in draft.task.plan)
    return f"{draft.sketch.scenario}: {list(calls)}"
