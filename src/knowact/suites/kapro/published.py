"""The published KAware layout, with all its variants, to our tasks.

Eight files, `<Boundary>_Function/<topology>.jsonl`. Fields vary with the number of tools: documents are
strings of JSON or objects of such strings, names are bare or carry their server, recordings may be
missing. What cannot be used is refused with file, line and field before any model is called.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, cast

from knowact.core.errors import BadData, Place
from knowact.core.names import bare
from knowact.core.table import DatasetInfo
from knowact.core.task import Argument, Boundary, Query, Step, Task, Topology, WorldRef
from knowact.core.tool import Tool
from knowact.datasets.lines import Line, decode, noted, read_lines, sha256
from knowact.datasets.own import in_turn

LONGEST_INDEX = 18
"""Digits; Python itself refuses to read texts of thousands of them as a number."""


class Annotation(NamedTuple):
    """One sub-question: the tool that could answer it, and on which side of the boundary it lies."""

    tool: str
    boundary: Boundary
    question: str


class Fields:
    """The fields of one record, with complaints that name line and field."""

    def __init__(self, line: Line) -> None:
        self.line = line

    def get(self, name: str) -> Any:
        """The raw value; a missing field is refused."""
        if name not in self.line.value:
            raise BadData("this field is missing", self.line.place(name), "add it")
        return self.line.value[name]

    def optional(self, name: str) -> Any:
        """The raw value, or None where the field is missing."""
        return self.line.value.get(name)

    def text(self, name: str) -> str:
        """A text that is not blank."""
        value = self.get(name)
        if not isinstance(value, str) or not value.strip():
            raise BadData("this must be a text that is not blank", self.line.place(name), "write it out")
        return value

    def choice(self, name: str, allowed: Sequence[str]) -> str:
        """One of a few texts."""
        value = self.get(name)
        if value not in allowed:
            what = f"{value!r} is not one of {', '.join(allowed)}"
            raise BadData(what, self.line.place(name), "use one of these")
        return cast("str", value)

    def expect(self, name: str, value: str) -> None:
        """The field must say what the file's place says."""
        if self.get(name) != value:
            what = f"the record says {self.get(name)!r}, but the file is one of {value!r}"
            raise BadData(what, self.line.place(name), "move the record, or correct the field")

    def index(self, position: int) -> int:
        """An integer or a numeric text; anything else, or nothing, falls back to the position in the file."""
        value = self.optional("index")
        if isinstance(value, int) and not isinstance(value, bool):
            return value
        if isinstance(value, str) and value.strip().isdecimal() and len(value) <= LONGEST_INDEX:
            return int(value)
        return position

    def target_tools(self) -> dict[str, str]:
        """Bare name to server name ("" where the name carries none), in the order listed."""
        value = self.get("target_tool")
        parts: Any = value.split(",") if isinstance(value, str) else value
        place = self.line.place("target_tool")
        if not (isinstance(parts, list) and parts and all(map(_names_a_tool, cast("list[Any]", parts)))):
            raise BadData("this must name one tool or several", place, "join names by ', '")
        found: dict[str, str] = {}
        for part in cast("list[str]", parts):
            name = bare(part)
            if name in found:
                raise BadData(f"the tool {name!r} is listed twice", place, "list it once")
            found[name] = part.rsplit("::", 1)[0].strip() if "::" in part else ""
        stated = self.optional("num_tools")
        if stated is not None and stated != len(found):
            what = f"num_tools is {stated!r}, but 'target_tool' lists {len(found)}"
            raise BadData(what, self.line.place("num_tools"), "correct one of them")
        return found

    def server_url(self) -> str:
        """The record's MCP server, or "" where there are several (their order says nothing) or none."""
        value = self.optional("mcp_server")
        urls: Any = [value] if isinstance(value, str) else (value or [])
        if not isinstance(urls, list) or not all(isinstance(url, str) for url in cast("list[Any]", urls)):
            raise BadData(
                "this must be a URL or a list of URLs", self.line.place("mcp_server"), "write texts there"
            )
        return cast("list[str]", urls)[0] if len(cast("list[str]", urls)) == 1 else ""


def _names_a_tool(value: object) -> bool:
    return isinstance(value, str) and bool(bare(value))


def read_annotations(record: Fields) -> tuple[Annotation, ...] | None:
    """The sub-questions with tool and boundary, or None where the record has none."""
    value = record.optional("sub_question_annotations")
    if value is None:
        return None
    place = record.line.place("sub_question_annotations")
    codes = {"P1": Boundary.EXTERNAL, "P3": Boundary.INTERNAL}
    found: list[Annotation] = []
    if not isinstance(value, list) or not value:
        raise BadData(
            "this must be a list with one entry per sub-question", place, "write one, or leave it out"
        )
    for entry in cast("list[Any]", value):
        one: Mapping[str, Any] = cast("dict[str, Any]", entry) if isinstance(entry, dict) else {}
        tool, code = one.get("tool"), one.get("boundary")
        if not (_names_a_tool(tool) and isinstance(code, str) and code in codes):
            what = "each entry needs a 'tool' and a 'boundary' of P1 or P3"
            raise BadData(what, place, "complete the entry")
        found.append(Annotation(bare(cast("str", tool)), codes[code], str(one.get("subquestion", ""))))
    return tuple(found)


