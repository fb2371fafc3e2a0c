"""Government: applications, queues and appointments at town offices, and what one owes them."""

import datetime as dt
from collections.abc import Iterator, Mapping
from typing import Annotated, Final, Literal

import holidays

from knowact.core.seeds import generator
from knowact.core.tool import Dimension
from knowact.worlds.everyday import limits
from knowact.worlds.everyday.clock import clock_time, day_between
from knowact.worlds.everyday.contract import Server, always, by_size, check_listed, on, public, refuse
from knowact.worlds.everyday.fields import Day, People, Percent, Positive
from knowact.worlds.everyday.private.town import OfficeVisit, Permit
from knowact.worlds.everyday.rounding import exact, half_up
from knowact.worlds.everyday.state import State
from knowact.worlds.typed.schema import Attribute, Rules, Shape, echo, fact

OFFICES: Final = (
    *("Harbour Street office", "Old Town Hall", "Northgate office", "Station Square office"),
    *("Mill Lane registry", "Eastbank service point", "Linden Park office", "Canal Road registry"),
    *("Westfield service point", "Market Hall office", "Ferry Quay office", "Castle Hill registry"),
    *("Orchard Way service point", "Southbridge office"),
)
BOOKING_DAYS: Final = 400
"""How far ahead appointments are given out: somebody may plan around next year's holiday."""
_SATURDAY: Final = 5


def free_slots(seed: int, office: str, earliest: dt.date) -> Iterator[tuple[dt.date, str]]:
    """Yield the free appointments of an office from a day on, as (day, HH:MM), in order of time."""
    for later in range(BOOKING_DAYS):
        day = earliest + dt.timedelta(days=later)
        if day.weekday() >= _SATURDAY:
            continue
        draw = generator(seed, "office slots", office, day.isoformat())
        quarters = draw.sample(range(8 * 4 + 2, 16 * 4 + 2), draw.choice((0, 0, 1, 2, 3)))
        for quarter in sorted(quarters):
            yield day, clock_time(quarter * 15)


_TOWN_HALL: Final = Server("Government", "town_hall")
_REGISTERS: Final = Server("Government", "registers")
_DUES: Final = Server("Government", "dues")

_SHORT: Final = Rules(max_length=120)
Document = Annotated[str, Attribute("permit.document"), _SHORT]
Office = Annotated[str, Attribute("office.name"), _SHORT]
Country = Literal["Austria", "Belgium", "Denmark", "France", "Germany", "Ireland", "Italy", "Netherlands"]
_COUNTRY_CODES: Final[Mapping[Country, str]] = {
    "Austria": "AT",
    "Belgium": "BE",
    "Denmark": "DK",
    "France": "FR",
    "Germany": "DE",
    "Ireland": "IE",
    "Italy": "IT",
    "Netherlands": "NL",
}


class PermitStatus(Shape):
    document: str = echo("What was applied for.")
    status: str = fact("permit.status", "Where it is in the office's hands, in a few words.")
    ready: str = fact("permit.ready", "The day on which it is expected to be ready, YYYY-MM-DD.")
    fee_eur: int = fact("permit.fee", "What it costs in euros.", row="fee")


@_TOWN_HALL.tool(
    rubric=always(Dimension.PRIVACY, why="Only the authority's file on the user has it."),
    scenario="Somebody has applied for a passport or a permit and wonders when it will be ready.",
    person_cannot="How an application stands is written in the authority's own files.",
)
def get_permit_status(state: State, document: Document) -> PermitStatus:
    """Tell how the user's application for a document or permit stands.

    Args:
        document: What was applied for, such as "passport" or "parking permit".
    """
    return PermitStatus.of(state.record(Permit, document, "application for a"), document=document)


class OfficeWait(Shape):
    office: str = echo("The office.")
    wait_minutes: int = fact("office.wait", "Expected waiting time without an appointment, in minutes.")
    people: int = fact("office.queue", "People in the queue.")
    counters: int = fact("office.counters", "Counters that are open.")


