"""YAML as people and services write it; a name that stands twice is said, not dropped."""

import re
from pathlib import Path
from typing import Any, Final

import yaml

from knowact.core.errors import BadData, Place

_TAG: Final = "tag:yaml.org,2002:"
_MERGE: Final = "<<"


class _Reader(yaml.SafeLoader):
    """YAML 1.1, as PyYAML reads it: `no` is false."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:  # noqa: FBT001, FBT002 - PyYAML's
        """Build a mapping, unless a name stands in it twice."""
        seen: set[object] = set()
        for name, _ in node.value:
            if not isinstance(name, yaml.ScalarNode) or name.value == _MERGE:
                continue
            if (name.tag, name.value) in seen:
                raise yaml.constructor.ConstructorError(
                    None, None, f"the name {name.value!r} stands there twice", name.start_mark
                )
            seen.add((name.tag, name.value))
        return super().construct_mapping(node, deep)


class _Newer(_Reader):
    """YAML 1.2's plain values, which OpenAPI asks for: `no` and `on` are texts, and so are days and times."""


_CORE: Final = (
    ("bool", r"true|True|TRUE|false|False|FALSE", "tTfF"),
    ("int", r"[-+]?(?:0|[1-9][0-9]*|0x[0-9a-fA-F]+)", "-+0123456789"),
    (
        "float",
        r"[-+]?(?:[0-9]+\.[0-9]*|\.[0-9]+|[0-9]+(?=[eE]))(?:[eE][-+]?[0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)",
        "-+0123456789.",
    ),
)
_REPLACED: Final = frozenset(f"{_TAG}{kind}" for kind in ("bool", "int", "float", "timestamp"))
_Newer.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in known if tag not in _REPLACED]
    for first, known in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
for _kind, _pattern, _first in _CORE:
    for _sign in _first:
        _Newer.yaml_implicit_resolvers.setdefault(_sign, []).append(
            (f"{_TAG}{_kind}", re.compile(f"^(?:{_pattern})$"))
        )


def yaml_value(text: str, file: Path, *, newer: bool = False) -> object:
    """Return the value of a YAML text.

    Args:
        text: The text.
        file: Where it stands, for what is said of it.
        newer: Whether it is YAML 1.2.

    Raises:
        BadData: It is not YAML; with the line, where that can be told.
    """
    try:
        return yaml.load(text, _Newer if newer else _Reader)  # noqa: S506 - both are safe loaders
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        why = getattr(error, "problem", None) or "it cannot be parsed"
        place = Place(file, mark.line + 1 if mark is not None else None)
        raise BadData(f"this is not YAML ({why})", place, "correct it") from error
    except (ValueError, RecursionError) as error:  # an impossible date; nesting without end
        raise BadData(f"this is not YAML ({error})", Place(file), "correct it") from error
