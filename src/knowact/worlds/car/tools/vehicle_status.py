"""Vehicle functions: what the car says about itself (spec car-bench.md, section 2.4).

`get_fuel_information` is among the published definitions but switched off, as nothing stands behind it
there. The car is electric, so here it tells of its battery; the published rule set does not offer it.
"""

from typing import Annotated, Final, TypedDict

from knowact.worlds.car.contract import Car, car_tool
from knowact.worlds.car.rules import Rules
from knowact.worlds.typed.schema import ECHO, Attribute

_OPENING: Final = "Positions are in percent: 0 is shut, 100 is fully open."


class AmbientStatus(TypedDict):
    """The ambient lights.

    Attributes:
        ambient_light: Their colour, or OFF.
    """

    ambient_light: Annotated[str, Attribute("ambient_light.color")]


@car_tool(domain="Vehicle functions", kind="get")
def get_ambient_light_status_and_color(car: Car) -> AmbientStatus:
    """Tell whether the coloured lights of the cabin are on, and in which colour."""
    return {"ambient_light": car.state.word("ambient_light")}


class CarColor(TypedDict):
    """The car's paint.

    Attributes:
        car_color: Its colour.
    """

    car_color: Annotated[str, Attribute("car.color")]


@car_tool(domain="Vehicle functions", kind="get")
def get_car_color(car: Car) -> CarColor:
    """Tell which colour the car is painted in."""
    return {"car_color": car.context.car_color}


class ClimateSettings(TypedDict):
    """Fan, air and defrosting.

    Attributes:
        fan_speed: Level of the fan, 0 to 5.
        fan_airflow_direction: Which outlets it blows through.
        air_conditioning: Whether the air conditioning runs.
        air_circulation: Where the air comes from.
        window_front_defrost: Whether the windshield is being defrosted.
        window_rear_defrost: Whether the rear window is being defrosted.
    """

    fan_speed: Annotated[int, Attribute("fan_speed.level")]
    fan_airflow_direction: Annotated[str, Attribute("fan_airflow_direction.outlets")]
    air_conditioning: Annotated[bool, Attribute("air_conditioning.on")]
    air_circulation: Annotated[str, Attribute("air_circulation.mode")]
    window_front_defrost: Annotated[bool, Attribute("window_defrost.front")]
    window_rear_defrost: Annotated[bool, Attribute("window_defrost.rear")]


@car_tool(domain="Vehicle functions", kind="get")
def get_climate_settings(car: Car) -> ClimateSettings:
    """Tell how the fan, the air conditioning, the air intake and the defrosting are set."""
    state = car.state
    return {
        "fan_speed": state.whole("fan_speed"),
        "fan_airflow_direction": state.word("fan_airflow_direction"),
        "air_conditioning": state.on("air_conditioning"),
        "air_circulation": state.word("air_circulation"),
        "window_front_defrost": state.on("window_front_defrost"),
        "window_rear_defrost": state.on("window_rear_defrost"),
    }


class ExteriorLights(TypedDict):
    """The lights outside.

    Attributes:
        fog_lights: Whether the fog lights burn.
        head_lights_low_beams: Whether the low beams burn.
        head_lights_high_beams: Whether the high beams burn.
    """

    fog_lights: Annotated[bool, Attribute("fog_lights.on")]
    head_lights_low_beams: Annotated[bool, Attribute("head_lights_low_beams.on")]
    head_lights_high_beams: Annotated[bool, Attribute("head_lights_high_beams.on")]


@car_tool(domain="Vehicle functions", kind="get")
def get_exterior_lights_status(car: Car) -> ExteriorLights:
    """Tell which of fog lights, low beams and high beams are on."""
    return {
        "fog_lights": car.state.on("fog_lights"),
        "head_lights_low_beams": car.state.on("head_lights_low_beams"),
        "head_lights_high_beams": car.state.on("head_lights_high_beams"),
    }


