"""The one loop for all models: a question, or rounds of calls until the agent answers in words."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageTool,
    ChatMessageUser,
    GenerateConfig,
    Model,
    ModelOutput,
    execute_tools,
)
from inspect_ai.tool import ToolCall, ToolDef

from knowact.core.declared import Declared, declared_in
from knowact.core.names import sanitised
from knowact.core.record import Outcome
from knowact.core.world import Observation
from knowact.engine.budget import BUDGET
from knowact.engine.compat import temperature_of_run
from knowact.engine.gold_context import current_gold
from knowact.engine.outputs import limit_of
from knowact.engine.tools import ToolRunner
from knowact.probes.probe import Message, Probe
from knowact.probes.response import MadeCall, Response


def chat(messages: Sequence[Message]) -> list[ChatMessage]:
    """Our messages as the engine's; earlier calls become a message of the assistant and one per result."""
    return [engine_message for number, one in enumerate(messages) for engine_message in _spoken(one, number)]


def _spoken(one: Message, number: int) -> Iterator[ChatMessage]:
    if one.role == "system":
        yield ChatMessageSystem(content=one.text)
    elif one.role == "user":
        yield ChatMessageUser(content=one.text)
    else:
        # Providers pair call and result by id.
        made = [
            ToolCall(
                id=f"earlier-{number}-{place}", function=sanitised(call.tool), arguments=dict(call.arguments)
            )
            for place, call in enumerate(one.calls)
        ]
        yield ChatMessageAssistant(content=one.text, tool_calls=made or None)
        for call, past in zip(made, one.calls, strict=True):
            shown = Observation(past.result).text()
            yield ChatMessageTool(content=shown, tool_call_id=call.id, function=call.function)


def continued(before: Sequence[ChatMessage], opening: Sequence[Message]) -> list[ChatMessage]:
    """The chat that a probe opens, with what was said before in the same chat.

    Args:
        before: Earlier conversations, answers included, in which no tool was registered: a call in them was
            no answer, and providers refuse one that has no result.
        opening: Of the probe. Its system message stands in the place of the earlier ones.
    """
    opened = chat(opening)
    told = [one for one in opened if isinstance(one, ChatMessageSystem)]
    earlier = [one for one in before if not (told and isinstance(one, ChatMessageSystem))]
    rest = [one for one in opened if not isinstance(one, ChatMessageSystem)]
    return [*told, *map(_in_words, earlier), *rest]


def _in_words(message: ChatMessage) -> ChatMessage:
    if isinstance(message, ChatMessageAssistant) and message.tool_calls:
        return message.model_copy(update={"tool_calls": None})
    return message


async def ask(probe: Probe, model: Model, messages: list[ChatMessage]) -> Response:
    """Ask one question with nothing registered; the answer is added to `messages`, as in all of these."""
    output = await _generate(probe, model, messages, [])
    said = output.message
    messages.append(said)
    found = chances(output, probe.letters) if probe.letters else {}
    return replace(_outcome(probe, output, [said]), chances=found)


MOST_LIKELY = 20
"""Tokens whose probabilities are asked for at each place: the most that providers give."""


def chances(output: ModelOutput, letters: Sequence[str]) -> dict[str, float]:
    """The probability of each letter at the first place where the model wrote one; empty where none is given.

    Tokens that differ in blanks and punctuation alone ("B", " B", "(B") are one letter. What is not among the
    most likely tokens counts as impossible; the letters' probabilities are scaled to 1.
    """
    given = output.choices[0].logprobs if output.choices else None
    for place in given.content if given else ():
        if _letter(place.token) in letters and place.top_logprobs:
            found = dict.fromkeys(letters, 0.0)
            for one in place.top_logprobs:
                if (letter := _letter(one.token)) in found:
                    found[letter] += math.exp(one.logprob)
            whole = math.fsum(found.values())
            return {letter: value / whole for letter, value in found.items()} if whole else {}
    return {}


def _letter(token: str) -> str:
    return token.strip(" \t\n().:*\"'`")


