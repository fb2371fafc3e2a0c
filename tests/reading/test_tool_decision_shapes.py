"""Ten thousand shapes: whatever stands in a reply, the reading is consistent."""

import json
import random
import time
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knowact.core.record import Outcome
from knowact.reading.tool_decisions import ToolReading, read_tool_decisions

NAMES = ("get_weather", "calculator", "Maps::route", "send-mail", "größe")
PIECES = (
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    '"',
    "'",
    "\n",
    " ",
    "// note\n",
    "/* x */",
    "# y\n",
    "```json\n",
    "```",
    "\\",
    "true",
    "false",
    "null",
    "True",
    "None",
    "1",
    "0.7",
    '"yes"',
    '"maybe"',
    "\u201c",
    "\u201d",
    "<think>",
    "</think>",
    '"tool_decisions"',
    '{"tool_decisions": ',
    '"name"',
    '"needed"',
    '"needed_tools"',
    "I can't help.",
    "\ufeff",
    "\u0000",
    "\U0001f600",
    "&quot;",
    '\\"',
    "{{",
    "}}",
    '"reason": "a "b" c"',
    "Option A: ",
    "\ud83d",
    *(f'"{name}": true' for name in NAMES),
    *(f'"{name}"' for name in NAMES),
    *NAMES,
)

VALUES = (
    "true",
    "false",
    "null",
    '"yes"',
    '"no"',
    "1",
    "0",
    "0.7",
    '"maybe"',
    '{"needed": true}',
    "[]",
    "True",
)
FRAMES = ("{%s}", '{"tool_decisions": {%s}}', '{"a": [{"tool_decisions": {%s}}]}', "{%s,}", "[{%s}]")


def shape(seed: int) -> tuple[str, list[str]]:
    """A sensible object, damaged (members repeated, values strange, cut), noise around it; and an offer.

    Built from a number, because drawing piece by piece is too slow for ten thousand examples.
    """
    chance = random.Random(seed)
    names = (*NAMES, "other", "reason")
    members = [f'"{chance.choice(names)}": {chance.choice(VALUES)}' for _ in range(chance.randrange(5))]
    text = chance.choice(FRAMES).replace("%s", ", ".join(members)) if chance.random() < 0.8 else ""
    text = text[: chance.randint(0, len(text))] if chance.random() < 0.4 else text
    before, after = ("".join(chance.choices(PIECES, k=chance.randrange(9))) for _ in range(2))
    return before + text + after, chance.sample(NAMES, chance.randrange(5))


def check(reading: ToolReading, offered: list[str]) -> None:
    assert (reading.needed is not None) == (reading.outcome is Outcome.ANSWERED)
    assert reading.outcome in {Outcome.ANSWERED, Outcome.EMPTY, Outcome.UNREADABLE}
    assert list(reading.notes) == sorted(set(reading.notes))
    needed = reading.needed or frozenset()
    assert needed <= {*offered, *reading.unknown}
    assert set(reading.unknown) <= needed
    assert not set(reading.unknown) & set(offered)
    assert set(reading.omitted) <= set(offered) - needed
    if reading.outcome is Outcome.ANSWERED and offered:
        assert len(reading.omitted) < len(offered)
    else:
        assert reading.omitted == () or reading.outcome is Outcome.ANSWERED


@pytest.mark.slow
@settings(deadline=None, max_examples=10_000, database=None)
@given(st.integers(0, 2**40))
def test_any_shape_gives_a_consistent_reading(seed: int) -> None:
    text, offered = shape(seed)
    check(read_tool_decisions(text, offered), offered)


def test_the_shapes_are_of_every_kind() -> None:
    outcomes = {read_tool_decisions(*shape(seed)).outcome for seed in range(1_000)}
    assert outcomes == {Outcome.ANSWERED, Outcome.EMPTY, Outcome.UNREADABLE}


@settings(deadline=None, max_examples=300)
@given(
    st.lists(st.sampled_from(PIECES), max_size=14).map("".join), st.lists(st.sampled_from(NAMES), unique=True)
)
def test_any_pieces_give_a_consistent_reading(text: str, offered: list[str]) -> None:
    check(read_tool_decisions(text, offered), offered)


@settings(deadline=None, max_examples=300)
@given(st.text(max_size=200), st.lists(st.text(max_size=10), max_size=3))
def test_any_text_and_any_names_give_a_consistent_reading(text: str, offered: list[str]) -> None:
    check(read_tool_decisions(text, offered), offered)


WRAPPINGS: tuple[Callable[[str], str], ...] = (
    lambda body: body,
    lambda body: f"```json\n{body}\n```",
    lambda body: f"~~~\n{body}\n~~~",
    lambda body: f"Sure! Here is my answer:\n\n{body}\n\nTell me if you need more.",
    lambda body: f"<think>{{maybe}} all of them?</think>\n{body}",
    lambda body: f"\ufeff{body}",
    lambda body: body.replace('"', "'"),
    lambda body: body.replace("true", "True").replace("false", "False"),
    lambda body: body.replace("}}", ",}}") if "true" in body or "false" in body else body,
    lambda body: body.replace("{", "{ // decided\n", 1),
    lambda body: body.replace('"', "\u201c"),
    lambda body: body.replace('"', "&quot;"),
    lambda body: body.replace('"', '\\"'),
    lambda body: json.dumps({"answer": body}),
    lambda body: f'{{"result": {body}, "note": "done"}}',
)
tool_names = st.from_regex(r"[a-z][a-z0-9_]{0,12}[a-z0-9]", fullmatch=True)


@pytest.mark.slow
@settings(deadline=None, max_examples=400)
@given(
    st.dictionaries(tool_names, st.booleans(), min_size=1, max_size=6),
    st.sampled_from(WRAPPINGS),
    st.sampled_from((None, 2)),
)
def test_any_decisions_read_back_whatever_they_are_wrapped_in(
    decisions: dict[str, bool], wrap: Callable[[str], str], indent: int | None
) -> None:
    reading = read_tool_decisions(
        wrap(json.dumps({"tool_decisions": decisions}, indent=indent)), list(decisions)
    )
    assert reading.outcome is Outcome.ANSWERED
    assert reading.needed == {name for name, needed in decisions.items() if needed}
    assert (reading.omitted, reading.unknown) == ((), ())


@pytest.mark.slow
@pytest.mark.parametrize(
    "unit", ["{", '{"get_weather": true} ', '{"tool_decisions": ', '"{\\"', "I can't ", "<think>"]
)
def test_ten_times_the_text_takes_about_ten_times_as_long(unit: str) -> None:
    def seconds(repetitions: int) -> float:
        # Processor time: the wall clock would measure whatever else this machine does.
        times = list[float]()
        for _ in range(4):
            begin = time.process_time()
            read_tool_decisions(unit * repetitions, NAMES)
            times.append(time.process_time() - begin)
        return min(times)

    assert seconds(5_000) < 30 * max(seconds(500), 0.001)
