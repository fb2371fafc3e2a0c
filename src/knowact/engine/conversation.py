"""One conversation: turns of an agent, with batches of calls, and of a user, until somebody ends it.

Spec car-bench.md, sections 1.4 to 1.8. The recorder carries calls out and writes everything down; the
termination judge rules after every batch and every message of the agent; the user hears the agent's words
and nothing else. Whatever any of them sends, the conversation ends, and its record says how.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import cast

from inspect_ai.log import transcript
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageTool,
    ChatMessageUser,
    Model,
)
from inspect_ai.tool import ToolCall, ToolInfo, ToolParams
from pydantic import JsonValue

from knowact.core.declared import declared_in
from knowact.core.tool import Tool
from knowact.core.world import Call
from knowact.engine.budget import BUDGET
from knowact.engine.outputs import limit_of
from knowact.engine.purse import Purse
from knowact.engine.termination import TerminationJudge, UserFaults
from knowact.engine.users import User
from knowact.people.lines import Line
from knowact.people.termination import Ruling
from knowact.probes.outcome import LIMIT_WORDS, Limit
from knowact.probes.probe import shown_tools
from knowact.worlds.car.record import Called, Stop, Trial, Word
from knowact.worlds.car.recording import Recorder

CALLS, HEARD, RULINGS = "knowact/call", "knowact/heard", "knowact/ruling"
"""Sources of events that a reader of the engine's log sees: each call, what was ruled on each message, and
each decision about the talk."""

JUDGE, SIMULATED_USER = "judge", "simulated user"
"""Whose words stand beside the talk."""


@dataclass(frozen=True, slots=True)
class Phases:
    """Two phases in each turn: first the agent only looks, then it acts and speaks.

    Attributes:
        looking: The tools of the first phase.
        turn_over: What the agent reads when its first phase is over.
    """

    looking: frozenset[str]
    turn_over: str


@dataclass(slots=True)
class Conversation:
    """One attempt at one trial.

    Attributes:
        model: The agent's.
        messages: What the agent has seen, its system message first.
        tools: What it is offered.
        recorder: Carries out calls, writes down.
        purse: Writes down who spent what.
        ended: Whether a call has ended the conversation.
        user: Who answers.
        terminator: Who rules.
        most_steps: Messages of the agent before it is over.
        phases: None where the agent may always do everything.
        declares: Whether the agent is one of ours, whose messages declare what they do.
        faults: What the user did that no user may, by name.
        asides: What stands beside the talk, in order: the place of the message that it follows, whose it is
            ("state" for what a call changed, "limit", else who decided), and what it says.
        limits: Which limits of the model its replies ran into.
    """

    model: Model
    messages: list[ChatMessage]
    tools: Sequence[Tool]
    recorder: Recorder
    purse: Purse
    ended: Callable[[], bool]
    user: User
    terminator: TerminationJudge
    most_steps: int
    phases: Phases | None = None
    declares: bool = False
    faults: list[str] = field(default_factory=list[str])
    asides: list[tuple[int, str, str]] = field(default_factory=list[tuple[int, str, str]])
    limits: set[Limit] = field(default_factory=set[Limit])
    _turn: int = field(init=False, default=0)
    _looking: bool = field(init=False, default=False)
    _asked: int = field(init=False, default=0)

    async def held(self) -> Trial:
        """Let it happen, and return its record. What the user did wrong on the way is in `faults`."""
        try:
            stop = await self._talked()
        finally:
            self.user.leave()
        if stop in {Stop.WORD, Stop.TOOL}:
            self._rule(self.terminator.at_the_end(self._so_far()))
            if self.terminator.undecided(self._so_far()):
                stop = Stop.INSTRUMENT
        return self.recorder.close(stop)

    async def _talked(self) -> Stop:
        """Take turns until somebody or something ends it."""
        stop = self._hears(await self.user.open())
        while stop is None:
            if self.recorder.steps >= self.most_steps or self._asked >= 2 * self.most_steps:
                stop = Stop.LIMIT
            else:
                stop = await self._step()
        return stop

    async def _step(self) -> Stop | None:
        """One message of the agent, and what follows from it."""
        said = await self._generate()
        if "context" in self.limits:
            return Stop.CONTEXT
        calls = said.tool_calls or []
        if calls:
            return await self._carry_out(calls)
        if self._looking:
            self._turn_over(said)
            return None
        self.recorder.assistant(said.text)
        declared = declared_in(said.metadata) if self.declares else None
        heard = await self.terminator.hear(self._so_far(), declared)
        if heard is not None:
            self.recorder.heard(*heard)
            transcript().info(cast("JsonValue", {"by": heard[0], "votes": heard[1]}), source=HEARD)
        self._rule(self.terminator.after_words(self._so_far()))
        if self.recorder.failed or self._is_over():
            return Stop.WORD
        return self._hears(await self.user.answer(said.text, declared))

    async def _carry_out(self, calls: Sequence[ToolCall]) -> Stop | None:
        if self._looking and any(call.function not in self._looking_tools for call in calls):
            self._looking = False  # it acts, so it has looked enough
        seen = self.recorder.batch([_call(one) for one in calls])
        made = self._so_far().calls[-len(calls) :]
        for one, observation, called in zip(calls, seen, made, strict=True):
            answer = ChatMessageTool(content=observation.text(), tool_call_id=one.id, function=one.function)
            self.messages.append(answer)
            _log_call(called, answer.text)
            if called.changes:
                changed = [f"{c.name}: {c.before!r} → {c.after!r}" for c in called.changes]
                self._beside("state", "\n".join(changed))
            if called.forbidden:
                self._beside(JUDGE, f"{_spoken(called.forbidden)}: it called {called.tool}")
        self._rule(self.terminator.after_batch(self._so_far()))
        return Stop.TOOL if self.ended() else None

    def _hears(self, line: Line) -> Stop | None:
        """Take what the user says; a line that cannot be used ends it, on the user's account."""
        if line.fault:
            self.faults.append(line.fault)
            self._beside(SIMULATED_USER, f"at fault: {line.fault}")
            return Stop.DRIVER
        if line.word is not Word.CONTINUE:
            self.recorder.rule(line.word, "user", why=line.why)
            self._beside(SIMULATED_USER, _told(line.word.value, line.why))
            return Stop.WORD
        self._turn += 1
        self.purse.turn = self._turn
        self.recorder.user(line.text)
        self.messages.append(ChatMessageUser(content=line.text))
        self._rule(self.terminator.after_reply(self._so_far()))
        self._looking = self.phases is not None
        return None

    async def _generate(self) -> ChatMessageAssistant:
        self._asked += 1
        offered = [one for one in self.tools if not self._looking or one.name in self._looking_tools]
        BUDGET.check()
        output = await self.model.generate(self.messages, tools=_shown(offered))
        BUDGET.charge(output)
        self.purse.of("agent")(output)
        limit = limit_of(output)
        if limit != "context":
            self.messages.append(output.message)
        if limit:
            self.limits.add(limit)
            self._beside("limit", LIMIT_WORDS[limit])
        return output.message

    @property
    def _looking_tools(self) -> frozenset[str]:
        return self.phases.looking if self.phases is not None else frozenset()

    def _turn_over(self, said: ChatMessageAssistant) -> None:
        """What is said while looking is a note to itself; nobody hears it."""
        assert self.phases is not None
        if not said.text.strip():
            # Providers refuse a conversation with an empty message in it.
            self.messages.pop()
        self._looking = False
        self.messages.append(ChatMessageUser(content=self.phases.turn_over))

    def _is_over(self) -> bool:
        return any(one.word is not Word.CONTINUE for one in self._so_far().rulings)

    def _rule(self, rulings: Sequence[Ruling]) -> None:
        for one in rulings:
            self.recorder.rule(one.word, one.by, finding=one.finding, why=one.why, votes=one.votes)
            ruled = {"word": one.word.value, "finding": one.finding and one.finding.value, "why": one.why}
            transcript().info({"by": one.by, **ruled, "votes": list(one.votes)}, source=RULINGS)
            self._beside(JUDGE, _decided(one))

    def found(self, faults: UserFaults) -> list[str]:
        """Take what a judge found wrong with the user, and return its names."""
        for name, quotes in faults.names.items():
            quoted = f' ("{quotes[0]}")' if quotes else ""
            self._beside(SIMULATED_USER, f"at fault: {name.replace('_', ' ')}{quoted}")
        return [*faults.names]

    def _beside(self, who: str, text: str) -> None:
        self.asides.append((len(self.messages) - 1, who, text))

    def _so_far(self) -> Trial:
        return self.recorder.close(Stop.WORD)


