"""From a suite to its task in the engine: what `knowact run` and `inspect eval knowact/SUITE` carry out."""

import importlib
import inspect
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, cast

from inspect_ai import Task, task

from knowact.core.errors import BadUsage, UnknownName
from knowact.core.suite import LIMIT, Plan, Suite, options_of
from knowact.engine.assemble import DEFAULTS, described, engine_task
from knowact.engine.conversations import ConversationSpec, conversation_task
from knowact.engine.metrics import mean_by
from knowact.people.extractor import extraction_prompt
from knowact.probes.spec import TaskSpec


def suite_task(suite: Suite) -> Callable[..., Task]:
    """Make a suite's task. Its arguments are the options of `knowact run SUITE`, by name.

    `limit_tasks` stands for `--limit` (0: all), so that the engine's own `--limit` keeps its meaning.
    """

    def make(**arguments: Any) -> Task:
        for name in arguments.keys() - defaults_of(suite).keys():
            raise UnknownName(f"option of {suite.name}", name, defaults_of(suite))
        options = options_of(suite, {**defaults_of(suite), **arguments})
        plan = suite.planned(options)
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


def _task(suite: Suite, plan: Plan, options: Mapping[str, Any]) -> Task:
    """The task of a run."""
    spec, epochs = spec_of(suite, plan, options), int(options["trials"])
    settings: dict[str, Any] = {
        "metrics": spec.metrics,
        "epochs": epochs,
        "metadata": described(suite.name, plan, options, epochs, spec.prompts),
        "version": suite.version,
        "config": DEFAULTS,
    }
    if isinstance(spec, ConversationSpec):
        return conversation_task(spec, **settings)
    return engine_task(spec, **settings)
