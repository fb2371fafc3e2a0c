"""The roles `annotator` and `auditor`: what models say of tools (`knowact tools annotate`, `collect`)."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from knowact.core.prompts import Prompt
from knowact.engine.many import Progress
from knowact.engine.writing import ask_all
from knowact.forge.asking import NotYet, ToAsk, not_as_asked
from knowact.tools.claims import Form, Named, Stage, Vote, read_names, seen, shown_names, shown_tool
from knowact.tools.collection import Opinion, opinion_schema, shown
from knowact.tools.folder import OwnTool
from knowact.tools.layouts import Collected


def sort_all(
    model: str,
    due: Iterable[Collected],
    prompt: Prompt,
    keep: Callable[[Opinion], None],
    tell: Callable[[Progress], None],
    *,
    scenario: bool,
    connections: int,
) -> Progress:
    """Have a model sort operations by the six dimensions; each opinion is kept as it comes.

    Args:
        model: Who is asked.
        due: The operations; taken one at a time.
        prompt: The stage's.
        keep: Keeps an opinion.
        tell: Told after each.
        scenario: Whether a scenario is asked for as well.
        connections: Questions at a time.
    """
    schema = opinion_schema(scenario=scenario)
    questions = (_to_sort(one, model, prompt, schema) for one in due)
    return ask_all(model, questions, keep, tell, connections=connections)


def _to_sort(one: Collected, model: str, prompt: Prompt, schema: Mapping[str, Any]) -> ToAsk[Opinion]:
    def read(reply: Mapping[str, Any], _: int) -> Opinion:
        says = {name: reply[name] for name in schema["required"] if name in reply}
        said = {name: says.pop(name) for name in ("why", "scenario") if name in says}
        known = {"id": one.id, "model": model, "prompt": prompt.sha256}
        try:
            return Opinion.model_validate({**known, **said, "says": says})
        except ValidationError as error:
            raise not_as_asked(error) from error

    text = prompt.fill({"tool": shown(one)})
    return ToAsk(one.id, text, read, f"no usable opinion of {one.name!r}", schema=schema)


@dataclass(frozen=True, slots=True)
class ToVote:
    """A vote that is wanted.

    Attributes:
        own: The tool.
        stage: Proposal or audit.
        number: Which of the stage's votes, from 1.
    """

    own: OwnTool
    stage: Stage
    number: int


def vote_all(
    model: str,
    due: Iterable[ToVote],
    prompt: Prompt,
    attributes: Mapping[str, str],
    keep: Callable[[Vote], None],
    *,
    tell: Callable[[Progress], None],
    connections: int,
) -> Progress:
    """Have a model vote on tools, claim by claim; each vote is kept as it comes.

    Args:
        model: Who is asked.
        due: The votes.
        prompt: The stage's.
        attributes: What attributes there are, and what they mean.
        keep: Keeps a vote.
        tell: Told after each.
        connections: Questions at a time.
    """
    questions = (_to_vote(one, model, prompt, attributes) for one in due)
    return ask_all(model, questions, keep, tell, connections=connections)


def name_attributes(
    model: str,
    tools: Sequence[OwnTool],
    prompt: Prompt,
    known: Mapping[str, str],
    keep: Callable[[Named], None],
    *,
    tell: Callable[[Progress], None],
) -> Progress:
    """Have a model name the attributes that tools speak of.

    Args:
        model: Who is asked.
        tools: The tools.
        prompt: The prompt for it.
        known: The names that there are already.
        keep: Keeps the new names.
        tell: Told when it is done.
    """

    def read(reply: Mapping[str, Any], _: int) -> Named:
        try:
            found = read_names(reply)
        except ValueError as error:
            raise NotYet(str(error)) from error
        return Named(tools={own.name: seen(own) for own in tools}, model=model, attributes=found)

    shown_tools = "\n\n".join(shown_tool(own, hints=False) for own in tools)
    text = prompt.fill({"known": shown_names(known) or "none", "tools": shown_tools})
    question = ToAsk(f"attributes.{tools[0].name}", text, read, "no usable names of attributes")
    return ask_all(model, [question], keep, tell, connections=1)


def _to_vote(one: ToVote, model: str, prompt: Prompt, attributes: Mapping[str, str]) -> ToAsk[Vote]:
    own, form = one.own, Form.of(one.own)

    def read(reply: Mapping[str, Any], _: int) -> Vote:
        try:
            says = form.read(reply, attributes)
        except ValueError as error:
            raise NotYet(str(error)) from error
        return Vote(
            tool=own.name,
            seen=seen(own),
            stage=one.stage,
            number=one.number,
            model=model,
            prompt=prompt.sha256,
            says=says,
            why=str(reply.get("why", "")),
        )

    told = shown_tool(own, hints=one.stage == "proposal")
    text = prompt.fill({"attributes": shown_names(attributes), "tool": told})
    key, failing = f"{own.name}.{one.stage}.{one.number}", f"no usable vote on {own.name!r}"
    return ToAsk(key, text, read, failing, seed=one.number, schema=form.schema())
