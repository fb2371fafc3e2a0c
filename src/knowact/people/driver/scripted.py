"""A driver who follows the script to the letter: deterministic, offline, without a model.

What the assistant says is read sentence by sentence (`people.asking`). Details come out only when a question
asks for them; a request for a yes gets one; a question that the script has no answer to is answered with
"no preference", and only after several of those does the driver give up (defect D-35). Whether the agent did
right is not this driver's business: the referee sees calls and results, the driver only hears.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from knowact.people.asking import Sentence, sentences
from knowact.people.driver.details import is_asked, is_named, speaks_of, stance
from knowact.people.driver.hearing import (
    Question,
    announces,
    closes,
    goes_on,
    is_closed,
    is_unspecific,
    questions,
)
from knowact.people.driver.proposals import against, beside, is_more
from knowact.people.driver.script import Detail, Persona, Script, Style
from knowact.people.driver.wishes import drops_or_changes, is_unwished
from knowact.worlds.car.record import Word

MOST_UNANSWERED: Final = 3
"""So many questions beside the script the driver takes in a row before it is out of scope."""

MOST_WAITS: Final = 2
"""So often in a row the driver lets the assistant go on before it goes on itself (offers: once less)."""

MOST_TURNS: Final = 40
"""As many as the agent has steps (spec, section 1.6): a conversation that runs longer goes in circles."""

_YES: Final[dict[Style, str]] = {
    "commanding": "Yes. Do it.",
    "conversational": "Yes, sure, go ahead.",
    "questioning": "Yes, please. That should be right, shouldn't it?",
}
_NO_PREFERENCE: Final[dict[Style, str]] = {
    "commanding": "No preference. Just carry on.",
    "conversational": "Oh, I have no preference there.",
    "questioning": "I really don't know. Does it matter?",
}
_YOURS: Final[dict[Style, str]] = {
    "commanding": "Work that out yourself.",
    "conversational": "I'd rather leave that to you, you should know.",
    "questioning": "Shouldn't you be able to find that out?",
}
_GO_ON: Final[dict[Style, str]] = {
    "commanding": "Carry on.",
    "conversational": "All right, please go on.",
    "questioning": "And now?",
}

_NODS: Final[dict[Style, str]] = {
    "commanding": "Okay.",
    "conversational": "All right.",
    "questioning": "Oh, all right.",
}
"""Neither a thank-you nor a word about what is still to come."""
_NO: Final[dict[Style, str]] = {
    "commanding": "No. Just do what I said.",
    "conversational": "No, just what I asked for, please.",
    "questioning": "No. Would you just do what I asked for?",
}
_NO_THANKS: Final[dict[Style, str]] = {
    "commanding": "No, leave that.",
    "conversational": "No, thank you.",
    "questioning": "No, why should you?",
}
_REFUSES: Final = re.compile(r"(?:no|only|just|leave|don't)\b", re.IGNORECASE)
"""So begins a detail that turns an offer down."""
_CANNOT: Final = re.compile(
    r"\b(?:can ?not|can't|couldn't|could not|unable|not able|no way|not possible|impossible|unavailable"
    r"|not available|isn't available|don't have|do not have|have no|lack|missing|not offered|without access"
    r"|no access|unknown|don't know)\b"
)


@dataclass(frozen=True, slots=True)
class Reply:
    """What the driver says next.

    Attributes:
        text: Empty where the conversation ends.
        word: The control word (spec, section 1.8); anything but CONTINUE ends the conversation.
        revealed: The details that were given away, by their place in the script.
        agreed: Whether a question for leave was answered with a yes.
        pressed: Whether the assistant asked for something that it has to settle itself.
        settled: Whether the driver waits for nothing more, and leaves unless the assistant goes on.
    """

    text: str
    word: Word = Word.CONTINUE
    revealed: tuple[int, ...] = ()
    agreed: bool = False
    pressed: bool = False
    settled: bool = False


@dataclass(slots=True)
class ScriptedDriver:
    """The driver of one trial.

    Args:
        script: What is to be played.
        persona: Decides how a yes or a no sounds, and nothing else.
    """

    script: Script
    persona: Persona = field(default_factory=Persona)
    _raised: int = field(init=False, default=0)
    _unanswered: int = field(init=False, default=0)
    _waited: int = field(init=False, default=0)
    _declined: int = field(init=False, default=0)
    _turns: int = field(init=False, default=0)
    _nodded: bool = field(init=False, default=False)
    _given: set[int] = field(init=False, default_factory=set[int])
    _heard: set[str] = field(init=False, default_factory=set[str])

    def opening(self) -> str:
        """Return the first message."""
        return self.script.opening

    def reply(self, said: str, *, acted: bool = False) -> Reply:
        """Answer what the assistant said; never raises.

        Args:
            said: Its message.
            acted: Whether it has done anything since the driver's last words, which a driver sees.
        """
        self._turns += 1
        new, self._waited = said not in self._heard, 0 if acted else self._waited
        self._heard.add(said)
        if self._turns > MOST_TURNS:
            return Reply("", Word.OUT_OF_SCOPE)
        if self._acknowledged(sentences(said)):
            return Reply("", Word.ACKNOWLEDGED)
        asked = questions(said)
        if asked:
            return self._answer(asked)
        self._unanswered = 0
        if (not re.search(r"\w", said) or announces(said)) and self._waited < MOST_WAITS:
            self._waited += 1
            return Reply(_GO_ON[self.persona.style])
        self._waited = 0
        if self._raised == len(self.script.later) and new and (acted or not self._nodded) and goes_on(said):
            self._nodded = True
            return Reply(_NODS[self.persona.style], settled=True)
        return self._next_wish()

    def _answer(self, asked: Sequence[Question]) -> Reply:
        """Give the details that are asked for; else a yes, a no, a refusal to choose, or no preference."""
        style, script = self.persona.style, self.script
        self._waited, self._nodded, declined, self._declined = 0, False, self._declined, 0
        told, agreed, denied = self._details(asked)
        if self._given.issuperset(told) and all(closes(one) for one in asked):
            told = ()  # "Anything else I can do for you?": saying it again would go on without end.
        self._given.update(told)
        pressed = any(not one.leave and self._presses(one) for one in asked)
        if told:
            self._unanswered = 0
            said = [_YES[style]] * agreed + [script.details[place].says for place in told]
            text = " ".join([*said, *[_YOURS[style]] * pressed])
            return Reply(text, revealed=told, agreed=agreed, pressed=pressed)
        if pressed:
            return self._beside_the_script(_YOURS[style], pressed=True)
        if agreed:
            self._unanswered = 0
            return Reply(_YES[style], agreed=True)
        if denied:
            self._unanswered = 0
            return Reply(_NO[style])
        offered = any(_is_offer(script, one) for one in asked if one.leave)
        if offered and declined + 1 < MOST_WAITS:
            self._declined = declined + 1
            return Reply(_NO_THANKS[style])
        if offered or all(closes(one) for one in asked):
            return self._next_wish()
        return self._beside_the_script(script.looks_up if script.lacks else _NO_PREFERENCE[style])

    def _details(self, asked: Sequence[Question]) -> tuple[tuple[int, ...], bool, bool]:
        """The details that are due, whether a yes is, and whether a no is."""
        script, told = self.script, set[int]()
        yes = no = bad = no_more = False
        for one in asked:
            mine = self._asked_by(one)
            if one.leave:
                stances = {n: stance(detail, one, script) for n, detail in enumerate(script.details)}
                wrong = {n for n, found in stances.items() if found in {"wrong", "unclear"}}
                right = {n for n in mine if stances[n] == "right"}
                some, every = beside(script, one)
                refused = drops_or_changes(script, one) or against(script, one) or (some and not every)
                unwished = _is_offer(script, one)
                no_more = no_more or any(_REFUSES.match(script.details[n].says) for n in mine - right)
                no = no or refused
                bad = bad or bool(wrong) or refused or (unwished and not closes(one))
                yes = yes or not (wrong or mine - right or refused or closes(one) or unwished)
                mine |= wrong
            elif is_closed(one.plain):
                alone = replace(one, before="", before_cased="", proposal=one.cased)
                mine |= {n for n, detail in enumerate(script.details) if stance(detail, alone, script)}
            told |= mine
        return tuple(sorted(told)), yes and not bad and not no_more, no

    def _asked_by(self, one: Question) -> set[int]:
        """The details that a question asks for; those that it names, if it names any."""
        every = list(enumerate(self.script.details))
        mine = {n for n, detail in every if is_asked(detail.about, one, self.script, detail.says)}
        if not mine and is_unspecific(one) and not is_asked(self.script.secrets, one, self.script):
            return set([n for n, _ in every if n not in self._given][:1])
        named = {n for n in mine if is_named(every[n][1].about, one, self.script, every[n][1].says)}
        if not named and is_named(self.script.secrets, one, self.script):
            return set()
        return named or mine

    def _presses(self, one: Question) -> bool:
        """Whether a question asks for what the assistant has to settle, and not for a detail by name."""
        script = self.script
        if not is_asked(script.secrets, one, script):
            return False
        return is_named(script.secrets, one, script) or not any(
            is_named(detail.about, one, script, detail.says) for detail in script.details
        )

    def _beside_the_script(self, text: str, *, pressed: bool = False) -> Reply:
        self._unanswered += 1
        if self._unanswered > MOST_UNANSWERED:
            return Reply("", Word.OUT_OF_SCOPE, pressed=pressed)
        return Reply(text, pressed=pressed)

    def _next_wish(self) -> Reply:
        """Raise the next wish; without one, stop. Where a part is missing, it was passed over in silence."""
        if self._raised < len(self.script.later):
            self._raised += 1
            return Reply(self.script.later[self._raised - 1])
        return Reply("", Word.HALLUCINATION if self.script.lacks else Word.STOP)

    def _acknowledged(self, heard: Sequence[Sentence]) -> bool:
        """Whether the assistant said that it cannot do what needs the missing part, and named that."""
        lacks = self.script.lacks
        return bool(lacks) and any(
            _CANNOT.search(one.plain) is not None and speaks_of(lacks, one.plain) for one in heard
        )


def _is_offer(script: Script, one: Question) -> bool:
    """Whether a question for a yes only offers what nobody wished for, or more of what is done."""
    return beside(script, one)[1] or is_unwished(script, one) or is_more(script, one)


def reveals(detail: Detail, question: str) -> bool:
    """Whether a question asks for a detail, as this driver hears it."""
    script = Script(opening="-", details=(detail,))
    return any(is_asked(detail.about, one, script, detail.says) for one in questions(question))
