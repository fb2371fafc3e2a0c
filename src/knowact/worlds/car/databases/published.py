"""Reads a folder of the published databases (CAR-bench), and complains by line.

The folder holds `navigation/` and `productivity_and_communication/` with one JSON Lines file per
collection. `routes_index.jsonl` says nothing that the others do not, and is not read. The rest, 1.75
million rows, takes many seconds, so what was read is kept beside the files (`INDEX`) until they change.
"""

import os
import sqlite3
import tempfile
from collections.abc import Container, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final, Generic, TypeVar

from pydantic import Field, ValidationError

from knowact.core.errors import BadData, Place
from knowact.core.model import Noun
from knowact.worlds.car.databases.base import Databases, SmallRows
from knowact.worlds.car.databases.rows import Calendar, Contact, Location, Poi, Route, Weather
from knowact.worlds.car.databases.stored import Derived, PlaceStore, Stored

N = TypeVar("N", bound=Noun)
H = TypeVar("H", Location, Poi, Contact, Calendar)

NAVIGATION: Final = "navigation"
PEOPLE: Final = "productivity_and_communication"
OUTER: Final = "mock_data"
"""The published folder around these two; it may be given or the one that holds it."""
INDEX: Final = "knowact-index.sqlite3"
"""Beside the two folders: their places and routes, as they were read. Can be deleted at any time."""
FILES: Final = {
    (NAVIGATION, "locations"): "the cities",
    (NAVIGATION, "weather"): "their weather",
    (NAVIGATION, "pois"): "points of interest",
    (NAVIGATION, "routes_location_location"): "routes between cities",
    (NAVIGATION, "routes_location_poi"): "routes to points of interest of the same city",
    (NAVIGATION, "routes_poi_location"): "routes back from there",
    (NAVIGATION, "routes_metadata"): "routes to and from points of interest elsewhere",
    (PEOPLE, "contacts"): "the address book",
    (PEOPLE, "calendars"): "the drivers' calendars",
}
"""Every file that is read, and what is in it."""
_LAYOUT: Final = 1
"""Raised whenever an older index cannot be used any more."""


class RouteMetadata(Noun):
    """What the published files say of a derived route.

    Attributes:
        route_id: Its id.
        start_id: Where it starts.
        destination_id: Where it ends.
        base_route_id: The city-to-city route that it is made of.
        route_alternative: Which of the alternatives that is.
        fraction: How far along that route the place lies; follows from the place's kilometre, too.
        detour_distance_km: From the route to the place.
        on_route: Whether the place lies along the route.
        is_reverse: Whether the route is one of the reverse ones.
    """

    route_id: str = Field(min_length=1)
    start_id: str = Field(min_length=1)
    destination_id: str = Field(min_length=1)
    base_route_id: str = Field(min_length=1)
    route_alternative: int | str | None = None
    fraction: float | None = None
    detour_distance_km: float | None = Field(default=None, ge=0)
    on_route: bool | str | None = None
    is_reverse: bool | None = None


def read_databases(folder: Path) -> Databases:
    """Return what `read_folder` gives for a folder, which is read once in a process."""
    return _read(folder.resolve())


@lru_cache(maxsize=2)
def _read(folder: Path) -> Databases:
    return read_folder(folder)


def read_folder(folder: Path) -> Stored:
    """Return the databases of a folder in the published layout.

    Raises:
        BadData: A file is missing, a row is wrong, an id occurs twice or is nobody's.
    """
    root = folder / OUTER if (folder / OUTER).is_dir() else folder
    _require_all(root)
    reader = _Folder(root)
    small, mark = reader.small_rows(), _mark(root)
    store = PlaceStore.finished(root.resolve() / INDEX, mark)
    return Stored(small, store or reader.kept({location.id for location in small.locations}, mark))


def _require_all(root: Path) -> None:
    """Complain about every missing file at once; nobody should have to find out one by one."""
    if not (root / NAVIGATION).is_dir():
        message = f"there is no folder {NAVIGATION!r}"
        raise BadData(message, Place(root), "give the folder of the published databases")
    missing = [_missing(root / part, name, holds) for (part, name), holds in FILES.items()]
    if any(missing):
        message = f"of the {len(FILES)} files, these are missing: {'; '.join(filter(None, missing))}"
        raise BadData(message, Place(root), "put the published files there, as JSON Lines")


def _missing(folder: Path, name: str, holds: str) -> str:
    if (folder / f"{name}.jsonl").exists():
        return ""
    others = ", ".join(sorted(other.name for other in folder.glob(f"{name}.*")))
    return f"{folder.name}/{name}.jsonl ({holds}{f', here as {others}' if others else ''})"


def _mark(root: Path) -> str:
    """Return what changes when a file does."""
    files = sorted((root / NAVIGATION).glob("*.jsonl"))
    stats = ((file.name, file.stat()) for file in files)
    return repr((_LAYOUT, [(name, stat.st_size, stat.st_mtime_ns) for name, stat in stats]))


@dataclass(frozen=True, slots=True)
class _Line(Generic[N]):
    """A row with its line."""

    file: Path
    number: int
    text: str
    row: N

    def known(self, key: str, value: str, known: Container[str]) -> None:
        """Complain if a field names something that is not there."""
        if value not in known:
            place = Place(self.file, self.number, key)
            raise BadData(f"{value!r} is the id of nothing here", place, "add the row that it names")

    def once(self, key: str, value: str, seen: set[str]) -> None:
        """Complain if a field has a value that an earlier line has."""
        if value in seen:
            place = Place(self.file, self.number, key)
            raise BadData(f"{value!r} occurs twice", place, "keep one of them")
        seen.add(value)


