"""`--json [FILE]`: what a command found, for programs, alone in a file or on the terminal."""

from pathlib import Path
from typing import Any, Final

import click

from knowact.core.errors import BadUsage

TERMINAL: Final = "-"
"""The file name that means standard output, as everywhere in Unix."""


json_option: Final = click.option(
    "--json",
    "json_file",
    type=click.Path(path_type=Path, dir_okay=False, allow_dash=True),
    is_flag=False,
    flag_value=TERMINAL,
    metavar="[FILE]",
    help="Write JSON alone, to FILE or, without FILE, to the terminal.",
)
"""The option itself; its value is None where it was not given."""


def put(value: Any, file: Path) -> None:
    """Write a value as JSON; `TERMINAL` prints it, any other file is named when it is written.

    Raises:
        BadUsage: The file cannot be written.
    """
    from knowact.core.clean import dumps

    text = dumps(value, indent=1)
    if str(file) == TERMINAL:
        click.echo(text)
        return
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"{text}\n", encoding="utf-8", newline="")
    except OSError as error:
        raise BadUsage(f"The JSON cannot be written to {file}: {error.strerror}.") from error
    click.echo(file)
