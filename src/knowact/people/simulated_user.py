"""The scripted user: it talks with the built-in agents, by what their messages declare. Pure.

| the agent | the user |
|---|---|
| asks for something that the user knows | tells it |
| asks for what it has to settle itself | leaves that to the agent |
| asks for anything else | has no preference, and after a few of those is out of script |
| proposes a call | says yes to one that the user's wishes come to, else no |
| does none of these | raises the next wish, or leaves |

Proposals are compared as calls, never as words. Whether the agent did right is not the user's business.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from knowact.core.clean import dumps
from knowact.core.conversation import Control
from knowact.core.declared import Declared
from knowact.core.world import Call
from knowact.people.lines import Line
from knowact.people.script import Persona, Script, Style

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
_YOURS: Final[dict[Style, str]] = {
    "commanding": "Work that out yourself.",
    "conversational": "I'd rather leave that to you, you should know.",
    "questioning": "Shouldn't you be able to find that out?",
}


def proposal(call: Call) -> str:
    """What an act of the kind `PROPOSED` is about: the call as text, equal for equal calls."""
    arguments = dict(call.arguments or {})
    return f"{call.tool} {dumps({name: arguments[name] for name in sorted(arguments)})}"


@dataclass(slots=True)
class ScriptedUser:
    """The user of one conversation.

    Args:
        script: What is to be played.
        persona: Decides how a yes or a no sounds, and nothing else.
        wanted: The proposals that the user's wishes come to.
        answers: By the id of a part, what the user tells when asked for it.
        yours: The ids of the parts that the agent has to settle itself.
    """

    script: Script
    persona: Persona = field(default_factory=Persona)
    wanted: frozenset[str] = frozenset()
    answers: Mapping[str, str] = field(default_factory=dict[str, str])
    yours: frozenset[str] = frozenset()
    _raised: int = field(init=False, default=0)
    _unanswered: int = field(init=False, default=0)

    def opening(self) -> Line:
        """Return the first message."""
        return Line(self.script.opening)

    def reply(self, declared: Declared) -> Line:
        """Answer a message by what it declares."""
        asked = [one.about for one in declared.acts if one.act == ASKED]
        proposed = [one.about for one in declared.acts if one.act == PROPOSED]
        if not asked and not proposed:
            self._unanswered = 0
            return self._next_wish()
        style = self.persona.style
        said = [(_YES if one in self.wanted else _NO)[style] for one in proposed]
        said += [self.answers[part] for part in asked if part in self.answers]
        self._unanswered = 0 if said else self._unanswered + 1
        if self._unanswered > MOST_UNANSWERED:
            return Line("", Control.OUT_OF_SCOPE)
        said += [_YOURS[style] for part in asked if part in self.yours]
        return Line(" ".join(dict.fromkeys(said)) or _NO_PREFERENCE[style])

    def _next_wish(self) -> Line:
        if self._raised == len(self.script.later):
            return Line("", Control.STOP)
        self._raised += 1
        return Line(self.script.later[self._raised - 1])
