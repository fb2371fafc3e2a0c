"""The plan of the data set: which base item gets which cases, so that crossed twins come out even."""

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from knowact.core.seeds import generator
from knowact.forge.choose import interleaved
from knowact.suites.fail_talms.cases import Case
from knowact.suites.fail_talms.layout import UNAVAILABLE, Split
from knowact.worlds.everyday.catalogue import OPERATIONS
from version_1.fail_talms import freeze
from version_1.fail_talms.freeze import Shape
from version_1.fail_talms.pairs import by_human
from version_1.fail_talms.recipe import (
    BASES_WITH_VARIANTS,
    MOST_VARIANTS,
    SIZES,
    Base,
    bases,
    sizes,
)
from version_1.proofs import leak

_TRIES: Final = 60
_VARIANTS: Final[Mapping[int, int]] = {1: 4, 2: 5, 3: 4, 4: 2, 5: 1}
"""How many bases have how many variants, about: most often one to three, as in the published data."""


@dataclass(frozen=True, slots=True)
class Removal:
    """A way to make a base item's tool unavailable."""

    hidden: str
    instead: tuple[str, ...]
    setting: Split


def cases(seed: int, share: float, watch: Callable[[int, int], None]) -> list[Case]:
    """Make a data set: every setting, in stratified order.

    Raises:
        ValueError: The phrasings do not suffice for so many items.
    """
    wanted = sizes(share)
    made = bases(seed, wanted[Split.PERFECT], watch)
    complete: dict[str, tuple[Case, Shape]] = {}
    for base in made:
        case, shape = freeze.perfect(base, generator(seed, "perfect", base.task.id))
        if complaint := leak(" ".join(case.messages)):
            raise ValueError(f"{case.id}: {complaint}")
        complete[base.task.id] = case, shape
    shown = {name: case for name, (case, _) in complete.items()}
    found = [
        *shown.values(),
        *_under_specified(made, complete, wanted[Split.UNDER_SPECIFIED], seed),
        *_unavailable(made, shown, wanted[Split.REPLACEABLE], seed),
        *(freeze.without_tools(base, shown[base.task.id]) for base in made),
    ]
    watch(1, 1)
    return _ordered(found, seed)


def _under_specified(
    made: Sequence[Base], complete: Mapping[str, tuple[Case, Shape]], wanted: int, seed: int
) -> list[Case]:
    """Withhold values: one to five variants of some bases, the first the perfect case's crossed twin."""
    rng = generator(seed, "under-specified")
    count = round(BASES_WITH_VARIANTS * wanted / SIZES[Split.UNDER_SPECIFIED])
    chosen = _spread(made, max(1, count), rng)
    found: list[Case] = []
    for base, number in zip(chosen, _numbers(len(chosen), wanted, rng), strict=True):
        case, shape = complete[base.task.id]
        taken = {(case.remarks, case.query)}
        crossed = shape if any(told.resolves for told in case.told) else None
        own: list[Case] = []
        for _ in range(_TRIES):
            if len(own) == number:
                break
            shared = None if own else crossed
            variant = freeze.under_specified(base, rng, seed, shared, own)
            if variant is not None and (variant.remarks, variant.query) not in taken:
                own.append(variant)
                taken.add((variant.remarks, variant.query))
        if len(own) < number:
            raise ValueError(f"only {len(own)} of {number} variants of {base.task.opening.text!r}")
        found += own
    return found


def _spread(made: Sequence[Base], count: int, rng: random.Random) -> list[Base]:
    """Choose bases, so many of each category as its share."""
    by_category: defaultdict[str, list[Base]] = defaultdict(list)
    for base in made:
        by_category[base.category].append(base)
    for bucket in by_category.values():
        rng.shuffle(bucket)
        # Defaults are wanted, and few requests leave room for one.
        bucket.sort(key=lambda base: not freeze.may_go_unsaid(base))
    return interleaved(list(by_category.values()))[:count]


def _numbers(count: int, wanted: int, rng: random.Random) -> list[int]:
    """Share variants out: one to five each, so many in all."""
    numbers = rng.choices(list(_VARIANTS), list(_VARIANTS.values()), k=count)
    while sum(numbers) != wanted:
        step = 1 if sum(numbers) < wanted else -1
        fitting = [place for place, number in enumerate(numbers) if 1 <= number + step <= MOST_VARIANTS]
        if not fitting:
            raise ValueError(f"{count} base items cannot have {wanted} variants")
        numbers[rng.choice(fitting)] += step
    return numbers


