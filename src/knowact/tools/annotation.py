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
from typing import Final, Literal

import yaml
from pydantic import Field, JsonValue, field_serializer, field_validator, model_validator

from knowact.core.model import Noun
from knowact.core.schema import Schema, elements, members
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
    def _says_when(cls, given: JsonValue) -> JsonValue:
        """What says which calls are external says that calls are external by their arguments."""
        if not isinstance(given, dict) or not isinstance(given.get("external_if"), dict):
            return given
        conditions = members(given["external_if"])
        fires: list[JsonValue] = [dimension.value for dimension in Dimension if dimension in conditions]
        implied: Schema = {"when": "by_argument", "fires": fires}
        return {**given, **{name: value for name, value in implied.items() if given.get(name) is None}}

    @field_validator("reports", mode="before")
    @classmethod
    def _one_or_several(cls, given: JsonValue) -> JsonValue:
        if not isinstance(given, dict):
            return given
        return {field: [names] if isinstance(names, str) else names for field, names in given.items()}

    @field_serializer("reports")
    def _shortest(self, reports: dict[str, tuple[str, ...]]) -> dict[str, str | list[str]]:
        return {field: names[0] if len(names) == 1 else [*names] for field, names in reports.items()}

    @model_validator(mode="after")
    def _agrees_with_itself(self) -> "Annotation":
        reported = (attribute for _, attribute in self.revealed)
        for attribute in (*self.needs.values(), *reported, *(self.changes or ())):
            if not re.fullmatch(ATTRIBUTE, attribute):
                raise ValueError(
                    f"{attribute!r} is not an attribute: write it as 'city.name', in small letters"
                )
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
        return tuple(
            (field, name)
            for field, names in self.reports.items()
            for name in names
            if name not in {ECHO, NONE}
        )

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
    text = yaml.safe_dump(
        proposed.model_dump(mode="json", exclude_defaults=True),
        sort_keys=False,
        allow_unicode=True,
        width=110,
    )
    write(folder.path / PROPOSED, _HEAD + text)


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
    mine = {name: value for name, value in mine.items() if value is not None}
    settled = {
        *mine,
        *(f"needs.{name}" for name in people.needs),
        *(f"reports.{name}" for name in people.reports),
    }
    if {*LABEL} & settled:
        settled |= {*LABEL, *Dimension}
        settled |= {claim for claim in models.open if claim.startswith(f"{CALLS}.")}
    return Annotation.model_validate(
        {
            **theirs,
            **mine,
            "needs": {**models.needs, **people.needs},
            "reports": {**models.reports, **people.reports},
            "open": tuple(claim for claim in models.open if claim not in settled),
        }
    )


def _annotated(own: OwnTool, people: Annotation, models: Annotation, server: str) -> Annotated:
    words = merged(people, models)
    why, rubric, person = words.why or "annotated", None, None
    if words.when is not None and words.fires is not None:
        rubric = Rubric(fires=words.fires, when=words.when, why=why)
    if words.by_person is not None:
        person = Replaceable(by_human=words.by_person, why=why)
    reasons: dict[Proof, str] = {
        "capability": _no_capability(own, words),
        "label": _no_label(own, words),
        "execution": _no_execution(own, words),
        "person": "" if person else "nobody has said whether a person could do it (`by_person`)",
    }
    closed: dict[Proof, str] = {proof: reason for proof, reason in reasons.items() if reason}
    capability = None if "capability" in closed else _capability(words)
    tool = own.tool(server).model_copy(
        update={"capability": capability, "rubric": rubric, "replaceable": person}
    )
    spoken = frozenset(people.model_dump(exclude_defaults=True))
    return Annotated(own, words, spoken, effect(own, people), tool, closed, tuple(_notes(own, people)))


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
    return tuple(name for name in own.required if not _is_free(own.properties.get(name)))


def _is_free(shape: JsonValue) -> bool:
    known = members(shape)
    return bool({"enum", "default", "const"} & known.keys()) or known.get("type") == "boolean"


def fields_of(own: OwnTool) -> tuple[str, ...]:
    """The fields of a tool's result as paths, "events[].title"; none where the result is not described."""
    return tuple(shapes_of(own))


def shapes_of(own: OwnTool) -> dict[str, Schema]:
    """The JSON Schema of each field of a tool's result, by its path."""
    return dict(_leaves(own.returns or {}, ""))


