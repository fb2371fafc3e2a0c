"""Scenarios: who wants what for which reason, so that the sub-tasks of a request serve one motive.

A scenario is written by a person, in YAML. Its *jobs* are sub-tasks that this person may have there; the
forge takes one to three of them for a request. A job names a tool, what is wanted of its result, and where
each argument comes from:

- a plain value, which the request says;
- `$city`, a value of the scenario that several jobs share;
- a draw (`{whole: [3, 8]}`, `{day: [1, 6]}`, ...);
- `{from: bill.total_eur}`, the result of another job.

`told` says how the person already knows a job's result ("the receptionist read it out"); the request may
then hold that result, and the tool is needless for it.
"""

import datetime as dt
import random
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Annotated, Final, Self, TypeGuard

from pydantic import Field, JsonValue, ValidationError, model_validator

from knowact.core.errors import BadData, Place
from knowact.core.model import Noun, Words
from knowact.core.yaml_text import yaml_value

SHARED: Final = "$"
"""What the name of a scenario's shared value begins with, where an argument is that value."""


class OneOf(Noun):
    """One of some values."""

    one_of: Annotated[tuple[JsonValue, ...], Field(min_length=2)]


class Whole(Noun):
    """A whole number from `whole[0]` to `whole[1]`, in steps."""

    whole: tuple[int, int]
    step: Annotated[int, Field(ge=1)] = 1


class Fractional(Noun):
    """A number with that many decimals."""

    decimal: tuple[float, float]
    places: Annotated[int, Field(ge=1, le=6)] = 2


class Day(Noun):
    """A day, counted from the world's today."""

    day: tuple[int, int]


class Clock(Noun):
    """A time of day between two, in steps of minutes."""

    time: tuple[str, str]
    step: Annotated[int, Field(ge=1)] = 5


class Key(Noun):
    """A key of one of the world's tables: a contact, an account, a city."""

    table: str
    only: tuple[str, ...] = ()


class Several(Noun):
    """A list of different values."""

    list_of: "OneOf | Whole | Fractional | Clock | Key"
    count: tuple[int, int]


Draw = OneOf | Whole | Fractional | Day | Clock | Key | Several


class FromJob(Noun):
    """The result of another job: `job.field`."""

    source: str = Field(alias="from", pattern=r"^\w+\.[\w.\[\]]+$")

    @property
    def job(self) -> str:
        """The job that gives it."""
        return self.source.partition(".")[0]

    @property
    def field(self) -> str:
        """The result field that holds it."""
        return self.source.partition(".")[2]


Origin = FromJob | Draw | str | int | float | bool | tuple[str | int | float, ...]


class Job(Noun):
    """A sub-task.

    Attributes:
        tool: What does it.
        ask: What the person wants, in neutral words, without values ("until when the pharmacy is open").
        wants: The result fields that a right answer states; none for a job that only feeds others.
        arguments: Where each argument comes from.
        told: How the person already knows the result; "" where nobody could have told them.
    """

    tool: str
    ask: Words
    wants: tuple[str, ...] = ()
    arguments: Mapping[str, Origin] = Field(default={}, alias="with")
    told: str = ""

    @property
    def sources(self) -> tuple[FromJob, ...]:
        """The results of other jobs that it takes."""
        return tuple(origin for origin in self.arguments.values() if isinstance(origin, FromJob))


class Scenario(Noun):
    """A person's situation.

    Attributes:
        people: Who it may be, and how they write; one of them is drawn for a request.
        situation: Where they are, what has happened, what they are after: the motive of every job.
        values: Values that jobs share, by name.
        jobs: The sub-tasks, by name; a job takes results of jobs above it only.
    """

    people: Annotated[tuple[Words, ...], Field(min_length=2)]
    situation: Words
    values: Mapping[str, Draw] = {}
    jobs: Annotated[Mapping[str, Job], Field(min_length=2)]

    @model_validator(mode="after")
    def _refers_to_what_is_there(self) -> Self:
        above: set[str] = set()
        for name, job in self.jobs.items():
            for origin in job.arguments.values():
                if isinstance(origin, FromJob) and origin.job not in above:
                    raise ValueError(f"{name} takes {origin.source}, but no such job stands above it")
                if is_shared(origin) and origin[1:] not in self.values:
                    raise ValueError(f"{name} takes {origin}, but 'values' does not have it")
            if job.told and job.sources:
                raise ValueError(f"{name} takes another job's result, so 'told' cannot stand for it")
            above.add(name)
        return self


def is_shared(origin: Origin) -> TypeGuard[str]:
    """Whether an argument is one of the scenario's shared values."""
    return isinstance(origin, str) and origin.startswith(SHARED)


def read_scenarios(folder: Traversable | Path) -> Mapping[str, Scenario]:
    """Read every YAML file of a folder, in the order of their names.

    Raises:
        BadData: A file is no YAML, an entry is not as it should be, or a name occurs twice.
    """
    scenarios: dict[str, Scenario] = {}
    for file in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if not file.name.endswith(".yaml"):
            continue
        for name, entry in _entries(file):
            where = Place(Path(file.name), field=name)
            if name in scenarios:
                raise BadData(f"there are two scenarios named {name!r}", where, "rename one")
            scenarios[name] = _scenario(entry, where)
    return scenarios


def _entries(file: Traversable) -> Iterator[tuple[str, object]]:
    loaded = yaml_value(file.read_text("utf-8"), Path(file.name))
    if not isinstance(loaded, dict):
        raise BadData("must map names to scenarios", Place(Path(file.name)), "see docs/forging.md")
    yield from loaded.items()  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType]


def _scenario(entry: object, where: Place) -> Scenario:
    try:
        return Scenario.model_validate(entry)
    except ValidationError as error:
        first = error.errors()[0]
        inside = ".".join([where.field or "", *(str(part) for part in first["loc"])])
        raise BadData(first["msg"], Place(where.file, field=inside), "correct the entry") from None


_TRIES: Final = 50


def drawn(
    how: Draw, today: dt.date, keys: Mapping[str, Sequence[JsonValue]], rng: random.Random
) -> JsonValue:
    """Draw one value.

    Args:
        how: The way to draw it.
        today: The world's day.
        keys: The keys of the world's tables.
        rng: For the choice.
    """
    match how:
        case OneOf():
            return rng.choice(how.one_of)
        case Whole(whole=(low, high)):
            return rng.randrange(low, high + 1, how.step)
        case Fractional(decimal=(low, high), places=places):
            scale = 10**places
            return rng.randint(round(low * scale), round(high * scale)) / scale
        case Day(day=(first, last)):
            return (today + dt.timedelta(days=rng.randint(first, last))).isoformat()
        case Clock(time=(first, last)):
            at = rng.randrange(_minutes(first), _minutes(last) + 1, how.step)
            return f"{at // 60:02d}:{at % 60:02d}"
        case Key():
            return rng.choice(how.only or keys[how.table])
        case Several():
            return _several(how, today, keys, rng)


def _several(
    how: Several, today: dt.date, keys: Mapping[str, Sequence[JsonValue]], rng: random.Random
) -> list[JsonValue]:
    values: list[JsonValue] = []
    count = rng.randint(*how.count)
    for _ in range(count * _TRIES):
        value = drawn(how.list_of, today, keys, rng)
        if value not in values:
            values.append(value)
        if len(values) == count:
            return values
    raise ValueError(f"there are not {count} different values")


def _minutes(clock: str) -> int:
    hours, minutes = clock.split(":")
    return int(hours) * 60 + int(minutes)
