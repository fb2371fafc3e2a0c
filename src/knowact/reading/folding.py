"""Folding: one plain spelling for what models write, with the way back to the original positions."""

import re
import unicodedata
from array import array
from dataclasses import dataclass
from functools import lru_cache

from knowact.reading.thoughts import without_thoughts

_SPECIAL = {
    "\u2018": "'", "\u2019": "'", "\u201a": "'", "\u201b": "'", "\u02bc": "'", "\u00b4": "'",
    "\u201c": '"', "\u201d": '"', "\u201e": '"', "\u201f": '"', "\u00ab": '"', "\u00bb": '"',
    "\u2212": "-", "\u2010": "-", "\u2011": "-", "\u2012": "-", "\ufe63": "-", "\uff0d": "-",
    "\u2013": "\u2013", "\u2014": "\u2014", "\u00ba": "\u00b0", "\u02da": "\u00b0", "\u2026": "...",
    "\u00bd": ".5", "\u00bc": ".25", "\u00be": ".75", "\u00df": "ss", "\u20ac": "\u20ac",
    "\u00d7": "\u00d7", "\u00f7": "\u00f7", "\u200b": "", "\u2060": "", "\ufeff": "", "\u00ad": "",
}  # fmt: skip
_FRACTION = re.compile(r"\\[dt]?frac\s*\{\s*(\d+)\s*\}\s*\{\s*(\d+)\s*\}")
_SUPERSCRIPTS = frozenset("\u00b2\u00b3\u00b9\u2070\u2074\u2075\u2076\u2077\u2078\u2079")
_MARKUP = (
    (
        re.compile(r"~~(?=\S)[^~\n]{1,300}~~|<(del|s|strike)>[^<]{0,300}</\1\s*>", re.IGNORECASE),
        " ",
    ),  # taken back
    (re.compile(r"\$(?=[^$\n]{0,200}\\)|(?<=[\w}°)])\$(?![ ]?\d)"), " "),
    (re.compile(r"<br\s*/?>|</(?:p|li|tr|div|h\d)\s*>", re.IGNORECASE), "\n"),
    (re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL), " "),
    (re.compile(r"</?[a-zA-Z][^<>\n]{0,200}>"), " "),
    (re.compile(r"(?<=[a-zA-Z])_(?=[a-zA-Z])"), " "),
    (re.compile(r"https?://[^\s)>\]]+"), " "),
    (re.compile(r"^[ \t]*(?:```|~~~)[^\n]*", re.MULTILINE), " "),
    (re.compile(r"\^\s*\{?\s*\\circ\s*\}?|\\(?:degree|degrees)\b"), "\u00b0"),
    (re.compile(r"\\(?:boxed|text|mathrm|mathbf|textbf|mathit|operatorname|left|right|displaystyle)\b"), " "),
    (re.compile(r"\\(?:approx|sim|simeq)\b"), "\u2248"),
    (re.compile(r"\\(?:times|cdot)\b"), "\u00d7"),
    (re.compile(r"\\[,;:!\s()\[\]]"), " "),
    (re.compile(r"\\(?=[%$#&_*])"), " "),
    (re.compile(r"[*`{}]|(?<!\w)_+|_+(?!\w)|~~"), " "),
)


_MARKS = re.compile(r"[*`{}_~$<\\^]|://")
"""Each pattern of `_MARKUP` takes at least one of these; most texts have none."""


@lru_cache(maxsize=4096)
def _folded_character(character: str) -> str:
    if character in _SPECIAL:
        return _SPECIAL[character]
    if character in _SUPERSCRIPTS:
        return "^" + unicodedata.normalize("NFKC", character)
    pieces = unicodedata.normalize("NFKD", character)
    return "".join(
        " " if piece.isspace() and piece != "\n" else piece for piece in pieces if not _mark(piece)
    )


def _mark(character: str) -> bool:
    return unicodedata.combining(character) != 0


@dataclass(frozen=True, slots=True)
class Folded:
    """A text in plain spelling.

    Attributes:
        cased: Without accents, typographic variants, thoughts, tags, links and the marks of Markdown and
            LaTeX; what is taken away leaves blanks.
        plain: The same in lower case, position by position.
        origin: For every position, the position in the original text; one more at the end.
    """

    cased: str
    plain: str
    origin: "array[int]"

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Where `cased[start:end]` stands in the original."""
        return self.origin[start], max(self.origin[start], self.origin[max(end - 1, start)] + 1)


def _lower(character: str) -> str:
    low = character.lower()
    return low if len(low) == 1 else character


def fold(text: str) -> Folded:
    """Fold a text. Linear in its length."""
    text = without_thoughts(text)
    cased, origin = _respelt(text)
    cased = cased.replace("\r", " ").replace("\t", " ")
    cased = _FRACTION.sub(lambda match: f"{match[1]}/{match[2]}".ljust(len(match[0])), cased)
    if _MARKS.search(cased):
        for pattern, mark in _MARKUP:
            cased = pattern.sub(lambda match, mark=mark: mark.ljust(len(match[0])), cased)
    plain = cased.lower()
    if len(plain) != len(cased):
        plain = "".join(map(_lower, cased))
    return Folded(cased, plain, origin)


def _respelt(text: str) -> tuple[str, "array[int]"]:
    """The text without accents and typographic variants, and where each character comes from."""
    if text.isascii():
        return text, array("l", range(len(text) + 1))
    pieces, origin = list[str](), array("l")
    for position, character in enumerate(text):
        piece = character if character.isascii() else _folded_character(character)
        pieces.append(piece)
        origin.extend([position] * len(piece))
    origin.append(len(text))
    return "".join(pieces), origin


@lru_cache(maxsize=4096)
def fold_words(text: str) -> str:
    """A short text (a label, a value) in the same plain spelling, in lower case."""
    return " ".join(fold(text).plain.split())
