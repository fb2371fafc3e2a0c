"""`knowact tools add`, `show` and `record`: tools of one's own, in a folder of plain text."""

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, TypeVar

import click

from knowact.cli import terminal
from knowact.cli.options import FILE, HELP, json_option, put_json
from knowact.core.clean import dumps, one_line
from knowact.core.errors import BadData, BadUsage, Place
from knowact.core.rounding import count
from knowact.tools.annotation import Annotation, Effect, effect, read_annotations
from knowact.tools.folder import OwnTool, Source, ToolFolder, find, folder_named, hash_of
from knowact.tools.recordings import (
    MOST_CALLS,
    Enumerated,
    Recording,
    Redactor,
    enumerated,
    looks_secret,
    read_calls,
    read_recordings,
    save_recordings,
)

F = TypeVar("F", bound=Callable[..., Any])

_KINDS: Final = {
    "mcp-stdio": "an MCP server over stdio",
    "mcp-http": "an MCP server over HTTP",
    "openapi": "an OpenAPI document",
    "python": "a Python module",
}
SOURCES: Final = {
    "--mcp": ("mcp-stdio", "command"),
    "--mcp-url": ("mcp-http", "url"),
    "--openapi": ("openapi", "document"),
    "--python": ("python", "module"),
}
"""Options that name a source: its kind, and the field of `Source` that says where it is."""
_SHOWN: Final = 300
"""Characters of a result or an argument in the terminal."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceOptions:
    """Where tools come from, and how they are called; None or nothing leaves it as it was.

    Attributes:
        mcp: The command of an MCP server over standard input and output.
        mcp_url: The address of one over streamable HTTP.
        openapi: The file or address of an OpenAPI document.
        python: A module of typed functions: a dotted name, or a file.
        base_url: Where an OpenAPI service is.
        headers: 'NAME: ${VARIABLE}', each.
        env: Environment variables that a local server gets.
        reset: The command that puts the service back before a session.
        timeout: Seconds per call.
        connections: Calls at once.
    """

    mcp: str | None = None
    mcp_url: str | None = None
    openapi: str | None = None
    python: str | None = None
    base_url: str | None = None
    headers: tuple[str, ...] = ()
    env: tuple[str, ...] = ()
    reset: str | None = None
    timeout: float | None = None
    connections: int | None = None

    @property
    def named(self) -> dict[str, str]:
        """The sources that are named, by the options that name them."""
        every = dict(zip(SOURCES, (self.mcp, self.mcp_url, self.openapi, self.python), strict=True))
        return {option: place for option, place in every.items() if place is not None}


@click.command("add", context_settings=HELP)
@click.argument("name")
@click.option("--mcp", metavar="COMMAND", help="Start this MCP server, over standard input and output.")
@click.option("--mcp-url", metavar="URL", help="An MCP server over streamable HTTP.")
@click.option("--openapi", metavar="FILE|URL", help="An OpenAPI document, 3.0 or 3.1.")
@click.option(
    "--python", metavar="MODULE", help="A Python module of typed functions: a dotted name, or a file."
)
@click.option("--base-url", metavar="URL", help="Where an OpenAPI service is [its document's first server].")
@click.option(
    "--header",
    "headers",
    multiple=True,
    metavar="'NAME: ${VARIABLE}'",
    help="Send this header; its value names an environment variable; repeatable.",
)
@click.option(
    "--env",
    "env",
    multiple=True,
    metavar="VARIABLE",
    help="Pass this environment variable to a local server; repeatable.",
)
@click.option("--reset", metavar="COMMAND", help="Run this before each session, to put the service back.")
@click.option("--timeout", type=click.FloatRange(0, 3600, min_open=True), help="Seconds per call [30].")
@click.option("--connections", type=click.IntRange(1, 256), help="Calls at once [4].")
def add(name: str, **given: Any) -> int:
    """Read the tools of a server, a document or a module into ./knowact-tools/NAME/.

    The folder is plain text, to be edited and committed. Without a source, the tools of NAME are read again
    from where they came. Annotations and recordings stay as they are. No tool is called.
    """
    return add_tools(name, SourceOptions(**given))


def add_tools(name: str, options: SourceOptions) -> int:
    """Read tools into the folder of their name, and say which; return the exit code.

    Raises:
        KnowactError: The source is not named, or can't be read.
    """
    terminal.prepare()
    path = folder_named(name)
    earlier = find(name) if (path / "source.yaml").is_file() else None
    read = _read(_source(name, earlier, options))
    before = {tool.name: tool for tool in earlier.tools} if earlier else {}
    folder = ToolFolder(path, read.source, tuple(_kept(tool, before.get(tool.name)) for tool in read.tools))
    folder.save()
    _tell(folder, {})  # what was just read says so; annotations may be anything yet
    for line in read.notes:
        click.echo(f"  {_short(line)}")
    _tell_changes(before, folder.tools)
    click.echo(f"\nWritten to {path}. Look at it: knowact tools show {name}")
    return 0


@click.command("show", context_settings=HELP)
@click.argument("name")
@click.option("--tool", "only", metavar="TOOL", help="All of one tool: its description and its schemas.")
@json_option
def show(name: str, only: str | None, json_file: Path | None) -> int:
    """Show the tools of NAME: what they do, what is odd about them, how many calls were recorded."""
    terminal.prepare()
    folder = find(name)
    chosen = [tool for tool in folder.tools if only is None or tool.name == only]
    if not chosen:
        from knowact.core.errors import UnknownName

        raise UnknownName(f"tool of {name!r}", str(only), [tool.name for tool in folder.tools])
    if json_file is not None:
        shown = {
            "source": folder.source.model_dump(mode="json"),
            "tools": [tool.model_dump(mode="json") for tool in chosen],
        }
        put_json(shown, json_file)
        return 0
    if only is not None:
        _tell_one(chosen[0], read_annotations(folder.annotations).tools.get(chosen[0].name))
        return 0
    _tell(folder, read_annotations(folder.annotations).tools)
    recorded = read_recordings(folder)
    plays = "play them" if folder.source.answers == "recorded" else "call the source"
    click.echo(f"\n{count(len(recorded), 'call')} recorded. Sessions {plays}: see `answers` in source.yaml.")
    return 0


@click.command("record", context_settings=HELP)
@click.argument("name")
@click.option("--tool", "only", multiple=True, metavar="TOOL", help="Call only this tool; repeatable.")
@click.option(
    "--calls",
    type=FILE,
    metavar="FILE",
    help='Make these calls, {"tool": ..., "arguments": {...}} a line, instead of those that schemas list.',
)
@click.option("--reads", multiple=True, metavar="TOOL", help="Treat this tool as read-only; repeatable.")
@click.option("--most", type=click.IntRange(1), default=MOST_CALLS, show_default=True, help="Calls per tool.")
@click.option("--allow-writes", is_flag=True, help="Also call tools that may write; only on a test system.")
@click.option("--yes", is_flag=True, help="Do not ask before calls are made, and before anything is written.")
def record(name: str, **given: Any) -> int:
    """Call the tools of NAME and keep what they answer, to be played instead of calling them.

    Only tools that read are called: those whose server or HTTP method says so, those that annotations.yaml
    says do not write, and those of --reads. What looks like a secret is taken out of the answers, and listed
    before anything is written.
    """
    return record_calls(name, **given)


def record_calls(
    name: str,
    *,
    only: tuple[str, ...] = (),
    calls: Path | None = None,
    reads: tuple[str, ...] = (),
    most: int = MOST_CALLS,
    allow_writes: bool = False,
    yes: bool = False,
) -> int:
    """Call tools and keep what they answer, as `knowact tools record` does; return the exit code.

    Raises:
        KnowactError: No call can be made, or the source can't be reached.
    """
    terminal.prepare()
    folder = find(name)
    planned = _planned(folder, only, calls, most, frozenset(reads), allow_writes=allow_writes)
    if not planned:
        raise BadUsage(
            f"No call of {name!r} can be made as it is. List some: knowact tools record {name} --calls FILE"
        )
    click.echo(f"{count(len(planned), 'call')} of {count(len({tool.name for tool, _ in planned}), 'tool')}.")
    if not yes:
        click.confirm("Make them?", abort=True, default=True)
    redactor = Redactor.for_source(_variables(folder.source))
    made = _made(folder, planned, redactor)
    _tell_made(made, redactor)
    if not yes:
        click.confirm(f"Write them to {folder.recordings}?", abort=True, default=True)
    taught = save_recordings(folder, made)
    learnt = [tool.name for tool in taught.tools if tool.returns_learnt]
    if learnt:
        click.echo(f"Output schemas were learnt from results: {_short(', '.join(learnt))}")
    click.echo(
        f"Written to {folder.recordings}. To play them: set `answers: recorded` in {folder.path}/source.yaml"
    )
    return 0


@dataclass(frozen=True, slots=True)
class _Read:
    """What was read of a source."""

    source: Source
    tools: tuple[OwnTool, ...]
    notes: tuple[str, ...] = ()


def _source(name: str, earlier: ToolFolder | None, options: SourceOptions) -> Source:
    """The source that the options name, or the earlier one under the other options."""
    named = options.named
    if len(named) > 1:
        raise BadUsage("Name one source: --mcp, --mcp-url, --openapi or --python.")
    if not named and earlier is None:
        raise BadUsage(f"There are no tools named {name!r} yet. Name a source: {', '.join(SOURCES)}.")
    settings = {"reset": options.reset, "timeout": options.timeout, "connections": options.connections}
    changes: dict[str, Any] = {
        "added": datetime.now(UTC).date(),
        "sha256": "",
        **{setting: value for setting, value in settings.items() if value is not None},
    }
    for option, place in named.items():
        changes["kind"], field = SOURCES[option]
        changes[field] = place
    if options.headers:
        changes["headers"] = dict(map(_header, options.headers))
    if options.env:
        changes["env"] = options.env
    if options.base_url:
        changes["url"] = options.base_url
    before = earlier.source.model_dump() if earlier is not None and not named else {}
    source = Source.model_validate({**before, **changes})
    for text in (source.command, source.url, source.document, source.reset):
        if looks_secret(text):
            raise BadUsage(
                "A secret stands in the command or address. Write ${VARIABLE} there, and set VARIABLE."
            )
    return source


def _header(text: str) -> tuple[str, str]:
    name, colon, value = text.partition(":")
    if not colon or not name.strip() or "${" not in value:
        raise BadUsage(
            "--header takes 'NAME: ${VARIABLE}': secrets stay in the environment and never stand in files."
        )
    return name.strip(), value.strip()


def _read(source: Source) -> _Read:
    from knowact.tools.python_module import PythonModule
    from knowact.tools.world import connect

    if source.kind == "openapi":
        return _read_document(source)
    connection = connect(source)
    try:
        tools = _distinct(connection.tools(), source)
    finally:
        connection.close()
    notes = _left_out(connection.left_out) if isinstance(connection, PythonModule) else ()
    return _Read(source.model_copy(update={"sha256": hash_of(tools)}), tools, notes)


def _read_document(source: Source) -> _Read:
    from knowact.tools.mcp_client import headers_of
    from knowact.tools.openapi import is_address, read_document

    if source.url and not is_address(source.url) and "${" not in source.url:
        raise BadUsage(f"--base-url {source.url} is not an address. Begin it with http:// or https://.")
    headers = headers_of(source) if is_address(source.document) else {}
    document = read_document(source.document, headers, source.url, sent=source.headers)
    base = source.url or document.base
    if not base:
        raise BadData(
            "it does not say where the service is", Place(Path(source.document)), "give --base-url URL"
        )
    notes = [f"Calls go to {base}", *_left_out(document.left_out)]
    if document.wants and not source.headers:
        notes.append(f"The service may require authentication ({'; '.join(document.wants)}): add --header.")
    return _Read(
        source.model_copy(update={"url": base, "sha256": hash_of(document.tools)}),
        document.tools,
        tuple(notes),
    )


def _left_out(reasons: Sequence[str]) -> tuple[str, ...]:
    return tuple(f"Left out: {reason}." for reason in reasons)


def _distinct(tools: Sequence[OwnTool], source: Source) -> tuple[OwnTool, ...]:
    if not tools:
        raise BadUsage(f"{_KINDS[source.kind].capitalize()} offers no tools.")
    known: dict[str, OwnTool] = {}
    for tool in tools:
        if tool.name in known:
            tool = known[tool.name]  # noqa: PLW2901 - the first one is what a call reaches
            tool = tool.model_copy(update={"odd": (*tool.odd, "the server offers two tools of this name")})  # noqa: PLW2901
        known[tool.name] = tool
    return tuple(known.values())


def _kept(tool: OwnTool, before: OwnTool | None) -> OwnTool:
    """A tool that was read again, with what recordings had taught of its result."""
    if tool.returns is None and before is not None and before.returns_learnt:
        return tool.model_copy(update={"returns": before.returns, "returns_learnt": True})
    return tool


def _tell(folder: ToolFolder, people: Mapping[str, Annotation]) -> None:
    kind, where = _KINDS[folder.source.kind], folder.source
    of = where.command or where.document or where.module or where.url
    click.echo(f"{folder.name}: {count(len(folder.tools), 'tool')} of {kind} ({_short(of)})\n")
    width = min(40, max(len(tool.name) for tool in folder.tools))
    for tool in folder.tools:
        parameters = count(len(tool.tool("").properties), "parameter")
        says = "learnt from results" if tool.returns_learnt else ("" if tool.returns else "no output schema")
        known = effect(tool, people.get(tool.name))
        line = f"  {one_line(tool.name):<{width}}  {known:<8}  {parameters:<13}  {says}"
        click.echo(line.rstrip())
    odd = [
        (tool, oddity) for tool in folder.tools for oddity in tool.odd if oddity != "it has no output schema"
    ]
    if odd:
        click.echo("\nOdd:")
    for tool, oddity in odd:
        click.echo(f"  {one_line(tool.name)}: {_short(oddity)}")


def _tell_changes(before: Mapping[str, OwnTool], now: Sequence[OwnTool]) -> None:
    if not before:
        return
    names = {tool.name for tool in now}
    gone = [name for name in before if name not in names]
    new = [tool.name for tool in now if tool.name not in before]
    other = [tool.name for tool in now if tool.name in before and tool.sha256 != before[tool.name].sha256]
    for change, changed in (("New", new), ("Gone", gone), ("Changed", other)):
        if changed:
            click.echo(f"{change} since the last time: {_short(', '.join(changed))}")


def _tell_one(tool: OwnTool, people: Annotation | None) -> None:
    click.echo(one_line(tool.name))
    terminal.say(*(f"  {line}" for line in _lines(tool.description)))
    for title, schema in (("Arguments", tool.parameters), ("Result", tool.returns)):
        click.echo(
            f"\n{title}{' (learnt from results)' if title == 'Result' and tool.returns_learnt else ''}:"
        )
        terminal.say(*(f"  {line}" for line in _lines(dumps(schema, indent=2))))
    click.echo(f"\nEffect: {effect(tool, people)}")
    for oddity in tool.odd:
        click.echo(f"Odd: {_short(oddity)}")


def _lines(text: str) -> list[str]:
    from knowact.core.clean import lines

    return lines(text)


def _variables(source: Source) -> list[str]:
    """Names of the environment variables that a source uses."""
    import re

    texts = (source.command, source.url, source.reset, *source.headers.values())
    return [*source.env, *(name for text in texts for name in re.findall(r"\$\{(\w+)\}", text))]


_Planned = Sequence[tuple[OwnTool, Mapping[str, Any]]]


def _planned(
    folder: ToolFolder,
    only: tuple[str, ...],
    file: Path | None,
    most: int,
    reads: frozenset[str],
    *,
    allow_writes: bool,
) -> _Planned:
    """The calls to make; why others are not made is printed."""
    from knowact.core.errors import UnknownName

    known = {tool.name: tool for tool in folder.tools}
    for each in (*only, *reads):
        if each not in known:
            raise UnknownName(f"tool of {folder.name!r}", each, known)
    listed = list(read_calls(file, folder)) if file is not None else None
    people = read_annotations(folder.annotations).tools
    planned: list[tuple[OwnTool, Mapping[str, Any]]] = []
    for tool in folder.tools:
        if only and tool.name not in only:
            continue
        own = None if listed is None else [call for owner, call in listed if owner.name == tool.name]
        if own == []:
            continue
        known = effect(tool, people.get(tool.name))
        if not (known is Effect.READS or tool.name in reads or allow_writes):
            why = "it writes" if known is Effect.WRITES else "nothing declares it read-only (--reads)"
            click.echo(f"  {one_line(tool.name)}: not called, {why}")
            continue
        calls = Enumerated(tuple(own)) if own is not None else enumerated(tool, most)
        if calls.open:
            missing = _short(", ".join(calls.open))
            click.echo(f"  {one_line(tool.name)}: not called, nobody can list {missing} (--calls)")
        elif calls.more:
            click.echo(f"  {one_line(tool.name)}: the first {most} calls of more (--most)")
        planned += [(tool, call) for call in calls.calls]
    return planned


def _made(folder: ToolFolder, planned: _Planned, redactor: Redactor) -> list[Recording]:
    made: list[Recording] = []
    with _connected(folder) as connection, click.progressbar(planned, label="Recording") as bar:
        for tool, arguments in bar:
            seen = connection.call(tool, arguments)
            before = len(redactor.found)
            made.append(redactor.recording(tool, arguments, seen))
            places = redactor.found[before:]
            redactor.found[before:] = [(f"{tool.name}: {path or 'the text'}", why) for path, why in places]
    return made


@contextmanager
def _connected(folder: ToolFolder) -> Generator[Any]:
    """A connection whose tools are those of the folder."""
    from knowact.tools.mcp_client import run_reset
    from knowact.tools.world import changed, connect

    if folder.source.reset:
        run_reset(folder.source.reset, max(folder.source.timeout, 60.0))
    connection = connect(folder.source)
    try:
        difference = changed(folder, connection.tools())
        if difference:
            raise BadUsage(
                f"The tools changed since they were read: {difference}. "
                f"Run `knowact tools add {folder.name}`."
            )
        yield connection
    finally:
        connection.close()


def _tell_made(made: Sequence[Recording], redactor: Redactor) -> None:
    refused = [recording for recording in made if recording.problem is not None]
    click.echo(f"{count(len(made), 'answer')}, {len(refused):,} of them refusals.")
    for recording in refused[:5]:
        assert recording.problem is not None
        click.echo(
            f"  {_short(f'{recording.tool} {dumps(recording.arguments)}: {recording.problem.message}')}"
        )
    if not redactor.found:
        click.echo("No secret was found in them.")
        return
    places = dict.fromkeys(redactor.found)
    click.echo(f"{count(len(redactor.found), 'secret')} taken out:")
    for path, why in places:
        click.echo(f"  {_short(path)} (by {why})")


def _short(text: str) -> str:
    shown = one_line(" ".join(text.split()))
    return shown if len(shown) <= _SHOWN else f"{shown[:_SHOWN]} …"
