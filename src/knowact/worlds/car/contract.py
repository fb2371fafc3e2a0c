"""One contract per car tool: schema, description, capability and problems, from one typed function.

A tool function takes the trial's `Car` first, then its parameters, and returns a `Shape`. Its docstring is
the description, the types of its parameters are the schema, and each field of the result says what it is
(`worlds.typed.schema`, which the everyday world uses alike):

    @car_tool("Vehicle functions", changes=("sunroof.set",))
    def open_close_sunroof(car: Car, percentage: Opening) -> SunroofSet:
        ...

What a tool may not do it refuses (`refuse`), and the session undoes what the call has written so far. A
refusal says two things: what is wrong, for the agent; and how the published world treats that very case
(`Fault`), because its scores hang on it (CAR-bench).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from pydantic import JsonValue

from knowact.core.tool import Tool
from knowact.worlds.car.context import Context
from knowact.worlds.car.databases import Databases
from knowact.worlds.car.plans import Plans
from knowact.worlds.car.rules import Fault, Refusal, Rules, refuse
from knowact.worlds.car.state import State
from knowact.worlds.typed.schema import Shape
from knowact.worlds.typed.tools import tool_of

__all__ = ["CONFIRMATION", "Car", "Domain", "Fault", "Kind", "Operation", "Refusal", "car_tool", "refuse"]

Domain = Literal[
    "Vehicle functions", "Navigation", "Charging", "Productivity and communication", "Weather", "Cross-domain"
]
Kind = Literal["set", "get", "no-op"]

CONFIRMATION: Final = "REQUIRES_CONFIRMATION"
"""What the description of a tool begins with that the driver must agree to first."""


@dataclass(slots=True)
class Car:
    """What a tool function may see and change: one trial's car.

    Attributes:
        state: What can be read and written.
        context: What is fixed during the trial.
        databases: The world around.
        calendar_id: Whose calendar the driver has; empty where the task names none.
        rules: The rule set.
        plans: The agent's own plans; no part of the state.
        breaches: Policies that the present call violates although it goes through.
    """

    state: State
    context: Context
    databases: Databases
    calendar_id: str = ""
    rules: Rules = Rules.DEFINITION
    plans: Plans = field(default_factory=Plans)
    breaches: list[str] = field(default_factory=list[str])

    @property
    def published(self) -> bool:
        """Whether the published behaviour is asked for, known faults included."""
        return self.rules is Rules.PUBLISHED


FaultOf = Callable[[JsonValue], Fault]
"""From the value of a parameter that the schema does not allow, how the published world treats it."""


@dataclass(frozen=True, slots=True)
class Operation:
    """A tool with what carries it out.

    Attributes:
        tool: What agents, conditions and proofs see.
        run: The function; called with the car and validated arguments.
        kind: Whether calls change the state.
        confirmation: Whether the driver has to agree first; nothing enforces it.
        ends: Whether a call that succeeds ends the conversation.
        only: The one rule set that offers the tool; None for both.
        faults: By parameter, how the published world treats wrong values, where not as usual.
        open_when_published: Parameters that the published world does not check before it runs the tool.
    """

    tool: Tool
    run: Callable[..., Shape]
    kind: Kind
    confirmation: bool = False
    ends: bool = False
    only: Rules | None = None
    faults: Mapping[str, FaultOf] = field(default_factory=dict[str, FaultOf])
    open_when_published: frozenset[str] = frozenset()


def car_tool(
    domain: Domain,
    *,
    no_op: bool = False,
    about: tuple[str, ...] | None = None,
    changes: tuple[str, ...] = (),
    confirmation: bool = False,
    ends: bool = False,
    only: Rules | None = None,
    faults: Mapping[str, FaultOf] | None = None,
    open_when_published: tuple[str, ...] = (),
) -> Callable[[Callable[..., Shape]], Operation]:
    """Make an operation of a typed function; see `Operation` for what is not said here.

    Args:
        domain: Which part of the car it belongs to.
        no_op: Whether it neither changes the state nor reads it.
        about: The parameters that together name the subject of what is reported; None for all that
            must be told.
        changes: Attributes that a call makes true.
        confirmation: See `Operation`.
        ends: See `Operation`.
        only: See `Operation`.
        faults: See `Operation`.
        open_when_published: See `Operation`. The function must cope with any JSON value there.

    Raises:
        ContractError: The function's types or docstring leave something unsaid.
    """
    kind: Kind = "no-op" if no_op else "set" if changes else "get"

    def derive(function: Callable[..., Shape]) -> Operation:
        begins = f"{CONFIRMATION}: " if confirmation else ""
        derived = tool_of(
            function, category=domain, server="car", about=about, changes=changes, begins=begins
        )
        return Operation(
            derived,
            function,
            kind,
            confirmation=confirmation,
            ends=ends,
            only=only,
            faults=faults or {},
            open_when_published=frozenset(open_when_published),
        )

    return derive
