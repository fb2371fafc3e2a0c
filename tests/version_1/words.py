"""The words in which people ask for tools: authored per tool, read from `phrasings/*.yaml`.

A tool's entry says which of its result fields can be asked for, how arguments are drawn on either side
of the boundary, and how a person puts the question. `forge.compose` makes requests of them.

Every slot (`{city}`) must be replaceable by a noun phrase ("the city where Ann lives"), because in a
chain the value comes from an earlier step. `{date:on}` is a day as an adverbial ("tomorrow", "on Saturday").
"""

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from importlib import resources
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Final, Literal

import yaml
from pydantic import Field, JsonValue, ValidationError

from knowact.core.errors import BadData, Place
from knowact.core.model import Noun
from knowact.core.task import Boundary

Register = Literal["terse", "chatty", "formal", "story"]
REGISTERS: Final[tuple[Register, ...]] = ("terse", "chatty", "formal", "story")
Topic = Literal[
    "travel",
    "outdoors",
    "home",
    "money",
    "shopping",
    "cooking",
    "work",
    "study",
    "health",
    "sport",
    "culture",
    "music",
    "games",
    "family",
    "party",
    "writing",
    "coding",
    "civic",
]
FEWEST_ASKS: Final = 6
FEWEST_CLAUSES: Final = 4
SLOT: Final = re.compile(r"\{(\w+)(:on)?\}")


class _Draw(Noun):
    """How an argument is drawn. `unlike` names another drawn parameter that must get another value."""

    unlike: str = ""


class OneOf(_Draw):
    """One of some values."""

    one_of: Annotated[tuple[JsonValue, ...], Field(min_length=1)]


class Whole(_Draw):
    """A whole number from `whole[0]` to `whole[1]`, in steps."""

    whole: tuple[int, int]
    step: Annotated[int, Field(ge=1)] = 1


class Fractional(_Draw):
    """A number with that many decimals, its last digit never zero."""

    decimal: tuple[float, float]
    places: Annotated[int, Field(ge=1, le=6)]


class NearDay(_Draw):
    """A day, counted from the world's today; said as people say it ("tomorrow", "Saturday")."""

    day: tuple[int, int]


class FarDay(_Draw):
    """A day between two ISO dates, said in full."""

    date: tuple[str, str]


class Clock(_Draw):
    """A time of day between two, in steps of minutes."""

    time: tuple[str, str]
    step: Annotated[int, Field(ge=1)] = 5


class Key(_Draw):
    """A key of one of the world's private tables."""

    table: str
    only: tuple[str, ...] = ()


class Place_(_Draw):  # noqa: N801 - `Place` is a line of a file
    """A city of the world."""

    city: Literal["any", "coastal", "nearby"]


class Several(_Draw):
    """A list of different values."""

    list_of: "OneOf | Whole | Fractional | Clock"
    count: tuple[int, int]


class Lines(_Draw):
    """A text of some of these lines, one below the other; said with commas."""

    lines: Annotated[tuple[str, ...], Field(min_length=2)]
    count: tuple[int, int]


Draw = OneOf | Whole | Fractional | NearDay | FarDay | Clock | Key | Place_ | Several | Lines


class FieldWords(Noun):
    """A result field in words.

    Attributes:
        label: What it is, for the reader of a report; may have slots.
        kind, unit, tolerance, exact: As `core.task.Fact`.
        aliases: Other right ways to put a value, by value.
        noun: Noun phrases that name the value inside another question, with all slots needed for it.
        again: Short noun phrases that refer back to it in a second sentence.
    """

    label: str
    kind: Literal["number", "text", "date", "time", "yes_no"]
    unit: str = ""
    tolerance: float = 0.0
    exact: bool = False
    aliases: Mapping[str, tuple[str, ...]] = {}
    noun: tuple[str, ...] = ()
    again: tuple[str, ...] = ()


class Ask(Noun):
    """A complete request; `tone` is written `register` in the files."""

    tone: Register = Field(alias="register")
    text: str
    wants: Annotated[tuple[str, ...], Field(min_length=1)]


