"""The plan of a request: its runs, with their calls and their cost, before anything is called."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from knowact.core.errors import BadUsage
from knowact.core.role_model import BUILT_IN, RoleModel
from knowact.core.suite import Item, Plan
from knowact.probes.suite import Suite
from knowact.roles.baseline import PERSON
from knowact.running.agents import UnderTest, under_test
from knowact.running.progress import displays
from knowact.running.request import RunRequest
from knowact.running.roles import bound
from knowact.running.sources import FREE
from knowact.running.sweeps import Arm, arms
from knowact.worlds.registry import ready

if TYPE_CHECKING:  # the engine takes seconds to load
    from knowact.engine.runs import Request

Draw: TypeAlias = Callable[[Sequence[Item]], tuple[tuple[Item, ...], str]]
"""From the items that options leave to those of one run, and how that is said of the run."""


@dataclass(frozen=True, slots=True)
class PlannedRun:
    """One run that is to be done.

    Attributes:
        request: What the engine is asked for.
        plan: Its items, and the calls that they take.
        words: What tells it from the others of a sweep; empty for the only one.
    """

    request: "Request"
    plan: Plan
    words: str

    @property
    def folder(self) -> Path:
        """Where it is kept."""
        from knowact.engine.runs import folder_of

        return folder_of(self.request, self.plan)

    @property
    def calls(self) -> tuple[int, int]:
        """Calls of the model or agent under test in all trials: the fewest and the most."""
        trials = int(self.request.options["trials"])
        few, most = self.plan.calls
        return few * trials, most * trials

    @property
    def least_cost(self) -> float | None:
        """US dollars for the first round of each probe; None where no price is known."""
        from knowact.engine.preflight import least_cost

        return least_cost(self.request, self.plan)

    @property
    def paid(self) -> bool:
        """Whether a model takes part whose calls can cost money."""
        players = (player.name for player in self.request.roles.values())
        return any(not name.startswith(FREE) for name in (self.request.model, *players))

    @property
    def over(self) -> bool:
        """Whether each of its trials has ended already."""
        from knowact.engine.progress import ended_before
        from knowact.engine.runs import trials_of

        return len(ended_before(self.folder)) >= trials_of(self.request, self.plan)


@dataclass(frozen=True, slots=True)
class RunPlan:
    """The runs of a request, in the order in which they are carried out."""

    suite: Suite
    runs: tuple[PlannedRun, ...]
    fresh: bool = False

    @property
    def paid(self) -> bool:
        """Whether a model takes part whose calls can cost money."""
        return any(run.paid for run in self.runs)

    def head(self, number: int) -> str:
        """Which run of several one is, counted from 1: "Run 2 of 3: openai/gpt-4o, strategy none"."""
        run = self.runs[number - 1]
        return ", ".join(filter(None, (f"Run {number} of {len(self.runs)}: {run.request.model}", run.words)))

    def announcement(self) -> Iterator[str]:
        """Say what will be done and what it costs: each run, and of several all of them together."""
        from knowact.engine.preflight import announce, in_all

        before: set[str] = set()
        for number, run in enumerate(self.runs, 1):
            if len(self.runs) > 1:
                yield self.head(number)
            for line in announce(run.request, run.plan, run.folder, fresh=self.fresh):
                if line not in before or not line.startswith("Note: "):
                    yield line
                before.add(line)
        if len(self.runs) > 1:
            yield in_all([(run.request, run.plan) for run in self.runs])

    def call_first(self) -> Iterator[str]:
        """Call every model that a run with something left to do is going to call.

        Returns:
            What the runs will get over by themselves, a sentence each.

        Raises:
            BadUsage: A model cannot be used.
        """
        from knowact.engine.first_call import call_each, callees

        left = [run.request for run in self.runs if self.fresh or not run.over]
        for note in call_each(callee for request in left for callee in callees(request)):
            yield f"{note} The run starts anyway, and tries again by itself."


@dataclass(frozen=True, slots=True)
class _Treatment:
    """The items of one arm, under its options; `sample` says which of them where it is not all."""

    arm: Arm
    options: Mapping[str, Any]
    plan: Plan
    sample: str = ""


def plan_runs(request: RunRequest, draw: Draw | None = None) -> RunPlan:
    """Plan the runs of a request: data, options, models, roles and prices are checked, and nothing is called.

    Args:
        request: What is asked for.
        draw: From the items that the options leave to those of this run; None for all of them.

    Raises:
        KnowactError: Something of it cannot be used.
    """
    tested = under_test(request)
    # Data are checked long before a model is called.
    treatments = [_treatment(request, tested, arm, draw) for arm in arms(request)]
    ready(item.task.world.name for treatment in treatments for item in treatment.plan.items)
    roles = {model: bound(treatments[0].plan, model, request.judge, request.roles) for model in tested.models}
    runs = tuple(
        _planned(request, tested, treatment, model, roles[model])
        for model in tested.models
        for treatment in treatments
    )
    return RunPlan(request.suite, runs, request.fresh)


def _treatment(request: RunRequest, tested: UnderTest, arm: Arm, draw: Draw | None) -> _Treatment:
    options = _options(request, tested.models, arm)
    plan = request.suite.plan(options)
    if plan.obstacle:
        raise BadUsage(plan.obstacle)
    if draw is None:
        return _Treatment(arm, options, plan)
    items, sample = draw(plan.items)
    return _Treatment(arm, options, _only(plan, items), sample)


def _options(request: RunRequest, models: Sequence[str], arm: Arm) -> dict[str, Any]:
    """All options of a run; some defaults depend on whether the agents are built in."""
    built_in = all(model.startswith(BUILT_IN) for model in models)
    own: dict[str, Any] = {}
    for option in request.suite.options:
        usual = option.default if built_in or not option.others else option.others
        given = arm.options.get(option.name, request.options.get(option.name))
        own[option.name] = usual if given is None or (option.others and not given) else given
    return {
        **own,
        "seed": request.seed,
        "trials": request.trials,
        "rules": request.rules,
        "limit": request.limit or 0,
    }


def _only(plan: Plan, items: tuple[Item, ...]) -> Plan:
    """The plan of some of its items, with the calls that those take."""

    def share(calls: tuple[int, int]) -> tuple[int, int]:
        few, most = (-(-count * len(items) // len(plan.items)) for count in calls)
        return few, most

    roles = {role: share(calls) for role, calls in plan.role_calls.items()}
    return replace(plan, items=items, calls=share(plan.calls), role_calls=roles)


def _planned(
    request: RunRequest, tested: UnderTest, treatment: _Treatment, model: str, roles: Mapping[str, RoleModel]
) -> PlannedRun:
    from knowact.engine.preflight import checked
    from knowact.engine.runs import Request

    connections = {} if request.max_connections is None else {"max_connections": request.max_connections}
    display, watch = displays(
        request.display, at_terminal=treatment.plan.at_terminal or model.startswith(PERSON)
    )
    asked = Request(
        suite=request.suite,
        options=treatment.options,
        model=model,
        roles=roles,
        log_dir=request.log_dir,
        engine={**request.engine, **tested.engine, **connections, **treatment.arm.engine},
        cost_limit=request.cost_limit,
        display=display,
        watch=watch,
        sample=treatment.sample,
        live=request.live,
    )
    return PlannedRun(checked(asked), treatment.plan, treatment.arm.words)
