"""JSON Lines, with file, line and field for every error."""

import hashlib
import json
import math
import re
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, TypeVar, cast

from pydantic import BaseModel, JsonValue, ValidationError

from knowact.core.errors import BadData, Place
from knowact.core.yaml_text import yaml_value

M = TypeVar("M", bound=BaseModel)

_GATHERED: ContextVar[list[BadData] | None] = ContextVar("_GATHERED", default=None)
"""What is wrong so far, where all of it is wanted (`gathering`)."""

DEEPEST = 64
"""Deeper nesting is no real data, and would exhaust later readers."""

_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


class Placed(Protocol):
    """An object with a place: a line, or an object in one."""

    @property
    def value(self) -> Mapping[str, Any]:
        """The fields."""
        ...

    def place(self, field: str | None = None, /) -> Place:
        """The place of the object, or of one of its fields."""
        ...


@dataclass(frozen=True, slots=True)
class Line:
    """One object of a JSONL file, or a file that is one object.

    `number` counts from 1, blank lines included; None for a whole file.
    """

    file: Path
    number: int | None
    value: Mapping[str, Any]

    def place(self, field: str | None = None) -> Place:
        """The place of this line, or of one of its fields."""
        return Place(self.file, self.number, field)


class Twice(ValueError):  # noqa: N818 - reads as a sentence where it is raised
    """An object has one name twice."""

    def __init__(self, name: str) -> None:
        self.name = name
        super().__init__(f"the field {name!r} occurs twice")


class Complaint(ValueError):  # noqa: N818 - reads as a sentence where it is raised
    """What a validator finds wrong: `parse` says where.

    Attributes:
        fix: What to do about it.
        field: Where in the line; empty for the field that is being validated.
    """

    def __init__(self, what: str, fix: str, field: str = "") -> None:
        self.fix, self.field = fix, field
        super().__init__(what)


@contextmanager
def gathering() -> Generator[list[BadData]]:
    """Gather what is wrong with each line that is read inside, instead of ending at the first.

    Readers put what they do with a line into `noted()`. Where anything was gathered, `read_lines` raises the
    first of it (`raise_gathered`) once it has given the last line, so that nothing is made of a part of the
    data.
    """
    faults: list[BadData] = []
    token = _GATHERED.set(faults)
    try:
        yield faults
    finally:
        _GATHERED.reset(token)


@contextmanager
def noted() -> Generator[None]:
    """Do something with one line; what is wrong with it ends the reading, unless all of it is gathered."""
    gathered = _GATHERED.get()
    try:
        yield
    except BadData as error:
        if gathered is None:
            raise
        gathered.append(error)


def raise_gathered() -> None:
    """End a loop over lines: raise the first of what was gathered, if anything was."""
    if gathered := _GATHERED.get():
        raise gathered[0]


def read_text(file: Path) -> str:
    """Return the content of a text file.

    Raises:
        BadData: The file cannot be read, or is not UTF-8.
    """
    try:
        # Some editors write a byte order mark.
        return file.read_text(encoding="utf-8-sig")
    except OSError as error:
        why = error.strerror or "it cannot be read"
        raise BadData(f"the file cannot be read ({why})", Place(file), "check the path") from error
    except UnicodeDecodeError as error:
        line = file.read_bytes()[: error.start].count(b"\n") + 1
        raise BadData("this is not UTF-8 text", Place(file, line), "save the file as UTF-8") from error


def read_lines(file: Path, whole: str | None = None) -> Iterator[Line]:
    """Yield the objects of a JSONL file, skipping blank lines.

    Args:
        file: The file.
        whole: Its text, if already read.

    Raises:
        BadData: The file cannot be read, is not UTF-8, or a line is not a JSON object.
    """
    for number, text in enumerate((read_text(file) if whole is None else whole).split("\n"), start=1):
        line: Line | None = None
        with noted():
            line = Line(file, number, _object(file, number, text)) if text.strip() else None
        if line is not None:
            yield line
    raise_gathered()


def read_object(file: Path) -> Line:
    """Return the one JSON object in a file.

    Raises:
        BadData: The file cannot be read, is not UTF-8, or is not a JSON object.
    """
    return Line(file, None, _object(file, None, read_text(file)))


def read_yaml(file: Path, fix: str) -> Line:
    """Return the names and values of a YAML file; none where it holds comments only.

    Args:
        file: The file.
        fix: What to do about a file that holds something else.

    Raises:
        BadData: The file cannot be read, is not YAML, or holds something else.
    """
    value = yaml_value(read_text(file), file)
    if not isinstance(value, dict | None):
        raise BadData("the file holds no names with values", Place(file), fix)
    return Line(file, None, cast("dict[str, Any]", value or {}))


def decode(text: str) -> JsonValue:
    """Return the value of a JSON text, read as strictly as by any later reader.

    Raises:
        Twice: An object has one name twice.
        ValueError: It is not JSON, not a finite number, half of a surrogate pair, or nests too deeply.
    """
    try:
        value = json.loads(
            text, object_pairs_hook=_once, parse_constant=_no_constant, parse_float=_finite_number
        )
    except RecursionError as error:
        raise ValueError("it nests too deeply") from error
    # The count is an upper bound of the depth and far cheaper.
    if text.count("[") + text.count("{") > DEEPEST and depth(value) > DEEPEST:
        raise ValueError("it nests too deeply")
    if _SURROGATE.search(text) and _has_half_pair(value):
        raise ValueError("it holds half of a surrogate pair")
    return value


