"""Complete items from anywhere, of which a suite makes pairs: a folder of tasks, or another suite's data.

A complete item is a task that can be done as it stands: what the user says, the tools that are offered, and
the calls that it takes. What cannot serve as one is set aside, with a reason that is counted.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

from knowact.core.errors import BadData, BadUsage, Place
from knowact.core.suite import Plan
from knowact.core.table import DatasetInfo
from knowact.core.task import Task
from knowact.core.tool import Tool
from knowact.datasets.in_world import own_tools
from knowact.datasets.lines import sha256
from knowact.datasets.own import ITEMS, load_own
from knowact.forge.asking import ToAsk
from knowact.forge.call_rows import call_files, call_rows
from knowact.worlds.registry import open_world

REPLACEMENT, REMOVAL, BOTH = "replacement", "removal", "both"
WAYS: Final = (REPLACEMENT, REMOVAL, BOTH)
"""How something goes missing: tools, or words of the user."""

LEVELS: Final = ("near", "medium", "far", "absent")
"""How alike the tool is that stands in the place of another; absent: none does."""


@dataclass(frozen=True, slots=True)
class CompleteItem:
    """A task that can be done as it stands, and all tools of its world by name."""

    task: Task
    tools: Mapping[str, Tool]


@dataclass(frozen=True, slots=True)
class Source:
    """Complete items.

    Attributes:
        info: The data that they are from.
        seed: Of the worlds that they live in.
        items: Those that can be used, each task once.
        set_aside: How many others there are, by reason.
    """

    info: DatasetInfo
    seed: int
    items: tuple[CompleteItem, ...]
    set_aside: Mapping[str, int]


def of_folder(folder: Path) -> Source:
    """Read a folder of tasks: `items.jsonl`, a `Task` per line (docs/own-data.md), or published rows.

    Raises:
        BadData: A line is wrong, or does not fit its world; or there is neither.
    """
    if not (folder / ITEMS).exists():
        return _published(folder)
    loaded = load_own(folder)
    items = [CompleteItem(task, own_tools(task, loaded.seed, loaded.lines[task.id])) for task in loaded.rows]
    return _sorted_out(loaded.info, loaded.seed, items)


def _published(folder: Path) -> Source:
    if not (files := call_files(folder)):
        problem = f"the folder holds neither {ITEMS} nor published rows with their calls"
        raise BadData(
            problem, Place(folder), "name a folder of tasks, or SUITE=FOLDER for a suite's own layout"
        )
    rows = list(call_rows(files))
    items = [
        CompleteItem(row, {tool.name: tool for tool in open_world(row.world, 0).tools()})
        for row in rows
        if isinstance(row, Task)
    ]
    aside = Counter(row for row in rows if isinstance(row, str))
    info = DatasetInfo(folder.resolve().name, "published", sha256(*files))
    return _sorted_out(info, 0, items, aside)


def of_plan(plan: Plan) -> Source:
    """Take the complete items of a suite's data: those with nothing changed and nothing missing.

    Args:
        plan: The items of the suite, unchanged.
    """
    unchanged = [item for item in plan.items if not (item.lacks or item.missing or item.condition.changes)]
    items = [
        CompleteItem(
            item.task,
            {
                tool.name: tool
                for tool in (*open_world(item.task.world, plan.world_seed).tools(), *item.tools)
            },
        )
        for item in unchanged
    ]
    others = Counter({"something is missing in them already": len(plan.items) - len(unchanged)})
    return _sorted_out(plan.dataset, plan.world_seed, items, others)


def _sorted_out(
    info: DatasetInfo, seed: int, items: Iterable[CompleteItem], others: Mapping[str, int] | None = None
) -> Source:
    """Set aside what nothing can go missing from.

    Raises:
        BadUsage: Nothing is left.
    """
    aside = Counter(others or {})
    kept: dict[str, CompleteItem] = {}
    for item in items:
        if why := _unfit(item):
            aside[why] += 1
        else:
            kept.setdefault(item.task.id, item)
    if not kept:
        reasons = "; ".join(f"{why}: {count:,}" for why, count in (+aside).items())
        raise BadUsage(f"{info.name} has no complete item that needs a tool ({reasons or 'it is empty'}).")
    return Source(info, seed, tuple(kept.values()), +aside)


def _unfit(item: CompleteItem) -> str:
    """Why a task cannot serve as a complete item; "" if it can."""
    if not item.task.required:
        return "no tool is needed"
    if item.task.required - set(item.task.offered) or item.task.required - item.tools.keys():
        return "a tool is called that is not offered, or nobody says which"
    for step in item.task.plan:
        if step.tool in item.tools and step.arguments.keys() - item.tools[step.tool].properties.keys():
            return "a call carries an argument that its tool does not take"
    return ""


@dataclass(frozen=True, slots=True)
class PairWishes:
    """What is wanted of the pairs.

    Attributes:
        seed: Of all draws.
        size: How many pairs; None for as many as the items give.
        way: One of `WAYS`.
        level: One of `LEVELS`; empty draws one for each item.
        retriever: As `forge.alike.scorer` takes it.
        judge: Whose votes count; empty for those that are there.
        votes: Votes on each question.
        folder: Where everything is kept.
    """

    seed: int
    size: int | None
    way: str
    level: str
    retriever: str
    judge: str
    votes: int
    folder: Path


class Pairing(Protocol):
    """Pairs in the making: what has to be asked for now follows from what is kept in the folder."""

    def questions(self) -> Sequence[ToAsk[object]]:
        """What the judge is to vote on now."""
        ...

    def wanted(self, writer: str) -> Sequence[ToAsk[object]]:
        """The texts that a writer is to write now."""
        ...

    def briefs(self) -> Sequence[str]:
        """The same for people: a JSON object each."""
        ...

    def take(self, file: Path) -> Mapping[str, Sequence[str]]:
        """Keep the texts of a file that are wanted now; what is wrong with the others, by brief.

        Raises:
            BadData: A line is no text.
        """
        ...

    def keep(self, answer: object) -> None:
        """Keep an answer to one of the questions above."""
        ...

    def freeze(self) -> tuple[int, Sequence[str]]:
        """Write the data set: how many pairs, and what there is to say of them, a sentence each."""
        ...
