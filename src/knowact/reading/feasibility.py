"""Does a reply say that a request can be handled with these tools and this information?

Wanted is Yes or No: alone, or at the end of reasoning in which both words may occur (spec ict.md, sections
6, 7 and 14). `read_awareness` finds the verdict; this module knows what else is particular to the question:
"I don't know" is none of the two answers, a step's own yes is no verdict, whole sentences decide it
("the request cannot be handled"), and base models run on after their answer.
"""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from knowact.reading.awareness import read_awareness
from knowact.reading.folding import fold
from knowact.reading.json_text import JsonItem, JsonObject, find_json
from knowact.reading.verdict_words import meaning, words

Feasible = Literal["yes", "no", "unreadable"]

_SENTENCE_END = re.compile(r"(?<=[.!?\u3002\uff01\uff1f])\s+|\n+")
_OPEN = re.compile(
    r"\b(?:could|would|might|may|if|unless|once|whether|provided (?:that|you|it)|should|wenn|falls|si|als"
    r"|who knows|for me to (?:tell|say|judge|decide)|(?:to|can't|cannot) tell)\b"
)
_NEGATED = re.compile(r"(?:\b(?:not|never|hardly|nicht|pas|non|niet)|n't)\s+(?:\w+\s+){0,2}\Z")
"""Directly before a sentence's yes: it is none."""
_QUESTION = re.compile(r"[?\uff1f][\s\"')*]*\Z")
_HEAD, _TAIL = 4_000, 16_000
"""Characters that are read of a reply, from its beginning and from its end: a verdict stands at either."""
_NEW_LINE = "\n"
_DEEPEST = 6
"""Levels of JSON that are looked through; a verdict lies on the first or second."""


@dataclass(frozen=True, slots=True)
class FeasibilityReading:
    """What a reply to the question says.

    Attributes:
        label: The verdict; `unreadable` where none is clear.
        reason: What the reply gives for it, as written; "" where it gives nothing.
        why: For `unreadable`, by name: `idk` (doubt in words), `steps` (single steps alone), `assistant`
            (it goes on with the dialogue instead), `both` or `none`; else "".
    """

    label: Feasible
    reason: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True)
class _Words:
    keys: frozenset[str]
    speakers: re.Pattern[str]
    steps: re.Pattern[str]
    courtesy: re.Pattern[str]
    playing: re.Pattern[str]
    stated: re.Pattern[str]
    ignored: re.Pattern[str]
    labels: re.Pattern[str]
    split: re.Pattern[str]
    whole: Mapping[Feasible, re.Pattern[str]]
    part: Mapping[Feasible, re.Pattern[str]]
    letters: Mapping[str, Feasible]


@cache
def _words() -> _Words:
    data: dict[str, Any] = tomllib.loads(
        files("knowact.reading").joinpath("feasibility.toml").read_text("utf-8")
    )
    steps = "|".join(data["steps"])
    return _Words(
        keys=frozenset(data["keys"]),
        speakers=re.compile(rf"\n\s*(?:{'|'.join(data['speakers'])})\s*:", re.IGNORECASE),
        steps=re.compile(
            rf"^[ \t]*[#>*|(\-]*[ ]*(?:step[ ]*)?(?:\d+[ ]*[.):]*)?[ *(|]*(?:{steps})[ *]*[:|.\-]"
            r"(?:(?!overall|verdict|answer|conclusion|result|final)[^\n]){0,300}?"
            r"\b(?:yes|no)\b[ *.|!)]*$",
            re.IGNORECASE | re.MULTILINE,
        ),
        courtesy=re.compile(rf"\W*(?:{'|'.join(data['courtesy'])})\b"),
        playing=re.compile(rf"\b(?:{'|'.join(data['playing'])})\b"),
        stated=re.compile("|".join(data["stated"])),
        labels=re.compile(
            rf"^[^\w\n]*(?:(?:la|le|die|das|el|o|het) )?(?:{'|'.join(data['labels'])})"
            r"\s*(?:[:\uff1a]|\b(?:es|est|ist|lautet|is|e)\b)",
            re.IGNORECASE | re.MULTILINE,
        ),
        split=re.compile("|".join(data["split"])),
        ignored=re.compile(
            "|".join([*data["step_questions"], *data["others"]]), re.IGNORECASE | re.MULTILINE
        ),
        whole=_patterns(data["whole"]),
        part=_patterns(data["part"]),
        letters=data["letters"],
    )


def _patterns(lists: Mapping[Feasible, list[str]]) -> dict[Feasible, re.Pattern[str]]:
    return {verdict: re.compile("|".join(entries)) for verdict, entries in lists.items()}


def read_feasibility(text: str) -> FeasibilityReading:
    """Read the reply to "can this be handled with these tools and this information?". Never raises.

    Args:
        text: The reply as it came; anything at all.

    A verdict in JSON counts first, then the last clear one; a concluding sentence that decides without one
    of the words outweighs words before it. Doubt is unreadable, with `why` naming it.
    """
    text = _both_ends(text)
    in_json = _in_json(text)
    if in_json is not None:
        return FeasibilityReading(in_json, read_awareness(text).reason)
    head = _words().speakers.split(text, maxsplit=1)[0]
    if head != text and head.strip():
        first = _read(head)
        if first.label != "unreadable":
            return first
    return _read(text)


