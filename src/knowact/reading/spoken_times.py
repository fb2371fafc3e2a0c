"""Times of day in words, in languages other than English ("halb neun", "six heures et demie")."""

import re
from collections.abc import Iterator
from functools import cache

_HALF_DAY = 720
_HOURS = {
    "de": "eins zwei drei vier funf sechs sieben acht neun zehn elf zwolf",
    "nl": "een twee drie vier vijf zes zeven acht negen tien elf twaalf",
    "fr": "une deux trois quatre cinq six sept huit neuf dix onze douze",
    "es": "una dos tres cuatro cinco seis siete ocho nueve diez once doce",
    "it": "una due tre quattro cinque sei sette otto nove dieci undici dodici",
    "pt": "uma duas tres quatro cinco seis sete oito nove dez onze doze",
}
_HOUR = {word: number for words in _HOURS.values() for number, word in enumerate(words.split(), 1)}
_GERMANIC = "|".join(f"{_HOURS['de']} {_HOURS['nl']}".split())
_ROMANCE = "|".join(" ".join(_HOURS[language] for language in ("fr", "es", "it", "pt")).split())
_MINUTES = {
    "viertel": 15,
    "kwart": 15,
    "funf": 5,
    "vijf": 5,
    "zehn": 10,
    "tien": 10,
    "zwanzig": 20,
    "twintig": 20,
}
_HALF = re.compile(rf"\b(?:halb|half)[ ](?P<hour>{_GERMANIC}|1[0-2]|[1-9])\b")
_BESIDE = re.compile(
    rf"\b(?P<minutes>{'|'.join(_MINUTES)}|[1-5]?\d)(?: minuten)?[ ](?P<way>nach|over|vor|voor)[ ]"
    rf"(?P<hour>{_GERMANIC}|1[0-2]|[1-9])\b"
)
_PARTS = {
    "et demie": 30, "y media": 30, "e mezza": 30, "e mezzo": 30, "e meia": 30, "et quart": 15, "y cuarto": 15,
    "e un quarto": 15, "moins le quart": -15, "menos cuarto": -15, "meno un quarto": -15,
    "moins vingt": -20, "moins dix": -10, "moins cinq": -5, "menos veinte": -20, "menos diez": -10,
    "menos cinco": -5, "meno venti": -20, "meno dieci": -10, "meno cinque": -5, "y diez": 10, "y veinte": 20,
    "e dez": 10, "e dieci": 10, "e venti": 20,
}  # fmt: skip
_AFTER_HOUR = re.compile(
    rf"\b(?P<hour>{_ROMANCE}|1[0-2]|[1-9])(?: heures?| horas?)?[ ](?P<part>{'|'.join(_PARTS)})\b"
)
_LATE = re.compile(
    r"[ ,]{1,2}(?:uhr |heures? )?(?:am |'s |du |de la |de l'|della |di |da |del )?"
    r"(?:(?P<late>nachmittags?|abends?|middags|avonds|apres-midi|soir|tarde|noche|sera|pomeriggio|noite)"
    r"|(?P<early>morgens?|fruh|vormittags?|ochtends|matin|manana|mattina|mattino|manha))\b"
)


def foreign_times(text: str, language: str) -> Iterator[tuple[int, int, tuple[int, ...]]]:
    """Find times in words as (start, end, readings in minutes after midnight); English is not read here.

    Without a part of the day both halves are possible.
    """
    if language == "en":
        return
    for match in _HALF.finditer(text):
        yield _read(text, match, _hour(match["hour"]) * 60 - 30)
    for match in _BESIDE.finditer(text):
        minutes = _MINUTES.get(match["minutes"]) or int(match["minutes"])
        sign = 1 if match["way"] in {"nach", "over"} else -1
        yield _read(text, match, _hour(match["hour"]) * 60 + sign * minutes)
    for match in _AFTER_HOUR.finditer(text):
        yield _read(text, match, _hour(match["hour"]) * 60 + _PARTS[match["part"]])


@cache
def _hour(word: str) -> int:
    return _HOUR[word] if word in _HOUR else int(word)


def _read(text: str, match: re.Match[str], minutes: int) -> tuple[int, int, tuple[int, ...]]:
    morning = minutes % _HALF_DAY
    part = _LATE.match(text, match.end())
    if part is None:
        return match.start(), match.end(), (morning, morning + _HALF_DAY)
    return match.start(), part.end(), (morning + _HALF_DAY * (part["late"] is not None),)
