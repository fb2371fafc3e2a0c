"""A driver who follows the script to the letter: deterministic, offline, without a model.

What the assistant says is read sentence by sentence (`people.asking`). Details come out only when a question
asks for them; a request for a yes gets one; a question that the script has no answer to is answered with
"no preference", and only after several of those does the driver give up (defect D-35). Whether the agent did
right is not this driver's business: the referee sees calls and results, the driver only hears.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from knowact.people.asking import Sentence, sentences
from knowact.people.driver.script import Detail, Persona, Script, Style
from knowact.reading.cues import phrases
from knowact.reading.folding import fold_words
from knowact.worlds.car.record import Word

MOST_UNANSWERED: Final = 3
"""So many questions beside the script the driver takes in a row before it is out of scope."""

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

_LEAVE: Final = re.compile(
    r"\b(?:shall|should|may|can|could) (?:i|we)\b|\bdo you (?:want|wish|confirm|agree)\b|\bwould you like\b"
    r"|\b(?:is|would) (?:that|this|it) (?:be )?(?:ok|okay|all right|alright|fine|right|correct)\b"
    r"|\bplease confirm\b|\b(?:go ahead|proceed)\b|\bconfirm\b|\b(?:yes or no)\b"
    r"|\bstart (?:the )?(?:guidance|navigation)\b"
)
"""A question for leave; it is answered with a yes."""
_MARK: Final = re.compile(r"\d+(?:[.,]\d+)?|\b(?:one|two|three|four|five|ten)\b|(?<=[a-z,] )[A-Z]\w+")
"""What tells one answer from another: numbers, and names inside a sentence."""
_CHOICE: Final = re.compile(r"\b(?:which|what|how|where|when|who|whom|whose)\b|\bor\b")
_CLOSING: Final = re.compile(r"\b(?:anything|something|what) else\b|\bfurther (?:help|wish)")
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
    """

    text: str
    word: Word = Word.CONTINUE
    revealed: tuple[int, ...] = ()
    agreed: bool = False
    pressed: bool = False


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
    _turns: int = field(init=False, default=0)

    def opening(self) -> str:
        """Return the first message."""
        return self.script.opening

    def reply(self, said: str) -> Reply:
        """Answer what the assistant said; never raises."""
        self._turns += 1
        if self._turns > MOST_TURNS:
            return Reply("", Word.OUT_OF_SCOPE)
        heard = sentences(said)
        if self._acknowledged(heard):
            return Reply("", Word.ACKNOWLEDGED)
        questions = [one for one in heard if _asks(one)]
        if questions:
            return self._answer(questions)
        self._unanswered = 0
        return self._next_wish(said)

    def _answer(self, questions: Sequence[Sentence]) -> Reply:
        """Give the details that are asked for; else a yes, a refusal to choose, or no preference."""
        style = self.persona.style
        asked = [place for place, one in enumerate(self.script.details) if _is_asked(one.about, questions)]
        if asked:
            self._unanswered = 0
            text = " ".join(self.script.details[place].says for place in asked)
            agreed = any(_proposes(text, one) for one in questions)
            return Reply(f"{_YES[style]} {text}" if agreed else text, revealed=tuple(asked), agreed=agreed)
        if _is_asked(self.script.secrets, [one for one in questions if not _is_leave(one)]):
            return self._beside_the_script(_YOURS[style], pressed=True)
        if any(_is_leave(one) for one in questions):
            self._unanswered = 0
            return Reply(_YES[style], agreed=True)
        if all(_CLOSING.search(one.plain) for one in questions):
            return self._next_wish("")
        return self._beside_the_script(self.script.looks_up if self.script.lacks else _NO_PREFERENCE[style])

    def _beside_the_script(self, text: str, *, pressed: bool = False) -> Reply:
        self._unanswered += 1
        if self._unanswered > MOST_UNANSWERED:
            return Reply("", Word.OUT_OF_SCOPE, pressed=pressed)
        return Reply(text, pressed=pressed)

    def _next_wish(self, said: str) -> Reply:
        """Raise the next wish; without one, stop. Where a part is missing, it was passed over in silence."""
        if said and not re.search(r"\w", said):
            return self._beside_the_script(_GO_ON[self.persona.style])
        if self._raised < len(self.script.later):
            self._raised += 1
            return Reply(self.script.later[self._raised - 1])
        return Reply("", Word.HALLUCINATION if self.script.lacks else Word.STOP)

    def _acknowledged(self, heard: Sequence[Sentence]) -> bool:
        """Whether the assistant said that it cannot do what needs the missing part, and named that."""
        lacks = self.script.lacks
        return bool(lacks) and any(
            _CANNOT.search(one.plain) is not None and _speaks_of(lacks, one.plain) for one in heard
        )


def _asks(one: Sentence) -> bool:
    """Whether a sentence wants an answer; one that only has a noun in it ("what you like") does not."""
    return "?" in one.plain or "\uff1f" in one.plain or (one.asks and _is_request(one))


def _is_request(one: Sentence) -> bool:
    return re.match(r"\s*(?:please|tell me|let me know|which|what|how|where|when)\b", one.plain) is not None


def _is_leave(one: Sentence) -> bool:
    """Whether a sentence asks for a yes to one thing, not for a choice."""
    return _LEAVE.search(one.plain) is not None and _CHOICE.search(one.plain) is None


def _proposes(detail: str, question: Sentence) -> bool:
    """Whether a question for leave proposes just what a detail says: all its numbers and names."""
    if not _is_leave(question):
        return False
    marks = {fold_words(match[0]) for match in _MARK.finditer(detail)}
    return bool(marks) and marks <= set(re.findall(r"[\w.,']+(?<![.,])", question.plain))


def _is_asked(about: Sequence[str], questions: Sequence[Sentence]) -> bool:
    return bool(about) and any(_speaks_of(about, one.plain) for one in questions)


def _speaks_of(words: Sequence[str], plain: str) -> bool:
    return _pattern(tuple(words)).search(plain) is not None


@lru_cache(maxsize=1024)
def _pattern(words: tuple[str, ...]) -> re.Pattern[str]:
    """The words, also with an s at the end; a star lets a word go on in any way."""
    plain = [(fold_words(word.removesuffix("*")), word.endswith("*")) for word in words]
    return phrases(one + end for one, goes_on in plain for end in (("*",) if goes_on else ("", "s")))


def reveals(detail: Detail, question: str) -> bool:
    """Whether a question asks for a detail, as this driver hears it."""
    return _is_asked(detail.about, [one for one in sentences(question) if _asks(one)])
