"""Tools removed: one of them, or all (what a model can do alone)."""

from knowact.core.condition import Condition, Hide
from knowact.core.task import Task


def without_tool(task: Task, tool: str) -> Condition:
    """Take one of the task's offered tools away. The caller proves that the task became impossible."""
    if tool not in task.offered:
        raise ValueError(f"task {task.id!r} does not offer {tool!r}")
    return Condition(name=f"without-{tool}", changes=(Hide(tool=tool),), withheld=(f"tool:{tool}",))


def no_tools(task: Task) -> Condition:
    """Take every tool away: what can *this* model do alone?"""
    return Condition(
        name="no-tools",
        changes=tuple(Hide(tool=tool) for tool in task.offered),
        withheld=tuple(f"tool:{tool}" for tool in task.offered),
    )
