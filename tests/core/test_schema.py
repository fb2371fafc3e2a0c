"""The normal form of tool schemas: every shape that published data have."""

from typing import Any, ClassVar

import jsonschema
import pytest
from inspect_ai.tool import ToolParams

from knowact.core import schema


def normalised(parameters: Any) -> Any:
    return schema.normalised(parameters)


def shown(parameter: Any, **root: Any) -> dict[str, Any]:
    """Return what becomes of one parameter's schema, without the description that is filled in."""
    done = normalised({"type": "object", "properties": {"p": parameter}, **root})
    check(done)
    return {key: value for key, value in done.schema["properties"]["p"].items() if key != "description"}


def losses(parameter: Any, **root: Any) -> tuple[str, ...]:
    return normalised({"type": "object", "properties": {"p": parameter}, **root}).losses


def check(done: Any) -> None:
    """Assert what every reader of the normal form relies on."""
    jsonschema.Draft7Validator.check_schema(done.schema)
    ToolParams.model_validate(done.schema)
    assert normalised(done.schema).schema == done.schema


class TestReferences:
    DEFINED: ClassVar[dict[str, Any]] = {"$defs": {"day": {"type": "str", "title": "Day"}}}

    def test_a_reference_is_replaced_by_what_it_names(self) -> None:
        assert shown({"$ref": "#/$defs/day"}, **self.DEFINED) == {"type": "string"}
        assert shown({"$ref": "#/definitions/n"}, definitions={"n": {"type": "int"}}) == {"type": "integer"}

    def test_a_reference_to_a_reference_is_followed(self) -> None:
        defined = {"a": {"$ref": "#/$defs/b"}, "b": {"type": "boolean"}}
        assert shown({"$ref": "#/$defs/a"}, **{"$defs": defined}) == {"type": "boolean"}

    def test_what_stands_beside_a_reference_wins(self) -> None:
        parameter = {"$ref": "#/$defs/day", "default": "today"}
        assert shown(parameter, **self.DEFINED) == {"type": "string", "default": "today"}

    def test_a_reference_that_leads_nowhere_is_said(self) -> None:
        assert shown({"$ref": "#/$defs/month", "default": 1}, **self.DEFINED) == {"default": 1}
        assert losses({"$ref": "#/$defs/month"}) == ("p: the reference '#/$defs/month' leads nowhere",)
        assert losses({"$ref": "https://example.org/s.json"}) == (
            "p: the reference 'https://example.org/s.json' leads nowhere",
        )

    def test_a_reference_inside_a_list_and_an_alternative_is_followed(self) -> None:
        day = {"$ref": "#/$defs/day"}
        assert shown({"type": "list", "items": day}, **self.DEFINED) == {
            "type": "array",
            "items": {"type": "string"},
        }
        assert shown({"oneOf": [day, {"type": "null"}]}, **self.DEFINED) == {
            "anyOf": [{"type": "string"}, {"type": "null"}]
        }

    def test_a_schema_that_holds_itself_is_cut_and_said(self) -> None:
        folder = {"type": "object", "properties": {"inside": {"$ref": "#/$defs/folder"}}}
        done = normalised({"properties": {"p": {"$ref": "#/$defs/folder"}}, "$defs": {"folder": folder}})
        check(done)
        assert done.losses

    def test_a_reference_that_ends_in_itself_is_said(self) -> None:
        defined = {"a": {"$ref": "#/$defs/a"}}
        assert losses({"$ref": "#/$defs/a"}, **{"$defs": defined})

    def test_a_reference_to_the_whole_schema_is_a_circle(self) -> None:
        assert losses({"$ref": "#"}) == ("p: it refers to itself and is cut there",)

    def test_a_chain_of_references_keeps_what_stands_beside_each(self) -> None:
        root: schema.Schema = {
            "$defs": {"a": {"$ref": "#/$defs/b", "title": "A", "x": 1}, "b": {"type": "string", "x": 2}}
        }
        parameter: schema.Schema = {"$ref": "#/$defs/a", "default": "now"}
        whole = schema.References(root).follow(parameter)
        assert whole.schema == {"type": "string", "title": "A", "x": 1, "default": "now"}
        assert (whole.trail, whole.broken) == (("#/$defs/a", "#/$defs/b"), "")
        named = schema.References(root, frozenset({"title"})).follow(parameter)
        assert named.schema == {"type": "string", "title": "A", "x": 2}

    def test_a_schema_that_holds_itself_twice_stays_small(self) -> None:
        pair = {"$ref": "#/$defs/pair"}
        defined = {"pair": {"type": "object", "properties": {"left": pair, "right": pair}}}
        done = normalised({"properties": {"p": pair}, "$defs": defined})
        assert len(str(done.schema)) < 10_000


