"""Errors of the engine in words, and votes of a judge."""

import pytest

from knowact.core.record import Status
from knowact.engine.reasons import LONGEST, in_words
from knowact.roles.judge import PASSED, Votes, read_vote, result_of

ERRORS = {
    "RetryError(<Future at 0x7f3d0f71ac50 state=finished raised AttemptTimeoutError>)": (
        "the provider did not answer in time, after all retries"
    ),
    "RetryError(<Future at 0x1 state=finished raised SomethingElse>)": ("SomethingElse, after all retries"),
    "JSONDecodeError('Unterminated string starting at: line 1 column 36 (char 35)')": (
        "the provider's reply was not JSON"
    ),
    "ModelGenerateError('\\nRequest:\\n{\\n  \"messages\": []\\n}\\n\\nBadRequestError(400)')": (
        "BadRequestError(400)"
    ),
    "ModelGenerateError('\\nRequest:\\n{}\\n\\nBadRequestError(\\'no \\\\\\'x\\\\\\' here\\')')": (
        "no 'x' here"
    ),
    "TypeError(\"'NoneType' object is not iterable\")": "'NoneType' object is not iterable (TypeError)",
    "ValueError('')": "ValueError",
    "RuntimeError('cut off": "RuntimeError('cut off",
    'BadRequestError("This model\'s maximum context length is 4096 tokens and your request has 5000")': (
        "the request and room for the reply did not fit the model's context (serve a longer one, or reserve "
        "less room: -- --max-tokens N)"
    ),
    "Error code: 401 - The key is not valid.": "Error code: 401 - The key is not valid",
    "\n\n  first line\nsecond": "first line",
    "x" * 1000: "x" * LONGEST,
    "": "an error without a message",
}


@pytest.mark.parametrize("error", ERRORS)
def test_an_error_becomes_a_clause_without_addresses_and_requests(error: str) -> None:
    assert in_words(error) == ERRORS[error]


VOTES = {
    '{"verdict": "right"}': "right",
    'Let me see.\n```json\n{"verdict": "wrong"}\n```': "wrong",
    '{"verdict": "wrong"} no, rather {"verdict": "right"}': "right",
    '{"reason": "{}", "verdict": "right"}': "right",
    '{"verdict": "right", "verdict": "wrong"}': "unreadable",
    '{"verdict": true}': "unreadable",
    '{"verdict": "Right!"}': "unreadable",
    "right": "unreadable",
    "": "unreadable",
    "[" * 5000: "unreadable",
}


def test_other_choices_are_read_likewise() -> None:
    assert read_vote('{"verdict": "tie"}', ("win", "tie", "lose")) == "tie"
    assert read_vote('{"verdict": "right"}', ("win", "tie", "lose")) == "unreadable"


@pytest.mark.parametrize("text", VOTES)
def test_a_vote_is_read_from_an_object_that_says_one_thing(text: str) -> None:
    assert read_vote(text) == VOTES[text]


def votes(*cast: str) -> Votes:
    return Votes(PASSED, cast)


def test_more_than_half_of_all_votes_decide() -> None:
    assert result_of(votes("right", "right", "unreadable")).value == 1
    assert result_of(votes("wrong", "wrong", "right")).value == 0
    for split in (("right", "wrong"), ("right", "unreadable"), ("unreadable",), ()):
        assert result_of(votes(*split)).status is Status.JUDGE_ERROR


def test_votes_say_whether_they_are_split_and_how() -> None:
    assert not votes("right", "right").split
    assert votes("right", "unreadable", "right").split
    assert votes("right", "unreadable", "right").tally == "2 right, 0 wrong, 1 unreadable"
    assert result_of(Votes(("win", "tie", "lose"), ("tie", "tie", "win")), "win").value == 0
