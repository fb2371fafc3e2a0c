"""A folder in the published layout is read back as it was written, and complained about by line."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from car_data import NAVIGATION, PEOPLE, write_folder
from knowact.core.errors import BadData
from knowact.core.world import Call
from knowact.worlds.car.databases import Databases
from knowact.worlds.car.databases.generated import generated_databases
from knowact.worlds.car.databases.published import INDEX, RouteMetadata, read_databases, read_folder
from knowact.worlds.car.databases.rows import CATEGORIES
from knowact.worlds.car.rules import Rules
from knowact.worlds.car.world import CarWorld

CITIES = ("Munich", "Düsseldorf", "Augsburg")


@pytest.fixture(scope="module")
def ours() -> Databases:
    return generated_databases(3)


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory, ours: Databases) -> Path:
    return write_folder(tmp_path_factory.mktemp("published"), ours, CITIES)


@pytest.fixture(scope="module")
def theirs(written: Path) -> Databases:
    return read_databases(written)


@pytest.fixture
def folder(tmp_path: Path, written: Path) -> Path:
    return Path(shutil.copytree(written, tmp_path / "copy"))


def spoil(folder: Path, part: str, name: str, number: int, **fields: Any) -> Path:
    """Change fields of one line; None takes a field away."""
    file = folder / part / f"{name}.jsonl"
    lines = file.read_text("utf-8").splitlines()
    row = json.loads(lines[number - 1]) | fields
    lines[number - 1] = json.dumps({key: value for key, value in row.items() if value is not None})
    file.write_text("\n".join(lines), encoding="utf-8")
    return file


def test_cities_weather_and_people_come_back(ours: Databases, theirs: Databases) -> None:
    assert [city.name for city in theirs.locations.values()] == list(CITIES)
    for city in theirs.locations.values():
        assert ours.locations[city.id] == city
        assert theirs.weather(city.id) == ours.weather(city.id)
    assert dict(theirs.contacts) == dict(ours.contacts)
    assert dict(theirs.calendars) == dict(ours.calendars)


def test_places_come_back_by_city_and_along_routes(ours: Databases, theirs: Databases) -> None:
    for start in theirs.locations:
        for kind in CATEGORIES:
            assert theirs.pois_at(start, kind) == ours.pois_at(start, kind)
            for end in theirs.locations:
                for route in ours.routes(start, end):
                    assert theirs.pois_along(route.route_id, kind) == ours.pois_along(route.route_id, kind)


def test_stored_routes_come_back_as_they_were_and_derived_ones_are_derived_alike(
    ours: Databases, theirs: Databases
) -> None:
    munich, dusseldorf = (next(c.id for c in theirs.locations.values() if c.name == n) for n in CITIES[:2])
    stop = ours.pois_along(ours.routes(munich, dusseldorf)[0].route_id, "charging_stations")[2]
    local, foreign = (ours.pois_at(city, "restaurants")[0] for city in (munich, dusseldorf))
    assert theirs.routes(munich, dusseldorf) == ours.routes(munich, dusseldorf)
    for place in (local, foreign, stop):
        for ends in ((munich, place.id), (place.id, munich)):
            for mine, read in zip(ours.routes(*ends), theirs.routes(*ends), strict=True):
                assert read.distance_km == pytest.approx(mine.distance_km, abs=0.011)
                assert read.minutes == pytest.approx(mine.minutes, abs=1)
                assert theirs.route(read.route_id) == read
                same = {"distance_km", "duration_hours", "duration_minutes"}
                assert read.model_dump(exclude=same) == mine.model_dump(exclude=same)


def test_a_detour_is_found_from_the_metadata(ours: Databases, theirs: Databases) -> None:
    munich, dusseldorf = (next(c.id for c in theirs.locations.values() if c.name == n) for n in CITIES[:2])
    route = theirs.routes(munich, dusseldorf)[1]
    stop = theirs.pois_along(route.route_id, "bakery")[0]
    detour = theirs.detour(route, stop.id)
    assert detour is not None
    assert detour.there.base_route_id == detour.on.base_route_id == route.route_id
    assert detour.there.destination_id == detour.on.start_id == stop.id


def test_counts_are_of_what_stands_there(theirs: Databases) -> None:
    counts = theirs.counts()
    stops = counts.along // 7
    assert (counts.locations, counts.weather, counts.contacts, counts.calendars) == (3, 3, 100, 100)
    assert counts.between_cities == 3 * 2 * 3
    assert counts.bound == 3 * 15
    assert counts.local == counts.bound * 4
    assert counts.derived == stops * 7 * 12 + counts.bound * 2 * 3 * 2


@pytest.mark.parametrize("rules", list(Rules))
def test_tools_answer_from_the_folder_as_from_the_seed(ours: Databases, written: Path, rules: Rules) -> None:
    munich, dusseldorf = (next(c.id for c in ours.locations.values() if c.name == n) for n in CITIES[:2])
    route = ours.routes(munich, dusseldorf)[2].route_id
    folder, seed = CarWorld(rules, written).open({}, 0), CarWorld(rules).open({}, 3)
    weather = {"location_or_poi_id": dusseldorf, "month": 2, "day": 14, "time_hour_24hformat": 9}
    navigation = {"start_id": dusseldorf, "destination_id": munich}
    for tool, given in (
        ("get_location_id_by_location_name", {"location": "Augsburg"}),
        ("get_weather", weather),
        ("get_routes_from_start_to_destination", navigation),
        ("convert_route_distance_and_time", {"route_id": route, "time_minutes": 60}),
        ("search_poi_at_location", {"location_id": munich, "category_poi": "restaurants"}),
        ("get_contact_id_by_contact_name", {"contact_first_name": "Nele"}),
    ):
        seen = folder.call(Call(tool, given))
        assert seen.ok
        assert seen == seed.call(Call(tool, given))
    along = {"route_id": route, "category_poi": "charging_stations", "at_kilometer": 200}
    found, same = (one.call(Call("search_poi_along_the_route", along)).value for one in (folder, seed))
    names = [[poi["name"] for poi in each["pois_found_along_route"]] for each in (found, same)]
    assert names[0] == names[1] != []


def test_nothing_is_known_of_what_is_not_there(theirs: Databases) -> None:
    assert theirs.poi("poi_res_999999") is None
    assert theirs.route("rll_mun_ber_000000") is None
    assert theirs.routes("loc_mun_9995", "loc_mun_9995") == ()
    assert theirs.pois_at("loc_mun_9994", "bakery") == ()
    assert theirs.pois_along("rll_mun_ber_000000", "bakery") == ()
    assert theirs.weather("") is None
    assert not theirs.knows_phone("+49 1")
    assert not theirs.knows_phone("\ud800")
    assert theirs.place("\udfff") is None


def test_phone_numbers_are_known_whatever_their_spaces(theirs: Databases) -> None:
    poi = theirs.pois_at("loc_mun_9995", "bakery")[0]
    contact = next(iter(theirs.contacts.values()))
    for number in (poi.phone_number, contact.phone_number):
        assert theirs.knows_phone(number)
        assert theirs.knows_phone(number.replace(" ", ""))


def test_the_outer_folder_will_do_and_is_read_once(tmp_path: Path, written: Path) -> None:
    shutil.copytree(written, tmp_path / "mock_data")
    found = read_databases(tmp_path)
    assert len(found.locations) == 3
    assert read_databases(tmp_path) is found


def test_a_folder_without_the_files_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadData, match="there is no folder 'navigation'"):
        read_databases(tmp_path)


@pytest.mark.parametrize(
    ("part", "name"), [(NAVIGATION, "weather"), (NAVIGATION, "routes_metadata"), (PEOPLE, "contacts")]
)
def test_a_missing_file_is_named(folder: Path, part: str, name: str) -> None:
    (folder / part / f"{name}.jsonl").unlink()
    with pytest.raises(BadData, match=rf"of the 9 files, these are missing: {part}/{name}\.jsonl \("):
        read_databases(folder)


def test_all_missing_files_are_told_at_once_with_what_lies_there_instead(folder: Path) -> None:
    shutil.rmtree(folder / PEOPLE)
    pois = folder / NAVIGATION / "pois.jsonl"
    pois.rename(pois.with_suffix(".parquet"))
    with pytest.raises(BadData) as caught:
        read_databases(folder)
    assert str(caught.value) == (
        f"{folder}: of the 9 files, these are missing: navigation/pois.jsonl (points of interest, here as "
        "pois.parquet); productivity_and_communication/contacts.jsonl (the address book); "
        "productivity_and_communication/calendars.jsonl (the drivers' calendars). "
        "Fix: put the published files there, as JSON Lines."
    )


WRONG: list[tuple[str, str, int, dict[str, Any], str]] = [
    (NAVIGATION, "locations", 2, {"position": None}, "field 'position': field required"),
    (NAVIGATION, "locations", 3, {"country": "DE"}, "field 'country': extra inputs"),
    (NAVIGATION, "locations", 3, {"id": "loc_mun_9995"}, "field 'id': 'loc_mun_9995' occurs twice"),
    (NAVIGATION, "pois", 4, {"opening_hours": "9-17"}, "field 'opening_hours': string should match"),
    (NAVIGATION, "pois", 4, {"category": "museum"}, "field 'category': input should be"),
    (NAVIGATION, "pois", 1, {"corresponding_location_id": None}, "a POI has either"),
    (NAVIGATION, "pois", 1, {"corresponding_location_id": "loc_x"}, "'loc_x' is the id of nothing here"),
    (NAVIGATION, "pois", 60, {"corresponding_route_ids": ["rll_x"]}, "'rll_x' is the id of nothing here"),
    (NAVIGATION, "weather", 1, {"location_id": "loc_x"}, "field 'location_id': 'loc_x' is the id of"),
    (NAVIGATION, "routes_location_location", 5, {"distance_km": -1}, "field 'distance_km': input should"),
    (NAVIGATION, "routes_location_poi", 2, {"destination_id": "poi_x"}, "'poi_x' is the id of nothing"),
    (NAVIGATION, "routes_metadata", 7, {"base_route_id": "rll_x"}, "'rll_x' is the id of nothing here"),
    (NAVIGATION, "routes_metadata", 7, {"detour_distance_km": "far"}, "field 'detour_distance_km'"),
    (PEOPLE, "contacts", 100, {"email": None}, "field 'email': field required"),
    (PEOPLE, "calendars", 9, {"meetings": [{}]}, "field 'meetings.0.start': field required"),
]


@pytest.mark.parametrize(("part", "name", "number", "fields", "complaint"), WRONG)
def test_a_wrong_row_is_named_by_file_line_and_field(  # noqa: PLR0917 - one case
    folder: Path, part: str, name: str, number: int, fields: dict[str, Any], complaint: str
) -> None:
    file = spoil(folder, part, name, number, **fields)
    with pytest.raises(BadData) as caught:
        read_databases(folder)
    assert str(caught.value).startswith(f"{file.resolve()}:{number}")
    assert complaint in str(caught.value)


def test_what_is_no_json_or_no_utf8_is_complained_about(folder: Path) -> None:
    file = folder / PEOPLE / "contacts.jsonl"
    text = file.read_text("utf-8").splitlines()
    file.write_text("\n".join([*text[:3], "", text[3][:-9]]), encoding="utf-8")
    with pytest.raises(BadData, match=r"contacts\.jsonl:5: invalid JSON"):
        read_databases(folder)
    file.write_bytes(b"\xff\xfe{}")
    with pytest.raises(BadData, match="this is not UTF-8 text"):
        read_databases(folder)


def test_a_derived_route_that_stands_there_twice_is_found(folder: Path) -> None:
    file = folder / NAVIGATION / "routes_metadata.jsonl"
    lines = file.read_text("utf-8").splitlines()
    file.write_text("\n".join([*lines, lines[4]]), encoding="utf-8")
    with pytest.raises(BadData, match=rf"routes_metadata\.jsonl:{len(lines) + 1}, .* occurs twice"):
        read_databases(folder)


class TestIndex:
    """What was read is kept beside the files, so that they are read once and not once per process."""

    def refuse(self, *_: object, **__: object) -> RouteMetadata:
        raise AssertionError("a row was read again")

    def test_is_used_while_the_files_stay_as_they_are(
        self, folder: Path, ours: Databases, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        read_folder(folder)
        assert (folder / INDEX).is_file()
        monkeypatch.setattr(RouteMetadata, "model_validate_json", self.refuse)
        found = read_folder(folder)
        assert found.poi("poi_air_070628") == ours.poi("poi_air_070628")
        spoil(folder, NAVIGATION, "pois", 3, phone_number="+49 1")
        with pytest.raises(AssertionError, match="read again"):
            read_folder(folder)

    def test_that_is_broken_is_made_anew(self, folder: Path) -> None:
        counts = read_folder(folder).counts()
        (folder / INDEX).write_bytes(b"this is no database" * 99)
        assert read_folder(folder).counts() == counts
        assert read_folder(folder).counts() == counts

    def test_is_not_kept_where_nothing_can_be_written(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def refuse(*_: object) -> None:
            raise PermissionError

        (folder / INDEX).unlink(missing_ok=True)
        monkeypatch.setattr("tempfile.mkstemp", refuse)
        assert read_folder(folder).counts().locations == 3
        assert not (folder / INDEX).exists()

    def test_of_files_that_are_wrong_is_not_kept(self, folder: Path) -> None:
        (folder / INDEX).unlink(missing_ok=True)
        spoil(folder, NAVIGATION, "routes_metadata", 7, base_route_id="rll_x")
        with pytest.raises(BadData):
            read_folder(folder)
        assert {one.name for one in folder.iterdir()} == {NAVIGATION, PEOPLE}
