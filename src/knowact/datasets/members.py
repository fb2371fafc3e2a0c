"""The members of one published object in any spelling, with errors that name the place."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from knowact.core.errors import Place
from knowact.datasets.deviations import Deviation, DeviationKind, Done, ToolKind
from knowact.datasets.lines import Line

_LONGEST_NUMBER = 18
"""Digits; Python refuses to parse thousands of them."""


@dataclass(slots=True)
class Members:
    """One object of a file: a query, a function, a record.

    Attributes:
        line: The row that contains it.
        value: The object.
        deviations: Takes what deviates.
        path: Its place in the row ("api_list[1]"); empty for the row itself.
        item: The id of its item, if known.
    """

    line: Line
    value: Mapping[str, Any]
    deviations: list[Deviation]
    path: str = ""
    item: str = ""

    def place(self, name: str | None = "") -> Place:
        """The place of a member; the elements of a list are numbered in brackets."""
        path = re.sub(r"\.(\d+)(?=\.|$)", r"[\1]", name or "")
        return self.line.place(".".join(part for part in (self.path, path) if part) or None)

    def inside(self, value: Mapping[str, Any], path: str) -> "Members":
        """An object in this one."""
        return replace(self, value=value, path=self.place(path).field or "")

    def mended(self, kind: DeviationKind, how: str, name: str = "") -> None:
        """Enter something that was read as meant."""
        self.deviations.append(Deviation(kind, Done.MENDED, self.place(name), how, self.item))

    def noted(self, kind: DeviationKind, how: str, name: str = "") -> None:
        """Enter something that stays unchanged."""
        self.deviations.append(Deviation(kind, Done.NOTED, self.place(name), how, self.item))

    def excluded(self, kind: DeviationKind, how: str) -> None:
        """Enter that the item is left out by default."""
        self.deviations.append(Deviation(kind, Done.EXCLUDED, self.place(), how, self.item))

    def key(self, *names: str) -> str | None:
        """Return the key for the first name, also in another spelling.

        Letter case, blanks, hyphens and underscores don't matter. The other names are synonyms that published
        files use.
        """
        if names[0] in self.value:
            return names[0]
        for name in names:
            for key in self.value:
                if _plain(key) == _plain(name):
                    self.mended(ToolKind.SPELLING, f"{key!r} was read as {names[0]!r}", key)
                    return key
        return None

    def get(self, *names: str) -> Any:
        """Return a member, or None if there is none."""
        key = self.key(*names)
        return None if key is None else self.value[key]


def whole_number(value: Any) -> int | None:
    """Return a whole number, also from a string or a float; None for anything else."""
    if isinstance(value, str) and value.strip().isdecimal():
        return int(value) if len(value) <= _LONGEST_NUMBER else None
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _plain(key: str) -> str:
    return re.sub(r"[\s_-]", "", key.casefold())
