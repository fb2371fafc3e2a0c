"""Who drives: the script, a model in the role `user`, or a person at the terminal."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol
from weakref import WeakKeyDictionary

from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageUser,
    Model,
    ModelOutput,
    ResponseSchema,
    model_roles,
)
from inspect_ai.util import JSONSchema, span

from knowact.core.clean import lines
from knowact.core.errors import lacks_role
from knowact.engine.persons import NobodyThere, ask_at_terminal
from knowact.engine.roles import role_reply
from knowact.people.driver.scripted import ScriptedDriver
from knowact.people.lines import KEYWORD, MESSAGE, REASON, WORDS, Line, read_line
from knowact.worlds.car.record import Word

ROLE: Final = "user"
OPTION: Final = "--driver model"
"""The option that needs somebody in the role."""

GREETING: Final = "Hello! What can I do for you?"
"""What a model that plays the driver answers first; the agent never sees it (spec, section 1.3)."""

ATTEMPTS: Final = 2
"""Times that a driver is asked again for a line that cannot be used; the bad one is forgotten (D-74)."""

Spend = Callable[[ModelOutput], None]
"""Writes down one call of a model."""


class Driver(Protocol):
    """The driver of one conversation."""

    async def open(self) -> Line:
        """Say the first thing."""
        ...

    async def answer(self, heard: str, *, acted: bool = False) -> Line:
        """Answer what the agent said; `acted`: it has called something since the driver's last words."""
        ...

    def leave(self) -> None:
        """Hear that the conversation is over, whoever ended it."""
        ...


@dataclass(slots=True)
class Scripted:
    """The driver of `people.driver`: deterministic, without a model."""

    player: ScriptedDriver

    async def open(self) -> Line:
        """Say the script's opening."""
        return Line(self.player.opening())

    async def answer(self, heard: str, *, acted: bool = False) -> Line:
        """Follow the script. Whether the agent did right is the referee's to say: it only leaves."""
        said = self.player.reply(heard, acted=acted)
        gone = said.word not in {Word.CONTINUE, Word.OUT_OF_SCOPE}
        return Line(said.text, Word.STOP if gone else said.word)

    def leave(self) -> None:
        """Go."""


SCHEMA: Final = ResponseSchema(
    name="driver",
    json_schema=JSONSchema(
        type="object",
        properties={
            REASON: JSONSchema(type="string", description="Why the conversation goes on, or ends."),
            MESSAGE: JSONSchema(
                type="string", description="What you say; empty where the conversation ends."
            ),
            KEYWORD: JSONSchema(type="string", enum=[str(word) for word in WORDS]),
        },
        required=[REASON, MESSAGE, KEYWORD],
        additionalProperties=False,
    ),
)


@dataclass(slots=True)
class Played:
    """A model in the role `user`, told the scenario and nothing else.

    Attributes:
        brief: The system message.
        spend: Writes down each call.
    """

    brief: str
    spend: Spend
    _said: list[ChatMessage] = field(init=False, default_factory=list[ChatMessage])

    async def open(self) -> Line:
        """Say the first thing, as an answer to a greeting."""
        return await self.answer(GREETING)

    async def answer(self, heard: str, *, acted: bool = False) -> Line:  # noqa: ARG002 - a model hears it all
        """Answer; only what was delivered is remembered."""
        model = model_roles().get(ROLE)
        if not isinstance(model, Model):
            raise lacks_role(OPTION, ROLE)
        # A provider refuses an empty message, and a driver hears that nothing was said.
        self._said.append(ChatMessageUser(content=heard.strip() or "(The assistant says nothing.)"))
        line = Line("", fault="empty")
        for _ in range(1 + ATTEMPTS):
            line = await self._asked(model)
            if not line.fault:
                break
        self._said.append(ChatMessageAssistant(content=line.text or "(I leave.)"))
        return line

    def leave(self) -> None:
        """Go."""

    async def _asked(self, model: Model) -> Line:
        messages = [ChatMessageSystem(content=self.brief), *self._said]
        async with span("driver"):
            output = await role_reply(model, messages, response_schema=SCHEMA)
        self.spend(output)
        return read_line(output.completion)


_WHEELS: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Lock] = WeakKeyDictionary()
"""Nobody drives two cars at once: the other conversations of a run wait until the present one is over."""


@dataclass(slots=True)
class AtTerminal:
    """Whoever sits at the terminal; a line `/stop` leaves, as in the spec's control word.

    Whoever types nothing is asked again, as often as a model is; the end of the input is nobody's word.

    Attributes:
        scenario: What a person is shown first, a text per paragraph.
    """

    scenario: Sequence[str]
    _wheel: asyncio.Lock | None = field(init=False, default=None)

    async def open(self) -> Line:
        """Wait for the wheel, show the scenario and take the first message."""
        wheel = _WHEELS.setdefault(asyncio.get_running_loop(), asyncio.Lock())
        await wheel.acquire()
        self._wheel = wheel
        return await self._typed([*self.scenario, "You begin. Type what you say; /stop when you are done."])

    async def answer(self, heard: str, *, acted: bool = False) -> Line:  # noqa: ARG002 - a person decides
        """Show what the agent said, and take the answer."""
        return await self._typed([f"The assistant: {heard.strip() or '(nothing)'}"])

    def leave(self) -> None:
        """Let the next conversation begin."""
        if self._wheel is not None:
            self._wheel.release()
            self._wheel = None

    async def _typed(self, texts: Sequence[str]) -> Line:
        shown = "\n".join(line for text in texts for line in lines(text))
        for _ in range(1 + ATTEMPTS):
            try:
                typed = " ".join((await ask_at_terminal(shown)).split())
            except NobodyThere:
                return Line("", fault="gone")
            if typed.casefold() == "/stop":
                return Line("", Word.STOP)
            if typed:
                return Line(typed)
            shown = "Nothing was typed. Say something, or leave with /stop."
        return Line("", fault="empty")
