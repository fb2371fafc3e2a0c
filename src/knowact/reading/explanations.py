"""Why is the answer *no*? An explanation against the record of what was withheld, and how it is wrong.

The published judge was a model that said right or wrong (spec ict.md, section 10). Here the record decides,
and a wrong explanation is sorted: it misreads what the user wants, blames a tool or a piece of information
that is there, or gives another reason. `reasons.reason_fits` judges clauses about information; a clause
about tools is judged by the capability that it names.
"""

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any, Final, Literal

from knowact.reading.askable import Job, lacks_in, speaks_of, stem, table, words_in
from knowact.reading.cues import phrases
from knowact.reading.folding import fold, fold_words
from knowact.reading.reasons import LONGEST, Missing, reason_fits

Explanation = Literal[
    "right",
    "misread_intent",
    "blames_tool_that_is_there",
    "blames_information_that_is_there",
    "other",
    "no_reason",
]

_UNNAMED: Final[frozenset[Explanation]] = frozenset({"no_reason", "other"})
"""What gives way to a clause that names a wrong thing."""

_SENTENCE = re.compile(r"[.!?\n\u3002\uff01\uff1f]+(?=\s|\Z)|\n+|[\u3002\uff01\uff1f]")
_CLAUSE = re.compile(
    r"[,;()\u2014\uff0c]+|\s[-\u2013]\s"
    r"|\b(?:but|although|though|however|whereas|yet|while|because|since|aber|mais|pero|ma|mas)\b"
    r"|\band(?= (?:there|i|it|no|none|not|nothing|the user|the request)\b)"
    r"|\bwhich(?= (?:the (?:tools|functions)|no|none|isn't|is not|cannot)\b)"
)
_TO_A_GRADER = re.compile(r"\A\W*(?:grader|judge|evaluator|system)\W")
_NEVER = re.compile(r"\bnever\b")
_ONLY = re.compile(r"\bonly\b")
_ONLY_GIVEN = re.compile(r"\bonly (?:the |an? )?\w+(?: \w+)? (?:is|was|are|were|has been|can be) \w+")
"""Of several values one is there, so the others are not."""
_STEM = 5
"""Words that begin with so many letters alike are one word here ("translating", "translate")."""
_TELLING = re.compile(
    r"\b(?:said?|says?|mention\w*|named?|specif\w*|given?|gave|provided?|told|tell|state[sd]?|kno\w+|unknown|unclear"
    r"|which|whom?|what|where|when|how (?:many|much)|missing|should)\b"
)
_TAKES = re.compile(
    r"\b(?:tool|function|api|method)\b[^,;]{0,30}\b(?:needs|requires|takes|wants|asks for|expects)\b"
)
"""A tool that is there, and what it has to be told."""
_ABILITY = re.compile(r"\b(?:cannot|can't|can|could|unable|able|allow\w*|offer\w*|exists?|way)\b")


@dataclass(frozen=True, slots=True)
class _Words:
    generic: frozenset[str]
    tools: re.Pattern[str]
    information: re.Pattern[str]
    aims: re.Pattern[str]
    all_there: re.Pattern[str]
    set_aside: re.Pattern[str]
    bare: re.Pattern[str]
    lacks: re.Pattern[str]
    synonyms: dict[str, str]


@cache
def _words() -> _Words:
    data: dict[str, Any] = tomllib.loads(
        files("knowact.reading").joinpath("explanations.toml").read_text("utf-8")
    )
    return _Words(
        generic=frozenset(stem(word) for word in data["generic"].split()) | table().empty,
        tools=phrases(data["tool_words"]),
        information=phrases(data["information_words"]),
        aims=phrases(data["aims"]),
        all_there=phrases(data["all_there"]),
        set_aside=re.compile("|".join(data["set_aside"])),
        bare=re.compile("|".join(data["bare"])),
        lacks=re.compile("|".join(data["lacks"])),
        synonyms=data["synonyms"],
    )


def read_explanation(text: str, missing: Missing, said: str = "") -> Explanation:
    """Compare why an agent says *no* with what was withheld. Never raises.

    Args:
        text: The explanation.
        missing: What the item lacks and has.
        said: The dialogue, whose words tell the user's aim from another one.

    `right` where some clause names what is missing, whatever else is said; else the first clause that names
    a wrong thing decides. Saying that *a* tool or *some* information is missing names nothing (`no_reason`)
    where that kind of thing is missing, and blames what is there where the other kind is.
    """
    plain = fold(text[:LONGEST]).plain
    if not re.search(r"\w", plain) or _words().all_there.search(plain) or _words().bare.search(plain.strip()):
        return "no_reason"
    judged: Iterator[Explanation | None] = (_judged(clause, missing, said) for clause in _lacking(plain))
    found: list[Explanation] = [one for one in judged if one is not None]
    if "right" in found:
        return "right"
    for one in found:
        if one not in _UNNAMED:
            return one
    unnamed = "other" in found if found else bool(_content(plain))
    return "other" if unnamed else "no_reason"


