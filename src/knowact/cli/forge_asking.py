"""What `knowact forge` says while models are asked: what it takes, how far it is, what went wrong."""

import sys
from typing import TYPE_CHECKING, Final

import click

from knowact.cli.sources import FREE
from knowact.core.role_model import RoleModel

if TYPE_CHECKING:
    from knowact.engine.many import Progress

SHOWN: Final = 5
"""Problems that are shown; how many there are is said."""


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


def show(progress: "Progress") -> None:
    """Say how many questions are done."""
    if sys.stderr.isatty():
        click.echo(f"\r{progress.answered + len(progress.failures):,} done", nl=False, err=True)


def complain(progress: "Progress") -> None:
    """Say why questions were not answered, each reason once."""
    for reason in list(dict.fromkeys(progress.failures))[:SHOWN]:
        click.echo(f"Not answered: {reason}", err=True)
