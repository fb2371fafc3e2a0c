"""The lots of tonight's raffle: a pure function of the seed, the lot and the day. See `sources`."""

import datetime as dt
from typing import Final

from knowact.core.seeds import generator

_PRIZES: Final = (
    "a jar of honey",
    "a board game",
    "a houseplant",
    "two cinema tickets",
    "a fruit basket",
    "a box of candles",
    "a picnic blanket",
    "a cookery book",
    "a bottle of cider",
    "a jigsaw puzzle",
    "a teapot",
    "a bird feeder",
    "a garden lantern",
    "a bag of coffee",
)
_FIRST_TICKET: Final = 100
LOTS: Final = 60


def raffle_lot(seed: int, number: int, day: dt.date) -> tuple[int, str]:
    """Return the ticket that is drawn as the lot of a number, and its prize; no ticket is drawn twice."""
    tickets = generator(seed, "raffle", day.isoformat()).sample(range(_FIRST_TICKET, 1_000), LOTS)
    return tickets[number - 1], generator(seed, "prize", day.isoformat(), number).choice(_PRIZES)
