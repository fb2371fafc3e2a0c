"""Navigation: every edit keeps waypoints and routes in step, and every refusal is classed as published."""

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knowact.core.errors import BadUsage
from knowact.core.world import Call
from knowact.worlds.car.contract import Fault
from knowact.worlds.car.rules import Rules
from knowact.worlds.car.session import CarState, Step
from knowact.worlds.car.world import CarWorld

DATA = CarWorld().open({}, 0).car.databases
CITY = {city.name: city.id for city in DATA.locations.values()}
MUNICH, STUTTGART, NUREMBERG, AUGSBURG, BERLIN = (
    CITY[name] for name in ("Munich", "Stuttgart", "Nuremberg", "Augsburg", "Berlin")
)
SHORT = "r"


def route(start: str, destination: str, alternative: int = 0) -> str:
    return DATA.routes(start, destination)[alternative].route_id


def trip(*places: str) -> dict[str, Any]:
    """The setup of an active navigation over some places."""
    routes = [route(a, b) for a, b in pairwise(places)]
    return {
        "navigation_active": True,
        "waypoints_id": list(places),
        "routes_to_final_destination_id": routes,
    }


TWO = trip(MUNICH, STUTTGART)
THREE = trip(MUNICH, NUREMBERG, BERLIN)


def opened(setup: dict[str, Any], rules: Rules = Rules.DEFINITION) -> CarState:
    return CarWorld(rules).open(setup, 0)


def done(setup: dict[str, Any], tool: str, rules: Rules = Rules.DEFINITION, /, **given: Any) -> Step:
    return opened(setup, rules).do(Call(tool, given))


def in_step(session: CarState) -> bool:
    """Whether every route leads from its waypoint to the next."""
    state = session.car.state
    places, routes = state.texts("waypoints_id"), state.texts("routes_to_final_destination_id")
    if not state.on("navigation_active"):
        return not places and not routes
    ends = [DATA.route(one) for one in routes]
    return len(places) == len(routes) + 1 >= 2 and all(
        one is not None and (one.start_id, one.destination_id) == (a, b)
        for one, a, b in zip(ends, places, places[1:], strict=False)
    )


class TestEdits:
    def test_a_new_navigation_goes_over_all_its_routes(self) -> None:
        session = opened({})
        routes = [route(MUNICH, NUREMBERG), route(NUREMBERG, BERLIN)]
        seen = session.call(Call("set_new_navigation", {"route_ids": routes}))
        assert seen.value["waypoints"] == [MUNICH, NUREMBERG, BERLIN]
        assert (seen.value["start_id"], seen.value["destination_id"]) == (MUNICH, BERLIN)
        assert in_step(session)

    def test_a_waypoint_comes_between_two_neighbours(self) -> None:
        session = opened(TWO)
        seen = session.call(
            Call(
                "navigation_add_one_waypoint",
                {
                    "waypoint_id_to_add": AUGSBURG,
                    "waypoint_id_before_new_waypoint": MUNICH,
                    "route_id_leading_to_new_waypoint": route(MUNICH, AUGSBURG),
                    "waypoint_id_after_new_waypoint": STUTTGART,
                    "route_id_leading_away_from_new_waypoint": route(AUGSBURG, STUTTGART),
                },
            )
        )
        assert seen.value["new_waypoints_id"] == [MUNICH, AUGSBURG, STUTTGART]
        assert in_step(session)

    def test_a_waypoint_behind_the_destination_becomes_the_destination(self) -> None:
        session = opened(TWO)
        given_here = {
            "waypoint_id_to_add": BERLIN,
            "waypoint_id_before_new_waypoint": STUTTGART,
            "route_id_leading_to_new_waypoint": route(STUTTGART, BERLIN),
        }
        seen = session.call(Call("navigation_add_one_waypoint", given_here))
        assert seen.value["new_waypoints_id"] == [MUNICH, STUTTGART, BERLIN]
        assert in_step(session)

    def test_a_place_that_comes_twice_is_told_apart_by_the_one_after_it(self) -> None:
        session = opened(trip(MUNICH, STUTTGART, MUNICH, BERLIN))
        given_here = {
            "waypoint_id_to_add": NUREMBERG,
            "waypoint_id_before_new_waypoint": MUNICH,
            "route_id_leading_to_new_waypoint": route(MUNICH, NUREMBERG),
            "waypoint_id_after_new_waypoint": BERLIN,
            "route_id_leading_away_from_new_waypoint": route(NUREMBERG, BERLIN),
        }
        seen = session.call(Call("navigation_add_one_waypoint", given_here))
        assert seen.value["new_waypoints_id"] == [MUNICH, STUTTGART, MUNICH, NUREMBERG, BERLIN]
        assert in_step(session)

    def test_deleting_the_navigation_is_harmless_where_there_is_none(self) -> None:
        assert done({}, "delete_current_navigation").observation.value["changed"] is False
        assert done(TWO, "delete_current_navigation").observation.value["changed"] is True

    @settings(deadline=None, max_examples=60)
    @given(st.data())
    def test_waypoints_and_routes_stay_in_step_whatever_is_edited(self, data: st.DataObject) -> None:
        session = opened(trip(MUNICH, NUREMBERG, BERLIN))
        places = [MUNICH, STUTTGART, NUREMBERG, AUGSBURG, BERLIN]
        for _ in range(data.draw(st.integers(1, 6))):
            session.do(data.draw(edits(session, places)))
            assert in_step(session)


