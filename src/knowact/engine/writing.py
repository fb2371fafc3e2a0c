"""Models that propose scenarios, write and judge: the roles `writer` and `judge` of `knowact forge`."""

import asyncio
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from inspect_ai.model import ChatMessage, ChatMessageUser, GenerateConfig, Model
from pydantic import ValidationError

from knowact.core.clean import dumps, one_line
from knowact.core.prompts import Prompt, load_prompt
from knowact.core.role_model import RoleModel
from knowact.engine.budget import BUDGET
from knowact.engine.filed import as_model
from knowact.engine.many import LONGEST_FAILURE, Progress, ask_each
from knowact.engine.models import reasons
from knowact.engine.roles import RETRIES, as_response, keyed, role_reply
from knowact.forge.asking import NotYet, ToAsk, not_as_asked, turn
from knowact.forge.briefs import Brief, BriefAnswer, Discard
from knowact.forge.drafts import Unusable
from knowact.forge.ratings import DIMENSIONS, MEANING, Rating
from knowact.reading.json_text import last_object
from knowact.worlds.scenarios import Scenario

R = TypeVar("R")
ATTEMPTS = 4
"""How often a writer is asked for one text before it is given up, and a judge for one vote."""


class NoAnswer(Exception):  # noqa: N818 - reads as a sentence where it is raised
    """A model gave nothing that can be used, however often it was asked."""


@dataclass(frozen=True, slots=True)
class ToWrite:
    """A brief, what is wrong with an answer to it, and its texts that judges discarded, in order."""

    brief: Brief
    complaints: Callable[[BriefAnswer], Sequence[str]]
    discarded: Sequence[Discard] = ()


@dataclass(frozen=True, slots=True)
class ToRate:
    """A request that a judge votes on.

    Attributes:
        brief: The brief's id.
        text: The hash of its text.
        shown: What the judge is shown.
        vote: Which of its votes this is.
        discarded: How many texts of this brief were discarded before.
    """

    brief: str
    text: str
    shown: str
    vote: int
    discarded: int = 0


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


def to_propose(due: Iterable[ToPropose]) -> Iterator[ToAsk[Mapping[str, Scenario]]]:
    """Ask for scenarios whose plans can be proven."""
    prompt = load_prompt("knowact.forge", "proposer")
    return (_to_propose(one, prompt) for one in due)


def to_write(due: Iterable[ToWrite], model: str) -> Iterator[ToAsk[BriefAnswer]]:
    """Ask a model for texts that pass the checks; one that it never gets right comes back as given up."""
    prompt = load_prompt("knowact.forge", "writer")
    return (_to_write(one, prompt, model) for one in due)


def to_rate(due: Iterable[ToRate], model: str) -> Iterator[ToAsk[Rating]]:
    """Ask a model for votes on requests."""
    prompt = load_prompt("knowact.forge", "rater")
    return (_to_rate(one, prompt, model) for one in due)


def ask_all(
    model: str,
    due: Iterable[ToAsk[R]],
    keep: Callable[[R], None],
    tell: Callable[[Progress], None],
    *,
    connections: int,
) -> Progress:
    """Put questions to a model, or to a file in its place (`file:PATH`).

    Args:
        model: Who is asked.
        due: The questions, taken one at a time, so that they need not all be held.
        keep: Keeps each answer that can be used, as it comes.
        tell: Told after each question.
        connections: Questions at a time.
    """

    async def one(player: Model, item: ToAsk[R]) -> R:
        return await _answered(player, model, item)

    BUDGET.limit = None
    name = as_model(RoleModel(model)).name
    return asyncio.run(ask_each(name, due, one, lambda _, came: keep(came), tell, connections=connections))


async def _answered(player: Model, model: str, item: ToAsk[R]) -> R:
    """Ask until a reply can be used, or the question is given up.

    Raises:
        NoAnswer: No reply can be used, and the question stays open.
    """
    messages: list[ChatMessage] = [ChatMessageUser(content=item.text)]
    wrong: Sequence[str] = ["no reply"]
    settings = _settings(model, item.seed)
    if item.schema is not None:
        settings["response_schema"] = as_response("answer", dict(item.schema))
    for attempt in range(1, ATTEMPTS + 1):
        with keyed(f"{item.key}.{attempt}", item.key):
            output = await role_reply(player, messages, **settings)
        try:
            return item.read(last_object(output.completion) or {}, attempt)
        except NotYet as error:
            wrong = error.wrong
        if item.told and output.choices:
            messages += [output.message, ChatMessageUser(content=_not_yet(wrong))]
    if item.given_up is not None:
        return item.given_up(one_line(wrong[0])[:LONGEST_FAILURE], ATTEMPTS)
    raise NoAnswer(f"{item.failing}: {wrong[0]}")


