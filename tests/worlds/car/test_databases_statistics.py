"""The databases in numbers: what the tables say is what is there."""

from knowact.core.table import Table
from knowact.worlds.car.databases.generated import generated_databases
from knowact.worlds.car.databases.rows import CATEGORIES
from knowact.worlds.car.databases.statistics import OURS, PUBLISHED_SIZES, THEIRS, statistics

DATA = generated_databases(0)
TABLES = {table.id: table for table in statistics(DATA)}


def number(table: Table, measure: str, **keys: str) -> float | None:
    (found,) = [row for row in table.rows if row.measure == measure and keys.items() <= row.keys.items()]
    return found.estimate.value


def test_sizes_stand_beside_the_published_ones() -> None:
    sizes, counts = TABLES["car_sizes"], DATA.counts()
    assert number(sizes, "number", rows="routes", data=OURS) == counts.routes
    assert number(sizes, "number", rows="points of interest", data=OURS) == counts.pois
    for kind, published in PUBLISHED_SIZES.items():
        assert number(sizes, "number", rows=kind, data=THEIRS) == published
    parts = sum(PUBLISHED_SIZES[kind] for kind in ("between cities", "within a city", "derived"))
    assert parts == PUBLISHED_SIZES["routes"]


def test_places_are_counted_by_category() -> None:
    places = TABLES["car_places"]
    for category in CATEGORIES:
        airports = category == "airports"
        assert number(places, "in cities", category=category) == (17 if airports else 96)
        assert number(places, "cities that have one", category=category) == (17 if airports else 48)
    assert number(places, "open all day", category="charging_stations") == 96
    assert number(places, "open all day", category="bakery") == 0


def test_every_route_between_cities_has_its_rank() -> None:
    roads = TABLES["car_roads"]
    ranks = {row.keys["alternative"]: row.estimate.n for row in roads.rows}
    assert ranks == {"first": 2_256, "second": 2_256, "third": 2_256}
    toll = number(roads, "with toll, percent", alternative="first")
    assert toll is not None
    assert 5 < toll < 15


def test_slots_and_plugs_add_up() -> None:
    assert sum(row.estimate.value or 0 for row in TABLES["car_weather"].rows) == 48 * 8
    stations = [poi for city in DATA.locations for poi in DATA.pois_at(city, "charging_stations")]
    plugs = sum(len(poi.charging_plugs or ()) for poi in stations)
    assert sum(row.estimate.value or 0 for row in TABLES["car_plugs"].rows) == plugs
    assert {row.estimate.n for row in TABLES["car_plugs"].rows} == {plugs}
