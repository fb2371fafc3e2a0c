"""Faults of drivers are found from the script and the talk alone."""

import pytest

from knowact.people.driver.script import Detail, Script
from knowact.people.driver.scripted import ScriptedDriver
from knowact.people.driver_faults import FAULTS, Known, driver_faults
from knowact.worlds.car.record import Event, Ruled, Said, Stop, Trial, Word

SCRIPT = Script(
    opening="Please take me to Hamburg.",
    later=("And switch the reading light on.",),
    details=(Detail(about=("which route", "fastest or"), says="The shortest one, over the country roads."),),
)
SCENARIO = "You drive to Hamburg to see Ines, on the shortest way, and want the reading light on."


def talk(*lines: str, word: Word | None = Word.STOP, stop: Stop = Stop.WORD) -> Trial:
    """A trial of words: "> …" is the driver; at the end it leaves with a word."""
    events: list[Event] = []
    turn = step = 0
    for one in lines:
        if one.startswith("> "):
            turn += 1
            events.append(Said(turn=turn, step=step, role="user", text=one[2:]))
        else:
            step += 1
            events.append(Said(turn=max(1, turn), step=step, role="assistant", text=one))
    if word is not None:
        events.append(Ruled(turn=max(1, turn), step=step, word=word, by="driver"))
    return Trial(item="t", context={}, initial={}, events=tuple(events), stop=stop)


def found(trial: Trial, **known: tuple[str, ...]) -> tuple[str, ...]:
    return driver_faults(Known(SCRIPT, SCENARIO, **known), trial)


HAPPY = (
    "> Take me to Hamburg, please.",
    "Which route would you like?",
    "> The shortest, over country roads.",
    "You are on your way.",
    "> And the reading light on.",
    "It is on. Anything else?",
)


def test_a_good_driver_has_no_fault() -> None:
    assert found(talk(*HAPPY)) == ()


@pytest.mark.parametrize(
    ("lines", "fault"),
    [
        (("> Take me to Hamburg, the reading light on, it is 14 km.", "Fine."), "made_up"),
        (("> Take me to Hamburg, my friend Otto waits, and reading light on.", "Fine."), "made_up"),
        (HAPPY[:4], "skipped_wish"),
        (HAPPY[:2], "early_stop"),
        (HAPPY[:1], "early_stop"),
        (
            ("> Take me to Hamburg, the shortest one over the country roads. Reading light on.", "Fine."),
            "revealed",
        ),
        (("> To Hamburg, reading light on.", *("Hm.", "> Go on.") * 4, "Hm."), "in_circles"),
    ],
)
def test_each_fault_is_named(lines: tuple[str, ...], fault: str) -> None:
    assert fault in found(talk(*lines))


def test_giving_up_without_having_been_asked_anything() -> None:
    silent = talk("> Take me to Hamburg.", "Hm.", word=Word.OUT_OF_SCOPE)
    assert found(silent) == ("gave_up",)
    asked = talk("> Take me to Hamburg.", "What is your name?", word=Word.OUT_OF_SCOPE)
    assert found(asked) == ()


def test_what_the_assistant_said_may_be_repeated() -> None:
    assert found(talk(*HAPPY[:4], "> 14 minutes, fine. And the reading light on, please.", "On.")) == (
        "made_up",
    )
    told = (*HAPPY[:3], "It takes 14 minutes.", "> 14 minutes, fine. And the reading light on.", "On.")
    assert found(talk(*told)) == ()


def test_hidden_words_come_from_the_assistant_first() -> None:
    first = talk("> To Hamburg, reading light on, open it halfway.", "Done.")
    assert "revealed" in found(first, hidden=("halfway",))
    second = talk("> To Hamburg, reading light on.", "Halfway, as you like it?", "> Yes, halfway.", "Done.")
    assert found(second, hidden=("halfway",)) == ()


def test_an_agent_that_ended_it_leaves_no_wish_skipped() -> None:
    assert found(talk(*HAPPY[:4], word=None, stop=Stop.TOOL)) == ()
    assert found(talk(*HAPPY[:2], word=None, stop=Stop.LIMIT)) == ()


def test_the_scripted_driver_has_no_faults() -> None:
    driver = ScriptedDriver(SCRIPT)
    lines = [f"> {driver.opening()}"]
    for said in ("Which route, the fastest or another?", "You are on your way.", "The light is on.", "Bye!"):
        lines.append(said)
        reply = driver.reply(said)
        if reply.word is not Word.CONTINUE:
            break
        lines.append(f"> {reply.text}")
    assert found(talk(*lines)) == ()


def test_faults_have_a_sentence_and_come_in_order() -> None:
    assert all(FAULTS.values())
    many = found(talk("> 99 Otto.", "What?"))
    assert list(many) == [name for name in FAULTS if name in many]
    assert len(many) >= 3


@pytest.mark.parametrize(
    "lines",
    [
        ("> Twenty minutes?", "20 minutes.", "> To Hamburg. Reading light on.", "Done."),
        ("> To Hamburg. Reading light on.", "It starts at level four.", "> Four, fine.", "Done."),
        (
            "> To Hamburg. Reading light on.",
            "It is 20:15.",
            "> A quarter past eight pm, so 8:15. Good.",
            "Done.",
        ),
    ],
)
def test_numbers_are_the_same_in_words_and_figures(lines: tuple[str, ...]) -> None:
    first = ("made_up",) if lines[0].startswith("> Twenty") else ()
    assert found(talk(*lines)) == first


def test_a_wish_with_a_name_needs_the_name() -> None:
    assert found(talk("> Guide me somewhere. Reading light on.", "Done.")) == ("skipped_wish",)


def test_an_offer_may_be_left_standing_and_a_request_may_not() -> None:
    done = ("> Take me to Hamburg. Reading light on.",)
    assert found(talk(*done, "Done. Would you like some music?")) == ()
    assert found(talk(*done, "Tell me which route you want.")) == ("early_stop",)


def test_an_agent_that_asks_in_circles_does_not_make_its_driver_faulty() -> None:
    asked = ("Which route would you like?", "> The shortest one, over the country roads.")
    lines = ("> To Hamburg, please, and the reading light on.", *asked * 6, "All is set.")
    assert "in_circles" not in found(talk(*lines))
    untold = ("Fine.", "> The shortest one, over the country roads.")
    assert "in_circles" in found(talk(lines[0], *untold * 6, "All is set."))


def test_a_yes_to_other_questions_is_no_circle() -> None:
    asked = ("Tolls?", "Ferries?", "Motorways?", "Tunnels?")
    lines = [line for one in asked for line in (one, "> Yes.")]
    assert "in_circles" not in found(talk("> To Hamburg, reading light on.", *lines, "Done."))
    again = [line for _ in asked for line in ("Tolls?", "> Yes.")]
    assert "in_circles" in found(talk("> To Hamburg, reading light on.", *again, "Done."))


@pytest.mark.parametrize("noise", ["?", "1% ", "- which one\n", "Abc-", '"', "one ", "I need to know:\n"])
def test_noise_holds_nobody_up(noise: str) -> None:
    many = noise * 20_000
    assert "skipped_wish" in found(talk(f"> {many}", many))
