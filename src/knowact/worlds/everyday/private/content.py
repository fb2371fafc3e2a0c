"""What the user writes and keeps to read: drafts, saved articles, sign-up sheets."""

import datetime as dt
import random
from collections.abc import Mapping
from typing import Final

from knowact.core.model import Noun
from knowact.worlds.everyday.private.personal import vocabulary
from knowact.worlds.everyday.private.records import ClockTime, IsoDate
from knowact.worlds.everyday.private.table import Table


class Draft(Noun):
    """Something that the user is writing, by title. `slot` is the hour at which it goes out on its day."""

    words: int
    updated: IsoDate
    editor: str
    slot: ClockTime
    scheduled: IsoDate | None = None


class SavedArticle(Noun):
    """An article put aside for later, by title. `minutes` is how long it takes to read."""

    author: str
    site: str
    minutes: int
    saved: IsoDate


class Sheet(Noun):
    """A sign-up sheet, by title: a name per line, some of them twice, because people forget."""

    text: str


_DRAFTS: Final = (
    "A Week Without Screens",
    "Baking with Rye",
    "Letters to a Beekeeper",
    "My First Marathon",
    "Night Trains Revisited",
    "On Mending Things",
    "Small Gardens",
    "The Allotment Diary",
    "The Last Ferry",
    "Twelve Kinds of Rain",
    "What the Harbour Taught Me",
    "Why I Cycle",
)
_ARTICLES: Final = (
    "A Short History of Salt",
    "Bridges That Sing",
    "Cold Water, Warm Heads",
    "How Owls Hear",
    "In Praise of Leftovers",
    "Learning to Row at Sixty",
    "Slow Bread",
    "The Clockmakers of the Jura",
    "The Library on Wheels",
    "Under the Northern Ice",
    "When Swifts Return",
    "Who Owns the Beach",
)
_SHEETS: Final = (
    "Allotment open day",
    "Bake sale helpers",
    "Bird walk",
    "Board game night",
    "Car boot sale",
    "Choir outing",
    "First aid course",
    "Neighbourhood clean-up",
    "Newsletter readers",
    "Pottery class",
    "Street party",
    "Summer run",
)
_SITES: Final = ("Field & Harbour", "The Slow Gazette", "Tidewater Review", "Northlight", "Plain Talk Weekly")
_AUTHORS: Final = (
    "Ada Fenwick",
    "Bruno Castell",
    "Cleo Marchetti",
    "Dag Solberg",
    "Edith Varga",
    "Farid Haddad",
    "Gwen Pryce",
    "Hugo Lindeman",
)
_SIGNERS: Final = (
    "Agnes",
    "Ben",
    "Carla",
    "Dmitri",
    "Elif",
    "Frank",
    "Gita",
    "Harold",
    "Iris",
    "Jamal",
    "Katya",
    "Leo",
    "Mina",
    "Nils",
)


def _draft(draw: random.Random, _key: str, today: dt.date) -> Draft:
    # Round lengths, so that working with one stays a sum for the head (see `tools.content.paced`).
    return Draft(
        words=draw.randint(3, 48) * 100,
        updated=_before(draw, today, 20),
        editor=draw.choice(vocabulary()["contacts"]),
        slot=f"{draw.randint(6, 21):02d}:{draw.choice((0, 10, 15, 20, 30, 40, 45, 50)):02d}",
    )


def _article(draw: random.Random, _key: str, today: dt.date) -> SavedArticle:
    return SavedArticle(
        author=draw.choice(_AUTHORS),
        site=draw.choice(_SITES),
        minutes=draw.randint(3, 42),
        saved=_before(draw, today, 60),
    )


def _sheet(draw: random.Random, _key: str, _today: dt.date) -> Sheet:
    names = draw.sample(_SIGNERS, draw.randint(4, 9))
    again = draw.choices(names, k=draw.randint(2, 5))
    lines = [*names, *again]
    draw.shuffle(lines)
    return Sheet(text="\n".join(lines))


def _before(draw: random.Random, today: dt.date, most: int) -> str:
    return (today - dt.timedelta(days=draw.randint(1, most))).isoformat()


TABLES: Final[Mapping[str, Table]] = {
    "drafts": Table(Draft, lambda: _DRAFTS, _draft),
    "saved_articles": Table(SavedArticle, lambda: _ARTICLES, _article),
    "signup_sheets": Table(Sheet, lambda: _SHEETS, _sheet),
}
