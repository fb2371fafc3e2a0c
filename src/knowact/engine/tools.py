"""Tools of a session, as the engine calls them, and the tool `ask_human`: a line to a person."""

from collections import defaultdict, deque
from collections.abc import Awaitable, Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from anyio import CancelScope, to_thread
from inspect_ai.model import ChatMessage, ChatMessageTool
from inspect_ai.tool import ToolCall, ToolDef, ToolParams

from knowact.core.declared import Declared
from knowact.core.names import shown_names
from knowact.core.tool import Tool
from knowact.core.world import Call, Observation, Outside, WorldState
from knowact.engine.outputs import InstrumentFailure
from knowact.probes.probe import ASK_HUMAN, Help, shown_tools
from knowact.probes.response import MadeCall, PutQuestion
from knowact.roles.helper import HelperAnswer, Known

ASK = ASK_HUMAN.name

ENOUGH = "No further question will be answered. Please finish with what you have."


@dataclass(slots=True)
class AskHuman:
    """One trial's line to a person.

    Attributes:
        policy: How many questions are answered.
        person: Answers a question.
        known: What the person knows of the item; None where nobody has said what is missing from it, so that
            no question can be told to be targeted.
        put: The questions so far.
        declared: What a built-in agent declares of the message that asks; None for every other agent.
    """

    policy: Help
    person: Callable[[str, Declared | None], Awaitable[HelperAnswer]]
    known: Known | None
    declared: Declared | None = None
    put: list[PutQuestion] = field(default_factory=list[PutQuestion])

    @property
    def definition(self) -> ToolDef:
        """The tool, as the engine calls it."""

        # The engine writes its mark on what it registers, which a bound method does not take.
        async def execute(question: str) -> str:
            with _not_the_agents():
                return await self._answer(question)

        parameters = ToolParams.model_validate(ASK_HUMAN.parameters)
        return ToolDef(execute, name=ASK, description=ASK_HUMAN.description, parameters=parameters)

    async def _answer(self, question: str) -> str:
        if sum(one.kind not in UNANSWERED for one in self.put) >= self.policy.most:
            self.put.append(PutQuestion(question, ENOUGH, OVER_THE_CAP))
            return ENOUGH
        answer = await self.person(question, self.declared)
        targeted = None if self.known is None else answer.targeted(self.known)
        gave = tuple(sorted(answer.gave))
        self.put.append(PutQuestion(question, answer.text, answer.kind or "said", targeted, gave))
        return answer.text

    def note_refused(self, call: ToolCall) -> None:
        """Count a call of the tool that the engine refused: nobody was asked."""
        self.put.append(PutQuestion(call.parse_error or str(call.arguments), "", BAD_ARGUMENTS))


OVER_THE_CAP = "over_the_cap"
BAD_ARGUMENTS = "bad_arguments"
UNANSWERED = frozenset({OVER_THE_CAP, BAD_ARGUMENTS})
"""Kinds of questions that reached nobody."""


