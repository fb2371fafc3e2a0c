"""On which side of the boundary a call lies, where that depends on its arguments: conditions, as data.

A *condition* gives JSON Schemas for parameters::

    {source: {const: note}, text: {minLength: 1}}

It holds for a call whose arguments are all there and valid; `false` in place of a schema says that the
parameter is not given. Of several conditions, one has to hold. Defaults are filled in before, and null is
the same as not given, as most servers have it.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import product
from typing import Annotated, Any, Final

from pydantic import AfterValidator, BeforeValidator, Field, JsonValue

from knowact.core.clean import dumps
from knowact.core.schema import Schema, elements, members
from knowact.core.task import Boundary
from knowact.core.tool import Dimension
from knowact.tools.folder import OwnTool

SIZE: Final = frozenset({Dimension.COMPUTATION, Dimension.SCALE, Dimension.MODALITY})
"""What makes a call external however constant its answer is."""

_META: Final = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "$id": "knowact:a-value",
    "$dynamicAnchor": "meta",
    "$ref": "https://json-schema.org/draft/2020-12/schema",
    "properties": {"$ref": False, "$dynamicRef": False, "format": False},
    "unevaluatedProperties": False,
}
"""JSON Schema, held to the letter: a misspelt keyword would say nothing, and so would a format, which is not
checked; references lead out of the file."""


def _checked(schema: JsonValue) -> JsonValue:
    """Refuse what is no schema of a value.

    Raises:
        ValueError: With a sentence.
    """
    if wrong := _wrong(dumps(schema)):
        raise ValueError(f"this is not a JSON Schema of a value ({wrong}); $ref and format are not taken")
    return schema


@lru_cache(maxsize=1_000)  # reading a schema takes some milliseconds, and tools' limits are much alike
def _wrong(schema: str) -> str:
    from jsonschema import Draft202012Validator, ValidationError

    reader: Any = Draft202012Validator(_META, format_checker=Draft202012Validator.FORMAT_CHECKER)
    errors: Iterator[ValidationError] = reader.iter_errors(json.loads(schema))
    first = max(errors, key=lambda error: len(error.path), default=None)
    if first is None:
        return ""
    # "Unevaluated properties are not allowed ('minium' was unexpected)": the first words are for experts.
    unknown = first.validator == "unevaluatedProperties"
    complaint = first.message.partition("(")[2].rstrip(")") if unknown else first.message
    return "".join(f"{part}: " for part in first.path) + complaint


def _one_or_several(given: JsonValue) -> JsonValue:
    return [given] if isinstance(given, dict) else given


Condition = Annotated[dict[str, Annotated[JsonValue, AfterValidator(_checked)]], Field(min_length=1)]
Conditions = Annotated[tuple[Condition, ...], Field(min_length=1), BeforeValidator(_one_or_several)]
"""One condition, or a list of which one has to hold."""


@dataclass(frozen=True, slots=True)
class Side:
    """Where one call lies.

    Attributes:
        boundary: External or internal; None where no condition holds, or conditions contradict each other.
        by_size: Whether it is external for the size of what it is given alone.
    """

    boundary: Boundary | None
    by_size: bool = False


class Sides:
    """Conditions of one tool, ready to be asked for many calls.

    Args:
        own: The tool.
        external_if: By dimension, the calls on which it fires.
        internal_if: The calls that a model could do itself; None for all that are not external.
    """

    def __init__(
        self,
        own: OwnTool,
        external_if: Mapping[Dimension, Sequence[Condition]],
        internal_if: Sequence[Condition] | None,
    ) -> None:
        self._defaults = own.filled({})
        self._fires = {dimension: _any_of(conditions) for dimension, conditions in external_if.items()}
        self._internal = None if internal_if is None else _any_of(internal_if)

    def of(self, arguments: Mapping[str, JsonValue]) -> Side:
        """Where a call with these arguments lies."""
        every = {**self._defaults, **arguments}
        given: Schema = {name: value for name, value in every.items() if value is not None}
        fires = {dimension for dimension, holds in self._fires.items() if holds(given)}
        internal = not fires if self._internal is None else self._internal(given)
        if bool(fires) == internal:
            return Side(None)
        return Side(Boundary.EXTERNAL, fires <= SIZE) if fires else Side(Boundary.INTERNAL)


def _any_of(conditions: Iterable[Condition]) -> Callable[[JsonValue], bool]:
    return holding({"anyOf": [_of_a_call(condition) for condition in conditions]})


def _of_a_call(condition: Condition) -> Schema:
    named: list[JsonValue] = [name for name, schema in condition.items() if schema is not False]
    return {"properties": condition, "required": named}


def holding(schema: JsonValue) -> Callable[[JsonValue], bool]:
    """Make a function that says whether a value is valid."""
    from jsonschema import Draft202012Validator, ValidationError, validators
    from jsonschema.protocols import Validator

    def multiple(_: Validator, step: float, value: JsonValue, _schema: Schema) -> Iterator[ValidationError]:
        # By JSON Schema's own reckoning in binary fractions, 0.3 is no multiple of 0.1.
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if is_number and Fraction(str(value)) % Fraction(str(step)):
            yield ValidationError(f"{value!r} is not a multiple of {step!r}")

    library: Any = validators
    return library.extend(Draft202012Validator, {"multipleOf": multiple})(schema).is_valid


def never_true(own: OwnTool, conditions: Iterable[Condition]) -> str:
    """Say why one of some conditions can hold for no call of a tool; empty where nothing tells.

    Args:
        own: The tool.
        conditions: All that are said of it.
    """
    properties = own.properties
    for condition in conditions:
        for name, schema in condition.items():
            if name not in properties:
                return f"it has no parameter {name!r}"
            listed = choices(properties[name])
            if listed and schema is not False and not any(map(holding(schema), listed)):
                return f"no value that {name!r} can have is as they say"
    return ""


def choices(shape: JsonValue) -> list[JsonValue]:
    """The values that a parameter's schema lists, without null; none where it lists none."""
    known = members(shape)
    if isinstance(values := known.get("enum"), list):
        return [value for value in values if value is not None]
    if "const" in known:
        return [known["const"]]
    if known.get("type") == "boolean":
        return [False, True]
    # An optional parameter is often a choice between its own schema and null.
    options = [option for option in elements(known.get("anyOf")) if option != {"type": "null"}]
    return choices(options[0]) if len(options) == 1 else []


