"""One table as HTML: pivoted, with the interval in each cell, which links to its trials.

What all cells have in common is said once: a row head that is the same in all rows, and an n that is the same
in a group of columns or in the whole table. A table that is too wide for a page falls into parts.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from knowact.core.rounding import brackets, interval_text, number_text
from knowact.core.table import Estimate, Row, Table
from knowact.report.best import MARKED, RUN_HEAD, best_rows
from knowact.report.glossary import Words
from knowact.report.markup import Child, Markup, join, tag
from knowact.report.pivot import Grid, GridRow, facts, one_n, pivot, signed
from knowact.report.trace import Facets, ProfileFacets, Trace

WIDE: Final = 7
"""A table with more columns than this is set smaller."""

PAGE: Final = 1150
"""Pixels that a table may take on a screen of 1,280."""

LONG: Final = 24
"""Letters: no word of ours is longer, and no table falls apart for one of a model's."""

SLACK: Final = 1.12
"""Parts of a table get so much more room than the estimate: a part that scrolls costs more than a gap."""


@dataclass(frozen=True, slots=True)
class TableLinks:
    """What cells and heads link to.

    Attributes:
        words: The meanings of words in heads.
        facets: Finds the trials behind a cell; cells are plain text without it.
        traces: Takes the trials behind each cell, in order.
    """

    words: Words
    facets: Facets | ProfileFacets | None
    traces: list[Trace]


@dataclass(frozen=True, slots=True)
class _Style:
    """The style of one table.

    Attributes:
        signed: Measures with a negative number; these also show plus signs.
        best: The rows to set in bold, by `id`.
        ns: Per column, the n of all its cells, said once in its head; None where they differ.
        bare: Whether cells and heads say no n, because it is the same in the whole table.
        piece: Whether it is a part of a table, set smaller so that several stand beside each other.
    """

    table: Table
    signed: frozenset[str]
    best: frozenset[int]
    ns: tuple[int | None, ...]
    bare: bool
    piece: bool


def html_table(table: Table, anchor: str, links: TableLinks, *, folded: bool = False) -> Markup:
    """Return a section with a table that has rows; folded, it opens on demand."""
    common = _common(table)
    n = one_n(table)
    numbered = n is None and not table.counts
    parts = list(_parts(table, (), frozenset(common), numbered=numbered))
    grids = [(part, pivot(part.table, part.hidden)) for part in parts]
    best = best_rows(table, links.words.own)
    shown = [
        (part, grid, _style(part.table, grid, best, n is not None, len(parts) > 1)) for part, grid in grids
    ]
    about = [
        *facts(table),
        *(f"{spaced(key)}: {value}" for key, value in common.items() if value),
        *([] if n is None else [f"n {n:,}"]),
        *([MARKED] if best else []),
    ]
    basis = max(_width(part.table, grid, numbered=numbered, piece=True) for part, grid in grids)
    body = [
        _piece([links.words.explained(word) for word in part.name], scroll, basis) if part.name else scroll
        for part, grid, style in shown
        for scroll in [_scroll(", ".join((table.title, *part.name)), grid, style, links)]
    ]
    if len(body) > 1:
        body = [tag("div", *body, class_="pieces")]
    note = tag("p", table.note, class_="note") if table.note else None
    return section(table.title, " · ".join(about), body, note, anchor, kind="table", folded=folded)


def section(
    title: str,
    facts: str,
    body: Sequence[Markup],
    note: Markup | None,
    anchor: str,
    *,
    kind: str,
    folded: bool,
) -> Markup:
    """A titled part of the page: open, with its note to unfold; or folded as a whole."""
    source = tag("p", facts, class_="source")
    if folded:
        return fold(title, source, *body, note, kind=kind, anchor=anchor)
    how = tag("details", tag("summary", "How to read this"), note, class_="how") if note else None
    return tag("section", tag("h3", title), source, *body, how, class_=kind, id=anchor)


