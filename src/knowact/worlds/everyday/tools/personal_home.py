"""Personal: the user's house, with its thermostats, plugs, meters and parking permit."""

import datetime as dt
from typing import Annotated, Final, Literal

from knowact.core.tool import Dimension
from knowact.worlds.everyday.clock import DAY_MINUTES, clock_time, day_between
from knowact.worlds.everyday.contract import Server, always, refuse
from knowact.worlds.everyday.fields import Day
from knowact.worlds.everyday.private.personal import VISITORS, Appliance, Meter, Parked, ParkingCredit, Room
from knowact.worlds.everyday.state import State
from knowact.worlds.typed.schema import Attribute, Rules, Shape, echo, fact

_HOME: Final = Server("Personal", "home")

MeterName = Literal["electricity", "gas", "water"]
RoomName = Annotated[str, Attribute("room.name"), Rules(max_length=120)]
_UNITS: Final = {"electricity": "kWh", "gas": "m³", "water": "m³"}
_DAYS_KEPT: Final = 60


class RoomStatus(Shape):
    room: str = echo("The room.")
    temperature_c: float = fact("room.temperature", "Temperature in degrees Celsius.", row="temperature")
    target_c: float = fact("room.target", "What the thermostat is set to, in degrees Celsius.", row="target")
    humidity_percent: int = fact("room.humidity", "Relative humidity in per cent.", row="humidity")
    light_on: bool = fact("room.light", "Whether the light is on.", row="light")


@_HOME.tool(
    rubric=always(
        Dimension.PRIVACY, Dimension.TEMPORALITY, why="Only the sensors in the user's own house tell."
    ),
    scenario="Somebody lies in bed, or sits in a train, and wonders how warm it is at home and what is lit.",
    person_can="Whoever is at home can put their head round the door and look.",
)
def get_room_status(state: State, room: RoomName) -> RoomStatus:
    """Read the sensors in a room of the user's house: temperature, thermostat, humidity and light.

    Args:
        room: The room, such as "kitchen".
    """
    return RoomStatus.of(state.record(Room, room, "room called"), room=room)


class ThermostatSet(Shape):
    room: str = echo("The room.")
    minutes_needed: int = fact(
        "thermostat.minutes_needed", "Minutes until the room is expected to have that temperature."
    )


@_HOME.tool(
    changes=("thermostat.set",),
    rubric=always(Dimension.INTERACTION, why="The heating in the user's house does something else then."),
    scenario="Somebody comes home early, or has guests, and wants a room warmer or cooler in time.",
    person_can="Whoever is at home can turn the knob.",
)
def set_thermostat(
    state: State,
    room: RoomName,
    target_c: Annotated[float, Attribute("room.new_target"), Rules(minimum=5, maximum=30)],
) -> ThermostatSet:
    """Set the thermostat of a room in the user's house.

    Args:
        room: The room, such as "kitchen".
        target_c: The new temperature in degrees Celsius, in steps of half a degree.
    """
    old = state.record(Room, room, "room called")
    if target_c * 2 != int(target_c * 2):
        refuse("bad_arguments", f"{target_c} is not a step of the thermostat.", "Round it to half a degree.")
    if target_c == old.target:
        refuse(
            "conflict",
            f"The thermostat in the {room} is set to {target_c} already.",
            "There is nothing to do.",
        )
    state.put(room, old.model_copy(update={"target": float(target_c)}))
    draw = state.draw("thermostat", room, float(target_c))
    return ThermostatSet(room=room, minutes_needed=draw.randint(3, 24) * 5)


class EnergyUse(Shape):
    appliance: str = echo("The appliance.")
    date: str = echo("The day.")
    kwh: float = fact("appliance.kwh", "Energy in kilowatt-hours.")


