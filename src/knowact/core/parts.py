"""The parts of a task: what has to be known and what has to be done, in words, whether or not it can be.

Their ids are those of `Condition.withheld` ("value:<tool>.<parameter>", "tool:<name>", "request"), so that
what is missing is a set of parts. Both members of a minimal pair have the same parts.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from knowact.core.task import Task
from knowact.core.tool import Tool

REQUEST: Final = "request"
"""The id of what the user wants in the first place, where that can be missing."""

TOLD: Final = frozenset({"query", "context", "unstated"})
"""Origins of arguments that the user has to speak of, if only as "here" or "tomorrow"."""

_SENTENCE_END: Final = re.compile(r"(?<=[a-z)])\.(?:\s|\Z)|[;\n]")


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a task.

    Attributes:
        id: Unique in its task.
        words: What it is, in words that name no tool and don't say whether it is there.
    """

    id: str
    words: str


def value_part(tool: Tool, parameter: str) -> Part:
    """Something that has to be known: a parameter's name in words, and what its schema says of it."""
    name = re.sub(r"(?<=[a-z])(?=[A-Z])|_", " ", parameter).lower()
    about = str(tool.properties.get(parameter, {}).get("description", "")).strip().rstrip(".")
    return Part(f"value:{tool.name}.{parameter}", f"{name}: {about}" if about else name)


def job_part(tool: Tool) -> Part:
    """Something that has to be done: the first sentence of a tool's description."""
    job = _SENTENCE_END.split(tool.description.strip(), maxsplit=1)[0].strip()
    return Part(f"tool:{tool.name}", job or tool.name.replace("_", " "))


def parts_of(task: Task, tools: Mapping[str, Tool]) -> tuple[Part, ...]:
    """The parts of a complete task: every tool of its plan, and every value that the user speaks of.

    Args:
        task: The task as it is when nothing is missing.
        tools: All tools of the world by name; steps of others are left out (published data).
    """
    return distinct(_found(task, tools))


def _found(task: Task, tools: Mapping[str, Tool]) -> Iterator[Part]:
    for step in task.plan:
        tool = tools.get(step.tool)
        if tool is not None:
            yield job_part(tool)
            for name, argument in step.arguments.items():
                if argument.origin in TOLD:
                    yield value_part(tool, name)


def distinct(parts: Iterable[Part]) -> tuple[Part, ...]:
    """Each part once, in order; parts of the same words say which tool's job they are for."""
    found = {part.id: part for part in parts}
    counts = Counter(part.words for part in found.values())
    jobs = {part.id.partition(":")[2]: part.words for part in found.values() if part.id.startswith("tool:")}

    def told_apart(part: Part) -> Part:
        job = jobs.get(part.id.partition(":")[2].partition(".")[0], "")
        return Part(part.id, f"{part.words} (for: {job})") if counts[part.words] > 1 and job else part

    return tuple(map(told_apart, found.values()))
