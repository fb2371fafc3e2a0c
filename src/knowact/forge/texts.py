"""What code checks of a text before anybody reads it. It does not try to understand the text.

For every value the writer says which words carry it: they stand in the text, and the digits in them are those
of the value. Values that a version leaves out do not stand in it, nor does what is to be found out, nor the
name of a tool, nor markup.
"""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from pydantic import JsonValue

from knowact.core.spoken import DAY, TIME, spoken
from knowact.core.task import Fact, Task
from knowact.datasets.lines import parse, read_lines
from knowact.forge.briefs import COMPLETE, Brief, BriefAnswer, StatedValue, Version, Written
from knowact.reading.comparing import Comparison, Given, compare
from knowact.reading.numbers import number_in_words, numbers_in
from knowact.reading.quotes import folded, stands_in

FEWEST_WORDS: Final = 3
MOST_WORDS: Final = 110
_MARKUP: Final = re.compile(r"[<>`{}|\\]|\*\*|\]\(|^#|^[-*] ", re.MULTILINE)
_BLUR: Final = 1e-9
_SHORTEST_SECRET: Final = 3
_SHORTEST_NUMBER: Final = 2
"""Characters: shorter values stand in many texts by chance."""
_RUN: Final = 4
"""Words: a day or a number takes no more ("the 14th of March")."""
_LETTERS: Final = re.compile(r"[a-z]+")


def complaints(brief: Brief, answer: BriefAnswer, task: Task, tools: Sequence[str]) -> list[str]:
    """Say everything that is wrong with a writer's answer, a sentence each; nothing for a refusal.

    Args:
        brief: What was to be written.
        answer: What was.
        task: The plan behind the brief.
        tools: The names of all tools of the world.
    """
    if answer.refused:
        return []
    wrong: list[str] = []
    for version in brief.versions:
        written = answer.versions.get(version.name)
        if written is None:
            wrong.append(f"there is no text for the version {version.name!r}.")
        else:
            problems = [
                *_problems(brief, version, written, task, tools),
                *_unpaired(version, written, answer),
            ]
            wrong += [f"{version.name}: {problem}" for problem in problems]
    return wrong


def _unpaired(version: Version, written: Written, answer: BriefAnswer) -> Iterator[str]:
    """Check that an incomplete version differs from the complete one in a single message, the right one."""
    complete = answer.versions.get(COMPLETE)
    if not version.leaves_out or complete is None or len(written.before) != len(complete.before):
        return
    differ = [message != other for message, other in zip(written.messages, complete.messages, strict=True)]
    if sum(differ) != 1 or differ[-1] == version.masked:
        which = "one of the earlier messages" if version.masked else "the last message"
        yield f"it must differ from the complete version in {which}, and in nothing else."


def _problems(
    brief: Brief, version: Version, written: Written, task: Task, tools: Sequence[str]
) -> Iterator[str]:
    if len(written.before) != len(version.before):
        yield f"'before' must have {len(version.before)} messages, not {len(written.before)}."
    for text in written.messages:
        yield from _slips(text, tools)
    yield from _values(brief, version, written)
    values = {stated.key: stated.value for part in brief.parts for stated in part.said}
    stated = [*(values[key] for key in brief.keys(version)), *(part.gave for part in brief.parts)]
    for fact in task.facts:
        if _gives_away(written.whole, fact, stated):
            yield f"the text already holds what is asked for: {fact.value!r}."


def _slips(text: str, tools: Sequence[str]) -> Iterator[str]:
    """What no message may have, whatever it says."""
    words = len(text.split())
    if not FEWEST_WORDS <= words <= MOST_WORDS:
        yield f"the text has {words} words; it must have {FEWEST_WORDS} to {MOST_WORDS}."
    if text != text.strip() or not text.replace("\n", "").isprintable():
        yield "the text has blanks around it, or characters that cannot be seen."
    if markup := _MARKUP.search(text):
        yield f"the text holds markup: {markup[0]!r}."
    if named := _named(text, tools):
        yield f"the text names a tool: {named!r}."


def _values(brief: Brief, version: Version, written: Written) -> Iterator[str]:
    values = {value.key: value for part in brief.parts for value in part.said}
    for key in brief.keys(version):
        yield from _carried(values[key], written)
    allowed = {*brief.keys(version), *(version.leaves_out if version.masked else ())}
    for key in written.words.keys() - allowed:
        yield f"'words' has {key!r}, which this text is not to say."
    for key in version.earlier:
        if holds(written.text, values[key].value):
            yield f"the last message says the value of {key}, which an earlier one is to say."
    for key in version.leaves_out:
        if version.masked and not stands_in(written.words.get(key, ""), written.text):
            yield f"'words' does not say which words of the last message stand in the place of {key}."
        if version.how == "two candidates":
            both = (values[key].value, version.other)
            if not all(_says("\n".join(written.before), candidate) for candidate in both):
                yield f"an earlier message must name both candidates for {key}: {both[0]!r} and {both[1]!r}."
        elif _tells(written.whole, values[key].value):
            yield f"the text gives away the value of {key}: {values[key].value!r}."


