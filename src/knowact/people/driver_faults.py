"""Did the driver keep to the script? Finds faults from the script and the talk alone. Pure.

It sees neither calls nor reward, nor who the agent is: a trial is not excused because it went wrong. Named
faults are made-up facts, skipped wishes, stopping too early, revealed secrets, going in circles, and giving
up without having been asked for anything (spec car-bench.md, sections 7.5 and 10.3, D-34, D-35).
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from knowact.people.cue_lists import entries, has
from knowact.people.driver.script import Script
from knowact.people.driver.scripted import reveals
from knowact.reading.cues import phrases
from knowact.reading.folding import fold
from knowact.reading.own_sentences import own_sentences
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
}
"""By name, what each is. The last three are found where the reply is read (`people.lines`)."""

SAME_IN_A_ROW: Final = 4
"""So often nobody says the same: the scripted driver refuses to choose three times and then gives up."""

_RAISED: Final = 1 / 3
"""So much of a wish's words must have been said for it to count as raised; models use words of their own."""
_GIVEN: Final = 2 / 3
"""So much of a detail's own words makes it given away."""

_NUMBER: Final = re.compile(r"\d+(?:[.,:]\d+)?")
_NAME: Final = re.compile(r"(?<=[a-z,;] )[A-ZÄÖÜ]\w{2,}")
"""A capital inside a sentence."""
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
    talk = [event for event in trial.events if isinstance(event, Said)]
    lines = [one.text for one in talk if one.role == "user"]
    if _makes_up(known, talk):
        yield "made_up"
    if _gives_away(known, talk):
        yield "revealed"
    if any(_repeated(lines)):
        yield "in_circles"
    leaves = [one.word for one in trial.events if isinstance(one, Ruled) and one.by == "driver"]
    if trial.stop is not Stop.WORD or not leaves:
        return
    if leaves[-1] is Word.STOP:
        if any(not _is_raised(wish, lines) for wish in (known.script.opening, *known.script.later)):
            yield "skipped_wish"
        if _waits(talk):
            yield "early_stop"
    elif leaves[-1] is Word.OUT_OF_SCOPE and not any(
        _asks(one.text) for one in talk if one.role == "assistant"
    ):
        yield "gave_up"


def _makes_up(known: Known, talk: Sequence[Said]) -> bool:
    script = known.script
    details = (detail.says for detail in script.details)
    told = [known.scenario, script.opening, *script.later, *details, script.looks_up, *known.hidden]
    for one in talk:
        if one.role == "user":
            said = {*_NUMBER.findall(one.text), *_NAME.findall(one.text)} - {*entries("capitals")}
            heard = "\n".join(told).casefold()
            if any(fact.casefold() not in heard for fact in said):
                return True
        # What was said once may be repeated by either side.
        told.append(one.text)
    return False


def _gives_away(known: Known, talk: Sequence[Said]) -> bool:
    """Whether a detail comes before anybody asked, or a hidden word before the assistant has said it."""
    open_ = list(known.script.details)
    wishes = _words(" ".join((known.script.opening, *known.script.later)))
    hidden = [phrases([fold(word).plain]) for word in known.hidden if word.strip()]
    for one in talk:
        plain = fold(one.text).plain
        if one.role == "assistant":
            open_ = [detail for detail in open_ if not reveals(detail, one.text)]
            hidden = [word for word in hidden if word.search(plain) is None]
            continue
        said = _words(one.text)
        for detail in open_:
            own = _words(detail.says) - wishes
            if own and len(own & said) / len(own) >= _GIVEN:
                return True
        if any(word.search(plain) is not None for word in hidden):
            return True
    return False


def _repeated(lines: Sequence[str]) -> Iterable[bool]:
    row = 1
    for before, after in pairwise(lines):
        row = row + 1 if _plain(before) == _plain(after) else 1
        yield row >= SAME_IN_A_ROW


def _plain(text: str) -> str:
    return " ".join(fold(text).plain.split())


def _is_raised(wish: str, lines: Sequence[str]) -> bool:
    wanted = _words(wish)
    return not wanted or len(wanted & _words(" ".join(lines))) / len(wanted) >= _RAISED


def _words(text: str) -> frozenset[str]:
    plain = fold(text).plain
    return frozenset(_WORD.findall(plain)) - frozenset(entries("common")) | frozenset(_NUMBER.findall(plain))


def _waits(talk: Sequence[Said]) -> bool:
    """Whether the last thing said is a question of the assistant, or nothing was said by it at all."""
    last = talk[-1] if talk else None
    return last is None or last.role == "user" or _asks(last.text)


def _asks(text: str) -> bool:
    return any(one.asks and not has("closing", one.plain) for one in own_sentences(text))
