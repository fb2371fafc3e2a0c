"""The normal form under hypothesis: it ends, it is stable, and both readers accept it."""

import copy
from typing import Any

import jsonschema
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from inspect_ai.tool import ToolParams

from knowact.core.schema import normalised

KEYWORDS = (
    *("type", "properties", "required", "items", "anyOf", "oneOf", "allOf", "$ref", "$defs", "enum"),
    *("const", "nullable", "additionalProperties", "description", "default", "title", "minItems"),
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from(("object", "str", "#/$defs/a", "a")),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from((*KEYWORDS, "a", "b")), inner, max_size=4)
    ),
    max_leaves=20,
)
NAMES = st.sampled_from(("a", "b", "c d")).map(str)
ANYTHING = st.dictionaries(st.sampled_from(KEYWORDS), JSON, max_size=5)


def scalars() -> st.SearchStrategy[dict[str, Any]]:
    kinds = st.sampled_from(("string", "integer", "number", "boolean", "null"))
    text = st.text(st.characters(codec="ascii"), min_size=1, max_size=6)
    return st.fixed_dictionaries(
        {"type": kinds},
        optional={
            "description": text,
            "default": st.none() | st.integers() | text,
            "enum": st.lists(st.integers(), min_size=1, max_size=3, unique=True),
            "minimum": st.integers(-5, 5),
            "maxLength": st.integers(0, 9),
            "pattern": st.just("^a"),
            "format": st.just("date"),
        },
    )


def kept(inner: st.SearchStrategy[dict[str, Any]]) -> st.SearchStrategy[dict[str, Any]]:
    """Schemas that nest with kept keywords alone."""
    described = inner.map(lambda schema: {"description": "d", **schema})
    children: st.SearchStrategy[dict[str, Any]] = st.dictionaries(NAMES, described, max_size=3)

    def around(properties: dict[str, Any]) -> st.SearchStrategy[dict[str, Any]]:
        return st.fixed_dictionaries(
            {"type": st.just("object"), "properties": st.just(properties)},
            optional={
                "required": st.just(sorted(properties)),
                "additionalProperties": st.booleans() | inner,
            },
        )

    objects = children.flatmap(around)
    arrays = st.fixed_dictionaries({"type": st.just("array"), "items": inner})
    options = st.fixed_dictionaries({"anyOf": st.lists(inner, min_size=1, max_size=3)})
    return objects | arrays | options


KEPT = st.recursive(scalars(), kept, max_leaves=8)


def loose(inner: st.SearchStrategy[dict[str, Any]]) -> st.SearchStrategy[dict[str, Any]]:
    """Sane schemas of any generator: references, combinations, other spellings, lost keywords."""
    lists = st.lists(inner, min_size=1, max_size=2)
    return st.one_of(
        kept(inner),
        st.fixed_dictionaries({"oneOf": lists}),
        st.fixed_dictionaries({"allOf": lists}),
        st.fixed_dictionaries({"type": st.just("list")}, optional={"items": inner, "minItems": st.just(1)}),
        st.fixed_dictionaries({"type": st.just("dict")}, optional={"additionalProperties": inner}),
        st.just({"$ref": "#/$defs/node"}),
        st.just({"$ref": "#/$defs/nowhere"}),
        st.just({"const": 1, "title": "One"}),
        st.just({"type": ["string", "null"]}),
        st.just({"type": "str", "nullable": True}),
    )


LOOSE = st.recursive(scalars(), loose, max_leaves=6)
NODE = {"type": "object", "properties": {"next": {"$ref": "#/$defs/node"}}}


def rooted(children: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": children, "required": sorted(children), "$defs": {"node": NODE}}


SANE = st.dictionaries(NAMES, LOOSE, max_size=3).map(rooted)


@pytest.mark.slow
@settings(deadline=None, max_examples=300)
@given(ANYTHING)
@example({"required": 5})
@example({"allOf": [{"nullable": True}]})
def test_no_dictionary_makes_it_raise(schema: dict[str, Any]) -> None:
    done = normalised(schema)
    assert done.schema["type"] == "object"


@pytest.mark.slow
@settings(deadline=None, max_examples=300)
@given(SANE)
def test_the_input_is_left_alone(schema: dict[str, Any]) -> None:
    before = copy.deepcopy(schema)
    normalised(schema)
    assert schema == before


@pytest.mark.slow
@settings(deadline=None, max_examples=300)
@given(SANE)
def test_it_is_stable(schema: dict[str, Any]) -> None:
    once = normalised(schema)
    twice = normalised(once.schema)
    assert twice.schema == once.schema
    assert twice.losses == ()


@pytest.mark.slow
@settings(deadline=None, max_examples=300)
@given(SANE)
def test_the_meta_schema_and_the_engine_accept_it(schema: dict[str, Any]) -> None:
    done = normalised(schema)
    jsonschema.Draft7Validator.check_schema(done.schema)
    ToolParams.model_validate(done.schema)


@pytest.mark.slow
@settings(deadline=None, max_examples=300)
@given(st.dictionaries(st.sampled_from("abc"), KEPT, max_size=3))
def test_what_uses_kept_keywords_alone_comes_through_whole(children: dict[str, Any]) -> None:
    described = {name: {"description": "d", **child} for name, child in children.items()}
    schema: dict[str, Any] = {"type": "object", "properties": described, "required": sorted(described)}
    done = normalised(schema)
    assert done.losses == ()
    assert done.schema == {**schema, "additionalProperties": True}
    assert ToolParams.model_validate(done.schema).model_dump(exclude_unset=True) == done.schema
