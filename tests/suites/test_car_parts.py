"""The parts of tasks: what messages are ruled on, the same for all versions of a task."""

import json
from dataclasses import replace
from typing import cast

from car_agents import planned, shipped
from knowact.core.declared import Act, Declared
from knowact.core.parts import Part
from knowact.core.world import Call
from knowact.reading.quotes import folded, stands_in
from knowact.roles.simulated_user import PROPOSED, proposal
from knowact.suites.car.items import CarItem
from knowact.suites.car.parts import FEWEST, missing_part, parts_of_all
from knowact.suites.car.role_views import case_of, user_of
from knowact.suites.car.tasks import Removal
from knowact.worlds.car.catalogue import OPERATIONS
from knowact.worlds.car.record import TaskType

TOOLS = {name: one.tool for name, one in OPERATIONS.items()}


def test_all_versions_of_a_task_have_the_same_parts() -> None:
    by_cluster: dict[str, set[tuple[Part, ...]]] = {}
    for item in shipped():
        by_cluster.setdefault(item.task.cluster, set()).add(item.parts)
    assert len(by_cluster) == 100
    assert all(len(parts) == 1 for parts in by_cluster.values())


def test_there_are_at_least_three_and_none_names_a_tool() -> None:
    for item in shipped():
        assert len(item.parts) >= FEWEST
        assert len({part.words for part in item.parts}) == len(item.parts), item.id
        assert not any(name in part.words for part in item.parts for name in TOOLS if "_" in name)
        assert not any("REQUIRES" in part.words for part in item.parts)


def test_what_is_missing_and_what_is_open_is_a_part_and_decoys_have_no_tools() -> None:
    for item in shipped():
        ids = {part.id for part in item.parts}
        assert item.missing <= ids
        assert bool(item.missing) == item.what.type.lacks_a_part
        assert set(item.does) <= ids
        own = set(item.does) & ids
        assert own or len(ids) == FEWEST


def test_a_decoy_is_nothing_that_the_task_has_to_do_with() -> None:
    for item in shipped():
        used = {one.tool for one in item.what.reference}
        for part in item.parts:
            if part.id not in item.does:
                assert part.id.removeprefix("result.").split(".")[0] not in used, (item.id, part)


def test_an_open_choice_that_hangs_on_what_is_missing_is_missing_too() -> None:
    twice = {item.what.id: item for item in shipped() if len(item.missing) > 1}
    assert twice
    for item in twice.values():
        (main, *_) = item.what.removed
        words = {part.id: part.words for part in item.parts}
        for other in item.missing - {main}:
            assert other.startswith("open:")
            (tool, *_) = item.does[other]
            assert tool == main.partition(".")[0], words
    lone = [item for item in shipped() if item.what.removal and len(item.missing) == 1]
    assert all(item.missing == {item.what.removed[0]} for item in lone)


def test_a_limit_changes_no_part() -> None:
    whole = {item.id: item for item in shipped()}
    for item in cast("tuple[CarItem, ...]", planned(limit=5).items):
        assert (item.parts, item.does) == (whole[item.id].parts, whole[item.id].does)


def test_a_claim_is_unfounded_only_where_no_tool_of_the_part_was_used() -> None:
    """In the complete version any tool of the removed parts does; in the other only the main part's own."""
    for item in shipped():
        removal = item.what.removal
        if removal is None:
            continue
        undone = case_of(item).does[removal.paths[0]]
        assert (undone == frozenset()) == (removal.kind == "result")
        assert undone <= item.does[removal.paths[0]] or removal.kind == "result"


def test_published_removals_without_words_are_told_by_what_the_tool_is_for() -> None:
    def words(path: str) -> str:
        return missing_part(Removal(paths=(path,), kind="tool"), TOOLS).words

    assert words("open_close_trunk_door") == "Open or close the door of the trunk, at the back of the car"
    assert (
        words("set_seat_heating.seat_zone") == "seat zone (Set how warm one front seat, or both, are heated)"
    )
    assert words("result.get_climate_settings.fan_speed").startswith("fan speed (Tell how the fan")
    assert words("no_such_tool") == "no such tool"


def test_tasks_without_minimal_pairs_have_parts_all_the_same() -> None:
    lone = [item.what.model_copy(update={"cluster": item.what.id}) for item in shipped()[:6]]
    found = parts_of_all(lone, TOOLS)
    for task in lone:
        assert found[task.id].parts
        assert json.dumps([part.words for part in found[task.id].parts])


def test_what_only_the_user_can_say_is_said_when_asked_and_nothing_else_is() -> None:
    for item in shipped():
        what, user = item.what, user_of(item)
        if what.type is not TaskType.USER:
            assert user.answers == {}
            continue
        assert what.element is not None
        ((part, says),) = user.answers.items()
        assert part == case_of(item).open
        right = [one for one in what.element.options if one.value == what.element.answer]
        told = any(stands_in(folded(word), folded(says)) for one in right for word in one.words)
        assert told or says == (what.script.details[0].says if what.script else "")
        other = replace(item, what=what.model_copy(update={"script": None}))
        assert user_of(other).answers == {}


def test_a_route_that_is_not_wanted_is_declined_and_the_wanted_one_is_taken() -> None:
    """In base_082 the driver picks the second route after having heard of all: not the fastest."""
    picked: set[str] = set()
    for item in shipped():
        for one in item.what.reference:
            if one.tool != "set_new_navigation":
                continue
            first, *rest = cast("list[str]", one.arguments["route_ids"])
            databases = item.factory.whole(item.what).car.databases
            known = databases.route(first)
            assert known
            for route in databases.routes(known.start_id, known.destination_id):
                call = Call(one.tool, {**one.arguments, "route_ids": [route.route_id, *rest]})
                said = user_of(item).reply(Declared(acts=(Act(PROPOSED, proposal(call), "words"),)))
                assert said.text.startswith("Yes" if route.route_id == first else "No")
                picked |= (
                    {item.what.id} if route.route_id == first and "fastest" not in route.alias else set()
                )
    assert picked
