"""What people and models say of own tools, which no schema says: `annotations.yaml` and `proposed.yaml`.

Both have one shape, so that a line of the one can be copied into the other::

    tools:
      get_weather:
        writes: false
        fires: [temporality]
        when: always
        by_person: false
        about: [city]
        needs: {city: city.name}
        reports: {temperature_c: weather.temperature, city: echo, note: none}

People's words win, parameter by parameter and field by field, and outlive a new `add`. What nobody says
stays unsaid: `Annotated.closed` tells which proofs that rules out. Hints of the source are shown to models;
alone they prove nothing.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, Final, Literal, cast

import yaml
from pydantic import Field, field_validator, model_validator

from knowact.core.model import Noun
from knowact.core.tool import Capability, Dimension, Need, Replaceable, Report, Rubric, Tool
from knowact.datasets.lines import parse, read_yaml
from knowact.tools.folder import Hints, OwnTool, ToolFolder, write
from knowact.tools.sides import Conditions, never_true

PROPOSED: Final = "proposed.yaml"
"""What models say; written anew by each `tools annotate`."""

ECHO: Final = "echo"
"""In `reports`: the field only repeats an argument."""
NONE: Final = "none"
"""In `reports`: the field reveals nothing that anybody would ask for."""
ATTRIBUTE: Final = r"[a-z0-9_]+(\.[a-z0-9_]+)+"

When = Literal["always", "by_argument", "never", "public"]
Proof = Literal["capability", "label", "execution", "person"]
"""What can be known of an item that uses a tool: whether it is possible (and impossible without the tool),
whether its steps are external or internal, whether its plan runs, and whether a person could help."""

PROOFS: Final[Mapping[Proof, str]] = {
    "capability": "what is possible",
    "label": "where the boundary lies",
    "execution": "a plan that runs",
    "person": "what a person could do",
}

CALLS: Final = "calls"
"""What claims about single arguments begin with."""
LABEL: Final = ("when", "fires", "external_if", "internal_if")
"""What together says where the boundary lies."""

_HEAD: Final = (
    "# Written by `knowact tools annotate`. Copy what you correct into annotations.yaml, which wins and is\n"
    "# never written by a command.\n"
)


class Annotation(Noun):
    """What is said of one tool; None is *not said*.

    Attributes:
        writes: Whether a call changes anything.
        fires: Which of KAPRO's six dimensions hold; empty says that none does.
        when: Whether its calls are external always, by their arguments, never, or whether its answers are
            public facts, which a model may know or not.
        external_if: By dimension, the calls on which it fires (`tools.sides`); says `when: by_argument`, and
            which dimensions fire.
        internal_if: The calls that a model could do itself; without it all that are not external. A call that
            is neither has no side.
        by_person: Whether a person who is asked could do its job.
        about: The parameters that together name what a call is about; empty is the user's own world.
        needs: The attribute that each parameter takes a value of.
        reports: What each field of the result reveals: attributes, `echo`, or `none`.
        changes: The attributes that a call makes true ("event.exists").
        why: In a sentence.
        open: What models did not agree on; in `proposed.yaml` only.
    """

    writes: bool | None = None
    fires: tuple[Dimension, ...] | None = None
    when: When | None = None
    external_if: dict[Dimension, Conditions] | None = None
    internal_if: Conditions | None = None
    by_person: bool | None = None
    about: tuple[str, ...] | None = None
    needs: dict[str, str] = Field(default_factory=dict[str, str])
    reports: dict[str, tuple[str, ...]] = Field(default_factory=dict[str, tuple[str, ...]])
    changes: tuple[str, ...] | None = None
    why: str = ""
    open: tuple[str, ...] = ()

    @model_validator(mode="before")
    @classmethod
    def _says_when(cls, given: object) -> object:
        """What says which calls are external says that calls are external by their arguments."""
        if not isinstance(given, dict):
            return given
        found = cast("dict[str, object]", given)
        conditions = found.get("external_if")
        if not isinstance(conditions, dict):
            return found
        named = cast("dict[object, object]", conditions)
        said = {"when": "by_argument", "fires": [one for one in Dimension if one in named]}
        return {**found, **{name: one for name, one in said.items() if found.get(name) is None}}

    @field_validator("reports", mode="before")
    @classmethod
    def _one_or_several(cls, given: object) -> object:
        if not isinstance(given, dict):
            return given
        found = cast("dict[object, object]", given)
        return {field: (said,) if isinstance(said, str) else said for field, said in found.items()}

    @model_validator(mode="after")
    def _agrees_with_itself(self) -> "Annotation":
        reported = (one for _, one in self.revealed)
        for one in (*self.needs.values(), *reported, *(self.changes or ())):
            if not re.fullmatch(ATTRIBUTE, one):
                raise ValueError(f"{one!r} is not an attribute: write it as 'city.name', in small letters")
        if self.fires is not None and self.when is not None:
            if self.fires and self.when in {"never", "public"}:
                raise ValueError(f"a tool that is external {self.when!r} fires on no dimension")
            if not self.fires and self.when in {"always", "by_argument"}:
                raise ValueError(f"a tool that is external {self.when!r} fires on one dimension at least")
        self._sides_agree()
        if self.writes is False and self.changes:
            raise ValueError("a tool that does not write changes nothing")
        return self

    def _sides_agree(self) -> None:
        if self.external_if is None and self.internal_if is None:
            return
        if self.when is not None and self.when != "by_argument":
            raise ValueError(f"of a tool that is external {self.when!r}, no arguments decide")
        for dimension in self.external_if or {}:
            if dimension not in (self.fires or ()):
                raise ValueError(f"external_if names {dimension.value}, which is not among `fires`")

    @property
    def revealed(self) -> tuple[tuple[str, str], ...]:
        """Each field of the result with each attribute that it reveals."""
        every = ((field, one) for field, names in self.reports.items() for one in names)
        return tuple((field, one) for field, one in every if one not in {ECHO, NONE})

    @property
    def answer(self) -> str:
        """Of what kind its answers are: acting, private, live, computable or public; empty if not said."""
        if self.when == "public":
            return "public"
        if self.fires is None:
            return ""
        kinds = {
            Dimension.INTERACTION: "acting",
            Dimension.PRIVACY: "private",
            Dimension.TEMPORALITY: "live",
        }
        return next((kind for dimension, kind in kinds.items() if dimension in self.fires), "computable")


class Annotations(Noun):
    """A file of annotations.

    Attributes:
        attributes: What each attribute means.
        tools: What is said of each tool, by its name.
    """

    attributes: dict[str, str] = Field(default_factory=dict[str, str])
    tools: dict[str, Annotation] = Field(default_factory=dict[str, Annotation])


class Effect(StrEnum):
    """What is known of a tool's calls, by those whose word permits to make them."""

    READS = "reads"
    WRITES = "writes"
    UNKNOWN = "not said"


