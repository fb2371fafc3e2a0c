"""Tools: what an agent is offered, and what each of them can do.

Every tool of ours declares its capability, at the level of *attributes*
("weather.high of a city on a day"), never of values. The proofs (`core.closure`) work on those
declarations alone; `worlds` check them by execution.
"""

from enum import StrEnum
from typing import Any, Literal

from pydantic import Field, JsonValue

from knowact.core.model import Noun


class Dimension(StrEnum):
    """What a model cannot do from its weights (KAPRO, section 3.2)."""

    INTERACTION = "interaction"
    """It changes state outside the conversation."""
    TEMPORALITY = "temporality"
    """It depends on data that change over time."""
    PRIVACY = "privacy"
    """It needs data that belong to a person or stand behind a login."""
    SCALE = "scale"
    """It needs more data than a context window holds."""
    COMPUTATION = "computation"
    """It needs computation beyond what a model does reliably in text."""
    MODALITY = "modality"
    """It needs an input or output modality that the model lacks."""


class Rubric(Noun):
    """Why calls of a tool are external, or not (six dimensions; one that fires makes the call external).

    It speaks of the *tool*. Whether one sub-task is external is said by the step of the task's plan,
    because the same tool is needed for some arguments and not for others.
    """

    fires: tuple[Dimension, ...] = ()
    when: Literal["always", "by_argument", "never", "public"]
    """`public`: it reports public facts, which a strong model may well know. No sub-task of it is labelled
    external or internal."""
    why: str


class Replaceable(Noun):
    """Whether a person who is asked could do the tool's job instead, and why (or why not).

    A person can look out of the window, count, or remember a recipe; a person cannot quote a market, book a
    seat in somebody's account, or multiply twelve digits in passing (FAIL-TaLMs).
    """

    by_human: bool
    why: str = Field(min_length=1)


class Need(Noun):
    """A parameter that must be told, and which attribute its value is ("city" takes a `city.name`)."""

    parameter: str
    attribute: str


class Report(Noun):
    """A field of the result, and which attribute of the call's subject it reveals.

    Attributes:
        field: Dotted path in the result; `[]` steps into a list ("events[].title").
        attribute: The attribute, "<kind>.<name>".
    """

    field: str
    attribute: str


class Capability(Noun):
    """What a tool reports or changes, about what, and what it has to be told first.

    Attributes:
        about: The parameters that together name the subject, in order; empty means the user's own
            world (their mailbox, the present moment).
        needs: Every parameter without a default or an enumeration. Those that have one are free.
        reports: What the result reveals.
        changes: Attributes that a call makes true ("event.exists"); reported like the others.
        echoes: Result fields that only repeat arguments and so reveal nothing.
    """

    about: tuple[str, ...] = ()
    needs: tuple[Need, ...] = ()
    reports: tuple[Report, ...] = ()
    changes: tuple[str, ...] = ()
    echoes: tuple[str, ...] = ()

    def gives(self, removed_fields: frozenset[str] = frozenset()) -> frozenset[str]:
        """Return the attributes that a call makes known or true, without those of the removed fields."""
        kept = (r.attribute for r in self.reports if not any(_within(r.field, f) for f in removed_fields))
        return frozenset((*kept, *self.changes))


def _within(field: str, removed: str) -> bool:
    """Whether a field goes with one that is removed: it is that one, or lies inside it."""
    return field == removed or field.startswith((f"{removed}.", f"{removed}[]"))


class Tool(Noun):
    """One operation that an agent may call.

    Attributes:
        name: As the data know it; what the agent sees is `names.sanitised` (both probes alike).
        description: What the agent reads.
        parameters: JSON Schema of the arguments, of type object.
        returns: JSON Schema of the result, where known.
        category: A broad subject ("Weather").
        server: The group it is published in, for picking distractors ("weather"); may be empty.
        capability: What it can do; None where nobody has said (published data).
        rubric: Why its calls are external or not; None where nobody has said.
        replaceable: Whether a person could stand in for it; None where nobody has said.
    """

    name: str = Field(min_length=1)
    description: str = ""
    parameters: dict[str, JsonValue]
    returns: dict[str, JsonValue] | None = None
    category: str = ""
    server: str = ""
    capability: Capability | None = None
    rubric: Rubric | None = None
    replaceable: Replaceable | None = None

    @property
    def properties(self) -> dict[str, Any]:
        """The schema of each parameter, by name."""
        found = self.parameters.get("properties")
        return found if isinstance(found, dict) else {}

    @property
    def required(self) -> tuple[str, ...]:
        """The parameters that a call must carry."""
        found = self.parameters.get("required")
        return tuple(str(name) for name in found) if isinstance(found, list) else ()
