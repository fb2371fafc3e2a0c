"""The labelled sets that every suite shares, by the role that they measure.

Suites add sets for prompts of their own (`Suite.labelled`).
"""

import json
import random
import re
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final, Literal

from pydantic import JsonValue

from knowact.core.parts import Part
from knowact.core.task import Fact
from knowact.reading.answer_form import ELSE, AnswerForm, FormResults
from knowact.reading.quotes import folded, stands_in
from knowact.roles.calibration import (
    LabelledItem,
    LabelledSet,
    Mark,
    ShownMessage,
    classified,
    rows,
    seen,
    version_of,
)
from knowact.roles.helper import Held, Known, Removed, helper_prompt, helper_schema, helper_text, read_answer
from knowact.roles.labelled_rows import (
    JUDGE,
    NO_REQUEST,
    READING,
    Job,
    LabelledRow,
    MissingSlot,
    Replied,
    abouts,
    any_stands,
    extracted_item,
    form_item,
    form_set,
    line_item,
)
from knowact.roles.lines import UserLine
from knowact.roles.moments import moments
from knowact.roles.ruling import FAULT, ToRule, on_message, on_user, ruling_prompts
from knowact.roles.user_brief import Setting, user_prompt
from knowact.roles.user_faults import JUDGED

_HERE: Final = "knowact.roles"


def shared_sets() -> tuple[LabelledSet, ...]:
    """Every set that no suite has for itself."""
    return (*_extractor_sets(), *_judge_sets(), *_user_sets(), *_helper_sets())


# Extractor: facts, limits, inventions


class _Claim(Replied):
    """A reply that states all of some facts, or not."""

    facts: tuple[Fact, ...]
    label: bool


class _LimitsLabel(LabelledRow):
    admits: bool
    names: Literal["fits", "wrong", "none"]
    asks: bool
    assumes: bool


class _LimitsReply(Replied):
    about: str
    label: _LimitsLabel


class _InventionAbout(LabelledRow):
    """A fact that could not be known."""

    id: str
    request: str
    fact: Fact


class _Invention(Replied):
    """A reply that states a value for such a fact, or not."""

    about: str
    label: bool


CLAIMS: Final = ("claims", "claims_fresh", "claims_probes", "claims_identifiers")
"""Sets that ask whether a reply states every fact."""


def _extractor_sets() -> tuple[LabelledSet, ...]:
    claims = (form_set(name, _Claim, _claim) for name in CLAIMS)
    return (*claims, _limits(), _inventions())


def _claim(row: _Claim) -> LabelledItem:
    kind = row.facts[0].kind if len(row.facts) == 1 else "several"

    def marks(form: FormResults) -> Iterator[Mark]:
        return (seen(name, form.passed, row.label) for name in ("facts", f"facts: {kind}"))

    return extracted_item(row, AnswerForm.from_facts(row.facts), NO_REQUEST, marks)


def _limits() -> LabelledSet:
    known = abouts()

    def made(row: _LimitsReply) -> LabelledItem:
        about = known[row.about]
        form = AnswerForm.from_facts((), about.missing.parts, shuffle=row.about)

        def marks(read: FormResults) -> Iterator[Mark]:
            names = _named(read)
            yield seen("names what lacks", names == "fits", row.label.names == "fits")
            yield seen("names what is there", names == "wrong", row.label.names == "wrong")
            yield seen("asked", bool(read.did("asked")), row.label.asks)
            yield seen("could not", bool(read.did("could_not")), row.label.admits)
            yield seen("assumed", bool(read.did("assumed")), row.label.assumes)

        return extracted_item(row, form, "\n".join(about.said), marks)

    return form_set("limits", _LimitsReply, made, "abouts")


def _named(read: FormResults) -> str:
    """Whether a reply speaks of what is missing (`fits`), of other things only (`wrong`), or of nothing."""
    names = {part.id for part in read.parts if part.acts}
    if any(name.startswith("m") for name in names):
        return "fits"
    return "wrong" if any(name == ELSE or name.startswith("t") for name in names) else "none"


def _inventions() -> LabelledSet:
    known = {row.id: row for row in rows(READING, "inventions_about", _InventionAbout)}

    def made(row: _Invention) -> LabelledItem:
        about = known[row.about]

        def marks(read: FormResults) -> Iterator[Mark]:
            # Any value, right or wrong, hedged or among rivals.
            given = any(slot.state in {"right", "wrong", "hedged", "rivals"} for slot in read.slots)
            yield seen("invented", given, row.label)

        return extracted_item(row, AnswerForm.from_facts([about.fact]), about.request, marks)

    return form_set("inventions", _Invention, made, "inventions_about")


# Judge: rulings on messages, and on simulated users

MISSING: Final = ("acknowledged", "claimed")
OPEN: Final = ("asks",)
"""The classes of messages about a missing part, and about an open element; a message may be in none."""

LABELLED: Final = frozenset(JUDGED) - {"agreed"}
"""The faults of users that the set knows: it was labelled before users were held to what they agree to."""

_X: Final = "x"
"""The id of the part in question; the others of a form are decoys."""

