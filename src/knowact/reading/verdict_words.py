"""The lists of `awareness.toml`, compiled."""

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from knowact.reading.cues import phrases
from knowact.reading.folding import fold_words

Verdict = Literal["yes", "idk", "no"]
VERDICTS: tuple[Verdict, ...] = ("yes", "idk", "no")


@dataclass(frozen=True, slots=True)
class Words:
    """Everything in `awareness.toml`.

    Attributes:
        verdicts: Any verdict word, the longest first.
        meaning: What each of them means.
        opening: Openings that leave the question open.
        after_no: Words after "no" that leave it a whole answer.
        sentences: Whole sentences that answer, by their meaning.
    """

    verdicts: re.Pattern[str]
    meaning: Mapping[str, Verdict]
    opening: re.Pattern[str]
    after_no: frozenset[str]
    verdict_keys: frozenset[str]
    reason_keys: frozenset[str]
    sentences: Mapping[Verdict, re.Pattern[str]]


@cache
def words() -> Words:
    """Load the lists."""
    data: dict[str, Any] = tomllib.loads(
        files("knowact.reading").joinpath("awareness.toml").read_text("utf-8")
    )
    folded: dict[Verdict, list[str]] = {verdict: _all_folded(data[verdict]) for verdict in VERDICTS}
    sentences: dict[str, list[str]] = data["sentences"]
    return Words(
        verdicts=phrases(word for group in folded.values() for word in group),
        meaning={word: verdict for verdict, group in folded.items() for word in group},
        opening=phrases(_all_folded(data["open"])),
        after_no=frozenset(data["after_no"]),
        verdict_keys=frozenset(data["verdict_keys"]),
        reason_keys=frozenset(data["reason_keys"]),
        sentences={
            verdict: re.compile("|".join(sentences[verdict])) for verdict in VERDICTS if verdict in sentences
        },
    )


def _all_folded(entries: Iterable[str]) -> list[str]:
    return [fold_words(entry) for entry in entries]


def meaning(said: str) -> Verdict:
    """What a verdict word means.

    Args:
        said: As `Words.verdicts` matched it; blanks inside may be any.
    """
    return words().meaning[" ".join(said.split())]
