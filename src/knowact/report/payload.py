"""The input of the page's scripts, as JSON inside the page.

A model's text reaches the page only through `script_json` and `markup`; the scripts insert it as text only.
"""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from knowact.core import clean
from knowact.report.build import Report
from knowact.report.markup import Markup
from knowact.report.trace import Trace

_UNSAFE = "<>&\N{LINE SEPARATOR}\N{PARAGRAPH SEPARATOR}"
"""Characters that could end a script element, or a line of a script."""


def script_json(value: object) -> Markup:
    """Return JSON that cannot end its script element."""
    text = clean.dumps(value)
    for sign in _UNSAFE:
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return Markup(text)


def payload(report: Report, traces: Sequence[Trace]) -> dict[str, Any]:
    """Return the page's data but for its trials: runs, figures, and what is behind each table cell."""
    return {
        "runs": [
            {
                "id": summary.run.id,
                "suite": summary.run.suite,
                "model": summary.run.model,
                "dataset": summary.run.dataset.name,
            }
            for summary in report.runs
        ],
        "measures": {section.suite.name: section.suite.measures for section in report.sections},
        "figures": [
            figure.spec
            for figure in (*(one for section in report.sections for one in section.figures), *report.figures)
        ],
        "traces": [_trace(trace) for trace in traces],
        "compared": {section.suite.name: _compared(section.suite.compared) for section in report.sections},
    }


def _trace(trace: Trace) -> dict[str, Any]:
    plain = {"suite": trace.suite, "where": trace.where, "measure": trace.measure}
    return plain if trace.paired is None else plain | {"paired": asdict(trace.paired)}


def _compared(measures: Sequence[str | tuple[str, str]]) -> list[dict[str, Any]]:
    """The results that two runs are compared by, the most important one first; a pair stands for KAS."""
    return [
        {"name": one, "results": [one]} if isinstance(one, str) else {"name": "KAS", "results": one}
        for one in measures
    ]
