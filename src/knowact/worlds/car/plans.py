"""The agent's own plans: what `planning_tool` writes down (CAR-bench).

They belong to one trial (the published store was shared by all) and are no part of the car's
state: nobody scores them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, NoReturn

from knowact.worlds.car.rules import Fault, refuse

Status = Literal["not_started", "in_progress", "completed", "blocked"]
EXECUTABLE: Final = "executable_but_not_started"
WAITING: Final = "unresolved_dependencies_and_not_started"
STATUSES: Final = (EXECUTABLE, WAITING, "in_progress", "completed", "blocked")
"""What a step can be shown as: `not_started` is told apart by whether all that it depends on is done."""


@dataclass(frozen=True, slots=True)
class Planned:
    """A step as it is told: what to do, and the indexes of the steps that must be done before."""

    description: str
    dependent_on: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Progress:
    """What is to be noted of a step: None leaves it as it is."""

    index: int
    status: Status | None = None
    notes: str | None = None


@dataclass(slots=True)
class PlanStep:
    """A step with what was noted of it."""

    planned: Planned
    status: Status = "not_started"
    notes: str = ""


@dataclass(slots=True)
class Plan:
    """A plan: a title and steps in order."""

    id: str
    title: str
    steps: list[PlanStep]

    def shown_status(self, index: int) -> str:
        """Return how a step is shown."""
        step = self.steps[index]
        if step.status != "not_started":
            return step.status
        done = all(self.steps[other].status == "completed" for other in step.planned.dependent_on)
        return EXECUTABLE if done else WAITING

    def counts(self) -> dict[str, int]:
        """Return how many steps are shown as each status."""
        shown = [self.shown_status(index) for index in range(len(self.steps))]
        return {status: shown.count(status) for status in STATUSES}

    @property
    def percent_completed(self) -> int:
        """How much of it is done, in percent."""
        return round(100 * self.counts()["completed"] / len(self.steps))


@dataclass(slots=True)
class Plans:
    """The plans of one trial, and which of them is active; what makes no sense is refused."""

    _plans: dict[str, Plan] = field(default_factory=dict[str, Plan])
    _active: str | None = None

    @property
    def active(self) -> str | None:
        """The id of the active plan."""
        return self._active

    def __iter__(self) -> Iterator[Plan]:
        return iter(tuple(self._plans.values()))

    def create(self, plan_id: str | None, title: str | None, steps: Sequence[Planned]) -> Plan:
        """Make a plan under a new id; it becomes the active one."""
        if not plan_id or not title or not steps:
            _refuse("A new plan needs a plan_id, a title and at least one step.")
        if plan_id in self._plans:
            _refuse(f"There is a plan {plan_id!r} already; update it or choose another id.")
        _check(steps)
        plan = self._plans[plan_id] = Plan(plan_id, title, [PlanStep(step) for step in steps])
        self._active = plan_id
        return plan

    def update(self, plan_id: str | None, title: str | None, steps: Sequence[Planned]) -> Plan:
        """Give a plan a new title, new steps or both; a step that stays where it is keeps its notes."""
        if not plan_id:
            _refuse("Say which plan to update, by its plan_id.")
        if not title and not steps:
            _refuse("An update needs a new title, new steps or both.")
        plan = self.find(plan_id)
        _check(steps)
        if title:
            plan.title = title
        if steps:
            plan.steps = [_carried(plan, index, step) for index, step in enumerate(steps)]
        return plan

    def find(self, plan_id: str | None) -> Plan:
        """Return a plan; without an id, the active one."""
        chosen = plan_id or self._active
        if chosen is None:
            _refuse("No plan is active; say which one is meant, by its plan_id.")
        plan = self._plans.get(chosen)
        if plan is None:
            known = ", ".join(map(repr, self._plans)) or "none"
            _refuse(f"There is no plan {chosen[:40]!r}; there are: {known}.")
        return plan

    def activate(self, plan_id: str | None) -> Plan:
        """Make a plan the active one."""
        if not plan_id:
            _refuse("Say which plan to make active, by its plan_id.")
        plan = self.find(plan_id)
        self._active = plan.id
        return plan

    def mark(self, plan_id: str | None, updates: Sequence[Progress]) -> Plan:
        """Note the progress of steps: all of it, or nothing where one of the notes makes no sense."""
        plan = self.find(plan_id)
        if not updates:
            _refuse("Say which steps to mark, in step_updates.")
        for update in updates:
            if not 0 <= update.index < len(plan.steps):
                _refuse(f"The plan {plan.id!r} has no step {update.index}; it has {len(plan.steps)}, from 0.")
        for update in updates:
            step = plan.steps[update.index]
            step.status = update.status or step.status
            step.notes = step.notes if update.notes is None else update.notes
        return plan

    def delete(self, plan_id: str | None) -> None:
        """Throw a plan away; if it was the active one, none is active then."""
        if not plan_id:
            _refuse("Say which plan to delete, by its plan_id.")
        plan = self.find(plan_id)
        del self._plans[plan.id]
        if self._active == plan.id:
            self._active = None


def _carried(plan: Plan, index: int, step: Planned) -> PlanStep:
    old = plan.steps[index] if index < len(plan.steps) else None
    if old is not None and old.planned.description == step.description:
        return PlanStep(step, old.status, old.notes)
    return PlanStep(step)


def _check(steps: Sequence[Planned]) -> None:
    for index, step in enumerate(steps):
        for other in step.dependent_on:
            if not 0 <= other < index:
                _refuse(f"Step {index} depends on step {other}; a step can depend on earlier ones only.")


def _refuse(message: str) -> NoReturn:
    # The published tool answers such calls in words and nobody counts them.
    refuse("bad_arguments", message, fault=Fault.UNLOGGED)
