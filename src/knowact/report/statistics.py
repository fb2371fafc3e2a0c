"""Statistics of a data set, as text and as one page that opens offline."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from knowact.core.errors import BadUsage
from knowact.core.suite import Item, Suite
from knowact.core.table import DatasetInfo, Figure, Table
from knowact.datasets import stats
from knowact.report.as_text import table_text
from knowact.report.glossary import Glossary
from knowact.report.html_table import Wanted, html_table
from knowact.report.markup import Markup, tag
from knowact.report.page import framed
from knowact.report.payload import shown
from knowact.report.sections import Part, glossary_part, html_figure

SCRIPTS = ("base", "charts", "tables", "sorting", "opening", "start")
"""The page's scripts that need no trials."""

NO_TRIALS: Final[Mapping[str, Any]] = {"traces": []}


@dataclass(frozen=True, slots=True)
class Statistics:
    """Tables and figures of some data.

    Attributes:
        name: The data set as in `knowact list`, or the world.
        about: The suite or kind of data.
        mark: An identifier such as a hash.
    """

    name: str
    about: str
    mark: str
    tables: tuple[Table, ...]
    figures: tuple[Figure, ...] = ()


def statistics(suite: Suite, dataset: DatasetInfo, items: Sequence[Item]) -> Statistics:
    """Compute tables and figures: the suite's own first, then the common ones."""
    return Statistics(
        f"{suite.name}/{dataset.name}@{dataset.version}",
        suite.title,
        f"sha256 {dataset.sha256[:12]}",
        (*suite.statistics(items), *stats.tables(items)),
        (*suite.pictures(items), *(make(items) for make in stats.PICTURES)),
    )


def statistics_text(found: Statistics) -> str:
    """Return all tables, for the terminal."""
    head = f"{found.name}, {found.mark}\n"
    return "\n".join((head, *(table_text(table) for table in found.tables)))


def statistics_page(found: Statistics) -> str:
    """Return the page. Equal data give equal pages."""
    figures = [figure for figure in found.figures if figure.spec]
    tables = [table for table in found.tables if table.rows]
    glossary = Glossary()
    wanted = Wanted(glossary.words(), None, [])
    drawn = [html_figure(one, f"figure-{one.id}", place) for place, one in enumerate(figures)]
    written = [html_table(one, f"table-{one.id}", wanted) for one in tables]
    parts = [
        _part("pictures", "Figures", drawn),
        _part("tables", "Tables", written),
        *glossary_part(glossary),
    ]
    facts = f"{found.about} \N{MIDDLE DOT} {found.mark}"
    data = {"payload": {**shown([(one, {}) for one in tables], figures), **NO_TRIALS}}
    return framed(f"Data set {found.name}", facts, parts, data, SCRIPTS)


def _part(anchor: str, title: str, bodies: Sequence[Markup]) -> Part:
    return Part(anchor, title, tag("section", tag("h2", title), *bodies, id=anchor))


def write_page(found: Statistics, file: Path) -> None:
    """Write the page.

    Raises:
        BadUsage: The file cannot be written.
    """
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        # Line ends as they are: the page's scripts are hashed.
        file.write_text(statistics_page(found), encoding="utf-8", newline="")
    except OSError as error:
        raise BadUsage(f"Cannot write the page to {file}: {error.strerror}. Choose another --out.") from error
