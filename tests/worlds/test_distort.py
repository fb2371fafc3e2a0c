"""Wrong results: like the true ones in everything but what they say."""

import datetime as dt
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knowact.core.tool import Capability, Tool
from knowact.worlds.distort import apart, distorted, reported, shows
from mini_world import make_tool


def tool(*echoes: str) -> Tool:
    made = make_tool("look", {}, {})
    return made.model_copy(update={"capability": Capability(echoes=echoes)})


def wrong(true: Any, other: Any = None, *echoes: str) -> Any:
    return distorted(tool(*echoes), true, other)


LEAVES = (
    st.booleans()
    | st.integers(-9_999, 9_999)
    | st.floats(-9_999, 9_999, allow_nan=False).map(lambda number: round(number, 2))
    | st.dates().map(dt.date.isoformat)
    | st.times().map(lambda time: time.strftime("%H:%M"))
    | st.from_regex(r"[A-Z]{1,3}-?[0-9]{1,4}", fullmatch=True)
)
RESULTS = st.dictionaries(
    st.sampled_from(("a", "b", "c")),
    LEAVES | st.lists(LEAVES, max_size=3) | st.dictionaries(st.sampled_from(("d", "e")), LEAVES, max_size=2),
    min_size=1,
    max_size=3,
)


def leaves(result: Any) -> list[tuple[str, Any]]:
    return list(reported(result, ()))


class TestByRule:
    @settings(deadline=None, max_examples=300)
    @given(st.dictionaries(st.sampled_from(("a", "b", "c")), LEAVES, min_size=1))
    def test_no_value_is_the_true_one_and_each_is_of_its_kind(self, true: dict[str, Any]) -> None:
        seen = wrong(true)
        assert list(seen) == list(true)
        for name, value in true.items():
            assert seen[name] != value
            assert type(seen[name]) is type(value)

    @settings(deadline=None, max_examples=300)
    @given(RESULTS, RESULTS)
    def test_no_number_is_near_a_true_one_wherever_it_stands(
        self, true: dict[str, Any], other: dict[str, Any]
    ) -> None:
        def numbers(result: Any) -> list[float]:
            found = [leaf for _, leaf in leaves(result)]
            return [leaf for leaf in found if isinstance(leaf, int | float) and not isinstance(leaf, bool)]

        assert all(apart(one, two) for one in numbers(wrong(true, other)) for two in numbers(true))

    @settings(deadline=None, max_examples=100)
    @given(RESULTS, RESULTS)
    def test_the_same_call_is_told_the_same_again(self, true: dict[str, Any], other: dict[str, Any]) -> None:
        assert wrong(true, other) == wrong(true, other)

    @settings(deadline=None, max_examples=200)
    @given(st.floats(0.01, 99_999).map(lambda number: round(number, 2)))
    def test_a_number_keeps_its_size_and_its_decimals(self, value: float) -> None:
        seen = wrong({"value": value})["value"]
        assert value / 4 <= seen <= max(2 * value, value + 4)
        assert round(seen, 2) == seen

    def test_a_round_number_stays_round(self) -> None:
        assert wrong({"words": 2800})["words"] % 100 == 0
        assert wrong({"grams": 26_000.0})["grams"] % 1000 == 0

    @pytest.mark.parametrize("value", [10**400, -(10**16), 1e300, float("inf"), float("nan")], ids=str)
    def test_a_number_beyond_all_bounds_is_another_one_too(self, value: float) -> None:
        seen = wrong({"n": value, "m": 5})
        assert seen["n"] != value
        assert type(seen["n"]) is type(value)
        assert seen["m"] != 5

    @pytest.mark.parametrize("value", [True, False])
    def test_yes_and_no_change_places(self, value: bool) -> None:  # noqa: FBT001 - what is tested
        assert wrong({"rain": value}) == {"rain": not value}

    @settings(deadline=None, max_examples=100)
    @given(st.dates())
    def test_a_day_moves_by_a_week_or_two(self, day: dt.date) -> None:
        seen = wrong({"due": day.isoformat()})["due"]
        assert abs(dt.date.fromisoformat(seen) - day).days in (7, 14)

    def test_a_moment_keeps_its_time_of_day(self) -> None:
        seen = wrong({"at": "2026-03-12T09:30"})["at"]
        assert seen.endswith("T09:30")
        assert seen != "2026-03-12T09:30"

    @pytest.mark.parametrize(
        ("code", "changed"),
        [
            ("T1133", "T1313"),
            ("6303", "6330"),
            ("40", "50"),
            ("7", "8"),
            ("9", "1"),
            ("NX-55", "NX-56"),
            ("4.4.2", "4.2.4"),
            ("2026-02-31", "2026-02-13"),
        ],
    )
    def test_a_code_gets_other_digits_in_its_own_form(self, code: str, changed: str) -> None:
        assert wrong({"code": code}) == {"code": changed}

    @pytest.mark.parametrize("value", ["light rain", None, "", []], ids=repr)
    def test_what_has_no_digits_stays(self, value: Any) -> None:
        assert wrong({"sky": value}) == {"sky": value}


