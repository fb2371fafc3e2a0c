"""Published descriptors of tools as our tools."""

import json
from pathlib import Path
from typing import Any

import pytest

from knowact.core.errors import BadData
from knowact.core.schema import normalised
from knowact.datasets.deviations import Deviation, Done, ToolKind
from knowact.datasets.lines import Line
from knowact.datasets.members import Members
from knowact.suites.ict.descriptors import Offer, has_tools, read_offers
from knowact.suites.ict.layout import Kind

TIDE: dict[str, Any] = {
    "name": "QueryTide",
    "description": "Tells when the water is highest; it's for ports.",
    "input_parameters": {
        "port": {"type": "str", "description": "The port."},
        "days": {"type": "int", "description": "How many."},
    },
    "output_parameters": {"times": {"type": "list", "description": "Times of high water."}},
}
WIND: dict[str, Any] = {
    "category_name": "Sailing",
    "tool_name": "Breeze",
    "api_name": "Forecast",
    "api_description": "Wind for the days to come.",
    "required_parameters": [{"name": "place", "type": "STRING", "description": "Which place."}],
    "optional_parameters": [{"name": "days", "type": "NUMBER", "default": "3"}],
    "method": "GET",
}
MOON: dict[str, Any] = {
    "name": "moon",
    "description": "The phase of the moon.",
    "parameters": {"type": "object", "properties": {"day": {"type": "string"}}, "required": ["day"]},
}


def read(value: Any) -> tuple[tuple[Offer, ...], list[Deviation]]:
    deviations = list[Deviation]()
    row = {"api_list": value}
    return read_offers(Members(Line(Path("rows.jsonl"), 3, row), row, deviations), "api_list"), deviations


def kinds(deviations: list[Deviation]) -> list[tuple[str, Done, str | None]]:
    return [(one.kind, one.done, one.place.field) for one in deviations]


def test_api_banks_descriptors_have_their_parameters_under_their_names() -> None:
    (offer,), deviations = read(json.dumps(TIDE))
    assert offer.tool.name == "QueryTide"
    assert offer.tool.parameters == {
        "type": "object",
        "properties": {
            "port": {"type": "string", "description": "The port."},
            "days": {"type": "integer", "description": "How many."},
        },
        "required": ["port", "days"],
    }
    assert offer.tool.returns is not None
    assert offer.tool.returns["properties"] == {
        "times": {"type": "array", "items": {}, "description": "Times of high water."}
    }
    assert normalised(offer.tool.parameters).losses == ()
    assert deviations == []


def test_toolbenchs_descriptors_tell_required_parameters_from_optional_ones() -> None:
    (offer,), deviations = read([WIND])
    assert (offer.tool.name, offer.tool.category, offer.tool.server) == ("Forecast", "Sailing", "Breeze")
    assert offer.tool.description == "Wind for the days to come."
    assert offer.tool.required == ("place",)
    assert offer.tool.properties["days"] == {"type": "number", "default": 3}
    assert kinds(deviations) == [
        (ToolKind.DEFAULT, Done.MENDED, "api_list[0].optional_parameters[0].default")
    ]


@pytest.mark.parametrize("value", [MOON, {"type": "function", "function": MOON}])
def test_function_schemas_are_descriptors_too(value: Any) -> None:
    (offer,), _ = read([value])
    assert (offer.tool.name, offer.tool.required) == ("moon", ("day",))


@pytest.mark.parametrize(
    "text",
    [
        f"{json.dumps(TIDE)}\n{json.dumps(WIND)}",
        f"{TIDE!r}\n\n{WIND!r}\n",
        f"{TIDE!r},\n{WIND!r},",
        f"{json.dumps(TIDE)}\n{WIND!r}",
        json.dumps([TIDE, WIND]),
        json.dumps([TIDE, WIND], indent=2),
        repr([TIDE, WIND]),
        repr((TIDE, WIND)),
        [TIDE, WIND],
        [json.dumps(TIDE), repr(WIND)],
        f"[{json.dumps(TIDE)}]\n[{WIND!r}]",
    ],
)
def test_every_way_to_write_a_list_gives_the_same_tools(text: Any) -> None:
    assert read(text)[0] == read([TIDE, WIND])[0]


def test_nulls_that_parquet_fills_in_are_no_members() -> None:
    filled = {**dict.fromkeys(("input_parameters", "parameters", "name")), **WIND}
    assert read([filled])[0] == read([WIND])[0]


def test_the_same_descriptor_twice_is_one_tool() -> None:
    offers, deviations = read([TIDE, TIDE])
    assert len(offers) == 1
    assert kinds(deviations) == [(Kind.LISTED_TWICE, Done.MENDED, "api_list[1]")]


def test_tools_of_one_name_are_told_apart_by_their_server_or_by_a_number() -> None:
    other = {**WIND, "tool_name": "Gale"}
    third = {**TIDE, "name": "Forecast"}
    offers, deviations = read([WIND, other, third, {**third, "description": "Another."}, TIDE])
    names = [offer.tool.name for offer in offers]
    assert names == ["Breeze.Forecast", "Gale.Forecast", "Forecast", "Forecast.2", "QueryTide"]
    assert [one.kind for one in deviations if one.kind is Kind.SAME_NAME] == [Kind.SAME_NAME] * 3


def test_unknown_types_allow_any_value_and_are_told() -> None:
    odd = {**TIDE, "input_parameters": {"port": {"type": "harbourish"}, "days": "int"}}
    (offer,), deviations = read([odd])
    assert offer.tool.properties == {"port": {}, "days": {"type": "integer"}}
    assert kinds(deviations) == [
        (ToolKind.TYPE_UNKNOWN, Done.MENDED, "api_list[0].input_parameters.port.type")
    ]


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (None, "field 'api_list': this must be a list of tools"),
        ("", "the tools cannot be read|must be a list"),
        ([], "this must be a list of tools"),
        (7, "this must be a list of tools"),
        ([7], r"field 'api_list\[0\]': this is not a descriptor"),
        ('{"name": "x"', "the tools cannot be read"),
        (f"{json.dumps(TIDE)}\n{{'name': oops}}", r"cannot be read in line 2 of the text \(it is neither"),
        ('{"name": "x", "colour": "red"}', "form of this descriptor is not known; it has 'name', 'colour'"),
        ([{**TIDE, "name": " "}], r"field 'api_list\[0\]\.name': this must be a text that is not blank"),
        ([{**TIDE, "input_parameters": 7}], "this must be an object with a member per parameter"),
    ],
)
def test_what_is_no_list_of_tools_is_refused_with_its_place(value: Any, said: str) -> None:
    with pytest.raises(BadData, match=rf"rows\.jsonl:3.*(?:{said})"):
        read(value)


def test_a_missing_column_is_told() -> None:
    row = Members(Line(Path("rows.jsonl"), 3, {}), {}, list[Deviation]())
    with pytest.raises(BadData, match="this column is missing"):
        read_offers(row, "api_list")


@pytest.mark.parametrize(
    ("value", "there"),
    [(None, False), ("", False), ("[]", False), ("null", False), ([], False), ("{}", True), ([TIDE], True)],
)
def test_a_column_without_tools_is_told_from_one_with_some(value: Any, *, there: bool) -> None:
    row = {"api_list": value}
    assert has_tools(Members(Line(Path("rows.jsonl"), 3, row), row, list[Deviation]()), "api_list") is there