async def reply(probe: Probe, model: Model, messages: list[ChatMessage], runner: ToolRunner) -> Response:
    """Ask for one reply with the tools registered; calls are noted, none is carried out."""
    output = await _generate(probe, model, messages, list(runner.definitions.values()))
    said = output.message
    messages.append(said)
    made = runner.noted(said.tool_calls or [], keep=probe.keep_calls)
    return _outcome(probe, output, [said], made)


async def act(probe: Probe, model: Model, messages: list[ChatMessage], runner: ToolRunner) -> Response:
    """Let the agent call tools until it answers in words, or its rounds are used up.

    A round of nothing but questions to a person is free, unless the probe charges it. So are no more rounds
    than questions that are answered, or an agent that only asks would never end.
    """
    made: list[MadeCall] = []
    spoken: list[ChatMessageAssistant] = []
    offered = list(runner.definitions.values())
    free = 0 if probe.help is None or probe.help.charged else probe.help.most
    rounds = 0
    while rounds < probe.rounds:
        output = await _generate(probe, model, messages, offered)
        said = output.message
        messages.append(said)
        spoken.append(said)
        calls = said.tool_calls or []
        if not calls:
            return _outcome(probe, output, spoken, made, runner)
        if runner.ask_human is not None:
            runner.ask_human.declared = _declared([said])
        answered = await execute_tools(messages, runner.wanted(calls))
        messages.extend(answered.messages)
        made.extend(runner.made(calls, answered.messages))
        if free and runner.only_asks(calls):
            free -= 1
        else:
            rounds += 1
    return _outcome(probe, None, spoken, made, runner)


def _outcome(
    probe: Probe,
    output: ModelOutput | None,
    spoken: Sequence[ChatMessageAssistant],
    made: Sequence[MadeCall] = (),
    runner: ToolRunner | None = None,
) -> Response:
    """What came of a probe; without a last output its rounds were used up."""
    # Where nothing is registered, a call is no answer.
    called = output is not None and bool(made) and bool(output.message.tool_calls)
    return Response(
        probe=probe.name,
        outcome=Outcome.LIMIT if output is None else Outcome.ANSWERED if called else _ending(output),
        reply="" if output is None else output.message.text,
        calls=tuple(made),
        rounds=len(spoken),
        questions=() if runner is None or runner.ask_human is None else tuple(runner.ask_human.put),
        limit="" if output is None else limit_of(output),
        words="\n\n".join(one.text for one in spoken if one.text.strip()),
        declared=_declared(with_words(spoken)),
    )


def _declared(spoken: Sequence[ChatMessageAssistant]) -> Declared | None:
    """What a built-in agent declares of its words; nobody else is believed."""
    gold = current_gold()
    if gold is None or not gold.built_in:
        return None
    return declared_by(spoken)


def with_words(spoken: Sequence[ChatMessageAssistant]) -> list[ChatMessageAssistant]:
    """The messages that say something in words.

    What is said in a call of `ask_human` is declared to `AskHuman`, and stands in no words.
    """
    return [one for one in spoken if one.text.strip()]


def declared_by(spoken: Sequence[ChatMessageAssistant]) -> Declared:
    """All that messages of a built-in agent declare."""
    return sum((declared_in(one.metadata) for one in spoken), Declared())


async def _generate(
    probe: Probe, model: Model, messages: list[ChatMessage], tools: list[ToolDef]
) -> ModelOutput:
    BUDGET.check()
    # A model that reasons has no temperature, and one that was asked for on the command line stands.
    sampled = probe.temperature is not None and temperature_of_run() == 0
    config = GenerateConfig(temperature=probe.temperature) if sampled else GenerateConfig()
    if probe.letters:
        config = config.merge(GenerateConfig(logprobs=True, top_logprobs=MOST_LIKELY))
    output = await model.generate(messages, tools=tools, config=config)
    BUDGET.charge(output)
    return output


def _ending(output: ModelOutput) -> Outcome:
    """How a reply without calls ended, as far as the provider says. Reading comes later."""
    if limit_of(output):
        return Outcome.LIMIT
    if output.stop_reason == "content_filter":
        return Outcome.DECLINED
    return Outcome.ANSWERED if output.message.text.strip() else Outcome.EMPTY
