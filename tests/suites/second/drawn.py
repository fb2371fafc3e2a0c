"""Calls of the scenarios' jobs, and where a tool and its second implementation part."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from fractions import Fraction
from typing import Any, Final

from knowact.core.task import Boundary
from knowact.core.world import Call
from knowact.forge.drafts import Sketch, Unusable, drafted
from knowact.worlds import registry
from knowact.worlds.everyday import EverydayWorld
from knowact.worlds.everyday.catalogue import OPERATIONS
from knowact.worlds.everyday.material import material
from knowact.worlds.scenarios import Scenario

Second = Callable[[Mapping[str, Any]], Mapping[str, Any]]

MATERIAL: Final = material()
_SEED: Final = 7
_WORLD_SEED: Final = 27
_TURNS: Final = 20
"""How often the arguments of a job are drawn."""
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
    """Yield the world's own examples of a tool, then what the scenarios' jobs give it; no call twice.

    A call counts where a model could make it alone, or could but for the size of what it is given.
    """
    seen: list[dict[str, Any]] = []
    for call in (*_examples(tool), *_of_jobs(tool)):
        alone = MATERIAL.boundary(tool, call) is Boundary.INTERNAL or MATERIAL.by_size(tool, call)
        if alone and call not in seen:
            seen.append(call)
            yield call


def _examples(tool: str) -> Iterator[dict[str, Any]]:
    read = registry.find("everyday").examples
    assert read is not None
    for example in read():
        if example.tool == tool and not example.problem and not example.setup:
            yield dict(example.arguments)


def _of_jobs(tool: str) -> Iterator[dict[str, Any]]:
    for name, scenario in MATERIAL.scenarios.items():
        for job in scenario.jobs:
            if scenario.jobs[job].tool != tool:
                continue
            for turn in range(_TURNS):
                sketch = Sketch(scenario=name, jobs=_with_what_feeds(scenario, job), turn=turn)
                try:
                    draft = drafted(sketch, MATERIAL, _SEED)
                except Unusable:
                    continue
                yield draft.task.plan[-1].call_arguments


def _with_what_feeds(scenario: Scenario, job: str) -> tuple[str, ...]:
    needed = {job}
    for name in reversed(list(scenario.jobs)):
        if name in needed:
            needed |= {source.job for source in scenario.jobs[name].sources}
    return tuple(name for name in scenario.jobs if name in needed)


def half_a_unit(tool: str, field: str) -> Fraction:
    """How far a number may be off the exact one by what the description promises; 0 without a promise."""
    returns: Any = OPERATIONS[tool].tool.returns
    promise = _ROUNDED.search(returns["properties"].get(field, {}).get("description", ""))
    return Fraction(1, 2 * 10 ** _DECIMALS[promise[1] or promise[2]]) if promise else Fraction(0)


def disagreements(tool: str, second: Second) -> Iterator[str]:
    """Run the calls in the world and yield every field that comes out differently, a line each."""
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
