"""Why the answer is no, against the record of what was withheld."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knowact.reading.askable import Job, Slot
from knowact.reading.explanations import read_explanation
from knowact.reading.reasons import Missing

CITY = Slot("city", attribute="city.name")
DATE = Slot("date", attribute="day.date")
FORECAST = Job("get_forecast", "Give the forecast for a city on one day.", ("high_c", "sky"))
FARE = Job("get_train_fare", "Quote the price of a train ticket.", ("price_eur",))
NO_CITY = Missing(slots=(CITY,), there_slots=(DATE,), there_jobs=(FORECAST, FARE))
NO_FORECAST = Missing(jobs=(FORECAST,), there_slots=(CITY, DATE), there_jobs=(FARE,))
SAID = "How warm will it get in Porto tomorrow?"


@pytest.mark.parametrize(
    ("text", "missing", "label"),
    [
        ("The city is missing.", NO_CITY, "right"),
        ("City: not given.", NO_CITY, "right"),
        ("Not the date, the city is what's missing.", NO_CITY, "right"),
        ("There is no tool for the weather.", NO_FORECAST, "right"),
        ("get_forecast is missing.", NO_FORECAST, "right"),
        ("The only tool quotes fares.", NO_FORECAST, "right"),
        ("The date is not given.", NO_CITY, "blames_information_that_is_there"),
        ("The city is not given.", NO_FORECAST, "blames_information_that_is_there"),
        ("More information is needed.", NO_FORECAST, "blames_information_that_is_there"),
        ("There is no tool for the weather.", NO_CITY, "blames_tool_that_is_there"),
        ("No suitable tool.", NO_CITY, "blames_tool_that_is_there"),
        ("No tool quotes train fares.", NO_FORECAST, "blames_tool_that_is_there"),
        ("There is no tool that books hotels.", NO_FORECAST, "misread_intent"),
        ("The user wants to rent a car, which the tools can't do.", NO_FORECAST, "misread_intent"),
        ("The service is down.", NO_CITY, "other"),
        ("The password is missing.", NO_FORECAST, "other"),
        ("More information is needed.", NO_CITY, "no_reason"),
        ("No suitable tool.", NO_FORECAST, "no_reason"),
        ("The request cannot be handled with the given tools and information.", NO_CITY, "no_reason"),
        ("Everything is available.", NO_CITY, "no_reason"),
        ("", NO_CITY, "no_reason"),
    ],
)
def test_a_reason_is_right_or_sorted_by_how_it_is_wrong(text: str, missing: Missing, label: str) -> None:
    assert read_explanation(text, missing, SAID) == label


def test_one_right_clause_is_enough() -> None:
    assert read_explanation("The date is unclear, and the city is missing.", NO_CITY, SAID) == "right"


def test_the_first_wrong_clause_that_names_something_decides() -> None:
    text = "The service is down, the date is missing, and there is no tool for the weather."
    assert read_explanation(text, NO_CITY, SAID) == "blames_information_that_is_there"


WORDS = st.sampled_from(
    ["no tool", "the city", "is missing", "user wants", "hotel", "only", ",", ".", "\n", "not"]
)


@settings(deadline=None, max_examples=100)
@given(st.one_of(st.text(max_size=80), st.lists(WORDS, max_size=12).map(" ".join)))
def test_anything_at_all_is_sorted_and_always_alike(text: str) -> None:
    for missing in (NO_CITY, NO_FORECAST):
        assert read_explanation(text, missing, SAID) == read_explanation(text, missing, SAID)
    if not any(character.isalnum() for character in text):
        assert read_explanation(text, NO_CITY) == "no_reason"
