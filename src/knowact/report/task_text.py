"""One task as text for the terminal: request, tools, plan, facts.

Data may come from anybody, so every line is made safe to print (`core.clean`).
"""

import json
from collections.abc import Iterable, Mapping, Sequence

from knowact.core import clean
from knowact.core.screen import INDENT, wrapped
from knowact.core.suite import Section
from knowact.core.task import Argument, Fact, Step, Task
from knowact.core.tool import Tool


def query_lines(
    task: Task, context: Mapping[str, str], tools: Sequence[Tool], width: int, *, details: bool = False
) -> list[str]:
    """What an agent sees: the query or dialogue, the context, the tools.

    Args:
        task: The task.
        context: Shown beside the query, by name.
        tools: The tools offered.
        width: Of a line.
        details: Whether to describe each parameter.
    """
    alone = len(task.opening.utterances) == 1
    head = "The user writes:" if alone else "The conversation so far, which ends with the user:"
    lines = [head, *wrapped(task.opening.text, width)]
    if context:
        lines += ["", "Context:"]
        lines += [line for name, value in context.items() for line in wrapped(f"{name}: {value}", width)]
    lines += ["", f"Tools offered ({len(tools)}):" if tools else "Tools offered: none"]
    for tool in tools:
        parameters = ", ".join(tool.properties)
        lines += wrapped(f"{tool.name}({parameters})", width)
        lines += wrapped(tool.description, width, INDENT * 3)
        if details:
            lines += [line for name in tool.properties for line in _parameter(tool, name, width)]
    return lines


def _parameter(tool: Tool, name: str, width: int) -> list[str]:
    schema = tool.properties[name]
    free = "" if name in tool.required else " (optional)"
    among = f" One of: {', '.join(map(_value, schema['enum']))}." if schema.get("enum") else ""
    line = f"{name}{free}: {schema.get('description', '')}{among}"
    return wrapped(line.rstrip(": "), width, INDENT * 4)


def plan_lines(task: Task, width: int, notes: Sequence[str] = (), first: int = 0) -> list[str]:
    """The steps, with each argument's value and origin, and the use of each result.

    Args:
        task: The task.
        width: Of a line.
        notes: A note for each step; empty for blinded readers.
        first: The number of the first step: 0 as in the data, or 1.
    """
    lines: list[str] = []
    for number, step in enumerate(task.plan):
        asks = f": {step.question}" if step.question else ""
        lines += wrapped(f"step {number + first}  {step.tool}{asks}", width)
        if notes:
            lines += wrapped(notes[number], width, INDENT * 4)
        for name, argument in step.arguments.items():
            lines += wrapped(
                f"{name} = {_value(argument.value)}, {_origin(argument, first)}", width, INDENT * 4
            )
        lines += wrapped(_use(task, number, step, first), width, INDENT * 4)
    return lines


def _origin(argument: Argument, first: int) -> str:
    words = {
        "query": "from the query",
        "context": "from the query and the context",
        "common": "common knowledge",
        "default": "the tool's default",
        "unstated": "origin not recorded",
    }
    if argument.step is not None:
        return f"from {argument.field!r} of the result of step {argument.step + first}"
    return words[argument.origin]


def _use(task: Task, number: int, step: Step, first: int) -> str:
    fed = [
        str(later + first)
        for later, later_step in enumerate(task.plan)
        if any(argument.step == number for argument in later_step.arguments.values())
    ]
    wants = f"the answer needs {', '.join(step.wants)} from its result" if step.wants else ""
    feeds = f"its result is an input of step {' and '.join(fed)}" if fed else ""
    return "; ".join(filter(None, (wants, feeds))) or "needed for its effect"


def fact_lines(facts: Iterable[Fact], width: int) -> list[str]:
    """The reference facts, each with tolerance, aliases and sources."""
    lines: list[str] = []
    for fact in facts:
        value = " ".join(filter(None, (_value(fact.value), fact.unit)))
        slack = f" ± {fact.tolerance:g}" if fact.tolerance else ""
        lines += wrapped(f"{fact.label or 'answer'} = {value} ({fact.kind.replace('_', ' ')}{slack})", width)
        if fact.aliases:
            lines += wrapped(f"aliases: {', '.join(map(_value, fact.aliases))}", width, INDENT * 3)
        lines += wrapped(_sources(fact), width, INDENT * 3)
    return lines


def _sources(fact: Fact) -> str:
    if not fact.sources:
        return "computed without tools" if not fact.rule else f"computed by {fact.rule}"
    named = [
        f"{path!r} of step {step}" for step, _, path in (source.partition(".") for source in fact.sources)
    ]
    rule = f" by {fact.rule}" if fact.rule else ""
    return f"from {' and '.join(named)}{rule}"


def section_lines(sections: Iterable[Section], width: int) -> list[str]:
    """What a suite says of an item in sections of its own."""
    lines: list[str] = []
    for section in sections:
        lines.append(clean.one_line(section.title))
        for line in section.lines:
            indent = INDENT + " " * (len(line) - len(line.lstrip(" ")))
            lines += wrapped(line.strip(), width, indent, f"{indent}  ")
        lines.append("")
    return lines


def _value(value: object) -> str:
    """Return a value as JSON, whole numbers without decimals."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return json.dumps(value, ensure_ascii=False)
