"""Whether a reply says yes or no to "can this be handled with these tools and this information?"."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knowact.reading.feasibility import FeasibilityReading, read_feasibility

STEPS = "1. Goal: book a table.\n2. Required: a tool, an hour.\n3. Match: yes.\n4. Sufficient: no.\n"


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Yes", "yes"),
        ("no.", "no"),
        ("N", "no"),
        ("**Answer:** Yes", "yes"),
        ("Yes, the tool is there. The city is not, though, so the request cannot be handled.", "no"),
        ("Is anything missing? No. The request can be handled.", "yes"),
        (f"{STEPS}\nVerdict: No", "no"),
        (STEPS, "unreadable"),
        ("1) goal 2) tools 3) no", "no"),
        ('{"feasible": false}', "no"),
        ('{"steps": {"match": true}, "can_be_handled": "yes"}', "yes"),
        ('{"is_feasible": "true"}', "yes"),
        ('{"sufficient": true}', "unreadable"),
        (" Yes\nQuestion: And this one?\nAnswer: No", "yes"),
        ("Urteil: Nein", "no"),
        ("Die Anfrage kann nicht bearbeitet werden.", "no"),
        ("The request could be handled if the city were known.", "unreadable"),
        ("Sure! What time should I set?", "unreadable"),
        ("Yes or No", "unreadable"),
        ("", "unreadable"),
    ],
)
def test_the_verdict_of_the_whole_counts(text: str, label: str) -> None:
    assert read_feasibility(text).label == label


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("I don't know.", "idk"),
        (STEPS, "steps"),
        ("Certainly, I'll book it.", "assistant"),
        ("Yes. No. Yes. No.", "both"),
        ("The tools are two.", "none"),
        ("", "none"),
    ],
)
def test_what_cannot_be_read_says_why(text: str, why: str) -> None:
    reading = read_feasibility(text)
    assert (reading.label, reading.why) == ("unreadable", why)


def test_the_reason_is_kept_for_the_comparison_with_the_record() -> None:
    assert read_feasibility("No. The city is not given.") == FeasibilityReading(
        "no", "The city is not given."
    )
    assert "no tool" in read_feasibility("It cannot be handled: no tool books tables.").reason


@pytest.mark.parametrize("filler", ["The tool is there. ", "The tool is there.\n"])
def test_the_verdict_after_reasoning_without_end_is_found(filler: str) -> None:
    assert read_feasibility(f"{filler * 3_000}\n\nVerdict: No").label == "no"
    assert read_feasibility(f"Yes.\n{filler * 3_000}").label == "yes"


WORDS = st.sampled_from(
    [
        "yes",
        "no",
        "Verdict:",
        "4.",
        "Match: yes\n",
        "cannot be handled",
        "?",
        ".",
        "\n",
        "{",
        '"feasible": true',
        "}",
    ]
)


@settings(deadline=None, max_examples=120)
@given(st.one_of(st.text(), st.lists(WORDS).map(" ".join)))
def test_anything_at_all_is_read_and_always_alike(text: str) -> None:
    reading = read_feasibility(text)
    assert reading == read_feasibility(text)
    assert (reading.why != "") <= (reading.label == "unreadable")
    if reading.label != "unreadable":
        assert any(character.isalnum() for character in text)
