"""An MCP server as a source of tools and of results, through the official SDK (the extra `knowact[mcp]`).

The SDK is asynchronous and sessions are called from threads, so one event loop in a thread of its own serves
all connections of the process. A connection's server process ends with it.
"""

import ast
import atexit
import json
import logging
import os
import re
import shlex
import tempfile
from collections.abc import AsyncGenerator, Generator, Mapping, Sequence
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager, contextmanager, suppress
from functools import cache
from importlib.metadata import version
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final, cast

from pydantic import JsonValue, ValidationError

from knowact.core.clean import one_line, plain
from knowact.core.errors import BadUsage, Unreachable
from knowact.core.world import Observation, Problem
from knowact.tools.folder import Hints, OwnTool, Source
from knowact.tools.schemas import finished, of_arguments, of_result
from knowact.worlds.replay import LONGEST, shortened

if TYPE_CHECKING:
    from anyio.from_thread import BlockingPortal
    from mcp import Client, types
    from mcp.client import Transport

OLDEST: Final = 2
"""The SDK's first version with this interface."""
NEEDS: Final = "Tools of an MCP server need the package mcp: pip install 'knowact[mcp]'."
MOST_PAGES: Final = 100
"""Pages of a list of tools; a server that never ends its list is stopped there."""
_VARIABLE: Final = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")


def filled_in(text: str, where: str) -> str:
    """Put values of environment variables in the place of `${NAME}`.

    Raises:
        BadUsage: One is not set; `where` says what needs it.
    """

    def variable(match: re.Match[str]) -> str:
        value = os.environ.get(match[1])
        if not value:
            raise BadUsage(f"{where} needs the environment variable {match[1]}. Set it.")
        return value

    return _VARIABLE.sub(variable, text)


def headers_of(source: Source) -> dict[str, str]:
    """The headers with their values.

    Raises:
        BadUsage: An environment variable is not set.
    """
    return {name: filled_in(value, f"The header {name!r}") for name, value in source.headers.items()}


@cache
def _portal() -> "BlockingPortal":
    """The event loop of all connections; it ends with the process."""
    from anyio.from_thread import start_blocking_portal

    running = start_blocking_portal("asyncio")
    portal = running.__enter__()

    def end() -> None:
        # Servers that still run are ended: leaving alone would wait for them.
        portal.call(portal.stop, True)
        running.__exit__(None, None, None)

    atexit.register(end)
    return portal


