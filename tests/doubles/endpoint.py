"""A chat endpoint on loopback that answers as a script says.

It speaks enough of OpenAI's chat-completions protocol (POST <base>/chat/completions, without
streaming) for any client of it, and runs on one daemon thread, so that a test can drive a real client
over real HTTP through every failure of a provider:

    with ScriptedEndpoint(sequence(RateLimited(0.1), Say("hello"))) as endpoint:
        client = OpenAI(base_url=endpoint.base_url, api_key="any")
        ...
        assert len(endpoint.requests) == 2

`python -m doubles.endpoint --latency 2` serves a trivial agent to other processes.
"""

import argparse
import asyncio
import json
import socket
import threading
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from types import TracebackType
from typing import Any, Self, cast

from doubles.replies import (
    BrokenJson,
    CallTools,
    CutBody,
    EmptyReply,
    Hang,
    HtmlPage,
    HttpReply,
    NoChoices,
    RateLimited,
    Raw,
    Refuse401,
    Reply,
    Request,
    Say,
    Script,
    ServerError,
    ToolCall,
    TooLong,
    always,
    complaint,
    conversation_of,
    sequence,
    tool_caller,
    trivial_agent,
)
from doubles.wire import Received, Unreadable, receive

__all__ = [
    "BrokenJson",
    "CallTools",
    "CutBody",
    "EmptyReply",
    "Hang",
    "HtmlPage",
    "NoChoices",
    "RateLimited",
    "Raw",
    "Refuse401",
    "Reply",
    "Request",
    "Say",
    "Script",
    "ScriptedEndpoint",
    "ServerError",
    "TooLong",
    "ToolCall",
    "always",
    "main",
    "sequence",
    "tool_caller",
    "trivial_agent",
]

HOST = "127.0.0.1"
PATH = "/v1/chat/completions"
BACKLOG = 1024
"""Connections the kernel holds for us: a client may open all of its own at the same moment."""
SECONDS_TO_ACCEPT = 0.02
"""Real time that the loop gets to finish what the system began."""

STOP_SECONDS = 120.0
"""Stopping takes milliseconds, and much longer on a machine that stands still meanwhile; a script that blocks
the thread is told of in the end, rather than waited for."""


