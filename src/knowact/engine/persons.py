"""Who answers `ask_human`: the script, a model in the role `helper`, or a person at the terminal."""

import asyncio
import os
import queue
import sys
import threading
from concurrent.futures import Future
from typing import Final

from inspect_ai.util import span

from knowact.core import clean
from knowact.core.clean import lines
from knowact.core.declared import Declared
from knowact.core.errors import BadUsage, lacks_role
from knowact.engine.outputs import InstrumentFailure
from knowact.engine.roles import HELPER, as_response, keyed, players, role_reply
from knowact.people.helper import (
    ATTEMPTS,
    SCRIPT_REFUSES,
    HelperAnswer,
    Known,
    Person,
    given_by,
    helper_schema,
    helper_text,
    read_answer,
    scripted_answer,
    what_a_person_sees,
)


def typed_line(text: str) -> str:
    """Show a text and return the line that is typed, without its end; what is no UTF-8 becomes U+FFFD.

    On a terminal the engine's display stands before standard output while it runs, and swallows what is
    written even when it shows nothing; so the text goes past it. Reading goes past Python's own reader, which
    holds a lock: a process that ends while a thread waits there (Ctrl-C) is aborted.

    Raises:
        EOFError: Nobody will ever type again.
        OSError: There is no standard input.
    """
    screen = getattr(sys.stdout, "rich_proxied_file", sys.stdout)
    screen.write(f"{text}\n> ")
    screen.flush()
    return clean.text(_line(sys.stdin.fileno()).decode(errors="replace")).rstrip("\r\n")


def _line(descriptor: int) -> bytes:
    """Read up to the end of a line, and no further: the rest is for the next question."""
    line = bytearray()
    while not line.endswith(b"\n"):
        piece = os.read(descriptor, 1)
        if not piece:
            break
        line += piece
    if not line:
        raise EOFError
    return bytes(line)


NO_ANSWER: Final = "the model that plays the person did not answer in the form asked for"


def scripted(known: Known) -> Person:
    """The person of `people.helper` as a script: for built-in agents, which declare what they ask for."""

    async def answer(question: str, declared: Declared | None) -> HelperAnswer:  # noqa: ARG001 - as all persons
        if declared is None:
            raise BadUsage(SCRIPT_REFUSES)
        return scripted_answer(known, declared)

    return answer


def played(known: Known, key: str) -> Person:
    """A model in the role `helper`, told what the script knows, and the same policy."""

    async def answer(question: str, declared: Declared | None) -> HelperAnswer:  # noqa: ARG001 - as all persons
        models = players(HELPER)
        if not models:
            raise lacks_role("--helper model", HELPER)
        prompt, schema = helper_text(known, question), as_response("answer", helper_schema())
        async with span("helping"):
            with keyed(f"{key}/{question}"):
                for _ in range(ATTEMPTS):
                    output = await role_reply(models[0], prompt, response_schema=schema)
                    if found := read_answer(known, output.completion):
                        return found
        raise InstrumentFailure(NO_ANSWER)

    return answer


def at_terminal(known: Known, request: str) -> Person:
    """Whoever sits at the terminal; they are shown the request and the policy's facts with each question.

    Only one question stands on the screen at a time; other samples go on meanwhile.
    """

    async def answer(question: str, declared: Declared | None) -> HelperAnswer:  # noqa: ARG001 - as all persons
        shown = [line for text in what_a_person_sees(known, request, question) for line in lines(text)]
        typed = (await ask_at_terminal("\n".join(shown))).strip() or "I don't know."
        return HelperAnswer(typed, gave=given_by(known, typed))

    return answer


class NobodyThere(InstrumentFailure):
    """The terminal's input is at its end: nobody will answer any more."""


class _Terminal:
    """One screen and one keyboard for all samples of this process, in a thread that does nothing else.

    It is a daemon: a question nobody answers must not keep the process from ending.
    """

    def __init__(self) -> None:
        self._waiting: queue.Queue[tuple[str, Future[str]]] = queue.Queue()
        self._thread: threading.Thread | None = None

    async def ask(self, text: str) -> str:
        """Show a text and return the line that is typed.

        Raises:
            NobodyThere: The input has come to its end.
            InstrumentFailure: There is no terminal.
        """
        if self._thread is None:
            self._thread = threading.Thread(target=self._serve, name="ask_human", daemon=True)
            self._thread.start()
        answer: Future[str] = Future()
        self._waiting.put((text, answer))
        return await asyncio.wrap_future(answer)

    def _serve(self) -> None:
        while True:
            text, answer = self._waiting.get()
            # Its sample may have ended while it waited: then nobody wants to know any more.
            if answer.set_running_or_notify_cancel():
                try:
                    answer.set_result(typed_line(text))
                except EOFError:
                    answer.set_exception(NobodyThere("nobody answers at the terminal"))
                except OSError:
                    answer.set_exception(InstrumentFailure("nobody answers at the terminal"))


ask_at_terminal: Final = _Terminal().ask
"""The one terminal of this process."""
