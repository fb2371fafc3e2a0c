"""JSON Lines: what is read, and complaints that say file, line and field."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knowact.core.errors import BadData
from knowact.core.model import Noun
from knowact.datasets.lines import DEEPEST, Line, Twice, decode, parse, read_lines, read_object, sha256

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=15,
)


class Part(Noun):
    """A noun within a noun."""

    size: str | float


class Whole(Noun):
    """A noun to parse lines to."""

    name: str
    parts: tuple[Part, ...] = ()


def file_of(folder: Path, text: str | bytes) -> Path:
    file = folder / "data.jsonl"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return file


def line_of(value: Mapping[str, Any]) -> Line:
    return Line(Path("data.jsonl"), 7, value)


class TestReading:
    def test_blank_lines_are_passed_over_but_counted(self, tmp_path: Path) -> None:
        found = list(read_lines(file_of(tmp_path, '{"a": 1}\n\n   \n{"a": 2}\n')))
        assert [(line.number, line.value) for line in found] == [(1, {"a": 1}), (4, {"a": 2})]

    def test_line_ends_of_other_systems_are_fine(self, tmp_path: Path) -> None:
        found = list(read_lines(file_of(tmp_path, '{"a": 1}\r\n{"a": 2}\r\n')))
        assert [line.number for line in found] == [1, 2]

    def test_line_separators_inside_a_text_do_not_cut_it(self, tmp_path: Path) -> None:
        (line,) = read_lines(file_of(tmp_path, '{"a": "x\u2028y\u0085z"}'))
        assert line.value == {"a": "x\u2028y\u0085z"}

    def test_a_byte_order_mark_says_nothing(self, tmp_path: Path) -> None:
        (line,) = read_lines(file_of(tmp_path, b'\xef\xbb\xbf{"a": 1}'))
        assert line.value == {"a": 1}

    def test_a_whole_file_may_be_one_object(self, tmp_path: Path) -> None:
        line = read_object(file_of(tmp_path, '{\n  "a": 1\n}\n'))
        assert (line.number, line.value) == (None, {"a": 1})
        assert str(line.place("a")).endswith("data.jsonl, field 'a'")

    @pytest.mark.slow
    @settings(deadline=None, max_examples=100)
    @given(st.lists(st.dictionaries(st.text(), JSON, max_size=4), max_size=5))
    def test_what_was_written_is_read(
        self, tmp_path_factory: pytest.TempPathFactory, objects: list[dict[str, Any]]
    ) -> None:
        text = "".join(json.dumps(one) + "\n" for one in objects)
        file = file_of(tmp_path_factory.mktemp("lines"), text)
        assert [line.value for line in read_lines(file)] == objects


class TestComplaintsAboutAFile:
    @pytest.mark.parametrize(
        ("text", "said"),
        [
            ('{"a": 1', "the line is cut off"),
            ('{"a": "on', "the line is cut off"),
            ('{"a":', "the line is cut off"),
            ("{'a': 1}", "the line is not JSON (expecting property name"),
            ('{"a": 1} {"a": 2}', "the line is not JSON (extra data at column 10)"),
            ('{"a": NaN}', "the line is not JSON (NaN is not a JSON number)"),
            ('{"a": -Infinity}', "the line is not JSON (-Infinity is not a JSON number)"),
            ('{"a": 1e999}', "the line is not JSON (the number 1e999 is too large)"),
            ('{"a": "\\ud83d"}', "the line is not JSON (it holds half of a surrogate pair)"),
            ('{"a": ' + "9" * 5000 + "}", "the line is not JSON ("),
            ('{"a": ' + "[" * 65 + "]" * 65 + "}", "the line is not JSON (it nests too deeply)"),
            ('{"a": ' + "[" * 100_000, "the line is not JSON (it nests too deeply)"),
            ("[1, 2]", "the line holds a list"),
            ('"a"', "the line holds a string"),
            ("true", "the line holds true or false"),
            ("null", "the line holds null"),
            ("3", "the line holds a number"),
        ],
    )
    def test_each_says_what_is_wrong_with_the_line(self, tmp_path: Path, text: str, said: str) -> None:
        with pytest.raises(BadData) as caught:
            list(read_lines(file_of(tmp_path, '{"fine": 1}\n' + text)))
        assert caught.value.what.startswith(said)
        assert caught.value.place.line == 2

    def test_a_name_that_stands_twice_is_the_field(self, tmp_path: Path) -> None:
        with pytest.raises(BadData) as caught:
            list(read_lines(file_of(tmp_path, '{"a": {"b": 1, "b": 1}}')))
        assert caught.value.place.field == "b"

    def test_the_line_of_bytes_that_are_no_text_is_told(self, tmp_path: Path) -> None:
        with pytest.raises(BadData, match=r"data\.jsonl:3: this is not UTF-8 text"):
            list(read_lines(file_of(tmp_path, b'{"a": 1}\n\n{"a": "\xe9t\xe9"}')))

    def test_a_missing_file_is_told(self, tmp_path: Path) -> None:
        with pytest.raises(BadData, match="No such file"):
            list(read_lines(tmp_path / "data.jsonl"))

    def test_a_whole_file_is_not_spoken_of_as_a_line(self, tmp_path: Path) -> None:
        with pytest.raises(BadData, match="the file is cut off"):
            read_object(file_of(tmp_path, '{\n  "a": 1,\n'))


class TestStrictJson:
    def test_depth_is_counted_where_it_is_depth(self) -> None:
        flat = [[0]] * DEEPEST
        assert decode(json.dumps(flat)) == flat
        brackets = "[" * 1000
        assert decode(json.dumps(brackets)) == brackets
        assert decode("[" * DEEPEST + "]" * DEEPEST)

    def test_a_whole_surrogate_pair_is_a_character(self) -> None:
        assert decode('"\\ud83d\\ude00"') == "\N{GRINNING FACE}"

    def test_a_doubled_name_is_its_own_kind_of_error(self) -> None:
        with pytest.raises(Twice) as caught:
            decode('[{"x": 1, "x": 2}]')
        assert caught.value.name == "x"

    @settings(deadline=None, max_examples=200)
    @given(st.text())
    def test_any_text_gives_a_value_or_a_value_error(self, text: str) -> None:
        try:
            value = decode(text)
        except ValueError:
            return
        assert json.loads(text) == value


class TestParsing:
    def test_a_line_becomes_a_noun(self) -> None:
        found = parse(Whole, line_of({"name": "a", "parts": [{"size": 3}]}))
        assert found == Whole(name="a", parts=(Part(size=3.0),))

    @pytest.mark.parametrize(
        ("value", "field", "said"),
        [
            ({}, "name", "this field is missing"),
            ({"name": "a", "parts": [{"size": 1}, {}]}, "parts.1.size", "this field is missing"),
            ({"name": "a", "nmae": "b"}, "nmae", "there is no such field"),
            ({"name": "a", "parts": [{"size": 1, "x": 1}]}, "parts.0.x", "there is no such field"),
            ({"name": 3}, "name", "input should be a valid string"),
            ({"name": "a", "parts": 3}, "parts", "input should be a valid tuple"),
            ({"name": "a", "parts": [3]}, "parts.0", "input should be a valid"),
        ],
    )
    def test_the_first_wrong_field_is_named(self, value: dict[str, Any], field: str, said: str) -> None:
        with pytest.raises(BadData) as caught:
            parse(Whole, line_of(value))
        assert str(caught.value.place) == f"data.jsonl:7, field {field!r}"
        assert caught.value.what.startswith(said)

    @pytest.mark.parametrize("wrong", [None, [], {}, ["str"]])
    def test_members_of_a_union_are_no_part_of_the_field(self, wrong: object) -> None:
        with pytest.raises(BadData) as caught:
            parse(Whole, line_of({"name": "a", "parts": [{"size": wrong}]}))
        assert caught.value.place.field == "parts.0.size"


def test_the_hash_goes_over_all_bytes_in_order(tmp_path: Path) -> None:
    one, two = tmp_path / "1", tmp_path / "2"
    one.write_bytes(b"ab")
    two.write_bytes(b"c")
    assert sha256(one, two) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert sha256(two, one) != sha256(one, two)
