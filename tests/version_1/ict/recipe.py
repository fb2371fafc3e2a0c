"""`ict/everyday`: how many pairs of which kind.

Spec ict.md, section 4: 423 and 477 pairs with replaced tools, 304 and 406 with something unsaid, in dialogues
and in single requests. Partly possible ones, which the paper threw away, come on top.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping
from typing import Final

from knowact.core.proof import Possibility
from knowact.core.seeds import generator
from knowact.forge.choose import interleaved
from knowact.suites.ict.cases import Level, Manipulation, Pair, Source
from version_1.ict.making import LEVELS, Cell, Maker
from version_1.ict.similar import BM25

SIZES: Final[Mapping[Cell, int]] = {
    Cell(Source.MULTI_TURN, Manipulation.REPLACEMENT, Possibility.IMPOSSIBLE): 423,
    Cell(Source.SINGLE_REQUEST, Manipulation.REPLACEMENT, Possibility.IMPOSSIBLE): 477,
    Cell(Source.MULTI_TURN, Manipulation.REMOVAL, Possibility.IMPOSSIBLE): 304,
    Cell(Source.SINGLE_REQUEST, Manipulation.REMOVAL, Possibility.IMPOSSIBLE): 406,
    Cell(Source.MULTI_TURN, Manipulation.REPLACEMENT, Possibility.PARTLY): 26,
    Cell(Source.SINGLE_REQUEST, Manipulation.REPLACEMENT, Possibility.PARTLY): 26,
    Cell(Source.MULTI_TURN, Manipulation.REMOVAL, Possibility.PARTLY): 24,
    Cell(Source.SINGLE_REQUEST, Manipulation.REMOVAL, Possibility.PARTLY): 24,
}
_TWO, _THREE = 2, 3


def sizes(share: float) -> dict[Cell, int]:
    """Return how many pairs of each kind there are, at a share of the paper's sizes."""
    found: dict[Cell, int] = {}
    for cell, size in SIZES.items():
        wanted = max(_TWO, round(size * share))
        found[cell] = wanted + wanted % _TWO if cell.halves else wanted
    return found


def groups(size: int) -> list[tuple[Level, int]]:
    """Return the groups that replacements come in: the level of each, and how many pairs it has."""
    twos = {level: round(size * share / _TWO) for level, share in LEVELS.items()}
    while sum(twos.values()) * _TWO > size - _TWO and any(twos.values()):
        twos[max(twos, key=lambda level: twos[level])] -= 1
    left = size - _TWO * sum(twos.values())
    rows = [_THREE] * (left % _TWO)
    rows += [_TWO] * ((left - sum(rows)) // _TWO)
    found = [(level, _TWO) for level, count in twos.items() for _ in range(count)]
    return found + [(Level.ABSENT, length) for length in rows]


def pairs(seed: int, share: float, watch: Callable[[int, int], None], retriever: str = BM25) -> list[Pair]:
    """Make a data set: proven pairs in stratified order, named and numbered.

    Args:
        seed: Fixes everything: plans, words, the world's values.
        share: Of the paper's sizes.
        watch: Told how many pairs there are, and how many there will be.
        retriever: What ranks tools by likeness; see `similar.scorer`.

    Raises:
        ValueError: The phrasings do not suffice for so many pairs.
    """
    wanted = sizes(share)
    maker = Maker(seed, retriever)
    total, done = sum(wanted.values()), 0
    found: dict[Cell, list[Pair]] = {}
    for cell, size in wanted.items():
        found[cell] = []
        for pair in _of(cell, size, maker):
            found[cell].append(_named(pair, cell, len(found[cell]) + 1))
            done += 1
            watch(done, total)
    return _ordered(found, seed)


def _of(cell: Cell, size: int, maker: Maker) -> "list[Pair]":
    if cell.manipulation is Manipulation.REMOVAL:
        return [maker.removal(cell, number) for number in range(size)]
    plan = groups(size)
    if cell.halves:
        plan = [(list(LEVELS)[place % len(LEVELS)], _TWO) for place in range(size // _TWO)]
    found: list[Pair] = []
    for number, (level, length) in enumerate(plan):
        shared = f"{cell.stem}-group-{number + 1:03}"
        made = maker.replacements(cell, number, level, length)
        found += [pair.model_copy(update={"crossed": shared}) for pair in made]
    return found


def _named(pair: Pair, cell: Cell, number: int) -> Pair:
    name = f"{cell.stem}-{number:03}"
    task = pair.task.model_copy(update={"id": name, "cluster": name})
    return pair.model_copy(update={"id": name, "cluster": name, "task": task})


def _ordered(found: Mapping[Cell, list[Pair]], seed: int) -> list[Pair]:
    """Put pairs into stratified order: every prefix is a fair sample of kinds and levels."""
    cells: list[list[Pair]] = []
    for cell, made in found.items():
        kinds: defaultdict[str, list[Pair]] = defaultdict(list)
        for pair in made:
            kinds[pair.level or (pair.lost.what if pair.lost else "")].append(pair)
        for kind in sorted(kinds):
            generator(seed, "order", cell.stem, kind).shuffle(kinds[kind])
        cells.append(interleaved([kinds[kind] for kind in sorted(kinds)]))
    return interleaved(cells)
