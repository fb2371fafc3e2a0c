"""Which tools does a model say it needs? Reads the replies of the knowing probe.

Wanted is one JSON object whose key `tool_decisions` maps each offered tool to a boolean (KAPRO). What
plainly means the same is read too, with a note; nothing is guessed from prose.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from knowact.core.record import Outcome
from knowact.reading.decision_words import CALL_PATTERN
from knowact.reading.decisions import Decisions, decisions_in
from knowact.reading.json_text import Found, find_json
from knowact.reading.thoughts import without_thoughts
from knowact.reading.tool_names import OfferedNames

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

    structure: Found
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


def _candidates(visible: str, structures: Sequence[Found], names: OfferedNames) -> list[_Candidate]:
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


def _resolve(structure: Found, decisions: Decisions, names: OfferedNames) -> _Candidate:
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
