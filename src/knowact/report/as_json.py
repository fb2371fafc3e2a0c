"""`report.json`: the report for programs. Fractions, not percent; null means *not measured*."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict

from knowact.core import clean
from knowact.core.clean import Json
from knowact.core.suite import Suite
from knowact.core.table import Figure, Run, Table
from knowact.report.build import Report, RunSummary
from knowact.report.compare import Compared, Telling, sides_link
from knowact.report.readers import RolePlayer

FORMAT = "knowact.report/2"
COMPARED_FORMAT = "knowact.compare/1"


def as_json(report: Report) -> Mapping[str, Json]:
    """Return the values of `report.json`."""
    sections = report.sections
    return {
        "format": FORMAT,
        "suites": [{"name": section.suite.name, "warnings": section.warnings} for section in sections],
        "runs": [_run(run) for run in report.runs],
        "tables": [{**table_json(table), **_of(suite)} for suite, table in report.every_table],
        "figures": [{**_figure(figure), **_of(suite)} for suite, figure in report.every_figure],
    }


def dumps(report: Report) -> str:
    """Return the text of `report.json`."""
    return clean.dumps(as_json(report), indent=1) + "\n"


def _of(suite: Suite | None) -> Mapping[str, Json]:
    return {"suite": suite.name if suite else None}


def compared_json(a: Run, b: Run, compared: Compared, items: Sequence[Telling]) -> str:
    """Return two runs side by side as JSON: both tables, and the items that tell them apart."""
    runs = [{"id": run.id, "suite": run.suite, "model": run.model, "logs": run.logs} for run in (a, b)]
    comparison = {
        "format": COMPARED_FORMAT,
        "a": runs[0],
        "b": runs[1],
        "warning": compared.warning or None,
        "tables": [table_json(compared.differences), table_json(compared.tests)],
        "items": [asdict(item) for item in items],
        "link": sides_link(a, b),
    }
    return clean.dumps(comparison, indent=1) + "\n"


def table_json(table: Table) -> dict[str, Json]:
    """Return a table in long form: per row its keys, the measure, and the estimate."""
    return {
        "id": table.id,
        "title": table.title,
        "source": table.source,
        "note": table.note,
        "rows": [{**row.keys, "measure": row.measure, **asdict(row.estimate)} for row in table.rows],
    }


def _figure(figure: Figure) -> dict[str, Json]:
    texts = {"id": figure.id, "title": figure.title, "source": figure.source, "note": figure.note}
    return {**texts, "spec": figure.spec}  # asdict would copy the whole specification


def _run(summary: RunSummary) -> dict[str, Json]:
    run = summary.run
    return {
        "id": run.id,
        "suite": run.suite,
        "dataset": {name: text for name, text in asdict(run.dataset).items() if text},
        "model": run.model,
        "options": run.options,
        "logs": run.logs,
        "planned": run.planned,
        "recorded": summary.recorded,
        "scored": summary.trials.scored,
        "unscored": summary.trials.unscored,
        "trials": asdict(summary.trials),
        "outcomes": summary.outcomes,
        "not_judged": summary.judged,
        "quotable": summary.quotable,
        "self_read": run.self_read,
        "readers": [_reader(reader) for reader in summary.readers],
        "reading": summary.reading,
        "headline": summary.headline,
        "no_headline": summary.no_headline or None,
        "warnings": summary.warnings,
        "bounds": asdict(summary.bounds) if summary.bounds else None,
        "superseded": run.superseded,
        "problems": run.problems,
    }


def _reader(reader: RolePlayer) -> dict[str, Json]:
    """Who plays a role: `by` is null if nobody does, `rates` if nothing was measured."""
    rates = [{"kind": rate.kind, "what": rate.what, **asdict(rate.estimate)} for rate in reader.rates]
    return {
        "role": reader.role,
        "by": reader.by or None,
        "self_read": reader.self_read,
        "rates": rates or None,
        "calibrate": reader.measure or None,
    }
