"""`knowact rescore SUITE PATH`: logs scored again, or published tables recomputed from published outputs.

A suite that supports the latter has a module `rescoring` with a function `rescore(path, rules)`.
"""

import importlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, Protocol, cast

import click

from knowact import suites
from knowact.cli import terminal
from knowact.cli.for_suites import ForSuites, published
from knowact.cli.options import HELP, PATH, json_option, put_json, yes_option
from knowact.cli.rescore_logs import RescoreOptions, logs_at, rescore_logs
from knowact.core.clean import one_line
from knowact.core.errors import BadUsage, UnknownName
from knowact.core.table import Table
from knowact.report.as_json import table_json
from knowact.report.as_text import table_text
from knowact.running.sources import typed

FORMAT: Final = "knowact.rescored/1"


class Rescored(Protocol):
    """What a suite gives back."""

    @property
    def tables(self) -> Sequence[Table]:
        """The paper's tables first."""
        ...

    @property
    def notes(self) -> Sequence[str]:
        """What a reader should know, a sentence each."""
        ...

    @property
    def details(self) -> Sequence[Mapping[str, str]]:
        """Everything that was corrected, noted or left out, one by one."""
        ...

    @property
    def unscored(self) -> int:
        """How many records could not be scored again."""
        ...


class Rescore(Protocol):
    """The function of a suite's module `rescoring`."""

    def __call__(self, path: Path, rules: str) -> Rescored:
        """Score the release at a path by the rules "definition", "published" or "both"."""
        ...


@click.command(
    "rescore", cls=ForSuites, suites={"Suites with published outputs": published}, context_settings=HELP
)
@click.argument("suite", metavar="SUITE")
@click.argument("path", type=PATH, metavar="PATH")
@click.option(
    "--rules",
    type=click.Choice(["definition", "published", "both"]),
    show_default="both; of logs, the rules that they were run with",
    help="Count as the paper's text defines its numbers, as its printed tables do, or both side by side.",
)
@click.option("--judge", default="", metavar="MODEL|self", help="Logs: read the words again with this model.")
@click.option("--role", multiple=True, metavar="NAME=MODEL", help="Logs: the model for extractor or judge.")
@click.option("--data", default="", metavar="NAME|DIR", help="Logs: their data, if they were moved.")
@click.option("--max-connections", type=click.IntRange(1), help="Logs: concurrent requests.")
@click.option("--log-dir", type=PATH, metavar="DIR", help="Logs: where to write the new ones.")
@yes_option
@json_option
def command(suite: str, path: Path, rules: str | None, json_file: Path | None, **given: Any) -> int:
    """Score stored trials of SUITE again: your own logs, or the outputs published with its paper.

    PATH is a log, a folder of logs, or a release (a file or its folder). No agent is called. For logs, you
    see each trial whose scores differ. For a release, you see every number with its n, interval and
    definition; where the paper's text and its printed tables count differently, you see both.
    Exit code 1: something could not be scored again.
    """
    if logs_at(path):
        if rules == "both":
            raise BadUsage(
                "Logs are scored again under one rule set: --rules definition or --rules published."
            )
        asked = RescoreOptions(
            [path], rules or "", given["judge"], given["role"], given["log_dir"], given["data"]
        )
        asked = replace(asked, connections=given["max_connections"], yes=given["yes"])
        return rescore_logs(suite, asked, json_file)
    if any(given[name] for name in ("judge", "role", "data", "log_dir")):
        raise BadUsage(
            f"{path} holds no logs, and only logs can be read again: leave out the options for logs."
        )
    rules = rules or "both"
    outcome = _find(suite)(path, rules)
    if json_file is not None:
        head = {"format": FORMAT, "suite": suite.replace("-", "_"), "path": str(path), "rules": rules}
        tables = [table_json(table) for table in outcome.tables]
        body = {"tables": tables, "notes": list(outcome.notes), "details": list(outcome.details)}
        put_json(head | body, json_file)
    else:
        terminal.prepare()
        terminal.say(*map(table_text, outcome.tables), *map(one_line, outcome.notes))
    return 1 if outcome.unscored else 0


def _find(name: str) -> Rescore:
    """Look up the function of a suite.

    Raises:
        UnknownName: No suite of this name supports it; the nearest are suggested.
    """
    plain = name.replace("-", "_")
    known = [suite for suite in suites.names() if published(suites.find(suite))]
    if plain not in known:
        raise UnknownName("suite with published outputs", name, map(typed, known))
    return cast("Rescore", importlib.import_module(f"{suites.__name__}.{plain}.rescoring").rescore)
