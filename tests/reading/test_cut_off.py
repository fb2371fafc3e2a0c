"""Whether the cut took the word that was asked for."""

import pytest

from knowact.reading.cut_off import holds_the_word


@pytest.mark.parametrize(
    "reply",
    [
        "Yes, because all",
        "**No**, since",
        "IDK. Perhaps",
        "I don't know, as",
        "Answer: Yes\nThe",
        "1. Goal: a ride.\n**Answer: No**",
        "<think>No. Wait.</think>Yes, there",
    ],
)
def test_a_whole_word_where_probes_want_it_is_an_answer(reply: str) -> None:
    assert holds_the_word(reply)


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "Yes",
        "No",
        "Nothing is missing, so",
        "I'd say yes, but",
        "The request needs no tool. Yes, it",
        "1. Goal: a ride.\nAnswer: N",
        "<think>Yes, it is",
        "I don't know",
    ],
)
def test_a_cut_word_or_one_elsewhere_is_none(reply: str) -> None:
    assert not holds_the_word(reply)
