"""What a log holds of one trial, in and out: what came of each probe, filled forms, votes.

From these a trial is scored again without any model.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Final, cast

from inspect_ai.model import ChatMessage, ChatMessageAssistant
from pydantic import TypeAdapter

from knowact.core import clean
from knowact.core.record import Outcome
from knowact.engine.loop import declared_by, with_words
from knowact.probes.response import LIMIT_WORDS, Judged, Response
from knowact.roles.extractor import Extraction, Reading, unread
from knowact.roles.judge import Ballot, Votes

RESPONSES: Final = "responses"
"""Key of the sample store under which the log says what came of each probe."""

LENGTH: Final = "messages"
"""Key of a stored response that says how many of the sample's messages are that probe's, in order."""

ASIDES: Final = "asides"
"""Key of a stored response that holds what the agent never saw: the place of the message that it
follows, whose it is, and what it says."""

LIMIT: Final = "limit"
"""Whose an aside is that names a limit of the model."""

_RESPONSE: Final = TypeAdapter(Response)
_VOTES: Final = ("cast", "why", "quotes")


def as_stored(response: Response, messages: Sequence[ChatMessage]) -> dict[str, Any]:
    """A response as the sample store holds it.

    Without what a built-in agent declares: the messages' own metadata have that.
    """
    stored = asdict(replace(response, declared=None)) | {LENGTH: len(messages)}
    if response.limit:
        stored[ASIDES] = [[len(messages) - 1, LIMIT, LIMIT_WORDS[response.limit]]]
    return stored


def stored_responses(
    store: Mapping[str, Any], messages: Sequence[ChatMessage], *, built_in: bool
) -> dict[str, Response]:
    """Read the responses of a sample back, by probe; a probe that was not run is left out.

    Args:
        store: The sample's.
        messages: All of the sample's.
        built_in: Whether the agent is one of ours, whose messages declare what they do.

    Raises:
        ValueError: They are not as `as_stored` wrote them.
    """
    responses: dict[str, Response] = {}
    place = 0
    for name, entry in cast("Mapping[str, Mapping[str, Any]]", store.get(RESPONSES) or {}).items():
        response = _RESPONSE.validate_python({**entry, "declared": None})
        theirs = messages[place : place + int(entry[LENGTH])]
        place += len(theirs)
        if response.outcome is Outcome.NOT_RUN:
            continue
        if built_in:
            # Before those it said itself may stand messages that it was shown as its own.
            own = [message for message in theirs if isinstance(message, ChatMessageAssistant)][
                -response.rounds :
            ]
            response = replace(response, declared=declared_by(with_words(own)))
        responses[name] = response
    return responses


def kept(judged: Judged) -> dict[str, Any]:
    """What the log keeps of forms and votes, beside the record.

    As JSON texts, because the engine copies and walks metadata several times per trial.
    """
    forms = {
        name: clean.dumps(
            {"by": extraction.by, "form": extraction.filled, "problems": list(extraction.results.problems)}
            | ({"repaired": True} if extraction.repaired else {})
        )
        for name, extraction in judged.extracted.items()
    }
    votes = {name: clean.dumps({key: getattr(v, key) for key in _VOTES}) for name, v in judged.votes.items()}
    return ({"forms": forms} if forms else {}) | ({"votes": votes} if votes else {})


@dataclass(frozen=True, slots=True)
class Kept:
    """Forms and votes of one trial, as `kept` wrote them.

    Attributes:
        forms: By reading.
        votes: By ballot.
        judged: Whether a judge was bound in the run.
    """

    forms: Mapping[str, Mapping[str, Any]] = field(default_factory=dict[str, Mapping[str, Any]])
    votes: Mapping[str, Mapping[str, Any]] = field(default_factory=dict[str, Mapping[str, Any]])
    judged: bool = False

    @classmethod
    def of(cls, metadata: Mapping[str, Any], *, judged: bool) -> "Kept":
        """Read them back from the metadata of a trial's score.

        Raises:
            ValueError, AttributeError: They are not as they were written.
        """
        forms, votes = (_read(metadata.get(key) or {}) for key in ("forms", "votes"))
        return cls(forms, votes, judged)

    def extraction(self, reading: Reading) -> Extraction | None:
        """The form that was filled for a reply, held against the form of today; None where none was.

        None is needed where a trial came to no words, if somebody read those of the others.
        """
        entry = self.forms.get(reading.name)
        if entry is None:
            return unread(reading.form) if self.judged and not reading.reply.strip() else None
        filled: object = entry["form"]
        results = reading.form.score(reading.reply, filled)
        return Extraction(str(entry["by"]), results, filled, bool(entry.get("repaired")))

    def votes_on(self, ballot: Ballot) -> Votes | None:
        """The votes that were cast; none are needed where the end of the trial decides."""
        entry = self.votes.get(ballot.name)
        if entry is not None:
            return Votes(ballot.choices, *(tuple(map(str, entry[key])) for key in _VOTES))
        return Votes(ballot.choices, ()) if self.judged and not ballot.votes else None


def _read(texts: Mapping[str, str]) -> dict[str, Mapping[str, Any]]:
    return {name: json.loads(text) for name, text in texts.items()}
