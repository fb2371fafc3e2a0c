"""A person in an agent's place, as a model provider of the engine: `--model person/NAME`.

Everything else of a run is as for any model: the world, the user, the judge, the logs. Nothing that a person
says is declared; a judge reads it as it reads a model's.
"""

import json
from collections.abc import Sequence
from functools import partial
from typing import Any

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

    def __init__(self, model_name: str, **given: Any) -> None:
        super().__init__(model_name, **given)
        self._last: str | None = None
        self._instructions = ""
        self._calls = 0

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
        offered = [
            OfferedTool(one.name, one.description, one.parameters.model_dump(exclude_none=True))
            for one in tools
        ]
        text = self._news(input, offered)
        while True:
            typed = await ask_at_terminal(text, ASSISTANT, partial(completions, tools=offered))
            match read_entry(typed, offered):
                case TypedMessage(said):
                    return self._output(said)
                case Make(tool, arguments):
                    return self._output("", tool, dict(arguments))
                case Show(what, word):
                    text = _shown(what, word, input, offered)
                case Refused(why):
                    text = why

    def _news(self, messages: Sequence[ChatMessage], offered: Sequence[OfferedTool]) -> str:
        """What the person has not read yet."""
        places = [n for n, one in enumerate(messages) if self._last is not None and one.id == self._last]
        if places:
            return _in_words(messages[places[-1] + 1 :])
        told = _instructions(messages)
        again = "Your instructions are those of the last task (instructions shows them)."
        opening = [] if not told else [again if told == self._instructions else told]
        self._instructions = told
        tools = f"You have {len(offered):,} tools (tools shows them; help explains)." if offered else ""
        return "\n".join(["", "-" * 20, place_in_words(), *opening, tools, _in_words(messages)])

    def _output(self, text: str, tool: str = "", arguments: dict[str, Any] | None = None) -> ModelOutput:
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
    return "\n\n".join(one.text for one in messages if isinstance(one, ChatMessageSystem))


def _shown(what: str, word: str, messages: Sequence[ChatMessage], offered: Sequence[OfferedTool]) -> str:
    if what == TOOLS:
        return tools_in_words(offered, word)
    if what == SEEN:
        return _in_words(messages)
    return (_instructions(messages) or "There are none.") if what == INSTRUCTIONS else HELP_TEXT


def _in_words(messages: Sequence[ChatMessage]) -> str:
    """What was said and looked up, the system's message left out."""
    return "\n".join(line for one in messages for line in _lines(one))


def _lines(message: ChatMessage) -> list[str]:
    if isinstance(message, ChatMessageSystem):
        return []
    if isinstance(message, ChatMessageTool):
        return [f"{message.function} says:", _readable(told_by(message))]
    if isinstance(message, ChatMessageAssistant):
        said = [f"You: {message.text}"] if message.text else []
        return said + [f"You call: {one.function} {dumps(one.arguments)}" for one in message.tool_calls or []]
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
