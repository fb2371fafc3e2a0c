"""What `knowact forge` says while models are asked: what it takes, how far it is, what went wrong."""

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

import click

from knowact.cli.options import CONNECTIONS
from knowact.core.errors import BadUsage
from knowact.core.role_model import RoleModel
from knowact.forge.asking import ToAsk
from knowact.running.sources import FREE

if TYPE_CHECKING:
    from knowact.engine.many import Progress

R = TypeVar("R")

SHOWN: Final = 5
"""Problems that are shown; how many there are is said."""

VOTES: Final = 3
"""Votes per request, unless `--votes` says otherwise."""


@dataclass(frozen=True, slots=True)
class Wishes:
    """What the options say.

    Attributes:
        roles: Model by role.
        texts: A file of texts.
        briefs: Where open briefs are to be written.
        readings: What readers said.
        to_read: Where requests are to be written for readers.
        votes: Votes per request.
        connections: Calls at a time.
        yes: Whether nobody is asked before calls that cost money.
    """

    roles: Mapping[str, str]
    texts: Path | None = None
    briefs: Path | None = None
    readings: Path | None = None
    to_read: Path | None = None
    votes: int = VOTES
    connections: int = CONNECTIONS
    yes: bool = False


def announce(role: str, model: str, calls: int, characters: int, *, yes: bool) -> None:
    """Say what it will cost; ask where somebody is there to answer.

    Raises:
        BadUsage: The model cannot be used.
    """
    from knowact.engine.filed import as_model
    from knowact.engine.models import resolved, sending

    name = as_model(RoleModel(model)).name
    resolved(name)
    click.echo(f"{role} {model}: at least {calls:,} calls, {sending(model, characters)} of items to send.")
    if not yes and sys.stdin.isatty() and not name.startswith(FREE):
        click.confirm("Continue?", abort=True, default=True)


def refuse_wrong(wrong: Mapping[str, Sequence[str]], file: Path) -> None:
    """Say what is wrong with the texts of a file.

    Raises:
        BadUsage: Some cannot be used.
    """
    if wrong:
        examples = [f"{brief}: {problems[0]}" for brief, problems in list(wrong.items())[:SHOWN]]
        head = f"{len(wrong):,} texts of {file} cannot be used. Correct them and run the command again:"
        raise BadUsage("\n  ".join([head, *examples]))


def ask(model: str, questions: Iterable[ToAsk[R]], keep: Callable[[R], None], connections: int) -> "Progress":
    """Put questions to a model, each answer kept as it comes; say how far it is, and what went wrong."""
    from knowact.engine.writing import ask_all

    progress = ask_all(model, questions, keep, _show, connections=connections)
    for reason in list(dict.fromkeys(progress.failures))[:SHOWN]:
        click.echo(f"Not answered: {reason}", err=True)
    return progress


def _show(progress: "Progress") -> None:
    """Say how many questions are done."""
    if sys.stderr.isatty():
        click.echo(f"\r{progress.answered + len(progress.failures):,} done", nl=False, err=True)
