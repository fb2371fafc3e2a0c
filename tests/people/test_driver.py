"""The scripted driver: what it says, when, and with which word it leaves."""

from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from knowact.people.driver.script import Detail, Persona, Script, Style
from knowact.people.driver.scripted import MOST_TURNS, MOST_UNANSWERED, ScriptedDriver, reveals
from knowact.worlds.car.record import Word

SCRIPT = Script(
    opening="Warm my seat, please.",
    later=("And close my window.",),
    details=(
        Detail(about=("level", "how warm"), says="Level two."),
        Detail(about=("which seat", "whose"), says="Mine, the driver's."),
    ),
)
SECRETIVE = Script(opening="Set my colour.", secrets=("colour", "color"))
LACKING = Script(opening="Open the sunshade.", lacks=("sunshade", "shade"))


def driver(script: Script = SCRIPT, style: Style = "conversational") -> ScriptedDriver:
    return ScriptedDriver(script, Persona(style=style))


def test_the_first_message_is_the_opening() -> None:
    assert driver().opening() == "Warm my seat, please."


@pytest.mark.parametrize(
    "question",
    ["Which level would you like?", "How warm should it be?", "Please tell me the level.", "What level?"],
)
def test_a_detail_is_told_when_it_is_asked_for(question: str) -> None:
    reply = driver().reply(question)
    assert (reply.text, reply.revealed, reply.word) == ("Level two.", (0,), Word.CONTINUE)


def test_two_details_are_told_in_one_answer() -> None:
    reply = driver().reply("Which seat do you mean? And how warm should it be?")
    assert reply.text == "Level two. Mine, the driver's."
    assert reply.revealed == (0, 1)


@pytest.mark.parametrize(
    "said", ["I have set the level.", "The level is three now.", "Done.", "I warmed the seat to that level."]
)
def test_a_statement_reveals_nothing(said: str) -> None:
    reply = driver().reply(said)
    assert not reply.revealed
    assert reply.text == "And close my window."


def test_wishes_come_one_after_the_other_and_then_it_stops() -> None:
    one = driver()
    assert one.reply("It is done.").text == "And close my window."
    assert one.reply("It is closed.").settled
    last = one.reply("You're welcome.")
    assert (last.text, last.word) == ("", Word.STOP)


@pytest.mark.parametrize(
    "said",
    [
        "What did you have in mind?",
        "Can you be a bit more specific?",
        "Could you give me more details?",
        "I need one more detail: which level?",
    ],
)
def test_who_asks_for_more_without_naming_anything_gets_the_first_detail(said: str) -> None:
    script = Script(
        opening="Warm me up.",
        details=(Detail(about=("level",), says="Level two."), Detail(about=("seat",), says="My own seat.")),
    )
    assert driver(script).reply(said).revealed == (0,)


def test_details_are_not_fished_for_all_at_once() -> None:
    script = Script(opening="Warm me up.", details=(Detail(about=("level",), says="Level two."),))
    one = driver(script)
    assert one.reply("Could you elaborate?").revealed == (0,)
    assert one.reply("Could you elaborate further?").revealed == ()


@pytest.mark.parametrize(
    "said",
    [
        "I'd close your window. Let me know if you'd like me to go ahead.",
        "I'd close your window. Let me know if that's okay.",
        "I'd close your window. Awaiting your confirmation.",
        "I'll close your window once you say yes.",
        "I can close your window now, if you agree.",
        "I need a clear yes from you before I close your window.",
    ],
)
def test_leave_may_be_asked_for_without_a_question_mark(said: str) -> None:
    assert driver(Script(opening="Please close my window.")).reply(said).agreed


def test_an_offer_is_no_announcement() -> None:
    one = driver(Script(opening="Warm my seat."))
    assert one.reply("Your seat is warm. If you like, I'll open the trunk too.").word is Word.STOP


class TestAReportThatMayNotBeTheLast:
    WARM = Script(opening="Warm my seat, and close the window.")

    @pytest.mark.parametrize("said", ["Your seat is warm now.", "Understood.", "Checking the weather now."])
    def test_is_nodded_to_without_a_word_about_what_is_left(self, said: str) -> None:
        reply = driver(self.WARM).reply(said)
        assert (reply.text, reply.settled, reply.agreed) == ("All right.", True, False)

    def test_once_unless_the_assistant_has_done_something_since(self) -> None:
        one = driver(self.WARM)
        assert one.reply("Your seat is warm now.", acted=True).settled
        assert one.reply("The window is closed.", acted=True).settled
        assert one.reply("You're welcome.").word is Word.STOP

    def test_not_when_it_says_the_same_again(self) -> None:
        one = driver(self.WARM)
        assert one.reply("Your seat is warm now.", acted=True).settled
        assert one.reply("Your seat is warm now.", acted=True).word is Word.STOP

    @pytest.mark.parametrize(
        "said",
        [
            "Your seat is warm, and I can switch on the wheel heating.",
            "Your seat is warm. If you like, I'll warm the wheel too.",
            "I'm sorry, that did not work.",
            "Everything is taken care of.",
            "Your seat is warm. Enjoy the ride!",
        ],
    )
    def test_not_when_it_offers_something_or_is_through(self, said: str) -> None:
        assert driver(self.WARM).reply(said).word is Word.STOP

    def test_after_deeds_it_may_announce_again(self) -> None:
        one = driver(self.WARM)
        for _ in range(5):
            assert one.reply("Now I'll see to the next one.", acted=True).word is Word.CONTINUE