def _says(text: str, value: JsonValue) -> bool:
    """Whether a text says a value; people put days and times in so many ways that this is left to readers."""
    moment = isinstance(value, str) and (DAY.fullmatch(value) or TIME.fullmatch(value))
    return bool(moment) or holds(text, value)


def _named(text: str, tools: Sequence[str]) -> str:
    """The tool that a text names: its name as it is, or as words where it has several.

    A name that is one plain word, `shelf` or `add`, is a word like others.
    """
    words = f" {' '.join(_LETTERS.findall(text.lower()))} "
    for name in tools:
        if name.isalpha() and name[1:].islower():
            continue
        if name in text or ("_" in name and f" {name.replace('_', ' ')} " in words):
            return name
    return ""


def _carried(value: StatedValue, written: Written) -> Iterator[str]:
    """Check the words that carry one value."""
    words = written.words.get(value.key, "")
    if not words.strip():
        yield f"'words' does not say which words of the text carry {value.key} ({value.value!r})."
    elif not any(stands_in(words, message) for message in written.messages):
        yield f"the words {words!r} for {value.key} do not stand in the text."
    elif wrong := _differs(value.value, words, verbatim=value.verbatim):
        yield f"the words {words!r} for {value.key} do not say {value.value!r}: {wrong}."


def _differs(value: JsonValue, words: str, *, verbatim: bool) -> str:
    """Why some words say something else than a value; "" where they don't, or have no digits to compare."""
    if isinstance(value, list):
        return next((why for each in value if (why := _differs(each, words, verbatim=False))), "")
    if verbatim and isinstance(value, str):
        return "" if stands_in(value, words) else "it must stand there as it is"
    if isinstance(value, bool) or not any(each.isdigit() for each in words):
        return ""
    if isinstance(value, int | float):
        return "" if holds(words, value) else "the digits differ"
    if not isinstance(value, str):
        return ""
    read = _moments(value, words)
    return read[0].why if read and all(each.state == "wrong" for each in read) else ""


def _moments(value: str, words: str) -> list[Comparison]:
    """What words say of a day or a time of day; nothing for any other text."""
    kind = "date" if DAY.fullmatch(value) else "time" if TIME.fullmatch(value) else None
    if kind is None:
        return []
    return [compare(Fact(kind=kind, value=hour), Given(words, "", (words,))) for hour in _hours(value)]


def _hours(value: str) -> tuple[str, ...]:
    """A day as it is, and a time by either twelve hours: "10.30" may be in the evening."""
    if not TIME.fullmatch(value):
        return (value,)
    return value, f"{(int(value[:2]) + 12) % 24:02}{value[2:]}"


def holds(text: str, value: JsonValue) -> bool:
    """Whether a text holds a value as it is: a number in any spelling, a text letter for letter."""
    if isinstance(value, list):
        return any(holds(text, each) for each in value)
    if isinstance(value, int | float) and not isinstance(value, bool):
        readings = (each for number in numbers_in(folded(text)) for each in number.readings)
        return any(math.isclose(each, value, abs_tol=_BLUR) for each in readings)
    return isinstance(value, str) and stands_in(value, text)


def _tells(text: str, value: JsonValue) -> bool:
    """Whether a text holds a value, or says a day or a time in digits, or a number in words."""
    if holds(text, value):
        return True
    words = folded(text).split()
    runs = [words[start : start + length] for start in range(len(words)) for length in range(1, _RUN + 1)]
    if isinstance(value, str):
        dated = (run for run in map(" ".join, runs) if any(sign.isdigit() for sign in run))
        return any(read.state == "right" for run in dated for read in _moments(value, run))
    # "One" is mostly no number.
    if isinstance(value, bool) or not isinstance(value, int | float) or value == 1:
        return False
    return any(number_in_words(" ".join(run)) == value for run in runs)


def _gives_away(text: str, fact: Fact, stated: Sequence[JsonValue]) -> bool:
    """Whether a text holds the value of a fact, otherwise than by a value that it says.

    Part of a list is no answer; all of its entries are.
    """
    if isinstance(fact.value, tuple):
        return all(holds(text, entry) for entry in fact.value)
    if isinstance(fact.value, bool):
        return False
    shortest = _SHORTEST_SECRET if isinstance(fact.value, str) else _SHORTEST_NUMBER
    if len(spoken(fact.value)) < shortest:
        return False
    own = any(holds(str(value), fact.value) for value in stated)
    return not own and holds(text, fact.value)


def read_answers(file: Path) -> Mapping[str, BriefAnswer]:
    """Read a file of texts: an `Answer` per line, by its brief; of several for one brief the last one.

    Raises:
        BadData: A line is no answer; with file, line and field.
    """
    return {answer.brief: answer for answer in (parse(BriefAnswer, line) for line in read_lines(file))}