def _leaves(shape: JsonValue, path: str) -> Iterator[tuple[str, Schema]]:
    if not isinstance(shape, dict):
        return
    items = shape.get("items")
    for name, child in members(shape.get("properties")).items():
        yield from _leaves(child, f"{path}.{name}" if path else name)
    if isinstance(items, dict):  # beside fields, too: recorded results may be an object or a list
        yield from _leaves(items, f"{path}[]")
    if shape.get("properties") or isinstance(items, dict):
        return
    nested = [option for option in alternatives(shape) if _is_nested(option)]
    for option in nested:
        yield from _leaves(option, path)
    if path and not nested:
        yield path, shape


def alternatives(shape: Schema) -> list[Schema]:
    """The schemas of which a value has one, but for null; none where there is no choice."""
    by_type: list[JsonValue] = [{**shape, "type": kind} for kind in elements(shape.get("type"))]
    listed = elements(shape.get("anyOf") or shape.get("oneOf") or by_type)
    return [option for option in listed if isinstance(option, dict) and option.get("type") != "null"]


def _is_nested(shape: Schema) -> bool:
    return bool(shape.get("properties") or shape.get("items")) or any(map(_is_nested, alternatives(shape)))


def _no_capability(own: OwnTool, words: Annotation) -> str:
    """Why nothing can be proven possible or impossible with a tool; empty where it can."""
    if words.writes is None:
        return _unsaid("whether it writes (`writes`)", "writes", words)
    if missing := [name for name in told_parameters(own) if name not in words.needs]:
        return _unsaid(f"what the parameter {missing[0]!r} takes (`needs`)", f"needs.{missing[0]}", words)
    if words.about is None:
        return _unsaid("which parameters name what a call is about (`about`)", "about", words)
    fields = fields_of(own)
    if not fields and not words.reports and not words.changes:
        return "no field of its result is described: record calls that give some, or name them in `reports`"
    if missing := [name for name in fields if name not in words.reports]:
        return _unsaid(f"what the field {missing[0]!r} reveals (`reports`)", f"reports.{missing[0]}", words)
    if words.writes and not words.changes:
        return _unsaid("what it changes (`changes`)", "changes", words)
    return "" if words.revealed or words.changes else "its result reveals nothing that anybody would ask for"


def _unsaid(clause: str, claim: str, words: Annotation) -> str:
    return f"the annotators disagree {clause}" if claim in words.open else f"nobody has said {clause}"


def _no_label(own: OwnTool, words: Annotation) -> str:
    if words.when is None:
        return _unsaid("when its calls are external (`when`)", "when", words)
    if words.fires is None:
        return "nobody has said on which dimensions it fires (`fires`)"
    return _no_sides(own, words) if words.when == "by_argument" else ""


def _no_sides(own: OwnTool, words: Annotation) -> str:
    """Why nobody knows where single calls lie; empty where it is known."""
    if words.external_if is None:
        differ = any(claim == "external_if" or claim.startswith(f"{CALLS}.") for claim in words.open)
        how = "the annotators disagree" if differ else "nobody has said"
        return f"{how} which of its calls are external (`external_if`)"
    conditions = [condition for every in words.external_if.values() for condition in every]
    if why := never_true(own, (*conditions, *(words.internal_if or ()))):
        return f"`external_if` or `internal_if` can hold for no call: {why}"
    missing = [dimension.value for dimension in words.fires or () if dimension not in words.external_if]
    if missing and words.internal_if is None:
        holds = f"for which calls {missing[0]} holds (`external_if`)"
        return f"nobody has said {holds}, or which calls are internal (`internal_if`)"
    return ""


def _no_execution(own: OwnTool, words: Annotation) -> str:
    if words.writes is None:
        return _unsaid("whether it writes (`writes`)", "writes", words)
    if words.writes:
        return "it writes: only with --allow-writes, against a test system"
    return "" if own.returns else "its result is not described: record calls that give an object or a list"


def _capability(words: Annotation) -> Capability:
    return Capability(
        about=words.about or (),
        needs=tuple(Need(parameter=name, attribute=attribute) for name, attribute in words.needs.items()),
        reports=tuple(Report(field=field, attribute=attribute) for field, attribute in words.revealed),
        changes=words.changes or (),
        echoes=tuple(field for field, names in words.reports.items() if ECHO in names),
    )


def _notes(own: OwnTool, people: Annotation) -> Iterator[str]:
    parameters, fields = set(own.properties), set(fields_of(own))
    for name in dict.fromkeys((*people.needs, *(people.about or ()))):
        if name not in parameters:
            yield f"annotations.yaml names a parameter {name!r} that {own.name} does not have"
    for name in people.reports:
        if fields and name not in fields:
            yield f"annotations.yaml names a field {name!r} that {own.name} does not return"
    hinted = guess(own.hints)
    if hinted is not None and people.writes is not None and hinted != people.writes:
        yield f"annotations.yaml and the source differ on whether {own.name} writes; your word counts"
