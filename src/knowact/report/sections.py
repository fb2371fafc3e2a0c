"""The sections of the page, as HTML that is complete without scripts.

The first one answers the first question: how every run did on every suite. Then a section per suite shows its
headline, one table and one figure; all else opens on demand, under a title that says what one finds there.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from knowact.core import clean
from knowact.core.rounding import interval_text, number_text
from knowact.core.table import Figure
from knowact.measures.profile import PROFILE
from knowact.report.build import Report, RunSummary, SuiteSection, limits_in_words, not_calibrated
from knowact.report.glossary import Glossary
from knowact.report.html_table import TableLinks, breakable, fold, html_table, section, spaced
from knowact.report.markup import Markup, join, tag
from knowact.report.overview import KNOWING, Contestant, Overview, Placed
from knowact.report.readers import SELF_READ
from knowact.report.trace import Facets, ProfileFacets, Trace

TOGETHER = "All suites in numbers"
"""The title of what is about several suites."""

OPEN_RUNS = 4
"""Of more runs than this in a suite, the sentences are folded: the overview places them already."""

OPEN_WARNINGS = 4
"""Of more warnings than this, the others are folded."""

REPLY_LIMIT = 400
"""Characters shown of a reply that could not be read."""


@dataclass(frozen=True, slots=True)
class PageSection:
    """One section: anchor and title for the table of contents, and the HTML."""

    anchor: str
    title: str
    body: Markup


def compose(report: Report, traces: list[Trace], embedded: int) -> tuple[PageSection, ...]:
    """Return all sections; appends to `traces` the trials behind each table cell, in order.

    `embedded` is the number of trials with a transcript in the page.
    """
    if not report.sections:
        note = tag("p", "No run was found.", class_="nothing")
        return (PageSection("results", "Results", tag("section", note, id="results")),)
    anchors = {part.suite.name: f"suite-{place}" for place, part in enumerate(report.sections, 1)}
    glossary = Glossary()
    figures = sum(len(part.figures) for part in report.sections)
    together = _together(report, figures, glossary, traces)
    parts: list[PageSection] = [_overview(report, anchors, figures, profiled=bool(together)), *together]
    figures = 0
    for part in report.sections:
        parts.append(_suite(part, anchors[part.suite.name], figures, glossary, traces))
        figures += len(part.figures)
    if any(len(part.runs) > len({run.run.dataset for run in part.runs}) for part in report.sections):
        parts.append(_sides())
    return (*parts, _trials(len(report.items), embedded), *glossary_part(glossary))


def _overview(
    report: Report, anchors: Mapping[str, str], first_figure: int, *, profiled: bool
) -> PageSection:
    """The first screen: warnings, what stands out, all runs on all suites, and knowing against acting."""
    sentences = [tag("li", sentence) for sentence in report.overview.standing_out]
    body = tag(
        "section",
        tag("h2", "Overview", class_="unseen"),
        _cautions(report, anchors),
        tag("ul", *sentences, class_="standing-out") if sentences else None,
        leaderboard(report.overview, anchors),
        tag("p", _BARS, class_="source"),
        tag("p", tag("a", _PROFILES, href=f"#{PROFILES}"), class_="source") if profiled else None,
        *(
            _knowing(figure, place)
            for place, figure in enumerate(report.figures, first_figure)
            if figure.id == KNOWING
        ),
        id="overview",
    )
    return PageSection("overview", "Overview", body)


def _knowing(figure: Figure, place: int) -> Markup:
    """The one figure of the first screen. Its numbers stand in the table above, so it needs no key."""
    about = tag("p", figure.note, " Numbers are those of the lines above.", class_="source")
    return tag(
        "section",
        tag("div", tag("h3", figure.title), about),
        tag("figure", tag("div", class_="plot", data_figure=place, data_key="no")),
        class_="figure",
        id=f"overview-{figure.id}",
    )


_BARS = (
    "Percent, 95 % intervals. Grey: from the best agent that treats all items alike to one that does "
    "everything right. Bold: the best, or not told apart from it; none where no result beats such an agent. "
    "Order: models before reference agents, then by the mean of a line's headlines; where lines have "
    "different suites, compare within a column."
)


PROFILES = f"together-table-{PROFILE}"
"""Where the profiles stand."""

_PROFILES = "What each model is like: how often it knows, acts, asks, and admits what it lacks"


def _cautions(report: Report, anchors: Mapping[str, str]) -> Markup | None:
    """All warnings, each once, with the runs that it is about."""
    about: dict[str, list[Markup]] = {}
    replies: dict[str, str] = {}
    for part in report.sections:
        title = part.suite.title.partition(":")[0]
        link = tag("a", title, href=f"#{anchors[part.suite.name]}")
        for warning in part.warnings:
            about.setdefault(warning, []).append(link)
        for summary in part.runs:
            run = join(tag("bdi", summary.run.model), " in ", link)
            limits = limits_in_words(summary.run)
            for warning in (*limits, *summary.warnings, *not_calibrated(summary.readers)):
                about.setdefault(warning, []).append(run)
            replies |= {str(lost): lost.reply for lost in summary.unread if lost.reply}
    cautions = [_caution(warning, runs, replies.get(warning, "")) for warning, runs in about.items()]
    if not cautions:
        return None
    shown, rest = cautions[:OPEN_WARNINGS], cautions[OPEN_WARNINGS:]
    more = tag("summary", f"{len(rest)} more warning{'s' if len(rest) > 1 else ''}")
    return tag("div", *shown, tag("details", more, *rest) if rest else None, class_="cautions")


def _caution(warning: str, runs: list[Markup], reply: str) -> Markup:
    named = [piece for run in runs[:OPEN_WARNINGS] for piece in (", ", run)][1:]
    more = f" and {len(runs) - OPEN_WARNINGS} more runs" if len(runs) > OPEN_WARNINGS else ""
    short = reply if len(reply) <= REPLY_LIMIT else f"{reply[:REPLY_LIMIT]}…"
    quoted = join(" One such reply: ", tag("q", short, dir="auto")) if reply else None
    return tag("p", tag("b", *named, more, ": "), warning, quoted, class_="warning", role="note")


def _together(
    report: Report, first_figure: int, glossary: Glossary, traces: list[Trace]
) -> list[PageSection]:
    """The tables and figures over all suites: what the first screen says, in numbers; the profiles first."""
    facets = ProfileFacets(
        [(section.suite, [run.run for run in section.runs]) for section in report.sections]
    )
    parts: list[Markup] = []
    for table in sorted(report.tables, key=lambda table: table.id != PROFILE):
        links = TableLinks(glossary.words(), facets if table.id == PROFILE else None, traces)
        parts.append(html_table(table, f"together-table-{table.id}", links, folded=True))
    parts += [
        html_figure(figure, f"together-figure-{figure.id}", first_figure + number, folded=True)
        for number, figure in enumerate(report.figures)
        if figure.id != KNOWING
    ]
    title = tag("h2", TOGETHER, class_="unseen")
    body = tag("section", title, tag("div", *parts, class_="parts"), id="together")
    return [PageSection(PROFILES, "Profiles", body)] if parts else []


def _suite(
    section: SuiteSection, anchor: str, first_figure: int, glossary: Glossary, traces: list[Trace]
) -> PageSection:
    suite = section.suite
    facets = Facets(suite.name, [summary.run for summary in section.runs])
    links = TableLinks(glossary.words(suite), facets, traces)
    measured = [table for table in section.tables if table.rows]
    drawn = [(number, figure) for number, figure in enumerate(section.figures, first_figure) if figure.spec]

    def figures(some: Iterable[tuple[int, Figure]], *, folded: bool) -> list[Markup]:
        return [html_figure(f, f"{anchor}-figure-{f.id}", place, folded=folded) for place, f in some]

    def tables(some: Iterable[int], *, folded: bool) -> Iterator[Markup]:
        for place in some:
            table = measured[place]
            yield html_table(table, f"{anchor}-table-{table.id}", links, folded=folded)

    first = [*tables(range(len(measured[:1])), folded=False), *figures(drawn[:1], folded=False)]
    rest = [
        _about(suite.about, suite.paper),
        _runs(section, f"{anchor}-runs"),
        *figures(drawn[1:], folded=True),
        *tables(range(1, len(measured)), folded=True),
        _not_measured(section),
    ]
    title = suite.title.partition(":")[0]
    return PageSection(
        anchor,
        title,
        tag(
            "section",
            tag("h2", suite.title),
            tag("p", suite.question, class_="question"),
            _verdicts(section) if len(section.runs) <= OPEN_RUNS else None,
            *first,
            tag("div", *rest, class_="parts"),
            id=anchor,
        ),
    )


def _about(about: str, paper: str) -> Markup | None:
    if not (about or paper):
        return None
    return fold(
        "What is asked, and how it counts",
        tag("p", about, class_="about") if about else None,
        tag("p", paper, class_="source") if paper else None,
    )


def _verdicts(section: SuiteSection) -> Markup:
    """The most important sentence about each run."""
    return tag("ul", *(tag("li", _named(run), " ", _lead(run)) for run in section.runs), class_="verdicts")


def _named(summary: RunSummary) -> Markup:
    return tag("b", tag("bdi", summary.run.model.rsplit("/", maxsplit=1)[-1]))


def _lead(summary: RunSummary) -> str:
    return summary.headline[0] if summary.headline else "No headline."


def _runs(section: SuiteSection, anchor: str) -> Markup:
    runs = tag("div", *(_run(summary, section) for summary in section.runs), class_="runs")
    return fold("The runs in words", runs, anchor=anchor)


def _not_measured(section: SuiteSection) -> Markup | None:
    """List the tables and figures without data, each with what would fill it."""
    empty = [table for table in section.tables if not table.rows]
    blank = [figure for figure in section.figures if not figure.spec]
    if not (empty or blank):
        return None
    lines = [tag("li", tag("b", part.title), ". ", part.note or "No data.") for part in (*empty, *blank)]
    return fold(f"Not measured in these runs ({len(lines)})", tag("ul", *lines), kind="absent")


def _run(summary: RunSummary, section: SuiteSection) -> Markup:
    run = summary.run
    dataset = f"{run.dataset.name}@{run.dataset.version}" if run.dataset.version else run.dataset.name
    mark = f" · {SELF_READ}" if run.self_read else _read_by(summary) if section.warnings else ""
    none = summary.no_headline or not summary.headline
    return tag(
        "article",
        tag(
            "h4",
            tag("bdi", run.model),
            " ",
            tag("span", tag("bdi", dataset), class_="dataset"),
            tag("span", mark, class_="dataset") if mark else None,
        ),
        *(tag("p", warning, class_="warning", role="note") for warning in summary.warnings),
        tag("p", _lead(summary), class_="lead none" if none else "lead"),
        *(tag("p", sentence) for sentence in summary.headline[1:]),
        _count(summary),
        _details(summary),
        class_="run" if summary.quotable else "run unquotable",
    )


def _read_by(summary: RunSummary) -> str:
    """Who read a run; empty if nobody did."""
    models = dict.fromkeys(reader.by for reader in summary.readers if reader.by)
    return f" · read by {' and '.join(models)}" if models else ""


def _count(summary: RunSummary) -> Markup:
    run = summary.run
    share = min(1.0, summary.trials.scored / run.planned) if run.planned else 0.0
    bar = tag("span", tag("span", style=f"width:{share:.1%}"), class_="meter", aria_hidden="true")
    words = str(summary.trials)
    if summary.bounds is not None:
        words += f" {summary.bounds}"
    return tag("p", bar, tag("span", words), class_="count")


def _details(summary: RunSummary) -> Markup:
    run = summary.run
    pairs: list[tuple[str, str]] = []
    for reader in summary.readers:
        player = f"{reader.words}; {reader.calibration}" if reader.calibration else reader.words
        pairs.append((reader.role.capitalize(), player))
    if summary.reading:
        pairs.append(("Reading", _counts(summary.reading)))
    pairs += [(f"Outcome of {spaced(probe)}", _counts(counts)) for probe, counts in summary.outcomes.items()]
    pairs += [
        (f"{spaced(measure)} without a value", _counts(counts)) for measure, counts in summary.judged.items()
    ]
    pairs += [("Problem", problem) for problem in run.problems]
    pairs += [("Labels", label) for label in run.dataset.labels]
    pairs += [("Run", run.id), ("Data, sha256", run.dataset.sha256)]
    options = "  ".join(f"{name}={_option(value)}" for name, value in run.options.items())
    pairs += [("Options", options or "none")]
    pairs += [("Log", log) for log in run.logs] + [("Superseded", log) for log in run.superseded]
    return tag("dl", *(join(tag("dt", name), tag("dd", value, dir="auto")) for name, value in pairs))


def _option(value: object) -> str:
    return value if isinstance(value, str) else clean.dumps(value)


def _counts(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{spaced(name)} {count:,}" for name, count in counts.items())


def html_figure(figure: Figure, anchor: str, place: int, *, folded: bool = False) -> Markup:
    """Return an empty figure, which a script draws; `place` is its specification's index in the payload."""
    plot = tag("figure", tag("div", class_="plot", data_figure=place))
    note = tag("p", figure.note, class_="note") if figure.note else None
    return section(figure.title, figure.source, [plot], note, anchor, kind="figure", folded=folded)


