"""What kind of question the assistant puts to the driver: for leave, a choice, or how it is wanted. Pure."""

import re
from typing import Final

from knowact.people.cue_lists import has
from knowact.reading.own_sentences import OwnSentence

_HOW_YOU: Final = re.compile(
    r"\b(?:which|what|how)\b[^.;?]{0,40}?\byou(?:'d| would)? (?:like|want|prefer|usually|need|have)\b"
    r"|\bwhat(?:'s| is) (?:your |the )?(?:usual|favou?rite)\b|\byour? (?:have a )?preference\b"
)
_ASIDE: Final = re.compile(
    r"\bor (?:rather )?(?:not|wait|later|leave it|should i (?:wait|leave)|anything|is that)\b"
    r"|, which is how you like it\b"
    r"|,? \b(?:which|who|where) (?:is|are|was|goes|has|takes|sits?|your|the|she|he|they"
    r"|you (?:like|usually|prefer))\b"
)
_YES_OR_NO: Final = re.compile(
    r"[,.\u2013-] (?:right|correct|isn't it|aren't they|okay|ok|all right|yes|i suppose)\W*\Z"
    r"|\A\W*(?:and |but |so )?(?:is|are|was|were|does|did|has) (?!there\b)"
    r"(?![^?]*\b(?:prefer|preference|usual)\b)"
)
"""A tag at the end, or a verb in front."""


def wants_an_answer(one: OwnSentence) -> bool:
    """Whether a sentence waits for an answer; to offer a change, or to say what is looked up, is not to."""
    if one.asks or not has("requests", one.plain):
        return one.asks
    looks = has("weak_requests", one.plain) and has("announces", one.plain)
    return not looks and not has("offers_change", one.plain)


def without_asides(plain: str) -> str:
    """A folded question without "or not?" and without what only describes a thing ("which is your usual")."""
    return _ASIDE.sub(" ", plain)


def is_leave(one: OwnSentence) -> bool:
    """Whether a question is for a yes: it asks for leave, or is one of yes or no, and offers no choice."""
    yes = has("leave", one.plain) or _YES_OR_NO.search(without_asides(one.plain)) is not None
    return yes and not has("choice", without_asides(one.plain))


def asks_how(plain: str) -> bool:
    """Whether a folded question is for how the driver wants something."""
    return _HOW_YOU.search(plain) is not None
