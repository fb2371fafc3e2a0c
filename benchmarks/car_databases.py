"""The car's databases: how long a seed takes to load, its memory, and searches for places per second."""

from collections.abc import Callable

import psutil
from measuring import Line, cpu_seconds, finish

from knowact.core.seeds import generator
from knowact.core.world import Call
from knowact.worlds.car.databases import Databases
from knowact.worlds.car.databases.generated import Generated
from knowact.worlds.car.databases.rows import CATEGORIES
from knowact.worlds.car.world import CarWorld

ROUNDS = 5
SEARCHES = 1_000
_MEGABYTE = 2**20


def seconds(work: Callable[[], object]) -> float:
    """Processor time: what the promise calls one core, whoever else uses the machine."""
    began = cpu_seconds()
    work()
    return cpu_seconds() - began


def searches(seed: int) -> list[Call]:
    """Draw searches over all cities, routes and categories, one half each."""
    draw, databases = generator(0, "searches", seed), Databases.generated(0)
    cities = list(databases.locations)
    calls: list[Call] = []
    for _ in range(SEARCHES // 2):
        start, end = draw.sample(cities, 2)
        route = draw.choice(databases.routes(start, end))
        where = {"category_poi": draw.choice(CATEGORIES)}
        along = {"route_id": route.route_id, "at_kilometer": draw.randint(0, int(route.distance_km)), **where}
        calls.append(Call("search_poi_along_the_route", along))
        calls.append(Call("search_poi_at_location", {"location_id": start, **where}))
    return calls


def everywhere(seed: int) -> list[Call]:
    """The same along whole routes, with every detour; charging stations need a kilometre."""
    return [
        Call(call.tool, {**call.arguments, "category_poi": "bakery", "at_kilometer": None})
        for call in searches(seed)
        if call.arguments and call.tool == "search_poi_along_the_route"
    ]


def run(calls: list[Call]) -> Callable[[], None]:
    session = CarWorld().open({}, 0)

    def work() -> None:
        for call in calls:
            assert session.call(call).ok

    return work


def main() -> None:
    loads = [seconds(lambda seed=seed: Generated(seed)) for seed in range(ROUNDS)]
    usual = [seconds(run(searches(number))) * 1_000 / SEARCHES for number in range(ROUNDS)]
    whole = [seconds(run(everywhere(number))) * 2_000 / SEARCHES for number in range(ROUNDS)]
    memory = [psutil.Process().memory_info().rss / _MEGABYTE] * ROUNDS
    lines = [
        Line("one load", loads, "s", 1.0),
        Line("one search", usual, "ms", 1.0),
        Line("one search of a whole route", whole, "ms"),
        Line("memory of the process", memory, "MB", 300),
    ]
    finish(
        lines, f"The car's databases, {ROUNDS} rounds of {SEARCHES:,} searches; 1,000 a second are 1 ms each."
    )


if __name__ == "__main__":
    main()
