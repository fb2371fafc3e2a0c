"""What a pair asks for, part by part, what its incomplete version lacks of that, and both in words.

The parts come from the complete version, and both versions have them, so that nothing which is made of them
tells one version from the other.
"""

from collections.abc import Iterable, Mapping
from typing import Final

from knowact.core.parts import REQUEST, Part, job_part, parts_of, value_part
from knowact.core.task import Fact
from knowact.core.tool import Tool
from knowact.suites.ict.cases import Lost, Pair
from knowact.suites.ict.published import PublishedPair

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

    A lost value stands in no label: there stands what the incomplete version says in its place, and the
    complete one says as well.
    """
    lost = pair.lost
    if lost is None or lost.what == "request":
        return pair.task.facts
    return tuple(
        fact.model_copy(update={"label": fact.label.replace(lost.words, lost.phrase)})
        for fact in pair.task.facts
    )


def missing_words(pair: Pair, tools: Mapping[str, Tool]) -> str:
    """Return what the incomplete version of a pair lacks, for a judge."""
    lost = pair.lost
    if lost is None:
        return tools_in_words(tools[one.tool] for one in pair.gone)
    if lost.what == "request":
        return f"- what the user wants; the user only speaks of {lost.phrase}, not of what it asks for"
    return f"- {_lost_part(lost, tools).words}; the user only speaks of {lost.phrase}"


def tools_in_words(gone: Iterable[Tool]) -> str:
    """Return the same for tools that are gone."""
    return "\n".join(f"- the tool {tool.name}: {tool.description}" for tool in gone)


def published_parts(pair: PublishedPair) -> tuple[Part, ...]:
    """Return the parts of a published pair, as far as anybody has said what it takes: tools alone."""
    needed = {call.tool for call in pair.original.answer}
    needed |= {one.removeprefix("tool:") for one in pair.manipulated.withheld or ()}
    return tuple(job_part(tool) for tool in pair.original.tools if tool.name in needed) or (WANTED,)
