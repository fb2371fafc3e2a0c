"""JSON of strangers: rows are found wherever they stand, and values of any kind are read."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from pydantic import JsonValue

from knowact.core.errors import BadData
from knowact.datasets.loose import files_at, items, members, number, objects, unpacked, words

DEEP = "[" * 70 + "]" * 70


def is_row(value: Mapping[str, Any]) -> bool:
    return "id" in value


@pytest.mark.parametrize(
    ("text", "spots"),
    [
        ('[{"id": 1}, 7, {"id": 2}]', ["record 1", "record 3"]),
        ('{"id": 1}', ["record 1"]),
        ('{"a": {"b": [{"id": 1, "inner": {"id": 2}}]}}', ["a.b.0"]),
        ('{"id": 1}\n\n{"more": [{"id": 2}]}', ["", "more.0"]),
        (json.dumps({"text": json.dumps([{"id": 1}])}), ["text.0"]),
        ('[{"id": NaN}]', ["record 1"]),
        ("7", []),
        ("", []),
    ],
)
def test_the_outermost_objects_of_a_kind_are_found(tmp_path: Path, text: str, spots: list[str]) -> None:
    file = tmp_path / "x.json"
    file.write_text(text, encoding="utf-8")
    assert [found.spot for found in objects(file, is_row)] == spots


def test_a_row_knows_its_place_and_what_is_around_it(tmp_path: Path) -> None:
    file = tmp_path / "x.jsonl"
    file.write_text('{"a": [1]}\n{"model": "m", "rows": [{"id": 1}]}', encoding="utf-8")
    (found,) = objects(file, is_row)
    assert str(found.place) == f"{file}:2, field 'rows.0'"
    assert found.above == ({"model": "m", "rows": [{"id": 1}]},)
    assert found.around == ("0", "rows", "x", tmp_path.name)


@pytest.mark.parametrize("text", ["{", '{"id": 1}\n{', DEEP])
def test_what_is_neither_json_nor_lines_is_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "x.json"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(BadData, match=r"x\.json:\d"):
        list(objects(file, is_row))


def test_json_files_of_a_folder_are_read_in_order(tmp_path: Path) -> None:
    for name in ("b.json", "a/c.JSONL", "d.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    assert [file.name for file in files_at(tmp_path)] == ["c.JSONL", "b.json"]
    assert files_at(tmp_path / "d.txt") == [tmp_path / "d.txt"]
    with pytest.raises(BadData, match="no such file"):
        files_at(tmp_path / "nothing")


def test_values_may_stand_as_text_and_others_are_empty() -> None:
    assert (unpacked('{"a": NaN}'), unpacked("plain"), unpacked(DEEP)) == ({"a": None}, "plain", DEEP)
    assert (members("[1]"), items('{"a": 1}'), items("[1]")) == ({}, [], [1])
    assert (number("2"), number(True), number(10**400), number("x"), number(None)) == (2, 1, None, None, None)
    parts: list[JsonValue] = [{"type": "text", "text": "a"}, "b", {"status": "OK"}, None]
    assert words(parts) == 'a\nb\n{"status": "OK"}\n'
