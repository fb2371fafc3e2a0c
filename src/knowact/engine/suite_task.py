"""From a suite to its task in the engine: what `knowact run` and `inspect eval knowact/SUITE` carry out."""

import importlib
import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, cast

from inspect_ai import Task, task
from inspect_ai.model import get_model, model_roles

from knowact.core.errors import BadUsage, UnknownName
from knowact.core.suite import LIMIT, Plan, Suite, options_of
from knowact.core.table import Run
from knowact.engine.assemble import DEFAULTS, described, engine_task
from knowact.engine.conversations import ConversationSpec, conversation_task
from knowact.engine.metrics import headline, mean_by
from knowact.probes.spec import TaskSpec
from knowact.roles.extractor import extraction_prompt


def planned_task(suite: Suite, plan: Plan, arguments: Mapping[str, Any]) -> Task:
    """Make the task of a plan that a command has made already, so that no run plans twice.

    Args:
        suite: Its suite.
        plan: What the suite planned under these arguments.
        arguments: Those of the suite's task.
    """
    try:
        return suite_task(suite, lambda _: plan)(**arguments)
    finally:
        # The engine keeps the latest task of a name, and by name nobody is to get this plan.
        suite_task(suite)


def suite_task(
    suite: Suite, planning: Callable[[Mapping[str, Any]], Plan] | None = None
) -> Callable[..., Task]:
    """Make a suite's task. Its arguments are the options of `knowact run SUITE`, by name.

    `limit_tasks` stands for `--limit` (0: all), so that the engine's own `--limit` keeps its meaning.

    Args:
        suite: Its suite.
        planning: From all options to the plan; None plans as the suite does.
    """
    plans = planning or suite.plan

    def make(**arguments: Any) -> Task:
        for name in arguments.keys() - defaults_of(suite).keys():
            raise UnknownName(f"option of {suite.name}", name, defaults_of(suite))
        options = options_of(suite, {**defaults_of(suite), **arguments})
        plan = plans(options)
        if plan.obstacle:
            raise BadUsage(plan.obstacle)
        return _task(suite, plan, options)

    make.__doc__ = suite.question
    # The engine reads here which arguments there are.
    kind = inspect.Parameter.KEYWORD_ONLY
    parameters = [inspect.Parameter(name, kind, default=value) for name, value in defaults_of(suite).items()]
    make.__signature__ = inspect.Signature(parameters)  # pyright: ignore[reportFunctionMemberAccess]
    return task(name=suite.name)(make)


def defaults_of(suite: Suite) -> dict[str, bool | int | str]:
    """The arguments of a suite's task with their defaults."""
    return {LIMIT if name == "limit" else name: value for name, value in suite.defaults().items()}


def spec_of(suite: Suite, plan: Plan, options: Mapping[str, Any]) -> TaskSpec | ConversationSpec:
    """What a suite tells the engine, with what shared code knows: seed, measures, prompts, metrics."""
    module, _, function = suite.spec.partition(":")
    make = cast(
        "Callable[[Plan, Mapping[str, Any]], TaskSpec | ConversationSpec]",
        getattr(importlib.import_module(module), function),
    )
    spec = make(plan, options)
    return replace(
        spec,
        seed=int(options["seed"]),
        measures=suite.measures,
        prompts=[*spec.prompts, *([extraction_prompt()] if "extractor" in plan.role_calls else [])],
        metrics=spec.metrics or [mean_by(suite.measures[0], suite.compared_by)],
    )


def empty_run(suite: Suite, plan: Plan, options: Mapping[str, Any], model: str, roles: Iterable[str]) -> Run:
    """A run before it has records: what the metric of its headline has to know of it.

    Args:
        suite: Its suite.
        plan: Its items.
        options: All options, common ones included.
        model: The agent's name.
        roles: Those that somebody plays.
    """
    return Run(
        id=suite.name,
        suite=suite.name,
        dataset=plan.dataset,
        model=model,
        options={**options, "data": plan.dataset.name},
        logs=(),
        planned=len(plan.items) * int(options["trials"]),
        records=(),
        roles=dict.fromkeys(roles, ()),
        headline=plan.headline,
    )


def _task(suite: Suite, plan: Plan, options: Mapping[str, Any]) -> Task:
    """The task of a run."""
    spec, epochs = spec_of(suite, plan, options), int(options["trials"])

    def empty() -> Run:
        return empty_run(suite, plan, options, str(get_model()), model_roles())

    settings: dict[str, Any] = {
        "metrics": [headline(suite, empty), *spec.metrics],
        "epochs": epochs,
        "metadata": described(suite.name, plan, options, epochs, spec.prompts),
        "version": suite.version,
        "config": DEFAULTS,
    }
    if isinstance(spec, ConversationSpec):
        return conversation_task(spec, **settings)
    return engine_task(spec, **settings)