@_HOME.tool(
    rubric=always(Dimension.PRIVACY, why="Only the measuring plug in the user's house has counted it."),
    scenario="Somebody suspects an old freezer or a heater of eating electricity and asks what it took.",
    person_cannot="Nobody sees the electricity that an appliance has taken.",
)
def get_energy_use(
    state: State, appliance: Annotated[str, Attribute("appliance.name"), Rules(max_length=120)], date: Day
) -> EnergyUse:
    """Tell how much electricity an appliance in the user's house took on one of the last sixty days.

    Args:
        appliance: The appliance, such as "dishwasher".
        date: The day, as YYYY-MM-DD; not today, which is still being measured.
    """
    usual = state.record(Appliance, appliance, "plug for a").usual
    _measured(state, date)
    tenths = usual + state.draw("energy", appliance, date).randint(-(usual // 2), usual // 2)
    return EnergyUse(appliance=appliance, date=date, kwh=tenths / 10)


class MeterReading(Shape):
    meter: str = echo("The meter.")
    date: str = echo("The day.")
    reading: float = fact("meter.reading", "What the meter stood at, at midnight at the end of the day.")
    used: float = fact("meter.used", "What was used on that day.")
    unit: str = echo("The unit of both: kWh or m³.")


@_HOME.tool(
    about=("meter", "date"),
    rubric=always(Dimension.PRIVACY, Dimension.TEMPORALITY, why="The meter hangs in the user's own house."),
    scenario="Somebody has to give a reading to the supplier, or compares what a cold day took.",
    person_cannot="What a meter shows now can be read, but not what it showed on a day gone by.",
)
def get_meter_reading(state: State, meter: MeterName, date: Day) -> MeterReading:
    """Tell what a meter in the user's house stood at when one of the last sixty days ended.

    Args:
        meter: The meter.
        date: The day, as YYYY-MM-DD; not today, which is still being measured.
    """
    today = state.record(Meter, meter, "meter for")
    day = _measured(state, date)
    later = [day + dt.timedelta(days=ahead) for ahead in range(1, (state.today - day).days)]
    since = sum(_used(state, meter, today.usual, other) for other in later)
    return MeterReading(
        meter=meter,
        date=date,
        reading=(today.reading - since) / 10,
        used=_used(state, meter, today.usual, day) / 10,
        unit=_UNITS[meter],
    )


def _used(state: State, meter: str, usual: int, day: dt.date) -> int:
    """What a meter counted on a day, in tenths of its unit."""
    return usual + state.draw("meter", meter, day.isoformat()).randint(-(usual // 2), usual // 2)


def _measured(state: State, date: str) -> dt.date:
    """Return the day if it is over and still on record."""
    first, last = state.today - dt.timedelta(days=_DAYS_KEPT), state.today - dt.timedelta(days=1)
    return day_between(date, first, last, f"There is no record of {date}.")


class VisitorParking(Shape):
    plate: str = echo("Its number plate.")
    until: str = fact("parking.until", "Until when, HH:MM.")
    credit_left_minutes: int = fact(
        "parking.credit_left", "Minutes of visitor parking that the user has left this year."
    )


@_HOME.tool(
    changes=("parking.registered",),
    rubric=always(Dimension.INTERACTION, why="The city's register has one car more, and credit is spent."),
    scenario="Friends have come by car and must not get a ticket outside the user's house.",
    person_cannot="Only who is logged in at the city's register can enter a car.",
)
def register_visitor_parking(
    state: State,
    plate: Annotated[str, Attribute("car.plate"), Rules(max_length=20)],
    minutes: Annotated[int, Attribute("parking.minutes"), Rules(minimum=10, maximum=1_440)],
) -> VisitorParking:
    """Let a guest's car park in the user's street from now on, out of the user's credit of visitor minutes.

    Args:
        plate: The car's number plate.
        minutes: For how many minutes; at most until midnight.
    """
    plate = plate.strip().upper()
    if not plate:
        refuse("bad_arguments", "The number plate is empty.", "Give the plate as it stands on the car.")
    if plate in state.table(Parked):
        refuse("conflict", f"The car {plate} is registered already.", "One registration a day is enough.")
    end = state.now.hour * 60 + state.now.minute + minutes
    if end >= DAY_MINUTES:
        refuse("bad_arguments", "That would last beyond midnight.", "Choose fewer minutes.")
    credit = state.record(ParkingCredit, VISITORS, "parking credit for").minutes
    if minutes > credit:
        refuse("conflict", "There is not enough credit for that.", f"At most {credit} minutes are left.")
    until = clock_time(end)
    state.put(plate, Parked(until=until))
    state.put(VISITORS, ParkingCredit(minutes=credit - minutes))
    return VisitorParking(plate=plate, until=until, credit_left_minutes=credit - minutes)
