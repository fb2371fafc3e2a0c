"""`kapro/everyday`: how many tasks of which kind, and how candidates become a data set.

KAPRO, table 1 (spec kapro.md, section 3.4): external 310, hybrid 368, internal 398, by topology.
"""

import random
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from knowact.core.seeds import generator
from knowact.core.task import Boundary, Task, Topology
from knowact.forge.compose import Book, NoWords, compose
from knowact.forge.freeze import NoFact, frozen
from knowact.forge.parts import carried_out
from knowact.forge.proofs import unproven
from knowact.forge.sample import Sampler, Wish
from knowact.forge.select import bin_of, edges, interleaved, matched
from knowact.forge.words import Register
from knowact.retrieval.duplicates import without_duplicates

GENERATOR: Final = "knowact forge kapro 1"
SIZES: Final[Mapping[tuple[Boundary, Topology], int]] = {
    (Boundary.EXTERNAL, Topology.SINGLE_HOP): 110,
    (Boundary.EXTERNAL, Topology.PARALLEL): 100,
    (Boundary.EXTERNAL, Topology.MULTI_HOP): 100,
    (Boundary.HYBRID, Topology.PARALLEL): 184,
    (Boundary.HYBRID, Topology.MULTI_HOP): 184,
    (Boundary.INTERNAL, Topology.SINGLE_HOP): 140,
    (Boundary.INTERNAL, Topology.PARALLEL): 129,
    (Boundary.INTERNAL, Topology.MULTI_HOP): 129,
}
_THREE_STEPS: Final = 0.4
"""Of the tasks with several steps, so many have three; the others have two."""
_SURPLUS: Final = 3.6
"""So many candidates are made for each task that is kept."""
_TONES: Final[Mapping[Register, float]] = {"terse": 0.2, "chatty": 0.34, "formal": 0.23, "story": 0.23}
_TRIES: Final = 60
"""Draws per candidate that is wanted, before the recipe gives up."""
_MOST_FACTS: Final = 5
_LONGEST: Final = 110
"""Words in a query: longer ones read like a form."""
_ALIKE: Final = 0.7
"""Candidates with a MinHash similarity above this are one too many; the data promise 0.8."""
_SENTENCE_END: Final = re.compile(r"[.!?](?=\s|$)")
_LENGTH_BINS: Final = 7
_DENSITY_BINS: Final = 2
_MOST_SENTENCES: Final = 3
"""Requests of more sentences than this share a bin."""


class Cell(NamedTuple):
    """A kind of task whose lengths are matched with those of other kinds."""

    boundary: Boundary
    topology: Topology
    steps: int


def cells(share: float = 1.0) -> dict[Cell, int]:
    """Return how many tasks of each kind there are, at a share of the paper's sizes."""
    found: dict[Cell, int] = {}
    for (boundary, topology), size in SIZES.items():
        wanted = max(2, round(size * share))
        if topology is Topology.SINGLE_HOP:
            found[Cell(boundary, topology, 1)] = wanted
            continue
        three = round(wanted * _THREE_STEPS)
        found[Cell(boundary, topology, 2)] = wanted - three
        found[Cell(boundary, topology, 3)] = three
    return found


def tasks(
    seed: int, share: float = 1.0, watch: Callable[[int, int], None] = lambda _done, _wanted: None
) -> list[Task]:
    """Make a data set.

    Args:
        seed: Fixes everything: plans, words, the world's values.
        share: Of the paper's sizes.
        watch: Told after every candidate how many there are, and how many there will be.

    Returns:
        Proven tasks in stratified order, named and numbered.

    Raises:
        ValueError: The phrasings do not suffice for so many tasks.
    """
    wanted = cells(share)
    pools = _candidates(seed, wanted, watch)
    chosen: dict[Cell, list[Task]] = {}
    for steps in sorted({cell.steps for cell in wanted}):
        group = {cell: pools[cell] for cell in wanted if cell.steps == steps}
        chosen |= matched(
            group,
            {cell: wanted[cell] for cell in group},
            _length_bin([task for pool in group.values() for task in pool]),
            generator(seed, "select", steps),
        )
    return _named(chosen, seed)


