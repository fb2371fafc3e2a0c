"""Checks of a task that types cannot express: whether its parts fit together."""

from collections.abc import Iterator
from typing import NamedTuple

from knowact.core.condition import Add, Condition, Unfit, on_the_table
from knowact.core.errors import BadData
from knowact.core.proof import check_plan
from knowact.core.task import VERBATIM, Fact, Step, Task
from knowact.datasets.lines import Line


class Complaint(NamedTuple):
    """What is wrong, in which field, and what to do about it."""

    what: str
    field: str
    fix: str


def check_task(task: Task, line: Line, at: str = "") -> None:
    """Check that a task's parts fit together.

    Args:
        task: The task.
        line: Its line.
        at: The prefix of its fields there ("task.").

    Raises:
        BadData: The first part that does not fit, with line and field.
    """
    for found in _complaints(task):
        raise BadData(found.what, line.place(f"{at}{found.field}"), found.fix)


def check_condition(task: Task, condition: Condition, line: Line) -> None:
    """Check the changes in the field `condition` against the tools that the task offers.

    Raises:
        BadData: A change names a tool that is not offered, a tool would be offered twice, or the order does
            not list exactly the remaining tools.
    """
    added = {change.tool for change in condition.changes if isinstance(change, Add)}
    for number, change in enumerate(condition.changes):
        if change.tool not in task.offered and change.tool not in added:
            what = f"this changes the tool {change.tool!r}, which the task does not offer"
            place = line.place(f"condition.changes.{number}.tool")
            raise BadData(what, place, "name a tool that 'offered' lists")
    try:
        on_the_table(task.offered, condition)
    except Unfit as error:
        fix = "list each tool once that the changes leave, or leave 'order' empty"
        if error.field == "changes":
            fix = "add no tool that is offered already"
        raise BadData(error.what, line.place(f"condition.{error.field}"), fix) from error


def _complaints(task: Task) -> Iterator[Complaint]:
    if not task.plan:
        yield Complaint("the plan has no step", "plan", "give it at least 1 step")
    yield from _offered(task)
    for number, step in enumerate(task.plan):
        yield from _step(task, number, step)
    if said := check_plan(task):
        yield Complaint(said, "topology", "correct the topology or the plan")
    for number, fact in enumerate(task.facts):
        yield from _fact(task, number, fact)
    if task.replay_gap:
        what = "your own data need a recording of every tool, so there can be no gap"
        yield Complaint(what, "replay_gap", "record the tools and remove this field")


def _offered(task: Task) -> Iterator[Complaint]:
    for number, name in enumerate(task.offered):
        if name in task.offered[:number]:
            yield Complaint(f"the tool {name!r} is offered twice", f"offered.{number}", "offer it once")


def _step(task: Task, number: int, step: Step) -> Iterator[Complaint]:
    if step.tool not in task.offered:
        what = f"the plan names the tool {step.tool!r}, which 'offered' does not list"
        yield Complaint(what, f"plan.{number}.tool", "list the tool, or correct its name")
    for name, argument in step.arguments.items():
        if argument.step is not None and argument.step >= number:
            what = f"step {number} takes this from step {argument.step}, which does not come before it"
            field = f"plan.{number}.arguments.{name}.step"
            yield Complaint(what, field, "name an earlier step; the first is 0")


def _fact(task: Task, number: int, fact: Fact) -> Iterator[Complaint]:
    if fact.kind in VERBATIM and not str(fact.value).strip():
        what = "the text is blank, so no answer can state it"
        yield Complaint(what, f"facts.{number}.value", "write the text")
    for place, source in enumerate(fact.sources):
        step, _, path = source.partition(".")
        if not (step.isdecimal() and int(step[:9]) < len(task.plan) and path):
            what = f"{source!r} is not a result of the plan"
            fix = "write it as <step>.<field>; the first step is 0"
            yield Complaint(what, f"facts.{number}.sources.{place}", fix)
