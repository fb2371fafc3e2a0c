"""Tools of an OpenAPI document, 3.0 or 3.1: a tool for each operation that can be called with JSON or a form.

Nothing but the document itself is fetched: references that lead to other files or addresses are said.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast
from urllib.parse import urljoin, urlsplit

from knowact.core.clean import one_line, plain
from knowact.core.errors import BadData, BadUsage, Place
from knowact.core.names import sanitised
from knowact.core.schema import target_of
from knowact.core.yaml_text import yaml_value
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
    text = _fetched(where, own) if is_address(where) else _file(Path(where))
    document = _parsed(text, where)
    if DRAFT in document:
        fix = "compare each x-quote in it with the documentation, correct it, then remove that line"
        raise BadData("this is a draft that nobody has confirmed", Place(Path(where), None, DRAFT), fix)
    return document_of(document, where, sent)


def document_of(document: dict[str, Any], where: str, sent: Iterable[str] = ()) -> Document:
    """Read the tools of a document that was parsed, a draft or not; `sent` as for `read_document`.

    Raises:
        BadData: It is no OpenAPI 3 document; `where` is named.
    """
    _validated(document, where)
    return _Reader(document, _IGNORED_HEADERS | {name.lower() for name in sent}).read(where)


def is_address(where: str) -> bool:
    """Whether a document lies behind an address."""
    return urlsplit(where).scheme in {"http", "https"}


def _origin(address: str) -> tuple[str, str]:
    parts = urlsplit(address)
    return parts.scheme, parts.netloc


def _file(file: Path) -> str:
    from knowact.datasets.lines import read_text

    return read_text(file)


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


def _parsed(text: str, where: str) -> dict[str, Any]:
    place = Place(Path(where))
    try:
        is_json = text.lstrip().startswith("{")
        value = json.loads(text) if is_json else yaml_value(text, Path(where), newer=True)
    except json.JSONDecodeError as error:
        what = f"this is not JSON ({error.msg.lower()})"
        raise BadData(what, Place(Path(where), error.lineno), "correct it") from error
    except (ValueError, RecursionError) as error:
        raise BadData(f"this cannot be parsed ({error})", place, "correct it") from error
    if not isinstance(value, dict):
        raise BadData(
            "this is not an OpenAPI document", place, "give a document that begins with 'openapi: 3'"
        )
    # Statuses are numbers in YAML; in JSON they are texts.
    return cast("dict[str, Any]", plain(cast("object", value)))


def _validated(document: dict[str, Any], where: str) -> None:
    """Check the document's structure by a library's model, which knows the standard better than we do."""
    from openapi_pydantic import parse_obj
    from pydantic import ValidationError

    place = Place(Path(where))
    if "swagger" in document:
        fix = "convert it to OpenAPI 3 (https://converter.swagger.io), or ask the service for that"
        raise BadData(f"this is Swagger {document['swagger']}", place, fix)
    version = document.get("openapi")
    series = ".".join(str(version).split(".")[:2])
    if series not in {"3.0", "3.1"}:
        what = "it does not say its version" if version is None else f"this is OpenAPI {version}"
        raise BadData(what, place, "give a document of OpenAPI 3.0 or 3.1")
    try:
        parse_obj({**document, "openapi": f"{series}.0"})
    except ValidationError as error:
        # Unions of models complain once for each model; the deepest complaint tells most.
        deepest = max(error.errors(include_url=False), key=lambda one: len(one["loc"]))
        path = ".".join(str(part) for part in deepest["loc"] if str(part) not in _MODELS)
        what = f"it breaks the rules of OpenAPI {series} ({deepest['msg'].lower()})"
        raise BadData(what, Place(Path(where), None, path), "correct it there") from error


_MODELS: Final = frozenset(("3.0.0", "3.1.0", "Schema", "Reference"))


@dataclass(slots=True)
class _Reader:
    """Reads the operations of one document that was found valid."""

    document: Mapping[str, Any]
    ignored: frozenset[str]
    left_out: list[str] = field(default_factory=list[str])
    taken: set[str] = field(default_factory=set[str])

    def read(self, where: str) -> Document:
        tools = tuple(self._tools())
        if not tools:
            why = f": {self.left_out[0]}" if self.left_out else ""
            raise BadData(
                f"no operation in it can be called{why}", Place(Path(where)), "give another document"
            )
        return Document(tools, self._base(where), tuple(self.left_out), tuple(self._wants()))

    def _tools(self) -> Iterator[OwnTool]:
        for path, item in cast("dict[str, Any]", self.document.get("paths") or {}).items():
            known = self.found(item)
            if lost := self.lost(item):
                self.left_out.append(f"{path}: {lost}")
            for method in METHODS:
                operation = known.get(method)
                if isinstance(operation, dict):
                    made = _Operation(self, path, method, known, cast("dict[str, Any]", operation)).tool()
                    if made is not None:
                        yield made

    def found(self, value: Any) -> dict[str, Any]:
        """A part of the document, through references (each leads to another one at most a few times)."""
        for _ in range(8):
            if not isinstance(value, dict):
                return {}
            part = cast("dict[str, Any]", value)
            if not isinstance(part.get("$ref"), str):
                return part
            value = target_of(self.document, part["$ref"])
        return {}

    def lost(self, value: Any) -> str:
        """What to say of a part whose reference has no target here; empty where it has one, or is none."""
        reference = cast("dict[str, Any]", value).get("$ref") if isinstance(value, dict) else None
        return "" if not isinstance(reference, str) or self.found(value) else led_astray(reference)

    def name(self, wanted: str, method: str, path: str) -> str:
        """A name that no other operation has: the document's own, else method and path."""
        base = wanted or sanitised(f"{method}{path}".replace("{", "").replace("}", "").replace("/", "_"))
        name, number = base, 2
        while name in self.taken:
            name, number = f"{base}_{number}", number + 1
        self.taken.add(name)
        return name

    def _base(self, where: str) -> str:
        servers = cast("Sequence[Any]", self.document.get("servers") or ())
        first = cast("dict[str, Any]", servers[0]) if servers else {}
        url = str(first.get("url") or "")
        for name, variable in cast("dict[str, Any]", first.get("variables") or {}).items():
            url = url.replace(f"{{{name}}}", str(cast("dict[str, Any]", variable).get("default", "")))
        if is_address(url):
            return url
        return urljoin(where, url or "/") if is_address(where) else ""

    def _wants(self) -> Iterator[str]:
        parts = cast("dict[str, Any]", self.document.get("components") or {})
        for name, scheme in cast("dict[str, Any]", parts.get("securitySchemes") or {}).items():
            known = self.found(scheme)
            kind = known.get("type")
            if kind == "apiKey":
                yield f"{name}: a key in the {known.get('in')} {known.get('name')!r}"
            elif kind == "http":
                yield f"{name}: the header Authorization, {str(known.get('scheme', '')).lower()}"
            else:
                yield f"{name}: {kind}, as the header Authorization"


