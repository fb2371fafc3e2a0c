"""Published trials scored again: the calls that tests of it use, and what they read of what was found."""

from collections.abc import Iterator

from car_trials import call
from knowact.core.world import Call
from knowact.suites.car.rescoring import Rescored
from knowact.worlds.car.record import CarTrial

FAN = call("set_fan_speed", level=3)
CLIMATE = call("get_climate_settings")
LIGHT = call("set_reading_light", position="DRIVER", on=True)
SHADE = call("open_close_sunshade", percentage=50)
ROOF = call("open_close_sunroof", percentage=50)
DIAL = call("call_phone_by_number", phone_number="+49 30 1234567")


def trial_calls(trial: CarTrial) -> Iterator[Call]:
    """The calls of a trial, as a reference."""
    for one in trial.calls:
        yield Call(one.tool, one.arguments)


def differences(found: Rescored) -> dict[str, tuple[str, str, str]]:
    return {
        one["measure"]: (one["published"], one["definition"], one["defects"])
        for one in found.details
        if one["kind"] == "rule sets differ"
    }


def kinds(found: Rescored) -> list[str]:
    return [one["kind"] for one in found.details]


def value(found: Rescored, table: str, **keys: str) -> float | None:
    rows = next(one for one in found.tables if one.id == table).rows
    return next(
        row.estimate.value for row in rows if keys.items() <= {**row.keys, "measure": row.measure}.items()
    )
