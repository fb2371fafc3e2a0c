"""Labelled sets of what this suite asks an extractor and a judge: continuations and explanations."""

from collections.abc import Iterator
from typing import Final

from knowact.core.task import Fact
from knowact.reading.answer_form import AnswerForm, FormResults
from knowact.roles.calibration import LabelledItem, LabelledSet, Mark, classified, rows, version_of
from knowact.roles.judge import Ballot
from knowact.roles.labelled_rows import (
    JUDGE,
    READING,
    Missing,
    Replied,
    ballot_item,
    extracted_item,
    form_set,
)
from knowact.suites.ict.answers import KINDS, VERDICTS
from knowact.suites.ict.conduct import ACTS, BY_FORM, CLASSES, class_by_form
from knowact.suites.ict.probes import prompts

_CONTINUATIONS: Final = ("continuations", "continuations_fresh")
_EXPLANATIONS: Final = ("explanations", "explanations_fresh")


class Continuation(Replied):
    """How a dialogue was gone on with."""

    missing: Missing
    said: str
    facts: tuple[Fact, ...]
    calls: int
    label: str


class Explanation(Replied):
    """A reason for a *no*."""

    missing: Missing
    said: str
    label: str


def sets() -> tuple[LabelledSet, ...]:
    """Every labelled set of this suite."""
    return (
        *(form_set(name, Continuation, _continuation, keep=_in_words) for name in _CONTINUATIONS),
        *map(_classified, _CONTINUATIONS),
        *(_explained(name) for name in _EXPLANATIONS),
        *(_explained(name, published=True) for name in _EXPLANATIONS),
    )


def _in_words(one: Continuation) -> bool:
    """Whether words are to be read: a call is a call."""
    return not one.calls and bool(one.reply.strip())


def _continuation(one: Continuation) -> LabelledItem:
    form = AnswerForm.from_facts(one.facts, one.missing.parts, acts=ACTS, shuffle=one.id)

    def marks(found: FormResults) -> Iterator[Mark]:
        got = class_by_form(found)
        # What the form leaves open goes to the judge: it is no error of the extractor's, but it is counted.
        if one.label in BY_FORM:
            yield Mark(one.label, "open", not got)
        if got or one.label not in BY_FORM:
            yield from classified(got, one.label, BY_FORM)

    return extracted_item(one, form, one.said, marks)


def _classified(name: str) -> LabelledSet:
    prompt = prompts()["classify"]
    items = tuple(
        ballot_item(
            Ballot(
                one.id,
                (prompt.fill({"conversation": one.said, "reply": one.reply}),),
                CLASSES,
                1,
                (one.reply,),
            ),
            "continuation",
            one.label,
        )
        for one in rows(READING, name, Continuation)
        if _in_words(one)
    )
    return LabelledSet(JUDGE, name, version_of(READING, name), prompt, items)


def _explained(name: str, *, published: bool = False) -> LabelledSet:
    """The published judge says of the same reasons whether they are right."""
    prompt = prompts()["explanation-published" if published else "explanation"]
    choices = VERDICTS if published else KINDS
    items: list[LabelledItem] = []
    for one in rows(READING, name, Explanation):
        values = {"conversation": one.said, "missing": one.missing.lacking, "reason": one.reply}
        ident = f"{one.id}-published" if published else one.id
        label = one.label if one.label in choices else choices[-1]
        ballot = Ballot(ident, (prompt.fill(values),), choices, 1, (one.reply,))
        items.append(ballot_item(ballot, "explanation", label))
    return LabelledSet(JUDGE, name, version_of(READING, name), prompt, tuple(items))
