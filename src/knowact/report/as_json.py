"""`report.json`: the report for programs (interfaces.md, "Report").

Fractions, not percent; null is *not measured*. The keys that interfaces.md names never change; others
may be added.
"""

from typing import Any

from knowact.core import clean
from knowact.core.table import Estimate, Figure, Table
from knowact.report.build import Bounds, Report, RunSummary
from knowact.report.readers import Reader

FORMAT = "knowact.report/1"


def as_json(report: Report) -> dict[str, Any]:
    """Return the report as JSON values, ready for `json.dumps(..., allow_nan=False)`."""
    return clean.plain(
        {
            "format": FORMAT,
            "suites": [
                {"name": section.suite.name, "warnings": section.warnings} for section in report.sections
            ],
            "runs": [_run(run) for run in report.runs],
            "tables": [
                _table(table, section.suite.name) for section in report.sections for table in section.tables
            ],
            "figures": [
                _figure(figure, section.suite.name)
                for section in report.sections
                for figure in section.figures
            ],
        }
    )


def dumps(report: Report) -> str:
    """Return the text of `report.json`."""
    return clean.dumps(as_json(report), indent=1) + "\n"


def _run(summary: RunSummary) -> dict[str, Any]:
    run = summary.run
    return {
        "id": run.id,
        "suite": run.suite,
        "dataset": {"name": run.dataset.name, "version": run.dataset.version, "sha256": run.dataset.sha256},
        "model": run.model,
        "options": run.options,
        "logs": run.logs,
        "planned": run.planned,
        "recorded": summary.recorded,
        "scored": run.scored,
        "unscored": summary.unscored,
        "endings": summary.endings,
        "not_judged": summary.judged,
        "quotable": summary.quotable,
        "self_read": run.self_read,
        "readers": [_reader(one) for one in summary.readers],
        "reading": summary.reading,
        "verdict": summary.verdict,
        "no_headline": summary.no_headline or None,
        "warnings": summary.warnings,
        "bounds": _bounds(summary.bounds),
        "superseded": run.superseded,
        "problems": run.problems,
    }


def _reader(reader: Reader) -> dict[str, Any]:
    """Who plays a role; `by` is null where nobody does, and `rates` is where nothing was measured."""
    rates = [{"kind": one.kind, "what": one.what} | _estimate(one.estimate) for one in reader.rates]
    return {
        "role": reader.role,
        "by": reader.by or None,
        "self_read": reader.self_read,
        "rates": rates or None,
        "calibrate": reader.measure or None,
    }


def _bounds(bounds: Bounds | None) -> dict[str, Any] | None:
    if bounds is None:
        return None
    return {
        "measure": bounds.measure,
        "value": bounds.value,
        "if_all_wrong": bounds.wrong,
        "if_all_right": bounds.right,
    }


def _table(table: Table, suite: str) -> dict[str, Any]:
    return {
        "id": table.id,
        "suite": suite,
        "source": table.source,
        "title": table.title,
        "note": table.note,
        "rows": [{**row.keys, "measure": row.measure} | _estimate(row.estimate) for row in table.rows],
    }


def _estimate(estimate: Estimate) -> dict[str, Any]:
    return {
        "value": estimate.value,
        "n": estimate.n,
        "low": estimate.low,
        "high": estimate.high,
        "method": estimate.method,
    }


def _figure(figure: Figure, suite: str) -> dict[str, Any]:
    return {
        "id": figure.id,
        "suite": suite,
        "title": figure.title,
        "source": figure.source,
        "note": figure.note,
        "spec": figure.spec,
    }
