"""Which tools of the world are alike, and how much (spec ict.md, section 3.1).

A tool's text is its name and description; a retriever ranks all other tools by it. The paper takes "one of
the most similar" by one encoder and does not say which; here the rank is recorded and named as a level.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from knowact.core.errors import UnknownName
from knowact.retrieval import bm25
from knowact.suites.ict.cases import Level
from knowact.worlds.everyday.catalogue import TOOLS

BM25: Final = "bm25"
EMBEDDINGS: Final = "embeddings:"
"""Before the name or the folder of a sentence-transformers model."""
RANKS: Final[Mapping[Level, tuple[int, int]]] = {
    Level.NEAR: (1, 5),
    Level.MEDIUM: (6, 30),
    Level.FAR: (31, len(TOOLS) - 1),
}
"""First and last rank of each level, among all other tools of the world."""
_DIGITS: Final = 6
"""Scores are rounded, so that a last bit of floating point never decides about an order."""

Scorer = Callable[[str, Sequence[str]], Sequence[float]]
"""How well each of some texts matches a query."""


def scorer(retriever: str) -> Scorer:
    """Return a way to compare texts.

    Args:
        retriever: `bm25`, or `embeddings:MODEL`.

    Raises:
        BadUsage: There is no such retriever or model, or sentence-transformers is not installed.
    """
    if retriever == BM25:
        return bm25.scores
    if retriever.startswith(EMBEDDINGS):
        from knowact.retrieval.embeddings import Embedder

        return Embedder(retriever.removeprefix(EMBEDDINGS)).scores
    raise UnknownName("retriever", retriever, (BM25, f"{EMBEDDINGS}MODEL"))


@dataclass(frozen=True, slots=True)
class Neighbours:
    """The other tools of the world by tool, most similar first."""

    ranked: Mapping[str, tuple[str, ...]]

    def rank(self, tool: str, other: str) -> int:
        """Return the place of a tool among the others, from 1."""
        return self.ranked[tool].index(other) + 1

    def level(self, tool: str, other: str) -> Level:
        """Say how alike two tools are, seen from the first."""
        return level_of(self.rank(tool, other))

    def at(self, tool: str, level: Level) -> tuple[str, ...]:
        """Return the tools at a level that see this one at the same level: exchanges work both ways."""
        first, last = RANKS[level]
        near = self.ranked[tool][first - 1 : last]
        return tuple(other for other in near if self.level(other, tool) is level)


def level_of(rank: int) -> Level:
    """Return the level that a rank belongs to."""
    return next(level for level, (first, last) in RANKS.items() if first <= rank <= last)


@lru_cache(maxsize=4)
def neighbours(retriever: str = BM25) -> Neighbours:
    """Rank the tools of the everyday world.

    Args:
        retriever: As `scorer` takes it.
    """
    compare = scorer(retriever)
    names = [tool.name for tool in TOOLS]
    texts = [text_of(tool.name, tool.description) for tool in TOOLS]
    ranked: dict[str, tuple[str, ...]] = {}
    for name, text in zip(names, texts, strict=True):
        found = zip(names, compare(text, texts), strict=True)
        order = sorted((-round(score, _DIGITS), other) for other, score in found if other != name)
        ranked[name] = tuple(other for _, other in order)
    return Neighbours(ranked)


def text_of(name: str, description: str) -> str:
    """What retrievers read of a tool."""
    return f"{name}: {description}"
