"""From parts and their words to a task with everything frozen: values, origins, facts, provenance."""

import random
from collections.abc import Sequence
from typing import Any, Final

from pydantic import JsonValue

from knowact.core.proof import values_at
from knowact.core.task import Argument, Fact, Query, Step, Task, Topology, WorldRef
from knowact.worlds.everyday.catalogue import OPERATIONS
from version_1 import bind
from version_1.compose import Composed
from version_1.draw import Said, spoken
from version_1.parts import Part

WORLD: Final = "everyday"
_LONGEST_TEXT: Final = 240
_COUNTED: Final = frozenset({"times", "entries", "squares", "letters", "points", "games", "tests", "people"})
"""What is counted, for links between steps; an answer may call it otherwise."""
_SIGNED: Final = frozenset({"°C", "°F", "%"})
"""Units in which people speak of negative numbers."""
_NO_ANSWER: Final = (None, "", "none")


class NoFact(Exception):  # noqa: N818 - reads as a sentence where it is raised
    """A wanted field holds nothing that an answer could assert."""


def topology_of(parts: Sequence[Part]) -> Topology:
    """How the steps hang together."""
    if len(parts) == 1:
        return Topology.SINGLE_HOP
    return Topology.MULTI_HOP if any(part.links for part in parts) else Topology.PARALLEL


def frozen(
    parts: Sequence[Part],
    composed: Composed,
    name: str,
    provenance: dict[str, JsonValue],
    rng: random.Random,
) -> Task:
    """Freeze one task.

    Args:
        parts: The plan, carried out.
        composed: Its words.
        name: The task's id.
        provenance: Where it comes from; what was said for each argument is added.
        rng: For the order in which tools are offered: the plan's would tell which comes first.

    Raises:
        NoFact: A wanted field is empty, or no value that an answer could state.
    """
    offered = [part.tool for part in parts]
    rng.shuffle(offered)
    plan = tuple(_step(part, wants) for part, wants in zip(parts, composed.wants, strict=True))
    servers = {OPERATIONS[tool].tool.server for tool in offered}
    said: dict[str, JsonValue] = {
        f"{step}.{key}": words
        for step, part in enumerate(parts)
        for key, words in _said(part).items()
        if words
    }
    required = [OPERATIONS[part.tool] for part in parts if part.external]
    rivals = {
        name
        for name, operation in OPERATIONS.items()
        if any(operation.can_stand_in_for(one) for one in required)
    }
    return Task(
        id=name,
        opening=Query(text=composed.text),
        world=WorldRef(name=WORLD),
        offered=tuple(offered),
        plan=plan,
        facts=tuple(_facts(parts, composed)),
        topology=topology_of(parts),
        cluster=name,
        server="single" if len(servers) == 1 else "multi",
        provenance={**provenance, "phrasings": list(composed.phrasings), "said": said},
        stand_ins=tuple(sorted(rivals - set(offered))),
    )


def _said(part: Part) -> dict[str, str]:
    """The words for each argument that the query says itself."""
    said = {name: one.words for name, one in part.bound.items() if name not in part.links}
    for name, fixed in part.variant.fixed.items():
        said[name] = fixed.said[0] if fixed.said else ""
    return said


def _step(part: Part, wants: tuple[str, ...]) -> Step:
    arguments: dict[str, Argument] = {}
    for name, said in part.bound.items():
        if name in part.links:
            source = part.links[name]
            arguments[name] = Argument(value=said.value, origin="step", step=source.part, field=source.field)
        else:
            arguments[name] = Argument(value=said.value, origin=said.origin)
    return Step(tool=part.tool, boundary=part.variant.side, arguments=arguments, wants=wants)


def _facts(parts: Sequence[Part], composed: Composed) -> list[Fact]:
    return [_fact(part, step, wanted) for step, part in enumerate(parts) for wanted in composed.wants[step]]


def _fact(part: Part, step: int, wanted: str) -> Fact:
    words = part.words.fields[wanted]
    found: list[Any] = values_at(part.result, wanted)
    value = found[0] if len(found) == 1 else None
    if value in _NO_ANSWER or isinstance(value, list | dict) or len(str(value)) > _LONGEST_TEXT:
        raise NoFact(f"{part.tool}.{wanted} is {value!r}")
    if isinstance(value, str) and ("?" in value or "\n" in value):
        raise NoFact(f"{part.tool}.{wanted} is a question or several lines, which answers put in many ways")
    if isinstance(value, int | float) and value < 0 and words.unit not in _SIGNED:
        raise NoFact(f"{part.tool}.{wanted} is {value!r}, which nobody would put like that")
    return Fact(
        kind=words.kind,
        value=value,
        unit="" if words.unit in _COUNTED else words.unit,
        tolerance=words.tolerance,
        aliases=words.aliases.get(str(value), ()),
        exact=words.exact,
        label=bind.filled(words.label, {name: _plain(part, name) for name in part.bound}),
        sources=(f"{step}.{wanted}",),
    )


def _plain(part: Part, name: str) -> Said:
    """The words for an argument in a label: a linked one is said by its value, as if the query had."""
    said = part.bound[name]
    return said if said.words else spoken(said.value, part.words.say_of(part.variant, name))
