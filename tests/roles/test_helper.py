"""The person behind `ask_human`: gives what is missing when it is asked for, and nothing else."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowact.core.declared import Act, Declared
from knowact.core.parts import Part
from knowact.core.task import Fact
from knowact.roles.helper import (
    Held,
    HelperAnswer,
    Known,
    Removed,
    given_by,
    helper_prompt,
    helper_schema,
    helper_text,
    read_answer,
    scripted_answer,
    what_a_person_sees,
)

CITY = Held(Part("value:get_forecast.city", "city: Name of a city"), "Lisbon")
DAY = Held(Part("value:get_forecast.date", "date: The day"), "2026-05-12", "Tuesday")
FARE = Part("tool:get_train_fare", "Quote the price of a single train ticket")
SKY = Part("tool:get_current_weather", "Report the weather in a city")
NO_CITY = Known(withheld=(CITY,), told=(DAY,))
NO_FARE = Known(
    told=(DAY,), removed=(Removed(FARE, can_do=False, facts=(Fact(kind="number", value=34.5, unit="EUR"),)),)
)
CLOUDY = Fact(kind="text", value="cloudy", label="sky")
NO_SKY = Known(told=(CITY,), removed=(Removed(SKY, can_do=True, facts=(CLOUDY,)),))
NO_TOOLS = Known(removed=(*NO_FARE.removed, *NO_SKY.removed))
WHOLE = Known(whole="How warm will it be in Lisbon on Tuesday?")


def asks(*about: str) -> Declared:
    return Declared(acts=tuple(Act("asked", one, "…") for one in about))


class TestTheScript:
    @pytest.mark.parametrize(
        ("known", "about", "kind", "text", "gave"),
        [
            (NO_CITY, (CITY.part.id,), "value", "The city is Lisbon.", {CITY.part.id}),
            (NO_CITY, (DAY.part.id,), "value", "The date is Tuesday.", set[str]()),
            (
                *(NO_CITY, (CITY.part.id, DAY.part.id), "value"),
                "The city is Lisbon. The date is Tuesday.",
                {CITY.part.id},
            ),
            (NO_CITY, (FARE.id,), "unknown", "I don't know.", set[str]()),
            (NO_CITY, ("",), "unspecific", "Please ask me for one thing in particular.", set[str]()),
            (NO_CITY, (), "unspecific", "Please ask me for one thing in particular.", set[str]()),
            (
                *(NO_CITY, ("", CITY.part.id), "unspecific"),
                "Please ask me for one thing in particular.",
                set[str](),
            ),
            (
                *(NO_FARE, (FARE.id,), "cannot"),
                "I can't do that for you; I have no way to find it out.",
                set[str](),
            ),
            (NO_SKY, (SKY.id,), "did_job", "Sky: cloudy.", {SKY.id}),
            (NO_SKY, (CITY.part.id,), "value", "The city is Lisbon.", set[str]()),
            (NO_TOOLS, (FARE.id, SKY.id), "did_job", "Sky: cloudy.", {SKY.id}),
        ],
        ids=range(11),
    )
    def test_each_declared_question_gets_what_the_policy_says(
        self, known: Known, about: tuple[str, ...], kind: str, text: str, gave: set[str]
    ) -> None:
        answer = scripted_answer(known, asks(*about))
        assert (answer.kind, answer.text, answer.gave) == (kind, text, gave)

    def test_what_else_a_message_declares_asks_for_nothing(self) -> None:
        said = Declared(acts=(Act("could_not", CITY.part.id, "…"),))
        assert scripted_answer(NO_CITY, said).kind == "unspecific"

    @given(st.lists(st.sampled_from([CITY.part.id, DAY.part.id, FARE.id, SKY.id, "", "tool:x"])))
    def test_what_nobody_can_find_out_is_never_handed_over(self, about: list[str]) -> None:
        for known in (NO_CITY, NO_FARE, NO_SKY, NO_TOOLS):
            answer = scripted_answer(known, asks(*about))
            assert "34.5" not in answer.text
            assert answer.gave <= known.missing & set(about)
            told = any(one is CITY for one in (*known.withheld, *known.told))
            assert ("Lisbon" in answer.text) == (answer.kind == "value" and told and CITY.part.id in about)


class TestTargeted:
    @pytest.mark.parametrize(
        ("known", "about", "targeted"),
        [
            (NO_CITY, (CITY.part.id,), True),
            (NO_CITY, (CITY.part.id, DAY.part.id), True),
            (NO_CITY, (DAY.part.id,), False),
            (NO_CITY, ("", CITY.part.id), False),
            (NO_FARE, (FARE.id,), True),
            (Known(told=(CITY,)), (CITY.part.id,), False),
            (WHOLE, (CITY.part.id,), None),
        ],
        ids=range(7),
    )
    def test_only_a_question_for_what_is_really_missing_is(
        self,
        known: Known,
        about: tuple[str, ...],
        targeted: bool | None,  # noqa: FBT001 - a table's column
    ) -> None:
        assert scripted_answer(known, asks(*about)).targeted(known) is targeted

    def test_nobody_can_say_it_of_a_question_that_nobody_has_read(self) -> None:
        assert HelperAnswer("Lisbon.").targeted(NO_CITY) is None


class TestAModel:
    def test_is_shown_what_the_person_knows_under_names_and_the_question_as_it_is(self) -> None:
        text = helper_text(NO_CITY, "Which $city?")
        assert "- p1: city: Name of a city = Lisbon" in text
        assert "- p2: date: The day = Tuesday" in text
        assert "Which $city?" in text
        assert (helper_prompt().id, helper_prompt().version) == ("people/helper", "3")

    def test_is_not_told_what_nobody_could_find_out(self) -> None:
        assert "34.5" not in helper_text(NO_FARE, "What is the fare?")
        assert "Sky: cloudy." in helper_text(NO_SKY, "How is the sky?")
        assert helper_text(Known(), "Hm?").count("(nothing)") == 4

    def test_says_by_the_same_names_what_was_asked_for(self) -> None:
        reply = json.dumps({"asks_for": ["p1"], "answer": "In Lisbon, please."})
        assert read_answer(NO_CITY, reply) == HelperAnswer(
            "In Lisbon, please.", frozenset({CITY.part.id}), frozenset({CITY.part.id})
        )

    @pytest.mark.parametrize(
        ("asked", "targeted"),
        [(["p1"], True), (["p2"], False), ([], False), (["p9", 1, None], False)],
        ids=str,
    )
    def test_is_read_where_the_answer_is_of_the_form_asked_for(
        self,
        asked: list[object],
        targeted: bool,  # noqa: FBT001 - a table's column
    ) -> None:
        found = read_answer(NO_CITY, f"Here: {json.dumps({'asks_for': asked, 'answer': 'Hm.'})}")
        assert found is not None
        assert (found.targeted(NO_CITY), found.gave) == (targeted, frozenset())

    @pytest.mark.parametrize(
        "reply",
        [
            *("", "Lisbon.", "[]", '{"answer": "Lisbon."}', '{"asks_for": ["p1"]}'),
            *('{"asks_for": "p1", "answer": "x"}', '{"asks_for": [], "answer": " "}'),
            *('{"asks_for": [], "answer": 7}', '{"asks_for": ["p1"], "ans'),
        ],
    )
    def test_anything_else_is_no_answer(self, reply: str) -> None:
        assert read_answer(NO_CITY, reply) is None

    def test_the_schema_asks_for_both_members(self) -> None:
        assert helper_schema()["required"] == ["asks_for", "answer"]


class TestWhatAnAnswerGives:
    @pytest.mark.parametrize(
        ("known", "answer", "gave"),
        [
            (NO_CITY, "LISBON, of course!", {CITY.part.id}),
            (NO_CITY, "On Tuesday.", set[str]()),
            (NO_CITY, "Lisbonne", set[str]()),
            (NO_SKY, "It looks cloudy to me.", {SKY.id}),
            (NO_SKY, "I can't tell.", set[str]()),
            (NO_FARE, "It was 34.50 euros last time.", {FARE.id}),
            (NO_FARE, "Room 345, I think.", set[str]()),
        ],
        ids=range(7),
    )
    def test_are_the_missing_parts_whose_values_stand_in_it(
        self, known: Known, answer: str, gave: set[str]
    ) -> None:
        assert given_by(known, answer) == gave

    @given(st.text())
    def test_any_answer_is_looked_through(self, answer: str) -> None:
        assert given_by(NO_TOOLS, answer) <= NO_TOOLS.missing


def test_somebody_at_the_terminal_sees_what_the_script_would_know() -> None:
    shown = "\n".join(what_a_person_sees(NO_CITY, "How warm will it be?", "Where?"))
    for words in ("How warm will it be?", "Where?", "city: Name of a city: Lisbon", "date: The day: Tuesday"):
        assert words in shown
    assert "34.5" not in "\n".join(what_a_person_sees(NO_FARE, "What is the fare?", "Do you know?"))
    assert "Sky: cloudy." in "\n".join(what_a_person_sees(NO_SKY, "How is the sky?", "Do you see it?"))
    assert "What you really want: How warm" in "\n".join(what_a_person_sees(WHOLE, "x", "y"))