class _Folder:
    """One folder that is being read."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def small_rows(self) -> SmallRows:
        cities, people = set[str](), set[str]()
        locations = [line.row for line in self._unique(NAVIGATION, "locations", Location, cities)]
        weather: list[Weather] = []
        reported: set[str] = set()
        for line in self._lines(NAVIGATION, "weather", Weather):
            line.known("location_id", line.row.location_id, cities)
            line.once("location_id", line.row.location_id, reported)
            weather.append(line.row)
        contacts = [line.row for line in self._unique(PEOPLE, "contacts", Contact, people)]
        calendars: list[Calendar] = []
        for line in self._unique(PEOPLE, "calendars", Calendar, set()):
            for meeting in line.row.meetings:
                for attendee in meeting.attendees:
                    line.known("meetings.attendees", attendee, people)
            calendars.append(line.row)
        return SmallRows(locations, weather, contacts, calendars)

    def kept(self, cities: set[str], mark: str) -> PlaceStore:
        """Return places and routes, and keep them for the next time where the folder can be written to."""
        index = self._root.resolve() / INDEX
        try:
            handle, name = tempfile.mkstemp(".tmp", INDEX, index.parent)
        except OSError:
            return self._filled("", cities, mark)
        os.close(handle)
        draft = Path(name)
        try:
            self._filled(name, cities, mark).close()
            # Who has the old one open keeps it; what is replaced is the name.
            draft.replace(index)
        except OSError:
            return self._filled("", cities, mark)
        finally:
            draft.unlink(missing_ok=True)
        return PlaceStore.finished(index, mark) or self._filled("", cities, mark)

    def _filled(self, file: str, cities: set[str], mark: str) -> PlaceStore:
        store = PlaceStore.new(file)
        try:
            self._fill(store, cities, mark)
        except (BadData, sqlite3.Error):
            store.close()
            raise
        return store

    def _fill(self, store: PlaceStore, cities: set[str], mark: str) -> None:
        pois, routes = set[str](), set[str]()
        store.add_routes(self._routes("routes_location_location", cities, routes), local=False)
        store.add_pois(self._pois(cities, routes, pois))
        every, local = cities | pois, set[str]()
        for name in ("routes_location_poi", "routes_poi_location"):
            store.add_routes(self._routes(name, every, local), local=True)
        store.add_derived(self._derived(every, routes))
        try:
            store.finish(mark)
        except sqlite3.IntegrityError:
            self._complain_of_doubles()
            raise

    def _complain_of_doubles(self) -> None:
        """Find the derived route that occurs twice; a set of all ids would cost much every time."""
        seen: set[str] = set()
        for line in self._lines(NAVIGATION, "routes_metadata", RouteMetadata):
            line.once("route_id", line.row.route_id, seen)

    def _pois(self, cities: set[str], routes: set[str], seen: set[str]) -> Iterator[tuple[Poi, str]]:
        for line in self._unique(NAVIGATION, "pois", Poi, seen):
            if line.row.corresponding_location_id is not None:
                line.known("corresponding_location_id", line.row.corresponding_location_id, cities)
            for route in line.row.corresponding_route_ids or ():
                line.known("corresponding_route_ids", route, routes)
            yield line.row, line.text

    def _routes(self, name: str, places: set[str], seen: set[str]) -> Iterator[tuple[Route, str]]:
        for line in self._lines(NAVIGATION, name, Route):
            line.known("start_id", line.row.start_id, places)
            line.known("destination_id", line.row.destination_id, places)
            line.once("route_id", line.row.route_id, seen)
            yield line.row, line.text

    def _derived(self, places: set[str], routes: set[str]) -> Iterator[Derived]:
        for line in self._lines(NAVIGATION, "routes_metadata", RouteMetadata):
            row = line.row
            line.known("start_id", row.start_id, places)
            line.known("destination_id", row.destination_id, places)
            line.known("base_route_id", row.base_route_id, routes)
            detour = row.detour_distance_km or 0.0
            yield Derived(row.route_id, row.start_id, row.destination_id, row.base_route_id, detour)

    def _unique(self, part: str, name: str, model: type[H], seen: set[str]) -> Iterator[_Line[H]]:
        for line in self._lines(part, name, model):
            line.once("id", line.row.id, seen)
            yield line

    def _lines(self, part: str, name: str, model: type[N]) -> Iterator[_Line[N]]:
        """Yield the rows of a file; the first wrong one is complained about."""
        file = self._root / part / f"{name}.jsonl"
        try:
            with file.open(encoding="utf-8-sig") as lines:
                for number, text in enumerate(lines, start=1):
                    if text.strip():
                        yield _Line(file, number, text.strip(), _row(file, number, text, model))
        except OSError as error:
            why = error.strerror or "it cannot be read"
            raise BadData(
                f"the file cannot be read ({why})", Place(file), "put the published file there"
            ) from error
        except UnicodeDecodeError as error:
            raise BadData("this is not UTF-8 text", Place(file), "save the file as UTF-8") from error


def _row(file: Path, number: int, text: str, model: type[N]) -> N:
    try:
        return model.model_validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        key = ".".join(str(part) for part in first["loc"])
        message = first["msg"].removeprefix("Value error, ").rstrip(".")
        place = Place(file, number, key or None)
        fix = "bring the row to the published layout"
        raise BadData(message[:1].lower() + message[1:], place, fix) from error
