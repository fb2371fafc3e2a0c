"""Agents that are no models as a provider of the engine: `agent/SPEC`, which `--agent SPEC` names."""

from collections.abc import Callable, Sequence
from typing import Final

from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageTool,
    GenerateConfig,
    ModelAPI,
    ModelOutput,
    ModelUsage,
    modelapi,
)
from inspect_ai.tool import ToolCall, ToolChoice, ToolInfo
from pydantic import JsonValue

from knowact.agents.offered import offered
from knowact.agents.outside import command, python, solver
from knowact.agents.outside.reply import AgentUnavailable, ChatTurn, Reply
from knowact.agents.outside.session import AgentSession, Ended, PendingCall, Start
from knowact.core.clean import dumps, one_line
from knowact.core.errors import BadUsage
from knowact.engine.gold_context import current_gold
from knowact.engine.outputs import BROKE, WHY_BROKEN, InstrumentFailure
from knowact.engine.own_model import AGENT, OwnModel
from knowact.engine.tools import told_by

Begin = Callable[[Sequence[ChatMessage], Sequence[ToolInfo]], Start]
"""From messages and tools to a turn."""

SECONDS: Final = 600.0
"""How long an agent may take for one turn, unless `--agent-timeout` says otherwise."""


class OutsideAgent(OwnModel):
    """An agent of one's own. `NAME=SPEC` gives it the name that reports show."""

    def __init__(
        self,
        model_name: str,
        *,
        config: GenerateConfig | None = None,
        agent_timeout: float = SECONDS,
        agent_model: str = "",
        **_given: JsonValue,
    ) -> None:
        super().__init__(model_name, config=config)
        self._seconds = float(agent_timeout)
        self._begin = starting(spec_of(model_name), str(agent_model))
        self._sessions: dict[str, AgentSession] = {}

    async def generate(
        self,
        input: list[ChatMessage],  # noqa: A002 - the engine's name
        tools: list[ToolInfo],
        tool_choice: ToolChoice,  # noqa: ARG002
        config: GenerateConfig,  # noqa: ARG002
    ) -> ModelOutput:
        """Let the agent go on: with the results of its calls, or from the start of its turn.

        Raises:
            InstrumentFailure: Something that the agent depends on fails.
        """
        session = self._going_on(input) or self._new(input, tools)
        try:
            made = await session.move()
        except AgentUnavailable as error:
            raise InstrumentFailure(f"the agent is not available: {one_line(str(error))[:200]}") from error
        if isinstance(made, Ended):
            self._sessions.pop(session.name, None)
            return self._said(made)
        return self._called(made)

    def _going_on(self, messages: Sequence[ChatMessage]) -> AgentSession | None:
        """The session whose calls the last messages answer, with their results."""
        results: dict[str, str] = {}
        for message in reversed(messages):
            if not isinstance(message, ChatMessageTool):
                break
            results[message.tool_call_id or ""] = told_by(message)
        names = {name.rpartition("-")[0] for name in results}
        session = next((self._sessions[name] for name in names if name in self._sessions), None)
        if session is not None:
            session.take(results)
        return session

    def _new(self, messages: Sequence[ChatMessage], tools: Sequence[ToolInfo]) -> AgentSession:
        session = AgentSession(self._begin(messages, tools), self._seconds)
        self._sessions[session.name] = session
        if (now := current_gold()) is not None:
            now.endings.append(lambda: self._close(session))
        return session

    def _close(self, session: AgentSession) -> None:
        """End what a probe has left: its rounds were used up, or it wanted the first calls alone."""
        self._sessions.pop(session.name, None)
        session.close()

    def _called(self, pending: Sequence[PendingCall]) -> ModelOutput:
        calls = [ToolCall(id=call.id, function=call.tool, arguments=dict(call.arguments)) for call in pending]
        return self._output(ChatMessageAssistant(content="", tool_calls=calls, source="generate"), Reply(""))

    def _said(self, ended: Ended) -> ModelOutput:
        message = ChatMessageAssistant(content=ended.reply.text, source="generate")
        output = self._output(message, ended.reply)
        if ended.broke:
            output.metadata = {BROKE: ended.broke}
            output.error = one_line(ended.why)[:500]
            output.message.metadata = {WHY_BROKEN: output.error}
        return output

    def _output(self, message: ChatMessageAssistant, reply: Reply) -> ModelOutput:
        output = ModelOutput.from_message(message, stop_reason="tool_calls" if message.tool_calls else "stop")
        output.model = f"{AGENT}{self.model_name}"
        read, wrote = reply.input_tokens, reply.output_tokens
        output.usage = ModelUsage(
            input_tokens=read, output_tokens=wrote, total_tokens=read + wrote, total_cost=reply.cost
        )
        return output


def spec_of(name: str) -> str:
    """The specification in a model's name: what follows its `NAME=`."""
    head, equals, tail = name.partition("=")
    return tail if equals and ":" not in head else name


def starting(spec: str, asks: str = "") -> Begin:
    """From a specification to what begins a turn.

    Args:
        spec: `py:module:function`, `cmd:COMMAND` or `solver:file.py@name`.
        asks: The model that a solver asks.

    Raises:
        BadUsage: It is none, or names nothing that is there.
    """
    kind, _, rest = spec.partition(":")
    match kind:
        case "py":
            python.load(rest)
            # The engine keeps models from run to run, and a function may have been given anew meanwhile.
            return lambda messages, tools: python.turn(python.load(rest), _chat(messages), offered(tools))
        case "cmd":
            words = command.load(rest)
            return lambda messages, tools: command.turn(words, _chat(messages), offered(tools))
        case "solver":
            make = solver.load(rest)
            return lambda messages, tools: solver.turn(make, asks, messages, tools)
        case _:
            known = "py:module:function, cmd:COMMAND or solver:file.py@name"
            raise BadUsage(f"There is no agent {spec!r}. Write {known}.")


def _chat(messages: Sequence[ChatMessage]) -> list[ChatTurn]:
    return [as_chat(message) for message in messages]


def as_chat(message: ChatMessage) -> ChatTurn:
    """A message as the chat API has it."""
    if isinstance(message, ChatMessageTool):
        return {"role": "tool", "tool_call_id": message.tool_call_id or "", "content": told_by(message)}
    turn: ChatTurn = {"role": message.role, "content": message.text}
    if isinstance(message, ChatMessageAssistant) and message.tool_calls:
        turn["tool_calls"] = [
            {
                "id": call.id,
                "type": "function",
                "function": {"name": call.function, "arguments": dumps(call.arguments)},
            }
            for call in message.tool_calls
        ]
    return turn


@modelapi(name="agent")
def agent() -> type[ModelAPI]:
    """Register the provider under the prefix `agent/`."""
    return OutsideAgent
