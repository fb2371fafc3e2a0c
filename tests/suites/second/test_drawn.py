from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from suites.second.drawn import calls, disagreements, half_a_unit
from suites.second.money import SECOND


def off_by(amount: Fraction) -> list[str]:
    """Compare with a second implementation whose total is off by some amount."""

    def second(call: Mapping[str, Any]) -> Mapping[str, Any]:
        right = SECOND["add_amounts"](call)
        return {**right, "total": right["total"] + amount}

    return list(disagreements("add_amounts", second))


def test_eighty_calls_are_drawn_of_a_tool_with_two_sides_and_sixty_of_one_with_one() -> None:
    assert [len(list(calls(tool))) for tool in ("add_amounts", "check_leap_year")] == [80, 60]


def test_a_number_may_be_off_by_half_a_unit_of_what_the_description_promises() -> None:
    assert half_a_unit("add_amounts", "total") == Fraction(1, 200)
    assert half_a_unit("add_amounts", "count") == 0
    assert off_by(Fraction(0)) == []


def test_a_cent_too_much_is_told_for_every_call() -> None:
    assert len(off_by(Fraction(1, 100))) == 80


def test_a_field_that_only_one_side_has_is_told() -> None:
    def second(call: Mapping[str, Any]) -> Mapping[str, Any]:
        return {"total": SECOND["add_amounts"](call)["total"], "mean": 1}

    told = list(disagreements("add_amounts", second))
    assert len(told) == 160
    assert all(": count is " in line or ": mean is " in line for line in told)


def test_a_number_is_not_a_truth_value_and_a_text_has_its_case() -> None:
    def one_for_true(call: Mapping[str, Any]) -> Mapping[str, Any]:
        return {"leap": int(call["year"] % 4 == 0)}

    assert len(list(disagreements("check_leap_year", one_for_true))) == 60
