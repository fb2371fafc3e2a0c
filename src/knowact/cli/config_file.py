"""`--config FILE`: the options of runs in a TOML file, which a team commits.

    model = "openai/gpt-4o"
    judge = "anthropic/claude-sonnet-4-5"
    cost-limit = 10

    [kapro]
    limit = 200

    [car]
    trials = 3
    role = { user = "openai/gpt-4o-mini" }

    [car.inspect]
    max-tokens = 4096

Keys are options as they are typed, without their hyphens in front. What stands above the sections holds for
all suites, a section for one; `inspect` holds options of the engine. Options on the command line come before
the file's.
"""

import tomllib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, cast

import click

from knowact.core.errors import BadData, Place, suggest

INSPECT: Final = "inspect"


def option() -> click.Option:
    """`--config`, for a command whose other options it fills."""
    return click.Option(
        ["--config"],
        type=click.Path(path_type=Path, dir_okay=False),
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
    name = context.info_name or ""
    found = read(file)
    tables = {key.replace("_", "-"): key for key, value in found.items() if isinstance(value, dict)}
    section = tables.get(name)
    own = cast("dict[str, Any]", found[section]) if section else dict[str, Any]()
    common = {key: value for key, value in found.items() if not isinstance(value, dict)}
    context.default_map = dict(_values(context.command, {**common, **own}, file, section or ""))


def read(file: Path) -> dict[str, Any]:
    """Read the file.

    Raises:
        BadData: It is not there, or is no TOML.
    """
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadData(f"the file cannot be read ({error.strerror})", Place(file), "check the path") from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise BadData(f"this is not TOML ({error})", Place(file), "correct it") from error


def sections(file: Path, known: Callable[[], Sequence[str]]) -> list[str]:
    """The suites that a file has sections for, as people type them.

    Raises:
        BadData: It has none, or one of no suite.
    """
    named = [key.replace("_", "-") for key, value in read(file).items() if isinstance(value, dict)]
    suites = known()
    wrong = next((name for name in named if name not in suites and name != INSPECT), None)
    if wrong is not None:
        raise BadData(
            f"there is no suite {wrong!r}", Place(file, None, wrong), suggest(wrong, suites).rstrip(".")
        )
    found = [name for name in named if name != INSPECT]
    if not found:
        raise BadData(
            "no suite has a section here", Place(file), "write [SUITE], or name it: knowact run SUITE"
        )
    return found


def _values(
    command: click.Command, given: Mapping[str, Any], file: Path, section: str
) -> list[tuple[str, Any]]:
    """Parameters and their values, in the shape that the command line would have given them."""
    params = {param.name or "": param for param in command.params}
    found: list[tuple[str, Any]] = []
    for key, value in given.items():
        name, where = key.replace("-", "_"), Place(file, None, f"{section}.{key}".lstrip("."))
        if name == INSPECT and isinstance(value, dict):
            settings = cast("Mapping[str, Any]", value).items()
            found.append(
                ("engine", [word for k, v in settings for word in (f"--{k.replace('_', '-')}", str(v))])
            )
        elif name not in params or not isinstance(params[name], click.Option):
            near = suggest(key, [one.replace("_", "-") for one in params if one != "engine"])
            raise BadData(f"the command {command.name!r} has no option {key!r}", where, near.rstrip("."))
        else:
            found.append((name, _shaped(params[name], value)))
    return found


def _shaped(param: click.Parameter, value: Any) -> Any:
    """Several values as a list; a table as NAME=VALUE; several values of a treatment as they are typed."""
    if isinstance(value, dict):
        return [f"{key}={one}" for key, one in cast("Mapping[str, Any]", value).items()]
    if isinstance(value, list):
        some = [str(one) for one in cast("list[Any]", value)]
        return some if param.multiple else ",".join(some)
    return [value] if param.multiple else value