def fold(title: str, *body: Child, kind: str = "", anchor: str | None = None) -> Markup:
    """A titled part of the page that opens on demand."""
    head = tag("summary", tag("h3", title))
    return tag("details", head, *body, class_=f"part {kind}".rstrip(), id=anchor)


def breakable(name: str) -> Markup:
    """Return a name that may wrap after its slashes: "provider/model" is too long for a phone."""
    first, *others = name.split("/")
    return join(first, *(join("/", tag("wbr"), part) for part in others))


def spaced(name: str) -> str:
    """Return a name with blanks for underscores."""
    return name.replace("_", " ")


def _piece(name: Sequence[Markup], scroll: Markup, basis: float) -> Markup:
    """A part of a table under its name; as many stand beside each other as there is room for."""
    size = f"flex-basis:{max(380, round(SLACK * basis))}px"
    return tag("div", tag("h4", *spaced_out(name, ", ")), scroll, class_="piece", style=size)


def spaced_out(parts: Sequence[Markup], between: str = " ") -> list[Markup | str]:
    """Parts of a line with something between them."""
    first, *others = parts
    return [first, *(piece for part in others for piece in (between, part))]


def _common(table: Table) -> dict[str, str]:
    """The row heads that say the same in all rows, with what they say; the model is none of them."""
    keys = dict.fromkeys(key for row in table.rows for key in row.keys)
    down = [key for key in keys if key not in table.across]
    return {
        key: table.rows[0].keys.get(key, "")
        for key in down[1:]
        if key != RUN_HEAD and len({row.keys.get(key) for row in table.rows}) == 1
    }


@dataclass(frozen=True, slots=True)
class _TablePart:
    """A part of a table, the values that its rows share, and the keys that are said outside of it."""

    name: tuple[str, ...]
    table: Table
    hidden: frozenset[str]


def _parts(
    table: Table, name: tuple[str, ...], hidden: frozenset[str], *, numbered: bool
) -> Iterator[_TablePart]:
    """The table as a whole, or, where it is too wide, a part for each value of its outermost column head."""
    left = [key for key in table.across if key not in hidden]
    grid = pivot(table, hidden)
    if not left or _width(table, grid, numbered=numbered, piece=bool(name)) <= PAGE:
        yield _TablePart(name, table, hidden)
        return
    for value in dict.fromkeys(row.keys.get(left[0], "") for row in table.rows):
        rows = tuple(row for row in table.rows if row.keys.get(left[0], "") == value)
        part = replace(table, rows=rows)
        yield from _parts(part, (*name, value), hidden | {left[0]}, numbered=numbered)


def _width(table: Table, grid: Grid, *, numbered: bool, piece: bool) -> float:
    """About how many pixels a table takes: letters are counted, with the widths that the styles have.

    A `numbered` one says its n in each cell of a column where they differ; a `piece` is set smaller.
    """
    small = piece or len(grid.columns) > WIDE
    letter, digit, pad, most = (7.7, 5.7, 8.0, 152.0) if small else (8.8, 6.3, 17.0, 200.0)
    heads = sum(
        min(most, 7.6 * max(len(line.heads[place]) for line in grid.lines))
        + 12  # set in one line, up to most
        for place in range(len(grid.corner))
    )
    columns = 0.0
    for place, names in enumerate(grid.columns):
        known = [cell.estimate for line in grid.lines if (cell := line.cells[place]) is not None]
        ends = max(len(brackets(estimate, percent=table.percent, places=0)) for estimate in known)
        if numbered and len({estimate.n for estimate in known}) > 1:
            ends += max(len(f" n {estimate.n:,}") for estimate in known)
        columns += max(letter * min(LONG, _longest(spaced(names[-1]))), digit * ends, 5 * letter) + pad
    return heads + columns + 12 * len(grid.starts)


def _longest(text: str) -> int:
    """Letters of the longest piece of a name that cannot wrap."""
    return max((len(piece) for word in text.split() for piece in word.split("/")), default=1)


