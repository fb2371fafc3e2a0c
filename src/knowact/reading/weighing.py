"""All mentions of a value together: what does the answer claim in the end?"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from knowact.reading.anchors import Anchor, Label, coverage
from knowact.reading.polarity import Polarity
from knowact.reading.reply import Reply

StatusName = Literal["asserted", "denied", "hedged", "conflicting", "absent"]
MARGIN = 1.0
"""By how many words of the label another value must be nearer to it to take a value's place."""
_TIE = 0.3
"""Two values whose nearness to the label differs by no more than this say two things of one."""
_CORRECTED = 2
"""A correction reaches to the end of so many sentences, the one with its cue included."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A mention, what the answer does with it, and what it is said of.

    Attributes:
        right: Whether it is the fact's value.
        computed: Whether it is the result of a calculation that is shown; such results follow each other
            without contradicting.
        bare: Whether it stands without the unit that the fact has.
    """

    start: int
    end: int
    right: bool
    polarity: Polarity
    anchor: Anchor
    computed: bool = False
    bare: bool = False


@dataclass(frozen=True, slots=True)
class Weighed:
    """The outcome, with the decisive place in the folded text."""

    status: StatusName
    span: tuple[int, int] | None
    why: str


def weigh(reply: Reply, label: Label, statements: Sequence[Statement], *, by_frame: bool = False) -> Weighed:
    """Combine the statements about one fact, which are in the order of the text.

    Args:
        reply: The reply.
        label: The fact's label.
        statements: What the reply says with the fact's value, and with other values in its place.
        by_frame: Two values that are equally near to the label contradict only in the same words: so for
            names, of which a sentence may have many.
    """
    right = [one for one in statements if one.right]
    if not right:
        return Weighed("absent", None, "the value does not occur")
    live = [one for one in statements if one.polarity is Polarity.ASSERTED and not one.anchor.foreign]
    standing = _without_corrected(reply, live)
    asserted = [one for one in standing if one.right]
    rivals = [one for one in standing if not one.right]
    if asserted:
        return _settled(reply, label, asserted, right, rivals, by_frame=by_frame)
    corrected = [one for one in live if one.right]
    if corrected:
        return _outcome("conflicting", corrected[-1], "corrected to another value")
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


def _without_corrected(reply: Reply, live: Sequence[Statement]) -> list[Statement]:
    """Leave out what a later statement of another value takes back."""
    until = -1
    starts = [one.start for one in live]
    for cue in _corrections(reply):
        end = cue[1]
        for _ in range(_CORRECTED):
            end = reply.sentence(end)[1]
        turn = bisect_left(starts, cue[0])
        after = live[turn : bisect_left(starts, end)][:_MOST]
        if turn and after and _turned(live[turn - 1], after):
            until = max(until, after[-1].start if live[turn - 1].right else cue[0])
    return [one for one in live if one.start >= until]


_MOST = 20
"""So many statements after a correction are looked at: it keeps the work bounded."""


def _turned(before: Statement, after: Sequence[Statement]) -> bool:
    """Whether what follows a correction replaces what stands before it."""
    same = [one for one in after if one.right == before.right]
    other = [one for one in after if one.right != before.right]
    if not other or before.right is False:
        return bool(other)
    return not same or (after[-1] is other[-1] and after[-1].anchor.score >= same[-1].anchor.score)


def _corrections(reply: Reply) -> Iterator[tuple[int, int]]:
    for cue in ("correction", "retraction"):
        for hit in reply.hits(cue, 0, len(reply.plain)):
            if reply.is_answer(hit[0]):
                yield hit


