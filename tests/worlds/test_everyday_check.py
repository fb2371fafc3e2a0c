"""The checks by execution: they pass for the everyday world, and catch a world that lies."""

import time
from collections.abc import Mapping, Sequence
from itertools import count
from typing import Any

import pytest

from checked_world import check_world
from knowact.core.tool import Capability, Need, Report, Tool
from knowact.core.world import Call, Observation, Problem
from knowact.worlds.check import Example, Finding, examples_of
from knowact.worlds.everyday import EverydayWorld
from knowact.worlds.everyday.catalogue import TOOLS

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def findings() -> Sequence[Finding]:
    """All checks of the everyday world; half a minute, so not while tests are collected."""
    return tuple(
        check_world(EverydayWorld(), examples_of("knowact.worlds.everyday"), rounds=25, seeds=(0, 4))
    )


@pytest.mark.parametrize("tool", [tool.name for tool in TOOLS])
def test_each_tool_does_what_it_declares(tool: str, findings: Sequence[Finding]) -> None:
    mine = [finding for finding in findings if finding.name.startswith(f"{tool}: ")]
    assert {f"{tool}: example 3", f"{tool}: does what it declares"} <= {finding.name for finding in mine}
    assert not [f"{finding.name}: {finding.message}" for finding in mine if not finding.ok]


def test_the_world_as_a_whole_does_what_it_declares(findings: Sequence[Finding]) -> None:
    assert not [f"{finding.name}: {finding.message}" for finding in findings if not finding.ok]


class Lying:
    """A world with two tools whose behaviour each test bends."""

    name, deterministic = "lying", True

    def __init__(self, answer: Any, *, moves: bool = False, other: Any = None) -> None:
        self.answer, self.moves, self.other, self.state = answer, moves, other, 0

    def open(self, setup: Mapping[str, Any], seed: int) -> "Lying":
        return Lying(self.answer, moves=self.moves, other=self.other)

    def tools(self) -> Sequence[Tool]:
        parameters: dict[str, Any] = {
            "type": "object",
            "properties": {"city": {"type": "string"}},
            "required": ["city"],
        }
        returns: dict[str, Any] = {
            "type": "object",
            "properties": {"high": {"type": "integer"}},
            "required": ["high"],
            "additionalProperties": False,
        }
        capability = Capability(
            about=("city",),
            needs=(Need(parameter="city", attribute="city.name"),),
            reports=(Report(field="high", attribute="weather.high"),),
        )
        return [
            Tool(name=name, parameters=parameters, returns=returns, capability=capability)
            for name in ("one", "two")
        ]

    def call(self, call: Call) -> Observation:
        self.state += self.moves
        answer = self.other if call.tool == "two" and self.other is not None else self.answer
        return Observation(problem=answer) if isinstance(answer, Problem) else Observation(answer)

    def context(self) -> Mapping[str, str]:
        return {}

    def snapshot(self) -> Mapping[str, Any]:
        return {"state": self.state}

    def digest(self) -> str:
        return str(self.state)


def told(world: Lying, result: Any = None) -> str:
    worked = [
        Example(tool=name, arguments={"city": city}, result=result or {"high": 5})
        for name in ("one", "two")
        for city in ("Ghent", "Oslo", "Rome")
    ]
    return " | ".join(
        f"{finding.name}: {finding.message}"
        for finding in check_world(world, worked, rounds=3)
        if not finding.ok
    )


def test_an_honest_world_passes() -> None:
    assert told(Lying({"high": 5})) == ""


def test_how_long_a_call_may_take_is_for_whoever_makes_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its process may have to be loaded anew before it, and `--time-limit` may allow more."""
    thousands = count(0, 1000)
    monkeypatch.setattr(time, "perf_counter", lambda: float(next(thousands)))
    assert told(Lying({"high": 5})) == ""


def test_a_wrong_example_is_told() -> None:
    assert "one: example 1: expected {'high': 6}, got {'high': 5}" in told(Lying({"high": 5}), {"high": 6})


def test_a_leaking_field_is_told() -> None:
    assert "'low' was unexpected" in told(Lying({"high": 5, "low": 1}))


def test_a_missing_field_is_told() -> None:
    assert "'high' did not come out" in told(Lying({})) or "'high' is a required property" in told(Lying({}))


def test_an_undeclared_change_is_told() -> None:
    assert "declares no change, but the state changed" in told(Lying({"high": 5}, moves=True))


def test_a_failing_call_that_changes_something_is_told() -> None:
    assert "a call that failed has changed the state" in told(Lying(Problem("conflict", "No."), moves=True))


def test_calls_that_never_succeed_are_told() -> None:
    assert "none of 3 random calls succeeded" in told(Lying(Problem("not_found", "No.")))


def test_two_tools_that_disagree_are_told() -> None:
    assert "weather.high: told alike" in told(Lying({"high": 5}, other={"high": 7}))


def test_a_world_that_is_really_live_may_say_one_thing_and_then_another() -> None:
    world = Lying({"high": 5}, other={"high": 7})
    world.deterministic = False
    assert "told alike" not in told(world)


def test_too_few_examples_and_unknown_tools_are_told() -> None:
    found = check_world(Lying({"high": 5}), [Example(tool="three", arguments={})], rounds=1)
    failed = {finding.name for finding in found if not finding.ok}
    assert {"three: exists", "one: has worked examples", "two: has worked examples"} <= failed


def test_a_field_that_nobody_declared_is_told() -> None:
    class Loose(Lying):
        def open(self, setup: Mapping[str, Any], seed: int) -> "Loose":
            return Loose(self.answer)

        def tools(self) -> Sequence[Tool]:
            return [tool.model_copy(update={"capability": Capability()}) for tool in super().tools()]

    assert "its field 'high' is neither reported nor an echo" in told(Loose({"high": 5}))
