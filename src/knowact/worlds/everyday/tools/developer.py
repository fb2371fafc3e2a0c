"""DeveloperTools: numbers in other bases, ciphers, checksums, schedules and status codes."""

import datetime as dt
from collections.abc import Mapping
from typing import Annotated, Final, Literal

from knowact.core.tool import Dimension
from knowact.worlds.everyday import limits
from knowact.worlds.everyday.contract import Server, always, by_size, on, public, refuse
from knowact.worlds.everyday.fields import Text
from knowact.worlds.everyday.state import State
from knowact.worlds.everyday.tools.language import Passage
from knowact.worlds.typed.schema import Attribute, Rules, Shape, echo, fact

_NUMBERS: Final = Server("DeveloperTools", "numbers")
_TEXTS: Final = Server("DeveloperTools", "texts")
_SCHEDULES: Final = Server("DeveloperTools", "schedules")

Base = Literal["binary", "octal", "hexadecimal"]
_LETTER: Final[Mapping[str, str]] = {"binary": "b", "octal": "o", "hexadecimal": "x"}
_DIGITS: Final = {"binary": "01", "octal": "01234567", "hexadecimal": "0123456789abcdef"}
_BYTE_DIGITS: Final = {"binary": 8, "octal": 3, "hexadecimal": 2}
_ALPHABET: Final = 26


class NumeralInBase(Shape):
    digits: str = fact(
        "number.in_base", "Its digits, in small letters where the base needs letters, without a prefix."
    )


@_NUMBERS.tool(
    rubric=by_size(
        on(limits.at_most(255), "number"), why="A number of one byte is halved on paper; a long one is not."
    ),
    scenario="Somebody learns how computers count, or sets the switches of a circuit board.",
    person_can="Whoever has learnt it at school can divide and note the remainders.",
)
def write_in_base(
    _state: State,
    number: Annotated[int, Attribute("quantity.value"), Rules(minimum=0, maximum=1e15)],
    base: Base,
) -> NumeralInBase:
    """Write a whole number in binary, octal or hexadecimal digits.

    Args:
        number: The number.
        base: The base to write it in.
    """
    return NumeralInBase(digits=format(int(number), _LETTER[base]))


def _short_digits(digits: str, base: str) -> bool:
    """At most eight binary, three octal or two hexadecimal digits."""
    return len(digits.strip()) <= _BYTE_DIGITS[base]


class NumberRead(Shape):
    number: int = fact("digits.number", "The number.")


@_NUMBERS.tool(
    rubric=by_size(on(_short_digits), why="Eight binary digits are added up on paper; twenty are not."),
    scenario="Somebody finds a row of noughts and ones in a puzzle and wants the number that it stands for.",
    person_can="Whoever has learnt it at school can add the powers up.",
)
def read_in_base(
    _state: State, digits: Annotated[str, Attribute("number.digits"), Rules(max_length=48)], base: Base
) -> NumberRead:
    """Tell which number some binary, octal or hexadecimal digits stand for.

    Args:
        digits: The digits, without a prefix.
        base: The base that they are written in.
    """
    plain = digits.strip().lower()
    if not plain or set(plain) - set(_DIGITS[base]):
        known = f"Use the digits {_DIGITS[base][0]} to {_DIGITS[base][-1]}."
        refuse("bad_arguments", f"{digits!r} is not a number in {base} digits.", known)
    return NumberRead(number=int(plain, {"binary": 2, "octal": 8, "hexadecimal": 16}[base]))


class TextHash(Shape):
    digest: str = fact("text.digest", "The checksum in hexadecimal digits, in small letters.")


@_TEXTS.tool(
    rubric=always(
        Dimension.COMPUTATION, why="A hash takes thousands of exact steps on bits, however short the text is."
    ),
    scenario="Somebody hides the answer of a bet behind a checksum, to show later that it was not changed.",
    person_cannot="Nobody computes a hash with pencil and paper.",
)
def hash_text(
    _state: State, text: Passage, algorithm: Literal["sha256", "sha1", "md5", "crc32"] = "sha256"
) -> TextHash:
    """Compute the checksum of a text in UTF-8.

    Args:
        text: The text; every character counts, spaces and capitals too.
        algorithm: Which checksum.
    """
    import hashlib
    import zlib

    # A lone surrogate has no bytes in UTF-8; models do write them.
    raw = text.encode("utf-8", "replace")
    if algorithm == "crc32":
        return TextHash(digest=f"{zlib.crc32(raw):08x}")
    return TextHash(digest=hashlib.new(algorithm, raw, usedforsecurity=False).hexdigest())


class ShiftedLetters(Shape):
    text: str = fact(
        "text.shifted", "The text with every letter from A to Z moved; all else stays, and so do capitals."
    )