@dataclass(frozen=True, slots=True)
class Annotated:
    """A tool with what is said of it.

    Attributes:
        own: The tool as it was read.
        said: People's words over models'.
        people: The fields that people speak of.
        effect: Whether it only reads.
        tool: The same as agents, conditions and proofs see it: what is incomplete is left out.
        closed: Why a proof is ruled out, by proof; those that are not in it are open.
        notes: What is odd about the annotations themselves, a sentence each.
    """

    own: OwnTool
    said: Annotation
    people: frozenset[str]
    effect: Effect
    tool: Tool
    closed: Mapping[Proof, str]
    notes: tuple[str, ...]


def read_annotations(file: Path) -> Annotations:
    """Read a file of annotations; one that is not there, or holds comments only, says nothing.

    Raises:
        BadData: It is no YAML, or a field is wrong; the field is named.
    """
    return parse(Annotations, read_yaml(file, "begin with `tools:`")) if file.exists() else Annotations()


def write_proposed(folder: ToolFolder, proposed: Annotations) -> None:
    """Write what models say.

    Raises:
        BadUsage: The file cannot be written.
    """
    plain = proposed.model_dump(mode="json", exclude_defaults=True)
    for one in plain.get("tools", {}).values():
        one["reports"] = {field: _short(said) for field, said in one.get("reports", {}).items()}
        if not one["reports"]:
            del one["reports"]
    text = yaml.safe_dump(plain, sort_keys=False, allow_unicode=True, width=110)
    write(folder.path / PROPOSED, _HEAD + text)


