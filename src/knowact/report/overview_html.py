"""The first screen as HTML: a table of small bars, and knowing against acting. Complete without scripts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from knowact.core.rounding import interval_text, number_text
from knowact.core.table import Estimate
from knowact.report.html_table import breakable
from knowact.report.markup import Markup, tag
from knowact.report.overview import Contestant, Known, Overview, Placed

BAR: Final = 100.0
"""Units of a small bar; one is a percentage point."""

PANEL: Final = 170.0
"""Units of the side of a panel."""

NEAR: Final = 0.05
"""Dots nearer than this in both shares are drawn as one, with all their numbers."""


def leaderboard(found: Overview, anchors: Mapping[str, str]) -> Markup:
    """The table of runs and suites; `anchors` lead from a suite to its section."""
    heads = [
        tag(
            "th",
            tag("a", column.title, href=f"#{anchors[column.suite]}"),
            tag("small", column.measure),
            scope="col",
            class_="bar",
        )
        for column in found.columns
    ]
    rows = [_line(number, line, found, anchors) for number, line in enumerate(found.lines, 1)]
    head = tag(
        "tr",
        tag("th", "#", scope="col"),
        tag("th", "Model or agent", scope="col", class_="head"),
        *heads,
        tag("th", "Scored", scope="col"),
        tag("th", "Cost", scope="col"),
    )
    table = tag(
        "table",
        tag("caption", "Headline of each run on each suite, in percent", class_="unseen"),
        tag("thead", head),
        tag("tbody", *rows),
        class_="leaderboard",
    )
    return tag("div", table, class_="scroll", role="region", aria_label="Headlines", tabindex="0")


def _line(number: int, line: Contestant, found: Overview, anchors: Mapping[str, str]) -> Markup:
    cells = [
        _cell(line.placed[column.suite], column.measure, anchors[column.suite])
        if column.suite in line.placed
        else tag("td", class_="bar")
        for column in found.columns
    ]
    scored, planned = (sum(getattr(run, name) for run in line.runs) for name in ("scored", "planned"))
    cost, priced = _cost(line), line.cost is not None
    variant = tag("small", f" {line.variant}") if line.variant else None
    return tag(
        "tr",
        tag("td", number, class_="place"),
        tag("th", tag("bdi", breakable(line.model)), variant, scope="row", class_="head"),
        *cells,
        tag("td", f"{scored:,} of {planned:,}", class_="lacking" if scored < planned else None),
        tag("td", cost, title=f"{line.tokens:,} tokens" + ("" if priced else "; no price is known")),
        class_="reference" if line.reference else None,
    )


def _cost(line: Contestant) -> str:
    cost = line.cost
    if cost is None:
        return "\N{EN DASH}"
    return f"${cost:,.2f}" if cost >= 0.01 or cost == 0 else "< $0.01"  # noqa: PLR2004 - a cent


def _cell(one: Placed, measure: str, anchor: str) -> Markup:
    estimate = one.headline
    if estimate.value is None:
        return tag("td", tag("span", "not judged", title=one.why_not), class_="bar nothing")
    ends = f"[{interval_text(estimate, percent=True, places=0)}]" if estimate.low is not None else ""
    return tag(
        "td",
        tag(
            "a",
            tag(
                "span",
                number_text(estimate.value, percent=True),
                class_="value best" if one.best else "value",
            ),
            _small_bar(one),
            tag("span", f" {ends}", class_="unseen"),
            href=f"#{anchor}",
            title=_in_words(one, measure),
        ),
        class_="bar",
    )


def _in_words(one: Placed, measure: str) -> str:
    estimate = one.headline
    said = [
        f"{measure} {number_text(estimate.value, percent=True)} %",
        f"95 % interval {interval_text(estimate, percent=True)}",
        f"n = {estimate.n:,}",
    ]
    said += [f"{name} {number_text(value, percent=True)} %" for name, value in one.policies.items()]
    if one.run.scored < one.run.planned:
        said.append(f"scored {one.run.scored:,} of {one.run.planned:,}")
    return "; ".join(said)


def _small_bar(one: Placed) -> Markup:
    """A bar with its whisker on the grey scale that the reference agents span."""
    estimate = one.headline
    marks: list[Markup] = [tag("rect", x=0, y=8, width=100, height=1, class_="rail")]
    if one.floor is not None and one.ceiling is not None:
        start, end = BAR * one.floor, BAR * one.ceiling
        marks.append(tag("rect", x=_at(start), y=1, width=_at(end - start), height=15, class_="scale"))
    marks.append(tag("rect", x=0, y=5, width=_at(BAR * (estimate.value or 0.0)), height=7, class_="value"))
    if estimate.low is not None and estimate.high is not None:
        low, high = BAR * estimate.low, BAR * estimate.high
        path = f"M{_at(low)} 8.5H{_at(high)}M{_at(low)} 5.5v6M{_at(high)} 5.5v6"
        marks.append(tag("path", d=path, class_="whisker"))
    return tag("svg", *marks, viewBox="-1 0 102 17", class_="small-bar", aria_hidden="true")


def knowing(found: Overview) -> Markup | None:
    """The one figure: each run's share of knowing against its share of acting, a panel per suite."""
    panels = [panel for column in found.columns if (panel := _panel(column.suite, column.title, found))]
    if not panels:
        return None
    caption = (
        "Each dot is a run, numbered as above: the share of trials in which it knew what is right, against "
        "the share in which it did it. Below the line it knew better than it acted."
    )
    return tag(
        "figure",
        tag("figcaption", tag("h3", "Knows against acts"), caption),
        tag("div", *panels, class_="panels"),
        id="overview-knowing",
    )


