"""Who plays the user: the script (for built-in agents), a model in the role `user`, or a person."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol
from weakref import WeakKeyDictionary

from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageUser,
    Model,
)
from inspect_ai.util import span

from knowact.core.clean import lines
from knowact.core.conversation import Control
from knowact.core.declared import Declared
from knowact.core.errors import BadUsage, lacks_role
from knowact.engine.gold_context import place_in_words
from knowact.engine.roles import USER, as_response, keyed, players, role_reply
from knowact.engine.terminal import NobodyThere, ask_at_terminal
from knowact.engine.usage import Spend, UsageTracker
from knowact.roles.lines import GREETING, LONGEST, UserLine, line_schema, read_line
from knowact.roles.simulated_user import SCRIPT_REFUSES, USER_OPTION, ScriptedUser
from knowact.roles.user_brief import Setting, scenario_for_a_person, user_brief

ATTEMPTS: Final = 2
"""Times that a user is asked again for a line that cannot be used; the bad one is forgotten."""


class User(Protocol):
    """The user of one conversation."""

    async def open(self) -> UserLine:
        """Say the first thing."""
        ...

    async def answer(self, said: str, declared: Declared | None) -> UserLine:
        """Answer what the agent said, and declared if it is one of ours."""
        ...

    def leave(self) -> None:
        """Hear that the conversation is over, whoever ended it."""
        ...


@dataclass(slots=True)
class Scripted:
    """The script of `people.simulated_user`: deterministic, without a model, for built-in agents."""

    player: ScriptedUser

    async def open(self) -> UserLine:
        """Say the script's opening."""
        return self.player.opening()

    async def answer(self, said: str, declared: Declared | None) -> UserLine:  # noqa: ARG002 - as all users
        """Follow the script."""
        if declared is None:
            raise BadUsage(SCRIPT_REFUSES)
        return self.player.reply(declared)

    def leave(self) -> None:
        """Go."""


@dataclass(slots=True)
class Played:
    """A model in the role `user`, told the scenario and nothing else.

    Attributes:
        brief: The system message.
        key: Names the trial, for a file in the role.
        spend: Writes down each call.
    """

    brief: str
    key: str
    spend: Spend
    _said: list[ChatMessage] = field(init=False, default_factory=list[ChatMessage])

    async def open(self) -> UserLine:
        """Say the first thing, as an answer to a greeting."""
        return await self.answer(GREETING, None)

    async def answer(self, said: str, declared: Declared | None) -> UserLine:  # noqa: ARG002 - a model reads words
        """Answer; only what was delivered is remembered."""
        models = players(USER)
        if not models:
            raise lacks_role(USER_OPTION, USER)
        # A provider refuses an empty message, and a user hears that nothing was said.
        self._said.append(ChatMessageUser(content=said.strip() or "(The assistant says nothing.)"))
        line = UserLine("", fault="empty")
        for _ in range(1 + ATTEMPTS):
            line = await self._asked(models[0])
            if not line.fault:
                break
        self._said.append(ChatMessageAssistant(content=line.text or "(I leave.)"))
        return line

    def leave(self) -> None:
        """Go."""

    async def _asked(self, model: Model) -> UserLine:
        messages = [ChatMessageSystem(content=self.brief), *self._said]
        async with span("user"):
            with keyed(f"{self.key}/line-{len(self._said) // 2 + 1}"):
                output = await role_reply(model, messages, response_schema=as_response("user", line_schema()))
        self.spend(output)
        return read_line(output.completion)


def user_for(
    who: str, script: ScriptedUser, scenario: str, setting: Setting, *, key: str, usage: UsageTracker
) -> User:
    """The user of one conversation, whoever plays it.

    Args:
        who: "model", "person", or anything else for the script.
        script: What the script plays; its persona is the user's in any case.
        scenario: What a model or a person is told that the user wants.
        setting: Where the user talks to an assistant.
        key: Names the trial, for a file in the role.
        usage: Writes down each call of a model.
    """
    match who:
        case "model":
            return Played(user_brief(script.persona, scenario, setting), key, usage.of("user"))
        case "person":
            return AtTerminal(scenario_for_a_person(script.persona, scenario, setting))
        case _:
            return Scripted(script)


_TURNS: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Lock] = WeakKeyDictionary()
"""One lock for all conversations with a person: they take place one after the other."""


WISH, STOP = "/wish", "/stop"
"""What a person types to read their scenario once more, and to leave."""


@dataclass(slots=True)
class AtTerminal:
    """Whoever sits at the terminal; a line `/stop` leaves.

    Whoever types nothing is asked again, as often as a model is; the end of the input is nobody's word.

    Attributes:
        scenario: What a person is shown first, a text per paragraph.
    """

    scenario: Sequence[str]
    _turn: asyncio.Lock | None = field(init=False, default=None)

    async def open(self) -> UserLine:
        """Wait for their turn, show the scenario and take the first message."""
        turn = _TURNS.setdefault(asyncio.get_running_loop(), asyncio.Lock())
        await turn.acquire()
        self._turn = turn
        begin = ["You begin. Type what you say.", f"{WISH} shows this again; {STOP} when you are done."]
        return await self._typed(["", place_in_words(), *self.scenario, "", *begin])

    async def answer(self, said: str, declared: Declared | None) -> UserLine:  # noqa: ARG002 - a person reads words
        """Show what the agent said, and take the answer."""
        return await self._typed(["", f"The assistant: {said.strip() or '(nothing)'}"])

    def leave(self) -> None:
        """Let the next conversation begin."""
        if self._turn is not None:
            self._turn.release()
            self._turn = None

    async def _typed(self, texts: Sequence[str]) -> UserLine:
        shown, nothing = texts, 0
        while nothing <= ATTEMPTS:
            try:
                typed = " ".join((await ask_at_terminal(_safe(shown))).split())
            except NobodyThere:
                return UserLine("", fault="gone")
            word = typed.casefold()
            if word == STOP:
                return UserLine("", Control.STOP)
            if word == WISH:
                shown = [*self.scenario, *texts]
            elif typed.startswith("/") and " " not in typed:
                shown = [f"There is no command {typed}. {WISH} shows what you want; {STOP} leaves."]
            elif len(typed) > LONGEST:
                shown = [f"That is too long ({len(typed):,} characters of at most {LONGEST:,})."]
            elif typed:
                return UserLine(typed)
            else:
                nothing += 1
                shown = [f"Nothing was typed. Say something, or leave with {STOP}."]
        return UserLine("", fault="empty")


def _safe(texts: Sequence[str]) -> str:
    return "\n".join(line for text in texts for line in lines(text))
