"""`knowact new`: from somebody's tools to a data set for them, in one line."""

import sys
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Final

import click

from knowact import suites
from knowact.cli import tools_annotate
from knowact.cli.for_suites import SuiteOption, listed, of_own_tools
from knowact.cli.forge_asking import Wishes, announce
from knowact.cli.forge_command import forge_with_tools
from knowact.cli.options import FILE, FOLDER, HELP
from knowact.cli.tools_own import SOURCES, SourceOptions, add_tools, record_calls
from knowact.core.clean import one_line
from knowact.core.errors import BadUsage
from knowact.core.suite import Suite
from knowact.report.requirements import HEADLINE
from knowact.running.roles import ANNOTATOR
from knowact.running.sources import typed
from knowact.tools.annotation import Effect, effect, read_annotations
from knowact.tools.claims import STAGES
from knowact.tools.folder import ToolFolder, find, names
from knowact.tools.recordings import read_recordings

VOTES: Final = 3
"""Votes per tool and stage."""
_TEXT: Final = 2_000
"""Characters that one request to a writer takes, about."""


@click.command("new", context_settings=HELP)
@click.argument("directory", metavar="DIR", type=FOLDER)
@click.option("--mcp", metavar="COMMAND", help="Your MCP server, over standard input and output.")
@click.option("--mcp-url", metavar="URL", help="Your MCP server over streamable HTTP.")
@click.option("--openapi", metavar="FILE|URL", help="Your OpenAPI document, 3.0 or 3.1.")
@click.option("--python", metavar="MODULE", help="Your Python module of typed functions.")
@click.option(
    "--calls",
    type=FILE,
    metavar="FILE",
    help="Calls that show what your tools answer, as for `tools record`.",
)
@click.option("--model", required=True, metavar="M", help="Describes the tools and writes the requests.")
@click.option("--size", type=click.IntRange(1), default=40, show_default=True, help="Requests to write.")
@click.option(
    "--suite",
    "name",
    cls=SuiteOption,
    fits=of_own_tools,
    metavar="SUITE",
    help="The suite to make data for [default: the suite of KAS].",
)
@click.option("--yes", is_flag=True, help="Don't ask for confirmation, neither of the cost nor of the files.")
def command(  # noqa: PLR0917 - one parameter per option
    directory: Path,
    mcp: str | None,
    mcp_url: str | None,
    openapi: str | None,
    python: str | None,
    calls: Path | None,
    model: str,
    size: int,
    name: str | None,
    yes: bool,
) -> int:
    """Make a test of your own tools: read them, describe them, make and write requests, in DIR.

    The same as `tools add`, `tools record`, `tools annotate` and `forge --tools` in turn, each of which you
    can repeat alone; DIR's name is the tools' name. Tools that take headers, variables or a reset are added
    before, by `tools add`; then name no source here. It shows the cost first. Interrupt it at any time; the
    same command resumes.
    """
    source = SourceOptions(mcp=mcp, mcp_url=mcp_url, openapi=openapi, python=python)
    suite, own = _suite(name), directory.resolve().name
    if not source.named and own not in names():
        raise BadUsage(f"Name your tools by one of {', '.join(SOURCES)}.")
    _repeat_by("tools add", own, *chain.from_iterable(source.named.items()))
    add_tools(own, source)
    asking = ("--yes",) if yes else ()
    listed_calls = () if calls is None else ("--calls", str(calls))
    _repeat_by("tools record", own, *listed_calls, *asking)
    try:
        record_calls(own, calls=calls, yes=yes)
    except BadUsage as error:
        click.echo(str(error), err=True)
    folder = find(own)
    _usable(folder)
    _announce(folder, model, size, yes=yes)
    _repeat_by("tools annotate", own, "--role", f"annotator={model}", "--votes", str(VOTES), "--yes")
    lost = tools_annotate.annotate(own, {ANNOTATOR: model}, votes=VOTES, yes=True)
    _look(folder, yes=yes)
    forged = typed(suite.name)
    data = directory / forged
    words = ("--tools", own, "--size", str(size), "--role", f"writer={model}", "--out", str(data), "--yes")
    _repeat_by("forge", forged, *words)
    lost |= forge_with_tools(forged, own, Wishes({"writer": model}, yes=True), size=size, out=data)
    click.echo("\n".join(_next(suite, data)))
    return lost