class ScriptedEndpoint:
    """An endpoint that lives as long as its `with` block.

    When the script itself raises, the client gets status 400 (which clients do not send again), and
    leaving the block raises what the script raised: a wrong script is never taken for a bad provider.

    Args:
        script: Gives the reply to each request; called on the endpoint's thread, one request at a time.
        latency: Seconds between a request and its reply.
        port: Where to listen; 0 takes a free one.
        keep_requests: Whether `requests` is filled. A long benchmark has no use for it.

    Raises:
        ValueError: The latency is negative.
        OSError: On entering, if the port is taken.
    """

    def __init__(
        self, script: Script, latency: float = 0.0, *, port: int = 0, keep_requests: bool = True
    ) -> None:
        if latency < 0:
            raise ValueError(f"latency is in seconds from 0 up, not {latency}")
        self._script = script
        self._latency = latency
        self._port = port
        self._keep_requests = keep_requests
        self._lock = threading.Lock()
        self._requests: list[Request] = []
        self._turns: Counter[str] = Counter()
        self._count = self._pending = self._peak = 0
        self._mistakes: list[BaseException] = []
        self._connections: dict[asyncio.Task[None], asyncio.StreamWriter] = {}

    @property
    def base_url(self) -> str:
        """What a client takes as base URL, "http://127.0.0.1:<port>/v1"; inside the block only."""
        return f"http://{HOST}:{self._port}/v1"

    @property
    def requests(self) -> tuple[Request, ...]:
        """Every chat request so far, in the order of arrival."""
        with self._lock:
            return tuple(self._requests)

    @property
    def peak(self) -> int:
        """The most requests that were waiting for their replies at the same time."""
        return self._peak

    def __enter__(self) -> Self:
        # Bound and listening here, so that a taken port is the caller's error and no client comes too early.
        listener = socket.create_server((HOST, self._port), backlog=BACKLOG)
        self._port = listener.getsockname()[1]
        self._runner = asyncio.Runner(loop_factory=asyncio.new_event_loop)
        self._loop = self._runner.get_loop()
        self._stop = asyncio.Event()
        self._thread = threading.Thread(
            target=self._run, args=(listener,), name="scripted-endpoint", daemon=True
        )
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(STOP_SECONDS)
        if self._thread.is_alive():
            raise RuntimeError(f"The endpoint's script has blocked its thread for {STOP_SECONDS:g} s.")
        if not self._mistakes:
            return
        if error is None:
            raise self._mistakes[0]
        error.add_note(f"The endpoint's script had raised before: {self._mistakes[0]!r}")

    def _run(self, listener: socket.socket) -> None:
        with self._runner:
            self._runner.run(self._serve(listener))

    async def _serve(self, listener: socket.socket) -> None:
        server = await asyncio.start_server(self._connected, sock=listener)
        await self._stop.wait()
        # What has already connected is accepted first: asyncio leaks a socket whose server is closed
        # between the two halves of accepting it.
        await asyncio.sleep(SECONDS_TO_ACCEPT)
        server.close()
        writers = list(self._connections.values())
        for task, writer in list(self._connections.items()):
            writer.transport.abort()
            task.cancel()
        await asyncio.gather(*self._connections, return_exceptions=True)
        for writer in writers:
            with suppress(ConnectionError):
                await writer.wait_closed()
        await asyncio.sleep(SECONDS_TO_ACCEPT)

    def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.get_running_loop().create_task(self._converse(reader, writer))
        self._connections[task] = writer
        task.add_done_callback(self._disconnected)

    def _disconnected(self, task: asyncio.Task[None]) -> None:
        del self._connections[task]
        if not task.cancelled() and (error := task.exception()) is not None:
            self._mistakes.append(error)

    async def _converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer one connection's requests until either side closes it."""
        try:
            going = True
            while going:
                received = await receive(reader)
                self._pending += 1
                self._peak = max(self._peak, self._pending)
                try:
                    answer = await self._answer(received)
                    going = received.keep_alive and not answer.close
                    await self._send(answer, reader, writer)
                finally:
                    self._pending -= 1
        except Unreadable as error:
            writer.write(complaint(400, f"Not a request that can be read: {error}.").payload)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass  # the client went away, as clients do
        finally:
            writer.close()
            with suppress(ConnectionError):
                await writer.wait_closed()

    async def _answer(self, received: Received) -> HttpReply:
        """Ask the script, or say what is wrong with the request itself."""
        if (received.method, received.path.partition("?")[0]) != ("POST", PATH):
            return complaint(404, f"There is only POST {PATH} here, not {received.method} {received.path}.")
        body = _chat_body(received.content)
        if body is None:
            return complaint(400, "The body is not a JSON object with a list of messages.")
        if body.get("stream"):
            return complaint(400, "This endpoint does not stream.")
        request = self._note(body, received)
        # A task of its own keeps whatever somebody else's code raises, pytest's own outcomes included.
        asking = asyncio.ensure_future(_ask(self._script, request))
        await asyncio.wait({asking})
        if (mistake := asking.exception()) is not None:
            self._mistakes.append(mistake)
            return complaint(400, f"The endpoint's script raised {mistake!r}.")
        return asking.result()

    def _note(self, body: Mapping[str, Any], received: Received) -> Request:
        conversation = conversation_of(body)
        self._turns[conversation] += 1
        self._count += 1
        request = Request(
            body=body,
            headers=received.headers,
            conversation=conversation,
            number=self._count,
            turn=self._turns[conversation],
            at=time.monotonic(),
            size=len(received.content),
        )
        if self._keep_requests:
            with self._lock:
                self._requests.append(request)
        return request

    async def _send(
        self, answer: HttpReply, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        if self._latency:
            await asyncio.sleep(self._latency)
        if answer.hold:
            # Reading tells when the client gives up, so that nobody is held longer than needed.
            with suppress(TimeoutError):
                await asyncio.wait_for(reader.read(1), answer.hold)
        writer.write(answer.payload)
        await writer.drain()


async def _ask(script: Script, request: Request) -> HttpReply:
    return script(request).answer(request)


def _chat_body(content: bytes) -> dict[str, Any] | None:
    try:
        body = json.loads(content)
    except ValueError:
        return None
    if not isinstance(body, dict):
        return None
    found = cast("dict[str, Any]", body)
    messages = found.get("messages")
    if not isinstance(messages, list) or not messages:
        return None
    return found if all(isinstance(message, dict) for message in cast("list[object]", messages)) else None


def main(arguments: Sequence[str] | None = None) -> None:
    """Serve `trivial_agent` until interrupted; the first line of output is the base URL.

    Args:
        arguments: The command line without the program's name; None takes the process's own.
    """
    parser = argparse.ArgumentParser(
        prog="python -m doubles.endpoint",
        description="Serve a trivial agent on loopback: it needs no tool when asked, and else says done.",
    )
    parser.add_argument("--latency", type=float, default=0.0, help="seconds between request and reply")
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one")
    options = parser.parse_args(arguments)
    if options.latency < 0:
        parser.error("--latency is in seconds from 0 up")
    with (
        suppress(KeyboardInterrupt),
        ScriptedEndpoint(trivial_agent, options.latency, port=options.port, keep_requests=False) as endpoint,
    ):
        print(endpoint.base_url, flush=True)  # noqa: T201 - the address is what this command gives
        while True:
            time.sleep(3600)


if __name__ == "__main__":
    main()