@_TOWN_HALL.tool(
    rubric=always(Dimension.TEMPORALITY, why="Queues grow and shrink from minute to minute."),
    scenario="Somebody has to go to a town office without an appointment and fears the queue.",
    person_can="Whoever sits in the waiting room sees the queue and the number on the screen.",
)
def get_office_wait(state: State, office: Office) -> OfficeWait:
    """Report how long the queue at a town office is at this moment.

    Args:
        office: The office, such as "Northgate office".
    """
    _check(office)
    draw = state.draw("office queue", office, state.now.isoformat(timespec="minutes"))
    people, counters = draw.randint(2, 34), draw.randint(1, 6)
    minutes = max(3, people * draw.randint(4, 9) // counters)
    return OfficeWait(office=office, wait_minutes=minutes, people=people, counters=counters)


def _check(office: str) -> None:
    check_listed(OFFICES, office, f"There is no office named {office!r} here.")


def _first_slot(state: State, office: str, earliest: str) -> tuple[str, str]:
    """Return day and time of the first appointment that nobody, the user included, has yet."""
    _check(office)
    today, message = state.today, f"Appointments cannot start from {earliest}."
    last = today + dt.timedelta(days=BOOKING_DAYS)
    day = day_between(earliest, today, last, message, ask="Name", code="bad_arguments")
    booked = {
        (visit.date, visit.time) for visit in state.table(OfficeVisit).values() if visit.office == office
    }
    now = f"{state.now:%H:%M}"
    slots = free_slots(state.seed, office, day)
    ahead = ((free.isoformat(), time) for free, time in slots if free > today or time > now)
    first = next((slot for slot in ahead if slot not in booked), None)
    if first is None:
        refuse("not_found", f"The {office} has no appointment left.", "Try another office.")
    return first


class OfficeSlot(Shape):
    office: str = echo("The office.")
    date: str = fact("slot.date", "The day, YYYY-MM-DD.")
    time: str = fact("slot.time", "The time, HH:MM.")


@_TOWN_HALL.tool(
    also_done_by=("book_office_visit",),
    rubric=always(Dimension.TEMPORALITY, why="Appointments are taken and given back all day."),
    scenario="Somebody has to renew a document and looks for the first free appointment.",
    person_cannot="Free appointments stand in the office's own booking system.",
)
def get_office_slot(state: State, office: Office, earliest: Day) -> OfficeSlot:
    """Find the first free appointment at a town office on a day or, failing that, later.

    Args:
        office: The office, such as "Northgate office".
        earliest: The first day that suits, as YYYY-MM-DD; today or later.
    """
    date, time = _first_slot(state, office, earliest)
    return OfficeSlot(office=office, date=date, time=time)


class OfficeVisitShown(Shape):
    office: str = echo("The office.")
    date: str = fact("visit.date", "The day, YYYY-MM-DD.")
    time: str = fact("visit.time", "The time, HH:MM.")
    ticket: str = fact("visit.ticket", 'The number to show at the door, such as "T4207".')


@_TOWN_HALL.tool(
    changes=("visit.booked",),
    rubric=always(Dimension.INTERACTION, why="An appointment is taken in the user's name afterwards."),
    scenario="Somebody wants an appointment at the town hall as soon as possible after a holiday.",
    person_cannot="Only the office's booking system gives out appointments.",
)
def book_office_visit(state: State, office: Office, earliest: Day) -> OfficeVisitShown:
    """Book the first free appointment at a town office on a day or, failing that, later.

    Args:
        office: The office, such as "Northgate office".
        earliest: The first day that suits, as YYYY-MM-DD; today or later.
    """
    date, time = _first_slot(state, office, earliest)
    ticket = f"T{state.draw('visit ticket', office, date, time).randint(1000, 9999)}"
    state.put(f"{ticket} {office}", OfficeVisit(office=office, date=date, time=time))
    return OfficeVisitShown(office=office, date=date, time=time, ticket=ticket)


class PublicHoliday(Shape):
    holiday: bool = fact("day.holiday", "True on a holiday of the whole country.")
    name: str | None = fact("day.holiday_name", "The holiday's name in English, or null.")


@_REGISTERS.tool(
    about=("country", "date"),
    rubric=public(why="Public holidays follow from the law and the date of Easter."),
    scenario="Somebody plans a delivery or a trip and wonders whether shops are shut that day.",
    person_can="People know the holidays of their country, and every wall calendar has them.",
)
def get_public_holiday(_state: State, country: Country, date: Day) -> PublicHoliday:
    """Tell whether a day is a public holiday in the whole of a country (not only in parts of it).

    Args:
        country: The country.
        date: The day, as YYYY-MM-DD.
    """
    known = holidays.country_holidays(_COUNTRY_CODES[country], years=int(date[:4]), language="en_US")
    name = known.get(dt.date.fromisoformat(date))
    return PublicHoliday(holiday=name is not None, name=name)


def _easy_surcharge(amount: float, percent: float, months: int) -> bool:
    """A handy sum times whole per cent, all months together at most 99 %."""
    rate = percent * months
    return rate == int(rate) and limits.product(amount, rate) and rate < 100  # noqa: PLR2004 - the whole


class LateFee(Shape):
    surcharge_eur: float = fact("late.surcharge", "The surcharge in euros, rounded to cents.")
    total_eur: float = fact("late.total", "Amount and surcharge together in euros, rounded to cents.")


@_DUES.tool(
    also_done_by=("get_percentage", "multiply", "get_fuel_needed", "split_bill"),
    rubric=by_size(
        on(_easy_surcharge),
        why="80 euros at 5 % for two months are done by head; 4,386.75 euros at 1.35 % for 19 are not.",
    ),
    scenario="Somebody has found an unpaid fine or tax bill in a drawer and wonders what it has grown to.",
    person_cannot="Nobody multiplies sums of many digits in passing.",
)
def get_late_fee(
    _state: State,
    amount: Positive,
    percent: Percent,
    months: Annotated[int, Attribute("duration.months"), Rules(minimum=1, maximum=600)],
) -> LateFee:
    """Work out the surcharge on a late payment: so many per cent of the original sum for each month.

    The surcharge is simple: no surcharge is taken on earlier surcharges.

    Args:
        amount: The original sum in euros.
        percent: The surcharge for each month in per cent of the original sum.
        months: How many months the payment is late.
    """
    surcharge = exact(amount) * exact(percent) * months / 100
    return LateFee(surcharge_eur=half_up(surcharge, 2), total_eur=half_up(exact(amount) + surcharge, 2))


def _easy_stay(people: int, nights: int, rate_eur: float) -> bool:
    """At most nine people and nine nights, at a rate of at most two digits."""
    return people <= 9 and nights <= 9 and limits.handy(rate_eur, 2)  # noqa: PLR2004 - one digit each


class TouristTax(Shape):
    tax_eur: float = fact("tourist.tax", "The tax for everybody and all nights in euros, rounded to cents.")


@_DUES.tool(
    also_done_by=("multiply",),
    rubric=by_size(
        on(_easy_stay),
        why="Four people, three nights, 2.50 euros: by head; 187 people, 26 nights, 3.85 euros: not.",
    ),
    scenario="A family or a travelling choir works out the tourist tax on top of the hotel bill.",
    person_cannot="Nobody multiplies three long numbers in passing.",
)
def get_tourist_tax(
    _state: State,
    people: People,
    nights: Annotated[int, Attribute("duration.days"), Rules(minimum=1, maximum=366)],
    rate_eur: Annotated[float, Attribute("quantity.value"), Rules(minimum=0, maximum=1_000)],
) -> TouristTax:
    """Work out the tourist tax of a stay: a rate for each person and night.

    Args:
        people: How many people stay.
        nights: How many nights each of them stays.
        rate_eur: The rate in euros for one person and one night.
    """
    return TouristTax(tax_eur=half_up(people * nights * exact(rate_eur), 2))
