"""Options and command groups that several commands share, and `--json [FILE]`."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar

import click

from knowact.core.clean import dumps
from knowact.core.errors import BadUsage, UnknownName
from knowact.running.progress import DISPLAYS, OURS

HELP: Final[dict[str, Any]] = {"help_option_names": ["-h", "--help"]}

STDOUT: Final = "-"
"""The file name that means standard output, as everywhere in Unix."""

PATH: Final = click.Path(path_type=Path)
FILE: Final = click.Path(path_type=Path, dir_okay=False)
FOLDER: Final = click.Path(path_type=Path, file_okay=False)

F = TypeVar("F", bound=Callable[..., Any])


class Group(click.Group):
    """A command with subcommands, such as `knowact world check`; suggests the nearest for a wrong name."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command."""
        if args and not args[0].startswith("-") and args[0] not in self.commands:
            raise UnknownName(f"command of `knowact {self.name}`", args[0], self.commands)
        return super().resolve_command(ctx, args)


def folder_option(flag: str, default: str, purpose: str) -> Callable[[F], F]:
    """A folder with a default, which the help shows."""
    return click.option(flag, type=PATH, default=Path(default), show_default=True, help=purpose)


def seed_option(purpose: str) -> Callable[[F], F]:
    """`--seed`; `purpose` names what it fixes."""
    return click.option("--seed", type=int, default=0, show_default=True, help=purpose)


CONNECTIONS: Final = 10
"""Concurrent calls of commands that make data, unless `--max-connections` says otherwise."""

connections_option: Final = click.option(
    "--max-connections",
    type=click.IntRange(1),
    default=CONNECTIONS,
    show_default=True,
    help="Concurrent calls.",
)

yes_option: Final = click.option("--yes", is_flag=True, help="Don't ask before calls that cost money.")


def display_option() -> click.Option:
    """`--display`."""
    return click.Option(
        ["--display"],
        type=click.Choice(DISPLAYS),
        default=OURS,
        show_default=True,
        help="Progress: drawn in place (plain lines in a pipe), plain lines, a panel of Inspect, or nothing.",
    )


json_option: Final = click.option(
    "--json",
    "json_file",
    type=click.Path(path_type=Path, dir_okay=False, allow_dash=True),
    is_flag=False,
    flag_value=STDOUT,
    metavar="[FILE]",
    help="Write only JSON: to FILE, or to the terminal without FILE.",
)
"""Its value is None where it was not given."""


def put_json(value: Any, file: Path) -> None:
    """Write a value as JSON to standard output (`STDOUT`) or to a file, whose name is then printed.

    Raises:
        BadUsage: The file cannot be written.
    """
    text = dumps(value, indent=1)
    if str(file) == STDOUT:
        click.echo(text)
        return
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"{text}\n", encoding="utf-8", newline="")
    except OSError as error:
        raise BadUsage(f"Cannot write JSON to {file}: {error.strerror}. Choose another file.") from error
    click.echo(file)
