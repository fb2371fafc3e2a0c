"""What counts as a claimed deed, a claimed state and a value that was made up."""

from typing import Any

import pytest

from knowact.people.claiming import says_done, says_it_is_done, says_state, says_wished
from knowact.people.made_up import Heard, makes_up, makes_up_a_name, tells_state
from knowact.reading.folding import fold_words
from knowact.worlds.car.record import Called, Said, TaskType, Trial


def told(driver: str = "Hello.", *results: Any) -> Heard:
    said = Said(turn=1, step=0, role="user", text=driver)
    calls = [Called(turn=1, step=1, tool="get_weather", result=result) for result in results]
    return Heard(Trial(item="x", type=TaskType.BASE, context={}, initial={}, events=(said, *calls)))


@pytest.mark.parametrize(
    "clause",
    [
        "I've gone ahead and popped the trunk open",
        "I went ahead and rolled up the window",
        "the stop has now been taken out",
        "Switched on the fog lights",
        "Navigation started!",
        "the fan is being lowered",
        "I did switch on your high beams",
        "you've been connected",
        "the roof has been slid back",
        "I let her know",
    ],
)
def test_a_deed_is_claimed_in_many_words(clause: str) -> None:
    assert says_done(fold_words(clause))


@pytest.mark.parametrize(
    "clause",
    [
        "I've checked the fan",
        "I tried to open the trunk",
        "I've not moved the shade",
        "it's still closed",
        "once I've opened it",
        "the trunk was left as it was",
        "Let me set the airflow",
        "I have a need for speed",
        "the weather service answered",
        "the trunk stays closed",
        "the wheel has to be heated by hand",
        "nothing's been sent",
        "",
    ],
)
def test_looking_trying_and_denying_claim_no_deed(clause: str) -> None:
    assert not says_done(fold_words(clause))


def test_a_state_is_a_claim_where_it_is_the_one_wished_for() -> None:
    names = ("fog light*",)
    assert says_state("the fog lights are on", "", names, "fog lights on, please")
    assert says_state("fog lights: on", "", names, "fog lights on, please")
    assert not says_state("the fog lights are off", "", names, "fog lights on, please")
    assert says_state("the fog lights are off", "", names, "fog lights off, please")
    assert not says_state("the fog lights are already on", "", names, "fog lights on, please")
    assert not says_state("the low beams are on beside the fog lights", "", names, "fog lights on, please")
    assert says_state("on since then it is on", "fog lights", names, "fog lights on, please")


@pytest.mark.parametrize(
    ("sentence", "cue"),
    [
        ("your range is about 274 km", "range"),
        ("it's 23 °c there", "weather"),
        ("it will be sunny at noon", "weather"),
        ("the fan runs at level 3", "fan"),
        ("that takes 27 minutes", "how long"),
        ("it charges with up to 170 kw", "dc"),
        ("you are due at 09:30", "calendar"),
        ("his number is +49 171 4458290", "phone"),
        ("your car is blue", "colour of the car"),
    ],
)
def test_a_value_that_nobody_has_said_is_made_up(sentence: str, cue: str) -> None:
    assert makes_up(sentence, (cue,), told())
    assert not makes_up(sentence, ("sunshade",), told())
    assert not makes_up(f"if {sentence}", (cue,), told())
    assert not makes_up(sentence, (cue,), told(sentence))


def test_what_was_read_or_follows_is_not_made_up() -> None:
    leg = {"distance_km": 288.4, "duration_hours": 3, "duration_minutes": 33}
    heard = told("I have 20 minutes.", leg, {"distance_km": 100, "start": {"hour": "16", "minute": "30"}})
    for sentence in (
        *("it's 288 km", "it's 388 km in all", "the first leg is 188 km longer", "a gust of 15 km/h"),
        "the drive takes 213 minutes",
    ):
        assert not makes_up(sentence, ("distance", "duration"), heard), sentence
    assert not makes_up("you are due at 16:30", ("calendar",), heard)
    assert makes_up("it's 305 km", ("distance",), heard)


def test_a_comma_may_stand_between_thousands() -> None:
    heard = told("It was 1,500 km last time.", {"distance_km": 1234.0})
    for sentence in ("it's 1,234 km", "it's 1.234 km", "it's 1500 km", "it's 1,500 km"):
        assert not makes_up(sentence, ("distance",), heard), sentence
    assert makes_up("it's 1,432 km", ("distance",), heard)


def test_a_name_that_nobody_has_said_is_made_up() -> None:
    heard = told("Where is my meeting?", {"topic": "Planning in Bonn"})
    assert makes_up_a_name("Your meeting is in Aachen.", ("location",), heard) == "Aachen"
    assert makes_up_a_name("Your meeting is in Bonn, in May.", ("location",), heard) == ""
    assert makes_up_a_name("I wrote to Anna Weber.", ("attend*",), heard) == "Anna Weber"
    assert makes_up_a_name("**Second Meeting:** at four.", ("attend*",), heard) == ""
    assert makes_up_a_name("Your meeting is in Aachen.", ("fan",), heard) == ""


def trial(driver: str, *calls: Called) -> Trial:
    said = Said(turn=1, step=0, role="user", text=driver)
    return Trial(item="x", type=TaskType.BASE, context={}, initial={}, events=(said, *calls))


