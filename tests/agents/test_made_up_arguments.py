"""Arguments that built-in agents make up fit the schemas that agents are shown, whatever their dialect."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft7Validator
from pydantic import JsonValue

from knowact.agents.policy import simplest
from knowact.core.schema import normalised
from knowact.core.tool import Tool

TYPES = ("dict", "float", "integer", "string", "boolean", "array", "tuple", "any", "long", "list", "number")


def tool(**properties: Any) -> Tool:
    parameters: dict[str, JsonValue] = {"type": "dict", "properties": properties, "required": [*properties]}
    return Tool(name="t", parameters=parameters)


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"type": "float"}, 1),
        ({"type": "float", "minimum": 2.5}, 3),
        ({"type": "integer", "maximum": -4}, -4),
        ({"type": "tuple", "items": {"type": "float"}}, []),
        ({"type": "any"}, "something"),
        ({"type": "string", "enum": ["C", "F"]}, "C"),
        ({"type": "string", "maxLength": 4}, "some"),
        ({"type": ["null", "string"]}, None),
        (
            {"type": "dict", "properties": {"a": {"type": "bool"}, "b": {"type": "str"}}, "required": ["a"]},
            {"a": True},
        ),
    ],
)
def test_published_spellings_of_types_are_understood(schema: dict[str, Any], value: object) -> None:
    assert simplest(tool(x=schema)) == {"x": value}


def test_parameters_that_are_not_required_are_left_out() -> None:
    assert simplest(Tool(name="t", parameters={"type": "dict", "properties": {"x": {"type": "float"}}})) == {}


Schema = dict[str, Any]


def an_object(members: dict[str, Schema]) -> Schema:
    return {"type": "dict", "properties": members, "required": [*members]}


def one_of(options: list[Schema]) -> Schema:
    return {"oneOf": options}


def an_array(inner: Schema) -> Schema:
    return {"type": "array", "items": inner}


def nested(inner: st.SearchStrategy[Schema]) -> st.SearchStrategy[Schema]:
    objects = st.dictionaries(st.sampled_from("abc"), inner).map(an_object)
    return objects | st.lists(inner, min_size=1, max_size=3).map(one_of) | inner.map(an_array)


typed: st.SearchStrategy[Schema] = st.fixed_dictionaries({"type": st.sampled_from(TYPES)})
enumerated: st.SearchStrategy[Schema] = st.fixed_dictionaries(
    {"enum": st.lists(st.integers() | st.text(), min_size=1)}
)
schemas = st.recursive(typed | enumerated, nested, max_leaves=8)


@given(st.dictionaries(st.sampled_from("xyz"), schemas))
def test_they_fit_any_schema_as_it_is_shown(members: dict[str, Any]) -> None:
    offered = tool(**members)
    shown = normalised(offered.parameters).schema
    assert not list(Draft7Validator(shown).iter_errors(simplest(offered)))  # pyright: ignore[reportUnknownMemberType]
