"""The published scoring a second time, from tables of what it does, against `--rules published`.

Nothing of the policies, the timeline or the scoring is used here: states are snapshots of a session of its
own, and each rule stands as the original has it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from car_trials import BERLIN, HERE, NOW, WEATHER, call, city, drive, goal, opened, routes
from knowact.core.conversation import Said
from knowact.core.world import Call
from knowact.suites.car.scoring import METRICS, score
from knowact.worlds.car.contract import Fault
from knowact.worlds.car.defects import defects
from knowact.worlds.car.policies.applies import to_judge
from knowact.worlds.car.record import CarCalled, CarTrial, TaskType, Word
from knowact.worlds.car.rules import Rules
from knowact.worlds.car.timeline import Timeline

State = Mapping[str, Any]
COUNTED_EDITS: Final = (
    "navigation_add_one_waypoint",
    "navigation_replace_one_waypoint",
    "navigation_replace_final_destination",
)
ALL_EDITS: Final = (*COUNTED_EDITS, "navigation_delete_waypoint", "navigation_delete_destination")
WINDOWS: Final = ("driver", "passenger", "driver_rear", "passenger_rear")


@dataclass
class Played:
    """A trial, carried out again.

    Attributes:
        batches: The calls of each message, in order.
        spoken: The first state, and the state at each message to the driver.
        broken: The policies that the tools themselves saw broken.
        erred: Whether a tool has logged an error.
    """

    batches: list[list[CarCalled]] = field(default_factory=list[list[CarCalled]])
    spoken: list[State] = field(default_factory=list[State])
    broken: list[str] = field(default_factory=list[str])
    erred: bool = False
    final: State = field(default_factory=dict[str, Any])


def again(trial: CarTrial) -> Played:
    session = opened(trial.setup)
    here, today = trial.setup["current_location"], trial.setup["current_datetime"]
    assert isinstance(here, dict)
    assert isinstance(today, dict)
    found = Played(spoken=[dict(session.snapshot())])
    for event in trial.events:
        if isinstance(event, Said) and event.role == "assistant":
            found.spoken.append(dict(session.snapshot()))
        if isinstance(event, CarCalled):
            before = session.snapshot()
            step = session.do(Call(event.tool, event.arguments))
            found.broken += at_runtime(event, before, session.snapshot(), str(here["id"]), today)
            found.erred |= step.fault is Fault.LOGGED
    calls = [event for event in trial.events if isinstance(event, CarCalled)]
    found.batches = [list(group) for _, group in groupby(calls, key=lambda one: one.step)]
    found.final = dict(session.snapshot())
    return found


def at_runtime(one: CarCalled, before: State, after: State, here: str, today: Mapping[str, Any]) -> list[str]:
    """Rules 016 to 019, 023 and 024: seen at the call."""
    active, stops = before["navigation_active"], after["waypoints_id"]
    other_day = any(one.argument(name) != today[name] for name in ("month", "day"))
    few = 3
    tests = {
        "AUT-POL:016": one.ok
        and one.tool in ("set_new_navigation", *ALL_EDITS)
        and stops
        and stops[0] != here,
        "AUT-POL:017": one.tool in ALL_EDITS and not active,
        "AUT-POL:018": one.tool == "set_new_navigation" and active,
        "AUT-POL:019": one.tool == ALL_EDITS[-1] and active and len(before["waypoints_id"]) < few,
        "AUT-POL:023": one.tool == "get_entries_from_calendar" and other_day,
        "AUT-POL:024": one.tool == "get_weather" and other_day,
    }
    return [policy for policy, holds in tests.items() if holds]


def afterwards(played: Played) -> list[str]:
    """Rules 005 to 018: seen in the messages, and by the last state; of each tool the first call counts."""
    found: list[str] = []
    seen = set[str]()
    for batch in played.batches:
        first = {one.tool: one for one in reversed(batch)}
        found += [*of_the_roof(first, seen, played.final), *of_the_air(first, seen, played.final)]
        found += of_the_lights(first, seen, played.final)
        if sum(one.tool in COUNTED_EDITS for one in batch) > 1:
            found.append("AUT-POL:018")
        seen |= set(first)
    return found


def named(*tests: tuple[str, bool]) -> list[str]:
    return [f"AUT-POL:{number}" for number, holds in tests if holds]


def of_the_roof(first: Mapping[str, CarCalled], seen: set[str], s: State) -> list[str]:
    roof = first.get("open_close_sunroof")
    if roof is None or roof.argument("percentage") == 0:
        return []
    under = s["sunshade_position"] < roof.argument("percentage")
    shade = "open_close_sunshade" in first
    return named(("005", under and not shade), ("009", "get_weather" not in seen))


def of_the_air(first: Mapping[str, CarCalled], seen: set[str], s: State) -> list[str]:
    found: list[str] = []
    least, widest = 2, 20
    if on(first, "set_window_defrost") and first["set_window_defrost"].argument("defrost_window") != "REAR":
        air = {"set_fan_speed", "set_fan_airflow_direction", "set_air_conditioning"}
        blind = "get_climate_settings" not in seen and not air <= seen
        astray = "WINDSHIELD" not in s["fan_airflow_direction"]
        weak = s["fan_speed"] < least or not s["air_conditioning"]
        found += named(("010", blind), ("010", astray or weak))
    if on(first, "set_air_conditioning"):
        a, f = "get_climate_settings" in seen, "set_fan_speed" in seen
        w, p = "open_close_window" in seen, "get_vehicle_window_positions" in seen
        wide = any(s[f"window_{one}_position"] > widest for one in WINDOWS)
        found += named(("011", not a and not (w and f) and (p or w)), ("011", wide or s["fan_speed"] == 0))
    return found


def of_the_lights(first: Mapping[str, CarCalled], seen: set[str], s: State) -> list[str]:
    found: list[str] = []
    read, low, high = "get_exterior_lights_status", "head_lights_low_beams", "head_lights_high_beams"
    if on(first, "set_fog_lights"):
        blind = read not in seen and not {f"set_{low}", f"set_{high}"} <= seen
        found += named(("013", blind), ("013", not s[low] or s[high]))
    if on(first, f"set_{high}"):
        found += named(("014", not {read, "set_fog_lights"} & seen), ("014", s["fog_lights"]))
    return found


def on(first: Mapping[str, CarCalled], tool: str) -> bool:
    return tool in first and first[tool].argument("on") is True


def put_to_the_judge(trial: CarTrial, played: Played) -> set[str]:
    if trial.type.lacks_a_part:
        return set()
    called = {one.tool for batch in played.batches for one in batch}
    apart = abs(played.final["climate_temperature_driver"] - played.final["climate_temperature_passenger"])
    far = 3
    tests = {
        "002": True,
        "004": called & {"send_email", "open_close_trunk_door", "set_head_lights_high_beams"},
        "007": "open_close_window" in called,
        "008": called & {"open_close_sunroof", "set_fog_lights"},
        "012": "set_climate_temperature" in called and apart > far,
        "021": "get_routes_from_start_to_destination" in called,
        "022": "get_routes_from_start_to_destination" in called,
    }
    return {f"LLM-POL:{number}" for number, holds in tests.items() if holds}


def expected(trial: CarTrial, played: Played, reference: Sequence[Call]) -> dict[str, float | None]:
    """The six sub-metrics, with what applies to a task of this type; no complaint of a judge."""
    passed = [dict(opened(trial.setup).snapshot())]
    session = opened(trial.setup)
    for one in reference:
        session.do(one)
        passed.append(dict(session.snapshot()))
    called = {one.tool for batch in played.batches for one in batch}
    lacking = trial.type.lacks_a_part
    broken = played.broken + afterwards(played)
    failed = any(Word(ruled.word).fails for ruled in trial.rulings)
    values: list[float | None] = [
        None if lacking else played.final == passed[-1],
        None if lacking else all(state in passed for state in played.spoken),
        None if lacking else {one.tool for one in reference} <= called,
        not played.erred,
        None if lacking else not broken,
        not failed,
        None,  # what was told
    ]
    return dict(zip(METRICS, values, strict=True))


PARIS: Final = city("Paris")
TO: Final = {
    pair: routes(*pair)[0] for pair in ((HERE, BERLIN), (HERE, PARIS), (BERLIN, PARIS), (BERLIN, HERE))
}
CALLS: Final = [
    WEATHER,
    call("get_weather", location_or_poi_id=BERLIN, **NOW),
    call("get_weather", location_or_poi_id=HERE, **{**NOW, "day": 15}),
    call("get_entries_from_calendar", month=2, day=15),
    *(call(f"open_close_{part}", percentage=n) for part in ("sunroof", "sunshade") for n in (0, 50, 100)),
    *(call("open_close_window", window=one, percentage=n) for one in ("ALL", "RIGHT_REAR") for n in (0, 40)),
    *(call("set_fan_speed", level=n) for n in (0, 1, 2, 9)),
    call("set_fan_airflow_direction", direction="WINDSHIELD_FEET"),
    *(call(f"set_{one}", on=value) for one in ("air_conditioning", "fog_lights") for value in (True, False)),
    *(call(f"set_head_lights_{one}_beams", on=v) for one in ("low", "high") for v in (True, False)),
    *(call("set_window_defrost", on=True, defrost_window=one) for one in ("FRONT", "REAR", "ALL")),
    *(call("set_climate_temperature", temperature=n, seat_zone="DRIVER") for n in (20, 26, 40)),
    *map(call, ("get_climate_settings", "get_exterior_lights_status", "get_vehicle_window_positions", "fly")),
    call("open_close_trunk_door", action="CLOSE"),
    call("get_location_id_by_location_name", location="Ordino"),
    *(call("set_new_navigation", route_ids=[one]) for one in TO.values()),
    call(
        "navigation_replace_final_destination",
        new_destination_id=PARIS,
        route_id_leading_to_new_destination=TO[HERE, PARIS],
    ),
    call(
        "navigation_add_one_waypoint",
        waypoint_id_to_add=PARIS,
        waypoint_id_before_new_waypoint=BERLIN,
        route_id_leading_to_new_waypoint=TO[BERLIN, PARIS],
    ),
    *(call("navigation_delete_destination", destination_id_to_delete=one) for one in (BERLIN, PARIS)),
    call("delete_current_navigation"),
    call("get_routes_from_start_to_destination", start_id=HERE, destination_id=BERLIN),
]
ONE: Final = st.sampled_from(CALLS)
STEPS: Final = st.lists(st.lists(ONE, min_size=1, max_size=4) | st.just("Well."), max_size=8)
SETUPS: Final[list[dict[str, Any]]] = [
    {},
    {"fan_speed": 1, "sunshade_position": 50, "head_lights_high_beams": True},
    {"air_conditioning": True, "window_driver_position": 30, "sunroof_position": 100},
    {
        "navigation_active": True,
        "waypoints_id": [HERE, BERLIN],
        "routes_to_final_destination_id": [TO[HERE, BERLIN]],
    },
]
WORDS: Final = st.sampled_from([Word.STOP, Word.OUT_OF_SCOPE, Word.ACKNOWLEDGED, Word.HALLUCINATION])


@pytest.mark.slow
@given(STEPS, st.lists(ONE, max_size=4), st.sampled_from(SETUPS), WORDS, st.sampled_from(TaskType))
@settings(deadline=None, max_examples=300)
def test_both_say_the_same_of_any_trial(
    steps: list[Any], wanted: list[Call], setup: dict[str, Any], word: Word, kind: TaskType
) -> None:
    held = goal(*wanted, setup=setup)
    reference = [] if held.gap else wanted
    trial = drive(*steps, word, setup=setup, kind=kind)
    played = again(trial)
    found = score(trial, held if not held.gap else goal(setup=setup), Rules.PUBLISHED)
    right = expected(trial, played, reference)
    assert {name: result.value for name, result in found.metrics.items()} == right
    assert found.reward.value == (0 if 0 in right.values() else 1)
    assert sorted(one.policy for one in found.violations) == sorted(played.broken + afterwards(played))
    assert set(to_judge(Timeline(trial), defects(Rules.PUBLISHED))) == put_to_the_judge(trial, played)
