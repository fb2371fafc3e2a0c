"""From a JSON structure to decisions about tools, whatever shape a model gave it."""

import re
from dataclasses import dataclass, field

from knowact.reading.decision_words import (
    ARGUMENT_KEYS,
    DECISION_KEYS,
    NAME_KEYS,
    NEEDED_LISTS,
    NO_WORDS,
    REMARK_KEYS,
    UNNEEDED_LISTS,
    WRAPPERS,
    YES_WORDS,
)
from knowact.reading.json_text import DEEPEST, JsonArray, JsonItem, JsonObject, find_json
from knowact.reading.tool_names import OfferedNames, bare_name

_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_NOT_WORD = re.compile(r"[\W_]+")
_LEADING_WORD = re.compile(
    r"\s*([^\W_]+(?: (?:needed|required|essential|necessary))?|[✅❌✓✗✔✘☑])\s*[,;:.()\u2013\u2014-]"
)


@dataclass(slots=True)
class Decisions:
    """What one structure decides.

    Attributes:
        pairs: Written name and decision, in order, doubled names included.
        wrapped: Whether they stood under the wanted key.
        closed: Whether tools that are not named are decided too (a list of all that is needed).
        notes: Which liberties the reading took; see `tool_decisions.ToolReading`.
    """

    pairs: list[tuple[str, bool]] = field(default_factory=list[tuple[str, bool]])
    wrapped: bool = False
    closed: bool = False
    notes: set[str] = field(default_factory=set[str])

    def decide(self, name: str, value: JsonItem) -> None:
        """Add the decision that `value` expresses about `name`, or note that it expresses none."""
        decision = _truth(value)
        if decision is None:
            self.notes.add("undecided")
            return
        if not isinstance(value, bool):
            self.notes.add("non_boolean")
        self.pairs.append((bare_name(name), decision))


def decisions_in(value: JsonItem, names: OfferedNames) -> Decisions | None:
    """Read the decisions of one outermost structure; None where it is about something else."""
    result = Decisions()
    wrapped = _under_wanted_key(value) or _under_wanted_key(value, in_strings=True)
    if wrapped:
        result.wrapped = True
        for depth, inner in wrapped:
            if depth:
                result.notes.add("wrapped")
            _read(inner, result, names)
        return result
    result.notes.add("bare_mapping")
    _read_bare(value, result, names)
    return result if result.pairs or result.closed else None


def _plain(key: str) -> str:
    """A key in lower case with underscores."""
    return _NOT_WORD.sub("_", _CAMEL.sub("_", key.strip())).strip("_").lower()


def _children(value: JsonItem) -> list[tuple[str, JsonItem]]:
    if isinstance(value, JsonObject):
        return list(value.members)
    return [("", item) for item in value.items] if isinstance(value, JsonArray) else []


def _under_wanted_key(
    value: JsonItem, depth: int = 0, *, in_strings: bool = False
) -> list[tuple[int, JsonItem]]:
    """Everything that stands under the wanted key, with its depth, in order."""
    values = list[tuple[int, JsonItem]]()
    if depth > DEEPEST or _is_schema(value):
        return values
    if in_strings and isinstance(value, str) and "{" in value and "decision" in value.lower():
        for structure in find_json(value):
            values.extend(
                _under_wanted_key(structure.value, depth + 1, in_strings=True) if structure.complete else []
            )
        return values
    for key, inner in _children(value):
        if _plain(key) in WRAPPERS:
            values.append((depth, inner))
        else:
            values.extend(_under_wanted_key(inner, depth + 1, in_strings=in_strings))
    return values


def _is_schema(value: JsonItem) -> bool:
    """Whether this is a JSON Schema: it describes what could be said and says nothing."""
    if not isinstance(value, JsonObject):
        return False
    members = dict(value.members)
    return isinstance(members.get("type"), str) and isinstance(members.get("properties"), JsonObject)


def _read(value: JsonItem, result: Decisions, names: OfferedNames) -> None:
    """Read what stands under the wanted key."""
    if isinstance(value, str):
        result.notes.add("quoted_json")
        for structure in find_json(value):
            if structure.complete and isinstance(structure.value, JsonObject):
                _read(structure.value, result, names)
        return
    if isinstance(value, JsonArray):
        result.notes.add("entries")
        for item in value.items:
            if isinstance(item, JsonObject):
                _read(item, result, names)
        return
    if not isinstance(value, JsonObject) or _is_schema(value):
        return
    if _read_entry(value, result) or _read_lists(value, result, names):
        return
    for key, inner in value.members:
        _read_member(key, inner, result, names)


