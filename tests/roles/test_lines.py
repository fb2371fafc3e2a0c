"""What a model that plays the user may reply, and what is made of anything else."""

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from knowact.core.conversation import Control
from knowact.roles.lines import KEYWORD, LONGEST, LONGEST_REPLY, MESSAGE, REASON, WORDS, UserLine, read_line
from knowact.roles.script import Persona
from knowact.roles.user_brief import Setting, persona_in_words, scenario_for_a_person, user_brief
from timing import units


def reply(text: object, word: object, **more: object) -> str:
    return json.dumps({REASON: "because", MESSAGE: text, KEYWORD: word, **more})


def test_a_message_is_a_line_with_its_reason() -> None:
    assert read_line(reply("Open the  window.\n", "CONTINUE")) == UserLine("Open the window.", why="because")


def test_a_word_that_ends_it_has_no_text() -> None:
    assert read_line(reply("Bye!", "STOP")) == UserLine("", Control.STOP, "because")


def test_the_last_object_with_a_word_counts_whatever_stands_around_it() -> None:
    text = f"Let me think. {reply('No.', 'CONTINUE')} Better: ```json\n{reply('Hello.', 'CONTINUE')}\n``` ok?"
    assert read_line(text).text == "Hello."


def test_two_words_that_contradict_each_other_are_none() -> None:
    for one, other in (("STOP", "CONTINUE"), ("CONTINUE", "STOP"), ("STOP", "OUT_OF_SCOPE")):
        assert read_line(f"{reply('No.', one)}\n{reply('Hello.', other)}").fault == "unreadable"


def test_words_that_decide_are_none_of_the_user() -> None:
    for word in set(Control) - set(WORDS):
        assert read_line(reply("Hi", word.value)).fault == "unreadable"


def test_nothing_and_nonsense_are_faults_by_name() -> None:
    assert read_line("").fault == read_line(reply("  ", "CONTINUE")).fault == "empty"
    assert read_line("STOP").fault == read_line('{"user_message": "Hi"}').fault == "unreadable"
    assert read_line(f'{{"{KEYWORD}": "STOP", "{KEYWORD}": "STOP"}}').fault == "unreadable"


def test_a_driver_who_does_not_come_to_an_end_is_not_cut_but_named() -> None:
    assert read_line(reply("y" * LONGEST, "CONTINUE")).text == "y" * LONGEST
    assert read_line(reply("yes " * 9_000, "CONTINUE")).fault == "overlong"


def test_a_reply_that_would_take_seconds_to_read_is_not_read() -> None:
    overlong = "x {" * LONGEST_REPLY
    assert read_line(overlong).fault == "overlong"
    assert units(lambda: read_line(overlong)) < 5


@settings(deadline=None, max_examples=150)
@given(st.text(max_size=200))
def test_any_text_is_read(text: str) -> None:
    line = read_line(text)
    assert bool(line.text) + bool(line.fault) + (line.word is not Control.CONTINUE) == 1


@settings(deadline=None, max_examples=100)
@given(st.text(min_size=1, max_size=80), st.sampled_from(WORDS))
def test_what_was_written_comes_back(text: str, word: Control) -> None:
    line = read_line(reply(text, word.value))
    said = " ".join(text.split())
    if word is Control.CONTINUE and said:
        assert line.text == said
    elif word is Control.CONTINUE:
        assert line.fault == "empty"
    else:
        assert (line.word, line.text) == (word, "")


def test_the_brief_holds_persona_and_scenario_and_no_secret() -> None:
    persona = Persona(age=44, style="commanding", proficiency="low")
    text = user_brief(persona, "You want the $5 window open.", Setting(player="drives a car", subject="cars"))
    assert text.startswith("You play somebody who drives a car.")
    assert "You know little of cars" in text
    assert "44 years" in text
    assert "$5 window" in text
    assert "HALLUCINATION" not in text
    assert persona_in_words(Persona(words="A chatty pensioner."), Setting()) == "A chatty pensioner."
    assert any("$5" in one for one in scenario_for_a_person(persona, "You want the $5 window open."))
