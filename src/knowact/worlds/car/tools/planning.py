"""Cross-domain: the two tools that do nothing, for agents that think in writing."""

from collections.abc import Sequence
from typing import Annotated, Literal, NotRequired, TypedDict

from knowact.worlds.car import plans as book
from knowact.worlds.car.contract import Car, Fault, car_tool
from knowact.worlds.typed.schema import Attribute, Shape, echo, part


class ThoughtNoted(Shape):
    noted: bool = echo("That it was.")


@car_tool("Cross-domain", no_op=True)
def think(car: Car, thought: Annotated[str, Attribute("agent.thought")]) -> ThoughtNoted:
    """Write a thought down before going on. Nothing happens, and nobody but you reads it.

    Args:
        thought: What you think.
    """
    del car, thought
    return ThoughtNoted(noted=True)


class GivenStep(TypedDict):
    """A step of a plan."""

    step_description: Annotated[str, "What is to be done."]
    step_dependent_on: NotRequired[
        Annotated[list[int], "Indexes of the earlier steps, from 0, that must be done before."]
    ]


class GivenProgress(TypedDict):
    """What there is to note of a step."""

    step_index: Annotated[int, "Which step, from 0."]
    step_status: NotRequired[Annotated[book.Status, "How far it is."]]
    step_notes: NotRequired[Annotated[str, "Anything worth keeping."]]


class ShownStep(Shape):
    """A step of a plan, with what was noted of it."""

    step_index: int = echo("Which step, from 0.")
    step_description: str = echo("What is to be done.")
    step_status: str = echo("How far it is.")
    step_notes: str = echo("What was noted.")
    step_dependent_on: list[int] = echo("Which steps must be done before.")


class ShownPlan(Shape):
    """A plan."""

    plan_id: str = echo("Its id.")
    title: str = echo("Its title.")
    steps: list[ShownStep] = part("Its steps; none when plans are listed.")
    step_counts: dict[str, int] = echo("How many steps there are of each status.")
    percent_completed: int = echo("How much of it is done.")


def _uncounted(value: object) -> Fault:
    del value
    return Fault.UNLOGGED


class PlansShown(Shape):
    plans: list[ShownPlan] = part("The plan that was meant, or all of them when they are listed.")
    active_plan_id: str | None = echo("The active plan, or null.")


@car_tool("Cross-domain", no_op=True, faults={"command": _uncounted})
def planning_tool(
    car: Car,
    command: Literal["create", "update", "list", "get", "set_active", "mark_steps", "delete"],
    plan_id: str | None = None,
    title: str | None = None,
    steps: list[GivenStep] | None = None,
    step_updates: list[GivenProgress] | None = None,
) -> PlansShown:
    """Keep plans of your own for requests that take several steps. The car does nothing by them.

    create needs plan_id, title and steps, and makes the plan the active one; update takes a new title, new
    steps or both; mark_steps needs step_updates; get and mark_steps mean the active plan where no plan_id
    is given; set_active and delete need a plan_id.

    Args:
        command: What to do.
        plan_id: Which plan.
        title: What the plan is for.
        steps: Its steps, in order.
        step_updates: What to note of steps.
    """
    plans = car.plans
    if command == "list":
        return PlansShown(plans=[_shown(plan, steps=False) for plan in plans], active_plan_id=plans.active)
    if command == "delete":
        plans.delete(plan_id)
        return PlansShown(plans=[], active_plan_id=plans.active)
    plan = _carry_out(plans, command, plan_id, title, _planned(steps or ()), _progress(step_updates or ()))
    return PlansShown(plans=[_shown(plan, steps=True)], active_plan_id=plans.active)


def _carry_out(
    plans: book.Plans,
    command: str,
    plan_id: str | None,
    title: str | None,
    steps: Sequence[book.Planned],
    updates: Sequence[book.Progress],
) -> book.Plan:
    if command == "create":
        return plans.create(plan_id, title, steps)
    if command == "update":
        return plans.update(plan_id, title, steps)
    if command == "set_active":
        return plans.activate(plan_id)
    if command == "mark_steps":
        return plans.mark(plan_id, updates)
    return plans.find(plan_id)


def _planned(steps: Sequence[GivenStep]) -> list[book.Planned]:
    return [
        book.Planned(
            step["step_description"], tuple(int(other) for other in step.get("step_dependent_on", ()))
        )
        for step in steps
    ]


def _progress(updates: Sequence[GivenProgress]) -> list[book.Progress]:
    return [
        book.Progress(int(update["step_index"]), update.get("step_status"), update.get("step_notes"))
        for update in updates
    ]


def _shown(plan: book.Plan, *, steps: bool) -> ShownPlan:
    shown = [
        ShownStep(
            step_index=index,
            step_description=step.planned.description,
            step_status=plan.shown_status(index),
            step_notes=step.notes,
            step_dependent_on=list(step.planned.dependent_on),
        )
        for index, step in enumerate(plan.steps)
    ]
    return ShownPlan(
        plan_id=plan.id,
        title=plan.title,
        steps=shown if steps else [],
        step_counts=plan.counts(),
        percent_completed=plan.percent_completed,
    )
