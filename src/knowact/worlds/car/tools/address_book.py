"""Productivity: contacts and the calendar (spec car-bench.md, section 2.9)."""

# ruff: noqa: D417 - agents give every argument but the car, so no docstring describes it

from collections.abc import Mapping
from typing import Annotated, Final, TypedDict, cast

from knowact.worlds.car.contract import Car, Fault, car_tool, refuse
from knowact.worlds.car.databases.rows import Contact, shown
from knowact.worlds.car.formats import check_contact
from knowact.worlds.car.shapes import Day, Month
from knowact.worlds.car.spelling import FARTHEST, allowed, folded, mistakes
from knowact.worlds.typed.schema import Attribute, Rules

_NAME: Final = Rules(max_length=200)
_MOST: Final = Rules(max_items=100)
_CLOSE: Final = 1
"""Up to so many mistakes in both names together, everybody who could be meant is told."""


class Match(TypedDict):
    """Somebody who could be meant.

    Attributes:
        id: Their id.
        name: Their first and last name.
    """

    id: Annotated[str, Attribute("contact.id")]
    name: Annotated[str, Attribute("contact.full_name")]


class Matches(TypedDict):
    """Everybody who could be meant.

    Attributes:
        matches: Best first.
    """

    matches: list[Match]


@car_tool(
    domain="Productivity and communication",
    kind="get",
    about=("contact_first_name", "contact_last_name"),
)
def get_contact_id_by_contact_name(
    car: Car,
    contact_first_name: Annotated[str | None, Attribute("contact.first_name"), _NAME] = None,
    contact_last_name: Annotated[str | None, Attribute("contact.last_name"), _NAME] = None,
) -> Matches:
    """Find people in the address book by first name, last name or both; a letter or two may be wrong.

    Args:
        contact_first_name: The first name; left out if it is not known.
        contact_last_name: The last name; left out if it is not known.
    """
    wanted = {"first_name": contact_first_name or "", "last_name": contact_last_name or ""}
    wanted = {part: name for part, name in wanted.items() if name.strip()}
    if not wanted:
        refuse("bad_arguments", "Neither a first name nor a last name is given.", "Give at least one.")
    ranked = [
        (distance, contact)
        for contact in car.databases.contacts.values()
        if (distance := _distance(car, wanted, contact)) is not None
    ]
    if not ranked:
        message = f"There is nobody named {' '.join(wanted.values())[:60]!r} in the address book."
        refuse("not_found", message)
    ranked.sort(key=lambda pair: pair[0])
    close = [contact for distance, contact in ranked if distance <= _CLOSE] or [ranked[0][1]]
    return {"matches": [{"id": contact.id, "name": _name(car, contact)} for contact in close]}


def _distance(car: Car, wanted: Mapping[str, str], contact: Contact) -> int | None:
    """Return how many mistakes the names have together; None if that is somebody else's name."""
    total = 0
    for part, name in wanted.items():
        has = contact.name.first_name if part == "first_name" else contact.name.last_name
        if car.published:
            found, most = mistakes(name.lower(), has.lower()), FARTHEST
        else:
            found, most = mistakes(folded(name), folded(has)), allowed(folded(name))
        if found > most:
            return None
        total += found
    return total


def _name(car: Car, contact: Contact) -> str:
    name = f"{contact.name.first_name} {contact.name.last_name}"
    return name.lower() if car.published else name


class PersonName(TypedDict):
    """A person's name.

    Attributes:
        first_name: The first name.
        last_name: The last name.
    """

    first_name: Annotated[str, Attribute("contact.first_name")]
    last_name: Annotated[str, Attribute("contact.last_name")]


class ContactShown(TypedDict):
    """Somebody in the address book.

    Attributes:
        id: Their id.
        name: Their name.
        phone_number: Their phone number.
        email: Their e-mail address.
    """

    id: Annotated[str, Attribute("contact.id")]
    name: PersonName
    phone_number: Annotated[str, Attribute("contact.phone_number"), Attribute("phone.number")]
    email: Annotated[str, Attribute("contact.email")]


