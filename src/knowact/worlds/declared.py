"""Whether a tool does what it declares: its fields, its shape, and whether the state changes.

What a call changed, its result may say itself: `changed: false` where everything was like that already.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

from knowact.core.tool import Capability, Tool
from knowact.core.world import Observation


def undeclared(tool: Tool) -> list[str]:
    """Return what is wrong between the fields that a tool declares and those that its schema has."""
    if tool.capability is None:
        return ["nobody has said what it can do"]
    if tool.returns is None:
        return []
    there = set(_leaf_paths(tool.returns, ""))
    reported = {report.field for report in tool.capability.reports}
    declared = reported | set(tool.capability.echoes)
    return [
        *(
            f"it declares the field {path!r}, which its result does not have"
            for path in sorted(declared - there)
        ),
        *(f"its field {path!r} is neither reported nor an echo" for path in sorted(there - declared)),
    ]


def _leaf_paths(shape: Mapping[str, Any], path: str) -> Iterator[str]:
    """Yield the dotted paths of a schema's leaves, spelt as `core.tool.Report.field` spells them."""
    items = shape.get("items")
    if isinstance(items, dict):
        yield from _leaf_paths(cast("dict[str, Any]", items), f"{path}[]")
        return
    properties = shape.get("properties")
    if not isinstance(properties, dict):
        yield path
        return
    for name, inner in cast("dict[str, Any]", properties).items():
        yield from _leaf_paths(inner, f"{path}.{name}" if path else name)


def effects(
    capability: Capability, arguments: Mapping[str, Any], seen: Observation, *, changed: bool
) -> Iterator[str]:
    """Yield what is wrong with what a call did to the state."""
    if not seen.ok and changed:
        yield f"a call that failed has changed the state: {arguments!r}"
    elif seen.ok and changed and not capability.changes:
        yield f"it declares no change, but the state changed after {arguments!r}"
    elif seen.ok and not changed and capability.changes and not _says_unchanged(seen.value):
        yield f"it declares a change, but the state is the same after {arguments!r}"
    elif seen.ok and changed and _says_unchanged(seen.value):
        yield f"it says that nothing changed, but the state did after {arguments!r}"


def _says_unchanged(value: Any) -> bool:
    """Whether a result says itself that everything was like that already."""
    return isinstance(value, dict) and cast("dict[str, Any]", value).get("changed") is False


def shape_problems(tool: Tool, arguments: Mapping[str, Any], value: Any) -> Iterator[str]:
    """Yield what is wrong with the shape of a call's result."""
    from jsonschema import Draft202012Validator

    if tool.returns is not None:
        # The validator's own annotations are incomplete.
        validator: Any = Draft202012Validator(tool.returns)
        for error in validator.iter_errors(value):
            yield f"the result for {arguments!r} does not fit its schema: {error.message}"
    for report in tool.capability.reports if tool.capability else ():
        # An empty list has no elements, and null says "there is none": both are answers.
        if _certain(tool.returns, report.field) and not _present(value, report.field):
            yield f"the field {report.field!r} did not come out for {arguments!r}"


def _certain(shape: Mapping[str, Any] | None, path: str) -> bool:
    """Whether a field must come out of every call: it lies in no list, and nothing on its way is optional."""
    for part in path.split("."):
        if part.endswith("[]"):
            return False
        if shape is None or "properties" not in shape:
            # Nobody has said; then what is reported has to be there.
            return "[]" not in path
        if part not in cast("Sequence[str]", shape.get("required", ())):
            return False
        shape = cast("Mapping[str, Any]", shape["properties"][part])
    return True


def _present(value: Any, path: str) -> bool:
    for part in path.split("."):
        if not isinstance(value, dict) or part not in value:
            return False
        value = cast("dict[str, Any]", value)[part]
    return True
