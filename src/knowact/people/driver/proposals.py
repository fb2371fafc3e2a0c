"""Does what an assistant proposes fit the wishes of a script? Compares deed by deed.

A proposal is *beside* the wish if one of its deeds is about nothing that is wished for or that the rules of
the car join to it; it is *against* the wish if it turns the thing the other way, has another number, other or
more places, another person or destination, or other words in a message.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from knowact.people.driver.deeds import (
    FRONT,
    Deed,
    Way,
    about,
    allowed_by,
    amounts,
    deeds,
    known_things,
    levels,
    wishes_of,
)
from knowact.people.driver.details import kinds_of, options_in, words_of
from knowact.people.driver.drafts import says_otherwise
from knowact.people.driver.hearing import CUT, Question
from knowact.people.driver.names import other_name
from knowact.people.driver.script import Script
from knowact.reading.folding import fold

_UNITED: Final = re.compile(
    r"\b(?:level|step|stage|speed|at|to) (?:\d|one|two|three|four|five)|\d\s*(?:percent|%|°|degrees)"
)
_AGAIN: Final = re.compile(r"\b(?:instead|another|other|change\w*|replac\w*|elsewhere|new|rather)\b")
_INSTEAD: Final = re.compile(r"\binstead\b")
_LOOKS: Final = re.compile(r"\b(?:check\w*|look\w*|see|find out|consult)\b")
"""The weather may be looked at for any wish: policies of the car want it for many a one."""
_SWITCHED: Final = frozenset({"air_conditioning", "fog_lights", "high_beams", "low_beams", "ambient_lights"})
"""Who names one of these and says no more wants it on."""
_DONE: Final = re.compile(
    r"\b(?:i've|i have) (?!check|look|found|seen|read|notic)\w+|\b(?:has|have) (?:now )?been\b"
    r"|\b(?:is|are|it's|they're) now\b|\b(?:done|all set|started|switched|sent|opened|closed|set to)\b"
)
_MORE: Final = re.compile(
    r"\b(?:also|as well|too|further|more|another|even|again|additionally|other|others|while i'm at it"
    r"|afterwards|next)\b"
)
_SOMEBODY: Final = re.compile(
    r"\b(?:his|her|him|their|wife|husband|son|daughter|friend|kids?'?|child\w*|mother|father|whoever"
    r"|whose|which)\b"
)
_MANY: Final = re.compile(r"\b(?:all|every\w*|each|both|whole|us)\b")
_EVERYWHERE: Final = frozenset("DPLR")
_POINTS: Final = re.compile(r"\b(?:it|that|this|them|those|these|there|so|one|ones|both|all|everything)\b")
_OBJECT: Final = re.compile(r"\b(?:the|your|a|an|some|his|her) (?:\w+ )?(\w{3,})\W*\Z")
_ANYTHING: Final = frozenset({
    *("setting", "settings", "preference", "preferences", "default", "usual", "value", "level", "request"),
    *("change", "changes", "steps", "plan", "way", "same", "side", "sides", "details", "task", "action"),
})  # fmt: skip
_HIGHEST: Final = 10
"""Levels don't go higher: of them, "as far as it goes" is no number."""


def beside(script: Script, one: Question) -> tuple[bool, bool]:
    """Whether a proposal has a deed that no wish has to do with, and whether all its deeds are such."""
    allowed = allowed_by(script)
    known = words_of(" ".join((script.opening, *script.later, *(each.says for each in script.details))))
    every = [deed for deed in deeds(one.proposal) if deed.things or _is_new(deed.plain, known)]
    found = [not deed.things or _is_beside(deed, allowed) for deed in every]
    return any(found), bool(found) and all(found)


def _is_new(plain: str, known: frozenset[str]) -> bool:
    """Whether a deed is done to something that has no name here, and that nobody has spoken of."""
    if _POINTS.search(plain) or FRONT.search(plain) is None:
        return False
    done_to = [match[1] for match in _OBJECT.finditer(plain)]
    return bool(done_to) and not any(words_of(noun) & known or noun in _ANYTHING for noun in done_to)


def is_more(script: Script, one: Question) -> bool:
    """Whether a question offers more of what the message before it reports as done."""
    done = [each for each in CUT.split(fold(one.before).plain) if _DONE.search(each)]
    if not done or not _MORE.search(one.plain):
        return False
    told = about(" . ".join(done))
    wished = {name for each in wishes_of(script) if not _MANY.search(each.plain) for name in each.things}
    asked = {name for deed in deeds(one.cased) for name in deed.things}
    many = {name for each in wishes_of(script) if _MANY.search(each.plain) for name in each.things}
    return all(name not in many and (name in told or name not in wished) for name in asked)


def _family(name: str) -> str:
    """What a thing may be called for short."""
    return "lights" if name.endswith("_lights") else name