INTERNAL: Final = "internal"
GIVEN, LEFT_OUT = "(given)", "(left out)"
MOST_OPTIONS: Final = 12
"""A longer list of values names subjects (currencies, countries), not ways of working."""
_EASY: Final[Mapping[str, JsonValue]] = {
    "string": {"maxLength": 160},
    "array": {"maxItems": 5},
    "integer": {"minimum": -999, "maximum": 999},
    "number": {"minimum": -999, "maximum": 999},
}
"""How large a value of each type is that a model surely works on alone; people know their tools better."""


def options(own: OwnTool) -> dict[str, Schema]:
    """What a call can choose of each parameter: listed values, and whether it is given at all.

    Returns:
        By parameter and name of the option, the schema that a condition has for it; only parameters with
        more than one option.
    """
    defaults = own.filled({})
    by_parameter: dict[str, Schema] = {}
    for name, shape in own.properties.items():
        listed = choices(shape)
        schemas: Schema = {
            value if isinstance(value, str) else dumps(value): {"enum": [value]} for value in listed
        }
        if name not in own.required and defaults.get(name) is None:
            schemas |= {LEFT_OUT: False} if listed else {GIVEN: True, LEFT_OUT: False}
        if 1 < len(schemas) <= MOST_OPTIONS:
            by_parameter[name] = schemas
    return by_parameter


@dataclass(frozen=True, slots=True)
class Decided:
    """The conditions that options come to; see `Sides`."""

    external_if: Mapping[Dimension, Sequence[Condition]]
    internal_if: Sequence[Condition]


def decided(
    own: OwnTool, says: Mapping[str, Mapping[str, str]], fires: Iterable[Dimension]
) -> Decided | None:
    """Make conditions of what is said of single options: a call is external if one of its options is.

    It is internal if all of them are; where one is open, it has no side. Where size matters too, internal
    calls are small ones.

    Args:
        own: The tool.
        says: By parameter and option: a dimension, "internal", or "" for open.
        fires: The tool's dimensions.

    Returns:
        None where no option is external, or none of a parameter that matters is internal.
    """
    every = options(own)

    def those(name: str, side: str) -> list[Condition]:
        return _either(name, [every[name][label] for label, claim in says[name].items() if claim == side])

    external = {side: [each for name in says for each in those(name, side.value)] for side in Dimension}
    external = {dimension: conditions for dimension, conditions in external.items() if conditions}
    matter = [name for name, by_label in says.items() if {*by_label.values()} != {INTERNAL}]
    inside = [those(name, INTERNAL) for name in matter]
    if not external or not all(inside):
        return None
    easy = _easy(own) if SIZE & {*fires} else {}
    rows = ({name: schema for each in row for name, schema in each.items()} for row in product(*inside))
    return Decided(external, [{**easy, **row} for row in rows])


def _either(name: str, schemas: Sequence[JsonValue]) -> list[Condition]:
    """The conditions of which one holds if a parameter is as one of some schemas says."""
    values = [value for schema in schemas for value in elements(members(schema).get("enum"))]
    listed: list[Condition] = [{name: {"enum": values}}] if values else []
    return [*listed, *({name: schema} for schema in schemas if isinstance(schema, bool))]


def _easy(own: OwnTool) -> Condition:
    """Limits of the parameters that every call has."""
    defaults = own.filled({})
    kinds = {
        name: str(members(shape).get("type")) for name, shape in own.properties.items() if not choices(shape)
    }
    always = (name for name in kinds if name in own.required or defaults.get(name) is not None)
    return {name: _EASY[kinds[name]] for name in always if kinds[name] in _EASY}
