"""Published descriptors of tools as our tools, whatever they are written in.

API-Bank writes a JSON object per line with `input_parameters`, the
altered lists are Python literals, and how ToolBench's rows look is not known. A list may therefore be a list,
or a text that is one list or has a descriptor per line, in JSON or as Python literals; a descriptor may have
API-Bank's, ToolBench's or a function schema's members. Anything else is refused with its place.
"""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import chain, count
from typing import Final, NamedTuple, cast

from pydantic import Field, JsonValue

from knowact.core.errors import BadData
from knowact.core.tool import Tool
from knowact.datasets.members import Members
from knowact.datasets.parameters import LISTS, Schema, parameters_of, property_of
from knowact.datasets.published import PublishedRow, Text, read_row
from knowact.suites.ict.layout import Kind
from knowact.suites.ict.literals import read_value

APIBANK_INPUT, APIBANK_OUTPUT = "input_parameters", "output_parameters"
TOOLBENCH_NAME: Final = "api_name"
FUNCTION_SCHEMA: Final = "parameters"
_FIX: Final = "give it the members of API-Bank, of ToolBench, or of a function schema"


class _Named(PublishedRow):
    name: Text


class _ApiNamed(PublishedRow):
    name: Text = Field(alias=TOOLBENCH_NAME)


class ToolKey(NamedTuple):
    """What names a tool in the published data; API-Bank has names only."""

    category: str
    server: str
    name: str


@dataclass(frozen=True, slots=True)
class Offer:
    """One tool on offer.

    Attributes:
        key: What names it in the published data.
        tool: What an agent is offered. Where a list has two tools of one name, their server stands before it.
        identity: The same for tools that an agent cannot tell apart, whatever they were written in and which
            other members their descriptors have.
    """

    key: ToolKey
    tool: Tool
    identity: str


def has_tools(row: Members, column: str) -> bool:
    """Whether a column holds a list of tools at all: not null, not blank, not an empty list."""
    value = row.get(column)
    return bool(value.strip() not in ("", "[]", "null", "None") if isinstance(value, str) else value)


def read_offers(row: Members, column: str) -> tuple[Offer, ...]:
    """Return the tools of a column, each once and each with a name of its own.

    Raises:
        BadData: It is no list of descriptors, or one of them is of no form that we know.
    """
    offers = [_offer(entry) for entry in _entries(row, column)]
    kept: dict[str, Offer] = {}
    for place, offer in enumerate(offers):
        if offer.identity in kept:
            row.mended(Kind.LISTED_TWICE, f"{offer.key.name} is offered once", f"{column}[{place}]")
        kept.setdefault(offer.identity, offer)
    return tuple(_named(list(kept.values()), row, column))


def _named(offers: Sequence[Offer], row: Members, column: str) -> Iterator[Offer]:
    """Tell tools of one name apart: by their server where they have one, else by a number."""
    counts = Counter(offer.key.name for offer in offers)
    taken = {name for name, count in counts.items() if count == 1}
    for offer in offers:
        _, server, name = offer.key
        if counts[name] == 1:
            yield offer
            continue
        base = f"{server}.{name}" if server else name
        names = chain([base], (f"{base}.{number}" for number in count(2)))
        name = next(name for name in names if name not in taken)
        taken.add(name)
        if name != offer.key.name:
            row.mended(Kind.SAME_NAME, f"offered as {name!r}", column)
        yield replace(offer, tool=offer.tool.model_copy(update={"name": name}))


def _entries(row: Members, column: str) -> Iterator[Members]:
    value = cast("JsonValue", row.get(column))
    listed = _listed(value, row, column) if isinstance(value, str) else value
    if not isinstance(listed, list) or not listed:
        what = "this must be a list of tools" if row.key(column) else "this column is missing"
        raise BadData(what, row.place(column), "write one descriptor on each line")
    for number, written in enumerate(listed):
        path = f"{column}[{number}]"
        entry = _listed(written, row, path)[0] if isinstance(written, str) and written.strip() else written
        if not isinstance(entry, dict):
            raise BadData("this is not a descriptor of a tool", row.place(path), _FIX)
        wrapped = entry.get("function")
        members = wrapped if isinstance(wrapped, dict) else entry
        # Parquet fills the members that a structure lacks with null.
        yield row.inside({name: member for name, member in members.items() if member is not None}, path)


def _listed(text: str, row: Members, column: str) -> list[JsonValue]:
    """Return the values of a text: one list, one object, or one on each line."""
    with suppress(ValueError):
        return _as_list(read_value(text))
    values: list[JsonValue] = []
    lines = [(number, line) for number, line in enumerate(text.split("\n"), start=1) if line.strip()]
    for number, line in lines:
        try:
            values += _as_list(read_value(line.strip().removesuffix(",")))
        except ValueError as error:
            where = f" in line {number} of the text" if len(lines) > 1 else ""
            what = f"the tools cannot be read{where} ({error})"
            raise BadData(what, row.place(column), "write them as JSON or as Python literals") from error
    return values


def _as_list(value: JsonValue) -> list[JsonValue]:
    return value if isinstance(value, list) else [value]


def _offer(entry: Members) -> Offer:
    value, returns = entry.value, None
    naming: type[_Named | _ApiNamed] = _Named
    description = entry.get("description")
    if APIBANK_INPUT in value:
        parameters = _by_name(entry, APIBANK_INPUT)
        returns = _by_name(entry, APIBANK_OUTPUT) if isinstance(value.get(APIBANK_OUTPUT), dict) else None
    elif TOOLBENCH_NAME in value or any(name in value for name in LISTS):
        naming = _ApiNamed if TOOLBENCH_NAME in value else _Named
        description, parameters = entry.get("api_description", "description"), parameters_of(entry)
    elif isinstance(value.get(FUNCTION_SCHEMA), dict):
        parameters = dict(value[FUNCTION_SCHEMA])
    else:
        what = f"the form of this descriptor is not known; it has {', '.join(map(repr, value)) or 'nothing'}"
        raise BadData(what, entry.place(), _FIX)
    words = [
        text.strip() if isinstance(text, str) else ""
        for text in (description, value.get("category_name"), value.get("tool_name"))
    ]
    tool = Tool(
        name=read_row(naming, entry).name.strip(),
        description=words[0],
        parameters=parameters,
        returns=returns,
        category=words[1],
        server=words[2],
    )
    identity = json.dumps([tool.server, tool.name, tool.description, tool.parameters], sort_keys=True)
    return Offer(ToolKey(tool.category, tool.server, tool.name), tool, identity)


def _by_name(entry: Members, group: str) -> Schema:
    """Return a schema of API-Bank's parameters, which stand under their names.

    API-Bank does not say which may be left out, so all count as required; of a result none does.
    """
    listed = cast("JsonValue", entry.value[group])
    if not isinstance(listed, dict):
        raise BadData("this must be an object with a member per parameter", entry.place(group), _FIX)
    properties: dict[str, JsonValue] = {}
    required: list[JsonValue] = []
    for name, value in listed.items():
        parameter = value if isinstance(value, dict) else {"type": value}
        properties[name] = property_of(entry.inside(parameter, f"{group}.{name}"))
        if group == APIBANK_INPUT and parameter.get("required") is not False:
            required.append(name)
    return {"type": "object", "properties": properties, "required": required}