class McpConnection:
    """A connection to one server; a local server is started for it and ends with it.

    Args:
        source: Where the server is.

    Raises:
        BadUsage: The SDK is not installed, or the command can't be started.
        Unreachable: The server can't be reached, or does not answer as MCP servers do.
    """

    def __init__(self, source: Source) -> None:
        if find_spec("mcp") is None or int(version("mcp").partition(".")[0]) < OLDEST:
            raise BadUsage(NEEDS)
        self._source = source
        with ExitStack() as undo:
            self._noise = ""
            self._stderr = undo.enter_context(
                tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace")
            )
            with self._in_words():
                connected = _portal().wrap_async_context_manager(self._connected())
                self._client = undo.enter_context(connected)
            self._open = undo.pop_all()

    @asynccontextmanager
    async def _connected(self) -> AsyncGenerator["Client"]:
        from mcp import Client

        async with AsyncExitStack() as undo:
            client = Client(
                await self._transport(undo),
                read_timeout_seconds=self._source.timeout,
                cache=None,
                message_handler=self._heard,
            )
            yield await undo.enter_async_context(client)

    async def _heard(self, message: object) -> None:
        """Keep what a local server writes where only messages belong."""
        if isinstance(message, ValidationError):
            self._noise = one_line(str(message.errors(include_url=False)[0]["input"]))[:300]

    async def _transport(self, undo: AsyncExitStack) -> "Transport":
        from mcp.client.stdio import StdioServerParameters, stdio_client
        from mcp.client.streamable_http import streamable_http_client

        source = self._source
        if source.kind == "mcp-stdio":
            first, *rest = command_of(source.command)
            env = {name: filled_in(f"${{{name}}}", "The server (--env)") for name in source.env}
            parameters = StdioServerParameters(
                command=first, args=rest, env=env, encoding_error_handler="replace"
            )
            # It would log each line that is no message, with a traceback: onto the terminal.
            logging.getLogger("mcp.client.stdio").disabled = True
            # Its default for what the server writes to stderr is bound when the SDK is imported.
            return stdio_client(parameters, errlog=self._stderr)
        import httpx2

        limits = httpx2.Timeout(source.timeout)
        http = await undo.enter_async_context(httpx2.AsyncClient(headers=headers_of(source), timeout=limits))
        return streamable_http_client(filled_in(source.url, "The address"), http_client=http)

    def tools(self) -> list[OwnTool]:
        """The tools that the server offers now, in its order.

        Raises:
            Unreachable: It does not say.
        """
        tools: list[types.Tool] = []
        cursor: str | None = None
        with self._in_words():
            for _ in range(MOST_PAGES):
                page = _portal().call(self._page, cursor)
                tools += page.tools
                cursor = page.next_cursor
                if not cursor:
                    break
        return [_tool(tool) for tool in tools]

    async def _page(self, cursor: str | None) -> "types.ListToolsResult":
        return await self._client.list_tools(cursor=cursor)

    def call(self, tool: OwnTool, arguments: Mapping[str, JsonValue]) -> Observation:
        """Carry a call out.

        Raises:
            Unreachable: The server does not answer in time, or is gone.
        """
        from mcp.shared.exceptions import MCPError
        from mcp.types import CONNECTION_CLOSED, REQUEST_TIMEOUT

        with self._in_words():
            try:
                result = _portal().call(self._called, tool.name, dict(arguments))
            except MCPError as error:
                if error.code in {CONNECTION_CLOSED, REQUEST_TIMEOUT}:
                    raise
                return Observation(problem=Problem("server_error", error.message))
        return _observed(result)

    async def _called(self, name: str, arguments: dict[str, JsonValue]) -> "types.CallToolResult":
        from mcp import types

        # Not `call_tool`, which refuses results that break the server's own schema: agents are to see them.
        request = types.CallToolRequest(params=types.CallToolRequestParams(name=name, arguments=arguments))
        return await self._client.session.send_request(request, types.CallToolResult)

    def close(self) -> None:
        """End the connection, and the server where it was started for it."""
        with suppress(Unreachable, BadUsage), self._in_words():  # one that is gone can't say good-bye
            self._open.close()

    @contextmanager
    def _in_words(self) -> Generator[None]:
        """Say in a sentence what the SDK, its transport or the server's end raised, which may be anything."""
        try:
            yield
        except Exception as error:
            raise self._why(error) from error

    def _why(self, error: BaseException) -> Exception:
        """A sentence for what went wrong, with the last thing that the server wrote to stderr."""
        while isinstance(error, BaseExceptionGroup):
            error = cast("BaseExceptionGroup[BaseException]", error).exceptions[0]
        if isinstance(error, BadUsage):
            return error
        source = self._source
        where = f"The MCP server {source.command!r}" if source.command else f"The MCP server at {source.url}"
        if isinstance(error, FileNotFoundError | PermissionError | NotADirectoryError):
            return BadUsage(f"{where} cannot be started ({error.strerror}). Check the command.")
        if isinstance(error, TimeoutError) or "timed out" in str(error).lower():
            return Unreachable(f"{where} did not answer within {source.timeout:g} seconds.{self._last()}")
        why = one_line(error).strip().rstrip(".") or type(error).__name__
        return Unreachable(f"{where} fails ({why}).{self._last()}")

    def _last(self) -> str:
        with suppress(OSError, ValueError):
            size = self._stderr.seek(0, os.SEEK_END)
            self._stderr.seek(max(0, size - 4_000))
            lines = [line.strip() for line in self._stderr.read().splitlines() if line.strip()]
            if lines:
                return f" It last wrote: {one_line(lines[-1])[:300]}"
        if self._noise:
            return f" Its standard output, which is for messages alone, has: {self._noise}"
        return ""


