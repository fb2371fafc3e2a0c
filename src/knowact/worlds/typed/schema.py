"""JSON Schema from Python types: the small part of both that tools need."""

import inspect
import types
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import (
    Annotated,
    Any,
    Final,
    Literal,
    NotRequired,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from knowact.worlds.typed import docstrings

_SCALARS: Final = {str: "string", int: "integer", float: "number", bool: "boolean"}


class ContractError(TypeError):
    """A tool function whose types or docstring leave something unsaid; found when it is imported."""


@dataclass(frozen=True, slots=True)
class Attribute:
    """Which attribute a value is, "<kind>.<name>".

    Attributes:
        name: The attribute, as capabilities speak of it ("person.city").
        is_a: The type that the value has on its way to other tools ("city.name"), where that is not the
            attribute itself: a parameter takes every result field of its own type.
    """

    name: str
    is_a: str = ""

    @property
    def flow(self) -> str:
        """The type of the data flow."""
        return self.is_a or self.name


@dataclass(frozen=True, slots=True)
class Echo:
    """The field only repeats an argument, or counts what stands beside it: it reveals nothing."""


ECHO: Final = Echo()


@dataclass(frozen=True, slots=True)
class Rules:
    """What a value must also satisfy, in JSON Schema's own words (minimum, maxLength, format, ...)."""

    minimum: float | None = None
    maximum: float | None = None
    multiple_of: float | None = None
    max_length: int | None = None
    min_items: int | None = None
    max_items: int | None = None
    format: Literal["date", "time"] | None = None

    def schema(self) -> dict[str, Any]:
        """The keywords that are set."""
        named = {
            "minimum": self.minimum,
            "maximum": self.maximum,
            "multipleOf": self.multiple_of,
            "maxLength": self.max_length,
            "minItems": self.min_items,
            "maxItems": self.max_items,
            "format": self.format,
        }
        return {keyword: value for keyword, value in named.items() if value is not None}


@dataclass(frozen=True, slots=True)
class Leaf:
    """A place in a result (or a parameter): its dotted path, and the attributes that it carries.

    Attributes:
        path: As `core.tool.Report.field`.
        names: Attributes; empty for an echo. More than one where the value implies another.
        flow: The data-flow type of the first of them; empty for an echo.
    """

    path: str
    names: tuple[str, ...]
    flow: str = ""

    @classmethod
    def of(cls, path: str, hint: Any) -> "Leaf":
        """Read the annotations of one type; a leaf that says nothing is an error."""
        extras = _extras(hint)
        attributes = [extra for extra in extras if isinstance(extra, Attribute)]
        names = tuple(attribute.name for attribute in attributes)
        if not names and not any(isinstance(extra, Echo) for extra in extras):
            raise ContractError(f"{path!r} carries neither an Attribute nor ECHO")
        return cls(path, names, attributes[0].flow if attributes else "")


def parameters_of(function: Callable[..., Any]) -> dict[str, Any]:
    """Return the JSON Schema of a tool function's parameters (the first, the state, left out)."""
    hints = get_type_hints(function, include_extras=True)
    told = docstrings.entries(function, "Args")
    properties: dict[str, Any] = {}
    required: list[str] = []
    for parameter in list(inspect.signature(function).parameters.values())[1:]:
        name = parameter.name
        if name not in told:
            raise ContractError(f"{function.__name__}: the docstring says nothing of {name!r}")
        shape = of_type(hints[name])
        shape["description"] = told[name]
        if parameter.default is inspect.Parameter.empty:
            required.append(name)
        else:
            shape["default"] = parameter.default
        properties[name] = shape
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def returns_of(function: Callable[..., Any]) -> tuple[dict[str, Any], tuple[Leaf, ...]]:
    """Return the JSON Schema of a tool function's result, and its leaves in order."""
    hint = get_type_hints(function, include_extras=True)["return"]
    if not is_typeddict(hint):
        raise ContractError(f"{function.__name__}: the result must be a TypedDict")
    return of_type(hint), tuple(_leaves(hint, ""))


def flows_of(function: Callable[..., Any]) -> dict[str, str]:
    """Return the data-flow type of each parameter that carries an attribute."""
    hints = get_type_hints(function, include_extras=True)
    names = list(inspect.signature(function).parameters)[1:]
    found = {
        name: [extra for extra in _extras(hints[name]) if isinstance(extra, Attribute)] for name in names
    }
    return {name: attributes[0].flow for name, attributes in found.items() if attributes}


def of_type(hint: Any) -> dict[str, Any]:
    """Return the JSON Schema of one type.

    Raises:
        ContractError: A type that tools have no use for.
    """
    origin = get_origin(hint)
    if origin is Annotated:
        shape = of_type(get_args(hint)[0])
        for extra in _extras(hint):
            if isinstance(extra, Rules):
                shape |= extra.schema()
        return shape
    if hint in _SCALARS:
        return {"type": _SCALARS[hint]}
    if origin is list:
        return {"type": "array", "items": of_type(get_args(hint)[0])}
    if origin is dict:
        return {"type": "object", "additionalProperties": of_type(get_args(hint)[1])}
    if origin is Literal:
        values = get_args(hint)
        return {"type": _SCALARS[type(values[0])], "enum": list(values)}
    if is_typeddict(hint):
        return _object(hint)
    if inner := _optional(hint):
        shape = of_type(inner)
        return shape | {"type": [shape["type"], "null"]}
    raise ContractError(f"no JSON Schema for {hint!r}")


def _object(hint: Any) -> dict[str, Any]:
    told = docstrings.entries(hint, "Attributes")
    properties: dict[str, Any] = {}
    for name, inner in _fields(hint):
        if name not in told:
            raise ContractError(f"{hint.__name__}: the docstring says nothing of {name!r}")
        properties[name] = of_type(inner) | {"description": told[name]}
    return {
        "type": "object",
        "properties": properties,
        "required": [name for name in properties if name in hint.__required_keys__],
        "additionalProperties": False,
    }


def _fields(hint: Any) -> Iterator[tuple[str, Any]]:
    """Yield the fields of a TypedDict; that one may be left out is said by its required keys."""
    for name, inner in get_type_hints(hint, include_extras=True).items():
        yield name, get_args(inner)[0] if get_origin(inner) is NotRequired else inner


def _leaves(hint: Any, path: str) -> Iterator[Leaf]:
    for name, inner in _fields(hint):
        here = f"{path}.{name}" if path else name
        bare = _bare(inner)
        element = get_args(bare)[0] if get_origin(bare) is list else None
        if is_typeddict(bare):
            yield from _leaves(bare, here)
        elif element is not None and is_typeddict(_bare(element)):
            yield from _leaves(_bare(element), f"{here}[]")
        elif element is not None and not _extras(inner):
            yield Leaf.of(f"{here}[]", element)
        else:
            yield Leaf.of(here, inner)


def _bare(hint: Any) -> Any:
    return get_args(hint)[0] if get_origin(hint) is Annotated else hint


def _extras(hint: Any) -> tuple[Any, ...]:
    return get_args(hint)[1:] if get_origin(hint) is Annotated else ()


def _optional(hint: Any) -> Any:
    """Return X for `X | None`, else None."""
    if get_origin(hint) not in {types.UnionType, Union}:
        return None
    inner = [part for part in get_args(hint) if part is not type(None)]
    return inner[0] if len(inner) == 1 and len(get_args(hint)) == 2 else None  # noqa: PLR2004 - X and None
