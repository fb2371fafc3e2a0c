"""Published records, played again: the trial that comes of one, and what cannot be known from it."""

from collections.abc import Callable
from pathlib import Path

from car_trials import BERLIN, HERE, WEATHER, call, city, drive, opened, routes
from knowact.core.conversation import Stop
from knowact.suites.car.rescoring import rescore
from knowact.suites.car.scoring import score
from knowact.suites.car.trajectory import replayed
from knowact.worlds.car.databases.seen import SeenDatabases
from knowact.worlds.car.record import Word
from knowact.worlds.car.rules import Rules
from published_trials import STOP, read_trials, record, simple
from rescored_trials import CLIMATE, FAN, LIGHT, differences, kinds, value

Put = Callable[..., Path]


class TestReplaying:
    def test_the_record_becomes_the_trial_that_it_was_made_from(self, put: Put) -> None:
        trial = drive(WEATHER, [CLIMATE, FAN], "Three.", "> And light.", LIGHT, "On.", Word.STOP)
        again = replayed(read_trials(put(record(trial, [FAN, LIGHT])))[0]).trial
        events = tuple(event.model_copy(update={"at": 0}) for event in trial.events)
        assert (again.events, again.initial, again.digest) == (events, trial.initial, trial.digest)

    def test_routes_are_known_from_what_was_looked_up(self, put: Put) -> None:
        read = call("get_routes_from_start_to_destination", start_id=HERE, destination_id=BERLIN)
        first, second = (call("set_new_navigation", route_ids=[route]) for route in routes(HERE, BERLIN)[:2])
        trial = drive(read, first, "On our way.")
        found = rescore(put(record(trial, [read, first])))
        assert value(found, "sub-metrics", rules="published", measure="r_actions_final") == 1
        other = rescore(put(record(trial, [read, second])))
        assert value(other, "sub-metrics", rules="definition", measure="r_actions_final") == 0

    def test_a_route_of_the_reference_that_nobody_looked_up_is_told_by_its_letters(self, put: Put) -> None:
        read = call("get_routes_from_start_to_destination", start_id=HERE, destination_id=BERLIN)
        new = call("set_new_navigation", route_ids=[routes(HERE, BERLIN)[0]])
        found = rescore(put(record(drive("I'd rather not."), [read, new])))
        assert value(found, "sub-metrics", rules="published", measure="r_actions_final") == 0
        assert "not re-scorable" not in kinds(found)

    def test_a_route_between_places_that_the_task_names_is_told_by_its_letters_too(self, put: Put) -> None:
        paris, to_berlin = city("Paris"), routes(HERE, BERLIN)[0]
        setup = {
            "navigation_active": True,
            "waypoints_id": [HERE, BERLIN],
            "routes_to_final_destination_id": [to_berlin],
        }
        swap = call(
            "navigation_replace_final_destination",
            new_destination_id=paris,
            route_id_leading_to_new_destination=routes(HERE, paris)[0],
        )
        found = rescore(put(record(drive("No.", setup=setup), [swap])))
        assert "not re-scorable" not in kinds(found)
        assert value(found, "sub-metrics", rules="published", measure="r_actions_final") == 0

    def test_a_reference_that_leads_nowhere_known_is_not_re_scorable(self, put: Put) -> None:
        new = call("set_new_navigation", route_ids=[routes(HERE, BERLIN)[0]])
        found = rescore(put(record(drive(new, "On our way."), [new]), simple("base_1")))
        assert "not re-scorable" not in kinds(found)
        elsewhere = call("set_new_navigation", route_ids=[routes(HERE, city("Paris"))[0]])
        lost = record(drive(elsewhere, "On our way."), [new])
        found = rescore(put(lost, simple("base_1")))
        assert kinds(found).count("not re-scorable") == 1
        assert any("the reference's set_new_navigation is refused" in note for note in found.notes)
        assert any(note.startswith("2 trials of 2 tasks; 1 can be scored again") for note in found.notes)

    def test_edits_and_a_navigation_that_runs_are_known_from_the_task(self, put: Put) -> None:
        paris, to_berlin = city("Paris"), routes(HERE, BERLIN)[0]
        setup = {
            "navigation_active": True,
            "waypoints_id": [HERE, BERLIN],
            "routes_to_final_destination_id": [to_berlin],
        }
        add = call(
            "navigation_add_one_waypoint",
            waypoint_id_to_add=paris,
            waypoint_id_before_new_waypoint=BERLIN,
            route_id_leading_to_new_waypoint=routes(BERLIN, paris)[0],
        )
        drop = call(
            "navigation_delete_waypoint",
            waypoint_id_to_delete=BERLIN,
            route_id_without_waypoint=routes(HERE, paris)[0],
        )
        trial = drive(add, drop, "To Paris.", setup=setup)
        assert all(one.ok for one in trial.calls)
        found = rescore(put(record(trial, [add])))
        assert value(found, "sub-metrics", rules="published", measure="r_actions_final") == 0
        assert "not re-scorable" not in kinds(found)

    def test_addresses_are_known_from_the_address_book_or_the_reference(self, put: Put) -> None:
        contact = next(iter(opened().car.databases.contacts.values()))
        mail = call("send_email", content_message="Hi", email_addresses=[contact.email])
        read = call("get_contact_information", contact_ids=[contact.id])
        for trial in (drive(read, mail, "Sent."), drive("No.")):
            found = rescore(put(record(trial, [read, mail])))
            assert "not re-scorable" not in kinds(found)

    def test_a_call_that_failed_then_changes_nothing_now(self, put: Put) -> None:
        odd = simple(scores={"r_tool_execution": 0.0}, reward=0.0)
        odd["traj"][-3]["content"] = '{"status": "FAILURE", "errors": {"x": "y"}}'
        again = replayed(read_trials(put(odd))[0]).trial
        assert (again.calls[1].ok, again.calls[1].changes) == (False, ())
        assert (
            again.digest == replayed(read_trials(put(record(drive(CLIMATE, "No."), [FAN])))[0]).trial.digest
        )

    def test_a_call_that_succeeded_then_but_is_refused_here_is_not_re_scorable(self, put: Put) -> None:
        other = record(drive(call("set_fan_speed", level=9), "Nine."), [FAN])
        other["traj"][-3]["content"] = '{"status": "SUCCESS", "result": {"level": 9}}'
        assert "is refused here" in rescore(put(other)).details[0]["why"]

    def test_a_call_without_an_answer_and_an_impossible_task_are_not_re_scorable(self, put: Put) -> None:
        cut = simple()
        cut["traj"] = cut["traj"][:-3]
        assert "has no answer" in rescore(put(cut)).details[0]["why"]
        for change, why in (
            ({"context_init_config": {"fan_speed": 17}}, "cannot be used"),
            ({"context_init_config": None}, "no initial configuration"),
            ({"task_type": "riddle"}, "the task type 'riddle' is unknown"),
        ):
            odd = simple()
            odd["info"]["task"] = {**odd["info"]["task"], **change}
            assert why in rescore(put(odd)).details[0]["why"]
        bare = simple()
        del bare["info"]["task"]
        assert "does not carry its task" in rescore(put(bare)).details[0]["why"]

    def test_a_crash_is_a_failure_then_and_nobodys_now(self, put: Put) -> None:
        crashed = simple(reward=0.0, traj=[])
        crashed["info"]["error"] = "provider failed"
        crashed["info"]["reward_info"] = None
        found = rescore(put(crashed))
        assert differences(found) == {"reward": ("0", "not judged", "D-32")}

    def test_forty_steps_without_an_end_are_the_limit(self, put: Put) -> None:
        trial = drive(*[call("get_car_color")] * 40, stop=Stop.LIMIT)
        again = replayed(read_trials(put(record(trial, [FAN], reward=0.0)))[0])
        assert again.trial.stop is Stop.LIMIT

    def test_without_a_stop_mark_a_short_trial_still_ended_by_a_word(self, put: Put) -> None:
        plain = simple()
        assert plain["traj"].pop() == STOP
        assert replayed(read_trials(put(plain))[0]).trial.stop is Stop.WORD

    def test_arguments_that_are_no_object_are_malformed_and_have_crashed_nothing(self, put: Put) -> None:
        odd = simple()
        odd["traj"][2]["tool_calls"][0]["function"]["arguments"] = "{"
        odd["traj"][3]["content"] = "Error: no JSON"
        found = replayed(read_trials(put(odd))[0])
        assert found.trial.calls[0].problem is not None
        assert found.trial.calls[0].problem.code == "bad_arguments"
        assert score(found.trial, found.goal, Rules.PUBLISHED).reward.value == 1

    def test_a_world_of_a_conversation_knows_routes_and_addresses_only(self) -> None:
        world = SeenDatabases()
        world.learn({"routes": [{"route_id": "rll_a", "start_id": "a", "destination_id": "b"}]})
        assert [route.route_id for route in world.routes("a", "b")] == ["rll_a"]
        assert (world.route("x"), world.poi("x"), world.weather("x")) == (None, None, None)
        assert (world.pois_at("x", "bakery"), world.pois_along("x", "bakery")) == ((), ())
        assert (world.locations, world.calendars, world.place("x")) == ({}, {}, None)
        assert world.counts().between_cities == 1
        assert world.knows_phone("1")