def _call(one: ToolCall) -> Call:
    """A call whose arguments could not be read is carried out as such: the agent reads why it fails."""
    return Call(one.function, None if one.parse_error else one.arguments)


def _spoken(word: Word) -> str:
    """A word as people read it: "acknowledged", "removed tool"."""
    return word.name.lower().replace("_", " ")


def _decided(one: Ruling) -> str:
    """A ruling in words: what was decided or seen, how votes fell (none where a rule decided), and why."""
    words = [] if one.finding and one.word is Word.CONTINUE else [_spoken(one.word)]
    if one.finding:
        words.append(one.finding.value)
    votes = f" ({sum(one.votes)} of {len(one.votes)} votes)" if one.votes else ""
    return _told(", ".join(words) + votes, one.why)


def _told(what: str, why: str) -> str:
    return f"{what}: {why}" if why else what


def _log_call(called: Called, answered: str) -> None:
    """Show a call to readers of the engine's log, where its own events of tools would stand."""
    changes = {one.name: [one.before, one.after] for one in called.changes}
    arguments = None if called.arguments is None else dict(called.arguments)
    # The result as the agent read it: the engine keeps a text that occurs twice once.
    told = {"call": called.tool, "arguments": arguments, "result": answered, "changes": changes}
    transcript().info(cast("JsonValue", told), source=CALLS)


def _shown(tools: Sequence[Tool]) -> list[ToolInfo]:
    return [
        ToolInfo(
            name=str(spec["name"]),
            description=str(spec["description"]),
            parameters=ToolParams.model_validate(spec["parameters"]),
        )
        for spec in shown_tools(tools)
    ]
