"""What can feed what: result fields and parameters of one data-flow type."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from knowact.worlds.everyday.catalogue import OPERATIONS
from version_1.words import FieldWords, Several, Variant, Words, phrasings


@dataclass(frozen=True, slots=True)
class Link:
    """A result field that one tool hands to a parameter of another."""

    giver: str
    field: str
    taker: str
    parameter: str


@lru_cache(maxsize=1)
def links() -> tuple[Link, ...]:
    """Every link that the contracts and the phrasings allow, in a fixed order.

    The types must be equal, and for numbers the units; the field must have noun phrases, and the tools a
    topic in common. A tool never feeds itself.
    """
    return tuple(_links(phrasings()))


def _links(words: Mapping[str, Words]) -> Iterator[Link]:
    for giver, said in words.items():
        for field, how in said.fields.items():
            flow = OPERATIONS[giver].yields.get(field)
            if not (how.noun and flow):
                continue
            for taker in words:
                if taker == giver:
                    continue
                if not set(said.topics) & set(words[taker].topics):
                    continue
                for parameter, wanted in OPERATIONS[taker].takes.items():
                    fits = wanted == flow and any(takes(v, parameter) for v in words[taker].variants)
                    if fits and _is_welcome(field, how, words[taker], parameter):
                        yield Link(giver, field, taker, parameter)


_EUROS: Final = frozenset({"€", "EUR", "euro", "euros"})
_RATE: Final = "rate"
"""Euros for one of something: what several cost makes sense, or a discount; sharing it out does not."""
_PLAIN: Final = frozenset({"", "euros", _RATE, "g", "bottles", "people"})
"""What a number that is said without a unit may stand for."""


def _is_welcome(field: str, how: FieldWords, taker: Words, parameter: str) -> bool:
    if how.kind == "number":
        return _unit(field, how) in _units(taker, parameter)
    return taker.accepts.get(parameter) != ()


def _unit(field: str, how: FieldWords) -> str:
    if how.unit not in _EUROS:
        return _spelt(how.unit)
    return _RATE if "_per_" in field and not field.endswith("_person") else "euros"


def _units(words: Words, parameter: str) -> Collection[str]:
    """The units that a parameter may be linked to, from how its value is said."""
    if parameter in words.accepts:
        return words.accepts[parameter]
    said = [words.say_of(variant, parameter) for variant in words.variants if parameter in variant.draw]
    units = {_spelt(form.replace("{}", "").strip()) for form in said if isinstance(form, str)}
    return _PLAIN if units == {""} else units


def _spelt(unit: str) -> str:
    return {
        "minutes": "min",
        "grams": "g",
        "kilometres": "km",
        "°C": "degrees Celsius",
        "mm": "mm of rain",
    }.get(unit, unit)


def takes(variant: Variant, parameter: str) -> bool:
    """Whether an earlier result may stand for a parameter of a variant.

    Not where the wording fixes what the parameter means (the title of a note), nor for one of a list.
    """
    how = variant.draw.get(parameter)
    return how is not None and not variant.fixed and not isinstance(how, Several)


DAY_BY_DAY: Final = frozenset({frozenset({"find_event", "list_events"})})
"""Whoever can list the events of any day finds one by its title in the end. The prover does not search."""


def searchable(one: str, other: str) -> bool:
    """Whether one of two tools could do the other's job by asking often enough."""
    return frozenset({one, other}) in DAY_BY_DAY


def rivals(one: str, other: str) -> bool:
    """Whether one of two tools can do the other's job, so that neither is needed beside the other."""
    left, right = OPERATIONS[one], OPERATIONS[other]
    return left.can_stand_in_for(right) or right.can_stand_in_for(left)