class ReadingLights(TypedDict):
    """The reading lights.

    Attributes:
        reading_light_driver: Whether the one above the driver is on.
        reading_light_passenger: Whether the one above the front passenger is on.
        reading_light_driver_rear: Whether the one above the seat behind the driver is on.
        reading_light_passenger_rear: Whether the one above the seat behind the front passenger is on.
    """

    reading_light_driver: Annotated[bool, Attribute("reading_light.driver")]
    reading_light_passenger: Annotated[bool, Attribute("reading_light.passenger")]
    reading_light_driver_rear: Annotated[bool, Attribute("reading_light.driver_rear")]
    reading_light_passenger_rear: Annotated[bool, Attribute("reading_light.passenger_rear")]


@car_tool(domain="Vehicle functions", kind="get")
def get_reading_lights_status(car: Car) -> ReadingLights:
    """Tell which of the four reading lights are on."""
    return {
        "reading_light_driver": car.state.on("reading_light_driver"),
        "reading_light_passenger": car.state.on("reading_light_passenger"),
        "reading_light_driver_rear": car.state.on("reading_light_driver_rear"),
        "reading_light_passenger_rear": car.state.on("reading_light_passenger_rear"),
    }


class SeatHeating(TypedDict):
    """The heated seats.

    Attributes:
        seat_heating_driver: Level of the driver's seat, 0 to 3.
        seat_heating_passenger: Level of the front passenger's seat, 0 to 3.
    """

    seat_heating_driver: Annotated[int, Attribute("seat_heating.driver")]
    seat_heating_passenger: Annotated[int, Attribute("seat_heating.passenger")]


@car_tool(domain="Vehicle functions", kind="get")
def get_seat_heating_level(car: Car) -> SeatHeating:
    """Tell how warm the two front seats are heated."""
    return {
        "seat_heating_driver": car.state.whole("seat_heating_driver"),
        "seat_heating_passenger": car.state.whole("seat_heating_passenger"),
    }


class Occupied(TypedDict):
    """Seats by whether somebody sits there.

    Attributes:
        driver: The driver's seat.
        passenger: The front passenger's seat.
        driver_rear: The seat behind the driver.
        passenger_rear: The seat behind the front passenger.
    """

    driver: Annotated[bool, Attribute("seat.driver_taken")]
    passenger: Annotated[bool, Attribute("seat.passenger_taken")]
    driver_rear: Annotated[bool, Attribute("seat.driver_rear_taken")]
    passenger_rear: Annotated[bool, Attribute("seat.passenger_rear_taken")]


class SeatsOccupancy(TypedDict):
    """Who sits where.

    Attributes:
        seats_occupied: By seat, whether somebody sits there.
    """

    seats_occupied: Occupied


@car_tool(domain="Vehicle functions", kind="get")
def get_seats_occupancy(car: Car) -> SeatsOccupancy:
    """Tell on which of the four seats somebody sits."""
    seats = car.context.seats_occupied
    return {
        "seats_occupied": {
            "driver": seats.driver,
            "passenger": seats.passenger,
            "driver_rear": seats.driver_rear,
            "passenger_rear": seats.passenger_rear,
        }
    }


class WheelHeating(TypedDict):
    """The heated steering wheel.

    Attributes:
        steering_wheel_heating: Its level, 0 to 3.
    """

    steering_wheel_heating: Annotated[int, Attribute("steering_wheel_heating.level")]


@car_tool(domain="Vehicle functions", kind="get")
def get_steering_wheel_heating_level(car: Car) -> WheelHeating:
    """Tell how warm the steering wheel is heated."""
    return {"steering_wheel_heating": car.state.whole("steering_wheel_heating")}


class RoofPosition(TypedDict):
    """Sunroof and sunshade.

    Attributes:
        description: How to read the numbers.
        sunroof_position: How far the sunroof is open, in percent.
        sunshade_position: How far the sunshade is drawn back, in percent.
    """

    description: Annotated[str, ECHO]
    sunroof_position: Annotated[int, Attribute("sunroof.position")]
    sunshade_position: Annotated[int, Attribute("sunshade.position")]


