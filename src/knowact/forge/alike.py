"""Which tools of a world are alike, and how much (ICT).

A tool's text is its name and description; a retriever ranks all other tools by it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from knowact.core.errors import UnknownName
from knowact.core.tool import Tool
from knowact.retrieval import bm25

BM25: Final = "bm25"
EMBEDDINGS: Final = "embeddings:"
"""Before the name or the folder of a sentence-transformers model."""
DIGITS: Final = 6
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
    """The other tools of a world by tool, most similar first."""

    ranked: Mapping[str, tuple[str, ...]]

    def rank(self, tool: str, other: str) -> int:
        """Return the place of a tool among the others, from 1."""
        return self.ranked[tool].index(other) + 1


def neighbours(tools: Sequence[Tool], retriever: str = BM25) -> Neighbours:
    """Rank the tools of a world.

    Args:
        tools: All of them.
        retriever: As `scorer` takes it.
    """
    compare = scorer(retriever)
    texts = {tool.name: text_of(tool) for tool in tools}
    ranked: dict[str, tuple[str, ...]] = {}
    for name, text in texts.items():
        scored = zip(texts, compare(text, list(texts.values())), strict=True)
        order = sorted((-round(score, DIGITS), other) for other, score in scored if other != name)
        ranked[name] = tuple(other for _, other in order)
    return Neighbours(ranked)


def text_of(tool: Tool) -> str:
    """What retrievers read of a tool."""
    return f"{tool.name}: {tool.description}"
