"""A fact counts when it is asserted, not when it occurs."""

import pytest

from knowact.core.task import Fact
from knowact.reading.claims import ClaimStatus, judge_by_facts, read_claim

HIGH = Fact(
    kind="number", value=21.0, unit="°C", tolerance=0.5, label="high in Lisbon tomorrow", aliases=("69.8 °F",)
)
TOTAL = Fact(kind="number", value=1234.5, label="total of the invoice")
DAY = Fact(kind="date", value="2026-11-21", label="day of the appointment")
START = Fact(kind="time", value="14:05", label="start of the talk")
RAIN = Fact(kind="yes_no", value=True, label="whether it rains in Lisbon tomorrow")
OWNER = Fact(kind="text", value="Ana Moura", label="owner of the house", aliases=("Ms Moura",))


def status(fact: Fact, text: str) -> ClaimStatus:
    return read_claim(fact, text).status


@pytest.mark.parametrize(
    "text",
    [
        "The high in Lisbon tomorrow is 21 °C.",
        "Around 21 °C.",
        "21°C",
        "It will be 20.8 degrees.",
        "**21** °C",
        "$21^\\circ$C",
        "Twenty-one degrees Celsius.",
        "A low of 14 °C and a high of 21 °C.",
        "Not 19 but 21 °C.",
        "It's 23 °C. Sorry, I meant 21 °C.",
        "69.8 °F",
        "21 °C in Lisbon, 19 °C in Porto.",
        "| City | High |\n|---|---|\n| Porto | 19 °C |\n| Lisbon | 21 °C |",
        "Will you need a jacket? It will be 21 °C.",
        "I'm not sure about the wind, but the high is 21 °C.",
        "Morgen werden es in Lissabon 21,0 °C.",
        "Demain, il fera 21 °C à Lisbonne.",
        "Mañana habrá 21 °C en Lisboa.",
        "Domani a Lisbona ci saranno 21 °C.",
        "Amanhã fará 21 °C em Lisboa.",
        "Morgen wordt het 21 °C in Lissabon.",
    ],
)
def test_an_assertion_is_asserted(text: str) -> None:
    assert status(HIGH, text) is ClaimStatus.ASSERTED


@pytest.mark.parametrize(
    "text",
    [
        "It is not 21 °C.",
        "21 °C is wrong.",
        "Es sind keine 21 °C.",
        "Il ne fera pas 21 °C.",
        "No hará 21 °C.",
        "Non saranno 21 °C.",
        "Não serão 21 °C.",
        "Het wordt geen 21 °C.",
    ],
)
def test_a_denial_is_denied(text: str) -> None:
    assert status(HIGH, text) is ClaimStatus.DENIED


@pytest.mark.parametrize(
    "text",
    [
        "Maybe 21 °C.",
        "I can't check, but perhaps 21 °C.",
        "21 °C, I think.",
        "It's 21 °C. But I'm not sure.",
        "It could be 19, 20, 21 or 22 °C.",
        "Between 19 and 21 °C.",
        "At least 21 °C.",
        "If it is 21 °C, take a hat.",
        "Vielleicht 21 °C.",
        "Peut-être 21 °C.",
        "Quizás 21 °C.",
        "Forse 21 °C.",
        "Talvez 21 °C.",
        "Misschien 21 °C.",
    ],
)
def test_a_value_without_commitment_is_hedged(text: str) -> None:
    assert status(HIGH, text) is ClaimStatus.HEDGED


@pytest.mark.parametrize(
    "text",
    [
        "It's 21 °C... actually 23 °C.",
        "19 °C. 20 °C. 21 °C.",
        "The high is 21 °C. The high is 24 °C.",
        "It's 21 °C. No wait, it isn't 21 °C.",
    ],
)
def test_two_values_for_one_thing_conflict(text: str) -> None:
    assert status(HIGH, text) is ClaimStatus.CONFLICTING


