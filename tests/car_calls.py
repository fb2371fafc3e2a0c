"""Random calls of the car's tools, from their schemas and from the values in their worked examples."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, cast

from hypothesis import strategies as st

from knowact.core.tool import Tool
from knowact.core.world import Call
from knowact.worlds.car.catalogue import OPERATIONS
from knowact.worlds.check import examples_of

JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
"""Anything that a model may send."""


@cache
def _worked() -> Mapping[tuple[str, str], list[Any]]:
    found: dict[tuple[str, str], list[Any]] = defaultdict(list)
    for example in examples_of("knowact.worlds.car"):
        if example.problem != "bad_arguments":
            for name, value in example.arguments.items():
                found[example.tool, name].append(value)
    return found


def values(shape: Mapping[str, Any]) -> st.SearchStrategy[Any]:
    """Values that a schema allows."""
    kind = shape.get("type")
    if isinstance(kind, list):
        return st.none() | values({**shape, "type": cast("Sequence[str]", kind)[0]})
    if "enum" in shape:
        return st.sampled_from(cast("Sequence[Any]", shape["enum"]))
    if kind == "boolean":
        return st.booleans()
    if kind in ("integer", "number"):
        step = shape.get("multipleOf", 1)
        low, high = shape.get("minimum", -50), shape.get("maximum", 200)
        return st.integers(int(low / step), int(high / step)).map(lambda steps: steps * step)
    if kind == "array":
        return st.lists(values(shape["items"]), max_size=3)
    if kind == "object":
        return _objects(shape)
    return st.text(max_size=20)


def _objects(shape: Mapping[str, Any]) -> st.SearchStrategy[Any]:
    members = {name: values(inner) for name, inner in shape.get("properties", {}).items()}
    required = set(shape.get("required", ()))
    return st.fixed_dictionaries(
        {name: inner for name, inner in members.items() if name in required},
        optional={name: inner for name, inner in members.items() if name not in required},
    )


def arguments(tool: Tool) -> st.SearchStrategy[dict[str, Any]]:
    """Arguments that a tool's schema allows, half of them out of its worked examples."""

    def one(name: str, shape: Mapping[str, Any]) -> st.SearchStrategy[Any]:
        worked = _worked().get((tool.name, name))
        return st.sampled_from(worked) | values(shape) if worked else values(shape)

    members = {name: one(name, shape) for name, shape in tool.properties.items()}
    return st.fixed_dictionaries(
        {name: inner for name, inner in members.items() if name in tool.required},
        optional={name: inner for name, inner in members.items() if name not in tool.required},
    )


def calls() -> st.SearchStrategy[Call]:
    """Calls that the schemas allow."""
    tools = [operation.tool for operation in OPERATIONS.values()]
    return st.sampled_from(tools).flatmap(lambda tool: st.builds(Call, st.just(tool.name), arguments(tool)))


def hostile_calls() -> st.SearchStrategy[Call]:
    """Calls with anything at all for arguments."""
    tools = [operation.tool for operation in OPERATIONS.values()]

    def odd(tool: Tool) -> st.SearchStrategy[Call]:
        names = st.sampled_from(list(tool.properties)) if tool.properties else st.text(max_size=8)
        members = st.dictionaries(names | st.text(max_size=8), JSON, max_size=4)
        mixed = st.tuples(arguments(tool), members).map(lambda both: {**both[0], **both[1]})
        given: st.SearchStrategy[dict[str, Any] | None] = members | mixed | st.none()
        return st.builds(Call, st.just(tool.name), given)

    return st.sampled_from(tools).flatmap(odd)
