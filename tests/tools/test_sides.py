"""Which calls of own tools are external, where their arguments decide: conditions, and what makes them."""

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from knowact.core.task import Boundary
from knowact.core.tool import Dimension
from knowact.tools.annotation import Annotation, annotated
from knowact.tools.folder import OwnTool
from knowact.tools.material import side_of
from knowact.tools.sides import Side, Sides, decided, options
from knowact.worlds.check import examples_of
from knowact.worlds.everyday.catalogue import OPERATIONS, TOOLS
from knowact.worlds.everyday.material import material
from tools.annotators import EVERYDAY, folder_of, own_tool

ROOT = Path(__file__).parents[2]
EXTERNAL, INTERNAL, NEITHER = Side(Boundary.EXTERNAL), Side(Boundary.INTERNAL), Side(None)
BY_SIZE = Side(Boundary.EXTERNAL, by_size=True)
SORT = {
    "external_if": {
        "privacy": {"source": {"const": "note"}},
        "computation": [{"text": {"minLength": 100}}, {"text": {"pattern": "(.*\n){9}"}}],
    },
    "internal_if": {"source": {"const": "text"}, "text": {"maxLength": 50}},
}


def tool_with(required: tuple[str, ...] = (), **parameters: dict[str, Any]) -> OwnTool:
    shape: dict[str, Any] = {"type": "object", "properties": parameters, "required": list(required)}
    return OwnTool(name="tool", parameters=shape, sha256="x")


def sides(own: OwnTool, said: dict[str, Any]) -> Sides:
    one = Annotation.model_validate(said)
    assert one.external_if is not None
    return Sides(own, one.external_if, one.internal_if)


class TestCalls:
    @pytest.mark.parametrize(
        ("arguments", "side"),
        [
            ({"text": "Packing list", "source": "note"}, EXTERNAL),
            ({"text": "pear\nfig"}, INTERNAL),  # by its default, it is pasted
            ({"text": "x" * 100}, BY_SIZE),
            ({"text": "a\n" * 9}, NEITHER),  # long by one limit, short by another
            ({"text": "x" * 60}, NEITHER),
            ({"text": "x" * 100, "source": "note"}, EXTERNAL),  # not for its size alone
            ({"text": "Packing list", "source": "elsewhere"}, NEITHER),
        ],
    )
    def test_lie_on_the_side_whose_conditions_hold(self, arguments: dict[str, Any], side: Side) -> None:
        assert sides(own_tool(EVERYDAY["sort_lines"]), SORT).of(arguments) == side

    def test_are_internal_if_nothing_makes_them_external_and_nobody_limits_that(self) -> None:
        one = sides(own_tool(EVERYDAY["sort_lines"]), {"external_if": SORT["external_if"]})
        assert one.of({"text": "x" * 60}) == INTERNAL
        assert one.of({"text": "x" * 100}) == BY_SIZE

    @pytest.mark.parametrize("null", [{}, {"region": None}])
    def test_that_leave_something_out_are_told_from_those_that_give_it(self, null: dict[str, Any]) -> None:
        own = tool_with(region={"anyOf": [{"type": "string"}, {"type": "null"}], "default": None})
        given = sides(own, {"external_if": {"temporality": {"region": True}}})
        missing = sides(own, {"external_if": {"temporality": {"region": False}}})
        assert (given.of(null), missing.of(null)) == (INTERNAL, EXTERNAL)
        assert (given.of({"region": "EU"}), missing.of({"region": "EU"})) == (EXTERNAL, INTERNAL)

    def test_have_no_side_where_the_parameter_is_not_there_to_be_looked_at(self) -> None:
        own = tool_with(size={"type": "number"})
        limits = {"external_if": {"scale": {"size": {"minimum": 9}}}, "internal_if": {"size": {"maximum": 5}}}
        assert sides(own, limits).of({}) == NEITHER

    @pytest.mark.parametrize(
        ("value", "side"),
        [(0.3, INTERNAL), (4.35, BY_SIZE), (1e30, INTERNAL), (True, BY_SIZE), (7, INTERNAL)],
    )
    def test_count_decimals_as_they_are_written(self, value: float, side: Side) -> None:
        own = tool_with(amount={"type": "number"})
        tenths = {"amount": {"type": "number", "multipleOf": 0.1}}
        external = {"amount": {"not": tenths["amount"]}}
        assert (
            sides(own, {"external_if": {"computation": external}, "internal_if": tenths}).of(
                {"amount": value}
            )
            == side
        )


class TestConditionsThatCanHoldForNoCall:
    @pytest.mark.parametrize(
        ("external", "why"),
        [
            ({"sourse": {"const": "note"}}, "it has no parameter 'sourse'"),
            ({"source": {"const": "notes"}}, "no value that 'source' can have is as they say"),
        ],
    )
    def test_close_the_proof_and_say_why(self, tmp_path: Path, external: dict[str, Any], why: str) -> None:
        folder = folder_of(tmp_path, [own_tool(EVERYDAY["sort_lines"])])
        said = Annotation.model_validate({"external_if": {"privacy": external}})
        annotating().write(folder, {"sort_lines": said})
        (one,) = annotated(folder)
        assert why in one.closed["label"]

    @pytest.mark.parametrize(
        ("said", "why"),
        [
            ({"when": "by_argument", "fires": ["privacy"]}, "which of its calls are external"),
            (
                {"fires": ["privacy", "scale"], "external_if": {"privacy": {"source": {"const": "note"}}}},
                "scale",
            ),
            (SORT, ""),
        ],
    )
    def test_and_so_do_those_that_are_missing(self, tmp_path: Path, said: dict[str, Any], why: str) -> None:
        folder = folder_of(tmp_path, [own_tool(EVERYDAY["sort_lines"])])
        annotating().write(folder, {"sort_lines": Annotation.model_validate(said)})
        (one,) = annotated(folder)
        assert why in one.closed.get("label", "")
        assert ("label" in one.closed) == bool(why)
        assert one.tool.rubric is not None
        assert one.tool.rubric.when == "by_argument"


