"""Single items: a request, the tools on offer, and what is right, one to a line; ours and published ones.

Ours hold a task of a world and its condition. Of published ones nobody has said more than the text and the
tools' schemas, so nothing of theirs can be carried out.
"""

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Final, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, JsonValue

from knowact.core.condition import CLEAN, Condition
from knowact.core.errors import BadData, BadUsage, Place
from knowact.core.model import Row
from knowact.core.parts import parts_of
from knowact.core.suite import Item, Plan
from knowact.core.table import DatasetInfo
from knowact.core.task import Boundary, Opening, Step, Task, Topology, WorldRef
from knowact.core.tool import Tool
from knowact.datasets.consistency import check_condition, check_task
from knowact.datasets.in_world import Placed, first_lines, shared_tools, unreached
from knowact.datasets.lines import Line, read_lines, sha256
from knowact.datasets.loose import unpacked
from knowact.datasets.own import ITEMS, MANIFEST, Manifest, in_turn, load_rows
from knowact.worlds.overlay import offered_under

DATASHEET: Final = "README.md"


class StoredItem(Row):
    """An item as our own data hold it; suites add what is theirs.

    Attributes:
        condition: What was changed; its tools are tools of the task's world.
        labels: As in `Item`.
        lacks: As in `Item`.
        missing: The ids of the parts that are missing.
    """

    task: Task
    condition: Condition = CLEAN
    labels: Mapping[str, str]
    lacks: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()

    def fields(self, tools: Mapping[str, Tool]) -> dict[str, Any]:
        """The fields of the item that is asked, given the world's tools."""
        return {
            "task": self.task,
            "condition": self.condition,
            "tools": offered_under(self.task.offered, tools, self.condition),
            "labels": self.labels,
            "lacks": self.lacks,
            "parts": parts_of(self.task, tools),
            "missing": frozenset(self.missing),
        }


def stored_fields(item: Item) -> dict[str, Any]:
    """The other way: what a row of ours takes over from an item of any suite, labels apart."""
    missing = tuple(sorted(item.missing))
    return {"task": item.task, "condition": item.condition, "lacks": item.lacks, "missing": missing}


S = TypeVar("S", bound=StoredItem)
AnyItem = TypeVar("AnyItem", bound=Item)


def own_plan(folder: Path, row: type[S], item: Callable[..., AnyItem]) -> Plan:
    """The items of a folder of our own rows, in the order of the file.

    Args:
        folder: Holds `items.jsonl`.
        row: What a line is made into.
        item: What is made of a row's `fields`.

    Raises:
        BadData: A line is wrong, or its parts don't fit together or their world.
    """
    found = load_rows(row, folder, _check)
    placed = [Placed(one.task, one.condition, found.lines[one.id]) for one in found.rows]
    tools = shared_tools(placed, found.seed)
    notes = unreached(found.info, first_lines(placed), found.seed)
    return Plan(found.info, tuple(item(**one.fields(tools)) for one in found.rows), (0, 0), notes, found.seed)


def published_plan(
    suite: str, files: Mapping[str, Path], read: Callable[[Line, str], AnyItem], by: str
) -> Plan:
    """The items of published files, of each value of a label in turn, so that any prefix is a fair sample.

    Args:
        suite: Whose they are.
        files: By what they hold.
        read: Makes an item of a line and what its file holds.
        by: The label.

    Raises:
        BadData: A line cannot be read, or an id occurs twice.
    """
    items: dict[str, Item] = {}
    for kind, file in files.items():
        for line in read_lines(file):
            item = read(line, kind)
            if item.id in items:
                raise BadData(f"the id {item.id!r} occurs twice", line.place(), "give each row its own id")
            items[item.id] = item
    info = DatasetInfo(suite, "published", sha256(*files.values()))
    return Plan(info, tuple(in_turn(items.values(), lambda one: one.labels[by])), (0, 0))


def published_files(source: Path, pattern: str, example: str) -> dict[str, Path]:
    """Find the published files in a folder or one below it, or a single file, by what they hold.

    Args:
        source: The folder or file.
        pattern: Of a file's name; its group `kind` is what it holds. Of several names the last one counts.
        example: A file's name, for the error.

    Raises:
        BadData: There is none.
    """
    found: dict[str, Path] = {}
    inside = [source] if source.is_file() else [*source.glob("*"), *source.glob("*/*")]
    for file in sorted(inside, key=lambda one: one.name):
        if match := re.fullmatch(pattern, file.name):
            found[match["kind"]] = file
    if not found:
        what = f"there is neither {ITEMS} nor a file like {example}"
        raise BadData(what, Place(source), "name the folder that holds them, or a single file")
    return dict(sorted(found.items()))


