"""The input of the page's scripts, as JSON inside the page.

A model's text reaches the page only through this module and `markup`; the scripts insert it as text only.
"""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from knowact.core import clean
from knowact.core.record import Result, Status
from knowact.report.build import ItemRow, Report
from knowact.report.embedded import shortened
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
    """Return the page's data: runs, trials, figures, and the trials behind each table cell."""
    places = {summary.run.id: place for place, summary in enumerate(report.runs)}
    # Many trials offer the same tools: each set is stored once.
    sets = {
        offered: place for place, offered in enumerate(dict.fromkeys(i.record.offered for i in report.items))
    }
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
        "sets": list(sets),
        "items": [_item(item, places[item.run.id], sets[item.record.offered]) for item in report.items],
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


def _item(item: ItemRow, run: int, offered: int) -> dict[str, Any]:
    record = item.record
    return {
        "run": run,
        "item": record.item,
        "condition": record.condition,
        "epoch": record.epoch,
        "cluster": record.cluster,
        "labels": record.labels,
        "outcomes": record.outcomes,
        "scored": record.scored,
        "offered": offered,
        "required": sorted(record.required),
        "needed": None if record.needed is None else sorted(record.needed),
        "used": None if record.used is None else sorted(record.used),
        "calls": record.calls,
        "knew": record.knew,
        "acted": record.acted,
        "results": {
            name: _result(result)
            for name, result in record.results.items()
            if result.status is not Status.NOT_APPLICABLE
        },
        "tokens": record.tokens,
        "seconds": record.seconds,
        "cost": record.cost,
        "flags": record.flags,
        "decided": [{"probe": one.probe, "why": one.why} for one in record.decided],
        "view": item.view,
    }


def _result(result: Result) -> dict[str, Any]:
    """A result without empty fields: there are dozens in each of thousands of trials."""
    said: dict[str, Any] = {"status": result.status} if result.value is None else {"value": result.value}
    return said | {name: text for name, text in (("by", result.by), ("why", shortened(result.why))) if text}