MANY = [f"currency {number}" for number in range(40)]
TOOL = tool_with(
    ("text", "mode"),
    text={"type": "string"},
    mode={"enum": ["quick", "deep"]},
    live={"type": "boolean", "default": False},
    region={"anyOf": [{"enum": ["EU", "US"]}, {"type": "null"}], "default": None},
    note={"type": "string"},
    currency={"enum": MANY},
    digits={"type": "integer", "default": 2},
)
OPTIONS: dict[str, tuple[str, ...]] = {
    "mode": ("quick", "deep"),
    "live": ("false", "true"),
    "region": ("EU", "US", "(left out)"),
    "note": ("(given)", "(left out)"),
}
Says = dict[str, dict[str, str]]


def say(**other: dict[str, str]) -> Says:
    every = {name: dict.fromkeys(labels, "internal") for name, labels in OPTIONS.items()}
    return {name: labels | other.get(name, {}) for name, labels in every.items()}


class TestOptions:
    def test_are_listed_values_and_what_may_be_left_out(self) -> None:
        assert {name: tuple(found) for name, found in options(TOOL).items()} == OPTIONS

    @pytest.mark.parametrize(
        ("arguments", "side"),
        [
            ({"live": True}, EXTERNAL),
            ({"live": False}, INTERNAL),
            ({}, INTERNAL),
            ({"live": True, "region": "EU"}, EXTERNAL),
            ({"region": "EU"}, NEITHER),  # of this one, nobody is sure
            ({"region": "US"}, INTERNAL),
            ({"note": "mine"}, EXTERNAL),
            ({"text": "x" * 1_000}, NEITHER),
        ],
    )
    def test_come_to_conditions(self, arguments: dict[str, Any], side: Side) -> None:
        says = say(live={"true": "temporality"}, note={"(given)": "privacy"}, region={"EU": ""})
        found = decided(TOOL, says, [Dimension.PRIVACY, Dimension.COMPUTATION])
        assert found is not None
        of = Sides(TOOL, found.external_if, found.internal_if).of
        assert of({"text": "short", "mode": "quick", **arguments}) == side

    def test_limit_no_sizes_where_size_does_not_matter(self) -> None:
        found = decided(TOOL, say(live={"true": "temporality"}), [Dimension.TEMPORALITY])
        assert found is not None
        assert found.internal_if == [{"live": {"enum": [False]}}]

    @pytest.mark.parametrize(
        "says",
        [
            say(),  # external by size alone, if at all: that is for people
            say(live={"true": ""}),
            say(live={"true": "temporality", "false": "temporality"}),
            say(live={"true": "temporality"}, mode={"quick": "", "deep": ""}),
            {},
        ],
    )
    def test_come_to_nothing_where_one_side_is_empty(self, says: Says) -> None:
        assert decided(TOOL, says, [Dimension.TEMPORALITY]) is None


def annotating() -> ModuleType:
    """`benchmarks/annotating.py`, which measures the same over MCP."""
    spec = spec_from_file_location("annotating", ROOT / "benchmarks" / "annotating.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def by_hand(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The everyday world as somebody else's, annotated by hand."""
    folder = folder_of(tmp_path_factory.mktemp("everyday"), map(own_tool, TOOLS))
    annotating().write(folder, annotating().by_hand())
    return folder


class TestTheEverydayWorldByHand:
    def test_labels_the_steps_of_our_data_as_the_data_do(self, by_hand: Any) -> None:
        """The figures of docs/annotating.md."""
        found = annotating().labels(by_hand)
        assert (found.right, found.given, found.steps) == (2_104, 2_104, 2_108)

    def test_agrees_with_its_own_declarations_on_worked_examples(self, by_hand: Any) -> None:
        """These have calls on both sides of each limit, which data keep away from."""
        world = material()
        of = {one.own.name: side_of(one.own, one.said) for one in annotated(by_hand)}
        kinds: dict[tuple[str, bool], int] = {}
        for example in examples_of("knowact.worlds.everyday"):
            if OPERATIONS[example.tool].within is None or example.problem:
                continue
            found = of[example.tool](example.arguments)
            side = world.boundary(example.tool, example.arguments)
            assert found.boundary in {side, None}, example
            if found.boundary is not None:
                assert found.by_size == world.by_size(example.tool, example.arguments), example
                kind = (found.boundary.value, found.by_size)
                kinds[kind] = kinds.get(kind, 0) + 1
        assert kinds == {("internal", False): 125, ("external", True): 53, ("external", False): 8}
