"""Tools of an OpenAPI document, 3.0 or 3.1: a tool for each operation that can be called with JSON or a form.

Nothing but the document itself is fetched: references that lead to other files or addresses are said.
"""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar
from urllib.parse import urljoin, urlsplit

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError, model_validator

from knowact.core.clean import one_line, plain
from knowact.core.errors import BadData, BadUsage, Place
from knowact.core.names import sanitised
from knowact.core.schema import Followed, References, Schema, elements, members
from knowact.core.yaml_text import yaml_value
from knowact.datasets.lines import read_text
from knowact.tools.folder import Hints, OwnTool, Part, Route
from knowact.tools.schemas import Resolver, finished, led_astray

if TYPE_CHECKING:
    import httpx

METHODS: Final = ("get", "put", "post", "delete", "options", "head", "patch", "trace")
SAFE: Final = frozenset(("get", "head", "options", "trace"))
IDEMPOTENT: Final = frozenset((*SAFE, "put", "delete"))
JSON_BODY: Final = "application/json"
FORM: Final = "application/x-www-form-urlencoded"
_IGNORED_HEADERS: Final = frozenset(("accept", "content-type", "authorization"))
"""The standard says that parameters of these names are ignored."""
LARGEST_DOCUMENT: Final = 50_000_000
DRAFT: Final = "x-knowact-draft"
"""The mark of a document that a model has drafted (`tools draft`) and no person has confirmed."""


@dataclass(frozen=True, slots=True)
class Document:
    """What a document offers.

    Attributes:
        tools: One for each operation that can be called.
        base: Its first server's address; empty where it names none.
        left_out: Operations that can't be called, and why, a clause each.
        wants: How the service wants to be told who calls, a clause each.
    """

    tools: tuple[OwnTool, ...]
    base: str
    left_out: tuple[str, ...]
    wants: tuple[str, ...]


def read_document(
    where: str, headers: Mapping[str, str], service: str = "", *, sent: Iterable[str] = ()
) -> Document:
    """Read the tools of a document.

    Args:
        where: A file, or an address.
        headers: Those of the service; they hold keys, so they are sent to fetch the document only where it
            lies with the service.
        service: The service's base address, where that is known already.
        sent: The names of the headers that go with each call, and so are no agent's to fill in.

    Raises:
        BadUsage: It can't be fetched.
        BadData: It is no OpenAPI 3 document, or a draft.
    """
    own: Mapping[str, str] = headers if _origin(where) == _origin(service) else {}
    text = _fetched(where, own) if is_address(where) else read_text(Path(where))
    document = _parsed(text, where)
    if DRAFT in document:
        fix = "compare each x-quote in it with the documentation, correct it, then remove that line"
        raise BadData("this is a draft that nobody has confirmed", Place(Path(where), None, DRAFT), fix)
    return document_of(document, where, sent)


def document_of(document: Schema, where: str, sent: Iterable[str] = ()) -> Document:
    """Read the tools of a document that was parsed, a draft or not; `sent` as for `read_document`.

    Raises:
        BadData: It is no OpenAPI 3 document; `where` is named.
    """
    _validated(document, where)
    return _Reader(document, where, _IGNORED_HEADERS | {name.lower() for name in sent}).read()


def is_address(where: str) -> bool:
    """Whether a document lies behind an address."""
    return urlsplit(where).scheme in {"http", "https"}


def _origin(address: str) -> tuple[str, str]:
    parts = urlsplit(address)
    return parts.scheme, parts.netloc


def _fetched(address: str, headers: Mapping[str, str]) -> str:
    import httpx

    try:
        # No redirect: it would take the headers to another place.
        with (
            httpx.Client(timeout=30.0, headers=dict(headers)) as client,
            client.stream("GET", address) as got,
        ):
            return _body(got, address)
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise BadUsage(f"{address} cannot be fetched ({one_line(error) or type(error).__name__}).") from error


def _body(got: "httpx.Response", address: str) -> str:
    if got.is_redirect:
        raise BadUsage(f"{address} leads to {one_line(got.headers.get('location', ''))}: give that address.")
    if not got.is_success:
        fix = "Give its file; or --base-url with the same host, so that --header is sent there, too."
        raise BadUsage(f"{address} answers {got.status_code} {one_line(got.reason_phrase)}. {fix}")
    taken = bytearray()
    for chunk in got.iter_bytes():
        taken += chunk
        if len(taken) > LARGEST_DOCUMENT:
            raise BadUsage(f"{address} sends more than {LARGEST_DOCUMENT:,} bytes, which no document has.")
    return taken.decode("utf-8", "replace")