@dataclass(slots=True)
class _Operation:
    """Turns one operation into a tool."""

    reader: _Reader
    path: str
    method: str
    item: Mapping[str, Any]
    operation: Mapping[str, Any]
    odd: list[str] = field(default_factory=list[str])
    properties: dict[str, Any] = field(default_factory=dict[str, Any])
    required: list[str] = field(default_factory=list[str])
    places: dict[str, Part] = field(default_factory=dict[str, Part])
    wire: dict[str, str] = field(default_factory=dict[str, str])
    exploded: list[str] = field(default_factory=list[str])

    def tool(self) -> OwnTool | None:
        """The tool; None where no call of it could be sent, which is then said."""
        for one in self._parameters():
            self._parameter(one)
        what = f"{self.method.upper()} {self.path}"
        body = self.reader.found(self.operation.get("requestBody"))
        if lost := self.reader.lost(self.operation.get("requestBody")):
            self.reader.left_out.append(f"{what}: of its body, {lost}")
            return None
        content = cast("dict[str, Any]", body.get("content") or {})
        media = _media(content)
        if content and not media:
            self.reader.left_out.append(f"{what} takes {', '.join(content)}, which no tool can fill in")
            return None
        if media:
            self._body(cast("dict[str, Any]", content[media]).get("schema"), media, body)
        returns = self._returns()
        name = self.reader.name(str(self.operation.get("operationId") or ""), self.method, self.path)
        if not self.operation.get("operationId"):
            self.odd.append("the document gives it no name (operationId)")
        if self.operation.get("servers") or self.item.get("servers"):
            self.odd.append("the document gives it servers of its own; calls go to the service's address")
        if self.operation.get("deprecated") is True:
            self.odd.append("it is deprecated")
        parameters: dict[str, Any] = {"type": "object", "properties": self.properties}
        if self.required:
            parameters["required"] = self.required
        tags = cast("Sequence[Any]", self.operation.get("tags") or ())
        route = Route(
            path=self.path, places=self.places, wire=self.wire, exploded=tuple(self.exploded), media=media
        )
        made = OwnTool(
            name=name,
            description=self._description(),
            parameters=parameters,
            returns=returns,
            category=str(tags[0]) if tags else "",
            hints=Hints(
                read_only=self.method in SAFE,
                idempotent=self.method in IDEMPOTENT,
                destructive=True if self.method == "delete" else None,
                method=self.method.upper(),
            ),
            route=route,
        )
        return finished(made, self.odd)

    def _description(self) -> str:
        said = [str(self.operation.get(part) or "").strip() for part in ("summary", "description")]
        if said[1].startswith(said[0]):
            return said[1]
        return "\n\n".join(one for one in said if one)

    def _parameters(self) -> list[dict[str, Any]]:
        """Parameters of the path, then those of the operation, which win where both speak of one."""
        listed = (
            *cast("Sequence[Any]", self.item.get("parameters") or ()),
            *cast("Sequence[Any]", self.operation.get("parameters") or ()),
        )
        self.odd += [f"of a parameter, {lost}" for one in listed if (lost := self.reader.lost(one))]
        found = [self.reader.found(one) for one in listed]
        return list({(one.get("in"), one.get("name")): one for one in found if one.get("name")}.values())

    def _parameter(self, one: Mapping[str, Any]) -> None:
        name, place = str(one["name"]), str(one.get("in"))
        if place not in {"path", "query", "header", "cookie"}:
            self.odd.append(f"the parameter {name!r} is in {place!r}, which is not a place")
            return
        if place == "header" and name.lower() in self.reader.ignored:
            return
        content = cast("dict[str, Any]", one.get("content") or {})
        inner = cast("Mapping[str, Any]", next(iter(content.values()))) if content else one
        schema = self._resolved(inner.get("schema") or {})
        if one.get("description"):
            schema = {**schema, "description": one["description"]}
        style = one.get("style") or ("form" if place in {"query", "cookie"} else "simple")
        if style not in {"form", "simple", "deepObject"}:
            self.odd.append(f"the style {style!r} of the parameter {name!r} is sent as a form's")
        own = self._add(name, cast("Part", place), schema)
        if one.get("explode", style == "form"):
            self.exploded.append(own)
        if one.get("required") is True or place == "path":
            self.required.append(own)

    def _add(self, name: str, place: Part, schema: dict[str, Any]) -> str:
        """Take a parameter in, under a name of its own where two places have one of the same name."""
        own = name if name not in self.properties else f"{name}_in_{place.replace(' ', '_')}"
        self.properties[own] = schema
        self.places[own] = place
        if own != name:
            self.wire[own] = name
        return own

    def _body(self, schema: Any, media: str, body: Mapping[str, Any]) -> None:
        read = self._resolved(schema or {}, leave="readOnly")
        properties = read.get("properties")
        if isinstance(properties, dict) and properties and "anyOf" not in read and "oneOf" not in read:
            needed = cast("list[str]", read.get("required", ())) if body.get("required") is True else ()
            for name, inner in cast("dict[str, Any]", properties).items():
                own = self._add(name, "body", cast("dict[str, Any]", inner))
                if name in needed:
                    self.required.append(own)
            return
        if media == FORM:
            self.odd.append("its form's fields are not listed")
        own = self._add(
            "body", "whole body", {"description": str(body.get("description") or "The body."), **read}
        )
        if body.get("required") is True:
            self.required.append(own)

    def _returns(self) -> dict[str, Any] | None:
        """The schema of the first good response in JSON."""
        responses = cast("dict[str, Any]", self.operation.get("responses") or {})
        for status in sorted(responses):
            if status.startswith("2") or status == "default":
                self.odd += [lost] if (lost := self.reader.lost(responses[status])) else []
                content = cast("dict[str, Any]", self.reader.found(responses[status]).get("content") or {})
                media = next((one for one in content if _is_json(one)), None)
                schema = cast("dict[str, Any]", content[media]).get("schema") if media else None
                if schema:
                    return self._resolved(schema, leave="writeOnly") or None
        return None

    def _resolved(self, schema: Any, leave: str = "") -> dict[str, Any]:
        resolver = Resolver(self.reader.document, leave)
        found = resolver.resolve(schema)
        self.odd += resolver.odd
        return found


def _is_json(media: str) -> bool:
    kind = media.partition(";")[0].strip().lower()
    return kind == JSON_BODY or kind.endswith("+json") or kind == "*/*"


def _media(content: Mapping[str, Any]) -> str:
    """The first media type that can be filled in; empty where there is none."""
    return next((one for one in content if _is_json(one)), "") or (FORM if FORM in content else "")
