"""`knowact rescore SUITE PATH`: published tables, recomputed from published model outputs.

A suite that supports this has a module `rescoring` with a function `rescore(path, rules)`.
"""

import importlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, Protocol, cast

import click

from knowact import suites
from knowact.cli import terminal
from knowact.cli.options import HELP, json_option, put_json
from knowact.cli.sources import typed
from knowact.core.clean import one_line
from knowact.core.errors import BadUsage, UnknownName
from knowact.core.table import Table
from knowact.report.as_json import table_json
from knowact.report.as_text import table_text

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


@click.command("rescore", context_settings=HELP)
@click.argument("suite", metavar="SUITE")
@click.argument("path", type=click.Path(path_type=Path), metavar="PATH")
@click.option(
    "--rules",
    type=click.Choice(["definition", "published", "both"]),
    default="both",
    show_default=True,
    help="Count as the paper's text defines its numbers, as its printed tables do, or both side by side.",
)
@json_option
def command(suite: str, path: Path, rules: str, json_file: Path | None) -> int:
    """Recompute the tables of SUITE's paper from the model outputs published with it.

    PATH is the folder of the release, or a file of it. No model is called. Every number comes with n,
    interval and definition. Where the paper's text and its printed tables count differently, you see both.
    Ends with 1 if something could not be scored again.
    """
    _refuse_logs(path)
    found = _find(suite)(path, rules)
    if json_file is not None:
        head = {"format": FORMAT, "suite": suite.replace("-", "_"), "path": str(path), "rules": rules}
        tables = [table_json(table) for table in found.tables]
        body = {"tables": tables, "notes": list(found.notes), "details": list(found.details)}
        put_json(head | body, json_file)
    else:
        terminal.prepare()
        terminal.say(*map(table_text, found.tables), *map(one_line, found.notes))
    return 1 if found.unscored else 0


def _refuse_logs(path: Path) -> None:
    """Refuse logs, which are no published release.

    Raises:
        BadData: A log of another scoring version.
        BadUsage: Any other log.
    """
    logs = sorted(path.rglob("*.eval")) if path.is_dir() else [path] if path.suffix == ".eval" else []
    if logs:
        from knowact.engine.reader import find_logs

        find_logs(logs)
        raise BadUsage(f"{path} holds logs, not a published release. Read them with: knowact report {path}")


def _find(name: str) -> Rescore:
    """Look up the function of a suite.

    Raises:
        UnknownName: No suite of this name supports it; the nearest are suggested.
    """
    plain = name.replace("-", "_")
    known = [folder.parent.name for root in suites.__path__ for folder in Path(root).glob("*/rescoring.py")]
    if plain not in known:
        raise UnknownName("suite with published outputs", name, map(typed, known))
    return cast("Rescore", importlib.import_module(f"{suites.__name__}.{plain}.rescoring").rescore)
