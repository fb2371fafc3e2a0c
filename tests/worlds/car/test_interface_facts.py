"""Every name, range, choice and default that published data rely on, as spec car-bench.md lists them.

Written from a description of the original, not from the code: a name that is
changed by accident would make other tasks of published ones.
"""

from collections import Counter
from pathlib import Path
from typing import Any, Final

import pytest

from knowact.worlds.car.catalogue import operations, tools_of
from knowact.worlds.car.context import Context
from knowact.worlds.car.databases.generated import generated_databases
from knowact.worlds.car.databases.rows import CATEGORIES, CONDITIONS
from knowact.worlds.car.fields import Choice, Field, Level, Switch, Text, Texts, fields_of
from knowact.worlds.car.policies.catalogue import POLICIES
from knowact.worlds.car.record import TaskType, Word
from knowact.worlds.car.rules import Rules
from knowact.worlds.car.tools.preferences import TOPICS

CHOICES: Final = {
    "PLACE": "ALL DRIVER PASSENGER DRIVER_REAR PASSENGER_REAR RIGHT_REAR LEFT_REAR",
    "ZONE": "ALL_ZONES DRIVER PASSENGER",
    "AIR": "FRESH_AIR RECIRCULATION AUTO",
    "COLOR": "RED GREEN BLUE YELLOW WHITE PINK ORANGE PURPLE CYAN NONE",
    "FLOW": "FEET HEAD HEAD_FEET WINDSHIELD WINDSHIELD_FEET WINDSHIELD_HEAD WINDSHIELD_HEAD_FEET",
    "DOOR": "OPEN CLOSE",
    "PANE": "ALL FRONT REAR",
    "POI": "airports bakery fast_food parking public_toilets restaurants supermarkets charging_stations",
    "FILTER": "any::currently_open charging_stations::has_available_plug charging_stations::has_dc_plug",
    "PLAN": "create update list get set_active mark_steps delete",
    "STATUS": "not_started in_progress completed blocked",
}

CITIES: Final = (
    "Munich Berlin Stuttgart Hamburg Cologne Frankfurt Düsseldorf Leipzig Dortmund Essen Bremen Dresden "
    "Hannover Nuremberg Duisburg Bochum Wuppertal Bielefeld Bonn Münster Mannheim Karlsruhe Augsburg "
    "Wiesbaden Mönchengladbach Paris Madrid Barcelona Rome Milan Bucharest Vienna Warsaw Minsk Amsterdam "
    "Budapest Prague Copenhagen Brussels Belgrade Zagreb Riga Bratislava Zürich Ljubljana Luxembourg "
    "Monaco Andorra_la_Vella"
)


def table(section: str) -> list[list[str]]:
    """Return the rows of a section of the file beside this one, a list of words each."""
    text = Path(__file__).with_name("interface_facts.txt").read_text(encoding="utf-8")
    inside = text.partition(f"[{section}]\n")[2].partition("\n[")[0]
    return [line.split() for line in inside.splitlines() if line]


TOOLS: Final = table("tools")
RESULTS: Final = table("results")
STATE: Final = table("state")

SHOWN: Final = {tool.name: tool for tool in tools_of(Rules.PUBLISHED)}
"""The tools as the published rules offer them."""


def reported(name: str) -> set[str]:
    """The fields of a tool's result."""
    shape: Any = SHOWN[name].returns
    return set(shape["properties"])


def words(name: str) -> set[str]:
    first, _, more = name.partition("+")
    return {*CHOICES[first].split(), *more.split()}


def fits(shape: dict[str, Any], said: str) -> bool:
    """Whether a parameter's schema is what the table says of it."""
    if said.startswith("["):
        return set(shape["items"]["enum"]) == words(said.strip("[]"))
    kind, _, limits = said.partition(":")
    if kind in CHOICES:
        return set(shape["enum"]) == words(kind)
    kinds = shape.get("type", [])
    named = not kind or kind in ([kinds] if isinstance(kinds, str) else kinds)
    reach, _, step = limits.partition("/")
    low, _, high = reach.partition("..")
    found = (shape.get("minimum"), shape.get("maximum"), shape.get("multipleOf"))
    wanted = tuple(float(one) if one else None for one in (low, high, step))
    return named and all(one is None or one == other for one, other in zip(wanted, found, strict=True))


