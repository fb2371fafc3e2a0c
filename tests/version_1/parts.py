"""Parts: the steps of one plan with their arguments bound and carried out, before anybody words them."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from knowact.core.proof import values_at
from knowact.core.task import Boundary
from knowact.core.world import Call
from knowact.worlds.everyday import EverydayWorld
from knowact.worlds.everyday.catalogue import OPERATIONS
from version_1 import bind
from version_1.draw import Said, admits, reworded
from version_1.words import Variant, Words

_SHARED: Final = frozenset({"city.name", "day.date", "person.name"})
"""One person's request is about one place, one day, one friend: such values are shared between its parts."""
_SHARING: Final = 0.7


@dataclass(frozen=True, slots=True)
class Source:
    """Where a linked argument comes from."""

    part: int
    field: str


@dataclass(frozen=True, slots=True)
class Sketch:
    """A step before its arguments are drawn: the tool, one variant of its phrasing, and what feeds it."""

    tool: str
    words: Words
    variant: Variant
    links: Mapping[str, Source] = field(default_factory=dict[str, Source])


@dataclass(frozen=True, slots=True)
class Part:
    """A step with its arguments and its result. Linked arguments have a value but no words yet."""

    tool: str
    words: Words
    variant: Variant
    links: Mapping[str, Source]
    bound: Mapping[str, Said]
    result: Any

    @property
    def external(self) -> bool:
        """Whether the step needs its tool."""
        return self.variant.side is Boundary.EXTERNAL


def carried_out(sketches: Sequence[Sketch], rng: random.Random, seed: int) -> tuple[Part, ...] | None:
    """Draw the arguments of a plan and run it.

    Args:
        sketches: The plan; links point to earlier parts.
        rng: For the drawn arguments.
        seed: The world's seed.

    Returns:
        The parts; None where a call is refused, a linked value is not there, or a call does not lie on the
        side of the boundary that it was sketched for.
    """
    session = EverydayWorld().open({}, seed)
    shared: dict[str, Said] = {}
    parts: list[Part] = []
    for sketch in sketches:
        given = _linked(sketch, parts)
        if given is None:
            return None
        given |= _from_others(sketch, shared, given, rng)
        bound = bind.arguments(sketch.words, sketch.variant, rng, given)
        call = {name: said.value for name, said in bound.items()}
        seen = session.call(Call(sketch.tool, call))
        if seen.problem is not None or OPERATIONS[sketch.tool].boundary(call) is not sketch.variant.side:
            return None
        parts.append(Part(sketch.tool, sketch.words, sketch.variant, sketch.links, bound, seen.value))
        for name, said in bound.items():
            flow = OPERATIONS[sketch.tool].takes.get(name, "")
            if flow in _SHARED and name not in sketch.links:
                shared.setdefault(flow, said)
    return tuple(parts)


def _linked(sketch: Sketch, parts: Sequence[Part]) -> dict[str, Said] | None:
    given: dict[str, Said] = {}
    for name, source in sketch.links.items():
        found = values_at(parts[source.part].result, source.field)
        if len(found) != 1 or found[0] in (None, "", "none"):
            return None
        given[name] = Said(found[0], "", "")
    return given


def _from_others(
    sketch: Sketch, shared: Mapping[str, Said], given: Mapping[str, Said], rng: random.Random
) -> dict[str, Said]:
    """Take over values that earlier parts speak of, where this part may speak of them too."""
    found: dict[str, Said] = {}
    taken: set[str] = set()
    for name, how in sketch.variant.draw.items():
        flow = OPERATIONS[sketch.tool].takes.get(name, "")
        if name in given or flow not in shared or flow in taken or rng.random() > _SHARING:
            continue
        if admits(how, shared[flow].value, bind.TODAY):
            found[name] = reworded(how, shared[flow], sketch.words.say_of(sketch.variant, name))
            taken.add(flow)
    return found
