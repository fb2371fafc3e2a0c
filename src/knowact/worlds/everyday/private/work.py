"""What the user works on: texts, software, made-up data and applications."""

import datetime as dt
import json
import random
from collections.abc import Mapping
from typing import Final

from knowact.core.model import Noun
from knowact.worlds.everyday.places import CITIES
from knowact.worlds.everyday.private.table import ClockTime, IsoDate, Table, vocabulary


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
    *("A Week Without Screens", "Baking with Rye", "Letters to a Beekeeper", "My First Marathon"),
    *("Night Trains Revisited", "On Mending Things", "Small Gardens", "The Allotment Diary"),
    *("The Last Ferry", "Twelve Kinds of Rain", "What the Harbour Taught Me", "Why I Cycle"),
)
_ARTICLES: Final = (
    *("A Short History of Salt", "Bridges That Sing", "Cold Water, Warm Heads", "How Owls Hear"),
    *("In Praise of Leftovers", "Learning to Row at Sixty", "Slow Bread", "The Clockmakers of the Jura"),
    *("The Library on Wheels", "Under the Northern Ice", "When Swifts Return", "Who Owns the Beach"),
)
_SHEETS: Final = (
    *("Allotment open day", "Bake sale helpers", "Bird walk", "Board game night", "Car boot sale"),
    *("Choir outing", "First aid course", "Neighbourhood clean-up", "Newsletter readers", "Pottery class"),
    *("Street party", "Summer run"),
)
_SITES: Final = ("Field & Harbour", "The Slow Gazette", "Tidewater Review", "Northlight", "Plain Talk Weekly")
_AUTHORS: Final = (
    *("Ada Fenwick", "Bruno Castell", "Cleo Marchetti", "Dag Solberg", "Edith Varga", "Farid Haddad"),
    *("Gwen Pryce", "Hugo Lindeman"),
)
_SIGNERS: Final = (
    *("Agnes", "Ben", "Carla", "Dmitri", "Elif", "Frank", "Gita", "Harold", "Iris", "Jamal", "Katya", "Leo"),
    *("Mina", "Nils"),
)


