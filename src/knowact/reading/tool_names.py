"""Tool names in a reply: which offered tool does the model mean?"""

import re
from collections.abc import Callable, Sequence

_DECORATION = " \t\r\n`'\"*\u201c\u201d\u2018\u2019\ufeff\u200b"
_NOT_WORD = re.compile(r"[\W_]+")
_QUALIFIER = re.compile(r"^.*(?:::|__|[./:])", re.DOTALL)
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def bare_name(name: str) -> str:
    """Take backticks, quotes, blanks and an empty pair of brackets off a name."""
    return name.strip(_DECORATION).removesuffix("()").strip(_DECORATION)


def _folded(name: str) -> str:
    return bare_name(name).casefold()


def _sanitised(name: str) -> str:
    return _NOT_WORD.sub("_", _CAMEL.sub("_", bare_name(name))).strip("_").casefold()


def _unqualified(name: str) -> str:
    return _sanitised(_QUALIFIER.sub("", bare_name(name)))


class OfferedNames:
    """Finds the offered tool that a written name stands for.

    The nearest reading wins: the exact name, then without decoration, in any case, with every run of
    other characters and every hump of camel case taken as one underscore, and last without a qualifier
    on either side (`Server::name`, `functions.name`, `mcp__server__name`). A reading that fits two
    offered tools names neither.
    """

    def __init__(self, offered: Sequence[str]) -> None:
        self._readings: list[tuple[Callable[[str], str], dict[str, set[str]]]] = []
        for reading in (str, bare_name, _folded, _sanitised, _unqualified):
            index: dict[str, set[str]] = {}
            for name in offered:
                index.setdefault(reading(name), set()).add(name)
            self._readings.append((reading, index))

    def find(self, written: str) -> str | None:
        """Return the offered name that `written` stands for, or None."""
        for reading, index in self._readings:
            names = index.get(reading(written), set())
            if len(names) == 1:
                return next(iter(names))
            if names:
                return None
        return None
