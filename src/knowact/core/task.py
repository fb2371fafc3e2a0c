"""Tasks: what is asked, in which world, and what answering it really takes."""

import datetime as dt
import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Annotated, Any, Final, Literal, Self, cast

from pydantic import (
    Discriminator,
    Field,
    JsonValue,
    SerializerFunctionWrapHandler,
    Tag,
    model_serializer,
    model_validator,
)

from knowact.core.model import Noun, Row


class Boundary(StrEnum):
    """On which side of the model's own abilities something lies (KAPRO, equation 1).

    A step is external or internal; a task with steps of both kinds is hybrid.
    """

    EXTERNAL = "external"
    HYBRID = "hybrid"
    INTERNAL = "internal"


class Topology(StrEnum):
    """How the steps hang together (KAPRO's logic type)."""

    SINGLE_HOP = "single_hop"
    """One step."""
    PARALLEL = "parallel"
    """Several steps, none of which needs another's result."""
    MULTI_HOP = "multi_hop"
    """Several steps, where one's result feeds the next."""


class Argument(Noun):
    """A value that a step's call carries, and where an agent can get it from.

    Attributes:
        value: The concrete value, as the executed plan used it.
        origin: `query` (said there), `context` (shown to the agent: date, place, home), `common`
            (on the data set's list of common knowledge), `default` (the schema's), `step` (an
            earlier step's result), `unstated` (published data do not say).
        step: For origin `step`, the index of that step in the plan.
        field: For origin `step`, the result field that carries it (dotted, as in `Report.field`).
    """

    value: JsonValue
    origin: Literal["query", "context", "common", "default", "step", "unstated"] = "query"
    step: int | None = Field(default=None, ge=0)
    field: str | None = None

    @model_validator(mode="after")
    def _step_names_its_source(self) -> Self:
        named = (self.step is not None, self.field is not None)
        if named != ((True, True) if self.origin == "step" else (False, False)):
            raise ValueError("the origin 'step' needs 'step' and 'field'; other origins take neither")
        return self


