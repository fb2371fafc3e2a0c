"""`fail-talms/everyday`: how many items of which setting, and how base items are made and chosen.

Spec fail-talms.md, section 4: 575 requests; 599 variants with a value withheld, of 270 of them, one to five
each; 261 and 314 with a tool removed whose job a person could do, or could not.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from knowact.core.proof import Possibility, prove_withheld
from knowact.core.seeds import generator
from knowact.core.task import Task
from knowact.retrieval.duplicates import without_duplicates
from knowact.suites.fail_talms.layout import Split
from version_1 import bind
from version_1.compose import Book, NoWords
from version_1.draw import Said, draw
from version_1.fail_talms.marked import Marked, Slot, marked
from version_1.fail_talms.pairs import Pair, PairSampler, shares
from version_1.fail_talms.withhold import says
from version_1.freeze import NoFact, frozen
from version_1.parts import Part, carried_out
from version_1.proofs import BY_NAME, unproven, unproven_in_a_crowd
from version_1.vague import vague
from version_1.words import Register

GENERATOR: Final = "knowact forge fail-talms 1"
SIZES: Final[Mapping[Split, int]] = {
    Split.PERFECT: 575,
    Split.UNDER_SPECIFIED: 599,
    Split.REPLACEABLE: 261,
    Split.NON_REPLACEABLE: 314,
    Split.NO_TOOLS: 575,
}
BASES_WITH_VARIANTS: Final = 270
MOST_VARIANTS: Final = 5
_SURPLUS: Final = 1.3
"""So many candidates are made for each base item that is kept."""
_TRIES: Final = 400
"""Draws per candidate that is wanted, before the recipe gives up."""
_TONES: Final[Mapping[Register, float]] = {"terse": 0.18, "chatty": 0.36, "formal": 0.23, "story": 0.23}
_MOST_FACTS: Final = 5
_LONGEST: Final = 90
"""Words in a query: longer ones read like a form."""
_DRAWS: Final = 30
_FEWEST_OTHERS: Final = 3
"""A parameter with fewer other values is never withheld."""
_ALIKE: Final = 0.7
"""Candidates with a MinHash similarity above this are one too many."""


@dataclass(frozen=True, slots=True)
class Base:
    """A base item, with what is needed to put it otherwise.

    Attributes:
        task: Complete; its opening says everything.
        category: Of both tools.
        pair: The tools.
        parts: The plan, carried out.
        marked: The request with marks.
        slots: The arguments in whose place a phrase can stand, and without whose value part of the task is
            impossible.
    """

    task: Task
    category: str
    pair: Pair
    parts: tuple[Part, ...]
    marked: Marked
    slots: tuple[Slot, ...]

    def said(self, slot: Slot) -> Said:
        """The value of an argument and the words for it."""
        return self.marked.said[slot]


def sizes(share: float) -> dict[Split, int]:
    """Return how many items of each setting there are, at a share of the paper's sizes."""
    perfect = max(len(shares(1)), round(SIZES[Split.PERFECT] * share))
    replaceable = round(SIZES[Split.REPLACEABLE] * perfect / SIZES[Split.PERFECT])
    return {
        Split.PERFECT: perfect,
        Split.UNDER_SPECIFIED: round(SIZES[Split.UNDER_SPECIFIED] * perfect / SIZES[Split.PERFECT]),
        Split.REPLACEABLE: replaceable,
        Split.NON_REPLACEABLE: perfect - replaceable,
        Split.NO_TOOLS: perfect,
    }


