"""All mentions of a value together: what does the answer claim in the end?"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from knowact.reading.anchors import Anchor
from knowact.reading.polarity import Polarity
from knowact.reading.reply import Reply

StatusName = Literal["asserted", "denied", "hedged", "conflicting", "absent"]
MARGIN = 1.0
"""By how many words of the label another value must be nearer to it to take a value's place."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A mention, what the answer does with it, and what it is said of.

    Attributes:
        right: Whether it is the fact's value.
        computed: Whether it is the result of a calculation that is shown; such results follow each other
            without contradicting.
    """

    start: int
    end: int
    right: bool
    polarity: Polarity
    anchor: Anchor
    computed: bool = False


@dataclass(frozen=True, slots=True)
class Weighed:
    """The outcome, with the decisive place in the folded text."""

    status: StatusName
    span: tuple[int, int] | None
    why: str


def weigh(reply: Reply, statements: Sequence[Statement]) -> Weighed:
    """Combine the statements about one fact, which are in the order of the text."""
    right = [one for one in statements if one.right]
    if not right:
        return Weighed("absent", None, "the value does not occur")
    rivals = [one for one in statements if not one.right and one.polarity is Polarity.ASSERTED]
    asserted = [one for one in right if one.polarity is Polarity.ASSERTED and not one.anchor.foreign]
    best = max((one.anchor.score for one in rivals if not one.anchor.foreign), default=0.0)
    focused = [one for one in asserted if one.anchor.score > best - MARGIN]
    if focused:
        return _settled(reply, focused, right, rivals)
    if asserted:
        return _outcome("absent", asserted[-1], "another value stands where the fact belongs")
    for one in right:
        if one.polarity is Polarity.DENIED:
            return _outcome("denied", one, "denied")
    for one in right:
        if one.polarity is Polarity.HEDGED:
            return _outcome("hedged", one, "not stood by")
    foreign = any(one.anchor.foreign and one.polarity is Polarity.ASSERTED for one in right)
    why = "said of something else" if foreign else "only in a question, a quotation or an aside"
    return _outcome("absent", right[-1], why)


def _outcome(status: StatusName, statement: Statement, why: str) -> Weighed:
    return Weighed(status, (statement.start, statement.end), why)


def _settled(
    reply: Reply, focused: Sequence[Statement], right: Sequence[Statement], rivals: Sequence[Statement]
) -> Weighed:
    """Look for what contradicts the asserted value: a correction, a rival in the same words, a denial."""
    last = focused[-1]
    later = [one for one in rivals if one.start > last.start and not one.anchor.foreign]
    for one in later:
        if _corrects(reply, last.end, one):
            return _outcome("conflicting", one, "corrected to another value")
    denied = [one for one in right if one.polarity is Polarity.DENIED and one.start > last.start]
    if any(one.anchor.score >= last.anchor.score - MARGIN and not one.anchor.foreign for one in denied):
        return _outcome("conflicting", denied[-1], "asserted and then denied")
    if not later and _concludes(reply, last):
        return _outcome("asserted", last, "asserted in conclusion")
    rival = _rival_in_same_words(reply, focused, rivals)
    if rival is not None:
        return _outcome("conflicting", rival, "another value is asserted in the same words")
    return _outcome("asserted", last, "asserted")


def _corrects(reply: Reply, position: int, later: Statement) -> bool:
    """Whether the later statement takes back what stands before it."""
    sentence = reply.sentence(later.start)
    low = max(position, sentence[0], later.start - 60)
    return bool(reply.hits("correction", low, later.start) or reply.hits("retraction", low, later.start))


def _concludes(reply: Reply, statement: Statement) -> bool:
    """Whether the statement is marked as the answer that the others lead to."""
    clause = reply.clause(statement.start, statement.end)
    low = max(reply.sentence(statement.start)[0], clause[0] - 24)
    return bool(reply.hits("conclusion", low, statement.start))


def _rival_in_same_words(
    reply: Reply, focused: Sequence[Statement], rivals: Iterable[Statement]
) -> Statement | None:
    frames = dict[frozenset[str], Statement]()
    for one in focused:
        if not one.computed:
            frames[one.anchor.frame] = one
    for rival in rivals:
        same = frames.get(rival.anchor.frame)
        if same is None or rival.computed or rival.anchor.foreign:
            continue
        if rival.start < same.start and _corrects(reply, rival.end, same):
            continue
        return rival
    return None
