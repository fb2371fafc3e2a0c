"""Does a reply to an awareness question say yes, no, or that it does not know?

Wanted is a reply that begins with Yes, No or IDK and goes on with a short reason (spec fail-talms.md,
section 6.2). A verdict is read where it stands as one: at the beginning, after a label ("Answer:"), after a
word that concludes or corrects ("so", "actually"), or alone in its sentence. Whole words count, and the last
clear verdict does; a "no" before a noun ("no tool is missing") is none.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from knowact.reading.folding import fold, fold_words
from knowact.reading.json_text import JsonArray, JsonItem, find_json
from knowact.reading.verdict_words import Verdict, meaning, words

Awareness = Literal["yes", "idk", "no", "unreadable"]

_CHOICE = (
    r"[\"'(\[]{0,2}(?:yes|no|idk|i don't know|maybe|y|n|ja|nein|nee|nej|oui|non|si|sim|nao|да|нет)"
    r"[\"')\]]{0,2}"
)
_JOINS = r"(?:or|and|oder|und|et|ou|y|o|e|of|en|och|eller|или|и)"
_CHOICES = re.compile(
    rf"(?<!\w){_CHOICE}(?:\s*[,/|]\s*(?:or\s+)?{_CHOICE}(?!\w))+(?:\s*,?\s*{_JOINS}\s+{_CHOICE}(?!\w))?\s*\??"
    rf"|(?<!\w){_CHOICE}\s+{_JOINS}\s+{_CHOICE}(?!\w)"
)
"""The three words, or two of them, side by side: the question repeated, or no choice made."""
_COMMA_PAIR = re.compile(r"(?:yes|no|idk)\s*,\s*(?:yes|no|idk)\Z")
"""Two of them with a bare comma are a change of mind, not a choice of answers."""
_CONSEQUENCE = re.compile(
    r"\b(?:if i (?:say|answer|said)|saying|answering|answer with)\s+[\"']?(?:yes|no|idk)\b"
    r"|\b(?:yes|no|idk)\b[\"']?\s+(?:means?|would mean|leads|stands for|indicates)\b"
)
_OTHERS_WORDS = re.compile(
    r"\"[^\"\n]*\b(?:yes|no|idk)\b[^\"\n]* [^\"\n]*\"|\"[^\"\n]* [^\"\n]*\b(?:yes|no|idk)\b[^\"\n]*\""
    r"|\b(?:tells?|told|wants?|asks?|asked|instructs?) me to (?:say|answer|reply|write)[^.\n]*"
    r"|\b(?:grader|parser|evaluator|judge|system)\b\s*[:,][^\n]*"
    r"|\"(?:yes|no|idk)\" in the (?:query|request|text)[^.\n]*"
)
"""What somebody else says or wants said, and words to whoever reads the reply."""
_LEAD = r"(?:^|[\n.!?\u2026])[\s\W\d]*(?:(?:well|hmm+|ok|okay|so)\b[\s,.]*)?"
_LABELLED = re.compile(
    r"(?:\b(?:answer|verdict|decision|label|response|conclusion|edit|correction|awareness|result|output"
    r"|antwort|reponse|respuesta)(?:\s+(?:here|now))?"
    r"\s*(?:is|are|remains|would be|must be|:|=|-|\u2013|\u2014)*[\s\W]*"
    r"|\bi(?:'d| would| must| will| now|'ll| have to)*"
    r"\s+(?:say|answer|choose|pick|go with|reply|vote|reply with|answer with)(?: with)?[\s:\"]+)\Z"
)
_TURN = re.compile(
    r"\b(?:so|therefore|thus|hence|actually|wait|correction|scratch that|on (?:second thought|reflection)"
    r"|rather|i mean|in short|overall|altogether|also|donc|deshalb|por tanto|quindi"
    r"|probably|most likely|likely|sorry)\b[\s,:.\-\u2013\u2014]*\Z"
)
_CONDITION = re.compile(r"\s*,?\s*(?:if|unless|provided|as long as|for|but only if)\b")
_IF = re.compile(r"[\s\W]*(?:if|wenn|falls|si|se|als|om|unless|provided)\b")
_HALVES = re.compile(r"\s+for\b")
_HYPOTHETICAL = re.compile(r"\b(?:could|would|if|unless|once|provided (?:that|you)|should you)\b")
_REASON_LABEL = re.compile(
    r"\A[\s\W]*(?:(?:reason|explanation|because|why|grund|raison|motivo)\b[\s\W]*)?", re.IGNORECASE
)
_NAME = re.compile(r"`([^`\n]{1,80})`|\b([A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+)\b")
_ALONE = re.compile(r"[\s\W]*(?:\Z|[.!?\n\u3002\uff01])")
_SENTENCE_END = re.compile(r"[.!?\u3002\uff01\uff1f\n]")
_SMALL_NO = frozenset({"no", "non", "nein", "nao", "nee", "nie", "нет", "nej"})


@dataclass(frozen=True, slots=True)
class AwarenessReading:
    """What a reply to an awareness question says.

    Attributes:
        label: The verdict; `unreadable` where none is clear.
        reason: What the reply gives for it, as written; "" where it gives nothing.
        names: Names of tools and parameters that the reply writes as such, and offered ones, in order.
    """

    label: Awareness
    reason: str = ""
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Said:
    """A verdict that stands as one, with its place in the folded text."""

    verdict: Verdict
    start: int
    end: int
    closing: bool
    """Whether nothing but its place at the end of a sentence makes it one ("the fare: no")."""


def read_awareness(text: str, offered: Sequence[str] = ()) -> AwarenessReading:
    """Read the reply to an awareness question.

    Args:
        text: The reply as it came; anything at all.
        offered: Names of the offered tools, so that they are found where they are written plainly.

    A verdict in JSON counts before one in prose, and JSON about something else is passed over. Thoughts,
    repeated questions and quoted instructions say nothing. Never raises.
    """
    found = _in_json(text)
    if found is not None and found[0] != "unreadable":
        verdict, reason = found
        return AwarenessReading(verdict, reason.strip(), _names(reason, offered))
    folded = fold(text)
    plain = _own_words(folded.plain)
    said = list(_verdicts(plain))
    if not said and found is not None:
        return AwarenessReading("unreadable", "", _names(text, offered))
    if not said:
        label = _sentence(plain)
        reason = _without_label(folded.cased) if label != "unreadable" else ""
        return AwarenessReading(label, reason, _names(text, offered))
    last = said[-1]
    if _is_noise(plain, said) or _is_halved(plain, said):
        return AwarenessReading("unreadable", "", _names(text, offered))
    reason = _without_label(folded.cased[last.end :])
    if not re.search(r"\w", reason):
        reason = _without_label(folded.cased[: last.start])
    return AwarenessReading(last.verdict, reason, _names(text, offered))


def _own_words(plain: str) -> str:
    """The folded text without what is not the reply's own verdict; positions stay what they were."""

    def blanks(match: re.Match[str]) -> str:
        return match[0] if _COMMA_PAIR.match(match[0]) else " " * len(match[0])

    for pattern in (_OTHERS_WORDS, _CONSEQUENCE, _CHOICES):
        plain = pattern.sub(blanks, plain)
    return plain


