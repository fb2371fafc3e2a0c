"""Reads a page as a browser would, for tests."""

import base64
import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

_VOID = frozenset({"meta", "input", "br", "link", "col", "img", "wbr"})


@dataclass
class PageRead:
    """What was found: each start tag with its attributes, text outside scripts and styles, scripts, and the
    texts of the elements that hold data; of these the payload, the trials, and transcripts by their places.
    """

    tags: list[tuple[str, dict[str, str]]] = field(default_factory=list[tuple[str, dict[str, str]]])
    texts: list[str] = field(default_factory=list[str])
    scripts: list[str] = field(default_factory=list[str])
    data: list[str] = field(default_factory=list[str])
    payload: dict[str, Any] = field(default_factory=dict[str, Any])
    trials: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    transcripts: dict[int, Any] = field(default_factory=dict[int, Any])
    unclosed: list[str] = field(default_factory=list[str])

    def all(self, name: str, **attributes: str) -> list[dict[str, str]]:
        """The attributes of every element of this name that has these attributes."""
        return [
            given
            for tag, given in self.tags
            if tag == name and all(given.get(key.rstrip("_")) == value for key, value in attributes.items())
        ]

    @property
    def text(self) -> str:
        """All text, one space between pieces."""
        return " ".join(" ".join(self.texts).split())


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found = PageRead()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.tags.append((tag, {key: value or "" for key, value in attrs}))
        if tag not in _VOID:
            self.found.unclosed.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.found.unclosed.pop() == tag

    def handle_data(self, data: str) -> None:
        inside = self.found.unclosed[-1] if self.found.unclosed else ""
        if inside == "script":
            holds_data = self.found.tags[-1][1].get("type") == "application/json"
            (self.found.data if holds_data else self.found.scripts).append(data)
        elif inside != "style":
            self.found.texts.append(data)


def read_page(html: str) -> PageRead:
    """Read a page; its elements must be closed in order."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    found = reader.found
    data: list[Any] = [*map(json.loads, found.data), [], []]
    found.payload = data[0]
    for chunk in data[1]:
        texts = json.loads(zlib.decompress(base64.b64decode(chunk["data"])))
        found.transcripts |= zip(chunk["places"], texts, strict=True)
    for block in data[2]:
        found.trials += trials_of(block)
    return found


def trials_of(block: Mapping[str, Any]) -> list[dict[str, Any]]:
    """A suite's trials out of their columns, as the page's scripts read them."""

    def spread(column: tuple[list[Any], str | None]) -> list[Any]:
        values, packed = column
        if packed is None:
            return values * block["count"] if len(values) == 1 else values
        width = 1 if len(values) <= 256 else 2 if len(values) <= 65_536 else 4
        codes = base64.b64decode(packed)
        places = (codes[at : at + width] for at in range(0, len(codes), width))
        return [values[int.from_bytes(place, "little")] for place in places]

    fields = {name: spread(column) for name, column in block["fields"].items()}
    groups = {
        group: {name: spread(column) for name, column in columns.items()}
        for group, columns in block["groups"].items()
    }
    return [
        {name: values[at] for name, values in fields.items()}
        | {
            group: {name: values[at] for name, values in found.items() if values[at] is not None}
            for group, found in groups.items()
        }
        for at in range(block["count"])
    ]