def _unavailable(made: Sequence[Base], shown: Mapping[str, Case], replaceable: int, seed: int) -> list[Case]:
    """Take a tool from every base, and put another in its place, so that sets come as often as before."""
    sets = Counter(base.pair.tools for base in made)
    options = {base.task.id: _removals(base, set(sets)) for base in made}
    settings = _settings(made, options, replaceable, generator(seed, "settings"))
    rng = generator(seed, "unavailable")
    # Within each setting tool sets come as often as in the complete twins.
    due = Counter((settings[base.task.id], base.pair.tools) for base in made)
    tools = Counter((settings[base.task.id], tool) for base in made for tool in base.pair.tools)
    found: list[Case] = []
    order = list(made)
    rng.shuffle(order)
    for base in order:
        setting = settings[base.task.id]
        ways = [
            (removal.hidden, one)
            for removal in options[base.task.id]
            if removal.setting is setting
            for one in removal.instead
        ]
        rng.shuffle(ways)

        def shortage(way: tuple[str, str], base: Base = base, setting: Split = setting) -> tuple[int, int]:
            left = (base.pair.tools - {way[0]}) | {way[1]}
            return due[setting, left], sum(tools[setting, tool] for tool in left)

        for hidden, instead in sorted(ways, key=shortage, reverse=True):
            case = freeze.unavailable(base, hidden, instead, rng, shown[base.task.id])
            if case is not None:
                left = (base.pair.tools - {hidden}) | {instead}
                due[setting, left] -= 1
                tools.subtract((setting, tool) for tool in left)
                found.append(case)
                break
        else:
            raise ValueError(f"no tool of {base.task.opening.text!r} can be taken away")
    return found


def _removals(base: Base, sets: Collection[frozenset[str]]) -> list[Removal]:
    """Every way to take one tool away and leave a set that is complete for other queries.

    Where there is none, any tool of the category takes its place.
    """
    every = sorted({tool for one in sets for tool in one})
    crossed = _exchanges(base, lambda left: left in sets, every)
    same = [name for name, one in OPERATIONS.items() if one.tool.category == base.category]
    return crossed or _exchanges(base, lambda _left: True, same)


def _exchanges(
    base: Base, fits: Callable[[frozenset[str]], bool], candidates: Sequence[str]
) -> list[Removal]:
    found: list[Removal] = []
    for step in base.task.plan:
        hidden = step.tool
        if not step.external and not by_human(hidden):
            continue
        kept = base.pair.tools - {hidden}
        instead = tuple(
            one for one in candidates if fits(kept | {one}) and freeze.can_take_the_place(base, hidden, one)
        )
        if instead:
            setting = Split.REPLACEABLE if by_human(hidden) else Split.NON_REPLACEABLE
            found.append(Removal(hidden, instead, setting))
    return found


def _settings(
    made: Sequence[Base], options: Mapping[str, Sequence[Removal]], replaceable: int, rng: random.Random
) -> dict[str, Split]:
    """Decide which base loses a tool of which kind, so that so many are replaceable, as near as may be."""
    found: dict[str, Split] = {}
    either: list[str] = []
    for base in made:
        kinds = {removal.setting for removal in options[base.task.id]}
        if not kinds:
            raise ValueError(f"no tool of {base.task.opening.text!r} can be replaced")
        if len(kinds) == len(UNAVAILABLE):
            either.append(base.task.id)
        else:
            found[base.task.id] = next(iter(kinds))
    missing = replaceable - sum(setting is Split.REPLACEABLE for setting in found.values())
    # A small share of the data may not come out even.
    missing = min(max(missing, 0), len(either))
    rng.shuffle(either)
    return (
        found
        | dict.fromkeys(either[:missing], Split.REPLACEABLE)
        | dict.fromkeys(either[missing:], Split.NON_REPLACEABLE)
    )


def _ordered(found: Sequence[Case], seed: int) -> list[Case]:
    """Put cases into stratified order: every prefix is a fair sample of settings and categories."""
    buckets: defaultdict[tuple[str, str], list[Case]] = defaultdict(list)
    for case in found:
        buckets[case.setting.value, case.category].append(case)
    for key in sorted(buckets):
        generator(seed, "order", *key).shuffle(buckets[key])
    by_setting: defaultdict[str, list[list[Case]]] = defaultdict(list)
    for key in sorted(buckets):
        by_setting[key[0]].append(buckets[key])
    return interleaved([interleaved(by_setting[setting]) for setting in sorted(by_setting)])
