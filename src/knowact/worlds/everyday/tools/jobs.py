"""Jobs: what is open, where the user's applications stand, and reckoning with pay, notice and shifts."""

import datetime as dt
from typing import Annotated, Final, Literal

from knowact.core.tool import Dimension
from knowact.worlds.everyday import limits
from knowact.worlds.everyday.clock import DAY_MINUTES, minutes_of
from knowact.worlds.everyday.contract import Server, always, by_size, on, refuse
from knowact.worlds.everyday.fields import CityName, ClockTime, Day
from knowact.worlds.everyday.places import city as known_city
from knowact.worlds.everyday.private.work import JobApplication
from knowact.worlds.everyday.rounding import exact, half_up
from knowact.worlds.everyday.state import DEFAULT_CLOCK, State
from knowact.worlds.typed.schema import Attribute, Rules, Shape, echo, fact

Trade = Literal[
    "baker",
    "bus driver",
    "carpenter",
    "cook",
    "electrician",
    "florist",
    "gardener",
    "hairdresser",
    "nurse",
    "plumber",
    "teacher",
    "translator",
]


_JOB_BOARD: Final = Server("Jobs", "job_board")
_APPLICATIONS: Final = Server("Jobs", "applications")
_PAY: Final = Server("Jobs", "pay")

Employer = Annotated[str, Attribute("employer.name"), Rules(max_length=120)]
_NOTICE_DAYS: Final = 42
"""Six weeks: one page of the calendar and the next."""
_SHIFTS: Final = 12
_FRIDAY: Final = 4


class JobOpenings(Shape):
    trade: str = echo("The trade.")
    city: str = echo("The city.")
    openings: int = fact("job_openings.count", "Number of open places.")
    pay_eur_per_hour: float = fact("job_openings.pay", "The usual pay for an hour in euros.")
    newest: str = fact("job_openings.newest", "The day of the newest listing, YYYY-MM-DD.")


@_JOB_BOARD.tool(
    about=("trade", "city"),
    rubric=always(Dimension.TEMPORALITY, why="Places are filled and offered every day."),
    scenario="Somebody thinks of moving and wants to know whether their trade is wanted there, and its pay.",
    person_cannot="Nobody has all the listings of a city in their head.",
)
def count_job_openings(state: State, trade: Trade, city: CityName) -> JobOpenings:
    """Count the places that are open for a trade in a city, with the usual pay.

    Args:
        trade: The trade.
        city: Name of a European city, such as "Lisbon".
    """
    known_city(city)
    draw = state.draw("openings", trade, city, state.today.isoformat())
    newest = state.today - dt.timedelta(days=draw.randint(0, 12))
    return JobOpenings(
        trade=trade,
        city=city,
        openings=draw.randint(2, 96),
        pay_eur_per_hour=draw.randint(26, 62) * 50 / 100,
        newest=newest.isoformat(),
    )


class JobApplicationShown(Shape):
    employer: str = echo("The employer.")
    position: str = fact("job_application.position", "The position applied for.")
    status: str = fact("job_application.status", "Where it stands.")
    sent: str = fact("job_application.sent", "The day it was sent, YYYY-MM-DD.")
    reply_by: str = fact(
        "job_application.reply", "The day on which an answer is promised, YYYY-MM-DD.", row="reply"
    )
    city: str = fact("job_application.city", "The city of the workplace.")
    referee: str = fact("job_application.referee", "The person named in it as a reference.")
    pay_eur_per_hour: float = fact("job_application.pay", "The pay on offer for an hour, in euros.")


@_APPLICATIONS.tool(
    rubric=always(Dimension.PRIVACY, Dimension.TEMPORALITY, why="It stands behind the user's login."),
    scenario="Somebody has applied for a job and wonders how it stands, or where the job was again.",
    person_can="The user can open their own papers and read them out.",
)
def get_job_application(state: State, employer: Employer) -> JobApplicationShown:
    """Look up the user's application with an employer.

    Args:
        employer: The employer's name.
    """
    application = state.record(JobApplication, employer, "application with")
    pay = application.cents_per_hour / 100
    return JobApplicationShown.of(application, employer=employer, pay_eur_per_hour=pay)


class WithdrawnApplication(Shape):
    employer: str = echo("The employer.")
    receipt: str = fact("job_application.receipt", "The receipt's number.")


@_APPLICATIONS.tool(
    changes=("job_application.withdrawn",),
    rubric=always(Dimension.INTERACTION, why="The employer takes the user off the list."),
    scenario="Somebody has found another job and takes an application back.",
    person_can="The user can write to the employer themselves.",
)
def withdraw_job_application(state: State, employer: Employer) -> WithdrawnApplication:
    """Withdraw the user's application with an employer, and return the number of the receipt.

    Args:
        employer: The employer's name.
    """
    application = state.record(JobApplication, employer, "application with")
    if application.status == "withdrawn":
        fix = "Name an application that still runs."
        refuse("conflict", f"The application with {employer} is withdrawn already.", fix)
    state.put(employer, application.model_copy(update={"status": "withdrawn"}))
    number = state.draw("withdrawal", employer).randint(1_000, 9_999)
    return WithdrawnApplication(employer=employer, receipt=f"W-{number}")


def _pay_by_head(hourly_eur: float, hours_per_week: float, weeks: int = 52) -> bool:
    """Wage and hours of at most two digits, and a week's pay that is easily multiplied by the weeks."""
    weekly = float(exact(hourly_eur) * exact(hours_per_week))
    handy = limits.two_digits(hourly_eur) and limits.two_digits(hours_per_week)
    return handy and limits.product(weekly, weeks)


