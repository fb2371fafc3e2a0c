"""Names that providers accept, one for each tool."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knowact.core.names import MAX_LENGTH, bare, sanitised, shown_names

ACCEPTED = re.compile(r"[a-zA-Z0-9_-]{1,64}")


class TestBare:
    @pytest.mark.parametrize(
        ("name", "expected"),
        [
            ("get_forecast", "get_forecast"),
            ("weather::get_forecast", "get_forecast"),
            ("a::b::get", "get"),
            ("weather:: get ", "get"),
            ("weather:get", "weather:get"),
        ],
    )
    def test_the_server_is_taken_off(self, name: str, expected: str) -> None:
        assert bare(name) == expected


class TestSanitised:
    def test_a_name_that_is_fine_stays_as_it_is(self) -> None:
        assert sanitised("get_forecast-2") == "get_forecast-2"

    def test_other_characters_become_underscores(self) -> None:
        assert sanitised("weather.get forecast") == "weather_get_forecast"
        assert sanitised("wetter_für_köln") == "wetter_f_r_k_ln"
        assert sanitised("天气") == "__"

    def test_a_long_name_is_cut(self) -> None:
        assert sanitised("x" * 65) == "x" * MAX_LENGTH

    def test_nothing_still_has_a_name(self) -> None:
        assert sanitised("") == "tool"

    @settings(deadline=None, max_examples=200)
    @given(st.text())
    def test_every_text_becomes_a_name_that_providers_accept(self, name: str) -> None:
        assert ACCEPTED.fullmatch(sanitised(name))
        assert sanitised(sanitised(name)) == sanitised(name)


class TestShownNames:
    def test_names_that_would_collide_get_a_number(self) -> None:
        assert shown_names(["a.b", "a_b", "a b"]) == {"a.b": "a_b_2", "a_b": "a_b", "a b": "a_b_3"}

    def test_a_number_that_is_taken_is_passed_over(self) -> None:
        assert shown_names(["a_b_2", "a.b", "a_b"]) == {"a_b_2": "a_b_2", "a.b": "a_b_3", "a_b": "a_b"}

    def test_long_names_that_differ_at_their_end_stay_apart_and_short_enough(self) -> None:
        names = ["x" * 70 + str(number) for number in range(12)]
        shown = shown_names(names)
        assert shown[names[1]] == "x" * 62 + "_2"
        assert shown[names[11]] == "x" * 61 + "_12"

    @settings(deadline=None, max_examples=300)
    @given(
        st.lists(st.text(st.sampled_from("ab._ 2é"), max_size=6) | st.text("x_", min_size=63), unique=True)
    )
    def test_no_two_tools_are_shown_alike(self, names: list[str]) -> None:
        shown = shown_names(names)
        assert list(shown) == names
        assert len(set(shown.values())) == len(names)
        assert all(ACCEPTED.fullmatch(name) for name in shown.values())

    def test_a_name_that_is_fine_is_never_changed(self) -> None:
        assert shown_names(["a.b", "a_b"])["a_b"] == shown_names(["a_b"])["a_b"]