@dataclass(slots=True)
class ToolRunner:
    """The offered tools, bound to one trial's session, and what came of each executed call.

    Attributes:
        ask_human: The line to a person, if one can be asked; its tool comes last.
        keep_calls: Whether what came of a call that is carried out says its arguments and its result.
        definitions: By shown name, in the order offered.
    """

    session: WorldState
    tools: Sequence[Tool]
    ask_human: AskHuman | None = None
    keep_calls: bool = False
    definitions: Mapping[str, ToolDef] = field(init=False)
    _names: Mapping[str, str] = field(init=False)
    _problems: dict[str, deque[str]] = field(init=False)

    def __post_init__(self) -> None:
        self._names = {shown: name for name, shown in shown_names(t.name for t in self.tools).items()}
        self._problems = defaultdict(deque)
        self.definitions = {spec["name"]: self._define(spec) for spec in shown_tools(self.tools)}
        if self.ask_human is not None:
            self.definitions = {**self.definitions, ASK: self.ask_human.definition}

    def _define(self, spec: Mapping[str, Any]) -> ToolDef:
        shown = str(spec["name"])
        name = self._names[shown]

        # Older versions of the engine know only this very name as "any argument".
        async def execute(**kwargs: Any) -> str:
            with _not_the_agents():
                seen = await carried_out(self.session, Call(name, kwargs))
            self._problems[shown].append(seen.problem.code if seen.problem else "")
            return seen.text()

        parameters = ToolParams.model_validate(spec["parameters"])
        return ToolDef(execute, name=shown, description=str(spec["description"]), parameters=parameters)

    async def close(self) -> None:
        """Let go of what the session started outside, also where the trial is being cancelled."""
        if isinstance(self.session, Outside) and self.session.waits:
            with CancelScope(shield=True):
                await to_thread.run_sync(self.session.close)

    def wanted(self, calls: Sequence[ToolCall]) -> list[ToolDef]:
        """The definitions that these calls name, each once: passing only those saves the engine work."""
        names = dict.fromkeys(call.function for call in calls)
        return [self.definitions[name] for name in names if name in self.definitions]

    def made(self, calls: Sequence[ToolCall], results: Sequence[ChatMessage]) -> list[MadeCall]:
        """Say what came of each call, in the order asked; questions to a person are no calls.

        A call that the engine refused (arguments against the schema, an invented name) never reached the
        session; its result carries an error.
        """
        made: list[MadeCall] = []
        for call, message in paired(calls, results):
            refused = message is not None and message.error is not None
            if self.ask_human is None or call.function != ASK:
                made.append(self._made(call, message, refused=refused))
            elif refused or call.parse_error:
                self.ask_human.note_refused(call)
        return made

    def only_asks(self, calls: Sequence[ToolCall]) -> bool:
        """Whether a round is nothing but questions to a person."""
        return self.ask_human is not None and all(call.function == ASK for call in calls)

    def noted(self, calls: Sequence[ToolCall], *, keep: bool) -> list[MadeCall]:
        """Calls of which none is carried out; `keep` says whether their arguments are kept."""
        return [self.named(call, "bad_arguments" if call.parse_error else "", keep=keep) for call in calls]

    def named(self, call: ToolCall, problem: str, result: str = "", *, keep: bool) -> MadeCall:
        """A call under the tool's own name; `keep` says whether its arguments and its result are kept."""
        name = self._names.get(call.function)
        return MadeCall(
            tool=call.function if name is None else name,
            offered=name is not None,
            problem=problem if name is not None else "unknown_tool",
            arguments=dict(call.arguments) if keep and not call.parse_error else None,
            result=result if keep else "",
        )

    def _made(self, call: ToolCall, message: ChatMessageTool | None, *, refused: bool) -> MadeCall:
        waiting = self._problems[call.function]
        said = "" if message is None else told_by(message)
        if refused or call.parse_error or not waiting:
            return self.named(call, "bad_arguments", said, keep=self.keep_calls)
        return self.named(call, waiting.popleft(), said, keep=self.keep_calls)


@contextmanager
def _not_the_agents() -> Generator[None]:
    """What the world or a person's model breaks with is no result of a call, but a failure of the instrument.

    The engine tells these exceptions to the agent, as if its call had been wrong; all others end the trial.
    """
    try:
        yield
    except (OSError, UnicodeDecodeError) as error:
        raise InstrumentFailure(f"a tool broke: {type(error).__name__}: {error}") from error


async def carried_out(session: WorldState, call: Call) -> Observation:
    """Carry a call out; one that waits for somebody else's process keeps no other trial waiting."""
    if isinstance(session, Outside) and session.waits:
        return await to_thread.run_sync(session.call, call, abandon_on_cancel=True)
    return session.call(call)


def told_by(message: ChatMessageTool) -> str:
    """What an agent reads in the message of a result: its text, or why there is none."""
    return message.text or (message.error.message if message.error else "")


def paired(
    calls: Sequence[ToolCall], results: Iterable[ChatMessage]
) -> Iterator[tuple[ToolCall, ChatMessageTool | None]]:
    """Yield the calls of one message, each with its result; those that share an id go by their order."""
    answered: defaultdict[str | None, deque[ChatMessageTool]] = defaultdict(deque)
    for result in results:
        if isinstance(result, ChatMessageTool):
            answered[result.tool_call_id].append(result)
    for call in calls:
        yield call, answered[call.id].popleft() if answered[call.id] else None
