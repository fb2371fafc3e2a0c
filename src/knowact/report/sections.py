"""The sections of the page, as HTML that is complete without scripts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from knowact.core import clean
from knowact.core.table import Figure, Table
from knowact.report.build import HEADLINES, Report, RunSummary, SuiteSection
from knowact.report.html_table import html_table, spaced
from knowact.report.markup import Markup, join, tag
from knowact.report.readers import SELF_READ
from knowact.report.trace import Facets, Trace

OPEN_RUNS = 4
"""With more runs than this in a suite, each takes three lines and folds the rest."""


@dataclass(frozen=True, slots=True)
class Part:
    """One section: anchor and title, those of its parts for the table of contents, and the HTML."""

    anchor: str
    title: str
    inner: tuple[tuple[str, str], ...]
    body: Markup


def compose(report: Report, traces: list[Trace], embedded: int) -> tuple[Part, ...]:
    """Return all sections; appends to `traces` the trials behind each table cell, in order.

    `embedded` is the number of trials with a transcript in the page.
    """
    if not report.sections:
        note = tag("p", "No run was found.", class_="nothing")
        return (Part("results", "Results", (), tag("section", note, id="results")),)
    found: list[Part] = []
    figures = 0
    for place, section in enumerate(report.sections):
        several = len(report.sections) > 1  # a single one is named in the page's heading
        found.append(_suite(section, f"suite-{place + 1}", figures, traces, several=several))
        figures += len(section.figures)
    found += _together(report, figures)
    if any(len(section.runs) > 1 for section in report.sections):
        found.append(_sides())
    found.append(_trials(len(report.items), embedded))
    return tuple(found)


def _together(report: Report, first_figure: int) -> list[Part]:
    """What several suites show together; nothing where there is none."""
    if not report.tables:
        return []
    title, anchor = "Suites beside each other", "together"
    inner: list[tuple[str, str]] = []
    parts: list[Markup] = []
    for table in report.tables:
        inner.append((f"{anchor}-table-{table.id}", table.title))
        parts.append(html_table(table, inner[-1][0], None, []))
    for number, figure in enumerate(report.figures):
        inner.append((f"{anchor}-figure-{figure.id}", figure.title))
        parts.append(html_figure(figure, inner[-1][0], first_figure + number))
    return [Part(anchor, title, tuple(inner), tag("section", tag("h2", title), *parts, id=anchor))]


def _suite(
    section: SuiteSection, anchor: str, first_figure: int, traces: list[Trace], *, several: bool
) -> Part:
    suite = section.suite
    facets = Facets(suite.name, [summary.run for summary in section.runs])
    inner: list[tuple[str, str]] = []
    parts: list[Markup | None] = []

    def add_tables(tables: Sequence[Table]) -> None:
        for table in tables:
            inner.append((f"{anchor}-table-{table.id}", table.title))
            parts.append(html_table(table, inner[-1][0], facets, traces))

    measured = [table for table in section.tables if table.rows]
    add_tables(measured[:HEADLINES])
    for number, figure in enumerate(section.figures):
        if figure.spec:
            inner.append((f"{anchor}-figure-{figure.id}", figure.title))
            parts.append(html_figure(figure, inner[-1][0], first_figure + number))
    add_tables(measured[HEADLINES:])
    parts.append(_not_measured(section))
    title = suite.title if several else "Results"
    folded = len(section.runs) > OPEN_RUNS
    body = tag(
        "section",
        tag("h2", title),
        tag("p", suite.question, class_="question"),
        tag("p", suite.about, class_="about") if suite.about else None,
        tag("p", suite.paper, class_="source") if suite.paper else None,
        *(tag("p", warning, class_="warning", role="note") for warning in section.warnings),
        tag("div", *(_run(summary, section, folded=folded) for summary in section.runs), class_="runs"),
        *parts,
        id=anchor,
    )
    return Part(anchor, title, tuple(inner), body)


def _not_measured(section: SuiteSection) -> Markup | None:
    """List the tables and figures without data, each with what would fill it."""
    empty = [one for one in section.tables if not one.rows]
    blank = [one for one in section.figures if not one.spec]
    if not (empty or blank):
        return None
    lines = [tag("li", tag("b", one.title), ". ", one.note or "No data.") for one in (*empty, *blank)]
    return tag("div", tag("h3", "Not measured in these runs"), tag("ul", *lines), class_="absent")


def _run(summary: RunSummary, section: SuiteSection, *, folded: bool) -> Markup:
    """One run; folded, it takes three lines and the rest opens on demand."""
    run = summary.run
    lead, *more = summary.headline or ("No headline.",)
    dataset = f"{run.dataset.name}@{run.dataset.version}" if run.dataset.version else run.dataset.name
    mark = f" · {SELF_READ}" if run.self_read else _read_by(summary) if section.warnings else ""
    scored = f" · scored {run.scored:,} of {run.planned:,}" if folded else None
    rest = [*(tag("p", sentence) for sentence in more), _count(summary)]
    label = "More about this run" if folded else "Readers, outcomes, options and logs"
    classes = ("run", "folded" if folded else "", "" if summary.quotable else "unquotable")
    return tag(
        "article",
        tag(
            "h3",
            tag("bdi", run.model),
            " ",
            tag("span", tag("bdi", dataset), scored, class_="dataset"),
            tag("span", mark, class_="dataset") if mark else None,
        ),
        *(tag("p", warning, class_="warning", role="note") for warning in summary.warnings),
        tag("p", lead, class_="lead none" if summary.no_headline or not summary.headline else "lead"),
        *([] if folded else rest),
        tag("details", tag("summary", label), *(rest if folded else []), _details(summary)),
        class_=" ".join(filter(None, classes)),
    )


def _read_by(summary: RunSummary) -> str:
    """Who read a run; empty if nobody did."""
    models = dict.fromkeys(one.by for one in summary.readers if one.by)
    return f" · read by {' and '.join(models)}" if models else ""


def _count(summary: RunSummary) -> Markup:
    run = summary.run
    share = min(1.0, run.scored / run.planned) if run.planned else 0.0
    bar = tag("span", tag("span", style=f"width:{share:.1%}"), class_="meter", aria_hidden="true")
    words = f"Scored {run.scored:,} of {run.planned:,} planned trials ({summary.recorded:,} recorded)."
    if summary.bounds is not None:
        words += f" {summary.bounds}"
    return tag("p", bar, tag("span", words), class_="count")


def _details(summary: RunSummary) -> Markup:
    run = summary.run
    pairs: list[tuple[str, str]] = []
    for one in summary.readers:
        said = f"{one.words}; {one.calibration}" if one.calibration else one.words
        pairs.append((one.role.capitalize(), said))
    if summary.reading:
        pairs.append(("Reading", _counts(summary.reading)))
    pairs += [(f"Outcome of {spaced(probe)}", _counts(found)) for probe, found in summary.outcomes.items()]
    pairs += [
        (f"{spaced(measure)} without a value", _counts(found)) for measure, found in summary.judged.items()
    ]
    pairs += [("Problem", problem) for problem in run.problems]
    pairs += [("Run", run.id), ("Data, sha256", run.dataset.sha256)]
    options = "  ".join(f"{name}={_option(value)}" for name, value in run.options.items())
    pairs += [("Options", options or "none")]
    pairs += [("Log", log) for log in run.logs] + [("Superseded", log) for log in run.superseded]
    return tag("dl", *(join(tag("dt", name), tag("dd", value, dir="auto")) for name, value in pairs))


def _option(value: object) -> str:
    return value if isinstance(value, str) else clean.dumps(value)


def _counts(found: Mapping[str, int]) -> str:
    return ", ".join(f"{spaced(name)} {count:,}" for name, count in found.items())


def html_figure(figure: Figure, anchor: str, place: int) -> Markup:
    """Return an empty figure, which a script draws; `place` is its specification's index in the payload."""
    return tag(
        "figure",
        tag("h3", figure.title),
        tag("p", figure.source, class_="source"),
        tag("div", class_="plot", data_figure=place),
        tag("figcaption", figure.note) if figure.note else None,
        id=anchor,
    )


