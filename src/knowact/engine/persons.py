"""Who answers `ask_human`: the script, a model in the role `helper`, or a person at the terminal."""

import asyncio
import queue
import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from typing import Final, TypeAlias

from inspect_ai.util import span

from knowact.core.clean import lines
from knowact.core.declared import Declared
from knowact.core.errors import BadUsage, lacks_role
from knowact.engine.keyboard import typed_line
from knowact.engine.outputs import InstrumentFailure
from knowact.engine.roles import HELPER, as_response, keyed, players, role_reply
from knowact.people.helper import (
    ATTEMPTS,
    SCRIPT_REFUSES,
    Answer,
    Known,
    given_by,
    helper_schema,
    helper_text,
    read_answer,
    scripted_answer,
    what_a_person_sees,
)

NO_ANSWER: Final = "the model that plays the person did not answer in the form asked for"

Person: TypeAlias = Callable[[str, Declared | None], Awaitable[Answer]]
"""Answers one question, which a built-in agent has declared."""


def scripted(known: Known) -> Person:
    """The person of `people.helper` as a script: for built-in agents, which declare what they ask for."""

    async def answer(question: str, declared: Declared | None) -> Answer:  # noqa: ARG001 - as all persons
        if declared is None:
            raise BadUsage(SCRIPT_REFUSES)
        return scripted_answer(known, declared)

    return answer


def played(known: Known, key: str) -> Person:
    """A model in the role `helper`, told what the script knows, and the same policy."""

    async def answer(question: str, declared: Declared | None) -> Answer:  # noqa: ARG001 - as all persons
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

    async def answer(question: str, declared: Declared | None) -> Answer:  # noqa: ARG001 - as all persons
        shown = [line for text in what_a_person_sees(known, request, question) for line in lines(text)]
        typed = (await _TERMINAL.ask("\n".join(shown))).strip() or "I don't know."
        return Answer(typed, gave=given_by(known, typed))

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
