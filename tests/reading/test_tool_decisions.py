"""What a reply says about the tools that it needs: one test per shape."""

import json
from importlib.resources import files
from typing import Any

import pytest

from knowact.core.record import Outcome
from knowact.reading.tool_decisions import ToolReading, read_tool_decisions

OFFERED = ("get_weather", "calculator")
WEATHER = frozenset({"get_weather"})


def read(text: str) -> ToolReading:
    return read_tool_decisions(text, OFFERED)


def test_the_wanted_shape_is_read_without_a_note() -> None:
    reading = read('{"tool_decisions": {"get_weather": true, "calculator": false}}')
    assert reading == ToolReading(Outcome.ANSWERED, WEATHER)


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ('{"get_weather": true, "calculator": false}', "bare_mapping"),
        ('{"answer": {"tool_decisions": {"get_weather": true, "calculator": false}}}', "wrapped"),
        ('{"needed_tools": ["get_weather"]}', "name_list"),
        ('{"tool_decisions": {"needed": ["get_weather"], "not_needed": ["calculator"]}}', "name_list"),
        ('[{"name": "get_weather", "needed": true}, {"name": "calculator", "needed": false}]', "entries"),
        ('{"tool_decisions": [{"get_weather": true}, {"calculator": false}]}', "entries"),
        (
            '{"tool_decisions": {"get_weather": {"needed": true, "reason": "live"}, "calculator": false}}',
            "entries",
        ),
        ('{"tool_decisions": "{\\"get_weather\\": true, \\"calculator\\": false}"}', "quoted_json"),
        ('{"get_weather": true}\n{"calculator": false}', "split"),
        ('{"tool_decisions": {"get_weather": "yes", "calculator": 0}}', "non_boolean"),
        ('{"tool_decisions": {"get_weather": "needed", "calculator": "not needed"}}', "non_boolean"),
        ('{"tool_decisions": {"`get_weather` ": true, "Calculator": false}}', "renamed"),
        ('{"tool_decisions": {"functions.get_weather": true, "Maths::calculator": false}}', "renamed"),
        ('{"tool_decisions": {"get-weather": true, "calculator()": false}}', "renamed"),
        ('{"tool_decisions": {"weather": {"get_weather": true}, "maths": {"calculator": false}}}', ""),
    ],
)
def test_what_plainly_means_the_same_is_read_and_noted(text: str, note: str) -> None:
    reading = read(text)
    assert (reading.outcome, reading.needed, reading.omitted) == (Outcome.ANSWERED, WEATHER, ())
    assert not note or note in reading.notes


@pytest.mark.parametrize("value", ["null", '"maybe"', '"unsure"', "0.7", "[]", '"yes, or no"', "2"])
def test_a_value_that_decides_nothing_leaves_the_tool_omitted(value: str) -> None:
    reading = read(f'{{"tool_decisions": {{"get_weather": true, "calculator": {value}}}}}')
    assert (reading.needed, reading.omitted) == (WEATHER, ("calculator",))
    assert "undecided" in reading.notes


def test_an_unknown_name_stays_needed_and_one_that_is_not_needed_does_not_count() -> None:
    reading = read(
        '{"tool_decisions": {"get_weather": true, "calculator": false, "browse": true, "mail": false}}'
    )
    assert reading.needed == {"get_weather", "browse"}
    assert reading.unknown == ("browse",)


def test_an_ambiguous_spelling_names_neither_tool() -> None:
    reading = read_tool_decisions('{"tool_decisions": {"a b": true, "c": true}}', ["a-b", "a_b", "c"])
    assert reading.unknown == ("a b",)
    assert reading.omitted == ("a-b", "a_b")


