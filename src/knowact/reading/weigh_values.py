"""Numbers, dates and times: what does a reply say about such a fact?"""

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from knowact.core.task import Fact
from knowact.reading.anchors import Label, anchor, read_label
from knowact.reading.folding import fold
from knowact.reading.mentions import Mention, Value, find_mentions
from knowact.reading.polarity import Polarity, polarity
from knowact.reading.reply import Reply
from knowact.reading.roles import Role, names_a_thing, roles_of
from knowact.reading.units import units
from knowact.reading.weigh_texts import weigh_text
from knowact.reading.weighing import Statement, Weighed, weigh

_NOT_MEANT = frozenset({Role.OPERAND, Role.PAST, Role.REFERENCE, Role.LISTED})


@dataclass(frozen=True, slots=True)
class _Wanted:
    """The value of a fact, in the form of mentions."""

    kind: str
    value: Value
    unit: str
    tolerance: float

    def matches(self, mention: Mention) -> bool:
        return any(self._same(value) for value in self.distinct(mention))

    def distinct(self, mention: Mention) -> Sequence[Value]:
        """What the mention can mean; an ambiguous date means nothing for certain."""
        if mention.kind == "date" and len(mention.values) > 1:
            return ()
        return mention.values

    def might_match(self, mention: Mention) -> bool:
        return any(self._same(value) for value in mention.values)

    def _same(self, value: Value) -> bool:
        if self.kind == "number" and isinstance(value, float | int) and isinstance(self.value, float | int):
            rounding = 4 * math.ulp(max(abs(value), abs(self.value)))
            return abs(value - self.value) <= self.tolerance * (1 + 1e-9) + rounding
        if self.kind == "date" and isinstance(value, tuple) and isinstance(self.value, tuple):
            return value[1:] == self.value[1:] and value[0] in {0, self.value[0]}
        return value == self.value

    def fits(self, mention: Mention) -> bool:
        """Whether kind and unit allow the mention to be about this."""
        if mention.kind != self.kind:
            return False
        return not self.unit or not mention.unit or units().agree(self.unit, mention.unit)


def _wanted(fact: Fact) -> _Wanted | None:
    if fact.kind == "number":
        number = fact.value if isinstance(fact.value, float) else _number(str(fact.value))
        return None if number is None else _Wanted("number", number, units().of(fact.unit), fact.tolerance)
    text = str(fact.value)
    if fact.kind == "date" and (date := re.match(r"(\d{4})-(\d\d)-(\d\d)", text)):
        return _Wanted("date", (int(date[1]), int(date[2]), int(date[3])), "", 0)
    if fact.kind == "time" and (time := re.match(r"(\d\d?):(\d\d)", text)):
        return _Wanted("time", int(time[1]) * 60 + int(time[2]), "", 0)
    return None


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def weigh_values(fact: Fact, reply: Reply, others: Sequence[Fact]) -> Weighed:
    """Weigh a number, a date or a time."""
    wanted = _wanted(fact)
    if wanted is None:
        return weigh_text([str(fact.value)], fact.label, reply)
    welcome = [one for other in others if other.kind == fact.kind and (one := _wanted(other)) is not None]
    aliases = _alias_values(fact)
    label, named = read_label(fact.label), _named(fact, others)
    mentions = [one for one in reply.mentions if one.kind == wanted.kind]
    roles = roles_of(reply, mentions)
    statements = list[Statement]()
    for index, mention in enumerate(mentions):
        by_alias = any(alias.fits(mention) and alias.matches(mention) for alias in aliases)
        if not by_alias and not wanted.fits(mention):
            continue
        right = by_alias or wanted.might_match(mention)
        role = roles[index]
        if role is Role.REFERENCE and _is_asked_for(label, reply, mention):
            role = Role.PLAIN
        if not right and (
            not _is_rival(wanted, mention, role, counted=_is_counted(fact, label, reply, mention))
            or any(mention.values == one for one in named)
            or _is_year(reply, mention)
            or any(one.matches(mention) for one in welcome)
        ):
            continue
        stand = polarity(
            reply,
            mention.start,
            mention.end,
            kind=wanted.kind,
            exact=mention.exact or wanted.tolerance > 0,
            extreme=_extreme(label),
        )
        if stand is Polarity.ASSERTED and not _stands(role, wanted.kind, label):
            stand = Polarity.IGNORED if role in _NOT_MEANT else Polarity.HEDGED
        if right and not by_alias and not wanted.matches(mention) and stand is Polarity.ASSERTED:
            stand = Polarity.HEDGED
        around = anchor(
            reply,
            label,
            (mention.start, mention.end),
            _neighbours(mentions, index, reply),
            _first(mentions, index, reply),
        )
        statements.append(
            Statement(
                mention.start,
                mention.end,
                right,
                stand,
                around,
                computed=role is Role.COMPUTED,
                bare=bool(wanted.unit) and not mention.unit,
            )
        )
    if wanted.kind == "number" and wanted.value == 0:
        statements += _said_to_be_none(reply, label)
    return weigh(reply, label, sorted(statements, key=lambda one: one.start))


