"""What a form leaves out, or lost where it was cut off, passes for nothing that the reply left out."""

from typing import Any

import pytest

from knowact.core.declared import Declared
from knowact.core.task import Fact
from knowact.reading.answer_form import ELSE, AnswerForm
from knowact.reading.json_text import last_object

FORM = AnswerForm.from_facts([Fact(label="the sum", kind="number", value=3)], ["value:add.a"])
REPLY = "It is 3."
FACT = {"value": 3, "quotes": ["3"]}
WHOLE: dict[str, Any] = {"fact_1": FACT, "part_1": None, ELSE: None}


def test_a_form_with_all_its_slots_is_valid() -> None:
    assert FORM.score(REPLY, WHOLE).passed
    assert FORM.score(REPLY, WHOLE | {"fact_1": {"value": None}}).slots[0].state == "not_stated"


@pytest.mark.parametrize("slot", list(WHOLE))
def test_a_form_without_one_of_its_slots_is_not(slot: str) -> None:
    results = FORM.score(REPLY, {name: value for name, value in WHOLE.items() if name != slot})
    assert results.problems == (f"{slot}: the slot is missing",)


def test_a_slot_without_a_value_is_no_null() -> None:
    results = FORM.score(REPLY, WHOLE | {"fact_1": {"quotes": ["3"]}})
    assert results.problems == ("fact_1: the slot has no value",)


def test_what_a_built_in_agent_declares_fills_every_slot() -> None:
    assert set(FORM.declared(Declared())) == set(WHOLE)


@pytest.mark.parametrize("text", ['{"a": {"b": null', '{"a": {"b": null}', '{"a": null}, {"a": {"b": "'])
def test_an_object_that_was_not_closed_is_no_form(text: str) -> None:
    found = last_object(text, whole=True)
    assert found == ({"a": None} if text.startswith('{"a": null}') else None)
    assert last_object(text) is not None, "where a cut is told apart by others, what stands there counts"