@car_tool(domain="Vehicle functions", kind="get")
def get_sunroof_and_sunshade_position(car: Car) -> RoofPosition:
    """Tell how far the sunroof is open and how far the shade below it is drawn back."""
    return {
        "description": _OPENING,
        "sunroof_position": car.state.whole("sunroof_position"),
        "sunshade_position": car.state.whole("sunshade_position"),
    }


class CabinTemperature(TypedDict):
    """What the climate zones are set to.

    Attributes:
        climate_temperature_driver: The driver's side.
        climate_temperature_passenger: The front passenger's side.
        temperature_unit: The unit of both.
    """

    climate_temperature_driver: Annotated[float, Attribute("climate_temperature.driver")]
    climate_temperature_passenger: Annotated[float, Attribute("climate_temperature.passenger")]
    temperature_unit: Annotated[str, ECHO]


@car_tool(domain="Vehicle functions", kind="get")
def get_temperature_inside_car(car: Car) -> CabinTemperature:
    """Tell which temperature each front climate zone is set to, and taken to have."""
    return {
        "climate_temperature_driver": car.state.degrees("climate_temperature_driver"),
        "climate_temperature_passenger": car.state.degrees("climate_temperature_passenger"),
        "temperature_unit": "Celsius",
    }


class TrunkPosition(TypedDict):
    """The trunk door.

    Attributes:
        trunk_door_position: Whether it is open.
    """

    trunk_door_position: Annotated[str, Attribute("trunk.position")]


@car_tool(domain="Vehicle functions", kind="get")
def get_trunk_door_position(car: Car) -> TrunkPosition:
    """Tell whether the door of the trunk is open."""
    return {"trunk_door_position": car.state.word("trunk_door_position")}


class WindowPositions(TypedDict):
    """The four windows.

    Attributes:
        description: How to read the numbers.
        window_driver_position: Beside the driver, in percent.
        window_passenger_position: Beside the front passenger, in percent.
        window_driver_rear_position: Behind the driver, in percent.
        window_passenger_rear_position: Behind the front passenger, in percent.
    """

    description: Annotated[str, ECHO]
    window_driver_position: Annotated[int, Attribute("window.driver")]
    window_passenger_position: Annotated[int, Attribute("window.passenger")]
    window_driver_rear_position: Annotated[int, Attribute("window.driver_rear")]
    window_passenger_rear_position: Annotated[int, Attribute("window.passenger_rear")]


@car_tool(domain="Vehicle functions", kind="get")
def get_vehicle_window_positions(car: Car) -> WindowPositions:
    """Tell how far each of the four windows is open."""
    return {
        "description": _OPENING,
        "window_driver_position": car.state.whole("window_driver_position"),
        "window_passenger_position": car.state.whole("window_passenger_position"),
        "window_driver_rear_position": car.state.whole("window_driver_rear_position"),
        "window_passenger_rear_position": car.state.whole("window_passenger_rear_position"),
    }


class Fuel(TypedDict):
    """What the car drives on.

    Attributes:
        fuel_type: What it is.
        fuel_consumption: How much of it the car takes.
        fuel_consumption_unit: The unit of that.
        remaining_fuel_kwh: How much the car could still use, in kilowatt-hours.
    """

    fuel_type: Annotated[str, Attribute("fuel.type")]
    fuel_consumption: Annotated[float, Attribute("fuel.consumption")]
    fuel_consumption_unit: Annotated[str, ECHO]
    remaining_fuel_kwh: Annotated[float, Attribute("fuel.remaining")]


@car_tool(domain="Vehicle functions", kind="get", only=Rules.DEFINITION)
def get_fuel_information(car: Car) -> Fuel:
    """Tell what the car drives on, how much of that it takes, and how much is left."""
    context = car.context
    return {
        "fuel_type": "ELECTRICITY",
        "fuel_consumption": context.energy_consumption,
        "fuel_consumption_unit": "kWh per 100 km",
        "remaining_fuel_kwh": round(context.usable_energy_kwh * context.state_of_charge / 100, 1),
    }