def _sides() -> Part:
    """Two runs side by side; scripts fill it."""
    body = tag(
        "section",
        tag("h2", "Side by side"),
        tag(
            "p",
            "The trials on which two runs differ, both outcomes, and why. Open one to read both transcripts.",
            class_="question",
        ),
        tag("noscript", tag("p", "This table needs JavaScript. knowact compare A B names such trials, too.")),
        tag("div", id="sides-controls", class_="controls"),
        tag("p", id="sides-count", class_="source", role="status"),
        tag(
            "div",
            tag("table", id="sides-table"),
            class_="scroll",
            role="region",
            aria_label="Side by side",
            tabindex="0",
        ),
        tag("p", id="sides-more"),
        id="sides",
    )
    return Part("sides", "Side by side", (), body)


def _trials(total: int, embedded: int) -> Part:
    how = "Open a trial to read its transcript."
    if embedded < total:
        how += (
            f" The page holds the transcripts of {embedded:,} of {total:,} trials, failed and differing ones "
            "first; the others name the command that shows them."
        )
    body = tag(
        "section",
        tag("h2", "Trials"),
        tag("p", f"Every trial behind the numbers. {how}", class_="question"),
        tag("noscript", tag("p", "This table needs JavaScript. csv/items.csv has the same data.")),
        tag("div", id="trial-controls", class_="controls"),
        tag("p", id="trial-count", class_="source", role="status"),
        tag(
            "div",
            tag("table", id="trial-table"),
            class_="scroll",
            role="region",
            aria_label="Trials",
            tabindex="0",
        ),
        tag("p", id="trial-more"),
        tag("dialog", id="trial-dialog", aria_label="One trial"),
        id="trials",
        class_="table",
    )
    return Part("trials", "Trials", (), body)
