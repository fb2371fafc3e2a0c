"""Sums as on paper: exact decimals, halves up."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowact.worlds.everyday.rounding import exact, half_up


@pytest.mark.parametrize(
    ("number", "places", "rounded"),
    [(25.875, 2, 25.88), (8.625, 2, 8.63), (1.005, 2, 1.01), (-0.125, 2, -0.13), (2.5, 0, 3.0), (7, 2, 7.0)],
)
def test_halves_go_away_from_zero(number: float, places: int, rounded: float) -> None:
    assert half_up(exact(number), places) == rounded


def test_a_float_is_the_decimal_that_it_was_written_as() -> None:
    assert exact(0.1) == Fraction(1, 10)
    assert exact(1e-07) == Fraction(1, 10_000_000)


@given(st.integers(-(10**9), 10**9), st.integers(0, 6))
def test_what_has_no_more_decimals_stays_as_it_is(units: int, places: int) -> None:
    number = Fraction(units, 10**places)
    assert half_up(number, places) == float(number)