def _parsed(text: str, where: str) -> Schema:
    place = Place(Path(where))
    try:
        is_json = text.lstrip().startswith("{")
        value = json.loads(text) if is_json else yaml_value(text, Path(where), newer=True)
    except json.JSONDecodeError as error:
        complaint = f"this is not JSON ({error.msg.lower()})"
        raise BadData(complaint, Place(Path(where), error.lineno), "correct it") from error
    except (ValueError, RecursionError) as error:
        raise BadData(f"this cannot be parsed ({error})", place, "correct it") from error
    # Statuses are numbers in YAML; in JSON they are texts.
    document: JsonValue = plain(value)
    if not isinstance(document, dict):
        fix = "give a document that begins with 'openapi: 3'"
        raise BadData("this is not an OpenAPI document", place, fix)
    return document


def _validated(document: Schema, where: str) -> None:
    """Check the document's structure by a library's model, which knows the standard better than we do."""
    from openapi_pydantic import parse_obj

    place = Place(Path(where))
    if "swagger" in document:
        fix = "convert it to OpenAPI 3 (https://converter.swagger.io), or ask the service for that"
        raise BadData(f"this is Swagger {document['swagger']}", place, fix)
    version = document.get("openapi")
    series = ".".join(str(version).split(".")[:2])
    if series not in {"3.0", "3.1"}:
        series = "it does not say its version" if version is None else f"this is OpenAPI {version}"
        raise BadData(series, place, "give a document of OpenAPI 3.0 or 3.1")
    try:
        parse_obj({**document, "openapi": f"{series}.0"})
    except ValidationError as error:
        # Unions of models complain once for each model; the deepest complaint tells most.
        deepest = max(error.errors(include_url=False), key=lambda each: len(each["loc"]))
        path = ".".join(str(part) for part in deepest["loc"] if str(part) not in _MODELS)
        broken = f"it breaks the rules of OpenAPI {series} ({deepest['msg'].lower()})"
        raise BadData(broken, Place(Path(where), None, path), "correct it there") from error


_MODELS: Final = frozenset(("3.0.0", "3.1.0", "Schema", "Reference"))


