"""The published KAware layout, with all its variants, to our tasks.

Eight files, `<Boundary>_Function/<topology>.jsonl`. Fields vary with the number of tools: documents are
strings of JSON or objects of such strings, names are bare or carry their server, recordings may be
missing. What cannot be used is refused with file, line and field before any model is called.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final, Literal

from pydantic import BeforeValidator, Field, JsonValue, ValidationInfo, field_validator

from knowact.core.errors import BadData, Place
from knowact.core.names import bare
from knowact.core.table import DatasetInfo
from knowact.core.task import Argument, Boundary, Query, Step, Task, Topology, WorldRef
from knowact.core.tool import Tool
from knowact.datasets.lines import Complaint, Line, decode, noted, parse, read_lines, sha256
from knowact.datasets.own import in_turn
from knowact.datasets.published import PublishedRow, Text

Object = dict[str, JsonValue]

LONGEST_INDEX: Final = 18
"""Digits; Python itself refuses to read texts of thousands of them as a number."""

FOLDERS: Final = {f"{boundary.value.title()}_Function": boundary for boundary in Boundary}
CODES: Final = {"P1": Boundary.EXTERNAL, "P2": Boundary.HYBRID, "P3": Boundary.INTERNAL}
TOPOLOGIES: Final = {topology.value.replace("_", "-"): topology for topology in Topology}


class Annotation(PublishedRow):
    """One sub-question: the tool that could answer it, and on which side of the boundary it lies."""

    tool: Text
    boundary: Literal["P1", "P3"]
    subquestion: Annotated[str, BeforeValidator(str)] = ""


Urls = Annotated[list[str], BeforeValidator(lambda url: [url] if isinstance(url, str) else url or [])]


class Record(PublishedRow):
    """One record, its fields in the order of the complaints about them.

    Attributes:
        target_tool: The tools' bare names, each with its server ("" where the name carries none).
        tool_call_parameter: Arguments by tool, where there are any.
        tool_response: Recorded outputs by tool; some may be missing (a replay gap).
        mcp_server: The servers' addresses; of several the order says nothing.
    """

    index: JsonValue = None
    boundary: JsonValue
    hop: JsonValue
    target_tool: dict[str, str]
    num_tools: JsonValue = None
    tool_doc: dict[str, Tool]
    tool_call_parameter: dict[str, Object]
    tool_response: dict[str, str]
    mcp_server: Urls = Field(default_factory=list[str])
    sub_question_annotations: Annotated[list[Annotation], Field(min_length=1)] | None = None
    task: Text
    server: Literal["single", "multi"]
    answer: Text

    @field_validator("target_tool", mode="before")
    @classmethod
    def _by_bare_name(cls, value: JsonValue) -> dict[str, str]:
        parts = value.split(",") if isinstance(value, str) else value
        names = [part for part in parts if isinstance(part, str)] if isinstance(parts, list) else []
        if not names or names != parts or not all(map(bare, names)):
            raise Complaint("this must name one tool or several", "join names by ', '")
        if len({bare(name) for name in names}) < len(names):
            raise Complaint("a tool is listed twice", "list it once")
        return {bare(name): name.rpartition("::")[0].strip() for name in names}

    @field_validator("num_tools")
    @classmethod
    def _counted(cls, value: JsonValue, info: ValidationInfo) -> JsonValue:
        names = _names(info)
        if names and value not in (None, len(names)):
            raise Complaint(f"num_tools is {value!r}, but 'target_tool' lists others", "correct one of them")
        return value

    @field_validator("tool_doc", mode="before")
    @classmethod
    def _described(cls, value: JsonValue, info: ValidationInfo) -> dict[str, Tool]:
        documents = {bare(str(document.get("name", ""))): document for document in _documents(value)}
        names = _names(info)
        alone = next(iter(documents.values())) if len(names) == len(documents) == 1 else None
        tools: dict[str, Tool] = {}
        for name in names:
            document = documents.get(name, alone)
            if document is None:
                raise Complaint(f"there is no document of the tool {name!r}", "add it under the tool's name")
            description, schema = document.get("description"), document.get("input_schema")
            if name not in documents or not isinstance(description, str) or not isinstance(schema, dict):
                known = f"the name {name!r}, not {document.get('name')!r}"
                what = f"the document must have a description, an input_schema and {known}"
                raise Complaint(what, "complete it, under its tool's name", f"tool_doc.{name}")
            tools[name] = Tool(name=name, description=description, parameters=schema)
        return tools

    @field_validator("tool_call_parameter", mode="before")
    @classmethod
    def _by_tool(cls, value: JsonValue, info: ValidationInfo) -> JsonValue:
        """With one tool, the object holds the arguments directly, unless it is keyed by the tool's name."""
        names = _names(info)
        if not isinstance(value, dict) or not names:
            return value
        keyed = [bare(name) for name in value] == names and isinstance(next(iter(value.values())), dict)
        return {names[0]: value} if len(names) == 1 and not keyed else _of_listed(value, names)

    @field_validator("tool_response", mode="before")
    @classmethod
    def _recorded(cls, value: JsonValue, info: ValidationInfo) -> dict[str, str]:
        names = _names(info)
        if not names:
            return {}
        if isinstance(value, str) and len(names) == 1:
            value = [value]
        if isinstance(value, list) and len(value) <= len(names):
            value = dict(zip(names, value, strict=False))
        if not isinstance(value, dict):
            raise Complaint("this must be a recorded output per tool", "map each tool to its output")
        return {
            name: output if isinstance(output, str) else json.dumps(output, ensure_ascii=False)
            for name, output in _of_listed(value, names).items()
            if output is not None
        }


