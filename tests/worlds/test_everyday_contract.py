"""Contracts: schema, description, capability and rubric, derived from a typed function."""

import re
from typing import Annotated, Any, Literal

import pytest
from jsonschema import Draft202012Validator

from knowact.core.tool import Dimension, Need, Report, Tool
from knowact.worlds.everyday.catalogue import OPERATIONS, TOOLS
from knowact.worlds.everyday.contract import (
    Operation,
    Refusal,
    Server,
    always,
    by_size,
    check_listed,
    listed,
    never,
    on,
)
from knowact.worlds.everyday.state import State
from knowact.worlds.everyday.tools import weather
from knowact.worlds.typed import schema
from knowact.worlds.typed.schema import Attribute, ContractError, Rules, Shape, echo, fact, part
from knowact.worlds.typed.tools import gathered
from knowact.worlds.typed.validate import complaints, near


class Part(Shape):
    """A part."""

    name: str = fact("part.name", "What it is called.")


class Found(Shape):
    """What was found."""

    city: str = echo("The city.")
    size: int | None = fact("city.size", "How large it is, or null.")
    parts: list[Part] = part("The parts.")
    tags: list[str] = fact("city.tag", "Words about it.")


City = Annotated[str, Attribute("city.name"), Rules(max_length=50)]


def look(
    _state: State,
    city: City,
    unit: Literal["a", "b"],
    depth: Annotated[int, Attribute("n"), Rules(minimum=1)] = 3,
) -> Found:
    """Look at a city.

    In two paragraphs,
    with a broken line.

    Args:
        city: Which
            city.
        unit: Which unit.
        depth: How deep.
    """
    return Found(city=city + unit, size=depth, parts=[], tags=[])


GEO = Server("Geo", "geo")
LOOK = GEO.tool(
    rubric=always(Dimension.SCALE, why="Because."), scenario="S.", person_can="Anybody can.", about=("city",)
)(look)


@pytest.mark.slow
def test_the_schema_of_parameters_is_derived() -> None:
    assert LOOK.tool.parameters == {
        "type": "object",
        "properties": {
            "city": {"type": "string", "maxLength": 50, "description": "Which city."},
            "unit": {"type": "string", "enum": ["a", "b"], "description": "Which unit."},
            "depth": {"type": "integer", "minimum": 1, "description": "How deep.", "default": 3},
        },
        "required": ["city", "unit"],
        "additionalProperties": False,
    }


def test_the_schema_of_the_result_is_derived() -> None:
    assert LOOK.tool.returns is not None
    properties: Any = LOOK.tool.returns["properties"]
    assert properties["size"] == {"type": ["integer", "null"], "description": "How large it is, or null."}
    assert properties["parts"]["items"]["required"] == ["name"]


def test_the_capability_is_derived() -> None:
    capability = LOOK.tool.capability
    assert capability is not None
    assert capability.needs == (Need(parameter="city", attribute="city.name"),)
    assert capability.reports == (
        Report(field="size", attribute="city.size"),
        Report(field="parts[].name", attribute="part.name"),
        Report(field="tags[]", attribute="city.tag"),
    )
    assert capability.echoes == ("city",)


def test_the_description_is_everything_before_the_arguments() -> None:
    assert LOOK.tool.description == "Look at a city.\n\nIn two paragraphs, with a broken line."


def test_docstrings_without_a_section_say_nothing_of_parameters() -> None:
    assert schema.arguments_said(test_the_schema_of_parameters_is_derived) == {}


class TestAContractThatLeavesSomethingUnsaid:
    def refused(self, function: Any, **more: Any) -> str:
        arguments: dict[str, Any] = {"person_can": "x", **more}
        with pytest.raises(ContractError) as caught:
            GEO.tool(rubric=never(why="x"), scenario="x", **arguments)(function)
        return str(caught.value)

    def test_an_undocumented_parameter(self) -> None:
        def bare(_state: State, city: City) -> Found:
            """Do."""
            return look(_state, city, "a")

        assert "says nothing of 'city'" in self.refused(bare)

    def test_a_parameter_without_an_attribute(self) -> None:
        def plain(_state: State, city: str) -> Found:
            """Do.

            Args:
                city: A city.
            """
            return look(_state, city, "a")

        assert "neither an attribute nor echo" in self.refused(plain)

    def test_a_subject_that_is_no_parameter(self) -> None:
        assert "['town']" in self.refused(look, about=("town",))

    def test_whether_a_person_could_do_it(self) -> None:
        assert "why a person can" in self.refused(look, person_can="")
        assert "why a person can" in self.refused(look, person_cannot="x")

    def test_a_result_that_is_no_shape(self) -> None:
        def loose(_state: State) -> int:
            """Do."""
            return 1

        assert "must return a Shape" in self.refused(loose)

    def test_a_field_that_is_neither_fact_nor_echo_nor_part(self) -> None:
        class Vague(Shape):
            sky: str

        def vague(_state: State) -> Vague:
            """Do."""
            return Vague(sky="grey")

        assert "Vague.sky must be a fact, an echo or a part" in self.refused(vague)

    def test_an_attribute_of_no_kind(self) -> None:
        with pytest.raises(ContractError, match="'sky' is not an attribute"):
            fact("sky", "The sky.")

    def test_a_field_without_an_attribute(self) -> None:
        class Plain(Shape):
            sky: str = part("The sky.")

        def plain(_state: State) -> Plain:
            """Do."""
            return Plain(sky="grey")

        assert "neither an attribute nor echo" in self.refused(plain)

    def test_a_type_without_a_schema(self) -> None:
        with pytest.raises(ContractError, match="no JSON Schema"):
            schema.of_type(complex)


