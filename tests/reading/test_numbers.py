"""Numbers as people write them."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowact.reading.numbers import digits_of, number_in_words, numbers_in, spelled_fractions
from knowact.reading.quotes import folded


def readings(text: str) -> list[set[float]]:
    return [set(one.readings) for one in numbers_in(folded(spelled_fractions(text)))]


@pytest.mark.parametrize(
    ("written", "values"),
    [
        ("450", {450.0}),
        ("12.5", {12.5}),
        ("12,5", {12.5}),
        ("1,234", {1234.0, 1.234}),
        ("1.234", {1234.0, 1.234}),
        ("1,234.50", {1234.5}),
        ("1.234,50", {1234.5}),
        ("1'234.50", {1234.5}),
        ("1\u2019234", {1234.0}),
        ("12,34,567", {1234567.0}),
        ("0.75", {0.75}),
        ("-4", {-4.0}),
        ("\u22124", {-4.0}),
        ("2k", {2000.0}),
        ("1.5 million", {1500000.0}),
        ("2,5 Mio", {2500000.0}),
        ("3e4", {30000.0}),
        ("1.2 \u00d7 10^3", {1200.0}),
        ("1.2 x 10\u00b3", {1200.0}),
        ("3/4", {0.75, 3.0}),
        ("\u0661\u0662", {12.0}),
        ("\uff11\uff12", {12.0}),
    ],
)
def test_a_number_has_every_value_that_its_writing_may_have(written: str, values: set[float]) -> None:
    assert readings(f"it is {written} in all")[0] == values


@pytest.mark.parametrize("written", ["1 3/4", "1\u00be"])
def test_a_whole_and_a_fraction_are_one_number(written: str) -> None:
    assert any(1.75 in one for one in readings(f"it is {written} in all"))


def test_blanks_join_groups_of_three_and_part_numbers() -> None:
    assert {12500.0} in readings("12 500 people")
    assert readings("rooms 12 14 15") == [{12.0}, {14.0}, {15.0}]


@pytest.mark.parametrize("text", ["A-4", "room12-4", "2026-03-04"])
def test_a_hyphen_inside_a_token_is_no_minus(text: str) -> None:
    assert all(value >= 0 for one in readings(text) for value in one)


@pytest.mark.parametrize(
    ("words", "value"),
    [
        ("twelve", 12.0),
        ("twenty-one tickets", 21.0),
        ("twelve hundred and fifty seats", 1250.0),
        ("two thousand three hundred", 2300.0),
        ("a hundred", 100.0),
        ("minus four", -4.0),
        ("zero", 0.0),
        ("a dozen", 12.0),
        ("none of it", None),
        ("tickets", None),
        ("", None),
    ],
)
def test_numbers_in_english_words(words: str, value: float | None) -> None:
    assert number_in_words(words) == value


def test_digits_are_runs_in_order() -> None:
    assert digits_of("on 4 March 2026 at 17:40") == [4, 2026, 17, 40]
    assert digits_of("1" * 5000) == []


@given(st.floats(min_value=-1e9, max_value=1e9), st.integers(0, 3))
def test_a_plain_number_is_read_as_itself(value: float, decimals: int) -> None:
    written = f"{value:.{decimals}f}"
    found = readings(f"it is {written}!")
    assert any(math.isclose(float(written), one, abs_tol=1e-9) for one in found[0])


@given(st.text(alphabet="0123456789.,' /-ekx\u00d7^\u00bd\u0661\u00b2", max_size=40))
def test_whatever_the_signs_are_all_readings_are_numbers(text: str) -> None:
    assert all(math.isfinite(value) for one in readings(text) for value in one)
