"""Thoughts: the parts of a reply that a model marked as not being its answer."""

import re

_TAG = r"(think|thinking|thought|thoughts|reasoning|scratchpad|reflection)"
_BLOCK = re.compile(rf"<{_TAG}\b[^<>]{{0,80}}>.*?(?:</\1\s*>|\Z)", re.DOTALL | re.IGNORECASE)
_STRAY_END = re.compile(rf"</{_TAG}\s*>", re.IGNORECASE)


def _blanks(match: re.Match[str]) -> str:
    return " " * len(match[0])


def without_thoughts(text: str) -> str:
    """Return `text` with every thought blanked out; positions stay what they were.

    A block that is never closed is a thought to the end. Where only the closing tag is left (chat
    templates put the opening one into the prompt), everything before it is a thought, provided that
    something follows.
    """
    text = _BLOCK.sub(_blanks, text)
    ends = [match.end() for match in _STRAY_END.finditer(text)]
    text = _STRAY_END.sub(_blanks, text)
    length = len(text.rstrip())
    start = max((end for end in ends if end < length), default=0)
    return " " * start + text[start:]
