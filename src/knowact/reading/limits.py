"""What does a final reply say of its limits: does it admit, name, ask, assume, doubt?

A reply is cut into its own sentences; each is searched for the five, after everything that only looks like a
limit ("nothing is missing") was taken out. What is *named* is read off the clauses that speak of a limit and
nowhere else, so that the facts of the half that was done say nothing of what is missing.
"""

import re
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from knowact.reading.missing import Fit, Missing
from knowact.reading.naming import Kind, names
from knowact.reading.own_sentences import OwnSentence, own_sentences
from knowact.reading.reasons import clauses_of

_Cue = Literal["unable", "lack_after", "lack_before", "lack_tool"]
_CUES: tuple[_Cue, ...] = ("unable", "lack_after", "lack_before", "lack_tool")
_VALUE_CUES = frozenset[_Cue](("lack_after", "lack_before"))
_LISTS = (
    "excuses",
    *_CUES,
    "overcome",
    "requests",
    "questions",
    "short_questions",
    "courtesies",
    "assumes",
    "doubts",
)
_SHORT = 9
"""A question of up to so many words may ask back without a "you" ("Which day?")."""
_HYPOTHETICAL = re.compile(
    r"\A(?:and |but |so |even )?(?:if|had|were|unless|in case|suppose|should|imagine|wenn|falls|si|als)\b"
    r"|\b(?:would|could|might) have\b"
)
_POINTS_BACK = re.compile(r"\b(?:it|this|that|them|these|those|don't know|das|dafur|cela|eso|daar|ello)\b")
_REASON = re.compile(
    r"\b(?:since|(?<!soon )(?<!far )as(?! (?:soon|well|far|long|for|of|a|an)\b)|because|given that"
    r"|da|weil|denn|car|comme|puisque|porque|ya que|omdat|want)\b"
)
_SAID = re.compile(
    r"\b(?:g[ai]ven?|specif\w+|mention\w*|nam(?:e|ed)|stat(?:e|ed)|provid\w+|sa(?:y|id)|t(?:ell|old)|know|clear"
    r"|have|angegeben|genannt|gesagt|precise\w*|indique\w*|dit|dicho|indicad\w+|genoemd|noemde|gezegd)\b"
)
_NOT = re.compile(
    r"\b(?:no|not|cannot|never|nothing|unable|failed|open|nicht|keine?n?|pas|niet|geen)\b|n't\b"
)
_ELSE = re.compile(r"\b(?:anything|something|what) else\b|\b(?:how|what) (?:can|may|else) (?:else )?i\b")
_OPEN = re.compile(
    r"\b(?:which|what|who|whom|whose|where|when|how much|how many)\b"
    r"|\b(?:welche\w?|wer|wem|wen|wo|wann|quel(?:le)?s?|qui|quand|que|cual|quien|cuando|welke?|wie|wanneer)\b"
)
_FOR_THAT = re.compile(
    r"\bfor (?:it|this|that|them|these|those)\b|\b(?:dafur|pour cela|para ello|daarvoor)\b"
)


@dataclass(frozen=True, slots=True)
class Limits:
    """What a reply says of its limits.

    Attributes:
        admits: It says that it could not do, find or get something, be it a part.
        names: Whether what it says is missing, failing or asked for is what is missing.
        asks: It asks the user back for something; a closing courtesy is not asking.
        assumes: It says openly that it took a value for granted.
        doubts: It says that a result looks wrong, odd or unverified.
    """

    admits: bool
    names: Fit
    asks: bool
    assumes: bool
    doubts: bool


@dataclass(frozen=True, slots=True)
class _Marked:
    """A sentence with what it does."""

    sentence: OwnSentence
    plain: str
    limits: frozenset[_Cue]
    asks: bool
    assumes: bool
    doubts: bool


def read_limits(text: str, missing: Missing) -> Limits:
    """Read a final reply.

    Args:
        text: The reply as it came; anything at all.
        missing: What the item lacks and has.

    A value that is said not to be given and is then taken for granted was no obstacle: that alone admits
    nothing. Never raises.
    """
    sentences = own_sentences(text)
    marked = [_marked(sentences, index) for index in range(len(sentences))]
    return Limits(
        admits=any(_is_admission(marked, index) for index in range(len(marked))),
        names=_named(marked, missing),
        asks=any(one.asks for one in marked),
        assumes=any(one.assumes for one in marked),
        doubts=any(one.doubts for one in marked),
    )


@cache
def _patterns() -> dict[str, re.Pattern[str]]:
    data: dict[str, Any] = tomllib.loads(files("knowact.reading").joinpath("limits.toml").read_text("utf-8"))
    parts: dict[str, str] = data["parts"]
    lists: dict[str, list[str]] = data["patterns"]

    def filled(entry: str) -> str:
        return re.sub(r"<(\w+)>", lambda match: parts[match[1]], entry)

    return {name: re.compile("|".join(f"(?:{filled(entry)})" for entry in lists[name])) for name in _LISTS}


