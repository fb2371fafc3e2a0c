"""Results that are plausible, and wrong.

The best lie is the truth of another world: where the same call under another seed gives something else, that
is shown, whole, so that its fields agree with each other. What is the same there too (the sum of two numbers,
one word of three) is changed by rule: numbers of like size with as many decimals, other days and times, two
digits that changed places. A text without digits cannot be changed by rule, and stays; whoever needs it wrong
has to look whether it is (`conditions.broken.wrong_facts`).
"""

import datetime as dt
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from random import Random
from typing import Final, TypeGuard

from pydantic import JsonValue

from knowact.core.seeds import generator
from knowact.core.tool import Tool
from knowact.worlds.paths import joined

LEAST_SHARE: Final = 0.05
"""Numbers that differ by less are taken for the same: who checks a result roughly would let it pass."""

_ATTEMPTS: Final = 40
_SMALL: Final = 10
"""Whole numbers below it are counted up: a share of them would mostly be the same number."""
_LARGEST: Final = 1e15
"""Beyond it floats miss whole numbers, and far beyond it whole numbers fit no float; NaN is not below it."""
_TIME: Final = re.compile(r"([01]\d|2[0-3]):([0-5]\d)")
_DATE: Final = re.compile(r"\d{4}-\d{2}-\d{2}(?!\d)")
_LAST_YEAR: Final = 9000
"""Later days are moved back, because there is no year 10,000."""


def distorted(tool: Tool, true: JsonValue, other: JsonValue = None) -> JsonValue:
    """Return what a broken tool reports in place of a true result; the same for the same arguments.

    Args:
        tool: Its echoes are left alone: a result about another city would be no plausible answer.
        true: What is really so.
        other: What the same call gives under another seed; None where nothing is known of that.

    Returns:
        A result in which no reported yes or no, number, date or time is the true one at its place, no number
        is a true one anywhere, and texts are others where there are others.
    """
    echoes = _echoes(tool)
    truth: dict[str, list[JsonValue]] = {}
    for path, leaf in reported(true, echoes):
        truth.setdefault(path, []).append(leaf)
    base = other if type(other) is type(true) else true
    return _Liar(tool.name, echoes, truth).changed(base, "")


def reported(result: JsonValue, echoes: Iterable[str]) -> Iterator[tuple[str, JsonValue]]:
    """Yield the ends of a result with their paths, as `Report.field` has them; not what is only echoed."""
    yield from _ends(result, "", frozenset(echoes))


def _echoes(tool: Tool) -> frozenset[str]:
    return frozenset(tool.capability.echoes if tool.capability is not None else ())


def _ends(value: JsonValue, path: str, echoes: frozenset[str]) -> Iterator[tuple[str, JsonValue]]:
    if path in echoes:
        return
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _ends(inner, joined(path, name), echoes)
    elif isinstance(value, list):
        for inner in value:
            yield from _ends(inner, f"{path}[]", echoes)
    else:
        yield path, value


def shows(tool: Tool, result: JsonValue, value: JsonValue | tuple[str, ...]) -> bool:
    """Whether a value can be read from what a tool's result reports: as a value, or as a word of a text.

    A yes or no never counts, nor does what the result only echoes.
    """
    if isinstance(value, bool) or value is None:
        return False
    leaves = [leaf for _, leaf in reported(result, _echoes(tool))]
    if _is_number(value) and any(_is_number(leaf) and leaf == value for leaf in leaves):
        return True
    text = str(int(value) if isinstance(value, float) and value.is_integer() else value)
    word = re.compile(rf"(?<!\w){re.escape(text)}(?!\w)", re.IGNORECASE)
    return any(isinstance(leaf, str) and word.search(leaf) for leaf in leaves)


