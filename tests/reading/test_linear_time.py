"""Every parser takes time in proportion to what it reads, whatever that is.

Twenty thousand characters of each hostile kind are read in a bounded multiple of a fixed piece of work in the
same process, and take no longer than their length explains beside a quarter of them.
"""

from collections.abc import Callable, Mapping
from typing import Final

import pytest

from knowact.core.task import Fact
from knowact.reading.answer_form import AnswerForm
from knowact.reading.comparing import Given, Value, compare
from knowact.reading.json_text import last_object
from knowact.reading.numbers import digits_of, number_in_words, numbers_in, spelled_fractions
from knowact.reading.quotes import folded, stands_in
from knowact.reading.thoughts import without_thoughts
from knowact.reading.tool_decisions import read_tool_decisions
from knowact.reading.yes_no import read_yes_no
from knowact.roles.judge import read_member, read_vote
from knowact.roles.lines import read_line
from timing import units

SIZE: Final = 20_000
SHARE: Final = 4
MOST: Final = 600.0
"""Times the fixed piece of work: the slowest takes about 250 (six comparisons of 20,000 fractions)."""

STEEPEST: Final = 9.0
"""Times as long as for a quarter of it: 4 is linear, 16 quadratic."""

NOISE: Final = 4.0
"""Times the fixed piece of work, under which a ratio says nothing."""

KINDS: Final = (
    *(
        "(",
        ")",
        "[",
        "{",
        "}",
        "<",
        "<think>",
        "</think>",
        "<!-- ",
        "<a ",
        '"',
        "'",
        "`",
        "```",
        "\\",
        "|",
        "*",
    ),
    *(
        " ",
        "\n",
        ".",
        ",",
        "...",
        "... x ",
        "a",
        "ab ",
        "1",
        "1,",
        "1.2",
        "9/",
        "1 2/3 ",
        "e1",
        "\u00bd",
        "\u0301",
    ),
    *(
        "\u200b",
        "\\,",
        "{,}",
        "yes ",
        "no. ",
        "Answer: ",
        '{"a":',
        "[[1,",
        '{"verdict": "right"} ',
        "// ",
        "/* ",
    ),
    *("true, ", "4 March ", "17:40 ", "10^", "hundred and ", '"user_message": ', "tool: yes\n"),
)

FACTS: Final = (
    Fact(kind="number", value=21, unit="km"),
    Fact(kind="text", value="x"),
    Fact(kind="date", value="2026-03-04"),
    Fact(kind="time", value="17:40"),
    Fact(kind="yes_no", value=True),
    Fact(kind="list", value=("x", "y")),
)


def in_itself(text: str) -> bool:
    """Half of a text, and something that is not in it, searched for in the whole."""
    whole = folded(text)
    return stands_in(folded(text[: SIZE // 2]), whole) or stands_in(f"{whole[: SIZE // 2]}q", whole)


def compared(text: str) -> None:
    for fact in FACTS:
        value: Value = [text[:1000]] if fact.kind == "list" else text[:1999]
        compare(fact, Given(value, fact.unit, (text,)))


def form(text: str) -> None:
    slot = {"value": text[:1999], "quotes": [text, text[1:]], "also": [text[:1999]]}
    slots = {f"fact_{number}": slot for number in range(1, len(FACTS) + 1)}
    AnswerForm.from_facts(FACTS, ["p"]).score(text, {**slots, "part_1": {"asked": text}})


PARSERS: Final[Mapping[str, Callable[[str], object]]] = {
    "quotes": in_itself,
    "numbers": lambda text: (numbers_in(folded(spelled_fractions(text))), digits_of(text)),
    "number words": lambda text: number_in_words(folded(text)),
    "comparing": compared,
    "answer form": form,
    "yes or no": read_yes_no,
    "json": last_object,
    "thoughts": without_thoughts,
    "tool decisions": lambda text: read_tool_decisions(text, ["t", "tool", "a"]),
    "votes": lambda text: (read_vote(text, ("right", "wrong"), (text,)), read_member(text, "why")),
    "drivers' lines": read_line,
}


def too_long(read: Callable[[str], object], kind: str, tries: int) -> bool:
    """Whether a kind of text holds a reader up."""
    text = (kind * (SIZE // len(kind) + 1))[:SIZE]
    whole = units(lambda: read(text), tries)
    if whole < NOISE:
        return False
    return whole > MOST or whole > STEEPEST * units(lambda: read(text[: SIZE // SHARE]), tries)


@pytest.mark.slow
@pytest.mark.parametrize("parser", PARSERS)
def test_no_kind_of_text_holds_a_parser_up(parser: str) -> None:
    assert len(KINDS) >= 40
    read = PARSERS[parser]
    # A busy machine can be unlucky once.
    assert [kind for kind in KINDS if too_long(read, kind, 1) and too_long(read, kind, 4)] == []


def test_what_is_quadratic_is_found_out() -> None:
    # Work on the whole text for every fourth character; copying it would be too quick to tell.
    assert too_long(lambda text: [text.replace("a", "bc") for _ in range(len(text) // 4)], "a", 2)
