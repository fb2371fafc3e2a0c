"""`--agent cmd:"my-agent --mcp {mcp_url} --prompt {prompt_file}"`: a command as the agent.

A process per trial, or in conversations per turn. It finds what it is told in a file, gets the tools over
MCP, and what it writes to standard output is its reply. Questions have no tools: then `{mcp_url}` lists none.

| placeholder | |
|---|---|
| `{prompt_file}` | instructions and dialogue as text |
| `{messages_file}` | the same as JSON, a list of messages as the chat API has them |
| `{mcp_url}` | the tools, over streamable HTTP; the address holds a token |

Exit status 0 is an answer, 75 (EX_TEMPFAIL) says that something it depends on failed, all others are crashes.
"""

import asyncio
import os
import shlex
import shutil
import signal
import tempfile
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Final

from knowact.agents.outside.mcp_tools import available, served
from knowact.agents.outside.reply import AgentUnavailable, ChatTurn, Reply
from knowact.agents.outside.session import AgentSession
from knowact.core.clean import dumps, one_line, text
from knowact.core.errors import BadUsage
from knowact.roles.desk import OfferedTool

MOST: Final = 1_000_000
"""Bytes of output: nobody's answer is longer."""

UNAVAILABLE: Final = 75
POLL: Final = 0.02
"""Seconds between two looks at whether a process has ended."""
GRACE: Final = 2.0
"""Seconds between asking a process to end and ending it."""


def load(line: str) -> list[str]:
    """Take a command line apart, and look for its program.

    Raises:
        BadUsage: It is empty, its quotes don't match, there is no such program, or it wants tools over MCP
            and the package for them is missing.
    """
    try:
        words = shlex.split(line, posix=os.name != "nt")
    except ValueError as error:
        raise BadUsage(f"The command of the agent can't be read ({error}): {line!r}.") from error
    if not words:
        raise BadUsage('An agent\'s command is missing: --agent cmd:"my-agent --prompt {prompt_file}".')
    if shutil.which(words[0]) is None:
        raise BadUsage(f"There is no program {words[0]!r}. Install it, or give its path.")
    if "{mcp_url}" in line:
        available()
    return words


def turn(
    words: Sequence[str], messages: Sequence[ChatTurn], tools: Sequence[OfferedTool]
) -> Callable[[AgentSession], Awaitable[Reply]]:
    """One turn of a command, to be run behind a session."""

    async def run(session: AgentSession) -> Reply:
        with tempfile.TemporaryDirectory(prefix="knowact-") as folder:
            given = _written(Path(folder), messages)
            if not any("{mcp_url}" in word for word in words):
                return await _run(_filled(words, given))
            async with served([asdict(tool) for tool in tools], session.call) as url:
                return await _run(_filled(words, {**given, "mcp_url": url}))

    return run


def _written(folder: Path, messages: Sequence[ChatTurn]) -> dict[str, str]:
    prompt, dialogue = folder / "prompt.md", folder / "messages.json"
    prompt.write_text(prompt_text(messages), encoding="utf-8", newline="")
    dialogue.write_text(dumps(list(messages), indent=1), encoding="utf-8", newline="")
    return {"prompt_file": str(prompt), "messages_file": str(dialogue)}


def prompt_text(messages: Sequence[ChatTurn]) -> str:
    """Instructions, then what was said; who said it stands before each line where several spoke."""
    system = [message["content"] for message in messages if message["role"] == "system"]
    dialogue = [message for message in messages if message["role"] != "system"]
    if len(dialogue) == 1:
        return "\n\n".join([*system, dialogue[0]["content"]]) + "\n"
    lines = [f"{message['role'].capitalize()}: {_line(message)}" for message in dialogue]
    return "\n\n".join([*system, *lines]) + "\n"


def _line(message: ChatTurn) -> str:
    functions = [call["function"] for call in message.get("tool_calls", [])]
    calls = [f"(calls {function['name']} {function['arguments']})" for function in functions]
    return " ".join(filter(None, [message["content"], *calls]))


def _filled(words: Sequence[str], given: Mapping[str, str]) -> list[str]:
    """The command with its placeholders filled in, word by word: nothing goes through a shell."""
    filled: list[str] = []
    for word in words:
        for name, value in given.items():
            word = word.replace(f"{{{name}}}", value)  # noqa: PLW2901 - one placeholder after the other
        filled.append(word)
    return filled


async def _run(words: Sequence[str]) -> Reply:
    """Run the command to its end, and its whole group with it.

    Raises:
        AgentUnavailable: It says so by its exit status.
        ChildProcessError: It failed: the agent's fault.
    """
    process = await asyncio.create_subprocess_exec(
        *words,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        start_new_session=True,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    reading = asyncio.gather(_read(process.stdout), _read(process.stderr))
    try:
        code = await _exited(process)
    finally:
        # What it has started may hold the pipes open, and is ended first.
        await _end(process)
    out, complained = await reading
    why = one_line(complained.decode("utf-8", "replace").strip()[-300:])
    if code == UNAVAILABLE:
        raise AgentUnavailable(why or f"exit status {code}")
    if code != 0:
        raise ChildProcessError(f"exit status {code}. {why}".strip())
    if len(out) > MOST:
        raise ChildProcessError(f"it wrote more than {MOST:,} bytes")
    return Reply(text(out.decode("utf-8", "replace").strip()))


async def _read(stream: asyncio.StreamReader) -> bytes:
    """Read to the end; what is over the limit is read, too, or the process would wait for ever."""
    kept = b""
    while chunk := await stream.read(65_536):
        if len(kept) <= MOST:
            kept += chunk
    return kept


async def _exited(process: asyncio.subprocess.Process) -> int:
    """Wait for the exit status; Python's own `wait` waits, on some versions, for the pipes' other holders."""
    while process.returncode is None:  # noqa: ASYNC110 - nobody tells
        await asyncio.sleep(POLL)
    return process.returncode


async def _end(process: asyncio.subprocess.Process) -> None:
    """End the process and all that it has started."""
    _signal(process, "SIGTERM")
    with suppress(asyncio.TimeoutError):
        await asyncio.wait_for(_exited(process), GRACE)
    _signal(process, "SIGKILL")
    await _exited(process)


def _signal(process: asyncio.subprocess.Process, name: str) -> None:
    with suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, getattr(signal, name))
        elif process.returncode is None:
            process.kill()
