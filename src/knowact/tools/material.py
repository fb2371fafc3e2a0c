"""Own tools as the forge sees them: those whose every proof is open, with the values that recordings hold.

Nobody can give a stranger's server another seed, so an item made of its tools is *executed*, not *proven*:
its plan ran twice, in two sessions, with equal answers; the prover finds it
possible with its tools and impossible without each of them; its labels rest on annotations.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from pydantic import JsonValue

from knowact.core.proof import values_at
from knowact.core.schema import Schema
from knowact.core.task import Boundary
from knowact.core.tool import Dimension
from knowact.core.world import Observation, WorldState
from knowact.tools.annotation import (
    PROOFS,
    Annotated,
    Annotation,
    Effect,
    alternatives,
    annotated,
    shapes_of,
)
from knowact.tools.folder import OWN_TOOLS, OwnTool, ToolFolder, find
from knowact.tools.recordings import REDACTED, named_secret, read_recordings
from knowact.tools.sides import SIZE, Side, Sides
from knowact.tools.world import LiveSession, ToolsWorld
from knowact.worlds.material import Answer, Material

_KINDS: Final[Mapping[str, Literal["number", "yes_no", "text"]]] = {
    "number": "number",
    "integer": "number",
    "boolean": "yes_no",
    "string": "text",
}
_FORMATS: Final[Mapping[str, Literal["date", "time"]]] = {"date": "date", "time": "time"}
_NEEDED: Final = ("capability", "label", "execution")
"""What must be known of a tool before an item can be made with it."""


@dataclass(frozen=True, slots=True)
class Use:
    """Whether items can be made with a tool.

    Attributes:
        tool: Its name.
        why_not: What is missing, a sentence; empty where nothing is.
        calls: How many recorded calls it has that were answered.
    """

    tool: str
    why_not: str
    calls: int


def uses(folder: ToolFolder) -> list[Use]:
    """Say of each tool whether items can be made with it, and if not, why."""
    answered = [tool for (tool, _), _ in answered_calls(folder)]
    return [Use(tool.own.name, _why_not(tool), answered.count(tool.own.name)) for tool in annotated(folder)]


def _why_not(tool: Annotated) -> str:
    for proof in _NEEDED:
        if proof in tool.closed:
            return f"{PROOFS[proof]} is not known: {tool.closed[proof]}"
    if tool.effect is not Effect.READS:
        return "only a model says that it reads: write `writes: false` into annotations.yaml"
    if tool.said.when == "public":
        return "it reports public facts, which lie on neither side"
    return "" if _answers(tool) else "no field of its result can be asked for"


def material_of(name: str) -> Material:
    """Read own tools, annotations and recordings for the forge.

    Args:
        name: As given to `knowact tools add`.

    Returns:
        Material without scenarios; a writer proposes them. Its tools are those that items can be made with.

    Raises:
        UnknownName: There are no such tools.
        BadData: A file of theirs is wrong.
    """
    folder = find(name)
    usable = {tool.own.name: tool for tool in annotated(folder) if not _why_not(tool)}
    opened = _Sessions(ToolsWorld(f"{OWN_TOOLS}{name}"))

    sides = {tool: side_of(known.own, known.said) for tool, known in usable.items()}
    secrets = _redacted(folder, usable)
    answers = {tool: _answers(known) for tool, known in usable.items()}
    return Material(
        name=f"{OWN_TOOLS}{name}",
        open=opened.open,
        today=folder.source.added,
        shown={},
        tools={tool: known.tool for tool, known in usable.items()},
        keys=_keys(folder, usable),
        scenarios={},
        answers={
            tool: {field: answer for field, answer in by_field.items() if (tool, field) not in secrets}
            for tool, by_field in answers.items()
        },
        boundary=lambda tool, arguments: sides[tool](arguments).boundary,
        by_size=lambda tool, arguments: sides[tool](arguments).by_size,
        stands_in=lambda _one, _other: False,
        needed_if={tool: needed for tool, known in usable.items() if (needed := _needed_if(known))},
        seeded=False,
    )


def side_of(own: OwnTool, annotation: Annotation) -> Callable[[Mapping[str, JsonValue]], Side]:
    """On which side calls of a tool lie, by their arguments; on neither where nobody says."""
    if annotation.when == "by_argument" and annotation.external_if is not None:
        return Sides(own, annotation.external_if, annotation.internal_if).of
    side = {
        "always": Side(Boundary.EXTERNAL, by_size={*(annotation.fires or ())} <= SIZE),
        "never": Side(Boundary.INTERNAL),
    }.get(annotation.when or "", Side(None))
    return lambda _arguments: side


def _needed_if(tool: Annotated) -> JsonValue:
    """Which calls need a tool, and which do not, as a proposer is told; nothing where arguments don't decide.

    Calls that are external for their size alone are left out: no request is made of them.
    """
    if tool.said.when != "by_argument":
        return None
    shown = tool.said.model_dump(mode="json", include={"external_if", "internal_if"})
    reasons = {name: calls for name, calls in shown["external_if"].items() if Dimension(name) not in SIZE}
    return {"if": reasons, "not if": shown["internal_if"]}


class _Sessions:
    """One session per seed, kept: reads leave nothing behind, and starting a server takes a second.

    Where a command puts the service back, it runs before the first alone: the others would wait for
    their turn forever.
    """

    def __init__(self, world: ToolsWorld) -> None:
        self._world = world
        self._by_seed: dict[int, WorldState] = {}

    def open(self, _setup: Mapping[str, JsonValue], seed: int) -> WorldState:
        """The session of a seed."""
        if seed not in self._by_seed:
            opened = self._world.open({}, seed)
            if self._by_seed and isinstance(opened, LiveSession):
                opened = opened.beside()
            self._by_seed[seed] = opened
        return self._by_seed[seed]


def _answers(tool: Annotated) -> dict[str, Answer]:
    """How an answer states each field that reveals something; what is named as a secret stays one."""
    shapes = shapes_of(tool.own)
    answers: dict[str, Answer] = {}
    for field, attribute in tool.said.revealed:
        shape = _without_null(shapes.get(field, {}))
        kind = _FORMATS.get(str(shape.get("format"))) or _KINDS.get(str(shape.get("type")))
        if kind is not None and not any(map(named_secret, re.split(r"[.\[\]]+", field))):
            about = "".join(f" {{{name}}}" for name in tool.said.about or ())
            last = field.removesuffix("[]").rpartition(".")[2]
            words = last if last and about else attribute.replace(".", " ")
            label = f"{words.replace('_', ' ')}{f' of{about}' if about else ''}"
            answers.setdefault(field, Answer(label=label, kind=kind))  # by the first attribute
    return answers


def _without_null(shape: Schema) -> Schema:
    """The schema of a value that may also be missing, where it is there: only such a value is asked for."""
    there = alternatives(shape)
    return there[0] if len(there) == 1 else shape


def _keys(folder: ToolFolder, usable: Mapping[str, Annotated]) -> dict[str, Sequence[JsonValue]]:
    """Values by attribute: what recorded calls were given, and what their results hold."""
    keys: dict[str, dict[str | float, None]] = {}
    for (tool, arguments), seen in answered_calls(folder):
        if tool in usable:
            for attribute, value in _values(usable[tool], arguments, seen):
                keys.setdefault(attribute, {})[value] = None
    return {attribute: sorted(values, key=str) for attribute, values in sorted(keys.items())}


def answered_calls(folder: ToolFolder) -> Iterator[tuple[tuple[str, Schema], Observation]]:
    """Yield the recorded calls that were answered, tool and arguments, with their answers."""
    for (tool, arguments), seen in read_recordings(folder).items():
        if seen.ok:
            yield (tool, json.loads(arguments)), seen


def _values(tool: Annotated, arguments: Schema, seen: Observation) -> Iterator[tuple[str, str | float]]:
    for name, attribute in tool.said.needs.items():
        if isinstance(value := arguments.get(name), str | int | float):
            yield attribute, value
    for field, attribute in tool.said.revealed:
        for value in values_at(seen.value, field):
            if isinstance(value, str | int | float) and REDACTED not in str(value):
                yield attribute, value


def _redacted(folder: ToolFolder, usable: Mapping[str, Annotated]) -> set[tuple[str, str]]:
    """Tools and fields in which a recording held a secret: the facts of an item would hold it live."""
    return {
        (tool, field)
        for (tool, _), seen in answered_calls(folder)
        if tool in usable
        for field, _ in usable[tool].said.revealed
        if any(REDACTED in str(value) for value in values_at(seen.value, field))
    }
