"""The parser of answers that were asked for as Yes, No or IDK: a requested format, not prose.

What is read, in this order: one JSON object with one such value; the last line that says "Answer: …"; a last
line or sentence that is the word alone; a first line that is; the word that the reply begins with, where no
other such word stands alone after it. Anything else is unreadable, loudly.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Literal, cast

from knowact.reading.json_text import last_object
from knowact.reading.quotes import folded
from knowact.reading.thoughts import without_thoughts

YesNoWord = Literal["yes", "no", "idk"]

_SPELLED: Final[Mapping[YesNoWord, tuple[str, ...]]] = {
    "yes": (
        *("yes", "yep", "yeah", "ja", "oui", "si", "sí", "sì", "sim", "tak", "evet", "да", "はい"),
        *("是", "是的", "네"),
    ),
    "no": (
        *("no", "nope", "nein", "non", "nao", "não", "nee", "nej", "nie", "нет"),
        *("hay\u0131r", "いいえ", "否", "不", "아니요"),
    ),
    "idk": (
        *("idk", "i don't know", "i do not know", "i dont know", "unsure", "not sure", "i'm not sure"),
        *("no idea", "ich weiss nicht", "je ne sais pas", "no sé", "non lo so", "não sei", "weet ik niet"),
        *("我不知道", "わかりません"),
    ),
}
_WORDS: Final[Mapping[str, YesNoWord]] = {
    word: answer for answer, words in _SPELLED.items() for word in words
}
_LONGEST_FIRST: Final = "|".join(re.escape(word) for word in sorted(_WORDS, key=len, reverse=True))
_BEGINS: Final = re.compile(rf"[^\w]*({_LONGEST_FIRST})(?!'?\w)")
_SET_OFF: Final = re.compile(r"\s*(?:[.,:;!?/()\"\n\u3001\u3002]|-\s|\Z)")
"""What stands between the word and its reason. Without it, "no" begins a phrase ("No problem", "No-one")."""
_LINE: Final = re.compile(rf"(?:\d{{1,2}}[.)]\s)?\W*({_LONGEST_FIRST})\W*")
_ENDS: Final = re.compile(rf"(?:\A|[.!?:]\s)\W{{0,4}}({_LONGEST_FIRST})\W*\Z")
_ALONE: Final = re.compile(
    rf"(?<![\w'])({_LONGEST_FIRST})(?=\s*(?:[.,:;!?/\n)\"]|-\s|\Z)| (?:and|or|und|oder|et|y) )"
)
_QUOTED: Final = re.compile(rf'"(?:{_LONGEST_FIRST})[.,!?]?"')
_LATEX: Final = re.compile(r"\\(?:boxed|text|textbf|mathrm|mathbf)\b")
_ANSWER_MEMBERS: Final = ("answer", "final_answer", "verdict")
"""Members of a JSON object that count before all others."""
_IN_JSON: Final[Mapping[str, YesNoWord]] = {**_WORDS, "true": "yes", "false": "no"}
_ANSWER: Final = re.compile(
    rf"[^\w]*(?:final |my |the )?(?:answer|verdict)(?: is)?\W+({_LONGEST_FIRST})(?!'?\w)"
)


@dataclass(frozen=True, slots=True)
class YesNo:
    """What an answer says.

    Attributes:
        label: The answer; None where it cannot be read.
        reason: What stands beside it.
    """

    label: YesNoWord | None
    reason: str = ""


def read_yes_no(text: str) -> YesNo:
    """Read an answer that was to be Yes, No or IDK. Linear in the length of the text."""
    visible = _LATEX.sub(" ", without_thoughts(text))
    in_json = _in_json(visible)
    if in_json is not None:
        return in_json
    lines = [line for line in visible.splitlines() if re.search(r"\w", line) and line[:3] != "```"]
    for line in reversed(lines):
        if match := _ANSWER.match(folded(line)):
            return YesNo(_WORDS[match[1]], "\n".join(other for other in lines if other is not line).strip())
    if not lines:
        return YesNo(None)
    alone: list[YesNoWord | None] = [_alone(line) for line in lines]
    if (last := alone[-1]) is not None:
        return YesNo(None if _others(last, alone) else last, "\n".join(lines[:-1]).strip())
    if (first := alone[0]) is not None:
        rest = "\n".join(lines[1:]).strip()
        return YesNo(None if _others(first, _answers(folded(rest))) else first, rest)
    return _in_prose(folded("\n".join(lines).replace("\u2014", " \u2014 ")))


def _alone(line: str) -> YesNoWord | None:
    """The answer that a line is, list marks and emphasis apart."""
    word = _LINE.fullmatch(folded(line))
    return _WORDS[word[1]] if word else None


def _in_prose(whole: str) -> YesNo:
    """The word that a folded reply ends with, as a sentence of its own, or begins with."""
    if match := _ENDS.search(whole):
        return YesNo(_WORDS[match[1]], whole[: match.start(1)].strip())
    match = _BEGINS.match(whole)
    if match is None:
        return YesNo(None)
    label, rest = _WORDS[match[1]], whole[match.end() :]
    if not (match[1] == "yes" or label == "idk" or _SET_OFF.match(rest)):
        return YesNo(None)
    # Words that the reply only speaks of are in quotes, unless its own answer is, too.
    own = whole if whole[: match.start(1)].endswith('"') else _QUOTED.sub(" ", rest)
    return YesNo(None) if _others(label, _answers(own)) else YesNo(label, rest.lstrip(" .,:;!-"))


def _others(label: YesNoWord, answers: Iterable[YesNoWord | None]) -> bool:
    """Whether another answer is among these: then nothing says which of them counts."""
    return any(answer not in {None, label} for answer in answers)


def _answers(text: str) -> Iterator[YesNoWord]:
    """The answers that stand alone in a folded text."""
    return (_WORDS[word] for word in _ALONE.findall(text))


def _in_json(text: str) -> YesNo | None:
    """The one answer in a reply that is a JSON object; None where it is none."""
    if not text.strip().strip("`").lstrip().removeprefix("json").lstrip().startswith("{"):
        return None
    members = last_object(text)
    if members is None:
        return None
    member = next((members[name] for name in _ANSWER_MEMBERS if name in members), None)
    if isinstance(member, Mapping):
        members = cast("Mapping[str, object]", member)
    elif member is not None:
        # Booleans beside it are steps on the way.
        members = {
            name: value for name, value in members.items() if value is member or isinstance(value, str)
        }
    answers: set[YesNoWord] = set()
    rest: list[str] = []
    for value in members.values():
        if isinstance(value, bool):
            answers.add("yes" if value else "no")
        elif isinstance(value, str):
            label = _IN_JSON.get(folded(value).strip(" .!"))
            if label is None:
                rest.append(value)
            else:
                answers.add(label)
    return YesNo(answers.pop() if len(answers) == 1 else None, " ".join(rest))