def _read_member(key: str, value: JsonItem, result: Decisions, names: OfferedNames) -> None:
    """Read one member of a mapping from names to decisions."""
    if not isinstance(value, JsonObject):
        if names.find(key) is not None or _plain(key) not in REMARK_KEYS:
            result.decide(key, value)
        return
    decisions = _inner_decisions(value)
    if decisions:
        result.notes.add("entries")
        for decision in decisions:
            result.decide(key, decision)
    elif names.find(key) is None:  # tools grouped by server
        _read(value, result, names)


def _member(value: JsonObject, keys: frozenset[str]) -> tuple[str, JsonItem] | None:
    return next((member for member in value.members if _plain(member[0]) in keys), None)


def _inner_decisions(value: JsonObject) -> list[JsonItem]:
    """Everything in an object about one tool that decides about it, wrapped again or not."""
    decisions = list[JsonItem]()
    for key, inner in value.members:
        if _plain(key) in DECISION_KEYS:
            decisions.extend(_inner_decisions(inner) if isinstance(inner, JsonObject) else [inner])
    return decisions


def _read_entry(value: JsonObject, result: Decisions) -> bool:
    """Read an object about one tool: its name under one key, the decision under another."""
    name, decisions = _member(value, NAME_KEYS), _inner_decisions(value)
    if name is None or not decisions or not isinstance(name[1], str):
        return False
    result.notes.add("entries")
    for decision in decisions:
        result.decide(name[1], decision)
    return True


def _read_lists(value: JsonObject, result: Decisions, names: OfferedNames) -> bool:
    """Read lists of names under keys that say which way they are meant."""
    lists = dict[bool, list[str]]()
    for key, inner in value.members:
        plain = _plain(key)
        if (
            isinstance(inner, JsonArray)
            and names.find(key) is None
            and plain in NEEDED_LISTS | UNNEEDED_LISTS
        ):
            listed = lists.setdefault(plain in NEEDED_LISTS, [])
            listed.extend(item for item in inner.items if isinstance(item, str))
    for needed, listed in lists.items():
        result.pairs.extend((bare_name(name), needed) for name in listed)
    result.closed |= lists.keys() == {True}
    if lists:
        result.notes.add("name_list")
    return bool(lists)


def _read_bare(value: JsonItem, result: Decisions, names: OfferedNames) -> None:
    """Read a structure without the wanted key: only what names offered tools, or lists them, counts."""
    if isinstance(value, JsonArray):
        for item in value.items:
            _read_bare(item, result, names)
        return
    if not isinstance(value, JsonObject) or _is_schema(value):
        return
    name = _member(value, NAME_KEYS)
    if name is not None and isinstance(name[1], str) and _read_entry(value, result):
        return
    if _lists_offered(value, names) and _read_lists(value, result, names):
        return
    is_mapping = any(names.find(key) is not None for key, _ in value.members)
    for key, inner in value.members:
        if is_mapping and (names.find(key) is not None or isinstance(inner, bool)):
            _read_member(key, inner, result, names)
        elif _plain(key) not in ARGUMENT_KEYS:
            _read_bare(inner, result, names)


def _lists_offered(value: JsonObject, names: OfferedNames) -> bool:
    """Whether its lists name an offered tool, or plainly none at all."""
    lists = [inner for _, inner in value.members if isinstance(inner, JsonArray)]
    listed = [item for array in lists for item in array.items]
    return not listed or any(isinstance(item, str) and names.find(item) is not None for item in listed)


def _truth(value: JsonItem) -> bool | None:
    """What a value decides; None where it is no decision (null, "maybe", 0.7)."""
    if isinstance(value, bool):
        return value
    if isinstance(value, int | float):
        return {0.0: False, 1.0: True}.get(float(value))
    if not isinstance(value, str):
        return None
    word = value.strip().strip("`*.!\ufe0f").lower()
    if word not in YES_WORDS | NO_WORDS and (leading := _LEADING_WORD.match(word)):
        rest = set(re.findall(r"\w+", word[leading.end() :]))
        word = leading[1]
        if rest & (NO_WORDS if word in YES_WORDS else YES_WORDS):
            return None
    return True if word in YES_WORDS else False if word in NO_WORDS else None
