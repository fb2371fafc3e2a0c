"""BM25: how well a text matches a query by its words (Robertson and Zaragoza, 2009)."""

import math
import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

K1, B = 1.5, 0.75
"""The usual values: saturation of a term's frequency, and how much length counts."""

_WORD = re.compile(r"[^\W_]+")


def words(text: str) -> list[str]:
    """Lower-case words; `get_weather` and `getWeather` are two words each, a plural is its singular."""
    split = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text)
    return [_singular(word) for word in _WORD.findall(split.lower())]


def _singular(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word  # noqa: PLR2004


@lru_cache(maxsize=8192)
def _counted(text: str) -> Counter[str]:
    """A text's words with their numbers; kept, because one tool after the other is ranked among the same."""
    return Counter(words(text))


def scores(query: str, texts: Sequence[str]) -> list[float]:
    """Score each text against the query; 0 where they share no word.

    Args:
        query: Any text.
        texts: The collection; rarity of words is counted in it.
    """
    counted = [_counted(text) for text in texts]
    if not counted:
        return []
    mean_length = sum(count.total() for count in counted) / len(counted) or 1.0
    texts_with = Counter(word for count in counted for word in count)
    asked = set(words(query))
    return [
        math.fsum(
            math.log(1 + (len(counted) - texts_with[word] + 0.5) / (texts_with[word] + 0.5))
            * (count[word] * (K1 + 1))
            / (count[word] + K1 * (1 - B + B * count.total() / mean_length))
            for word in sorted(asked & count.keys())
        )
        for count in counted
    ]
