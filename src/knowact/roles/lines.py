"""What a simulated user says next, whoever plays it; and how a model's reply is read. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from knowact.core import clean
from knowact.core.conversation import Control
from knowact.core.schema import object_schema
from knowact.reading.json_text import JsonObject, find_json

WORDS: Final = (Control.CONTINUE, Control.STOP, Control.OUT_OF_SCOPE)
"""The control words that a user has: whether the agent did right is not the user's to say."""

MESSAGE: Final = "user_message"
KEYWORD: Final = "conversation_control_keyword"
REASON: Final = "reasoning"
"""The fields of a user's structured reply, as CAR-bench has them."""

GREETING: Final = "Hello! What can I do for you?"
"""What a model that plays the user answers first; the agent never sees it."""

LONGEST: Final = 2_000
"""Characters of a message; nobody says more in one message, and a model in a loop does."""

LONGEST_REPLY: Final = 100_000
"""Characters of a reply that are looked at: a megabyte of braces would hold up everybody else's trials."""


@dataclass(frozen=True, slots=True)
class UserLine:
    """What the user says next.

    Attributes:
        text: Empty where the conversation ends.
        word: CONTINUE, or a word that ends it.
        why: The user's own reason, where one is given.
        fault: Why there is no line to go on with; empty where there is one.
    """

    text: str
    word: Control = Control.CONTINUE
    why: str = ""
    fault: str = ""


def read_line(reply: str) -> UserLine:
    """Read the reply of a model that plays the user; never raises.

    The last JSON object with a control word counts. Objects whose words contradict each other, an object
    that gives a field twice, a word that users do not have, a message that no mouth would say, or a reply
    without any such object is a fault of the user, never a word.
    """
    if len(reply) > LONGEST_REPLY:
        return UserLine("", fault="overlong")
    objects = [match.value.members for match in find_json(reply) if isinstance(match.value, JsonObject)]
    lines = [members for members in objects if KEYWORD in dict(members)]
    if not lines:
        return UserLine("", fault="empty" if not reply.strip() else "unreadable")
    if any(dict(members)[KEYWORD] != dict(lines[-1])[KEYWORD] for members in lines):
        return UserLine("", fault="unreadable")
    return _line(lines[-1])


def _line(members: Sequence[tuple[str, object]]) -> UserLine:
    fields = [name for name, _ in members]
    values = dict(members)
    word, text = values.get(KEYWORD), values.get(MESSAGE, "")
    if len(fields) != len(set(fields)) or word not in set(map(str, WORDS)) or not isinstance(text, str):
        return UserLine("", fault="unreadable")
    # JSON may spell half of a surrogate pair, which nothing that keeps it can hold.
    message, why = clean.text(" ".join(text.split())), clean.text(values.get(REASON, ""))[:LONGEST]
    if word != Control.CONTINUE:
        return UserLine("", Control(str(word)), why)
    fault = "empty" if not message else "overlong" if len(message) > LONGEST else ""
    return UserLine("" if fault else message, why=why, fault=fault)


def line_schema() -> dict[str, Any]:
    """What a model that plays the user answers with, as JSON Schema."""
    return object_schema(
        {
            REASON: {"type": "string", "description": "Why the conversation goes on, or ends."},
            MESSAGE: {"type": "string", "description": "What you say; empty where the conversation ends."},
            KEYWORD: {"type": "string", "enum": [str(word) for word in WORDS]},
        }
    )
