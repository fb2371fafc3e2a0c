"""Built-in agents in the car without the engine's machinery: the real loop, user, rulings and scoring."""

import asyncio
from contextvars import Context
from functools import cache
from typing import Any, cast

from inspect_ai.model import ChatMessage, ChatMessageAssistant, Model, ModelOutput
from inspect_ai.tool import ToolCall

from knowact.agents.car import Talk, move
from knowact.core.record import Record
from knowact.core.seeds import generator
from knowact.core.suite import Plan
from knowact.engine.conversation import Conversation
from knowact.engine.loop import chat
from knowact.engine.purse import Purse
from knowact.engine.talks import Talks
from knowact.engine.termination import TerminationJudge
from knowact.people.gold_plan import GoldPlan
from knowact.suites.car.casting import gold_of
from knowact.suites.car.items import CarItem, plan
from knowact.suites.car.records import record_of
from knowact.suites.car.suite import SUITE
from knowact.suites.car.task import talks_of
from knowact.worlds.car.record import Trial


def planned(**changed: Any) -> Plan:
    """The items of a run with these options, the others at their defaults."""
    return plan({**SUITE.defaults(), **changed})


@cache
def shipped() -> tuple[CarItem, ...]:
    """All items of our own data, under the default options."""
    return cast("tuple[CarItem, ...]", planned().items)


@cache
def _talks() -> Talks:
    return talks_of({**SUITE.defaults(), "limit": 1})


class _Agent:
    """A built-in agent where the loop expects a model."""

    def __init__(self, name: str, gold: GoldPlan, item: str) -> None:
        self.name, self.gold, self.item, self.sent = name, gold, item, 0

    async def generate(self, messages: list[ChatMessage], tools: Any) -> ModelOutput:
        dice = generator(0, self.name, self.item, "conversation", 1, self.sent)
        made = move(self.name, Talk(self.gold, self.sent, dice))
        self.sent += 1
        calls = [_call(number, one.tool, one.arguments) for number, one in enumerate(made.calls)]
        metadata = made.declared.to_metadata()
        message = ChatMessageAssistant(content=made.text, tool_calls=calls or None, metadata=metadata)
        return ModelOutput.from_message(message)


def _call(number: int, tool: str, arguments: Any) -> ToolCall:
    if isinstance(arguments, str):
        return ToolCall(id=f"c{number}", function=tool, arguments={}, parse_error=arguments)
    return ToolCall(id=f"c{number}", function=tool, arguments=dict(arguments))


def held(agent: str, item: CarItem) -> Trial:
    """One conversation of a built-in agent with the scripted user."""
    talks = _talks()
    seat = talks.seat(item, 1)
    purse = Purse(seat.recorder)
    conversation = Conversation(
        model=cast("Model", _Agent(agent, gold_of(item), item.id)),
        messages=chat(talks.brief(item, seat.context)),
        tools=seat.tools,
        recorder=seat.recorder,
        purse=purse,
        ended=seat.ended,
        user=talks.user(item, item.id, purse),
        terminator=TerminationJudge(talks.case(item), talks.votes, item.id, purse.of("judge")),
        most_steps=talks.most_steps,
        declares=True,
    )
    # In a context of its own: roles that the engine has bound for another test would still be there.
    return Context().run(asyncio.run, conversation.held())


def trial(agent: str, item: CarItem) -> Record:
    """What a built-in agent comes to on an item."""
    return record_of(item, 1, [held(agent, item)], graded=False)
