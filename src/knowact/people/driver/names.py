"""Whom or what place does a proposal name, and is it the one of the script?"""

import re
from typing import Final

from knowact.people.driver.hearing import has
from knowact.people.driver.script import Script
from knowact.reading.folding import fold

_NAME: Final = r"([A-Z][\w'-]+(?: [A-Z][\w'-]+)*)"
_TO: Final = re.compile(
    r"\b(?:[Mm]ail|[Ee]-?mail|[Mm]essage|[Ww]rite|[Cc]all|[Rr]ing(?: up)?|[Pp]hone|[Dd]ial|[Cc]ontact|[Tt]ell"
    r"|[Ii]nform|[Nn]otify|[Rr]each|[Ss]end|(?:[Ss]end|[Mm]ail|[Ww]rite|call)\b[^.?!\n]{0,30}? to)(?: to)? "
    + _NAME
    + r"|\b[Tt]o:?\W{0,4} "
    + _NAME
    + r"(?= ?[(<])|\b[Ll]et "
    + _NAME
    + r"(?= know)"
)
_WHERE: Final = re.compile(
    r"\b(?:[Tt]ake|[Bb]ring|[Dd]rive|[Gg]uide|[Gg]uid(?:ance|ed)|[Nn]avigat\w+|[Rr]outes?|[Gg]o|[Gg]oing|[Hh]ead\w*"
    r"|[Dd]estination|[Ww]ay)\b[^.?!,;\n]{0,30}?\bto " + _NAME
)
_BY_THE_WAY: Final = re.compile(r"\b(?:charg\w*|stops?|via|over|past)\b", re.IGNORECASE)


def _called(pattern: re.Pattern[str], text: str) -> list[list[str]]:
    """The words of each name at such a place, in small letters."""
    found = list[list[str]]()
    for match in pattern.finditer(text):
        run = next(filter(None, match.groups()), "")
        words = [word.removesuffix("'s").lower() for word in run.split()]
        words = [word for word in words if not has("no_names", word)]
        if words:
            found.append(words)
    return found


def other_name(script: Script, text: str) -> bool:
    """Whether a proposal goes to a person or a place of another name than those of the script."""
    said = " . ".join((script.opening, *script.later, *(one.says for one in script.details)))
    cased, proposed = fold(said).cased, fold(text).cased
    known = frozenset(re.findall(r"[\w'-]+", cased.replace("'s", "").lower()))
    for pattern in (_TO, _WHERE):
        if pattern is _WHERE and _BY_THE_WAY.search(proposed):
            continue
        proposals = _called(pattern, proposed) if _called(pattern, cased) else []
        if any(_is_other(words, known, cased) for words in proposals):
            return True
    return False


def _is_other(words: list[str], known: frozenset[str], cased: str) -> bool:
    shared = [word for word in words if word in known]
    if not shared:
        return True
    # "Hanna Kessler" is nobody of whom "Hanna Keller" speaks.
    first, rest = words[0], words[1:]
    full = re.search(rf"\b{re.escape(first)} [A-Z]", cased, re.IGNORECASE) is not None
    return bool(full and rest and first in known and not any(word in known for word in rest))