def bases(seed: int, wanted: int, watch: Callable[[int, int], None]) -> list[Base]:
    """Make so many base items, by category and number.

    Raises:
        ValueError: The phrasings do not suffice for so many.
    """
    maker = _Maker(seed)
    quotas = shares(wanted)
    pools: list[Base] = []
    for category, quota in quotas.items():
        for base in maker.make(category, int(quota * _SURPLUS) + 2):
            pools.append(base)
            watch(min(len(pools), wanted), wanted + wanted // 4)
    kept = without_duplicates([base.task.opening.text for base in pools], _ALIKE)
    found: list[Base] = []
    for category, quota in quotas.items():
        fitting = [pools[place] for place in kept.indices if pools[place].category == category]
        if len(fitting) < quota:
            raise ValueError(f"{len(fitting)} different requests of {category}, but {quota} are wanted")
        chosen = sorted(generator(seed, "choose", category).sample(range(len(fitting)), quota))
        found += [_named(fitting[place], number) for number, place in enumerate(chosen, start=1)]
    return found


def _named(base: Base, number: int) -> Base:
    name = f"{base.category.lower()}-{number:03}"
    task = base.task.model_copy(update={"id": name, "cluster": name})
    return Base(task, base.category, base.pair, base.parts, base.marked, base.slots)


class _Maker:
    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._book = Book()
        self._sampler = PairSampler(generator(seed, "pairs"))
        self.refused: Counter[str] = Counter()

    def make(self, category: str, count: int) -> Iterator[Base]:
        """Yield so many proven base items of a category."""
        made = 0
        for turn in range(count * _TRIES):
            base = self._one(category, generator(self._seed, "base", category, turn))
            if base is not None:
                yield base
                made += 1
            if made == count:
                return
        reasons = ", ".join(f"{why} ({n})" for why, n in self.refused.most_common(3))
        raise ValueError(f"only {made} of {count} candidates for {category}; refused: {reasons}")

    def _one(self, category: str, rng: random.Random) -> Base | None:
        sketches, pair = self._sampler.sketch(category)
        parts = carried_out(sketches, rng, self._seed)
        if parts is None:
            return self._refuse("no plan")
        tone = rng.choices(list(_TONES), list(_TONES.values()))[0]
        try:
            with_marks = marked(parts, tone, rng, self._book)
            provenance = {"generator": GENERATOR, "seed": self._seed, "register": tone}
            task = frozen(parts, with_marks.composed, "base", {**provenance}, rng)
        except (NoWords, NoFact) as error:
            return self._refuse(type(error).__name__)
        if (
            sum(len(step.wants) for step in task.plan) > _MOST_FACTS
            or len(task.opening.text.split()) > _LONGEST
        ):
            return self._refuse("too long")
        slots = tuple(slot for slot in with_marks.said if _can_be_withheld(task, parts, with_marks, slot))
        if not slots:
            return self._refuse("nothing to withhold")
        if complaint := unproven(task, self._seed) or unproven_in_a_crowd(task):
            return self._refuse(complaint)
        self._sampler.note(pair)
        self._book.used.update(with_marks.composed.phrasings)
        return Base(task, category, pair, parts, with_marks, slots)

    def _refuse(self, why: str) -> None:
        self.refused[why] += 1


def _can_be_withheld(task: Task, parts: tuple[Part, ...], text: Marked, slot: Slot) -> bool:
    """Whether a phrase can take the place of an argument's value, and the value is then really gone."""
    part = parts[slot.step]
    entry = vague().get((part.tool, slot.parameter))
    if entry is None or not part.external or not text.replaceable(slot):
        return False
    shown = text.filled({slot: entry.phrases[0]})
    if says(shown, text.said[slot]):
        return False
    if not says_what_is_fixed(part, shown) or not _has_others(task, part, slot.parameter):
        return False
    return prove_withheld(task, BY_NAME, slot.step, slot.parameter).possibility is not Possibility.POSSIBLE


def _has_others(task: Task, part: Part, parameter: str) -> bool:
    """Whether enough other values can be drawn for sentences about other phrases."""
    rng = generator(0, "others", part.tool, parameter)
    how, say = part.variant.draw[parameter], part.words.say_of(part.variant, parameter)
    others = {
        said.words
        for said in (draw(how, bind.TODAY, rng, say) for _ in range(_DRAWS))
        if all(said.value != argument.value for step in task.plan for argument in step.arguments.values())
        and said.words.casefold() not in task.opening.text.casefold()
    }
    return len(others) >= _FEWEST_OTHERS


def says_what_is_fixed(part: Part, shown: str) -> bool:
    """Whether a request still says the arguments that the wording itself says ("my note")."""
    text = shown.casefold()
    return all(
        not fixed.said or any(form.casefold() in text or _noun(form) in text for form in fixed.said)
        for fixed in part.variant.fixed.values()
    )


def _noun(form: str) -> str:
    """The kind of thing that a form names: "note" for "my note"."""
    return f" {form.casefold().removeprefix('my ')} "
