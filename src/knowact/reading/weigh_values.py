"""Numbers, dates and times: what does a reply say about such a fact?"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from knowact.core.task import Fact
from knowact.reading.anchors import Label, anchor, read_label
from knowact.reading.folding import fold
from knowact.reading.mentions import Mention, Value, find_mentions
from knowact.reading.polarity import Polarity, polarity
from knowact.reading.reply import Reply
from knowact.reading.roles import Role, roles_of
from knowact.reading.units import units
from knowact.reading.weigh_texts import weigh_text
from knowact.reading.weighing import Statement, Weighed, weigh

_NOT_MEANT = frozenset({Role.OPERAND, Role.PAST, Role.REFERENCE})


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
            return abs(value - self.value) <= self.tolerance + 1e-9 * max(1.0, abs(self.value))
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
    label = read_label(fact.label)
    mentions = [one for one in reply.mentions if one.kind == wanted.kind]
    roles = roles_of(reply, mentions)
    statements = list[Statement]()
    for index, mention in enumerate(mentions):
        by_alias = any(alias.fits(mention) and alias.matches(mention) for alias in aliases)
        if not by_alias and not wanted.fits(mention):
            continue
        right = by_alias or wanted.might_match(mention)
        role = roles[index]
        if not right and (
            not _is_rival(wanted, mention, role) or any(one.matches(mention) for one in welcome)
        ):
            continue
        stand = polarity(
            reply, mention.start, mention.end, kind=wanted.kind, exact=mention.exact, extreme=_extreme(label)
        )
        if stand is Polarity.ASSERTED and not _stands(role, wanted.kind, label):
            stand = Polarity.IGNORED if role in _NOT_MEANT else Polarity.HEDGED
        if right and not by_alias and not wanted.matches(mention) and stand is Polarity.ASSERTED:
            stand = Polarity.HEDGED
        around = anchor(reply, label, (mention.start, mention.end), _neighbours(mentions, index, reply))
        statements.append(
            Statement(mention.start, mention.end, right, stand, around, computed=role is Role.COMPUTED)
        )
    if wanted.kind == "number" and wanted.value == 0:
        statements += _said_to_be_none(reply, label)
    return weigh(reply, _preferring_units(statements, mentions, wanted))


def _said_to_be_none(reply: Reply, label: Label) -> Iterator[Statement]:
    """Where the reply says that there are none of what the label names."""
    for start, end in reply.hits("zero", 0, len(reply.plain)):
        following = reply.plain[end : end + 40]
        if not any(word.search(following) for word in label.words):
            continue
        around = anchor(reply, label, (start, end), (0, len(reply.plain)))
        certain = polarity(reply, start, end) is Polarity.ASSERTED
        yield Statement(start, end, True, Polarity.ASSERTED if certain else Polarity.HEDGED, around)


def _preferring_units(
    statements: list[Statement], mentions: Sequence[Mention], wanted: _Wanted
) -> list[Statement]:
    """Where the right value carries its unit, bare numbers do not contradict it."""
    with_unit = {one.start for one in mentions if one.unit}
    if not wanted.unit or not any(one.start in with_unit for one in statements):
        return statements
    right = [one for one in statements if one.right]
    nearest = max((one.anchor.score for one in right), default=0.0)
    kept = [
        one for one in statements if one.right or one.start in with_unit or one.anchor.score >= nearest + 1
    ]
    asserted = [one.anchor.score for one in kept if not one.right and one.polarity is Polarity.ASSERTED]
    if not any(one.start in with_unit for one in right) and max(asserted, default=-1.0) >= nearest - 0.5:
        return [
            one for one in kept if not one.right
        ]  # a year, a house number: the value with the unit is meant
    return kept


def _is_rival(wanted: _Wanted, mention: Mention, role: Role) -> bool:
    """Whether another value could stand in the fact's place."""
    if mention.weak and not mention.unit:
        return False
    if wanted.kind == "number" and not wanted.unit and mention.unit:
        return False
    return role not in _NOT_MEANT


def _alias_values(fact: Fact) -> list[_Wanted]:
    """Aliases that are values themselves ("69.8 °F")."""
    values = list[_Wanted]()
    for alias in fact.aliases:
        found = [one for one in find_mentions(fold(alias), "en") if one.kind == fact.kind]
        if len(found) == 1 and (found[0].unit or fact.kind != "number"):
            values.append(_Wanted(fact.kind, found[0].values[0], found[0].unit, 0.0))
    return values


def _neighbours(mentions: Sequence[Mention], index: int, reply: Reply) -> tuple[int, int]:
    before = mentions[index - 1].end if index else 0
    after = mentions[index + 1].start if index + 1 < len(mentions) else len(reply.plain)
    return before, after


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