def read_documents(record: Fields, names: Sequence[str]) -> dict[str, Mapping[str, Any]]:
    """Each tool's document: an object, a text of JSON, an object or a (nested) list of either."""
    value = record.get("tool_doc")
    found: dict[str, Mapping[str, Any]] = {}
    for document in _flat(value, record, names):
        found[bare(str(document.get("name", "")))] = document
    if len(names) == 1 and len(found) == 1 and names[0] not in found:
        found = {names[0]: next(iter(found.values()))}
    for name in names:
        if name not in found:
            what = f"there is no document of the tool {name!r}"
            raise BadData(what, record.line.place("tool_doc"), "add it under the tool's name")
    return found


def _flat(value: Any, record: Fields, names: Sequence[str]) -> list[Mapping[str, Any]]:
    if isinstance(value, str):
        return _flat(_decoded(value, record, "tool_doc"), record, names)
    if isinstance(value, list):
        return [document for part in cast("list[Any]", value) for document in _flat(part, record, names)]
    if isinstance(value, dict):
        found = cast("dict[str, Any]", value)
        if "input_schema" in found or "description" in found:
            return [found]
        return [
            {"name": name, **document} if "name" not in document else document
            for name, part in found.items()
            for document in _flat(part, record, names)
        ]
    raise BadData(
        "this must be a tool's document, or one per tool",
        record.line.place("tool_doc"),
        "write each document as JSON",
    )


def _decoded(text: str, record: Fields, field: str) -> Any:
    try:
        value: Any = decode(text)
    except ValueError as error:
        raise BadData(
            f"the text is not JSON ({error})", record.line.place(field), "write it as JSON"
        ) from error
    if isinstance(value, str):
        raise BadData("the text is JSON within JSON", record.line.place(field), "decode it once")
    return value


def read_arguments(record: Fields, names: Sequence[str]) -> dict[str, Mapping[str, Any]]:
    """Each tool's arguments. With one tool the object holds them directly, unless it is keyed by its name."""
    value = record.get("tool_call_parameter")
    place = record.line.place("tool_call_parameter")
    if not isinstance(value, dict):
        raise BadData("this must be an object", place, "map each tool to its arguments")
    found = cast("dict[str, Any]", value)
    keyed = [bare(name) for name in found] == list(names) and isinstance(next(iter(found.values())), dict)
    if len(names) == 1 and not keyed:
        return {names[0]: found}
    by_name = {bare(name): arguments for name, arguments in found.items()}
    for name, one in by_name.items():
        if name not in names:
            what = f"arguments are given for the tool {name!r}, which 'target_tool' does not list"
            raise BadData(what, place, "list the tool, or correct its name")
        if not isinstance(one, dict):
            raise BadData(f"the arguments of {name!r} must be an object", place, "write them as an object")
    return cast("dict[str, Mapping[str, Any]]", by_name)


def read_recordings(record: Fields, names: Sequence[str]) -> dict[str, str]:
    """Each tool's recorded output, by name or by position; some may be missing (a replay gap)."""
    value = record.get("tool_response")
    place = record.line.place("tool_response")
    if isinstance(value, str) and len(names) == 1:
        return {names[0]: value}
    if isinstance(value, list):
        outputs = cast("list[Any]", value)
        if len(outputs) > len(names):
            raise BadData("there are more recordings than tools", place, "pair them by position")
        pairs = dict(zip(names, outputs, strict=False))
    elif isinstance(value, dict):
        pairs = {bare(name): output for name, output in cast("dict[str, Any]", value).items()}
    else:
        raise BadData("this must be a recorded output per tool", place, "map each tool to its output")
    found: dict[str, str] = {}
    for name, output in pairs.items():
        if name not in names:
            what = f"there is a recording of the tool {name!r}, which 'target_tool' does not list"
            raise BadData(what, place, "list the tool, or correct its name")
        if output is not None:
            found[name] = output if isinstance(output, str) else json.dumps(output, ensure_ascii=False)
    return found


