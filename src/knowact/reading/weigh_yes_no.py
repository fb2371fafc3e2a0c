"""Yes or no: what does a reply say about such a fact?"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from knowact.core.task import Fact
from knowact.reading.anchors import anchor, coverage, read_label
from knowact.reading.folding import fold_words
from knowact.reading.polarity import Polarity, polarity
from knowact.reading.reply import Reply
from knowact.reading.weigh_texts import occurrences
from knowact.reading.weighing import Statement, Weighed, weigh


def weigh_yes_no(fact: Fact, reply: Reply, others: Sequence[Fact] = ()) -> Weighed:
    """Weigh a yes or no: by the word itself, else by what is said about the label.

    Of several such facts in one reply, each has the words that stand in its own sentences.
    """
    wanted = (
        fact.value if isinstance(fact.value, bool) else fold_words(str(fact.value)) in {"yes", "true", "1"}
    )
    rivals = [one for one in others if one.kind == "yes_no"]
    found = [one for one in _answer_words(reply) if not _belongs_to_another(fact, rivals, reply, one.span[0])]
    clauses = [
        one
        for one in _label_clauses(fact, reply)
        if not _belongs_to_another(fact, rivals, reply, one.span[0])
    ]
    if found and (_disclaimed(fact, reply) or (not clauses and _promises_only(reply, found[-1].span[1]))):
        found = []
    if found:
        found += [one for one in clauses if _contradicts(reply, one, found)]
    else:
        found = clauses
    for alias in fact.aliases:
        found += [_Answer(span, wanted) for span in occurrences(alias, reply)]
    label = read_label("")
    statements = list[Statement]()
    for one in sorted(found, key=lambda one: one.span):
        start, end = one.span
        stand = polarity(reply, start, end)
        if (
            stand is Polarity.DENIED
            and one.denial_counted
            and reply.hits("denial", *reply.clause(start, end))
        ):
            stand = Polarity.ASSERTED
        around = anchor(reply, label, (start, end), (start, end))
        statements.append(Statement(start, end, one.value is wanted, stand, around))
    opposed = [one for one in statements if not one.right and one.polarity is Polarity.ASSERTED]
    asserted = [one for one in statements if one.right and one.polarity is Polarity.ASSERTED]
    if opposed and not asserted:
        return Weighed("denied", (opposed[-1].start, opposed[-1].end), "the opposite is asserted")
    if opposed and asserted and not _last_corrects(reply, statements):
        return Weighed("conflicting", (opposed[-1].start, opposed[-1].end), "yes and no")
    return weigh(reply, label, [one for one in statements if one.right])


def _belongs_to_another(fact: Fact, rivals: Sequence[Fact], reply: Reply, position: int) -> bool:
    """Whether the sentence at a position speaks of another yes-or-no fact rather than of this one.

    A "Yes." by itself belongs to the question before it, as "Was it replaced? No." shows.
    """
    if not rivals:
        return False
    low, high = reply.sentence(position)
    if len(reply.plain[low:high].split()) <= _BARE and low:
        low = reply.sentence(low - 1)[0]
    own = coverage(reply, read_label(fact.label), (low, high))
    return any(coverage(reply, read_label(one.label), (low, high)) > own for one in rivals)


_BARE = 2
"""A sentence of so few words says of what it speaks in the one before."""


def _contradicts(reply: Reply, clause: "_Answer", answers: Sequence["_Answer"]) -> bool:
    """Whether a clause says the opposite of every answer word; "they are anagrams: no" does not."""
    if any(clause.value is one.value for one in answers):
        return False
    return not any(
        reply.plain[clause.span[1] : one.span[0]].strip() in {":", "?", "-", "\u2013", "\u2014"}
        for one in answers
    )


def _disclaimed(fact: Fact, reply: Reply) -> bool:
    """Whether the reply says that it does not know what the label names."""
    label = read_label(fact.label)
    return any(
        coverage(reply, label, reply.sentence(hit[0])) * 2 >= max(len(label.words), 1)
        for hit in reply.hits("ignorance", 0, len(reply.plain))
    )


def _promises_only(reply: Reply, position: int) -> bool:
    """Whether nothing follows an answer word but that the answer will be looked for."""
    return any(reply.hits(cue, position, len(reply.plain)) for cue in ("announced", "ignorance"))


@dataclass(frozen=True, slots=True)
class _Answer:
    """A yes or no somewhere; `denial_counted` says that a "not" beside it is part of its value."""

    span: tuple[int, int]
    value: bool
    denial_counted: bool = False


def _last_corrects(reply: Reply, statements: Sequence[Statement]) -> bool:
    last = [one for one in statements if one.polarity is Polarity.ASSERTED][-1]
    sentence = reply.sentence(last.start)
    return last.right and bool(reply.hits("correction", max(sentence[0], last.start - 60), last.start))


_ANSWER_EDGE_AFTER = re.compile(r"[ ]*(?:[,.!;:)\n|\u2013\u2014\"'-]|\Z)")


def _answer_words(reply: Reply) -> Iterator[_Answer]:
    """Where a yes or no stands as an answer of its own."""
    for value, cue in ((True, "answer_yes"), (False, "answer_no")):
        for start, end in reply.hits(cue, 0, len(reply.plain)):
            if not reply.is_answer(start):
                continue
            if _ANSWER_EDGE_AFTER.match(reply.plain, end) and _opens_answer(reply, start):
                offers = reply.hits("offer", end, min(end + 30, len(reply.plain)))
                if not any(re.fullmatch(r"\W*", reply.plain[end : hit[0]]) for hit in offers):
                    yield _Answer((start, end), value, denial_counted=_stands_first(reply, start))


def _stands_first(reply: Reply, start: int) -> bool:
    sentence = reply.sentence(start)
    return not re.search(r"\w", reply.plain[max(sentence[0], start - 80) : start])


def _opens_answer(reply: Reply, start: int) -> bool:
    """Whether a word stands where an answer stands: first, after a colon, after "the answer is"."""
    if _stands_first(reply, start):
        return True
    low = max(reply.sentence(start)[0], start - 40)
    before = reply.plain[low:start].rstrip(" \"'(|>-")
    led = reply.hits("answer_before", low, start)
    return before.endswith((":", "=", ",", "\u2014", "\u2192")) or any(
        hit[1] == low + len(before) for hit in led
    )


_PAST = re.compile(r"\b(?:was|were|has been|have been|did|has|have)\b")
_FUTURE = re.compile(r"\b(?:will|going to|about to)\b|'ll\b")


def _label_clauses(fact: Fact, reply: Reply) -> Iterator[_Answer]:
    """Clauses that speak of what the label names, and whether they affirm or deny it."""
    label = read_label(fact.label)
    if not label.words:
        return
    begin = 0
    for end in reply.sentence_ends:
        sentence = reply.plain[begin : min(end, begin + 600)]
        hits = [match.span() for word in label.words if (match := word.search(sentence))]
        turned = [
            match.span()
            for own, others in label.sides
            for other in others
            if not own.search(sentence) and (match := other.search(sentence))
        ]
        still_to_come = _PAST.search(label.text) is not None and _FUTURE.search(sentence) is not None
        if (len(hits) + len(turned)) * 2 >= len(label.words) and reply.is_answer(begin) and not still_to_come:
            predicate = label.words[-1].search(sentence)
            last = predicate.span() if predicate else max([*hits, *turned])
            span = (begin + last[0], begin + last[1])
            denials = _denials(reply, reply.clause(*span))
            yield _Answer(span, (denials + len(turned)) % 2 == 0, denial_counted=True)
        begin = end


def _denials(reply: Reply, clause: tuple[int, int]) -> int:
    excused = reply.hits("no_denial", *clause)
    return sum(
        not any(low <= hit[0] < high for low, high in excused) for hit in reply.hits("denial", *clause)
    )