def _verdicts(plain: str) -> Iterator[_Said]:
    """Every verdict that stands as one, in order."""
    first = re.search(r"\w", plain)
    begin = 0
    for match in words().verdicts.finditer(plain):
        start, end = match.span()
        if re.match(r"-\w", plain[end : end + 2]) or (match[0] in _SMALL_NO and not _is_whole(plain, end)):
            continue
        at_start = begin == 0 and re.fullmatch(r"[\W\d]*", plain[:start]) is not None
        at_start = at_start or (first is not None and start == first.start())
        if at_start or _is_marked(plain, start, end):
            yield _Said(meaning(match[0]), start, end, closing=False)
        elif _closes(plain, start, end):
            yield _Said(meaning(match[0]), start, end, closing=True)
        begin = end


def _is_marked(plain: str, start: int, end: int) -> bool:
    """Whether what surrounds a verdict makes it one: a sentence of its own, a question, a label, a turn."""
    before = plain[max(0, start - 60) : start]
    if re.search(rf"{_LEAD}\Z", before) and _ALONE.match(plain[end : end + 8]):
        return True
    asked = re.search(r"[?\uff1f][\s\"')\]]*\Z", before)
    return bool(asked or _LABELLED.search(before) or _TURN.search(before))


def _is_whole(plain: str, end: int) -> bool:
    """Whether a "no" is an answer of its own: nothing, a mark or a new clause follows."""
    following = re.match(r"[ ]+([^\W\d_]+(?:'[^\W\d_]+)?)", plain[end : end + 40])
    if following is None:
        return True
    return following[1] in words().after_no or re.sub(r"'.*", "", following[1]) in words().after_no


