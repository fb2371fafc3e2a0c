"""Built-in agents in the car without the engine's machinery: the real loop, user, rulings and scoring."""

import asyncio
from contextvars import Context
from functools import cache
from typing import Any, cast

from inspect_ai.model import ChatMessage, ChatMessageAssistant, Model, ModelOutput
from inspect_ai.tool import ToolCall

from knowact.agents.conversants import ConversationView, move
from knowact.core.conversation import Stop
from knowact.core.record import Record
from knowact.core.seeds import generator
from knowact.core.suite import Plan
from knowact.engine.conversation import Conversation
from knowact.engine.conversations import ConversationSpec
from knowact.engine.loop import chat
from knowact.engine.termination import TerminationJudge, extracted
from knowact.engine.usage import UsageTracker
from knowact.roles.gold_plan import GoldPlan
from knowact.suites.car.items import CarItem, plan
from knowact.suites.car.records import record_of
from knowact.suites.car.role_views import gold_of
from knowact.suites.car.suite import SUITE
from knowact.suites.car.task import spec
from knowact.worlds.car.record import CarRecorder, CarTrial


def planned(**changed: Any) -> Plan:
    """The items of a run with these options, the others at their defaults."""
    return plan({**SUITE.defaults(), **changed})


@cache
def shipped() -> tuple[CarItem, ...]:
    """All items of our own data, under the default options."""
    return cast("tuple[CarItem, ...]", planned().items)


@cache
def _spec() -> ConversationSpec:
    return spec(planned(limit=1), {**SUITE.defaults(), "limit": 1})


class _Agent:
    """A built-in agent where the loop expects a model."""

    def __init__(self, name: str, gold: GoldPlan, item: str) -> None:
        self.name, self.gold, self.item, self.sent = name, gold, item, 0

    async def generate(self, messages: list[ChatMessage], tools: Any) -> ModelOutput:
        rng = generator(0, self.name, self.item, "conversation", 1, self.sent)
        made = move(self.name, ConversationView(self.gold, self.sent, rng))
        self.sent += 1
        calls = [_call(number, one.tool, one.arguments) for number, one in enumerate(made.calls)]
        metadata = made.declared.to_metadata()
        message = ChatMessageAssistant(content=made.text, tool_calls=calls or None, metadata=metadata)
        return ModelOutput.from_message(message)


def _call(number: int, tool: str, arguments: Any) -> ToolCall:
    if isinstance(arguments, str):
        return ToolCall(id=f"c{number}", function=tool, arguments={}, parse_error=arguments)
    return ToolCall(id=f"c{number}", function=tool, arguments=dict(arguments))


def held(agent: str, item: CarItem) -> CarTrial:
    """One conversation of a built-in agent with the scripted user."""
    spec = _spec()
    recorder = cast("CarRecorder", spec.recorder(item, 1))
    usage = UsageTracker(recorder)
    conversation = Conversation(
        model=cast("Model", _Agent(agent, gold_of(item), item.id)),
        messages=chat(spec.brief(item, recorder.session.context())),
        tools=item.tools,
        recorder=recorder,
        user=spec.user(item, item.id, usage),
        judge=TerminationJudge(spec.rules(item), spec.votes, item.id, usage.of("judge")),
        most_steps=spec.most_steps,
        declares=True,
    )
    # In a context of its own: roles that the engine has bound for another test would still be there.
    stop = Context().run(asyncio.run, conversation.hold())
    trial = recorder.close(stop)
    form = spec.form(item)
    if form is not None and stop in {Stop.WORD, Stop.TOOL}:
        read = extracted(form, trial, conversation.declared, item.id, usage.of("extractor"))
        recorder.extracted(Context().run(asyncio.run, read))
    return recorder.close(stop)


def trial(agent: str, item: CarItem) -> Record:
    """What a built-in agent comes to on an item."""
    return record_of(item, 1, [held(agent, item)], graded=False)
