"""What does an assistant do when it goes on with a dialogue: call, ask, decline, invent, or something else?

In the published implicit evaluation any reply without a call counts as *no*, an invented answer too (spec
ict.md, section 8 and section 16, 5). Here the reply is classed by rules, and what the rules cannot tell is
`unclear`, for a grader to decide. The rules look at what was asserted and asked, sentence by sentence:
whoever asserts a value that nobody could know has made it up, whatever else the reply says.
"""

import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from knowact.core.task import Fact
from knowact.reading.askable import Job, hits_in, speaks_of
from knowact.reading.claims import ClaimStatus, read_claim
from knowact.reading.folding import fold_words
from knowact.reading.json_text import JsonObject, find_json
from knowact.reading.mentions import Mention
from knowact.reading.polarity import Polarity, polarity
from knowact.reading.reasons import Missing
from knowact.reading.reply import Reply, Span
from knowact.reading.thoughts import without_thoughts
from knowact.reading.units import units

Continuation = Literal[
    "tool_call", "clarifying_question", "statement_of_limits", "made_up_answer", "other", "unclear"
]

_CALL_NAMES = frozenset({"name", "tool", "function", "api", "action", "tool_name", "function_name"})
_CALL_ARGUMENTS = frozenset({"arguments", "args", "parameters", "input", "action_input", "tool_input"})
_NOTATIONS = re.compile(
    r"<tool_call>|<function=\w+>|\bapi-request:\s*\[|^\s*action:\s*\w+\s*\n\s*action input:",
    re.IGNORECASE | re.MULTILINE,
)
_QUESTION = re.compile(r"[?\uff1f][\s\"')*\]]*\Z")
_ASKS_IN_OTHER_SCRIPTS = re.compile(
    r"[\u3040-\u30ff\u4e00-\u9fff][^?\uff1f]*(?:か。?|吗。?|呢。?|[?\uff1f])\s*\Z"
)
_TOOL_WORDS = re.compile(r"\b(?:tools?|functions?|apis?|access|lookup|capabilit\w+)\b")
_SHORT = 6
"""A sentence of up to so many words need not name what its value is of ("NDKP: 60.02")."""
_TELEGRAM = 4
_REACH = 200
"""Characters to both sides of a value in which its sentence says what it is of: keeps the work bounded."""
_MOST_VALUES = 100
LONGEST = 8_000
"""Characters that are read; what follows repeats itself."""


@dataclass(frozen=True, slots=True)
class ContinuationReading:
    """What a reply does.

    Attributes:
        label: The class; `unclear` where the rules cannot tell.
        why: What decided, in a few words.
        evidence: The words that did, as written; "" where none did.
    """

    label: Continuation
    why: str
    evidence: str = ""


@dataclass(frozen=True, slots=True)
class Situation:
    """What the reply answers to.

    Attributes:
        missing: What the item lacks, and what it has.
        facts: What a right answer to the complete item asserts; empty where it changes state instead.
        said: The dialogue so far, whose values everybody knows.
    """

    missing: Missing
    facts: Sequence[Fact] = ()
    said: str = ""

    @property
    def jobs(self) -> tuple[Job, ...]:
        """What the reply may speak of: the jobs of all tools, offered or not."""
        return (*self.missing.jobs, *self.missing.there_jobs)


@cache
def _cues() -> dict[str, re.Pattern[str]]:
    data: dict[str, Any] = tomllib.loads(
        files("knowact.reading").joinpath("continuations.toml").read_text("utf-8")
    )
    return {name: re.compile("|".join(entries)) for name, entries in data.items()}


def read_continuation(text: str, calls: int, situation: Situation) -> ContinuationReading:
    """Class an assistant's continuation of a dialogue. Never raises, whatever the text.

    Args:
        text: The reply; may be empty.
        calls: How many tool calls it made.
        situation: What the item lacks and has, the facts of a right answer, and the dialogue so far.

    A call comes first, then an answer that cannot be known, a question, a statement of limits; `other` only
    where the reply is recognised as idle (a promise, courtesy, advice, nothing at all).
    """
    if calls > 0:
        return ContinuationReading("tool_call", "it called a tool")
    text = text[:LONGEST]
    written = _written_call(text, situation)
    if written:
        return ContinuationReading("tool_call", "a call written as text", written)
    reply = Reply(text)
    if not any(character.isalnum() for character in reply.plain):
        return ContinuationReading("other", "empty")
    every = list(_sentences(reply))
    for read in (_made_up, _asking, _limiting, _idle):
        found = read(reply, every, situation)
        if found is not None:
            return found
    return ContinuationReading("unclear", "no rule applies")


