"""What does a question ask for? Matches it with the details of a script, and a proposal with what they say.

A detail is asked for by one of its cues; in other words for the same kind of thing ("by how much?" for "how
far?"), in other languages too; by a choice among its answers ("fastest or shortest?"); or by "which one?"
where the thing was just named. The kinds stand in `kinds.toml`.
"""

import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from typing import Final, Literal

from knowact.people.driver import hearing
from knowact.people.driver.drafts import says_otherwise
from knowact.people.driver.hearing import Question, pattern
from knowact.people.driver.script import Detail, Script
from knowact.reading.cues import phrases
from knowact.reading.folding import fold, fold_words
from knowact.reading.number_words import spelled_numbers

Stance = Literal["right", "wrong", "unclear", ""]
"""What a proposal makes of a detail: says it, says another, lists several, or doesn't touch it."""

_GENERIC: Final = frozenset({"which one", "which of", "which of them"})
_BARE: Final = frozenset({"where", "when", "who"})
_POINTED: Final = re.compile(r"\bwhich (?:one|ones|of)\b(?: of)?((?: [\w'-]+){1,3})")
_OTHER_SENSE: Final = re.compile(r"\bhow far (?:are (?:you|we) (?:driving|going|travel\w*)|is it|away)\b")
_NUMBER: Final = re.compile(r"\d+(?:[.,]\d+)?(?::\d\d)?")
_NEAR: Final = 12
"""Characters between a number and its unit."""
_SHORT: Final = 4
"""So many words of an answer need no unit ("Two.", "60 percent, please.")."""
_SEVERAL: Final = 2
_SMALL: Final = frozenset({
    *("only", "just", "that", "with", "please", "them", "they"),
    *("have", "this", "from", "what", "want", "take", "will", "start"),
})  # fmt: skip
"""Words that an answer has for its grammar's sake."""
_BOUND: Final = re.compile(
    r"\b(?:more|less|higher|lower) than [\d.,]+|\b(?:over|under|above|below|at least|at most) [\d.,]+"
    r"|\b(?:than|compared to|instead of) (?:the |your |that )?\w+"
)
"""A number that bounds others, or what something is compared with, is nobody's proposal."""
_LONG_WORD: Final = 4
_HALF_DAY: Final = 12
_HALF: Final = 0.5
_DAYS: Final = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
_NAMES: Final = re.compile(
    r"(?<=[a-z,;] )[A-Z][\w-]{2,}|\b[A-Z][\w-]{2,}(?: [A-Z][\w-]{2,})+|\b[A-Z]\w+-[A-Z]\w+"
)


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of detail; the fields are those of `kinds.toml`."""

    name: str
    cues: frozenset[str]
    asks: re.Pattern[str]
    nouns: re.Pattern[str]
    units: re.Pattern[str]
    options: tuple[re.Pattern[str], ...]
    named: bool


@cache
def _kinds() -> Sequence[Kind]:
    data = tomllib.loads(files("knowact.people.driver").joinpath("kinds.toml").read_text("utf-8"))
    return [
        Kind(
            name,
            frozenset(map(fold_words, one["cues"])),
            pattern(tuple(one["asks"])),
            pattern(tuple(one["nouns"])),
            pattern(tuple(one.get("units", ()))),
            tuple(pattern(tuple(words)) for words in one["options"]),
            one.get("named", False),
        )
        for name, one in data.items()
    ]


@lru_cache(maxsize=1024)
def kinds_of(about: tuple[str, ...]) -> tuple[Kind, ...]:
    """The kinds that the cues of a detail, or of secrets, belong to."""
    cues = {fold_words(cue) for cue in about}
    return tuple(kind for kind in _kinds() if cues & kind.cues)


@lru_cache(maxsize=1024)
def _cues(about: tuple[str, ...]) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Each cue with its pattern: also with an s at the end; a star lets a word go on in any way."""
    found = list[tuple[str, re.Pattern[str]]]()
    for cue in about:
        plain = fold_words(cue.removesuffix("*"))
        forms = (f"{plain}*",) if cue.endswith("*") else (plain, f"{plain}s")
        found.append((plain, phrases(forms)))
    return tuple(found)


def speaks_of(about: Sequence[str], plain: str) -> bool:
    """Whether a cue occurs in a folded text."""
    return any(found.search(plain) for _, found in _cues(tuple(about)))


