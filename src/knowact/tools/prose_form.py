"""What a model reads in a piece of documentation: a form, of which only what quotes support is kept."""

import hashlib
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Final, Literal, TypeVar, get_args
from urllib.parse import urlsplit

from pydantic import AfterValidator, BeforeValidator, ConfigDict, JsonValue, StringConstraints

from knowact.core.model import Noun
from knowact.core.schema import Schema, object_schema
from knowact.reading.quotes import folded, stands_in
from knowact.tools.kept import append, mend, rows
from knowact.tools.prose import Piece

Kind = Literal["string", "integer", "number", "boolean", "array", "object"]
Method = Literal["get", "put", "post", "delete", "patch"]
KeyPlace = Literal["header", "query", "cookie"]
ParameterPlace = Literal["path", "header", "query", "cookie"]

DEEPEST: Final = 8
"""Objects and lists inside each other; deeper ones are no result that a person would describe."""

SLOT: Final = re.compile(r"\{([^{}/]+)\}")
"""What varies in a path."""
_PATH: Final = re.compile(r"/[^\s?#]*")


def _seen(text: str) -> str:
    """A text without characters that move a cursor, hide others, or that YAML cannot carry."""
    spaced = re.sub(r"[^\S\n]", " ", text)
    return "".join(sign for sign in spaced if sign == "\n" or unicodedata.category(sign) not in {"Cc", "Cf"})


Text = Annotated[str, StringConstraints(max_length=2_000), AfterValidator(_seen)]
Name = Annotated[str, StringConstraints(min_length=1, max_length=200), AfterValidator(_seen)]


class _Said(Noun):
    """A part of a form, each with the words that support it; fields that nobody asked for are passed over."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    quote: Text


class Server(_Said):
    """An address that paths begin with."""

    url: Text


class Key(_Said):
    """How a service learns who calls."""

    place: KeyPlace
    name: Name


class SaidField(_Said):
    """A field of a body or a result; `[]` and dots in its name lead into lists and objects."""

    name: Name
    type: Kind
    required: bool = False
    description: Text = ""
    values: tuple[Text | int | float, ...] = ()


class Parameter(SaidField):
    """A parameter of an operation."""

    place: ParameterPlace


def _lower(given: JsonValue) -> JsonValue:
    """A method as documents of OpenAPI write it; documentation writes it in capitals."""
    return given.lower() if isinstance(given, str) else given


class Operation(_Said):
    """A call that the documentation describes."""

    method: Annotated[Method, BeforeValidator(_lower)]
    path: Text
    name: Text = ""
    summary: Text = ""
    parameters: tuple[Parameter, ...] = ()
    body_as: Literal["json", "form"] = "json"
    body: tuple[SaidField, ...] = ()
    result: tuple[SaidField, ...] = ()

    @property
    def title(self) -> str:
        """How people call it."""
        return f"{self.method.upper()} {self.path}"


class Form(Noun):
    """What a model reads in one piece."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    servers: tuple[Server, ...] = ()
    keys: tuple[Key, ...] = ()
    operations: tuple[Operation, ...] = ()


class Kept(Noun):
    """A form, and what it was filled for.

    Attributes:
        id: Of the piece, the model and the prompt.
        form: What the model said.
    """

    id: str
    form: Form


class Forms:
    """The forms that were filled so far, in a file that more are appended to.

    Raises:
        BadData: The file was edited into something else.
    """

    def __init__(self, file: Path, model: str, prompt: str) -> None:
        self._file, self._who = file, f"{model}\n{prompt}"
        mend(file)
        self._forms = {kept.id: kept.form for kept in rows(file, Kept)}

    def of(self, piece: Piece) -> Form | None:
        """The form of a piece; None where there is none yet."""
        return self._forms.get(self._id(piece))

    def keep(self, piece: Piece, form: Form) -> None:
        """Append a form."""
        self._file.parent.mkdir(parents=True, exist_ok=True)
        append(self._file, Kept(id=self._id(piece), form=form))
        self._forms[self._id(piece)] = form

    def _id(self, piece: Piece) -> str:
        return hashlib.sha256(f"{self._who}\n{piece.file}\n{piece.text}".encode()).hexdigest()[:16]


def form_schema() -> Schema:
    """The JSON Schema of a form, for models that can be held to one."""
    text: Schema = {"type": "string"}
    value: Schema = {
        "name": text,
        "type": {"type": "string", "enum": list(get_args(Kind))},
        "required": {"type": "boolean"},
        "description": text,
        "values": {"type": "array", "items": text},
    }
    fields = _listed(value)
    operation: Schema = {
        "method": {"type": "string", "enum": list(get_args(Method))},
        "path": text,
        "name": text,
        "summary": text,
        "parameters": _listed({"place": {"type": "string", "enum": list(get_args(ParameterPlace))}, **value}),
        "body_as": {"type": "string", "enum": ["json", "form"]},
        "body": fields,
        "result": fields,
    }
    key: Schema = {"place": {"type": "string", "enum": list(get_args(KeyPlace))}, "name": text}
    parts = {"servers": _listed({"url": text}), "keys": _listed(key), "operations": _listed(operation)}
    return object_schema(parts)