def glossary_part(glossary: Glossary) -> list[PageSection]:
    """The words that the page's tables use, folded; nothing where none is explained."""
    if not glossary:
        return []
    head = tag("summary", tag("h2", "Glossary"))
    return [
        PageSection(
            "glossary", "Glossary", tag("section", tag("details", head, glossary.html()), id="glossary")
        )
    ]


def _sides() -> PageSection:
    """Two runs side by side; scripts fill it."""
    parts = _scripted(
        "sides",
        "Side by side",
        "The trials on which two runs differ, both outcomes, and why. Open one to read both transcripts.",
        "knowact compare A B names such trials, too.",
    )
    return PageSection("sides", "Side by side", tag("section", *parts, id="sides"))


def _trials(total: int, embedded: int) -> PageSection:
    how = "Open a trial to read its transcript."
    if embedded < total:
        how += (
            f" The page holds the transcripts of {embedded:,} of {total:,} trials, failed and differing ones "
            "first; the others name the command that shows them."
        )
    about = f"Every trial behind the numbers. {how}"
    parts = _scripted("trial", "Trials", about, "csv/items.csv has the same data.")
    dialog = tag("dialog", id="trial-dialog", aria_label="One trial")
    return PageSection("trials", "Trials", tag("section", *parts, dialog, id="trials", class_="table"))


def _scripted(name: str, title: str, about: str, instead: str) -> Iterator[Markup]:
    """A table that scripts fill, with its controls; `instead` says what there is without scripts."""
    yield tag("h2", title)
    yield tag("p", about, class_="question")
    yield tag("noscript", tag("p", f"This table needs JavaScript. {instead}"))
    yield tag("div", id=f"{name}-controls", class_="controls")
    yield tag("p", id=f"{name}-count", class_="source", role="status")
    table = tag("table", id=f"{name}-table")
    yield tag("div", table, class_="scroll", role="region", aria_label=title, tabindex="0")
    yield tag("p", id=f"{name}-more")


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
