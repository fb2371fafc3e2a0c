"""Calls of the car's tools, each in a session of its own."""

from typing import Any

from knowact.core.world import Call
from knowact.worlds.car.rules import Rules
from knowact.worlds.car.session import Step
from knowact.worlds.car.world import CarWorld


def done(
    tool: str, rules: Rules = Rules.DEFINITION, setup: dict[str, Any] | None = None, /, **given: Any
) -> Step:
    """What came of a call with the given arguments, under seed 0."""
    return CarWorld(rules).open(setup or {}, 0).do(Call(tool, given))


def value(
    tool: str, rules: Rules = Rules.DEFINITION, setup: dict[str, Any] | None = None, /, **given: Any
) -> Any:
    """The result of a call that must succeed."""
    step = done(tool, rules, setup, **given)
    assert step.observation.ok, step.observation.text()
    return step.observation.value
