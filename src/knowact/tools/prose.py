"""Prose documentation as plain text, in pieces that a model can be shown."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import unescape
from pathlib import Path
from typing import Final

from knowact.core.clean import text as clean_text
from knowact.core.errors import BadData, Place
from knowact.datasets.lines import read_text

LARGEST: Final = 5_000_000
"""Characters of a file: more is no documentation of one service, and would cost a fortune to read."""
PIECE: Final = 16_000
"""Characters of a piece, about 4,000 tokens: what it says then fits into one reply."""
OVERLAP: Final = 1_500
"""Characters that a piece repeats of the one before it, so that a cut loses no heading."""

_HTML: Final = frozenset((".html", ".htm", ".xhtml"))
_TAG: Final = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9-]*)(?:[\s/][^<>]*)?>|<[!?][^<>]*>")
_COMMENT: Final = re.compile(r"<!--.*?-->", re.DOTALL)
_UNSEEN: Final = {
    name: re.compile(rf"</{name}\b", re.IGNORECASE) for name in ("script", "style", "template", "title")
}
"""Elements whose text nobody reads on the page, and how they end."""
_HEADINGS: Final = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_LINES: Final = _HEADINGS | {
    *("p", "div", "section", "article", "li", "tr", "pre", "table", "dt", "dd", "blockquote")
}
"""Elements that end a line."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of documentation.

    Attributes:
        file: The name of its file.
        number: Which of the file's pieces, from 1.
        text: What stands there.
    """

    file: str
    number: int
    text: str


def pieces(files: Sequence[Path]) -> list[Piece]:
    """Read documentation: text, Markdown or HTML (by its ending).

    Raises:
        BadData: A file cannot be read, is no text, is empty or is too large.
    """
    return [
        Piece(file.name, number, text)
        for file in files
        for number, text in enumerate(_cut(_plain(file)), start=1)
    ]


def _plain(file: Path) -> str:
    if file.is_file() and file.stat().st_size > 4 * LARGEST:  # the most that UTF-8 takes
        raise _too_large(file)
    text = read_text(file)
    if "\0" in text:
        fix = "give text, Markdown or HTML (convert other formats first)"
        raise BadData("this is not text", Place(file), fix)
    if len(text) > LARGEST:
        raise _too_large(file)
    shown = clean_text(_of_html(text) if file.suffix.lower() in _HTML else text)
    if not shown.strip():
        raise BadData("there is no text in it", Place(file), "give the file that says what the service does")
    return shown


def _too_large(file: Path) -> BadData:
    too_large = f"it has more than {LARGEST:,} characters"
    return BadData(too_large, Place(file), "give the parts that describe the calls")


def _of_html(text: str) -> str:
    """The text of a page as a reader sees it, whatever its markup, in linear time.

    The standard library's parser takes minutes for half a megabyte of comments that never end, and a tree of
    elements for deep ones. Headings keep a mark, so that pieces can begin with them.
    """
    last = text.rfind("-->") + len("-->")
    text = _COMMENT.sub(" ", text[:last]) + text[last:]
    parts: list[str] = []
    place = 0
    while (tag := _TAG.search(text, place)) is not None:
        parts.append(text[place : tag.start()])
        name, place = (tag[2] or "").lower(), tag.end()
        if name in _UNSEEN and not tag[1]:
            end = _UNSEEN[name].search(text, place)
            place = end.start() if end else len(text)
        else:
            parts.append(_instead(name, closing=bool(tag[1])))
    return unescape("".join([*parts, text[place:]]))


def _instead(name: str, *, closing: bool) -> str:
    """What stands in a tag's place."""
    if name in _HEADINGS and not closing:
        return f"\n{'#' * int(name[1])} "
    if name == "br" or (closing and name in _LINES):
        return "\n"
    return " | " if closing and name in {"td", "th"} else ""


def _cut(text: str) -> Iterator[str]:
    start = 0
    while start < len(text):
        end = start + PIECE
        if end < len(text):
            end = _border(text, start + PIECE // 2, end)
        yield text[max(0, start - OVERLAP) : end]
        start = end


def _border(text: str, low: int, high: int) -> int:
    """Where to cut: before a heading, else after a paragraph, a line, a word."""
    for mark in ("\n#", "\n\n", "\n", " "):
        if (border := text.rfind(mark, low, high)) >= 0:
            return border + 1
    return high