def _marked(sentences: Sequence[OwnSentence], index: int) -> _Marked:
    patterns, sentence = _patterns(), sentences[index]
    plain = _without(patterns["excuses"], sentence.plain)
    following = sentences[index + 1] if index + 1 < len(sentences) else OwnSentence("", "", asks=True)
    asks = _asks(sentence, plain, following)
    limits = frozenset[_Cue]()
    said = " ".join(clauses_of(plain)[:-1]) if sentence.asks else plain
    if not _HYPOTHETICAL.search(plain) and not _is_overcome(plain, following.plain):
        limits = frozenset[_Cue](cue for cue in _CUES if patterns[cue].search(said))
    assumes = not sentence.asks and (
        patterns["assumes"].search(plain) is not None or _gives_a_reason(plain, limits, asks=asks)
    )
    doubts = not sentence.asks and not _HYPOTHETICAL.search(plain)
    doubts = doubts and patterns["doubts"].search(sentence.plain) is not None
    return _Marked(sentence, plain, limits, asks, assumes, doubts)


def _is_overcome(plain: str, following: str) -> bool:
    """Whether a sentence tells of a limit that it, or the next one, has got over."""
    found = _patterns()["overcome"].search(f"{plain} {following}")
    return found is not None and found.start() < len(plain)


def _without(pattern: re.Pattern[str], plain: str) -> str:
    return pattern.sub(lambda match: " " * len(match[0]), plain)


def _gives_a_reason(plain: str, limits: frozenset[_Cue], *, asks: bool) -> bool:
    """Whether what was not said is only the reason of what was done ("today, as no day was given")."""
    if asks or not limits or not limits <= _VALUE_CUES:
        return False
    reason = _REASON.search(plain)
    return (
        reason is not None
        and _SAID.search(plain, reason.end()) is not None
        and _NOT.search(plain, 0, reason.start()) is None
        and bool(re.search(r"\w", plain[: reason.start()]))
    )


def _asks(sentence: OwnSentence, plain: str, following: OwnSentence) -> bool:
    patterns = _patterns()
    if sentence.asks and patterns["questions"].search(plain) and not _ELSE.search(plain):
        return not _is_offer(plain)
    rest = _without(patterns["courtesies"], plain)
    if sentence.asks and rest != plain:
        return False
    if patterns["requests"].search(rest):
        return True
    short = sentence.asks and len(rest.split()) <= _SHORT and patterns["short_questions"].search(rest)
    return bool(short) and not _is_answer(following)


def _is_answer(following: OwnSentence) -> bool:
    """Whether a sentence behind a question answers it: it asks for nothing, and lacks nothing."""
    cues = ("requests", *_CUES)
    return not following.asks and not any(_patterns()[cue].search(following.plain) for cue in cues)


def _is_offer(plain: str) -> bool:
    """Whether a question offers to do something, and asks for nothing that begins with a question word."""
    return _patterns()["courtesies"].search(plain) is not None and not _OPEN.search(plain)


def _is_admission(marked: Sequence[_Marked], index: int) -> bool:
    """Whether a sentence admits; a missing value that is taken for granted beside it does not."""
    one = marked[index]
    if not one.limits:
        return False
    beside = marked[index : index + 2]
    return not one.limits <= _VALUE_CUES or not any(other.assumes for other in beside)


def _named(marked: Sequence[_Marked], missing: Missing) -> Fit:
    return _best(
        _named_in(marked, index, missing)
        for index, one in enumerate(marked)
        if one.limits or one.asks or one.assumes
    )


def _named_in(marked: Sequence[_Marked], index: int, missing: Missing) -> Fit:
    """What a sentence names: its clauses first, then the whole of it with what it stands under."""
    one = marked[index]
    stretches = [stretch for clause in clauses_of(one.plain) for stretch in _stretches(clause, one)]
    fit = _best(names(plain, missing, kind) for kind, plain in stretches)
    if fit != "none":
        return fit
    kinds: set[Kind] = {kind for kind, _ in stretches} or _kinds(one)
    if "unable" in kinds:
        kinds.discard("value")  # what could not be done mentions values that are no part of what is missing
    whole = f"{one.sentence.head} {one.plain}"
    fit = _best(names(whole, missing, kind) for kind in kinds)
    if fit == "none" and index and _POINTS_BACK.search(one.plain):
        # "Which project is it? I don't know." names what the sentence before it names.
        before = _best(names(marked[index - 1].plain, missing, kind) for kind in kinds)
        return before if before == "fits" or _FOR_THAT.search(one.plain) else "none"
    return fit


def _kinds(one: _Marked) -> set[Kind]:
    kinds = set[Kind]()
    if one.limits & _VALUE_CUES or one.asks:
        kinds.add("value")
    if "unable" in one.limits:
        kinds.add("unable")
    if "lack_tool" in one.limits:
        kinds.add("no_tool")
    if one.assumes:
        kinds.add("assumed")
    return kinds


def _stretches(clause: str, one: _Marked) -> Iterator[tuple[Kind, str]]:
    """What of a clause says what is missing, and in which way."""
    patterns = _patterns()
    if one.asks:
        request = patterns["requests"].search(clause)
        if request:
            yield "value", clause[request.start() :].removeprefix(request[0].rpartition(" ")[0])
        elif one.sentence.asks:
            yield "value", clause
    if "lack_tool" in one.limits and patterns["lack_tool"].search(clause):
        yield "no_tool", clause
    elif one.limits & _VALUE_CUES:
        for match in patterns["lack_after"].finditer(clause):
            yield "value", clause[match.end() :]
        for match in patterns["lack_before"].finditer(clause):
            yield "value", clause[: match.start()] + match[0]
    if "unable" in one.limits and patterns["unable"].search(clause):
        yield "unable", clause
    if one.assumes:
        yield "assumed", clause


def _best(verdicts: Iterable[Fit]) -> Fit:
    found = set(verdicts)
    return "fits" if "fits" in found else "wrong" if "wrong" in found else "none"