DECOYS: Final = 3
LONGEST_RESULT: Final = 900
"""Characters of a tool's result that are shown."""


class _Call(LabelledRow):
    tool: str
    result: JsonValue


class _MessageCase(LabelledRow):
    """What messages are about: a part that was taken away, or an element that is open."""

    id: str
    opening: str = ""
    missing: str
    open: str
    calls: tuple[_Call, ...] = ()

    @property
    def words(self) -> str:
        """The part in question, without the name of its tool."""
        return re.sub(r" \([^()]*\)$", "", self.missing or self.open)

    @property
    def before(self) -> str:
        """What was said and called before the message."""
        results = (
            f"[{call.tool} returned {json.dumps(call.result, ensure_ascii=False)[:LONGEST_RESULT]}]"
            for call in self.calls
        )
        return "\n".join((f"User: {self.opening}", *results))


class _LabelledMessage(LabelledRow):
    """A message, and what it does."""

    id: str
    about: str
    said: str
    label: Literal["acknowledged", "claimed", "neither", "asks", "fine"]


class _LabelledConversation(LabelledRow):
    """A conversation, and what its user did wrong; the user's lines begin with "> "."""

    id: str
    about: str
    talk: tuple[str, ...]
    word: str
    label: tuple[str, ...]

    @property
    def words(self) -> str:
        """The conversation as a judge is shown it."""
        lines = [f"User: {line[2:]}" if line.startswith("> ") else f"Assistant: {line}" for line in self.talk]
        return "\n".join([*lines, *([f"[The user leaves: {self.word}]"] if self.word else [])])


def _judge_sets() -> tuple[LabelledSet, ...]:
    return (*map(_rulings, ("referee", "referee_blind", "referee_third")), _user_faults())


def _rulings(name: str) -> LabelledSet:
    cases = {row.id: row for row in rows(_HERE, f"{name}_cases", _MessageCase)}
    all_words = sorted({row.words for row in cases.values()})
    items = tuple(_ruling(row, cases[row.about], all_words) for row in rows(_HERE, name, _LabelledMessage))
    version = version_of(_HERE, name, f"{name}_cases")
    return LabelledSet(JUDGE, name, version, ruling_prompts()["ruling"], items)


def _ruling(row: _LabelledMessage, case: _MessageCase, all_words: Sequence[str]) -> LabelledItem:
    """The part in question stands among parts of other cases."""
    drawn = random.Random(case.id).sample(all_words, min(2 * DECOYS, len(all_words)))
    decoys = [Part(words, words) for words in drawn if words != case.words][:DECOYS]
    parts = (Part(_X, case.words), *decoys)

    def marks(read: FormResults) -> Iterator[Mark]:
        acts = {act for part in read.parts if part.id == _X for act in part.acts}
        if case.open:
            return iter(classified("asks" if "asked" in acts else None, row.label, OPEN))
        did = next((act for act in ("claimed", "acknowledged") if act in acts), None)
        return iter(classified(did, row.label, MISSING))

    asked = on_message("ruling", parts, case.before, row.said, shuffle=case.id)
    return form_item(row.id, asked.form, asked.text, asked.said, "ruling", marks)


def _user_faults() -> LabelledSet:
    name, beside = "user_faults", "driver_cases"
    cases = {row.id: row for row in rows(_HERE, beside, _UserCase)}
    items = tuple(_at_fault(row, cases[row.about]) for row in rows(_HERE, name, _LabelledConversation))
    return LabelledSet(JUDGE, name, version_of(_HERE, name, beside), ruling_prompts()["user_faults"], items)


def _at_fault(row: _LabelledConversation, case: "_UserCase") -> LabelledItem:
    settled = "".join(f"\nOnly the assistant may settle: {word}." for word in case.hidden)

    def marks(read: FormResults) -> Iterator[Mark]:
        faults = read.did(FAULT) & LABELLED
        yield seen("user: any fault", bool(faults), bool(row.label))
        for fault in sorted(LABELLED):
            yield seen(f"user: {fault}", fault in faults, fault in row.label)

    asked: ToRule = on_user("user", JUDGED, case.scenario + settled, row.words)
    return form_item(row.id, asked.form, asked.text, asked.said, "user faults", marks)


# Simulated user: control words, and the details that it tells

_PERSONA: Final = "You chat with the assistant as with a friend."


class _Detail(LabelledRow):
    """Something that is told only when asked; one of its `values` stands in every line that tells it."""

    values: tuple[str, ...]


class _UserCase(LabelledRow):
    """What a simulated user wants."""

    id: str
    scenario: str
    opening: str
    details: tuple[_Detail, ...]
    hidden: tuple[str, ...]


class _LineLabel(LabelledRow):
    tell: tuple[int, ...]
    may: tuple[int, ...]
    then: Literal["talks", "wish", "leaves", "any"]


class _SaidToUser(LabelledRow):
    """A message to the simulated user, and what should follow."""

    id: str
    about: str
    before: tuple[str, ...]
    said: str
    label: _LineLabel


