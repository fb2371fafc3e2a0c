"""The user's own software projects and the tracker of what is to be done on them."""

import datetime as dt
import json
import random
from collections.abc import Mapping
from typing import Final

from knowact.core.model import Noun
from knowact.worlds.everyday.private.personal import vocabulary
from knowact.worlds.everyday.private.records import IsoDate
from knowact.worlds.everyday.private.table import Table


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
    "Bike Map",
    "Choir Site",
    "Ferry Times",
    "Garden Log",
    "Harbour App",
    "Lantern Shop",
    "Pocket Ledger",
    "Quiz Night",
    "Recipe Box",
    "Seed Library",
    "Tide Tracker",
    "Village Radio",
)
_ISSUES: Final = (
    "BM-205",
    "BM-219",
    "CS-112",
    "CS-140",
    "HA-157",
    "HA-163",
    "RB-231",
    "RB-248",
    "SL-164",
    "SL-170",
    "TT-188",
    "TT-191",
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
    assignee, reporter = draw.sample(vocabulary()["contacts"], 2)
    return Issue(
        title=draw.choice(_TITLES),
        priority=draw.choice(("low", "medium", "high", "urgent")),
        assignee=assignee,
        reporter=reporter,
        opened=(today - dt.timedelta(days=draw.randint(2, 80))).isoformat(),
        due=(today + dt.timedelta(days=draw.randint(1, 12))).isoformat(),
    )


TABLES: Final[Mapping[str, Table]] = {
    "code_projects": Table(Project, lambda: _PROJECTS, _project),
    "tracker_issues": Table(Issue, lambda: _ISSUES, _issue),
}
