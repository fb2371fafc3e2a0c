"""Data in somebody's own tools: as much of every kind as can be proven, before anything is written."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from knowact.core.errors import BadUsage
from knowact.core.task import Fact
from knowact.forge.choose import Kind, Watch, candidates, stratified, supply, unwatched
from knowact.forge.drafts import Draft
from knowact.forge.recipe import Recipe, idle_of
from knowact.worlds.material import Material

VERSION: Final = "1-A"


@dataclass(frozen=True, slots=True)
class Fitted:
    """A suite's recipe for own tools.

    Attributes:
        recipe: With their world, what they yield, and a datasheet that says so.
        order: The kinds of the places that they can fill, in the suite's proportions as far as they go.
        idle: The keys of plans that can be proven, but of which no item would come: they find no partner.
    """

    recipe: Recipe
    order: Sequence[Kind]
    idle: Collection[str]


def fitted(recipe: Recipe, material: Material, seed: int, size: int, watch: Watch = unwatched) -> Fitted:
    """Fit a suite's recipe to own tools.

    Args:
        recipe: The suite's; only kinds that it knows are used.
        material: The tools, with scenarios.
        seed: Fixes what is drawn.
        size: How many are wanted.
        watch: Told how far the scenarios are drawn.

    Raises:
        BadUsage: No plan can be proven.
    """
    fitting = (
        draft
        for draft in candidates(material, seed, watch)
        if draft.kind in recipe.sizes and _sayable(draft) and recipe.fits(draft, material, seed)
    )
    there = supply(fitting, material, seed)
    if not there:
        raise BadUsage(
            f"None of the plans that the scenarios yield can be proven with the tools of {material.short!r}. "
            "'knowact tools show' says of each tool what is not known."
        )
    idle = idle_of(there, recipe, material, seed)
    kinds = Counter(draft.kind for draft in there if draft.sketch.key not in idle)
    order = stratified(_shared_out(recipe.sizes, kinds, size), size)

    def fits(draft: Draft, world: Material, seed: int) -> bool:
        return _sayable(draft) and recipe.fits(draft, world, seed)

    own = replace(
        recipe,
        fits=fits,
        world=material.name,
        version=VERSION,
        sizes=dict(Counter(order)),
        package="knowact.forge",
    )
    return Fitted(own, order, idle)


def _sayable(draft: Draft) -> bool:
    """Whether the request can leave out what is asked for: none of its own values is an answer."""
    stated = {
        str(argument.value)
        for step in draft.task.plan
        for argument in step.arguments.values()
        if argument.origin == "query"
    }
    return not any(stated.issuperset(_entries(fact)) for fact in draft.task.facts)


def _entries(fact: Fact) -> tuple[str, ...]:
    return fact.value if isinstance(fact.value, tuple) else (str(fact.value),)


def _shared_out(sizes: Mapping[Kind, int], there: Counter[Kind], size: int) -> dict[Kind, int]:
    """Deal places out, each to the kind that lags most behind its share and has some left."""
    dealt: Counter[Kind] = Counter()
    for _ in range(min(size, there.total())):
        left = [kind for kind in there if dealt[kind] < there[kind]]
        dealt[min(left, key=lambda kind: ((dealt[kind] + 1) / sizes[kind], kind))] += 1
    return dict(dealt)
