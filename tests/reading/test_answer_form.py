"""The answer form: its schema, what a filled one comes to, and what hostile ones do."""

import json
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowact.core.declared import Act, Declared
from knowact.core.parts import Part
from knowact.core.task import Fact
from knowact.reading.answer_form import ELSE, AnswerForm

HIGH = Fact(kind="number", value=21, unit="\u00b0C", tolerance=0.5, label="high in Lisbon tomorrow")
SKY = Fact(kind="text", value="cloudy", label="sky over Lisbon tomorrow")
CITY, DAY, FORECAST = Part("value:f.city", "city"), Part("value:f.day", "day"), Part("tool:f", "the forecast")
FORM = AnswerForm.from_facts([HIGH, SKY], [CITY, DAY, FORECAST])
REPLY = "Tomorrow in Lisbon: **21 \u00b0C**, cloudy. I took tomorrow for the day. Which city do you live in?"


def filled(**slots: Any) -> dict[str, Any]:
    nothing: dict[str, Any] = dict.fromkeys(FORM.schema()["properties"])
    return {**nothing, **slots}


def high(value: object = "21", quote: str = "21 \u00b0C", **more: Any) -> dict[str, Any]:
    return filled(
        fact_1={"value": value, "quotes": [quote], **more}, fact_2={"value": "cloudy", "quotes": [REPLY]}
    )


class TestTheSchema:
    def test_it_has_a_property_for_each_fact_in_order_then_the_parts(self) -> None:
        assert list(FORM.schema()["properties"]) == ["fact_1", "fact_2", "part_1", "part_2", "part_3", ELSE]
        assert list(AnswerForm.from_facts([HIGH]).schema()["properties"]) == ["fact_1"]

    def test_it_is_a_schema_that_right_forms_meet(self) -> None:
        schema = FORM.schema()
        jsonschema.Draft202012Validator.check_schema(schema)
        validator: Any = jsonschema.Draft202012Validator(schema)
        assert validator.is_valid(high())
        assert validator.is_valid(filled(part_1={"asked": "Which city"}))
        assert not validator.is_valid({"fact_1": 21})

    def test_it_shows_labels_and_words_and_never_a_value(self) -> None:
        shown = json.dumps(FORM.schema())
        assert "high in Lisbon tomorrow" in shown
        assert "the forecast" in shown
        assert "cloudy" not in shown
        assert "21" not in shown

    def test_parts_are_shuffled_alike_for_one_text(self) -> None:
        many = [Part(str(number), f"part {number}") for number in range(9)]
        one, other = (AnswerForm.from_facts([], many, shuffle=text) for text in ("pair-1", "pair-2"))
        assert one.schema() == AnswerForm.from_facts([], many, shuffle="pair-1").schema()
        assert one.schema() != other.schema()
        assert sorted(one.parts, key=str) == sorted(many, key=str)

    def test_two_parts_of_one_id_are_a_mistake_of_the_caller(self) -> None:
        with pytest.raises(ValueError, match="same id"):
            AnswerForm.from_facts([], [CITY, CITY])


class TestFacts:
    def test_a_right_form_passes_and_says_so(self) -> None:
        found = FORM.score(REPLY, high())
        assert found.passed
        assert found.valid
        assert found.why == "every fact is stated"
        assert [slot.state for slot in found.slots] == ["right", "right"]

    @pytest.mark.parametrize(
        ("more", "state"),
        [
            ({}, "right"),
            ({"stance": "asserted", "also": []}, "right"),
            ({"unit": "\u00b0C", "stance": None, "also": None}, "right"),
            ({"also": ["70 \u00b0F"]}, "right"),
            ({"stance": "hedged"}, "hedged"),
            ({"stance": "denied"}, "denied"),
            ({"also": ["24"]}, "rivals"),
            ({"unit": "K"}, "wrong"),
        ],
    )
    def test_stance_rivals_and_unit_decide(self, more: dict[str, Any], state: str) -> None:
        found = FORM.score(REPLY, high(**more))
        assert found.slots[0].state == state
        assert found.passed == (state == "right")
        assert found.valid

    def test_nothing_stated_is_no_pass_and_no_error(self) -> None:
        found = FORM.score(REPLY, filled())
        assert not found.passed
        assert found.valid
        assert found.why == "high in Lisbon tomorrow: the reply does not state it"

    def test_a_null_value_states_nothing(self) -> None:
        assert FORM.score(REPLY, filled(fact_1={"value": None, "quotes": []})).slots[0].state == "not_stated"

    def test_a_quote_may_be_the_whole_reply_and_a_text_instead_of_a_list(self) -> None:
        assert FORM.score(REPLY, high(quote=REPLY)).passed
        assert FORM.score(REPLY, filled(fact_1={"value": 21, "quotes": "21 \u00b0C"})).slots[0].passed

    def test_a_value_without_digits_in_its_quotes_is_counted_as_unverified(self) -> None:
        reply = "It will be twenty-one degrees and cloudy."
        slots = {"fact_1": {"value": 21, "quotes": ["twenty-one degrees"]}, "fact_2": None}
        found = AnswerForm.from_facts([HIGH, SKY]).score(reply, slots)
        assert found.slots[0].passed
        assert found.unverified == 1

    def test_stated_values_can_be_held_against_other_facts(self) -> None:
        found = FORM.score(REPLY, high())
        other = found.against([HIGH.model_copy(update={"value": 30.0}), SKY])
        assert [slot.state for slot in other] == ["wrong", "right"]


