"""YAML as authors write it, read so that every complaint can say file, line and field.

Of YAML's many ways to say yes and no only `true` and `false` count, so that a parameter can be called `on`.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, cast

import yaml

from knowact.core.errors import BadData, Place
from knowact.datasets.lines import Line, read_text

_BOOL = "tag:yaml.org,2002:bool"
_DATE = "tag:yaml.org,2002:timestamp"


class _Loader(yaml.SafeLoader):
    """Reads scalars as JSON does, and text without quotes."""


_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag not in {_BOOL, _DATE}]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
for _first in "tf":
    _Loader.yaml_implicit_resolvers[_first] = [
        (_BOOL, re.compile(r"(?:true|false)\Z")),
        *_Loader.yaml_implicit_resolvers.get(_first, []),
    ]


def read_list(file: Path) -> list[Line]:
    """Return the entries of a file that holds a list of maps, each with the line that it begins on.

    Raises:
        BadData: The file cannot be read, or is no such list, or a key stands twice in a map.
    """
    root, whole = _read(file)
    if not isinstance(whole, list) or not isinstance(root, yaml.SequenceNode):
        raise BadData("the file holds no list", Place(file, 1), "begin each task with a dash")
    entries = cast("list[Any]", whole)
    found: list[Line] = []
    for value, node in zip(entries, root.value, strict=True):
        number = node.start_mark.line + 1
        if not isinstance(value, dict):
            raise BadData("this entry is no map", Place(file, number), "write 'field: value' lines")
        found.append(Line(file, number, cast("dict[str, Any]", value)))
    return found


def read_map(file: Path) -> Mapping[str, tuple[str, ...]]:
    """Return a file that maps names to lists of sentences.

    Raises:
        BadData: It is no such map.
    """
    _, whole = _read(file)
    entries = cast("dict[str, Any]", whole) if isinstance(whole, dict) else {}
    for name, some in entries.items():
        sentences = cast("list[Any]", some) if isinstance(some, list) else [None]
        if not all(isinstance(one, str) for one in sentences):
            raise BadData("this is no list of sentences", Place(file, None, str(name)), "write one per dash")
    if not entries:
        raise BadData("the file holds no map", Place(file, 1), "write 'topic:' and a list of sentences")
    return {str(name): tuple(some) for name, some in entries.items()}


def _read(file: Path) -> tuple[yaml.Node | None, Any]:
    text = read_text(file)
    try:
        root = yaml.compose(text, Loader=_Loader)
        whole: Any = yaml.load(text, Loader=_Loader)  # noqa: S506 - a safe loader with fewer spellings
    except yaml.YAMLError as error:
        mark = error.problem_mark if isinstance(error, yaml.MarkedYAMLError) else None
        what = error.problem if isinstance(error, yaml.MarkedYAMLError) else str(error)
        line = mark.line + 1 if mark is not None else None
        raise BadData(f"the file is not YAML ({what})", Place(file, line), "correct the line") from error
    for name, line in _twice(root):
        raise BadData(f"the field {name!r} stands there twice", Place(file, line, name), "keep one of them")
    return root, whole


def _twice(node: yaml.Node | None) -> Iterator[tuple[str, int]]:
    if isinstance(node, yaml.MappingNode):
        seen: set[str] = set()
        for key, value in node.value:
            if key.value in seen:
                yield key.value, key.start_mark.line + 1
            seen.add(key.value)
            yield from _twice(value)
    elif isinstance(node, yaml.SequenceNode):
        for inner in node.value:
            yield from _twice(inner)
