"""Vehicle functions: what the car says about itself (CAR-bench).

`get_fuel_information` is among the published definitions but switched off, as nothing stands behind it
there. The car is electric, so here it tells of its battery; the published rule set does not offer it.
"""

from typing import Final, TypeVar

from knowact.worlds.car.contract import Car, car_tool
from knowact.worlds.car.rules import Rules
from knowact.worlds.typed.schema import Shape, echo, fact, part

_OPENING: Final = "Positions are in percent: 0 is shut, 100 is fully open."


_Shown = TypeVar("_Shown", bound=Shape)


def _settings(car: Car, kind: type[_Shown], **beside: str) -> _Shown:
    """Fill a shape from the variables of the state that its fields are named after."""
    every = car.state.snapshot()
    return kind.filled(beside | {name: every[name] for name in kind.names() if name not in beside})


class AmbientLight(Shape):
    ambient_light: str = fact("ambient_light.color", "Their colour, or OFF.")


@car_tool("Vehicle functions")
def get_ambient_light_status_and_color(car: Car) -> AmbientLight:
    """Tell whether the coloured lights of the cabin are on, and in which colour."""
    return _settings(car, AmbientLight)


class CarColor(Shape):
    car_color: str = fact("car.color", "Its colour.")


@car_tool("Vehicle functions")
def get_car_color(car: Car) -> CarColor:
    """Tell which colour the car is painted in."""
    return CarColor(car_color=car.context.car_color)


class ClimateSettings(Shape):
    fan_speed: int = fact("fan_speed.level", "Level of the fan, 0 to 5.")
    fan_airflow_direction: str = fact("fan_airflow_direction.outlets", "Which outlets it blows through.")
    air_conditioning: bool = fact("air_conditioning.on", "Whether the air conditioning runs.")
    air_circulation: str = fact("air_circulation.mode", "Where the air comes from.")
    window_front_defrost: bool = fact("window_defrost.front", "Whether the windshield is being defrosted.")
    window_rear_defrost: bool = fact("window_defrost.rear", "Whether the rear window is being defrosted.")


@car_tool("Vehicle functions")
def get_climate_settings(car: Car) -> ClimateSettings:
    """Tell how the fan, the air conditioning, the air intake and the defrosting are set."""
    return _settings(car, ClimateSettings)


class ExteriorLights(Shape):
    fog_lights: bool = fact("fog_lights.on", "Whether the fog lights burn.")
    head_lights_low_beams: bool = fact("head_lights_low_beams.on", "Whether the low beams burn.")
    head_lights_high_beams: bool = fact("head_lights_high_beams.on", "Whether the high beams burn.")


@car_tool("Vehicle functions")
def get_exterior_lights_status(car: Car) -> ExteriorLights:
    """Tell which of fog lights, low beams and high beams are on."""
    return _settings(car, ExteriorLights)


class ReadingLights(Shape):
    reading_light_driver: bool = fact("reading_light.driver", "Whether the one above the driver is on.")
    reading_light_passenger: bool = fact(
        "reading_light.passenger", "Whether the one above the front passenger is on."
    )
    reading_light_driver_rear: bool = fact(
        "reading_light.driver_rear", "Whether the one above the seat behind the driver is on."
    )
    reading_light_passenger_rear: bool = fact(
        "reading_light.passenger_rear", "Whether the one above the seat behind the front passenger is on."
    )


@car_tool("Vehicle functions")
def get_reading_lights_status(car: Car) -> ReadingLights:
    """Tell which of the four reading lights are on."""
    return _settings(car, ReadingLights)


class SeatHeatingLevel(Shape):
    seat_heating_driver: int = fact("seat_heating.driver", "Level of the driver's seat, 0 to 3.")
    seat_heating_passenger: int = fact(
        "seat_heating.passenger", "Level of the front passenger's seat, 0 to 3."
    )


@car_tool("Vehicle functions")
def get_seat_heating_level(car: Car) -> SeatHeatingLevel:
    """Tell how warm the two front seats are heated."""
    return _settings(car, SeatHeatingLevel)