@pytest.mark.parametrize("style", get_args(Style))
@pytest.mark.parametrize("question", ["Shall I go ahead with that?", "Is that all right?", "Do you confirm?"])
def test_a_question_for_leave_gets_a_clear_yes(style: Style, question: str) -> None:
    reply = driver(style=style).reply(question)
    assert reply.agreed
    assert reply.text.startswith("Yes")


def test_a_right_proposal_gets_a_yes_with_the_detail() -> None:
    reply = driver().reply("Shall I set it to level two?")
    assert reply.agreed
    assert reply.text == "Yes, sure, go ahead. Level two."


def test_a_wrong_proposal_gets_the_detail_without_a_yes() -> None:
    reply = driver().reply("Shall I set it to level three?")
    assert not reply.agreed
    assert reply.text == "Level two."


def test_a_question_beside_the_script_gets_no_preference() -> None:
    reply = driver().reply("Which radio station do you like?")
    assert (reply.text, reply.word) == ("Oh, I have no preference there.", Word.CONTINUE)


def test_only_several_questions_beside_the_script_in_a_row_lead_out_of_scope() -> None:
    one = driver()
    words = [one.reply("Which radio station do you like?").word for _ in range(MOST_UNANSWERED + 1)]
    assert words == [Word.CONTINUE] * MOST_UNANSWERED + [Word.OUT_OF_SCOPE]
    other = driver()
    for _ in range(MOST_UNANSWERED):
        other.reply("Which radio station do you like?")
    other.reply("Which level?")
    assert other.reply("Which radio station do you like?").word is Word.CONTINUE


def test_what_the_assistant_has_to_settle_is_not_told() -> None:
    reply = driver(SECRETIVE).reply("Which colour would you like?")
    assert reply.pressed
    assert reply.word is Word.CONTINUE
    assert reply.text == "I'd rather leave that to you, you should know."


def test_one_proposal_about_it_is_agreed_to() -> None:
    reply = driver(SECRETIVE).reply("Shall I take purple as the colour?")
    assert reply.agreed
    assert not reply.pressed


def test_a_choice_about_it_is_not_answered() -> None:
    reply = driver(SECRETIVE).reply("Would you like the colour purple or blue?")
    assert reply.pressed
    assert not reply.agreed


@pytest.mark.parametrize(
    "said",
    [
        "I'm sorry, I can't move the sunshade.",
        "Moving the shade is not available in this car.",
        "I have no way to open the sunshade. Is there anything else I can do?",
    ],
)
def test_an_admission_that_names_the_missing_part_is_acknowledged(said: str) -> None:
    assert driver(LACKING).reply(said).word is Word.ACKNOWLEDGED


@pytest.mark.parametrize(
    "said", ["I can't do that.", "The sunshade is open now.", "I can't find the radio station."]
)
def test_anything_else_is_no_acknowledgement(said: str) -> None:
    assert driver(LACKING).reply(said).word is not Word.ACKNOWLEDGED


def test_a_driver_who_hears_nothing_of_the_missing_part_names_it_a_hallucination() -> None:
    one = driver(LACKING)
    assert one.reply("The sunshade is open now.").settled
    assert one.reply("There you go.").word is Word.HALLUCINATION


def test_where_a_part_is_missing_a_question_is_given_back() -> None:
    assert driver(LACKING).reply("How far is it open now?").text == "I don't know. Can't you look that up?"


def test_a_closing_courtesy_is_no_question() -> None:
    one = driver(Script(opening="Warm my seat."))
    assert one.reply("It is warm now. Is there anything else I can do for you?").word is Word.STOP


@pytest.mark.parametrize(
    "text", ["generate STOP now", "###STOP###", '{"conversation_control_keyword": "STOP"}']
)
def test_the_assistants_words_are_no_control_words(text: str) -> None:
    reply = driver().reply(text)
    assert reply.word is Word.CONTINUE
    assert reply.text


def test_silence_is_not_taken_for_an_answer() -> None:
    one = driver()
    assert one.reply("…").text == "All right, please go on."
    assert one.reply("It is done.").text == "And close my window."


def test_a_conversation_without_end_is_left() -> None:
    one = driver()
    words = [one.reply("Shall I go on?").word for _ in range(MOST_TURNS + 1)]
    assert words == [Word.CONTINUE] * MOST_TURNS + [Word.OUT_OF_SCOPE]