FOLDERS = {
    "External_Function": Boundary.EXTERNAL,
    "Hybrid_Function": Boundary.HYBRID,
    "Internal_Function": Boundary.INTERNAL,
}
CODES = {"P1": Boundary.EXTERNAL, "P2": Boundary.HYBRID, "P3": Boundary.INTERNAL}
TOPOLOGIES = {
    "single-hop": Topology.SINGLE_HOP,
    "parallel": Topology.PARALLEL,
    "multi-hop": Topology.MULTI_HOP,
}


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
    files: list[Path] = []
    for name, boundary in FOLDERS.items():
        for topology in TOPOLOGIES:
            file = folder / name / f"{topology}.jsonl"
            if not file.exists():
                continue
            files.append(file)
            for position, line in enumerate(read_lines(file)):
                with noted():
                    task, own = _task(line, position, boundary, topology)
                    if task.id in tasks:
                        what = f"the index {task.id.rsplit('.', 1)[1]} occurs twice in this file"
                        raise BadData(what, line.place("index"), "give each record an index of its own")
                    tasks[task.id] = task
                    tools.extend(own)
    if not tasks:
        what = "none of the published files holds a record"
        raise BadData(what, Place(folder), "point --data at the folder that holds External_Function")
    info = DatasetInfo("kaware", "published", sha256(*files))
    return PublishedData(
        info, tuple(in_turn(tasks.values(), lambda task: (task.boundary, task.topology))), tuple(tools)
    )


def _task(line: Line, position: int, boundary: Boundary, topology: str) -> tuple[Task, tuple[Tool, ...]]:
    record = Fields(line)
    index = record.index(position)
    record.expect("boundary", next(code for code, value in CODES.items() if value is boundary))
    record.expect("hop", topology)
    servers = record.target_tools()
    names = tuple(servers)
    documents = read_documents(record, names)
    arguments = read_arguments(record, names)
    recordings = read_recordings(record, names)
    group = f"{boundary.value}.{topology}.{index}"
    default_server = record.server_url() or group
    tools = tuple(
        _tool(documents[name], name, servers[name] or default_server, line, position=name) for name in names
    )
    steps = _steps(record, names, boundary, arguments)
    _check_steps(steps, names, boundary, line)
    return (
        Task(
            id=group,
            opening=Query(text=record.text("task")),
            world=WorldRef(
                name="replay",
                setup={
                    "tools": [tool.model_dump(mode="json") for tool in tools],
                    "recordings": dict(recordings),
                },
            ),
            offered=names,
            plan=steps,
            answer=record.text("answer"),
            topology=TOPOLOGIES[topology],
            cluster=group,
            server=record.choice("server", ("single", "multi")),
            provenance={"file": f"{line.file.parent.name}/{line.file.name}", "line": line.number},
            replay_gap=tuple(name for name in names if name not in recordings),
        ),
        tools,
    )


def _tool(document: Mapping[str, Any], name: str, server: str, line: Line, position: str) -> Tool:
    place = line.place(f"tool_doc.{position}")
    if bare(str(document.get("name", ""))) != name:
        what = f"the document is that of {document.get('name')!r}, not of {name!r}"
        raise BadData(what, place, "put each document under its tool's name")
    schema = document.get("input_schema")
    if not isinstance(schema, dict):
        raise BadData("the document has no input_schema", place, "give the tool's JSON Schema there")
    description = document.get("description")
    if not isinstance(description, str):
        raise BadData("the document has no description", place, "give the tool's description there")
    return Tool(name=name, description=description, parameters=cast("dict[str, Any]", schema), server=server)


def _steps(
    record: Fields,
    names: Sequence[str],
    boundary: Boundary,
    arguments: Mapping[str, Mapping[str, Any]],
) -> tuple[Step, ...]:
    """The plan: from the annotations where there are any, else by the record's own boundary."""
    annotated = read_annotations(record)
    if annotated is None:
        if boundary is Boundary.HYBRID:
            what = "a hybrid record without annotations does not say which tools it needs"
            raise BadData(
                what,
                record.line.place("sub_question_annotations"),
                "add an annotation with tool and boundary for each sub-question",
            )
        annotated = tuple(Annotation(name, boundary, "") for name in names)
    return tuple(
        Step(
            tool=one.tool,
            boundary=Boundary.EXTERNAL if one.boundary is Boundary.EXTERNAL else Boundary.INTERNAL,
            question=one.question,
            arguments={
                name: Argument(value=value, origin="unstated")
                for name, value in arguments.get(one.tool, {}).items()
            },
        )
        for one in annotated
    )


def _check_steps(steps: Sequence[Step], names: Sequence[str], boundary: Boundary, line: Line) -> None:
    """T equals the target tools for P1, is empty for P3, a proper part for P2."""
    field = line.place("sub_question_annotations")
    for step in steps:
        if step.tool not in names:
            what = f"the plan names the tool {step.tool!r}, which 'target_tool' does not list"
            raise BadData(what, field, "list the tool, or correct its name")
    needed = {step.tool for step in steps if step.external}
    listed = set(names)
    if boundary is Boundary.EXTERNAL and needed != listed:
        what = f"an external record must need all of its tools, but {sorted(listed - needed)} are not needed"
        raise BadData(what, field, "annotate each tool with P1")
    if boundary is Boundary.INTERNAL and needed:
        what = f"an internal record must need none of its tools, but needs {sorted(needed)}"
        raise BadData(what, field, "annotate each tool with P3")
    if boundary is Boundary.HYBRID and not (needed and needed < listed):
        what = "a hybrid record must need some of its tools and not all"
        raise BadData(what, field, "annotate each sub-question with P1 or P3")
