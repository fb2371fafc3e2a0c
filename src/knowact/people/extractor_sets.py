"""The labelled sets that measure an extractor: facts, limits, inventions."""

from collections.abc import Callable, Iterator
from typing import Final, Literal, TypeVar

from knowact.core.model import Noun
from knowact.core.task import Fact
from knowact.people.calibration import (
    LabelledItem,
    LabelledSet,
    Mark,
    Message,
    rows,
    seen,
    version_of,
)
from knowact.people.extractor import extraction_prompt, extraction_text, repair_text
from knowact.people.labelled_parts import Missing
from knowact.reading.answer_form import ELSE, AnswerForm, Results
from knowact.reading.json_text import last_object

EXTRACTOR: Final = "extractor"
READING: Final = "knowact.reading"
"""The package that has labelled replies."""

NO_REQUEST: Final = "(not shown)"
"""What stands for the user's words where a set has none."""


class Replied(Noun):
    """A labelled reply."""

    id: str
    kind: str
    language: str
    reply: str
    why: str


class Claim(Replied):
    """A reply that states all of some facts, or not."""

    facts: tuple[Fact, ...]
    label: bool


class About(Noun):
    """What several items of `limits` and `reasons` are about."""

    id: str
    item: str
    said: tuple[str, ...]
    missing: Missing


class LimitsLabel(Noun):
    """What a reply says of limits."""

    admits: bool
    names: Literal["fits", "wrong", "none"]
    asks: bool
    assumes: bool
    doubts: bool


class LimitsReply(Replied):
    """A reply that says something of limits."""

    about: str
    label: LimitsLabel


class InventionAbout(Noun):
    """A fact that could not be known."""

    id: str
    item: str
    request: str
    fact: Fact
    known: tuple[Fact, ...]


class Invention(Replied):
    """A reply that states a value for such a fact, or not."""

    about: str
    label: bool


def extractor_sets() -> tuple[LabelledSet, ...]:
    """Every set that measures the role `extractor`."""
    return (
        form_set("claims", Claim, _claim),
        form_set("claims_fresh", Claim, _claim),
        form_set("claims_probes", Claim, _claim),
        _limits(),
        _inventions(),
    )


R = TypeVar("R", bound=Replied)


def form_set(
    name: str,
    shape: type[R],
    made: Callable[[R], LabelledItem],
    *beside: str,
    keep: Callable[[R], bool] = lambda one: bool(one.reply.strip()),
) -> LabelledSet:
    """A set of replies whose forms are filled.

    Args:
        name: The file in this package's readers' folder.
        shape: Of its rows.
        made: Makes an item of a row.
        beside: Further files that the items rest on.
        keep: Which rows are asked about; those with words by default, as in a run.
    """
    items = tuple(made(one) for one in rows(READING, name, shape) if keep(one))
    return LabelledSet(EXTRACTOR, name, version_of(READING, name, *beside), extraction_prompt(), items)


def form_item(
    one: Replied, form: AnswerForm, request: str, marks: Callable[[Results], Iterator[Mark]]
) -> LabelledItem:
    """An item that is answered by a filled form; an invalid one is rejected, and counts nowhere else."""

    def results(reply: str) -> Results:
        return form.score(one.reply, last_object(reply, whole=True))

    def problem(reply: str) -> str | None:
        found = results(reply)
        return None if found.valid else repair_text(found)

    def held(reply: str) -> tuple[Mark, ...]:
        found = results(reply)
        rejected = Mark("form", "rejected", not found.valid)
        # What an invalid form says is not scored in a run either.
        return (rejected, *marks(found)) if found.valid else (rejected,)

    text = extraction_text(form, request, one.reply)
    return LabelledItem(one.id, (Message("user", text),), form.schema(), problem, held)


def _claim(one: Claim) -> LabelledItem:
    kind = one.facts[0].kind if len(one.facts) == 1 else "several"

    def marks(found: Results) -> Iterator[Mark]:
        return (seen(name, found.passed, one.label) for name in ("facts", f"facts: {kind}"))

    return form_item(one, AnswerForm.from_facts(one.facts), NO_REQUEST, marks)


def abouts() -> dict[str, About]:
    """What the items of `limits` and `reasons` are about, by id."""
    return {one.id: one for one in rows(READING, "abouts", About)}


def _limits() -> LabelledSet:
    known = abouts()

    def made(one: LimitsReply) -> LabelledItem:
        about = known[one.about]
        form = AnswerForm.from_facts((), about.missing.parts, shuffle=one.about)

        def marks(found: Results) -> Iterator[Mark]:
            names = _named(found)
            yield seen("names what lacks", names == "fits", one.label.names == "fits")
            yield seen("names what is there", names == "wrong", one.label.names == "wrong")
            yield seen("asked", bool(found.did("asked")), one.label.asks)
            yield seen("could not", bool(found.did("could_not")), one.label.admits)
            yield seen("assumed", bool(found.did("assumed")), one.label.assumes)

        return form_item(one, form, "\n".join(about.said), marks)

    return form_set("limits", LimitsReply, made, "abouts")


def _named(found: Results) -> str:
    """Whether a reply speaks of what is missing (`fits`), of other things only (`wrong`), or of nothing."""
    names = {part.id for part in found.parts if part.acts}
    if any(name.startswith("m") for name in names):
        return "fits"
    return "wrong" if any(name == ELSE or name.startswith("t") for name in names) else "none"


def _inventions() -> LabelledSet:
    known = {one.id: one for one in rows(READING, "inventions_about", InventionAbout)}

    def made(one: Invention) -> LabelledItem:
        about = known[one.about]

        def marks(found: Results) -> Iterator[Mark]:
            return iter((seen("invented", gives_a_value(found), one.label),))

        return form_item(one, AnswerForm.from_facts([about.fact]), about.request, marks)

    return form_set("inventions", Invention, made, "inventions_about")


def gives_a_value(found: Results) -> bool:
    """Whether a reply gives any value for a fact, right or wrong, hedged or among rivals."""
    return any(slot.state in {"right", "wrong", "hedged", "rivals"} for slot in found.slots)
