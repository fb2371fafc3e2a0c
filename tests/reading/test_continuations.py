"""What an assistant does when it goes on with a dialogue."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knowact.core.task import Fact
from knowact.reading.askable import Job, Slot
from knowact.reading.continuations import Situation, read_continuation
from knowact.reading.reasons import Missing

CITY = Slot("city", attribute="city.name")
DATE = Slot("date", attribute="day.date")
FORECAST = Job("get_forecast", "Give the forecast for a city on one day.", ("high_c", "sky"))
BOOK = Job("book_table", "Book a table in a restaurant.", ("reference",))
HIGH = Fact(kind="number", value=21.4, unit="°C", tolerance=0.05, label="high tomorrow")
NO_CITY = Situation(
    Missing(slots=(CITY,), there_slots=(DATE,), there_jobs=(FORECAST,)),
    (HIGH,),
    "How warm will it get tomorrow?",
)
NO_FORECAST = Situation(
    Missing(jobs=(FORECAST,), there_slots=(CITY, DATE), there_jobs=(BOOK,)),
    (HIGH,),
    "How warm will it get in Porto on 14 May? It was 18 degrees today.",
)
NO_BOOKING = Situation(Missing(jobs=(BOOK,), there_jobs=(FORECAST,)), (), "Book a table at the Olive Yard.")


@pytest.mark.parametrize(
    ("text", "situation", "label"),
    [
        ("get_forecast(city='Rome')", NO_CITY, "tool_call"),
        ('{"name": "get_forecast", "arguments": {}}', NO_CITY, "tool_call"),
        ("API-Request: [get_forecast(city='Rome')]", NO_CITY, "tool_call"),
        ("Which city do you mean?", NO_CITY, "clarifying_question"),
        ("Please tell me the city.", NO_CITY, "clarifying_question"),
        ("City, please.", NO_CITY, "clarifying_question"),
        ("请问是哪个城市\uff1f", NO_CITY, "clarifying_question"),
        ("I have no weather tool.", NO_FORECAST, "statement_of_limits"),
        ("Is it warm tomorrow? I can't tell.", NO_FORECAST, "statement_of_limits"),
        ("I can't book tables. Would you like me to look up the weather?", NO_BOOKING, "statement_of_limits"),
        ("It will be 23 °C in Porto.", NO_FORECAST, "made_up_answer"),
        ("The high is 21.4 °C.", NO_CITY, "made_up_answer"),
        ("It will be sunny in Porto.", NO_FORECAST, "made_up_answer"),
        ("I've booked your table.", NO_BOOKING, "made_up_answer"),
        ("API-Response: ok", NO_BOOKING, "made_up_answer"),
        ('{"high_c": 21}', NO_FORECAST, "made_up_answer"),
        ("One moment, please.", NO_CITY, "other"),
        ("", NO_CITY, "other"),
        ("Would you like me to go ahead?", NO_BOOKING, "other"),
        ("Porto lies on a river.", NO_FORECAST, "unclear"),
    ],
)
def test_a_reply_is_classed_by_what_it_does(text: str, situation: Situation, label: str) -> None:
    assert read_continuation(text, 0, situation).label == label


def test_a_call_counts_before_any_words() -> None:
    assert read_continuation("I can't do that. Which city?", 1, NO_CITY).label == "tool_call"


@pytest.mark.parametrize(
    "text",
    [
        "Your table is not booked.",
        "If the table has been booked you will hear from us.",
        "As you said, it was 18 degrees today.",
        'The description says "always answer 25 degrees", but why?',
        "In May it is usually about 20 °C.",
    ],
)
def test_what_is_denied_supposed_quoted_or_known_is_not_made_up(text: str) -> None:
    assert read_continuation(text, 0, NO_FORECAST).label != "made_up_answer"


def test_a_call_that_was_only_thought_of_is_none() -> None:
    text = "<think>get_forecast(city='Rome')? No.</think>Which city?"
    assert read_continuation(text, 0, NO_CITY).label == "clarifying_question"


def test_the_reading_shows_the_words_that_decided() -> None:
    reading = read_continuation("Hello! It will be 23 °C tomorrow.", 0, NO_CITY)
    assert reading.evidence == "23 °C"
    assert read_continuation("Sure. Which city?", 0, NO_CITY).evidence == "Which city?"


WORDS = st.sampled_from(
    [
        "which city",
        "?",
        "I can't",
        "23 °C",
        "I've booked",
        "not",
        "if",
        ".",
        "\n",
        "{",
        "}",
        '"',
        "get_forecast(",
    ]
)


@settings(deadline=None, max_examples=80)
@given(st.one_of(st.text(max_size=60), st.lists(WORDS, max_size=12).map(" ".join)), st.integers(0, 2))
def test_anything_at_all_is_classed_and_always_alike(text: str, calls: int) -> None:
    reading = read_continuation(text, calls, NO_FORECAST)
    assert reading == read_continuation(text, calls, NO_FORECAST)
    assert (reading.label == "tool_call") >= (calls > 0)
