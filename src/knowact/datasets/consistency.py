"""What types alone do not say of a task of ours: whether its parts fit together."""

from collections.abc import Iterator
from typing import NamedTuple

from knowact.core.condition import Add, Condition, Unfit, on_the_table
from knowact.core.errors import BadData
from knowact.core.proof import check_plan
from knowact.core.task import Fact, Step, Task
from knowact.datasets.lines import Line


class Complaint(NamedTuple):
    """What is wrong, in which field, and what to do about it."""

    what: str
    field: str
    fix: str


def check_task(task: Task, line: Line, at: str = "") -> None:
    """Check one task of ours against itself.

    Args:
        task: The task.
        line: Where it was read.
        at: What stands before its fields there ("task.").

    Raises:
        BadData: The first thing that does not fit, with its line and field.
    """
    for found in _complaints(task):
        raise BadData(found.what, line.place(f"{at}{found.field}"), found.fix)


def check_condition(task: Task, condition: Condition, line: Line) -> None:
    """Check what was changed, in the field `condition`, against what the task offers.

    Raises:
        BadData: A change is about a tool that is not on the table, a tool would be there twice, or the order
            names others than those that are left.
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
        fix = "name each tool once that the changes leave on the table, or leave 'order' empty"
        if error.field == "changes":
            fix = "put no tool on the table that is there"
        raise BadData(error.what, line.place(f"condition.{error.field}"), fix) from error


def _complaints(task: Task) -> Iterator[Complaint]:
    yield from _offered(task)
    for number, step in enumerate(task.plan):
        yield from _step(task, number, step)
    if said := check_plan(task):
        yield Complaint(said, "topology", "correct the topology or the plan")
    for number, fact in enumerate(task.facts):
        yield from _fact(task, number, fact)
    if task.replay_gap:
        what = "data of your own need a recording of every tool, so there can be no gap"
        yield Complaint(what, "replay_gap", "record the tools, and leave this field out")


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
            what = f"step {number} takes this from step {argument.step}, which is no earlier step"
            field = f"plan.{number}.arguments.{name}.step"
            yield Complaint(what, field, "name an earlier step; the first one is 0")


def _fact(task: Task, number: int, fact: Fact) -> Iterator[Complaint]:
    if fact.kind == "text" and not str(fact.value).strip():
        what = "the text is blank, so no answer could ever assert it"
        yield Complaint(what, f"facts.{number}.value", "write it out")
    for place, source in enumerate(fact.sources):
        step, _, path = source.partition(".")
        if not (step.isdecimal() and int(step[:9]) < len(task.plan) and path):
            what = f"{source!r} names no result of the plan"
            fix = "write it as <step>.<field>; the first step is 0"
            yield Complaint(what, f"facts.{number}.sources.{place}", fix)
