"""The members of one published object in any spelling, with errors that name the place."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, cast

from knowact.core.errors import BadData, Place
from knowact.datasets.deviations import Ledger, ToolKind
from knowact.datasets.lines import Line

_LONGEST_NUMBER = 18
"""Digits; Python refuses to parse thousands of them."""


class Members:
    """One object of a file: a query, a function, a record.

    Args:
        line: The row that contains it.
        value: The object.
        ledger: Collects deviations.
        path: Its place in the row ("api_list[1]"); empty for the row itself.
        item: The id of its item, if known.
    """

    def __init__(
        self, line: Line, value: Mapping[str, Any], ledger: Ledger, path: str = "", item: str = ""
    ) -> None:
        self.line, self.value, self.ledger, self.path, self.item = line, value, ledger, path, item

    def place(self, name: str = "") -> Place:
        """The place of a member."""
        return self.line.place(".".join(part for part in (self.path, name) if part) or None)

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
                    how = f"{key!r} was read as {names[0]!r}"
                    self.ledger.mended(ToolKind.SPELLING, self.place(key), how, self.item)
                    return key
        return None

    def get(self, *names: str) -> Any:
        """Return a member, or None if there is none."""
        key = self.key(*names)
        return None if key is None else self.value[key]

    def text(self, name: str) -> str:
        """Return a text that is not blank.

        Raises:
            BadData: It is missing, blank, or something else.
        """
        value = self.get(name)
        if not isinstance(value, str) or not value.strip():
            what = "this must be a non-blank string" if name in self.value else "this member is missing"
            raise BadData(what, self.place(name), "write a text")
        return value

    def objects(self, name: str) -> Sequence["Members"]:
        """Return the objects of a list.

        Raises:
            BadData: It is missing, not a list, or a list of anything else.
        """
        value = self.get(name)
        if not isinstance(value, list):
            what = "this must be a list" if name in self.value else "this member is missing"
            raise BadData(what, self.place(name), "make it a list of objects")
        found: list[Members] = []
        for number, one in enumerate(cast("list[Any]", value)):
            path = f"{name}[{number}]"
            if not isinstance(one, dict):
                raise BadData("this is not an object", self.place(path), "make it an object")
            inner = cast("dict[str, Any]", one)
            found.append(Members(self.line, inner, self.ledger, self.place(path).field or "", self.item))
        return found


def whole_number(value: Any) -> int | None:
    """Return a whole number, also from a string or a float; None for anything else."""
    if isinstance(value, str) and value.strip().isdecimal():
        return int(value) if len(value) <= _LONGEST_NUMBER else None
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _plain(key: str) -> str:
    return re.sub(r"[\s_-]", "", key.casefold())
