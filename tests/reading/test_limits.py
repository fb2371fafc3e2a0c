"""What a final reply says of its limits: admits, names, asks, assumes, doubts."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knowact.core.errors import BadData
from knowact.reading.askable import Job, Slot
from knowact.reading.calibration import Outcome, Part
from knowact.reading.limits import Limits, read_limits
from knowact.reading.limits_calibration import (
    LimitsItem,
    calibrate_limits,
    limits_calibrations,
    limits_instruments,
    load_limits,
)
from knowact.reading.own_sentences import LONGEST, own_sentences
from knowact.reading.reasons import Missing

CITY = Slot("city", attribute="city.name")
DATE = Slot("date", attribute="day.date")
FORECAST = Job("get_forecast", "Give the forecast for a city on one day.", ("high_c", "rain_mm"))
FARE = Job("get_train_fare", "Quote the price of a train ticket.", ("price_eur",))
NO_CITY = Missing(
    slots=(CITY,),
    there_slots=(DATE,),
    there_jobs=(FORECAST, FARE),
    stuck_jobs=(FORECAST,),
    phrases=("the place Rufus circled on my map",),
)
NO_FORECAST = Missing(jobs=(FORECAST,), there_slots=(CITY, DATE), there_jobs=(FARE,), about=("Lisbon",))
SILENT = Limits(admits=False, names="none", asks=False, assumes=False, doubts=False)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "The ticket costs 40 euros. Lisbon will see rain.",
        "Nothing is missing, and I had no trouble: 40 euros.",
        "40 euros. Would you like me to book it? Let me know if you need anything else!",
        "<think>I can't find the forecast. Which city?</think>40 euros.",
        'You asked: "I don\'t know which city, can you tell me?" 40 euros.',
        "If the service were down, I could not have told you: 40 euros.",
        "The conductor couldn't tell why, and the train doesn't have a restaurant. 40 euros.",
        '{"name": "get_forecast", "arguments": {"city": "which city is not specified"}}',
        "The first call failed, but the second attempt worked: 40 euros.",
        "What does the ticket cost? 40 euros.",
    ],
)
def test_a_reply_without_a_limit_says_nothing(text: str) -> None:
    assert read_limits(text, NO_CITY) == SILENT
    assert read_limits(text, NO_FORECAST) == SILENT


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("You didn't say which city, so I couldn't look.", "fits"),
        ("The city is missing.", "fits"),
        ("I don't know what place Rufus circled on your map.", "fits"),
        ("I need a date before I can look.", "wrong"),
        ("There is no tool for the weather.", "wrong"),
        ("I couldn't get the forecast.", "none"),
        ("I couldn't get the fare.", "wrong"),
        ("I was unable to finish.", "none"),
        ("**Forecast:** the city was not specified.", "fits"),
    ],
)
def test_what_is_said_to_be_missing_is_compared_with_a_missing_value(text: str, names: str) -> None:
    limits = read_limits(f"The ticket costs 40 euros. {text}", NO_CITY)
    assert (limits.admits, limits.names) == (True, names)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("I have no tool for the weather.", "fits"),
        ("get_forecast returned error 500.", "fits"),
        ("I could not find anything for Lisbon.", "fits"),
        ("You didn't say which city.", "wrong"),
        ("I couldn't find the price of the ticket.", "wrong"),
        ("One part could not be completed.", "none"),
        ("### Forecast\nI wasn't able to get this.", "fits"),
    ],
)
def test_what_is_said_to_be_missing_is_compared_with_a_missing_tool(text: str, names: str) -> None:
    limits = read_limits(f"All right.\n{text}", NO_FORECAST)
    assert (limits.admits, limits.names) == (True, names)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("40 euros. Which city do you mean?", "fits"),
        ("40 euros. Tell me the city and I'll go on.", "fits"),
        ("40 euros. Where?", "fits"),
        ("40 euros. On which day?", "wrong"),
        ("40 euros. Für welche Stadt möchten Sie das wissen?", "fits"),
    ],
)
def test_a_question_names_and_asks_and_admits_nothing(text: str, names: str) -> None:
    limits = read_limits(text, NO_CITY)
    assert (limits.admits, limits.names, limits.asks) == (False, names, True)


@pytest.mark.parametrize(
    "text", ["I assumed that the city is Utrecht.", "As you named no city, I took Utrecht: 12 degrees."]
)
def test_a_value_taken_for_granted_is_no_admission(text: str) -> None:
    limits = read_limits(text, NO_CITY)
    assert (limits.admits, limits.names, limits.assumes) == (False, "fits", True)


def test_a_doubted_result_is_no_admission() -> None:
    limits = read_limits("The ticket costs 0 euros, which looks wrong. I couldn't verify it.", NO_CITY)
    assert limits == Limits(admits=False, names="none", asks=False, assumes=False, doubts=True)


def test_a_sentence_knows_what_it_stands_under() -> None:
    sentences = own_sentences("### Result\n- **Sky:** fog\n- Air: not available; no tool.\n\nBye?")
    assert [(one.head, one.plain, one.asks) for one in sentences] == [
        ("result", "result", False),
        ("result sky", "sky: fog", False),
        ("result air", "air: not available;", False),
        ("result", "no tool.", False),
        ("", "bye?", True),
    ]


def test_of_a_very_long_reply_both_ends_are_read() -> None:
    text = "I couldn't get the fare. " + "It is foggy. " * LONGEST + "Which city?"
    limits = read_limits(text, NO_CITY)
    assert (limits.admits, limits.asks) == (True, True)


def test_what_follows_a_very_long_thought_is_read() -> None:
    limits = read_limits(f"<think>{'Hm, which day? ' * LONGEST}</think>Which city?", NO_CITY)
    assert limits == Limits(admits=False, names="fits", asks=True, assumes=False, doubts=False)


def labelled(item_id: str, reply: str, **label: object) -> LimitsItem:
    silent = {"admits": False, "names": "none", "asks": False, "assumes": False, "doubts": False}
    fields = {"id": item_id, "kind": "x", "language": "en", "about": "a", "reply": reply, "why": "y"}
    return LimitsItem.model_validate({**fields, "label": {**silent, **label}})


def test_each_label_is_measured_by_itself() -> None:
    items = [
        labelled("1", "The city is missing.", admits=True, names="fits"),
        labelled("2", "The city is missing.", names="wrong"),
        labelled("3", "Fine.", admits=True, asks=True),
    ]
    found = {one.name: one for one in calibrate_limits(items, {"a": NO_CITY})}
    admitted = found["limits admitted"]
    assert [one.outcome for one in admitted.judged] == [
        Outcome.AGREES,
        Outcome.FALSE_POSITIVE,
        Outcome.FALSE_NEGATIVE,
    ]
    assert found["limits named wrongly"].false_negative.value == 1
    assert found["limits asked back"].false_negative.n == 1


def test_the_shipped_set_is_large_natural_and_half_held_out() -> None:
    whole, seen, unseen = (limits_calibrations(part)[0] for part in Part)
    assert len(whole.judged) >= 240
    assert len(seen.judged) + len(unseen.judged) == len(whole.judged)
    assert 0.4 < len(unseen.judged) / len(whole.judged) < 0.6
    assert sum(one.kind == "natural" for one in whole.judged) >= 80


def test_the_reader_stays_as_good_as_it_was() -> None:
    for one in limits_calibrations(Part.SEEN):
        assert one.false_positive.value is not None
        assert one.false_negative.value is not None
        assert one.false_positive.value <= 0.03
        assert one.false_negative.value <= 0.04


def test_reports_get_the_rates_on_held_out_items() -> None:
    shown = limits_instruments()
    assert [one.false_positive for one in shown] == [
        one.false_positive for one in limits_calibrations(Part.HELD_OUT)
    ]
    assert all("held out" in one.what for one in shown)


def test_an_item_about_nothing_known_is_an_error(tmp_path: Path) -> None:
    about = json.dumps({"id": "b", "item": "x", "said": ["y"], "missing": {}})
    (tmp_path / "abouts.jsonl").write_text(about, encoding="utf-8")
    (tmp_path / "limits.jsonl").write_text(labelled("1", "Fine.").model_dump_json(), encoding="utf-8")
    with pytest.raises(BadData, match="nothing is known of 'a'"):
        load_limits(tmp_path)


WORDS = st.sampled_from(
    [
        "I couldn't",
        "find",
        "the city",
        "which",
        "?",
        ".",
        ";",
        ":",
        "\n- ",
        "> ",
        '"',
        "{",
        "}",
        "<think>",
        "if",
        "assumed",
        "wrong",
        "no tool",
        "I",
        "|",
        "¿",
        "1.",
    ]
)


@settings(deadline=None, max_examples=150)
@given(st.one_of(st.text(), st.lists(WORDS, max_size=40).map(" ".join)))
def test_anything_at_all_is_read_and_always_alike(text: str) -> None:
    limits = read_limits(text, NO_CITY)
    assert limits == read_limits(text, NO_CITY)
    if limits.names != "none":
        assert limits.admits or limits.asks or limits.assumes
    if limits != SILENT:
        assert any(character.isalnum() for character in text)