@_TEXTS.tool(
    rubric=by_size(
        on(limits.no_longer(10), "text"),
        why="A short word is shifted letter by letter along the alphabet; a sentence is not.",
    ),
    scenario="Children write a secret message, or a treasure hunt needs a clue in cipher.",
    person_can="Anybody can count along the alphabet.",
)
def shift_letters(
    _state: State,
    text: Text,
    places: Annotated[int, Attribute("cipher.places"), Rules(minimum=1, maximum=25)],
) -> ShiftedLetters:
    """Move every letter of a text forward in the alphabet, as Caesar did; after Z comes A again.

    Args:
        text: The text.
        places: How many places to move each letter; 13 is known as ROT13.
    """

    def moved(letter: str) -> str:
        if not (letter.isascii() and letter.isalpha()):
            return letter
        start = ord("a" if letter.islower() else "A")
        return chr(start + (ord(letter) - start + int(places)) % _ALPHABET)

    return ShiftedLetters(text="".join(map(moved, text)))


def _simple_line(line: str) -> bool:
    """A plain minute and hour, every month, and at most one plain weekday or day of the month."""
    parts = line.split()
    if len(parts) != 5 or not all(part == "*" or part.isdigit() for part in parts):  # noqa: PLR2004 - a line's parts
        return False
    minute, hour, day, month, weekday = parts
    return minute != "*" and hour != "*" and month == "*" and "*" in {day, weekday}


class NextRun(Shape):
    date: str = fact("cron.next_date", "The day, YYYY-MM-DD.")
    time: str = fact("cron.next_time", "The time of that day, HH:MM.")


@_SCHEDULES.tool(
    rubric=by_size(
        on(_simple_line),
        why="'30 7 * * 1' is read at sight; steps, ranges and rare days need a search through the calendar.",
    ),
    scenario="Somebody has set a backup or a newsletter to run by a cron line and wonders when it is due.",
    person_cannot="Few people can read a cron line.",
)
def get_next_run(state: State, line: Annotated[str, Attribute("cron.line"), Rules(max_length=60)]) -> NextRun:
    """Tell when a cron line comes due next, after the present moment.

    Where both the day of the month and the weekday are given, either of them is enough.

    Args:
        line: Five parts: minute, hour, day of the month, month, weekday (0 or 7 is Sunday).
    """
    from cronsim import CronSim, CronSimError

    fix = "Give minute, hour, day of the month, month and weekday, such as '30 7 * * 1'."
    if len(line.split()) != 5:  # noqa: PLR2004 - a line's parts
        refuse("bad_arguments", f"{line!r} does not have five parts.", fix)
    try:
        due: dt.datetime | None = next(CronSim(line, state.now), None)
    except CronSimError as error:
        refuse("bad_arguments", f"{line!r} is no cron line: {error}.", fix)
    if due is None:
        refuse("not_found", f"{line!r} never comes due.", "Choose a day that the month has.")
    return NextRun(date=due.date().isoformat(), time=due.strftime("%H:%M"))


_STATUS: Final = {
    200: "OK",
    201: "Created",
    202: "Accepted",
    204: "No Content",
    206: "Partial Content",
    301: "Moved Permanently",
    302: "Found",
    303: "See Other",
    304: "Not Modified",
    307: "Temporary Redirect",
    308: "Permanent Redirect",
    400: "Bad Request",
    401: "Unauthorized",
    403: "Forbidden",
    404: "Not Found",
    405: "Method Not Allowed",
    406: "Not Acceptable",
    408: "Request Timeout",
    409: "Conflict",
    410: "Gone",
    411: "Length Required",
    412: "Precondition Failed",
    413: "Content Too Large",
    415: "Unsupported Media Type",
    422: "Unprocessable Content",
    426: "Upgrade Required",
    500: "Internal Server Error",
    501: "Not Implemented",
    502: "Bad Gateway",
    503: "Service Unavailable",
    504: "Gateway Timeout",
}
"""RFC 9110, section 15. The standard library's names differ from one Python to the next (413, 422)."""


class HttpStatus(Shape):
    code: int = echo("The code.")
    phrase: str = fact("http.phrase", "The standard's short name for it.")


@_SCHEDULES.tool(
    rubric=public(why="The codes of the web are a published standard."),
    scenario="Somebody meets a number where a web page should be and wonders what it means.",
    person_cannot="Few people know more than one or two of the codes.",
)
def get_http_status(
    _state: State, code: Annotated[int, Attribute("http.code"), Rules(minimum=100, maximum=599)]
) -> HttpStatus:
    """Tell the standard's short name of a status code of the web (RFC 9110).

    Args:
        code: The three-digit code.
    """
    phrase = _STATUS.get(int(code))
    if phrase is None:
        refuse("not_found", f"RFC 9110 does not define {code}.", "Give a code such as 404 or 503.")
    return HttpStatus(code=int(code), phrase=phrase)
