"""Which values of a reply need no explaining: the request has them, or a known fact does."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from knowact.core.task import Fact
from knowact.reading.folding import fold
from knowact.reading.mentions import Mention, Value, find_mentions
from knowact.reading.reply import detect_language
from knowact.reading.units import units

_SMALL: Final = 100
"""Whole numbers below this turn up everywhere: that the request has one explains none in another unit."""
_ROUNDED: Final = 0.005
"""A number that differs from a known one by less than this share of it is that one, rounded for talking."""
_POWERS: Final = (10.0, 100.0, 1000.0, 0.1, 0.01, 0.001)
"""Between the units of one size ("190 cm", "1.90 m")."""
_METRIC: Final = frozenset({"mm", "cm", "m", "km", "g", "kg", "ml", "cl", "l"})
_DAY: Final = (
    r"today|tomorrow|yesterday|monday|tuesday|wednesday|thursday|friday|saturday|sunday|heute|morgen|hoy|"
    r"aujourd'hui|demain|vandaag"
)
_NAMED_DAY: Final = re.compile(rf"\b({_DAY})(?: is| being)?[ ,(]+(?:the )?\Z")
_PRESENT: Final = frozenset({"today", "tomorrow", "yesterday", "heute", "morgen", "vandaag"})
_AS_OF: Final = re.compile(r"\b(?:as of|today is|today's date(?: is|:)?) (?:\w+, )?\Z")


@dataclass(frozen=True, slots=True)
class Explained:
    """What the request says and what is known.

    Attributes:
        request: The request, in folded lower case.
        asked: The values in it.
        known: Those of the known facts.
    """

    request: str
    asked: tuple[Mention, ...]
    known: tuple[Mention, ...]

    def by_request(self, mention: Mention, plain: str) -> bool:
        """Whether the request has the value, or names the day that it dates.

        Args:
            mention: The value.
            plain: The text that it stands in.
        """
        return any(_is_asked(mention, one) for one in self.asked) or self._is_named_day(mention, plain)

    def by_known(self, mention: Mention) -> bool:
        """Whether a known fact has the value."""
        return any(one.kind == mention.kind and _same(mention, one, _ROUNDED) for one in self.known)

    def _is_named_day(self, mention: Mention, plain: str) -> bool:
        if mention.kind != "date":
            return False
        before = plain[max(0, mention.start - 40) : mention.start]
        named = _NAMED_DAY.search(before)
        if named is not None and (named[1] in _PRESENT or named[1] in self.request):
            return True
        return _AS_OF.search(before) is not None


def explained_by(request: str, known: Sequence[Fact]) -> Explained:
    """Collect the values that explain themselves."""
    folded = fold(request)
    told = [
        Mention("number", 0, 0, (float(fact.value),), units().of(fact.unit))
        for fact in known
        if fact.kind == "number"
    ]
    for fact in known:
        for words in (str(fact.value), *fact.aliases):
            told += [one for one in find_mentions(fold(words), "en") if fact.kind != "number" or one.unit]
    return Explained(folded.plain, tuple(find_mentions(folded, detect_language(folded.plain))), tuple(told))


def _is_asked(mention: Mention, asked: Mention) -> bool:
    if mention.kind != asked.kind or not _same(mention, asked, 0):
        return False
    if {mention.unit, asked.unit} <= _METRIC:
        return True
    if mention.kind != "number" or units().agree(mention.unit, asked.unit):
        return True
    if mention.unit and asked.unit:
        return False
    return not all(
        isinstance(value, float | int) and abs(value) < _SMALL and float(value).is_integer()
        for value in asked.values
    )


def _same(one: Mention, other: Mention, share: float) -> bool:
    if one.kind == "date":
        return any(_same_day(a, b) for a in one.values for b in other.values)
    if one.kind == "time":
        return bool(set(one.values) & set(other.values))
    powers = _POWERS if {one.unit, other.unit} <= _METRIC and one.unit != other.unit else (1.0,)
    return any(_equal(one, other, power, share) for power in powers)


def _equal(one: Mention, other: Mention, power: float, share: float = 0) -> bool:
    for a in one.values:
        for b in other.values:
            if isinstance(a, tuple) or isinstance(b, tuple):
                continue
            whole = float(b).is_integer() and abs(b) < _SMALL
            room = 0 if whole else share * abs(b * power)
            if abs(a - b * power) <= room + 1e-9 * max(1.0, abs(b * power)):
                return True
    return False


def _same_day(one: Value, other: Value) -> bool:
    if not isinstance(one, tuple) or not isinstance(other, tuple):
        return False
    return one[1:] == other[1:] and (one[0] == other[0] or 0 in {one[0], other[0]})
