"""What the scripted driver makes of proposals: which are its wish, which are beside it, which against it."""

import pytest

from knowact.people.driver.deeds import deeds
from knowact.people.driver.drafts import says_otherwise
from knowact.people.driver.names import other_name
from knowact.people.driver.script import Detail, Script
from knowact.people.driver.scripted import Reply, ScriptedDriver

ROUTE = Detail(about=("which route", "fastest", "which would"), says="The fastest.")
WINDOWS = "Open my window and the passenger's to 50."


def said(opening: str, text: str, *details: Detail, secrets: tuple[str, ...] = ()) -> Reply:
    return ScriptedDriver(Script(opening=opening, details=details, secrets=secrets)).reply(text)


@pytest.mark.parametrize(
    ("wish", "right", "wrong"),
    [
        (WINDOWS, "Shall I open your window to 50 percent?", "Shall I open your window to 65 percent?"),
        (WINDOWS, "May I set the passenger's window to 50 %?", "May I set the rear windows to 50 %?"),
        (WINDOWS, "I'd open both. Is that okay?", "I'd close both. Is that okay?"),
        ("Warm my seat, level two.", "Shall I set it to level 2?", "Shall I set it to level 3?"),
        ("Warm my seat.", "Shall I heat the driver's seat?", "Shall I heat the passenger's seat?"),
        ("Put his light on.", "Shall I put his reading light on?", "Shall I put on all the reading lights?"),
        ("All reading lights off.", "Shall I turn all of them off?", "Shall I turn them all on?"),
        ("Air conditioning on.", "Shall I turn the AC on?", "Shall I turn the AC off?"),
        ("Let some fresh air in.", "Shall I bring in fresh air?", "Shall I recirculate the air?"),
        ("Open the sunroof halfway.", "Shall I open it to 50 percent?", "Shall I open it to 100 percent?"),
        ("Open the sunroof.", "Shall I open the sunroof?", "Shall I leave the sunroof closed for now?"),
        ("Shut the roof.", "Shall I close the roof?", "Shall I leave the roof as it is?"),
        ("Fog lights on.", "Shall I switch them on now?", "Shall I wait with the fog lights?"),
        ("Make it purple, the ambient light.", "Shall I make it purple?", "Shall I make it green?"),
        ("Take me to Dresden.", "Shall I guide you to Dresden?", "Shall I guide you to Leipzig?"),
        ("Open the trunk.", "Shall I open the trunk?", "Shall I unlock the doors?"),
        ("Let's hear the weather.", "Shall I look it up?", "Would the radio do instead?"),
    ],
)
def test_a_yes_is_for_the_wish_and_not_for_something_like_it(wish: str, right: str, wrong: str) -> None:
    assert said(wish, right).agreed
    assert not said(wish, wrong).agreed


@pytest.mark.parametrize(
    ("wish", "needed"),
    [
        ("Air conditioning on.", "The windows are open. Shall I close them and set the fan to 1?"),
        ("Fog lights on.", "Shall I switch the low beams on and the high beams off first?"),
        ("Open the sunroof.", "Shall I draw back the sunshade, too?"),
        ("Defrost the front.", "I'd send the air to the windscreen and switch on the AC. Is that okay?"),
        ("Take me to Dresden.", "Shall I add a charging stop?"),
        ("Open the sunroof.", "Shall I check the weather first?"),
        ("Open the sunroof.", "Shall I open it although it is raining and the fan is on?"),
        ("Warm my seat.", "It's 12 degrees outside and the window is open. Shall I warm your seat?"),
    ],
)
def test_what_the_rules_of_the_car_join_to_a_wish_gets_a_yes(wish: str, needed: str) -> None:
    assert said(wish, needed).agreed


@pytest.mark.parametrize(
    "side",
    [
        "Shall I switch on the low beams and play some music?",
        "Shall I switch the fog lights on? And should I heat your seat?",
        "Here's my plan:\n- fog lights on\n- ambient light red\n\nShall I go ahead?",
        "I'd switch the fog lights off. Okay?",
        "Shall I switch the low beams off?",
    ],
)
def test_of_several_proposals_one_that_is_wrong_takes_the_yes_away(side: str) -> None:
    reply = said("Fog lights on.", side)
    assert not reply.agreed
    assert reply.text.startswith("No")


