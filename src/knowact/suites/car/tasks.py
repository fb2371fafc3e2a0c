"""Tasks of the CAR suite: what happens in the car, what the driver wants, and what that should come to.

One noun for our own tasks and for published ones (CAR-bench). Published tasks have
neither a script nor a goal description: their instruction is for a model that plays the driver, and their
goal is wherever the reference leads.
"""

from collections.abc import Mapping
from typing import Final, Literal, Self

from pydantic import Field, JsonValue, field_validator, model_validator

from knowact.core.model import Noun, Row, Words
from knowact.core.task import Fact
from knowact.roles.script import Persona, Script
from knowact.suites.car.goals import PREFERENCES, Description, Reference
from knowact.worlds.car.catalogue import OPERATIONS
from knowact.worlds.car.record import TaskType

Split = Literal["train", "test", "hidden", ""]
Kind = Literal["tool", "parameter", "nested parameter", "result"]
"""What a removed part can be."""
Level = Literal["policy", "request", "preference", "default", "context", "user"]
LEVELS: tuple[Level, ...] = ("policy", "request", "preference", "default", "context", "user")
"""What settles an open choice, the strongest first."""
LONGEST_NAME: Final = 200
"""Characters of a task's id: it names trials in logs, on terminals and in pages."""


def is_name(text: str) -> bool:
    """Whether a text will do as a task's id: not blank, not long, nothing in it that cannot be seen."""
    return bool(text.strip()) and len(text) <= LONGEST_NAME and text.isprintable()


class Removal(Noun):
    """What was taken away from a base task.

    Attributes:
        paths: In the published grammar, the main part first; the others would lead to
            the same end without it.
        kind: What the main part is.
        words: The main part as people speak of it ("moving the sunshade"); empty in published tasks.
        lost: The calls of the reference that nobody can make without it, by their place.
    """

    paths: tuple[str, ...] = Field(min_length=1)
    kind: Kind
    words: str = ""
    lost: tuple[int, ...] = ()


class Decoy(Noun):
    """What is taken away from a task that needs none of it (`decoys`).

    Attributes:
        paths: In the published grammar, just as they are taken away from the hallucination task `of`.
        kind: What the main part is.
        of: The hallucination task whose removal it is.
    """

    paths: tuple[str, ...] = Field(min_length=1)
    kind: Kind
    of: str = ""


class Option(Noun):
    """One of the choices that an open element has.

    Attributes:
        value: What would be taken.
        words: How a preference, a rule or a driver speaks of it.
        where: Variables that must stand so for it to make sense: a value, or `{"above": n}`, `{"below": n}`.
    """

    value: JsonValue
    words: tuple[Words, ...] = ()
    where: Mapping[str, JsonValue] = Field(default_factory=dict[str, JsonValue])


class Element(Noun):
    """What is ambiguous about a request.

    Attributes:
        what: In words ("how far the sunroof should open").
        kind: A value of a parameter, one of several results, or one of several tools.
        level: The level that leaves one option; `user` where only the driver can say.
        options: All that the bare request leaves.
        answer: The value of the right one.
        argument: The call of the reference and its parameter that carry it; none where a tool is chosen.
        topic: For a preference: where it is kept ("vehicle_settings.climate_control").
        rule: For a policy or a default: its id.
        decides: The variables that hang on it.
        note: How it is to be settled, for people; all that published tasks say.
    """

    what: str = Field(min_length=1)
    kind: Literal["value", "result", "tool"] = "value"
    level: Level
    options: tuple[Option, ...] = ()
    answer: JsonValue = None
    argument: tuple[int, str] | None = None
    topic: str = ""
    rule: str = ""
    decides: tuple[str, ...] = ()
    note: str = ""


class CarTask(Row):
    """A task.

    Attributes:
        id: Unique in its data set; the type word, an underscore and a number, as published.
        type: Type and sub-type.
        cluster: The base task's id, which all tasks made of it share.
        split: Which half of the data it belongs to; all tasks of a cluster are in one.
        persona: Who drives.
        instruction: The scenario in prose, for a model or a person who plays the driver.
        script: The same for the scripted driver; None for published tasks.
        setup: What opens the session: variables of state and context, and `calendar_id`.
        reference: Calls that do what is wanted, in order.
        goal: What that should come to; None for published tasks.
        answers: What the driver wants to be told, each with what is right; empty where only deeds are wanted.
        removal: For hallucination tasks.
        element: For disambiguation tasks.
        decoy: For tasks of the other types; None where the tool list is whole.
        source: Where it was written: file, and entry.
    """

    type: TaskType
    cluster: str = Field(min_length=1)
    split: Split = ""
    persona: Persona
    instruction: str = Field(min_length=1)
    script: Script | None = None
    setup: Mapping[str, JsonValue]
    reference: tuple[Reference, ...] = Field(min_length=1)
    goal: Description | None = None
    answers: tuple[Fact, ...] = ()
    removal: Removal | None = None
    element: Element | None = None
    decoy: Decoy | None = None
    source: str = ""

    @field_validator("id")
    @classmethod
    def _can_be_shown(cls, name: str) -> str:
        if not is_name(name):
            raise ValueError(
                f"an id has at most {LONGEST_NAME} printable characters; {name!r:.60} does not fit"
            )
        return name

    @model_validator(mode="after")
    def _has_what_its_type_needs(self) -> Self:
        if (self.removal is not None) != self.type.lacks_a_part:
            raise ValueError("the hallucination types need 'removal'; other types take none")
        if (self.element is not None) != (self.type.family == "disambiguation"):
            raise ValueError("the disambiguation types need 'element'; other types take none")
        if len({one.label for one in self.answers}) < len(self.answers):
            raise ValueError("two of 'answers' have the same label")
        if self.decoy is not None and self.type.lacks_a_part:
            raise ValueError("the hallucination types take no 'decoy'")
        for place, one in enumerate(self.reference):
            if any(not 0 <= other < place for other in (*one.sources, *one.after)):
                raise ValueError(f"call {place} of the reference can depend on earlier calls only")
        return self

    @model_validator(mode="after")
    def _speaks_of_its_calls(self) -> Self:
        for place, one in enumerate(self.reference):
            if one.tool not in OPERATIONS:
                raise ValueError(f"call {place} of the reference names {one.tool!r:.60}, which is not a tool")
        for place in self.removal.lost if self.removal else ():
            if not 0 <= place < len(self.reference):
                raise ValueError(f"'removal.lost' names call {place}, which the reference does not have")
        if self.element is not None and self.element.argument is not None:
            place, parameter = self.element.argument
            if not 0 <= place < len(self.reference):
                raise ValueError(f"'element.argument' names call {place}, which the reference does not have")
            if parameter not in self.reference[place].arguments:
                raise ValueError(
                    f"'element.argument' names {parameter!r:.60}, which call {place} does not carry"
                )
        return self

    @property
    def removed(self) -> tuple[str, ...]:
        """The paths of what was taken away and is needed."""
        return self.removal.paths if self.removal else ()

    @property
    def absent(self) -> tuple[str, ...]:
        """The paths of all that is not there, needed or not."""
        return self.decoy.paths if self.decoy else self.removed

    @property
    def domains(self) -> frozenset[str]:
        """The parts of the car that the reference uses (`contract.Domain`); preferences count as none."""
        names = (one.tool for one in self.reference if one.tool != PREFERENCES)
        return frozenset(_DOMAINS[name] for name in names if name in _DOMAINS)


_DOMAINS = {name: one.tool.category for name, one in OPERATIONS.items()}
