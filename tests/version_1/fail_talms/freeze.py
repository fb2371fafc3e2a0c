"""What each setting makes of a base item, frozen.

*Crossed twins* (validity.md, section 4). A phrase that stands for a value ("the day we agreed on") occurs in
complete and in incomplete queries alike, and so does a sentence that says what some phrase means: in
complete ones it is the phrase of the query, in incomplete ones another. Where that sentence is an earlier
remark, both queries are equal letter for letter. A tool that is missing is replaced by one with which the
remaining one is complete for other queries.
"""

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from knowact.conditions.removal import no_tools
from knowact.core.condition import CLEAN, Add, Condition, Hide
from knowact.core.proof import Possibility, prove_task, prove_withheld, values_at
from knowact.core.task import Fact
from knowact.core.world import Call
from knowact.suites.fail_talms.cases import Case, Default, Missing, References
from knowact.suites.fail_talms.layout import Split
from knowact.worlds.everyday import EverydayWorld
from knowact.worlds.everyday.catalogue import OPERATIONS
from version_1 import bind
from version_1.draw import Said
from version_1.fail_talms.marked import Slot, changed_sentence
from version_1.fail_talms.pairs import by_human
from version_1.fail_talms.recipe import Base, says_what_is_fixed
from version_1.fail_talms.told import (
    Shape,
    Shown,
    Teller,
    beside_the_point,
    entry_of,
    shape_of,
    tell,
)
from version_1.fail_talms.withhold import says
from version_1.freeze import NoFact, frozen
from version_1.links import rivals, searchable
from version_1.parts import Part
from version_1.proofs import BY_NAME, leak
from version_1.vague import Vague

_PLAIN: Final = 0.08
"""So many perfect queries say everything in its place."""
_SPARE: Final = 0.05
"""So many do, and have such sentences about phrases that do not occur."""
_BARE: Final = 0.06
"""So many under-specified queries have a phrase, and nothing that says what any means."""
_LEFT_OUT: Final = 0.9
"""How often a value is left out where its slot allows it."""
_LEFT_OUT_FIRST: Final = 0.6
"""How often in the place of the crossed twin."""
HOME: Final = "Utrecht"


def perfect(base: Base, rng: random.Random) -> tuple[Case, Shape]:
    """Make the perfect case: everything can be had, though not always in its place."""
    shape = shape_of(base, rng.choice(base.slots), rng)
    turn = rng.random()
    if turn < _PLAIN:
        shown = Shown(base.task.opening.text)
    elif turn < _PLAIN + _SPARE:
        shown = Shown(base.task.opening.text)
        tell(shown, shape, beside_the_point(base, shape, rng), rng)
    else:
        shown = Shown(base.marked.filled({shape.slot: shape.phrase}))
        teller = Teller(base, shape, rng)
        told = [teller.own()] if shape.alone else [teller.own(), teller.other(holds=False)]
        tell(shown, shape, told, rng)
    case = _case(base, Split.PERFECT, "", shown)
    return case, shape


def under_specified(
    base: Base, rng: random.Random, seed: int, shape: Shape | None = None, earlier: Sequence[Case] = ()
) -> Case | None:
    """Withhold one value.

    Args:
        base: The item.
        rng: For every choice.
        seed: The world's.
        shape: That of the perfect case, for its crossed twin; else one is drawn.
        earlier: The base's variants so far; no value is left out twice.

    Returns:
        None where the draw led nowhere.
    """
    unsaid = [case.missing.parameter for case in earlier if case.missing and case.missing.default]
    open_slots = [slot for slot in may_go_unsaid(base) if slot.parameter not in unsaid]
    number = len(earlier) + 1
    leave_out = bool(open_slots) and rng.random() < (_LEFT_OUT if shape is None else _LEFT_OUT_FIRST)
    if leave_out and (case := _left_out(base, number, rng.choice(open_slots), seed)):
        return case
    shape = shape or shape_of(base, rng.choice(base.slots), rng)
    slot = shape.slot
    text = base.marked.filled({slot: shape.phrase})
    shown = Shown(text)
    if rng.random() >= _BARE or shape.where == "remark":
        tell(shown, shape, beside_the_point(base, shape, rng), rng)
    before, after = changed_sentence(base.task.opening.text, text)
    missing = _missing_value(base, slot, before, after).model_copy(
        update={"how": "phrase", "phrase": shape.phrase}
    )
    return _withheld(base, number, missing, shown)


def may_go_unsaid(base: Base) -> list[Slot]:
    """Return the slots whose value can be left out, and where people would then fill in a default.

    Not inside a story, whose town is not the reader's; nor where another town or day is said, which would
    rather be filled in.
    """
    return [
        slot
        for slot in base.slots
        if f"{base.parts[slot.step].tool}.{slot.parameter}" in entry_of(base, slot).left_out
        and _flows(base).count(entry_of(base, slot).type) == 1
        and not _in_a_story(base, base.parts[slot.step].tool)
        and base.marked.without(slot)
    ]


def _flows(base: Base) -> list[str]:
    """The data-flow types of everything that a request says."""
    return [OPERATIONS[part.tool].takes.get(name, "") for part in base.parts for name in part.bound]


def _in_a_story(base: Base, tool: str) -> bool:
    tells = base.task.provenance["register"] in {"story", "chatty"}
    return tells and any(
        name.startswith(f"{tool}/") and "/ask " in name for name in base.marked.composed.phrasings
    )