def test_more_of_what_is_done_is_declined_and_what_is_left_is_not() -> None:
    wish = "Warm my seat to level one and open my window."
    done = "I've set your seat to level 1."
    assert said(wish, f"{done} Would you like another level?").text == "No, thank you."
    assert said(wish, f"{done} Shall I open your window, too?").agreed


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("The shortest is less than the fastest. I'd go with that one. Okay?", (0,)),
        ("So I'd take the shortest?", (0,)),
        ("Is it the shortest one?", (0,)),
        ("It is the fastest on the A4.", ()),
    ],
)
def test_a_wrong_value_is_put_right_wherever_it_stands(text: str, told: tuple[int, ...]) -> None:
    reply = said("Take me to Dresden.", text, ROUTE)
    assert reply.revealed == told
    assert not reply.agreed


def test_half_and_fifty_percent_are_one_value() -> None:
    half = Detail(about=("how far", "percent*"), says="Half. 50 percent.")
    assert said("Open the sunroof.", "Shall I open it to 50 %?", half).agreed
    assert not said("Open the sunroof.", "Shall I open it from 20 to 70 %?", half).agreed


def test_who_names_one_thing_does_not_ask_for_another() -> None:
    city = Detail(about=("which city", "which would"), says="In Leipzig.")
    legs = Detail(about=("which route", "legs", "which would"), says="The fastest ones.")
    assert said("Add a stop.", "Which would you like on the two legs?", city, legs).revealed == (1,)
    assert said("Add a stop.", "Which would you like?", city, legs).revealed == (0, 1)
    station = ("which station", "which would")
    assert not said("Charge.", "Which would you like on the legs?", legs, secrets=station).pressed
    assert said("Charge.", "Which station would you like?", legs, secrets=station).pressed


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("I can't do it without knowing the level. Please give me a number.", True),
        ("Your preferences tell me the level: two.", False),
        ("It is on. If the level is wrong, tell me.", False),
        ("Please tell me the level.", True),
    ],
)
def test_what_asks_and_what_only_sounds_so(text: str, *, asks: bool) -> None:
    assert said("Warm the wheel.", text, secrets=("level",)).pressed is asks


def test_details_that_are_told_are_not_asked_for() -> None:
    told = "Here are his details:\n\nPhone: +49 170 5550142\nE-mail: o.brandt@werkhof.example"
    assert said("Give me Oskar's number.", told).settled
    assert said("Call Oskar.", "I need these details:\n- his last name").text


@pytest.mark.parametrize("text", ["I'm now working out the way.", "I'm about to close it."])
def test_what_is_under_way_is_waited_for(text: str) -> None:
    assert said("Close it.", text).text == "All right, please go on."


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("Shall I send it to Kessler?", True),
        ("I'll write to Hanna Kessler.", True),
        ("I'll write to Hanna Keller now.", False),
        ("Shall I call Dr. Keller?", False),
        ("Shall I send it Now?", False),
    ],
)
def test_a_message_goes_to_whom_the_wish_names(text: str, *, other: bool) -> None:
    assert other_name(Script(opening="Mail Hanna Keller that I'm late."), text) is other
    assert not other_name(Script(opening="Mail those in my meeting."), text)


@pytest.mark.parametrize(
    ("draft", "otherwise"),
    [
        ('"I am ill and cannot come today."', True),
        ('"Dear Hanna, I will be late by ten minutes. Best regards"', False),
        ("> I'm running behind, ten min.", False),
        ('"Hello Hanna."', False),
        ("I am ill.", False),
    ],
)
def test_a_draft_shares_words_with_what_it_is_to_say(draft: str, *, otherwise: bool) -> None:
    assert says_otherwise("That I'll be ten minutes late.", draft) is otherwise


def test_reasons_states_and_quotations_are_no_deeds() -> None:
    assert not any(one.things for one in deeds("The window is open. The fan was at 2."))
    assert not any(one.things for one in deeds('I\'d send "The window stays shut."'))
    (one,) = [one for one in deeds("Shall I open the roof because the window is shut?") if one.things]
    assert (one.things, one.ways) == ({"sunroof"}, {"+"})


def test_a_question_that_ends_in_a_quotation_is_heard() -> None:
    assert said("Mail Hanna that I'm late.", 'Shall I send Hanna this: "I am late."?').agreed
