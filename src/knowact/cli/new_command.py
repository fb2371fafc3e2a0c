"""`knowact new`: from somebody's tools to a data set for them, in one line."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import click

from knowact import suites
from knowact.cli import tools_annotate, tools_own
from knowact.cli.forge_asking import announce
from knowact.cli.forge_command import command as forge
from knowact.cli.options import HELP
from knowact.cli.sources import typed
from knowact.core.errors import BadUsage
from knowact.core.suite import Suite
from knowact.report.requirements import headline_of
from knowact.tools.claims import STAGES
from knowact.tools.folder import ToolFolder, find

VOTES: Final = 3
_TEXT: Final = 2_000
"""Characters that one request to a writer takes, about."""


@click.command("new", context_settings=HELP)
@click.argument("directory", metavar="DIR", type=click.Path(path_type=Path, file_okay=False))
@click.option("--mcp", metavar="COMMAND", help="Your MCP server, over standard input and output.")
@click.option("--mcp-url", metavar="URL", help="Your MCP server over streamable HTTP.")
@click.option("--openapi", metavar="FILE|URL", help="Your OpenAPI document, 3.0 or 3.1.")
@click.option("--python", metavar="MODULE", help="Your Python module of typed functions.")
@click.option("--model", required=True, metavar="M", help="Describes the tools and writes the requests.")
@click.option("--size", type=click.IntRange(1), default=40, show_default=True, help="Requests to write.")
@click.option("--suite", "name", metavar="SUITE", help="Whose data [default: that of KAS].")
@click.option("--yes", is_flag=True, help="Ask nothing, neither about the cost nor for a look.")
def command(  # noqa: PLR0917 - one parameter per option
    directory: Path,
    mcp: str | None,
    mcp_url: str | None,
    openapi: str | None,
    python: str | None,
    model: str,
    size: int,
    name: str | None,
    yes: bool,
) -> int:
    """Make a test of your own tools: read them, describe them, make and write requests, in DIR.

    The same as `tools add`, `tools record`, `tools annotate` and `forge --tools` in turn, each of which you
    can repeat alone; DIR's name is the tools' name. The cost is told first. Interrupt it at any time; the
    same command goes on.
    """
    given = {"--mcp": mcp, "--mcp-url": mcp_url, "--openapi": openapi, "--python": python}
    source = [word for option, value in given.items() if value is not None for word in (option, value)]
    if not source:
        raise BadUsage(f"Name your tools by one of {', '.join(given)}.")
    suite, own = _suite(name), directory.resolve().name
    _step(tools_own.add, own, *source)
    folder = find(own)
    _told(folder, model, size, yes=yes)
    asking = ("--yes",) if yes else ()
    try:
        _step(tools_own.record, own, *asking)
    except BadUsage as error:
        click.echo(str(error), err=True)
    lost = _step(tools_annotate.command, own, "--role", f"annotator={model}", "--votes", str(VOTES), "--yes")
    _look(folder, yes=yes)
    data = directory / typed(suite.name)
    words = ("--tools", own, "--size", str(size), "--role", f"writer={model}", "--out", str(data), "--yes")
    lost |= _step(forge, typed(suite.name), *words)
    click.echo("\n".join(_next(suite, data)))
    return lost


def _step(step: click.Command, *words: str) -> int:
    """Carry out one command; the line that would repeat it is printed first."""
    shown = " ".join(f"'{word}'" if " " in word else word for word in words)
    click.echo(f"\n$ knowact {'' if step is forge else 'tools '}{step.name} {shown}")
    done: object = step.main(list(words), prog_name=f"knowact {step.name}", standalone_mode=False)
    return done if isinstance(done, int) else 0


def _suite(name: str | None) -> Suite:
    """The suite whose data are made.

    Raises:
        UnknownName: There is none of this name.
    """
    from knowact.forge.recipe import load_recipe

    if name is not None:
        return suites.find(name)
    every = (suites.find(one) for one in suites.names())
    return next(one for one in every if one.forge and not load_recipe(one.forge).borrows and _has_kas(one))


def _has_kas(suite: Suite) -> bool:
    """Whether its headline rests on calls and a requested format alone, so that no judge is needed."""
    return any(not isinstance(one, str) for one in suite.compared)


def _told(folder: ToolFolder, model: str, size: int, *, yes: bool) -> None:
    """Say what all steps together will ask of the model."""
    tools = len(folder.tools)
    votes = len(STAGES) * VOTES
    calls = votes * tools + 2 * size
    shown = sum(len(tool.model_dump_json()) for tool in folder.tools)
    click.echo("\nIn all, to describe the tools, to think of situations, and to write requests:")
    announce("model", model, calls, votes * shown + 2 * size * _TEXT, yes=yes)


def _look(folder: ToolFolder, *, yes: bool) -> None:
    """Let somebody correct what the model says of the tools."""
    click.echo(
        f"\nLook at {folder.path / tools_annotate.PROPOSED}, and put what is wrong or open into "
        f"{folder.annotations}: your words win. Whether a tool writes is yours to say (`writes: false`); "
        "only those that don't are called."
    )
    if not yes and sys.stdin.isatty():
        click.confirm("Go on?", abort=True, default=True)


def _next(suite: Suite, data: Path) -> Iterator[str]:
    name = typed(suite.name)
    yield "\nLook at the requests, and have people audit them:"
    yield f"  knowact data check {data}"
    yield f"  knowact human audit {name} --data {data} --annotator NAME"
    yield "Run it, and hold the next version to it:"
    yield f"  knowact run {name} --data {data} --model MODEL --log-dir {data.parent / 'logs'}"
    bound = f'--require "{headline_of(suite).subject}>=0.6"'
    yield f"  knowact check {data.parent / 'logs'} {bound}"
