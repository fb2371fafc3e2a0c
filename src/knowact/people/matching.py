"""Which of the things that a person knows does a question ask for, or guess at?"""

import re
from collections.abc import Sequence

from pydantic import JsonValue

from knowact.people.asking import Sentence, spans
from knowact.reading.askable import (
    UNIT_WORDS,
    Hit,
    Slot,
    hits_in,
    is_named,
    own_words,
    table,
    topics_of,
    words_in,
)
from knowact.reading.folding import fold, fold_words
from knowact.reading.mentions import Mention
from knowact.reading.reply import Reply

Guessable = tuple[Slot, JsonValue, tuple[str, ...], bool]
"""A slot, its value, how people say that, and whether it is withheld."""

_GENERIC = frozenset({"name", "title", "number", "text", "value", "first", "second", "new", "old"})
"""Own words that say too little alone: another thing's name is asked for with them, too."""
_OF = re.compile(r"\s*(?:of|for|von|de|di|van)\s+(?:the|your|this|that|a|my|der|la|le|el)?\s*(\w+)")
_GUESS_LENGTH = 2
_CANDIDATE = re.compile(r"(?<=\s)[A-Z][\w-]+|\d|[\"']")


def asked_slots(asked: Sequence[Sentence], slots: Sequence[Slot], question: str) -> list[Slot]:
    """The slots that a question asks for, in the order given."""
    wanted = frozenset[Slot]().union(*(_asked_in(one, slots) for one in asked))
    found = [slot for slot in slots if slot in wanted]
    if found:
        return found
    if any(one.has("one") for one in asked) and len(slots) == 1:
        return list(slots)
    return [slot for slot in slots if _is_named_outright(slot, question)]


def _is_named_outright(slot: Slot, question: str) -> bool:
    """Whether the parameter is written as in the schema ("order_number")."""
    return (
        "_" in slot.parameter
        and re.search(rf"(?<!\w){re.escape(slot.parameter)}(?!\w)", question) is not None
    )


def _asked_in(one: Sentence, slots: Sequence[Slot]) -> frozenset[Slot]:
    """The slots that one sentence asks for; one that is called by its parameter goes before its likes."""
    called = {slot: phrase for slot in slots if one.asks and (phrase := _called(one, slot))}
    outright = {
        slot
        for slot, phrase in called.items()
        if not any(phrase in other and phrase != other for other in called.values())
    }
    topics = frozenset[str]().union(*(topics_of(slot) for slot in outright))
    said = {word for slot in outright for word in words_in(called[slot])}
    likes = (slot for slot in slots if slot not in called and _asks_for(one, slot, slots))
    others = (slot for slot in likes if not topics_of(slot) & topics and not own_words(slot) & said)
    return frozenset((*outright, *others))


def _called(one: Sentence, slot: Slot) -> str:
    """The words of the slot's parameter where a sentence asks for just these; else ""."""
    words = [word for word in slot.parameter.lower().split("_") if word not in UNIT_WORDS]
    phrase = " ".join(words)
    for start, end in one.asked if phrase else ():
        found = re.search(rf"(?<!\w){re.escape(phrase)}(?!\w)", one.plain[start:end])
        if found is None:
            continue
        low, high = start + found.start(), start + found.end()
        longer = any(
            hit.start <= low and high <= hit.end and hit.end - hit.start > high - low for hit in one.hits
        )
        following = _OF.match(one.plain, high) if phrase in _GENERIC else None
        of_another = following is not None and not set(words_in(following[1])) & own_words(slot)
        named = is_named(slot) and phrase in _GENERIC
        if not longer and not of_another and not named:
            return phrase
    return ""


def _asks_for(one: Sentence, slot: Slot, slots: Sequence[Slot]) -> bool:
    if not one.asks:
        return False
    topics = topics_of(slot)
    hits = [hit for hit in one.hits if hit.topics & topics]
    if hits:
        return _fits_role(one, slot, slots, topics)
    if any(_has_own_word(one, slot, start, end) for start, end in one.asked):
        return True
    return is_named(slot) and any(_names_it(one, slot, span) for span in spans("names", one.plain))


def _has_own_word(one: Sentence, slot: Slot, start: int, end: int) -> bool:
    """Whether the slot's own word is asked for, not as a part of another thing's name."""
    words = own_words(slot) - _GENERIC
    inside = [hit for hit in one.hits if not hit.asking and start <= hit.start and hit.end <= end]
    text = one.plain[start:end]
    for hit in inside:
        text = text.replace(one.plain[hit.start : hit.end], " ")
    if words & set(words_in(text)):
        return True
    bare = own_words(slot) & _GENERIC & set(words_in(text))
    return bool(bare) and not inside and _OF.search(text) is None and not is_named(slot)


