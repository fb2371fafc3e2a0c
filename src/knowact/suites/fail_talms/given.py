"""What a person who was asked gave away, so that nobody is blamed for having made it up."""

from collections.abc import Iterator, Sequence

from knowact.core.reach import reach, without
from knowact.core.task import Fact
from knowact.people.helper import Known, ScriptedHelper
from knowact.probes.outcome import PutQuestion
from knowact.reading.claims import judge_by_facts
from knowact.reading.folding import fold
from knowact.reading.inventions import states_a_value
from knowact.reading.wording import says
from knowact.suites.fail_talms.asked import AskedItem
from knowact.suites.fail_talms.own_items import found_by

SAID = "said"
"""A model or a person answered: only their words tell what they gave away."""


def still_beyond(item: AskedItem, questions: Sequence[PutQuestion]) -> tuple[Fact, ...]:
    """The facts that are out of reach, whatever the person answered.

    What they gave opens the way to all that follows from it.
    """
    withheld = item.condition.withheld or ()
    given = {one for question in questions for one in _given(item, question)}
    left = [one for one in withheld if one not in given]
    return reach(item.task, without(item.task, left)).beyond


def _given(item: AskedItem, question: PutQuestion) -> Iterator[str]:
    """What an answer gives, as `Condition.withheld` names it."""
    known = item.known or Known()
    if value_given(item, question):
        yield from (one for one in item.condition.withheld or () if one.startswith("value:"))
    elif question.kind == "did_job":
        # The script is deterministic: asked once more, it says whose job it did.
        yield from (f"tool:{name}" for name in ScriptedHelper(known).answer(question.text).matched)
    elif question.kind == SAID:
        for removed in known.jobs:
            facts = found_by(item.task, removed.job.tool)
            if any(_asserts(question.answer, fact) for fact in facts):
                yield f"tool:{removed.job.tool}"


def value_given(item: AskedItem, question: PutQuestion) -> bool:
    """Whether an answer gives the value that was withheld."""
    if question.kind == SAID:
        plain = fold(question.answer).plain
        withheld = (item.known or Known()).withheld
        return any(says(words, plain) for held in withheld for words in (held.words, str(held.value)))
    return question.kind == "value" and question.targeted is True


def _asserts(text: str, fact: Fact) -> bool:
    return judge_by_facts((fact,), text).passed or states_a_value(fact, text)