class ContactsShown(TypedDict):
    """What the address book has on some people.

    Attributes:
        contacts: Those that it knows, in the order asked for.
        unknown_ids: Ids that are nobody's.
    """

    contacts: list[ContactShown]
    unknown_ids: list[Annotated[str, Attribute("contact.unknown_id")]]


@car_tool(domain="Productivity and communication", kind="get")
def get_contact_information(
    car: Car, contact_ids: Annotated[list[str], Attribute("contact.id"), _MOST]
) -> ContactsShown:
    """Look up the phone numbers and e-mail addresses of people, by their ids.

    Args:
        contact_ids: Their ids.
    """
    for contact_id in contact_ids:
        check_contact(contact_id, "contact_ids")
    asked = list(dict.fromkeys(contact_ids))
    known = [car.databases.contacts[one] for one in asked if one in car.databases.contacts]
    unknown = [one for one in asked if one not in car.databases.contacts]
    # The published world calls it a success all the same (defect D-57).
    if not known and not car.published:
        message = "The address book has none of these ids." if asked else "No id is given."
        refuse("not_found" if asked else "bad_arguments", message, "Look the people up by name first.")
    return {"contacts": [cast("ContactShown", shown(contact)) for contact in known], "unknown_ids": unknown}


class DayShown(TypedDict):
    """A day.

    Attributes:
        year: The year.
        month: The month, 1 to 12.
        day: The day of the month.
    """

    year: Annotated[int, Attribute("calendar.year")]
    month: Annotated[int, Attribute("calendar.month")]
    day: Annotated[int, Attribute("calendar.day")]


class StartShown(TypedDict):
    """When a meeting begins.

    Attributes:
        hour: The hour, two digits.
        minute: The minute, two digits.
    """

    hour: Annotated[str, Attribute("meeting.hour")]
    minute: Annotated[str, Attribute("meeting.minute")]


class MeetingShown(TypedDict):
    """A meeting.

    Attributes:
        start: When it begins.
        duration: How long it takes, "30min" or "60min".
        location: The city that it is in.
        attendees: The ids of the contacts who attend.
        topic: What it is about.
    """

    start: StartShown
    duration: Annotated[str, Attribute("meeting.duration")]
    location: Annotated[str, Attribute("meeting.location"), Attribute("location.name")]
    attendees: list[Annotated[str, Attribute("meeting.attendees"), Attribute("contact.id")]]
    topic: Annotated[str, Attribute("meeting.topic")]


class CalendarShown(TypedDict):
    """A day of the driver's calendar.

    Attributes:
        date: The day.
        meetings: Its meetings, in order.
    """

    date: DayShown
    meetings: list[MeetingShown]


@car_tool(domain="Productivity and communication", kind="get", open_when_published=("month", "day"))
def get_entries_from_calendar(car: Car, month: Month, day: Day) -> CalendarShown:
    """Look up today's meetings in the driver's calendar. No other day can be looked up.

    Args:
        month: The present month, 1 to 12.
        day: The present day of the month.
    """
    today = car.context.current_datetime
    if not today.is_day(month, day):
        fix = f"Today is month {today.month}, day {today.day}."
        refuse("conflict", "Only the present day can be looked up.", fix, policy="AUT-POL:023")
    every = car.databases.calendars
    # A trial that names no calendar has the first one.
    calendar = every.get(car.calendar_id or next(iter(every), ""))
    if calendar is None:
        refuse("not_found", "The driver has no calendar here.", fault=Fault.RAISED)
    facts = shown(calendar)
    # A calendar of the data holds one day: whichever it is, it stands for the day of the trial.
    date: DayShown = {"year": today.year, "month": today.month, "day": today.day}
    return {
        "date": cast("DayShown", facts["date"]) if car.published else date,
        "meetings": cast("list[MeetingShown]", facts["meetings"]),
    }
