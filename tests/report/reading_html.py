"""Reads a page as a browser would, for tests."""

import base64
import json
import zlib
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

_VOID = frozenset({"meta", "input", "br", "link", "col", "img", "wbr"})


@dataclass
class PageRead:
    """What was found: each start tag with its attributes, text outside scripts and styles, scripts, and the
    texts of the elements that hold data; of these the payload, and transcripts by the places of their trials.
    """

    tags: list[tuple[str, dict[str, str]]] = field(default_factory=list[tuple[str, dict[str, str]]])
    texts: list[str] = field(default_factory=list[str])
    scripts: list[str] = field(default_factory=list[str])
    data: list[str] = field(default_factory=list[str])
    payload: dict[str, Any] = field(default_factory=dict[str, Any])
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
    found.payload = json.loads(found.data[0])
    for chunk in json.loads(found.data[1]) if found.data[1:] else []:
        texts = json.loads(zlib.decompress(base64.b64decode(chunk["data"])))
        found.transcripts |= zip(chunk["places"], texts, strict=True)
    return found
