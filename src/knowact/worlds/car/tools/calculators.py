"""Cross-domain: sums, and times of day (CAR-bench)."""

import datetime as dt
import math
from collections.abc import Callable, Mapping
from typing import Annotated, Final, NoReturn, TypedDict

from knowact.worlds.car.contract import Car, Fault, car_tool, refuse
from knowact.worlds.typed.schema import Attribute, Rules, Shape, fact

_DEEPEST: Final = 40
"""Nobody nests deeper, and brackets must not use up the interpreter's stack."""
_LARGEST: Final = 1e300
"""Beyond this a result is no use to anybody, and the next step might not be a number."""
_SYMBOLS: Final = "+-*/()"


def value_of(expression: str, *, powers: bool) -> float:
    """Return what a sum comes to.

    Args:
        expression: Digits, points, + - * / ( ) and spaces.
        powers: Whether ** is understood, too.

    Raises:
        Refusal: It is no such sum, or it has no value.
    """
    reader = _Reader(_tokens(expression, powers=powers))
    value = reader.sum(0)
    if reader.next is not None:
        _refuse(f"{reader.next!r} is not expected there.")
    return value


def _tokens(expression: str, *, powers: bool) -> list[str]:
    tokens: list[str] = []
    for character in expression:
        if character.isspace():
            tokens.append("")
        elif character in _SYMBOLS:
            joins = powers and character == "*" and bool(tokens) and tokens[-1] == "*"
            if joins:
                tokens[-1] = "**"
            else:
                tokens.append(character)
        elif character in "0123456789.":
            if tokens and tokens[-1] and tokens[-1][-1] in "0123456789.":
                tokens[-1] += character
            else:
                tokens.append(character)
        else:
            _refuse(f"{character!r} is no part of a sum.")
    return [token for token in tokens if token]


class _Reader:
    """Reads tokens from left to right, by the usual rules of precedence."""

    def __init__(self, tokens: list[str]) -> None:
        self._tokens, self._at = tokens, 0

    @property
    def next(self) -> str | None:
        return self._tokens[self._at] if self._at < len(self._tokens) else None

    def sum(self, depth: int) -> float:
        value = self._product(depth)
        while self.next in {"+", "-"}:
            value = _applied(self._take(), value, self._product(depth))
        return value

    def _take(self) -> str:
        self._at += 1
        return self._tokens[self._at - 1]

    def _close(self) -> None:
        if self.next != ")":
            _refuse("A bracket is not closed.")
        self._take()

    def _product(self, depth: int) -> float:
        value = self._signed(depth)
        while self.next in {"*", "/"}:
            value = _applied(self._take(), value, self._signed(depth))
        return value

    def _signed(self, depth: int) -> float:
        negative = False
        while self.next in {"+", "-"}:
            negative ^= self._take() == "-"
        value = self._power(depth)
        return -value if negative else value

    def _power(self, depth: int) -> float:
        base = self._operand(depth)
        if self.next != "**":
            return base
        if depth == _DEEPEST:
            _refuse("It is nested too deeply.")
        self._take()
        return _applied("**", base, self._signed(depth + 1))

    def _operand(self, depth: int) -> float:
        if self.next == "(":
            if depth == _DEEPEST:
                _refuse("It is nested too deeply.")
            self._take()
            value = self.sum(depth + 1)
            self._close()
            return value
        if self.next is None:
            _refuse("Something is missing at the end.")
        token = self._take()
        try:
            return _bounded(float(token))
        except ValueError:
            _refuse(f"{token[:40]!r} is no number.")


def _divided(left: float, right: float) -> float:
    if right == 0:
        _refuse("It divides by zero.")
    return left / right


def _raised(left: float, right: float) -> float:
    try:
        value: object = left**right
    except (OverflowError, ZeroDivisionError):
        _refuse("The power has no value that could be told.")
    if not isinstance(value, float):
        _refuse("The power has no real value.")
    return value


_OPERATIONS: Final[Mapping[str, Callable[[float, float], float]]] = {
    "+": lambda left, right: left + right,
    "-": lambda left, right: left - right,
    "*": lambda left, right: left * right,
    "/": _divided,
    "**": _raised,
}


