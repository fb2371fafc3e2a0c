"""The car world: sessions opened on a seeded world, or on a folder of the published databases."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from pydantic import JsonValue

from knowact.core.errors import BadUsage, UnknownName
from knowact.worlds.car.context import VARIABLES, context_of
from knowact.worlds.car.contract import Car
from knowact.worlds.car.databases.generated import generated_databases
from knowact.worlds.car.databases.published import read_databases
from knowact.worlds.car.fields import FIELDS
from knowact.worlds.car.rules import Rules
from knowact.worlds.car.session import CarState
from knowact.worlds.car.state import State

CALENDAR: Final = "calendar_id"
"""The key of a setup that is neither state nor context (CAR-bench)."""


class CarWorld:
    """The world of the driver's car. See `core.world.World`.

    Args:
        rules: The rule set of every session opened here.
        folder: A folder of the published databases; None for ours, which are drawn from the seed.
    """

    name: str = "car"
    version = "0"
    """Raised whenever a result of any call may differ from before."""
    deterministic: bool = True

    def __init__(self, rules: Rules = Rules.DEFINITION, folder: Path | None = None) -> None:
        self._rules, self._folder = rules, folder

    def open(self, setup: Mapping[str, JsonValue], seed: int) -> CarState:
        """Open a session.

        Args:
            setup: Any of the 31 variables of the state and the 12 of the context, and `calendar_id`, by
                name; what is left out has its default.
            seed: What the databases are drawn from, unless they come from a folder.

        Raises:
            BadUsage: The setup has an unknown key or a wrong value.
            BadData: The folder's files cannot be used.
        """
        state = {name: value for name, value in setup.items() if name in FIELDS}
        context = {name: value for name, value in setup.items() if name in VARIABLES}
        for name in setup:
            if name not in state and name not in context and name != CALENDAR:
                raise UnknownName("setup key of the car world", name, (*FIELDS, *VARIABLES, CALENDAR))
        calendar = setup.get(CALENDAR, "")
        if not isinstance(calendar, str):
            raise BadUsage(f"the setup's {CALENDAR!r} must be a string, not {calendar!r}.")
        begun = State(state, self._rules)
        _check_guidance(begun)
        folder = self._folder
        databases = generated_databases(seed) if folder is None else read_databases(folder)
        return CarState(Car(begun, context_of(context), databases, calendar, self._rules))


def _check_guidance(state: State) -> None:
    """Refuse a navigation that no tool could have set."""
    waypoints, routes = (state.texts(name) for name in ("waypoints_id", "routes_to_final_destination_id"))
    both = 2
    if state.on("navigation_active") and not both <= len(waypoints) == len(routes) + 1:
        raise BadUsage(
            "the setup's active navigation must have at least two places in 'waypoints_id' and one route "
            f"between each and the next, not {len(waypoints)} places and {len(routes)} routes."
        )
