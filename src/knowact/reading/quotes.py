"""Quotes: does a stretch of text stand in a reply, whatever its case, spacing, marks and typography?

Folding makes one spelling of what is only typography. A quote then has to stand in the folded reply between
the borders of tokens, so that "16" is no quote from "116" and "art" none from "start".
"""

import re
import unicodedata
from functools import lru_cache
from typing import Final

_SPELLED: Final = str.maketrans(
    {
        **dict.fromkeys("\u2018\u2019\u201a\u201b\u02bc\u00b4`", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u201f\u00ab\u00bb\u2039\u203a", '"'),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d", "-"),
        **dict.fromkeys("\u00ba\u02da", "\u00b0"),
        **dict.fromkeys("\u200b\u200c\u200d\u2060\ufeff\u00ad\u200e\u200f", ""),
        # Marks of Markdown, LaTeX and tables: they carry no words.
        **dict.fromkeys("*_~#|>\\{}`", " "),
        "\u2026": "...",
        "\u20e3": "",
    }
)
_FRACTION_BAR: Final = "\u2044"
_TAG: Final = re.compile(r"<[a-zA-Z/!][^<>]{0,200}>")
_LATEX: Final = re.compile(r"\\[,;:! ]|\{([.,])\}")
"""Blanks of LaTeX, and its way to write a separator inside a number: 12{,}345."""
_SPACED: Final = re.compile(r"\s+")
_BEFORE_POINT: Final = re.compile(r" (?=[.,;:!?)\]%])|(?<=[(\[]) ")


def folded(text: str) -> str:
    """Return one plain spelling of a text: no case, marks or typography; single blanks. Linear time."""
    bare = _LATEX.sub(lambda match: match[1] or " ", _TAG.sub(" ", text))
    plain = unicodedata.normalize("NFKC", bare.translate(_SPELLED)).translate(_SPELLED)
    plain = _SPACED.sub(" ", plain.replace(_FRACTION_BAR, "/").casefold()).strip()
    return _BEFORE_POINT.sub("", plain)


def stands_in(quote: str, text: str) -> bool:
    """Whether a folded quote stands in a folded text between borders of tokens. An empty one does not.

    A quote that leaves something out ("the flat ... 900 euros") stands there if its pieces do, in order.
    """
    pieces = [piece.strip() for piece in quote.split("...") if piece.strip()]
    whole, position = _bordered(text), 0
    for piece in map(_bordered, pieces):
        start = whole.find(piece, position)
        if start < 0:
            return False
        position = start + len(piece) - len(_BORDER)
    return bool(pieces)


@lru_cache(maxsize=64)
def _bordered(text: str) -> str:
    """The text with a border around each token, so that finding tokens is finding text."""
    tokens = (
        _BORDER.join(token) if not token.isascii() and any(map(_is_wide, token)) else token
        for token in _TOKEN.findall(text)
    )
    return f"{_BORDER}{_BORDER.join(tokens)}{_BORDER}"


_BORDER: Final = "\x1f"
_TOKEN: Final = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+|.")
"""A number, a word or any other sign; folded texts hold no line breaks."""


def _is_wide(character: str) -> bool:
    """Whether it is a sign of Chinese, Japanese or Korean, which put no blanks between words."""
    return unicodedata.east_asian_width(character) in {"W", "F"}
