"""The written difficulty limits: what a model does reliably in text, and what it does not.

An internal sub-task lies under these limits, an external one that is external
for its size alone lies over them. They are on the cautious side: below them, the arithmetic is what
an adult does with pencil and paper in a minute. Tasks keep a distance to both sides of each line.
"""

import datetime as dt
from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Final

LONGER_FACTOR_DIGITS: Final = 3
SHORTER_FACTOR_DIGITS: Final = 2
DECIMALS: Final = 2
WHOLE_DIGITS: Final = 5
"""Round numbers such as 12,000 have few significant digits; past this size they stop being handy."""
ADDENDS: Final = 5
ADDEND_DIGITS: Final = 4
WORDS: Final = 40
REVERSED_CHARACTERS: Final = 20
"""Spelling backwards goes letter by letter, which is harder for a model than reading words."""
LINES: Final = 10
YEARS: Final = 2
DAYS: Final = 92


def digits(number: float) -> int:
    """Return the number of significant digits: 1,500 has two, 0.25 has two, 1.08 has three."""
    return len(_plain(number).as_tuple().digits)


def decimals(number: float) -> int:
    """Return the number of digits behind the decimal point."""
    exponent = _plain(number).as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0


def handy(number: float, most_digits: int) -> bool:
    """Whether a number has few enough digits, decimals and places before the point."""
    whole = len(str(int(abs(_plain(number)))))
    return digits(number) <= most_digits and decimals(number) <= DECIMALS and whole <= WHOLE_DIGITS


def product(left: float, right: float) -> bool:
    """At most three digits times two digits, at most two decimals each."""
    shorter, longer = sorted((left, right), key=digits)
    return two_digits(shorter) and three_digits(longer)


def total(addends: Sequence[float]) -> bool:
    """At most five numbers of at most four digits, at most two decimals."""
    return len(addends) <= ADDENDS and all(handy(number, ADDEND_DIGITS) for number in addends)


def pasted(text: str, source: str = "text") -> bool:
    """A text that stands in the query (not in the user's notes), of at most forty words."""
    return source == "text" and len(text.split()) <= WORDS


def pasted_lines(text: str, source: str = "text") -> bool:
    """Lines that stand in the query (not in the user's notes), at most ten of them."""
    return pasted(text, source) and len(text.splitlines()) <= LINES


def letters(words: str) -> bool:
    """At most twenty characters, for work that goes letter by letter."""
    return len(words) <= REVERSED_CHARACTERS


def span(first: str, last: str) -> bool:
    """At most about a quarter of a year between two ISO dates."""
    distance = dt.date.fromisoformat(last) - dt.date.fromisoformat(first)
    return abs(distance.days) <= DAYS


def few_days(days: int) -> bool:
    """At most about a quarter of a year, forwards or backwards."""
    return abs(days) <= DAYS


def at_most(most: float) -> Callable[[float], bool]:
    """Return the limit of a number."""
    return lambda number: number <= most


def no_longer(most: int) -> Callable[[str], bool]:
    """Return the limit of a text's length in characters."""
    return lambda words: len(words) <= most


def two_digits(number: float) -> bool:
    """A handy number of at most two significant digits."""
    return handy(number, SHORTER_FACTOR_DIGITS)


def three_digits(number: float) -> bool:
    """A handy number of at most three significant digits."""
    return handy(number, LONGER_FACTOR_DIGITS)


def interest(principal: float, percent: float, years: int) -> bool:
    """At most two years at a whole rate of one significant digit, on a sum of at most two."""
    return years <= YEARS and two_digits(principal) and handy(percent, 1) and decimals(percent) == 0


def _plain(number: float) -> Decimal:
    return Decimal(repr(number) if isinstance(number, float) else number).normalize()
