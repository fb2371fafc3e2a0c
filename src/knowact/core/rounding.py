"""How a number is rounded and written: on the page, on the terminal and in charts."""

import math

from knowact.core.table import Estimate


def number_text(
    value: float | None, *, percent: bool, signed: bool = False, places: int = 1, counts: bool = False
) -> str:
    """Return a number as people read it, with a true minus sign; a dash where it was not measured.

    Args:
        value: A fraction, or any number when `percent` is off (then with two decimals at least).
        percent: Show it times 100.
        signed: Show the plus of a change, too.
        places: Decimals of a percentage.
        counts: Show a whole number, with commas between thousands.
    """
    if value is None or not math.isfinite(value):
        return "\N{EN DASH}"
    if counts:
        return f"{value:,.0f}"
    decimals = places if percent else max(2, places)
    shown = round(value * 100 if percent else value, decimals) + 0.0  # no "-0.0"
    return f"{shown:{'+' if signed else ''}.{decimals}f}".replace("-", "\N{MINUS SIGN}")


def interval_text(estimate: Estimate, *, percent: bool, signed: bool = False, places: int = 1) -> str:
    """Return "47.0 to 59.1", or "none given"."""
    if estimate.low is None or estimate.high is None:
        return "none given"
    ends = (
        number_text(end, percent=percent, signed=signed, places=places)
        for end in (estimate.low, estimate.high)
    )
    return " to ".join(ends)


def brackets(estimate: Estimate, *, percent: bool, places: int = 1) -> str:
    """Return "[47.0, 59.1]", or nothing where no interval is given."""
    if estimate.low is None or estimate.high is None:
        return ""
    ends = (number_text(end, percent=percent, places=places) for end in (estimate.low, estimate.high))
    return f"[{', '.join(ends)}]"


def count(number: int, noun: str) -> str:
    """Return "1 tool", "2 tools"."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
