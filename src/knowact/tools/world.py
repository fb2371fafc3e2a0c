"""Somebody's own tools as a world, `tools:NAME`: live, or from recordings.

Live, a session of a local server or of a Python module starts with its first call and begins anew; a remote
service is one and the same for all sessions, unless the source names a command that resets it, and then they
take turns. A condition takes tools, parameters and fields away in front of a session (`worlds.overlay`), so
that a server never knows.

What was read from a server is compared with what it offers at the first call of a session: an agent must not
be scored on tools that are not there any more.
"""

import hashlib
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from threading import BoundedSemaphore, Lock
from typing import Protocol
from weakref import finalize

from pydantic import JsonValue

from knowact.core.errors import Unreachable, suggest
from knowact.core.tool import Tool
from knowact.core.world import Call, Observation, Problem
from knowact.tools.annotation import PROPOSED, annotated
from knowact.tools.folder import OWN_TOOLS, SOURCE, TOOLS, OwnTool, Source, ToolFolder, find, folder_named
from knowact.tools.recordings import key_of, read_recordings
from knowact.worlds.replay import Stateless
from knowact.worlds.typed.validate import UNREADABLE


class Connection(Protocol):
    """A way to a source of tools, for one session or for many."""

    def tools(self) -> list[OwnTool]:
        """The tools that it offers now."""
        ...

    def call(self, tool: OwnTool, arguments: Mapping[str, JsonValue]) -> Observation:
        """Carry a call out; raises `Unreachable` where the source does not do its part."""
        ...

    def close(self) -> None:
        """Let go of it."""
        ...


class _Service:
    """An OpenAPI service as a connection: its tools are those of its document."""

    def __init__(self, source: Source) -> None:
        from knowact.tools.http_calls import HttpService
        from knowact.tools.mcp_client import filled_in, headers_of

        self._source = source
        base = filled_in(source.url, "The address")
        self._http = HttpService(base, headers_of(source), source.timeout)

    def tools(self) -> list[OwnTool]:
        """The tools of the document now; asks the service first whether it answers at all."""
        from knowact.tools.mcp_client import headers_of
        from knowact.tools.openapi import read_document

        self._http.healthy()
        source = self._source
        document = read_document(source.document, headers_of(source), source.url, sent=source.headers)
        return list(document.tools)

    def call(self, tool: OwnTool, arguments: Mapping[str, JsonValue]) -> Observation:
        """Carry a call out."""
        return self._http.call(tool, arguments)

    def close(self) -> None:
        """End all connections."""
        self._http.close()


def connect(source: Source) -> Connection:
    """Open a way to a source of tools.

    Raises:
        BadUsage: Something that it takes is missing here.
        Unreachable: The source does not answer.
    """
    if source.kind == "openapi":
        return _Service(source)
    if source.kind == "python":
        from knowact.tools.python_module import PythonModule

        return PythonModule(source)
    from knowact.tools.mcp_client import McpConnection

    return McpConnection(source)


def changed(folder: ToolFolder, now: Sequence[OwnTool]) -> str:
    """Say how the tools that a source offers differ from those that were read; empty where they don't.

    Tools that people removed from the folder, or described in other words, are no difference.
    """
    offered = {tool.name: tool.sha256 for tool in now}
    for tool in folder.tools:
        if tool.name not in offered:
            return f"{tool.name!r} is gone"
        if tool.sha256 and offered[tool.name] != tool.sha256:
            return f"{tool.name!r} is another tool now"
    return ""


@dataclass(slots=True)
class _Held:
    """What a live session holds while it lasts; let go of once."""

    shared: "_Shared"
    connection: Connection | None = None
    turn: bool = False

    def release(self) -> None:
        connection, self.connection = self.connection, None
        if connection is not None and connection is not self.shared.service:
            connection.close()
        if self.turn:
            self.turn = False
            self.shared.turns.release()


