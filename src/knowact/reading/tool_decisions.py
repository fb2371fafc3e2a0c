"""Which tools does a model say it needs? Reads the replies of the knowing probe.

Wanted is one JSON object whose key `tool_decisions` maps each offered tool to a boolean (KAPRO). What
plainly means the same is read too, with a note; nothing is guessed from prose.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from knowact.core.record import Outcome
from knowact.reading.json_text import DEEPEST, FoundJson, JsonArray, JsonItem, JsonObject, find_json
from knowact.reading.thoughts import without_thoughts

WRAPPERS = frozenset({"tool_decisions", "tools_decisions", "tool_decision", "tooldecisions", "decisions"})
"""Keys that hold the decisions, in lower case with underscores."""

NEEDED_LISTS = frozenset({
    "needed", "needed_tools", "tools_needed", "required", "required_tools", "tools_required", "essential",
    "essential_tools", "necessary", "necessary_tools", "tools_to_use", "must_use",
})  # fmt: skip
"""Keys under which a bare list names the tools that are needed."""

UNNEEDED_LISTS = frozenset({
    "not_needed", "unneeded", "not_needed_tools", "unneeded_tools", "tools_not_needed", "not_required",
    "not_required_tools", "unnecessary", "unnecessary_tools", "not_essential", "unused",
})  # fmt: skip
"""Keys under which a bare list names the tools that are not needed."""

NAME_KEYS = frozenset({"name", "tool", "tool_name", "function", "function_name"})
"""Keys that name the tool in an object about one tool."""

DECISION_KEYS = frozenset({
    "needed", "required", "essential", "necessary", "is_needed", "is_required", "is_essential", "decision",
    "need", "needs_tool", "value", "use",
})  # fmt: skip
"""Keys that carry the decision in an object about one tool."""

REMARK_KEYS = frozenset({
    "reason", "reasons", "reasoning", "explanation", "rationale", "confidence", "note", "notes", "comment",
    "comments", "summary", "thought", "thoughts", "analysis", "final", "done", "complete", "valid",
})  # fmt: skip
"""Keys beside the decisions that are no tools, unless a tool of that name is offered."""

ARGUMENT_KEYS = frozenset({"arguments", "args", "parameters", "input", "inputs", "kwargs", "params"})
"""Keys that hold the arguments of a call: what stands there is no decision."""

YES_WORDS = frozenset({
    "true", "yes", "y", "needed", "required", "essential", "necessary", "1", "on", "need", "✅", "✓", "✔",
    "☑", "ja", "oui", "sí", "si", "sim",
})  # fmt: skip
NO_WORDS = frozenset({
    "false", "no", "n", "not needed", "not required", "not essential", "not necessary", "unnecessary",
    "unneeded", "0", "off", "❌", "✗", "✘", "nein", "non", "não", "nee",
})  # fmt: skip

CALL_PATTERN = (
    r"(?:<(?:function|invoke|tool_call|tool_use|function_call|tool)\b[^<>\n]{0,80}>|\b\w{2,}\()\s*\Z"
)
"""What stands before the arguments of a call that was written into the text."""


_DECORATION = " \t\r\n`'\"*\u201c\u201d\u2018\u2019\ufeff\u200b"
_QUALIFIER = re.compile(r"^.*(?:::|__|[./:])", re.DOTALL)
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def bare_name(name: str) -> str:
    """Take backticks, quotes, blanks and an empty pair of brackets off a name."""
    return name.strip(_DECORATION).removesuffix("()").strip(_DECORATION)


def _folded(name: str) -> str:
    return bare_name(name).casefold()


def _sanitised(name: str) -> str:
    return _NOT_WORD.sub("_", _HUMP.sub("_", bare_name(name))).strip("_").casefold()


def _unqualified(name: str) -> str:
    return _sanitised(_QUALIFIER.sub("", bare_name(name)))


class OfferedNames:
    """Finds the offered tool that a written name stands for.

    The nearest reading wins: the exact name, then without decoration, in any case, with every run of
    other characters and every hump of camel case taken as one underscore, and last without a qualifier
    on either side (`Server::name`, `functions.name`, `mcp__server__name`). A reading that fits two
    offered tools names neither.
    """

    def __init__(self, offered: Sequence[str]) -> None:
        self._readings: list[tuple[Callable[[str], str], dict[str, set[str]]]] = []
        for reading in (str, bare_name, _folded, _sanitised, _unqualified):
            index: dict[str, set[str]] = {}
            for name in offered:
                index.setdefault(reading(name), set()).add(name)
            self._readings.append((reading, index))

    def find(self, written: str) -> str | None:
        """Return the offered name that `written` stands for, or None."""
        for reading, index in self._readings:
            names = index.get(reading(written), set())
            if len(names) == 1:
                return next(iter(names))
            if names:
                return None
        return None


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


_INVISIBLE = re.compile(r"[\s\ufeff\u200b\u200c\u200d\u2060\x00]*\Z")
_CALL = re.compile(CALL_PATTERN, re.IGNORECASE)
_LOOK_BACK = 120


@dataclass(frozen=True, slots=True)
class ToolReading:
    """What a reply says about the offered tools.

    Attributes:
        outcome: `answered`, `empty` (nothing but blanks) or `unreadable`, a refusal in words included.
            Never the empty set for either of the last two.
        needed: The offered names that are marked as needed, as they are spelt in the offer, and those of
            `unknown`. None unless answered.
        omitted: Offered names that an answered reply does not decide; they count as not needed.
        unknown: Names marked as needed that are not offered, as written; they enlarge the union.
        notes: Short codes, sorted: those of `json_text.Found`, and `thought`, `bare_mapping`, `wrapped`,
            `name_list`, `entries`, `quoted_json`, `split`, `non_boolean`, `undecided`, `renamed`,
            `duplicate_key`, `contradiction`, `draft_superseded`, `repeated`.
    """

    outcome: Outcome
    needed: frozenset[str] | None = None
    omitted: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(slots=True)
class _Candidate:
    """A structure of the reply that decides something, in terms of the offered tools."""

    structure: FoundJson
    decisions: Decisions
    decided: dict[str, bool] = field(default_factory=dict[str, bool])
    unknown: dict[str, None] = field(default_factory=dict[str, None])
    contradictory: set[str] = field(default_factory=set[str])
    notes: set[str] = field(default_factory=set[str])


def read_tool_decisions(text: str, offered: Sequence[str]) -> ToolReading:
    """Read which of the offered tools a reply marks as needed.

    Args:
        text: The reply as it came; anything at all.
        offered: Names of the offered tools, as the model was shown them.

    The answer is the last complete object that carries the wanted key and decides something; else the
    last complete one of another accepted shape; else an incomplete one that decides every offered tool.
    An empty mapping decides nothing, so with tools on offer it is unreadable, never "no tool"; an empty
    list under a key like `needed_tools` does say "none". Never raises.
    """
    if _INVISIBLE.match(text):
        return ToolReading(Outcome.EMPTY)
    names = OfferedNames(tuple(dict.fromkeys(offered)))
    offered_names = tuple(dict.fromkeys(offered))
    visible = without_thoughts(text)
    general = {"thought"} if visible != text else set[str]()
    structures = find_json(text)
    candidates = _candidates(visible, structures, names)
    answer = _choose(candidates, offered_names)
    if answer is None:
        notes = general.union(*(source.notes for source in (*structures, *candidates)))
        return ToolReading(Outcome.UNREADABLE, notes=tuple(sorted(notes)))
    notes = general | answer.notes | _drafts(candidates, answer)
    if answer.contradictory & set(offered_names):
        return ToolReading(Outcome.UNREADABLE, notes=tuple(sorted(notes)))
    omitted = (
        () if answer.decisions.closed else tuple(name for name in offered_names if name not in answer.decided)
    )
    needed = {name for name, value in answer.decided.items() if value} | set(answer.unknown)
    return ToolReading(
        Outcome.ANSWERED, frozenset(needed), omitted, tuple(answer.unknown), tuple(sorted(notes))
    )


def _candidates(visible: str, structures: Sequence[FoundJson], names: OfferedNames) -> list[_Candidate]:
    """The structures that decide something and are no arguments of a call written into the text."""
    candidates = list[_Candidate]()
    for structure in structures:
        decisions = decisions_in(structure.value, names)
        if decisions is None:
            continue
        before = visible[max(0, structure.start - _LOOK_BACK) : structure.start]
        is_argument = not decisions.wrapped and _CALL.search(before) is not None
        if not is_argument:
            candidates.append(_resolve(structure, decisions, names))
    return candidates


def _resolve(structure: FoundJson, decisions: Decisions, names: OfferedNames) -> _Candidate:
    """Turn written names into offered ones and find contradictions."""
    candidate = _Candidate(structure, decisions, notes=set(structure.notes) | decisions.notes)
    for written, value in decisions.pairs:
        name = names.find(written)
        if name is None:
            if value:
                candidate.unknown[written] = None
            continue
        if name != written:
            candidate.notes.add("renamed")
        if name in candidate.decided:
            candidate.notes.add("duplicate_key")
            if candidate.decided[name] is not value:
                candidate.notes.add("contradiction")
                candidate.contradictory.add(name)
        candidate.decided[name] = value
    return candidate


def _choose(candidates: Sequence[_Candidate], offered: tuple[str, ...]) -> _Candidate | None:
    """The candidate that is the answer; see `read_tool_decisions`."""
    deciding = [
        candidate
        for candidate in candidates
        if candidate.decided or candidate.decisions.closed or not offered
    ]
    complete = [candidate for candidate in deciding if candidate.structure.complete]
    for candidate in reversed(complete):
        if candidate.decisions.wrapped:
            return candidate
    if complete:
        return _joined(complete)
    return next(
        (candidate for candidate in reversed(deciding) if set(offered) <= set(candidate.decided)), None
    )


def _joined(complete: list[_Candidate]) -> _Candidate:
    """The last candidate, with those directly before it that decide other tools (one line per tool)."""
    answer = complete[-1]
    for earlier in reversed(complete[:-1]):
        if (
            answer.decisions.closed
            or earlier.decisions.closed
            or earlier.decided.keys() & answer.decided.keys()
        ):
            break
        answer.decided = earlier.decided | answer.decided
        answer.unknown = earlier.unknown | answer.unknown
        answer.contradictory |= earlier.contradictory
        answer.notes |= earlier.notes | {"split"}
        earlier.decided = {}
    return answer


def _drafts(candidates: Sequence[_Candidate], answer: _Candidate) -> set[str]:
    """What is to be said of the other structures that decide something."""
    notes = set[str]()
    for other in candidates:
        if other is answer or not other.decided:
            continue
        same = other.decided == answer.decided and other.unknown == answer.unknown
        notes.add("repeated" if same else "draft_superseded")
    return notes
