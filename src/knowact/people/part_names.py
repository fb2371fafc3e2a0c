"""What names a missing part: its cues in all the forms that messages have for them, and its thing. Pure.

A task gives cues for the part ("the fan", "how far the rear window"). A message may put another determiner
("your fan"), the singular, or another name of the same thing ("blower", "back window").
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from knowact.people.cue_lists import SHORTEST_STEM, entries, has, inflected, speaks_of
from knowact.reading.folding import fold_words

_DETERMINERS: Final = ("the", "your", "that", "this", "its", "his", "her", "their", "my", "any", "a", "an")
_FREE: Final = frozenset({"the", "a", "an"})
"""Determiners of cues that stand for any; a cue with another one means it ("your side")."""
_PARTICLES: Final = frozenset({"up", "out", "off", "on", "in", "down"})
_LONG_PLURAL: Final = 5
_NO_PLURAL: Final = ("ss", "us", "is")


_UNITS: Final = frozenset({"km", "c", "kwh", "minutes", "hours"})
_SEVERAL: Final = 2
_IRREGULAR: Final = {
    "send": ("sent",), "write": ("written", "wrote"), "ring": ("rung", "rang"), "take": ("taken", "taking"),
    "put": ("putting",), "set": ("setting",), "find": ("found",), "choose": ("chosen", "choosing"),
    "shut": ("shutting",), "make": ("made", "making"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Part:
    """A missing part in the words that name it.

    Attributes:
        names: Any one of these names it.
        stems: All of these together do, where nothing else can be meant.
        is_known: Whether it is something to be known rather than to be done.
    """

    names: tuple[str, ...]
    stems: tuple[str, ...]
    is_known: bool

    def is_described(self, text: str) -> bool:
        """Whether a folded text has all words of the part's description."""
        return bool(self.stems) and all(speaks_of((stem,), text) for stem in self.stems)


def part_of(lacks: tuple[str, ...], missing: str, *, is_known: bool) -> Part:
    """The part in words, by its cues and its description.

    Args:
        lacks: The cues as a task gives them.
        missing: The description, with the paths of what was taken away in brackets.
        is_known: Whether it is something to be known.
    """
    return Part(names_of((*lacks, *_field_of(missing))), (*_verb_of(missing), *stems_of(missing)), is_known)


def _verb_of(missing: str) -> tuple[str, ...]:
    """What is done with the thing ("heating the seats": heat*), unless that could be done with any."""
    verb = fold_words(missing).partition(" ")[0]
    return (f"{verb.removesuffix('ing')}*",) if verb.endswith("ing") and not has("any_job", verb) else ()


def _field_of(missing: str) -> tuple[str, ...]:
    """The name of the first field that was taken out of a result ("fan speed"), if it has several words."""
    found = re.search(r"\((result\.[\w.]+)", missing)
    words = found[1].rpartition(".")[2].split("_") if found else []
    kept = [word for word in words if word not in _UNITS]
    return (" ".join(kept),) if len(kept) >= _SEVERAL else ()


@lru_cache(maxsize=512)
def stems_of(missing: str) -> tuple[str, ...]:
    """The words of a part's description that name things ("seeing which windows are open": window*)."""
    first, *words = fold_words(missing.split("(", 1)[0]).split() or [""]
    words = words if first.endswith("ing") else [first, *words]
    things = [word.removesuffix("'s") for word in words if not has("no_things", word)]
    return tuple(f"{word.removesuffix('s')}*" for word in things if word)


@lru_cache(maxsize=512)
def names_of(lacks: tuple[str, ...]) -> tuple[str, ...]:
    """The cues with any ending, any determiner, in the singular, and with other names of the same thing.

    Args:
        lacks: The cues as a task gives them; a final `*` lets a word go on.
    """
    every = dict[str, None]()
    for cue in (fold_words(one) for one in lacks if one.strip()):
        for other in (cue, *_other_names(cue), *_forms(cue)):
            every.update(dict.fromkeys(_determined(_singular(other))))
    return inflected(tuple(every))


def bare_names(names: Sequence[str]) -> tuple[str, ...]:
    """The names without a determiner in front, as they stand behind a "no"."""
    pairs = (name.split(" ", 1) for name in names)
    return tuple(dict.fromkeys(one[-1] if one[0] in _DETERMINERS else " ".join(one) for one in pairs))


def _forms(cue: str) -> Iterator[str]:
    """Other forms of a verb: of an irregular one ("write": written), before a particle ("switched off")."""
    verb, _, particle = cue.partition(" ")
    bare = verb.removesuffix("*")
    if bare in _IRREGULAR and particle in {"", *_PARTICLES}:
        yield from (f"{form} {particle}".strip() for form in _IRREGULAR[bare])
    elif particle in _PARTICLES and len(verb) >= SHORTEST_STEM:
        stem = verb.removesuffix("e")
        yield from (f"{stem}ed {particle}", f"{stem}ing {particle}")


def _singular(cue: str) -> str:
    if len(cue.rsplit(" ", 1)[-1]) < _LONG_PLURAL or not cue.endswith("s") or cue.endswith(_NO_PLURAL):
        return cue
    return f"{cue[:-1]}*"


def _determined(cue: str) -> Iterator[str]:
    """A cue with every determiner in the place of each of its free ones."""
    words = cue.split()
    yield cue
    for place, word in enumerate(words[:-1]):
        if word in _FREE:
            yield from (" ".join([*words[:place], one, *words[place + 1 :]]) for one in _DETERMINERS)


def _other_names(cue: str) -> Iterator[str]:
    lists = ("same", "same_within") if " " in cue else ("same",)
    for group in (entry.split(" = ") for name in lists for entry in entries(name)):
        for name in group:
            found = re.search(rf"\b{re.escape(name)}(?=s?\b|\*)", cue)
            if found is not None:
                head, tail = cue[: found.start()], cue[found.end() :]
                yield from (f"{head}{other}{tail}" for other in group if other != name)
                break


@lru_cache(maxsize=512)
def object_of(missing: str) -> tuple[str, ...]:
    """The thing that a missing job is about ("sending e-mails": e-mail); nothing if it is put otherwise."""
    words = re.findall(r"[\w-]+", fold_words(missing.split("(", 1)[0]))[1:]
    first = next((word for word in words if word not in entries("common") and word not in _FREE), "")
    return () if len(first) < SHORTEST_STEM or has("no_thing", first) else (first.removesuffix("s"),)