def _applied(symbol: str, left: float, right: float) -> float:
    return _bounded(_OPERATIONS[symbol](left, right))


def _bounded(value: float) -> float:
    if not math.isfinite(value) or abs(value) > _LARGEST:
        _refuse("The numbers become too large.")
    return value


def _refuse(message: str) -> NoReturn:
    # The published calculator answers in words, and nobody counts that.
    fix = "Use digits, + - * / and brackets."
    refuse("bad_arguments", f"This sum has no result: {message}", fix, fault=Fault.UNLOGGED)


_PUBLISHED_MONTH: Final = 30
"""In the published calculator every month has so many days, and none follows upon it."""
Long = Annotated[int, Rules(minimum=-100_000, maximum=100_000)]
Year = Annotated[int, Rules(minimum=1, maximum=9999)]
Month = Annotated[int, Rules(minimum=1, maximum=12)]
Day = Annotated[int, Rules(minimum=1, maximum=31)]
Hour = Annotated[int, Rules(minimum=0, maximum=23)]
Minute = Annotated[int, Rules(minimum=0, maximum=59)]


class MathResult(Shape):
    result: float = fact("sum.result", "What it comes to, rounded to two decimals.")


@car_tool("Cross-domain")
def calculate_math(
    car: Car, expression: Annotated[str, Rules(max_length=500), Attribute("sum.expression")]
) -> MathResult:
    """Work out a sum.

    Args:
        expression: Numbers, + - * / and brackets, such as "(3 + 4) * 2.5".
    """
    return MathResult(result=round(value_of(expression, powers=car.published), 2))


_PARTS: Final = ("year", "month", "day", "hour", "minute")


class DateTime(Shape):
    """A minute of a day."""

    year: Year = fact("moment.year", "The year.")
    month: Month = fact("moment.month", "1 to 12.")
    day: Day = fact("moment.day", "Of the month.")
    hour: Hour = fact("moment.hour", "0 to 23.")
    minute: Minute = fact("moment.minute", "0 to 59.")


class Moment(TypedDict):
    """The minute of a day that a call starts from."""

    year: Annotated[Year, "The year."]
    month: Annotated[Month, "1 to 12."]
    day: Annotated[Day, "Of the month."]
    hour: Annotated[Hour, "0 to 23."]
    minute: Annotated[Minute, "0 to 59."]


class Span(TypedDict):
    """A length of time."""

    hours: Annotated[Long, "Hours."]
    minutes: Annotated[Long, "Minutes, beside the hours."]


@car_tool("Cross-domain")
def calculate_datetime(
    car: Car,
    original_datetime: Annotated[Moment, Attribute("moment.start")],
    times_to_add: Annotated[list[Span], Rules(max_items=100), Attribute("moment.spans")],
) -> DateTime:
    """Work out which date and time it is some hours and minutes after another.

    Args:
        original_datetime: The date and time to start from.
        times_to_add: The lengths of time to add, one after the other.
    """
    minutes = sum(60 * int(span["hours"]) + int(span["minutes"]) for span in times_to_add)
    if car.published:
        return _in_months_of_thirty_days(original_datetime, minutes)
    try:
        year, month, day, hour, minute = (int(original_datetime[name]) for name in _PARTS)
        began = dt.datetime(year, month, day, hour, minute)  # noqa: DTZ001 - the car has one clock
        end = began + dt.timedelta(minutes=minutes)
    except (ValueError, OverflowError):
        refuse("bad_arguments", "There is no such date.", "Check day, month and year.", fault=Fault.UNLOGGED)
    return DateTime.of(end)


def _in_months_of_thirty_days(start: Moment, minutes: int) -> DateTime:
    days, minute = divmod(int(start["hour"]) * 60 + int(start["minute"]) + minutes, 24 * 60)
    day = int(start["day"]) + days
    if not 1 <= day <= _PUBLISHED_MONTH:
        refuse("bad_arguments", f"There is no day {day} in a month.", fault=Fault.UNLOGGED)
    return DateTime(
        year=int(start["year"]), month=int(start["month"]), day=day, hour=minute // 60, minute=minute % 60
    )
