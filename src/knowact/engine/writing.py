"""Models that propose scenarios, write and judge: the roles `writer` and `judge` of `knowact forge`."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from inspect_ai.model import ChatMessage, ChatMessageUser, GenerateConfig, Model
from pydantic import ValidationError

from knowact.core.prompts import Prompt, load_prompt
from knowact.engine.budget import BUDGET
from knowact.engine.many import Progress, ask_each
from knowact.engine.models import reasons
from knowact.engine.roles import RETRIES, keyed, role_reply
from knowact.forge.briefs import Answer, Brief
from knowact.forge.drafts import Unusable
from knowact.forge.ratings import DIMENSIONS, Rating
from knowact.reading.json_text import last_object
from knowact.worlds.scenarios import Scenario

T = TypeVar("T")
R = TypeVar("R")
ATTEMPTS = 4
"""How often a writer is asked for one text, and a judge for one vote, before it stays open."""


class NoAnswer(Exception):  # noqa: N818 - reads as a sentence where it is raised
    """A model gave nothing that can be used, however often it was asked."""


@dataclass(frozen=True, slots=True)
class ToWrite:
    """A brief, and what is wrong with an answer to it."""

    brief: Brief
    complaints: Callable[[Answer], Sequence[str]]


@dataclass(frozen=True, slots=True)
class ToRate:
    """A request that a judge votes on.

    Attributes:
        brief: The brief's id.
        text: The hash of its text.
        shown: What the judge is shown.
        vote: Which of its votes this is.
    """

    brief: str
    text: str
    shown: str
    vote: int


@dataclass(frozen=True, slots=True)
class ToPropose:
    """A batch of scenarios that are wanted.

    Attributes:
        name: Of the batch.
        shown: What fills the prompt.
        proven: The scenario that code keeps of a name and an entry; raises `Unusable` where there is none.
    """

    name: str
    shown: Mapping[str, str]
    proven: Callable[[str, object], Scenario]


def propose_all(
    model: str,
    due: Iterable[ToPropose],
    keep: Callable[[Mapping[str, Scenario]], None],
    tell: Callable[[Progress], None],
    *,
    connections: int,
) -> Progress:
    """Have a model propose scenarios; those whose plans can be proven are kept as they come."""
    ask = partial(_proposed, prompt=load_prompt("knowact.forge", "proposer"))
    return _ask_all(model, due, ask, keep, tell, connections=connections)


def write_all(
    model: str,
    due: Iterable[ToWrite],
    keep: Callable[[Answer], None],
    tell: Callable[[Progress], None],
    *,
    connections: int,
) -> Progress:
    """Have a model write texts; each that passes the checks, or is refused, is kept as it comes."""
    ask = partial(_written, prompt=load_prompt("knowact.forge", "writer"))
    return _ask_all(model, due, ask, keep, tell, connections=connections)


def rate_all(
    model: str,
    due: Iterable[ToRate],
    keep: Callable[[Rating], None],
    tell: Callable[[Progress], None],
    *,
    connections: int,
) -> Progress:
    """Have a model vote on requests; each vote is kept as it comes."""
    ask = partial(_rated, prompt=load_prompt("knowact.forge", "rater"))
    return _ask_all(model, due, ask, keep, tell, connections=connections)


def _ask_all(
    model: str,
    due: Iterable[T],
    ask: Callable[[Model, str, T], Awaitable[R]],
    keep: Callable[[R], None],
    tell: Callable[[Progress], None],
    *,
    connections: int,
) -> Progress:
    async def one(player: Model, item: T) -> R:
        return await ask(player, model, item)

    BUDGET.limit = None
    return asyncio.run(ask_each(model, due, one, lambda _, came: keep(came), tell, connections=connections))


async def _proposed(player: Model, model: str, item: ToPropose, *, prompt: Prompt) -> dict[str, Scenario]:
    """Ask for scenarios until there is one that can be used; what was wrong with the last ones is said."""
    messages: list[ChatMessage] = [ChatMessageUser(content=prompt.fill(item.shown))]
    wrong: list[str] = []
    for attempt in range(1, ATTEMPTS + 1):
        with keyed(f"{item.name}.{attempt}"):
            output = await role_reply(player, messages, **_settings(model))
        found: dict[str, Scenario] = {}
        wrong = []
        for name, entry in (last_object(output.completion) or {}).items():
            try:
                found[name] = item.proven(name, entry)
            except Unusable as error:
                wrong.append(str(error))
        if found:
            return found
        messages += [output.message, ChatMessageUser(content=_not_yet(wrong))] if output.choices else []
    raise NoAnswer(f"no usable scenario: {wrong[0] if wrong else 'no JSON object'}")


def _not_yet(wrong: Sequence[str]) -> str:
    told = "\n".join(f"- {one}" for one in wrong)
    return f"Not yet:\n{told}\nReply with the whole object again."


async def _written(player: Model, model: str, item: ToWrite, *, prompt: Prompt) -> Answer:
    """Ask for texts until they pass the checks; what was wrong with the last ones is said."""
    brief = item.brief.model_dump_json(indent=1, exclude_defaults=True)
    messages: list[ChatMessage] = [ChatMessageUser(content=prompt.fill({"brief": brief}))]
    wrong: Sequence[str] = ()
    for attempt in range(1, ATTEMPTS + 1):
        with keyed(f"{item.brief.id}.{attempt}"):
            output = await role_reply(player, messages, **_settings(model))
        found = last_object(output.completion) or {}
        known = {"brief": item.brief.id, "writer": model, "prompt": prompt.sha256, "attempts": attempt}
        try:
            answer = Answer.model_validate({**found, **known})
            wrong = item.complaints(answer)
        except ValidationError as error:
            first = error.errors()[0]
            wrong = [f"the reply is not as asked for: {'.'.join(map(str, first['loc']))}: {first['msg']}"]
        else:
            if not wrong:
                return answer
        messages += [output.message, ChatMessageUser(content=_not_yet(wrong))] if output.choices else []
    raise NoAnswer(f"no usable text for brief {item.brief.id}: {wrong[0] if wrong else 'no reply'}")


async def _rated(player: Model, model: str, item: ToRate, *, prompt: Prompt) -> Rating:
    """Ask for a vote until it has all dimensions."""
    text = prompt.fill({"item": item.shown})
    for attempt in range(1, ATTEMPTS + 1):
        with keyed(f"{item.brief}.{item.vote}.{attempt}"):
            output = await role_reply(player, text, **_settings(model, seed=item.vote))
        found = last_object(output.completion) or {}
        holds = {name: value for name in DIMENSIONS if isinstance(value := found.get(name), bool)}
        if len(holds) == len(DIMENSIONS):
            return Rating(
                brief=item.brief,
                text=item.text,
                judge=model,
                vote=item.vote,
                prompt=prompt.sha256,
                holds=holds,
                why=str(found.get("why", "")),
            )
    raise NoAnswer(f"no usable vote on brief {item.brief}")


def _settings(model: str, seed: int | None = None) -> dict[str, object]:
    # A vote that repeats another one to the letter says nothing new.
    warm = None if reasons(model) else 1.0
    config = GenerateConfig(max_retries=RETRIES, temperature=warm, seed=seed)
    return config.model_dump(exclude_none=True)
