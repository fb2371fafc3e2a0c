"""Rows that stand in files.

Places and routes are kept in an embedded database, because 1.7 million routes
in dictionaries take gigabytes. Routes that are derived from city-to-city
routes are derived when they are asked for.
"""

import sqlite3
import weakref
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import Final

from knowact.worlds.car.databases.base import Counts, InMemory, SmallRows
from knowact.worlds.car.databases.roads import driven, part_of
from knowact.worlds.car.databases.rows import DIRECTION, Category, Poi, Route

_TABLES: Final = """
CREATE TABLE poi (id TEXT, category TEXT, city TEXT, phone TEXT, facts TEXT);
CREATE TABLE along (direction TEXT, category TEXT, poi TEXT);
CREATE TABLE route (id TEXT, start TEXT, destination TEXT, local INT, facts TEXT);
CREATE TABLE derived (id TEXT, start TEXT, destination TEXT, base TEXT, detour_km REAL);
CREATE TABLE finished (mark TEXT);
"""
_FAST: Final = """
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
PRAGMA cache_size = -65536;
"""
"""What a crash leaves behind has no mark and is made anew; 64 MB of memory spare the disk much work."""
_INDEXES: Final = """
CREATE UNIQUE INDEX poi_by_id ON poi (id);
CREATE INDEX poi_by_city ON poi (city, category);
CREATE INDEX poi_by_phone ON poi (phone);
CREATE INDEX along_by_direction ON along (direction, category);
CREATE UNIQUE INDEX route_by_id ON route (id);
CREATE INDEX route_by_ends ON route (start, destination);
CREATE UNIQUE INDEX derived_by_id ON derived (id);
CREATE INDEX derived_by_ends ON derived (start, destination);
"""
_DERIVED_BY_ENDS: Final = (
    "SELECT id, start, destination, base, detour_km FROM derived"
    " WHERE start = ? AND destination = ? ORDER BY rowid"
)
_DERIVED_BY_ID: Final = "SELECT id, start, destination, base, detour_km FROM derived WHERE id = ?"
_KEPT: Final = 4096
"""So many rows are kept as objects, beside the database."""


@dataclass(frozen=True, slots=True)
class Derived:
    """A route that is made of a city-to-city route when it is asked for.

    Attributes:
        route_id: Its id.
        start_id: Where it starts.
        destination_id: Where it ends; one of the two is a point of interest.
        base_id: The city-to-city route.
        detour_km: From that route to the place.
    """

    route_id: str
    start_id: str
    destination_id: str
    base_id: str
    detour_km: float = 0.0

    @classmethod
    def of(cls, row: Sequence[str]) -> "Derived":
        """Make it of a row of its table."""
        return cls(row[0], row[1], row[2], row[3], float(row[4]))