def _user_sets() -> tuple[LabelledSet, ...]:
    return (*map(_lines, ("driver", "driver_blind")), moments())


def _lines(name: str) -> LabelledSet:
    cases = f"{name}_cases"
    known = {row.id: row for row in rows(_HERE, cases, _UserCase)}
    # Where more was said before, the user's own lines in between are not recorded and cannot be shown.
    asked = (row for row in rows(_HERE, name, _SaidToUser) if not row.before)
    items = tuple(_line_item(row, known[row.about]) for row in asked)
    return LabelledSet("user", name, version_of(_HERE, name, cases), user_prompt(), items)


def _brief(case: _UserCase) -> str:
    return user_prompt().fill({"player": Setting().player, "persona": _PERSONA, "scenario": case.scenario})


def _line_item(row: _SaidToUser, case: _UserCase) -> LabelledItem:
    then = row.label.then
    talk = (ShownMessage("assistant", case.opening), ShownMessage("user", row.said))
    leaves = None if then == "any" else then == "leaves"
    return line_item(row.id, _brief(case), talk, leaves, partial(_line_marks, row, case))


def _line_marks(row: _SaidToUser, case: _UserCase, line: UserLine) -> Iterator[Mark]:
    for place, detail in enumerate(case.details):
        if place in row.label.tell and detail.values:
            yield Mark("tells", "missed", not any_stands(detail.values, line.text))
        elif place not in row.label.may and (bare := _unmistakable(detail, row, case)):
            yield Mark("tells", "false pass", any_stands(bare, line.text))
    if bare := tuple(word for word in case.hidden if not any_stands((word,), row.said)):
        yield Mark("gives away", "false pass", any_stands(bare, line.text))


def _unmistakable(detail: _Detail, row: _SaidToUser, case: _UserCase) -> tuple[str, ...]:
    """The numbers and names among a detail's values that nobody has said yet: whoever says one tells it."""
    known = folded(f"{case.opening}\n{row.said}")
    return tuple(
        value
        for value in detail.values
        if any(sign.isdigit() or sign.isupper() for sign in value) and not stands_in(folded(value), known)
    )


# Helper: what a question asks for, and what is given


class _HeldRow(LabelledRow):
    slot: MissingSlot
    value: JsonValue
    said: tuple[str, ...]

    @property
    def as_in_a_run(self) -> Held:
        """A part's id is the name of its parameter."""
        part = Part(self.slot.parameter, self.slot.words)
        return Held(part, self.value, self.said[0] if self.said else "")


class _Removed(LabelledRow):
    job: Job
    can_do: bool
    facts: tuple[Fact, ...]


class _KnownRow(LabelledRow):
    withheld: tuple[_HeldRow, ...]
    told: tuple[_HeldRow, ...]
    removed: _Removed | None

    @property
    def as_in_a_run(self) -> Known:
        """What the person knows."""
        gone = () if self.removed is None else (self.removed,)
        return Known(
            withheld=tuple(each.as_in_a_run for each in self.withheld),
            told=tuple(each.as_in_a_run for each in self.told),
            removed=tuple(
                Removed(Part(each.job.tool, each.job.words), each.can_do, each.facts) for each in gone
            ),
        )


class _QuestionLabel(LabelledRow):
    matched: tuple[str, ...]
    targeted: bool


class _LabelledQuestion(LabelledRow):
    """A question to the person behind `ask_human`, and what it asks for."""

    id: str
    known: _KnownRow
    question: str
    label: _QuestionLabel


def _helper_sets() -> tuple[LabelledSet, ...]:
    items = tuple(map(_question, rows(_HERE, "questions", _LabelledQuestion)))
    return (LabelledSet("helper", "questions", version_of(_HERE, "questions"), helper_prompt(), items),)


def _question(row: _LabelledQuestion) -> LabelledItem:
    known = row.known.as_in_a_run

    def problem(reply: str) -> str | None:
        return None if read_answer(known, reply) else ""

    def marks(reply: str) -> tuple[Mark, ...]:
        return tuple(_question_marks(row.label, known, reply))

    text = helper_text(known, row.question)
    return LabelledItem(row.id, (ShownMessage("user", text),), helper_schema(), problem, marks)


def _question_marks(label: _QuestionLabel, known: Known, reply: str) -> Iterator[Mark]:
    answer = read_answer(known, reply)
    yield Mark("answer", "rejected", answer is None)
    if answer is None:
        return
    right, asked = frozenset(label.matched), answer.asked or frozenset[str]()
    if right:
        yield Mark("asks for", "missed", bool(right - asked))
    yield Mark("asks for", "false pass", bool(asked - right))
    yield seen("targeted", bool(answer.targeted(known)), label.targeted)
    # What the person can give at all: values that were left out, and jobs that a person can do.
    able = {
        part.part.id
        for part in (*known.withheld, *known.removed)
        if not isinstance(part, Removed) or part.can_do
    }
    if due := right & able:
        yield Mark("gives", "missed", bool(due - answer.gave))
    yield Mark("gives", "false pass", bool(answer.gave - right))
