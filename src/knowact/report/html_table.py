"""One table as HTML: pivoted, with n and interval in each cell, which links to its trials."""

from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Final

from knowact.core.rounding import interval_text, number_text
from knowact.core.table import Estimate, Row, Table
from knowact.report.markup import Markup, join, tag
from knowact.report.pivot import Grid, Line, pivot
from knowact.report.trace import Facets, Trace


@dataclass(frozen=True, slots=True)
class _Style:
    """The style of one table.

    Attributes:
        signed: Measures with a negative number; these also show plus signs.
        highest: Per column, the number to set in bold.
        starts: Columns that start a group of columns.
    """

    percent: bool
    counts: bool
    signed: frozenset[str]
    highest: tuple[float | None, ...]
    starts: frozenset[int]


WIDE: Final = 7
"""With more columns than this, n goes below the interval."""


def html_table(table: Table, anchor: str, facets: Facets | None, traces: list[Trace]) -> Markup:
    """Return a section with a table that has rows; appends to `traces` the trials behind each cell.

    Each cell is a button with its index in `traces`; plain without `facets`.
    """
    grid = pivot(table)
    style = _Style(
        percent=table.percent,
        counts=table.counts,
        signed=frozenset(row.measure for row in table.rows if (row.estimate.value or 0) < 0),
        highest=tuple(grid.highest(c) if table.highest else None for c in range(len(grid.columns))),
        starts=grid.starts,
    )
    plain = replace(style, highest=(None,) * len(style.highest))
    body = tag(
        "tbody",
        *(_line(line, style if grid.ranks(line) else plain, facets, traces) for line in grid.lines),
    )
    wide = "wide" if len(grid.columns) > WIDE else None
    whole = tag("table", tag("caption", table.title, class_="unseen"), _head(grid), body, class_=wide)
    shown = tag("div", whole, class_="scroll", role="region", aria_label=table.title, tabindex="0")
    return tag(
        "section",
        tag("h3", table.title),
        tag("p", _facts(table, len(grid.lines)), class_="source"),
        shown,
        tag("p", table.note, class_="note") if table.note else None,
        class_="table",
        id=anchor,
    )


def html_number(
    estimate: Estimate,
    *,
    percent: bool,
    signed: bool = False,
    best: bool = False,
    places: int = 0,
    counts: bool = False,
) -> Markup:
    """Return a number with its interval and n below it; `places` are the decimals of the interval.

    A count has neither.
    """
    value = number_text(estimate.value, percent=percent, signed=signed, counts=counts)
    if counts:
        return tag("span", value, class_="value")
    small = [tag("span", f"n {estimate.n:,}")]
    if estimate.low is not None and estimate.high is not None:
        ends = (number_text(end, percent=percent, places=places) for end in (estimate.low, estimate.high))
        small = [tag("span", f"[{', '.join(ends)}]"), " ", *small]
    return join(
        tag("span", value, class_="value best" if best else "value"),
        " ",
        tag("span", *small, class_="spread"),
    )


def breakable(name: str) -> Markup:
    """Return a name that may wrap after its slashes: "provider/model" is too long for a phone."""
    first, *others = name.split("/")
    return join(first, *(join("/", tag("wbr"), part) for part in others))


def spaced(name: str) -> str:
    """Return a name with blanks for underscores."""
    return name.replace("_", " ")


def _facts(table: Table, lines: int) -> str:
    methods = sorted({row.estimate.method for row in table.rows if row.estimate.method})
    if table.counts:
        return f"{table.source} · counts"
    unit = ("percent",) if table.percent else ()
    intervals = f"95 % intervals: {', '.join(methods)}" if methods else "no intervals"
    bold = ("bold: highest in its column",) if table.highest and lines > 1 else ()
    return " · ".join((table.source, *unit, intervals, *bold))


def _head(grid: Grid) -> Markup:
    rows: list[Markup] = []
    for level in range(grid.levels):
        last = level == grid.levels - 1
        corner = [
            tag("th", spaced(key), scope="col", class_="head") if last else tag("td", class_="head")
            for key in grid.corner
        ]
        spans = grid.spans(level)
        places = accumulate((width for _, width in spans[:-1]), initial=0)
        starts = ["first" if place in grid.starts else None for place in places]
        heads = [
            tag("th", spaced(head), scope="col" if last else "colgroup", colspan=width, class_=first)
            for (head, width), first in zip(spans, starts, strict=True)
        ]
        rows.append(tag("tr", *corner, *heads))
    return tag("thead", *rows)


def _line(line: Line, style: _Style, facets: Facets | None, traces: list[Trace]) -> Markup:
    heads = [tag("th", tag("bdi", breakable(head)), scope="row", class_="head") for head in line.heads]
    cells: list[Markup] = []
    for place, (row, highest) in enumerate(zip(line.cells, style.highest, strict=True)):
        first = "first" if place in style.starts else None
        if row is None:
            cells.append(tag("td", class_=first))
            continue
        if facets is None:
            cells.append(tag("td", tag("span", _number(row, style, highest), class_="cell"), class_=first))
            continue
        traces.append(facets.trace(row))
        cells.append(tag("td", _cell(row, style, len(traces) - 1, highest), class_=first))
    return tag("tr", *heads, *cells)


def _number(row: Row, style: _Style, highest: float | None) -> Markup:
    estimate = row.estimate
    return html_number(  # whole percents make narrow columns; hovering gives the decimals
        estimate,
        percent=style.percent,
        signed=row.measure in style.signed,
        best=highest is not None and estimate.value == highest,
        counts=style.counts,
    )


def _cell(row: Row, style: _Style, trace: int, highest: float | None) -> Markup:
    return tag(
        "button",
        _number(row, style, highest),
        type="button",
        class_="cell",
        data_trace=trace,
        title=_hover(row.estimate, percent=style.percent),
    )


def _hover(estimate: Estimate, *, percent: bool) -> str:
    value = number_text(estimate.value, percent=percent, places=2)
    interval = interval_text(estimate, percent=percent, places=2)
    method = f" ({estimate.method})" if estimate.method else ""
    return f"{value}; 95 % interval {interval}{method}; n = {estimate.n}. Click to see its trials."