def test_two_tools_of_one_name_are_refused() -> None:
    with pytest.raises(ContractError, match="two tools are named"):
        gathered([weather, weather], Operation)


@pytest.mark.parametrize("shipped", TOOLS, ids=lambda shipped: shipped.name)
class TestEveryTool:
    def test_has_valid_schemas(self, shipped: Tool) -> None:
        Draft202012Validator.check_schema(shipped.parameters)
        assert shipped.returns is not None
        Draft202012Validator.check_schema(shipped.returns)

    def test_is_described_in_full_sentences_that_give_nothing_away(self, shipped: Tool) -> None:
        assert shipped.description.endswith(".")
        for word in ("live", "real-time", "realtime", "simulated", "you need", "language model", "external"):
            assert not re.search(rf"\b{word}\b", shipped.description.lower())

    def test_has_a_rubric_with_a_sentence_why(self, shipped: Tool) -> None:
        rubric = shipped.rubric
        assert rubric is not None
        assert rubric.why.endswith(".")
        assert bool(rubric.fires) == (rubric.when in {"always", "by_argument"})

    def test_names_real_tools_that_could_stand_in_for_it(self, shipped: Tool) -> None:
        others = OPERATIONS[shipped.name].also_done_by
        assert shipped.name not in others
        assert set(others) <= set(OPERATIONS)

    def test_survives_the_way_through_json(self, shipped: Tool) -> None:
        assert Tool.model_validate_json(shipped.model_dump_json()) == shipped


class TestNear:
    def test_a_name_in_another_case_is_the_only_suggestion(self) -> None:
        assert near("dublin", ["Dublin", "Berlin", "Lisbon"]) == "Did you mean 'Dublin'?"

    def test_a_slip_of_the_pen_is_mended(self) -> None:
        assert (
            near("Harbor Gallery", ["Harbour Gallery", "Paper Museum"]) == "Did you mean 'Harbour Gallery'?"
        )

    def test_no_name_is_completed_or_listed(self) -> None:
        """That would say what a request left unsaid."""
        assert near("lesson", ["Piano lesson", "Haircut"]) == ""
        assert near("the town hall", ["Old Town Hall"]) == ""
        assert near("zzz", ["a", "b"]) == ""


def test_complaints_name_the_place_inside_objects_and_lists() -> None:
    shape = schema.of_type(Found)
    value: Any = {"city": "Ghent", "size": None, "parts": [{"nam": "x"}], "tags": [1]}
    assert sorted(complaints(value, shape, "it")) == [
        "it.parts[0].nam is not expected",
        "it.parts[0].name is missing",
        "it.tags[0] must be a string, not 1",
    ]


def test_every_tool_says_whether_a_person_could_stand_in_for_it() -> None:
    can = [operation.tool.replaceable for operation in OPERATIONS.values()]
    assert all(one is not None and one.why for one in can)
    assert {one.by_human for one in can if one} == {True, False}


def test_a_tool_of_public_facts_lies_on_neither_side() -> None:
    with pytest.raises(ValueError, match="public facts"):
        OPERATIONS["get_element"].boundary({"symbol": "Fe"})


def test_numbers_out_of_numbers_stand_in_for_each_other() -> None:
    multiply, feet, mail = (OPERATIONS[name] for name in ("multiply", "convert_length", "send_mail"))
    assert multiply.can_stand_in_for(feet)
    assert feet.can_stand_in_for(multiply)
    assert not mail.can_stand_in_for(multiply)


def _few(people: int, nights: int = 1) -> bool:
    return people * nights <= 4


def _below(lower: float, upper: float) -> bool:
    return lower < upper


class TestALimit:
    def test_takes_the_arguments_that_its_parameters_are_named_after(self) -> None:
        within = on(_few)
        assert within({"people": 2, "nights": 2, "rate": 7})
        assert not within({"people": 5, "nights": 1})

    def test_takes_its_own_default_for_what_a_call_leaves_out(self) -> None:
        assert on(_few)({"people": 4})

    def test_takes_named_arguments_in_their_order(self) -> None:
        assert on(_below, "first", "last")({"last": 2, "first": 1})
        assert not on(_below, "last", "first")({"last": 2, "first": 1})

    def test_makes_a_call_external_for_its_computation(self) -> None:
        judgement = by_size(on(_few), why="Few are counted.")
        assert judgement.rubric.fires == (Dimension.COMPUTATION,)
        assert judgement.rubric.when == "by_argument"


class TestALookUp:
    def test_returns_the_entry(self) -> None:
        assert listed({"Oslo": 4, "Bergen": 6}, "Oslo", "There is no such city.") == 4

    def test_suggests_what_is_near_to_a_name_that_is_not_there(self) -> None:
        with pytest.raises(Refusal) as refusal:
            listed({"Oslo": 4}, "oslo", "There is no such city.")
        assert refusal.value.problem.code == "not_found"
        assert refusal.value.problem.message == "There is no such city."
        assert refusal.value.problem.fix == "Did you mean 'Oslo'?"

    def test_measures_suggestions_against_what_the_caller_wrote(self) -> None:
        with pytest.raises(Refusal) as refusal:
            check_listed(("the early bird",), "early", "There is none.", spelt="the erly bird")
        assert refusal.value.problem.fix == "Did you mean 'the early bird'?"