def _said_to_be_none(reply: Reply, label: Label) -> Iterator[Statement]:
    """Where the reply says that there are none of what the label names."""
    spans = [
        *reply.hits("zero", 0, len(reply.plain)),
        *(one.span() for one in _NOT_ANY.finditer(reply.plain)),
    ]
    for start, end in spans:
        following = reply.plain[end : end + 40]
        if not any(word.search(following) for word in label.words) or _NO_COUNT.match(following):
            continue
        around = anchor(reply, label, (start, end), (0, len(reply.plain)))
        certain = polarity(reply, start, end) is Polarity.ASSERTED and reply.is_answer(start)
        yield Statement(start, end, True, Polarity.ASSERTED if certain else Polarity.HEDGED, around)


def _is_of_label(label: Label, before: str) -> bool:
    return any(word.search(before) for word in label.words)


def _is_asked_for(label: Label, reply: Reply, mention: Mention) -> bool:
    """Whether the label names the thing before a number ("room 7" for "room of the exam")."""
    word = re.search(r"([^\W\d_]+)[ ]+\Z", reply.plain[max(0, mention.start - 20) : mention.start])
    return word is not None and _is_of_label(label, word[1]) and not names_a_thing(reply, mention)


def _is_counted(fact: Fact, label: Label, reply: Reply, mention: Mention) -> bool:
    """Whether what the fact counts stands right after a number ("two nights")."""
    after = re.match(r"[ ]+([^\W\d_]{3,})", reply.plain[mention.end : mention.end + 30])
    return after is not None and (_is_of_label(label, after[1]) or after[1] == fact.unit)


def _is_rival(wanted: _Wanted, mention: Mention, role: Role, *, counted: bool) -> bool:
    """Whether another value could stand in the fact's place."""
    if mention.weak and not mention.unit and not counted:
        return False
    if wanted.kind == "number" and not wanted.unit and mention.unit:
        return False
    return role not in _NOT_MEANT


_YEAR_BEFORE = re.compile(
    r"\b(?:in|since|by|until|for|of|before|after|im|seit|fur|en|depuis|desde|nel|dal|em|sinds|voor)[ ]\Z"
)
_HOUR_OF_DAY = re.compile(
    r"at (?:1?\d|2[0-4])(?=[ ](?:this|in the|sharp|every|each|on|today|tonight|tomorrow)\b)"
)
_YEAR = re.compile(r"(?:1[89]|20)\d\d\Z")


def _is_year(reply: Reply, mention: Mention) -> bool:
    """Whether a number names a year or an hour ("since 2021", "at 7 this morning")."""
    if _HOUR_OF_DAY.match(reply.plain, max(0, mention.start - 3)):
        return True
    written = reply.plain[mention.start : mention.end]
    before = reply.plain[max(0, mention.start - 12) : mention.start]
    return _YEAR.match(written) is not None and _YEAR_BEFORE.search(before) is not None


def _named(fact: Fact, others: Sequence[Fact]) -> list[tuple[Value, ...]]:
    """Values that the labels themselves have ("free seats in coach 12"): they rival nothing."""
    labels = (fact.label, *(one.label for one in others))
    return [one.values for label in labels for one in _written(label) if one.kind == fact.kind]


@lru_cache(maxsize=4096)
def _written(text: str) -> tuple[Mention, ...]:
    """The values in a label or an alias; every fact of an answer looks at the labels of all."""
    return tuple(find_mentions(fold(text), "en"))


def _alias_values(fact: Fact) -> list[_Wanted]:
    """Aliases that are values themselves ("69.8 °F")."""
    values = list[_Wanted]()
    for alias in fact.aliases:
        found = [one for one in _written(alias) if one.kind == fact.kind]
        if len(found) == 1 and (found[0].unit or fact.kind != "number"):
            values.append(_Wanted(fact.kind, found[0].values[0], found[0].unit, 0.0))
    return values


def _neighbours(mentions: Sequence[Mention], index: int, reply: Reply) -> tuple[int, int]:
    before = mentions[index - 1].end if index else 0
    after = mentions[index + 1].start if index + 1 < len(mentions) else len(reply.plain)
    return before, after


def _first(mentions: Sequence[Mention], index: int, reply: Reply) -> int:
    """Where the first mention of the same sentence begins."""
    begin = reply.sentence(mentions[index].start)[0]
    first = mentions[index].start
    for one in reversed(mentions[max(0, index - _MOST) : index]):
        if one.start < begin:
            break
        first = one.start
    return first


_MOST = 40
"""Of the mentions in one sentence so many are looked back at."""

_NOT_ANY = re.compile(r"(?:n't|\bnot|\bnever)(?:[ ][\w']+){0,3}[ ]any\b")
_NO_COUNT = re.compile(r"[ ](?:fewer|less|more|idea|data|information|list|record|way|doubt|answer|access)\b")
_FINISH = re.compile(r"(?:end|clos|arriv|finish|until|deadline)\w*")


def _extreme(label: Label) -> str:
    for own, _ in label.sides:
        if own.search("high"):
            return "upper"
        if own.search("low"):
            return "lower"
    return ""


def _stands(role: Role, kind: str, label: Label) -> bool:
    """Whether a value in this role can be asserted; the fitting end of a range can."""
    if role in {Role.PLAIN, Role.COMPUTED}:
        return True
    if role not in {Role.LOWER, Role.UPPER}:
        return False
    if kind == "number":
        return role.value == _extreme(label)
    return (role is Role.UPPER) == (_FINISH.search(label.text) is not None)