def _settled(
    reply: Reply,
    label: Label,
    asserted: Sequence[Statement],
    right: Sequence[Statement],
    rivals: Sequence[Statement],
    *,
    by_frame: bool,
) -> Weighed:
    """Look for what contradicts the asserted value: a rival nearer to the label, a denial, a conclusion."""
    best = max(asserted, key=lambda one: (one.anchor.score, one.start))
    last = asserted[-1]
    denied = [one for one in right if one.polarity is Polarity.DENIED and one.start > last.start]
    if any(one.anchor.score >= best.anchor.score - MARGIN and not one.anchor.foreign for one in denied):
        return _outcome("conflicting", denied[-1], "asserted and then denied")
    final = _final(reply, sorted((*asserted, *rivals), key=lambda one: one.start))
    if final is not None and final.right:
        return _outcome("asserted", final, "asserted as the final answer")
    if final is not None:
        return _outcome("conflicting", final, "another value is the final answer")
    rivals = [one for one in rivals if _competes(one, asserted)]
    if rivals:
        strongest = max(rivals, key=lambda one: (one.anchor.score, one.start))
        lead = best.anchor.score - strongest.anchor.score
        concluding = _concludes(reply, last, strongest)
        if concluding and strongest.bare and not last.bare:
            return _outcome("asserted", last, "asserted in conclusion")
        if lead <= -MARGIN or (best.bare and not strongest.bare and lead < MARGIN):
            return _outcome("absent", best, "another value stands where the fact belongs")
        same = not by_frame or any(one.anchor.frame == strongest.anchor.frame for one in asserted)
        if same and lead <= _TIE and not concluding:
            return _outcome("conflicting", strongest, "another value is asserted of the same thing")
    if _disowned(reply, label, best):
        return _outcome("absent", best, "said of something else")
    return _outcome("asserted", last if last.anchor.score >= best.anchor.score else best, "asserted")


def _competes(rival: Statement, asserted: Sequence[Statement]) -> bool:
    """Whether another value can contradict: not a step of a calculation, not a bare number beside a unit."""
    last = asserted[-1]
    if rival.computed and last.computed and rival.start < last.start:
        return False
    with_unit = [one.anchor.score for one in asserted if not one.bare]
    return not (rival.bare and with_unit and max(with_unit) > rival.anchor.score)


def _final(reply: Reply, statements: Sequence[Statement]) -> Statement | None:
    """The statement that the reply marks as its final answer, the last such one."""
    found = None
    for hit in reply.hits("final", 0, len(reply.plain)):
        following = next((one for one in statements if one.start >= hit[1]), None)
        if following is not None and following.start - hit[1] <= _FINAL_REACH and reply.is_answer(hit[0]):
            found = following
    return found


_FINAL_REACH = 40
"""In characters: "Final answer: the rent of the studio is 900"."""


def _concludes(reply: Reply, statement: Statement, rival: Statement) -> bool:
    """Whether the statement is marked as what the rivals before it lead to."""
    if rival.start > statement.start:
        return False
    clause = reply.clause(statement.start, statement.end)
    low = max(reply.sentence(statement.start)[0], clause[0] - 24)
    return bool(reply.hits("conclusion", low, statement.start))


def _disowned(reply: Reply, label: Label, statement: Statement) -> bool:
    """Whether the reply speaks of the fact elsewhere: it says that it does not know, or it goes on to it."""
    score = statement.anchor.score
    here = reply.sentence(statement.start)
    for hit in reply.hits("ignorance", 0, len(reply.plain)):
        low, high = reply.clause(*hit)
        inside = here[0] <= hit[0] < here[1]
        if inside and (low <= statement.start < high or hit[1] <= statement.start):
            continue  # polarity has judged that
        sentence = reply.sentence(hit[0])
        if coverage(reply, label, (low, high) if inside else sentence) >= max(score, _TIE):
            return True
    return statement.anchor.headed and _goes_on_to_it(reply, label, statement)


def _goes_on_to_it(reply: Reply, label: Label, statement: Statement) -> bool:
    """Whether the reply speaks of what the label names in another sentence, and of another thing here."""
    if reply.language not in {"en", ""} or not label.words or statement.anchor.score >= 1:
        return False
    here = reply.sentence(statement.start)
    begin = 0
    keyed = reply.plain[max(0, statement.start - 3) : statement.start].rstrip(" \"'$").endswith(":")
    for end in reply.sentence_ends:
        after = begin > here[0] or (
            keyed and begin < here[0] and not reply.hits("correction", begin, here[0] + 40)
        )
        if (
            after
            and reply.is_answer(begin)
            and coverage(reply, label, (begin, end)) >= statement.anchor.score + MARGIN
        ):
            return True
        begin = end
    return False
