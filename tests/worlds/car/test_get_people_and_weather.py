"""Contacts, calendar and weather: who is meant, which day it is, and what the published world does."""

from typing import Any, ClassVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from car_asking import done, value
from knowact.worlds.car.contract import Fault
from knowact.worlds.car.rules import Rules
from knowact.worlds.car.spelling import FARTHEST, folded, mistakes, nearest
from knowact.worlds.car.world import CarWorld

DATA = CarWorld().open({}, 0).car.databases
PEOPLE = list(DATA.contacts.values())
MUNICH = "loc_mun_9995"
NOON: dict[str, Any] = {"location_or_poi_id": MUNICH, "month": 2, "day": 14, "time_hour_24hformat": 12}


class TestContactByName:
    def test_everybody_is_found_by_their_full_name(self) -> None:
        for person in PEOPLE:
            found = value(
                "get_contact_id_by_contact_name",
                contact_first_name=person.name.first_name.upper(),
                contact_last_name=person.name.last_name,
            )["matches"]
            assert found[0]["id"] == person.id
            assert found[0]["name"] == f"{person.name.first_name} {person.name.last_name}"

    @pytest.mark.parametrize("rules", list(Rules))
    def test_all_who_share_a_name_are_told(self, rules: Rules) -> None:
        found = value("get_contact_id_by_contact_name", rules, contact_first_name="Nele")["matches"]
        named = {person.id for person in PEOPLE if person.name.first_name == "Nele"}
        assert {match["id"] for match in found} >= named
        assert len(named) == 8

    def test_the_published_world_writes_small_letters(self) -> None:
        found = value("get_contact_id_by_contact_name", Rules.PUBLISHED, contact_first_name="Nele")
        assert all(match["name"].islower() for match in found["matches"])

    def test_with_two_mistakes_only_the_nearest_is_told(self) -> None:
        person = next(p for p in PEOPLE if len(p.name.first_name) > 6 and len(p.name.last_name) > 6)
        found = value(
            "get_contact_id_by_contact_name",
            contact_first_name=person.name.first_name[:-2] + "xx",
            contact_last_name=person.name.last_name,
        )["matches"]
        assert [match["id"] for match in found] == [person.id]

    @pytest.mark.parametrize("given", [{}, {"contact_first_name": ""}, {"contact_last_name": "Xyzzyxyz"}])
    def test_nobody_is_refused(self, given: dict[str, str]) -> None:
        for rules in Rules:
            step = done("get_contact_id_by_contact_name", rules, None, **given)
            assert step.observation.problem is not None
            assert step.fault is Fault.LOGGED


class TestContactInformation:
    def test_is_that_of_the_address_book(self) -> None:
        found = value("get_contact_information", contact_ids=[PEOPLE[3].id, PEOPLE[1].id, PEOPLE[3].id])
        assert [one["email"] for one in found["contacts"]] == [PEOPLE[3].email, PEOPLE[1].email]
        assert found["unknown_ids"] == []

    def test_leaves_out_who_is_not_in_it_and_says_so(self) -> None:
        found = value("get_contact_information", contact_ids=["con_0000", PEOPLE[0].id])
        assert [one["id"] for one in found["contacts"]] == [PEOPLE[0].id]
        assert found["unknown_ids"] == ["con_0000"]

    def test_of_nobody_is_refused_but_not_in_the_published_world(self) -> None:
        assert not done("get_contact_information", contact_ids=["con_0000"]).observation.ok
        assert not done("get_contact_information", contact_ids=[]).observation.ok
        found = value("get_contact_information", Rules.PUBLISHED, contact_ids=["con_0000"])
        assert found == {"contacts": [], "unknown_ids": ["con_0000"]}

    @pytest.mark.parametrize(("text", "fault"), [("con", Fault.RAISED), ("Nele Keller", Fault.LOGGED)])
    def test_needs_ids(self, text: str, fault: Fault) -> None:
        assert done("get_contact_information", Rules.PUBLISHED, contact_ids=[text]).fault is fault


