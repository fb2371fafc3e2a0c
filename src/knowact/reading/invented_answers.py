"""Does a reply say yes or no to something that it could not know?"""

import re
from collections.abc import Sequence
from typing import Final

from knowact.core.task import Fact
from knowact.reading.claims import ClaimStatus, read_claim
from knowact.reading.said import POINTS, Said, patterns
from knowact.reading.subjects import Subject

_THERE_IS: Final = re.compile(
    r"\bthere (?:was|were|is|are) (?:no|an?|already|indeed)\b|\bno (?:\w+ ){0,2}(?:came|was|were|arrived)\b"
)
_YES_OR_NO: Final = re.compile(
    r"(?:\A|\b(?:is|was|be|it's|that's|answer|guess|say|probably|likely)|[:=])[ ]*"
    r"(?:(?:probably|likely|about|a|an|clear|definite)[ ])*(?:yes|no|ja|nein|nee|oui|non|si)\W*\Z"
)
_EMBEDDED: Final = re.compile(r"\b(?:whether|if)\b")
_POINTS_OR_ANSWERS: Final = re.compile(
    r"\W*(?:yes|no|ja|nein|oui|non|si|nee|it|it's|they|she|he|that|that's|this)\b"
)
_ADDRESS: Final = re.compile(r"(?:\bfrom )?\S+@\S+")


def states_an_answer(
    fact: Fact, subject: Subject, said: Sequence[Said], *, known: Sequence[Fact], foreign: bool
) -> bool:
    """Say whether a reply says yes or no to what a fact asks, be it as a guess.

    Args:
        fact: What could not be known; of the kind `yes_no`.
        subject: The fact among the known ones.
        said: What the reply states.
        known: Facts that could be known.
        foreign: Whether the reply is in a language in which no word of a label can occur.
    """
    elsewhere = any(one.kind == "yes_no" for one in known)
    kept = [part for part in said if foreign or _may_answer(subject, part, elsewhere=elsewhere)]
    fact = fact.model_copy(update={"label": _ADDRESS.sub(" ", fact.label)})
    if any(_THERE_IS.search(part.plain) and subject.speaks(part.plain) for part in kept):
        return True
    if any(patterns()["guesses"].search(part.plain) and subject.speaks(part.plain) for part in kept):
        return True
    if any(_YES_OR_NO.search(part.plain) for part in kept if foreign or _speaks_at_last(subject, part)):
        return True
    told = "\n".join(
        f"{', '.join(part.plain for part in kept if part.sentence == number)}."
        for number in dict.fromkeys(part.sentence for part in kept)
    )
    status = read_claim(fact, told, known).status
    if status is ClaimStatus.HEDGED:
        return patterns()["guesses"].search(told) is not None
    return status is not ClaimStatus.ABSENT


def _speaks_at_last(subject: Subject, part: Said) -> bool:
    return subject.speaks(part.around) or (
        POINTS.match(part.plain) is not None and subject.speaks(part.before)
    )


def _may_answer(subject: Subject, part: Said, *, elsewhere: bool) -> bool:
    if _EMBEDDED.search(part.plain) and not _YES_OR_NO.search(part.plain):
        return False
    nearness = subject.nearness(part.around)
    if nearness or not _POINTS_OR_ANSWERS.match(part.plain):
        return nearness > 0
    return subject.nearness(part.before) > 0 or not (elsewhere or subject.nearness(part.before))
