"""Did the driver keep to the script? Finds faults from the script and the talk alone. Pure.

It sees neither calls nor reward, nor who the agent is: a trial is not excused because it went wrong. Named
faults are made-up facts, skipped wishes, stopping too early, revealed secrets, going in circles, and giving
up without having been asked for anything (spec car-bench.md, sections 7.5 and 10.3, D-34, D-35).
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from knowact.people.cue_lists import entries
from knowact.people.driver import hearing
from knowact.people.driver.details import gives, is_asked, kinds_of, names_in, stance
from knowact.people.driver.hearing import closes, questions
from knowact.people.driver.script import Detail, Script
from knowact.people.driver.wishes import is_raised, is_unwished
from knowact.reading.cues import phrases
from knowact.reading.folding import fold
from knowact.reading.number_words import spelled_numbers
from knowact.worlds.car.record import Ruled, Said, Stop, Trial, Word

FAULTS: Final[Mapping[str, str]] = {
    "made_up": "says a number or a name that neither the scenario nor the assistant has said",
    "skipped_wish": "leaves without having raised a wish of the script",
    "early_stop": "leaves while the assistant waits for an answer, or before it has said anything",
    "revealed": "gives a detail that nobody asked for, or what the assistant has to settle itself",
    "in_circles": "says the same thing again and again",
    "gave_up": "is out of script although the assistant asked for nothing",
    "empty": "says nothing",
    "unreadable": "replies with something that is neither a message nor a control word, or is both",
    "overlong": "says more than anybody says to a car",
    "gone": "is no longer there: the input of the terminal has come to its end",
}
"""By name, what each is. The last four are found where a line is read (`people.lines`, `engine.drivers`)."""

LONGEST: Final = 8_000
"""Characters of a line that are looked at: its first and its last half of so many."""

SAME_IN_A_ROW: Final = 4
"""So often nobody says the same: the scripted driver refuses to choose three times and then gives up."""

_RAISED: Final = 1 / 3
"""So much of a wish's words must have been said for it to count as raised; models use words of their own."""
_GIVEN: Final = 2 / 3
"""So much of a detail's own words makes it given away."""

_NUMBER: Final = re.compile(r"\d+(?:[.,:]\d+)?")
_NAME: Final = re.compile(r"(?<=[a-z,;] )[A-Z][\w-]{2,}")
"""A capital inside a sentence."""
_SHORT: Final = 3
_TITLE: Final = 0.6
"""Where more of the words than this have capitals, these say nothing."""
_HALF: Final = 0.5
_COUNTED: Final = re.compile(r"\b(?:level|step|stage|number|setting)\s+\Z")
"""What makes a number of a "one"."""
_TIME: Final = re.compile(r"\b(?P<hour>\d{1,2}):\d\d\b")
_DAYTIME: Final = re.compile(r"\b(?:[ap]m|o'clock|evening|tonight|afternoon)\b")
_QUOTED: Final = re.compile(r"[\"\u201c\u201e][^\"\u201c\u201d\n]{3,300}[\"\u201d]")
_ASSENT: Final = frozenset(
    {"yes", "no", "yeah", "sure", "okay", "ok", "fine", "right", "go", "ahead", "do", "it", "all", "oh"}
)
_INSISTS: Final = re.compile(r"(?:yes|no|i know)\b", re.IGNORECASE)
"""So begins a detail that answers whether something is still wanted."""
_TURNED: Final = re.compile(r"\byou\b")
"""What the assistant says of "you" the driver says of "me"."""
_WORD: Final = re.compile(r"\w{3,}")


@dataclass(frozen=True, slots=True)
class Known:
    """What the detector goes by.

    Attributes:
        script: The driver's.
        scenario: The same in prose; a driver may speak of all that stands there.
        hidden: Words of what the assistant has to settle itself: no driver names them first.
    """

    script: Script
    scenario: str = ""
    hidden: tuple[str, ...] = ()


