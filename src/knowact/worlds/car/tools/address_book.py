"""Productivity: contacts and the calendar (CAR-bench)."""

from collections.abc import Mapping
from typing import Annotated, Final

from knowact.worlds.car.contract import Car, Fault, car_tool, refuse
from knowact.worlds.car.databases.rows import Contact
from knowact.worlds.car.shapes import Day, Month, check_id
from knowact.worlds.car.spelling import FARTHEST, allowed, folded, mistakes
from knowact.worlds.typed.schema import Attribute, Rules, Shape, fact, part

_NAME: Final = Rules(max_length=200)
_MOST: Final = Rules(max_items=100)
_CLOSE: Final = 1
"""Up to so many mistakes in both names together, everybody who could be meant is told."""


class Match(Shape):
    """Somebody who could be meant."""

    id: str = fact("contact.id", "Their id.")
    name: str = fact("contact.full_name", "Their first and last name.")


class ContactIds(Shape):
    matches: list[Match] = part("Best first.")


@car_tool("Productivity and communication", about=("contact_first_name", "contact_last_name"))
def get_contact_id_by_contact_name(
    car: Car,
    contact_first_name: Annotated[str | None, Attribute("contact.first_name"), _NAME] = None,
    contact_last_name: Annotated[str | None, Attribute("contact.last_name"), _NAME] = None,
) -> ContactIds:
    """Find people in the address book by first name, last name or both; a letter or two may be wrong.

    Args:
        contact_first_name: The first name; left out if it is not known.
        contact_last_name: The last name; left out if it is not known.
    """
    names = {"first_name": contact_first_name or "", "last_name": contact_last_name or ""}
    sought = {part: name for part, name in names.items() if name.strip()}
    if not sought:
        refuse("bad_arguments", "Neither a first name nor a last name is given.", "Give at least one.")
    ranked = [
        (distance, contact)
        for contact in car.databases.contacts.values()
        if (distance := _distance(car, sought, contact)) is not None
    ]
    if not ranked:
        message = f"There is nobody named {' '.join(sought.values())[:60]!r} in the address book."
        refuse("not_found", message)
    ranked.sort(key=lambda pair: pair[0])
    close = [contact for distance, contact in ranked if distance <= _CLOSE] or [ranked[0][1]]
    return ContactIds(matches=[Match(id=contact.id, name=_name(car, contact)) for contact in close])


def _distance(car: Car, sought: Mapping[str, str], contact: Contact) -> int | None:
    """Return how many mistakes the names have together; None if that is somebody else's name."""
    total = 0
    for field, name in sought.items():
        has = contact.name.first_name if field == "first_name" else contact.name.last_name
        if car.published:
            wrong, most = mistakes(name.lower(), has.lower()), FARTHEST
        else:
            wrong, most = mistakes(folded(name), folded(has)), allowed(folded(name))
        if wrong > most:
            return None
        total += wrong
    return total


def _name(car: Car, contact: Contact) -> str:
    name = f"{contact.name.first_name} {contact.name.last_name}"
    return name.lower() if car.published else name


class PersonName(Shape):
    """A person's name."""

    first_name: str = fact("contact.first_name", "The first name.")
    last_name: str = fact("contact.last_name", "The last name.")


class ContactShown(Shape):
    """Somebody in the address book."""

    id: str = fact("contact.id", "Their id.")
    name: PersonName = part("Their name.")
    phone_number: str = fact(("contact.phone_number", "phone.number"), "Their phone number.")
    email: str = fact("contact.email", "Their e-mail address.")


class ContactsInformation(Shape):
    contacts: list[ContactShown] = part("Those that it knows, in the order asked for.")
    unknown_ids: list[str] = fact("contact.unknown_id", "Ids that are nobody's.")


@car_tool("Productivity and communication")
def get_contact_information(
    car: Car, contact_ids: Annotated[list[str], Attribute("contact.id"), _MOST]
) -> ContactsInformation:
    """Look up the phone numbers and e-mail addresses of people, by their ids.

    Args:
        contact_ids: Their ids.
    """
    for contact_id in contact_ids:
        check_id("contact", contact_id, "contact_ids")
    asked = list(dict.fromkeys(contact_ids))
    book = car.databases.contacts
    known = [book[contact_id] for contact_id in asked if contact_id in book]
    unknown = [contact_id for contact_id in asked if contact_id not in book]
    # The published world calls it a success all the same.
    if not known and not car.published:
        message = "The address book has none of these ids." if asked else "No id is given."
        refuse("not_found" if asked else "bad_arguments", message, "Look the people up by name first.")
    return ContactsInformation(contacts=[ContactShown.of(contact) for contact in known], unknown_ids=unknown)


class DayShown(Shape):
    """A day."""

    year: int = fact("calendar.year", "The year.")
    month: int = fact("calendar.month", "The month, 1 to 12.")
    day: int = fact("calendar.day", "The day of the month.")


class StartShown(Shape):
    """When a meeting begins."""

    hour: str = fact("meeting.hour", "The hour, two digits.")
    minute: str = fact("meeting.minute", "The minute, two digits.")


class MeetingShown(Shape):
    """A meeting."""

    start: StartShown = part("When it begins.")
    duration: str = fact("meeting.duration", 'How long it takes, "30min" or "60min".')
    location: str = fact(("meeting.location", "location.name"), "The city that it is in.")
    attendees: list[str] = fact(("meeting.attendees", "contact.id"), "The ids of the contacts who attend.")
    topic: str = fact("meeting.topic", "What it is about.")


class CalendarEntries(Shape):
    date: DayShown = part("The day.")
    meetings: list[MeetingShown] = part("Its meetings, in order.")


@car_tool("Productivity and communication", open_when_published=("month", "day"))
def get_entries_from_calendar(car: Car, month: Month, day: Day) -> CalendarEntries:
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
    # A calendar of the data holds one day: whichever it is, it stands for the day of the trial.
    date = DayShown.of(calendar.date if car.published else today)
    return CalendarEntries(date=date, meetings=[MeetingShown.of(meeting) for meeting in calendar.meetings])