class TestFromAnotherWorld:
    def test_its_result_is_taken_whole_where_it_differs(self) -> None:
        other = {"sky": "fog", "high": 3, "hours": [{"at": "10:00"}]}
        assert wrong({"sky": "clear", "high": 21, "hours": []}, other) == other

    def test_what_is_the_same_there_is_changed_by_rule(self) -> None:
        seen = wrong({"sky": "clear", "high": 21}, {"sky": "fog", "high": 21})
        assert seen["sky"] == "fog"
        assert seen["high"] != 21

    def test_a_yes_that_is_the_same_there_is_turned(self) -> None:
        assert wrong({"won": True}, {"won": True}) == {"won": False}

    @pytest.mark.parametrize("other", ["text", 5, None, []], ids=repr)
    def test_a_result_of_another_shape_is_not_taken(self, other: Any) -> None:
        assert set(wrong({"code": "T1"}, other)) == {"code"}

    @settings(deadline=None, max_examples=100)
    @given(RESULTS, RESULTS, st.sampled_from(("a", "b", "c")))
    def test_an_echo_is_left_alone(self, true: dict[str, Any], other: dict[str, Any], name: str) -> None:
        assert wrong(true, other | {name: true.get(name)}, name).get(name) == true.get(name)

    def test_the_true_result_is_left_alone(self) -> None:
        true = {"rows": [{"n": 1}, {"n": 2}]}
        wrong(true, {"rows": [{"n": 1}]})
        assert true == {"rows": [{"n": 1}, {"n": 2}]}

    def test_a_bare_value_and_a_bare_list_are_results_too(self) -> None:
        assert wrong(21, 4) == 4
        assert wrong([21, 4], [21, 9])[0] not in (21, 4)

    def test_a_tool_that_says_nothing_of_what_it_can_do_echoes_nothing(self) -> None:
        bare = Tool(name="bare", parameters={})
        assert distorted(bare, {"city": "T1"}) == {"city": "T2"}
        assert shows(bare, {"city": "T1"}, "T1")


class TestShows:
    @pytest.mark.parametrize(
        ("result", "value"),
        [
            ({"n": 35}, 35.0),
            ({"text": "It waits 35 minutes."}, 35.0),
            ({"text": "earplugs\nhat"}, "Hat"),
            ({"rows": [{"code": "T11"}]}, "T11"),
            ({"price": 4.5}, 4.5),
        ],
        ids=str,
    )
    def test_a_value_is_found_as_a_value_and_as_a_word(self, result: Any, value: Any) -> None:
        assert shows(tool(), result, value)

    @pytest.mark.parametrize(
        ("result", "value"),
        [
            ({"n": 350}, 35.0),
            ({"text": "below zero"}, "low"),
            ({"yes": True}, True),
            ({"n": True}, 1.0),
            ({"city": "Oslo"}, "Oslo"),
            ({"n": None}, None),
        ],
        ids=str,
    )
    def test_parts_of_words_and_echoes_and_yes_and_no_do_not_count(self, result: Any, value: Any) -> None:
        assert not shows(tool("city"), result, value)
