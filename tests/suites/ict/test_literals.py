"""Values and calls that published rows hold as text."""

import json
import keyword
import warnings

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import JsonValue

from knowact.suites.ict.literals import ReadCall, read_calls, read_value

TEXTS = st.text(st.characters(codec="utf-8"), max_size=12)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.floats(-1e6, 1e6) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)
NAMES = st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,8}", fullmatch=True).filter(
    lambda name: not keyword.iskeyword(name)
)


class TestValues:
    @given(VALUES)
    @settings(deadline=None)
    def test_what_is_written_as_json_or_as_a_literal_is_read_back(self, value: JsonValue) -> None:
        assert read_value(json.dumps(value)) == value
        assert read_value(repr(value)) == value

    @pytest.mark.parametrize(
        ("text", "value"),
        [
            ("{'a': true, 'b': null, 'c': None}", {"a": True, "b": None, "c": None}),
            ("('x', (1, -2.5))", ["x", [1, -2.5]]),
            ('{"it": "isn\'t"}', {"it": "isn't"}),
            ("  [1,]  ", [1]),
            ("'a' 'b'", "ab"),
        ],
    )
    def test_mixtures_are_read(self, text: str, value: JsonValue) -> None:
        assert read_value(text) == value

    @pytest.mark.parametrize(
        "text",
        [
            "",
            "open('x')",
            "__import__('os').system('true')",
            "{'a': {1, 2}}",
            "{1: 'a'}",
            "{**{}}",
            "b'x'",
            "1j",
            "1e999",
            "...",
            "nan",
            "'\\ud800'",
            "f'{1}'",
            "{'a': 1, 'a': 2}",
            '{"a": 1, "a": 2}',
            "[" * 100 + "]" * 100,
            "(" * 5000,
            "'\\x00' + 'a'",
            "1 2",
            "9" * 5000,
            "+".join("1" * 9000),
            "a" + ".b" * 9000,
        ],
    )
    def test_what_is_no_value_is_refused(self, text: str) -> None:
        with pytest.raises(ValueError, match=r"\S"):
            read_value(text)

    def test_backslashes_raise_no_warning(self) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert read_value(r"{'pattern': '\d+'}") == {"pattern": r"\d+"}


class TestCalls:
    @given(NAMES, st.dictionaries(NAMES, VALUES, max_size=3))
    @settings(deadline=None)
    def test_a_written_call_is_read_back(self, name: str, arguments: dict[str, JsonValue]) -> None:
        call = f"{name}({', '.join(f'{key}={value!r}' for key, value in arguments.items())})"
        for text in (call, f"[{call}]", f" [ {call} ] "):
            assert read_calls(text) == (ReadCall(name, arguments),)

    def test_several_calls_are_read_in_order(self) -> None:
        assert [call.tool for call in read_calls("[A(x=1), B()]")] == ["A", "B"]
        assert read_calls("A.b(x='1')")[0].tool == "A.b"

    @pytest.mark.parametrize(
        ("text", "arguments"),
        [
            (
                "Log(who='7', what='[{'kind': 'bass', 'kilos': 2}]')",
                {"who": "7", "what": "[{'kind': 'bass', 'kilos': 2}]"},
            ),
            ("Note(text='Mary's boat', day='2023-05-04')", {"text": "Mary's boat", "day": "2023-05-04"}),
            ("Note(text='it's so, n=5, they say', n=3)", {"text": "it's so, n=5, they say", "n": 3}),
            ("Note(day=today, n=3)", {"day": "today", "n": 3}),
        ],
    )
    def test_quotes_in_quotes_are_taken_apart_at_the_commas(
        self, text: str, arguments: dict[str, JsonValue]
    ) -> None:
        name = text.partition("(")[0]
        assert read_calls(text) == (ReadCall(name, arguments, loose=True),)
        assert read_calls(f"[{text}]") == (ReadCall(name, arguments, loose=True),)

    def test_a_name_that_is_no_identifier_is_kept_as_it_stands(self) -> None:
        assert read_calls("Strongest gust(place='Brest')") == (
            ReadCall("Strongest gust", {"place": "Brest"}, loose=True),
        )

    @pytest.mark.parametrize(
        "text",
        [
            "",
            "Forecast",
            "no call at all",
            "Forecast('Brest')",
            "A(1)",
            "A(x=1",
            "[]",
            "A(x=1, x=2)",
            "f()(x=1)",
        ],
    )
    def test_what_is_no_call_is_refused(self, text: str) -> None:
        with pytest.raises(ValueError, match=r"\S"):
            read_calls(text)

    @given(st.text(max_size=60))
    @settings(deadline=None, max_examples=200)
    def test_whatever_the_text_is_nothing_but_a_value_error_comes_of_it(self, text: str) -> None:
        for read in (read_value, read_calls):
            try:
                read(text)
            except ValueError:
                continue
