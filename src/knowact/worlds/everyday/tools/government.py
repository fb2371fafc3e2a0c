"""Government: applications, queues and appointments at town offices, and what one owes them."""

# ruff: noqa: D417 - agents give every argument but the state, so no docstring describes it

import datetime as dt
from collections.abc import Mapping
from decimal import ROUND_HALF_UP, Decimal
from typing import Annotated, Any, Final, Literal, TypedDict

import holidays

from knowact.core.seeds import generator
from knowact.core.tool import Dimension
from knowact.worlds.everyday import limits, sources_government
from knowact.worlds.everyday.contract import (
    always,
    by_argument,
    person_can,
    person_cannot,
    public,
    refuse,
    tool,
)
from knowact.worlds.everyday.fields import Day, People, Percent, Positive
from knowact.worlds.everyday.private.civic import OfficeVisit, Permit
from knowact.worlds.everyday.sources_government import known_office
from knowact.worlds.everyday.state import State
from knowact.worlds.typed.schema import ECHO, Attribute, Rules

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
_CENT: Final = Decimal("0.01")


class PermitStatus(TypedDict):
    """How an application stands.

    Attributes:
        document: What was applied for.
        status: Where it is in the office's hands, in a few words.
        ready: The day on which it is expected to be ready, YYYY-MM-DD.
        fee_eur: What it costs in euros.
    """

    document: Annotated[str, ECHO]
    status: Annotated[str, Attribute("permit.status", is_a="text.value")]
    ready: Annotated[str, Attribute("permit.ready", is_a="day.date")]
    fee_eur: Annotated[int, Attribute("permit.fee", is_a="quantity.value")]


@tool(
    category="Government",
    server="town_hall",
    about=("document",),
    rubric=always(Dimension.PRIVACY, why="Only the authority's file on the user has it."),
    scenario="Somebody has applied for a passport or a permit and wonders when it will be ready.",
    human=person_cannot("How an application stands is written in the authority's own files."),
)
def get_permit_status(state: State, document: Document) -> PermitStatus:
    """Tell how the user's application for a document or permit stands.

    Args:
        document: What was applied for, such as "passport" or "parking permit".
    """
    found = state.record(Permit, document, "application for a")
    return {"document": document, "status": found.status, "ready": found.ready, "fee_eur": found.fee}


class OfficeQueue(TypedDict):
    """The waiting room of an office.

    Attributes:
        office: The office.
        wait_minutes: Expected waiting time without an appointment, in minutes.
        people: People in the queue.
        counters: Counters that are open.
    """

    office: Annotated[str, ECHO]
    wait_minutes: Annotated[int, Attribute("office.wait", is_a="duration.minutes")]
    people: Annotated[int, Attribute("office.queue")]
    counters: Annotated[int, Attribute("office.counters")]


@tool(
    category="Government",
    server="town_hall",
    about=("office",),
    rubric=always(Dimension.TEMPORALITY, why="Queues grow and shrink from minute to minute."),
    scenario="Somebody has to go to a town office without an appointment and fears the queue.",
    human=person_can("Whoever sits in the waiting room sees the queue and the number on the screen."),
)
def get_office_wait(state: State, office: Office) -> OfficeQueue:
    """Report how long the queue at a town office is at this moment.

    Args:
        office: The office, such as "Northgate office".
    """
    line = sources_government.queue(state.seed, known_office(office), state.now)
    return {
        "office": office,
        "wait_minutes": line.minutes,
        "people": line.people,
        "counters": line.counters,
    }


def _first_slot(state: State, office: str, earliest: str) -> tuple[str, str]:
    """Return day and time of the first appointment that nobody, the user included, has yet."""
    known_office(office)
    today = state.today
    day = dt.date.fromisoformat(earliest)
    last = today + dt.timedelta(days=sources_government.BOOKING_DAYS)
    if not today <= day <= last:
        fix = f"Name a day from {today.isoformat()} to {last.isoformat()}."
        refuse("bad_arguments", f"Appointments cannot start from {earliest}.", fix)
    booked = {
        (visit.date, visit.time) for visit in state.table(OfficeVisit).values() if visit.office == office
    }
    now = f"{state.now:%H:%M}"
    slots = sources_government.free_slots(state.seed, office, day)
    ahead = ((free.isoformat(), time) for free, time in slots if free > today or time > now)
    first = next((slot for slot in ahead if slot not in booked), None)
    if first is None:
        refuse("not_found", f"The {office} has no appointment left.", "Try another office.")
    return first


class OfficeSlot(TypedDict):
    """A free appointment.

    Attributes:
        office: The office.
        date: The day, YYYY-MM-DD.
        time: The time, HH:MM.
    """

    office: Annotated[str, ECHO]
    date: Annotated[str, Attribute("slot.date", is_a="day.date")]
    time: Annotated[str, Attribute("slot.time")]


@tool(
    category="Government",
    server="town_hall",
    about=("office", "earliest"),
    also_done_by=("book_office_visit",),
    rubric=always(Dimension.TEMPORALITY, why="Appointments are taken and given back all day."),
    scenario="Somebody has to renew a document and looks for the first free appointment.",
    human=person_cannot("Free appointments stand in the office's own booking system."),
)
def get_office_slot(state: State, office: Office, earliest: Day) -> OfficeSlot:
    """Find the first free appointment at a town office on a day or, failing that, later.

    Args:
        office: The office, such as "Northgate office".
        earliest: The first day that suits, as YYYY-MM-DD; today or later.
    """
    date, time = _first_slot(state, office, earliest)
    return {"office": office, "date": date, "time": time}


