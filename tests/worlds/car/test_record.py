"""The record: what it holds, that it can be written and read, and that playing it again gives the same."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from car_trials import HERE, WEATHER, call, drive, opened
from knowact.core.conversation import ModelUsage, PolicyVotes, Ruled, Said, Stop, read_trial
from knowact.core.errors import BadData, Place
from knowact.core.world import Call
from knowact.worlds.car.catalogue import operations, tools_of
from knowact.worlds.car.effects import SET_TOOLS, written
from knowact.worlds.car.record import CarCalled, CarRecorder, CarTrial, Finding, TaskType, Word, called
from knowact.worlds.car.rules import Rules
from knowact.worlds.car.session import CarState
from knowact.worlds.car.timeline import Timeline, revealed, within

PLACE = Place(Path("trials.jsonl"), 3)


def values_of(shape: Any) -> st.SearchStrategy[Any]:
    """Values that a parameter mostly allows, and now and then something else."""
    odd: list[Any] = [None, "", "ALL", -1, 3.5, True, [], {}]
    wild: st.SearchStrategy[Any] = st.sampled_from(odd)
    if "enum" in shape:
        return st.one_of(st.sampled_from(shape["enum"]), wild)
    kinds: dict[str, st.SearchStrategy[Any]] = {
        "boolean": st.booleans(),
        "number": st.integers(0, 100),
        "integer": st.integers(0, 100),
        "string": st.sampled_from([HERE, "loc_ber_217736", "x"]),
    }
    return st.one_of(kinds.get(str(shape.get("type")), wild), wild)


@st.composite
def calls(draw: st.DrawFn) -> Call:
    tool = draw(st.sampled_from(tools_of(Rules.DEFINITION)))
    arguments = {name: draw(values_of(shape)) for name, shape in tool.properties.items()}
    return Call(tool.name, draw(st.one_of(st.just(arguments), st.none())))


def departures(trial: CarTrial, session: CarState) -> list[int]:
    """Make every call of a trial again; the places of those that come out otherwise."""
    again = [
        called(call := Call(was.tool, was.arguments), session.do(call), was.turn, was.step, was.at)
        for was in trial.calls
    ]
    return [place for place, (now, was) in enumerate(zip(again, trial.calls, strict=True)) if now != was]


BATCHES = st.lists(st.lists(calls(), min_size=1, max_size=3), max_size=8)


@given(BATCHES, st.sampled_from(Rules))
@settings(deadline=None, max_examples=40)
def test_a_record_read_back_and_played_again_gives_the_same_digest(
    batches: list[list[Call]], rules: Rules
) -> None:
    trial = drive(*batches, rules=rules)
    again = read_trial(trial.text(), PLACE, CarTrial)
    assert again == trial
    session = opened(again.setup, rules)
    assert departures(again, session) == []
    assert session.digest() == trial.digest
    assert dict(session.snapshot()) == again.final


@given(BATCHES)
@settings(deadline=None, max_examples=40)
def test_the_states_around_calls_follow_from_the_changes_alone(batches: list[list[Call]]) -> None:
    session = opened()
    recorder = CarRecorder(session, CarTrial(item="base_0", context={}))
    states = [dict(session.snapshot())]
    recorder.user("Hello.")
    for batch in batches:
        recorder.batch(batch)
        states.append(dict(session.snapshot()))
    line = Timeline(recorder.close(Stop.WORD))
    assert [dict(batch.after) for batch in line.batches] == states[1:]
    assert [dict(batch.before) for batch in line.batches] == states[:-1]
    assert dict(line.final) == states[-1]


@given(BATCHES, st.sampled_from(Rules))
@settings(deadline=None, max_examples=60)
def test_a_call_changes_nothing_but_what_its_tool_writes(batches: list[list[Call]], rules: Rules) -> None:
    for placed in Timeline(drive(*batches, rules=rules)).calls:
        if placed.call.ok:
            assert {change.name for change in placed.call.changes} <= set(written(placed.call, rules))


def test_the_table_of_what_is_written_has_all_26_set_tools() -> None:
    found = {name for name, operation in operations(Rules.PUBLISHED).items() if operation.kind == "set"}
    assert found == SET_TOOLS
    assert len(SET_TOOLS) == 26


@pytest.mark.parametrize(
    ("done", "variables"),
    [
        (
            call("set_seat_heating", level=2, seat_zone="ALL_ZONES"),
            {"seat_heating_driver", "seat_heating_passenger"},
        ),
        (
            call("set_climate_temperature", temperature=25, seat_zone="PASSENGER"),
            {"climate_temperature_passenger"},
        ),
        (call("open_close_window", window="RIGHT_REAR", percentage=10), {"window_driver_rear_position"}),
        (call("set_reading_light", position="LEFT_REAR", on=True), {"reading_light_passenger_rear"}),
        (
            call("set_window_defrost", defrost_window="ALL", on=True),
            {"window_front_defrost", "window_rear_defrost"},
        ),
        (call("set_window_defrost", defrost_window="REAR", on=True), {"window_rear_defrost"}),
        (call("set_fan_speed", level=9), set[str]()),
        (call("get_climate_settings"), set[str]()),
    ],
)
def test_what_a_call_writes_hangs_on_its_arguments(done: Call, variables: set[str]) -> None:
    made = drive(done).calls[0]
    assert set(written(made, Rules.PUBLISHED)) == {change.name for change in made.changes} == variables


@pytest.mark.parametrize(
    ("done", "variable"),
    [
        (call("open_close_window", window="RIGHT_REAR", percentage=10), "window_passenger_rear_position"),
        (call("set_reading_light", position="LEFT_REAR", on=True), "reading_light_driver_rear"),
    ],
)
def test_under_the_definition_the_driver_sits_on_the_left(done: Call, variable: str) -> None:
    made = drive(done, rules=Rules.DEFINITION).calls[0]
    assert written(made, Rules.DEFINITION) == (variable,) == tuple(change.name for change in made.changes)


def test_turns_and_steps_are_counted_as_the_spec_says() -> None:
    trial = drive(
        call("get_climate_settings"),
        [call("set_fan_speed", level=2), call("set_air_conditioning", on=True)],
        "Done.",
        "> And the fog lights?",
        call("get_exterior_lights_status"),
        "They are off.",
    )
    assert [(event.kind, event.turn, event.step) for event in trial.events] == [
        ("said", 1, 0),
        ("called", 1, 1),
        ("called", 1, 2),
        ("called", 1, 2),
        ("said", 1, 3),
        ("said", 2, 3),
        ("called", 2, 4),
        ("said", 2, 5),
    ]
    line = Timeline(trial)
    assert [len(batch.calls) for batch in line.batches] == [1, 2, 1]
    assert [state["fan_speed"] for state in line.turn_ends] == [0, 2, 2]


def test_a_change_names_the_variable_and_both_values() -> None:
    trial = drive(
        call("set_fan_speed", level=2), call("set_fan_speed", level=2), call("set_fan_speed", level=9)
    )
    changes = [[(c.name, c.before, c.after) for c in one.changes] for one in trial.calls]
    assert changes == [[("fan_speed", 0, 2)], [], []]
    assert [one.ok for one in trial.calls] == [True, True, False]


def test_what_an_agent_knows_is_what_it_read_before_and_what_it_set() -> None:
    trial = drive(
        call("get_exterior_lights_status"),
        [call("get_climate_settings"), call("set_fan_speed", level=2)],
        call("open_close_window", window="ALL", percentage=0),
    )
    line = Timeline(trial)
    first, second, third = (line.known(batch) for batch in line.batches)
    assert first == frozenset()
    assert {"fog_lights", "fan_speed"} <= second
    assert "air_conditioning" not in second
    assert {"air_conditioning", "window_driver_rear_position"} <= third


def test_a_value_that_was_taken_away_is_not_known() -> None:
    masked = CarCalled(
        turn=1, step=1, tool="get_climate_settings", result={"fan_speed": "unknown", "air_conditioning": True}
    )
    assert revealed(masked, Rules.PUBLISHED) == {"air_conditioning"}


def test_a_path_into_a_value_that_leads_nowhere_gives_nothing() -> None:
    assert within({"a": {"b": 1}}, "a", "b") == 1
    assert within({"a": [1]}, "a", "b") is None
    assert within(None, "a") is None


def test_rulings_spending_and_votes_are_part_of_the_record() -> None:
    recorder = CarRecorder(
        opened(),
        CarTrial(item="hallucination_1", type=TaskType.MISSING_TOOL, removed=("get_weather",), context={}),
    )
    recorder.user("What is the weather?")
    recorder.spend(ModelUsage(role="agent", tokens=(100, 5), cost=0.01, seconds=1.5))
    recorder.assistant("I can't look that up.")
    vote = {"get_weather": {"acknowledged": "can't look that up"}}
    recorder.parsed("judge", [vote, None, {}, vote, vote])
    recorder.rule(Word.CONTINUE, "user")
    recorder.rule(Word.ACKNOWLEDGED, "judge", finding=Finding.SETTLED, why="it says so")
    trial = recorder.close(Stop.WORD)
    judged = trial.model_copy(
        update={"judged": (PolicyVotes(policy="LLM-POL:002", followed=(True, False, True)),)}
    )
    assert recorder.steps == 1
    assert [ruled.word for ruled in judged.rulings] == [Word.ACKNOWLEDGED]
    assert read_trial(judged.text(), PLACE, CarTrial) == judged
    (parsed,) = judged.parsed
    assert (parsed.says("acknowledged", "get_weather"), parsed.says("asked", "get_weather")) == (True, False)
    assert parsed.fell("acknowledged", "get_weather") == (True, False, True, True)
    assert parsed.quote("acknowledged", "get_weather") == "can't look that up"
    assert parsed.did("acknowledged") == {"get_weather"}
    assert trial.settled == 1
    assert '"LLM-POL:002"' in judged.text()
    assert isinstance(trial.events[0], Said)
    assert isinstance(trial.events[-1], Ruled)


def test_a_line_that_is_no_record_is_refused_with_its_place() -> None:
    with pytest.raises(BadData, match=r"trials.jsonl:3: the record is not JSON"):
        read_trial("{", PLACE, CarTrial)
    with pytest.raises(BadData, match=r"field 'type'.*not a record of a trial"):
        read_trial(
            '{"format": "knowact.car/1", "item": "a", "context": {}, "initial": {}, "type": "x"}',
            PLACE,
            CarTrial,
        )
    with pytest.raises(BadData, match="not a record of a trial"):
        read_trial('{"item": "a"}', PLACE, CarTrial)


def test_a_replay_that_comes_out_otherwise_says_which_call() -> None:
    trial = drive(WEATHER, call("set_fan_speed", level=2))
    assert departures(trial, opened({**trial.setup, "fan_speed": 2})) == [1]


def test_the_words_of_the_driver_know_which_of_them_fail() -> None:
    assert {word for word in Word if not word.fails} == {Word.CONTINUE, Word.STOP, Word.ACKNOWLEDGED}
    assert {kind.family for kind in TaskType} == {"base", "hallucination", "disambiguation"}
    assert {kind for kind in TaskType if kind.lacks_a_part} == {
        TaskType.MISSING_TOOL,
        TaskType.MISSING_PARAMETER,
        TaskType.MISSING_RESPONSE,
    }


def test_a_record_is_the_only_thing_that_a_trial_needs() -> None:
    trial = drive(call("set_fan_speed", level=2))
    assert CarTrial.model_validate(trial.model_dump(mode="json")) == trial
