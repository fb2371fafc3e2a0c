"""How far plain words lead: the score of an agent that only matches the request with the tools.

It says that a request can be handled if some offered tool's name and description match its words well enough
(BM25, rarity counted over all tools of the world). Its threshold is the best one for the data, which no
agent knows beforehand. It reads request and tools together, so it may well be better than chance; how much
better says how hard a level is for whoever reads no more than words.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from knowact.retrieval.bm25 import scores
from knowact.suites.ict.cases import Pair, Version
from knowact.worlds.everyday.catalogue import TOOLS
from version_1.ict.similar import text_of


@dataclass(frozen=True, slots=True)
class Lexical:
    """The score on some pairs.

    Attributes:
        accuracy: Balanced, over both versions of each pair.
        both: The share of pairs with both versions right.
    """

    accuracy: float
    both: float


def best_threshold(pairs: Sequence[Pair]) -> float:
    """Return the threshold with the best accuracy over both versions of some pairs; the lowest of equals."""
    found = _scored(pairs)
    every = sorted({score for both in found for score in both})
    return max(every, key=lambda one: (_accuracy(found, one), -one))


def lexical(pairs: Sequence[Pair], threshold: float) -> Lexical:
    """Score some pairs at a threshold."""
    found = _scored(pairs)
    right = sum(complete >= threshold > incomplete for complete, incomplete in found)
    return Lexical(_accuracy(found, threshold), right / len(found))


def _accuracy(found: Sequence[tuple[float, float]], threshold: float) -> float:
    hits = sum((complete >= threshold) + (incomplete < threshold) for complete, incomplete in found)
    return hits / (2 * len(found))


def _scored(pairs: Sequence[Pair]) -> list[tuple[float, float]]:
    return [(_best(pair.complete_version), _best(pair.incomplete_version)) for pair in pairs]


def _best(version: Version) -> float:
    """The best match of the last message with an offered tool, rounded so that machines agree."""
    matches = _matches(version.task.opening.utterances[-1].text)
    return round(max((matches[name] for name in version.offered), default=0.0), 6)


@lru_cache(maxsize=4_096)
def _matches(request: str) -> dict[str, float]:
    texts = [text_of(tool.name, tool.description) for tool in TOOLS]
    return dict(zip((tool.name for tool in TOOLS), scores(request, texts), strict=True))