@dataclass(slots=True)
class _Shared:
    """What all live sessions of one folder share."""

    source: Source
    turns: Lock = field(default_factory=Lock)
    opening: Lock = field(default_factory=Lock)
    service: Connection | None = None
    calls: BoundedSemaphore = field(init=False)

    def __post_init__(self) -> None:
        self.calls = BoundedSemaphore(self.source.connections)


@dataclass(slots=True, weakref_slot=True)
class LiveSession:
    """One trial's use of live tools. See `core.world.Outside`."""

    folder: ToolFolder
    shared: _Shared
    waits: bool = True
    _held: _Held = field(init=False)
    _calls: list[str] = field(default_factory=list[str])

    def __post_init__(self) -> None:
        self._held = _Held(self.shared)
        # A trial that breaks off, or code that never closes, must not leave a server process behind.
        finalize(self, self._held.release)

    def tools(self) -> Sequence[Tool]:
        """Every tool of the folder."""
        return _offered(self.folder.path, *map(_stamp, _files(self.folder)))

    def call(self, call: Call) -> Observation:
        """Carry a call out.

        Raises:
            Unreachable: The source does not do its part.
        """
        tool = _found(self.folder, call)
        if isinstance(tool, Observation):
            return tool
        connection = self.begin()
        arguments: dict[str, JsonValue] = dict(call.arguments or {})
        with self.shared.calls:
            seen = connection.call(tool, arguments)
        self._calls.append(repr((tool.name, sorted(arguments.items(), key=str), seen.ok)))
        if not seen.ok:
            self._still_there(tool, connection)
        return seen

    def begin(self) -> Connection:
        """Start what answers this session, unless it runs already.

        Raises:
            Unreachable: It does not answer, or offers other tools than those that were read.
        """
        if self._held.connection is None:
            self._held.connection = self._begun()
        return self._held.connection

    def beside(self) -> "LiveSession":
        """A further session at the same time, for reading only: it puts nothing back, so needs no turn."""
        return LiveSession(self.folder, _Shared(self.folder.source.model_copy(update={"reset": ""})))

    def close(self) -> None:
        """End the session: a local server ends with it."""
        self._held.release()

    def context(self) -> Mapping[str, str]:
        """Live tools show nothing beside the request."""
        return {}

    def snapshot(self) -> Mapping[str, JsonValue]:
        """What was called: nobody can see the state of a stranger's service."""
        return {"calls": list(self._calls)}

    def digest(self) -> str:
        """A short hash of the snapshot."""
        return hashlib.sha256("\n".join(self._calls).encode("utf-8", "surrogatepass")).hexdigest()[:16]

    def _begun(self) -> Connection:
        shared = self.shared
        if shared.source.reset:
            from knowact.tools.mcp_client import run_reset

            shared.turns.acquire()
            self._held.turn = True
            run_reset(shared.source.reset, max(shared.source.timeout, 60.0))
        if shared.source.kind != "openapi":
            return self._checked(connect(shared.source))
        with shared.opening:  # requests have no session: one client serves all of them
            if shared.service is None:
                shared.service = self._checked(connect(shared.source))
            return shared.service

    def _checked(self, connection: Connection) -> Connection:
        """A connection whose tools are those that were read."""
        with ExitStack() as undo:
            undo.callback(connection.close)
            _unchanged(self.folder, connection.tools())
            undo.pop_all()
        return connection

    def _still_there(self, tool: OwnTool, connection: Connection) -> None:
        """After a call that failed: was it the tool that changed?"""
        if self.shared.source.kind in {"mcp-stdio", "mcp-http"}:
            now = [offered for offered in connection.tools() if offered.name == tool.name]
            _unchanged(ToolFolder(self.folder.path, self.folder.source, (tool,)), now)


def _unchanged(folder: ToolFolder, now: Sequence[OwnTool]) -> None:
    if change := changed(folder, now):
        day = folder.source.added.isoformat()
        fix = f"Run `knowact tools add {folder.name}` again, and make the data anew."
        raise Unreachable(f"The tools of {folder.name!r} changed since {day}: {change}. {fix}")


