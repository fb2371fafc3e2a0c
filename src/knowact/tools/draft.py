"""An OpenAPI document drafted from prose: what a model reads in documentation, as far as quotes support it.

A model fills a form for each piece of the documentation (`prose_form`). Code throws away what has no quote
that stands in the piece, merges the rest, and writes a document marked as a draft. `tools add` refuses
it until a person has taken the mark away. Nothing that the model writes is run, and nothing is sent anywhere.
"""

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import yaml

from knowact.core.clean import plain
from knowact.core.names import sanitised
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

    document: Mapping[str, Any]
    read: Document | None
    dropped: tuple[str, ...]

    @property
    def servers(self) -> tuple[str, ...]:
        """The addresses that the documentation names."""
        return tuple(one["url"] for one in self.document.get("servers", ()))

    def text(self) -> str:
        """The document as YAML, which people read next to the documentation."""
        return _HEAD + yaml.safe_dump(dict(self.document), sort_keys=False, allow_unicode=True, width=100)


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
    for piece, said in read:
        files[piece.file] = None
        kept, dropped = checked(piece, said)
        merged.dropped += [f"{piece.file}: {one}" for one in dropped]
        merged.add(piece, kept)
    dropped = tuple(dict.fromkeys(merged.dropped))
    if not merged.operations:
        return Draft({}, None, dropped)
    info = {"title": name, "version": "draft", "x-drafted-by": model, "x-drafted-from": list(files)}
    document: dict[str, Any] = plain({DRAFT: True, "openapi": "3.1.0", "info": info, **merged.parts()})
    return Draft(document, document_of(document, str(where)), dropped)


@dataclass(slots=True)
class _Call:
    """An operation, as far as pieces have described it; what was said first stays."""

    first: Operation
    file: str
    parameters: dict[tuple[str, str], Parameter] = field(default_factory=dict[tuple[str, str], Parameter])
    body: dict[str, SaidField] = field(default_factory=dict[str, SaidField])
    result: dict[str, SaidField] = field(default_factory=dict[str, SaidField])

    def add(self, one: Operation) -> None:
        """Take in what another piece, or the first one, says of it."""
        # Another piece may call what varies by another name.
        own = dict(zip(SLOT.findall(one.path), SLOT.findall(self.first.path), strict=True))
        for each in one.parameters:
            name = own[each.name] if each.place == "path" else each.name
            self.parameters.setdefault((each.place, name), each.model_copy(update={"name": name}))
        for each in one.body:
            self.body.setdefault(".".join(steps(each.name)), each)
        for each in one.result:
            self.result.setdefault(".".join(steps(each.name)), each)


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
        for said in form.operations:
            shape = SLOT.sub("{}", said.path)
            self.paths.setdefault(shape, said.path)
            call = self.operations.setdefault((said.method, shape), _Call(said, piece.file))
            call.add(said)

    def parts(self) -> dict[str, Any]:
        """Servers, paths and keys, as OpenAPI has them."""
        servers = [{"url": url, "x-quote": one.quote} for url, one in self.servers.items()]
        paths: dict[str, dict[str, Any]] = {}
        taken: set[str] = set()
        for (method, shape), call in self.operations.items():
            path = self.paths[shape]
            paths.setdefault(path, {})[method] = self._operation(path, call, taken)
        known: set[str] = set()
        keys = {
            _unlike(sanitised(one.name), known): {
                "type": "apiKey",
                "in": one.place,
                "name": one.name,
                "x-quote": one.quote,
            }
            for one in self.keys.values()
        }
        return {
            **({"servers": servers} if servers else {}),
            "paths": paths,
            **({"components": {"securitySchemes": keys}} if keys else {}),
        }

    def _operation(self, path: str, call: _Call, taken: set[str]) -> dict[str, Any]:
        first = call.first
        made: dict[str, Any] = {
            "operationId": _unlike(sanitised(first.name or f"{first.method}{first.path}"), taken),
            "summary": first.summary,
            "x-quote": first.quote,
            "x-from": call.file,
        }
        if parameters := list(self._parameters(path, call)):
            made["parameters"] = parameters
        if call.body:
            media = JSON_BODY if first.body_as == "json" else FORM
            content = {media: {"schema": _schema(call.body.values())}}
            needed = any(one.required for one in call.body.values())
            made["requestBody"] = {"required": needed, "content": content}
        answer: dict[str, Any] = {"description": "A good answer."}
        if call.result:
            answer["content"] = {JSON_BODY: {"schema": _schema(call.result.values())}}
        return {**made, "responses": {"200": answer}}

    def _parameters(self, path: str, call: _Call) -> Iterator[dict[str, Any]]:
        # The path of this operation may be that of another method, which names what varies otherwise.
        own = dict(zip(SLOT.findall(call.first.path), SLOT.findall(path), strict=True))
        for slot, name in own.items():
            said = call.parameters.get(("path", slot))
            schema = _leaf(said) if said else {"type": "string"}
            told = {"description": said.description} if said else {}
            quote = (said or call.first).quote
            yield {
                "name": name,
                "in": "path",
                "required": True,
                **told,
                "schema": schema,
                "x-quote": quote,
            }
        for (place, name), one in call.parameters.items():
            if place != "path" and (place, name.lower()) not in self.keys:
                told = {"description": one.description} if one.description else {}
                yield {
                    "name": name,
                    "in": place,
                    "required": one.required,
                    **told,
                    "schema": _leaf(one),
                    "x-quote": one.quote,
                }


def _unlike(name: str, taken: set[str]) -> str:
    found, number = name, 2
    while found in taken:
        found, number = f"{name[:60]}_{number}", number + 1
    taken.add(found)
    return found


def _leaf(one: SaidField) -> dict[str, Any]:
    """The type of a field, and the values that are allowed, as far as they are of that type."""
    values = [found for value in one.values if (found := _value(one.type, value)) is not None]
    allowed = values and len(values) == len(one.values)
    return {"type": one.type, **({"enum": values} if allowed else {})}


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


def _schema(said: Iterable[SaidField]) -> dict[str, Any]:
    """One schema of fields by their names, which lead into objects and lists."""
    root: dict[str, Any] = {}
    for one in said:
        node, holder = root, root
        *_, last = way = steps(one.name)
        for step in way:
            holder, node = node, _inside(node, step)
        # What another field says of this one's members stands.
        shape = _leaf(one) if "type" not in node else {}
        told = {"description": one.description} if one.description else {}
        node.update({**shape, **told, "x-quote": one.quote})
        if one.required and last != "[]":
            holder.setdefault("required", []).append(last)
    return root


def _inside(node: dict[str, Any], step: str) -> dict[str, Any]:
    # A list of allowed values is that of a plain value, which a field with members is none of.
    node.pop("enum", None)
    if step == "[]":
        node["type"] = "array"
        return node.setdefault("items", {})
    node["type"] = "object"
    return node.setdefault("properties", {}).setdefault(step, {})