@pytest.mark.parametrize(
    "text",
    [
        '{"tool_decisions": {}}',
        '{"tool_decisions": {"other": true}}',
        '{"tool_decisions": {"get_weather": null, "calculator": "maybe"}}',
        '{"tool_decisions": ["get_weather"]}',
        '["get_weather"]',
        '{"tool_decisions": {"get_weather": true, "calc',
        "I would use get_weather and nothing else.",
        '<tool_call>{"name": "get_weather", "arguments": {"city": "Lisbon"}}</tool_call>',
        '{"type": "object", "properties": {"get_weather": {"type": "boolean"}}, "required": ["get_weather"]}',
        '<think>{"tool_decisions": {"get_weather": true, "calculator": false}}',
        "```json\n```",
    ],
)
def test_what_decides_nothing_is_unreadable_and_never_the_empty_set(text: str) -> None:
    reading = read(text)
    assert (reading.outcome, reading.needed) == (Outcome.UNREADABLE, None)


def test_an_empty_list_under_a_clear_key_says_none() -> None:
    assert read('{"needed_tools": []}') == ToolReading(
        Outcome.ANSWERED, frozenset(), notes=("bare_mapping", "name_list")
    )


def test_without_tools_on_offer_the_empty_mapping_is_an_answer() -> None:
    assert read_tool_decisions('{"tool_decisions": {}}', []).needed == frozenset()


def test_a_cut_object_counts_only_if_it_decides_every_tool() -> None:
    reading = read('{"tool_decisions": {"get_weather": true, "calculator": false}, "reason": "I nee')
    assert (reading.outcome, reading.needed) == (Outcome.ANSWERED, WEATHER)
    assert "partial" in reading.notes


def test_a_doubled_key_is_noted_and_a_contradictory_one_spoils_the_reply() -> None:
    same = read('{"tool_decisions": {"get_weather": true, "get_weather": true, "calculator": false}}')
    assert (same.needed, same.notes) == (WEATHER, ("duplicate_key",))
    different = read('{"tool_decisions": {"get_weather": true, "Get_Weather": false, "calculator": false}}')
    assert different.outcome is Outcome.UNREADABLE
    assert "contradiction" in different.notes


def test_the_last_complete_object_wins_over_drafts() -> None:
    final = '{"tool_decisions": {"get_weather": true, "calculator": false}}'
    draft = '{"tool_decisions": {"get_weather": true, "calculator": true}}'
    assert read(f"{draft}\nOn reflection:\n{final}").notes == ("draft_superseded",)
    assert read(f"{draft}\nOn reflection:\n{final}").needed == WEATHER
    assert read(f"{final} again {final}").notes == ("repeated",)
    assert read(f'{final} and {{"tool_decisions": {{"get_wea').needed == WEATHER


@pytest.mark.parametrize("text", ["", "  \n\t", "\ufeff\u200b"])
def test_nothing_but_blanks_is_empty(text: str) -> None:
    assert read(text) == ToolReading(Outcome.EMPTY)


@pytest.mark.parametrize(
    "text",
    [
        "I'm sorry, but I can't help with that.",
        "I must decline to make this judgement.",
        "Das kann ich leider nicht beantworten.",
        "Je ne peux pas vous aider.",
        '{"error": "I cannot comply with this request."}',
    ],
)
def test_a_refusal_in_words_is_unreadable_and_no_empty_set(text: str) -> None:
    assert read(text) == ToolReading(Outcome.UNREADABLE)


def test_a_refusal_beside_decisions_is_an_answer() -> None:
    reading = read(
        'I cannot help you further. {"tool_decisions": {"get_weather": true, "calculator": false}}'
    )
    assert reading.needed == WEATHER


def test_saying_that_a_tool_is_missing_is_no_refusal() -> None:
    assert read("I cannot know the weather without a tool.").outcome is Outcome.UNREADABLE


def labelled() -> list[dict[str, Any]]:
    text = (files("knowact.reading") / "labelled" / "tool_decisions.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def test_labelled_replies_are_read_as_people_read_them_but_for_four() -> None:
    wrong = set[str]()
    for one in labelled():
        reading, label = read_tool_decisions(one["reply"], one["offered"]), one["label"]
        # A refusal in words is unreadable to a parser of JSON; both count as wrong.
        outcome = "unreadable" if label["outcome"] == "declined" else label["outcome"]
        needed = None if label["needed"] is None else frozenset(label["needed"])
        if (reading.outcome, reading.needed) != (outcome, needed):
            wrong.add(one["id"])
    assert wrong == {"td-066", "td-112", "td-141", "td-218"}
