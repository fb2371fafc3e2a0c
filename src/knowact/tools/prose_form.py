"""What a model reads in a piece of documentation: a form, of which only what quotes support is kept."""

import hashlib
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Final, Literal, TypeVar, get_args
from urllib.parse import urlsplit

from pydantic import AfterValidator, BeforeValidator, ConfigDict, StringConstraints

from knowact.core.model import Noun
from knowact.core.schema import object_schema
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


def _lower(given: object) -> object:
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
        self._forms = {one.id: one.form for one in rows(file, Kept)}

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


def form_schema() -> dict[str, Any]:
    """The JSON Schema of a form, for models that can be held to one."""
    text = {"type": "string"}
    value = {
        "name": text,
        "type": {"type": "string", "enum": list(get_args(Kind))},
        "required": {"type": "boolean"},
        "description": text,
        "values": {"type": "array", "items": text},
    }
    fields = _listed(value)
    operation = {
        "method": {"type": "string", "enum": list(get_args(Method))},
        "path": text,
        "name": text,
        "summary": text,
        "parameters": _listed({"place": {"type": "string", "enum": list(get_args(ParameterPlace))}, **value}),
        "body_as": {"type": "string", "enum": ["json", "form"]},
        "body": fields,
        "result": fields,
    }
    key = {"place": {"type": "string", "enum": list(get_args(KeyPlace))}, "name": text}
    parts = {"servers": _listed({"url": text}), "keys": _listed(key), "operations": _listed(operation)}
    return object_schema(parts)


def _listed(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": object_schema({**properties, "quote": {"type": "string"}})}


F = TypeVar("F", bound=SaidField)


@dataclass(slots=True)
class _Check:
    """Holds a form against its piece."""

    text: str
    dropped: list[str] = field(default_factory=list[str])

    def form(self, said: Form) -> Form:
        """What of the form has a quote."""
        servers = [one for one in said.servers if self._server(one)]
        keys = [
            one
            for one in said.keys
            if one.name.strip() and self._named(f"The key {one.name!r}", one.name, one.quote)
        ]
        operations = [self._within(one) for one in said.operations if self._operation(one)]
        return Form(servers=tuple(servers), keys=tuple(keys), operations=tuple(operations))

    def _server(self, one: Server) -> bool:
        what = f"The server {one.url!r}"
        if not _is_address(one.url):
            return self._drop(f"{what} is not an address that begins with http:// or https://")
        return self._named(what, one.url, one.quote)

    def _operation(self, one: Operation) -> bool:
        if not _PATH.fullmatch(one.path) or len(set(SLOT.findall(one.path))) < one.path.count("{"):
            return self._drop(f"{one.title}: a path begins with '/' and names what varies once, in braces")
        # What varies is written in many ways ({id}, :id, <id>): the rest of the path has to stand there.
        literal = SLOT.sub("...", one.path)
        if not stands_in(folded(one.method), folded(one.quote)):
            return self._drop(f"{one.title}: its quote does not hold the method")
        return self._named(one.title, literal, one.quote)

    def _within(self, one: Operation) -> Operation:
        slots = SLOT.findall(one.path)
        parameters = [
            each
            for each in self._fields(one.title, one.parameters)
            if each.place != "path" or each.name in slots or self._drop(_no_slot(one, each))
        ]
        parts = {"body": self._fields(one.title, one.body), "result": self._fields(one.title, one.result)}
        return one.model_copy(update={"parameters": tuple(parameters), **parts})

    def _fields(self, of: str, said: Sequence[F]) -> tuple[F, ...]:
        return tuple(
            self._with_values(of, one)
            for one in said
            if self._shallow(of, one) and self._named(f"{of}, {one.name}", _said_name(one), one.quote)
        )

    def _shallow(self, of: str, one: SaidField) -> bool:
        known = 0 < len(steps(one.name)) <= DEEPEST
        return known or self._drop(
            f"{of}, {one.name}: a name leads to a field, through {DEEPEST} others at most"
        )

    def _with_values(self, of: str, one: F) -> F:
        shown = tuple(value for value in one.values if stands_in(folded(str(value)), self.text))
        if len(shown) == len(one.values):
            return one
        self._drop(f"{of}, {one.name}: not all of its values stand in the documentation; it is left open")
        return one.model_copy(update={"values": ()})

    def _named(self, what: str, name: str, quote: str) -> bool:
        """Whether a quote stands in the piece, and holds a name."""
        bare = folded(quote)
        if not stands_in(bare, self.text):
            return self._drop(f"{what}: its quote does not stand in the documentation")
        return not name or stands_in(folded(name), bare) or self._drop(f"{what}: its quote does not hold it")

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


def _no_slot(one: Operation, parameter: Parameter) -> str:
    return f"{one.title}, {parameter.name}: the path has no such part"


def checked(piece: Piece, said: Form) -> tuple[Form, list[str]]:
    """Hold a form against its piece.

    Returns:
        What of it has a quote, and what went, a clause each.
    """
    check = _Check(folded(piece.text))
    return check.form(said), check.dropped


def steps(name: str) -> list[str]:
    """The way to a field: names of members, and "[]" for the elements of a list."""
    return [step for step in name.replace("[]", ".[].").split(".") if step]


def _said_name(one: SaidField) -> str:
    """The name that has to stand in a field's quote; empty for the elements of a list."""
    if isinstance(one, Parameter):
        return one.name
    return next((step for step in reversed(steps(one.name)) if step != "[]"), "")
