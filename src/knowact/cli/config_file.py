"""`--config FILE`: a file's options as the defaults of a command's."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

import click

from knowact.cli.options import FILE
from knowact.core.errors import BadData, Place, suggest
from knowact.running.config_file import INSPECT, of_suite


def option() -> click.Option:
    """`--config`, for a command whose other options it fills."""
    return click.Option(
        ["--config"],
        type=FILE,
        is_eager=True,
        expose_value=False,
        callback=_fill,
        metavar="FILE",
        help="Read options from a TOML file; options on the command line take precedence.",
    )


def _fill(context: click.Context, _param: click.Parameter, file: Path | None) -> None:
    """Let the file's options be the defaults of the command's."""
    if file is None:
        return
    options, section = of_suite(file, context.info_name or "")
    context.default_map = dict(_values(context.command, options, file, section))


def _values(
    command: click.Command, given: Mapping[str, Any], file: Path, section: str
) -> list[tuple[str, Any]]:
    """Parameters and their values, in the shape that the command line would have given them."""
    params = {param.name or "": param for param in command.params}
    settled: list[tuple[str, Any]] = []
    for key, value in given.items():
        name, where = key.replace("-", "_"), Place(file, None, f"{section}.{key}".lstrip("."))
        if name == INSPECT and isinstance(value, dict):
            settings = cast("Mapping[str, Any]", value).items()
            settled.append(
                ("engine", [word for k, v in settings for word in (f"--{k.replace('_', '-')}", str(v))])
            )
        elif name not in params or not isinstance(params[name], click.Option):
            near = suggest(key, [known.replace("_", "-") for known in params if known != "engine"])
            raise BadData(f"the command {command.name!r} has no option {key!r}", where, near.rstrip("."))
        else:
            settled.append((name, _shaped(params[name], value)))
    return settled


def _shaped(param: click.Parameter, value: Any) -> Any:
    """Several values as a list; a table as NAME=VALUE; several values of a treatment as they are typed."""
    if isinstance(value, dict):
        return [f"{key}={each}" for key, each in cast("Mapping[str, Any]", value).items()]
    if isinstance(value, list):
        some = [str(each) for each in cast("list[Any]", value)]
        return some if param.multiple else ",".join(some)
    return [value] if param.multiple else value
