"""One conversation: turns of an agent, with batches of calls, and of a user, until somebody ends it.

The recorder carries calls out and writes everything down, once; the termination rules decide after every
batch and every message of the agent; the user is told the agent's words and nothing else. Whatever any of
them sends, the conversation ends, and its record says how.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import cast

from inspect_ai.log import transcript
from inspect_ai.model import ChatMessage, ChatMessageAssistant, ChatMessageTool, ChatMessageUser, Model
from inspect_ai.tool import ToolCall, ToolInfo, ToolParams
from pydantic import JsonValue

from knowact.core.conversation import (
    Called,
    Control,
    Event,
    LimitReached,
    Recorder,
    Ruled,
    Stop,
    Trial,
    UserFault,
)
from knowact.core.declared import Declared, declared_in
from knowact.core.tool import Tool
from knowact.core.world import Call
from knowact.engine.budget import BUDGET
from knowact.engine.outputs import limit_of
from knowact.engine.termination import TerminationJudge
from knowact.engine.usage import UsageTracker
from knowact.engine.users import User
from knowact.probes.probe import shown_tools
from knowact.probes.response import LIMIT_WORDS
from knowact.probes.talk import Phases
from knowact.roles.lines import UserLine
from knowact.roles.termination import Ruling

CALLS, PARSED, RULINGS = "knowact/call", "knowact/parsed", "knowact/ruling"
"""Sources of events that a reader of the engine's log sees: each call, what was ruled on each message, and
each decision about the conversation."""

JUDGE, SIMULATED_USER = "judge", "simulated user"
"""Whose words stand beside the messages."""


@dataclass(slots=True)
class Conversation:
    """One attempt at one trial.

    Attributes:
        model: The agent's.
        messages: What the agent has seen, its system message first.
        tools: What it is offered.
        recorder: Carries out calls, and holds the record.
        user: Who answers.
        judge: Who says what messages do, by the rules of the suite.
        most_steps: Messages of the agent before it is over.
        phases: None where the agent may always do everything.
        declares: Whether the agent is one of ours, whose messages declare what they do.
        declared: What they have declared, by the step of the message.
    """

    model: Model
    messages: list[ChatMessage]
    tools: Sequence[Tool]
    recorder: Recorder[Trial]
    user: User
    judge: TerminationJudge
    most_steps: int
    phases: Phases | None = None
    declares: bool = False
    declared: dict[int, Declared] = field(init=False, default_factory=dict[int, Declared])
    _reading: bool = field(init=False, default=False)
    _asked: int = field(init=False, default=0)

    async def hold(self) -> Stop:
        """Let it happen, and return what ended it."""
        self.recorder.at = len(self.messages) - 1
        try:
            stop = await self._converse()
        finally:
            self.user.leave()
        if stop in {Stop.WORD, Stop.TOOL}:
            self._rule(self.judge.rules.at_the_end(self.recorder.so_far))
            if self.judge.rules.undecided(self.recorder.so_far):
                return Stop.INSTRUMENT
        return stop

    async def _converse(self) -> Stop:
        """Take turns until somebody or something ends it."""
        stop = self._take(await self.user.open())
        while stop is None:
            if self.recorder.steps >= self.most_steps or self._asked >= 2 * self.most_steps:
                stop = Stop.LIMIT
            else:
                stop = await self._step()
        return stop

    async def _step(self) -> Stop | None:
        """One message of the agent, and what follows from it."""
        said = await self._generate()
        so_far = self.recorder.so_far
        if "context" in so_far.limits:
            return Stop.CONTEXT
        if {"time", "crash"} & set(so_far.limits):
            return Stop.LIMIT
        calls = said.tool_calls or []
        if calls:
            return self._carry_out(calls)
        if self._reading:
            self._turn_over(said)
            return None
        self.recorder.assistant(said.text)
        declared = declared_in(said.metadata) if self.declares else None
        if declared is not None:
            self.declared[self.recorder.steps] = declared
        parsed = await self.judge.parse(so_far, declared)
        if parsed is not None:
            self.recorder.parsed(*parsed)
            transcript().info(cast("JsonValue", {"by": parsed[0], "votes": parsed[1]}), source=PARSED)
        self._rule(self.judge.rules.after_words(so_far))
        if self.judge.rules.is_over(so_far):
            return Stop.WORD
        return self._take(await self.user.answer(said.text, declared))

    def _carry_out(self, calls: Sequence[ToolCall]) -> Stop | None:
        if self._reading and any(call.function not in self._reading_tools for call in calls):
            self._reading = False  # it writes, so it has read enough
        done = self.recorder.batch([_call(one) for one in calls])
        for one, (called, seen) in zip(calls, done, strict=True):
            answer = ChatMessageTool(content=seen.text(), tool_call_id=one.id, function=one.function)
            self._add(answer)
            _log_call(called, answer.text)
        self._rule(self.judge.rules.after_batch(self.recorder.so_far))
        return Stop.TOOL if any(called.ends for called, _ in done) else None

    def _take(self, line: UserLine) -> Stop | None:
        """Take what the user says; a line that cannot be used ends it, on the user's account."""
        if line.fault:
            self.recorder.user_fault(line.fault)
            return Stop.USER
        if line.word != Control.CONTINUE:
            self.recorder.rule(line.word, "user", why=line.why)
            return Stop.WORD
        self._add(ChatMessageUser(content=line.text))
        self.recorder.user(line.text)
        self._rule(self.judge.rules.after_reply(self.recorder.so_far))
        self._reading = self.phases is not None
        return None

    async def _generate(self) -> ChatMessageAssistant:
        self._asked += 1
        offered = [one for one in self.tools if not self._reading or one.name in self._reading_tools]
        BUDGET.check()
        output = await self.model.generate(self.messages, tools=_shown(offered))
        BUDGET.charge(output)
        UsageTracker(self.recorder).of("agent")(output)
        limit = limit_of(output)
        if limit not in {"context", "time", "crash"}:
            self._add(output.message)
        if limit:
            self.recorder.limit(limit)
        return output.message

    @property
    def _reading_tools(self) -> frozenset[str]:
        return self.phases.looking if self.phases is not None else frozenset()

    def _turn_over(self, said: ChatMessageAssistant) -> None:
        """What is said while looking is a note to itself; nobody hears it."""
        assert self.phases is not None
        if not said.text.strip():
            # Providers refuse a conversation with an empty message in it.
            self.messages.pop()
        self._reading = False
        self._add(ChatMessageUser(content=self.phases.turn_over))

    def _rule(self, rulings: Sequence[Ruling]) -> None:
        for one in rulings:
            self.recorder.rule(one.word, one.by, finding=one.finding, why=one.why, votes=one.votes)
            shown = {"by": one.by, "word": str(one.word), "finding": str(one.finding) or None, "why": one.why}
            transcript().info({**shown, "votes": list(one.votes)}, source=RULINGS)

    def _add(self, message: ChatMessage) -> None:
        self.messages.append(message)
        self.recorder.at = len(self.messages) - 1


