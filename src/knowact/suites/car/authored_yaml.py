"""YAML as authors write it, read so that every complaint can say file, line and field.

Of YAML's many ways to say yes and no only `true` and `false` count, so that a parameter can be called `on`;
of its many ways to write a number, those of JSON: `07:40` is a time of day, `0123` a phone number, none of
them a number. What refers back to itself, or would unfold without end, is refused.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, cast

import yaml

from knowact.core import clean
from knowact.core.errors import BadData, Place
from knowact.datasets.lines import DEEPEST, Line, read_text

_BOOL: Final = "tag:yaml.org,2002:bool"
_INT: Final = "tag:yaml.org,2002:int"
_FLOAT: Final = "tag:yaml.org,2002:float"
_DATE: Final = "tag:yaml.org,2002:timestamp"

MOST_NODES: Final = 1_000_000
"""Values in one file, those that references repeat counted each time; nobody writes so many."""


class _Loader(yaml.SafeLoader):
    """Reads scalars as JSON does, and text without quotes."""

    def construct_object(self, node: yaml.Node, deep: bool = False) -> Any:  # noqa: FBT001, FBT002 - the reader's
        """Make the value of a node; one that its tag does not fit ("!!int abc") is told with its line."""
        try:
            return super().construct_object(node, deep)  # pyright: ignore[reportUnknownMemberType] - untyped
        except (ValueError, KeyError, OverflowError):
            raise yaml.constructor.ConstructorError(
                None, None, f"{str(node.value)[:40]!r} is no {node.tag.rpartition(':')[2]}", node.start_mark
            ) from None


_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag not in {_BOOL, _INT, _FLOAT, _DATE}]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
for _signs, _tag, _written in (
    ("tf", _BOOL, r"(?:true|false)\Z"),
    ("-0123456789", _INT, r"-?(?:0|[1-9][0-9]*)\Z"),
    ("-0123456789", _FLOAT, r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+(?:[eE][-+]?[0-9]+)?|[eE][-+]?[0-9]+)\Z"),
):
    for _first in _signs:
        _found = _Loader.yaml_implicit_resolvers.get(_first, [])
        _Loader.yaml_implicit_resolvers[_first] = [(_tag, re.compile(_written)), *_found]


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
        _require_finite(root, file)
        whole: Any = yaml.load(text, Loader=_Loader)  # noqa: S506 - a safe loader with fewer spellings
    except yaml.YAMLError as error:
        what, line = _what_and_where(error, text)
        raise BadData(f"the file is not YAML ({what})", Place(file, line), "correct the line") from error
    except RecursionError:
        raise BadData("the file nests too deeply", Place(file), "write it flatter") from None
    for name, line in _twice(root):
        raise BadData(f"the field {name!r} stands there twice", Place(file, line, name), "keep one of them")
    return root, whole


def _what_and_where(error: yaml.YAMLError, text: str) -> tuple[str, int | None]:
    """What the reader has to say, on one line, and the line that it means."""
    if isinstance(error, yaml.reader.ReaderError):
        return f"the character {chr(error.character)!r} may not stand there", (
            text.count("\n", 0, error.position) + 1
        )
    if not isinstance(error, yaml.MarkedYAMLError):
        return clean.one_line(error), None
    return str(error.problem), None if error.problem_mark is None else error.problem_mark.line + 1


def _require_finite(root: yaml.Node | None, file: Path) -> None:
    """Refuse what nests deeper than JSON may, refers to itself, or is enormous once references are followed.

    Raises:
        BadData: It does, or a text holds half of a surrogate pair.
    """
    known: dict[int, tuple[int, int]] = {}
    under_way: set[int] = set()

    def measured(node: yaml.Node) -> tuple[int, int]:
        """How many values a node unfolds to, and how deep they nest."""
        if id(node) in known:
            return known[id(node)]
        place = Place(file, node.start_mark.line + 1)
        if id(node) in under_way:
            raise BadData("a value holds itself", place, "write it out without the reference")
        if isinstance(node, yaml.ScalarNode) and clean.text(node.value) != node.value:
            raise BadData("the text holds half of a surrogate pair", place, "write the whole character")
        under_way.add(id(node))
        sizes = [measured(inner) for inner in _inside(node)]
        under_way.remove(id(node))
        size, depth = 1 + sum(size for size, _ in sizes), 1 + max((deep for _, deep in sizes), default=0)
        if depth > DEEPEST:
            raise BadData("it nests too deeply", place, "write it flatter")
        if size > MOST_NODES:
            raise BadData(f"it unfolds to more than {MOST_NODES:,} values", place, "use fewer references")
        known[id(node)] = size, depth
        return known[id(node)]

    if root is not None:
        measured(root)


def _inside(node: yaml.Node) -> list[yaml.Node]:
    if isinstance(node, yaml.MappingNode):
        return [one for pair in node.value for one in pair]
    return list(node.value) if isinstance(node, yaml.SequenceNode) else []


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