def _draft(draw: random.Random, _key: str, today: dt.date) -> Draft:
    # Round lengths, so that working with one stays a sum for the head (see `tools.content.paced`).
    return Draft(
        words=draw.randint(3, 48) * 100,
        updated=_before(draw, today, 20),
        editor=draw.choice(vocabulary().contacts),
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


class Project(Noun):
    """A software project, by name: its releases, one per line, and its settings, a JSON document."""

    releases: str
    settings: str


class Issue(Noun):
    """An entry in the tracker, by its number."""

    title: str
    priority: str
    assignee: str
    reporter: str
    opened: IsoDate
    due: IsoDate
    closed: bool = False


_PROJECTS: Final = (
    *("Bike Map", "Choir Site", "Ferry Times", "Garden Log", "Harbour App", "Lantern Shop", "Pocket Ledger"),
    *("Quiz Night", "Recipe Box", "Seed Library", "Tide Tracker", "Village Radio"),
)
_ISSUES: Final = (
    *("BM-205", "BM-219", "CS-112", "CS-140", "HA-157", "HA-163", "RB-231", "RB-248", "SL-164", "SL-170"),
    *("TT-188", "TT-191"),
)
_TITLES: Final = (
    "Login page is blank on old phones",
    "Dates are shown in American order",
    "Search forgets the last word",
    "Photos upload sideways",
    "The map jumps when zooming",
    "Reminder mails arrive twice",
    "Dark mode hides the menu",
    "Totals are off by one cent",
    "The export leaves out umlauts",
    "Sorting by name ignores case",
    "The help page has dead links",
    "Offline mode loses drafts",
)


def _project(draw: random.Random, _key: str, _today: dt.date) -> Project:
    numbers = {(draw.randint(0, 4), draw.randint(0, 14), draw.randint(0, 12)) for _ in range(9)}
    # A set has no order of its own that every Python shares.
    releases = [".".join(map(str, parts)) for parts in sorted(numbers)]
    draw.shuffle(releases)
    settings = {
        "server": {
            "port": draw.randint(3_000, 9_999),
            "region": draw.choice(("north", "west", "south", "east")),
        },
        "uploads": {
            "largest_mb": draw.randint(2, 40) * 5,
            "formats": draw.sample(("png", "jpg", "pdf", "csv"), 2),
        },
        "session": {"minutes": draw.randint(2, 24) * 5},
    }
    return Project(releases="\n".join(releases), settings=json.dumps(settings))


def _issue(draw: random.Random, _key: str, today: dt.date) -> Issue:
    assignee, reporter = draw.sample(vocabulary().contacts, 2)
    return Issue(
        title=draw.choice(_TITLES),
        priority=draw.choice(("low", "medium", "high", "urgent")),
        assignee=assignee,
        reporter=reporter,
        opened=(today - dt.timedelta(days=draw.randint(2, 80))).isoformat(),
        due=(today + dt.timedelta(days=draw.randint(1, 12))).isoformat(),
    )


class StagingCustomer(Noun):
    """A made-up customer, by number. Credit in whole euros."""

    name: str
    city: str
    joined: IsoDate
    credit: int


class StagingOrder(Noun):
    """A made-up order, by number. Money in whole euros."""

    customer: str
    items: int
    total: int
    placed: IsoDate


class ReservedAccount(Noun):
    """A test account that somebody holds, by login. `until` is the last day."""

    tester: str
    role: str
    until: IsoDate


_CUSTOMERS: Final = tuple(f"TC-{number}" for number in range(104, 304, 9))
_ORDERS: Final = tuple(f"TO-{number}" for number in range(2011, 2824, 37))
_FIRST: Final = (
    "Ansel",
    "Bodil",
    "Corin",
    "Delphine",
    "Edda",
    "Florian",
    "Gudrun",
    "Hendrik",
    "Isaura",
    "Jorun",
)
_LAST: Final = (
    "Abel",
    "Bakstra",
    "Corvin",
    "Dupree",
    "Ekdahl",
    "Fontein",
    "Grauer",
    "Hollis",
    "Ivarsen",
    "Jansma",
)


def _customer(draw: random.Random, _key: str, today: dt.date) -> StagingCustomer:
    return StagingCustomer(
        name=f"{draw.choice(_FIRST)} {draw.choice(_LAST)}",
        city=draw.choice(tuple(CITIES)),
        joined=(today - dt.timedelta(days=draw.randint(20, 1500))).isoformat(),
        credit=draw.randint(10, 95),
    )


def _order(draw: random.Random, _key: str, today: dt.date) -> StagingOrder:
    return StagingOrder(
        customer=draw.choice(_CUSTOMERS),
        items=draw.randint(1, 14),
        total=draw.randint(15, 95),
        placed=(today - dt.timedelta(days=draw.randint(1, 90))).isoformat(),
    )


EMPLOYERS: Final = (
    *("Alder Street Clinic", "Brightwater School", "Cobalt Press", "Dovecote Hotel", "Eastgate Observatory"),
    *("Fennel & Fig", "Greyfriars Museum", "Hartland Rail", "Ironbridge Cycles", "Juniper Nursery"),
    *("Kestrel Airways", "Lockside Brewery", "Meridian Maps", "Northlight Radio", "Old Mill Bakery"),
    *("Quayside Aquarium", "Sandpiper Theatre", "Thornbury Gardens"),
)
"""Invented, and each could employ people of many trades."""
_POSITIONS: Final = (
    *("accounts clerk", "caretaker", "duty manager", "events assistant", "receptionist", "stock controller"),
    *("trainee buyer", "web editor"),
)
_STAGES: Final = ("received", "under review", "shortlisted", "on the waiting list")


class JobApplication(Noun):
    """An application of the user's. Pay in cents per hour; `reply` is the day of the promised answer."""

    position: str
    status: str
    sent: IsoDate
    reply: IsoDate
    city: str
    referee: str
    cents_per_hour: int


def _application(draw: random.Random, _key: str, today: dt.date) -> JobApplication:
    return JobApplication(
        position=draw.choice(_POSITIONS),
        status=draw.choice(_STAGES),
        sent=(today - dt.timedelta(days=draw.randint(3, 40))).isoformat(),
        reply=(today + dt.timedelta(days=draw.randint(1, 13))).isoformat(),
        city=draw.choice([name for name in CITIES if name != "Utrecht"]),
        referee=draw.choice(vocabulary().contacts),
        cents_per_hour=draw.randint(28, 70) * 50,
    )


TABLES: Final[Mapping[str, Table]] = {
    "drafts": Table(Draft, lambda: _DRAFTS, _draft),
    "saved_articles": Table(SavedArticle, lambda: _ARTICLES, _article),
    "signup_sheets": Table(Sheet, lambda: _SHEETS, _sheet),
    "code_projects": Table(Project, lambda: _PROJECTS, _project),
    "tracker_issues": Table(Issue, lambda: _ISSUES, _issue),
    "test_customers": Table(StagingCustomer, lambda: _CUSTOMERS, _customer),
    "test_orders": Table(StagingOrder, lambda: _ORDERS, _order),
    "reserved_accounts": Table(ReservedAccount),
    "job_applications": Table(JobApplication, lambda: EMPLOYERS, _application),
}
