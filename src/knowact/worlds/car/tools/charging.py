"""Battery and charging (CAR-bench).

Results have fixed fields, where the published ones carry the call's arguments in their names.
"""

from typing import Annotated, Final

from pydantic import JsonValue

from knowact.worlds.car.battery import Charging, kilometers
from knowact.worlds.car.contract import Car, Fault, car_tool, refuse
from knowact.worlds.car.databases.rows import Plug, Poi
from knowact.worlds.car.shapes import check_id
from knowact.worlds.typed.schema import Attribute, Rules, Shape, echo, fact, part

_PERCENT: Final = Rules(minimum=0, maximum=100)
_USUAL_TARGETS: Final = (80, 100)
_LONGEST: Final = 100_000
"""Minutes, more than two months: nobody charges longer, and the published world counts each."""
StationId = Annotated[str, Attribute("poi.id")]
PlugId = Annotated[str, Attribute("plug.id")]
StartPercent = Annotated[int, Attribute("charge.percent"), _PERCENT]


class ChargingStatus(Shape):
    battery_capacity_kwh: float = fact("battery.capacity", "Capacity in kilowatt-hours.")
    max_charging_power_ac: int = fact(
        "battery.ac_power", "Greatest charging power at alternating current, in kilowatts."
    )
    max_charging_power_dc: int = fact(
        "battery.dc_power", "Greatest charging power at direct current, in kilowatts."
    )
    state_of_charge: float = fact("battery.charge", "How full the battery is, in percent.")
    remaining_range: str = fact("battery.range", 'How far that carries, a text like "51.0km".')


@car_tool("Charging")
def get_charging_specs_and_status(car: Car) -> ChargingStatus:
    """Read the battery's capacity, its charging limits, how full it is and how far that carries."""
    context = car.context
    return ChargingStatus(
        battery_capacity_kwh=context.battery_capacity_kwh,
        max_charging_power_ac=context.max_charging_power_ac,
        max_charging_power_dc=context.max_charging_power_dc,
        state_of_charge=context.state_of_charge,
        remaining_range=f"{kilometers(context, context.state_of_charge):.1f}km",
    )


class ChargeDistance(Shape):
    distance_km: float = fact("charge.distance", "Whole kilometres.")
    initial_state_of_charge: int = echo("Percent at the start.")
    final_state_of_charge: int = echo("Percent at the end.")


@car_tool(
    "Charging",
    about=("initial_state_of_charge", "final_state_of_charge"),
    open_when_published=("initial_state_of_charge", "final_state_of_charge"),
)
def get_distance_by_soc(
    car: Car,
    initial_state_of_charge: StartPercent,
    final_state_of_charge: Annotated[int, Attribute("charge.percent"), _PERCENT] = 0,
) -> ChargeDistance:
    """Work out how far the car drives from one state of charge down to another.

    Args:
        initial_state_of_charge: How full the battery is at the start, in percent.
        final_state_of_charge: How full it should still be at the end, in percent.
    """
    start, end = _whole(initial_state_of_charge), _whole(final_state_of_charge)
    if start < end:
        refuse(
            "bad_arguments",
            f"The battery cannot go from {start} down to {end} percent.",
            "Give the higher state of charge first.",
        )
    return ChargeDistance(
        distance_km=kilometers(car.context, start - end),
        initial_state_of_charge=start,
        final_state_of_charge=end,
    )


def _whole(value: JsonValue) -> int:
    """Return a number that the published world has not looked at; it raises over anything else."""
    if not isinstance(value, int | float) or isinstance(value, bool) or not -_LONGEST <= value <= _LONGEST:
        refuse("bad_arguments", "A state of charge must be a number.", fault=Fault.RAISED)
    return int(value)


class TimeToTarget(Shape):
    """How long charging takes to one state."""

    target_state_of_charge: int = fact("charging.target", "That state, in percent.")
    minutes: int = fact("charging.minutes", "Minutes until then, rounded up.")


