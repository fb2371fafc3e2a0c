"""Trials in the car, driven through real sessions."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from knowact.core.conversation import PolicyVotes, Stop
from knowact.core.world import Call
from knowact.suites.car.goals import Action, Goal, rehearsed
from knowact.worlds.car.defects import defects
from knowact.worlds.car.policies.checks import violations
from knowact.worlds.car.record import CarRecorder, CarTrial, Finding, TaskType, Word
from knowact.worlds.car.removal import LimitedState
from knowact.worlds.car.removal import removed as read_removed
from knowact.worlds.car.rules import Rules
from knowact.worlds.car.session import CarState
from knowact.worlds.car.timeline import Timeline
from knowact.worlds.car.world import CarWorld

HERE = "loc_mun_9995"
NOW = {"month": 2, "day": 14, "time_hour_24hformat": 12}

Said = str
"""What the agent says; "> …" is the user."""

Step = Said | Call | Sequence[Call] | Word | Finding


def call(tool: str, **arguments: Any) -> Call:
    return Call(tool, arguments)


WEATHER = call("get_weather", location_or_poi_id=HERE, **NOW)


def opened(setup: Mapping[str, Any] | None = None, rules: Rules = Rules.PUBLISHED) -> CarState:
    return CarWorld(rules).open(setup or {}, 0)


def city(name: str) -> str:
    """The id of a city."""
    known = opened().car.databases.locations.values()
    return next(one.id for one in known if one.name == name)


BERLIN = city("Berlin")


def routes(start: str, end: str) -> list[str]:
    """The ids of the routes from one city to another."""
    return [route.route_id for route in opened().car.databases.routes(start, end)]


def drive(
    *steps: Step,
    rules: Rules = Rules.PUBLISHED,
    setup: Mapping[str, Any] | None = None,
    kind: TaskType = TaskType.BASE,
    stop: Stop | None = None,
    judged: Mapping[str, bool] | None = None,
    by: Literal["user", "judge"] = "user",
    item: str = "base_0",
    removed: tuple[str, ...] = (),
) -> CarTrial:
    """Let a trial happen; a phone call ends it, otherwise a word does."""
    car = opened(setup, rules)
    session = LimitedState(car, read_removed(removed, car.tools())) if removed else car
    context = car.car.context.model_dump(mode="json")
    recorder = CarRecorder(
        session, CarTrial(item=item, type=kind, world=rules, removed=removed, context=context)
    )
    recorder.user("Hello, please help me.")
    for step in steps:
        if isinstance(step, Word):
            recorder.rule(step, by)
        elif isinstance(step, Finding):
            recorder.rule(Word.CONTINUE, "code", finding=step)
        elif isinstance(step, str) and step.startswith("> "):
            recorder.user(step.removeprefix("> "))
        elif isinstance(step, str):
            recorder.assistant(step)
        else:
            recorder.batch([step] if isinstance(step, Call) else step)
    trial = recorder.close(stop or (Stop.TOOL if session.ended else Stop.WORD))
    votes = [
        PolicyVotes(policy=policy, followed=(vote,), why=("said so",))
        for policy, vote in (judged or {}).items()
    ]
    return trial.model_copy(update={"judged": tuple(votes or [PolicyVotes(policy="", followed=(True,))])})


def broken(trial: CarTrial, rules: Rules) -> list[str]:
    """The policies that code finds violated."""
    return [violation.policy for violation in violations(Timeline(trial), defects(rules))]


def goal(*calls: Call, setup: Mapping[str, Any] | None = None, rules: Rules = Rules.PUBLISHED) -> Goal:
    """The goal of a reference, carried out on a session of its own."""
    actions = [Action(tool=one.tool, arguments=dict(one.arguments or {})) for one in calls]
    return rehearsed(actions, opened(setup, rules))
