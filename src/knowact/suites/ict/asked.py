"""Items as they are asked, from our own pairs and from published ones."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from knowact.core.suite import Item
from knowact.core.task import Boundary, Fact, PastCall, Step, Task, Topology, WorldRef
from knowact.core.tool import Tool
from knowact.suites.ict.cases import Manipulation, Pair, Version
from knowact.suites.ict.layout import short_of
from knowact.suites.ict.missing import (
    missing_of,
    missing_words,
    pair_facts,
    pair_parts,
    published_parts,
    tools_in_words,
)
from knowact.suites.ict.published import PublishedItem, PublishedPair
from knowact.worlds.overlay import offered_under

EXPLICIT: Final = "explicit"
WHY: Final = "why"
IMPLICIT: Final = "implicit"
FEEDBACK: Final = "feedback"
"""Names of the probes, as in records."""

LACKS: Final = "lacks"
"""In the provenance of a task: what was taken away (`nothing`, `tool`, `information`, `half`), for audits."""

Gold = Literal["complete", "incomplete", "partly"]
"""What is so: all is there, something is missing, one of two requests can still be served."""


@dataclass(frozen=True, slots=True)
class AskedItem(Item):
    """One version of a pair.

    Attributes:
        pair: The pair's id; both versions have it.
        gold: What is so.
        missing_words: What is missing, for a judge; empty where nothing is, or nobody has said what
            (published removals).
        facts: What a right answer to the complete version asserts, with no claim that it can be known; the
            same in both versions.
        outcome: For the feedback study: the call and what came back.
    """

    pair: str = ""
    gold: Gold = "complete"
    missing_words: str = ""
    facts: tuple[Fact, ...] = ()
    outcome: PastCall | None = None


def own_items(pair: Pair, tools: Mapping[str, Tool]) -> tuple[AskedItem, AskedItem]:
    """Both versions of a pair, the complete one first."""
    return _own(pair.complete_version, tools), _own(pair.incomplete_version, tools)


def _own(version: Version, tools: Mapping[str, Tool]) -> AskedItem:
    pair = version.pair
    gold: Gold = "complete" if version.complete else "incomplete"
    if not version.complete and version.possibility.value == "partly_possible":
        gold = "partly"
    lacks = "tools" if pair.manipulation is Manipulation.REPLACEMENT else "information"
    labels = {
        "source": pair.source.value,
        "manipulation": pair.manipulation.value,
        "part": short_of(pair.source, pair.manipulation),
        "gold": gold,
        "pair": pair.id,
        "kind": "partly" if pair.possibility.value == "partly_possible" else "paper",
    }
    if pair.level is not None:
        labels["level"] = pair.level.value
    offered = offered_under(version.task.offered, tools, version.condition)
    return AskedItem(
        task=_told(version.task, gold, lacks).model_copy(update={"id": version.id}),
        condition=version.condition,
        tools=offered,
        labels=labels,
        lacks=() if gold == "complete" else (lacks,),
        parts=pair_parts(pair, tools),
        missing=frozenset() if gold == "complete" else missing_of(pair, tools),
        pair=pair.id,
        gold=gold,
        missing_words="" if gold == "complete" else missing_words(pair, tools),
        facts=pair_facts(pair),
    )


def _told(task: Task, gold: Gold, lacks: str) -> Task:
    """The task with what was taken away from it."""
    taken = {"complete": "nothing", "partly": "half", "incomplete": lacks.removesuffix("s")}[gold]
    return task.model_copy(update={"provenance": {**task.provenance, LACKS: taken}})


def published_items(pair: PublishedPair, name: str) -> tuple[AskedItem, AskedItem]:
    """Both items of a published pair, the complete one first; `name` is a name for the pair."""
    return _published(pair.original, pair, name), _published(pair.manipulated, pair, name)


def _published(item: PublishedItem, pair: PublishedPair, name: str) -> AskedItem:
    """The item of a row. The tools tell what a replacement took; nobody has said what a removal did."""
    gold: Gold = "incomplete" if item.is_corrupted else "complete"
    lacks = "tools" if item.manipulation is Manipulation.REPLACEMENT else "information"
    labels = {
        "source": item.benchmark.source.value,
        "manipulation": item.manipulation.value,
        "part": item.part.short,
        "gold": gold,
        "pair": name,
        "kind": "paper",
    }
    missing = frozenset(item.withheld or ())
    gone = [tool for tool in pair.original.tools if f"tool:{tool.name}" in missing]
    return AskedItem(
        task=_told(_task(item), gold, lacks),
        condition=item.condition,
        tools=item.tools,
        labels=labels,
        lacks=() if gold == "complete" else (lacks,),
        parts=published_parts(pair),
        missing=missing,
        pair=name,
        gold=gold,
        missing_words=tools_in_words(gone),
    )


def _task(item: PublishedItem) -> Task:
    """The data say what is called, at best; not whether one call feeds another."""
    steps: Sequence[Step] = [Step(tool=call.tool, boundary=Boundary.EXTERNAL) for call in item.answer]
    setup: dict[str, Any] = {"tools": [tool.model_dump(mode="json") for tool in item.tools]}
    return Task(
        id=item.id,
        opening=item.opening,
        world=WorldRef(name="cassette", setup=setup),
        offered=tuple(tool.name for tool in item.tools),
        plan=tuple(steps) or (Step(tool="(not known)", boundary=Boundary.EXTERNAL),),
        topology=Topology.PARALLEL if len(steps) > 1 else Topology.SINGLE_HOP,
        cluster=item.cluster,
        provenance={"file": item.place.file.name, "line": item.place.line},
    )
