"""What a person types in an agent's place."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowact.roles.desk import (
    Make,
    OfferedTool,
    Refused,
    Show,
    TypedMessage,
    completions,
    read_entry,
    tools_in_words,
)

SEAT = OfferedTool(
    "set_seat_heating",
    "Set how warm a seat is.",
    {
        "type": "object",
        "properties": {
            "level": {"type": "number", "description": "0 to 3"},
            "seat_zone": {"type": "string", "enum": ["ALL_ZONES", "DRIVER"]},
        },
        "required": ["level", "seat_zone"],
    },
)
MAIL = OfferedTool(
    "send_email",
    "Send a message.",
    {
        "type": "object",
        "properties": {
            "to": {"type": "array", "items": {"type": "string"}},
            "text": {"type": "string"},
            "urgent": {"type": "boolean"},
            "after": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
        },
        "required": ["to"],
    },
)
TOOLS = (SEAT, MAIL)


@pytest.mark.parametrize(
    ("line", "tool", "arguments"),
    [
        ("set_seat_heating level=2 seat_zone=DRIVER", SEAT, {"level": 2, "seat_zone": "DRIVER"}),
        (' set_seat_heating  seat_zone="DRIVER"   level=1.5 ', SEAT, {"level": 1.5, "seat_zone": "DRIVER"}),
        ('set_seat_heating {"level": 0, "seat_zone": "DRIVER"}', SEAT, {"level": 0, "seat_zone": "DRIVER"}),
        (
            'send_email to=["a", "b"] text=I will be late urgent=True after=null',
            MAIL,
            {"to": ["a", "b"], "text": "I will be late", "urgent": True, "after": None},
        ),
        ('send_email to=[] text="a=b c=d" after=7', MAIL, {"to": [], "text": "a=b c=d", "after": 7}),
        ("send_email to=[] text=07", MAIL, {"to": [], "text": "07"}),
        ("send_email to=[] text=", MAIL, {"to": [], "text": ""}),
    ],
)
def test_a_line_that_begins_with_a_tools_name_is_a_call(
    line: str, tool: OfferedTool, arguments: dict[str, Any]
) -> None:
    assert read_entry(line, TOOLS) == Make(tool.name, arguments)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("", "Nothing was typed"),
        ("say", "What do you say?"),
        ("set_seat_heating", "also needs: level, seat_zone"),
        ("set_seat_heating level=2", "also needs: seat_zone"),
        ("set_seat_heating level=warm seat_zone=DRIVER", 'level takes a number, not "warm"'),
        ("set_seat_heating level=true seat_zone=DRIVER", 'level takes a number, not "true"'),
        ("set_seat_heating level=2 seat_zone=ROOF", "seat_zone takes one of ALL_ZONES, DRIVER"),
        ("set_seat_heating level=2 level=3", "level is given twice"),
        ("set_seat_heating levle=2", "it has no parameter 'levle'. Did you mean 'level'?"),
        ("set_seat_heating to two please", "set_seat_heating is a tool"),
        ('set_seat_heating {"level": 2', "cannot be read as JSON"),
        ('set_seat_heating {"level": 2, "seat_zone": "DRIVER"} now', "what is 'now'"),
        ("send_email to=[1,", "to cannot be read as JSON"),
        ("send_email to=anna", 'to takes a list, such as ["a", "b"], not "anna"'),
        ("send_email to=[] after=NaN", "after takes a whole number or null"),
        ("send_emial to=[]", "There is no tool 'send_emial'. Did you mean 'send_email'?"),
        ("set_window", "There is no tool 'set_window'"),
        ("send_email " + "to=" + "[" * 100_000, "send_email:"),
        ("set_seat_heating level=" + "9" * 5000 + " seat_zone=DRIVER", "level takes a number"),
    ],
)
def test_what_is_no_call_is_a_sentence(line: str, why: str) -> None:
    found = read_entry(line, TOOLS)
    assert isinstance(found, Refused)
    assert why in found.why
    assert len(found.why) < 500


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("Your seat is at level 2.", "Your seat is at level 2."),
        ("help is on its way", "help is on its way"),
        ("tools are missing, I fear", "tools are missing, I fear"),
        ("say set_seat_heating", "set_seat_heating"),
        ('{"half', '{"half'),
        ("No: x=3 is too high.", "No: x=3 is too high."),
    ],
)
def test_everything_else_is_said(line: str, text: str) -> None:
    assert read_entry(line, TOOLS) == TypedMessage(text)


def test_what_one_can_look_at() -> None:
    assert read_entry("?", TOOLS) == Show("help")
    assert read_entry("seen", TOOLS) == Show("seen")
    assert read_entry("tools seat", TOOLS) == Show("tools", "seat")
    assert "set_seat_heating, send_email" in tools_in_words(TOOLS)
    assert "level (a number): 0 to 3" in tools_in_words(TOOLS, "WARM")
    assert "send_email" not in tools_in_words(TOOLS, "warm")
    assert "text (a text, optional)" in tools_in_words(TOOLS, "send_email")
    assert "occurs in no tool" in tools_in_words(TOOLS, "submarine")


def test_the_tab_key_completes_tools_parameters_and_values() -> None:
    assert completions("", "se", TOOLS) == ["seen ", "set_seat_heating ", "send_email "]
    assert completions("set_seat_heating ", "", TOOLS) == ["level=", "seat_zone="]
    assert completions("set_seat_heating level=2 ", "", TOOLS) == ["seat_zone="]
    assert completions("set_seat_heating seat_zone=", "D", TOOLS) == ["DRIVER "]
    assert completions("send_email urgent=", "", TOOLS) == ["true ", "false "]
    assert completions("tools ", "send", TOOLS) == ["send_email"]
    assert completions("something else ", "", TOOLS) == []


_PIECES = st.sampled_from(
    ["set_seat_heating", "send_email", " ", "level", "to", "text", "=", "{", "[", '"', "\\", "\x00", "\ud800"]
)


@given(st.one_of(st.text(max_size=200), st.lists(_PIECES, max_size=40).map("".join)))
def test_nothing_that_is_typed_raises_and_a_call_is_one_that_json_can_carry(line: str) -> None:
    found = read_entry(line, TOOLS)
    assert isinstance(found, TypedMessage | Make | Show | Refused)
    if isinstance(found, Make):
        json.dumps(dict(found.arguments), allow_nan=False)
    completions(line, "", TOOLS)