def _left_out(base: Base, number: int, slot: Slot, seed: int) -> Case | None:
    """Say nothing in a value's place, where people would fill one in."""
    entry = entry_of(base, slot)
    text = base.marked.without(slot)
    said = _default(entry)
    facts = _facts_with(base, slot, said, seed)
    if said.value == base.said(slot).value or facts is None or _values(facts) == _values(base.task.facts):
        return None
    before, after = changed_sentence(base.task.opening.text, text)
    missing = _missing_value(base, slot, before, after).model_copy(
        update={"how": "left_out", "default": Default(value=said.value, words=said.words)}
    )
    references = References(own=base.task.facts, default=facts)
    return _withheld(base, number, missing, Shown(text), references)


def _missing_value(base: Base, slot: Slot, before: str, after: str) -> Missing:
    said = base.said(slot)
    return Missing(
        kind="value",
        tool=base.parts[slot.step].tool,
        step=slot.step,
        parameter=slot.parameter,
        value=said.value,
        words=said.words,
        before=before,
        after=after,
        how="left_out",
    )


def _withheld(
    base: Base, number: int, missing: Missing, shown: Shown, references: References | None = None
) -> Case | None:
    assert missing.step is not None
    proof = prove_withheld(
        base.task, BY_NAME, missing.step, missing.parameter, [one.value for one in shown.told]
    )
    said = base.said(Slot(missing.step, missing.parameter))
    messages = " ".join((*shown.remarks, shown.query))
    if proof.possibility is Possibility.POSSIBLE or says(messages, said):
        return None
    if not says_what_is_fixed(base.parts[missing.step], messages) or leak(messages):
        return None
    withheld = f"value:{missing.tool}.{missing.parameter}"
    condition = Condition(name="under-specified", withheld=(withheld,))
    return _case(
        base,
        Split.UNDER_SPECIFIED,
        f".u{number}",
        shown,
        condition=condition,
        possibility=proof.possibility,
        missing=missing,
        references=references,
    )


def _default(entry: Vague) -> Said:
    if entry.default == "today":
        return Said(bind.TODAY.isoformat(), "today", "today", "context")
    return Said(HOME, HOME, HOME, "context")


def _values(facts: Sequence[Fact]) -> list[Any]:
    return [fact.value for fact in facts]


def _facts_with(base: Base, slot: Slot, said: Said, seed: int) -> tuple[Fact, ...] | None:
    """Carry the plan out with another value, and return what comes out; None where it is refused."""
    session = EverydayWorld().open({}, seed)
    parts: list[Part] = []
    for number, part in enumerate(base.parts):
        bound = dict(part.bound)
        if number == slot.step:
            bound[slot.parameter] = said
        for name, source in part.links.items():
            found = values_at(parts[source.part].result, source.field)
            if len(found) != 1:
                return None
            bound[name] = replace(bound[name], value=found[0])
        seen = session.call(Call(part.tool, {name: one.value for name, one in bound.items()}))
        if seen.problem is not None:
            return None
        parts.append(replace(part, bound=bound, result=seen.value))
    try:
        return frozen(parts, base.marked.composed, "default", {}, random.Random(0)).facts
    except NoFact:
        return None


def unavailable(base: Base, hidden: str, instead: str, rng: random.Random, shown: Case) -> Case | None:
    """Hide one of the two tools and put another of the category in its place; the text stays that of `shown`.

    Returns:
        None where the task is still possible though it should not be.
    """
    step = next(one for one in base.task.plan if one.tool == hidden)
    order = [*(name for name in base.task.offered if name != hidden), instead]
    rng.shuffle(order)
    condition = Condition(
        name="unavailable",
        changes=(Hide(tool=hidden), Add(tool=instead)),
        order=tuple(order),
        withheld=(f"tool:{hidden}",),
    )
    verdict = prove_task(base.task, BY_NAME, condition).possibility
    if (verdict is Possibility.POSSIBLE) is step.external:
        return None
    setting = Split.REPLACEABLE if by_human(hidden) else Split.NON_REPLACEABLE
    text = Shown(shown.query, list(shown.remarks), list(shown.told))
    case = _case(
        base,
        setting,
        ".r" if setting is Split.REPLACEABLE else ".n",
        text,
        condition=condition,
        possibility=verdict,
        missing=Missing(kind="tool", tool=hidden),
    )
    return case.model_copy(update={"by_model": not step.external}) if setting is Split.REPLACEABLE else case


def can_take_the_place(base: Base, hidden: str, instead: str) -> bool:
    """Whether a tool may be put in another's place: it cannot do its job, nor any other's that is needed."""
    if instead in base.task.offered or instead in base.task.stand_ins or rivals(hidden, instead):
        return False
    if searchable(hidden, instead):
        return False
    return not any(rivals(tool, instead) for tool in base.task.required)


def without_tools(base: Base, shown: Case) -> Case:
    """Offer nothing; the text stays that of `shown`."""
    condition = no_tools(base.task)
    verdict = prove_task(base.task, BY_NAME, condition).possibility
    text = Shown(shown.query, list(shown.remarks), list(shown.told))
    return _case(base, Split.NO_TOOLS, ".x", text, condition=condition, possibility=verdict)


def _case(
    base: Base,
    setting: Split,
    suffix: str,
    shown: Shown,
    *,
    condition: Condition = CLEAN,
    possibility: Possibility = Possibility.POSSIBLE,
    missing: Missing | None = None,
    references: References | None = None,
) -> Case:
    by_model = False if setting is Split.REPLACEABLE else None
    return Case(
        id=f"{base.task.id}{suffix}",
        setting=setting,
        category=base.category,
        task=base.task,
        query=shown.query,
        remarks=tuple(shown.remarks),
        condition=condition,
        possibility=possibility,
        missing=missing,
        cluster=base.task.id,
        told=tuple(shown.told),
        by_model=by_model,
        references=references,
    )