def _listed(properties: Schema) -> Schema:
    return {"type": "array", "items": object_schema({**properties, "quote": {"type": "string"}})}


F = TypeVar("F", bound=SaidField)


@dataclass(slots=True)
class _Check:
    """Holds a form against its piece."""

    text: str
    dropped: list[str] = field(default_factory=list[str])

    def form(self, form: Form) -> Form:
        """What of the form has a quote."""
        return Form(
            servers=tuple(server for server in form.servers if self._server(server)),
            keys=tuple(
                key
                for key in form.keys
                if key.name.strip() and self._named(f"The key {key.name!r}", key.name, key.quote)
            ),
            operations=tuple(self._within(each) for each in form.operations if self._operation(each)),
        )

    def _server(self, server: Server) -> bool:
        part = f"The server {server.url!r}"
        if not _is_address(server.url):
            return self._drop(f"{part} is not an address that begins with http:// or https://")
        return self._named(part, server.url, server.quote)

    def _operation(self, operation: Operation) -> bool:
        if not _PATH.fullmatch(operation.path) or len(
            set(SLOT.findall(operation.path))
        ) < operation.path.count("{"):
            return self._drop(
                f"{operation.title}: a path begins with '/' and names what varies once, in braces"
            )
        # What varies is written in many ways ({id}, :id, <id>): the rest of the path has to stand there.
        literal = SLOT.sub("...", operation.path)
        if not stands_in(folded(operation.method), folded(operation.quote)):
            return self._drop(f"{operation.title}: its quote does not hold the method")
        return self._named(operation.title, literal, operation.quote)

    def _within(self, operation: Operation) -> Operation:
        slots = SLOT.findall(operation.path)
        parameters = [
            each
            for each in self._fields(operation.title, operation.parameters)
            if each.place != "path"
            or each.name in slots
            or self._drop(f"{operation.title}, {each.name}: the path has no such part")
        ]
        parts = {
            "body": self._fields(operation.title, operation.body),
            "result": self._fields(operation.title, operation.result),
        }
        return operation.model_copy(update={"parameters": tuple(parameters), **parts})

    def _fields(self, of: str, fields: Sequence[F]) -> tuple[F, ...]:
        return tuple(
            self._with_values(of, field)
            for field in fields
            if self._shallow(of, field) and self._named(f"{of}, {field.name}", _said_name(field), field.quote)
        )

    def _shallow(self, of: str, field: SaidField) -> bool:
        known = 0 < len(steps(field.name)) <= DEEPEST
        return known or self._drop(
            f"{of}, {field.name}: a name leads to a field, through {DEEPEST} others at most"
        )

    def _with_values(self, of: str, field: F) -> F:
        shown = tuple(value for value in field.values if stands_in(folded(str(value)), self.text))
        if len(shown) == len(field.values):
            return field
        self._drop(f"{of}, {field.name}: not all of its values stand in the documentation; it is left open")
        return field.model_copy(update={"values": ()})

    def _named(self, part: str, name: str, quote: str) -> bool:
        """Whether a quote stands in the piece, and holds a name."""
        bare = folded(quote)
        if not stands_in(bare, self.text):
            return self._drop(f"{part}: its quote does not stand in the documentation")
        return not name or stands_in(folded(name), bare) or self._drop(f"{part}: its quote does not hold it")

    def _drop(self, why: str) -> bool:
        self.dropped.append(why)
        return False


def _is_address(url: str) -> bool:
    """Whether calls could go there. One with a name and a password is none that belongs into a file."""
    try:
        parts = urlsplit(url)
        return parts.scheme in {"http", "https"} and bool(parts.hostname) and "@" not in parts.netloc
    except ValueError:
        return False


def checked(piece: Piece, form: Form) -> tuple[Form, list[str]]:
    """Hold a form against its piece.

    Returns:
        What of it has a quote, and what went, a clause each.
    """
    check = _Check(folded(piece.text))
    return check.form(form), check.dropped


def steps(name: str) -> list[str]:
    """The way to a field: names of members, and "[]" for the elements of a list."""
    return [step for step in name.replace("[]", ".[].").split(".") if step]


def _said_name(field: SaidField) -> str:
    """The name that has to stand in a field's quote; empty for the elements of a list."""
    if isinstance(field, Parameter):
        return field.name
    return next((step for step in reversed(steps(field.name)) if step != "[]"), "")
