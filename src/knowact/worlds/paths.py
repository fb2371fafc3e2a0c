"""Dotted paths into arguments and results; `[]` steps into the elements of a list ("steps[].notes")."""

from typing import Any, cast


def supplied(value: Any, path: str) -> bool:
    """Whether a value has something at a dotted path; in lists, whether any element has."""
    name, _, rest = path.partition(".")
    key = name.removesuffix("[]")
    if not isinstance(value, dict) or key not in value:
        return False
    inner = cast("dict[str, Any]", value)[key]
    if not rest:
        return True
    if name.endswith("[]"):
        return isinstance(inner, list) and any(supplied(one, rest) for one in cast("list[Any]", inner))
    return supplied(inner, rest)


def replaced(value: Any, path: str, by: Any) -> Any:
    """Return a copy of a value with something else at a dotted path, wherever that exists."""
    name, _, rest = path.partition(".")
    key = name.removesuffix("[]")
    out = dict(cast("dict[str, Any]", value)) if isinstance(value, dict) else {}
    if key not in out:
        return cast("object", value)
    inner = out[key]
    if not rest:
        out[key] = by
    elif name.endswith("[]") and isinstance(inner, list):
        out[key] = [replaced(one, rest, by) for one in cast("list[Any]", inner)]
    else:
        out[key] = replaced(inner, rest, by)
    return out