def driver_faults(known: Known, trial: Trial) -> tuple[str, ...]:
    """Return the names of the faults of a trial's driver, each once, in the order of `FAULTS`.

    Args:
        known: The script.
        trial: The record; its calls are not looked at.
    """
    found = set(_faults(known, trial))
    return tuple(name for name in FAULTS if name in found)


def _faults(known: Known, trial: Trial) -> Iterator[str]:
    talk = [_bounded(event) for event in trial.events if isinstance(event, Said)]
    lines = [one.text for one in talk if one.role == "user"]
    if _makes_up(known, talk):
        yield "made_up"
    if _gives_away(known, talk):
        yield "revealed"
    if any(_repeated(known.script, talk)):
        yield "in_circles"
    leaves = [one.word for one in trial.events if isinstance(one, Ruled) and one.by == "driver"]
    if trial.stop is not Stop.WORD or not leaves:
        return
    if leaves[-1] is Word.STOP:
        if any(not _is_raised(known, wish, lines) for wish in (known.script.opening, *known.script.later)):
            yield "skipped_wish"
        if _waits(known.script, talk):
            yield "early_stop"
    elif leaves[-1] is Word.OUT_OF_SCOPE and not any(
        questions(one.text) for one in [one for one in talk if one.role == "assistant"][-1:]
    ):
        yield "gave_up"


def _bounded(one: Said) -> Said:
    """A line with the ends of its text only: who says more is not talking, and must not hold up others."""
    return one.model_copy(update={"text": hearing.shortened(one.text, LONGEST)})


def _makes_up(known: Known, talk: Sequence[Said]) -> bool:
    script = known.script
    details = (detail.says for detail in script.details)
    told = [known.scenario, script.opening, *script.later, *details, script.looks_up, *known.hidden]
    heard = fold("\n".join(told)).plain
    numbers = _sayable(heard)
    for place, one in enumerate(talk):
        if one.role == "user":
            before = talk[place - 1].text if place else ""
            names = {*_names(one.text), *_short_answer(script, before, one.text)}
            if any(name not in heard for name in names) or not _numbers(one.text) <= numbers:
                return True
        # What was said once may be repeated by either side.
        plain = fold(one.text).plain
        heard, numbers = f"{heard}\n{plain}", numbers | _sayable(plain)
    return False


def _names(text: str) -> frozenset[str]:
    """Words with a capital inside a sentence; none where every word has one."""
    cased = fold(text).cased
    words = re.findall(r"[^\W\d_]{3,}", cased)
    if len(words) >= _SHORT and sum(word[0].isupper() for word in words) > len(words) * _TITLE:
        return frozenset()
    found = (match[0].removesuffix("'s").lower() for match in _NAME.finditer(cased))
    return frozenset(name for name in found if not hearing.has("no_names", name))


def _short_answer(script: Script, asked: str, text: str) -> frozenset[str]:
    """The name that an answer of a word or two comes to, where a name was asked for."""
    words = re.findall(r"[\w'-]+", fold(text).cased)
    if not words or len(words) >= _SHORT or not words[0][0].isupper():
        return frozenset()
    named = (one for one in script.details if any(kind.named for kind in kinds_of(one.about)))
    if not any(_may_be_told(script, detail, asked) for detail in named):
        return frozenset()
    return frozenset(word.lower() for word in words[:1] if not hearing.has("beginnings", word.lower()))


def _numbers(text: str) -> frozenset[float]:
    """The numbers that a driver says, in figures or words; of a time, hour and minutes."""
    plain = hearing.without_idioms(fold(text).plain)
    found = {
        float(part.replace(",", "."))
        for match in _NUMBER.finditer(plain)
        for part in match[0].split(":")
        if part
    }
    for start, end, value in spelled_numbers(plain):
        if value == 1 and not _COUNTED.search(plain[:start]):
            continue
        if value >= 1:
            found.add(value + _HALF if plain[end:].startswith(" and a half") else value)
    return frozenset(found)


