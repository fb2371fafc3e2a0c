"""The tolerant parser finds JSON in whatever surrounds it."""

import json
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knowact.reading.json_text import DEEPEST, FoundJson, JsonArray, JsonItem, JsonObject, find_json


def only(text: str) -> FoundJson:
    found = find_json(text)
    assert len(found) == 1, found
    return found[0]


def as_python(item: JsonItem) -> object:
    if isinstance(item, JsonObject):
        return {key: as_python(value) for key, value in item.members}
    if isinstance(item, JsonArray):
        return [as_python(value) for value in item.items]
    return item


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ('```json\n{"a": 1}\n```', "fenced"),
        ('~~~\n{"a": 1}\n~~~', "fenced"),
        ('{"a": 1 // one\n}', "commented"),
        ('{"a": /* one */ 1}', "commented"),
        ('{"a": 1 # one\n}', "commented"),
        ('{"a": 1,}', "trailing_comma"),
        ("{'a': 1}", "single_quotes"),
        ("{\u201ca\u201d: 1}", "smart_quotes"),
        ("{a: 1}", "bareword"),
        ("{&quot;a&quot;: 1}", "html"),
        ('{\\"a\\": 1}', "escaped"),
    ],
)
def test_what_strict_json_forbids_is_read_and_noted(text: str, note: str) -> None:
    found = only(text)
    assert as_python(found.value) == {"a": 1}
    assert found.complete
    assert note in found.notes


def test_clean_json_has_no_notes_whatever_stands_around_it() -> None:
    found = only('\ufeffHere you are: {"a": [1, {"b": null}]} — anything else?')
    assert as_python(found.value) == {"a": [1, {"b": None}]}
    assert found.notes == ()


def test_python_literals_are_read() -> None:
    found = only('{"a": True, "b": False, "c": None}')
    assert as_python(found.value) == {"a": True, "b": False, "c": None}
    assert found.notes == ("python_literal",)


def test_a_missing_comma_is_bridged() -> None:
    found = only('{"a": true\n "b": false}')
    assert as_python(found.value) == {"a": True, "b": False}
    assert "missing_comma" in found.notes


def test_raw_newlines_and_inner_quotes_stay_in_the_string() -> None:
    found = only('{"a": "he said "yes" and\nleft"}')
    assert as_python(found.value) == {"a": 'he said "yes" and\nleft'}
    assert {"raw_newline", "inner_quote"} <= set(found.notes)


@pytest.mark.parametrize(
    ("text", "members"),
    [
        ('{"a": true, "b": tr', {"a": True}),
        ('{"a": true, "b": 1', {"a": True}),
        ('{"a": true, "b": "x', {"a": True}),
        ('{"a": true, "b"', {"a": True}),
        ('{"a": {"b": true', {"a": {"b": True}}),
        ('{"a": true', {"a": True}),
    ],
)
def test_a_cut_end_keeps_what_was_certain(text: str, members: object) -> None:
    found = only(text)
    assert as_python(found.value) == members
    assert not found.complete
    assert "partial" in found.notes


def test_doubled_keys_are_kept() -> None:
    value = only('{"a": 1, "a": 2}').value
    assert isinstance(value, JsonObject)
    assert value.members == (("a", 1), ("a", 2))


def test_a_broken_structure_does_not_hide_the_next_one() -> None:
    found = find_json('The shape is {name: <tool> and so {"a": true}')
    assert as_python(found[-1].value) == {"a": True}
    assert found[-1].complete


def test_objects_come_in_the_order_of_the_text() -> None:
    assert [as_python(one.value) for one in find_json('{"a": 1} then {"b": 2}')] == [{"a": 1}, {"b": 2}]


@pytest.mark.parametrize("tag", ["think", "thinking", "reasoning"])
def test_thoughts_are_skipped(tag: str) -> None:
    assert as_python(only(f'<{tag}>{{"a": 1}}</{tag}>{{"a": 2}}').value) == {"a": 2}
    assert as_python(only(f'{{"a": 1}}</{tag}>{{"a": 2}}').value) == {"a": 2}
    assert find_json(f'<{tag}>{{"a": 1}}') == ()


def test_nesting_is_capped_and_said() -> None:
    allowed = '{"a":' * (DEEPEST - 1) + "{}" + "}" * (DEEPEST - 1)
    assert only(allowed).complete
    too_deep = '{"a":' * 500 + "1" + "}" * 500
    assert any("too_deep" in one.notes for one in find_json(too_deep))


def test_endless_digits_are_no_error() -> None:
    assert not any(one.complete for one in find_json('{"a": ' + "9" * 10_000 + "}"))


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@pytest.mark.slow
@settings(deadline=None, max_examples=400)
@given(
    st.dictionaries(st.text(max_size=5), json_values, max_size=4), st.booleans(), st.sampled_from([None, 2])
)
def test_strict_json_is_read_as_it_is(value: dict[str, object], ascii_only: bool, indent: int | None) -> None:  # noqa: FBT001 - hypothesis fills it in
    full_width = str.maketrans("\uff5b\uff5d\uff3b\uff3d\uff1a\uff0c\uff02", "{}[]:,'")
    text = json.dumps(value, ensure_ascii=ascii_only, indent=indent)
    if text == text.translate(full_width) and "<" not in text:
        assert as_python(only(text).value) == value


@settings(deadline=None, max_examples=300)
@given(st.text(alphabet="{}[]:,\"'\\/*# \nabt1.<>`", max_size=60))
def test_noise_is_never_an_error_and_positions_are_in_the_text(text: str) -> None:
    for one in find_json(text):
        assert 0 <= one.start < one.end


@pytest.mark.parametrize(
    "unit", ["{", '{"a":', "[{", '{"', "{'", '{"a":1,', "{/*", "<think>", '{"a":"\\', "[ "]
)
def test_time_is_linear(unit: str) -> None:
    def seconds(repetitions: int) -> float:
        text = unit * repetitions
        best = float("inf")
        for _ in range(4):
            # Processor time: the wall clock would measure whatever else this machine does.
            begin = time.process_time()
            find_json(text)
            best = min(best, time.process_time() - begin)
        return best

    assert seconds(10_000) < 30 * max(seconds(1_000), 0.001)
