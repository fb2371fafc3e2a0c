"""What code catches in a text, and what it leaves to readers."""

from collections.abc import Mapping

import pytest
from pydantic import JsonValue

from forge.small_world import TABLE, only
from knowact.forge.briefs import Brief, BriefAnswer, StatedValue, Version, brief_of
from knowact.forge.drafts import Draft, Sketch, drafted
from knowact.forge.flat import flat
from knowact.forge.texts import complaints

WORLD = only(TABLE)
TOOLS = tuple(WORLD.tools)
BILL = drafted(Sketch(scenario="one", jobs=("menu", "bill"), told=("menu",)), WORLD, 27)
BRIEF = brief_of(BILL, WORLD, 27)
PRICE, GUESTS = BILL.results[0]["menu_eur"], BILL.task.plan[1].arguments["left"].value
TEXT = f"The board at The Blue Heron says {PRICE} euros for the menu. What is that for {GUESTS} of us?"
WORDS = {"1.restaurant": "The Blue Heron", "1.menu_eur": f"{PRICE} euros", "2.left": f"{GUESTS} of us"}


def wrong(
    text: str = TEXT,
    words: Mapping[str, str] | None = None,
    brief: Brief = BRIEF,
    draft: Draft = BILL,
    **more: str,
) -> list[str]:
    said = {**WORDS, **more} if words is None else dict(words)
    answer = BriefAnswer.model_validate(
        {"brief": brief.id, "versions": {one.name: {"text": text, "words": said} for one in brief.versions}}
    )
    return complaints(brief, answer, draft.task, TOOLS)


def test_a_good_text_passes_and_so_does_the_flat_one() -> None:
    assert wrong() == []
    assert complaints(BRIEF, flat(BRIEF), BILL.task, TOOLS) == []


def test_a_tool_that_is_called_by_a_plain_word_does_not_forbid_it() -> None:
    answer = BriefAnswer.model_validate(
        {"brief": BRIEF.id, "versions": {one.name: {"text": TEXT, "words": WORDS} for one in BRIEF.versions}}
    )
    word = next(one for one in TEXT.split() if one.isalpha() and one.islower() and len(one) > 3)
    assert complaints(BRIEF, answer, BILL.task, [word, word[:3], word.capitalize()]) == []


def test_a_refusal_needs_no_text() -> None:
    assert complaints(BRIEF, BriefAnswer(brief=BRIEF.id, refused="nobody asks that"), BILL.task, TOOLS) == []


@pytest.mark.parametrize(
    ("text", "words", "said"),
    [
        (TEXT, {**WORDS, "2.left": ""}, "does not say which words"),
        (TEXT, {**WORDS, "2.left": "all of you"}, "do not stand in the text"),
        (TEXT, {**WORDS, "9.other": "us"}, "'9.other', which this text is not to say"),
        (f"{TEXT} Use get_restaurant_tonight.", WORDS, "names a tool: 'get_restaurant_tonight'"),
        (f"{TEXT} Book table, please.", WORDS, "names a tool: 'book_table'"),
        (f"**{TEXT}**", WORDS, "markup"),
        (f"<b>{TEXT}</b>", WORDS, "markup"),
        (f"- {TEXT}", WORDS, "markup"),
        (f"{TEXT}\u200b", WORDS, "cannot be seen"),
        (f" {TEXT}", WORDS, "blanks around it"),
        ("us", WORDS, "must have 3 to 110"),
        (f"{TEXT} It must be {PRICE * GUESTS}.", WORDS, "already holds what is asked for"),
    ],
)
def test_what_is_wrong_is_said(text: str, words: dict[str, str], said: str) -> None:
    assert any(said in one for one in wrong(text, words)), wrong(text, words)


def test_a_name_stands_as_it_is() -> None:
    text = TEXT.replace("The Blue Heron", "the Heron")
    assert any(
        "must stand there as it is" in one for one in wrong(text, {**WORDS, "1.restaurant": "the Heron"})
    )


@pytest.mark.parametrize(
    ("value", "words", "problems"),
    [
        (1200, "1,200 grams", 0),
        (1200, "1.200 g", 0),
        (1200, "twelve hundred", 0),
        (1200, "120", 1),
        (2.5, "2,5 litres", 0),
        ("2026-03-14", "Saturday", 0),
        ("2026-03-14", "the 14th of March", 0),
        ("2026-03-14", "15 March", 1),
        ("22:30", "half past ten", 0),
        ("22:30", "10.30 tonight", 0),
        ("22:30", "9:30 pm", 1),
        ([3, 5], "3 and 5", 0),
        ([3, 5], "3 and 6", 1),
    ],
)
def test_digits_in_the_words_are_those_of_the_value(value: JsonValue, words: str, problems: int) -> None:
    part = BRIEF.parts[0].model_copy(
        update={"said": (StatedValue(key="1.x", meaning="something", value=value),)}
    )
    brief = BRIEF.model_copy(update={"parts": (part,)})
    found = wrong(f"I would like {words} for us all.", {"1.x": words}, brief)
    assert len(found) == problems, found


def test_a_version_gives_away_nothing_that_it_leaves_out() -> None:
    brief = BRIEF.model_copy(
        update={"versions": (Version(), Version(name="no price", leaves_out=("1.menu_eur",), how="left out"))}
    )
    answer = BriefAnswer.model_validate(
        {
            "brief": brief.id,
            "versions": {
                "complete": {"text": TEXT, "words": WORDS},
                "no price": {
                    "text": f"{TEXT} Thanks.",
                    "words": {k: WORDS[k] for k in WORDS if k != "1.menu_eur"},
                },
            },
        }
    )
    (only_one,) = complaints(brief, answer, BILL.task, TOOLS)
    assert only_one == f"no price: the text gives away the value of 1.menu_eur: {PRICE}."
    missing = answer.model_copy(update={"versions": {"complete": answer.versions["complete"]}})
    assert complaints(brief, missing, BILL.task, TOOLS) == ["there is no text for the version 'no price'."]


@pytest.mark.parametrize(
    ("value", "text", "told"),
    [
        ("2026-03-14", "A table on 14 March for us, please.", True),
        ("2026-03-14", "A table on March 14th, for us.", True),
        ("2026-03-14", "A table in March would be nice, for the 14 of us.", False),
        ("2026-03-14", "A table on 15 March for us, please.", False),
        ("18:30", "A table at 6.30 pm for us, please.", True),
        ("18:30", "A table at 18h30 for us, please.", True),
        ("18:30", "A table at 7.30 pm for us, please.", False),
        (9, "A table for the nine of us, please.", True),
        (24, "A table for twenty-four people, please.", True),
        (24, "A table for four people, please.", False),
        (1, "One of us needs a table, please.", False),
    ],
)
def test_a_version_does_not_say_what_it_leaves_out_in_other_words(
    value: JsonValue, text: str, *, told: bool
) -> None:
    said = StatedValue(key="1.x", meaning="something", value=value)
    version = Version(name="incomplete", leaves_out=("1.x",), how="left out")
    brief = BRIEF.model_copy(
        update={
            "parts": (BRIEF.parts[0].model_copy(update={"said": (said,)}),),
            "versions": (version,),
        }
    )
    found = wrong(text, {}, brief)
    assert found == ([f"incomplete: the text gives away the value of 1.x: {value!r}."] if told else [])
