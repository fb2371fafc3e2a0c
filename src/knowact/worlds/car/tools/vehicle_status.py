"""Vehicle functions: what the car says about itself (CAR-bench).

`get_fuel_information` is among the published definitions but switched off, as nothing stands behind it
there. The car is electric, so here it tells of its battery; the published rule set does not offer it.
"""

from typing import Any, Final

from knowact.worlds.car.contract import Car, car_tool
from knowact.worlds.car.rules import Rules
from knowact.worlds.typed.schema import Shape

_OPENING: Final = "Positions are in percent: 0 is shut, 100 is fully open."


def _settings(car: Car, *names: str) -> dict[str, Any]:
    every = car.state.snapshot()
    return {name: every[name] for name in names}


@car_tool("Vehicle functions")
def get_ambient_light_status_and_color(car: Car) -> dict[str, Any]:
    """Tell whether the coloured lights of the cabin are on, and in which colour.

    Returns:
        ambient_light (str, ambient_light.color): Their colour, or OFF.
    """
    return _settings(car, "ambient_light")


@car_tool("Vehicle functions")
def get_car_color(car: Car) -> dict[str, Any]:
    """Tell which colour the car is painted in.

    Returns:
        car_color (str, car.color): Its colour.
    """
    return {"car_color": car.context.car_color}


@car_tool("Vehicle functions")
def get_climate_settings(car: Car) -> dict[str, Any]:
    """Tell how the fan, the air conditioning, the air intake and the defrosting are set.

    Returns:
        fan_speed (int, fan_speed.level): Level of the fan, 0 to 5.
        fan_airflow_direction (str, fan_airflow_direction.outlets): Which outlets it blows through.
        air_conditioning (bool, air_conditioning.on): Whether the air conditioning runs.
        air_circulation (str, air_circulation.mode): Where the air comes from.
        window_front_defrost (bool, window_defrost.front): Whether the windshield is being defrosted.
        window_rear_defrost (bool, window_defrost.rear): Whether the rear window is being defrosted.
    """
    return _settings(
        car,
        "fan_speed",
        "fan_airflow_direction",
        "air_conditioning",
        "air_circulation",
        "window_front_defrost",
        "window_rear_defrost",
    )


@car_tool("Vehicle functions")
def get_exterior_lights_status(car: Car) -> dict[str, Any]:
    """Tell which of fog lights, low beams and high beams are on.

    Returns:
        fog_lights (bool, fog_lights.on): Whether the fog lights burn.
        head_lights_low_beams (bool, head_lights_low_beams.on): Whether the low beams burn.
        head_lights_high_beams (bool, head_lights_high_beams.on): Whether the high beams burn.
    """
    return _settings(car, "fog_lights", "head_lights_low_beams", "head_lights_high_beams")


@car_tool("Vehicle functions")
def get_reading_lights_status(car: Car) -> dict[str, Any]:
    """Tell which of the four reading lights are on.

    Returns:
        reading_light_driver (bool, reading_light.driver): Whether the one above the driver is on.
        reading_light_passenger (bool, reading_light.passenger): Whether the one above the front passenger is
            on.
        reading_light_driver_rear (bool, reading_light.driver_rear): Whether the one above the seat behind the
            driver is on.
        reading_light_passenger_rear (bool, reading_light.passenger_rear): Whether the one above the seat
            behind the front passenger is on.
    """
    return _settings(
        car,
        "reading_light_driver",
        "reading_light_passenger",
        "reading_light_driver_rear",
        "reading_light_passenger_rear",
    )


@car_tool("Vehicle functions")
def get_seat_heating_level(car: Car) -> dict[str, Any]:
    """Tell how warm the two front seats are heated.

    Returns:
        seat_heating_driver (int, seat_heating.driver): Level of the driver's seat, 0 to 3.
        seat_heating_passenger (int, seat_heating.passenger): Level of the front passenger's seat, 0 to 3.
    """
    return _settings(car, "seat_heating_driver", "seat_heating_passenger")


