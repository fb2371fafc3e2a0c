"""Money, work and figures, worked out a second time: in fractions, year by year and minute by minute.

Nothing here imports the world.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, Final

from suites.second.clock import minutes_until
from suites.second.days import day_before, next_day, weekday
from suites.second.exact import exact

Arguments = Mapping[str, Any]


def percentage(a: Arguments) -> dict[str, Fraction]:
    """A hundred equal parts of the amount; those that are not taken remain."""
    hundredth = exact(a["amount"]) / 100
    return {"part": hundredth * exact(a["percent"]), "remainder": hundredth * (100 - exact(a["percent"]))}


def grown(a: Arguments) -> dict[str, Fraction]:
    interest = Fraction(0)
    for _ in range(a["years"]):
        interest += (exact(a["principal"]) + interest) * exact(a["percent"]) / 100
    return {"final": exact(a["principal"]) + interest, "interest": interest}


def shared_bill(a: Arguments) -> dict[str, Fraction]:
    """Everybody pays a share of the bill, and the tip on that share."""
    share = exact(a["bill"]) / a["people"]
    with_tip = share + share * exact(a.get("tip_percent", 0)) / 100
    return {"per_person": with_tip, "total": with_tip * a["people"]}


def added(a: Arguments) -> dict[str, Any]:
    """What comes in and what is taken away, summed apart."""
    amounts = [exact(amount) for amount in a["amounts"]]
    comes, goes = Fraction(0), Fraction(0)
    for amount in amounts:
        comes, goes = comes + max(amount, Fraction(0)), goes + max(-amount, Fraction(0))
    return {"total": comes - goes, "count": sum(1 for _ in amounts)}


def pay(a: Arguments) -> dict[str, Fraction]:
    """The year's hours are paid; a week is one of its weeks."""
    weeks = a.get("weeks", 52)
    yearly = exact(a["hours_per_week"]) * weeks * exact(a["hourly_eur"])
    return {"weekly_eur": yearly / weeks, "yearly_eur": yearly}


def last_working_day(a: Arguments) -> dict[str, str]:
    day = a["given_on"]
    for _ in range(a["notice_days"]):
        day = next_day(day)
    while weekday(day) in {"Saturday", "Sunday"}:
        day = day_before(day)
    return {"last_working_day": day}


def worked(a: Arguments) -> dict[str, Any]:
    # Equal times are a whole day apart: such a shift ends on the next day.
    one = (minutes_until(a["start"], a["end"]) or 1440) - a.get("break_minutes", 0)
    total = 0
    for _ in range(a.get("shifts", 1)):
        total += one
    return {"minutes": total, "hours": Fraction(total, 60)}


def change(a: Arguments) -> dict[str, Fraction]:
    """How far the new figure is from 100 per cent of the old one."""
    return {"percent": abs(100 * exact(a["new"]) / exact(a["old"]) - 100)}


SECOND: Final[dict[str, Callable[[Arguments], Mapping[str, Any]]]] = {
    "get_percentage": percentage,
    "compound_interest": grown,
    "split_bill": shared_bill,
    "add_amounts": added,
    "get_yearly_pay": pay,
    "get_last_working_day": last_working_day,
    "get_working_time": worked,
    "get_percentage_change": change,
}