class YearlyPay(Shape):
    weekly_eur: float = fact("pay.weekly", "Pay of one week in euros, rounded to cents.")
    yearly_eur: float = fact("pay.yearly", "Pay of the whole year in euros, rounded to cents.")


@_PAY.tool(
    about=("hourly_eur", "hours_per_week", "weeks"),
    also_done_by=("multiply", "get_rain_volume", "get_fuel_needed", "get_percentage", "get_energy_burnt"),
    rubric=by_size(
        on(_pay_by_head), why="20 euros for 35 hours are two products by head; 23.47 for 37.85 hours are not."
    ),
    scenario="Somebody compares an hourly wage with a yearly salary before signing.",
    person_cannot="Wages in cents over a year are not multiplied in passing.",
)
def get_yearly_pay(
    _state: State,
    hourly_eur: Annotated[float, Attribute("pay.hourly"), Rules(minimum=0, maximum=10_000)],
    hours_per_week: Annotated[float, Attribute("job.hours_per_week"), Rules(minimum=0, maximum=168)],
    weeks: Annotated[int, Attribute("job.weeks"), Rules(minimum=1, maximum=53)] = 52,
) -> YearlyPay:
    """Work out weekly and yearly pay before tax from an hourly wage.

    Args:
        hourly_eur: The wage for an hour in euros.
        hours_per_week: Hours of work in a week.
        weeks: Paid weeks in the year, holidays included.
    """
    weekly = exact(hourly_eur) * exact(hours_per_week)
    return YearlyPay(weekly_eur=half_up(weekly, 2), yearly_eur=half_up(weekly * weeks, 2))


def _on_this_calendar(given_on: str, notice_days: int) -> bool:
    """At most six weeks of notice, given within a season of the day that the world usually shows."""
    return notice_days <= _NOTICE_DAYS and limits.span(DEFAULT_CLOCK[:10], given_on)


class LastWorkingDay(Shape):
    last_working_day: str = fact(
        "notice.last_working_day", "The last Monday to Friday within the notice, YYYY-MM-DD."
    )


@_PAY.tool(
    also_done_by=("shift_date",),
    rubric=by_size(
        on(_on_this_calendar),
        why="A few weeks on are counted on the calendar; a year and a half on, with its weekday, is not.",
    ),
    scenario="Somebody hands in their notice and wants to know which day is their last at work.",
    person_can="With a calendar on the wall anybody can count the days.",
)
def get_last_working_day(
    _state: State,
    given_on: Day,
    notice_days: Annotated[int, Attribute("duration.days"), Rules(minimum=1, maximum=3_650)],
) -> LastWorkingDay:
    """Find the last working day of a notice: the day on which it runs out, or the Friday before a weekend.

    The notice runs out that many days after it is given. If that day is a Saturday or a Sunday, the last
    working day is the Friday before; public holidays are not taken into account.

    Args:
        given_on: The day on which notice is given, as YYYY-MM-DD.
        notice_days: Length of the notice in calendar days.
    """
    try:
        ends = dt.date.fromisoformat(given_on) + dt.timedelta(days=notice_days)
    except OverflowError:
        refuse("bad_arguments", "That day lies outside the calendar.", "Stay before the year 9999.")
    last = ends - dt.timedelta(days=max(0, ends.weekday() - _FRIDAY))
    return LastWorkingDay(last_working_day=last.isoformat())


def _minutes_at_work(start: str, end: str, break_minutes: int) -> int:
    """Return the working time of one shift; it may be negative when the break is too long."""
    return ((minutes_of(end) - minutes_of(start)) % DAY_MINUTES or DAY_MINUTES) - break_minutes


def _few_shifts(shifts: int = 1) -> bool:
    """At most twelve shifts."""
    return shifts <= _SHIFTS


class WorkingTime(Shape):
    minutes: int = fact("shifts.minutes", "Working time of all shifts together in minutes, breaks taken off.")
    hours: float = fact("shifts.hours", "The same in hours, rounded to two decimals.")


@_PAY.tool(
    about=("start", "end", "break_minutes", "shifts"),
    also_done_by=("multiply", "get_time_span"),
    rubric=by_size(
        on(_few_shifts), why="A week's shifts are reckoned by head; 217 shifts of odd minutes are not."
    ),
    scenario="Somebody fills in a time sheet and adds up hours, the break taken off.",
    person_can="People know how to read their own time sheet off the clock.",
)
def get_working_time(
    _state: State,
    start: ClockTime,
    end: ClockTime,
    break_minutes: Annotated[int, Attribute("job.break_minutes"), Rules(minimum=0, maximum=720)] = 0,
    shifts: Annotated[int, Attribute("job.shifts"), Rules(minimum=1, maximum=1_000)] = 1,
) -> WorkingTime:
    """Add up the working time of some equal shifts, less the break in each.

    A shift that does not end later than it starts ends on the next day.

    Args:
        start: When a shift starts, HH:MM on the 24-hour clock.
        end: When it ends, HH:MM.
        break_minutes: The unpaid break in each shift, in minutes.
        shifts: How many such shifts there are.
    """
    each = _minutes_at_work(start, end, break_minutes)
    if each < 0:
        refuse("bad_arguments", "The shift is shorter than its break.", "Check start, end and break.")
    return WorkingTime(minutes=each * shifts, hours=half_up(exact(each * shifts) / 60, 2))
