"""What the car's databases hold, as tables: sizes beside the published ones, roads, weather, plugs."""

from collections import Counter
from collections.abc import Iterable, Mapping
from statistics import median
from typing import Final

from knowact.core.table import Estimate, Row, Table
from knowact.worlds.car.databases.base import Databases
from knowact.worlds.car.databases.rows import CATEGORIES, CONDITIONS, Category, Poi, Route

SIZES_SOURCE: Final = "CAR-bench, databases"
PUBLISHED_SIZES: Final[Mapping[str, int]] = {
    "locations": 48,
    "points of interest": 130_693,
    "in cities": 689,
    "along roads": 130_004,
    "weather": 48,
    "routes": 1_763_870,
    "between cities": 6_768,
    "within a city": 2_756,
    "derived": 1_754_346,
    "calendars": 100,
    "contacts": 100,
}
"""Of the published files (CAR-bench)."""
OURS: Final = "here"
THEIRS: Final = "published"


def statistics(databases: Databases) -> tuple[Table, ...]:
    """Return what the databases hold: sizes, places by category, routes, weather and charging plugs.

    Sizes are of everything. What is counted by walking over rows (hours of points of interest, plugs) is
    counted in the cities, where they are few.
    """
    return (sizes(databases), places(databases), roads(databases), weather(databases), plugs(databases))


def sizes(databases: Databases) -> Table:
    """How many rows there are of each kind, beside the published numbers."""
    counts = databases.counts()
    here = {
        "locations": counts.locations,
        "points of interest": counts.pois,
        "in cities": counts.bound,
        "along roads": counts.along,
        "weather": counts.weather,
        "routes": counts.routes,
        "between cities": counts.between_cities,
        "within a city": counts.local,
        "derived": counts.derived,
        "calendars": counts.calendars,
        "contacts": counts.contacts,
    }
    rows = [
        row
        for kind, number in here.items()
        for row in (
            _count({"rows": kind, "data": OURS}, "number", number),
            _count({"rows": kind, "data": THEIRS}, "number", PUBLISHED_SIZES[kind]),
        )
    ]
    return Table(
        "car_sizes",
        "Rows of the car's databases",
        SIZES_SOURCE,
        tuple(rows),
        ("data",),
        "Derived routes are not stored: they are made when somebody asks for them.",
        percent=False,
        counts=True,
    )


def places(databases: Databases) -> Table:
    """Points of interest in cities, by category."""
    rows: list[Row] = []
    for category in CATEGORIES:
        pois = list(_in_cities(databases, category))
        cities = {poi.corresponding_location_id for poi in pois}
        always = sum(poi.opening_hours == "00:00h - 24:00h" for poi in pois)
        keys = {"category": category}
        rows += [
            _count(keys, "in cities", len(pois)),
            _count(keys, "cities that have one", len(cities)),
            _count(keys, "open all day", always),
        ]
    return Table(
        "car_places", "Points of interest in cities", "knowact", tuple(rows), percent=False, counts=True
    )


def roads(databases: Databases) -> Table:
    """Lengths, durations and toll of the routes between cities, by alternative."""
    by_rank: dict[str, list[Route]] = {}
    for start in databases.locations:
        for end in databases.locations:
            for route in databases.routes(start, end) if start != end else ():
                rank = next((alias for alias in route.alias if alias in _RANKS), "unranked")
                by_rank.setdefault(rank, []).append(route)
    rows: list[Row] = []
    for rank, routes in by_rank.items():
        lengths = [route.distance_km for route in routes]
        for measure, value in (
            ("shortest, km", min(lengths)),
            ("median, km", median(lengths)),
            ("longest, km", max(lengths)),
            ("median, minutes", median(route.minutes for route in routes)),
            ("with toll, percent", 100 * sum(route.includes_toll for route in routes) / len(routes)),
        ):
            rows.append(Row({"alternative": rank}, measure, Estimate(round(value, 1), len(routes))))
    return Table("car_roads", "Routes between cities", "knowact", tuple(rows), percent=False)


_RANKS: Final = ("first", "second", "third")


def weather(databases: Databases) -> Table:
    """How many slots of three hours have which weather."""
    known = (databases.weather(city) for city in databases.locations)
    slots = [slot for row in known if row for slot in row.weather]
    conditions = Counter(slot.condition for slot in slots)
    rows = tuple(
        _count({"condition": condition}, "slots", conditions[condition], len(slots))
        for condition in CONDITIONS
    )
    temperatures = [slot.temperature_c for slot in slots]
    note = f"From {min(temperatures)} to {max(temperatures)} °C." if temperatures else ""
    return Table("car_weather", "Weather", "knowact", rows, note=note, percent=False, counts=True)


def plugs(databases: Databases) -> Table:
    """Plugs of the charging stations in cities, by kind and availability."""
    stations = list(_in_cities(databases, "charging_stations"))
    kinds = Counter(
        (plug.power_type, plug.availability) for station in stations for plug in station.charging_plugs or ()
    )
    rows = tuple(
        _count({"plug": kind, "availability": availability}, "plugs", number, kinds.total())
        for (kind, availability), number in sorted(kinds.items())
    )
    return Table(
        "car_plugs",
        "Plugs of charging stations in cities",
        "knowact",
        rows,
        ("availability",),
        f"Of {len(stations)} stations.",
        percent=False,
        counts=True,
    )


def _in_cities(databases: Databases, category: Category) -> Iterable[Poi]:
    return (poi for city in databases.locations for poi in databases.pois_at(city, category))


def _count(keys: Mapping[str, str], measure: str, number: int, total: int | None = None) -> Row:
    return Row(keys, measure, Estimate(number, number if total is None else total))
