"""The built-in agents as a model provider of the engine: `--model knowact/<name>`.

They need no key and no network, and report usage (the engine would otherwise download a tokeniser).
"""

from itertools import takewhile

from inspect_ai.model import ChatCompletionChoice as Choice
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    GenerateConfig,
    ModelAPI,
    ModelOutput,
    ModelUsage,
    modelapi,
)
from inspect_ai.tool import ToolCall, ToolChoice, ToolInfo
from pydantic import JsonValue

from knowact.agents.catalogue import agent, unfit
from knowact.agents.conversants import ConversationView, move
from knowact.agents.policy import Attempt, Move, View
from knowact.core.errors import BadUsage
from knowact.core.seeds import generator
from knowact.engine.gold_context import GoldContext, current_gold
from knowact.engine.own_model import OwnModel
from knowact.probes.probe import Question

NOTE = "(I have looked.)"
"""What is said where only tools that look are offered, and nobody hears it."""

CHARACTERS_PER_TOKEN = 4
"""A rough count, so that token columns are filled and stable."""


class BuiltInAgent(OwnModel):
    """One of the agents of `knowact.agents.catalogue`, by name."""

    def __init__(self, model_name: str, *, config: GenerateConfig | None = None, **_given: JsonValue) -> None:
        super().__init__(model_name, config=config)
        self.agent = agent(model_name)

    async def generate(
        self,
        input: list[ChatMessage],  # noqa: A002 - the engine's name
        tools: list[ToolInfo],
        tool_choice: ToolChoice,  # noqa: ARG002
        config: GenerateConfig,  # noqa: ARG002
    ) -> ModelOutput:
        """Make the agent's next move."""
        now = current_gold()
        move = (
            Move("I only take part in knowact's tasks.")
            if now is None
            else self._move(now, input, len(tools))
        )
        made = [_call(number, call) for number, call in enumerate(move.calls)]
        message = ChatMessageAssistant(
            content=move.text,
            tool_calls=made or None,
            source="generate",
            metadata=move.declared.to_metadata(),
        )
        output = ModelOutput(
            model=f"knowact/{self.model_name}",
            choices=[Choice(message=message, stop_reason="tool_calls" if made else "stop")],
        )
        read = sum(len(m.text) for m in input) // CHARACTERS_PER_TOKEN
        wrote = len(move.text) // CHARACTERS_PER_TOKEN + 10 * len(made)
        output.usage = ModelUsage(input_tokens=read, output_tokens=wrote, total_tokens=read + wrote)
        return output

    def _move(self, now: GoldContext, messages: list[ChatMessage], offered: int) -> Move:
        probe = now.probe
        if complaint := unfit(self.model_name, converses=now.gold is not None):
            raise BadUsage(complaint)
        if now.gold is not None:
            sent = sum(message.role == "assistant" and message.text != NOTE for message in messages)
            rng = generator(now.seed, self.model_name, now.item.id, probe.name, now.epoch, sent)
            made = move(self.model_name, ConversationView(now.gold, sent, rng, probe.strategy))
            # What is said in the first of two phases is for nobody's ears.
            return made if made.calls or offered == len(now.item.tools) else Move(NOTE)
        # Only acting has turns; a question is answered by what it asks, whatever was said before.
        since = takewhile(lambda message: message.role != "user", reversed(messages))
        turns = sum(message.role == "assistant" for message in since)
        turn = turns if probe.question is Question.DO_IT else 0
        rng = generator(now.seed, self.model_name, now.item.id, probe.name, now.epoch)
        scripted = probe.replies(self.model_name, now.item, rng) if probe.replies else ""
        asking = (probe.about, probe.help is not None, now.known, scripted, probe.strategy, probe.preceded)
        view = View(now.item, turn, rng, *asking)
        match probe.question:
            case Question.TOOLS_NEEDED:
                return self.agent.know(view)
            case Question.PROCEED:
                return self.agent.proceed(view)
            case Question.WHY:
                return self.agent.explain(view)
            case Question.CONTINUE:
                return self.agent.go_on(view)
            case Question.OWN:
                return self.agent.reply(view)
            case Question.DO_IT | Question.CONVERSE:
                return self.agent.act(view)


def _call(number: int, attempt: Attempt) -> ToolCall:
    call = ToolCall(id=f"call-{number}", function=attempt.tool, arguments={})
    if isinstance(attempt.arguments, str):
        call.parse_error = f"Error parsing the arguments of {attempt.tool}: {attempt.arguments}"
    else:
        call.arguments = dict(attempt.arguments)
    return call


@modelapi(name="knowact")
def knowact_agents() -> type[ModelAPI]:
    """Register the provider under the prefix `knowact/`."""
    return BuiltInAgent
