"""Replies for the functions of published queries, which have none: a cassette's, or the data's own sketches.

A cassette is JSON Lines, a reply each: `{"category", "tool", "function", "arguments", "reply"}`, the names as
in the published data, in any letter case. Without `arguments` (or with null) it is the reply to every call of
the function that has none of its own.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from pydantic import Field, JsonValue

from knowact.core.errors import BadData, Place
from knowact.core.model import Noun
from knowact.core.task import WorldRef
from knowact.datasets.lines import Line, parse, read_lines, sha256
from knowact.suites.fail_talms.functions import Function, FunctionKey
from knowact.worlds.cassette import Reply, canonical


class Taped(Noun):
    """A line of a cassette."""

    category: str = Field(min_length=1)
    tool: str = Field(min_length=1)
    function: str = Field(min_length=1)
    arguments: Mapping[str, JsonValue] | None = None
    reply: JsonValue

    @property
    def key(self) -> FunctionKey:
        """The function, the same for every letter case."""
        return FunctionKey(self.category.strip(), self.tool.strip(), self.function.strip()).folded


@dataclass(frozen=True, slots=True)
class Replies:
    """The replies for one item.

    Attributes:
        replies: As the setup of a cassette world has them.
        synthetic: Whether they are sketches, which nobody ever got from a service.
        gaps: The tools that have none at all, by the name that an agent sees.
    """

    replies: tuple[Reply, ...]
    synthetic: bool
    gaps: tuple[str, ...]

    def world(self, functions: Iterable[Function]) -> WorldRef:
        """Return the world in which these functions are answered so."""
        setup = {
            "tools": [one.tool.model_dump(mode="json") for one in functions],
            "replies": [one.model_dump(mode="json") for one in self.replies],
        }
        return WorldRef(name="cassette", setup=cast("Mapping[str, JsonValue]", setup))


@dataclass(frozen=True, slots=True)
class Cassette:
    """A cassette that was read. `taped` has the lines of each function, `sha256` is over the file's bytes."""

    file: Path
    sha256: str
    taped: Mapping[FunctionKey, tuple[Taped, ...]]

    def replies(self, functions: Iterable[Function]) -> Replies:
        """Return the replies for one item's functions, under the names that an agent sees."""
        found: list[Reply] = []
        gaps: list[str] = []
        for function in functions:
            name, taped = function.tool.name, self.taped.get(function.key.folded, ())
            found += (Reply(tool=name, arguments=one.arguments, reply=one.reply) for one in taped)
            gaps += () if taped else (name,)
        return Replies(tuple(found), synthetic=False, gaps=tuple(gaps))

    def unknown(self, functions: Iterable[Function]) -> tuple[Taped, ...]:
        """Return a line of each function that is none of these: misspelt, or of another release."""
        known = {function.key.folded for function in functions}
        return tuple(lines[0] for key, lines in self.taped.items() if key not in known)


def read_cassette(file: Path) -> Cassette:
    """Read a cassette.

    Raises:
        BadData: The file cannot be read, a line is wrong, or one call has two different replies.
    """
    taped: dict[FunctionKey, dict[str, tuple[Taped, Line]]] = {}
    for line in read_lines(file):
        one = parse(Taped, line)
        call = canonical(one.arguments)
        first, place = taped.setdefault(one.key, {}).setdefault(call, (one, line))
        if canonical(first.reply) != canonical(one.reply):
            what = f"the same call has another reply on line {place.number}"
            raise BadData(what, line.place("reply"), "keep one of them")
    if not taped:
        raise BadData("the file holds no reply", Place(file), "put one reply on each line")
    return Cassette(
        file,
        sha256(file),
        {key: tuple(one for one, _ in calls.values()) for key, calls in taped.items()},
    )


def template_replies(functions: Iterable[Function]) -> Replies:
    """Return the data's own sketches of replies as replies, each to whatever arguments.

    They have the shape of a result, often with names of types in the place of values: enough to see what an
    agent calls, not whether what it answers is true.
    """
    every = list(functions)
    return Replies(
        tuple(Reply(tool=one.tool.name, reply=one.reply) for one in every if one.reply is not None),
        synthetic=True,
        gaps=tuple(one.tool.name for one in every if one.reply is None),
    )