class TestTools:
    def test_they_are_57_with_these_names_kinds_and_domains(self) -> None:
        found = {name: (one.kind, one.tool.category) for name, one in operations(Rules.PUBLISHED).items()}
        assert set(found) == {row[2] for row in TOOLS}
        for kind, domain, name, *_ in TOOLS:
            assert (found[name][0], str(found[name][1]).split(maxsplit=1)[0]) == (kind, domain)
        counts = Counter((domain, kind) for kind, domain, *_ in TOOLS)
        assert [counts["Vehicle", "set"], counts["Vehicle", "get"]] == [17, 12]
        assert [counts["Navigation", "set"], counts["Navigation", "get"]] == [7, 6]
        assert [counts["Productivity", "set"], counts["Productivity", "get"]] == [2, 3]
        assert [counts["Charging", "get"], counts["Weather", "get"], counts["Cross-domain", "get"]] == [
            4,
            1,
            3,
        ]

    @pytest.mark.parametrize("row", TOOLS, ids=lambda row: row[2])
    def test_each_takes_these_parameters(self, row: list[str]) -> None:
        told = [one.replace("?", "!", 1).partition("!") for one in row[3:]]
        required = {one.partition("!")[0] for one in row[3:] if "!" in one}
        tool = SHOWN[row[2]]
        assert set(tool.properties) == {name for name, _, _ in told}
        assert set(tool.required) == required
        wrong = [name for name, _, said in told if not fits(dict(tool.properties[name]), said)]
        assert wrong == []

    @pytest.mark.parametrize("row", RESULTS, ids=lambda row: row[0])
    def test_each_reports_these_fields(self, row: list[str]) -> None:
        assert reported(row[0]) == set(row[1:])

    def test_the_tools_of_the_car_echo_what_they_were_given(self) -> None:
        setting = [name for kind, domain, name, *_ in TOOLS if (kind, domain) == ("set", "Vehicle")]
        odd = [name for name in setting if reported(name) != set(SHOWN[name].properties)]
        assert odd == ["set_reading_light"]

    def test_preferences_are_asked_for_by_these_topics(self) -> None:
        found = dict(TOPICS)
        assert found == {
            "points_of_interest": tuple(CHOICES["POI"].split()),
            "navigation_and_routing": ("route_selection",),
            "vehicle_settings": ("climate_control", "vehicle_settings"),
            "productivity_and_communication": ("email", "calendar"),
            "weather": ("weather",),
        }

    def test_nested_parameters(self) -> None:
        plan, dates = SHOWN["planning_tool"].properties, SHOWN["calculate_datetime"].properties
        assert set(plan["steps"]["items"]["properties"]) == {"step_description", "step_dependent_on"}
        update = plan["step_updates"]["items"]["properties"]
        assert set(update) == {"step_index", "step_status", "step_notes"}
        assert set(update["step_status"]["enum"]) == words("STATUS")
        assert set(dates["original_datetime"]["properties"]) == {"year", "month", "day", "hour", "minute"}
        assert set(dates["times_to_add"]["items"]["properties"]) == {"hours", "minutes"}

    def test_optional_ones_have_these_defaults(self) -> None:
        found = {
            (name, parameter): shape["default"]
            for name, tool in SHOWN.items()
            for parameter, shape in tool.properties.items()
            if shape.get("default") is not None
        }
        assert found == {
            ("get_weather", "time_minutes"): 0,
            ("get_distance_by_soc", "final_state_of_charge"): 0,
            ("get_current_navigation_state", "detailed_information"): False,
        }


def told(kind: Field) -> tuple[str, Any]:
    """A variable as the table writes it."""
    match kind:
        case Switch():
            return "bool", kind.default
        case Level(lowest, highest, step, default):
            return f"{lowest}..{highest}" + ("" if step == 1 else f"/{step}"), default
        case Choice(options, default):
            return ",".join(sorted(options)), default
        case Text(default):
            return "text", default
        case Texts(default):
            return "list", list(default)