class Occupied(Shape):
    """Seats by whether somebody sits there.

    Attributes:
        driver (bool, seat.driver_taken): The driver's seat.
        passenger (bool, seat.passenger_taken): The front passenger's seat.
        driver_rear (bool, seat.driver_rear_taken): The seat behind the driver.
        passenger_rear (bool, seat.passenger_rear_taken): The seat behind the front passenger.
    """


@car_tool("Vehicle functions")
def get_seats_occupancy(car: Car) -> dict[str, Any]:
    """Tell on which of the four seats somebody sits.

    Returns:
        seats_occupied (Occupied): By seat, whether somebody sits there.
    """
    return {"seats_occupied": car.context.seats_occupied.model_dump()}


@car_tool("Vehicle functions")
def get_steering_wheel_heating_level(car: Car) -> dict[str, Any]:
    """Tell how warm the steering wheel is heated.

    Returns:
        steering_wheel_heating (int, steering_wheel_heating.level): Its level, 0 to 3.
    """
    return _settings(car, "steering_wheel_heating")


@car_tool("Vehicle functions")
def get_sunroof_and_sunshade_position(car: Car) -> dict[str, Any]:
    """Tell how far the sunroof is open and how far the shade below it is drawn back.

    Returns:
        description (str, echo): How to read the numbers.
        sunroof_position (int, sunroof.position): How far the sunroof is open, in percent.
        sunshade_position (int, sunshade.position): How far the sunshade is drawn back, in percent.
    """
    return {"description": _OPENING, **_settings(car, "sunroof_position", "sunshade_position")}


@car_tool("Vehicle functions")
def get_temperature_inside_car(car: Car) -> dict[str, Any]:
    """Tell which temperature each front climate zone is set to, and taken to have.

    Returns:
        climate_temperature_driver (float, climate_temperature.driver): The driver's side.
        climate_temperature_passenger (float, climate_temperature.passenger): The front passenger's side.
        temperature_unit (str, echo): The unit of both.
    """
    return {
        **_settings(car, "climate_temperature_driver", "climate_temperature_passenger"),
        "temperature_unit": "Celsius",
    }


@car_tool("Vehicle functions")
def get_trunk_door_position(car: Car) -> dict[str, Any]:
    """Tell whether the door of the trunk is open.

    Returns:
        trunk_door_position (str, trunk.position): Whether it is open.
    """
    return _settings(car, "trunk_door_position")


@car_tool("Vehicle functions")
def get_vehicle_window_positions(car: Car) -> dict[str, Any]:
    """Tell how far each of the four windows is open.

    Returns:
        description (str, echo): How to read the numbers.
        window_driver_position (int, window.driver): Beside the driver, in percent.
        window_passenger_position (int, window.passenger): Beside the front passenger, in percent.
        window_driver_rear_position (int, window.driver_rear): Behind the driver, in percent.
        window_passenger_rear_position (int, window.passenger_rear): Behind the front passenger, in percent.
    """
    return {
        "description": _OPENING,
        **_settings(
            car,
            "window_driver_position",
            "window_passenger_position",
            "window_driver_rear_position",
            "window_passenger_rear_position",
        ),
    }


@car_tool("Vehicle functions", only=Rules.DEFINITION)
def get_fuel_information(car: Car) -> dict[str, Any]:
    """Tell what the car drives on, how much of that it takes, and how much is left.

    Returns:
        fuel_type (str, fuel.type): What it is.
        fuel_consumption (float, fuel.consumption): How much of it the car takes.
        fuel_consumption_unit (str, echo): The unit of that.
        remaining_fuel_kwh (float, fuel.remaining): How much the car could still use, in kilowatt-hours.
    """
    context = car.context
    return {
        "fuel_type": "ELECTRICITY",
        "fuel_consumption": context.energy_consumption,
        "fuel_consumption_unit": "kWh per 100 km",
        "remaining_fuel_kwh": round(context.usable_energy_kwh * context.state_of_charge / 100, 1),
    }