@dataclass(frozen=True, slots=True)
class _Liar:
    """Rewrites one result. `truth` has the true ends by path."""

    tool: str
    echoes: frozenset[str]
    truth: Mapping[str, Sequence[JsonValue]]

    def changed(self, value: JsonValue, path: str) -> JsonValue:
        if path in self.echoes:
            return value
        if isinstance(value, dict):
            return {name: self.changed(inner, joined(path, name)) for name, inner in value.items()}
        if isinstance(value, list):
            return [self.changed(inner, f"{path}[]") for inner in value]
        if isinstance(value, bool):
            return not value if value in self.truth.get(path, ()) else value
        if isinstance(value, int | float):
            return self._number(value, path)
        return self._text(value, path) if isinstance(value, str) else value

    def _number(self, value: float, path: str) -> float:
        """Keep a number that is far from every true one, else find one of like size that is."""
        if not abs(value) <= _LARGEST:
            return value - value // 7
        truths = (leaf for leaves in self.truth.values() for leaf in leaves)
        avoided = [leaf for leaf in truths if _is_number(leaf) and abs(leaf) <= _LARGEST]
        if all(apart(value, number) for number in avoided):
            return value
        rng = self._rng(path, value)
        for attempt in range(_ATTEMPTS):
            zeros = _zeros(value) if attempt < _ATTEMPTS // 2 else 0
            candidate = _near(value, zeros, rng)
            if all(apart(candidate, number) for number in avoided):
                return candidate
        return type(value)(round(1.5 * max(map(abs, avoided)) + 1))

    def _text(self, value: str, path: str) -> str:
        true = {leaf.casefold() for leaf in self.truth.get(path, ()) if isinstance(leaf, str)}
        if value.casefold() not in true:
            return value
        rng = self._rng(path, value)
        for _ in range(_ATTEMPTS):
            value = _other_text(value, rng)
            if value.casefold() not in true:
                break
        return value

    def _rng(self, path: str, value: object) -> Random:
        return generator(0, "distort", self.tool, path, value)


def _is_number(value: object) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool)


def apart(first: float, second: float) -> bool:
    """Whether two numbers differ by more than rounding, a tolerance or a rough check would forgive."""
    least = LEAST_SHARE * max(abs(first), abs(second))
    decimals = max(_decimals(first), _decimals(second))
    return abs(first - second) > max(least, 2 * 10.0**-decimals if decimals else 0)


def _decimals(value: float) -> int:
    """How many decimals a number is written with; none for a whole one."""
    return 0 if float(value).is_integer() else len(f"{value:.10f}".rstrip("0").partition(".")[2])


def _zeros(value: float) -> int:
    """How many zeros a whole number ends with: 2,800 words are counted in hundreds."""
    digits = f"{abs(value):.0f}" if float(value).is_integer() else ""
    return len(digits) - len(digits.rstrip("0"))


def _near(value: float, zeros: int, rng: Random) -> float:
    """Return a number of like size: smaller, because much has an upper limit (shares, hours, places)."""
    if float(value).is_integer() and abs(value) < _SMALL:
        return value + rng.randint(1, 4)
    rounded = round(value * rng.uniform(0.55, 0.9), _decimals(value) or -zeros)
    return type(value)(rounded)


def _other_text(text: str, rng: Random) -> str:
    """Return another day, time or number in the same form; a text without digits comes back as it is."""
    if time := _TIME.fullmatch(text):
        minutes = int(time[1]) * 60 + int(time[2]) + 5 * rng.randint(4, 20)
        return f"{minutes // 60 % 24:02}:{minutes % 60:02}"
    if day := _DATE.match(text):
        moved = _other_day(day[0], rng)
        if moved:
            return moved + text[day.end() :]
    return _other_digits(text)


def _other_day(day: str, rng: Random) -> str:
    try:
        date = dt.date.fromisoformat(day)
    except ValueError:
        return ""
    # Whole weeks, so that a weekday beside it stays right and Sundays stay Sundays.
    days = 7 * rng.randint(1, 2)
    return (date + dt.timedelta(days=-days if date.year > _LAST_YEAR else days)).isoformat()


def _other_digits(text: str) -> str:
    """Let the last two unlike digits that follow each other change places; else count the last one up."""
    places = [place for place, sign in enumerate(text) if sign.isascii() and sign.isdigit()]
    for left, right in reversed(list(pairwise(places))):
        leads = text[right] == "0" and (left == 0 or not text[left - 1].isdigit())
        if text[left] != text[right] and not leads:
            return text[:left] + text[right] + text[left + 1 : right] + text[left] + text[right + 1 :]
    if not places:
        return text
    first, last = places[0], places[-1]
    turned = first if len(places) > 1 and text[last] == "0" else last
    return text[:turned] + str(int(text[turned]) % 9 + 1) + text[turned + 1 :]