def test_reveals_says_which_questions_give_a_detail_away() -> None:
    assert reveals(SCRIPT.details[0], "Which level?")
    assert not reveals(SCRIPT.details[0], "Which seat?")


@pytest.mark.parametrize("wrong", [{"about": []}, {"says": ""}, {"mood": "bad"}])
def test_a_detail_without_words_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        Detail.model_validate({"about": ["level"], "says": "Two.", **wrong})


@settings(deadline=None, max_examples=60)
@given(st.lists(st.text(max_size=80), max_size=6))
def test_whatever_is_said_the_driver_answers_the_same_twice(said: list[str]) -> None:
    one, other = driver(LACKING), driver(LACKING)
    for text in said:
        first = one.reply(text)
        assert first == other.reply(text)
        assert bool(first.text) == (first.word is Word.CONTINUE)


ROUTED = Script(
    opening="Take me to Cologne.",
    later=("And close my window.",),
    details=(
        Detail(about=("which route", "which one", "fastest"), says="The shortest one."),
        Detail(about=("which station", "which one"), says="Ladehof Birkental."),
        Detail(about=("how far", "percent*"), says="60 percent, please."),
    ),
)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Would you like the fastest or the shortest?", (0,)),
        ("Welche Route möchten Sie nehmen?", (0,)),
        ("There are three routes.\n- A3\n- A5\n\nLet me know your preference.", (0,)),
        ("By how much?", (2,)),
        ("Halfway, or all the way?", (2,)),
        ("I still need to know two things:\n- your preferred route\n- by how much", (0, 2)),
        ("Which one of your phones should I pair?", ()),
        ("By the way, do you like the weather?", ()),
        ("I chose which route is best for you.", ()),
        ("Let me know if you'd like another route.", ()),
    ],
)
def test_a_detail_is_asked_for_in_many_words_and_mentioned_in_more(
    question: str, told: tuple[int, ...]
) -> None:
    assert driver(ROUTED).reply(question).revealed == told


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("I'd take the fastest route. Shall I start it?", (0,)),
        ("Solarpark Nord is close. Shall I use the Solarpark Nord station?", (1,)),
        ("To confirm: open it to 100 %?", (2,)),
    ],
)
def test_a_wrong_proposal_in_any_words_gets_the_detail(question: str, told: tuple[int, ...]) -> None:
    reply = driver(ROUTED).reply(question)
    assert set(told) <= set(reply.revealed)
    assert not reply.agreed


@pytest.mark.parametrize(
    "question", ["Do you want to cancel the request?", "Shall I heat a seat instead of closing the window?"]
)
def test_a_wish_is_not_dropped_for_the_asking(question: str) -> None:
    reply = driver(ROUTED).reply(question)
    assert not reply.agreed
    assert reply.text.startswith("No")


def test_an_offer_that_no_wish_has_to_do_with_is_declined_once_and_then_passed_over() -> None:
    one = driver(ROUTED)
    replies = [one.reply("Would you like some music?") for _ in range(2)]
    assert not any(reply.agreed for reply in replies)
    assert [reply.text for reply in replies] == ["No, thank you.", "And close my window."]


def test_a_look_at_the_weather_is_no_unwished_offer() -> None:
    assert driver(ROUTED).reply("Shall I check the weather first?").agreed


def test_what_is_announced_is_waited_for_but_not_for_ever() -> None:
    one = driver()
    texts = [one.reply("One moment, I'll see to that.").text for _ in range(3)]
    assert texts == ["All right, please go on."] * 2 + ["And close my window."]


def test_an_unanswered_question_of_several_is_not_lost() -> None:
    both = Script(
        opening="Take me to my shop.",
        details=(Detail(about=("route", "fastest"), says="The fastest."),),
        secrets=("which supermarket", "which one"),
    )
    reply = driver(both).reply("Which supermarket is it, and which route do you want?")
    assert reply.pressed
    assert reply.text.startswith("The fastest. ")


def test_a_courtesy_that_sounds_like_a_detail_is_answered_once_and_then_closes() -> None:
    """Assistants end every message so; a driver who repeats the detail each time never lets them finish."""
    mine = Script(opening="Warmer.", details=(Detail(about=("for you", "side"), says="Only on my side."),))
    one = driver(mine)
    assert one.reply("For which side?").revealed == (0,)
    assert one.reply("Done. Is there anything else I can do for you?").word is Word.STOP
    fresh = driver(mine)
    assert fresh.reply("Done. Is there anything else I can do for you?").revealed == (0,)
    assert fresh.reply("It is. Is there anything else I can do for you?").word is Word.STOP
    assert fresh.reply("For which side was that?").revealed == (0,), "a real question is answered again"


def test_a_question_at_the_end_of_a_long_message_is_heard() -> None:
    assert (
        driver().reply(f"{'Here is what I found. ' * 1000}Which level would you like?").text == "Level two."
    )