def _is_beside(deed: Deed, allowed: Mapping[str, str]) -> bool:
    free = {*allowed, "weather"} if _LOOKS.search(deed.plain) else set(allowed)
    lights = {name for name in allowed if name == "lights" or name.endswith(("_lights", "_beams"))}
    return not (deed.things & free or ("lights" in deed.things and lights))


def against(script: Script, one: Question) -> bool:
    """Whether a proposal says otherwise than the wishes about something that is wished for."""
    own = wishes_of(script)
    said = " ".join((script.opening, *script.later))
    if _INSTEAD.search(one.plain) and not _AGAIN.search(fold(said).plain):
        return True
    if other_name(script, one.proposal) or _other_option(script, one.proposal):
        return True
    mailed = any("mail" in wish.things for wish in own)
    if mailed and says_otherwise(_told(script), f"{one.before_cased} {one.cased}"):
        return True
    near = about(fold(" ".join((*CUT.split(one.before.strip())[-2:], one.proposal))).plain)
    return any(_turns(script, deed, own, near) for deed in deeds(one.proposal))


def _told(script: Script) -> str:
    """What a message is to say: what follows a "that", and the details; else all that is wished for."""
    wishes = (script.opening, *script.later)
    parts = [part for wish in wishes for part in re.split(r"\bthat\b", wish)[1:]] or wishes
    return " ".join((*parts, *(one.says for one in script.details)))


def _turns(script: Script, deed: Deed, own: Sequence[Deed], near: frozenset[str]) -> bool:
    if not deed.things:
        return _turns_it(deed, own, near)
    about = {name: [one for one in own if one.things & {name, _family(name)}] for name in deed.things}
    if not any(about.values()) and deed.ways and not deed.left:
        ways = {allowed_by(script).get(name, "") for name in deed.things} - {""}
        return bool(ways) and not ways & deed.ways
    for name, wished in about.items():
        if _turned(deed, wished) or _other_number(name, deed, wished) or _elsewhere(name, deed, wished):
            return True
    return False


def _turns_it(deed: Deed, own: Sequence[Deed], near: frozenset[str]) -> bool:
    """The same of a deed without a thing ("Shall I close it?"); `near` are the things that may be meant."""
    ways = frozenset[Way](way for one in own if one.things for way in one.ways)
    meant = near <= frozenset(name for one in own if one.ways for name in one.things)
    if meant and _POINTS.search(deed.plain) and deed.ways and len(ways) == 1 and not ways & deed.ways:
        return True
    unit = _UNITED.search(deed.plain) is not None
    return unit and _other_number("", deed, [one for one in own if one.things & amounts()])


def _turned(deed: Deed, wished: Sequence[Deed]) -> bool:
    others = re.search(r"\b(?:other|others|rest|remaining)\b", deed.plain) is not None
    told = any(one.ways and not one.left for one in wished) and not any(one.left for one in wished)
    if deed.left and told and not (others or deed.ways or deed.counted or deed.places):
        return True
    ways = frozenset[Way](way for one in wished for way in one.ways)
    if not ways and any(one.things & _SWITCHED for one in wished):
        ways = frozenset[Way]({"+"})
    return len(ways) == 1 and len(deed.ways) == 1 and not others and ways != deed.ways


def _other_number(name: str, deed: Deed, wished: Sequence[Deed]) -> bool:
    if deed.relative or any(one.relative for one in wished):
        return False
    own = {value for one in wished for value in one.counted if name not in levels() or value <= _HIGHEST}
    return bool(own and deed.counted) and not own & deed.counted


def _elsewhere(name: str, deed: Deed, wished: Sequence[Deed]) -> bool:
    """Whether a deed touches places of which no wish speaks, or all of a thing where one is wished for."""
    if not deed.places or deed.left:
        return False
    if len(deed.places) == len(_EVERYWHERE) and not any(_MANY.search(one.plain) for one in wished):
        mine = (known_things()[name].words, known_things()[_family(name)].words)
        words = [match[0] for one in wished for called in mine for match in called.finditer(one.plain)]
        if words and not any(word.endswith("s") for word in words):
            return True
    if any(_SOMEBODY.search(one.plain) for one in wished):
        return False
    own = frozenset(place for one in wished if not one.left for place in one.places)
    return bool(own) and not deed.places <= own


def _other_option(script: Script, text: str) -> bool:
    """Whether a proposal has another route or colour than the script has."""
    said = " ".join((script.opening, *script.later, *(one.says for one in script.details)))
    for cue in ("which route", "colour", "airflow"):
        kinds = kinds_of((cue,))
        if set(kinds) & set(kinds_of(script.secrets)):
            continue
        own, theirs = options_in(kinds, said), options_in(kinds, text)
        if own and theirs and not own & theirs:
            return True
    return False
