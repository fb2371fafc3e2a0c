"""Cross-domain: the two tools that do nothing, for agents that think in writing (spec, section 2.10)."""

# ruff: noqa: D417 - agents give every argument but the car, so no docstring describes it

from collections.abc import Sequence
from typing import Annotated, Literal, TypedDict

from knowact.worlds.car.contract import Car, Fault, car_tool
from knowact.worlds.car.plans import Plan, Planned, Plans, Progress, Status
from knowact.worlds.typed.schema import ECHO, Attribute


class Thought(TypedDict):
    """A thought that was had.

    Attributes:
        noted: That it was.
    """

    noted: Annotated[bool, ECHO]


@car_tool(domain="Cross-domain", kind="no-op")
def think(car: Car, thought: Annotated[str, Attribute("agent.thought")]) -> Thought:
    """Write a thought down before going on. Nothing happens, and nobody but you reads it.

    Args:
        thought: What you think.
    """
    del car, thought
    return {"noted": True}


class _Described(TypedDict):
    step_description: str


class GivenStep(_Described, total=False):
    """A step of a plan.

    Attributes:
        step_description: What is to be done.
        step_dependent_on: Indexes of the earlier steps, from 0, that must be done before.
    """

    step_dependent_on: list[int]


class _Indexed(TypedDict):
    step_index: int


class GivenProgress(_Indexed, total=False):
    """What there is to note of a step.

    Attributes:
        step_index: Which step, from 0.
        step_status: How far it is.
        step_notes: Anything worth keeping.
    """

    step_status: Status
    step_notes: str


class ShownStep(TypedDict):
    """A step of a plan, with what was noted of it.

    Attributes:
        step_index: Which step, from 0.
        step_description: What is to be done.
        step_status: How far it is.
        step_notes: What was noted.
        step_dependent_on: Which steps must be done before.
    """

    step_index: Annotated[int, ECHO]
    step_description: Annotated[str, ECHO]
    step_status: Annotated[str, ECHO]
    step_notes: Annotated[str, ECHO]
    step_dependent_on: list[Annotated[int, ECHO]]


class ShownPlan(TypedDict):
    """A plan.

    Attributes:
        plan_id: Its id.
        title: Its title.
        steps: Its steps; none when plans are listed.
        step_counts: How many steps there are of each status.
        percent_completed: How much of it is done.
    """

    plan_id: Annotated[str, ECHO]
    title: Annotated[str, ECHO]
    steps: list[ShownStep]
    step_counts: Annotated[dict[str, int], ECHO]
    percent_completed: Annotated[int, ECHO]


class PlanBook(TypedDict):
    """What the command was about.

    Attributes:
        plans: The plan that was meant, or all of them when they are listed.
        active_plan_id: The active plan, or null.
    """

    plans: list[ShownPlan]
    active_plan_id: Annotated[str | None, ECHO]


def _uncounted(value: object) -> Fault:
    del value
    return Fault.UNLOGGED


@car_tool(domain="Cross-domain", kind="no-op", verdicts={"command": _uncounted})
def planning_tool(  # noqa: PLR0917 - tools are called by keyword
    car: Car,
    command: Literal["create", "update", "list", "get", "set_active", "mark_steps", "delete"],
    plan_id: str | None = None,
    title: str | None = None,
    steps: list[GivenStep] | None = None,
    step_updates: list[GivenProgress] | None = None,
) -> PlanBook:
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
        return {"plans": [_shown(plan, steps=False) for plan in plans], "active_plan_id": plans.active}
    if command == "delete":
        plans.delete(plan_id)
        return {"plans": [], "active_plan_id": plans.active}
    plan = _carry_out(plans, command, plan_id, title, _planned(steps or ()), _progress(step_updates or ()))
    return {"plans": [_shown(plan, steps=True)], "active_plan_id": plans.active}


def _carry_out(  # noqa: PLR0917 - what the tool was given, in its order
    plans: Plans,
    command: str,
    plan_id: str | None,
    title: str | None,
    steps: Sequence[Planned],
    updates: Sequence[Progress],
) -> Plan:
    if command == "create":
        return plans.create(plan_id, title, steps)
    if command == "update":
        return plans.update(plan_id, title, steps)
    if command == "set_active":
        return plans.activate(plan_id)
    if command == "mark_steps":
        return plans.mark(plan_id, updates)
    return plans.find(plan_id)


def _planned(steps: Sequence[GivenStep]) -> list[Planned]:
    return [
        Planned(step["step_description"], tuple(int(other) for other in step.get("step_dependent_on", ())))
        for step in steps
    ]


def _progress(updates: Sequence[GivenProgress]) -> list[Progress]:
    return [
        Progress(int(update["step_index"]), update.get("step_status"), update.get("step_notes"))
        for update in updates
    ]


def _shown(plan: Plan, *, steps: bool) -> ShownPlan:
    shown: list[ShownStep] = [
        {
            "step_index": index,
            "step_description": step.planned.description,
            "step_status": plan.shown_status(index),
            "step_notes": step.notes,
            "step_dependent_on": list(step.planned.dependent_on),
        }
        for index, step in enumerate(plan.steps)
    ]
    return {
        "plan_id": plan.id,
        "title": plan.title,
        "steps": shown if steps else [],
        "step_counts": plan.counts(),
        "percent_completed": plan.percent_completed,
    }
