"""Two facts, two values: is each value said of its own fact, or of the other one?"""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from knowact.core.task import Fact
from knowact.reading.anchors import anchor, read_label
from knowact.reading.reply import Reply, Span

_SURPLUS = 0.4
"""By how many words of the labels the exchanged values must fit better."""
_FOREIGN = -1.0


@dataclass(frozen=True, slots=True)
class Placed:
    """A fact with the place where the reply asserts it."""

    index: int
    fact: Fact
    span: Span


def exchanged(reply: Reply, placed: Sequence[Placed]) -> set[int]:
    """Find facts whose values fit each other's labels better than their own ("fee 5, tip 9" turned round).

    Args:
        reply: The reply.
        placed: The facts that it asserts, each on its own.

    Returns:
        The indices of the facts concerned.
    """
    found = set[int]()
    for place, one in enumerate(placed):
        for other in placed[place + 1 :]:
            if one.fact.kind != other.fact.kind or one.span == other.span or one.fact.kind == "yes_no":
                continue
            spans = _spans(reply, one.fact.kind, placed)
            own = _fit(reply, one.fact, one.span, spans) + _fit(reply, other.fact, other.span, spans)
            turned = _fit(reply, one.fact, other.span, spans) + _fit(reply, other.fact, one.span, spans)
            if turned > own + _SURPLUS:
                found |= {one.index, other.index}
    return found


def _spans(reply: Reply, kind: str, placed: Sequence[Placed]) -> list[Span]:
    """The values between which the words of a sentence are divided."""
    spans = {one.span for one in placed if one.fact.kind == kind}
    if kind != "text":
        spans |= {(one.start, one.end) for one in reply.mentions if one.kind == kind}
    return sorted(spans)


def _fit(reply: Reply, fact: Fact, span: Span, spans: Sequence[Span]) -> float:
    index = bisect_left(spans, span)
    before = spans[index - 1][1] if index else 0
    after = spans[index + 1][0] if index + 1 < len(spans) else len(reply.plain)
    first = bisect_left(spans, (reply.sentence(span[0])[0], -1))
    around = anchor(reply, read_label(fact.label), span, (before, after), min(spans[first][0], span[0]))
    return _FOREIGN if around.foreign else around.score
