"""The first screen's table as HTML: a small bar for each run on each suite. Complete without scripts."""

from collections.abc import Mapping
from typing import Final

from knowact.core.rounding import interval_text, number_text
from knowact.report.html_table import breakable
from knowact.report.markup import Markup, tag
from knowact.report.overview import Contestant, Overview, Placed

BAR: Final = 100.0
"""Units of a small bar; one is a percentage point."""


def leaderboard(overview: Overview, anchors: Mapping[str, str]) -> Markup:
    """The table of runs and suites; `anchors` lead from a suite to its section."""
    heads = [
        tag(
            "th",
            tag("a", column.title, href=f"#{anchors[column.suite]}"),
            tag("small", column.measure),
            scope="col",
            class_="bar",
        )
        for column in overview.columns
    ]
    rows = [_line(number, line, overview, anchors) for number, line in enumerate(overview.lines, 1)]
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


def _line(number: int, line: Contestant, overview: Overview, anchors: Mapping[str, str]) -> Markup:
    cells = [
        _cell(line.placed[column.suite], column.measure, anchors[column.suite])
        if column.suite in line.placed
        else tag("td", class_="bar")
        for column in overview.columns
    ]
    scored = sum(placed.trials.scored for placed in line.placed.values())
    planned = sum(run.planned for run in line.runs)
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


def _cell(placed: Placed, measure: str, anchor: str) -> Markup:
    estimate = placed.headline
    if estimate.value is None:
        return tag("td", tag("span", "not judged", title=placed.why_not), class_="bar nothing")
    ends = f"[{interval_text(estimate, percent=True, places=0)}]" if estimate.low is not None else ""
    return tag(
        "td",
        tag(
            "a",
            tag(
                "span",
                number_text(estimate.value, percent=True),
                class_="value best" if placed.best else "value",
            ),
            _small_bar(placed),
            tag("span", f" {ends}", class_="unseen"),
            href=f"#{anchor}",
            title=_in_words(placed, measure),
        ),
        class_="bar",
    )


def _in_words(placed: Placed, measure: str) -> str:
    estimate = placed.headline
    facts = [
        f"{measure} {number_text(estimate.value, percent=True)} %",
        f"95 % interval {interval_text(estimate, percent=True)}",
        f"n = {estimate.n:,}",
    ]
    facts += [f"{name} {number_text(value, percent=True)} %" for name, value in placed.policies.items()]
    if placed.trials.scored < placed.run.planned:
        facts.append(f"scored {placed.trials.scored:,} of {placed.run.planned:,}")
    return "; ".join(facts)


def _small_bar(placed: Placed) -> Markup:
    """A bar with its whisker on the grey scale that the reference agents span."""
    estimate = placed.headline
    marks: list[Markup] = [tag("rect", x=0, y=8, width=100, height=1, class_="rail")]
    if placed.floor is not None and placed.ceiling is not None:
        start, end = BAR * placed.floor, BAR * placed.ceiling
        marks.append(tag("rect", x=_at(start), y=1, width=_at(end - start), height=15, class_="scale"))
    marks.append(tag("rect", x=0, y=5, width=_at(BAR * (estimate.value or 0.0)), height=7, class_="value"))
    if estimate.low is not None and estimate.high is not None:
        low, high = BAR * estimate.low, BAR * estimate.high
        path = f"M{_at(low)} 8.5H{_at(high)}M{_at(low)} 5.5v6M{_at(high)} 5.5v6"
        marks.append(tag("path", d=path, class_="whisker"))
    return tag("svg", *marks, viewBox="-1 0 102 17", class_="small-bar", aria_hidden="true")


def _at(place: float) -> str:
    """A coordinate: a tenth of a unit is less than a pixel."""
    return f"{round(place, 1) + 0.0:g}"
