"""Does a message that an assistant is about to send say what it should?"""

import re
from typing import Final

from knowact.reading.folding import fold

_QUOTED: Final = re.compile(
    r"[\"\u201c\u201e\u00ab]([^\"\u201c\u201d\u00bb]*?)(?:[\"\u201d\u00bb]|(?<=[.!?])\s(?![^\"]*[\"\u201d\u00bb])|\Z)"
    r"|^[ \t]*>(.*)$|^\W*(?:message|body|text)\W*:(.*)$",
    re.MULTILINE | re.IGNORECASE,
)
"""What stands in quotation marks (the last may be lost), in quoted lines, or in a field of a draft."""
_WORD: Final = re.compile(r"[^\W_]{3,}|\d+")
_NAME: Final = re.compile(r"(?<=[a-z,;] )[A-Z][\w-]+(?: [A-Z][\w-]+)*")
_SAME: Final = 5
"""So many letters of two words make them one ("arrive", "arriving")."""
_FEW: Final = 4
"""Fewer words are no message."""
_SMALL: Final = frozenset({
    *("the", "and", "but", "for", "are", "was", "were", "will", "would"),
    *("shall", "should", "can", "could", "may", "might", "must", "have", "has"),
    *("had", "been", "being", "this", "that", "these", "those", "with", "from"),
    *("into", "about", "over", "under", "than", "then", "there", "here", "just"),
    *("only", "also", "too", "very", "not", "you", "your", "yours", "him"),
    *("her", "his", "hers", "its", "our", "ours", "they", "them", "their"),
    *("she", "who", "what", "when", "where", "which", "while", "out", "off"),
    *("now", "please", "hello", "dear", "best", "kind", "regards", "wishes", "sincerely"),
    *("greetings", "thanks", "thank", "good", "morning", "afternoon", "evening", "yes", "let"),
    *("know", "get", "got", "subject", "body", "message", "text", "confirm", "reply"),
    *("proceed"),
})  # fmt: skip


def without_quotes(text: str) -> str:
    """A text without what it quotes."""
    return _QUOTED.sub(" ", text)


def says_otherwise(told: str, text: str) -> bool:
    """Whether a text quotes a message that shares no word of weight with what is to be told.

    Args:
        told: What is to be told, to whom: names in it count for nothing.
        text: A proposal; where it quotes nothing, nothing is said otherwise.
    """
    quoted = " ".join(part for match in _QUOTED.finditer(text) for part in match.groups() if part)
    names = {word for match in _NAME.finditer(told) for word in _words(match[0])}
    theirs = _words(quoted) - names
    return len(quoted.split()) >= _FEW and bool(theirs) and not theirs & _words(told)


def _words(text: str) -> frozenset[str]:
    plain = _WORD.findall(fold(text).plain)
    return frozenset(word[:_SAME] for word in plain if word not in _SMALL)