def _names(info: ValidationInfo) -> list[str]:
    """The bare names under `target_tool`, in the order listed; none where that was refused."""
    return list(info.data.get("target_tool", ()))


def _of_listed(value: Object, names: list[str]) -> Object:
    for name in value:
        if bare(name) not in names:
            raise Complaint(f"'target_tool' does not list {name!r}", "list the tool, or correct its name")
    return {bare(name): inner for name, inner in value.items()}


def _documents(value: JsonValue) -> list[Object]:
    """Tools' documents: an object, JSON text of one, a list of either, or an object of them by name."""
    if isinstance(value, str):
        try:
            value = decode(value)
        except ValueError as error:
            raise Complaint(f"the text is not JSON ({error})", "write it as JSON") from error
    if isinstance(value, list):
        return [document for part in value for document in _documents(part)]
    if not isinstance(value, dict):
        raise Complaint("this must be a tool's document, or one per tool", "write each as JSON, once")
    if "input_schema" in value or "description" in value:
        return [value]
    return [{"name": name, **document} for name, part in value.items() for document in _documents(part)]


@dataclass(frozen=True, slots=True)
class PublishedData:
    """A loaded release. `tools` is the pool that distractors are drawn from."""

    info: DatasetInfo
    tasks: tuple[Task, ...]
    tools: tuple[Tool, ...]


def looks_published(folder: Path) -> bool:
    """Whether a folder has the published layout."""
    return any((folder / name).is_dir() for name in FOLDERS)


def load_published(folder: Path) -> PublishedData:
    """Load every file of a release, or of a part of one.

    Raises:
        BadData: A record cannot be used; the first one is named.
    """
    tasks: dict[str, Task] = {}
    tools: list[Tool] = []
    places = [(folder / name / f"{hop}.jsonl", name, hop) for name in FOLDERS for hop in TOPOLOGIES]
    files = [place for place in places if place[0].exists()]
    for file, name, hop in files:
        for position, line in enumerate(read_lines(file)):
            with noted():
                task, own = _task(line, position, FOLDERS[name], hop)
                if task.id in tasks:
                    what = f"the index {task.id.rsplit('.', 1)[1]} occurs twice in this file"
                    raise BadData(what, line.place("index"), "give each record an index of its own")
                tasks[task.id] = task
                tools.extend(own)
    if not tasks:
        what = "none of the published files holds a record"
        raise BadData(what, Place(folder), "point --data at the folder that holds External_Function")
    info = DatasetInfo("kaware", "published", sha256(*(file for file, _, _ in files)))
    ordered = in_turn(tasks.values(), lambda task: (task.boundary, task.topology))
    return PublishedData(info, tuple(ordered), tuple(tools))