def is_asked(about: Sequence[str], question: Question, script: Script, says: str = "") -> bool:
    """Whether a question asks for a detail with these cues, or for a secret."""
    if not about:
        return False
    about = tuple(about)
    return (
        _by_cue(about, question, script)
        or any(kind.asks.search(question.plain) for kind in kinds_of(about))
        or _by_choice(about, question, says)
        or (_by_pointing(about, question) and not _points_elsewhere(question.plain, script))
    )


def is_named(about: Sequence[str], question: Question, script: Script, says: str = "") -> bool:
    """Whether a question asks for it by more than "which would you like": by its own cues, or by its kind."""
    own = tuple(one for one in about if not hearing.has("loose", fold_words(one)))
    kinds = kinds_of(tuple(about))
    return (
        bool(own and _by_cue(own, question, script))
        or any(kind.asks.search(question.plain) for kind in kinds)
        or _by_choice(tuple(about), question, says)
    )


def _by_cue(about: tuple[str, ...], question: Question, script: Script) -> bool:
    plain = _OTHER_SENSE.sub(" ", hearing.without_idioms(question.plain))
    for cue, found in _cues(about):
        text = question.plain if hearing.has("idioms", cue) else plain
        if cue in _GENERIC:
            if found.search(question.plain) and not _points_elsewhere(question.plain, script):
                return True
        elif found.search(text) and not (cue in _BARE and question.leave):
            return True
    return False


def _points_elsewhere(plain: str, script: Script) -> bool:
    """Whether "which one of your phones" names something of which the script doesn't speak."""
    own = words_of(" ".join((script.opening, *script.later, *(one.says for one in script.details))))
    own |= frozenset(word for one in script.details for cue in one.about for word in fold_words(cue).split())
    for match in _POINTED.finditer(plain):
        words = match[1].split()
        if words[0] not in {"of", "your", "my", "our"} and f"of {words[0]}" not in match[0]:
            continue
        nouns = [word for word in words if word not in {"of", "your", "my", "our"}]
        if nouns and not any(hearing.has("pointers", one) or _stem(one) in own for one in nouns):
            return True
        if words[0] in {"your", "my", "our"} and not any(_stem(one) in own for one in nouns):
            return True
    return False


def _by_choice(about: tuple[str, ...], question: Question, says: str) -> bool:
    """Whether the sides of a choice are answers of this kind, or one of them is what the detail says."""
    plain = question.plain
    if not hearing.offers_a_choice(plain):
        return False
    for kind in kinds_of(about):
        sides = sum(option.search(plain) is not None for option in kind.options)
        if sides >= _SEVERAL or (sides and hearing.has("elliptic", plain)):
            return True
    own = {one for one in words_of(says) if len(one) >= _LONG_WORD} - _SMALL
    return bool(own & words_of(plain)) and any(kind.options or kind.named for kind in kinds_of(about))


def _by_pointing(about: tuple[str, ...], question: Question) -> bool:
    """Whether "which do you prefer?" follows on the thing that this is about."""
    if question.leave or not hearing.has("elliptic", question.plain):
        return False
    near = hearing.without_idioms(f"{question.before} {question.plain}")
    return any(
        kind.nouns.search(near) or sum(option.search(near) is not None for option in kind.options) >= _SEVERAL
        for kind in kinds_of(about)
    )


def stance(detail: Detail, question: Question, script: Script) -> Stance:
    """What a question for a yes makes of a detail: in its own words, else in those right before it."""
    here = _stance(detail, question.cased, script)
    if here:
        return here
    kinds = kinds_of(detail.about)
    if any(kind.name == "content" for kind in kinds):
        said = f"{question.before_cased} {question.cased}"
        otherwise = says_otherwise(detail.says, said)
        return "wrong" if otherwise else _stance(detail, question.before_cased, script)
    if hearing.things(question.plain) and not _points_back(question.plain):
        return ""
    before = hearing.CUT.split(question.before_cased.strip())
    for text in (" ".join(before[-1:]), question.proposal):
        if here := _stance(detail, _BOUND.sub(" ", text), script):
            return here
    if _points_back(fold(question.proposal).plain):
        return _stance(detail, _BOUND.sub(" ", " ".join(before[-_SEVERAL:])), script)
    return ""


def _points_back(plain: str) -> bool:
    return re.search(r"\b(?:it|that|this|there|so|them|those)\b", plain) is not None


