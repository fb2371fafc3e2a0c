"""Which facts does an answer assert?

A fact counts when it is asserted, not when it occurs (validity.md, section 6). The text is cut into
sentences and clauses; every mention of a value of the fact's kind is found; the cues of its clause say
whether the answer stands by it, doubts or denies it, asks or quotes; the words around it say what it is
said of; and all mentions together make the claim.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from knowact.core.task import Fact
from knowact.reading.pairing import Placed, exchanged
from knowact.reading.reply import Reply
from knowact.reading.weigh_texts import weigh_text
from knowact.reading.weigh_values import weigh_values
from knowact.reading.weigh_yes_no import weigh_yes_no
from knowact.reading.weighing import Weighed


class ClaimStatus(StrEnum):
    """What an answer does with a fact."""

    ASSERTED = "asserted"
    DENIED = "denied"
    """It says that the value is not so; for yes or no also: it asserts the opposite."""
    HEDGED = "hedged"
    """It offers the value without standing by it: doubt, one of several, a range, a limit."""
    CONFLICTING = "conflicting"
    """It asserts the value and something that cannot be true beside it."""
    ABSENT = "absent"
    """It does not state the value, or of something else, or only in a question or quotation."""


@dataclass(frozen=True, slots=True)
class Claim:
    """One fact in one answer.

    Attributes:
        status: What the answer does with it.
        span: Where the decisive mention stands in the text, or None.
        evidence: The text there, for people.
        why: The reason in a few words.
    """

    status: ClaimStatus
    span: tuple[int, int] | None = None
    evidence: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True)
class FactsJudgement:
    """Whether an answer asserts every fact.

    Attributes:
        passed: True exactly when every claim is asserted.
        claims: One per fact, in their order.
        why: The facts that are missing and why, or "all facts asserted".
    """

    passed: bool
    claims: tuple[Claim, ...]
    why: str


def read_claim(fact: Fact, text: str, others: Sequence[Fact] = ()) -> Claim:
    """Read what an answer claims about one fact. Never raises, whatever the text.

    Args:
        fact: What a right answer asserts.
        text: The answer.
        others: Further facts of the same answer; their values do not contradict this one.
    """
    reply = Reply(text)
    return _claim(_weigh(fact, reply, others), reply)


def judge_by_facts(facts: Sequence[Fact], text: str) -> FactsJudgement:
    """Judge an answer: it passes when it asserts every fact.

    Raises:
        ValueError: There are no facts, so nothing could be judged.
    """
    if not facts:
        raise ValueError("an answer cannot be judged without facts")
    reply = Reply(text)
    weighed = [_weigh(fact, reply, [other for other in facts if other is not fact]) for fact in facts]
    placed = [
        Placed(index, fact, one.span)
        for index, (fact, one) in enumerate(zip(facts, weighed, strict=True))
        if one.status == "asserted" and one.span is not None
    ]
    for index in exchanged(reply, placed):
        weighed[index] = replace(weighed[index], status="conflicting", why="said of another fact")
    claims = tuple(_claim(one, reply) for one in weighed)
    missing = [
        f"{fact.label or fact.value}: {claim.status.value} ({claim.why})"
        for fact, claim in zip(facts, claims, strict=True)
        if claim.status is not ClaimStatus.ASSERTED
    ]
    return FactsJudgement(not missing, claims, "; ".join(missing) or "all facts asserted")


def _weigh(fact: Fact, reply: Reply, others: Sequence[Fact]) -> Weighed:
    if fact.kind == "yes_no":
        return weigh_yes_no(fact, reply, others)
    if fact.exact and str(fact.value) not in reply.text:
        return Weighed("absent", None, "not letter for letter")
    if fact.kind == "text":
        welcome = [str(text) for one in others if one.kind == "text" for text in (one.value, *one.aliases)]
        return weigh_text([str(fact.value), *fact.aliases], fact.label, reply, welcome)
    weighed = weigh_values(fact, reply, others)
    if weighed.status == "absent" and fact.aliases:
        by_alias = weigh_text(fact.aliases, fact.label, reply)
        return weighed if by_alias.status == "absent" else by_alias
    return weighed


def _claim(weighed: Weighed, reply: Reply) -> Claim:
    status = ClaimStatus(weighed.status)
    if weighed.span is None:
        return Claim(status, why=weighed.why)
    span = reply.folded.span(*weighed.span)
    return Claim(status, span, reply.text[span[0] : span[1]], weighed.why)