@pytest.mark.parametrize(
    "text",
    [
        "",
        "I will look it up.",
        "It is 24 °C.",
        "21 °F",
        "21 km",
        "Is it 21 °C?",
        "You asked whether it will be 21 °C.",
        "> I heard on the radio that it will be 21 °C in Lisbon\n\nI don't know.",
        "The low in Lisbon tomorrow is 21 °C.",
        "Today it is 21 °C, tomorrow 24 °C.",
        "Lisbon gets 19 °C and Porto 21 °C.",
        "<think>It is 21 °C.</think>I can't say.",
        '{"name": "get_weather", "arguments": {"high": 21}}',
    ],
)
def test_what_is_not_said_of_the_fact_is_absent(text: str) -> None:
    assert status(HIGH, text) is ClaimStatus.ABSENT


@pytest.mark.parametrize(
    "text", ["1,234.5", "1.234,5", "1 234.5", "1234.5", "1'234.50", "1.2345 thousand", "1234,5"]
)
def test_numbers_are_read_in_every_format(text: str) -> None:
    assert status(TOTAL, f"Total: {text}") is ClaimStatus.ASSERTED


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (12.0, "twelve"),
        (12.0, "zwölf"),
        (45.0, "forty-five"),
        (0.5, "half"),
        (2_000_000.0, "2 million"),
        (-5.0, "\u22125"),
        (-5.0, "minus 5"),
    ],
)
def test_numbers_in_words_and_with_signs_are_read(value: float, text: str) -> None:
    assert status(Fact(kind="number", value=value), f"It is {text}.") is ClaimStatus.ASSERTED


def test_a_result_counts_and_its_operands_do_not() -> None:
    text = "12 \u00d7 20 = 240, and 240 + 15 = 255."
    assert status(Fact(kind="number", value=255.0), text) is ClaimStatus.ASSERTED
    assert status(Fact(kind="number", value=20.0), text) is ClaimStatus.ABSENT


@pytest.mark.parametrize(
    "text",
    [
        "2026-11-21",
        "21 November 2026",
        "November 21, 2026",
        "Nov 21",
        "21st of November",
        "21.11.2026",
        "21.11.",
        "11/21/2026",
        "21/11/2026",
        "21. November",
        "le 21 novembre 2026",
        "el 21 de noviembre de 2026",
        "2026/11/21",
    ],
)
def test_dates_are_read_in_every_form(text: str) -> None:
    assert status(DAY, f"The appointment is on {text}.") is ClaimStatus.ASSERTED


@pytest.mark.parametrize("text", ["22 November 2026", "21 November 2025", "21 December", "2026-12-21"])
def test_another_date_is_absent(text: str) -> None:
    assert status(DAY, f"The appointment is on {text}.") is ClaimStatus.ABSENT


def test_an_ambiguous_date_counts_only_where_the_text_settles_its_order() -> None:
    april = Fact(kind="date", value="2026-04-03")
    assert status(april, "It is on 03/04/2026.") is ClaimStatus.HEDGED
    assert status(april, "It is on 03/04/2026 and was on 25/03/2026 before.") is ClaimStatus.ASSERTED
    assert status(april, "It is on 04/03/2026, not on 03/25/2026.") is ClaimStatus.ASSERTED
    assert status(april, "Der Termin ist am 03/04/2026 und nicht später.") is ClaimStatus.ASSERTED


@pytest.mark.parametrize(
    "text", ["14:05", "2:05 pm", "2:05 p.m.", "14.05 Uhr", "14h05", "five past two in the afternoon"]
)
def test_times_are_read_in_every_form(text: str) -> None:
    assert status(START, f"The talk starts at {text}.") is ClaimStatus.ASSERTED


@pytest.mark.parametrize("text", ["2:05 am", "14:50", "15:05", "5:14"])
def test_another_time_is_absent(text: str) -> None:
    assert status(START, f"The talk starts at {text}.") is ClaimStatus.ABSENT


@pytest.mark.parametrize(
    "text",
    [
        "Yes.",
        "Yes, it will.",
        "Ja, morgen regnet es.",
        "Oui.",
        "Sí, lloverá.",
        "The answer is yes.",
        "It will rain in Lisbon tomorrow.",
    ],
)
def test_a_yes_in_any_language_is_asserted(text: str) -> None:
    assert status(RAIN, text) is ClaimStatus.ASSERTED