def _names_it(one: Sentence, slot: Slot, span: tuple[int, int]) -> bool:
    """Whether a word for a thing's name is asked for, and the thing is the slot's."""
    thing = own_words(slot) - _GENERIC
    words = thing.union(*(table().topic_words[topic] for topic in topics_of(slot)))
    following = _OF.match(one.plain, span[1])
    if following is not None:
        return bool({following[1], *words_in(following[1])} & words)
    if not any(start <= span[0] < end for start, end in one.asked):
        return one.plain[span[0] : span[1]] == "called" and bool(words & set(words_in(one.plain)))
    others = [hit for hit in hits_in(one.plain) if not hit.asking and not hit.topics & topics_of(slot)]
    return bool(words & set(words_in(one.plain))) or not others


def _fits_role(one: Sentence, slot: Slot, slots: Sequence[Slot], topics: frozenset[str]) -> bool:
    """Whether the roles that a sentence speaks of leave this slot in."""
    if slot.parameter not in table().roles:
        return True
    spoken = set(words_in(one.plain)) | set(re.findall(r"\w+", one.plain))
    peers = [other.parameter for other in slots if topics_of(other) & topics]
    roles = {role for role in table().roles if role in peers and table().roles[role] & spoken}
    opposite = {"origin": "destination", "destination": "origin"}.get(slot.parameter, "")
    if not roles and opposite not in peers and table().roles.get(opposite, frozenset[str]()) & spoken:
        return False
    return not roles or slot.parameter in roles


def other_topics(asked: Sequence[Sentence], slots: Sequence[Slot]) -> frozenset[str]:
    """Topics that a question asks for and that none of the slots belongs to, one name per asked thing."""
    held = frozenset[str]().union(*(topics_of(slot) for slot in slots)) if slots else frozenset[str]()
    own = frozenset[str]().union(*(own_words(slot) for slot in slots)) if slots else frozenset[str]()
    other: set[str] = set()
    for one in asked:
        for hit in one.hits:
            if not hit.topics & held and not _is_own(one, hit, own):
                other.add(min(hit.topics))
    return frozenset(other)


def _is_own(one: Sentence, hit: Hit, own: frozenset[str]) -> bool:
    return bool(set(words_in(one.plain[hit.start : hit.end])) & own)


def guessed_slots(asked: Sequence[Sentence], known: Sequence[Guessable], question: str) -> dict[Slot, bool]:
    """The slots at whose value a question guesses, and whether the guess is right.

    A guess that meets no value is one at the only withheld slot, if there is only one.
    """
    asking = [one for one in asked if one.asks]
    right = {
        slot: True
        for slot, value, said, _ in known
        if any(not one.wants or one.has("guesses") for one in asking) and _says(question, value, said)
    }
    if right:
        return right
    withheld = [slot for slot, _, _, is_withheld in known if is_withheld]
    if len(withheld) == 1 and any(_guesses(one) for one in asking):
        return {withheld[0]: False}
    return {}


def _guesses(one: Sentence) -> bool:
    if one.hits or one.has("leave"):
        return False
    words = re.findall(r"\w+", one.cased)
    if len(words) <= _GUESS_LENGTH and re.match(r"\W*(?:[A-Z]|\d)", one.cased) and "?" in one.plain:
        return not one.wants
    closing = re.search(r",\s*(?:i suppose|i assume|i guess)\W*\Z", one.plain) is not None
    return closing or (one.has("guesses") and _CANDIDATE.search(one.cased) is not None)


def _says(question: str, value: JsonValue, said: Sequence[str]) -> bool:
    """Whether a question says a value, in its words or in another way to write a number, day or time."""
    plain = fold(question).plain
    texts = {fold_words(str(text)).strip("\"'. ") for text in (value, *said)}
    if any(text and re.search(rf"(?<!\w){re.escape(text)}(?!\w)", plain) for text in texts):
        return True
    wanted = _as_mention(value)
    return wanted is not None and any(_same(mention, wanted) for mention in Reply(question).mentions)


def _as_mention(value: JsonValue) -> tuple[str, float | tuple[int, int, int]] | None:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return "number", float(value)
    if not isinstance(value, str):
        return None
    if match := re.fullmatch(r"(\d{1,2}):(\d{2})", value):
        return "time", float(int(match[1]) * 60 + int(match[2]))
    if match := re.fullmatch(r"(\d{4})-(\d{2})-(\d{2})", value):
        return "date", (int(match[1]), int(match[2]), int(match[3]))
    return None


def _same(mention: Mention, wanted: tuple[str, float | tuple[int, int, int]]) -> bool:
    kind, value = wanted
    if mention.kind != kind:
        return False
    if isinstance(value, tuple):
        return any(
            isinstance(one, tuple) and one[1:] == value[1:] and one[0] in {0, value[0]}
            for one in mention.values
        )
    return value in mention.values
