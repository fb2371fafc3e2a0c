"""Taking away a part of a parameter, and saying nothing of what was taken away."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knowact.core.condition import Condition, Mask
from knowact.core.proof import values_at
from knowact.core.tool import Capability, Report, Tool
from knowact.core.world import Call, Observation, Problem
from knowact.worlds.overlay import Overlay, masked, offered_under
from knowact.worlds.paths import replaced, supplied, without_field

TOOL = Tool(
    name="plan",
    parameters={
        "type": "object",
        "required": ["title", "steps", "a.b"],
        "properties": {
            "title": {"type": "string"},
            "a.b": {"type": "string"},
            "steps": {
                "type": "array",
                "items": {
                    "type": "object",
                    "required": ["what", "notes"],
                    "properties": {"what": {"type": "string"}, "notes": {"type": "string"}},
                },
            },
            "where": {"type": "object", "properties": {"city": {"type": "string"}}},
        },
    },
)


@dataclass
class Answering:
    """A session with one tool and one answer."""

    answer: Observation
    calls: list[Call] = field(default_factory=list[Call])

    def tools(self) -> Sequence[Tool]:
        return (TOOL,)

    def call(self, call: Call) -> Observation:
        self.calls.append(call)
        return self.answer

    def context(self) -> Mapping[str, str]:
        return {}

    def snapshot(self) -> Mapping[str, Any]:
        return {}

    def digest(self) -> str:
        return ""


def without(*names: str, answer: Observation | None = None) -> tuple[Overlay, Answering]:
    condition = Condition(
        name="c", changes=tuple(Mask(tool="plan", part="parameter", name=name) for name in names)
    )
    inner = Answering(answer or Observation("done"))
    return Overlay(inner, condition, offered_under(["plan"], {"plan": TOOL}, condition)), inner


class TestNestedParameters:
    def test_a_part_inside_a_list_is_gone_from_the_schema(self) -> None:
        left = masked(TOOL, frozenset({"steps[].notes"}), frozenset())
        items = left.properties["steps"]["items"]
        assert (list(items["properties"]), items["required"]) == (["what"], ["what"])
        assert left.required == TOOL.required

    def test_a_part_inside_an_object_is_gone_from_the_schema(self) -> None:
        assert masked(TOOL, frozenset({"where.city"}), frozenset()).properties["where"]["properties"] == {}

    def test_a_name_with_dots_is_a_name(self) -> None:
        left = masked(TOOL, frozenset({"a.b"}), frozenset())
        assert left.required == ("title", "steps")
        overlay, _ = without("a.b")
        assert not overlay.call(Call("plan", {"a.b": "x"})).ok

    @pytest.mark.parametrize(
        ("arguments", "passes"),
        [
            ({"steps": [{"what": "x"}]}, True),
            ({"steps": [{"what": "x"}, {"what": "y", "notes": "n"}]}, False),
            ({"steps": []}, True),
            ({"steps": "notes"}, True),
            ({"steps": None}, True),
            ({}, True),
        ],
    )
    def test_calls_that_supply_it_are_refused(self, arguments: dict[str, Any], *, passes: bool) -> None:
        overlay, inner = without("steps[].notes")
        assert overlay.call(Call("plan", arguments)).ok == passes
        assert len(inner.calls) == passes


class TestDiscretion:
    def test_a_problem_that_names_what_is_gone_is_told_without_it(self) -> None:
        problem = Problem("bad_arguments", "'title' is missing", "It takes: title, steps.")
        seen = without("title", answer=Observation(problem=problem))[0].call(Call("plan", {}))
        assert seen.problem is not None
        assert seen.problem.code == "bad_arguments"
        assert "title" not in seen.text()

    def test_other_problems_are_told_as_they_are(self) -> None:
        problem = Problem("not_found", "There is no such city.", "Look it up first.")
        seen = without("title", answer=Observation(problem=problem))[0].call(Call("plan", {}))
        assert seen.problem == problem


RESULTS = st.fixed_dictionaries(
    {"a": st.integers(), "b": st.lists(st.fixed_dictionaries({}, optional={"c": st.integers()}))}
)
PATHS = st.sampled_from(["a", "b", "b[].c", "b[].d", "x", "a.x"])


class TestPaths:
    @settings(deadline=None)
    @given(RESULTS, PATHS)
    def test_what_was_taken_out_is_not_supplied(self, result: dict[str, Any], path: str) -> None:
        assert not supplied(without_field(result, path), path)

    @settings(deadline=None)
    @given(RESULTS, PATHS)
    def test_what_was_replaced_is_replaced_everywhere_and_nothing_else(
        self, result: dict[str, Any], path: str
    ) -> None:
        changed = replaced(result, path, "unknown")
        assert set(values_at(changed, path)) <= {"unknown"}
        assert bool(values_at(changed, path)) == supplied(result, path)
        assert without_field(changed, path) == without_field(result, path)
        assert (changed == result) == (not supplied(result, path))


def test_what_lies_inside_a_removed_field_is_declared_no_longer() -> None:
    capability = Capability(
        reports=(
            Report(field="a.b", attribute="x.b"),
            Report(field="a[].c", attribute="x.c"),
            Report(field="ab", attribute="x.ab"),
        ),
        echoes=("a.d", "d"),
    )
    left = masked(TOOL.model_copy(update={"capability": capability}), frozenset(), frozenset({"a"}))
    assert left.capability is not None
    assert [report.field for report in left.capability.reports] == ["ab"]
    assert left.capability.echoes == ("d",)
