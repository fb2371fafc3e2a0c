"""Tasks as they are written: compact, without anything that code can derive (`derive`).

Values that begin with `$` are looked up (`Binder`): ids of places, routes and people are made by the world's
generator, so nobody writes them down. "$ways.routes[fastest].route_id" names an earlier call and a path into
its result; `$here` is where the car stands. The same syntax between braces serves texts ("Take
{$food.pois_found[0].name}."). Nothing is evaluated: a path is names, each with a selector in brackets at
most: a number, `field=value`, an alias, `>field` for the element that has most of it, or `*` for all.

The files are YAML, read so that every complaint can say file, line and field. Of YAML's many ways to say yes
and no only `true` and `false` count, so that a parameter can be called `on`; of its many ways to write a
number, those of JSON: `07:40` is a time of day, `0123` a phone number. What refers back to itself, or would
unfold without end, is refused.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, cast

import yaml
from pydantic import Field, JsonValue

from knowact.core import clean
from knowact.core.errors import BadData, Place
from knowact.core.model import Noun, Words
from knowact.datasets.lines import DEEPEST, Line, read_text
from knowact.people.script import Detail, Proficiency, Style
from knowact.suites.car.tasks import Level, Option

Likes = Mapping[str, tuple[str, ...]]
"""Preferences by "category.topic"."""


class Do(Noun):
    """One call of the reference.

    Attributes:
        do: The tool.
        args: The arguments; `$name.path` takes a value from an earlier call (`binding`).
        name: What later calls and texts call this one.
        reads: Fields of the result that the agent has to know.
        told: Arguments written out that come from an earlier result: parameter to "name.field".
        knowing: Earlier calls, by name, whose `reads` must be known before this one.
        after: Earlier calls, by name, that have to come before for another reason.
        wish: Which wish it serves: 0 for the first message, 1 for the first later one.
    """

    do: str = Field(min_length=1)
    args: Mapping[str, JsonValue] = Field(default_factory=dict[str, JsonValue])
    name: str = ""
    reads: tuple[str, ...] = ()
    told: Mapping[str, str] = Field(default_factory=dict[str, str])
    knowing: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    wish: int = 0


class Answer(Noun):
    """Something that the driver wants to be told.

    Attributes:
        value: As it is, or where it stands: "$call.path", with one of `derive.TOLD` before it where it has to
            be worked out.
        sources: "call.field", where the value does not say it.
        options: For choices: "weather" or "colours".
        phone: Whether it may be written without the blanks.
    """

    label: str = Field(min_length=1)
    kind: Literal["number", "text", "date", "time", "yes_no", "choice", "list"]
    value: JsonValue
    unit: str = ""
    tolerance: float = 0.0
    sources: tuple[str, ...] = ()
    options: Literal["", "weather", "colours"] = ""
    phone: bool = False
    rule: str = ""


class Lack(Noun):
    """What the hallucination task made of this one takes away.

    Attributes:
        part: The main part, in the published grammar.
        also: Parts that have to go with it, because the same could be worked out from them.
        words: The main part as people speak of it, such as "moving the sunshade".
        cues: Words by which somebody who speaks of it is known.
    """

    part: str = Field(min_length=1)
    also: tuple[str, ...] = ()
    words: Words
    cues: tuple[Words, ...] = Field(min_length=1)


class AuthoredBase(Noun):
    """A base task.

    Attributes:
        id: Short, unique in the data set.
        at: City, date and time: "Hamburg 2025-10-07 07:40".
        car: Variables of state and context that differ from their defaults.
        route: Where the car is being guided, the start first: cities by name, other places as
            "category@city".
        calendar: Whose calendar the driver has.
        likes: Preferences that matter here or look as if they did.
        says: The driver's first message.
        later: Wishes that the driver raises afterwards, one at a time.
        story: The whole scenario in prose, in the second person.
        details: What the driver says only when asked.
        does: The reference.
        goal: The variables that must have a certain value in the end.
        ends: Other ends that are as good.
        answers: What the driver wants to be told.
        never: Variables that may not even change on the way, besides those that no task may.
        lacks: The hallucination task; None where none is made of it.
    """

    id: str = Field(pattern=r"^[a-z]+-\d\d$")
    age: int
    style: Style
    skill: Proficiency = ""
    at: str = Field(min_length=1)
    car: Mapping[str, JsonValue] = Field(default_factory=dict[str, JsonValue])
    route: tuple[str, ...] = ()
    calendar: str = ""
    likes: Likes = Field(default_factory=dict[str, tuple[str, ...]])
    says: Words
    later: tuple[Words, ...] = ()
    story: Words
    details: tuple[Detail, ...] = ()
    does: tuple[Do, ...] = Field(min_length=1)
    goal: Mapping[str, JsonValue] = Field(default_factory=dict[str, JsonValue])
    ends: tuple[Mapping[str, JsonValue], ...] = ()
    never: tuple[str, ...] = ()
    answers: tuple[Answer, ...] = ()
    lacks: Lack | None = None


class AuthoredElement(Noun):
    """What a disambiguation task leaves open; see `tasks.Element`.

    Attributes:
        at: "tool.parameter" of the call that carries the choice; empty where a tool is chosen.
        answer: The right value, where `at` is empty.
    """

    what: str = Field(min_length=1)
    kind: Literal["value", "result", "tool"] = "value"
    level: Level
    at: str = ""
    answer: JsonValue = None
    options: tuple[Option, ...] = Field(min_length=2)
    topic: str = ""
    rule: str = ""
    decides: tuple[str, ...] = ()


class AuthoredTwist(Noun):
    """A disambiguation task: a base task from whose request something was taken out.

    Attributes:
        of: The base task.
        secrets: Words by which a question asks for what the agent has to settle itself.
        The others replace what the base task has, where they are given; `car` and `likes` add to it.
    """

    of: str = Field(min_length=1)
    says: Words
    later: tuple[Words, ...] | None = None
    story: Words
    details: tuple[Detail, ...] | None = None
    car: Mapping[str, JsonValue] = Field(default_factory=dict[str, JsonValue])
    likes: Likes = Field(default_factory=dict[str, tuple[str, ...]])
    does: tuple[Do, ...] | None = None
    goal: Mapping[str, JsonValue] | None = None
    answers: tuple[Answer, ...] | None = None
    secrets: tuple[Words, ...] = ()
    element: AuthoredElement


_PLACE: Final = re.compile(r"\{(\$[^{}]+)\}")
_PART: Final = re.compile(r"(?P<name>\w+)(?:\[(?P<pick>[^\[\]]*)\])?\Z")
_DOT: Final = re.compile(r"\.(?![^\[]*\])")
_ALL: Final = "*"
_GREATEST: Final = ">"
_LISTED: Final = "alias"
"""The field that a bare word in brackets is looked for in: the aliases of routes."""


class Unbound(ValueError):  # noqa: N818 - reads as a sentence where it is raised
    """A reference leads nowhere."""


@dataclass(frozen=True, slots=True)
class Bound:
    """A value, and where it comes from: the name of the call, and the path as schemas spell it."""

    value: JsonValue
    name: str
    field: str


@dataclass(frozen=True, slots=True)
class Binder:
    """Looks references up.

    Args:
        results: Results of the calls so far, by their authored names.
        constants: What can be named without a call ("here").
    """

    results: Mapping[str, Any]
    constants: Mapping[str, JsonValue]

    def value(self, written: JsonValue) -> tuple[JsonValue, tuple[Bound, ...]]:
        """Return a value with everything in it looked up, and where that came from.

        Raises:
            Unbound: A reference leads nowhere.
        """
        if isinstance(written, str):
            if not written.startswith("$"):
                return self.text(written), ()
            found = self._bound(written)
            return found.value, (found,) if found.name else ()
        if isinstance(written, list):
            inner = [self.value(one) for one in written]
            return [value for value, _ in inner], tuple(source for _, some in inner for source in some)
        if isinstance(written, dict):
            pairs = {name: self.value(one) for name, one in written.items()}
            sources = tuple(source for _, some in pairs.values() for source in some)
            return {name: value for name, (value, _) in pairs.items()}, sources
        return written, ()

    def text(self, written: str) -> str:
        """Return a text with what stands between braces looked up."""
        return _PLACE.sub(lambda match: _spoken(self._bound(match[1]).value), written)

    def _bound(self, written: str) -> Bound:
        name, _, path = written.removeprefix("$").partition(".")
        if not path and name in self.constants:
            return Bound(self.constants[name], "", "")
        if name not in self.results:
            raise Unbound(f"{written!r} names no earlier call")
        value, field = _followed(self.results[name], _DOT.split(path), written)
        return Bound(value, name, field)


def _followed(value: Any, parts: Sequence[str], written: str) -> tuple[Any, str]:
    """Return what stands at a path, and the path as schemas spell it, with `[]` at lists."""
    if not parts:
        return value, ""
    match = _PART.match(parts[0])
    if match is None:
        raise Unbound(f"{parts[0]!r} in {written!r} is no name with a selector")
    inner, rest = _member(value, match["name"], written), parts[1:]
    if not isinstance(inner, list):
        found, field = _followed(inner, rest, written)
        return found, ".".join([match["name"], *([field] if field else [])])
    every = cast("list[Any]", inner)
    if match["pick"] == _ALL:
        each = [_followed(one, rest, written) for one in every]
        found, field = [one for one, _ in each], each[0][1] if each else ""
    else:
        found, field = _followed(_picked(every, match["pick"], written), rest, written)
    return found, ".".join([f"{match['name']}[]", *([field] if field else [])])


def _member(value: Any, name: str, written: str) -> Any:
    if not isinstance(value, Mapping) or name not in value:
        raise Unbound(f"{written!r} leads nowhere at {name!r}")
    return cast("Mapping[str, Any]", value)[name]


def _picked(values: list[Any], pick: str | None, written: str) -> Any:
    """Return the one element that a selector means."""
    if pick is None:
        return values
    if re.fullmatch(r"-?\d+", pick):
        if not -len(values) <= int(pick) < len(values):
            raise Unbound(f"{written!r}: there are {len(values)} to choose from")
        return values[int(pick)]
    if pick.startswith(_GREATEST) and values:
        return max(values, key=lambda one: one.get(pick.removeprefix(_GREATEST), 0))
    field, equals, wanted = pick.partition("=")
    fitting = [
        one
        for one in values
        if (str(one.get(field)).lower() == wanted.lower() if equals else pick in one.get(_LISTED, ()))
    ]
    if not fitting:
        raise Unbound(f"{written!r}: none of {len(values)} fits {pick!r}")
    return fitting[0]


def _spoken(value: JsonValue) -> str:
    if isinstance(value, list | dict):
        raise Unbound(f"{value!r} cannot be used in a sentence")
    return f"{value:g}" if isinstance(value, float) else str(value)


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
            raise BadData(
                "this must be a list of sentences", Place(file, None, str(name)), "write one per dash"
            )
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
        raise BadData(f"the field {name!r} occurs twice", Place(file, line, name), "keep one of them")
    return root, whole


def _what_and_where(error: yaml.YAMLError, text: str) -> tuple[str, int | None]:
    """What the reader has to say, on one line, and the line that it means."""
    if isinstance(error, yaml.reader.ReaderError):
        return f"the character {chr(error.character)!r} is not allowed", (
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