class PlaceStore:
    """Places and routes, put in once and then only read; all threads share it in turn.

    Args:
        connection: To a database that has the tables.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._lock = Lock()
        # Newer Pythons complain of connections that nobody closes.
        self._end = weakref.finalize(self, connection.close)

    @classmethod
    def new(cls, file: str = "") -> "PlaceStore":
        """Return an empty one, in a file, or in a nameless one that goes with the process."""
        connection = sqlite3.connect(file, check_same_thread=False)
        connection.executescript(_FAST + _TABLES)
        return cls(connection)

    @classmethod
    def finished(cls, file: Path, mark: str) -> "PlaceStore | None":
        """Return the one that a file holds; None if it holds none with this mark."""
        if not file.is_file():
            return None
        store = cls(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True, check_same_thread=False))
        try:
            known = store.find("SELECT mark FROM finished") == [(mark,)]
        except sqlite3.DatabaseError:
            known = False
        if not known:
            store.close()
        return store if known else None

    def close(self) -> None:
        """Let the file go."""
        self._end()

    def add_pois(self, rows: Iterable[tuple[Poi, str]]) -> None:
        """Put points of interest in, each with its JSON text."""

        def places() -> Iterable[tuple[str | None, ...]]:
            for poi, facts in rows:
                heads = {route_id[:DIRECTION] for route_id in poi.corresponding_route_ids or ()}
                self._connection.executemany(
                    "INSERT INTO along VALUES (?, ?, ?)",
                    [(head, poi.category, poi.id) for head in sorted(heads)],
                )
                city = poi.corresponding_location_id
                yield poi.id, poi.category, city, plain(poi.phone_number), facts

        self._connection.executemany("INSERT INTO poi VALUES (?, ?, ?, ?, ?)", places())

    def add_routes(self, rows: Iterable[tuple[Route, str]], *, local: bool) -> None:
        """Put routes in that are stored whole, each with its JSON text; `local` ones lie within a city."""
        self._connection.executemany(
            "INSERT INTO route VALUES (?, ?, ?, ?, ?)",
            (
                (route.route_id, route.start_id, route.destination_id, int(local), facts)
                for route, facts in rows
            ),
        )

    def add_derived(self, rows: Iterable[Derived]) -> None:
        """Put routes in that are derived when they are asked for."""
        self._connection.executemany(
            "INSERT INTO derived VALUES (?, ?, ?, ?, ?)",
            ((row.route_id, row.start_id, row.destination_id, row.base_id, row.detour_km) for row in rows),
        )

    def finish(self, mark: str = "") -> None:
        """Build the indexes; nothing may be put in any more.

        Args:
            mark: By which `finished` knows it again.

        Raises:
            sqlite3.IntegrityError: Two places or two routes share an id.
        """
        self._connection.executescript(_INDEXES)
        self._connection.execute("INSERT INTO finished VALUES (?)", (mark,))
        self._connection.commit()

    def find(self, question: str, *values: str) -> list[tuple[str, ...]]:
        """Return what a query finds; nothing has half of a surrogate pair in it, which agents can send."""
        if any("\ud800" <= letter <= "\udfff" for value in values for letter in value):
            return []
        with self._lock:
            return self._connection.execute(question, values).fetchall()

    def number(self, question: str) -> int:
        """Return the one number that a query asks for."""
        return int(self.find(question)[0][0])


def plain(number: str) -> str:
    """Return a phone number without spaces."""
    return "".join(number.split())


class Stored(InMemory):
    """Rows that stand in files. See `Databases`.

    Args:
        small: Cities, weather, people and calendars.
        store: Places and routes, finished.
    """

    def __init__(self, small: SmallRows, store: PlaceStore) -> None:
        super().__init__(small)
        self._store = store
        self._phones = {plain(contact.phone_number) for contact in small.contacts}
        self._poi = lru_cache(maxsize=_KEPT)(self._read_poi)
        self._route = lru_cache(maxsize=_KEPT)(self._read_route)
        self._whole = lru_cache(maxsize=_KEPT)(self._read_whole)

    def poi(self, poi_id: str) -> Poi | None:
        """See `Databases`."""
        return self._poi(poi_id)

    def pois_at(self, location_id: str, category: Category) -> tuple[Poi, ...]:
        """See `Databases`."""
        question = "SELECT facts FROM poi WHERE city = ? AND category = ? ORDER BY rowid"
        rows = self._store.find(question, location_id, category)
        return tuple(Poi.model_validate_json(facts) for (facts,) in rows)

    def pois_along(self, route_id: str, category: Category) -> tuple[Poi, ...]:
        """See `Databases`."""
        question = "SELECT poi FROM along WHERE direction = ? AND category = ? ORDER BY rowid"
        rows = self._store.find(question, route_id[:DIRECTION], category)
        pois = (self._poi(poi_id) for (poi_id,) in rows)
        return tuple(poi for poi in pois if poi and route_id in (poi.corresponding_route_ids or ()))

    def route(self, route_id: str) -> Route | None:
        """See `Databases`."""
        return self._route(route_id)

    def routes(self, start_id: str, destination_id: str) -> tuple[Route, ...]:
        """See `Databases`. In the order in which they stand."""
        derived = self._store.find(_DERIVED_BY_ENDS, start_id, destination_id)
        made = (self._derive(Derived.of(row)) for row in derived)
        return (*self._whole(start_id, destination_id), *(route for route in made if route))

    def knows_phone(self, number: str) -> bool:
        """See `Databases`."""
        digits = plain(number)
        return digits in self._phones or bool(self._store.find("SELECT id FROM poi WHERE phone = ?", digits))

    def counts(self) -> Counts:
        """See `Databases`."""
        return Counts(
            locations=len(self.locations),
            bound=self._store.number("SELECT count(*) FROM poi WHERE city IS NOT NULL"),
            along=self._store.number("SELECT count(*) FROM poi WHERE city IS NULL"),
            weather=self.weather_rows,
            between_cities=self._store.number("SELECT count(*) FROM route WHERE NOT local"),
            local=self._store.number("SELECT count(*) FROM route WHERE local"),
            derived=self._store.number("SELECT count(*) FROM derived"),
            calendars=len(self.calendars),
            contacts=len(self.contacts),
        )

    def _read_poi(self, poi_id: str) -> Poi | None:
        rows = self._store.find("SELECT facts FROM poi WHERE id = ?", poi_id)
        return Poi.model_validate_json(rows[0][0]) if rows else None

    def _read_route(self, route_id: str) -> Route | None:
        rows = self._store.find("SELECT facts FROM route WHERE id = ?", route_id)
        if rows:
            return Route.model_validate_json(rows[0][0])
        derived = self._store.find(_DERIVED_BY_ID, route_id)
        return self._derive(Derived.of(derived[0])) if derived else None

    def _read_whole(self, start_id: str, destination_id: str) -> tuple[Route, ...]:
        question = "SELECT facts FROM route WHERE start = ? AND destination = ? ORDER BY rowid"
        rows = self._store.find(question, start_id, destination_id)
        return tuple(Route.model_validate_json(facts) for (facts,) in rows)

    def _derive(self, row: Derived) -> Route | None:
        """Return a derived route; None if what it is made of is missing."""
        base, to_poi = self._route(row.base_id), row.start_id in self.locations
        poi = self._poi(row.destination_id if to_poi else row.start_id)
        if base is None or poi is None:
            return None
        if poi.corresponding_location_id is not None:
            fraction = 1.0
        else:
            fastest = self._whole(base.start_id, base.destination_id)[0]
            mark = poi.kilometer(base.route_id)
            if mark is None or not fastest.distance_km:
                return None
            fraction = driven(mark, fastest.distance_km, to_poi=to_poi)
        return part_of(
            base,
            row.route_id,
            row.start_id,
            row.destination_id,
            fraction=fraction,
            detour_km=row.detour_km,
        )