def _panel(suite: str, title: str, found: Overview) -> Markup | None:
    dots = [
        dot
        for number, line in enumerate(found.lines, 1)
        if suite in line.placed and (dot := _dot(number, line, line.placed[suite].known))
    ]
    if not dots:
        return None
    drawn = tag(
        "svg",
        tag("rect", x=0, y=0, width=_at(PANEL), height=_at(PANEL), class_="frame"),
        tag("path", d=f"M0 {_at(PANEL)}L{_at(PANEL)} 0", class_="diagonal"),
        tag("text", "knew \N{RIGHTWARDS ARROW}", x=_at(PANEL), y=_at(PANEL + 17), class_="axis end"),
        tag("text", "acted \N{UPWARDS ARROW}", x=-6, y=9, class_="axis end"),
        tag("text", "0", x=-8, y=_at(PANEL + 17), class_="axis end"),
        *(_crosshair(dot) for dot in dots),
        *(_drawn(near) for near in _heaps(dots)),
        viewBox=f"-48 -8 {_at(PANEL + 56)} {_at(PANEL + 30)}",
        role="img",
        aria_label=f"{title}. {'; '.join(dot.words for dot in dots)}",
    )
    return tag("div", tag("p", title), drawn, class_="panel")


@dataclass(frozen=True, slots=True)
class _Dot:
    """A run in a panel: its number, where it is, in shares, and what it says."""

    number: int
    knew: float
    acted: float
    known: Known
    words: str


def _dot(number: int, line: Contestant, known: Known) -> _Dot | None:
    if known.knew.value is None or known.acted.value is None:
        return None
    words = f"{number} {line.name}: knew {_percent(known.knew)}, acted {_percent(known.acted)}"
    return _Dot(number, known.knew.value, known.acted.value, known, words)


def _percent(estimate: Estimate) -> str:
    value = number_text(estimate.value, percent=True, places=0)
    return f"{value} % [{interval_text(estimate, percent=True, places=0)}]"


def _heaps(dots: Sequence[_Dot]) -> list[list[_Dot]]:
    """Dots that would cover each other, together."""
    found: list[list[_Dot]] = []
    for dot in dots:
        for heap in found:
            if abs(heap[0].knew - dot.knew) < NEAR and abs(heap[0].acted - dot.acted) < NEAR:
                heap.append(dot)
                break
        else:
            found.append([dot])
    return found


def _drawn(heap: Sequence[_Dot]) -> Markup:
    """One dot, with the numbers of its runs on the side where there is more room."""
    x, y = PANEL * heap[0].knew, PANEL * (1 - heap[0].acted)
    left = heap[0].knew > 0.5  # noqa: PLR2004 - the middle
    numbers = ", ".join(str(dot.number) for dot in heap)
    return tag(
        "g",
        tag("title", "\n".join(dot.words for dot in heap)),
        tag("circle", cx=_at(x), cy=_at(y), r=4),
        tag("text", numbers, x=_at(x - 7 if left else x + 7), y=_at(y + 4), class_="end" if left else None),
    )


def _crosshair(dot: _Dot) -> Markup:
    """The intervals of both shares."""
    x, y = PANEL * dot.knew, PANEL * (1 - dot.acted)
    knew, acted = dot.known.knew, dot.known.acted
    path = ""
    if knew.low is not None and knew.high is not None:
        path += f"M{_at(PANEL * knew.low)} {_at(y)}H{_at(PANEL * knew.high)}"
    if acted.low is not None and acted.high is not None:
        path += f"M{_at(x)} {_at(PANEL * (1 - acted.low))}V{_at(PANEL * (1 - acted.high))}"
    return tag("path", d=path, class_="whisker")


def _at(place: float) -> str:
    """A coordinate: a tenth of a unit is less than a pixel."""
    return f"{round(place, 1) + 0.0:g}"
