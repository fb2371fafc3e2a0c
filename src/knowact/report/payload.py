"""What the page's scripts work on, as JSON inside the page.

Everything that a model wrote reaches the page through here or through `markup`; the scripts only ever
set it as text.
"""

from collections.abc import Sequence
from typing import Any

from knowact.core import clean
from knowact.core.record import Status, Verdict
from knowact.core.transcript import Transcript, Turn
from knowact.report.build import ItemRow, Report
from knowact.report.markup import Markup
from knowact.report.trace import Trace

TEXT_LIMIT = 20_000
"""Characters shown of one message; a run-away reply must not make the page unusable."""

_UNSAFE = "<>&\N{LINE SEPARATOR}\N{PARAGRAPH SEPARATOR}"
"""Signs that could end a script element, or a line of a script."""


def script_json(value: object) -> Markup:
    """Return JSON that cannot end the script element which it stands in."""
    text = clean.dumps(value)
    for sign in _UNSAFE:
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return Markup(text)


def payload(report: Report, traces: Sequence[Trace]) -> dict[str, Any]:
    """Return the page's data: runs, trials, figures, and what each table cell leads to."""
    places = {summary.run.id: place for place, summary in enumerate(report.runs)}
    # Trials of a suite are often offered the same: each set stands there once.
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
        "figures": [figure.spec for section in report.sections for figure in section.figures],
        "traces": [{"suite": t.suite, "where": t.where, "measure": t.measure} for t in traces],
    }


def _item(item: ItemRow, run: int, offered: int) -> dict[str, Any]:
    record = item.record
    return {
        "run": run,
        "item": record.item,
        "condition": record.condition,
        "epoch": record.epoch,
        "cluster": record.cluster,
        "labels": record.labels,
        "endings": record.endings,
        "scored": record.scored,
        "offered": offered,
        "required": sorted(record.required),
        "needed": None if record.needed is None else sorted(record.needed),
        "used": None if record.used is None else sorted(record.used),
        "calls": record.calls,
        "knew": record.knew,
        "acted": record.acted,
        "verdicts": {
            name: _verdict(verdict)
            for name, verdict in record.verdicts.items()
            if verdict.status is not Status.NOT_APPLICABLE
        },
        "tokens": record.tokens,
        "seconds": record.seconds,
        "cost": record.cost,
        "flags": record.flags,
        "view": item.view,
        "transcript": None if item.transcript is None else _transcript(item.transcript),
    }


def _verdict(verdict: Verdict) -> dict[str, Any]:
    """A verdict without what is empty: there are dozens in each of thousands of trials."""
    if verdict.value is not None:
        said: dict[str, Any] = {"value": verdict.value}
    else:
        said = {"status": verdict.status}
    return said | {name: text for name, text in (("by", verdict.by), ("why", _short(verdict.why))) if text}


def _transcript(transcript: Transcript) -> dict[str, Any]:
    return {
        "error": _short(transcript.error),
        "probes": [
            {"name": name, "turns": [_turn(turn) for turn in turns]} for name, turns in transcript.probes
        ],
    }


def _turn(turn: Turn) -> dict[str, Any]:
    return {
        "role": turn.role,
        "text": _short(turn.text),
        "calls": [{"tool": _short(tool), "arguments": _short(given)} for tool, given in turn.calls],
        "problem": turn.problem,
    }


def _short(text: str) -> str:
    if len(text) <= TEXT_LIMIT:
        return text
    return f"{text[:TEXT_LIMIT]}\n[{len(text) - TEXT_LIMIT} more characters are in the log]"
