"""The car world: loading it, opening sessions, and calls that read and write the state, per second."""

import resource
import subprocess
import sys
import time
from collections.abc import Callable

from measuring import Line, finish

from knowact.core.world import Call
from knowact.worlds.car.world import CarWorld

ROUNDS = 5
OPENED = 1_000
CALLS = 10_000
LOADING = "from knowact.worlds.car.world import CarWorld; CarWorld().open({}, 0)"
MIXED = (
    Call("set_climate_temperature", {"temperature": 21.5, "seat_zone": "ALL_ZONES"}),
    Call("get_temperature_inside_car"),
    Call("open_close_window", {"window": "ALL", "percentage": 25}),
    Call("get_vehicle_window_positions"),
    Call("set_fog_lights", {"on": True}),
    Call("get_exterior_lights_status"),
    Call("open_close_window", {"window": "DRIVER", "percentage": 130}),
    Call("set_climate_temperature", {"temperature": 20, "seat_zone": "DRIVER"}),
    Call("get_climate_settings"),
    Call("open_close_window", {"window": "ALL", "percentage": 0}),
)


def seconds(work: Callable[[], None]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def load() -> None:
    subprocess.run([sys.executable, "-c", LOADING], check=True)


def open_many() -> None:
    world = CarWorld()
    for _ in range(OPENED):
        world.open({"fan_speed": 2, "car_color": "RED"}, 0)


def call_many() -> None:
    session = CarWorld().open({}, 0)
    for number in range(CALLS):
        session.call(MIXED[number % len(MIXED)])


def main() -> None:
    loaded = [seconds(load) for _ in range(ROUNDS)]
    open_many()
    opened = [1_000 * seconds(open_many) / OPENED for _ in range(ROUNDS)]
    called = [1_000 * seconds(call_many) / CALLS for _ in range(ROUNDS)]
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    lines = [
        Line("process started, world loaded", loaded, "s", 1.0),
        Line("memory of that", [memory], "MB", 300),
        Line("one session opened", opened, "ms", 5.0),
        Line("one call on the state", called, "ms", 0.1),
    ]
    finish(lines, f"The car world, {ROUNDS} rounds; 10,000 calls a second are 0.1 ms each.")


if __name__ == "__main__":
    main()
