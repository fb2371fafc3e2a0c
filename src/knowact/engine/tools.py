"""Tools of a session, as the engine calls them."""

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from inspect_ai.model import ChatMessage, ChatMessageTool
from inspect_ai.tool import ToolCall, ToolDef, ToolParams

from knowact.core.names import shown_names
from knowact.core.tool import Tool
from knowact.core.world import Call, Session
from knowact.engine.desk import ASK, Desk
from knowact.probes.outcome import MadeCall
from knowact.probes.probe import shown_tools


@dataclass(slots=True)
class Bench:
    """The offered tools, bound to one trial's session, and what came of each executed call.

    Attributes:
        desk: The line to a person, if one can be asked; its tool comes last.
        keep_calls: Whether what came of a call says its arguments and its result.
        definitions: By shown name, in the order offered.
    """

    session: Session
    tools: Sequence[Tool]
    desk: Desk | None = None
    keep_calls: bool = False
    definitions: Mapping[str, ToolDef] = field(init=False)
    _names: Mapping[str, str] = field(init=False)
    _problems: dict[str, deque[str]] = field(init=False)

    def __post_init__(self) -> None:
        self._names = {shown: name for name, shown in shown_names(t.name for t in self.tools).items()}
        self._problems = defaultdict(deque)
        self.definitions = {spec["name"]: self._define(spec) for spec in shown_tools(self.tools)}
        if self.desk is not None:
            self.definitions = {**self.definitions, ASK: self.desk.definition}

    def _define(self, spec: Mapping[str, Any]) -> ToolDef:
        shown = str(spec["name"])
        name = self._names[shown]

        # Older versions of the engine know only this very name as "any argument".
        async def execute(**kwargs: Any) -> str:
            seen = self.session.call(Call(name, kwargs))
            self._problems[shown].append(seen.problem.code if seen.problem else "")
            return seen.text()

        parameters = ToolParams.model_validate(spec["parameters"])
        return ToolDef(execute, name=shown, description=str(spec["description"]), parameters=parameters)

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
            if self.desk is None or call.function != ASK:
                made.append(self._made(call, message, refused=refused))
            elif refused or call.parse_error:
                self.desk.note_refused(call)
        return made

    def only_asks(self, calls: Sequence[ToolCall]) -> bool:
        """Whether a round is nothing but questions to a person."""
        return self.desk is not None and all(call.function == ASK for call in calls)

    def named(self, call: ToolCall, problem: str, result: str = "") -> MadeCall:
        """A call that somebody else carried out, under the tool's own name."""
        name = self._names.get(call.function)
        kept = self.keep_calls and not call.parse_error
        return MadeCall(
            tool=call.function if name is None else name,
            offered=name is not None,
            problem=problem if name is not None else "unknown_tool",
            arguments=dict(call.arguments) if kept else None,
            result=result if self.keep_calls else "",
        )

    def _made(self, call: ToolCall, message: ChatMessageTool | None, *, refused: bool) -> MadeCall:
        waiting = self._problems[call.function]
        said = "" if message is None else message.text or (message.error.message if message.error else "")
        if refused or call.parse_error or not waiting:
            return self.named(call, "bad_arguments", said)
        return self.named(call, waiting.popleft(), said)


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