class _Part(BaseModel):
    """A part of a document that was found valid: null is nothing, and what we don't read is passed over."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    @model_validator(mode="before")
    @classmethod
    def _without_null(cls, given: JsonValue) -> JsonValue:
        return {name: value for name, value in members(given).items() if value is not None}


class _Variable(_Part):
    default: str = ""


class _Server(_Part):
    url: str = "/"
    variables: dict[str, _Variable] = {}


class _Scheme(_Part):
    """How a service learns who calls."""

    type: str = ""
    scheme: str = ""
    name: str = ""
    place: str = Field(default="", alias="in")

    @property
    def words(self) -> str:
        """Where the service looks for it."""
        if self.type == "apiKey":
            return f"a key in the {self.place} {self.name!r}"
        if self.type == "http":
            return f"the header Authorization, {self.scheme.lower()}"
        return f"{self.type}, as the header Authorization"


class _Media(_Part):
    shape: JsonValue = Field(default=None, alias="schema")


class _Parameter(_Media):
    name: str = ""
    place: str = Field(default="", alias="in")
    description: str = ""
    required: bool = False
    style: str = ""
    explode: bool | None = None
    content: dict[str, _Media] = {}


class _Body(_Part):
    """What a request or a response carries, by media type."""

    description: str = ""
    required: bool = False
    content: dict[str, _Media] = {}


class _Operation(_Part):
    operationId: str = ""  # noqa: N815 - the standard's name
    summary: str = ""
    description: str = ""
    tags: list[str] = []
    parameters: list[JsonValue] = []
    requestBody: JsonValue = None  # noqa: N815 - likewise
    responses: dict[str, JsonValue] = {}
    servers: list[_Server] = []
    deprecated: bool = False


P = TypeVar("P", bound=_Part)


@dataclass(slots=True)
class _Reader:
    """Reads the operations of one document that was found valid."""

    document: Schema
    where: str
    ignored: frozenset[str]
    left_out: list[str] = field(default_factory=list[str])
    taken: set[str] = field(default_factory=set[str])

    def read(self) -> Document:
        tools = tuple(self._tools())
        if not tools:
            why = f": {self.left_out[0]}" if self.left_out else ""
            complaint = f"no operation in it can be called{why}"
            raise BadData(complaint, Place(Path(self.where)), "give another document")
        return Document(tools, self._base(), tuple(self.left_out), tuple(self._wants()))

    def _tools(self) -> Iterator[OwnTool]:
        for path, item in members(self.document.get("paths")).items():
            known = self.followed(item).schema
            if lost := self.lost(item):
                self.left_out.append(f"{path}: {lost}")
            for method in METHODS:
                if isinstance(operation := known.get(method), dict):
                    shared = self.part(_Operation, known, path)
                    single = self.part(_Operation, operation, f"{path}.{method}")
                    made = _Maker(self, path, method, shared, single).tool()
                    if made is not None:
                        yield made

    def followed(self, value: JsonValue) -> Followed:
        """A part of the document, through references."""
        return References(self.document, frozenset()).follow(members(value))

    def lost(self, value: JsonValue) -> str:
        """What to say of a part whose reference has no target here; empty where it has one, or is none."""
        broken = self.followed(value).broken
        return led_astray(broken) if broken else ""

    def part(self, kind: type[P], value: JsonValue, at: str) -> P:
        """A part of the document, through references, as one of its kind.

        Raises:
            BadData: It is of another shape.
        """
        try:
            return kind.model_validate(self.followed(value).schema)
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            path = ".".join((at, *map(str, first["loc"])))
            wrong = f"it breaks the rules of OpenAPI ({first['msg'].lower()})"
            raise BadData(wrong, Place(Path(self.where), None, path), "correct it there") from error

    def name(self, operation: str, method: str, path: str) -> str:
        """A name that no other operation has: the document's own, else method and path."""
        base = operation or sanitised(f"{method}{path}".replace("{", "").replace("}", "").replace("/", "_"))
        name, number = base, 2
        while name in self.taken:
            name, number = f"{base}_{number}", number + 1
        self.taken.add(name)
        return name

    def _base(self) -> str:
        servers = elements(self.document.get("servers"))
        server = self.part(_Server, servers[0], "servers.0") if servers else _Server()
        url = server.url
        for name, variable in server.variables.items():
            url = url.replace(f"{{{name}}}", variable.default)
        if is_address(url):
            return url
        return urljoin(self.where, url or "/") if is_address(self.where) else ""

    def _wants(self) -> Iterator[str]:
        schemes = members(self.document.get("components")).get("securitySchemes")
        for name, scheme in members(schemes).items():
            yield f"{name}: {self.part(_Scheme, scheme, f'components.securitySchemes.{name}').words}"