def _both_ends(text: str) -> str:
    """What is read of a long reply; a line that is cut goes, because half of it can say another thing."""
    if len(text) <= _HEAD + _TAIL:
        return text
    head, tail = text[:_HEAD], text[-_TAIL:]
    return f"{head[: head.rfind(_NEW_LINE) + 1] or head}{_NEW_LINE}{tail[tail.find(_NEW_LINE) + 1 :]}"


def _read(text: str) -> FeasibilityReading:
    plain = fold(text).plain
    if _is_words_alone(plain) or _words().split.search(plain):
        return FeasibilityReading("unreadable", why="both")
    if _plays_the_assistant(plain):
        return FeasibilityReading("unreadable", why="assistant")
    concluded = _last(plain, _words().whole)
    without_steps = text
    for pattern in (_words().steps, _words().ignored):
        without_steps = pattern.sub(lambda match: " " * len(match[0]), without_steps)
    reading = read_awareness(_words().labels.sub("\nAnswer:", without_steps))
    label = reading.label
    if concluded is not None or label == "unreadable":
        decided = concluded or _first(plain) or _last(plain, _words().part) or _stated(plain)
        if decided is not None:
            return FeasibilityReading(decided, reading.reason or text.strip())
    if label == "idk":
        return FeasibilityReading("unreadable", reading.reason, "idk")
    if label != "unreadable":
        return FeasibilityReading(label, reading.reason)
    return FeasibilityReading("unreadable", why="steps" if without_steps != text else "none")


def _is_words_alone(plain: str) -> bool:
    """Whether the reply is yes and no in turn and nothing else."""
    said = {meaning(match[0]) for match in words().verdicts.finditer(plain)}
    return {"yes", "no"} <= said and not re.search(r"\w", words().verdicts.sub(" ", plain))


def _plays_the_assistant(plain: str) -> bool:
    """Whether the reply goes on with the dialogue: courtesy and an offer, or a yes before a question."""
    opening = words().verdicts.match(plain.lstrip(" *\"'\n"))
    if opening is None or meaning(opening[0]) != "yes":
        return False
    courteous = _words().courtesy.match(plain) is not None and _words().playing.search(plain) is not None
    return courteous or _QUESTION.search(plain) is not None


def _sentences(plain: str) -> list[str]:
    return [part for part in _SENTENCE_END.split(plain) if re.search(r"\w", part)]


def _last(plain: str, patterns: Mapping[Feasible, re.Pattern[str]]) -> Feasible | None:
    """The verdict of the last sentence where that decides without yes or no."""
    return next((_decided(part, patterns) for part in _sentences(plain)[-1:]), None)


def _first(plain: str) -> Feasible | None:
    """The verdict of the first sentence, likewise."""
    for part in _sentences(plain)[:1]:
        return _decided(part, _words().whole) or _decided(part, _words().part)
    return None


def _stated(plain: str) -> Feasible | None:
    """The verdict that is one letter, or stands as one in a way that only this question has."""
    found = list(_words().stated.finditer(plain))
    last = next((group for group in found[-1].groups() if group), "") if found else plain.strip(" .*\"'\n")
    return _words().letters.get(last[:1]) if found or len(last) == 1 else None


def _decided(sentence: str, patterns: Mapping[Feasible, re.Pattern[str]]) -> Feasible | None:
    """What a sentence decides after the last yes or no in it; nothing where it asks or leaves open."""
    if _OPEN.search(sentence) or _QUESTION.search(sentence):
        return None
    every: tuple[Feasible, Feasible] = ("no", "yes")
    for verdict in every:
        # A "no" before a noun contradicts no denial: "it cannot be handled: no tool books tables".
        against = [
            one.start()
            for one in words().verdicts.finditer(sentence)
            if verdict == "yes" or meaning(one[0]) != "no"
        ]
        found = patterns[verdict].search(sentence, max(against, default=0))
        if found is not None and (verdict == "no" or not _NEGATED.search(sentence[: found.start()])):
            return verdict
    return None


def _in_json(text: str) -> Feasible | None:
    """The verdict under one of the keys that only this question has, in the last structure with one."""
    for found in reversed(find_json(text)):
        verdict = _under_key(found.value, 0)
        if verdict is not None:
            return verdict
    return None


def _under_key(value: JsonItem, depth: int) -> Feasible | None:
    if not isinstance(value, JsonObject) or depth > _DEEPEST:
        return None
    members = [(key.strip().lower().replace(" ", "_"), inner) for key, inner in value.members]
    for key, inner in members:
        if isinstance(inner, bool) and key in _words().keys:
            return "yes" if inner else "no"
        if isinstance(inner, str) and key in _words().keys:
            if inner.strip().lower() in {"true", "false"}:
                return "yes" if inner.strip().lower() == "true" else "no"
            label = read_awareness(inner).label
            return "unreadable" if label == "idk" else label
    return next((found for _, inner in members if (found := _under_key(inner, depth + 1))), None)