def asides(trial: Trial) -> Iterator[tuple[int, str, str]]:
    """What stands beside the messages of a trial, for whoever reads them.

    Yields:
        The position of the message that it follows, whose it is ("state" for what a call changed, "limit",
        else who decided), and what it says.
    """
    for event in trial.events:
        yield from ((event.at, who, text) for who, text in _beside(event, trial))


def _beside(event: Event, trial: Trial) -> Iterator[tuple[str, str]]:
    match event:
        case Called():
            if event.changes:
                yield "state", "\n".join(f"{c.name}: {c.before!r} → {c.after!r}" for c in event.changes)
            if event.remark:
                yield JUDGE, event.remark
        case Ruled(by="user"):
            yield SIMULATED_USER, _told(event.word, event.why)
        case Ruled():
            yield JUDGE, _told(_decided(event, trial), event.why)
        case UserFault():
            quoted = f' ("{event.quote}")' if event.quote else ""
            yield SIMULATED_USER, f"at fault: {event.name.replace('_', ' ')}{quoted}"
        case LimitReached():
            yield "limit", LIMIT_WORDS[event.limit]
        case _:
            return


def _decided(ruled: Ruled, trial: Trial) -> str:
    """What was decided or seen, and how votes fell (none where a rule decided)."""
    words = [] if ruled.finding and ruled.word == Control.CONTINUE else [trial.spoken(ruled.word)]
    if ruled.finding:
        words.append(ruled.finding)
    votes = f" ({sum(ruled.votes)} of {len(ruled.votes)} votes)" if ruled.votes else ""
    return ", ".join(words) + votes


def _told(what: str, why: str) -> str:
    return f"{what}: {why}" if why else what


def _call(one: ToolCall) -> Call:
    """A call whose arguments could not be read is carried out as such: the agent reads why it fails."""
    return Call(one.function, None if one.parse_error else one.arguments)


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
