"""Free-text types, defaults and parameters as JSON Schema."""

from enum import StrEnum
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knowact.core.schema import normalised
from knowact.datasets.deviations import Deviation, Done, ToolKind
from knowact.datasets.lines import Line
from knowact.datasets.members import Members
from knowact.datasets.parameters import NAMES, Schema, default_of, parameters_of, schema_of

ANY: Schema = {}
STRING: Schema = {"type": "string"}
INTEGER: Schema = {"type": "integer"}
NUMBER: Schema = {"type": "number"}
BOOLEAN: Schema = {"type": "boolean"}
OBJECT: Schema = {"type": "object"}


def array(items: Schema) -> Schema:
    return {"type": "array", "items": items}


TYPES: dict[str, Schema] = {
    # All that occur in the published files, and what the pipelines make right already.
    "STRING": STRING,
    "INTEGER": INTEGER,
    "BOOLEAN": BOOLEAN,
    "FLOAT": NUMBER,
    "LIST": array(ANY),
    "INT": INTEGER,
    "NUMBER": NUMBER,
    "DICT": OBJECT,
    "ENUM": STRING,
    "ARRAY": array(ANY),
    "DECIMAL": NUMBER,
    "DOUBLE": NUMBER,
    "LONG": INTEGER,
    "OBJECT": OBJECT,
    "LIST of STRINGS": array(STRING),
    # Phrases of that kind.
    "LIST[INTEGER]": array(INTEGER),
    "List<Float>": array(NUMBER),
    "ARRAY OF INTEGERS": array(INTEGER),
    "LIST (STRING)": array(STRING),
    "LIST of OBJECTS": array(OBJECT),
    "STRING[]": array(STRING),
    "integer array": array(INTEGER),
    "list of lists of floats": array(array(NUMBER)),
    "list of tides": array(ANY),
    "DICT[str, int]": OBJECT,
    "JSON object": OBJECT,
    "STRING (optional)": STRING,
    "optional INTEGER": INTEGER,
    "ENUM (low, high)": STRING,
    "comma-separated STRING": STRING,
    "STRING or INTEGER": {"anyOf": [STRING, INTEGER]},
    "INTEGER|NULL": {"anyOf": [INTEGER, {"type": "null"}]},
    "FLOAT/NUMBER": NUMBER,
    "LIST of STRING or INTEGER": array({"anyOf": [STRING, INTEGER]}),
    "DATE": STRING,
    "any": ANY,
    "": ANY,
}


@pytest.mark.parametrize("text", TYPES)
def test_a_type_is_read_in_any_letter_case(text: str) -> None:
    for written in (text, text.lower(), text.title(), f"  {text}\t"):
        assert schema_of(written) == TYPES[text]


@pytest.mark.parametrize("text", ["harbour", "STRING or harbour", "??", "of", "optional"])
def test_what_is_no_type_is_none(text: str) -> None:
    assert schema_of(text) is None


@settings(deadline=None, max_examples=300)
@given(st.text(max_size=40) | st.sampled_from([f"{a} of {b}" for a in NAMES for b in NAMES]))
def test_whatever_is_read_is_a_schema_that_nothing_is_lost_of(text: str) -> None:
    schema = schema_of(text)
    if schema is not None:
        assert normalised({"type": "object", "properties": {"x": schema}}).losses == ()


@pytest.mark.parametrize(
    ("raw", "kind", "value"),
    [
        ("100", "integer", 100),
        ("2.0", "integer", 2),
        (3.0, "integer", 3),
        ("1.5", "number", 1.5),
        ("7", "number", 7),
        ("false", "boolean", False),
        ("True", "boolean", True),
        (1, "boolean", True),
        (5, "string", "5"),
        ("[1]", "array", [1]),
        ('{"a": 1}', "object", {"a": 1}),
    ],
)
def test_a_default_is_read_as_its_parameters_type(raw: object, kind: str, value: object) -> None:
    found = default_of(raw, {"type": kind})
    assert (found.given, found.value) == (True, value)
    assert type(found.value) is type(value)
    assert found.how


@pytest.mark.parametrize(
    ("raw", "kind"),
    [("", "string"), ("all", "string"), (4, "integer"), (4, "number"), (True, "boolean"), ([], "array")],
)
def test_a_default_of_the_right_type_is_left_alone(raw: object, kind: str) -> None:
    assert default_of(raw, {"type": kind}).value == raw
    assert default_of(raw, {"type": kind}).how == ""