@dataclass(frozen=True, slots=True)
class RecordedSession(Stateless):
    """One trial's use of recorded tools: calls are found by tool and arguments."""

    folder: ToolFolder
    answers: Mapping[tuple[str, str], Observation]

    def tools(self) -> Sequence[Tool]:
        """Every tool of the folder."""
        return _offered(self.folder.path, *map(_stamp, _files(self.folder)))

    def call(self, call: Call) -> Observation:
        """Return what this very call was answered when it was recorded."""
        tool = _found(self.folder, call)
        if isinstance(tool, Observation):
            return tool
        seen = self.answers.get(key_of(tool, call.arguments or {}))
        if seen is not None:
            return seen
        message = f"No output of {call.tool!r} was recorded for these arguments."
        return Observation(problem=Problem("no_recording", message))


def _found(folder: ToolFolder, call: Call) -> OwnTool | Observation:
    tool = next((tool for tool in folder.tools if tool.name == call.tool), None)
    if tool is None:
        near = suggest(call.tool, [known.name for known in folder.tools])
        message = f"There is no tool named {call.tool!r}."
        return Observation(problem=Problem("unknown_tool", message, near))
    if call.arguments is None:
        return Observation(problem=UNREADABLE)
    return tool


class ToolsWorld:
    """Opens sessions of the tools of one name. See `core.world.World`.

    Args:
        name: `tools:NAME`.

    Raises:
        UnknownName: No tools of this name were added.
        BadData: Their folder is wrong.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._shared: dict[str, _Shared] = {}
        self._folder()

    @property
    def name(self) -> str:
        """As `WorldRef.name` has it."""
        return self._name

    @property
    def deterministic(self) -> bool:
        """Whether equal calls give equal results: recordings do, of live tools nobody knows."""
        return self._folder().source.answers == "recorded"

    def open(self, setup: Mapping[str, JsonValue], seed: int) -> "LiveSession | RecordedSession":  # noqa: ARG002
        """Open a session; setup and seed have no effect. Nothing is started before the first call."""
        folder = self._folder()
        if folder.source.answers == "recorded":
            return RecordedSession(folder, _recorded(folder.path, _stamp(folder.recordings)))
        shared = self._shared.setdefault(folder.source.model_dump_json(), _Shared(folder.source))
        return LiveSession(folder, shared)

    def ready(self) -> None:
        """See `core.world.Answering`."""
        session = self.open({}, 0)
        if isinstance(session, LiveSession):
            session.begin()
            session.close()

    def _folder(self) -> ToolFolder:
        path = folder_named(self._name.removeprefix(OWN_TOOLS))
        return _loaded(path.resolve(), path.name, _stamp(path / SOURCE), _stamp(path / TOOLS))


def _stamp(file: Path) -> tuple[int, int]:
    """When and how large a file was last written; people edit folders while a process runs."""
    try:
        status = file.stat()
    except OSError:
        return 0, 0
    return status.st_mtime_ns, status.st_size


@lru_cache(maxsize=32)
def _loaded(path: Path, name: str, *_stamps: tuple[int, int]) -> ToolFolder:
    return find(name) if folder_named(name).resolve() == path else ToolFolder.load(path)


def _files(folder: ToolFolder) -> tuple[Path, ...]:
    """The files that say what a folder's tools are."""
    return folder.path / TOOLS, folder.annotations, folder.path / PROPOSED


@lru_cache(maxsize=32)
def _offered(path: Path, *_stamps: tuple[int, int]) -> tuple[Tool, ...]:
    """The tools with what annotations say of them."""
    return tuple(known.tool for known in annotated(ToolFolder.load(path)))


@lru_cache(maxsize=32)
def _recorded(path: Path, _stamp_of_file: tuple[int, int]) -> Mapping[tuple[str, str], Observation]:
    return read_recordings(ToolFolder.load(path))