def _short(said: list[str]) -> str | list[str]:
    return said[0] if len(said) == 1 else said


def annotated(folder: ToolFolder, people: Annotations | None = None) -> tuple[Annotated, ...]:
    """The tools of a folder with what people and models say of them.

    Args:
        folder: The tools.
        people: What people say; what `annotations.yaml` holds where it is not given.

    Raises:
        BadData: A file of annotations is wrong.
    """
    people = read_annotations(folder.annotations) if people is None else people
    models = read_annotations(folder.path / PROPOSED)
    nothing = Annotation()
    return tuple(
        _annotated(own, people.tools.get(own.name, nothing), models.tools.get(own.name, nothing), folder.name)
        for own in folder.tools
    )


def unknown_tools(folder: ToolFolder) -> tuple[str, ...]:
    """The names in `annotations.yaml` that no tool has: misspelt, or gone from the source."""
    known = {tool.name for tool in folder.tools}
    return tuple(name for name in read_annotations(folder.annotations).tools if name not in known)


def merged(people: Annotation, models: Annotation) -> Annotation:
    """People's words over models'; what people speak of is no longer open."""
    mine = people.model_dump(exclude_unset=True, exclude={"needs", "reports", "open"})
    theirs = models.model_dump(exclude={"needs", "reports", "open"})
    # A label is one judgement: half of it by people and half by models might contradict itself.
    if any(getattr(people, name) is not None for name in LABEL):
        theirs |= dict.fromkeys(LABEL)
    if people.writes is False:
        theirs["changes"] = None
    elif people.changes:
        theirs["writes"] = True
    told = {*(name for name, value in mine.items() if value is not None)}
    told |= {f"needs.{name}" for name in people.needs} | {f"reports.{name}" for name in people.reports}
    if {*LABEL} & told:
        told |= {*LABEL, *(one.value for one in Dimension)}
        told |= {one for one in models.open if one.startswith(f"{CALLS}.")}
    return Annotation.model_validate(
        {
            **theirs,
            **{name: value for name, value in mine.items() if value is not None},
            "needs": {**models.needs, **people.needs},
            "reports": {**models.reports, **people.reports},
            "open": tuple(one for one in models.open if one not in told),
        }
    )


def _annotated(own: OwnTool, people: Annotation, models: Annotation, server: str) -> Annotated:
    said = merged(people, models)
    closed: dict[Proof, str] = {}
    capability = label = None
    if why := _no_capability(own, said):
        closed["capability"] = why
    else:
        capability = _capability(said)
    if said.when is not None and said.fires is not None:
        label = Rubric(fires=said.fires, when=said.when, why=said.why or "annotated")
    if why := _no_label(own, said):
        closed["label"] = why
    if why := _no_execution(own, said):
        closed["execution"] = why
    person = None
    if said.by_person is None:
        closed["person"] = "nobody has said whether a person could do it (`by_person`)"
    else:
        person = Replaceable(by_human=said.by_person, why=said.why or "annotated")
    tool = own.tool(server).model_copy(
        update={"capability": capability, "rubric": label, "replaceable": person}
    )
    spoken = frozenset(people.model_dump(exclude_defaults=True))
    return Annotated(own, said, spoken, effect(own, people), tool, closed, tuple(_notes(own, people)))