@pytest.mark.parametrize(
    ("raw", "kind"),
    [
        ("None", "number"),
        ("null", "string"),
        ("", "integer"),
        ("soon", "integer"),
        ("1.5", "integer"),
        ("NaN", "number"),
        ("1e999", "number"),
        (True, "integer"),
        ("maybe", "boolean"),
        ("a,b", "array"),
        ({}, "array"),
        ("[" * 100_000, "array"),
    ],
)
def test_what_cannot_be_a_default_is_left_out_and_told(raw: object, kind: str) -> None:
    found = default_of(raw, {"type": kind})
    assert not found.given
    assert found.how


def test_no_default_is_no_departure() -> None:
    found = default_of(None, STRING)
    assert (found.given, found.how) == (False, "")


def test_a_parameter_of_any_type_keeps_its_default() -> None:
    assert default_of({"a": [1]}, ANY).value == {"a": [1]}
    assert default_of(5, {"anyOf": [STRING, INTEGER]}).value == 5


def read(**entry: Any) -> tuple[dict[str, Any], list[tuple[StrEnum, str | None]]]:
    """The schema of an entry, and what went into the deviations."""
    deviations = list[Deviation]()
    line = Line(Path("tides.json"), 7, entry)
    schema = parameters_of(Members(line, entry, deviations, "api_list[0]"))
    assert all(one.done is Done.MENDED and one.place.line == 7 for one in deviations)
    return schema, [(one.kind, one.place.field) for one in deviations]


class TestParameters:
    def test_absent_lists_are_empty(self) -> None:
        assert read() == ({"type": "object", "properties": {}, "required": []}, [])

    def test_required_and_optional_ones_are_told_apart(self) -> None:
        schema, told = read(
            required_parameters=[{"name": "port", "type": "STRING", "description": " Which. "}],
            optional_parameters=[{"name": "days", "type": "INTEGER", "default": 3}],
        )
        assert schema["required"] == ["port"]
        assert schema["properties"] == {
            "port": {"type": "string", "description": "Which."},
            "days": {"type": "integer", "default": 3},
        }
        assert told == []

    def test_a_parameter_without_a_type_takes_anything(self) -> None:
        assert read(required_parameters=[{"name": "x"}])[0]["properties"] == {"x": {}}

    def test_a_type_that_nobody_knows_takes_anything_and_is_told(self) -> None:
        schema, told = read(required_parameters=[{"name": "x", "type": "HARBOUR"}, {"name": "y", "type": 5}])
        assert schema["properties"] == {"x": {}, "y": {}}
        assert told == [
            (ToolKind.TYPE_UNKNOWN, "api_list[0].required_parameters[0].type"),
            (ToolKind.TYPE_UNKNOWN, "api_list[0].required_parameters[1].type"),
        ]

    def test_listed_values_are_an_enumeration(self) -> None:
        schema, _ = read(required_parameters=[{"name": "x", "type": "ENUM", "enum": ["low", "high"]}])
        assert schema["properties"]["x"] == {"type": "string", "enum": ["low", "high"]}

    def test_a_bare_text_is_the_name_of_a_parameter(self) -> None:
        schema, told = read(required_parameters=["port"], optional_parameters="days")
        assert (list(schema["properties"]), schema["required"]) == (["port", "days"], ["port"])
        assert [kind for kind, _ in told] == [ToolKind.PARAMETER, ToolKind.PARAMETER]

    @pytest.mark.parametrize(
        "odd", [5, None, {"name": " "}, {"name": 5}, {"type": "STRING"}, " ", [["port"]]]
    )
    def test_what_has_no_name_is_left_out_and_told(self, odd: object) -> None:
        schema, told = read(required_parameters=[odd, {"name": "port", "type": "STRING"}])
        assert list(schema["properties"]) == ["port"]
        assert told == [(ToolKind.PARAMETER, "api_list[0].required_parameters[0]")]

    def test_of_two_of_one_name_the_first_counts(self) -> None:
        schema, told = read(
            required_parameters=[{"name": "port", "type": "STRING"}, {"name": "port", "type": "INT"}],
            optional_parameters=[{"name": "port", "type": "LIST"}],
        )
        assert schema["properties"] == {"port": STRING}
        assert schema["required"] == ["port"]
        assert [kind for kind, _ in told] == [ToolKind.PARAMETER_TWICE] * 2

    def test_a_default_that_does_not_fit_is_told(self) -> None:
        schema, told = read(optional_parameters=[{"name": "days", "type": "INTEGER", "default": "None"}])
        assert schema["properties"] == {"days": INTEGER}
        assert told == [(ToolKind.DEFAULT, "api_list[0].optional_parameters[0].default")]