def _not_yet(wrong: Sequence[str]) -> str:
    return f"Not yet:\n{_listed(wrong)}\nReply with the whole object again."


def _to_propose(item: ToPropose, prompt: Prompt) -> ToAsk[Mapping[str, Scenario]]:
    """Scenarios are wanted of which at least one can be used."""

    def read(reply: Mapping[str, Any], _: int) -> Mapping[str, Scenario]:
        found: dict[str, Scenario] = {}
        wrong: list[str] = []
        for name, entry in reply.items():
            try:
                found[name] = item.proven(name, entry)
            except Unusable as error:
                wrong.append(str(error))
        if not found:
            raise NotYet(*wrong)
        return found

    return ToAsk(item.name, prompt.fill(item.shown), read, "no usable scenario")


def _to_write(item: ToWrite, prompt: Prompt, model: str) -> ToAsk[BriefAnswer]:
    """Texts are wanted that pass the checks."""

    def known(attempt: int) -> dict[str, Any]:
        return {"brief": item.brief.id, "writer": model, "prompt": prompt.sha256, "attempts": attempt}

    def read(reply: Mapping[str, Any], attempt: int) -> BriefAnswer:
        try:
            answer = BriefAnswer.model_validate({**reply, **known(attempt), "failed": ""})
        except ValidationError as error:
            raise not_as_asked(error) from error
        if wrong := item.complaints(answer):
            raise NotYet(*wrong)
        return answer

    def given_up(wrong: str, attempts: int) -> BriefAnswer:
        return BriefAnswer(failed=wrong, **known(attempts))

    text = prompt.fill({"brief": item.brief.model_dump_json(indent=1, exclude_defaults=True)})
    if item.discarded:
        text = f"{text}\n\n{_discarded(item.discarded[-1])}"
    failing = f"no usable text for brief {item.brief.id}"
    return ToAsk(turn(item.brief.id, len(item.discarded)), text, read, failing, given_up=given_up)


def _discarded(last: Discard) -> str:
    """What a writer is told of its text that judges discarded: the text, the points, the judges' words."""
    texts = {name: written.model_dump(exclude_defaults=True) for name, written in last.versions.items()}
    reasons = [f"{point}: {MEANING[point]}" for point in last.points]
    said = {"texts": dumps(texts), "points": _listed(reasons), "why": _listed(last.why or ("(nothing)",))}
    return load_prompt("knowact.forge", "writer-again").fill(said)


def _listed(lines: Sequence[str]) -> str:
    return "\n".join(f"- {line}" for line in lines)


def _to_rate(item: ToRate, prompt: Prompt, model: str) -> ToAsk[Rating]:
    """A vote is wanted that has all dimensions."""

    def read(reply: Mapping[str, Any], _: int) -> Rating:
        holds = {name: value for name in DIMENSIONS if isinstance(value := reply.get(name), bool)}
        if len(holds) < len(DIMENSIONS):
            raise NotYet("a dimension is missing.")
        return Rating(
            brief=item.brief,
            text=item.text,
            judge=model,
            vote=item.vote,
            prompt=prompt.sha256,
            holds=holds,
            why=str(reply.get("why", "")),
        )

    text, failing = prompt.fill({"item": item.shown}), f"no usable vote on brief {item.brief}"
    key = f"{turn(item.brief, item.discarded)}.{item.vote}"
    return ToAsk(key, text, read, failing, told=False, seed=item.vote)


def _settings(model: str, seed: int | None) -> dict[str, object]:
    # A vote that repeats another one to the letter says nothing new.
    warm = None if reasons(model) else 1.0
    config = GenerateConfig(max_retries=RETRIES, temperature=warm, seed=seed)
    return config.model_dump(exclude_none=True)