def declared(tool: Tool) -> Annotation:
    """What a tool with capability, rubric and all declares of itself, as an annotation of it.

    So tools of a world of ours can be annotated as if they were somebody else's, and compared.
    """
    can, rubric, person = tool.capability, tool.rubric, tool.replaceable
    reports: dict[str, tuple[str, ...]] = {}
    for report in can.reports if can else ():
        reports[report.field] = (*reports.get(report.field, ()), report.attribute)
    for field in can.echoes if can else ():
        reports.setdefault(field, (ECHO,))
    return Annotation(
        writes=bool(can.changes) if can else None,
        fires=rubric.fires if rubric else None,
        when=rubric.when if rubric else None,
        by_person=person.by_human if person else None,
        about=can.about if can else None,
        needs={need.parameter: need.attribute for need in can.needs} if can else {},
        reports=reports,
        changes=can.changes or None if can else None,
        why=rubric.why if rubric else "",
    )


def guess(hints: Hints) -> bool | None:
    """Whether a tool writes, as its source hints; None where it does not say.

    GET, HEAD and OPTIONS are safe and PUT, PATCH and DELETE are not by their definition (RFC 9110); POST is
    used for searches as well.
    """
    if hints.method:
        return None if hints.method == "POST" else hints.read_only is not True
    if hints.destructive and hints.read_only is not True:
        return True
    return None if hints.read_only is None else not hints.read_only


def effect(own: OwnTool, people: Annotation | None = None) -> Effect:
    """Whether a tool only reads: the one rule of `record`, `forge` and `new`.

    What people say in `annotations.yaml` counts, then the source. On a model's word no tool is called.
    """
    writes = None
    if people is not None:
        writes = True if people.writes is None and people.changes else people.writes
    if writes is None:
        writes = guess(own.hints)
    return Effect.UNKNOWN if writes is None else Effect.WRITES if writes else Effect.READS


def told_parameters(own: OwnTool) -> tuple[str, ...]:
    """The parameters that a call must be told: required, without a default, and no choice from a list."""
    tool = own.tool("")
    return tuple(name for name in tool.required if not _is_free(tool.properties.get(name)))


def _is_free(shape: object) -> bool:
    if not isinstance(shape, dict):
        return False
    found = cast("dict[str, Any]", shape)
    return bool({"enum", "default", "const"} & found.keys()) or found.get("type") == "boolean"


def fields_of(own: OwnTool) -> tuple[str, ...]:
    """The fields of a tool's result as paths, "events[].title"; none where the result is not described."""
    return tuple(shapes_of(own))


def shapes_of(own: OwnTool) -> dict[str, Mapping[str, Any]]:
    """The JSON Schema of each field of a tool's result, by its path."""
    return dict(_leaves(own.returns or {}, ""))


