"""What trials in the car come to, sub-metric by sub-metric; and calls that many of them make."""

from car_trials import call
from knowact.suites.car.goals import Goal
from knowact.suites.car.scoring import Score, score
from knowact.worlds.car.record import CarTrial
from knowact.worlds.car.rules import Rules

FAN = call("set_fan_speed", level=3)
HEAT = call("set_seat_heating", level=1, seat_zone="DRIVER")
LIGHT = call("set_reading_light", position="DRIVER", on=True)
CLIMATE = call("get_climate_settings")


def values(found: Score) -> dict[str, float | None]:
    return {name: result.value for name, result in found.metrics.items()}


def both(trial: CarTrial, held: Goal, metric: str) -> tuple[float | None, float | None]:
    """A sub-metric by the definition, and by the published rules."""
    by_definition, published = (values(score(trial, held, rules))[metric] for rules in Rules)
    return by_definition, published
