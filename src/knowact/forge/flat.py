"""The flat writer: it strings a brief together, for tests. Nobody talks like that, and its data say so."""

from collections.abc import Mapping
from string import ascii_lowercase
from typing import Final

from knowact.core.spoken import spoken
from knowact.forge.briefs import Brief, BriefAnswer, BriefPart, StatedValue, Version, Written

FLAT: Final = "flat"
_PHRASE: Final = "the one that we spoke of"


def flat(brief: Brief) -> BriefAnswer:
    """Write all versions of a brief."""
    versions = {version.name: _written(brief, version) for version in brief.versions}
    return BriefAnswer(brief=brief.id, versions=versions, writer=FLAT, attempts=1)


def _written(brief: Brief, version: Version) -> Written:
    values = {value.key: value for part in brief.parts for value in part.said}
    words = {key: spoken(values[key].value) for key in brief.keys(version)}
    vague = {*version.earlier, *(version.leaves_out if version.masked else ())}
    shown = dict.fromkeys(vague, _PHRASE) | {key: words[key] for key in words if key not in vague}
    parts = [_part(number, part, shown) for number, part in enumerate(brief.parts, start=1) if not part.gave]
    text = f"Request {_name(brief)}: {'; '.join(parts)}."
    for key in (*version.earlier, *version.leaves_out):
        # What is wanted may speak of it, too.
        text = text.replace(spoken(values[key].value), _PHRASE)
    return Written(
        text=text,
        words=words | (dict.fromkeys(version.leaves_out, _PHRASE) if version.masked else {}),
        before=_before(brief, version, words, values),
    )


def _before(
    brief: Brief, version: Version, words: Mapping[str, str], stated: Mapping[str, StatedValue]
) -> tuple[str, ...]:
    """The messages before the last one: the first says what belongs into any of them."""
    over = {value.key for part in brief.parts if part.gave for value in part.said}
    values = [words[key] for key in words if key in over or key in version.earlier]
    if version.other is not None:
        values += [spoken(stated[key].value) for key in version.leaves_out] + [spoken(version.other)]
    notes = [
        f"Message {letter} of {_name(brief)}."
        for letter, _ in zip(ascii_lowercase, version.before, strict=False)
    ]
    return tuple(f"{note} {'; '.join(values)}".strip() if note is notes[0] else note for note in notes)


def _name(brief: Brief) -> str:
    """The brief's id without digits, which could be taken for a value."""
    return brief.id.translate(str.maketrans("0123456789", "ghijklmnop"))


def _part(number: int, part: BriefPart, shown: Mapping[str, str]) -> str:
    words = [shown[value.key] for value in part.said if value.key in shown]
    given = f" (given: {'; '.join(words)})" if words else ""
    return f"{number}. {'known' if part.known else 'wanted' if part.asked else 'needed'}: {part.wants}{given}"
