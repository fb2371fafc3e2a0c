"""An audit of tools by people: which of them can do what a model cannot, by the rubric that labels them.

What annotators see is what the paper's saw: name, description, parameters and result. No label, no reason.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final, cast

from knowact.core.clean import dumps
from knowact.core.condition import CLEAN
from knowact.core.suite import Item, Section, load_audit
from knowact.core.task import Query, Task, Topology, WorldRef
from knowact.core.tool import Tool

WHEN: Final = "when"
"""In the provenance of what stands for a tool: when its calls are external (`core.tool.Rubric`)."""
_SHOWN_OTHERWISE: Final = frozenset(
    {"type", "description", "properties", "required", "items", "additionalProperties"}
)


def tool_item(tool: Tool, world: WorldRef) -> Item:
    """A labelled tool as something to ask about: a task of its name, of which nothing is to be done."""
    assert tool.rubric is not None
    task = Task(
        id=tool.name,
        opening=Query(text=tool.description or tool.name),
        world=world,
        offered=(tool.name,),
        plan=(),
        topology=Topology.SINGLE_HOP,
        cluster=tool.name,
        provenance={WHEN: tool.rubric.when},
    )
    return Item(task, CLEAN, (tool,), {"label": tool.rubric.when})


def shown_of(item: Item) -> str:
    """Everything that identifies a question about a tool: what is shown of it, and its label."""
    lines = [line for section in sections(item) for line in section.lines]
    return "\n".join((*lines, str(item.task.provenance[WHEN])))


def sections(item: Item) -> tuple[Section, ...]:
    """What is shown of a tool."""
    (tool,) = item.tools
    return (
        Section("The tool:", (tool.name, tool.description)),
        Section("Its parameters:", tuple(_fields(tool.parameters)) or ("none",)),
        Section("Its result:", tuple(_fields(tool.returns or {})) or ("not described",)),
    )


def _fields(shape: Mapping[str, Any], indent: str = "") -> Iterator[str]:
    """The fields of a schema, a line each, deeper ones below."""
    must = shape.get("required", ())
    for name, inner in cast("dict[str, dict[str, Any]]", shape.get("properties", {})).items():
        kind, limits = str(inner.get("type", "")), dict(inner)
        while "items" in inner:
            inner = cast("dict[str, Any]", inner["items"])  # noqa: PLW2901 - down to what a list holds
            kind, limits = f"{kind} of {inner.get('type', '')}", {**limits, **inner}
        rest = [f"{key}: {dumps(value)}" for key, value in limits.items() if key not in _SHOWN_OTHERWISE]
        optional = "" if name in must else ", optional"
        about = str(limits.get("description", ""))
        yield f"{indent}{name} ({kind}{optional}): {' '.join((about, *rest))}".rstrip(": ")
        yield from _fields(inner, f"{indent}  ")


TOOL_AUDIT: Final = load_audit("knowact.roles", {WHEN: lambda task: str(task.provenance[WHEN])}, sections)
"""Asks when a tool is needed, one question per tool."""