def _leaves(shape: Any, path: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    if not isinstance(shape, dict):
        return
    found = cast("dict[str, Any]", shape)
    inner, items = found.get("properties"), found.get("items")
    if isinstance(inner, dict):
        for name, child in cast("dict[str, Any]", inner).items():
            yield from _leaves(child, f"{path}.{name}" if path else name)
    if isinstance(items, dict):  # beside fields, too: recorded results may be an object or a list
        yield from _leaves(items, f"{path}[]")
    if inner or isinstance(items, dict):
        return
    nested = [one for one in alternatives(found) if _is_nested(one)]
    for one in nested:
        yield from _leaves(one, path)
    if path and not nested:
        yield path, found


def alternatives(shape: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The schemas of which a value has one, but for null; none where there is no choice."""
    types: object = shape.get("type")
    each = [{**shape, "type": one} for one in cast("list[object]", types)] if isinstance(types, list) else []
    listed: object = shape.get("anyOf") or shape.get("oneOf") or each
    options = cast("list[object]", listed) if isinstance(listed, list) else []
    kinds = [cast("Mapping[str, Any]", one) for one in options if isinstance(one, dict)]
    return [one for one in kinds if one.get("type") != "null"]


def _is_nested(shape: Mapping[str, Any]) -> bool:
    return bool(shape.get("properties") or shape.get("items")) or any(map(_is_nested, alternatives(shape)))


def _no_capability(own: OwnTool, said: Annotation) -> str:
    """Why nothing can be proven possible or impossible with a tool; empty where it can."""
    if said.writes is None:
        return _unsaid("whether it writes (`writes`)", "writes", said)
    if missing := [name for name in told_parameters(own) if name not in said.needs]:
        return _unsaid(f"what the parameter {missing[0]!r} takes (`needs`)", f"needs.{missing[0]}", said)
    if said.about is None:
        return _unsaid("which parameters name what a call is about (`about`)", "about", said)
    fields = fields_of(own)
    if not fields and not said.reports and not said.changes:
        return "no field of its result is described: record calls that give some, or name them in `reports`"
    if missing := [name for name in fields if name not in said.reports]:
        return _unsaid(f"what the field {missing[0]!r} reveals (`reports`)", f"reports.{missing[0]}", said)
    if said.writes and not said.changes:
        return _unsaid("what it changes (`changes`)", "changes", said)
    return "" if said.revealed or said.changes else "its result reveals nothing that anybody would ask for"


def _unsaid(what: str, claim: str, said: Annotation) -> str:
    return f"the annotators disagree {what}" if claim in said.open else f"nobody has said {what}"


def _no_label(own: OwnTool, said: Annotation) -> str:
    if said.when is None:
        return _unsaid("when its calls are external (`when`)", "when", said)
    if said.fires is None:
        return "nobody has said on which dimensions it fires (`fires`)"
    return _no_sides(own, said) if said.when == "by_argument" else ""


def _no_sides(own: OwnTool, said: Annotation) -> str:
    """Why nobody knows where single calls lie; empty where it is known."""
    if said.external_if is None:
        differ = any(one == "external_if" or one.startswith(f"{CALLS}.") for one in said.open)
        how = "the annotators disagree" if differ else "nobody has said"
        return f"{how} which of its calls are external (`external_if`)"
    conditions = [one for every in said.external_if.values() for one in every]
    if why := never_true(own, (*conditions, *(said.internal_if or ()))):
        return f"`external_if` or `internal_if` can hold for no call: {why}"
    missing = [one.value for one in said.fires or () if one not in said.external_if]
    if missing and said.internal_if is None:
        holds = f"for which calls {missing[0]} holds (`external_if`)"
        return f"nobody has said {holds}, or which calls are internal (`internal_if`)"
    return ""


def _no_execution(own: OwnTool, said: Annotation) -> str:
    if said.writes is None:
        return _unsaid("whether it writes (`writes`)", "writes", said)
    if said.writes:
        return "it writes: only with --allow-writes, against a test system"
    return "" if own.returns else "its result is not described: record calls that give an object or a list"


def _capability(said: Annotation) -> Capability:
    return Capability(
        about=said.about or (),
        needs=tuple(Need(parameter=name, attribute=one) for name, one in said.needs.items()),
        reports=tuple(Report(field=field, attribute=one) for field, one in said.revealed),
        changes=said.changes or (),
        echoes=tuple(field for field, names in said.reports.items() if ECHO in names),
    )


def _notes(own: OwnTool, people: Annotation) -> Iterator[str]:
    parameters, fields = set(own.tool("").properties), set(fields_of(own))
    for name in dict.fromkeys((*people.needs, *(people.about or ()))):
        if name not in parameters:
            yield f"annotations.yaml names a parameter {name!r} that {own.name} does not have"
    for name in people.reports:
        if fields and name not in fields:
            yield f"annotations.yaml names a field {name!r} that {own.name} does not return"
    hinted = guess(own.hints)
    if hinted is not None and people.writes is not None and hinted != people.writes:
        yield f"annotations.yaml and the source differ on whether {own.name} writes; your word counts"
