"""The input of the page's scripts, as JSON inside the page.

A model's text reaches the page only through `script_json` and `markup`; the scripts insert it as text only.
"""

import base64
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from knowact.core import clean
from knowact.core.table import Figure, Table, Term
from knowact.measures.pairing import data_names
from knowact.report import pictures
from knowact.report.as_csv import table_csv
from knowact.report.as_latex import table_latex
from knowact.report.build import Report
from knowact.report.markup import Markup
from knowact.report.printed import markdown
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
            {"id": run.id, "suite": run.suite, "model": run.model, "dataset": names[run.dataset]}
            for section in report.sections
            for names in [data_names(summary.run.dataset for summary in section.runs)]
            for run in (summary.run for summary in section.runs)
        ],
        "measures": {section.suite.name: section.suite.measures for section in report.sections},
        **shown(
            [
                *((table, section.suite.terms) for section in report.sections for table in section.tables),
                *((table, {}) for table in report.tables),
            ],
            (*(figure for section in report.sections for figure in section.figures), *report.figures),
        ),
        "traces": [_trace(trace) for trace in traces],
        "compared": {section.suite.name: _compared(section.suite.compared) for section in report.sections},
    }


def shown(tables: Sequence[tuple[Table, Mapping[str, Term]]], figures: Sequence[Figure]) -> dict[str, Any]:
    """Return what the scripts need of a page's tables and figures: to draw, to save and to copy them.

    With each table come the words of its suite. The copies, each table as Markdown, LaTeX and CSV by its id,
    are compressed, because few are ever wanted.
    """
    copies = {
        table.id: {
            "markdown": markdown(table, own),
            "latex": table_latex(table, own),
            "csv": table_csv(table),
        }
        for table, own in tables
        if table.rows
    }
    specs = [figure.spec for figure in figures]
    return {
        "figures": specs,
        "paper": pictures.for_page(specs),
        "copies": base64.b64encode(zlib.compress(clean.dumps(copies).encode(), level=9)).decode(),
    }


def _trace(trace: Trace) -> dict[str, Any]:
    plain = {"suite": trace.suite, "where": trace.where, "measure": trace.measure}
    return plain if trace.paired is None else plain | {"paired": asdict(trace.paired)}


def _compared(measures: Sequence[str | tuple[str, str]]) -> list[dict[str, Any]]:
    """The results that two runs are compared by, the most important one first; a pair stands for KAS."""
    return [
        {"name": measure, "results": [measure]}
        if isinstance(measure, str)
        else {"name": "KAS", "results": measure}
        for measure in measures
    ]
