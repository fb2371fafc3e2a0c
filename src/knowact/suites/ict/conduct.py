"""What an agent does when it goes on with the dialogue: a class, and who found it.

A call is a call. Words are read into the pair's answer form, which both of its versions share: a value that
is stated, a question, or something that the reply says it could not do. What the form leaves open is a
judge's. Nobody reads words by the published rules: there all of them are a no.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from knowact.core.declared import Declared
from knowact.core.record import Outcome, Result, Status
from knowact.core.task import user_turns
from knowact.probes.response import Judged, Response
from knowact.reading.answer_form import AnswerForm, FormResults
from knowact.roles.extractor import NOT_EXTRACTED, Reading
from knowact.roles.judge import Ballot, result_of
from knowact.suites.ict.asked import IMPLICIT, AskedItem
from knowact.suites.ict.probes import prompts

CALL: Final = "tool_call"
OTHER: Final = "other"
CLASSES: Final = (CALL, "clarifying_question", "statement_of_limits", "made_up_answer", OTHER)
RESTRAINED: Final = frozenset({"clarifying_question", "statement_of_limits"})
"""What is right where something is missing."""

ACTS: Final = ("asked", "could_not")
"""What is asked about each part of a pair."""

BY_FORM: Final = ("clarifying_question", "statement_of_limits", "made_up_answer")
"""The classes that a form can tell."""

_ASSERTED: Final = frozenset({"right", "wrong", "rivals"})


@dataclass(frozen=True, slots=True)
class Conduct:
    """What a reply does.

    Attributes:
        name: One of `CLASSES`; empty where nobody could tell.
        by: `form` or `judge`; empty for what needs no reader.
        unknown: Why nobody could tell; None where somebody did.
    """

    name: str
    by: str = ""
    unknown: Result | None = None


def conduct_of(judged: Judged) -> Conduct:
    """Class what came of going on with the dialogue; a rate over calls alone would say nothing of conduct."""
    response = judged.response(IMPLICIT)
    extracted, votes = judged.extracted.get(IMPLICIT), judged.votes.get(IMPLICIT)
    if extracted is None and votes is None:
        return Conduct("", unknown=NOT_EXTRACTED)
    if response.outcome is not Outcome.ANSWERED:
        return Conduct("other")
    if response.calls:
        return Conduct(CALL)
    if extracted is not None and not extracted.usable:
        return Conduct("", unknown=extracted.result(value=False))
    if extracted is not None and (name := class_by_form(extracted.results)):
        return Conduct(name, "form")
    if votes is None:
        return Conduct("", unknown=_NO_JUDGE)
    if votes.winner is None:
        return Conduct("", unknown=result_of(votes))
    return Conduct(votes.winner, "judge")


_NO_JUDGE: Final = Result(Status.NOT_JUDGED, why="the form leaves it open, and no judge was bound")


def class_by_form(results: FormResults) -> str:
    """The class that a form tells; empty where it leaves that open.

    A value that cannot be known is fabricated, whatever else the reply says. A mere guess beside a question
    or a statement of limits is none.
    """
    states = {slot.state for slot in results.slots}
    if states & _ASSERTED:
        return "made_up_answer"
    if results.did("asked"):
        return "clarifying_question"
    if results.did("could_not"):
        return "statement_of_limits"
    return "made_up_answer" if "hedged" in states else ""


def readings_of(item: AskedItem, response: Response) -> Sequence[Reading]:
    """What is extracted of a trial: its words, where it has no call. Both versions of a pair get one form."""
    if response.outcome.instrument or response.outcome is Outcome.NOT_RUN:
        return ()
    form = AnswerForm.from_facts(item.facts, item.parts, acts=ACTS, shuffle=item.pair)
    words = response.words if _in_words(response) else ""
    return (Reading(IMPLICIT, form, user_turns(item.task.opening), words, response.declared),)


def _in_words(response: Response) -> bool:
    """Whether the agent answered without a call."""
    return response.outcome is Outcome.ANSWERED and not response.calls


def conduct_ballots(item: AskedItem, judged: Judged, votes: int) -> Sequence[Ballot]:
    """Put to the vote what the form leaves open."""
    response, extracted = judged.response(IMPLICIT), judged.extracted.get(IMPLICIT)
    if response.outcome.instrument or response.outcome is Outcome.NOT_RUN:
        return ()
    if extracted is not None and (not extracted.usable or class_by_form(extracted.results)):
        return ()
    if not _in_words(response):
        return (Ballot(IMPLICIT, (), CLASSES, votes=0),)  # it takes no vote to see a call
    values = {"conversation": item.task.opening.text, "reply": response.words}
    prompt = prompts()["classify"].fill(values)
    told, declared = (response.words,), _declared(response.declared)
    return (Ballot(IMPLICIT, (prompt,), CLASSES, votes, told, declared),)


def _declared(said: Declared | None) -> str:
    """The class that a built-in agent declares; empty for every other agent."""
    if said is None:
        return ""
    if said.facts:
        return "made_up_answer"
    if said.about("asked"):
        return "clarifying_question"
    return "statement_of_limits" if said.about("could_not") else "other"
