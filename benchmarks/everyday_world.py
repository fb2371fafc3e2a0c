"""The everyday world: sessions opened and tools called, per second, on its own worked examples."""

import time
from collections.abc import Callable

from measuring import Line, finish

from knowact.core.world import Call
from knowact.worlds.check import examples_of
from knowact.worlds.everyday import EverydayWorld

ROUNDS = 5
OPENED = 2_000


def per_second(work: Callable[[], int]) -> float:
    began = time.perf_counter()
    done = work()
    return done / (time.perf_counter() - began)


def call_all() -> int:
    session = EverydayWorld().open({}, 0)
    calls = [Call(one.tool, one.arguments) for one in examples_of("knowact.worlds.everyday")]
    for call in calls * 10:
        session.call(call)
    return len(calls) * 10


def open_many() -> int:
    world = EverydayWorld()
    for seed in range(OPENED):
        world.open({}, seed)
    return OPENED


def main() -> None:
    call_all()
    calls = [per_second(call_all) for _ in range(ROUNDS)]
    opened = [1_000 / per_second(open_many) for _ in range(ROUNDS)]
    slowest = [1_000 / rate for rate in calls]
    lines = [
        Line("calls in a second", calls),
        Line("one call", slowest, "ms", 0.2),
        Line("one session opened", opened, "ms", 1.0),
    ]
    finish(lines, f"The everyday world, {ROUNDS} rounds; 5,000 calls a second are 0.2 ms each.")


if __name__ == "__main__":
    main()