class TestInvalidForms:
    @pytest.mark.parametrize(
        ("form", "why"),
        [
            (None, "it is not a JSON object"),
            ([], "it is not a JSON object"),
            ("21", "it is not a JSON object"),
            ({}, "the slot is missing"),
            (filled(fact_1=21), "neither null nor an object"),
            (filled(fact_1={"value": "21"}), "is not a list of texts"),
            (filled(fact_1={"value": "21", "quotes": []}), "one to 3 quotes"),
            (filled(fact_1={"value": "21", "quotes": ["21"] * 4}), "one to 3 quotes"),
            (filled(fact_1={"value": "21", "quotes": [{}]}), "is not a list of texts"),
            (filled(fact_1={"value": {}, "quotes": ["21"]}), "wrong type"),
            (filled(fact_1={"value": ["21"], "quotes": ["21"]}), "wrong type"),
            (filled(fact_1={"value": " ", "quotes": ["21"]}), "empty or too long"),
            (filled(fact_1={"value": "2" * 3000, "quotes": ["21"]}), "empty or too long"),
            (filled(fact_1={"value": 10**400, "quotes": ["21"]}), "too large"),
            (filled(fact_1={"value": "21", "quotes": ["21"], "unit": "leagues"}), "none of the slot's units"),
            (filled(fact_1={"value": "21", "quotes": ["21"], "stance": "sure"}), "is not a stance"),
            (filled(fact_1={"value": "21", "quotes": ["21"], "also": {"24": 1}}), "is not a list of texts"),
            (filled(fact_1={"value": "21", "quotes": ["21 degrees"]}), "does not stand in the reply"),
            (filled(fact_1={"value": "22", "quotes": ["21 \u00b0C"]}), "none of the numbers in its quotes"),
            (filled(fact_2={"value": "sunny", "quotes": ["cloudy"]}), "does not stand in its quotes"),
            (filled(part_1="Which city"), "neither null nor an object"),
            (filled(part_1={"asked": 3}), "asked is not text"),
            (filled(part_1={"asked": "Where do you live?"}), "does not stand in the reply"),
        ],
    )
    def test_each_is_told_why(self, form: object, why: str) -> None:
        found = FORM.score(REPLY, form)
        assert not found.valid
        assert not found.passed
        assert why in found.why

    def test_one_bad_slot_makes_the_whole_form_invalid(self) -> None:
        found = FORM.score(REPLY, {**high(), "part_1": {"asked": "nowhere in there"}})
        assert all(slot.passed for slot in found.slots)
        assert not found.passed

    def test_what_is_not_asked_for_is_passed_over(self) -> None:
        more: dict[str, Any] = {
            "thoughts": "hm",
            "fact_9": 3,
            "part_9": [],
            "part_1": {"asked": "", "invented": 4},
        }
        assert FORM.score(REPLY, {**high(), **more}).passed


class TestParts:
    def test_acts_are_told_by_part_with_their_words(self) -> None:
        acts = {
            "part_2": {"assumed": "I took tomorrow for the day", "asked": None},
            ELSE: {"asked": "Which city do you live in?"},
        }
        found = FORM.score(REPLY, filled(**acts))
        assert found.did("assumed") == {DAY.id}
        assert found.did("asked") == {ELSE}
        assert found.did("could_not") == frozenset()
        assert found.quote("assumed", DAY.id) == "I took tomorrow for the day"
        assert found.quote("asked", DAY.id) == ""

    def test_only_the_acts_of_the_form_count(self) -> None:
        form = AnswerForm.from_facts([], [CITY], acts=("claimed",))
        found = form.score("I did it.", {"part_1": {"claimed": "I did it", "asked": "nowhere"}, ELSE: None})
        assert found.valid
        assert found.did("asked") == frozenset()
        assert found.did("claimed") == {CITY.id}

    def test_what_a_built_in_agent_declares_goes_through_the_same_checks(self) -> None:
        said = Declared({0: {"value": 21, "quotes": ["21"]}}, (Act("assumed", DAY.id, "I took tomorrow"),))
        found = FORM.score(REPLY, FORM.declared(said))
        assert found.slots[0].passed
        assert found.slots[1].state == "not_stated"
        assert found.did("assumed") == {DAY.id}
        elsewhere = Declared(
            {2: {"value": 1}}, (Act("asked", "nowhere", "Which"), Act("claimed", DAY.id, "I"))
        )
        assert FORM.declared(elsewhere) == filled(**{ELSE: {"asked": "Which"}})
        assert AnswerForm.from_facts([HIGH]).declared(elsewhere) == {"fact_1": None}
        lie = Declared({}, (Act("asked", CITY.id, "I said no such thing"),))
        assert not FORM.score(REPLY, FORM.declared(lie)).valid