@dataclass(slots=True)
class _Maker:
    """Makes one operation into a tool; `shared` is what the document says of all operations of its path."""

    reader: _Reader
    path: str
    method: str
    shared: _Operation
    operation: _Operation
    odd: list[str] = field(default_factory=list[str])
    properties: Schema = field(default_factory=Schema)
    required: list[JsonValue] = field(default_factory=list[JsonValue])
    places: dict[str, Part] = field(default_factory=dict[str, Part])
    wire: dict[str, str] = field(default_factory=dict[str, str])
    exploded: list[str] = field(default_factory=list[str])

    def tool(self) -> OwnTool | None:
        """The tool; None where no call of it could be sent, which is then said."""
        operation = self.operation
        for parameter in self._parameters():
            self._parameter(parameter)
        media = self._body()
        if media is None:
            return None
        returns = self._returns()
        name = self.reader.name(operation.operationId, self.method, self.path)
        if not operation.operationId:
            self.odd.append("the document gives it no name (operationId)")
        if operation.servers or self.shared.servers:
            self.odd.append("the document gives it servers of its own; calls go to the service's address")
        if operation.deprecated:
            self.odd.append("it is deprecated")
        parameters: Schema = {"type": "object", "properties": self.properties}
        if self.required:
            parameters["required"] = self.required
        made = OwnTool(
            name=name,
            description=self._description(),
            parameters=parameters,
            returns=returns,
            category=next(iter(operation.tags), ""),
            hints=Hints(
                read_only=self.method in SAFE,
                idempotent=self.method in IDEMPOTENT,
                destructive=True if self.method == "delete" else None,
                method=self.method.upper(),
            ),
            route=Route(
                path=self.path,
                places=self.places,
                wire=self.wire,
                exploded=tuple(self.exploded),
                media=media,
            ),
        )
        return finished(made, self.odd)

    @property
    def _at(self) -> str:
        return f"{self.path}.{self.method}"

    def _description(self) -> str:
        summary, description = self.operation.summary.strip(), self.operation.description.strip()
        if description.startswith(summary):
            return description
        return "\n\n".join(filter(None, (summary, description)))

    def _parameters(self) -> list[_Parameter]:
        """Parameters of the path, then those of the operation, which win where both speak of one."""
        listed = [*self.shared.parameters, *self.operation.parameters]
        self.odd += [f"of a parameter, {lost}" for each in listed if (lost := self.reader.lost(each))]
        read = [self.reader.part(_Parameter, each, f"{self._at}.parameters") for each in listed]
        return list({(each.place, each.name): each for each in read if each.name}.values())

    def _parameter(self, parameter: _Parameter) -> None:
        name, place = parameter.name, _PLACES.get(parameter.place)
        if place is None:
            self.odd.append(f"the parameter {name!r} is in {parameter.place!r}, which is not a place")
            return
        if place == "header" and name.lower() in self.reader.ignored:
            return
        schema = self._resolved(next(iter(parameter.content.values()), parameter).shape)
        if parameter.description:
            schema = {**schema, "description": parameter.description}
        style = parameter.style or ("form" if place in {"query", "cookie"} else "simple")
        if style not in {"form", "simple", "deepObject"}:
            self.odd.append(f"the style {style!r} of the parameter {name!r} is sent as a form's")
        own = self._add(name, place, schema, required=parameter.required or place == "path")
        if style == "form" if parameter.explode is None else parameter.explode:
            self.exploded.append(own)

    def _add(self, name: str, place: Part, schema: JsonValue, *, required: bool) -> str:
        """Take a parameter in, under a name of its own where two places have one of the same name."""
        own = name if name not in self.properties else f"{name}_in_{place.replace(' ', '_')}"
        self.properties[own] = schema
        self.places[own] = place
        if own != name:
            self.wire[own] = name
        if required:
            self.required.append(own)
        return own

    def _body(self) -> str | None:
        """Take the body in; return its media type, empty without one, None where no tool can fill it in."""
        call = f"{self.method.upper()} {self.path}"
        if lost := self.reader.lost(self.operation.requestBody):
            self.reader.left_out.append(f"{call}: of its body, {lost}")
            return None
        body = self.reader.part(_Body, self.operation.requestBody, f"{self._at}.requestBody")
        if not body.content:
            return ""
        media = _media(body.content)
        if not media:
            self.reader.left_out.append(f"{call} takes {', '.join(body.content)}, which no tool can fill in")
            return None
        schema = self._resolved(body.content[media].shape, leave="readOnly")
        properties = members(schema.get("properties"))
        if properties and "anyOf" not in schema and "oneOf" not in schema:
            needed = elements(schema.get("required")) if body.required else []
            for name, inner in properties.items():
                self._add(name, "body", inner, required=name in needed)
            return media
        if media == FORM:
            self.odd.append("its form's fields are not listed")
        words: Schema = {"description": body.description or "The body."}
        self._add("body", "whole body", {**words, **schema}, required=body.required)
        return media

    def _returns(self) -> Schema | None:
        """The schema of the first good response in JSON."""
        for status, response in sorted(self.operation.responses.items()):
            if status.startswith("2") or status == "default":
                self.odd += [lost] if (lost := self.reader.lost(response)) else []
                content = self.reader.part(_Body, response, f"{self._at}.responses.{status}").content
                shape = next((media.shape for name, media in content.items() if _is_json(name)), None)
                if shape:
                    return self._resolved(shape, leave="writeOnly") or None
        return None

    def _resolved(self, schema: JsonValue, leave: str = "") -> Schema:
        resolver = Resolver(self.reader.document, leave)
        resolved = resolver.resolve(schema or {})
        self.odd += resolver.odd
        return resolved


_PLACES: Final[Mapping[str, Part]] = {
    "path": "path",
    "query": "query",
    "header": "header",
    "cookie": "cookie",
}


def _is_json(media: str) -> bool:
    kind = media.partition(";")[0].strip().lower()
    return kind == JSON_BODY or kind.endswith("+json") or kind == "*/*"


def _media(content: Collection[str]) -> str:
    """The first media type that can be filled in; empty where there is none."""
    return next(filter(_is_json, content), "") or (FORM if FORM in content else "")