def _task(line: Line, position: int, boundary: Boundary, hop: str) -> tuple[Task, tuple[Tool, ...]]:
    record = parse(Record, line, columns=True)
    code = next(code for code, side in CODES.items() if side is boundary)
    for field, stated, right in (("boundary", record.boundary, code), ("hop", record.hop, hop)):
        if stated != right:
            what = f"the record says {stated!r}, but the file is one of {right!r}"
            raise BadData(what, line.place(field), "move the record, or correct the field")
    group = f"{boundary.value}.{hop}.{_index(record.index, position)}"
    url = record.mcp_server[0] if len(record.mcp_server) == 1 else ""
    tools = tuple(
        record.tool_doc[name].model_copy(update={"server": server or url or group})
        for name, server in record.target_tool.items()
    )
    task = Task(
        id=group,
        opening=Query(text=record.task),
        world=WorldRef(
            name="replay",
            setup={
                "tools": [tool.model_dump(mode="json") for tool in tools],
                "recordings": dict[str, JsonValue](record.tool_response),
            },
        ),
        offered=tuple(record.target_tool),
        plan=_plan(record, boundary, line),
        answer=record.answer,
        topology=TOPOLOGIES[hop],
        cluster=group,
        server=record.server,
        provenance={"file": f"{line.file.parent.name}/{line.file.name}", "line": line.number},
        replay_gap=tuple(name for name in record.target_tool if name not in record.tool_response),
    )
    return task, tools


def _index(value: JsonValue, position: int) -> int:
    """An integer or a numeric text; anything else, or nothing, falls back to the position in the file."""
    if isinstance(value, str) and value.strip().isdecimal() and len(value) <= LONGEST_INDEX:
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else position


def _plan(record: Record, boundary: Boundary, line: Line) -> tuple[Step, ...]:
    """The plan: from the annotations where there are any, else by the record's own boundary.

    The tools that it needs are all of an external record, none of an internal one, a part of a hybrid one's.
    """
    place = line.place("sub_question_annotations")
    notes = record.sub_question_annotations
    if notes is None:
        if boundary is Boundary.HYBRID:
            what = "a hybrid record without annotations does not say which tools it needs"
            raise BadData(what, place, "add an annotation with tool and boundary for each sub-question")
        side: Literal["P1", "P3"] = "P1" if boundary is Boundary.EXTERNAL else "P3"
        notes = [Annotation(tool=name, boundary=side) for name in record.target_tool]
    steps = tuple(
        Step(
            tool=tool,
            boundary=Boundary.EXTERNAL if note.boundary == "P1" else Boundary.INTERNAL,
            question=note.subquestion,
            arguments={
                name: Argument(value=value, origin="unstated")
                for name, value in record.tool_call_parameter.get(tool, {}).items()
            },
        )
        for note in notes
        for tool in (bare(note.tool),)
    )
    listed, needed = set(record.target_tool), {step.tool for step in steps if step.external}
    if unknown := sorted({step.tool for step in steps} - listed):
        what = f"the plan names the tool {unknown[0]!r}, which 'target_tool' does not list"
        raise BadData(what, place, "list the tool, or correct its name")
    right = {
        Boundary.EXTERNAL: ("all of their tools", needed == listed),
        Boundary.HYBRID: ("some of their tools, and not all", bool(needed) and needed < listed),
        Boundary.INTERNAL: ("none of their tools", not needed),
    }
    share, holds = right[boundary]
    if not holds:
        what = f"{boundary.value} records need {share}, but this one needs {sorted(needed)}"
        raise BadData(what, place, "annotate each sub-question with P1 or P3")
    return steps
