"""The roles `annotator` and `auditor`: what models say of tools (`knowact tools annotate`, `collect`)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from knowact.core.prompts import Prompt
from knowact.forge.asking import NotYet, ToAsk, not_as_asked
from knowact.tools.claims import (
    CallForm,
    Form,
    Named,
    Question,
    Stage,
    Vote,
    read_names,
    seen,
    shown_names,
    shown_tool,
)
from knowact.tools.collection import Opinion, opinion_schema, shown
from knowact.tools.folder import OwnTool
from knowact.tools.layouts import Collected


def to_sort(
    due: Iterable[Collected], prompt: Prompt, model: str, *, scenario: bool
) -> Iterator[ToAsk[Opinion]]:
    """Ask a model to sort operations by the six dimensions.

    Args:
        due: The operations; taken one at a time.
        prompt: The stage's.
        model: Who is asked.
        scenario: Whether a scenario is asked for as well.
    """
    schema = opinion_schema(scenario=scenario)
    return (_to_sort(one, model, prompt, schema) for one in due)


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
        question: What is asked.
    """

    own: OwnTool
    stage: Stage
    number: int
    question: Question = "tool"


def to_name(tools: Sequence[OwnTool], prompt: Prompt, model: str, known: Mapping[str, str]) -> ToAsk[Named]:
    """Ask a model to name the attributes that tools speak of, beside those that have a name."""

    def read(reply: Mapping[str, Any], _: int) -> Named:
        try:
            found = read_names(reply)
        except ValueError as error:
            raise NotYet(str(error)) from error
        return Named(tools={own.name: seen(own) for own in tools}, model=model, attributes=found)

    shown_tools = "\n\n".join(shown_tool(own, hints=False) for own in tools)
    text = prompt.fill({"known": shown_names(known) or "none", "tools": shown_tools})
    return ToAsk(f"attributes.{tools[0].name}", text, read, "no usable names of attributes")


def to_vote(one: ToVote, prompt: Prompt, model: str, attributes: Mapping[str, str]) -> ToAsk[Vote]:
    """Ask a model for a vote on a tool, claim by claim.

    Args:
        one: The vote.
        prompt: The stage's.
        model: Who is asked.
        attributes: What attributes there are, and what they mean.
    """
    own, hints = one.own, one.stage == "proposal"
    form, calls = Form.of(own), CallForm.of(own)
    if one.question == "calls":
        told = {"tool": calls.shown(own, hints=hints)}
    else:
        told = {"attributes": shown_names(attributes), "tool": shown_tool(own, hints=hints)}

    def read(reply: Mapping[str, Any], _: int) -> Vote:
        try:
            says = calls.read(reply) if one.question == "calls" else form.read(reply, attributes)
        except ValueError as error:
            raise NotYet(str(error)) from error
        return Vote(
            tool=own.name,
            seen=seen(own),
            stage=one.stage,
            number=one.number,
            model=model,
            prompt=prompt.sha256,
            question=one.question,
            says=says,
            why=str(reply.get("why", "")),
        )

    schema = calls.schema() if one.question == "calls" else form.schema()
    what = f"{own.name}.calls" if one.question == "calls" else own.name
    return ToAsk(
        f"{what}.{one.stage}.{one.number}",
        prompt.fill(told),
        read,
        f"no usable vote on {own.name!r}",
        seed=one.number,
        schema=schema,
    )
