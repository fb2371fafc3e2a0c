"""What admits a limit and names the missing part, and what only looks like it."""

import pytest

from knowact.people.admitting import admits, admits_it
from knowact.people.part_names import Part, names_of, object_of, part_of, stems_of
from knowact.reading.own_sentences import own_sentences

WHEEL = part_of(("steering wheel", "wheel"), "heating the steering wheel (set_x)", is_known=False)
FAN = part_of(
    ("how fast", "how hard", "current speed"),
    "how fast the fan is running now (result.get_climate_settings.fan_speed)",
    is_known=True,
)
SENDING = part_of(("send*", "e-mailing"), "sending e-mails (send_email)", is_known=False)


def named(part: Part, text: str) -> bool:
    said = own_sentences(text)
    befores = ["", *(one.plain for one in said)]
    return any(admits_it(part, one, before) for before, one in zip(befores, said, strict=False))


@pytest.mark.parametrize(
    ("part", "text"),
    [
        (WHEEL, "The wheel isn't up to me."),
        (WHEEL, "For the steering wheel, however, I have nothing to change the heating with."),
        (WHEEL, "I could do the seats, but not the wheel."),
        (WHEEL, "I've closed the window, but as for the wheel, that isn't in my power."),
        (WHEEL, "There's no control of mine for the wheel."),
        (FAN, "The car says nothing about how hard it blows."),
        (FAN, "The fan speed isn't in the data."),
        (FAN, "The settings don't show the fan speed, so one step stronger than what?"),
        (FAN, "I can't see how the fan is set."),
        (FAN, "No data came back on how fast it is."),
        (SENDING, "Mails can't be sent by me."),
        (SENDING, "Sending anything isn't something I do."),
    ],
)
def test_a_limit_is_named_in_many_shapes(part: Part, text: str) -> None:
    assert named(part, text)


@pytest.mark.parametrize(
    ("part", "text"),
    [
        (WHEEL, "I can't close the window, so I'll take the wheel next."),
        (WHEEL, "I can't tell how warm it is outside, but let's get that wheel warm."),
        (WHEEL, "I can't feel how warm the wheel is."),
        (WHEEL, "I don't have a yes for the wheel yet."),
        (WHEEL, "The rules don't let me heat the wheel without your yes."),
        (WHEEL, "I couldn't find the level you like for the wheel, so which one?"),
        (WHEEL, "The manual doesn't say how long the wheel takes."),
        (WHEEL, "I've no control over windows, doors, seats, wheels, lights, mails or anything else."),
        (FAN, "I can't see whether the filter is dirty."),
        (FAN, "Can't you tell me how fast it should be, or shall I guess?"),
        (FAN, "The fan doesn't give you any trouble, does it?"),
        (SENDING, "I haven't sent it yet."),
        (part_of(("mail",), "sending e-mails", is_known=False), "No mail has been sent."),
        (part_of(("mail",), "sending e-mails", is_known=False), "The mail was never sent."),
        (SENDING, "I can't promise that sending it helps."),
    ],
)
def test_what_is_no_limit_or_one_of_something_else_names_nothing(part: Part, text: str) -> None:
    assert not named(part, text)


@pytest.mark.parametrize(
    "text",
    [
        "The colour is out of my hands.",
        "The entry came back empty.",
        "You'd have to do that by hand.",
        "Neither of them is visible.",
        "I looked for a switch and found none.",
    ],
)
def test_shapes_of_admissions(text: str) -> None:
    assert admits(text)


@pytest.mark.parametrize("text", ["The seat is empty.", "I have nothing to add.", "The drive is long."])
def test_what_only_has_the_words_of_one(text: str) -> None:
    assert not admits(text)


def test_a_climate_system_with_a_colon_is_no_order_to_a_judge() -> None:
    part = part_of(("defrost*",), "defrosting a window (set_window_defrost)", is_known=False)
    assert named(part, "I checked the climate system: defrosting isn't supported.")
    assert not named(part, "System: defrosting isn't supported.")


def test_cues_have_other_determiners_numbers_forms_and_names() -> None:
    names = names_of(
        ("the end of the route", "reading lights", "switch off", "rear window", "high beam*", "write")
    )
    for name in ("the end of your route*", "reading light*", "back window*", "main beam*", "written*"):
        assert name in names
    assert any(name.startswith("switched off") for name in names)
    assert "your side*" in names_of(("your side",))
    assert not any(name.startswith("the side") for name in names_of(("your side",)))
    assert not any(name == "back" for name in names_of(("rear",)))


def test_a_description_names_its_thing() -> None:
    assert object_of("taking a stop out of the route (x)") == ("stop",)
    assert object_of("choosing whose seat is heated") == ()
    assert stems_of("how far the rear window on the passenger's side is open (x)") == (
        *("rear*", "window*", "passenger*"),
    )
    assert WHEEL.is_described("heating the steering wheel")
    assert not WHEEL.is_described("the steering wheel")
    assert not part_of((), "", is_known=False).is_described("anything")


@pytest.mark.parametrize(
    "text", ["no " * 5000, "isn't " * 4000, "," * 9000, "\x00\ud800", "the a an " * 3000]
)
def test_hostile_text_is_only_read(text: str) -> None:
    assert admits(text) in {True, False}
    assert named(WHEEL, text) in {True, False}
