"""Numbers as people write them: every value that a written number may have.

Nothing here understands a sentence. A text's numbers are found by their digits, and each is read under both
conventions for separators; only where there are no digits are English number words looked up.
"""

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

_DIGITS: Final = re.compile(r"\d+(?:[.,' \u066b\u066c\u00b7]\d+)*")
_DECIMAL: Final = frozenset(".,\u066b\u00b7")
_GROUPING: Final = frozenset(".,' \u066c")
_SPLIT: Final = re.compile(r"([.,' \u066b\u066c\u00b7])")
_POWER: Final = re.compile(r"e([+-]?\d{1,2})(?!\w)|\s?[x\u00d7\u00b7]\s?10\s?\^?\s?(-?\d{1,2})(?!\w)")
_OVER: Final = re.compile(r"/(\d{1,6})(?![\d/])")
_SCALE: Final = re.compile(r"[ -]?([^\W\d_]+)")
_VULGAR: Final = {
    sign: f" {above}/{below}"
    for sign, above, below in (
        *(("\u00bd", 1, 2), ("\u00bc", 1, 4), ("\u00be", 3, 4), ("\u2153", 1, 3), ("\u2154", 2, 3)),
        *(("\u2155", 1, 5), ("\u2156", 2, 5), ("\u2157", 3, 5), ("\u2158", 4, 5)),
        *(("\u2159", 1, 6), ("\u215a", 5, 6), ("\u215b", 1, 8), ("\u215c", 3, 8), ("\u215d", 5, 8)),
        ("\u215e", 7, 8),
    )
}
_LONGEST: Final = 40
"""Digits of a number that is read; Python refuses to convert thousands of them."""

SCALES: Final = {
    **dict.fromkeys(("k", "thousand", "tausend", "tsd", "mille", "mil", "mila", "duizend"), 1e3),
    **dict.fromkeys(("mn", "mio", "million", "millions", "millionen", "millones", "milioni"), 1e6),
    **dict.fromkeys(("bn", "mrd", "billion", "billions", "milliarden", "miliardi", "milliards"), 1e9),
    **dict.fromkeys(("lakh", "lakhs"), 1e5),
    **dict.fromkeys(("crore", "crores"), 1e7),
    **dict.fromkeys(("dozen",), 12.0),
    **dict.fromkeys(("hundred",), 1e2),
}
"""Words and letters that multiply the number before them."""

_THOUSAND: Final = 1e3

_SMALL: Final = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven"),
    *("twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS: Final = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_WORDS: Final = {word: float(value) for value, word in enumerate(_SMALL)} | {
    word: float(10 * value) for value, word in enumerate(_TENS, 2)
}
_WORD: Final = re.compile(r"[a-z]+")
_JOINTS: Final = frozenset({"and", "a", "an"})


@dataclass(frozen=True, slots=True)
class Number:
    """One number as it was written.

    Attributes:
        readings: Every value that it may have.
        step: The worth of its last digit, so that half of it is what rounding may have cost.
        start: Where it begins.
        end: Where it ends, scale words included.
    """

    readings: frozenset[float]
    step: float
    start: int
    end: int


def spelled_fractions(text: str) -> str:
    """The text with signs such as one half written as "1/2"."""
    return "".join(_VULGAR.get(sign, sign) for sign in text)


def numbers_in(text: str) -> list[Number]:
    """Find the numbers of a folded text by their digits, in order."""
    return [number for match in _DIGITS.finditer(text) for number in _read(text, match)]


def _read(text: str, match: re.Match[str]) -> Iterator[Number]:
    """A run of digits and separators: one number, or several with blanks between them."""
    whole = _readings(match[0])
    if whole:
        yield _scaled(text, match.start(), match.end(), match[0], whole)
    if " " in match[0]:
        start = match.start()
        for piece in match[0].split(" "):
            if readings := _readings(piece):
                yield _scaled(text, start, start + len(piece), piece, readings)
            start += len(piece) + 1


def _readings(written: str) -> frozenset[float]:
    """The values of digits under both conventions; nothing where no convention writes a number so."""
    pieces = _SPLIT.split(written)
    groups, marks = pieces[::2], pieces[1::2]
    if sum(map(len, groups)) > _LONGEST:
        return frozenset()
    if not marks:
        return frozenset({float(written)})
    values: set[float] = set()
    if len(set(marks)) == 1 and marks[0] in _GROUPING and _are_thousands(groups):
        values.add(float("".join(groups)))
    if marks[-1] in _DECIMAL and marks[-1] not in marks[:-1] and len(set(marks[:-1])) <= 1:
        whole = groups[:-1]
        if len(whole) == 1 or (marks[0] in _GROUPING and _are_thousands(whole)):
            values.add(float(f"{''.join(whole)}.{groups[-1]}"))
    return frozenset(values)


def _are_thousands(groups: list[str]) -> bool:
    """Whether groups of digits are those of a large number, in the Indian way, too."""
    lengths = [len(group) for group in groups]
    inner = set(lengths[1:-1])
    return 0 < lengths[0] <= 3 and lengths[-1] == 3 and (inner <= {3} or inner <= {2})  # noqa: PLR2004


def _scaled(text: str, start: int, end: int, written: str, readings: frozenset[float]) -> Number:
    """The number with its sign, power, fraction or scale word."""
    decimals = max(
        (len(written) - 1 - written.rfind(mark) for mark in _DECIMAL if mark in written), default=0
    )
    factor = 1.0
    if power := _POWER.match(text, end):
        factor, end = 10.0 ** int(power[1] or power[2]), power.end()
    elif (over := _OVER.match(text, end)) and int(over[1]):
        mixed = re.search(r"(?<![\d.,/])(\d{1,6}) $", text[max(0, start - 8) : start])
        whole = float(mixed[1]) if mixed else 0.0
        start -= len(mixed[0]) if mixed else 0
        readings = frozenset(whole + reading / int(over[1]) for reading in readings) | readings
        end = over.end()
    elif (
        (scale := _SCALE.match(text, end)) and scale[1] in SCALES and not (len(scale[1]) == 1 < len(scale[0]))
    ):
        factor, end = SCALES[scale[1]], scale.end()
    negative = text[start - 1 : start] == "-" and not text[max(0, start - 2) : start - 1].isalnum()
    sign = -1.0 if negative else 1.0
    return Number(
        frozenset(sign * factor * reading for reading in readings), factor * 10.0**-decimals, start, end
    )


def number_in_words(text: str) -> float | None:
    """Read a folded text that is one number in English words, whatever follows it; None where it is not.

    "Twelve hundred and fifty seats" is 1,250; "minus four" is -4.
    """
    words = _WORD.findall(text)
    sign = -1.0 if words[:1] == ["minus"] else 1.0
    total, part, seen = 0.0, 0.0, False
    for word in words[sign < 0 :]:
        if word in _WORDS:
            part, seen = part + _WORDS[word], True
        elif word in SCALES and len(word) > 2:  # noqa: PLR2004 - letters such as "k" go with digits
            part, seen = (part or 1) * SCALES[word], True
            if SCALES[word] >= _THOUSAND:
                total, part = total + part, 0.0
        elif word not in _JOINTS:
            break
    return sign * (total + part) if seen else None


def digits_of(text: str) -> list[int]:
    """The runs of digits in a text, as whole numbers."""
    runs = ("".join(run) for is_digit, run in itertools.groupby(text, str.isdigit) if is_digit)
    return [int(run) for run in runs if len(run) <= _LONGEST and run.isdecimal()]
