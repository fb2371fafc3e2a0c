"""A person in an agent's place, as a model provider of the engine: `--model person/NAME`.

Everything else of a run is as for any model: the world, the user, the judge, the logs. Nothing that a person
says is declared; a judge reads it as it reads a model's.
"""

import json
from collections.abc import Sequence
from functools import partial

from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
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
from knowact.core.clean import dumps
from knowact.engine.gold_context import place_in_words
from knowact.engine.own_model import OwnModel
from knowact.engine.terminal import ASSISTANT, ask_at_terminal
from knowact.engine.tools import told_by
from knowact.roles.desk import (
    HELP_TEXT,
    INSTRUCTIONS,
    SEEN,
    TOOLS,
    Make,
    OfferedTool,
    Refused,
    Show,
    TypedMessage,
    completions,
    read_entry,
    tools_in_words,
)


class PersonAgent(OwnModel):
    """Somebody at the terminal, who reads what an agent reads and types what it does next."""

    _last: str | None = None
    _instructions = ""
    _calls = 0

    async def generate(
        self,
        input: list[ChatMessage],  # noqa: A002 - the engine's name
        tools: list[ToolInfo],
        tool_choice: ToolChoice,  # noqa: ARG002
        config: GenerateConfig,  # noqa: ARG002
    ) -> ModelOutput:
        """Show what is new, and have the person type until it is a message or a call.

        Raises:
            NobodyThere: The terminal's input has come to its end.
        """
        desk = offered(tools)
        text = self._news(input, desk)
        while True:
            typed = await ask_at_terminal(text, ASSISTANT, partial(completions, tools=desk))
            match read_entry(typed, desk):
                case TypedMessage(words):
                    return self._output(words)
                case Make(tool, arguments):
                    return self._output("", tool, dict(arguments))
                case Show(topic, word):
                    text = _shown(topic, word, input, desk)
                case Refused(why):
                    text = why

    def _news(self, messages: Sequence[ChatMessage], desk: Sequence[OfferedTool]) -> str:
        """What the person has not read yet."""
        places = [n for n, each in enumerate(messages) if self._last is not None and each.id == self._last]
        if places:
            return _in_words(messages[places[-1] + 1 :])
        instructions = _instructions(messages)
        again = "Your instructions are those of the last task (instructions shows them)."
        opening = [again if instructions == self._instructions else instructions] if instructions else []
        self._instructions = instructions
        tools = f"You have {len(desk):,} tools (tools shows them; help explains)." if desk else ""
        return "\n".join(["", "-" * 20, place_in_words(), *opening, tools, _in_words(messages)])

    def _output(
        self, text: str, tool: str = "", arguments: dict[str, JsonValue] | None = None
    ) -> ModelOutput:
        self._calls += 1
        calls = (
            [ToolCall(id=f"call-{self._calls}", function=tool, arguments=arguments or {})] if tool else None
        )
        message = ChatMessageAssistant(content=text, tool_calls=calls, source="generate")
        self._last = message.id
        output = ModelOutput.from_message(message, stop_reason="tool_calls" if tool else "stop")
        output.model = f"person/{self.model_name}"
        # Otherwise the engine would load a tokeniser; a person has no tokens.
        output.usage = ModelUsage()
        return output


def _instructions(messages: Sequence[ChatMessage]) -> str:
    return "\n\n".join(message.text for message in messages if isinstance(message, ChatMessageSystem))


def _shown(topic: str, word: str, messages: Sequence[ChatMessage], desk: Sequence[OfferedTool]) -> str:
    if topic == TOOLS:
        return tools_in_words(desk, word)
    if topic == SEEN:
        return _in_words(messages)
    return (_instructions(messages) or "There are none.") if topic == INSTRUCTIONS else HELP_TEXT


def _in_words(messages: Sequence[ChatMessage]) -> str:
    """What was said and looked up, the system's message left out."""
    return "\n".join(line for message in messages for line in _lines(message))


def _lines(message: ChatMessage) -> list[str]:
    if isinstance(message, ChatMessageSystem):
        return []
    if isinstance(message, ChatMessageTool):
        return [f"{message.function} says:", _readable(told_by(message))]
    if isinstance(message, ChatMessageAssistant):
        words = [f"You: {message.text}"] if message.text else []
        calls = message.tool_calls or []
        return words + [f"You call: {call.function} {dumps(call.arguments)}" for call in calls]
    # A question that a probe asks has many lines.
    return ["", "The user:", message.text] if "\n" in message.text else ["", f"The user: {message.text}"]


def _readable(text: str) -> str:
    """A result, with a line per entry where it is JSON."""
    try:
        return dumps(json.loads(text), indent=1)
    except (ValueError, RecursionError):
        return text


@modelapi(name="person")
def person() -> type[ModelAPI]:
    """Register the provider under the prefix `person/`."""
    return PersonAgent
