"""Published JSON read row by row, with lines, and what JSON does not have."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knowact.core.errors import BadData
from knowact.datasets.deviations import Deviation
from knowact.suites.fail_talms.json_rows import read_one, read_rows
from knowact.suites.fail_talms.layout import Kind

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**60), 2**60) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


def rows(
    folder: Path, text: str | bytes, deviations: list[Deviation] | None = None
) -> list[tuple[int | None, object]]:
    file = folder / "rows.json"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return [
        (line.number, dict(line.value)) for line in read_rows(file, [] if deviations is None else deviations)
    ]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("rows")


@pytest.mark.slow
@settings(deadline=None, max_examples=150)
@given(
    values=st.lists(st.dictionaries(st.text(max_size=5), VALUES, max_size=3), max_size=5),
    indent=st.sampled_from([None, 0, 2]),
    plain=st.booleans(),
)
def test_every_list_of_objects_comes_back(
    folder: Path, values: list[dict[str, object]], indent: int | None, *, plain: bool
) -> None:
    text = json.dumps(values, indent=indent, ensure_ascii=plain)
    found = rows(folder, text.encode("utf-8", "replace"))
    clean = json.loads(json.dumps(values, ensure_ascii=False).encode("utf-8", "replace"))
    assert [value for _, value in found] == clean


def test_each_row_has_the_line_where_it_begins(tmp_path: Path) -> None:
    text = '[\n\n  {"a":\n 1}, {"b": 2},\n  {"c": 3}\n]\n'
    assert [number for number, _ in rows(tmp_path, text)] == [3, 4, 5]


def test_a_byte_order_mark_says_nothing(tmp_path: Path) -> None:
    assert rows(tmp_path, b'\xef\xbb\xbf[{"a": 1}]') == [(1, {"a": 1})]


def test_an_empty_list_has_no_rows(tmp_path: Path) -> None:
    assert rows(tmp_path, " [ ] ") == []


def test_a_bare_object_is_a_list_of_one(tmp_path: Path) -> None:
    deviations = list[Deviation]()
    assert rows(tmp_path, '\n{"a": 1}\n', deviations) == [(2, {"a": 1})]
    assert [one.kind for one in deviations] == [Kind.NOT_A_LIST]


def test_of_a_member_that_stands_twice_the_last_counts(tmp_path: Path) -> None:
    deviations = list[Deviation]()
    assert rows(tmp_path, '[{},\n{"a": 1, "a": 2}]', deviations)[1] == (2, {"a": 2})
    (found,) = deviations
    assert (found.kind, found.place.line, found.place.field) == (Kind.DUPLICATE_NAME, 2, "a")


@pytest.mark.parametrize(
    ("written", "value"), [("NaN", None), ("-Infinity", None), ('"\\ud83d"', "?"), ('"\\ud83d\\ude00"', "😀")]
)
def test_what_json_does_not_have_becomes_something_that_it_has(
    tmp_path: Path, written: str, value: object
) -> None:
    deviations = list[Deviation]()
    assert rows(tmp_path, f'[{{"a": {written}}}]', deviations) == [(1, {"a": value})]
    assert [one.kind for one in deviations] == ([] if value == "😀" else [Kind.NO_JSON_VALUE])


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("", 1, "the file is cut off"),
        ("[\n{\n", 3, "the file is cut off"),
        ('[{"a": "b', 1, "the file is cut off"),
        ("[{}", 1, "the file is cut off"),
        ("[{},", 1, "the file is cut off"),
        ("[{},\n]", 2, "expecting value"),
        ("[{}\n{}]", 2, "a comma or the list's end is missing"),
        ("[{}]\n[]", 2, "something follows the list"),
        ("5", 1, "it is not a list"),
        ("[5]", 1, "this row is not a JSON object"),
        ("[{},\n[]]", 2, "this row is not a JSON object"),
        ("[\n{'a': 1}]", 2, "not have the expected layout"),
        ("[" + "[" * 100_000, 1, "cut off|nests too deeply"),
        ('[{"a": ' + "9" * 5_000 + "}]", 1, "a number is too long"),
    ],
)
def test_what_cannot_be_read_is_told_with_its_line(tmp_path: Path, text: str, line: int, said: str) -> None:
    with pytest.raises(BadData, match=said) as caught:
        rows(tmp_path, text)
    assert caught.value.place.line == line


def test_what_is_not_utf_8_is_told_with_its_line(tmp_path: Path) -> None:
    with pytest.raises(BadData, match="not UTF-8") as caught:
        rows(tmp_path, b'[\n{"a": "\xff"}]')
    assert caught.value.place.line == 2


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(BadData, match="cannot be read"):
        read_rows(tmp_path / "none.json", list[Deviation]())


def test_one_row_is_one_row(tmp_path: Path) -> None:
    file = tmp_path / "one.json"
    file.write_text('[\n{"a": 1}\n]', encoding="utf-8")
    assert read_one(file, list[Deviation]()).number == 2
    for text, said in (("[]", "no rows"), ("[{},\n{}]", "2 rows")):
        file.write_text(text, encoding="utf-8")
        with pytest.raises(BadData, match=said):
            read_one(file, list[Deviation]())
