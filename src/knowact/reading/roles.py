"""The part that a value plays among its neighbours: a term, a result, an end of a range, a choice."""

import re
from collections.abc import Iterator, Sequence
from enum import StrEnum

from knowact.reading.cues import cues
from knowact.reading.mentions import Mention
from knowact.reading.reply import Reply

_TRIM = " \t\n.,;:!()[]\"'"


class Role(StrEnum):
    """What a value is there for."""

    PLAIN = "plain"
    OPERAND = "operand"
    """It is calculated with."""
    COMPUTED = "computed"
    """It is the result of a calculation that is shown."""
    ALTERNATIVE = "alternative"
    """One of several that are offered."""
    LOWER = "lower"
    """The first end of a range."""
    UPPER = "upper"
    """The second end of a range."""
    LOOSE = "loose"
    """An end of a "between"."""
    PAST = "past"
    """What held before a change."""
    LISTED = "listed"
    """One of three or more in a row."""
    REFERENCE = "reference"
    """It names a page, a room or the like."""


_OPERATOR_AFTER = re.compile(r"[ ]*[)]?[ ]*(?:[+*\u00d7\u00f7/^]|-[ ]+\d|=)")
_OPERATOR_BEFORE = re.compile(r"[+*\u00d7\u00f7/^][ ]*[($]?[ ]*\Z|\d[ ]*[a-z%°]{0,4} -[ ]+\Z")
_EQUALS_BEFORE = re.compile(r"[=≈][ ]*[(]?[ ]*\Z")
_NAMED_THING = re.compile(r"(?<!\w)[A-Z][a-z]{2,} \Z")
_VERB_AFTER = re.compile(
    r"[ ](?:is|was|has|had|goes|does|will|can|in|on|at|from|to|leads|stops|costs|weighs|takes|leaves|departs"
    r"|arrives|runs|starts|opens|closes|belongs|shows|says)\b"
)
"""What follows a thing that is named by a number ("Lift 9 is closed")."""
_LIST_JOINT = re.compile(r"[ ]*(?:[,;]|and|und|et|y|e|en)[ ]*")


def roles_of(reply: Reply, mentions: Sequence[Mention]) -> list[Role]:
    """The role of each of the mentions, which are of one kind and in the order of the text."""
    roles = [_role_in_calculation(reply, one) for one in mentions]
    linked = [False] * len(mentions)
    for index in range(len(mentions) - 1):
        one, other = mentions[index], mentions[index + 1]
        if other.start - one.end > 24:  # noqa: PLR2004 - a joint is short
            continue
        between = reply.plain[one.end : other.start]
        linked[index] = _LIST_JOINT.fullmatch(between) is not None
        if cues().patterns["alternative"].fullmatch(between.strip(_TRIM)) and _is_joint(between, reply):
            roles[index] = roles[index + 1] = Role.ALTERNATIVE
        elif _is_range(reply, one, between):
            roles[index], roles[index + 1] = _range_roles(reply, one)
    for index in reversed(range(len(mentions) - 1)):
        if linked[index] and roles[index + 1] == Role.ALTERNATIVE and roles[index] == Role.PLAIN:
            roles[index] = Role.ALTERNATIVE
    for low, high in _rows(linked):
        for index in range(low, high):
            if roles[index] is Role.PLAIN:
                roles[index] = Role.LISTED
    return roles


_ROW = 3
"""So many values side by side are a list to choose from, not an answer."""


def _rows(linked: Sequence[bool]) -> Iterator[tuple[int, int]]:
    """Runs of linked values, as (first, one after the last)."""
    low = 0
    for index, joined in enumerate(linked):
        if not joined:
            if index + 1 - low >= _ROW:
                yield low, index + 1
            low = index + 1


def _range_roles(reply: Reply, first: Mention) -> tuple[Role, Role]:
    """What the ends of a range are; after "moved" or "grown" the second one holds now."""
    if reply.hits("change", max(reply.sentence(first.start)[0], first.start - 60), first.start):
        return Role.PAST, Role.PLAIN
    if re.search(
        r"\b(?:between|zwischen|entre|tra|fra|tussen)[ ]*\Z",
        reply.plain[max(0, first.start - 12) : first.start],
    ):
        return Role.LOOSE, Role.LOOSE
    return Role.LOWER, Role.UPPER


def _is_joint(between: str, reply: Reply) -> bool:
    """Whether a short word joins alternatives in the reply's language ("o" is "or" in Spanish only)."""
    word = between.strip(_TRIM)
    return {"o": reply.language in {"es", "it"}, "of": reply.language == "nl"}.get(word, True)


def _is_range(reply: Reply, one: Mention, between: str) -> bool:
    word = between.strip(" ")
    if not cues().patterns["range"].fullmatch(word):
        return False
    opening = reply.hits("range_opening", max(0, one.start - 30), one.start)
    opened = any(reply.plain[hit[1] : one.start].strip(" $€£") == "" for hit in opening)
    if word in {"and", "und", "et", "y", "e", "en", "a", "al", "ao"}:
        return opened
    return True


def names_a_thing(reply: Reply, mention: Mention) -> bool:
    """Whether a bare number is the name of a thing of which something is said ("Lift 9 is closed")."""
    thing = _NAMED_THING.search(reply.folded.cased, max(0, mention.start - 24), mention.start)
    return bool(thing) and not mention.unit and _VERB_AFTER.match(reply.plain, mention.end) is not None


def _role_in_calculation(reply: Reply, mention: Mention) -> Role:
    if mention.kind != "number":
        return Role.PLAIN
    if not mention.unit and any(
        reply.plain[hit[1] : mention.start].strip() == ""
        for hit in reply.hits("reference", max(0, mention.start - 20), mention.start)
    ):
        return Role.REFERENCE
    if names_a_thing(reply, mention):
        return Role.REFERENCE
    before = reply.plain[max(0, mention.start - 16) : mention.start]
    after = reply.plain[mention.end : mention.end + 16]
    if _OPERATOR_AFTER.match(after):
        chained = _EQUALS_BEFORE.search(before) is not None and after.lstrip().startswith("=")
        return Role.COMPUTED if chained else Role.OPERAND
    if _EQUALS_BEFORE.search(before):
        return Role.COMPUTED
    words = cues().patterns["operator"]
    for match in words.finditer(after.strip()):
        if match.start() == 0 and match[0].isalpha() and re.match(r"\s*[\d(]", after.strip()[match.end() :]):
            return Role.OPERAND
    if _OPERATOR_BEFORE.search(before):
        return Role.OPERAND
    return Role.PLAIN
