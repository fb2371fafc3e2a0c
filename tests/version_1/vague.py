"""How people name a value without saying it: read from `vague.yaml`.

"The day we agreed on" stands where "Saturday" would. Whether a request that says so is complete depends on
what else is said: "The day we agreed on is Saturday." tells it, "The day Paul proposed is Saturday." does
not, and the words of both are alike (validity.md, section 4: crossed twins).
"""

from collections.abc import Mapping
from functools import lru_cache
from importlib import resources
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, Literal

import yaml
from pydantic import Field, ValidationError

from knowact.core.errors import BadData, Place
from knowact.core.model import Noun
from knowact.worlds.everyday.catalogue import OPERATIONS
from version_1.bind import raised
from version_1.draw import Said, number

FEWEST: int = 6


class Vague(Noun):
    """The phrases for one data-flow type.

    Attributes:
        type: The type.
        parameters: The parameters that they are for ("tool.parameter"); empty for all that no other entry
            names.
        phrases: Noun phrases that mean different things.
        named: How a sentence says the value ("{}" for the plain one); empty for the request's own words.
        of: How the phrases begin, as far as such a sentence leaves it out ("the lines of ").
        many: Whether the phrases are plurals.
        default: What people fill in where nothing is said.
        left_out: The parameters that may go unsaid.
    """

    type: str
    parameters: tuple[str, ...] = ()
    phrases: Annotated[tuple[str, ...], Field(min_length=FEWEST)]
    named: str = ""
    of: str = ""
    many: bool = False
    default: Literal["", "today", "home"] = ""
    left_out: tuple[str, ...] = ()

    def sentence(self, frame: str, phrase: str, said: Said, *, holds: bool) -> str:
        """Say what a phrase means, or does not mean.

        Args:
            frame: One of `sentences()`.
            phrase: One of the phrases.
            said: The value.
            holds: Whether the phrase means it.
        """
        value: Any = said.value
        text = self.named.replace("{}", number(value)) if self.named else said.words
        verb = ("are" if self.many else "is") + ("" if holds else " not")
        return raised(frame.format_map({"phrase": phrase.removeprefix(self.of), "is": verb, "value": text}))


class _File(Noun):
    sentences: Annotated[tuple[str, ...], Field(min_length=FEWEST)]
    entries: tuple[Vague, ...]


@lru_cache(maxsize=1)
def _file() -> _File:
    name = "vague.yaml"
    text = resources.files("version_1").joinpath(name).read_text("utf-8")
    try:
        return _File.model_validate(yaml.safe_load(text))
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise BadData(first["msg"], Place(Path(name), field=where), "correct the entry") from None


def sentences() -> tuple[str, ...]:
    """Return the frames of sentences that say what a phrase means."""
    return _file().sentences


@lru_cache(maxsize=1)
def vague() -> Mapping[tuple[str, str], Vague]:
    """Return the phrases by tool and parameter, for every parameter that has some.

    Raises:
        BadData: The file is not as it should be, or two entries are for one parameter.
    """
    named: dict[str, Vague] = {}
    general: dict[str, Vague] = {}
    for entry in _file().entries:
        for key in entry.parameters or (entry.type,):
            into = named if entry.parameters else general
            if key in into:
                raise BadData(f"{key}: in two entries", Place(Path("vague.yaml")), "keep one")
            into[key] = entry
    found: dict[tuple[str, str], Vague] = {}
    for tool, operation in OPERATIONS.items():
        for parameter, flow in operation.takes.items():
            entry = named.get(f"{tool}.{parameter}") or general.get(flow)
            if entry is not None:
                found[tool, parameter] = entry
    return MappingProxyType(found)