class TestCombinations:
    def test_all_of_is_folded_into_its_parent(self) -> None:
        parts = [
            {"properties": {"a": {"type": "string"}}, "required": ["a"]},
            {"$ref": "#/$defs/more"},
        ]
        more = {"properties": {"b": {"type": "int"}, "a": {"type": "boolean"}}, "required": ["b", "a"]}
        folded = shown({"type": "object", "allOf": parts}, **{"$defs": {"more": more}})
        assert folded["required"] == ["a", "b"]
        assert {name: child["type"] for name, child in folded["properties"].items()} == {
            "a": "string",
            "b": "integer",
        }

    def test_a_single_part_with_a_description_beside_it_keeps_both(self) -> None:
        parameter = {"allOf": [{"$ref": "#/$defs/n"}], "description": "How many", "default": 1}
        done = normalised({"properties": {"p": parameter}, "$defs": {"n": {"type": "integer"}}})
        assert done.schema["properties"]["p"] == {
            "type": "integer",
            "description": "How many",
            "default": 1,
        }
        assert done.losses == ()

    def test_properties_stand_in_the_order_of_the_parts_and_then_one_s_own(self) -> None:
        parts: list[schema.Schema] = [{"properties": {"a": {}, "b": {}}}, {"properties": {"c": {}}}]
        whole: schema.Schema = {"properties": {"d": {}}, "allOf": [*parts]}
        assert list(schema.members(schema.folded(whole, parts)["properties"])) == ["a", "b", "c", "d"]

    def test_all_of_inside_all_of_is_folded_too(self) -> None:
        assert shown({"allOf": [{"allOf": [{"type": "string"}]}]}) == {"type": "string"}

    def test_one_of_becomes_any_of(self) -> None:
        options = [{"type": "str"}, {"type": "int", "const": 3}]
        assert shown({"oneOf": options}) == {"anyOf": [{"type": "string"}, {"type": "integer", "enum": [3]}]}

    def test_any_of_with_null_and_a_default_is_kept(self) -> None:
        optional = {"anyOf": [{"type": "string"}, {"type": "null"}], "default": None}
        assert shown(optional) == optional

    def test_one_of_beside_any_of_is_said(self) -> None:
        assert losses({"anyOf": [{"type": "string"}], "oneOf": [{"minLength": 2}]})

    def test_a_constant_becomes_an_enumeration_of_one(self) -> None:
        assert shown({"const": "metric"}) == {"enum": ["metric"]}
        assert shown({"const": None}) == {"enum": [None]}

    def test_what_the_engine_cannot_carry_is_said(self) -> None:
        assert losses({"type": "array", "items": {"type": "string"}, "minItems": 1, "not": {}}) == (
            "p: 'minItems' is not carried",
            "p: 'not' is not carried",
        )

    def test_what_constrains_nothing_goes_without_a_word(self) -> None:
        assert losses({"type": "string", "title": "Unit", "$comment": "x", "deprecated": True}) == ()


class TestTypes:
    @pytest.mark.parametrize(
        ("spelt", "kind"),
        [
            ("str", "string"),
            ("int", "integer"),
            ("long", "integer"),
            ("float", "number"),
            ("double", "number"),
            ("bool", "boolean"),
            ("dict", "object"),
            ("map", "object"),
        ],
    )
    def test_names_of_python_and_java_are_understood(self, spelt: str, kind: str) -> None:
        assert shown({"type": spelt}) == {"type": kind}

    def test_any_type_is_no_type(self) -> None:
        assert shown({"type": "any"}) == {}
        assert losses({"type": "any"}) == ()

    def test_a_missing_type_stays_missing(self) -> None:
        assert shown({"enum": ["a", "b"]}) == {"enum": ["a", "b"]}

    def test_an_unknown_type_is_said(self) -> None:
        assert shown({"type": "datetime"}) == {}
        assert losses({"type": "datetime"}) == ("p: 'datetime' is not a type",)

    @pytest.mark.parametrize("spelt", ["STRING", "String"])
    def test_capital_letters_make_no_difference(self, spelt: str) -> None:
        assert shown({"type": spelt}) == {"type": "string"}

    def test_a_list_of_types_becomes_alternatives(self) -> None:
        parameter = {"type": ["string", "null"], "default": None, "pattern": "^x"}
        assert shown(parameter) == {
            "anyOf": [{"type": "string"}, {"type": "null"}],
            "default": None,
            "pattern": "^x",
        }

    def test_what_may_be_null_becomes_alternatives(self) -> None:
        assert shown({"type": "int", "nullable": True, "minimum": 0, "default": None}) == {
            "anyOf": [{"type": "integer", "minimum": 0}, {"type": "null"}],
            "default": None,
        }
        assert shown({"type": "string", "nullable": False}) == {"type": "string"}

    @pytest.mark.parametrize(
        "parameter",
        [
            {"type": ["array", "null"], "items": {"type": "str"}},
            {"type": "array", "nullable": True, "items": {"type": "str"}},
            {"type": ["object", "null"], "properties": {"x": {"$ref": "#/$defs/d"}}},
            {"type": "object", "nullable": True, "properties": {"x": {"$ref": "#/$defs/d"}}},
            {"type": ["any", "null"]},
            {"type": []},
        ],
        ids=str,
    )
    def test_what_is_inside_an_alternative_is_brought_to_the_form_too(self, parameter: Any) -> None:
        root = {"$defs": {"d": {"type": "int"}}}
        done = normalised({"properties": {"p": parameter}, **root})
        check(done)
        assert "'str'" not in str(done.schema)
        assert "$ref" not in str(done.schema)

    def test_nullable_alternatives_have_null_among_them(self) -> None:
        parameter = {"anyOf": [{"type": "string"}, {"type": "integer"}], "nullable": True}
        assert {"type": "null"} in shown(parameter)["anyOf"]


