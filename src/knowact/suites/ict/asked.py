"""Items as they are asked, from our own pairs and from published ones."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from knowact.core.parts import REQUEST, Part, job_part, parts_of, value_part
from knowact.core.spoken import spoken
from knowact.core.suite import Item
from knowact.core.task import Boundary, Fact, PastCall, Step, Task, Topology, WorldRef
from knowact.core.tool import Tool
from knowact.suites.ict.cases import Lost, Manipulation, Pair, Version
from knowact.suites.ict.layout import short_of
from knowact.suites.ict.published import PublishedItem, PublishedPair
from knowact.worlds.overlay import offered_under

WANTED: Final = Part(REQUEST, "what the user wants to have done in the first place")


def pair_parts(pair: Pair, tools: Mapping[str, Tool]) -> tuple[Part, ...]:
    """Return the parts of a pair: its plan's tools, the values that the user gives, and what can be lost.

    Args:
        pair: The pair.
        tools: The world's tools by name.
    """
    told = parts_of(pair.task, tools)
    if pair.lost is None:
        return told
    lost = _lost_part(pair.lost, tools)
    return told if lost.id in {part.id for part in told} else (*told, lost)


def missing_of(pair: Pair, tools: Mapping[str, Tool]) -> frozenset[str]:
    """Return the ids of the parts that the incomplete version lacks."""
    lost = pair.lost
    if lost is None:
        return frozenset(job_part(tools[one.tool]).id for one in pair.gone)
    return frozenset({_lost_part(lost, tools).id})


def _lost_part(lost: Lost, tools: Mapping[str, Tool]) -> Part:
    return WANTED if lost.what == "request" else value_part(tools[lost.tool], lost.parameter)


def pair_facts(pair: Pair) -> tuple[Fact, ...]:
    """Return what a right answer to the complete version asserts.

    A lost value stands in no label: there stands what the incomplete version says in its place.
    """
    lost = pair.lost
    if lost is None or lost.what == "request":
        return pair.task.facts
    return tuple(fact.model_copy(update={"label": _unsaid(fact.label, lost)}) for fact in pair.task.facts)


def _unsaid(label: str, lost: Lost) -> str:
    for words in (lost.words, spoken(lost.value)):
        label = label.replace(words, lost.phrase or f"[{lost.parameter.replace('_', ' ')}]")
    return label


def missing_words(pair: Pair, tools: Mapping[str, Tool]) -> str:
    """Return what the incomplete version of a pair lacks, for a judge."""
    lost = pair.lost
    if lost is None:
        return tools_in_words(tools[one.tool] for one in pair.gone)
    if lost.what == "request":
        return f"- what the user wants; the user only speaks of {lost.phrase}, not of what it asks for"
    rest = f"the user only speaks of {lost.phrase}" if lost.phrase else "the user does not say it"
    return f"- {_lost_part(lost, tools).words}; {rest}"


def tools_in_words(gone: Iterable[Tool]) -> str:
    """Return the same for tools that are gone."""
    return "\n".join(f"- the tool {tool.name}: {tool.description}" for tool in gone)


def published_parts(pair: PublishedPair) -> tuple[Part, ...]:
    """Return the parts of a published pair, as far as anybody has said what it takes: tools alone."""
    needed = {call.tool for call in pair.original.answer}
    needed |= {one.removeprefix("tool:") for one in pair.manipulated.withheld or ()}
    return tuple(job_part(tool) for tool in pair.original.tools if tool.name in needed) or (WANTED,)


EXPLICIT: Final = "explicit"
FIRST: Final = "first"
"""The answer that the strategy self-verification has checked; what is said then is the explicit answer."""
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
        missing_words: What is missing, for a judge; empty where nothing is.
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
    if pair.proof:
        labels["proof"] = pair.proof
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
        missing_words=_published_missing(pair) if item.is_corrupted else "",
    )


def _published_missing(pair: PublishedPair) -> str:
    """What a manipulated row lacks, for a judge. A removal is told by what the original says."""
    withheld = pair.manipulated.withheld
    if withheld is None:
        complete = pair.original.opening.text
        return f"- something that the user does say in the complete version, which is:\n{complete}"
    return tools_in_words(tool for tool in pair.original.tools if f"tool:{tool.name}" in withheld)


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