class TestVariables:
    def test_the_31_that_change_have_these_ranges_and_defaults_in_this_order(self) -> None:
        found = [[name, *told(kind)] for name, kind in fields_of(Rules.PUBLISHED).items()]
        wanted: list[list[Any]] = []
        for name, said, *default in STATE:
            none: Any = False if said == "bool" else []
            usual: Any = default[0] if default else none
            wanted.append(
                [
                    name,
                    ",".join(sorted(said.split(","))),
                    float(usual) if isinstance(usual, str) and usual.isdigit() else usual,
                ]
            )
        assert found == wanted

    def test_the_12_that_do_not_have_these_ranges_and_defaults_in_this_order(self) -> None:
        usual = Context().model_dump(mode="json", exclude_none=True)
        assert usual == {
            "car_color": "blue",
            "battery_capacity_kwh": 80,
            "useable_battery_percentage": 95,
            "max_charging_power_ac": 11,
            "max_charging_power_dc": 250,
            "energy_consumption": 15,
            "charging_curve_parameters": {
                "thresholds": [5, 10, 20, 50, 70, 80, 90, 95, 100],
                "power_shares": [60, 90, 100, 100, 100, 90, 70, 40, 20],
            },
            "state_of_charge": 10,
            "seats_occupied": {
                "driver": True,
                "passenger": False,
                "driver_rear": False,
                "passenger_rear": False,
            },
            "current_location": usual["current_location"],
            "current_datetime": {"year": 2025, "month": 2, "day": 14, "hour": 12, "minute": 0},
            "user_preferences": {},
        }
        assert list(usual) == list(Context.model_fields)
        assert set(usual["current_location"]) == {"id", "name", "position"}
        assert usual["current_location"]["name"] == "Munich"

    @pytest.mark.parametrize(
        ("name", "fine", "wrong"),
        [
            ("battery_capacity_kwh", (60, 100), (59.9, 100.1)),
            ("useable_battery_percentage", (90, 100), (89, 101)),
            ("max_charging_power_ac", (11, 22, 11.0), (12,)),
            ("max_charging_power_dc", (150, 200, 250, 268, 300, 350, 1000, 150.0), (100,)),
            ("energy_consumption", (10, 20), (9, 21)),
            ("state_of_charge", (10, 100), (9, 101)),
        ],
    )
    def test_numbers_of_the_car_lie_in_these_ranges(
        self, name: str, fine: tuple[float, ...], wrong: tuple[float, ...]
    ) -> None:
        for value in fine:
            assert getattr(Context.model_validate({name: value}), name) == value
        for value in wrong:
            with pytest.raises(ValueError, match=name):
                Context.model_validate({name: value})


class TestWords:
    def test_the_eight_control_words(self) -> None:
        assert {word.value for word in Word} == {
            "CONTINUE",
            "STOP",
            "OUT_OF_SCOPE",
            "ASSISTANT_ACKNOWLEDGED_REMOVED_PART",
            "HALLUCINATION_ERROR",
            "DISAMBIGUATION_ERROR",
            "HALLUCINATION_ERROR_REMOVED_TOOL",
            "HALLUCINATION_ERROR_REMOVED_PARAMETER",
        }

    def test_the_six_types_of_task(self) -> None:
        assert {kind.value for kind in TaskType} == {
            "base",
            "hallucination_missing_tool",
            "hallucination_missing_tool_parameter",
            "hallucination_missing_tool_response",
            "disambiguation_internal",
            "disambiguation_user",
        }

    def test_the_19_policies(self) -> None:
        code, judge = (5, 9, 10, 11, 13, 14, 16, 17, 18, 19, 23, 24), (2, 4, 7, 8, 12, 21, 22)
        by_code, by_judge = (f"AUT-POL:{one:03}" for one in code), (f"LLM-POL:{one:03}" for one in judge)
        assert list(POLICIES) == [*by_code, *by_judge]

    def test_cities_categories_and_weather(self) -> None:
        data = generated_databases(0)
        names = [name.replace("_", " ") for name in CITIES.split()]
        assert [city.name for city in data.locations.values()] == names
        assert len(names) == 48
        assert list(CATEGORIES) == CHOICES["POI"].split()
        assert set(CONDITIONS) == {
            "cloudy",
            "cloudy_and_rain_and_hail",
            "partly_cloudy",
            "sunny",
            "cloudy_and_rain",
            "cloudy_and_rain_and_thunderstorm",
            "cloudy_and_fog",
        }