class TestLists:
    def test_a_list_without_items_takes_anything(self) -> None:
        assert shown({"type": "array"}) == {"type": "array", "items": {}}
        assert shown({"type": "tuple"}) == {"type": "array", "items": {}}

    def test_items_are_read(self) -> None:
        assert shown({"type": "array", "items": {"type": "list", "items": {"type": "str"}}}) == {
            "type": "array",
            "items": {"type": "array", "items": {"type": "string"}},
        }

    def test_a_schema_per_position_is_said(self) -> None:
        assert shown({"type": "array", "items": [{"type": "int"}]}) == {"type": "array", "items": {}}
        assert losses({"type": "array", "items": [{"type": "int"}]}) == (
            "p: an array with a schema per position",
        )


class TestObjects:
    def test_unknown_arguments_are_let_through_unless_the_schema_refuses_them(self) -> None:
        assert normalised({}).schema["additionalProperties"] is True
        assert normalised({"additionalProperties": False}).schema["additionalProperties"] is False
        values = {"additionalProperties": {"type": "str"}}
        assert normalised(values).schema["additionalProperties"] == {"type": "string"}
        assert shown({"type": "dict", **values}) == {
            "type": "object",
            "additionalProperties": {"type": "string"},
        }

    def test_an_empty_schema_is_an_object_without_parameters(self) -> None:
        empty: dict[str, Any] = {
            "type": "object",
            "properties": {},
            "required": [],
            "additionalProperties": True,
        }
        assert normalised({}) == schema.Normalised(empty, ())

    def test_required_names_that_do_not_exist_are_left_out(self) -> None:
        done = normalised({"properties": {"a": {}}, "required": ["a", "b"]})
        assert done.schema["required"] == ["a"]

    def test_every_parameter_has_a_description(self) -> None:
        properties = {"a": {"description": "First"}, "b": {"title": "Second"}, "c": {}, "d": True}
        done = normalised({"properties": properties})
        described = {name: child["description"] for name, child in done.schema["properties"].items()}
        assert described == {"a": "First", "b": "Second", "c": "c", "d": "d"}

    @pytest.mark.parametrize("kind", [{"type": ["object", "null"]}, {"type": "object", "nullable": True}])
    def test_a_root_that_may_be_null_keeps_its_parameters(self, kind: Any) -> None:
        done = normalised({**kind, "properties": {"a": {"type": "string"}}, "required": ["a"]})
        assert list(done.schema["properties"]) == ["a"]
        assert done.schema["required"] == ["a"]

    def test_required_on_the_parameter_itself_is_understood(self) -> None:
        done = normalised({"properties": {"a": {"type": "string", "required": True}}})
        check(done)
        assert done.schema["required"] == ["a"]


RAISING: list[dict[str, Any]] = [
    {"required": 5},
    {"required": [["a"]]},
    {"properties": 3, "allOf": [{"properties": {"a": {}}}]},
    {"required": True, "allOf": [{"required": ["a"]}]},
    {"allOf": [{"required": [["a"]]}]},
]


class TestOddInput:
    """Tools from the wild: the schema may be wrong, the loader must not fall over it."""

    @pytest.mark.parametrize(
        "schema",
        RAISING,
        ids=str,
    )
    def test_it_does_not_raise(self, schema: Any) -> None:
        check(normalised(schema))

    @pytest.mark.parametrize(
        "schema",
        [
            {"properties": ["a"]},
            {"additionalProperties": "no"},
            {"properties": {"a": {"description": 5}}},
            {"properties": {"a": {"anyOf": {}}}},
            {"properties": {"a": {"enum": "x"}}},
            {"properties": {"a": {"type": "object", "properties": {}, "required": "b"}}},
        ],
        ids=str,
    )
    def test_a_keyword_of_the_wrong_type_is_left_out(self, schema: Any) -> None:
        done = normalised(schema)
        check(done)
        assert done.losses

    def test_a_title_that_is_no_text_is_no_description(self) -> None:
        assert normalised({"properties": {"a": {"title": 5}}}).schema["properties"]["a"] == {
            "description": "a"
        }

    @pytest.mark.parametrize("schema", [False, 3, "x", None, ["a"]], ids=str)
    def test_a_parameter_whose_schema_is_no_object_takes_anything(self, schema: Any) -> None:
        assert shown(schema) == {}
        assert losses(schema) == ("p: not an object",)


def test_a_reference_with_escaped_signs_is_followed() -> None:
    schema = {
        "type": "object",
        "properties": {"p": {"$ref": "#/$defs/a~1b~0c"}},
        "$defs": {"a/b~c": {"type": "integer"}},
    }
    found = normalised(schema)
    assert (found.schema["properties"]["p"]["type"], found.losses) == ("integer", ())
