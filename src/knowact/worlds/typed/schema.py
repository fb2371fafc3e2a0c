"""JSON Schema from Python types: the small part of both that tools need.

Parameters have their types in the signature, and what is said of them under "Args:". A result is a `Shape`:
a dataclass whose fields say once what they are, for the schema, the capability and the code alike:

    class Forecast(Shape):
        city: str = echo("The city.")
        high_c: int = fact("forecast.high", "The highest temperature in degrees Celsius.")
        warning: str | None = fact("forecast.warning", "What to expect.", default=None)
        alerts: list[Alert] = part("The warnings in force.")

A field with the default None is left out of a result where it is None. An object that a call brings along is
a `TypedDict` whose keys are annotated with what they are: `Annotated[str, "What is to be done."]`.
"""

import inspect
import re
import sys
import types
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields
from functools import cache
from itertools import takewhile
from types import EllipsisType
from typing import (
    Annotated,
    Any,
    ClassVar,
    Final,
    Literal,
    NamedTuple,
    Self,
    TypeAlias,
    TypeGuard,
    Union,
    dataclass_transform,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from pydantic import JsonValue

from knowact.core.errors import BadUsage
from knowact.core.schema import object_schema

STRIPS_DOCSTRINGS: Final = 2
"""The level of Python's optimisation from which on there are no docstrings."""

Hint: TypeAlias = Any
"""An annotation as Python gives it at run time; `typing` has no type for such values yet (PEP 747)."""
ToolFunction: TypeAlias = Callable[..., object]
"""What a tool is made of: its first parameter is the state, the others are what an agent may say."""

_SECTION = re.compile(r"^(Args|Returns|Attributes|Raises|Examples?):$")
_ENTRY = re.compile(r"^ {4}\w+: ")
_MARK = re.compile(r"\w+\.\w+")


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


def arguments_said(documented: object) -> dict[str, str]:
    """Return what a docstring says of each parameter under "Args:", lines joined."""
    entries: list[str] = []
    inside = False
    for line in _lines(documented):
        if heading := _SECTION.match(line):
            inside = heading[1] == "Args"
        elif inside and _ENTRY.match(line):
            entries.append(line.strip())
        elif inside and line.startswith(" " * 8) and entries:
            entries[-1] = f"{entries[-1]} {line.strip()}"
    pairs = (entry.partition(": ") for entry in entries)
    return {name: text for name, _, text in pairs}


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


@dataclass(frozen=True, slots=True)
class _Description:
    """What a field of a `Shape` says of itself: its text, its attributes or `echo`, and its name in a row."""

    text: str
    marks: tuple[Attribute | str, ...]
    row: str


_DESCRIBED: Final = "described"
"""Where the metadata of a dataclass's field keep it."""


def fact(
    attribute: str | tuple[str, ...], text: str, *, default: EllipsisType | None = ..., row: str = ""
) -> Any:
    """A field that reports an attribute, "<kind>.<name>", or several where the value implies them all.

    Args:
        attribute: The attribute, or all of them.
        text: What the field is, as agents read it.
        default: None for a field that a result leaves out where it is None.
        row: What a row that the shape is made of (`Shape.of`) calls it, where that is another name.
    """
    names = (attribute,) if isinstance(attribute, str) else attribute
    for name in names:
        if not _MARK.fullmatch(name):
            raise ContractError(f"{name!r} is not an attribute ('kind.name')")
    return _field(_Description(text, tuple(Attribute(name) for name in names), row), default)


def echo(text: str, *, default: EllipsisType | None = ...) -> Any:
    """A field that only repeats an argument, or counts what stands beside it; see `fact`."""
    return _field(_Description(text, (ECHO,), ""), default)


def part(text: str, *, default: EllipsisType | None = ...) -> Any:
    """A field that holds other shapes, which say themselves what they report; see `fact`."""
    return _field(_Description(text, (), ""), default)


def _field(described: _Description, default: EllipsisType | None) -> Any:
    given = MISSING if default is ... else default
    return field(default=given, metadata={_DESCRIBED: described})


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(fact, echo, part))
class Shape:
    """An object in a result. Each field of a subclass is a `fact`, an `echo` or a `part`."""

    _left_out: ClassVar[frozenset[str]] = frozenset()
    """Fields that are left out where they are None."""

    def __init_subclass__(cls) -> None:
        # Frozen dataclasses cost three times as much to make, and results are made by the million.
        dataclass(kw_only=True)(cls)
        cls._left_out = frozenset(each.name for each in fields(cls) if each.default is None)  # pyright: ignore[reportArgumentType]

    @classmethod
    def names(cls) -> tuple[str, ...]:
        """The names of the fields, in order."""
        return tuple(name for name, _, _ in _inner_shapes(cls))

    @classmethod
    def filled(cls, values: "Mapping[str, Content]") -> Self:
        """The shape with these values in its fields."""
        return cls(**values)  # pyright: ignore[reportCallIssue]

    @classmethod
    def of(cls, row: object, **instead: "Content") -> Self:
        """The shape of a row: each field from the row's attribute of its name, inner shapes likewise.

        Args:
            row: What the attributes are taken from; it may lack those of fields that can be left out.
            instead: Fields that come from elsewhere.
        """
        values = {
            name: _shaped(
                inner, getattr(row, column, None) if name in cls._left_out else getattr(row, column)
            )
            for name, column, inner in _inner_shapes(cls)
            if name not in instead
        }
        return cls.filled(values | instead)

    def json(self) -> dict[str, JsonValue]:
        """The object as agents read it, in the order of its fields."""
        return {
            name: _plain(value)
            for name, value in vars(self).items()
            if value is not None or name not in self._left_out
        }


