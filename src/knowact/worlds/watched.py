"""A world in a process of its own, which is stopped when a tool hangs.

A thread cannot be stopped, and code that keeps the interpreter to itself (a regular expression that runs
away) would stop the checks, too. What a tool raises, and a process that it takes down with it, are told
apart from a call that took too long.
"""

import multiprocessing
import pickle
import signal
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from types import TracebackType
from typing import Final, Self

from pydantic import JsonValue

from knowact.core.errors import BadUsage
from knowact.core.tool import Tool
from knowact.core.world import Call, Observation, Problem, World
from knowact.worlds.check import Attempt, attempt

SECONDS_TO_START: Final = 120.0
"""A process has to load Python and the world, on a machine that may be busy; this is no tool's fault."""

SECONDS_TO_DIE: Final = 5.0
"""How long a process that hung up may take to say with which code it ended."""


@dataclass(frozen=True, slots=True)
class Description:
    """What has to be known of a world before anything is called."""

    tools: Sequence[Tool]
    deterministic: bool


@dataclass(frozen=True, slots=True)
class _Raised:
    """An exception, as words: the exception itself may not survive the way between processes."""

    words: str


_Request = tuple[Mapping[str, JsonValue], int, Call, bool] | int
"""A call to attempt (and whether to look at the state), or the seed of a session to describe."""
_Answer = Attempt | Description | _Raised


class Watched:
    """A world in another process. Use it in a `with` statement, which ends the process.

    Args:
        make: Makes the world; it is imported by name over there.
        seconds: How long one call may take, with opening its session.
    """

    def __init__(self, make: Callable[[], World], seconds: float) -> None:
        self._make, self._seconds = make, seconds
        self._process: BaseProcess | None = None
        self._pipe: Connection | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop()

    def describe(self, seed: int) -> Description:
        """Return the world's tools, and whether it is deterministic.

        Raises:
            BadUsage: The world cannot be made or opened, in its own words.
        """
        answer = self._ask(seed, SECONDS_TO_START)
        if isinstance(answer, Description):
            return answer
        why = answer.words if isinstance(answer, _Raised) else answer.broken
        raise BadUsage(f"The world cannot be opened: {why.rstrip('.')}.")

    def attempt(self, setup: Mapping[str, JsonValue], seed: int, call: Call, *, digested: bool) -> Attempt:
        """Make one call in a fresh session; see `check.Attempting`."""
        if self._pipe is None:
            # Loading the world again is not the tool's time.
            self.describe(seed)
        answer = self._ask((setup, seed, call, digested), self._seconds)
        if isinstance(answer, _Raised):
            return _broken(f"the call raised {answer.words}", fatal=False)
        assert isinstance(answer, Attempt)
        return answer

    def _ask(self, request: _Request, seconds: float) -> _Answer:
        pipe = self._pipe or self._start()
        try:
            pipe.send(request)
            if not pipe.poll(seconds):
                self._stop()
                return _broken(f"the call took longer than {seconds:g} s and was stopped", fatal=True)
            pickled = pipe.recv_bytes()
        except (EOFError, OSError):
            code = self._stop(timeout=SECONDS_TO_DIE)
            return _broken(f"the call ended its process (exit code {code})", fatal=True)
        return pickle.loads(pickled)  # noqa: S301 - written by our own process a moment ago

    def _start(self) -> Connection:
        # Not forked: a copy of a process with threads may wait forever for a lock that no thread holds.
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(self._make, theirs), daemon=True)
        self._process.start()
        theirs.close()
        self._pipe = ours
        return ours

    def _stop(self, *, timeout: float = 0.0) -> int | None:
        """End the process, if there is one; return its exit code where it had ended by itself."""
        if self._pipe is None or self._process is None:
            return None
        self._process.join(timeout)
        code = self._process.exitcode
        if code is None:
            self._process.kill()
            self._process.join()
        self._pipe.close()
        self._process.close()
        self._pipe = self._process = None
        return code


def _broken(why: str, *, fatal: bool) -> Attempt:
    return Attempt(Observation(problem=Problem("unavailable", why)), broken=f"{why}.", fatal=fatal)


def _serve(make: Callable[[], World], pipe: Connection) -> None:
    """What the other process does until the pipe is closed."""
    # Ctrl-C reaches every process of the terminal; this one ends when the checking process closes the pipe.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    host = _Host(make)
    # Either end of the pipe is gone when the checking process is.
    with ThreadPoolExecutor(max_workers=1) as hands, suppress(EOFError, OSError):
        while True:
            # A future keeps whatever a stranger's tool raises, `SystemExit` included.
            work = hands.submit(host.answer, pipe.recv())
            error = work.exception()
            pipe.send_bytes(work.result() if error is None else pickle.dumps(_Raised(_words(error))))


class _Host:
    """The world over there, made when it is first needed."""

    def __init__(self, make: Callable[[], World]) -> None:
        self._make = make
        self._world: World | None = None

    def answer(self, request: _Request) -> bytes:
        if self._world is None:
            self._world = self._make()
        if isinstance(request, int):
            tools = tuple(self._world.open({}, request).tools())
            return pickle.dumps(Description(tools, self._world.deterministic))
        setup, seed, call, digested = request
        return pickle.dumps(attempt(self._world, setup, seed, call, digested=digested))


def _words(error: BaseException) -> str:
    message = " ".join(str(error).split())
    return f"{type(error).__name__}: {message}" if message else type(error).__name__
