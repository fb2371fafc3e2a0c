"""The scripted user: it talks with the built-in agents, by what their messages declare. Pure.

| the agent | the user |
|---|---|
| asks for something that the user knows | tells it |
| asks for what it has to settle itself | leaves that to the agent |
| asks for anything else | has no preference, and after a few of those is out of script |
| proposes a call | says yes to one that the user's wishes come to, else no |
| reports something otherwise than it was wanted | says so, once |
| does none of these | raises the next wish; at the end asks once for what was not told, and leaves |

Proposals are compared as calls, never as words. Whether the agent did right is not the user's business.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from knowact.core.clean import dumps
from knowact.core.conversation import Control
from knowact.core.declared import Declared
from knowact.core.task import Fact
from knowact.core.world import Call
from knowact.reading.answer_form import AnswerForm
from knowact.roles.lines import UserLine
from knowact.roles.script import Persona, Script, Style

ASKED: Final = "asked"
PROPOSED: Final = "proposed"
"""The acts of a message that the script answers."""

USER_OPTION: Final = "--user model"
"""The option that needs somebody in the role `user`."""

SCRIPT_REFUSES: Final = (
    "The scripted user talks with the built-in agents only: let a model play the user with --user model "
    "--role user=MODEL, or play it yourself with --user person."
)

MOST_UNANSWERED: Final = 3
"""So many questions beside the script the user takes in a row before it is out of scope."""

_YES: Final[dict[Style, str]] = {
    "commanding": "Yes. Do it.",
    "conversational": "Yes, sure, go ahead.",
    "questioning": "Yes, please. That should be right, shouldn't it?",
}
_NO: Final[dict[Style, str]] = {
    "commanding": "No. Just do what I said.",
    "conversational": "No, just what I asked for, please.",
    "questioning": "No. Would you just do what I asked for?",
}
_NO_PREFERENCE: Final[dict[Style, str]] = {
    "commanding": "No preference. Just carry on.",
    "conversational": "Oh, I have no preference there.",
    "questioning": "I really don't know. Does it matter?",
}
_AGAIN: Final[dict[Style, str]] = {
    "commanding": "You haven't told me what I asked.",
    "conversational": "Hang on, you haven't told me what I asked.",
    "questioning": "But I asked you something, didn't I? What about that?",
}
_OTHERWISE: Final[dict[Style, str]] = {
    "commanding": "That's not what I said.",
    "conversational": "Hm, that's not how I wanted it.",
    "questioning": "Wait, that's not what I asked for, is it?",
}
_YOURS: Final[dict[Style, str]] = {
    "commanding": "Work that out yourself.",
    "conversational": "I'd rather leave that to you, you should know.",
    "questioning": "Shouldn't you be able to find that out?",
}


def proposal(call: Call) -> str:
    """What an act of the kind `PROPOSED` is about: the call as text, equal for equal calls."""
    arguments = dict(call.arguments or {})
    return f"{call.tool} {dumps({name: arguments[name] for name in sorted(arguments)})}"


def _says(slot: Mapping[str, Any], fact: Fact) -> bool:
    """Whether a declared slot states a fact."""
    quotes = " ".join(str(quote) for quote in slot.get("quotes", ()))
    return AnswerForm((fact,)).score(quotes, {"fact_1": slot}).passed


@dataclass(slots=True)
class ScriptedUser:
    """The user of one conversation.

    Args:
        script: What is to be played.
        persona: Decides how a yes or a no sounds, and nothing else.
        wanted: The proposals that the user's wishes come to.
        answers: By the id of a part, what the user tells when asked for it.
        yours: The ids of the parts that the agent has to settle itself.
        due: The places, in the answer form, of what the user wants to be told.
        wishes: By its place there, what may be reported of a thing as its wishes are carried out.
    """

    script: Script
    persona: Persona = field(default_factory=Persona)
    wanted: frozenset[str] = frozenset()
    answers: Mapping[str, str] = field(default_factory=dict[str, str])
    yours: frozenset[str] = frozenset()
    due: frozenset[int] = frozenset()
    wishes: Mapping[int, tuple[Fact, ...]] = field(default_factory=dict[int, tuple[Fact, ...]])
    _told: set[int] = field(init=False, default_factory=set[int])
    _asked_again: bool = field(init=False, default=False)
    _corrected: set[int] = field(init=False, default_factory=set[int])
    _raised: int = field(init=False, default=0)
    _unanswered: int = field(init=False, default=0)

    def opening(self) -> UserLine:
        """Return the first message."""
        return UserLine(self.script.opening)

    def reply(self, declared: Declared) -> UserLine:
        """Answer a message by what it declares."""
        asked = [act.about for act in declared.acts if act.act == ASKED]
        proposed = [act.about for act in declared.acts if act.act == PROPOSED]
        style = self.persona.style
        self._told |= {*declared.facts}
        if not asked and not proposed:
            self._unanswered = 0
            return UserLine(_OTHERWISE[style]) if self._unlike(declared) else self._next_wish()
        sentences = [(_YES if part in self.wanted else _NO)[style] for part in proposed]
        sentences += [self.answers[part] for part in asked if part in self.answers]
        self._unanswered = 0 if sentences else self._unanswered + 1
        if self._unanswered > MOST_UNANSWERED:
            return UserLine("", Control.OUT_OF_SCOPE)
        sentences += [_YOURS[style] for part in asked if part in self.yours]
        return UserLine(" ".join(dict.fromkeys(sentences)) or _NO_PREFERENCE[style])

    def _next_wish(self) -> UserLine:
        if self._raised == len(self.script.later):
            if self.due - self._told and not self._asked_again:
                self._asked_again = True
                return UserLine(_AGAIN[self.persona.style])
            return UserLine("", Control.STOP)
        self._raised += 1
        return UserLine(self.script.later[self._raised - 1])

    def _unlike(self, declared: Declared) -> bool:
        """Whether something is reported otherwise than wanted that the user has not complained of yet."""
        unlike = {
            place
            for place, slot in declared.facts.items()
            if place in self.wishes and not any(_says(slot, wish) for wish in self.wishes[place])
        }
        new = unlike - self._corrected
        self._corrected |= new
        return bool(new)