class Step(Noun):
    """One sub-task: a tool that could do it, and whether a model needs that tool for it.

    Attributes:
        tool: The tool's name in the world.
        boundary: External or internal, for *this* sub-task.
        arguments: What the call carries.
        wants: Result fields that the final answer needs (none for a step that only feeds others).
        question: The sub-question in words, where the data have it.
        told: Result fields that the request itself states, so that the tool is needless for them.
    """

    tool: str = Field(min_length=1)
    boundary: Literal[Boundary.EXTERNAL, Boundary.INTERNAL]
    arguments: Mapping[str, Argument] = Field(default_factory=dict[str, Argument])
    wants: tuple[str, ...] = ()
    question: str = ""
    told: tuple[str, ...] = ()

    @model_serializer(mode="wrap")
    def _without_what_few_steps_have(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Data of earlier versions are written as they were."""
        written: dict[str, Any] = handler(self)
        if not self.told:
            written.pop("told", None)
        return written

    @property
    def external(self) -> bool:
        """Whether this sub-task cannot be done without the tool."""
        return self.boundary is Boundary.EXTERNAL

    @property
    def call_arguments(self) -> dict[str, JsonValue]:
        """The bare arguments of the call."""
        return {name: argument.value for name, argument in self.arguments.items()}


VERBATIM: Final = frozenset({"text", "phone", "identifier"})
"""Kinds of facts whose value is a text that an answer repeats."""


class Fact(Noun):
    """Something that a right answer asserts.

    Attributes:
        kind: How it is compared: a number within `tolerance`, a text (or one of its aliases), a phone
            number or another identifier (of an order, a flight, an address) by its letters and digits, a
            calendar date (ISO), a time of day (HH:MM, 24 hours), yes or no, one of `options`, or a list
            of texts.
        value: The value; a boolean for `yes_no`, a tuple of texts for `list`.
        unit: The unit that the value is in; an answer in another unit is listed in `aliases`.
        tolerance: Largest absolute difference for numbers, in `unit`.
        aliases: Other right ways to put it.
        exact: For texts that are asked for in a form (capitals, hyphens): only the value letter for letter
            counts, case and punctuation included.
        options: For `choice`: everything that the value could be.
        ordered: For `list`: whether the order counts.
        label: What it is about, in a few words ("high in Lisbon tomorrow").
        sources: "<step>.<field>" of the results that it is computed from; empty for facts that a
            model works out alone.
        rule: How it follows from its sources, when it is not simply the value: "sum", "difference",
            "max", "min", "count" or a sentence for people.
    """

    kind: Literal["number", "text", "phone", "identifier", "date", "time", "yes_no", "choice", "list"]
    value: str | float | bool | tuple[str, ...]
    unit: str = ""
    tolerance: float = Field(default=0.0, ge=0)
    aliases: tuple[str, ...] = ()
    exact: bool = False
    options: tuple[str, ...] = ()
    ordered: bool = False
    label: str = ""
    sources: tuple[str, ...] = ()
    rule: str = ""

    @property
    def shown(self) -> str:
        """The value as text; a list's entries with commas between them."""
        return ", ".join(self.value) if isinstance(self.value, tuple) else str(self.value)

    def lists(self, found: Sequence[object]) -> bool:
        """Whether a list is just what was found, in its order where that counts."""
        entries = self.value if isinstance(self.value, tuple) else (self.value,)
        return list(entries) == list(found) if self.ordered else Counter(entries) == Counter(map(str, found))

    @model_validator(mode="after")
    def _value_is_of_its_kind(self) -> Self:
        value = self.value
        fits = {
            "number": isinstance(value, int | float) and not isinstance(value, bool),
            **dict.fromkeys(VERBATIM, isinstance(value, str)),
            "yes_no": isinstance(value, bool),
            "date": isinstance(value, str) and _reads_as(dt.date.fromisoformat, value),
            "time": isinstance(value, str) and _reads_as(dt.time.fromisoformat, value),
            "choice": isinstance(value, str) and value in self.options,
            "list": isinstance(value, tuple) and bool(value),
        }
        if self.exact and (self.kind != "text" or self.aliases):
            raise ValueError("only a text without aliases can be exact")
        if not fits[self.kind]:
            raise ValueError(f"{value!r} is not a value of the kind {self.kind!r}")
        if bool(self.options) != (self.kind == "choice"):
            raise ValueError("the kind 'choice' needs 'options'; other kinds take none")
        return self

    @model_serializer(mode="wrap")
    def _without_what_other_kinds_have(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Data of earlier versions are written as they were: a fact that is no choice has no options."""
        written: dict[str, Any] = handler(self)
        for name, kind in (("options", "choice"), ("ordered", "list")):
            if self.kind != kind:
                written.pop(name, None)
        return written


def _reads_as(read: Callable[[str], object], text: str) -> bool:
    try:
        read(text)
    except ValueError:
        return False
    return True


class Query(Noun):
    """The simplest opening: one message of the user."""

    kind: Literal["query"] = "query"
    text: str = Field(min_length=1)

    @property
    def utterances(self) -> "tuple[Utterance, ...]":
        """The one message, as a dialogue has it."""
        return (Utterance(role="user", text=self.text),)


class PastCall(Noun):
    """A call that was made earlier in a dialogue, and what came back."""

    tool: str = Field(min_length=1)
    arguments: Mapping[str, JsonValue] = Field(default_factory=dict[str, JsonValue])
    result: JsonValue = None


class Utterance(Noun):
    """One message of a dialogue.

    Attributes:
        role: Who speaks. What tools answered stands with the calls, so no call can lack its result.
        text: The words; empty only for an assistant that merely calls.
        calls: What the assistant called then.
    """

    role: Literal["user", "assistant"]
    text: str = ""
    calls: tuple[PastCall, ...] = ()

    @model_validator(mode="after")
    def _says_or_calls(self) -> Self:
        if self.calls and self.role == "user":
            raise ValueError("only the assistant calls tools")
        if not self.text and not self.calls:
            raise ValueError("a message has words or calls")
        return self


class Dialogue(Noun):
    """An opening of several messages; the user has the last word."""

    kind: Literal["dialogue"] = "dialogue"
    utterances: tuple[Utterance, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _ends_with_the_user(self) -> Self:
        if self.utterances[-1].role != "user":
            raise ValueError("the last message of an opening is the user's")
        return self

    @property
    def text(self) -> str:
        """The dialogue as people and judges read it: a paragraph per message, with who speaks."""
        return "\n\n".join(line for one in self.utterances for line in _spoken(one))


def _spoken(one: Utterance) -> Iterator[str]:
    if one.text:
        yield f"{one.role.capitalize()}: {one.text}"
    for call in one.calls:
        arguments, result = (json.dumps(part, ensure_ascii=False) for part in (call.arguments, call.result))
        yield f"[{call.tool} was called with {arguments} and returned {result}]"


def _kind(value: object) -> str:
    """The kind of an opening; a query's need not be said."""
    if isinstance(value, Mapping):
        return str(cast("Mapping[str, object]", value).get("kind", "query"))
    return str(getattr(value, "kind", ""))


Opening = Annotated[
    Annotated[Query, Tag("query")] | Annotated[Dialogue, Tag("dialogue")], Discriminator(_kind)
]
"""What the user says before an agent is asked."""


def user_turns(opening: Opening) -> str:
    """Everything that the user says in an opening, a paragraph per message."""
    return "\n\n".join(one.text for one in opening.utterances if one.role == "user")


class WorldRef(Noun):
    """Which world a task lives in, and how it is set up there."""

    name: str
    setup: Mapping[str, JsonValue] = Field(default_factory=dict[str, JsonValue])


class Task(Row):
    """A base item of a data set.

    Attributes:
        opening: What the user says.
        world: Where it happens.
        offered: The tools on the table in the unchanged setting, in the order shown.
        plan: The steps; their order is an order of execution. Empty where nothing is to be done, only said.
        facts: What a right answer asserts. Empty where only `answer` is known.
        answer: A reference answer in prose (published data); it can be judged by a model only.
        topology: Declared; `proof.check_plan` compares it with the plan's edges where they are known.
        cluster: Items that share it are not independent (variants of one base item, one phrasing).
        server: "single" or "multi", where the data say it.
        provenance: Where it comes from: author or generator, seed, file and line.
        replay_gap: Required or listed tools without a recording (published data only).
        stand_ins: Tools that could do a required tool's job with work that a model does itself (a sum for
            a product), which no proof over capabilities sees; they never serve as distractors.
    """

    opening: Opening
    world: WorldRef
    offered: tuple[str, ...]
    plan: tuple[Step, ...]
    facts: tuple[Fact, ...] = ()
    answer: str = ""
    topology: Topology
    cluster: str = Field(min_length=1)
    server: str = ""
    provenance: Mapping[str, JsonValue] = Field(default_factory=dict[str, JsonValue])
    replay_gap: tuple[str, ...] = ()
    stand_ins: tuple[str, ...] = ()

    @property
    def boundary(self) -> Boundary:
        """External if every step is, internal if none is, else hybrid (KAPRO, section 3.1)."""
        kinds = {step.external for step in self.plan}
        if len(kinds) == 2:  # noqa: PLR2004 - both kinds occur
            return Boundary.HYBRID
        return Boundary.EXTERNAL if kinds == {True} else Boundary.INTERNAL

    @property
    def required(self) -> frozenset[str]:
        """T: the tools of the external steps (KAPRO)."""
        return frozenset(step.tool for step in self.plan if step.external)

    @property
    def content(self) -> str:
        """A hash of what is asked, in which world, and what an answer is held against."""
        parts = (self.opening, self.world, *self.plan, *self.facts)
        whole = json.dumps([*(one.model_dump(mode="json") for one in parts), self.answer], sort_keys=True)
        return hashlib.sha256(whole.encode()).hexdigest()[:16]
