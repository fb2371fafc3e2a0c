"""Forms that readers filled who saw neither facts nor labels: what the answer form itself gets wrong."""

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

import pytest

from knowact.roles.calibration import Rate, rates_of
from knowact.suites import labelled_sets

MOST_MISSED, MOST_FALSE, MOST_REJECTED = 0.05, 0.01, 0.02
"""Bounds on how often a reader may be wrong."""


def forms(name: str) -> Mapping[str, str]:
    text = files("knowact.roles").joinpath("labelled", "forms", f"{name}.jsonl").read_text(encoding="utf-8")
    filled = [json.loads(line) for line in text.splitlines()]
    found = {one["id"]: json.dumps(one["form"], ensure_ascii=False) for one in filled}
    assert len(found) == len(filled)
    return found


@cache
def rates(role: str, name: str) -> Mapping[tuple[str, str], Rate]:
    filled = forms(name)
    items = {item.id: item for one in labelled_sets() if one.role == role for item in one.items}
    assert filled.keys() <= items.keys()
    marks = ((one, mark) for one, form in filled.items() for mark in items[one].marks(form))
    return {(rate.kind, rate.what): rate for rate in rates_of(marks)}


def value(rate: Rate) -> float:
    assert rate.estimate.value is not None
    return rate.estimate.value


def test_there_are_as_many_as_the_contract_asks_for() -> None:
    assert len(forms("replies")) == 619
    assert len(forms("car")) == 240


@pytest.mark.slow
def test_facts_are_read_within_the_bounds() -> None:
    found = rates("extractor", "replies")
    assert value(found["facts", "missed"]) <= MOST_MISSED
    assert value(found["facts", "false pass"]) <= MOST_FALSE
    assert found["facts", "missed"].estimate.n + found["facts", "false pass"].estimate.n >= 350


def test_a_rejected_form_costs_few_right_answers_even_if_it_is_counted_as_a_miss() -> None:
    found = rates("extractor", "replies")
    missed, rejected = found["facts", "missed"], found["form", "rejected"]
    claims = [name for name in rejected.wrong if name[:2] in {"cl", "cf", "pr"}]
    assert (len(missed.wrong) + len(claims)) / (missed.estimate.n + len(claims)) <= MOST_MISSED


def test_the_quote_check_rejects_few_honest_forms() -> None:
    assert value(rates("extractor", "replies")["form", "rejected"]) <= MOST_REJECTED
    assert value(rates("judge", "car")["ruling", "rejected"]) <= MOST_REJECTED


@pytest.mark.parametrize("kind", ["acknowledged", "claimed", "asks"])
def test_what_a_message_in_the_car_does_is_ruled_within_the_bounds(kind: str) -> None:
    found = rates("judge", "car")
    assert value(found[kind, "missed"]) <= MOST_MISSED
    assert value(found[kind, "false pass"]) <= MOST_MISSED


def test_who_errs_is_known_by_name() -> None:
    """The docs list every one of these; a change here is a change of the answer form."""
    replies, car = rates("extractor", "replies"), rates("judge", "car")
    assert replies["facts", "missed"].wrong == ("pr-006",)
    assert set(replies["form", "rejected"].wrong) == {"cf-119", "cl-187", "cof-059"}
    assert {name for rate in car.values() for name in rate.wrong} == {"rb-042", "rb-206", "rt-014", "rt-065"}
