"""`knowact rescore SUITE PATH`: published tables, recomputed from published model outputs.

A suite that can do it has a module `rescoring` with a function `rescore(path, rules)`; the command knows
nothing else of it.
"""

import importlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol, cast

import click

from knowact import suites
from knowact.cli import terminal
from knowact.cli.groups import HELP
from knowact.cli.json_file import json_option, put
from knowact.core.errors import BadUsage, UnknownName

if TYPE_CHECKING:
    from knowact.core.table import Table

FORMAT: Final = "knowact.rescored/1"


class Rescored(Protocol):
    """What a suite gives back."""

    @property
    def tables(self) -> "Sequence[Table]":
        """The paper's tables first."""
        ...

    @property
    def notes(self) -> Sequence[str]:
        """What a reader should know, a sentence each."""
        ...

    @property
    def details(self) -> Sequence[Mapping[str, str]]:
        """Everything that was mended, noted or left out, one by one."""
        ...


class Rescore(Protocol):
    """The function of a suite's module `rescoring`."""

    def __call__(self, path: Path, rules: str) -> Rescored:
        """Score what is published at a path by the rules "definition", "published" or "both"."""
        ...


@click.command("rescore", context_settings=HELP)
@click.argument("suite", metavar="SUITE")
@click.argument("path", type=click.Path(path_type=Path), metavar="PATH")
@click.option(
    "--rules",
    type=click.Choice(["definition", "published", "both"]),
    default="both",
    show_default=True,
    help="As the paper's text defines its numbers, as its printed tables count them, or side by side.",
)
@json_option
def command(suite: str, path: Path, rules: str, json_file: Path | None) -> int:
    """Recompute the tables of SUITE's paper from the model outputs that were published with it.

    PATH is the folder of the release. No model is called. Every number comes with its n, its interval and
    what it counts; where the paper's text and its printed tables count differently, both are shown.
    """
    _refuse_logs(path)
    found = _find(suite)(path, rules)
    if json_file is not None:
        put(_json(suite, path, rules, found), json_file)
    else:
        _tell(found)
    return 0


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
        raise BadUsage(f"{path} holds logs, not a published release; read them with: knowact report {path}")


def _find(name: str) -> Rescore:
    """Look up the function of a suite.

    Raises:
        UnknownName: No suite of that name can do it; the near ones are suggested.
    """
    plain = name.replace("-", "_")
    known = [folder.parent.name for root in suites.__path__ for folder in Path(root).glob("*/rescoring.py")]
    if plain not in known:
        raise UnknownName("suite with published outputs", name, (one.replace("_", "-") for one in known))
    return cast("Rescore", importlib.import_module(f"{suites.__name__}.{plain}.rescoring").rescore)


def _tell(found: Rescored) -> None:
    from knowact.core.clean import one_line
    from knowact.report.as_text import table_text

    terminal.prepare()
    for table in found.tables:
        terminal.say(table_text(table))
    terminal.say(*(one_line(note) for note in found.notes))


def _json(suite: str, path: Path, rules: str, found: Rescored) -> dict[str, Any]:
    """The tables as in report.json (interfaces.md, "Report"), with notes and details."""
    tables = [
        {
            "id": table.id,
            "title": table.title,
            "source": table.source,
            "note": table.note,
            "rows": [{**row.keys, "measure": row.measure, **asdict(row.estimate)} for row in table.rows],
        }
        for table in found.tables
    ]
    head = {"format": FORMAT, "suite": suite.replace("-", "_"), "path": str(path), "rules": rules}
    return {**head, "tables": tables, "notes": list(found.notes), "details": list(found.details)}