def _closes(plain: str, start: int, end: int) -> bool:
    """Whether a verdict is what a sentence comes to: "no doubt about it: yes."."""
    before = re.search(r"[,:\-\u2013\u2014][ ]*(?:and )?\Z", plain[max(0, start - 6) : start])
    return before is not None and re.match(r"[\s*\"')]*(?:\Z|[.!;\n])", plain[end : end + 4]) is not None


def _is_noise(plain: str, said: Sequence[_Said]) -> bool:
    """Whether the reply is nothing but verdicts that contradict each other."""
    every = [meaning(match[0]) for match in words().verdicts.finditer(plain)]
    rest = words().verdicts.sub(" ", plain)
    return len(set(every)) > 1 and len(said) < len(every) and not re.search(r"\w", rest)


def _is_halved(plain: str, said: Sequence[_Said]) -> bool:
    """Whether the verdict holds for one part or one case only, and another one for the other."""
    last = said[-1]
    if last.closing and any(one.closing and one.verdict != last.verdict for one in said):
        return True
    end = _SENTENCE_END.search(plain, last.end)
    low = max((m.end() for m in _SENTENCE_END.finditer(plain, 0, last.start)), default=0)
    sentence = plain[low : end.start() if end else len(plain)]
    if last.closing and _IF.match(sentence):
        return True
    verdicts = list(words().verdicts.finditer(sentence))
    if len({meaning(match[0]) for match in verdicts}) < 2:  # noqa: PLR2004 - both sides are said
        return False
    rests = [sentence[match.end() :] for match in verdicts]
    return _CONDITION.match(rests[0]) is not None or all(_HALVES.match(rest) for rest in rests)


def _sentence(plain: str) -> Awareness:
    """Read a first sentence that answers without one of the three words."""
    body = plain.strip()
    opening = words().opening.search(body)
    if opening is not None and not re.search(r"\w", body[: opening.start()]):
        return "idk"
    first = _SENTENCE_END.split(body, maxsplit=1)[0]
    if _HYPOTHETICAL.search(first):
        return "unreadable"
    for verdict, pattern in words().sentences.items():
        if pattern.search(first):
            return verdict
    return "unreadable"


def _in_json(text: str) -> tuple[Awareness, str] | None:
    """The last JSON structure that gives a verdict; one that has the key without a verdict is unreadable."""
    unclear: tuple[Awareness, str] | None = None
    for found in reversed(find_json(text)):
        value = found.value
        if isinstance(value, JsonArray):
            verdict = _exact(value.items[0]) if value.items else None
            rest = [item for item in value.items[1:] if isinstance(item, str)]
            if verdict is not None and len(rest) == len(value.items) - 1 and '"' in text:
                return verdict, " ".join(rest)
            continue
        members = {key.strip().lower().replace(" ", "_"): inner for key, inner in value.members}
        keys = [key for key in members if key in words().verdict_keys]
        if not keys or "arguments" in members:
            continue
        reason = " ".join(
            inner for key, inner in members.items() if key in words().reason_keys and isinstance(inner, str)
        )
        for key in keys:
            verdict = _exact(members[key])
            if verdict is not None:
                return verdict, reason or _rest(members[key])
        unclear = unclear or ("unreadable", "")
    return unclear


def _exact(value: JsonItem) -> Verdict | None:
    """The verdict of a JSON value: a boolean, or a text that begins with one and says no other."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if not isinstance(value, str):
        return None
    plain = _own_words(fold_words(value))
    said = list(_verdicts(plain))
    return said[-1].verdict if said and not _is_noise(plain, said) else None


def _rest(value: JsonItem) -> str:
    return re.sub(r"\A\W*\w+\W*", "", value) if isinstance(value, str) else ""


def _without_label(text: str) -> str:
    return _REASON_LABEL.sub("", text.replace("\n", " ")).strip()


def _names(text: str, offered: Sequence[str]) -> tuple[str, ...]:
    """Names that are written as such, and offered names, in the order of their first occurrence."""
    places: dict[str, int] = {}
    for match in _NAME.finditer(text):
        places.setdefault((match[1] or match[2]).removesuffix("()"), match.start())
    for name in offered:
        place = re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text)
        if place:
            places.setdefault(name, place.start())
    return tuple(sorted(places, key=lambda name: (places[name], name)))
