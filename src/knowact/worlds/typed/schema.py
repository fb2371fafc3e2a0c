"""JSON Schema from Python types: the small part of both that tools need.

Parameters have their types in the signature, and what is said of them under "Args:". The fields of a result,
and of any other object, stand in the docstring alone, one line each:

    city (str, echo): The city.
    high (int, forecast.high): The highest temperature in degrees Celsius.
    warning (str, forecast.warning, optional): What to expect; left out where there is nothing.
    alerts (list[Alert]): The warnings in force.

First comes the type; then each attribute that the value is, or `echo`. What an `Alert` holds, its class says
in the same way (`Shape`).
"""

import inspect
import re
import sys
import types
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import takewhile
from typing import (
    Annotated,
    Any,
    Final,
    Literal,
    NamedTuple,
    TypeGuard,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from knowact.core.errors import BadUsage
from knowact.core.schema import object_schema

STRIPS_DOCSTRINGS: Final = 2
"""The level of Python's optimisation from which on there are no docstrings."""

_SECTION = re.compile(r"^(Args|Returns|Attributes|Raises|Examples?):$")
_ENTRY = re.compile(r"^ {4}\w+( \(|: )")
_PARTS = re.compile(r"^(\w+)(?: \((.+?)\))?: (.+)$")
_MARK = re.compile(r"\w+\.\w+")
_COMMA = re.compile(r",\s*(?![^\[]*\])")


class Entry(NamedTuple):
    """One line of a section, "name (type, mark, ...): text".

    Attributes:
        name: The parameter or field.
        type: Its type, as Python writes it; empty where none is given.
        marks: What else stands in the brackets.
        text: What is said of it.
    """

    name: str
    type: str
    marks: tuple[str, ...]
    text: str


def refuse_without_docstrings() -> None:
    """Refuse a Python that strips docstrings.

    Raises:
        BadUsage: It does; the message says how to start it otherwise.
    """
    if sys.flags.optimize >= STRIPS_DOCSTRINGS:
        raise BadUsage(
            "Python was started with -OO (or PYTHONOPTIMIZE=2), which strips the docstrings that the worlds' "
            "tools are made from: start it without, or with -O."
        )


def description(documented: object) -> str:
    """Return everything before the first section, each paragraph on one line."""
    before = takewhile(lambda line: not _SECTION.match(line), _lines(documented))
    paragraphs = re.split(r"\n\n+", "\n".join(line.strip() for line in before).strip())
    return "\n\n".join(paragraph.replace("\n", " ") for paragraph in paragraphs)


def entries(documented: object, section: str) -> dict[str, Entry]:
    """Return the entries of one section ("Args", "Attributes", "Returns") by name, lines joined.

    Raises:
        ContractError: A line there says nothing of what it names.
    """
    found: list[str] = []
    inside = False
    for line in _lines(documented):
        if heading := _SECTION.match(line):
            inside = heading[1] == section
        elif inside and _ENTRY.match(line):
            found.append(line.strip())
        elif inside and line.startswith(" " * 8) and found:
            found[-1] = f"{found[-1]} {line.strip()}"
    return {entry.name: entry for entry in map(_entry, found)}


def _entry(line: str) -> Entry:
    parts = _PARTS.match(line)
    if parts is None:
        raise ContractError(f"this does not read 'name (type, ...): what it is': {line}")
    kind, *marks = _COMMA.split(parts[2] or "")
    return Entry(parts[1], kind, tuple(marks), parts[3])


def _lines(documented: object) -> list[str]:
    refuse_without_docstrings()
    return (inspect.getdoc(documented) or "").splitlines()


_SCALARS: Final = {str: "string", int: "integer", float: "number", bool: "boolean"}


class ContractError(TypeError):
    """A tool function whose types or docstring leave something unsaid; found when it is imported."""


@dataclass(frozen=True, slots=True)
class Attribute:
    """Which attribute a value is, "<kind>.<name>", as capabilities speak of it ("person.city")."""

    name: str


ECHO: Final = "echo"
"""The field only repeats an argument, or counts what stands beside it: it reveals nothing."""


class Shape(dict[str, Any]):
    """An object; a subclass lists its fields under "Attributes:", beside those of the class above it."""


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
    """

    path: str
    names: tuple[str, ...]

    @classmethod
    def of(cls, path: str, hint: Any, *marks: Any) -> "Leaf":
        """Read the annotations of one type, and the marks beside it; a leaf that says nothing is an error."""
        extras = (*_extras(hint), *marks)
        names = tuple(extra.name for extra in extras if isinstance(extra, Attribute))
        if not names and ECHO not in extras:
            raise ContractError(f"{path!r} carries neither an attribute nor echo")
        return cls(path, names)


def parameters_of(function: Callable[..., Any]) -> dict[str, Any]:
    """Return the JSON Schema of a tool function's parameters (the first, the state, left out)."""
    hints = get_type_hints(function, include_extras=True)
    told = entries(function, "Args")
    properties: dict[str, Any] = {}
    required: list[str] = []
    for parameter in list(inspect.signature(function).parameters.values())[1:]:
        name = parameter.name
        if name not in told:
            raise ContractError(f"{function.__name__}: the docstring says nothing of {name!r}")
        shape = of_type(hints[name])
        shape["description"] = told[name].text
        if parameter.default is inspect.Parameter.empty:
            required.append(name)
        else:
            shape["default"] = parameter.default
        properties[name] = shape
    return object_schema(properties, required)


def returns_of(function: Callable[..., Any]) -> tuple[dict[str, Any], tuple[Leaf, ...]]:
    """Return the JSON Schema of a tool function's result, and its leaves in order."""
    hint = get_type_hints(function)["return"]
    fields = _fields_of(hint) if _is_shape(hint) else list(_listed(function, "Returns"))
    if not fields:
        raise ContractError(f"{function.__name__}: the docstring lists no fields under 'Returns:'")
    return _object(fields), tuple(_leaves(fields, ""))


def attributes_of(function: Callable[..., Any]) -> dict[str, str]:
    """Return the first attribute of each parameter that carries one."""
    hints = get_type_hints(function, include_extras=True)
    names = list(inspect.signature(function).parameters)[1:]
    found = {
        name: [extra for extra in _extras(hints[name]) if isinstance(extra, Attribute)] for name in names
    }
    return {name: attributes[0].name for name, attributes in found.items() if attributes}


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
    if _is_shape(hint):
        return _object(_fields_of(hint))
    if inner := _optional(hint):
        shape = of_type(inner)
        return shape | {"type": [shape["type"], "null"]}
    raise ContractError(f"no JSON Schema for {hint!r}")


class _Field(NamedTuple):
    name: str
    hint: Any
    marks: tuple[Attribute | str, ...]
    optional: bool
    text: str


def _listed(documented: Any, section: str) -> Iterator[_Field]:
    """Yield the fields that a docstring lists; their types are names of the module that it stands in."""
    listed = entries(documented, section)
    known = {"Literal": Literal, **vars(sys.modules[documented.__module__])}
    annotated = types.SimpleNamespace(__annotations__={name: entry.type for name, entry in listed.items()})
    try:
        hints = get_type_hints(annotated, known, include_extras=True)
    except (NameError, SyntaxError) as error:
        raise ContractError(
            f"{documented.__name__}: {section} gives something that is no type: {error}"
        ) from None
    for name, entry in listed.items():
        marks = tuple(_mark(mark) for mark in entry.marks if mark != "optional")
        yield _Field(name, hints[name], marks, "optional" in entry.marks, entry.text)


def _mark(text: str) -> Attribute | str:
    if text == ECHO:
        return ECHO
    if not _MARK.fullmatch(text):
        raise ContractError(f"{text!r} is no attribute ('kind.name'), 'echo' or 'optional'")
    return Attribute(text)


def _fields_of(shape: type[Shape]) -> list[_Field]:
    """Return the fields of a shape, those of the class above it first."""
    above = reversed(shape.__mro__[: shape.__mro__.index(Shape)])
    return list({field.name: field for one in above for field in _listed(one, "Attributes")}.values())


def _object(fields: Iterable[_Field]) -> dict[str, Any]:
    members = {field.name: of_type(field.hint) | {"description": field.text} for field in fields}
    return object_schema(members, [field.name for field in fields if not field.optional])


def _leaves(fields: Iterable[_Field], path: str) -> Iterator[Leaf]:
    for name, hint, marks, _, _ in fields:
        here = f"{path}.{name}" if path else name
        bare = _bare(hint)
        element = get_args(bare)[0] if get_origin(bare) is list else None
        if _is_shape(bare):
            yield from _leaves(_fields_of(bare), here)
        elif element is not None and _is_shape(_bare(element)):
            yield from _leaves(_fields_of(_bare(element)), f"{here}[]")
        elif element is not None and not _extras(hint):
            yield Leaf.of(f"{here}[]", element, *marks)
        else:
            yield Leaf.of(here, hint, *marks)


def _is_shape(hint: Any) -> TypeGuard[type[Shape]]:
    return isinstance(hint, type) and issubclass(hint, Shape)


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