class BookedVisit(TypedDict):
    """A booked appointment.

    Attributes:
        office: The office.
        date: The day, YYYY-MM-DD.
        time: The time, HH:MM.
        ticket: The number to show at the door, such as "T4207".
    """

    office: Annotated[str, ECHO]
    date: Annotated[str, Attribute("visit.date", is_a="day.date")]
    time: Annotated[str, Attribute("visit.time")]
    ticket: Annotated[str, Attribute("visit.ticket")]


@tool(
    category="Government",
    server="town_hall",
    about=("office", "earliest"),
    changes=("visit.booked",),
    rubric=always(Dimension.INTERACTION, why="An appointment is taken in the user's name afterwards."),
    scenario="Somebody wants an appointment at the town hall as soon as possible after a holiday.",
    human=person_cannot("Only the office's booking system gives out appointments."),
)
def book_office_visit(state: State, office: Office, earliest: Day) -> BookedVisit:
    """Book the first free appointment at a town office on a day or, failing that, later.

    Args:
        office: The office, such as "Northgate office".
        earliest: The first day that suits, as YYYY-MM-DD; today or later.
    """
    date, time = _first_slot(state, office, earliest)
    ticket = f"T{generator(state.seed, 'visit ticket', office, date, time).randint(1000, 9999)}"
    state.put(f"{ticket} {office}", OfficeVisit(office=office, date=date, time=time))
    return {"office": office, "date": date, "time": time, "ticket": ticket}


class PublicHoliday(TypedDict):
    """Whether a day is a holiday.

    Attributes:
        holiday: True on a holiday of the whole country.
        name: The holiday's name in English, or null.
    """

    holiday: Annotated[bool, Attribute("day.holiday")]
    name: Annotated[str | None, Attribute("day.holiday_name")]


@tool(
    category="Government",
    server="registers",
    about=("country", "date"),
    rubric=public(why="Public holidays follow from the law and the date of Easter."),
    scenario="Somebody plans a delivery or a trip and wonders whether shops are shut that day.",
    human=person_can("People know the holidays of their country, and every wall calendar has them."),
)
def get_public_holiday(_state: State, country: Country, date: Day) -> PublicHoliday:
    """Tell whether a day is a public holiday in the whole of a country (not only in parts of it).

    Args:
        country: The country.
        date: The day, as YYYY-MM-DD.
    """
    year = int(date[:4])
    known: Mapping[Any, str] = holidays.country_holidays(
        _COUNTRY_CODES[country], years=year, language="en_US"
    )
    name = known.get(dt.date.fromisoformat(date))
    return {"holiday": name is not None, "name": name}


class LateFee(TypedDict):
    """What a late payment costs.

    Attributes:
        surcharge_eur: The surcharge in euros, rounded to cents.
        total_eur: Amount and surcharge together in euros, rounded to cents.
    """

    surcharge_eur: Annotated[float, Attribute("late.surcharge", is_a="quantity.value")]
    total_eur: Annotated[float, Attribute("late.total", is_a="quantity.value")]


def _cents(amount: Decimal) -> float:
    """Round as offices do, half a cent upwards."""
    return float(amount.quantize(_CENT, ROUND_HALF_UP))


def _easy_surcharge(given: Mapping[str, Any]) -> bool:
    """A handy sum times whole per cent, all months together at most 99 %."""
    rate = given["percent"] * given["months"]
    return rate == int(rate) and limits.product(given["amount"], rate) and rate < 100  # noqa: PLR2004 - the whole


@tool(
    category="Government",
    server="dues",
    about=("amount", "percent", "months"),
    also_done_by=("get_percentage", "multiply", "get_fuel_needed", "split_bill"),
    rubric=by_argument(
        Dimension.COMPUTATION,
        why="80 euros at 5 % for two months are done by head; 4,386.75 euros at 1.35 % for 19 are not.",
        within=_easy_surcharge,
    ),
    scenario="Somebody has found an unpaid fine or tax bill in a drawer and wonders what it has grown to.",
    human=person_cannot("Nobody multiplies sums of many digits in passing."),
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
    owed = Decimal(str(amount))
    surcharge = owed * Decimal(str(percent)) * months / 100
    return {"surcharge_eur": _cents(surcharge), "total_eur": _cents(owed + surcharge)}


class TouristTax(TypedDict):
    """What guests pay to the town.

    Attributes:
        tax_eur: The tax for everybody and all nights in euros, rounded to cents.
    """

    tax_eur: Annotated[float, Attribute("tourist.tax", is_a="quantity.value")]


def _easy_stay(given: Mapping[str, Any]) -> bool:
    """At most nine people and nine nights, at a rate of at most two digits."""
    return given["people"] <= 9 and given["nights"] <= 9 and limits.handy(given["rate_eur"], 2)  # noqa: PLR2004 - one digit each


@tool(
    category="Government",
    server="dues",
    about=("people", "nights", "rate_eur"),
    also_done_by=("multiply",),
    rubric=by_argument(
        Dimension.COMPUTATION,
        why="Four people, three nights, 2.50 euros: by head; 187 people, 26 nights, 3.85 euros: not.",
        within=_easy_stay,
    ),
    scenario="A family or a travelling choir works out the tourist tax on top of the hotel bill.",
    human=person_cannot("Nobody multiplies three long numbers in passing."),
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
    return {"tax_eur": _cents(people * nights * Decimal(str(rate_eur)))}
