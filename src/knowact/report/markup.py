"""HTML that cannot be injected into: text is escaped unless this module made it.

The page shows text that models wrote. `tag` composes elements and escapes every child and every attribute
value that is not `Markup`.
"""

import html
from typing import TypeAlias

from knowact.core import clean


class Markup(str):
    """Finished HTML. Make it with `tag` or `join`; wrap text by hand only for files of our own."""

    __slots__ = ()


Child: TypeAlias = "str | int | Markup | None"
Attribute: TypeAlias = "str | int | bool | None"

_VOID = frozenset({"meta", "input", "br", "link", "col", "wbr"})


def escaped(value: object) -> Markup:
    """Return text as HTML. NUL, which no HTML may hold, becomes U+FFFD as browsers would have it."""
    if isinstance(value, Markup):
        return value
    return Markup(html.escape(clean.text(value).replace("\0", "\N{REPLACEMENT CHARACTER}")))


def tag(name: str, *children: Child, **attributes: Attribute) -> Markup:
    """Return one element.

    Args:
        name: The element's name; ours, never data.
        children: Texts (escaped), finished markup (as it is), or None (nothing).
        attributes: Underscores become hyphens, one at the end is dropped (`class_`). True writes the
            bare name; None and False leave the attribute out.
    """
    shown = "".join(
        f" {_attribute_name(key)}" + ("" if value is True else f'="{escaped(value)}"')
        for key, value in attributes.items()
        if value is not None and value is not False
    )
    if name in _VOID:
        return Markup(f"<{name}{shown}>")
    return Markup(f"<{name}{shown}>{join(*children)}</{name}>")


def join(*children: Child) -> Markup:
    """Return the children one after the other, escaped where they are text."""
    return Markup("".join(escaped(child) for child in children if child is not None))


def _attribute_name(key: str) -> str:
    return key.rstrip("_").replace("_", "-")