def _style(table: Table, grid: Grid, best: frozenset[int], bare: bool, piece: bool) -> _Style:  # noqa: FBT001
    ns = tuple(min(ns) if len(ns) == 1 and not (bare or table.counts) else None for ns in grid.ns)
    return _Style(table, signed(table), best, ns, bare, piece)


def _scroll(title: str, grid: Grid, style: _Style, links: TableLinks) -> Markup:
    lines = (_line(line, grid, style, links) for line in grid.lines)
    wide = "wide" if len(grid.columns) > WIDE or style.piece else None
    head = _head(grid, style, links.words)
    whole = tag("table", tag("caption", title, class_="unseen"), head, tag("tbody", *lines), class_=wide)
    return tag("div", whole, class_="scroll", role="region", aria_label=title, tabindex="0")


def _head(grid: Grid, style: _Style, words: Words) -> Markup:
    rows: list[Markup] = []
    stated: set[int] = set()  # the columns whose n stands in a head above
    for level in range(grid.levels):
        last = level == grid.levels - 1
        heads = [
            tag("th", words.explained(key), scope="col", class_="head") if last else tag("td", class_="head")
            for key in grid.corner
        ]
        place = 0
        for head, width in grid.spans(level):
            below = range(place, place + width)
            ns = {style.ns[column] for column in below}
            n = style.ns[place] if len(ns) == 1 and stated.isdisjoint(below) else None
            stated.update(below if n is not None else ())
            heads.append(
                tag(
                    "th",
                    words.explained(head),
                    tag("small", f" n\N{NO-BREAK SPACE}{n:,}") if n is not None else None,
                    scope="col" if last else "colgroup",
                    colspan=width,
                    class_="first" if place in grid.starts else None,
                )
            )
            place += width
        rows.append(tag("tr", *heads))
    return tag("thead", *rows)


def _line(line: GridRow, grid: Grid, style: _Style, links: TableLinks) -> Markup:
    heads = [tag("th", tag("bdi", breakable(head)), scope="row", class_="head") for head in line.heads]
    cells: list[Markup] = []
    for place, row in enumerate(line.cells):
        first = "first" if place in grid.starts else None
        if row is None:
            cells.append(tag("td", class_=first))
            continue
        n = not style.bare and style.ns[place] is None
        shown = _number(row, style, n=n)
        cells.append(tag("td", _cell(row, shown, style, links), class_=first))
    return tag("tr", *heads, *cells)


def _number(row: Row, style: _Style, *, n: bool) -> Markup:
    """A number, with its interval and, where it is not said elsewhere, its n; a count has neither."""
    estimate, percent = row.estimate, style.table.percent
    signed, counts = row.measure in style.signed, style.table.counts
    value = number_text(estimate.value, percent=percent, signed=signed, counts=counts)
    shown = tag("span", value, class_="value best" if id(row) in style.best else "value")
    if counts:
        return shown
    ends = brackets(estimate, percent=percent, places=0)  # whole percents make narrow columns
    small = [tag("span", ends)] if ends else []
    if n:
        small.append(tag("span", f"n {estimate.n:,}"))
    return join(shown, " ", tag("span", *spaced_out(small), class_="spread")) if small else shown


def _cell(row: Row, shown: Markup, style: _Style, links: TableLinks) -> Markup:
    trace = links.facets.trace(row) if links.facets is not None else None
    if trace is None:
        return tag("span", shown, class_="cell")
    links.traces.append(trace)
    return tag(
        "button",
        shown,
        type="button",
        class_="cell",
        data_trace=len(links.traces) - 1,
        title=_hover(row.estimate, percent=style.table.percent),
    )


def _hover(estimate: Estimate, *, percent: bool) -> str:
    value = number_text(estimate.value, percent=percent, places=2)
    interval = interval_text(estimate, percent=percent, places=2)
    method = f" ({estimate.method})" if estimate.method else ""
    return f"{value}; 95 % interval {interval}{method}; n = {estimate.n}. Click to see its trials."
