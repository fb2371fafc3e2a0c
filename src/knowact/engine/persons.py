"""Who answers `ask_human`: the script, a model in the role `helper`, or a person at the terminal."""

import asyncio
import queue
import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from typing import TypeAlias

from inspect_ai.model import Model, model_roles
from inspect_ai.util import span

from knowact.core.clean import lines
from knowact.core.errors import BadUsage
from knowact.engine.keyboard import typed_line
from knowact.engine.outputs import InstrumentFailure
from knowact.engine.roles import role_reply
from knowact.people.helper import Answer, Known, ScriptedHelper
from knowact.probes.helping import helper_messages, what_a_person_sees

ROLE = "helper"

Person: TypeAlias = Callable[[str], Awaitable[Answer]]
"""Answers one question."""


def scripted(known: Known) -> Person:
    """The person of `people.helper`: a written policy, the same answer every time."""

    async def answer(question: str) -> Answer:
        return ScriptedHelper(known).answer(question)

    return answer


def played(known: Known) -> Person:
    """A model in the role `helper`, told what the script knows, and the same policy."""

    async def answer(question: str) -> Answer:
        model = model_roles().get(ROLE)
        if not isinstance(model, Model):
            raise BadUsage("Nobody plays the person: bind one model with --role helper=MODEL.")
        messages = [one.text for one in helper_messages(known, question)]
        async with span("helping"):
            output = await role_reply(model, "\n\n".join(messages))
        text = output.completion.strip()
        if not text:
            raise InstrumentFailure("the model that plays the person said nothing")
        return Answer("said", text)

    return answer


def at_terminal(known: Known, request: str) -> Person:
    """Whoever sits at the terminal; they are shown the request and the policy's facts with each question.

    Only one question stands on the screen at a time; other samples go on meanwhile.
    """

    async def answer(question: str) -> Answer:
        shown = [line for text in what_a_person_sees(known, request, question) for line in lines(text)]
        typed = await _TERMINAL.ask("\n".join(shown))
        return Answer("said", typed.strip() or "I don't know.")

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
        """Show a text and return the line that is typed."""
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


_TERMINAL = _Terminal()


async def ask_at_terminal(text: str) -> str:
    """Show a text on the one terminal of this process and return the line that is typed.

    Raises:
        NobodyThere: The input has come to its end.
        InstrumentFailure: There is no terminal.
    """
    return await _TERMINAL.ask(text)