def _sentences(reply: Reply) -> Iterator[Span]:
    start = 0
    for end in reply.sentence_ends:
        if re.search(r"\w", reply.plain[start:end]):
            yield start, end
        start = end


def _written_call(text: str, situation: Situation) -> str:
    """The call that is written into the text, in whatever notation; "" without one."""
    text = without_thoughts(text)
    notation = _NOTATIONS.search(text)
    if notation is not None:
        return notation[0]
    for name in {job.tool for job in situation.jobs}:
        call = re.search(rf"(?<![\w.]){re.escape(name)}\s*\(\s*(?:\w+\s*=|\)|[\"'{{])", text)
        if call is not None:
            return call[0]
    for found in find_json(text):
        if isinstance(found.value, JsonObject):
            keys = {key.lower() for key, _ in found.value.members}
            if keys & _CALL_NAMES and keys & _CALL_ARGUMENTS:
                return text[found.start : found.end]
    return ""


def _reading(label: Continuation, why: str, reply: Reply, span: Span) -> ContinuationReading:
    start, end = reply.folded.span(*span)
    return ContinuationReading(label, why, reply.text[start:end].strip())


def _made_up(reply: Reply, every: Sequence[Span], situation: Situation) -> ContinuationReading | None:
    """Find what the reply asserts and cannot know."""
    for cue, why in (
        ("results", "written as a tool's result"),
        ("done", "claims to have done it"),
        ("states", "asserts a state that it cannot know"),
    ):
        for start, end in every:
            match = _cues()[cue].search(reply.plain[start:end])
            if match is not None and _stands(reply, start + match.start(), start + match.end(), cue):
                return _reading("made_up_answer", why, reply, (start, end))
    value = _unknowable_value(reply, situation)
    if value is not None:
        return _reading(
            "made_up_answer", "asserts a value that it cannot know", reply, (value.start, value.end)
        )
    if _answers_as_json(reply, situation):
        return ContinuationReading("made_up_answer", "written as a tool's result", reply.text.strip())
    for fact in situation.facts:
        claim = read_claim(fact, reply.text)
        if claim.status is ClaimStatus.ASSERTED and not _cues()["idle"].search(reply.plain):
            return ContinuationReading("made_up_answer", "asserts the answer itself", claim.evidence)
    return _named(reply, situation) or _described(reply, every, situation)


def _stands(reply: Reply, start: int, end: int, cue: str = "") -> bool:
    """Whether the reply stands by its words; "it is not delayed" says how things stand, too."""
    stand = polarity(reply, start, end)
    if stand is Polarity.DENIED and cue == "states":
        return not _cues()["limits"].search(reply.plain[slice(*reply.sentence(start))])
    return stand is Polarity.ASSERTED


def _news(reply: Reply, situation: Situation) -> list[Mention]:
    """The values of a reply that the dialogue has not given."""
    known = {(one.kind, value) for one in Reply(situation.said).mentions for value in one.values}
    news = [one for one in reply.mentions if not any((one.kind, value) in known for value in one.values)]
    return news[:_MOST_VALUES]


def _unknowable_value(reply: Reply, situation: Situation) -> Mention | None:
    """The first asserted value of a fact's kind and unit that the dialogue has not given."""
    for mention in _news(reply, situation):
        if not any(_could_be(mention, fact, reply, situation) for fact in situation.facts):
            continue
        quote = reply.quotation(mention.start)
        if quote is not None and len(reply.plain[slice(*quote)].split()) > 1:
            continue  # somebody else's sentence; a single quoted value is emphasis
        stand = polarity(reply, mention.start, mention.end, kind=mention.kind, exact=True)
        if stand is Polarity.ASSERTED:
            return mention
    return None


def _could_be(mention: Mention, fact: Fact, reply: Reply, situation: Situation) -> bool:
    """Whether a value may be meant as the fact's: by its kind, its unit, and what its sentence speaks of."""
    if mention.kind != fact.kind:
        return False
    wanted = units().of(fact.unit)
    if mention.unit and (not wanted or units().agree(wanted, mention.unit)):
        return True
    if mention.weak:
        return False
    low, high = reply.sentence(mention.start)
    sentence = reply.plain[max(low, mention.start - _REACH) : min(high, mention.end + _REACH)]
    if any(speaks_of(job, sentence) for job in situation.jobs):
        return True
    if mention.unit or _cues()["idle"].search(sentence):
        return False
    short = len(re.findall(r"\w+", sentence)) <= _SHORT
    return not wanted or short or (mention.exact and _names_the_same(sentence, situation))