def _repeat_by(command: str, *words: str) -> None:
    """Print the line that repeats the next step alone."""
    shown = " ".join(f"'{word}'" if " " in word else word for word in words)
    click.echo(f"\n$ knowact {command} {shown}")


def _suite(name: str | None) -> Suite:
    """The suite whose data are made.

    Raises:
        UnknownName: There is none of this name.
        BadUsage: It has no data that are made of tools alone.
    """
    if name is None:
        return next(
            suite for suite in map(suites.find, suites.names()) if of_own_tools(suite) and _has_kas(suite)
        )
    suite = suites.find(name)
    if not of_own_tools(suite):
        raise BadUsage(
            f"{typed(suite.name)} cannot make data from tools alone. Choose {listed(of_own_tools)}."
        )
    return suite


def _has_kas(suite: Suite) -> bool:
    """Whether its headline rests on calls and a requested format alone, so that no judge is needed."""
    return any(not isinstance(headline, str) for headline in suite.compared)


def _usable(folder: ToolFolder) -> None:
    """Make sure that something can come of the tools, before a model is asked.

    Raises:
        BadUsage: None is known to read only and to have a described result, or every call was refused.
    """
    people = read_annotations(folder.annotations).tools
    reads = [tool for tool in folder.tools if effect(tool, people.get(tool.name)) is Effect.READS]
    if not any(tool.returns for tool in reads):
        raise BadUsage(
            f"Nothing can be made of the tools of {folder.name!r} yet, and no model was asked. Say in "
            f"{folder.annotations} which of them only read (`tools: {{NAME: {{writes: false}}}}`); where "
            "their results are not described, list calls in a file "
            '(`{"tool": "NAME", "arguments": {...}}` a line) and add --calls FILE.'
        )
    recorded = read_recordings(folder).values()
    refused = [seen.problem.message for seen in recorded if seen.problem is not None]
    if refused and len(refused) == len(recorded):
        raise BadUsage(
            f"Each call of {folder.name!r} was refused ({one_line(refused[0])[:200]}), and no model was "
            f"asked. If it requires authentication: knowact tools add {folder.name} --header "
            "'NAME: ${VARIABLE}'"
        )


def _announce(folder: ToolFolder, model: str, size: int, *, yes: bool) -> None:
    """Say what all steps together will ask of the model."""
    tools = len(folder.tools)
    votes = len(STAGES) * VOTES
    calls = votes * tools + 2 * size
    shown = sum(len(tool.model_dump_json()) for tool in folder.tools)
    click.echo("\nIn all, to describe the tools, to think of situations, and to write requests:")
    tools_annotate.announce_calls(votes * folder.tools)
    announce("model", model, calls, votes * shown + 2 * size * _TEXT, yes=yes)


def _look(folder: ToolFolder, *, yes: bool) -> None:
    """Let somebody correct what the model says of the tools."""
    click.echo(
        f"\nLook at {folder.path / tools_annotate.PROPOSED}, and put what is wrong or open into "
        f"{folder.annotations}: your entries take precedence. You decide which tools only read "
        "(`writes: false`); only those are called."
    )
    if not yes and sys.stdin.isatty():
        click.confirm("Go on?", abort=True, default=True)


def _next(suite: Suite, data: Path) -> Iterator[str]:
    name = typed(suite.name)
    yield "\nLook at the requests, and have people audit them:"
    yield f"  knowact data check {data}"
    yield f"  knowact human audit {name} --data {data} --annotator NAME"
    yield "Run it, and check the next version against it:"
    yield f"  knowact run {name} --data {data} --model MODEL --log-dir {data.parent / 'logs'}"
    bound = f'--require "{name}.{HEADLINE}>=0.6"'
    yield f"  knowact check {data.parent / 'logs'} {bound}"
