"""What the built-in agents get on the whole of every suite's shipped data.

    make reference

It writes `benchmarks/reference.json` and the tables of `docs/reference.md`. Built-in agents always do the
same, so one trial is enough. Logs are kept in `knowact-reference/`; the same command goes on.
"""

import json
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import knowact
from knowact.core.charts import number_text
from knowact.core.role_model import BUILT_IN
from knowact.core.suite import Suite
from knowact.core.table import Estimate, Headline, Run
from knowact.measures.summary import mean_estimate
from knowact.suites import find, names

ROOT: Final = Path(__file__).parent.parent
LOGS: Final = ROOT / "knowact-reference"
KEPT: Final = Path(__file__).with_suffix(".json")
PAGE: Final = ROOT / "docs" / "reference.md"

AGENTS: Final = (
    *("oracle", "always-act", "always-ask", "always-no", "always-idk", "eager", "shy"),
    *("random", "lexical", "tools-only", "fabricator"),
)
CONVERSING: Final = ("oracle", "fabricator", "silent-omitter", "misreporter", "premature", "asker", "refuser")
"""Those that make a scale. The others serve treatments, know-to-act transfer and tests."""

DIGITS: Final = 4
"""Of shares, as they are kept; a page shows fewer."""


PROBES: Final[Mapping[str, tuple[str, str]]] = {
    "bfcl": ("", "right"),
    "car": ("conduct", "success"),
    "fail_talms": ("aware", "conduct"),
    "ict": ("explicit", "implicit"),
    "kapro": ("acc_know", "acc_act"),
    "when2call": ("choice", "free"),
}
"""The results that say how well an agent knew, and how well it acted; "" where a suite asks but one way."""


def _headline(suite: str) -> Headline:
    found = find(suite).headline
    assert found is not None, "each of our suites declares one"
    return found


def run_of(suite: Suite, agent: str, logs: Path = LOGS) -> Run:
    """The whole run of a built-in agent, carried out if it is not there.

    Raises:
        SystemExit: Some trial was not scored.
    """
    (run,) = knowact.run(suite.name, model=BUILT_IN + agent, trials=1, log_dir=logs, quiet=True)
    if run.scored != run.planned:
        sys.exit(f"{suite.name}, {agent}: only {run.scored} of {run.planned} trials are scored.")
    return suite.with_related(run)


def numbers(run: Run) -> dict[str, dict[str, Any]]:
    """The headline of a run, and what it knew and how it acted where the suite asks that."""
    knew, acted = PROBES[run.suite]
    found = {"headline": _headline(run.suite).of(run)}
    found |= {
        name: mean_estimate(run.records, one) for name, one in (("knew", knew), ("acted", acted)) if one
    }
    return {name: _plain(one) for name, one in found.items()}


def _plain(one: Estimate) -> dict[str, Any]:
    rounded = {"value": one.value, "low": one.low, "high": one.high}
    return {name: None if value is None else round(value, DIGITS) for name, value in rounded.items()} | {
        "n": one.n
    }


def reference(suite: Suite, logs: Path = LOGS) -> dict[str, Any]:
    """The entry of one suite: its data, what is measured, and the numbers of each agent."""
    runs = {agent: run_of(suite, agent, logs) for agent in (CONVERSING if suite.converses else AGENTS)}
    data = next(iter(runs.values())).dataset
    found = {agent: numbers(run) for agent, run in runs.items()}
    knew, acted = PROBES[suite.name]
    return {
        "dataset": f"{data.name}@{data.version}",
        "sha256": data.sha256,
        "measure": _headline(suite.name).name,
        "agents": {agent: one["headline"] for agent, one in found.items()},
        "probes": {
            name: {"measure": measure, "agents": {agent: one[name] for agent, one in found.items()}}
            for name, measure in (("knew", knew), ("acted", acted))
            if measure
        },
    }


def table(entry: Mapping[str, Any]) -> str:
    """The table of one suite, in Markdown and percent: the best headline first, equal agents in one row."""
    probes: Mapping[str, Any] = entry["probes"]
    heads = [entry["measure"], *(f"{name}: `{one['measure']}`" for name, one in probes.items())]
    columns = [entry["agents"], *(one["agents"] for one in probes.values())]
    rows: dict[tuple[str, ...], list[str]] = {}
    for agent in sorted(columns[0], key=lambda agent: -(columns[0][agent]["value"] or 0)):
        rows.setdefault(tuple(_cell(column[agent]) for column in columns), []).append(f"`{agent}`")
    body = [[", ".join(agents), *cells] for cells, agents in rows.items()]
    lines = [["agent", *heads], ["---", *("---:" for _ in heads)], *body]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def _cell(one: Mapping[str, Any]) -> str:
    if one["value"] is None:
        return "-"
    value, low, high = (number_text(one[name], percent=True) for name in ("value", "low", "high"))
    return f"{value} [{low}, {high}]"


def with_tables(page: str, found: Mapping[str, Any]) -> str:
    """The text of a page with its tables made anew, each behind the comment that names its suite."""
    for suite, entry in found.items():
        mark = f"<!-- made by benchmarks/reference.py: {suite} -->\n"
        page = re.sub(
            rf"({re.escape(mark)}).*?(?=\n\n)",
            lambda at, entry=entry: at[1] + table(entry),
            page,
            flags=re.DOTALL,
        )
    return page


def main() -> None:
    """Run what is not there yet, then write both files."""
    found = {name: reference(find(name)) for name in names()}
    KEPT.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    PAGE.write_text(with_tables(PAGE.read_text(encoding="utf-8"), found), encoding="utf-8")


if __name__ == "__main__":
    main()
