"""One trial's car: calls in, results and changes out, each call remembered as a step."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from pydantic import JsonValue

from knowact.core.conversation import StateChange
from knowact.core.tool import Tool
from knowact.core.world import Call, Observation, Problem
from knowact.worlds.car.catalogue import CHANGED, operations, tools_of
from knowact.worlds.car.contract import Car, Fault, Operation, Refusal
from knowact.worlds.typed.validate import (
    UNREADABLE,
    arguments_of,
    complaints,
    limit,
    whole_where_asked,
    wrong_arguments,
)


@dataclass(frozen=True, slots=True)
class Step:
    """One call, and everything that anybody needs to know of it later.

    Attributes:
        call: What was asked for.
        observation: What the agent saw.
        changes: Which variables it left with another value.
        fault: How the published world treats the failure; None where the call did what it was asked to.
        policies: Policies that the tool itself found violated, in order.
        ends: Whether it ends the conversation.
        forbidden: The control word that names the use of a removed part; empty if none was used.
    """

    call: Call
    observation: Observation
    changes: tuple[StateChange, ...] = ()
    fault: Fault | None = None
    policies: tuple[str, ...] = ()
    ends: bool = False
    forbidden: str = ""


class CarState:
    """One trial's view of the car world. See `core.world.WorldState`."""

    def __init__(self, car: Car) -> None:
        self._car = car
        self._operations = operations(car.rules)
        self._steps: list[Step] = []

    @property
    def car(self) -> Car:
        """The car itself, for what is scored beside the calls."""
        return self._car

    @property
    def steps(self) -> Sequence[Step]:
        """All calls so far, in order."""
        return tuple(self._steps)

    @property
    def ended(self) -> bool:
        """Whether a call has ended the conversation."""
        return any(step.ends for step in self._steps)

    def tools(self) -> Sequence[Tool]:
        """Every tool of the world, in a fixed order."""
        return tools_of(self._car.rules)

    def call(self, call: Call) -> Observation:
        """Carry out a call."""
        return self.do(call).observation

    def do(self, call: Call) -> Step:
        """Carry out a call and say everything about it; what a tool refuses leaves the state as it was."""
        step = self._done(call)
        self._steps.append(step)
        return step

    def context(self) -> Mapping[str, str]:
        """Where the car stands and what time it is, as JSON texts."""
        context = self._car.context
        return {
            "current_location": context.current_location.model_dump_json(exclude={"iso2"}),
            "current_datetime": context.current_datetime.model_dump_json(),
        }

    def snapshot(self) -> Mapping[str, JsonValue]:
        """The 31 variables as JSON."""
        return self._car.state.snapshot()

    def digest(self) -> str:
        """A short hash of the snapshot."""
        text = json.dumps(self.snapshot(), sort_keys=True, ensure_ascii=False)
        return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()

    def _done(self, call: Call) -> Step:
        operation = self._operations.get(call.tool)
        if operation is None:
            message = f"There is no tool named {call.tool!r}."
            unknown = Problem("unknown_tool", message)
            return _failed(call, unknown, Fault.UNLOGGED)
        arguments = arguments_of(call, operation.tool)
        if arguments is None:
            return _failed(call, UNREADABLE, Fault.RAISED)
        if self._car.published:
            arguments = let_through(arguments, operation)
        wrong = self._refused(operation, arguments)
        if wrong is not None:
            return _failed(call, *wrong)
        return self._run(call, operation, whole_where_asked(operation.tool, arguments))

    def _refused(
        self, operation: Operation, arguments: Mapping[str, JsonValue]
    ) -> tuple[Problem, Fault] | None:
        """Say what the schema has against the arguments, and how the published world treats that."""
        wrong = wrong_arguments(operation.tool, arguments)
        if wrong is None:
            return None
        fault = published_fault(arguments, operation)
        if fault is None:
            return None if self._car.published else (wrong, Fault.UNLOGGED)
        return wrong, fault

    def _run(self, call: Call, operation: Operation, arguments: Mapping[str, JsonValue]) -> Step:
        state = self._car.state
        state.begin()
        self._car.breaches.clear()
        try:
            value = operation.run(self._car, **arguments).json()
        except Refusal as refusal:
            if not refusal.kept:
                state.undo()
            failed = _failed(call, refusal.problem, refusal.fault, refusal.policy)
            return replace(failed, changes=state.changes())
        if self._car.published:
            value.pop(CHANGED, None)
        return Step(
            call,
            Observation(value),
            changes=state.changes(),
            policies=tuple(self._car.breaches),
            ends=operation.ends,
        )


def _failed(call: Call, problem: Problem, fault: Fault, policy: str = "") -> Step:
    return Step(call, Observation(problem=problem), fault=fault, policies=(policy,) if policy else ())


_TRUE: Final = frozenset({"1", "on", "t", "true", "y", "yes"})
_FALSE: Final = frozenset({"0", "off", "f", "false", "n", "no"})
"""Words that the state model of the published world reads as true or false."""


def let_through(arguments: Mapping[str, JsonValue], operation: Operation) -> dict[str, JsonValue]:
    """Return the arguments with the values that the published world tolerates put right."""
    shapes = operation.tool.properties
    return {
        name: _switch(value) if shapes.get(name, {}).get("type") == "boolean" else value
        for name, value in arguments.items()
    }


def _switch(value: JsonValue) -> JsonValue:
    word = str(value).casefold() if isinstance(value, str | int) else ""
    return word in _TRUE if word in _TRUE | _FALSE else value


def published_fault(arguments: Mapping[str, JsonValue], operation: Operation) -> Fault | None:
    """Return how the published world treats arguments; None where it would run the tool all the same.

    Args:
        arguments: What `let_through` returned.
        operation: The tool that was called.
    """
    shapes = operation.tool.properties
    if any(name not in shapes for name in arguments):
        return Fault.RAISED
    if any(name not in arguments for name in operation.tool.required):
        return Fault.RAISED
    for name, value in arguments.items():
        open_here = name in operation.open_when_published
        if not open_here and next(complaints(value, shapes[name], name), None) is not None:
            own = operation.faults.get(name)
            return own(value) if own else _usual(value, shapes[name])
    return None


def _usual(value: JsonValue, shape: Mapping[str, JsonValue]) -> Fault:
    """Say who notices a value that is wrong: tools compare with their own lists and ranges, and no more."""
    if "enum" in shape:
        return Fault.LOGGED
    if not isinstance(value, int | float) or isinstance(value, bool):
        return Fault.RAISED
    low, high = limit(shape, "minimum"), limit(shape, "maximum")
    outside = (low is not None and value < low) or (high is not None and value > high)
    return Fault.LOGGED if outside else Fault.RAISED
