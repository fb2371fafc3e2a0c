"""Developers' sub-tasks, worked out a second time: by weights, a letter ring, a ticking clock and a scanner.

Nothing here imports the world. A list or document is passed as it is: none of these reads a project.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from itertools import chain, zip_longest
from typing import Any, Final

from suites.second.clock import minute_after
from suites.second.days import WEEK, next_day, parts, weekday

Arguments = Mapping[str, Any]

DIGITS: Final = "0123456789abcdef"
BASES: Final = {"binary": 2, "octal": 8, "hexadecimal": 16}
ALPHABET: Final = "abcdefghijklmnopqrstuvwxyz"
NOW: Final = ("2026-03-12", "09:30")
"""The day and time that the agent is shown, unless a task sets the clock otherwise."""
NEVER: Final = "2035-01-01"
"""What has not come due by then, past two leap days, never does."""
RANGES: Final = ((0, 59), (0, 23), (1, 31), (1, 12), (0, 7))
"""What the five parts of a cron line run over."""


def written(a: Arguments) -> dict[str, str]:
    """Take the largest weights off the number first."""
    base, left = BASES[a["base"]], a["number"]
    weights = [1]
    while weights[-1] * base <= left:
        weights.append(weights[-1] * base)
    digits = ""
    for weight in reversed(weights):
        digit = 0
        while left >= weight:
            left, digit = left - weight, digit + 1
        digits += DIGITS[digit]
    return {"digits": digits}


def read(a: Arguments) -> dict[str, int]:
    """Add the weights of the digits, from the last one on."""
    number, weight = 0, 1
    for digit in reversed(a["digits"].lower()):
        number, weight = number + DIGITS.index(digit) * weight, weight * BASES[a["base"]]
    return {"number": number}


def shifted(a: Arguments) -> dict[str, str]:
    """Turn a ring of letters under another."""
    ring = ALPHABET[a["places"] :] + ALPHABET[: a["places"]]
    under = str.maketrans(ALPHABET + ALPHABET.upper(), ring + ring.upper())
    return {"text": a["text"].translate(under)}


def _allowed(part: str, lowest: int, highest: int) -> set[int]:
    """The numbers that one part of a cron line admits: *, lists, ranges and steps."""
    admitted = set[int]()
    for item in part.split(","):
        span, _, step = item.partition("/")
        first, _, last = span.partition("-")
        number, end = (lowest, highest) if first == "*" else (int(first), int(last or first))
        while number <= end:
            admitted.add(number)
            number += int(step or 1)
    return admitted


def next_run(a: Arguments) -> dict[str, str]:
    """Let the clock tick until the line agrees with it."""
    texts = a["line"].split()
    minutes, hours, days, months, weekdays = (
        _allowed(text, *span) for text, span in zip(texts, RANGES, strict=True)
    )
    either = texts[2] != "*" and texts[4] != "*"

    def comes_on(day: str) -> bool:
        _, month, number = parts(day)
        of_week = (WEEK.index(weekday(day)) + 1) % 7
        in_month, in_week = number in days, bool({of_week, of_week or 7} & weekdays)
        return month in months and (in_month or in_week if either else in_month and in_week)

    day, time = NOW
    while day < NEVER:
        time = minute_after(time)
        if time == "00:00":
            day = next_day(day)
        if not comes_on(day):
            time = "23:59"
        elif int(time[:2]) in hours and int(time[3:]) in minutes:
            return {"date": day, "time": time}
    raise AssertionError(a["line"])


def _newer(first: str, second: str) -> int:
    """1 if the first is newer, -1 if the second is, 0 if they are the same."""
    for one, other in zip_longest(first.split("."), second.split("."), fillvalue="0"):
        if int(one) != int(other):
            return 1 if int(one) > int(other) else -1
    return 0


def versions(a: Arguments) -> dict[str, Any]:
    """Let every version meet every other; the newest is beaten by none."""
    every = a["versions"].split("\n")
    return {
        "newest": next(one for one in every if all(_newer(other, one) < 1 for other in every)),
        "oldest": next(one for one in every if all(_newer(one, other) < 1 for other in every)),
        "distinct": sum(
            all(_newer(one, above) for above in every[:place]) for place, one in enumerate(every)
        ),
    }


def _tokens(document: str) -> list[str]:
    return re.findall(r'"(?:[^"\\]|\\.)*"|[{}\[\]:,]|[^\s{}\[\]:,"]+', document)


def _leaves(tokens: Iterator[str], path: tuple[str, ...] = ()) -> Iterator[tuple[str, str]]:
    """Every value that is neither object nor list, with the path to it, as it is written."""
    match token := next(tokens):
        case "{":
            for name in tokens:
                if name == "}":
                    return
                if name != ",":
                    next(tokens)  # the colon
                    yield from _leaves(tokens, (*path, name.strip('"')))
        case "[":
            for place, first in enumerate(piece for piece in tokens if piece != ","):
                if first == "]":
                    return
                yield from _leaves(chain([first], tokens), (*path, str(place)))
        case _:
            yield ".".join(path), token.strip('"')


def json_field(a: Arguments) -> dict[str, str]:
    """Scan the text for values and their paths, building no document. Knows no escapes: none are drawn."""
    return {"value": dict(_leaves(iter(_tokens(a["document"]))))[a["path"]]}


SECOND: Final[dict[str, Callable[[Mapping[str, Any]], Mapping[str, Any]]]] = {
    "write_in_base": written,
    "read_in_base": read,
    "shift_letters": shifted,
    "get_next_run": next_run,
    "compare_versions": versions,
    "get_json_field": json_field,
}
