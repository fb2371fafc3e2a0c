"""Tasks as they are written: compact, without anything that code can derive (`derive`)."""

from collections.abc import Mapping
from typing import Literal

from pydantic import Field, JsonValue

from knowact.core.model import Noun, Words
from knowact.people.script import Detail, Proficiency, Style
from knowact.suites.car.tasks import Level, Option

Likes = Mapping[str, tuple[str, ...]]
"""Preferences by "category.topic"."""


class Do(Noun):
    """One call of the reference.

    Attributes:
        do: The tool.
        args: The arguments; `$name.path` takes a value from an earlier call (`binding`).
        name: What later calls and texts call this one.
        reads: Fields of the result that the agent has to know.
        told: Arguments written out that come from an earlier result: parameter to "name.field".
        knowing: Earlier calls, by name, whose `reads` must be known before this one.
        after: Earlier calls, by name, that have to come before for another reason.
    """

    do: str = Field(min_length=1)
    args: Mapping[str, JsonValue] = Field(default_factory=dict[str, JsonValue])
    name: str = ""
    reads: tuple[str, ...] = ()
    told: Mapping[str, str] = Field(default_factory=dict[str, str])
    knowing: tuple[str, ...] = ()
    after: tuple[str, ...] = ()


class Lack(Noun):
    """What the hallucination task made of this one takes away.

    Attributes:
        part: The main part, in the published grammar.
        also: Parts that have to go with it, because the same could be worked out from them.
        words: The main part as people speak of it, such as "moving the sunshade".
        cues: Words by which somebody who speaks of it is known.
    """

    part: str = Field(min_length=1)
    also: tuple[str, ...] = ()
    words: Words
    cues: tuple[Words, ...] = Field(min_length=1)


class AuthoredBase(Noun):
    """A base task.

    Attributes:
        id: Short, unique in the data set.
        at: City, date and time: "Hamburg 2025-10-07 07:40".
        car: Variables of state and context that differ from their defaults.
        route: Where the car is being guided, the start first: cities by name, other places as
            "category@city".
        calendar: Whose calendar the driver has.
        likes: Preferences that matter here or look as if they did.
        says: The driver's first message.
        later: Wishes that the driver raises afterwards, one at a time.
        story: The whole scenario in prose, in the second person.
        details: What the driver says only when asked.
        does: The reference.
        goal: The variables that must have a certain value in the end.
        ends: Other ends that are as good.
        never: Variables that may not even change on the way, besides those that no task may.
        lacks: The hallucination task; None where none is made of it.
    """

    id: str = Field(pattern=r"^[a-z]+-\d\d$")
    age: int
    style: Style
    skill: Proficiency = ""
    at: str = Field(min_length=1)
    car: Mapping[str, JsonValue] = Field(default_factory=dict[str, JsonValue])
    route: tuple[str, ...] = ()
    calendar: str = ""
    likes: Likes = Field(default_factory=dict[str, tuple[str, ...]])
    says: Words
    later: tuple[Words, ...] = ()
    story: Words
    details: tuple[Detail, ...] = ()
    does: tuple[Do, ...] = Field(min_length=1)
    goal: Mapping[str, JsonValue] = Field(default_factory=dict[str, JsonValue])
    ends: tuple[Mapping[str, JsonValue], ...] = ()
    never: tuple[str, ...] = ()
    lacks: Lack | None = None


class AuthoredElement(Noun):
    """What a disambiguation task leaves open; see `tasks.Element`.

    Attributes:
        at: "tool.parameter" of the call that carries the choice; empty where a tool is chosen.
        answer: The right value, where `at` is empty.
    """

    what: str = Field(min_length=1)
    kind: Literal["value", "result", "tool"] = "value"
    level: Level
    at: str = ""
    answer: JsonValue = None
    options: tuple[Option, ...] = Field(min_length=2)
    topic: str = ""
    rule: str = ""
    decides: tuple[str, ...] = ()


class AuthoredTwist(Noun):
    """A disambiguation task: a base task from whose request something was taken out.

    Attributes:
        of: The base task.
        secrets: Words by which a question asks for what the agent has to settle itself.
        The others replace what the base task has, where they are given; `car` and `likes` add to it.
    """

    of: str = Field(min_length=1)
    says: Words
    later: tuple[Words, ...] | None = None
    story: Words
    details: tuple[Detail, ...] | None = None
    car: Mapping[str, JsonValue] = Field(default_factory=dict[str, JsonValue])
    likes: Likes = Field(default_factory=dict[str, tuple[str, ...]])
    does: tuple[Do, ...] | None = None
    goal: Mapping[str, JsonValue] | None = None
    secrets: tuple[Words, ...] = ()
    element: AuthoredElement