def edits(session: CarState, places: list[str]) -> st.SearchStrategy[Call]:
    """Edits of the present navigation: mostly such as fit it, some that do not."""
    waypoints = session.car.state.texts("waypoints_id") or [MUNICH]
    new = st.sampled_from(places)

    def adding(at: int, place: str, *, fits: bool) -> Call:
        before, after = waypoints[at], waypoints[at + 1] if at + 1 < len(waypoints) else None
        given_here = {
            "waypoint_id_to_add": place,
            "waypoint_id_before_new_waypoint": before,
            "route_id_leading_to_new_waypoint": way(before, place),
        }
        if after is not None and fits:
            given_here["waypoint_id_after_new_waypoint"] = after
            given_here["route_id_leading_away_from_new_waypoint"] = way(place, after)
        return Call("navigation_add_one_waypoint", given_here)

    def replacing(at: int, place: str) -> Call:
        given_here = {
            "waypoint_id_to_replace": waypoints[at],
            "new_waypoint_id": place,
            "route_id_leading_to_new_waypoint": way(waypoints[at - 1], place),
            "route_id_leading_away_from_new_waypoint": way(place, waypoints[(at + 1) % len(waypoints)]),
        }
        return Call("navigation_replace_one_waypoint", given_here)

    def deleting(at: int) -> Call:
        straight = way(waypoints[at - 1], waypoints[(at + 1) % len(waypoints)])
        given_here = {"waypoint_id_to_delete": waypoints[at], "route_id_without_waypoint": straight}
        return Call("navigation_delete_waypoint", given_here)

    def outcome(place: str) -> Call:
        given_here = {
            "new_destination_id": place,
            "route_id_leading_to_new_destination": way(waypoints[-2:][0], place),
        }
        return Call("navigation_replace_final_destination", given_here)

    index = st.integers(0, len(waypoints) - 1)
    last = Call("navigation_delete_destination", {"destination_id_to_delete": waypoints[-1]})
    return st.one_of(
        st.builds(adding, index, new, fits=st.booleans()),
        st.builds(replacing, index, new),
        st.builds(deleting, index),
        st.builds(outcome, new),
        st.just(last),
        new.map(lambda place: Call("set_new_navigation", {"route_ids": [way(MUNICH, place)]})),
        st.just(Call("delete_current_navigation")),
    )


def way(start: str, destination: str) -> str:
    return route(start, destination) if start != destination else "rll_mun_mun_000000"


