"""What tool functions may have for types beyond the plain ones: steps, maps, fields that may be left out."""

from dataclasses import dataclass
from types import SimpleNamespace
from typing import Annotated, Any, Literal, NotRequired, TypedDict

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from knowact.core.tool import Need
from knowact.worlds.typed import schema
from knowact.worlds.typed.schema import Attribute, ContractError, Rules, Shape, echo, fact, part
from knowact.worlds.typed.tools import capability_of
from knowact.worlds.typed.validate import argument_complaints, complaints


class Wish(Shape):
    """A wish."""

    what: str = echo("What is wished for.")
    why: str | None = echo("Why.", default=None)


class Urgent(Wish):
    """A wish that can't wait."""

    why: Literal["hunger", "thirst"] = fact("wish.why", "Why it can't.")  # pyright: ignore[reportIncompatibleVariableOverride]
    until: str = fact("day.date", "When it is too late.")


class Errand(TypedDict):
    """What a call brings along."""

    what: Annotated[str, "What is to be done."]
    where: NotRequired[Annotated[str, "Where."]]


class Told(Shape):
    """What was told."""

    ages: dict[str, int] = fact("person.age", "By name, how old somebody is.")
    note: str | None = echo("A remark.", default=None)


def tell(
    _state: object,
    level: Annotated[float, Rules(minimum=0, maximum=3, multiple_of=0.5), Attribute("wish.level")],
    on: bool,  # noqa: FBT001 - the type is the point
    loud: Annotated[bool, Attribute("wish.loud")],
    wishes: Annotated[list[Errand], Attribute("wish.all")],
) -> Told:
    """Tell something.

    Args:
        level: How much.
        on: Whether at all.
        loud: How.
        wishes: What for.
    """
    return Told(ages={"Ann": int(level + on + loud + len(wishes))})


PARAMETERS: Any = schema.parameters_of(tell)
_DERIVED: Any = schema.returns_of(tell)
RETURNS, LEAVES = _DERIVED


class TestSchema:
    def test_steps_maps_and_optional_fields_are_derived(self) -> None:
        assert PARAMETERS["properties"]["level"]["multipleOf"] == 0.5
        assert PARAMETERS["properties"]["wishes"]["items"]["required"] == ["what"]
        assert RETURNS["properties"]["ages"]["additionalProperties"] == {"type": "integer"}
        assert RETURNS["required"] == ["ages"]

    def test_a_shape_has_the_fields_of_the_one_above_it_first(self) -> None:
        assert schema.of_type(Urgent) == {
            "type": "object",
            "properties": {
                "what": {"type": "string", "description": "What is wished for."},
                "why": {"type": "string", "enum": ["hunger", "thirst"], "description": "Why it can't."},
                "until": {"type": "string", "description": "When it is too late."},
            },
            "required": ["what", "why", "until"],
            "additionalProperties": False,
        }

    def test_a_shape_is_read_in_the_order_of_its_fields_without_those_that_are_none(self) -> None:
        assert Told(ages={"Ann": 3}).json() == {"ages": {"Ann": 3}}
        assert list(Told(note="hm", ages={}).json()) == ["ages", "note"]

    def test_a_shape_takes_its_fields_from_a_row_of_the_same_names(self) -> None:
        @dataclass
        class Row:
            what: str
            more: str

        class Basket(Shape):
            first: Wish = part("The first.")
            others: list[Wish] = part("The others.")
            by_name: dict[str, Wish] = part("By name.")

        pear, plum = Row("a pear", "green"), Row("a plum", "blue")
        rows = SimpleNamespace(first=pear, others=(plum, pear), by_name={"plum": plum})
        assert Basket.of(rows, first=Wish(what="a fig", why="hunger")).json() == {
            "first": {"what": "a fig", "why": "hunger"},
            "others": [{"what": "a plum"}, {"what": "a pear"}],
            "by_name": {"plum": {"what": "a plum"}},
        }

    def test_a_key_that_does_not_say_what_it_is_is_refused(self) -> None:
        class Bare(TypedDict):
            what: str

        with pytest.raises(ContractError, match="what: its annotation does not say what it is"):
            schema.of_type(Bare)

    def test_a_map_is_one_leaf(self) -> None:
        assert [leaf.path for leaf in LEAVES] == ["ages", "note"]

    @settings(deadline=None)
    @given(st.floats(0, 3) | st.integers(-2, 12).map(lambda halves: halves / 2))
    def test_steps_are_judged_as_the_validator_judges_them(self, level: float) -> None:
        shape = PARAMETERS["properties"]["level"]
        validator: Any = Draft202012Validator(shape)
        assert (not list(complaints(level, shape, "level"))) == validator.is_valid(level)

    @pytest.mark.parametrize(("ages", "right"), [({}, True), ({"Ann": 3}, True), ({"Ann": "three"}, False)])
    def test_every_value_of_a_map_is_looked_at(self, ages: dict[str, Any], *, right: bool) -> None:
        assert (not list(complaints({"ages": ages}, RETURNS, "told"))) == right

    def test_an_enormous_number_is_no_step(self) -> None:
        wrong: dict[str, Any] = {"level": 10**400, "on": True, "loud": True, "wishes": []}
        assert any("at most" in clause for clause in argument_complaints(wrong, PARAMETERS))

    def test_of_no_parameters_none_is_near(self) -> None:
        empty: dict[str, Any] = {"properties": {}, "required": []}
        assert argument_complaints({"verbose": True}, empty) == ["'verbose' is not a parameter"]


class TestCapability:
    def test_a_plain_true_or_false_need_not_be_told_unless_it_has_an_attribute(self) -> None:
        capability = capability_of(tell, PARAMETERS, LEAVES, about=None, changes=())
        assert capability.needs == (
            Need(parameter="level", attribute="wish.level"),
            Need(parameter="loud", attribute="wish.loud"),
            Need(parameter="wishes", attribute="wish.all"),
        )
        assert capability.about == ("level", "loud", "wishes")
        assert capability.echoes == ("note",)

    def test_a_subject_that_is_no_parameter_is_an_error(self) -> None:
        with pytest.raises(ContractError, match="about"):
            capability_of(tell, PARAMETERS, LEAVES, about=("city",), changes=())


class Measured(Shape):
    """What was measured."""

    person: str = echo("Who.")
    weight_kg: int = fact("person.weight", "Their weight.", row="weight")
    note: str | None = fact("person.note", "A remark.", row="remark", default=None)


class TestAShapeOfARow:
    def test_takes_a_field_from_the_name_that_the_row_has_for_it(self) -> None:
        row = SimpleNamespace(weight=71, remark="fine")
        assert Measured.of(row, person="Ann").json() == {"person": "Ann", "weight_kg": 71, "note": "fine"}

    def test_may_lack_what_can_be_left_out(self) -> None:
        assert Measured.of(SimpleNamespace(weight=71), person="Ann").json() == {
            "person": "Ann",
            "weight_kg": 71,
        }
