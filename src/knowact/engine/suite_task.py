"""From a suite to its task in the engine: what `knowact run` and `inspect eval knowact/SUITE` carry out."""

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from inspect_ai import Task, task
from inspect_ai.model import get_model, model_roles

from knowact.core.conversation import Recorder, Trial
from knowact.core.errors import BadUsage, UnknownName
from knowact.core.option import LIMIT, Options
from knowact.core.record import Record
from knowact.core.suite import Item, Plan, options_of
from knowact.core.table import Run
from knowact.engine.assemble import DEFAULTS, described, engine_task
from knowact.engine.conversations import ConversationSpec, conversation_task
from knowact.engine.metrics import headline, mean_by, viewed_metric
from knowact.engine.persons import played_by
from knowact.engine.usage import UsageTracker
from knowact.engine.users import User, user_for
from knowact.probes.declared_suite import DeclaredSuite
from knowact.probes.probe import Probe
from knowact.probes.response import Judged
from knowact.probes.spec import TaskSpec
from knowact.probes.suite import Suite
from knowact.probes.talk import Talk
from knowact.roles.extractor import extraction_prompt
from knowact.roles.helper import Known, Person
from knowact.worlds.overlay import Overlay
from knowact.worlds.registry import open_world


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
    if isinstance(suite, DeclaredSuite):
        spec: TaskSpec | ConversationSpec = suite.made_spec(plan, options)
    else:
        chosen = suite.Options.of(options)
        spec = _of_talks(suite, plan, chosen) if suite.converses else _of_probes(suite, plan, chosen)
    return replace(
        spec,
        seed=int(options["seed"]),
        measures=suite.measures,
        prompts=[*spec.prompts, *([extraction_prompt()] if "extractor" in plan.role_calls else [])],
        metrics=spec.metrics or [mean_by(suite.measures[0], suite.compared_by)],
    )


def _of_probes(suite: Suite, plan: Plan, options: Options) -> TaskSpec:
    """What a suite that asks for replies tells the engine of a run under its options."""
    seed = plan.world_seed

    def record(item: Item, epoch: int, judged: Judged) -> Record:
        return suite.score(item, replace(judged, epoch=epoch), options)

    def person(item: Item) -> tuple[Person, Known | None] | None:
        part = suite.person(item, options)
        return None if part is None else played_by(part, item.id)

    return TaskSpec(
        plan=plan,
        probes=lambda item: suite.probes(item, options),
        record=record,
        session=lambda item: suite.session(item, seed, options) or open_world(item.task.world, seed),
        readings=lambda item, known: suite.readings(item, known, options),
        ballots=lambda item, judged: suite.ballots(item, judged, options),
        elsewhere=lambda item: suite.elsewhere(item, seed, options),
        person=person,
        goes_on=lambda item, probe, known: suite.goes_on(item, probe, known, options),
        temperature=suite.temperature(options),
        prompts=suite.prompts(options),
        metrics=[viewed_metric(viewed) for viewed in suite.viewed],
    )


def _of_talks(suite: Suite, plan: Plan, options: Options) -> ConversationSpec:
    """What a suite whose trials are conversations tells the engine of a run under its options.

    All its conversations have the same most steps, votes, reruns, phases and strategy.
    """

    @cache
    def probe(name: str) -> Probe:
        (made,) = suite.probes(items[name], options)
        return made

    def talk(item: Item) -> Talk:
        held = probe(item.id).talk
        if held is None:
            raise TypeError(
                f"the probe of {suite.name} is no conversation, and the suite says that it converses"
            )
        return held

    def user(item: Item, key: str, usage: UsageTracker) -> User:
        part = talk(item).user
        return user_for(part.player, part.script, part.scenario, part.setting, key=key, usage=usage)

    def record(item: Item, epoch: int, attempts: Sequence[Trial], graded: bool) -> Record:  # noqa: FBT001 - the engine's
        return suite.score(item, Judged({}, epoch=epoch, attempts=tuple(attempts), graded=graded), options)

    def episode(item: Item, epoch: int) -> Recorder[Trial]:
        if (recorder := talk(item).recorder) is not None:
            return recorder(epoch)
        session = suite.session(item, plan.world_seed, options) or open_world(
            item.task.world, plan.world_seed
        )
        return Recorder(Overlay(session, item.condition, item.tools), Trial(item=item.id, epoch=epoch))

    items = {item.id: item for item in plan.items}
    first = probe(plan.items[0].id)
    usual = talk(plan.items[0])
    return ConversationSpec(
        plan=plan,
        brief=lambda item, context: probe(item.id).opening(item, context),
        user=user,
        record=record,
        episode=episode,
        most_steps=first.rounds,
        trial=usual.attempt,
        rules=lambda item: talk(item).rules,
        gold=lambda item: talk(item).gold,
        faults=lambda item, attempt: talk(item).faults(attempt),
        on_user=lambda item, attempt: talk(item).on_user(attempt),
        ballots=lambda item, attempt: talk(item).ballots(attempt),
        form=lambda item: talk(item).form,
        votes=usual.votes,
        reruns=usual.reruns,
        phases=usual.phases,
        strategy=first.strategy,
        prompts=suite.prompts(options),
        metrics=[viewed_metric(viewed) for viewed in suite.viewed],
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
