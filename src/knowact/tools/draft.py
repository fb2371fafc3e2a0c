"""An OpenAPI document drafted from prose: what a model reads in documentation, as far as quotes support it.

A model fills a form for each piece of the documentation (`prose_form`). Code throws away what has no quote
that stands in the piece, merges the rest, and writes a document marked as a draft. `tools add` refuses
it until a person has taken the mark away. Nothing that the model writes is run, and nothing is sent anywhere.
"""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import yaml
from pydantic import JsonValue

from knowact.core.clean import plain
from knowact.core.names import sanitised
from knowact.core.schema import Schema, elements, members
from knowact.tools.openapi import DRAFT, FORM, JSON_BODY, Document, document_of
from knowact.tools.prose import Piece
from knowact.tools.prose_form import (
    SLOT,
    Form,
    Key,
    Kind,
    Operation,
    Parameter,
    SaidField,
    Server,
    checked,
    steps,
)


@dataclass(frozen=True, slots=True)
class Draft:
    """A drafted document.

    Attributes:
        document: As OpenAPI 3.1 has it.
        read: What our own reader makes of it; None where no operation has a quote.
        dropped: What models said and no quote supports, a clause each.
    """

    document: Schema
    read: Document | None
    dropped: tuple[str, ...]

    @property
    def servers(self) -> tuple[str, ...]:
        """The addresses that the documentation names."""
        return tuple(str(members(server).get("url")) for server in elements(self.document.get("servers")))

    def text(self) -> str:
        """The document as YAML, which people read next to the documentation."""
        return _HEAD + yaml.safe_dump(self.document, sort_keys=False, allow_unicode=True, width=100)


_HEAD: Final = f"""\
# Drafted by a model from prose. Compare each x-quote with the documentation, correct and complete the rest,
# then remove the line `{DRAFT}`: `knowact tools add` refuses the document as long as it is there.
"""


def draft(name: str, model: str, read: Iterable[tuple[Piece, Form]], where: Path) -> Draft:
    """Merge what was read in pieces into one document.

    Args:
        name: The tools' name.
        model: Who read.
        read: The pieces in order, each with its form.
        where: Where the document will lie; for complaints.
    """
    merged = _Merged()
    files: dict[str, None] = {}
    for piece, form in read:
        files[piece.file] = None
        kept, dropped = checked(piece, form)
        merged.dropped += [f"{piece.file}: {clause}" for clause in dropped]
        merged.add(piece, kept)
    dropped = tuple(dict.fromkeys(merged.dropped))
    if not merged.operations:
        return Draft({}, None, dropped)
    info = {"title": name, "version": "draft", "x-drafted-by": model, "x-drafted-from": list(files)}
    document: Schema = plain({DRAFT: True, "openapi": "3.1.0", "info": info, **merged.parts()})
    return Draft(document, document_of(document, str(where)), dropped)


@dataclass(slots=True)
class _Call:
    """An operation, as far as pieces have described it; what was said first stays."""

    first: Operation
    file: str
    parameters: dict[tuple[str, str], Parameter] = field(default_factory=dict[tuple[str, str], Parameter])
    body: dict[str, SaidField] = field(default_factory=dict[str, SaidField])
    result: dict[str, SaidField] = field(default_factory=dict[str, SaidField])

    def add(self, operation: Operation) -> None:
        """Take in what another piece, or the first one, says of it."""
        # Another piece may call what varies by another name.
        own = dict(zip(SLOT.findall(operation.path), SLOT.findall(self.first.path), strict=True))
        for parameter in operation.parameters:
            name = own[parameter.name] if parameter.place == "path" else parameter.name
            self.parameters.setdefault((parameter.place, name), parameter.model_copy(update={"name": name}))
        for fields, described in ((self.body, operation.body), (self.result, operation.result)):
            for each in described:
                fields.setdefault(".".join(steps(each.name)), each)


