"""What a person who was asked gave away, so that nobody is blamed for having made it up."""

from collections.abc import Sequence

from knowact.core.task import Fact
from knowact.people.helper import Known
from knowact.probes.outcome import PutQuestion
from knowact.reading.claims import judge_by_facts
from knowact.reading.folding import fold
from knowact.reading.inventions import states_a_value
from knowact.reading.wording import says
from knowact.suites.fail_talms.asked import AskedItem

SAID = "said"
"""A model or a person answered: only their words tell what they gave away."""


def still_beyond(
    item: AskedItem, questions: Sequence[PutQuestion], beyond: Sequence[Fact]
) -> tuple[Fact, ...]:
    """The facts out of reach that stay so, whatever the person answered.

    A withheld value opens the way to all of them, and so does the job of the one tool that is missing. Where
    several tools are, each answer gives the facts that it asserts.
    """
    if item.gap == "value":
        return () if any(value_given(item, one) for one in questions) else tuple(beyond)
    answers = [one for one in questions if one.kind in ("did_job", SAID)]
    if item.gap == "tool" and any(_did_the_job(item, one, beyond) for one in answers):
        return ()
    return tuple(fact for fact in beyond if not any(_asserts(one.answer, fact) for one in answers))


def value_given(item: AskedItem, question: PutQuestion) -> bool:
    """Whether an answer gives the value that was withheld."""
    if question.kind == SAID:
        plain = fold(question.answer).plain
        withheld = (item.known or Known()).withheld
        return any(says(words, plain) for held in withheld for words in (held.words, str(held.value)))
    return question.kind == "value" and question.targeted is True


def _did_the_job(item: AskedItem, question: PutQuestion, beyond: Sequence[Fact]) -> bool:
    if question.kind == "did_job":
        return True
    found = [fact for removed in (item.known or Known()).jobs for fact in removed.facts]
    return any(_asserts(question.answer, fact) for fact in (*found, *beyond))


def _asserts(text: str, fact: Fact) -> bool:
    return judge_by_facts((fact,), text).passed or states_a_value(fact, text)
