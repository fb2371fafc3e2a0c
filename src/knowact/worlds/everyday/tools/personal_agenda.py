"""Personal: the user's calendar and notes."""

from typing import Annotated, Final

from knowact.core.tool import Dimension
from knowact.worlds.everyday.clock import DAY_MINUTES, clock_time, minutes_of
from knowact.worlds.everyday.contract import Server, always, refuse
from knowact.worlds.everyday.fields import ClockTime, Day, EventTitle, NoteTitle
from knowact.worlds.everyday.private.personal import Event, Note
from knowact.worlds.everyday.state import State
from knowact.worlds.typed.schema import Attribute, Rules, Shape, echo, fact, part

_CALENDAR: Final = Server("Personal", "calendar")
_NOTES: Final = Server("Personal", "notes")


class EventFound(Shape):
    title: str = echo("Its title.")
    date: str = fact("event.date", "The day, YYYY-MM-DD.")
    start: str = fact("event.start", "When it starts, HH:MM.")
    end: str = fact("event.end", "When it ends, HH:MM.")
    city: str = fact("event.city", "The city it takes place in.")


@_CALENDAR.tool(
    rubric=always(Dimension.PRIVACY, why="Only the user's own calendar has it."),
    scenario="Somebody has an appointment coming up and asks when and where it is.",
    person_can="The user only has to glance at the diary.",
)
def find_event(state: State, title: EventTitle) -> EventFound:
    """Look up an event in the user's calendar by its title.

    Args:
        title: The event's title as it stands in the calendar.
    """
    return EventFound.of(state.record(Event, title, "event titled"), title=title)


class Entry(Shape):
    """One event of a day."""

    title: str = fact("event.title", "Its title.")
    start: str = fact("day.event_start", "When it starts, HH:MM.")
    end: str = fact("day.event_end", "When it ends, HH:MM.")


def _on(state: State, date: str) -> list[tuple[str, Event]]:
    events = [(title, event) for title, event in state.table(Event).items() if event.date == date]
    return sorted(events, key=lambda entry: (entry[1].start, entry[0]))


class EventsOfDay(Shape):
    date: str = echo("The day.")
    count: int = fact("day.event_count", "How many events there are on it.")
    events: list[Entry] = part("The events, in order of time.")


@_CALENDAR.tool(
    rubric=always(Dimension.PRIVACY, why="Only the user's own calendar has it."),
    scenario="Somebody looks at a day before promising to be anywhere.",
    person_can="The user only has to turn to that page of the diary.",
)
def list_events(state: State, date: Day) -> EventsOfDay:
    """List the events of one day in the user's calendar.

    Args:
        date: The day, as YYYY-MM-DD.
    """
    entries = [Entry.of(event, title=title) for title, event in _on(state, date)]
    return EventsOfDay(date=date, count=len(entries), events=entries)


class AddedEvent(Shape):
    title: str = echo("Its title.")
    end: str = fact("event.planned_end", "When it ends, HH:MM.")


@_CALENDAR.tool(
    changes=("event.added",),
    rubric=always(Dimension.INTERACTION, why="The user's calendar has one event more afterwards."),
    scenario="Somebody has agreed on a time with a friend and wants it in the calendar.",
    person_can="Anybody can write an appointment into their own diary.",
)
def add_event(
    state: State,
    title: EventTitle,
    date: Day,
    start: ClockTime,
    minutes: Annotated[int, Attribute("duration.minutes"), Rules(minimum=5, maximum=1_440)] = 60,
) -> AddedEvent:
    """Put an event into the user's calendar; it takes place at home, not in the past, and must not overlap.

    Args:
        title: What the event is called; no other event may have the same title.
        date: The day, as YYYY-MM-DD.
        start: When it starts, HH:MM on the 24-hour clock.
        minutes: How long it lasts, in minutes.
    """
    if title in state.table(Event):
        refuse("conflict", f"There is an event titled {title!r} already.", "Choose another title.")
    if date < state.today.isoformat():
        refuse("conflict", f"{date} is over.", "Choose today or a later day.")
    last = minutes_of(start) + minutes
    if last >= DAY_MINUTES:
        refuse(
            "bad_arguments",
            "The event would not end on the day it starts.",
            "Start earlier or make it shorter.",
        )
    end = clock_time(last)
    for other, event in _on(state, date):
        if event.start < end and start < event.end:
            fix = f"Choose a time before {event.start} or from {event.end} on."
            refuse("conflict", f"It would overlap with {other!r}.", fix)
    city = state.context()["home"].partition(",")[0]
    state.put(title, Event(date=date, start=start, end=end, city=city))
    return AddedEvent(title=title, end=end)


class NoteShown(Shape):
    title: str = echo("Its title.")
    text: str = fact(
        ("note.text", "text.words", "text.lines", "text.sorted", "text.first_line", "text.last_line"),
        "What it says.",
    )


@_NOTES.tool(
    rubric=always(Dimension.PRIVACY, why="Only the user has written it."),
    scenario="Somebody stands in the shop, or packs a suitcase, and needs their own list read to them.",
    person_can="Who wrote the note can read it out.",
)
def get_note(state: State, title: NoteTitle) -> NoteShown:
    """Read one of the user's notes.

    Args:
        title: The note's title.
    """
    return NoteShown(title=title, text=state.record(Note, title, "note titled").text)


class SavedNote(Shape):
    title: str = echo("Its title.")
    replaced: bool = fact("note.replaced", "Whether it took the place of an older note of that title.")


@_NOTES.tool(
    changes=("note.saved",),
    rubric=always(Dimension.INTERACTION, why="The user's notes say something else afterwards."),
    scenario="Somebody wants to keep a list, an address or a thought for later.",
    person_can="Anybody can jot a few lines down on paper.",
)
def save_note(
    state: State,
    title: NoteTitle,
    text: Annotated[str, Attribute("note.new_text"), Rules(max_length=20_000)],
) -> SavedNote:
    """Write a note, in place of an older one of the same title.

    Args:
        title: The note's title.
        text: What it shall say.
    """
    if not title.strip():
        refuse("bad_arguments", "A note needs a title.", "Give a title of at least one letter.")
    replaced = title in state.table(Note)
    state.put(title, Note(text=text))
    return SavedNote(title=title, replaced=replaced)