def _stance(detail: Detail, text: str, script: Script) -> Stance:
    kinds = kinds_of(detail.about)
    own, theirs = _values(kinds, detail.says, bare=True), _values(kinds, text, bare=False)
    names, others = _names_for(kinds, detail.says), _names_for(kinds, text)
    wished = fold_words(" ".join((script.opening, *script.later)))
    others = frozenset(one for one in others if one in names or one not in wished)
    if own and theirs:
        counted = [frozenset(one for one in both if one.startswith("#")) for both in (own, theirs)]
        if all(counted):  # "Half, so 50 percent": the number says it all, whatever it is a number of.
            own, theirs = (frozenset(f"#{one.split(':')[1]}" for one in both) for both in counted)
        if not own <= theirs:
            return "wrong"
        rivals = {
            value
            for value in theirs - own
            if value.startswith("#") or value.split(":")[0] in {one.split(":")[0] for one in own}
        }
        return "unclear" if rivals else "right"
    if names and others:
        return "right" if names <= others or others <= names else "wrong"
    return ""


def options_in(kinds: Sequence[Kind], text: str) -> frozenset[str]:
    """The answers of some kinds that a text names."""
    return frozenset(one for one in _values(kinds, text, bare=False) if not one.startswith("#"))


def names_in(detail: Detail) -> bool:
    """Whether a detail says something that can be recognised in other words."""
    kinds = kinds_of(detail.about)
    return bool(_values(kinds, detail.says, bare=True) | _names_for(kinds, detail.says))


def gives(detail: Detail, text: str, *, beside: str = "") -> bool:
    """Whether a text says all that a detail says, apart from what stands in another text already."""
    kinds = kinds_of(detail.about)
    own, theirs, known = (
        _values(kinds, one, bare=True) | _names_for(kinds, one) for one in (detail.says, text, beside)
    )
    return bool(own - known) and own - known <= theirs


def _values(kinds: Sequence[Kind], text: str, *, bare: bool) -> frozenset[str]:
    """The values of some kinds that a text names: options, and numbers with a unit (any number, if bare)."""
    plain, found = fold(text).plain, set[str]()
    for kind in kinds:
        found |= {f"{kind.name}:{n}" for n, option in enumerate(kind.options) if option.search(plain)}
        found |= {f"#{kind.name}:{value:g}" for value in _amounts(kind, plain, bare=bare)}
    return frozenset(found)


def _amounts(kind: Kind, plain: str, *, bare: bool) -> Iterator[float]:
    units = [match.span() for match in kind.units.finditer(plain)]
    for start, end, value in numbers(plain):
        near = any(start - _NEAR <= high and low <= end + _NEAR for low, high in units)
        if (units and near) or (bare and kind.units.pattern != r"(?!)"):
            yield value % _HALF_DAY if kind.name == "time" else value


def numbers(plain: str) -> Iterator[tuple[int, int, float]]:
    """The numbers of a folded text, in figures and in words; of a time, the hour."""
    figures = (
        (m.start(), m.end(), float(m[0].split(":")[0].replace(",", "."))) for m in _NUMBER.finditer(plain)
    )
    for start, end, value in (*figures, *spelled_numbers(plain)):
        if value >= 1:
            yield start, end, value + _HALF if plain.startswith(" and a half", end) else value


def _names_for(kinds: Sequence[Kind], text: str) -> frozenset[str]:
    """The proper names in a text, where the kind has such; of a message's content, the days."""
    named = [kind.name for kind in kinds if kind.named]
    if not named:
        return frozenset()
    cased = fold(text).cased
    found = frozenset(word.lower() for match in _NAMES.finditer(cased) for word in match[0].split())
    return found & frozenset(_DAYS) if named == ["content"] else found - frozenset(_DAYS)


def words_of(text: str) -> frozenset[str]:
    """The stems of a text's words."""
    return frozenset(_stem(word) for word in re.findall(r"[^\W_]{3,}", fold(text).plain))


def _stem(word: str) -> str:
    return word.removesuffix("'s").removesuffix("s") if len(word) > _LONG_WORD else word


def contradicts(wished: str, plain: str) -> bool:
    """Whether a text has a number with a unit of which the wishes have another one."""
    for kind in _kinds():
        own = _values((kind,), wished, bare=False)
        theirs = _values((kind,), plain, bare=False)
        own, theirs = ({one for one in both if one.startswith("#")} for both in (own, theirs))
        if own and theirs and not own & theirs:
            return True
    return False
