from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import pytest

from suites.all_second import SECOND
from suites.second.drawn import MATERIAL, calls, disagreements, half_a_unit

MIN_CALLS = 2


def off_by(amount: Fraction) -> list[str]:
    """Compare with a second implementation whose total is off by some amount."""

    def second(call: Mapping[str, Any]) -> Mapping[str, Any]:
        right = SECOND["add_amounts"](call)
        return {**right, "total": right["total"] + amount}

    return list(disagreements("add_amounts", second))


def test_no_call_comes_twice_and_every_job_of_a_tool_has_its_draws() -> None:
    drawn = list(calls("add_amounts"))
    jobs = [job for scenario in MATERIAL.scenarios.values() for job in scenario.jobs.values()]
    assert len(drawn) > 5 * sum(job.tool == "add_amounts" for job in jobs)
    assert all(drawn.count(call) == 1 for call in drawn)


@pytest.mark.slow
def test_every_tool_that_a_model_could_do_without_has_calls() -> None:
    assert [tool for tool in SECOND if len(list(calls(tool))) < MIN_CALLS] == []


def test_a_number_may_be_off_by_half_a_unit_of_what_the_description_promises() -> None:
    assert half_a_unit("add_amounts", "total") == Fraction(1, 200)
    assert half_a_unit("add_amounts", "count") == 0
    assert off_by(Fraction(0)) == []


def test_a_cent_too_much_is_told_for_every_call() -> None:
    assert len(off_by(Fraction(1, 100))) == len(list(calls("add_amounts")))


def test_a_field_that_only_one_side_has_is_told() -> None:
    def second(call: Mapping[str, Any]) -> Mapping[str, Any]:
        return {"total": SECOND["add_amounts"](call)["total"], "mean": 1}

    told = list(disagreements("add_amounts", second))
    assert len(told) == 2 * len(list(calls("add_amounts")))
    assert all(": count is " in line or ": mean is " in line for line in told)


def test_a_number_is_not_a_truth_value_and_a_text_has_its_case() -> None:
    def one_for_true(call: Mapping[str, Any]) -> Mapping[str, Any]:
        return {"leap": int(call["year"] % 4 == 0)}

    assert len(list(disagreements("check_leap_year", one_for_true))) == len(list(calls("check_leap_year")))
