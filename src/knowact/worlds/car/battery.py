"""How far the battery carries the car, and how fast it fills (CAR-bench).

While charging, the power is a share of what car and plug both can, and the share depends on how full the
battery is. Here the steps of that curve are added up exactly; the published world advances minute by
minute, stops a point early and may end above 100 %.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from knowact.worlds.car.context import Context
from knowact.worlds.car.databases.rows import Plug

FULL: Final = 100.0
_ALMOST: Final = 1e-9
"""Sums of binary fractions miss a whole number by less."""


def kilometers(context: Context, percent: float) -> int:
    """Return how far so many percent of the usable battery carry the car, in whole kilometres."""
    return round(percent / 100 * context.usable_energy_kwh / context.energy_consumption * 100)


@dataclass(frozen=True, slots=True)
class Charging:
    """A car at a plug.

    Attributes:
        context: The car.
        greatest_kw: What both the car and the plug can.
    """

    context: Context
    greatest_kw: float

    @classmethod
    def at(cls, context: Context, plug: Plug) -> "Charging":
        """Connect a car with a plug."""
        limit = context.max_charging_power_ac if plug.power_type == "AC" else context.max_charging_power_dc
        return cls(context, min(limit, plug.power_kw))

    def gain(self, state_of_charge: float) -> float:
        """Return how many points a minute the battery gains at a state of charge."""
        power = self.context.charging_curve_parameters.share(state_of_charge) * self.greatest_kw
        return power / 60 / self.context.usable_energy_kwh * 100

    def minutes(self, start: float, target: float) -> int | None:
        """Return how long charging from one state to another takes, in whole minutes, rounded up.

        None if the curve never gets there.
        """
        total = 0.0
        for low, high, gain in self._steps(start, target):
            if gain <= 0:
                return None
            total += (high - low) / gain
        return max(0, math.ceil(total - _ALMOST))

    def percent(self, start: float, minutes: float) -> int:
        """Return the state of charge after so many minutes, in whole percent, at most 100."""
        left, reached = minutes, start
        for low, high, gain in self._steps(start, FULL):
            if gain <= 0:
                break
            needed = (high - low) / gain
            if needed >= left:
                return round(low + left * gain)
            left, reached = left - needed, high
        return round(reached)

    def _steps(self, start: float, target: float) -> Iterator[tuple[float, float, float]]:
        """Yield the stretches of equal power between two states: from, to, points a minute."""
        edges = [edge for edge in self.context.charging_curve_parameters.thresholds if start < edge < target]
        ends = [*edges, target] if start < target else []
        for low, high in zip([start, *edges], ends, strict=False):
            yield low, high, self.gain(high)

    def published_minutes(self, start: float, target: float) -> int | None:
        """Return what the published world says: whole minutes until one point below the target."""
        state, steps = start, 0
        while state < target - 1:
            gain = self.gain(state)
            if gain <= 0:
                return None
            state, steps = state + gain, steps + 1
        return steps

    def published_percent(self, start: float, minutes: int) -> int:
        """Return what the published world says, possibly above 100."""
        state = start
        for _ in range(minutes):
            gain = self.gain(state)
            if gain <= 0:
                break
            state += gain
        return round(state)
