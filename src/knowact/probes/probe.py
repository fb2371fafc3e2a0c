"""Probes: how an agent is asked. Pure: messages out, nothing is sent from here."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from random import Random
from typing import Any, Final, Literal, cast

from knowact.core.names import shown_names
from knowact.core.prompts import Prompt
from knowact.core.record import Preceding
from knowact.core.schema import normalised
from knowact.core.suite import Item
from knowact.core.task import Opening, PastCall
from knowact.core.tool import Tool
from knowact.core.transcript import CONVERSATION
from knowact.probes.talk import Talk


@dataclass(frozen=True, slots=True)
class Message:
    """One message that opens a probe. `calls` are an assistant's earlier ones, with their results."""

    role: Literal["system", "user", "assistant"]
    text: str
    calls: tuple[PastCall, ...] = ()


def opening_messages(opening: Opening) -> tuple[Message, ...]:
    """What was said before an agent is asked, a message each."""
    return tuple(Message(one.role, one.text, one.calls) for one in opening.utterances)


Replying = Callable[[str, Item, Random], str]
"""From a built-in agent's name (without prefix), an item and random numbers to what that agent replies."""

Asking = Callable[[Item, Mapping[str, str]], Sequence[Message]]
"""From an item and the shown context (date, place, locale; equal in every probe) to messages."""


class Question(StrEnum):
    """What a probe asks for; built-in agents answer by it."""

    TOOLS_NEEDED = "tools needed"
    """Which of the offered tools does the task take?"""
    PROCEED = "can you proceed"
    """Is what it takes at hand? Yes, no, or (where allowed) I don't know."""
    DO_IT = "do it"
    """Do the task."""
    CONTINUE = "talk"
    """Go on with the dialogue, one message, tools at hand; nothing is carried out."""
    WHY = "why not"
    """Why is the answer no?"""
    CONVERSE = "converse"
    """Talk with a user, tools at hand, until the user leaves."""
    OWN = "a question of the suite's own"
    """The suite says what the built-in agents reply to it (`Probe.replies`)."""


Subject = Literal["information", "tools"]
"""What can be missing: a detail of the request, or a tool."""

ASK_HUMAN: Final = Tool(
    name="ask_human",
    description=(
        "Asks the person who sent the request one question and returns what they answer. They know what they "
        "want and may be able to do some things themselves; they do not see your other tools. Ask when you "
        "cannot go on without it."
    ),
    parameters={
        "type": "object",
        "properties": {"question": {"type": "string", "description": "The question, in full sentences."}},
        "required": ["question"],
    },
)
"""The line to a person, as an agent sees it; the engine binds it to whoever answers."""


@dataclass(frozen=True, slots=True)
class Help:
    """A person can be asked while acting, through the tool `ask_human`.

    Attributes:
        most: Maximum number of questions answered per trial.
        charged: Whether a round of questions counts as a round (as in the published runs).
    """

    most: int
    charged: bool = False


@dataclass(frozen=True, slots=True)
class Probe:
    """One way of asking.

    Attributes:
        name: As in `Record.outcomes`.
        question: What is asked for.
        rounds: Most model calls in one trial; 1 is a question.
        execute: Whether the tools are registered and calls carried out. A probe that only asks about
            tools prints them and registers nothing.
        opening: The messages it starts with.
        about: For "can you proceed": what is asked about; empty asks about both.
        help: Whether a person can be asked; None offers nobody.
        keep_calls: Whether arguments and results of calls are kept with the outcome, for suites that score
            by them. (Transcripts have them in any case.)
        follows: The probes whose messages come before these, their answers included; empty for a conversation
            of its own. The chat has one system message: this probe's, where it has one. It is asked only if
            each of them was answered in words.
        preceded: What stands before the request, where acting with and without it is compared.
        registers: Whether tools are registered although nothing is carried out: the agent may call, once.
        replies: What the built-in agents reply to a question of the suite's own.
        letters: What the reply should be one of, where the provider is asked for their probabilities.
        of: What is asked, where that is not the trial's own item: the same task under another condition, so
            that two answers can be compared.
        strategy: The strategy that it is put under (`probes.strategies`); empty for none.
        temperature: At which it is sampled where the run as a whole is greedy; None keeps it greedy.
        talk: What a conversation takes beside all this; None for every other probe.
    """

    name: str
    question: Question
    rounds: int
    execute: bool
    opening: Asking
    about: Literal["", "information", "tools"] = ""
    help: Help | None = None
    keep_calls: bool = False
    follows: tuple[str, ...] = ()
    preceded: Preceding = Preceding.NOTHING
    registers: bool = False
    of: Item | None = None
    replies: Replying | None = None
    strategy: str = ""
    temperature: float | None = None
    letters: tuple[str, ...] = ()
    talk: Talk | None = None

    def __post_init__(self) -> None:
        if (self.question is Question.OWN) != (self.replies is not None):
            raise ValueError("a probe says what built-in agents reply exactly where the question is its own")


