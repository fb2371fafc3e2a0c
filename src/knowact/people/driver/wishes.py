"""What does a question, or a driver's words, have to do with the wishes of a script?

A wish is cut into clauses; each stands for its names and for the things of a car that it speaks of
(`hearing.toml`), in whatever words.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from knowact.people.driver.details import contradicts, numbers
from knowact.people.driver.hearing import Question, groups, has, things
from knowact.people.driver.script import Script
from knowact.reading.folding import fold, fold_words

_CLAUSE: Final = re.compile(r"[.,;:!?]\s|[.!?]\Z|\b(?:and(?! a half)|then)\b")
_LARGE: Final = 10
_ALWAYS: Final = "weather"
"""Policies of the car have the assistant look at it for many a wish."""
_NAME_RUN: Final = re.compile(r"(?<=[a-z,;] )[A-Z][\w-]{2,}(?: [A-Z][\w-]{2,})*")


def is_unwished(script: Script, one: Question) -> bool:
    """Whether a question offers only what no wish of the script has to do with (the weather always may)."""
    if not one.leave or has("repeats", one.plain):
        return False
    own = " ".join((script.opening, *script.later, *(detail.says for detail in script.details)))
    cues = " ".join((*script.secrets, *(cue for detail in script.details for cue in detail.about)))
    offered = groups(one.plain)
    return bool(offered) and not offered & {_ALWAYS, *groups(fold_words(f"{own} {cues}"))}


def drops_or_changes(script: Script, one: Question) -> bool:
    """Whether a yes would drop the wish, put something in its place, or change one of its numbers."""
    if has("drops", one.plain):
        return True
    wished = " ".join((script.opening, *script.later))
    return has("repeats", one.plain) and contradicts(wished, one.plain)


def is_raised(wish: str, lines: Sequence[str], scenario: str) -> bool | None:
    """Whether everything that a wish is about came up; None where nothing in it is known.

    Args:
        wish: As the script has it.
        lines: What the driver said.
        scenario: The same wish in prose: what it doesn't mention is background, and may be left out.
    """
    said, told = fold_words(" ".join(lines)), fold_words(scenario)
    about, wanted, counted = things(said), things(told), frozenset(value for *_, value in numbers(said))
    known = False
    for clause in _clauses(wish):
        names = [run for run in clause.names if any(name in told for name in run)]
        mentioned = clause.things & wanted
        known = known or bool(names or mentioned)
        if any(not any(name in said for name in run) for run in names):
            return False
        by_number = bool(clause.numbers) and clause.numbers <= counted
        if mentioned and not names and not by_number and not mentioned & about:
            return False
    return True if known else None


@dataclass(frozen=True, slots=True)
class _Clause:
    """What a clause of a wish is about: runs of names, things, and numbers beyond nine or with a fraction."""

    names: tuple[tuple[str, ...], ...]
    things: frozenset[int]
    numbers: frozenset[float]


@lru_cache(maxsize=1024)
def _clauses(wish: str) -> tuple[_Clause, ...]:
    return tuple(_cut(wish))


def _cut(wish: str) -> Iterator[_Clause]:
    folded = fold(wish)
    names = [(match.start(), tuple(match[0].lower().split())) for match in _NAME_RUN.finditer(folded.cased)]
    start = 0
    for end in (*(match.start() for match in _CLAUSE.finditer(folded.plain)), len(folded.plain)):
        plain = folded.plain[start:end]
        large = frozenset(value for *_, value in numbers(plain) if value >= _LARGE or value % 1)
        yield _Clause(tuple(run for place, run in names if start <= place < end), things(plain), large)
        start = end