class TestRefusals:
    @pytest.mark.parametrize("rules", list(Rules))
    def test_a_second_navigation_violates_the_policy_on_editing(self, rules: Rules) -> None:
        step = done(TWO, "set_new_navigation", rules, route_ids=[route(MUNICH, BERLIN)])
        assert (step.fault, step.policies, step.changes) == (Fault.LOGGED, ("AUT-POL:018",), ())

    def test_another_start_is_refused_but_only_noted_as_published(self) -> None:
        routes = [route(STUTTGART, BERLIN)]
        here = done({}, "set_new_navigation", route_ids=routes)
        assert (here.observation.ok, here.policies, here.changes) == (False, ("AUT-POL:016",), ())
        there = done({}, "set_new_navigation", Rules.PUBLISHED, route_ids=routes)
        assert (there.observation.ok, there.policies, there.fault) == (True, ("AUT-POL:016",), None)
        assert {change.name for change in there.changes} >= {"navigation_active", "waypoints_id"}

    @pytest.mark.parametrize("rules", list(Rules))
    @pytest.mark.parametrize(
        ("tool", "given_here"),
        [
            (
                "navigation_add_one_waypoint",
                {
                    "waypoint_id_to_add": BERLIN,
                    "waypoint_id_before_new_waypoint": STUTTGART,
                    "route_id_leading_to_new_waypoint": route(STUTTGART, BERLIN),
                },
            ),
            (
                "navigation_replace_one_waypoint",
                {
                    "waypoint_id_to_replace": NUREMBERG,
                    "new_waypoint_id": AUGSBURG,
                    "route_id_leading_to_new_waypoint": route(MUNICH, AUGSBURG),
                    "route_id_leading_away_from_new_waypoint": route(AUGSBURG, BERLIN),
                },
            ),
            (
                "navigation_replace_final_destination",
                {"new_destination_id": BERLIN, "route_id_leading_to_new_destination": route(MUNICH, BERLIN)},
            ),
            (
                "navigation_delete_waypoint",
                {"waypoint_id_to_delete": NUREMBERG, "route_id_without_waypoint": route(MUNICH, BERLIN)},
            ),
            ("navigation_delete_destination", {"destination_id_to_delete": BERLIN}),
        ],
    )
    def test_editing_what_is_not_active_violates_the_policy_on_that(
        self, tool: str, given_here: dict[str, Any], rules: Rules
    ) -> None:
        step = opened({}, rules).do(Call(tool, given_here))
        assert (step.fault, step.policies, step.changes) == (Fault.LOGGED, ("AUT-POL:017",), ())

    @pytest.mark.parametrize("rules", list(Rules))
    def test_a_navigation_keeps_its_destination(self, rules: Rules) -> None:
        step = done(TWO, "navigation_delete_destination", rules, destination_id_to_delete=STUTTGART)
        assert (step.fault, step.policies, step.changes) == (Fault.LOGGED, ("AUT-POL:019",), ())

    @pytest.mark.parametrize(
        ("setup", "tool", "given_here", "fault"),
        [
            ({}, "set_new_navigation", {"route_ids": [SHORT]}, Fault.RAISED),
            ({}, "set_new_navigation", {"route_ids": []}, Fault.RAISED),
            ({}, "set_new_navigation", {"route_ids": ["no route at all"]}, Fault.LOGGED),
            ({}, "set_new_navigation", {"route_ids": ["rll_mun_ber_000000"]}, Fault.RAISED),
            (
                {},
                "set_new_navigation",
                {"route_ids": [route(MUNICH, BERLIN), "rll_mun_ber_000000"]},
                Fault.LOGGED,
            ),
            (
                {},
                "set_new_navigation",
                {"route_ids": [route(MUNICH, BERLIN), route(MUNICH, STUTTGART)]},
                Fault.LOGGED,
            ),
            (
                THREE,
                "navigation_delete_waypoint",
                {"waypoint_id_to_delete": BERLIN, "route_id_without_waypoint": route(MUNICH, BERLIN)},
                Fault.RAISED,
            ),
            (
                THREE,
                "navigation_delete_waypoint",
                {"waypoint_id_to_delete": MUNICH, "route_id_without_waypoint": route(MUNICH, BERLIN)},
                Fault.LOGGED,
            ),
            (
                THREE,
                "navigation_delete_waypoint",
                {"waypoint_id_to_delete": NUREMBERG, "route_id_without_waypoint": "rll_mun_ber_000000"},
                Fault.LOGGED,
            ),
            (THREE, "navigation_delete_destination", {"destination_id_to_delete": NUREMBERG}, Fault.LOGGED),
            (
                THREE,
                "navigation_replace_final_destination",
                {"new_destination_id": MUNICH, "route_id_leading_to_new_destination": route(BERLIN, MUNICH)},
                Fault.LOGGED,
            ),
            (
                THREE,
                "navigation_replace_one_waypoint",
                {
                    "waypoint_id_to_replace": NUREMBERG,
                    "new_waypoint_id": BERLIN,
                    "route_id_leading_to_new_waypoint": route(MUNICH, BERLIN),
                    "route_id_leading_away_from_new_waypoint": route(NUREMBERG, BERLIN),
                },
                Fault.LOGGED,
            ),
            (
                TWO,
                "navigation_add_one_waypoint",
                {
                    "waypoint_id_to_add": BERLIN,
                    "waypoint_id_before_new_waypoint": STUTTGART,
                    "route_id_leading_to_new_waypoint": route(STUTTGART, BERLIN),
                    "waypoint_id_after_new_waypoint": MUNICH,
                },
                Fault.LOGGED,
            ),
            (
                TWO,
                "navigation_add_one_waypoint",
                {
                    "waypoint_id_to_add": BERLIN,
                    "waypoint_id_before_new_waypoint": STUTTGART,
                    "route_id_leading_to_new_waypoint": route(STUTTGART, BERLIN),
                    "waypoint_id_after_new_waypoint": MUNICH,
                    "route_id_leading_away_from_new_waypoint": route(BERLIN, MUNICH),
                },
                Fault.LOGGED,
            ),
        ],
    )
    @pytest.mark.parametrize("rules", list(Rules))
    def test_what_does_not_fit_changes_nothing_and_is_classed_as_published(
        self, setup: dict[str, Any], tool: str, given_here: dict[str, Any], fault: Fault, rules: Rules
    ) -> None:
        step = opened(setup, rules).do(Call(tool, given_here))
        assert not step.observation.ok
        assert (step.fault, step.changes) == (fault, ())

    @pytest.mark.parametrize(
        "setup",
        [
            {"navigation_active": True},
            {"navigation_active": True, "waypoints_id": [MUNICH]},
            {**TWO, "routes_to_final_destination_id": []},
        ],
    )
    def test_a_navigation_that_no_tool_could_have_set_is_refused(self, setup: dict[str, Any]) -> None:
        with pytest.raises(BadUsage, match="waypoints_id"):
            opened(setup)

    def test_an_inactive_navigation_may_remember_a_route(self) -> None:
        assert opened({"routes_to_final_destination_id": [route(MUNICH, BERLIN)]})
