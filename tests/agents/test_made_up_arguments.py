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


leaves = st.builds(lambda kind: {"type": kind}, st.sampled_from(TYPES))
schemas = st.recursive(
    leaves | st.builds(lambda some: {"enum": some}, st.lists(st.integers() | st.text(), min_size=1)),
    lambda inner: st.one_of(
        st.builds(
            lambda members: {"type": "dict", "properties": members, "required": [*members]},
            st.dictionaries(st.sampled_from("abc"), inner),
        ),
        st.builds(lambda some: {"oneOf": some}, st.lists(inner, min_size=1, max_size=3)),
        st.builds(lambda one: {"type": "array", "items": one}, inner),
    ),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from("xyz"), schemas))
def test_they_fit_any_schema_as_it_is_shown(members: dict[str, Any]) -> None:
    offered = tool(**members)
    shown = normalised(offered.parameters).schema
    assert not list(Draft7Validator(shown).iter_errors(simplest(offered)))  # pyright: ignore[reportUnknownMemberType]
