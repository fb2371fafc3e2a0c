"""Personal: the user's calendar and notes."""

# ruff: noqa: D417 - agents give every argument but the state, so no docstring describes it

from typing import Annotated, Final, TypedDict

from knowact.core.tool import Dimension
from knowact.worlds.everyday.contract import always, person_can, refuse, tool
from knowact.worlds.everyday.fields import ClockTime, Day, EventTitle, NoteTitle
from knowact.worlds.everyday.private.records import Event, Note
from knowact.worlds.everyday.state import State
from knowact.worlds.typed.schema import ECHO, Attribute, Rules

_MIDNIGHT: Final = 24 * 60


class EventDetails(TypedDict):
    """An entry of the calendar.

    Attributes:
        title: Its title.
        date: The day, YYYY-MM-DD.
        start: When it starts, HH:MM.
        end: When it ends, HH:MM.
        city: The city it takes place in.
    """

    title: Annotated[str, ECHO]
    date: Annotated[str, Attribute("event.date", is_a="day.date")]
    start: Annotated[str, Attribute("event.start", is_a="moment.time")]
    end: Annotated[str, Attribute("event.end", is_a="moment.time")]
    city: Annotated[str, Attribute("event.city", is_a="city.name")]


@tool(
    category="Personal",
    server="calendar",
    about=("title",),
    rubric=always(Dimension.PRIVACY, why="Only the user's own calendar has it."),
    scenario="Somebody has an appointment coming up and asks when and where it is.",
    human=person_can("The user only has to glance at the diary."),
)
def find_event(state: State, title: EventTitle) -> EventDetails:
    """Look up an event in the user's calendar by its title.

    Args:
        title: The event's title as it stands in the calendar.
    """
    found = state.record(Event, title, "event titled")
    return {"title": title, "date": found.date, "start": found.start, "end": found.end, "city": found.city}


class Entry(TypedDict):
    """One event of a day.

    Attributes:
        title: Its title.
        start: When it starts, HH:MM.
        end: When it ends, HH:MM.
    """

    title: Annotated[str, Attribute("event.title")]
    start: Annotated[str, Attribute("day.event_start")]
    end: Annotated[str, Attribute("day.event_end")]


class Agenda(TypedDict):
    """A day in the calendar.

    Attributes:
        date: The day.
        count: How many events there are on it.
        events: The events, in order of time.
    """

    date: Annotated[str, ECHO]
    count: Annotated[int, Attribute("day.event_count")]
    events: list[Entry]


def _on(state: State, date: str) -> list[tuple[str, Event]]:
    found = [(title, event) for title, event in state.table(Event).items() if event.date == date]
    return sorted(found, key=lambda pair: (pair[1].start, pair[0]))


@tool(
    category="Personal",
    server="calendar",
    about=("date",),
    rubric=always(Dimension.PRIVACY, why="Only the user's own calendar has it."),
    scenario="Somebody looks at a day before promising to be anywhere.",
    human=person_can("The user only has to turn to that page of the diary."),
)
def list_events(state: State, date: Day) -> Agenda:
    """List the events of one day in the user's calendar.

    Args:
        date: The day, as YYYY-MM-DD.
    """
    entries: list[Entry] = [
        {"title": title, "start": event.start, "end": event.end} for title, event in _on(state, date)
    ]
    return {"date": date, "count": len(entries), "events": entries}


class AddedEvent(TypedDict):
    """A new entry of the calendar.

    Attributes:
        title: Its title.
        end: When it ends, HH:MM.
    """

    title: Annotated[str, ECHO]
    end: Annotated[str, Attribute("event.planned_end")]


def _clock(minutes: int) -> str:
    return f"{minutes // 60:02d}:{minutes % 60:02d}"


@tool(
    category="Personal",
    server="calendar",
    about=("title", "date", "start"),
    changes=("event.added",),
    rubric=always(Dimension.INTERACTION, why="The user's calendar has one event more afterwards."),
    scenario="Somebody has agreed on a time with a friend and wants it in the calendar.",
    human=person_can("Anybody can write an appointment into their own diary."),
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
    hours, begun = map(int, start.split(":"))
    last = hours * 60 + begun + minutes
    if last >= _MIDNIGHT:
        refuse(
            "bad_arguments",
            "The event would not end on the day it starts.",
            "Start earlier or make it shorter.",
        )
    end = _clock(last)
    for other, event in _on(state, date):
        if event.start < end and start < event.end:
            fix = f"Choose a time before {event.start} or from {event.end} on."
            refuse("conflict", f"It would overlap with {other!r}.", fix)
    city = state.context()["home"].partition(",")[0]
    state.put(title, Event(date=date, start=start, end=end, city=city))
    return {"title": title, "end": end}


class NoteText(TypedDict):
    """A note.

    Attributes:
        title: Its title.
        text: What it says.
    """

    title: Annotated[str, ECHO]
    # Who has the text can count and sort it without a tool (validity.md, section 2), so it carries that too.
    text: Annotated[
        str,
        Attribute("note.text"),
        Attribute("text.words"),
        Attribute("text.lines"),
        Attribute("text.sorted"),
        Attribute("text.first_line"),
        Attribute("text.last_line"),
    ]


@tool(
    category="Personal",
    server="notes",
    about=("title",),
    rubric=always(Dimension.PRIVACY, why="Only the user has written it."),
    scenario="Somebody stands in the shop, or packs a suitcase, and needs their own list read to them.",
    human=person_can("Who wrote the note can read it out."),
)
def get_note(state: State, title: NoteTitle) -> NoteText:
    """Read one of the user's notes.

    Args:
        title: The note's title.
    """
    return {"title": title, "text": state.record(Note, title, "note titled").text}


class SavedNote(TypedDict):
    """A note that has been written.

    Attributes:
        title: Its title.
        replaced: Whether it took the place of an older note of that title.
    """

    title: Annotated[str, ECHO]
    replaced: Annotated[bool, Attribute("note.replaced")]


@tool(
    category="Personal",
    server="notes",
    about=("title", "text"),
    changes=("note.saved",),
    rubric=always(Dimension.INTERACTION, why="The user's notes say something else afterwards."),
    scenario="Somebody wants to keep a list, an address or a thought for later.",
    human=person_can("Anybody can jot a few lines down on paper."),
)
def save_note(
    state: State,
    title: NoteTitle,
    text: Annotated[str, Attribute("note.new_text", is_a="text.value"), Rules(max_length=20_000)],
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
    return {"title": title, "replaced": replaced}