def _once(pairs: list[tuple[str, JsonValue]]) -> dict[str, JsonValue]:
    members: dict[str, JsonValue] = {}
    for name, value in pairs:
        if name in members:
            raise Twice(name)
        members[name] = value
    return members


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is not a JSON number")


def _finite_number(text: str) -> float:
    value = float(text)
    if math.isinf(value):
        raise ValueError(f"the number {text[:20]} is too large")
    return value


def depth(value: JsonValue) -> int:
    """Return how deep lists and objects nest in a value; 1 for a scalar."""
    levels, level = 0, [value]
    while level:
        level = [inner for outer in level for inner in _inside(outer)]
        levels += 1
    return levels


def _inside(value: JsonValue) -> Sequence[JsonValue]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else ()


def _has_half_pair(value: JsonValue) -> bool:
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return True
    return False


def _object(file: Path, number: int | None, text: str) -> Mapping[str, Any]:
    place = Place(file, number)
    what = "file" if number is None else "line"
    fix = "make it one JSON object" if number is None else "put one JSON object on each line"
    try:
        value = decode(text)
    except Twice as error:
        raise BadData(str(error), Place(file, number, error.name), "keep one of them") from error
    except json.JSONDecodeError as error:
        if error.pos >= len(text.rstrip()) or "Unterminated" in error.msg:
            raise BadData(f"the {what} is cut off", place, f"restore its end, and {fix}") from error
        where = f"{error.msg.lower()} at column {error.colno}"
        raise BadData(f"the {what} is not JSON ({where})", place, fix) from error
    except ValueError as error:
        raise BadData(f"the {what} is not JSON ({error})", place, fix) from error
    if not isinstance(value, dict):
        raise BadData(f"the {what} holds {_kind(value)}", place, fix)
    return value


def _kind(value: object) -> str:
    names = {"str": "a string", "list": "a list", "bool": "true or false", "NoneType": "null"}
    return names.get(type(value).__name__, "a number")


def rows_of(model: type[M], file: Path) -> Iterator[M]:
    """Yield the nouns of a JSONL file; none where there is no such file.

    Raises:
        BadData: The file cannot be read, or a line is of another shape.
    """
    for line in read_lines(file) if file.exists() else ():
        yield parse(model, line)


def parse(model: type[M], line: Placed, *, columns: bool = False) -> M:
    """Build a noun from a line.

    Args:
        model: What to build.
        line: What to build it from.
        columns: Whether a complaint names the column alone, not the place inside it.

    Raises:
        BadData: A field is missing, unknown or of the wrong type; the first one is named, or all of them
            where all are gathered.
    """
    try:
        return model.model_validate(line.value)
    except ValidationError as error:
        faults: dict[Place, BadData] = {}
        for fault in error.errors(include_url=False):
            cause = fault.get("ctx", {}).get("error")
            field = cause.field if isinstance(cause, Complaint) else ""
            outer, inner = (fault["loc"][:1], fault["loc"][1:]) if columns else (fault["loc"], ())
            place = line.place(field or _path(outer, fault["type"], line.value) or None)
            what, _, fix = _complaint(fault["type"], fault["msg"], place)
            what = f"at {'.'.join(map(str, inner))}, {what}" if inner else what
            # The members of a union complain one after the other.
            faults.setdefault(place, BadData(what, place, cause.fix if isinstance(cause, Complaint) else fix))
        *others, last = faults.values()
        if (gathered := _GATHERED.get()) is None:
            raise next(iter(faults.values())) from error
        gathered += others
        raise last from error


def _path(parts: Sequence[int | str], kind: str, value: Any) -> str:
    """The dotted path in the data: pydantic adds the names of a union's members."""
    known: list[str] = []
    for place, part in enumerate(parts, start=1):
        inside: Any = dict(enumerate(cast("list[Any]", value))) if isinstance(value, list) else value
        if not isinstance(inside, dict):
            break
        if part in inside or (kind == "missing" and place == len(parts)):
            known.append(str(part))
            value = cast("dict[int | str, Any]", inside).get(part)
    return ".".join([*known, "kind"] if kind == "union_tag_invalid" else known)


def _complaint(kind: str, message: str, place: Place) -> tuple[str, Place, str]:
    if kind == "missing":
        return "this field is missing", place, "add it"
    if kind == "extra_forbidden":
        return "there is no such field", place, "check its spelling, or remove it"
    if kind == "union_tag_invalid":
        # pydantic adds the name of the function that found the kind.
        return f"this must be one of {message.rpartition('tags: ')[2]}", place, "use one of these"
    words = message.removeprefix("Value error, ").rstrip(".")
    fix = "correct it" if kind == "value_error" else "give it a value of that kind"
    return words[:1].lower() + words[1:], place, fix


def sha256(*files: Path) -> str:
    """Return the hash of the files' bytes, in the order given."""
    digest = hashlib.sha256()
    for file in files:
        digest.update(file.read_bytes())
    return digest.hexdigest()