def _lacking(plain: str) -> Iterator[str]:
    """The clauses that say that something is not there; a bare one together with what it refers to."""
    for sentence in _SENTENCE.split(plain):
        if _TO_A_GRADER.match(sentence):
            continue
        before = ""
        for part in _CLAUSE.split(_words().set_aside.sub(" ", sentence)):
            # "City: not given" is one thought; `reasons` would cut it in two.
            clause = part.replace(":", " ")
            if not re.search(r"\w", clause):
                continue
            if _lacks(clause):
                yield clause if _content(clause) or not before else f"{before} {clause}"
            before = clause


def _lacks(clause: str) -> bool:
    restricted = _ONLY.search(clause) is not None and _words().tools.search(clause) is not None
    restricted = restricted or _ONLY_GIVEN.search(clause) is not None
    return restricted or bool(lacks_in(clause)) or _words().lacks.search(clause) is not None


def _judged(clause: str, missing: Missing, said: str) -> Explanation | None:
    """What one clause blames."""
    if any(_is_named(job, clause) for job in missing.jobs):
        return "right"
    about_tools = _words().tools.search(clause) is not None and not _TAKES.search(clause)
    about_information = _words().information.search(clause) is not None
    if about_tools and about_information and not _content(clause):
        return "no_reason"
    if about_tools:
        return _blamed_tool(clause, missing, said)
    found = _blamed_information(clause, missing)
    if found is not None:
        return found
    if about_information and not _content(clause):
        return "no_reason" if missing.slots else "blames_information_that_is_there"
    if _words().aims.search(clause):
        return "misread_intent"
    return "other" if _content(clause) else None


def _blamed_information(clause: str, missing: Missing) -> Explanation | None:
    """What a clause without a word for tools blames, as far as the record knows it."""
    if missing.slots and _ONLY_GIVEN.search(clause):
        return "right"
    plain = _words().lacks.sub(" missing ", clause)
    said = Missing(slots=missing.slots, there_slots=missing.there_slots, phrases=missing.phrases)
    fit = reason_fits(plain, said)
    if fit == "fits":
        return "right"
    if fit == "wrong" and _TELLING.search(clause) and not _ABILITY.search(clause):
        return "blames_information_that_is_there"
    # "Forecasts are never reliable" misses no forecast.
    blamed = _job_of(clause, missing) if _lacks(_NEVER.sub(" ", clause)) else None
    if blamed == "right":
        return "right"
    if fit == "wrong":
        return "blames_information_that_is_there"
    # What a tool reports can be lacking without the tool ("the shop's name is not given").
    named = any(_is_named(job, clause) for job in missing.there_jobs)
    return blamed if named or _ABILITY.search(clause) else None


def _is_named(job: Job, clause: str) -> bool:
    return re.search(rf"\b{re.escape(fold_words(job.tool.replace('_', ' ')))}\b", clause) is not None


def _job_of(clause: str, missing: Missing) -> Explanation | None:
    """Whether a clause speaks of a missing tool's job or of one that is offered; the nearer one counts."""
    plain = _with_synonyms(clause)
    lacking = [job for job in missing.jobs if speaks_of(job, plain)]
    there = [job for job in missing.there_jobs if speaks_of(job, plain)]
    spoken = frozenset(words_in(plain))
    nearest = [max((len(_own(job) & spoken) for job in jobs), default=-1) for jobs in (lacking, there)]
    if lacking and nearest[0] >= nearest[1]:
        return "right"
    return "blames_tool_that_is_there" if there else None


def _blamed_tool(clause: str, missing: Missing, said: str) -> Explanation:
    if _ONLY.search(clause):
        # "The only tool lists entries": what it does is there, what is wanted would be another one.
        return "right" if missing.jobs else "blames_tool_that_is_there"
    blamed = _job_of(clause, missing)
    if blamed is not None:
        return blamed
    content = _content(clause)
    if not content:
        return "no_reason" if missing.jobs else "blames_tool_that_is_there"
    known = frozenset(words_in(fold_words(said))).union(
        *(_vocabulary(job) for job in (*missing.jobs, *missing.there_jobs))
    )
    if any(not _is_known(word, known) for word in content):
        return "misread_intent"
    return "right" if missing.jobs else "blames_tool_that_is_there"


def _is_known(word: str, known: frozenset[str]) -> bool:
    return word in known or any(len(word) >= _STEM and one[:_STEM] == word[:_STEM] for one in known)


def _with_synonyms(clause: str) -> str:
    return re.sub(r"[^\W_]+", lambda match: _words().synonyms.get(stem(match[0]), match[0]), clause)


def _content(clause: str) -> frozenset[str]:
    """The words of a clause that name something, as stems."""
    return frozenset(words_in(_with_synonyms(clause))) - _words().generic


@lru_cache(maxsize=1024)
def _own(job: Job) -> frozenset[str]:
    """The words of a job's name, description and results that name something, as stems."""
    text = fold_words(" ".join((job.tool, job.description, *job.reports)).replace("_", " "))
    return frozenset(words_in(text)) - _words().generic


def _vocabulary(job: Job) -> frozenset[str]:
    """The same, with the words that stand for them."""
    return frozenset(other for word in _own(job) for other in (word, *table().groups.get(word, ())))