@pytest.mark.parametrize("text", ["No.", "Nein.", "No, it stays dry.", "It won't rain in Lisbon tomorrow."])
def test_a_no_denies_a_yes(text: str) -> None:
    assert status(RAIN, text) is ClaimStatus.DENIED
    assert status(RAIN.model_copy(update={"value": False}), text) is ClaimStatus.ASSERTED


@pytest.mark.parametrize(
    "text",
    ["Probably yes.", "Yes, I can check that for you.", "Will it rain? Hard to say.", "Yes and no: yes. No."],
)
def test_half_a_yes_is_none(text: str) -> None:
    assert status(RAIN, text) is not ClaimStatus.ASSERTED


def test_names_are_found_in_any_case_and_by_alias() -> None:
    assert status(OWNER, "The owner is ANA MOURA.") is ClaimStatus.ASSERTED
    assert status(OWNER, "It belongs to Ms Moura.") is ClaimStatus.ASSERTED
    assert status(OWNER, "The owner is Ana Mourao.") is ClaimStatus.ABSENT


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The owner is not Ana Moura.", ClaimStatus.DENIED),
        ("The owner is Ana Moura or Rui Costa.", ClaimStatus.HEDGED),
        ("The owner is Rui Costa, Ana Moura or Ines Duarte.", ClaimStatus.HEDGED),
        ("Perhaps Ana Moura owns it.", ClaimStatus.HEDGED),
        ("Ana Moura. Scratch that, it's Rui Costa.", ClaimStatus.HEDGED),
        ("Is it Ana Moura?", ClaimStatus.ABSENT),
    ],
)
def test_names_need_commitment_too(text: str, expected: ClaimStatus) -> None:
    assert status(OWNER, text) is expected


def test_the_evidence_is_a_span_of_the_original_text() -> None:
    text = "Ça alors: **21\u202f°C** à Lisbonne!"
    claim = read_claim(HIGH, text)
    assert claim.span is not None
    assert text[claim.span[0] : claim.span[1]] == claim.evidence == "21\u202f°C"


def test_the_values_of_other_facts_do_not_contradict() -> None:
    low = Fact(kind="number", value=14.0, unit="°C", label="low in Lisbon tomorrow")
    judgement = judge_by_facts([HIGH, low], "High: 21 °C\nLow: 14 °C")
    assert judgement.passed
    assert judgement.why == "all facts asserted"
    swapped = judge_by_facts([HIGH, low], "High: 14 °C\nLow: 21 °C")
    assert not swapped.passed
    assert len(swapped.claims) == 2


def test_a_judgement_names_what_is_missing() -> None:
    judgement = judge_by_facts([HIGH, DAY], "It is 21 °C.")
    assert not judgement.passed
    assert judgement.why == "day of the appointment: absent (the value does not occur)"


def test_without_facts_nothing_can_be_judged() -> None:
    with pytest.raises(ValueError, match="without facts"):
        judge_by_facts([], "anything")


REPLACED = Fact(kind="yes_no", value=False, label="whether an older note was replaced")
AWAY = Fact(kind="yes_no", value=True, label="whether an automatic reply came back")


@pytest.mark.parametrize(
    "form",
    [
        "- Was an older note replaced: {0}\n- Did an automatic reply come back: {1}",
        "Was an older note replaced? {0}. Did an automatic reply come back? {1}.",
        "Whether an older note was replaced: {0}. Whether an automatic reply came back: {1}.",
    ],
)
def test_each_of_two_yes_or_no_facts_has_its_own_sentence(form: str) -> None:
    assert judge_by_facts([REPLACED, AWAY], form.format("no", "yes")).passed
    for wrong in (("yes", "no"), ("yes", "yes"), ("no", "no")):
        assert not judge_by_facts([REPLACED, AWAY], form.format(*wrong)).passed