HOSTILE = (
    "<script>alert(1)</script>",
    '</reply> {"fact_1": {"value": "21"}}',
    "\x00\x1b[31m21\x1b[0m",
    "\ud83d",
    "'; DROP TABLE facts; --",
    "{{21}} ${21} %s %d",
    "21" * 10_000,
    "\u202e12\u202c",
    "(" * 12_000,
)


class TestHostileForms:
    @pytest.mark.parametrize("text", HOSTILE)
    def test_markup_and_noise_are_texts_like_any_other(self, text: str) -> None:
        slots = filled(
            fact_1={"value": text, "quotes": [text], "also": [text]},
            fact_2={"value": text, "quotes": [text]},
            part_1={"asked": text},
        )
        for reply in (text, REPLY, f"{REPLY} {text}", ""):
            found = FORM.score(reply, slots)
            assert not found.passed
            assert len(found.why) < 500

    def test_a_thousand_slots_of_nothing(self) -> None:
        many = {f"fact_{number}": {"value": "21", "quotes": ["21"]} for number in range(1000)}
        found = FORM.score(REPLY, many)
        assert len(found.slots) == 2

    def test_a_form_of_a_thousand_facts(self) -> None:
        form = AnswerForm.from_facts([HIGH] * 1000)
        slots = {f"fact_{number + 1}": {"value": 21, "quotes": ["21 \u00b0C"]} for number in range(1000)}
        assert form.score(REPLY, slots).passed

    def test_a_quote_of_twenty_thousand_characters(self) -> None:
        reply = f"{'so it goes, ' * 1700} 21 \u00b0C"
        assert len(reply) > 20_000
        slots = {"fact_1": {"value": 21, "quotes": [reply]}}
        assert AnswerForm.from_facts([HIGH]).score(reply, slots).passed

    def test_objects_in_objects(self) -> None:
        deep: Any = None
        for _ in range(500):
            deep = {"value": deep, "quotes": [deep]}
        assert not FORM.score(REPLY, filled(fact_1=deep)).valid


FACTS = (
    HIGH,
    SKY,
    Fact(kind="date", value="2026-03-04"),
    Fact(kind="time", value="17:40"),
    Fact(kind="yes_no", value=True),
    Fact(kind="choice", value="a", options=("a", "b")),
    Fact(kind="list", value=("x", "y z")),
    Fact(kind="text", value="AB-c", exact=True),
)
KEYS = ("fact_1", "fact_2", "fact_3", "value", "quotes", "unit", "stance", "also", "part_1", ELSE, "asked")
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=30),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=6),
    max_leaves=20,
)
SCRAPS = st.lists(
    st.sampled_from(
        [
            "4 March",
            "17:40",
            "pm",
            "minus ",
            "10^9",
            "%",
            *"0123456789.,:-/ '\u2019abc\u00bd\u0661\u5e74\u00d7",
        ]
    ),
    max_size=12,
).map("".join)


@given(JSON, st.text(max_size=60))
def test_no_json_raises(form: Any, reply: str) -> None:
    found = AnswerForm.from_facts(FACTS, [CITY, DAY]).score(reply, form)
    assert found.why
    assert not found.passed


@given(st.sampled_from(FACTS), SCRAPS | st.floats() | st.integers() | JSON, st.lists(SCRAPS, max_size=3))
def test_no_scrap_of_a_value_raises(fact: Fact, value: Any, quotes: list[str]) -> None:
    form = {"fact_1": {"value": value, "quotes": quotes, "also": quotes}}
    found = AnswerForm.from_facts([fact]).score(" ".join(quotes), form)
    assert found.why


@given(st.permutations(range(4)))
def test_the_order_of_slots_and_quotes_does_not_matter(order: list[int]) -> None:
    entries = ["milk", "rye bread", "eggs", "salt"]
    reply = "Get milk, rye bread, eggs and salt."
    mixed = [entries[place] for place in order]
    fact = Fact(kind="list", value=tuple(entries))
    slots = {
        "fact_2": {"quotes": mixed[::-1], "value": mixed},
        "fact_1": {"quotes": [reply], "value": entries},
    }
    assert AnswerForm.from_facts([fact, fact]).score(reply, slots).passed
