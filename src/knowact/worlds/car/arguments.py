"""What the published world makes of arguments that a schema does not allow (spec, sections 2.1 and 2.3).

There nothing is checked against the schema. Some values slip through, some are found by the tool itself,
and the rest raises somewhere; only what the tool finds counts as an execution error.
"""

from collections.abc import Mapping
from typing import Any, Final

from knowact.worlds.car.contract import Fault, Operation
from knowact.worlds.typed.validate import complaints

_TRUE: Final = frozenset({"1", "on", "t", "true", "y", "yes"})
_FALSE: Final = frozenset({"0", "off", "f", "false", "n", "no"})
"""Words that the state model of the published world reads as true or false."""


def let_through(arguments: Mapping[str, Any], operation: Operation) -> dict[str, Any]:
    """Return the arguments with the values that the published world tolerates put right."""
    shapes = operation.tool.properties
    return {
        name: _switch(value) if shapes.get(name, {}).get("type") == "boolean" else value
        for name, value in arguments.items()
    }


def _switch(value: Any) -> Any:
    word = str(value).casefold() if isinstance(value, str | int) else ""
    return word in _TRUE if word in _TRUE | _FALSE else value


def published_fault(arguments: Mapping[str, Any], operation: Operation) -> Fault | None:
    """Return how the published world treats arguments; None where it would run the tool all the same.

    Args:
        arguments: What `let_through` returned.
        operation: The tool that was called.
    """
    shapes = operation.tool.properties
    if any(name not in shapes for name in arguments):
        return Fault.RAISED
    if any(name not in arguments for name in operation.tool.required):
        return Fault.RAISED
    for name, value in arguments.items():
        open_here = name in operation.open_when_published
        if not open_here and next(complaints(value, shapes[name], name), None) is not None:
            own = operation.verdicts.get(name)
            return own(value) if own else _usual(value, shapes[name])
    return None


def _usual(value: Any, shape: Mapping[str, Any]) -> Fault:
    """Say who notices a value that is wrong: tools compare with their own lists and ranges, and no more."""
    if "enum" in shape:
        return Fault.LOGGED
    number = isinstance(value, int | float) and not isinstance(value, bool)
    below, above = shape.get("minimum"), shape.get("maximum")
    outside = number and ((below is not None and value < below) or (above is not None and value > above))
    return Fault.LOGGED if outside else Fault.RAISED