def command_of(text: str) -> list[str]:
    """Split a command line as a shell would, without one; `${NAME}` is filled in afterwards.

    Raises:
        BadUsage: It is empty, or a quotation mark is never closed.
    """
    try:
        parts = shlex.split(text, posix=os.name != "nt")
    except ValueError as error:
        raise BadUsage(f"The command {text!r} cannot be read ({str(error).lower()}).") from error
    if not parts:
        raise BadUsage("The command is empty.")
    return [filled_in(part, "The command") for part in parts]


def _tool(tool: "types.Tool") -> OwnTool:
    parameters, odd = of_arguments(tool.input_schema)
    returns, more = of_result(tool.output_schema)
    hints = Hints()
    if tool.annotations is not None:
        hints = Hints(
            read_only=tool.annotations.read_only_hint,
            destructive=tool.annotations.destructive_hint,
            idempotent=tool.annotations.idempotent_hint,
            open_world=tool.annotations.open_world_hint,
        )
    made = OwnTool(
        name=tool.name,
        description=tool.description or tool.title or "",
        parameters=parameters,
        returns=returns,
        hints=hints,
    )
    return finished(made, [*odd, *more])


def _observed(result: "types.CallToolResult") -> Observation:
    """What a result comes to: its structure, else its texts, as JSON where they are an object or a list."""
    texts = [_shown(block) for block in result.content]
    text = "\n".join(texts)
    if result.is_error:
        return Observation(problem=Problem("refused", str(shortened(text, 4_000)) or "The tool failed."))
    if result.structured_content is not None:
        return Observation(shortened(result.structured_content))
    values = [_value(each) for each in texts]
    if values and all(isinstance(value, dict | list) for value in values):
        return Observation(shortened(values[0] if len(values) == 1 else values))
    return Observation(shortened(text))


def _value(text: str) -> JsonValue:
    if text.lstrip()[:1] not in {"{", "["}:
        return text
    with suppress(ValueError, RecursionError):
        return json.loads(text)
    # Servers in Python often write `str(rows)`. This reads literals only, and runs nothing.
    with suppress(ValueError, SyntaxError, RecursionError, MemoryError):
        if len(text) <= LONGEST:
            value = ast.literal_eval(text)
            return plain(value) if type(value) in {dict, list} else text
    return text


def _shown(block: "types.ContentBlock") -> str:
    """The text of a block of a result; what is no text is named with its size."""
    from mcp import types

    if isinstance(block, types.TextContent):
        return block.text
    if isinstance(block, types.ResourceLink):
        return f"[a link to {block.uri}]"
    content = block.resource if isinstance(block, types.EmbeddedResource) else block
    if isinstance(content, types.TextResourceContents):
        return content.text
    size = len(content.blob if isinstance(content, types.BlobResourceContents) else content.data)
    return f"[{block.type}, {size:,} characters of base64]"


def run_reset(command: str, timeout: float) -> None:
    """Run the command that puts a service back to its first state.

    Raises:
        Unreachable: It fails, or takes too long.
        BadUsage: It can't be started.
    """
    import subprocess

    parts: Sequence[str] = command_of(command)
    try:
        done = subprocess.run(  # noqa: S603 - the user's own command, without a shell
            parts, capture_output=True, timeout=timeout, check=False, stdin=subprocess.DEVNULL
        )
    except subprocess.TimeoutExpired as error:
        raise Unreachable(f"{command!r} (--reset) took longer than {timeout:g} seconds.") from error
    except OSError as error:
        raise BadUsage(f"{command!r} (--reset) cannot be started ({error.strerror}).") from error
    if done.returncode:
        lines = done.stderr.decode(errors="replace").strip().splitlines()
        last = f": {one_line(lines[-1])[:300]}" if lines else ""
        raise Unreachable(f"{command!r} (--reset) ended with {done.returncode}{last}.")