class TestCalendar:
    CALENDAR = list(DATA.calendars.values())[7]
    TODAY: ClassVar[dict[str, Any]] = {
        "calendar_id": CALENDAR.id,
        "current_datetime": {
            "year": 2025,
            "month": CALENDAR.date.month,
            "day": CALENDAR.date.day,
            "hour": 8,
            "minute": 0,
        },
    }

    @pytest.mark.parametrize("rules", list(Rules))
    def test_of_today_is_told(self, rules: Rules) -> None:
        date = self.CALENDAR.date
        found = value("get_entries_from_calendar", rules, self.TODAY, month=date.month, day=date.day)
        assert found["date"] == {"year": 2025, "month": date.month, "day": date.day}
        assert [m["topic"] for m in found["meetings"]] == [m.topic for m in self.CALENDAR.meetings]

    def test_stands_for_the_day_of_the_trial(self) -> None:
        found = value(
            "get_entries_from_calendar", Rules.DEFINITION, {"calendar_id": self.CALENDAR.id}, month=2, day=14
        )
        assert found["date"] == {"year": 2025, "month": 2, "day": 14}

    @pytest.mark.parametrize("rules", list(Rules))
    @pytest.mark.parametrize(("month", "day"), [(2, 15), (3, 14)])
    def test_of_another_day_breaks_a_policy(self, rules: Rules, month: int, day: int) -> None:
        step = done("get_entries_from_calendar", rules, None, month=month, day=day)
        assert step.observation.problem is not None
        assert step.observation.problem.code == "conflict"
        assert (step.fault, step.policies) == (Fault.LOGGED, ("AUT-POL:023",))

    def test_of_a_month_that_there_is_not_breaks_it_in_the_published_world_only(self) -> None:
        assert done("get_entries_from_calendar", Rules.PUBLISHED, month=13, day=1).policies
        step = done("get_entries_from_calendar", month=13, day=1)
        assert step.observation.problem is not None
        assert step.observation.problem.code == "bad_arguments"

    def test_that_does_not_exist_is_not_found(self) -> None:
        step = done("get_entries_from_calendar", Rules.PUBLISHED, {"calendar_id": "cal_x"}, month=2, day=14)
        assert step.fault is Fault.RAISED


class TestWeather:
    @settings(deadline=None, max_examples=60)
    @given(st.integers(0, 23), st.integers(0, 59))
    def test_is_of_the_slot_that_the_time_lies_in_and_of_the_next(self, hour: int, minute: int) -> None:
        given_ = {**NOON, "time_hour_24hformat": hour, "time_minutes": minute}
        found, weather = value("get_weather", **given_), DATA.weather(MUNICH)
        assert weather is not None
        slots = [slot.model_dump() for slot in weather.weather]
        assert found["current_slot"] == slots[hour // 3]
        assert found.get("next_slot") == (slots[hour // 3 + 1] if hour < 21 else None)

    def test_of_a_place_is_that_of_its_city(self) -> None:
        place = DATA.pois_at(MUNICH, "bakery")[0].id
        assert value("get_weather", **{**NOON, "location_or_poi_id": place}) == value("get_weather", **NOON)

    def test_of_the_published_world_has_no_next_slot_and_no_early_morning(self) -> None:
        assert set(value("get_weather", Rules.PUBLISHED, **NOON)) == {"current_slot"}
        for hour in (0, 5, 24, 99):
            step = done("get_weather", Rules.PUBLISHED, **{**NOON, "time_hour_24hformat": hour})
            assert step.fault is Fault.RAISED
        assert value("get_weather", Rules.PUBLISHED, **{**NOON, "time_hour_24hformat": 6})

    def test_at_a_minute_that_there_is_not_is_no_error_that_the_published_world_counts(self) -> None:
        step = done("get_weather", Rules.PUBLISHED, **{**NOON, "time_minutes": 75})
        assert (step.observation.ok, step.fault) == (False, Fault.RAISED)

    @pytest.mark.parametrize("rules", list(Rules))
    @pytest.mark.parametrize("other", [{"month": 3}, {"day": 15}])
    def test_of_another_day_breaks_a_policy(self, rules: Rules, other: dict[str, int]) -> None:
        step = done("get_weather", rules, **{**NOON, **other})
        assert step.observation.problem is not None
        assert (step.fault, step.policies) == (Fault.LOGGED, ("AUT-POL:024",))

    def test_of_a_place_along_a_road_is_not_known(self) -> None:
        berlin = next(city.id for city in DATA.locations.values() if city.name == "Berlin")
        stop = DATA.pois_along(DATA.routes(MUNICH, berlin)[0].route_id, "bakery")[0]
        step = done("get_weather", Rules.PUBLISHED, **{**NOON, "location_or_poi_id": stop.id})
        assert step.observation.problem is not None
        assert (step.fault, step.policies) == (Fault.LOGGED, ())


def slow_distance(one: str, other: str) -> int:
    """The edit distance, from its definition."""
    if not one or not other:
        return len(one) + len(other)
    if one[-1] == other[-1]:
        return slow_distance(one[:-1], other[:-1])
    return 1 + min(
        slow_distance(one[:-1], other), slow_distance(one, other[:-1]), slow_distance(one[:-1], other[:-1])
    )


class TestSpelling:
    @settings(deadline=None, max_examples=150)
    @given(st.text("abc", max_size=6), st.text("abc", max_size=6))
    def test_mistakes_are_the_edit_distance_up_to_a_few(self, one: str, other: str) -> None:
        distance = slow_distance(one, other)
        assert min(mistakes(one, other), FARTHEST + 1) == min(distance, FARTHEST + 1)
        assert (mistakes(one, other) == 0) == (one == other)

    def test_capitals_accents_and_spaces_do_not_count(self) -> None:
        assert folded("  ZÜRICH ") == folded("Zu\u0308rich") == "zurich"

    def test_short_names_may_have_one_mistake_only(self) -> None:
        assert nearest("Bern", ["Berlin"]) == []
        assert nearest("Berlinn", ["Berlin", "Bern"]) == ["Berlin"]
        assert nearest("", []) == []