def _candidates(
    seed: int, wanted: Mapping[Cell, int], watch: Callable[[int, int], None]
) -> dict[Cell, list[Task]]:
    """Make a surplus of different tasks for every cell."""
    maker = _Maker(seed)
    pools: dict[Cell, list[Task]] = {}
    total, done = sum(int(size * _SURPLUS) for size in wanted.values()), 0
    for cell, size in wanted.items():
        pool: list[Task] = []
        for task in maker.make(cell, int(size * _SURPLUS)):
            pool.append(task)
            done += 1
            watch(done, total)
        pools[cell] = pool
    every = [(cell, task) for cell, pool in pools.items() for task in pool]
    kept = without_duplicates([task.opening.text for _, task in every], _ALIKE)
    remaining: defaultdict[Cell, list[Task]] = defaultdict(list)
    for place in kept.indices:
        cell, task = every[place]
        remaining[cell].append(task)
    return remaining


class _Maker:
    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._book = Book()
        self._sampler = Sampler(generator(seed, "plans"))
        self.refused: Counter[str] = Counter()

    def make(self, cell: Cell, count: int) -> Iterator[Task]:
        """Yield so many proven candidates of one kind."""
        made = 0
        for turn in range(count * _TRIES):
            if made == count:
                return
            task = self._one(cell, generator(self._seed, "task", *cell, turn), f"{made:04}")
            if task is not None:
                made += 1
                yield task
        if made < count:
            reasons = ", ".join(f"{why} ({n})" for why, n in self.refused.most_common(3))
            raise ValueError(f"only {made} of {count} candidates for {cell}; refused: {reasons}")

    def _one(self, cell: Cell, rng: random.Random, name: str) -> Task | None:
        wish = Wish(cell.boundary, cell.steps, linked=cell.topology is Topology.MULTI_HOP)
        sketches = self._sampler.sketch(wish)
        parts = carried_out(sketches, rng, self._seed) if sketches else None
        if sketches is None or parts is None:
            return self._refuse("no plan")
        tone = rng.choices(list(_TONES), list(_TONES.values()))[0]
        try:
            composed = compose(parts, tone, rng, self._book)
            provenance = {"generator": GENERATOR, "seed": self._seed, "register": tone}
            task = frozen(parts, composed, name, {**provenance}, rng)
        except (NoWords, NoFact) as error:
            return self._refuse(type(error).__name__)
        if (
            sum(len(step.wants) for step in task.plan) > _MOST_FACTS
            or len(task.opening.text.split()) > _LONGEST
        ):
            return self._refuse("too long")
        if complaint := unproven(task, self._seed):
            return self._refuse(complaint)
        self._sampler.note(sketches)
        self._book.used.update(composed.phrasings)
        return task

    def _refuse(self, why: str) -> None:
        self.refused[why] += 1


def _length_bin(pool: Sequence[Task]) -> Callable[[Task], tuple[int, int, int]]:
    """Return what puts a task into a bin of equal words, equal letters per word, and equal sentences."""
    lengths = edges([_length(task) for task in pool], _LENGTH_BINS)
    densities = edges([_density(task) for task in pool], _DENSITY_BINS)
    return lambda task: (
        bin_of(_length(task), lengths),
        bin_of(_density(task), densities),
        min(_MOST_SENTENCES, len(_SENTENCE_END.findall(task.opening.text))),
    )


def _length(task: Task) -> float:
    return len(task.opening.text.split())


def _density(task: Task) -> float:
    return len(task.opening.text) / _length(task)


def _named(chosen: Mapping[Cell, Sequence[Task]], seed: int) -> list[Task]:
    buckets: defaultdict[tuple[Boundary, Topology], list[Task]] = defaultdict(list)
    for cell, found in chosen.items():
        buckets[cell.boundary, cell.topology].extend(found)
    finished: list[list[Task]] = []
    for (boundary, topology), bucket in sorted(buckets.items()):
        generator(seed, "order", boundary, topology).shuffle(bucket)
        finished.append(
            [
                _renamed(task, f"everyday-{boundary.value}-{topology.value}-{number:03}")
                for number, task in enumerate(bucket, start=1)
            ]
        )
    return interleaved(finished)


def _renamed(task: Task, name: str) -> Task:
    return task.model_copy(update={"id": name, "cluster": name})
