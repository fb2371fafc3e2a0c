"""Own tools as the forge sees them: those whose every proof is open, with the values that recordings hold.

Nobody can give a stranger's server another seed, so an item made of its tools is *executed*, not *proven*
(validity.md, section 7): its plan ran twice, in two sessions, with equal answers; the prover finds it
possible with its tools and impossible without each of them; its labels rest on annotations.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from pydantic import JsonValue

from knowact.core.proof import values_at
from knowact.core.task import Boundary
from knowact.core.tool import Dimension
from knowact.core.world import Observation, Session
from knowact.tools.annotation import ECHO, NONE, PROOFS, Annotated, annotated, guess, shapes_of
from knowact.tools.folder import ToolFolder, find
from knowact.tools.recordings import read_recordings
from knowact.tools.world import LiveSession, ToolsWorld
from knowact.worlds.material import Answer, Material
from knowact.worlds.registry import OWN_TOOLS

_SIZE: Final = frozenset({Dimension.COMPUTATION, Dimension.SCALE, Dimension.MODALITY})
"""What makes a call external however constant its answer is."""
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
    answered = [tool for (tool, _), seen in read_recordings(folder).items() if seen.ok]
    return [Use(one.own.name, _why_not(one), answered.count(one.own.name)) for one in annotated(folder)]


def _why_not(one: Annotated) -> str:
    for proof in _NEEDED:
        if proof in one.closed:
            return f"{PROOFS[proof]} is not known: {one.closed[proof]}"
    if not _only_reads(one):
        return "only a model says that it reads: write `writes: false` into annotations.yaml"
    if one.said.when not in {"always", "never"}:
        return f"its calls are external {one.said.when!r}, so no single call has a known side"
    return "" if _answers(one) else "no field of its result can be asked for"


def _only_reads(one: Annotated) -> bool:
    """Whether people or the source itself say so: on a model's word, nobody's tools are called."""
    return one.said.writes is False and ("writes" in one.people or guess(one.own.hints) is False)


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
    usable = {one.own.name: one for one in annotated(folder) if not _why_not(one)}
    opened = _Sessions(ToolsWorld(f"{OWN_TOOLS}{name}"))

    def boundary(tool: str, _arguments: Mapping[str, Any]) -> Boundary | None:
        return Boundary.EXTERNAL if usable[tool].said.when == "always" else Boundary.INTERNAL

    return Material(
        name=f"{OWN_TOOLS}{name}",
        open=opened.open,
        today=folder.source.added,
        shown={},
        tools={tool: one.tool for tool, one in usable.items()},
        keys=_keys(folder, usable),
        scenarios={},
        answers={tool: _answers(one) for tool, one in usable.items()},
        boundary=boundary,
        by_size=lambda tool, _arguments: usable[tool].said.when == "always" and _sized(usable[tool]),
        stands_in=lambda _one, _other: False,
        seeded=False,
    )


def _sized(one: Annotated) -> bool:
    """Whether a tool is needed for the size of what it is given alone."""
    return set(one.said.fires or ()) <= _SIZE


class _Sessions:
    """One session per seed, kept: reads leave nothing behind, and starting a server takes a second.

    Where a command puts the service back, it runs before the first alone: the others would wait for
    their turn forever.
    """

    def __init__(self, world: ToolsWorld) -> None:
        self._world = world
        self._by_seed: dict[int, Session] = {}

    def open(self, _setup: Mapping[str, Any], seed: int) -> Session:
        """The session of a seed."""
        if seed not in self._by_seed:
            opened = self._world.open({}, seed)
            if self._by_seed and isinstance(opened, LiveSession):
                opened = opened.beside()
            self._by_seed[seed] = opened
        return self._by_seed[seed]


def _answers(one: Annotated) -> dict[str, Answer]:
    """How an answer states each field that reveals something; of a list's, a plan must find exactly one."""
    asked = [field for field, names in one.said.reports.items() if {*names} - {ECHO, NONE}]
    shapes = shapes_of(one.own)
    found: dict[str, Answer] = {}
    for field in asked:
        shape = shapes.get(field, {})
        kind = _FORMATS.get(str(shape.get("format"))) or _KINDS.get(str(shape.get("type")))
        if kind is not None:
            about = "".join(f" {{{name}}}" for name in one.said.about or ())
            found[field] = Answer(label=f"{_words(field)}{f' of{about}' if about else ''}", kind=kind)
    return found


def _words(field: str) -> str:
    return field.removesuffix("[]").rpartition(".")[2].replace("_", " ") or "result"


def _keys(folder: ToolFolder, usable: Mapping[str, Annotated]) -> dict[str, Sequence[JsonValue]]:
    """Values by attribute: what recorded calls were given, and what their results hold."""
    found: dict[str, dict[JsonValue, None]] = {}
    for (tool, arguments), seen in _answered(folder):
        if tool in usable:
            for attribute, value in _values(usable[tool], arguments, seen):
                found.setdefault(attribute, {})[value] = None
    return {attribute: sorted(values, key=str) for attribute, values in sorted(found.items())}


def _answered(folder: ToolFolder) -> Iterator[tuple[tuple[str, Mapping[str, Any]], Observation]]:
    import json

    for (tool, arguments), seen in read_recordings(folder).items():
        if seen.ok:
            yield (tool, json.loads(arguments)), seen


def _values(
    one: Annotated, arguments: Mapping[str, Any], seen: Observation
) -> Iterator[tuple[str, JsonValue]]:
    for name, attribute in one.said.needs.items():
        if isinstance(arguments.get(name), str | int | float):
            yield attribute, arguments[name]
    for field, names in one.said.reports.items():
        for value in values_at(seen.value, field):
            if isinstance(value, str | int | float):
                yield from ((attribute, value) for attribute in names if attribute not in {ECHO, NONE})
