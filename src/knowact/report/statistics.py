"""Statistics of a data set, as text and as one page that opens offline."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from knowact.core.clean import Json
from knowact.core.suite import Item, Suite
from knowact.core.table import DatasetInfo, Figure, Table
from knowact.datasets import stats
from knowact.report.as_text import table_text
from knowact.report.glossary import Glossary
from knowact.report.html_table import TableLinks, html_table
from knowact.report.markup import Markup, tag
from knowact.report.page import framed
from knowact.report.payload import shown
from knowact.report.sections import PageSection, glossary_part, html_figure
from knowact.report.write import write_text

SCRIPTS = ("base", "charts", "tables", "sorting", "opening", "start")
"""The page's scripts that need no trials."""

NO_TRIALS: Final[Mapping[str, Json]] = {"traces": []}


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


def statistics_text(described: Statistics) -> str:
    """Return all tables, for the terminal."""
    head = f"{described.name}, {described.mark}\n"
    return "\n".join((head, *(table_text(table) for table in described.tables)))


def statistics_page(described: Statistics) -> str:
    """Return the page. Equal data give equal pages."""
    figures = [figure for figure in described.figures if figure.spec]
    tables = [table for table in described.tables if table.rows]
    glossary = Glossary()
    links = TableLinks(glossary.words(), None, [])
    drawn = [html_figure(figure, f"figure-{figure.id}", place) for place, figure in enumerate(figures)]
    written = [html_table(table, f"table-{table.id}", links) for table in tables]
    parts = [
        _part("pictures", "Figures", drawn),
        _part("tables", "Tables", written),
        *glossary_part(glossary),
    ]
    facts = f"{described.about} \N{MIDDLE DOT} {described.mark}"
    data = {"payload": {**shown([(figure, {}) for figure in tables], figures), **NO_TRIALS}}
    return framed(f"Data set {described.name}", facts, parts, data, SCRIPTS)


def _part(anchor: str, title: str, bodies: Sequence[Markup]) -> PageSection:
    return PageSection(anchor, title, tag("section", tag("h2", title), *bodies, id=anchor))


def write_page(described: Statistics, file: Path) -> None:
    """Write the page.

    Raises:
        BadUsage: The file cannot be written.
    """
    write_text(statistics_page(described), file, "the page to ", "--out")
