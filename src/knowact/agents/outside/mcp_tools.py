"""Tools over MCP: what an agent in a process of its own calls (Model Context Protocol, the official SDK).

Streamable HTTP on loopback, under a path that only who was told it can know; or stdio. Nothing of the SDK is
loaded before it is used: it is the extra `knowact[mcp]`.
"""

import asyncio
import secrets
import socket
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from importlib.metadata import version
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final

from pydantic import JsonValue

from knowact import __version__
from knowact.core.errors import BadUsage
from knowact.core.world import Observation

if TYPE_CHECKING:
    from mcp.server import ServerRequestContext
    from mcp.server.lowlevel import Server
    from starlette.types import Receive, Scope, Send

LOOPBACK: Final = "127.0.0.1"
OLDEST: Final = 2
"""Its first version of this interface."""
NEEDS: Final = "Serving tools over MCP needs the package mcp: pip install 'knowact[mcp]'."

Calling = Callable[[str, Mapping[str, JsonValue]], Awaitable[str | Observation]]
"""From a tool's name and its arguments to its result, or to the text of it."""


def available() -> None:
    """Complain where the SDK is not installed.

    Raises:
        BadUsage: It is missing, or too old.
    """
    if find_spec("mcp") is None or int(version("mcp").partition(".")[0]) < OLDEST:
        raise BadUsage(NEEDS)


def server_of(tools: Sequence[Mapping[str, JsonValue]], call: Calling) -> "Server":
    """A server of some tools.

    Arguments are not checked here: whoever carries the call out does that, and keeps what was wrong with it.

    Args:
        tools: Each with name, description and parameters (JSON Schema); with `returns` where results are
            described as well, which then have to come as an `Observation`.
        call: Carries one call out.
    """
    from mcp import types
    from mcp.server.lowlevel import Server

    listed = [
        types.Tool.model_validate(
            {
                "name": tool["name"],
                "description": tool["description"],
                "inputSchema": tool["parameters"],
                "outputSchema": tool.get("returns"),
            }
        )
        for tool in tools
    ]

    async def list_tools(
        _context: "ServerRequestContext", _params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        return types.ListToolsResult(tools=listed)

    async def call_tool(
        _context: "ServerRequestContext", params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        result = await call(params.name, params.arguments or {})
        if isinstance(result, str):
            return types.CallToolResult(content=[types.TextContent(text=result)])
        value: JsonValue = result.value
        return types.CallToolResult(
            content=[types.TextContent(text=result.text())],
            structured_content=value if isinstance(value, dict) else None,
            is_error=not result.ok,
        )

    return Server("knowact", version=__version__, on_list_tools=list_tools, on_call_tool=call_tool)


@asynccontextmanager
async def served(
    tools: Sequence[Mapping[str, JsonValue]], call: Calling, port: int = 0
) -> AsyncGenerator[str]:
    """Serve tools over streamable HTTP while the block runs; give the address, which holds the token.

    Args:
        tools: As for `server_of`.
        call: Likewise.
        port: On loopback; 0 takes a free one.

    Raises:
        BadUsage: The port is taken.
    """
    import uvicorn
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
    from mcp.server.transport_security import TransportSecuritySettings

    token = secrets.token_urlsafe(32)
    # No page in a browser may reach it under another name (DNS rebinding).
    loopback_only = TransportSecuritySettings(
        allowed_hosts=[f"{LOOPBACK}:*"], allowed_origins=[f"http://{LOOPBACK}:*"]
    )
    manager = StreamableHTTPSessionManager(
        server_of(tools, call), json_response=True, stateless=True, security_settings=loopback_only
    )

    async def app(scope: "Scope", receive: "Receive", send: "Send") -> None:
        path = str(scope.get("path", ""))
        if scope["type"] == "http" and secrets.compare_digest(path.encode(), f"/{token}/mcp".encode()):
            await manager.handle_request(scope, receive, send)
        elif scope["type"] == "http":
            await send({"type": "http.response.start", "status": 404, "headers": []})
            await send({"type": "http.response.body", "body": b""})

    class Quiet(uvicorn.Server):
        """A server that leaves signals to the engine."""

        @contextmanager
        def capture_signals(self) -> Generator[None]:
            yield

    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((LOOPBACK, port))
    except OSError as error:
        listener.close()
        raise BadUsage(f"The port {port} cannot be used ({error.strerror}). Choose another one.") from error
    server = Quiet(uvicorn.Config(app, lifespan="off", log_level="critical", access_log=False))
    async with manager.run():
        running = asyncio.ensure_future(server.serve(sockets=[listener]))
        try:
            yield f"http://{LOOPBACK}:{listener.getsockname()[1]}/{token}/mcp"
        finally:
            server.should_exit = server.force_exit = True
            await running
            listener.close()


async def serve_stdio(tools: Sequence[Mapping[str, JsonValue]], call: Calling) -> None:
    """Serve tools over standard input and output, until the input ends."""
    from mcp.server.stdio import stdio_server

    server = server_of(tools, call)
    async with stdio_server() as (receive, send):
        await server.run(receive, send, server.create_initialization_options())
