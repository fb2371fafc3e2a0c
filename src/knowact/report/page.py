"""`index.html`: one file that opens offline.

This module composes the frame and the table of contents, and makes the page safe to open: only our own
scripts run, each allowed by its hash; nothing can be fetched (Content-Security-Policy); data are a block of
JSON that cannot end its element.
"""

import base64
import hashlib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from string import Template

from knowact import __version__
from knowact.core.rounding import count
from knowact.report import sections
from knowact.report.build import Report
from knowact.report.markup import Markup, join, tag
from knowact.report.payload import as_data, embed, payload, script_json, trial_data
from knowact.report.trace import Trace

_VENDOR = ("vega", "vega-lite", "vega-embed")
_SCRIPTS = (
    *("base", "charts", "tables", "sorting", "opening", "trials", "items", "embedded"),
    *("transcript", "sides", "links", "start"),
)
_STYLES = ("page", "overview", "results", "items", "sides", "print")


def page(report: Report) -> str:
    """Return the whole page. Equal reports give equal pages."""
    traces: list[Trace] = []
    transcripts = embed(report)
    parts = sections.compose(report, traces, sum(len(chunk.places) for chunk in transcripts))
    scripts = _SCRIPTS if report.sections else ()
    data = {
        "payload": payload(report, traces),
        "transcripts": as_data(transcripts),
        "trial-data": trial_data(report),
    }
    return framed(_heading(report), _facts(report), parts, data, scripts)


def framed(
    heading: str,
    facts: str,
    parts: Sequence[sections.PageSection],
    data: Mapping[str, object],
    scripts: Sequence[str],
) -> str:
    """Return a page of ours around its sections.

    Args:
        heading: The title.
        facts: One line below it.
        parts: The sections, in order.
        data: The input of the scripts, by the id of the element that holds it.
        scripts: Names of our scripts, in order, after the vendored ones; empty for a page without scripts.
    """
    sources = [*_vendor_scripts(), *(_asset(f"js/{name}.js") for name in scripts)] if scripts else []
    return Template(_asset("page.html")).substitute(
        script_hashes=" ".join(_source_hash(source) for source in sources) or "'none'",
        title=join(f"{heading} \N{MIDDLE DOT} knowact"),
        styles="\n".join(_asset(f"css/{name}.css") for name in _STYLES),
        heading=join(heading),
        facts=join(facts),
        contents=_contents(parts),
        sections="\n".join(part.body for part in parts),
        version=join(__version__),
        data="\n".join(
            tag("script", script_json(value), type="application/json", id=name)
            for name, value in data.items()
        ),
        scripts="\n".join(tag("script", Markup(source)) for source in sources),
    )


def _heading(report: Report) -> str:
    """The suite's title; for several suites, the part of each title before the colon."""
    titles = [section.suite.title for section in report.sections]
    if not titles:
        return "Nothing to report"
    if len(titles) == 1:
        return titles[0]
    names = [title.partition(":")[0] for title in titles]
    return f"{', '.join(names[:-1])} and {names[-1]}"


def _facts(report: Report) -> str:
    if not report.runs:
        return "No run was found."
    planned = sum(summary.run.planned for summary in report.runs)
    scored = sum(summary.trials.scored for summary in report.runs)
    return f"{count(len(report.runs), 'run')} · {scored:,} of {planned:,} planned trials scored"


def _contents(parts: Sequence[sections.PageSection]) -> Markup:
    links = [tag("li", tag("a", part.title, href=f"#{part.anchor}")) for part in parts]
    return tag("ul", *links) if links else Markup()


def _source_hash(script: str) -> str:
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return f"'sha256-{digest}'"


def _vendor_scripts() -> list[str]:
    return [_asset(f"vendor/{name}.min.js") for name in _VENDOR]


@cache
def _asset(path: str) -> str:
    return resources.files("knowact.report").joinpath("assets", path).read_text(encoding="utf-8")
