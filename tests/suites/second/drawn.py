"""Calls as the forge draws them, and where the tool and its second implementation part."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from fractions import Fraction
from typing import Any, Final

from knowact.core.seeds import generator
from knowact.core.task import Boundary
from knowact.core.world import Call
from knowact.worlds.everyday import EverydayWorld
from knowact.worlds.everyday.catalogue import OPERATIONS
from version_1 import bind
from version_1.words import Variant, phrasings

Second = Callable[[Mapping[str, Any]], Mapping[str, Any]]

_SEED: Final = 7
_WORLD_SEED: Final = 27
_DRAWS: Final = {Boundary.INTERNAL: 60, Boundary.EXTERNAL: 20}
_DECIMALS: Final = {"whole": 0, "one": 1, "a tenth": 1, "two": 2, "two decimals": 2, "cents": 2, "six": 6}
_ROUNDED: Final = re.compile(r"rounded to (whole|one|two|cents|six)\b|to (a tenth|two decimals)")
_SPARE: Final = Fraction(1, 10**9)
_FLOAT_ERROR: Final = Fraction(1, 10**15)
"""What a few operations on floats may be off, as a share of the result."""


def internal_tools(categories: Collection[str]) -> set[str]:
    """The tools of some categories that are never external, or only for some arguments."""
    tools = (operation.tool for operation in OPERATIONS.values() if operation.tool.category in categories)
    return {tool.name for tool in tools if tool.rubric and tool.rubric.when in {"never", "by_argument"}}


def calls(tool: str) -> Iterator[dict[str, Any]]:
    """Draw the calls of a tool on either side of its boundary, its variants in turn."""
    words = phrasings()[tool]
    for side, draws in _DRAWS.items():
        variants = [
            variant for variant in words.variants if variant.side is side and not _looks_it_up(variant)
        ]
        for number in range(draws if variants else 0):
            variant = variants[number % len(variants)]
            bound = bind.arguments(words, variant, generator(_SEED, tool, number))
            yield {name: said.value for name, said in bound.items()}


def _looks_it_up(variant: Variant) -> bool:
    """Whether the text is one of the user's own notes, sheets or projects, named by its title."""
    source = variant.fixed.get("source")
    return source is not None and source.value != "text"


def half_a_unit(tool: str, field: str) -> Fraction:
    """How far a number may be off the exact one by what the description promises; 0 without a promise."""
    returns: Any = OPERATIONS[tool].tool.returns
    promise = _ROUNDED.search(returns["properties"].get(field, {}).get("description", ""))
    return Fraction(1, 2 * 10 ** _DECIMALS[promise[1] or promise[2]]) if promise else Fraction(0)


def disagreements(tool: str, second: Second) -> Iterator[str]:
    """Run the drawn calls in the world and yield every field that comes out differently, a line each."""
    world = EverydayWorld()
    for call in calls(tool):
        seen = world.open({}, _WORLD_SEED).call(Call(tool, call))
        if seen.problem is not None:
            yield f"{tool} {call}: {seen.problem.message}"
            continue
        told: Any = seen.value
        again = second(call)
        for field in sorted(told.keys() | again.keys()):
            here, there = told.get(field), again.get(field)
            if not alike(here, there, half_a_unit(tool, field)):
                yield f"{tool} {call}: {field} is {here!r} by the tool, {there!r} by the second"


def alike(told: Any, again: Any, within: Fraction) -> bool:
    if isinstance(told, bool) or not isinstance(told, int | float):
        return type(told) is type(again) and told == again
    if isinstance(again, bool) or not isinstance(again, int | float | Fraction):
        return False
    return abs(Fraction(told) - Fraction(again)) <= within + _SPARE + _FLOAT_ERROR * abs(Fraction(again))