Content: TypeAlias = "Shape | JsonValue | Sequence[Content] | Mapping[str, Content]"
"""What a field of a shape can hold."""


@cache
def _inner_shapes(shape: type[Shape]) -> tuple[tuple[str, str, type[Shape] | None], ...]:
    """Return each field of a shape, its name in a row, and the shape that it or what it holds has, if any."""
    listed: list[tuple[str, str, type[Shape] | None]] = []
    for member in _fields_of(shape):
        inner = [hint for hint in (member.hint, *get_args(member.hint)) if _is_shape(hint)]
        listed.append((member.name, member.described.row or member.name, inner[0] if inner else None))
    return tuple(listed)


def _shaped(inner: type[Shape] | None, value: Content) -> Content:
    if inner is None or value is None:
        return value
    if isinstance(value, dict):
        return {name: inner.of(row) for name, row in value.items()}
    if isinstance(value, tuple):
        return [inner.of(row) for row in value]
    return inner.of(value)


def _plain(value: Content) -> JsonValue:
    if value is None or isinstance(value, (str, int, float)):
        return value
    if isinstance(value, Shape):
        return value.json()
    if isinstance(value, Mapping):
        return {name: _plain(inner) for name, inner in value.items()}
    return [_plain(element) for element in value]


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

    def schema(self) -> dict[str, JsonValue]:
        """The keywords that are set."""
        named: dict[str, JsonValue] = {
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
    def of(cls, path: str, hint: Hint, *marks: Attribute | str) -> "Leaf":
        """Read the annotations of one type, and the marks beside it; a leaf that says nothing is an error."""
        extras = (*_extras(hint), *marks)
        names = tuple(extra.name for extra in extras if isinstance(extra, Attribute))
        if not names and ECHO not in extras:
            raise ContractError(f"{path!r} carries neither an attribute nor echo")
        return cls(path, names)


def parameters_of(function: ToolFunction) -> dict[str, JsonValue]:
    """Return the JSON Schema of a tool function's parameters (the first, the state, left out)."""
    hints = get_type_hints(function, include_extras=True)
    texts = arguments_said(function)
    properties: dict[str, JsonValue] = {}
    required: list[str] = []
    for parameter in list(inspect.signature(function).parameters.values())[1:]:
        name = parameter.name
        if name not in texts:
            raise ContractError(f"{function.__name__}: the docstring says nothing of {name!r}")
        shape = of_type(hints[name])
        shape["description"] = texts[name]
        if parameter.default is inspect.Parameter.empty:
            required.append(name)
        else:
            shape["default"] = parameter.default
        properties[name] = shape
    return object_schema(properties, required)


def returns_of(function: ToolFunction) -> tuple[dict[str, JsonValue], tuple[Leaf, ...]]:
    """Return the JSON Schema of a tool function's result, and its leaves in order."""
    hint = get_type_hints(function)["return"]
    if not _is_shape(hint):
        raise ContractError(f"{function.__name__} must return a Shape, not {hint!r}")
    members = _fields_of(hint)
    return _object(members), tuple(_leaves(members, ""))


def attributes_of(function: ToolFunction) -> dict[str, str]:
    """Return the first attribute of each parameter that carries one."""
    hints = get_type_hints(function, include_extras=True)
    names = list(inspect.signature(function).parameters)[1:]
    carried = {
        name: [extra for extra in _extras(hints[name]) if isinstance(extra, Attribute)] for name in names
    }
    return {name: attributes[0].name for name, attributes in carried.items() if attributes}


def of_type(hint: Hint) -> dict[str, JsonValue]:
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
    if _is_shape(hint) or is_typeddict(hint):
        return _object(_fields_of(hint) if _is_shape(hint) else _keys_of(hint))
    if inner := _optional(hint):
        shape = of_type(inner)
        return {**shape, "type": [shape["type"], "null"]}
    raise ContractError(f"no JSON Schema for {hint!r}")


class _Field(NamedTuple):
    name: str
    hint: Hint
    optional: bool
    described: _Description


def _fields_of(shape: type[Shape]) -> list[_Field]:
    """Return the fields of a shape, those of the class above it first."""
    hints = get_type_hints(shape, include_extras=True)
    listed: list[_Field] = []
    for each in fields(shape):  # pyright: ignore[reportArgumentType]
        described: _Description | None = each.metadata.get(_DESCRIBED)
        if described is None:
            raise ContractError(f"{shape.__name__}.{each.name} must be a fact, an echo or a part")
        optional = each.default is None
        hint = hints[each.name]
        listed.append(_Field(each.name, _optional(hint) if optional else hint, optional, described))
    return listed


def _keys_of(mapping: Hint) -> list[_Field]:
    """Return the keys of a typed dictionary."""
    listed: list[_Field] = []
    for name, hint in get_type_hints(mapping, include_extras=True).items():
        required = name in mapping.__required_keys__
        inner = hint if required else get_args(hint)[0]
        texts = [extra for extra in _extras(inner) if isinstance(extra, str)]
        if not texts:
            raise ContractError(f"{mapping.__name__}.{name}: its annotation does not say what it is")
        listed.append(_Field(name, inner, not required, _Description(texts[0], (), "")))
    return listed


def _object(fields: Iterable[_Field]) -> dict[str, JsonValue]:
    members = {field.name: of_type(field.hint) | {"description": field.described.text} for field in fields}
    return object_schema(members, [field.name for field in fields if not field.optional])


def _leaves(fields: Iterable[_Field], path: str) -> Iterator[Leaf]:
    for name, hint, _, described in fields:
        here = f"{path}.{name}" if path else name
        bare = _bare(hint)
        element = get_args(bare)[0] if get_origin(bare) is list else None
        if _is_shape(bare):
            yield from _leaves(_fields_of(bare), here)
        elif element is not None and _is_shape(_bare(element)):
            yield from _leaves(_fields_of(_bare(element)), f"{here}[]")
        elif element is not None and not _extras(hint):
            yield Leaf.of(f"{here}[]", element, *described.marks)
        else:
            yield Leaf.of(here, hint, *described.marks)


def _is_shape(hint: Hint) -> TypeGuard[type[Shape]]:
    return isinstance(hint, type) and issubclass(hint, Shape)


def _bare(hint: Hint) -> Hint:
    return get_args(hint)[0] if get_origin(hint) is Annotated else hint


def _extras(hint: Hint) -> tuple[Hint, ...]:
    return get_args(hint)[1:] if get_origin(hint) is Annotated else ()


def _optional(hint: Hint) -> Hint:
    """Return X for `X | None`, else None."""
    if get_origin(hint) not in {types.UnionType, Union}:
        return None
    inner = [part for part in get_args(hint) if part is not type(None)]
    return inner[0] if len(inner) == 1 and len(get_args(hint)) == 2 else None  # noqa: PLR2004 - X and None
