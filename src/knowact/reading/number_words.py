"""Numbers in words: which number does a run of number words mean?"""

import re
from collections.abc import Iterator, Mapping
from functools import cache

from knowact.reading.cues import cues

_ENGLISH_TENS = 20
_HUNDRED = 100
_THOUSAND = 1000
_JOINT = re.compile(r"(?:,[ ]and[ ]|[ ]and[ ]|,[ ]|[ ]|-)")
_WORD = re.compile(r"[a-z][a-z']*")
_GLUED = {"de": "und", "nl": "en"}
"""Languages that put the ones before the tens, and the word between them."""
_SPACED = {"es": " y ", "pt": " e ", "fr": "-"}
_TENS = {
    "de": "zwanzig dreissig vierzig funfzig sechzig siebzig achtzig neunzig",
    "nl": "twintig dertig veertig vijftig zestig zeventig tachtig negentig",
    "fr": "vingt trente quarante cinquante soixante",
    "es": "veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa",
    "pt": "vinte trinta quarenta cinquenta sessenta setenta oitenta noventa",
    "it": "venti trenta quaranta cinquanta sessanta settanta ottanta novanta",
}
_ONES = {
    "de": "ein zwei drei vier funf sechs sieben acht neun",
    "nl": "een twee drie vier vijf zes zeven acht negen",
    "fr": "un deux trois quatre cinq six sept huit neuf",
    "es": "uno dos tres cuatro cinco seis siete ocho nueve",
    "pt": "um dois tres quatro cinco seis sete oito nove",
    "it": "uno due tre quattro cinque sei sette otto nove",
}


@cache
def foreign_compounds() -> Mapping[str, float]:
    """Numbers from 20 to 99 as German, Dutch, French, Spanish, Portuguese and Italian write them."""
    found = dict[str, float]()
    for language, tens in _TENS.items():
        for place, ten in enumerate(tens.split(), 2):
            found[ten] = 10.0 * place
            for one, word in enumerate(_ONES[language].split(), 1):
                for written in _compounds(language, ten, word):
                    found[written] = 10.0 * place + one
    return found


def _compounds(language: str, ten: str, one: str) -> Iterator[str]:
    if language in _GLUED:
        yield one + _GLUED[language] + ten
    elif language == "it":
        yield (ten[:-1] if one[0] in "uo" else ten) + one
    elif language == "es" and ten == "veinte":
        yield "veinti" + one
    else:
        yield ten + _SPACED[language] + one


@cache
def _values() -> Mapping[str, float]:
    return {**foreign_compounds(), **cues().numbers}


@cache
def _single() -> re.Pattern[str]:
    words = sorted((word for word in _values() if " " in word or "-" in word), key=len, reverse=True)
    return re.compile("|".join(map(re.escape, words)))


def spelled_numbers(text: str) -> Iterator[tuple[int, int, float]]:
    """Find numbers in words as (start, end, value), in order; "twelve hundred and fifty" is one.

    A word before a hyphen and a noun counts ("a five-star hotel"), one after a hyphen does not.
    """
    position = 0
    for match in _WORD.finditer(text):
        start = match.start()
        if start < position or not _is_number_word(match[0]) or text[max(0, start - 1) : start] in {"-", "_"}:
            continue
        if start and text[start - 1].isalnum():
            continue
        position, value = _run(text, start)
        if position > start:
            yield start, position, value


def _is_number_word(word: str) -> bool:
    return word in _starts()


@cache
def _starts() -> frozenset[str]:
    return frozenset(re.split(r"[ -]", word)[0] for word in _values())


def _run(text: str, start: int) -> tuple[int, float]:
    """Read on as long as words make one number; (start, 0) when there is none."""
    total, part, end, last = 0.0, 0.0, start, 0.0
    position = start
    while True:
        word, value = _next(text, position)
        if not word:
            break
        factor = _factor(word)
        if factor and end > start:
            if factor == _HUNDRED:
                part = (part or 1) * factor
            else:
                total, part = total + (part or 1) * factor, 0.0
            last = float(factor)
        elif value is None or (end > start and not _follows(last, value)):
            break
        else:
            part, last = part + value, value
        end = position + len(word)
        joint = _JOINT.match(text, end)
        if joint is None or (joint[0] == ", " and last < _THOUSAND):
            break
        position = joint.end()
    return (end, total + part) if end > start else (start, 0.0)


def _factor(word: str) -> int:
    return cues().scales.get(word, 0) if len(word) > 2 else 0  # noqa: PLR2004 - "k", "bn" go with digits


def _follows(last: float, value: float) -> bool:
    """Whether a number word can go on where another one ended: smaller by an order."""
    if last >= _HUNDRED:
        return value < last
    return last >= _ENGLISH_TENS and last % 10 == 0 and 0 < value < 10  # noqa: PLR2004 - the ones


def _next(text: str, position: int) -> tuple[str, float | None]:
    long = _single().match(text, position)
    if long and not text[long.end() : long.end() + 1].isalnum():
        return long[0], _values()[long[0]]
    word = _WORD.match(text, position)
    if word is None or (word[0] not in _values() and not _factor(word[0])):
        return "", None
    return word[0], _values().get(word[0])