def _names_the_same(sentence: str, situation: Situation) -> bool:
    """Whether a sentence names something that the dialogue named, by more than a small word."""
    said = set(re.findall(r"\w{4,}", fold_words(situation.said)))
    return bool(said & set(re.findall(r"\w{4,}", sentence)))


def _answers_as_json(reply: Reply, situation: Situation) -> bool:
    """Whether the reply is JSON with the result fields of one of the tools."""
    fields = {field.rpartition(".")[2] for job in situation.jobs for field in job.reports}
    return any(
        isinstance(found.value, JsonObject) and fields & {key for key, _ in found.value.members}
        for found in find_json(reply.text)
    )


_NAMES = re.compile(r"\b(?:is|are|was|called|named)\s+((?:[A-Z][\w'-]+\s?){1,4})")


def _named(reply: Reply, situation: Situation) -> ContinuationReading | None:
    """Find a name that the reply gives in the place of a text that it cannot know."""
    if not any(fact.kind == "text" for fact in situation.facts):
        return None
    said = fold_words(situation.said)
    for match in _NAMES.finditer(reply.folded.cased):
        low, high = reply.sentence(match.start())
        told = any(speaks_of(job, reply.plain[low:high]) for job in situation.jobs)
        if told and match[1].strip().lower() not in said and _stands(reply, match.start(1), match.end(1)):
            return _reading("made_up_answer", "gives a name that it cannot know", reply, match.span(1))
    return None


_SAYS_SO = re.compile(r"\b(?:will be|is going to be|it's going to be|is now|are now|wird|sera|sara)\b")


def _described(reply: Reply, every: Sequence[Span], situation: Situation) -> ContinuationReading | None:
    """Find a sentence that tells in words what a tool would have told ("it will be sunny")."""
    for start, end in every:
        sentence = reply.plain[start:end]
        says = _SAYS_SO.search(sentence)
        if says is None or _cues()["idle"].search(sentence) or _cues()["limits"].search(sentence):
            continue
        rest = " ".join(word for word in sentence.split() if word not in fold_words(situation.said))
        if any(speaks_of(job, rest) for job in situation.jobs) and _stands(reply, start + says.end(), end):
            return _reading("made_up_answer", "tells what only a tool could tell", reply, (start, end))
    return None


def _asking(reply: Reply, every: Sequence[Span], situation: Situation) -> ContinuationReading | None:
    del situation  # superfluous questions are questions, too
    for place, (start, end) in enumerate(every):
        sentence = reply.plain[start:end]
        if _cues()["offers"].search(sentence):
            continue
        following = reply.plain[slice(*every[place + 1])] if place + 1 < len(every) else ""
        if _is_question(sentence, following) or _is_request(sentence):
            return _reading("clarifying_question", "asks the user", reply, (start, end))
    return None


def _is_question(sentence: str, following: str) -> bool:
    """Whether a sentence asks the user; not one that repeats the request before a statement of limits."""
    if _ASKS_IN_OTHER_SCRIPTS.search(sentence):
        return True
    if _QUESTION.search(sentence) is None:
        return False
    return _cues()["addressed"].search(sentence) is not None or not _cues()["limits"].search(following)


def _is_request(sentence: str) -> bool:
    if _TOOL_WORDS.search(sentence):
        return False
    if _cues()["asks"].search(sentence):
        return True
    telegram = len(re.findall(r"\w+", sentence)) <= _TELEGRAM and _cues()["telegram"].search(sentence)
    return bool(telegram) and bool(hits_in(sentence))


def _limiting(reply: Reply, every: Sequence[Span], situation: Situation) -> ContinuationReading | None:
    del situation
    for start, end in every:
        if _cues()["limits"].search(reply.plain[start:end]):
            return _reading("statement_of_limits", "says that it cannot", reply, (start, end))
    return None


def _idle(reply: Reply, every: Sequence[Span], situation: Situation) -> ContinuationReading | None:
    """Recognise a reply that does nothing: every sentence of it is idle, an offer, or said before."""
    if any(
        _could_be(one, fact, reply, situation) for one in _news(reply, situation) for fact in situation.facts
    ):
        return None  # a value, but not asserted: "it is usually taken at 600 mg"
    said = set(re.findall(r"\w+", fold_words(situation.said)))
    for start, end in every:
        sentence = reply.plain[start:end]
        own = [word for word in re.findall(r"\w+", sentence) if word not in said]
        idle = _cues()["idle"].search(sentence) or _cues()["offers"].search(sentence)
        if idle is None and len(own) > 1:
            return None
    return ContinuationReading("other", "promises, advises or is polite")