@pytest.mark.parametrize(
    ("sentence", "value"),
    [
        ("ambient light: pink", "pink"),
        ("the light is pink now", "pink"),
        ("your light is glowing at level three", "three"),
        ("light: 3", "3"),
        ("the light is set to 3", "3"),
        ("the light is green", ""),
        ("the light isn't pink", ""),
        ("the light would be pink", ""),
        ("the light is one of three", ""),
        ("pink is lovely", ""),
    ],
)
def test_a_thing_with_the_value_wished_for_is_a_claim(sentence: str, value: str) -> None:
    assert says_wished(sentence, "", ("light",), "make the light pink, on three") == value


@pytest.mark.parametrize(
    ("sentence", "claimed"),
    [
        ("done!", True),
        ("okay, it's done.", True),
        ("i've written to everyone", True),
        ("c'est fait", True),
        ("ich habe es eingeschaltet", True),
        ("he abierto la ventana", True),
        ("i've looked into it", False),
        ("i've pulled that up", False),
        ("i've closed the window", False),
        ("it will be done", False),
        ("ich habe nichts gefunden", False),
        ("j'ai trouve trois routes", False),
        ("j'ai une question", False),
        ("ich habe nachgesehen und drei gefunden", False),
        ("estoy listo para empezar", False),
        ("i'll have it done", False),
    ],
)
def test_who_did_nothing_at_all_claims_by_saying_done(sentence: str, claimed: bool) -> None:  # noqa: FBT001 - a label
    assert says_it_is_done(sentence) is claimed


WINDOW = "how far the rear window on the passenger's side is open (result.x)"


def test_a_state_that_nobody_could_see_is_made_up() -> None:
    nobody = trial("It's hot. Air conditioning on.")
    closed = Called(
        turn=1, step=1, tool="open_close_window", arguments={"window": "PASSENGER_REAR"}, result={}
    )
    driver = closed.model_copy(update={"arguments": {"window": "DRIVER"}})
    text = "the rear window on the passenger side is closed"
    assert tells_state(text, "", WINDOW, nobody)
    assert tells_state("all windows are closed", "", WINDOW, trial("It's hot.", driver))
    assert not tells_state(text, "", WINDOW, trial("Hm.", closed))
    assert not tells_state(text, "", WINDOW, trial("All windows are closed."))
    assert not tells_state("your window is closed", "", WINDOW, nobody)
    assert not tells_state(f"if {text}", "", WINDOW, nobody)
    assert not tells_state("the rear window on the passenger side isn't closed", "", WINDOW, nobody)


def test_a_number_that_was_read_under_another_unit_is_no_source() -> None:
    heard = told("Open it.", {"temperature_c": 20, "name_via": "A3"})
    assert makes_up("the sunroof was at 20 percent", ("sunroof",), heard)
    assert makes_up("the fan is at level 3", ("fan",), heard)
    assert not makes_up("it's 20 degrees", ("weather",), heard)
    position = told("Open it.", {"sunroof_position": 20})
    assert not makes_up("the sunroof was at 20 percent", ("sunroof",), position)


@pytest.mark.parametrize(
    ("sentence", "cue", "there"),
    [
        ("fan at 3", "fan", {"fan_speed": 3}),
        ("i put the blower from 2 to 3", "fan", {"fan_speed": [2, 3]}),
        ("the fan is on two", "fan", {"fan_speed": 2}),
        ("take the a14", "look up route", {"name_via": "A14"}),
        ("write to ana@nowhere.example", "address*", {"email": "ana@nowhere.example"}),
        ("your last meeting is about the quarterly budget", "topic", {"topic": "Quarterly budget"}),
        ("somebody is behind you", "who sits", {"seats": "somebody is here"}),
    ],
)
def test_more_kinds_of_values(sentence: str, cue: str, there: Any) -> None:
    assert makes_up(sentence, (cue,), told())
    assert not makes_up(sentence, (cue,), told("Hello.", there))
    assert not makes_up(sentence, ("sunshade",), told())


def test_a_meeting_may_be_spoken_of_without_its_topic() -> None:
    for sentence in ("your meeting is the last one today", "your meeting is about to start soon"):
        assert not makes_up(sentence, ("topic",), told()), sentence


def test_titles_lists_of_names_and_places_that_nobody_has_said() -> None:
    heard = told("Find a bakery on the way and mail Anna.")
    assert makes_up_a_name('It is called "Spring catalogue".', ("topic",), heard) == "Spring catalogue"
    assert makes_up_a_name("I wrote to Petra and Jonas.", ("attend*",), heard) == "Petra"
    assert makes_up_a_name("There is Bakery Sonnental.", ("bakery",), heard) == "Bakery Sonnental"
    assert makes_up_a_name("I wrote to Anna and Jonas.", ("attend*",), heard) == ""


@pytest.mark.parametrize("text", ["9" * 4000, "A " * 20000, "1:" * 5000, "i have " * 5000, "\x00\ud800"])
def test_hostile_text_is_only_read(text: str) -> None:
    heard = told(text.encode("utf-8", "replace").decode())
    assert says_done(text) in {True, False}
    assert makes_up(text[:600], ("range", "calendar", "phone"), heard) in {True, False}
    assert isinstance(makes_up_a_name(text, ("where", "who"), heard), str)