class Occupied(Shape):
    """Seats by whether somebody sits there."""

    driver: bool = fact("seat.driver_taken", "The driver's seat.")
    passenger: bool = fact("seat.passenger_taken", "The front passenger's seat.")
    driver_rear: bool = fact("seat.driver_rear_taken", "The seat behind the driver.")
    passenger_rear: bool = fact("seat.passenger_rear_taken", "The seat behind the front passenger.")


class SeatsOccupancy(Shape):
    seats_occupied: Occupied = part("By seat, whether somebody sits there.")


@car_tool("Vehicle functions")
def get_seats_occupancy(car: Car) -> SeatsOccupancy:
    """Tell on which of the four seats somebody sits."""
    return SeatsOccupancy(seats_occupied=Occupied.of(car.context.seats_occupied))


class SteeringWheelHeatingLevel(Shape):
    steering_wheel_heating: int = fact("steering_wheel_heating.level", "Its level, 0 to 3.")


@car_tool("Vehicle functions")
def get_steering_wheel_heating_level(car: Car) -> SteeringWheelHeatingLevel:
    """Tell how warm the steering wheel is heated."""
    return _settings(car, SteeringWheelHeatingLevel)


class RoofPositions(Shape):
    description: str = echo("How to read the numbers.")
    sunroof_position: int = fact("sunroof.position", "How far the sunroof is open, in percent.")
    sunshade_position: int = fact("sunshade.position", "How far the sunshade is drawn back, in percent.")


@car_tool("Vehicle functions")
def get_sunroof_and_sunshade_position(car: Car) -> RoofPositions:
    """Tell how far the sunroof is open and how far the shade below it is drawn back."""
    return _settings(car, RoofPositions, description=_OPENING)


class InsideTemperature(Shape):
    climate_temperature_driver: float = fact("climate_temperature.driver", "The driver's side.")
    climate_temperature_passenger: float = fact(
        "climate_temperature.passenger", "The front passenger's side."
    )
    temperature_unit: str = echo("The unit of both.")


@car_tool("Vehicle functions")
def get_temperature_inside_car(car: Car) -> InsideTemperature:
    """Tell which temperature each front climate zone is set to, and taken to have."""
    return _settings(car, InsideTemperature, temperature_unit="Celsius")


class TrunkDoorPosition(Shape):
    trunk_door_position: str = fact("trunk.position", "Whether it is open.")


@car_tool("Vehicle functions")
def get_trunk_door_position(car: Car) -> TrunkDoorPosition:
    """Tell whether the door of the trunk is open."""
    return _settings(car, TrunkDoorPosition)


class WindowPositions(Shape):
    description: str = echo("How to read the numbers.")
    window_driver_position: int = fact("window.driver", "Beside the driver, in percent.")
    window_passenger_position: int = fact("window.passenger", "Beside the front passenger, in percent.")
    window_driver_rear_position: int = fact("window.driver_rear", "Behind the driver, in percent.")
    window_passenger_rear_position: int = fact(
        "window.passenger_rear", "Behind the front passenger, in percent."
    )


@car_tool("Vehicle functions")
def get_vehicle_window_positions(car: Car) -> WindowPositions:
    """Tell how far each of the four windows is open."""
    return _settings(car, WindowPositions, description=_OPENING)


class FuelInformation(Shape):
    fuel_type: str = fact("fuel.type", "What it is.")
    fuel_consumption: float = fact("fuel.consumption", "How much of it the car takes.")
    fuel_consumption_unit: str = echo("The unit of that.")
    remaining_fuel_kwh: float = fact("fuel.remaining", "How much the car could still use, in kilowatt-hours.")


@car_tool("Vehicle functions", only=Rules.DEFINITION)
def get_fuel_information(car: Car) -> FuelInformation:
    """Tell what the car drives on, how much of that it takes, and how much is left."""
    context = car.context
    return FuelInformation(
        fuel_type="ELECTRICITY",
        fuel_consumption=context.energy_consumption,
        fuel_consumption_unit="kWh per 100 km",
        remaining_fuel_kwh=round(context.usable_energy_kwh * context.state_of_charge / 100, 1),
    )
