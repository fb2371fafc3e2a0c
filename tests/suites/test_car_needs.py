"""What a trial must have found out, and what does as well as finding it out."""

from typing import Any

from car_trials import call, drive, opened
from knowact.suites.car.goals import Reference, Told, needs_of
from knowact.worlds.car.rules import Rules

CITIES = {city.name: city.id for city in opened().car.databases.locations.values()}


def test_people_may_be_looked_up_together_or_one_by_one() -> None:
    both = Reference(tool="get_contact_information", arguments={"contact_ids": ["con_1", "con_2"]})
    reads = [need.any_of[0].arguments for need in needs_of([both])]
    assert reads == [{"contact_ids": ["con_1"]}, {"contact_ids": ["con_2"]}]


def test_preferences_may_be_asked_for_together_or_one_by_one() -> None:
    asked: dict[str, Any] = {
        "weather": {"weather": True, "other": False},
        "navigation": {"routes": True, "stops": True},
    }
    several = Reference(tool="get_user_preferences", arguments={"preference_categories": asked})
    singly = [
        {"weather": {"weather": True}},
        {"navigation": {"routes": True}},
        {"navigation": {"stops": True}},
    ]
    reads = [need.any_of[0].arguments for need in needs_of([several])]
    assert reads == [{"preference_categories": one} for one in singly]


def test_what_a_rule_wants_at_one_value_may_be_set_unread() -> None:
    read = "get_sunroof_and_sunshade_position"
    shade = Reference(tool=read, reads=("sunshade_position",))
    opened = Reference(tool="open_close_sunroof", arguments={"percentage": 50}, knowing=(0,))
    (need,) = needs_of([shade, opened])
    assert [one.tool for one in need.any_of] == [read, "open_close_sunshade"]
    # Where the read tells a value, or more is read, nothing stands in for it.
    by_more = opened.model_copy(update={"told": {"percentage": (Told(step=0, field="sunroof_position"),)}})
    (need,) = needs_of([shade, by_more])
    assert [one.tool for one in need.any_of] == [read]
    (need,) = needs_of([Reference(tool=read, reads=("sunroof_position",)), opened])
    assert [one.tool for one in need.any_of] == [read]


def test_setting_what_a_rule_wants_needs_no_look_at_it_itself() -> None:
    """Low beams on, high beams off, fog lights on, each in a message of its own, is as good as in one."""
    beams = ("head_lights_low_beams", "head_lights_high_beams")
    status = Reference(tool="get_exterior_lights_status", reads=beams)
    sets = [Reference(tool=f"set_{beam}", arguments={"on": True}, knowing=(0,)) for beam in beams]
    fog = Reference(tool="set_fog_lights", arguments={"on": True}, knowing=(0,))
    (need,) = needs_of([status, *sets, fog])
    assert need.before == (3,)
    (need,) = needs_of([status, *sets])
    assert need.before == (1, 2), "without anything else that hangs on it"


def test_how_far_a_charge_carries_may_be_worked_out_unless_the_driver_has_to_be_asked() -> None:
    status, distance = "get_charging_specs_and_status", "get_distance_by_soc"
    cell = Reference(tool=status)
    told = {"initial_state_of_charge": (Told(step=0, field="state_of_charge"),)}
    far = Reference(tool=distance, arguments={"initial_state_of_charge": 65}, told=told)
    assert [one.tool for one in needs_of([cell, far])[1].any_of] == [distance, status]
    assert [one.tool for one in needs_of([cell, far], asks=[distance])[1].any_of] == [distance]
    assert [one.tool for one in needs_of([far.model_copy(update={"told": {}})])[0].any_of] == [distance]


def test_a_city_may_be_looked_up_by_any_of_its_names() -> None:
    named = Reference(tool="get_location_id_by_location_name", arguments={"location": "Zürich"})
    to = {"destination_id": (Told(step=0, field="id"),)}
    arguments = {"start_id": "loc_a", "destination_id": CITIES["Zürich"]}
    route = Reference(tool="get_routes_from_start_to_destination", arguments=arguments, told=to)
    (read,) = needs_of([named, route])[0].any_of
    for name, found in (("Zürich", True), ("Zurich", True), ("zuerich", True), ("Munich", False)):
        trial = drive(call(named.tool, location=name), rules=Rules.DEFINITION)
        assert read.done_by(trial.calls[0]) is found
    (bare,) = needs_of([named])[0].any_of
    assert not bare.done_by(drive(call(named.tool, location="Zurich"), rules=Rules.DEFINITION).calls[0])
