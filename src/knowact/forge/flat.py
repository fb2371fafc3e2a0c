"""The flat writer: it strings a brief together, for tests. Nobody talks like that, and its data say so."""

from typing import Final

from knowact.forge.briefs import Answer, Brief, Part, Said, Version, Written
from knowact.forge.drafts import spoken

FLAT: Final = "flat"


def flat(brief: Brief) -> Answer:
    """Write all versions of a brief."""
    versions = {version.name: _written(brief, version) for version in brief.versions}
    return Answer(brief=brief.id, versions=versions, writer=FLAT, attempts=1)


def _written(brief: Brief, version: Version) -> Written:
    values = {said.key: said for part in brief.parts for said in part.said if said.key in brief.keys(version)}
    parts = [_part(number, part, values) for number, part in enumerate(brief.parts, start=1)]
    return Written(
        text=f"Request {brief.id}: {'; '.join(parts)}.",
        words={key: _words(said) for key, said in values.items()},
    )


def _part(number: int, part: Part, values: dict[str, Said]) -> str:
    said = [_words(values[one.key]) for one in part.said if one.key in values]
    given = f" (given: {'; '.join(said)})" if said else ""
    return f"{number}. {'known' if part.known else 'wanted' if part.asked else 'needed'}: {part.wants}{given}"


def _words(said: Said) -> str:
    return spoken(said.value)