def _sayable(heard: str) -> frozenset[float]:
    """The numbers of what was heard, the hours of its times in both halves of the day, and none."""
    found = {0.0, 1.0, *_numbers(heard)}
    found |= {value + _HALF for value in found if f"{value:g} and a half" in heard}
    for match in _TIME.finditer(heard):
        hour = float(match["hour"])
        found |= {hour, hour % 12, hour % 12 + 12}
    if _DAYTIME.search(heard):
        found |= {value + 12 for value in found if 1 <= value <= 12}  # noqa: PLR2004 - hours
        found |= {value - 12 for value in found if 12 < value <= 24}  # noqa: PLR2004 - hours
    return frozenset(found)


def _gives_away(known: Known, talk: Sequence[Said]) -> bool:
    """Whether a detail comes before anybody asked, or a hidden word before the assistant has said it."""
    open_ = list(known.script.details)
    wishes = " ".join((known.script.opening, *known.script.later))
    hidden = [phrases([_in_figures(word)]) for word in known.hidden if word.strip()]
    for one in talk:
        plain = _in_figures(one.text)
        if one.role == "assistant":
            open_ = [detail for detail in open_ if not _may_be_told(known.script, detail, one.text)]
            turned = _TURNED.sub("me", plain)
            hidden = [word for word in hidden if word.search(plain) is None and word.search(turned) is None]
            continue
        if any(_is_given(detail, one.text, wishes) for detail in open_):
            return True
        if any(word.search(plain) is not None for word in hidden):
            return True
    return False


def _may_be_told(script: Script, detail: Detail, said: str) -> bool:
    """Whether a message asks for a detail, proposes something for it, or says it itself."""
    insists = _INSISTS.match(detail.says) is not None
    return gives(detail, said) or any(
        is_asked(detail.about, one, script, detail.says)
        or (one.leave and (insists or stance(detail, one, script) != ""))
        for one in questions(said)
    )


def _is_given(detail: Detail, text: str, wishes: str) -> bool:
    if names_in(detail):
        return gives(detail, text, beside=wishes)
    own, said = _words(detail.says) - _words(wishes), _words(text)
    return bool(own) and len(own & said) / len(own) >= _GIVEN


def _in_figures(text: str) -> str:
    """The text folded, with its numbers in figures."""
    plain, pieces, position = fold(text).plain, list[str](), 0
    for start, end, value in spelled_numbers(plain):
        pieces += [plain[position:start], f"{value:g}"]
        position = end
    return "".join((*pieces, plain[position:]))


def _repeated(script: Script, talk: Sequence[Said]) -> Iterable[bool]:
    """Whether a row of the driver's lines says the same.

    A yes to another question is another thing; and what the script answers is due as often as it is asked, so
    that no agent that asks in circles makes its driver look at fault.
    """
    answers = {_said(line) for line in (*(detail.says for detail in script.details), script.looks_up)}
    row, before, asked, said = 1, frozenset[str](), "", ""
    for one in talk:
        if one.role == "assistant":
            said = one.text
            continue
        words = _said(one.text)
        due = words in answers and bool(questions(said))
        same = not due and words == before and (asked == said or not words <= _ASSENT)
        row, before, asked = (row + 1 if same else 1), words, said
        yield row >= SAME_IN_A_ROW


def _said(line: str) -> frozenset[str]:
    """The words of a line, whatever their order, without politeness."""
    return frozenset(re.findall(r"\w+", fold(line).plain)) - {"please"}


def _is_raised(known: Known, wish: str, lines: Sequence[str]) -> bool:
    raised = is_raised(wish, lines, known.scenario or wish)
    if raised is not None:
        return raised
    wanted = _words(wish)
    return not wanted or len(wanted & _words(" ".join(lines))) / len(wanted) >= _RAISED


def _words(text: str) -> frozenset[str]:
    plain = fold(text).plain
    return frozenset(_WORD.findall(plain)) - frozenset(entries("common")) | frozenset(_NUMBER.findall(plain))


def _waits(script: Script, talk: Sequence[Said]) -> bool:
    """Whether the last thing said waits for an answer of the driver, or nothing was said to it at all."""
    last = talk[-1] if talk else None
    if last is None or last.role == "user":
        return True
    asked = questions(_QUOTED.sub(" ", last.text))
    return any(not closes(one) and not is_unwished(script, one) for one in asked)
