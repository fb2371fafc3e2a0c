"""Art: what is on at museums, and seats in the queue; the sums and colours are in `art_studio`."""

# ruff: noqa: D417 - agents give every argument but the state, so no docstring describes it

import datetime as dt
from typing import Annotated, Final, TypedDict

from knowact.core.tool import Dimension
from knowact.worlds.everyday import sources_art
from knowact.worlds.everyday.contract import always, near, person_cannot, refuse, tool
from knowact.worlds.everyday.fields import ClockTime, Day
from knowact.worlds.everyday.private.art import MuseumSlot
from knowact.worlds.everyday.state import State
from knowact.worlds.typed.schema import ECHO, Attribute, Rules

MuseumName = Annotated[str, Attribute("museum.name"), Rules(max_length=120)]
_OPENS: Final = "10:00"
_LAST_ENTRY: Final = "16:30"


def _known(museum: str) -> None:
    if museum not in sources_art.MUSEUMS:
        known = near(museum, sources_art.MUSEUMS)
        refuse("not_found", f"There is no museum named {museum!r} here.", known)


class ExhibitionNow(TypedDict):
    """A special exhibition.

    Attributes:
        museum: The museum.
        title: The exhibition's title.
        closes: Its last day, YYYY-MM-DD.
        price_eur: Price of one ticket in euros.
        queue_minutes: How long one waits at the door at the moment, in minutes.
    """

    museum: Annotated[str, ECHO]
    title: Annotated[str, Attribute("exhibition.title", is_a="text.value")]
    closes: Annotated[str, Attribute("exhibition.closes", is_a="day.date")]
    price_eur: Annotated[float, Attribute("exhibition.price", is_a="quantity.value")]
    queue_minutes: Annotated[int, Attribute("exhibition.queue", is_a="duration.minutes")]


@tool(
    category="Art",
    server="museums",
    about=("museum",),
    rubric=always(Dimension.TEMPORALITY, why="Exhibitions and queues change; only the museum knows them."),
    scenario="A family thinks of a museum for the afternoon and asks what is on and how full it is.",
    human=person_cannot("The queue and the prices are known at the museum's door, not to somebody at home."),
)
def get_exhibition(state: State, museum: MuseumName) -> ExhibitionNow:
    """Report a museum's current special exhibition, its ticket price and the queue at the door.

    Args:
        museum: The museum's name without "the", such as "Harbour Gallery".
    """
    _known(museum)
    found = sources_art.exhibition(state.seed, museum, state.today)
    return {
        "museum": museum,
        "title": found.title,
        "closes": found.closes.isoformat(),
        "price_eur": float(found.price),
        "queue_minutes": found.queue,
    }


class ReservedSlot(TypedDict):
    """A reserved time for entering.

    Attributes:
        code: The code to show at the door.
        entrance: Which entrance the slot is for.
    """

    code: Annotated[str, Attribute("museum_slot.code")]
    entrance: Annotated[str, Attribute("museum_slot.entrance")]


@tool(
    category="Art",
    server="museums",
    about=("museum", "date", "time", "visitors"),
    changes=("museum_slot.reserved",),
    rubric=always(Dimension.INTERACTION, why="The museum holds places for the user afterwards."),
    scenario="Somebody wants to walk into a busy museum at a fixed time with friends.",
    human=person_cannot("The reservation is made in the user's name at the museum's booking desk."),
)
def reserve_museum_slot(
    state: State,
    museum: MuseumName,
    date: Day,
    time: ClockTime,
    visitors: Annotated[int, Attribute("people.count"), Rules(minimum=1, maximum=12)] = 1,
) -> ReservedSlot:
    """Reserve a time for entering a museum; slots start every half hour from 10:00 to 16:30, every day.

    Args:
        museum: The museum's name without "the", such as "Harbour Gallery".
        date: The day, as YYYY-MM-DD, from today on.
        time: When to enter, HH:MM on the 24-hour clock.
        visitors: How many people come, at most 12.
    """
    _known(museum)
    if dt.date.fromisoformat(date) < state.today:
        refuse("bad_arguments", f"{date} is over.", "Choose a day from today on.")
    if not (_OPENS <= time <= _LAST_ENTRY and time[3:] in {"00", "30"}):
        fix = f"Choose a full or half hour from {_OPENS} to {_LAST_ENTRY}."
        refuse("bad_arguments", f"No slot starts at {time}.", fix)
    key = f"{museum}, {date}, {time}"
    if key in state.table(MuseumSlot):
        refuse("conflict", "The user has that slot already.", "Choose another time.")
    state.put(key, MuseumSlot(museum=museum, date=date, time=time, visitors=visitors))
    return {
        "code": sources_art.slot_code(state.seed, museum, date, time),
        "entrance": sources_art.slot_entrance(state.seed, museum, date, time),
    }