@dataclass(slots=True)
class _Merged:
    """What all pieces say."""

    servers: dict[str, Server] = field(default_factory=dict[str, Server])
    keys: dict[tuple[str, str], Key] = field(default_factory=dict[tuple[str, str], Key])
    operations: dict[tuple[str, str], _Call] = field(default_factory=dict[tuple[str, str], _Call])
    paths: dict[str, str] = field(default_factory=dict[str, str])
    dropped: list[str] = field(default_factory=list[str])

    def add(self, piece: Piece, form: Form) -> None:
        """Take in what a piece says."""
        for server in form.servers:
            self.servers.setdefault(server.url.rstrip("/"), server)
        for key in form.keys:
            self.keys.setdefault((key.place, key.name.lower()), key)
        for operation in form.operations:
            shape = SLOT.sub("{}", operation.path)
            self.paths.setdefault(shape, operation.path)
            call = self.operations.setdefault((operation.method, shape), _Call(operation, piece.file))
            call.add(operation)

    def parts(self) -> Schema:
        """Servers, paths and keys, as OpenAPI has them."""
        parts: Schema = {}
        if self.servers:
            parts["servers"] = [{"url": url, "x-quote": server.quote} for url, server in self.servers.items()]
        paths: Schema = {}
        taken: set[str] = set()
        for (method, shape), call in self.operations.items():
            path = self.paths[shape]
            _member(paths, path)[method] = self._operation(path, call, taken)
        parts["paths"] = paths
        known: set[str] = set()
        keys: Schema = {
            _unlike(sanitised(key.name), known): {
                "type": "apiKey",
                "in": key.place,
                "name": key.name,
                "x-quote": key.quote,
            }
            for key in self.keys.values()
        }
        return {**parts, "components": {"securitySchemes": keys}} if keys else parts

    def _operation(self, path: str, call: _Call, taken: set[str]) -> Schema:
        first = call.first
        made: Schema = {
            "operationId": _unlike(sanitised(first.name or f"{first.method}{first.path}"), taken),
            "summary": first.summary,
            "x-quote": first.quote,
            "x-from": call.file,
        }
        if parameters := list(self._parameters(path, call)):
            made["parameters"] = [*parameters]
        if call.body:
            media = JSON_BODY if first.body_as == "json" else FORM
            needed = any(each.required for each in call.body.values())
            content: Schema = {media: {"schema": _schema(call.body.values())}}
            made["requestBody"] = {"required": needed, "content": content}
        answer: Schema = {"description": "A good answer."}
        if call.result:
            answer["content"] = {JSON_BODY: {"schema": _schema(call.result.values())}}
        return {**made, "responses": {"200": answer}}

    def _parameters(self, path: str, call: _Call) -> Iterator[Schema]:
        # The path of this operation may be that of another method, which names what varies otherwise.
        own = dict(zip(SLOT.findall(call.first.path), SLOT.findall(path), strict=True))
        for slot, name in own.items():
            varying = call.parameters.get(("path", slot))
            words: Schema = {"description": varying.description} if varying else {}
            schema: Schema = _leaf(varying) if varying else {"type": "string"}
            quote = (varying or call.first).quote
            parameter: Schema = {"name": name, "in": "path", "required": True}
            yield {**parameter, **words, "schema": schema, "x-quote": quote}
        for (place, name), each in call.parameters.items():
            if place != "path" and (place, name.lower()) not in self.keys:
                parameter = {"name": name, "in": place, "required": each.required}
                yield {**parameter, **_words(each), "schema": _leaf(each), "x-quote": each.quote}


def _unlike(name: str, taken: set[str]) -> str:
    free, number = name, 2
    while free in taken:
        free, number = f"{name[:60]}_{number}", number + 1
    taken.add(free)
    return free


def _words(field: SaidField) -> Schema:
    return {"description": field.description} if field.description else {}


def _leaf(field: SaidField) -> Schema:
    """The type of a field, and the values that are allowed, as far as they are of that type."""
    values: list[JsonValue] = [
        allowed for value in field.values if (allowed := _value(field.type, value)) is not None
    ]
    leaf: Schema = {"type": field.type}
    return {**leaf, "enum": values} if values and len(values) == len(field.values) else leaf


def _value(kind: Kind, value: str | float) -> str | int | float | None:
    if kind == "string":
        return str(value)
    try:
        number = float(value)
        if kind == "number":
            return number if math.isfinite(number) else None
        return int(number) if kind == "integer" and number.is_integer() else None
    except (ValueError, OverflowError):
        return None


def _schema(fields: Iterable[SaidField]) -> Schema:
    """One schema of fields by their names, which lead into objects and lists."""
    root: Schema = {}
    for described in fields:
        node, holder = root, root
        *_, last = way = steps(described.name)
        for step in way:
            holder, node = node, _inside(node, step)
        # What another field says of this one's members stands.
        shape = _leaf(described) if "type" not in node else {}
        node.update({**shape, **_words(described), "x-quote": described.quote})
        if described.required and last != "[]":
            holder["required"] = [*elements(holder.get("required")), last]
    return root


def _inside(node: Schema, step: str) -> Schema:
    # A list of allowed values is that of a plain value, which a field with members is none of.
    node.pop("enum", None)
    if step == "[]":
        node["type"] = "array"
        return _member(node, "items")
    node["type"] = "object"
    return _member(_member(node, "properties"), step)


def _member(node: Schema, name: str) -> Schema:
    """The object under a name, which is made where there is none."""
    member = node.get(name)
    if not isinstance(member, dict):
        member = node[name] = {}
    return member
