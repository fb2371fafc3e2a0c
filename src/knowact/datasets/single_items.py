"""Single items: a request, the tools on offer, and what is right, one to a line; ours and published ones.

Ours hold a task of a world and its condition. Of published ones nobody has said more than the text and the
tools' schemas, so nothing of theirs can be carried out.
"""

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, Final, Generic, TypeVar

from pydantic import BeforeValidator, Field, JsonValue

from knowact.core.condition import CLEAN, Condition
from knowact.core.errors import BadData, BadUsage, Place
from knowact.core.model import Row
from knowact.core.option import Option
from knowact.core.parts import parts_of
from knowact.core.suite import Dataset, Item, Plan
from knowact.core.table import DatasetInfo
from knowact.core.task import Boundary, Opening, Step, Task, Topology, WorldRef
from knowact.core.tool import Tool
from knowact.datasets.consistency import check_condition, check_task
from knowact.datasets.hub import Release, named_source
from knowact.datasets.in_world import Placed, first_lines, shared_tools, unreached
from knowact.datasets.lines import Line, read_lines, sha256
from knowact.datasets.loose import unpacked
from knowact.datasets.own import ITEMS, MANIFEST, Manifest, in_turn, load_rows, read_manifest, shipped
from knowact.datasets.published import PublishedRow
from knowact.worlds.overlay import offered_under

DATASHEET: Final = "README.md"
PAIR: Final = "pair"
"""The label that the versions of one request share; a limit counts its values."""


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


S = TypeVar("S", bound=StoredItem)


@dataclass(frozen=True, slots=True)
class Source(Generic[S]):
    """Where a suite of single items has its data from: rows of ours, or the published files.

    Attributes:
        release: The published files on the hub.
        files: A pattern of their names, whose group `kind` says what a file holds.
        shipped: The folder of what the suite ships.
        row: What a line of ours is made into.
        item: What is made of such a row's `fields`.
        read: Makes an item of a published line and the kind of its file.
        by: The label that options choose by; published items come of each of its values in turn.
    """

    release: Release
    files: str
    shipped: Path
    row: type[S]
    item: Callable[..., Item]
    read: Callable[[Line, str], Item]
    by: str

    def datasets(self) -> Sequence[Dataset]:
        """What the suite ships."""
        return shipped(self.shipped)

    def plan(self, options: Mapping[str, Any], asked: int = 1, kind: str = "") -> Plan:
        """The items that options choose: `data`, `limit` (pairs; published items are alone), and `by`.

        Args:
            options: Of the run.
            asked: Model calls per item.
            kind: The one kind of published file that is read, where there are several; "" reads all.

        Raises:
            BadData: The data cannot be used.
            BadUsage: Nothing is left, or a file could not be fetched.
        """
        source = named_source(str(options["data"]), self.release, self.datasets())
        whole = self._own(source) if (source / ITEMS).exists() else self._published(source, kind)
        label = options[self.by]
        chosen = [item for item in whole.items if label in ("all", item.labels[self.by])]
        pairs = list(dict.fromkeys(item.labels[PAIR] for item in chosen))
        kept = set(pairs[: int(options["limit"] or 0) or None])
        items = tuple(item for item in chosen if item.labels[PAIR] in kept)
        if not items:
            raise BadUsage(f"No item is left; widen --{self.by} or --limit.")
        return replace(whole, items=items, calls=(len(items) * asked, len(items) * asked))

    def _own(self, folder: Path) -> Plan:
        data = load_rows(self.row, folder, _check)
        placed = [Placed(row.task, row.condition, data.lines[row.id]) for row in data.rows]
        tools = shared_tools(placed, data.seed)
        notes = unreached(data.info, first_lines(placed), data.seed)
        items = tuple(self.item(**row.fields(tools)) for row in data.rows)
        return Plan(data.info, items, (0, 0), notes, data.seed)

    def _published(self, source: Path, kind: str) -> Plan:
        files = self._files(source)
        items: dict[str, Item] = {}
        for held, file in files.items():
            for line in read_lines(file) if kind in ("", held) or len(files) == 1 else ():
                item = self.read(line, held)
                if item.id in items:
                    what = f"the id {item.id!r} occurs twice"
                    raise BadData(what, line.place(), "give each row an id of its own")
                items[item.id] = item
        info = DatasetInfo(self.release.suite, "published", sha256(*files.values()))
        return Plan(info, tuple(in_turn(items.values(), lambda item: item.labels[self.by])), (0, 0))

    def _files(self, source: Path) -> dict[str, Path]:
        """The published files in a folder or one below it, by what they hold; of several the last by name."""
        inside = [source] if source.is_file() else [*source.glob("*"), *source.glob("*/*")]
        files = {
            match["kind"]: file
            for file in sorted(inside, key=lambda file: file.name)
            if (match := re.fullmatch(self.files, file.name))
        }
        if not files:
            example = self.release.files[0].rpartition("/")[2]
            what = f"there is neither {ITEMS} nor a file like {example}"
            raise BadData(what, Place(source), "name the folder that holds them, or a single file")
        return dict(sorted(files.items()))


def _check(row: StoredItem, line: Line) -> None:
    check_task(row.task, line, "task.")
    check_condition(row.task, row.condition, line)


def freeze(folder: Path, rows: Sequence[StoredItem], generator: str, seed: int, source: Dataset) -> None:
    """Write a data set; the manifest comes last, so that half a data set is never taken for a whole one.

    Args:
        folder: Where; its name is that of the data set with its version ("everyday@2-A").
        rows: In the order of a run: any prefix should be a fair sample.
        generator: The program that made them, with version.
        seed: Of it and of the rows' world.
        source: Ours, whose requests they are.
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
        written_by=read_manifest(source.path).written_by,
    )
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in ((ITEMS, items), (MANIFEST, made.text())):
        (folder / name).write_text(text, encoding="utf-8", newline="\n")


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
    names = [function.name for function in functions]
    for number, name in enumerate(names):
        if name in names[:number]:
            what = f"two functions have the name {name!r}"
            raise BadData(what, line.place(f"{field}.{number}.name"), "keep one of them")
    return tuple(
        Tool(name=function.name, description=function.description, parameters=function.parameters)
        for function in functions
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
    steps = [Step(tool=tool, boundary=Boundary.EXTERNAL) for tool in called or (NOT_KNOWN,)]
    return task_of_steps(name, opening, tools, steps, line)


def task_of_steps(
    name: str, opening: Opening, tools: Sequence[Tool], steps: Sequence[Step], line: Line
) -> Task:
    """The task of a published row whose steps are known; arguments as for `published_task`."""
    return Task(
        id=name,
        opening=opening,
        world=WorldRef(name="cassette", setup={"tools": [tool.model_dump(mode="json") for tool in tools]}),
        offered=tuple(tool.name for tool in tools),
        plan=tuple(steps),
        topology=Topology.PARALLEL if len(steps) > 1 else Topology.SINGLE_HOP,
        cluster=name,
        provenance={"file": line.file.name, "line": line.number},
    )


def data_option(release: Release) -> Option:
    """The option `--data` of a suite of single items."""
    return Option("data", f"A shipped data set, files of the release, or {release.hub}.", "everyday@2-A")
