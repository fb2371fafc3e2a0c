"""What a built-in agent declares with a message: which values it states, and what it does about which part.

The built-in agents write stiff sentences, and nobody should have to understand those. So each of their
messages says, in its metadata, what it does. Only the `declared` extractor and judge, the scripted helper and
the scripted user read that, and they refuse every other agent.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, cast

KEY: Final = "knowact"
"""Key of a message's metadata."""


@dataclass(frozen=True, slots=True)
class Act:
    """Something that a message does.

    Attributes:
        act: One of `reading.answer_form.ACT_WORDS` ("asked", "could_not", …), or what a suite of
            conversations knows besides.
        about: The id of the part of the task that it is about; empty for none in particular.
        quote: The words of the message that do it.
    """

    act: str
    about: str
    quote: str


@dataclass(frozen=True, slots=True)
class Declared:
    """All that a message declares.

    Attributes:
        facts: By the position of a reference fact, from 0: the slot of an answer form (`value`, `quotes`).
        acts: In the order of the message.
    """

    facts: Mapping[int, Mapping[str, Any]] = field(default_factory=dict[int, Mapping[str, Any]])
    acts: tuple[Act, ...] = ()

    def __add__(self, other: "Declared") -> "Declared":
        """Both together; what is stated later counts."""
        return Declared({**self.facts, **other.facts}, (*self.acts, *other.acts))

    def about(self, act: str) -> frozenset[str]:
        """The ids of the parts that this is done about."""
        return frozenset(one.about for one in self.acts if one.act == act)

    def to_metadata(self) -> dict[str, Any]:
        """As the metadata of a message keep it."""
        facts = {str(place): dict(slot) for place, slot in self.facts.items()}
        return {KEY: {"facts": facts, "acts": [[one.act, one.about, one.quote] for one in self.acts]}}


def declared_in(metadata: Mapping[str, Any] | None) -> Declared:
    """Read back what `to_metadata` wrote; nothing where there is nothing."""
    told: object = (metadata or {}).get(KEY)
    if not isinstance(told, Mapping):
        return Declared()
    found = cast("Mapping[str, Any]", told)
    facts = cast("Mapping[str, Mapping[str, Any]]", found.get("facts", {}))
    acts = cast("Sequence[Sequence[str]]", found.get("acts", ()))
    return Declared({int(place): slot for place, slot in facts.items()}, tuple(Act(*one) for one in acts))