class ChargingTimes(Shape):
    start_state_of_charge: int = echo("How full the battery is at the start, in percent.")
    charging_times: list[TimeToTarget] = part(
        "The time to the asked state; to 80 and to 100 percent if none was asked for."
    )


@car_tool("Charging", about=("charging_station_id", "charging_station_plug_id", "start_state_of_charge"))
def calculate_charging_time_by_soc(
    car: Car,
    charging_station_id: StationId,
    charging_station_plug_id: PlugId,
    start_state_of_charge: StartPercent,
    target_state_of_charge: Annotated[int | None, _PERCENT] = None,
) -> ChargingTimes:
    """Work out how long charging at a plug takes, from one state of charge to another.

    Args:
        charging_station_id: The id of the charging station.
        charging_station_plug_id: The id of one of its plugs.
        start_state_of_charge: How full the battery is at the start, in percent.
        target_state_of_charge: How full it should become, in percent; for 80 and for 100 if left out.
    """
    charging = _at(car, charging_station_id, charging_station_plug_id)
    target = target_state_of_charge
    if target is not None and start_state_of_charge > target:
        message = f"The battery is already fuller than {target} percent."
        refuse("bad_arguments", message, "Give a target above the start.")
    asked = _USUAL_TARGETS if target is None else (target,)
    times: list[TimeToTarget] = []
    for percent in asked:
        # A target of nothing counts as none where the published world simulates, but is what it tells the
        # first of the usual times of.
        reached = _USUAL_TARGETS[0] if car.published and percent == 0 else percent
        minutes = (charging.published_minutes if car.published else charging.minutes)(
            start_state_of_charge, reached
        )
        if minutes is None:
            refuse("conflict", f"At this plug the battery never reaches {reached} percent.")
        times.append(TimeToTarget(target_state_of_charge=percent, minutes=minutes))
    return ChargingTimes(start_state_of_charge=start_state_of_charge, charging_times=times)


class ReachedCharge(Shape):
    charging_time: int = echo("Minutes of charging.")
    state_of_charge: int = fact("charging.reached", "How full the battery is then, in whole percent.")


@car_tool("Charging")
def calculate_charging_soc_by_time(
    car: Car,
    charging_station_id: StationId,
    charging_station_plug_id: PlugId,
    start_state_of_charge: StartPercent,
    charging_time: Annotated[int, Attribute("duration.minutes"), Rules(minimum=0, maximum=_LONGEST)],
) -> ReachedCharge:
    """Work out how full the battery is after some time at a plug.

    Args:
        charging_station_id: The id of the charging station.
        charging_station_plug_id: The id of one of its plugs.
        start_state_of_charge: How full the battery is at the start, in percent.
        charging_time: How long it charges, in minutes.
    """
    charging = _at(car, charging_station_id, charging_station_plug_id)
    reach = charging.published_percent if car.published else charging.percent
    reached = reach(start_state_of_charge, charging_time)
    return ReachedCharge(charging_time=charging_time, state_of_charge=reached)


def _at(car: Car, station_id: str, plug_id: str) -> Charging:
    """Return the car at a plug; a station or plug that does not exist is refused."""
    check_id("poi", station_id, "charging_station_id")
    check_id("plug", plug_id, "charging_station_plug_id")
    station = car.databases.poi(station_id)
    if station is None:
        refuse("not_found", f"There is no charging station {station_id!r}.", "Search for one first.")
    return Charging.at(car.context, _plug(station, plug_id))


def _plug(station: Poi, plug_id: str) -> Plug:
    plugs = station.charging_plugs
    if plugs is None:
        refuse(
            "not_found", f"{station.name} has no plugs.", "Search for a charging station.", fault=Fault.RAISED
        )
    plug = next((plug for plug in plugs if plug.plug_id == plug_id), None)
    if plug is None:
        known = ", ".join(plug.plug_id for plug in plugs)
        refuse("not_found", f"{station.name} has no plug {plug_id!r}.", f"It has: {known}.")
    return plug
