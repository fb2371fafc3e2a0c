"""The published KAware layout (spec kapro.md, section 5), with all its variants, to our tasks.

Eight files, `<Boundary>_Function/<topology>.jsonl`. Fields vary with the number of tools: documents are
strings of JSON or objects of such strings, names are bare or carry their server, recordings may be
missing. What cannot be used is refused with file, line and field before any model is called.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from knowact.core.errors import BadData, Place
from knowact.core.names import bare
from knowact.core.table import DatasetInfo
from knowact.core.task import Argument, Boundary, Query, Step, Task, Topology, WorldRef
from knowact.core.tool import Tool
from knowact.datasets.lines import Line, read_lines, sha256
from knowact.suites.kapro import variants

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
                task, own = _task(line, position, boundary, topology)
                if task.id in tasks:
                    what = f"the index {task.id.rsplit('.', 1)[1]} stands in this file twice"
                    raise BadData(what, line.place("index"), "give each record an index of its own")
                tasks[task.id] = task
                tools.extend(own)
    if not tasks:
        what = "none of the published files holds a record"
        raise BadData(what, Place(folder), "point --data at the folder that holds External_Function")
    info = DatasetInfo("kaware", "published", sha256(*files))
    return PublishedData(info, _round_robin(tuple(tasks.values())), tuple(tools))


def _round_robin(tasks: Sequence[Task]) -> tuple[Task, ...]:
    """Stratify: one of each bucket in turn, so that any prefix is a fair sample (interfaces.md)."""
    buckets: dict[tuple[Boundary, Topology], list[Task]] = {}
    for task in tasks:
        buckets.setdefault((task.boundary, task.topology), []).append(task)
    ordered: list[Task] = []
    for turn in range(max(len(bucket) for bucket in buckets.values())):
        ordered.extend(bucket[turn] for bucket in buckets.values() if turn < len(bucket))
    return tuple(ordered)


def _task(line: Line, position: int, boundary: Boundary, topology: str) -> tuple[Task, tuple[Tool, ...]]:
    record = variants.Fields(line)
    index = record.index(position)
    record.expect("boundary", next(code for code, value in CODES.items() if value is boundary))
    record.expect("hop", topology)
    servers = record.target_tools()
    names = tuple(servers)
    documents = variants.documents(record, names)
    arguments = variants.arguments(record, names)
    recordings = variants.recordings(record, names)
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
    record: variants.Fields,
    names: Sequence[str],
    boundary: Boundary,
    arguments: Mapping[str, Mapping[str, Any]],
) -> tuple[Step, ...]:
    """The plan: from the annotations where there are any, else by the record's own boundary."""
    annotated = variants.annotations(record)
    if annotated is None:
        if boundary is Boundary.HYBRID:
            what = "a hybrid record without annotations does not say which tools it needs"
            raise BadData(
                what,
                record.line.place("sub_question_annotations"),
                "add an annotation with tool and boundary for each sub-question",
            )
        annotated = tuple(variants.Annotation(name, boundary, "") for name in names)
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
    """Spec, section 5: T equals the target tools for P1, is empty for P3, a proper part for P2."""
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