class Clause(Noun):
    """Part of a request: what follows "tell me ..." (tell) or "please ..." (do); no full stop."""

    mode: Literal["tell", "do"]
    text: str
    wants: Annotated[tuple[str, ...], Field(min_length=1)]


class Fixed(Noun):
    """An argument that the wording itself says: one of `said` stands in every text of the variant."""

    value: JsonValue
    said: tuple[str, ...] = ()


Say = str | Mapping[str, str]


class Variant(Noun):
    """One way to draw a call, on one side of the boundary; its own texts replace the shared ones."""

    side: Literal[Boundary.EXTERNAL, Boundary.INTERNAL]
    draw: Mapping[str, Draw] = {}
    fixed: Mapping[str, Fixed] = {}
    say: Mapping[str, Say] = {}
    asks: tuple[Ask, ...] = ()
    clauses: tuple[Clause, ...] = ()


class Words(Noun):
    """Everything that is said about one tool.

    Attributes:
        topics: What such requests are about; tools are chained only when they share one.
        fields: The result fields that can be asked for or handed on.
        say: How parameters are put into words ("{} euros"), where not plainly.
        accepts: Which units a linked number may have for a parameter, where `say` does not tell; an empty
            list keeps a parameter from being linked.
        variants: The ways to draw a call.
        asks, clauses: The texts, where a variant has none of its own.
    """

    topics: Annotated[tuple[Topic, ...], Field(min_length=1, max_length=3)]
    fields: Mapping[str, FieldWords]
    say: Mapping[str, Say] = {}
    accepts: Mapping[str, tuple[str, ...]] = {}
    variants: Annotated[tuple[Variant, ...], Field(min_length=1)]
    asks: tuple[Ask, ...] = ()
    clauses: tuple[Clause, ...] = ()

    def asks_of(self, variant: Variant) -> tuple[Ask, ...]:
        """The complete requests for a variant."""
        return variant.asks or self.asks

    def clauses_of(self, variant: Variant) -> tuple[Clause, ...]:
        """The clauses for a variant."""
        return variant.clauses or self.clauses

    def say_of(self, variant: Variant, parameter: str) -> Say:
        """How a parameter is put into words; "" for plainly."""
        return variant.say.get(parameter, self.say.get(parameter, ""))


def slots(template: str) -> set[str]:
    """The parameters that a template has slots for."""
    return {match[1] for match in SLOT.finditer(template)}


def areas() -> list[str]:
    """The names of the files, in order."""
    folder = resources.files("version_1").joinpath("phrasings")
    return sorted(file.name.removesuffix(".yaml") for file in folder.iterdir() if file.name.endswith(".yaml"))


def read(area: str) -> dict[str, Words]:
    """Read one file.

    Raises:
        BadData: It is no YAML, or an entry is not as it should be.
    """
    name = f"{area}.yaml"
    file = resources.files("version_1").joinpath("phrasings", name)
    try:
        entries = yaml.safe_load(file.read_text("utf-8"))
    except yaml.YAMLError as error:
        raise BadData(f"not readable as YAML: {error}", Place(Path(name)), "correct the file") from None
    found: dict[str, Words] = {}
    for tool, entry in entries.items():
        try:
            found[tool] = Words.model_validate(entry)
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(str(part) for part in (tool, *first["loc"]))
            raise BadData(first["msg"], Place(Path(name), field=where), "correct the entry") from None
    return found


@lru_cache(maxsize=1)
def phrasings() -> Mapping[str, Words]:
    """Return the words of every tool, in the order of the files."""
    found: dict[str, Words] = {}
    for area in areas():
        entries = read(area)
        if twice := found.keys() & entries.keys():
            raise BadData(
                f"{', '.join(sorted(twice))}: phrased in two files", Place(Path(f"{area}.yaml")), "keep one"
            )
        found |= entries
    return MappingProxyType(found)


def texts(words: Words, variant: Variant) -> Iterable[Ask | Clause]:
    """All texts that can stand for a variant."""
    return (*words.asks_of(variant), *words.clauses_of(variant))