def conversation(opening: Asking, most_steps: int, talk: Talk, strategy: str = "") -> Probe:
    """The one probe of a trial that is a conversation with a user.

    Args:
        opening: The agent's system message, from the item and what the world shows the agent.
        most_steps: Messages of the agent in one conversation.
        talk: Who talks, and what decides about it.
        strategy: What the agent is put under; built-in agents look at it.
    """
    return Probe(
        *(CONVERSATION, Question.CONVERSE, most_steps),
        execute=True,
        opening=opening,
        strategy=strategy,
        talk=talk,
    )


def one_reply(name: str, assistant: Prompt, system: Callable[[Item], str] | None = None) -> Probe:
    """Let the agent go on with what was said, tools registered: one reply, nothing carried out.

    Args:
        name: The probe's.
        assistant: The system message; its one placeholder is the context.
        system: The system message that an item has of its own, which stands in place of ours; None where all
            items have ours.
    """

    def opening(item: Item, context: Mapping[str, str]) -> Sequence[Message]:
        own = None if system is None or context else system(item)
        text = assistant.fill({"context": context_as_text(context)}).strip() if own is None else own
        return (*([Message("system", text)] if text else []), *opening_messages(item.task.opening))

    return Probe(
        *(name, Question.CONTINUE), rounds=1, execute=False, opening=opening, registers=True, keep_calls=True
    )


@lru_cache(maxsize=4096)
def _normal_form(parameters: str) -> dict[str, Any]:
    """Each tool is shown several times in a trial and in many trials; its schema is read once."""
    return normalised(json.loads(parameters)).schema


def shown_tools(tools: Sequence[Tool]) -> list[dict[str, Any]]:
    """Tools as both probes show them: sanitised name, description, normalised schema."""
    shown = shown_names(tool.name for tool in tools)
    return [
        {
            "name": shown[tool.name],
            "description": _promised(tool) or shown[tool.name],
            "parameters": _normal_form(json.dumps(tool.parameters)),
        }
        for tool in tools
    ]


def _promised(tool: Tool) -> str:
    """A tool's description with what its result holds, so that nobody has to guess what it can find out.

    Published tools are shown as their data have them: nobody has said what they can do.
    """
    fields: object = (tool.returns or {}).get("properties")
    if tool.capability is None or not isinstance(fields, dict):
        return tool.description
    shapes = cast("Mapping[str, Mapping[str, object]]", fields)
    told = (f"{name} ({str(shape.get('description', '')).rstrip('.')})" for name, shape in shapes.items())
    return f"{tool.description}\n\nReturns {', '.join(told)}."


def tools_as_text(tools: Sequence[Tool]) -> str:
    """The shown tools as indented JSON, for probes that print them."""
    return json.dumps(shown_tools(tools), indent=2, ensure_ascii=False)


def context_as_text(context: Mapping[str, str]) -> str:
    """The shown context, a line each; empty where a world shows nothing."""
    return "\n".join(f"{name}: {value}" for name, value in context.items())