def narrowed(plan: Plan, chosen: Mapping[str, object], pair: str, limit: int, asked: int) -> Plan:
    """The part of a plan that options choose, with its estimate.

    Args:
        plan: All items.
        chosen: Values of labels; "all" takes every one.
        pair: The label that counts for the limit.
        limit: So many of its values; 0 takes all.
        asked: Model calls per item.

    Raises:
        BadUsage: Nothing is left.
    """
    some = [one for one in plan.items if all(v in ("all", one.labels[name]) for name, v in chosen.items())]
    kept = set(list(dict.fromkeys(one.labels[pair] for one in some))[: limit or None])
    items = tuple(one for one in some if one.labels[pair] in kept)
    if not items:
        options = ", ".join(f"--{name}" for name in chosen)
        raise BadUsage(f"No item is left; widen {options} or --limit.")
    return replace(plan, items=items, calls=(len(items) * asked, len(items) * asked))


def _check(row: StoredItem, line: Line) -> None:
    check_task(row.task, line, "task.")
    check_condition(row.task, row.condition, line)


def freeze(folder: Path, rows: Sequence[StoredItem], generator: str, seed: int) -> None:
    """Write a data set; the manifest comes last, so that half a data set is never taken for a whole one.

    Args:
        folder: Where; its name is that of the data set with its version ("everyday@2-A").
        rows: In the order of a run: any prefix should be a fair sample.
        generator: The program that made them, with version.
        seed: Of it and of the rows' world.
    """
    items = "".join(f"{row.model_dump_json()}\n" for row in rows)
    name, _, version = folder.name.partition("@")
    made = Manifest(
        name=name,
        version=version,
        sha256=hashlib.sha256(items.encode()).hexdigest(),
        seed=seed,
        world=rows[0].task.world.name,
        generator=generator,
        licence="MIT",
        datasheet=DATASHEET,
        size=len(rows),
    )
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in ((ITEMS, items), (MANIFEST, f"{made.model_dump_json(indent=2)}\n")):
        (folder / name).write_text(text, encoding="utf-8", newline="\n")


class PublishedRow(BaseModel):
    """A row of a published file; fields that nobody here reads may be there."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class PublishedFunction(PublishedRow):
    """A function as published: its schema may be of any dialect (`core.schema`)."""

    name: str = Field(min_length=1)
    description: str = ""
    parameters: dict[str, JsonValue] = Field(default_factory=dict[str, JsonValue])


Function = Annotated[PublishedFunction, BeforeValidator(unpacked)]
"""A function that may stand there as JSON text."""


def published_tools(functions: Sequence[PublishedFunction], line: Line, field: str) -> tuple[Tool, ...]:
    """Return published functions as tools.

    Raises:
        BadData: Two of them have one name, so that a call would not say which is meant.
    """
    names = [one.name for one in functions]
    for number, name in enumerate(names):
        if name in names[:number]:
            what = f"two functions have the name {name!r}"
            raise BadData(what, line.place(f"{field}.{number}.name"), "keep one of them")
    return tuple(
        Tool(name=one.name, description=one.description, parameters=one.parameters) for one in functions
    )


NOT_KNOWN: Final = "(not known)"
"""The tool of a step where nobody has said which one it takes."""


def published_task(
    name: str, opening: Opening, tools: Sequence[Tool], called: Sequence[str], line: Line
) -> Task:
    """The task of a published row: nobody has said what its plan is, at most what is called.

    Args:
        name: Its id.
        opening: What is asked.
        tools: On offer.
        called: Tools that a right answer calls, where that is known; empty where it calls none.
        line: Where it stands.
    """
    step = [Step(tool=tool, boundary=Boundary.EXTERNAL) for tool in called or (NOT_KNOWN,)]
    return Task(
        id=name,
        opening=opening,
        world=WorldRef(name="cassette", setup={"tools": [tool.model_dump(mode="json") for tool in tools]}),
        offered=tuple(tool.name for tool in tools),
        plan=tuple(step),
        topology=Topology.PARALLEL if len(step) > 1 else Topology.SINGLE_HOP,
        cluster=name,
        provenance={"file": line.file.name, "line": line.number},
    )
