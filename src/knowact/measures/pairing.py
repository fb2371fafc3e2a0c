"""What may stand beside each other: the one rule for every number that compares or pools runs.

Runs are compared if they are of the same suite, on the same data, and differ in nothing but what is compared:
the model, or one treatment (validity.md, section 5). Their trials are pairs if they are of the same item,
condition and epoch, and the item says the same in both. An id alone makes no pair: data of another seed have
the same ids.
"""

import json
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Final

from knowact.core.errors import BadUsage
from knowact.core.record import Record
from knowact.core.rounding import count
from knowact.core.table import DatasetInfo, Run
from knowact.measures.paired import TRIAL

AMOUNT: Final = frozenset({"limit", "trials"})
"""Options that say how much is asked, not what: pairing by trial takes care of them."""

BUDGETS: Final = ("reasoning_tokens", "reasoning_effort", "max_tokens")
"""Settings that limit what a model may think or write; together they are one treatment."""

MODEL: Final = "model"
"""A factor like any option."""

NAMED: Final = 3
"""A sentence names at most this many items, and counts the others."""


def data_names(found: Iterable[DatasetInfo]) -> dict[DatasetInfo, str]:
    """Name data sets so that no two are alike: name and version, and the hash where only that differs."""
    infos = list(dict.fromkeys(found))
    plain = {info: f"{info.name}@{info.version}" if info.version else info.name for info in infos}
    names = [*plain.values()]
    return {
        info: name if names.count(name) == 1 else f"{name} (sha256 {info.sha256[:8]})"
        for info, name in plain.items()
    }


def alike_but_for(
    factors: Collection[str], runs: Sequence[Run], amount: Collection[str] = ()
) -> list[list[Run]]:
    """Put runs together that differ in nothing but some factors, and in how much was asked.

    Args:
        factors: What they may differ in: names of options and of roles, or `MODEL`.
        runs: Of any suites.
        amount: Options of `AMOUNT` in which they may not differ, for numbers that are not paired by trial.
    """
    free = {"data", *AMOUNT.difference(amount), *factors}  # data are told by their hash
    found: dict[str, list[Run]] = {}
    for run in runs:
        data = run.dataset
        same = [
            *(run.suite, data.name, data.version, data.sha256),
            "" if MODEL in factors else run.model,
            {name: value for name, value in run.options.items() if name not in free},
            {role: models for role, models in run.roles.items() if role not in free},
        ]
        found.setdefault(json.dumps(same, sort_keys=True, default=str), []).append(run)
    return [*found.values()]


def run_pairs(
    factors: Collection[str], runs: Sequence[Run], untreated: Callable[[Run], bool]
) -> Iterator[tuple[Run, Run]]:
    """Yield each treated run behind the untreated one that differs from it in nothing but the factors.

    Of several untreated ones (how much they ask may differ) it is the one with most trials of the treated
    run, of equals the one begun first.

    Args:
        factors: What is compared, as for `alike_but_for`.
        runs: In the order begun.
        untreated: Whether a run is held against, not compared.
    """
    for family in alike_but_for(factors, runs):
        plain = [run for run in family if untreated(run)]
        for run in family:
            if plain and not untreated(run):
                yield nearest(run, plain), run


def nearest(run: Run, others: Sequence[Run]) -> Run:
    """The run with most trials of another run; of equals one that asks as much, then the first."""
    if len(others) == 1:
        return others[0]
    trials = {(record.item, record.epoch) for record in run.records}

    def near(other: Run) -> tuple[int, bool]:
        shared = len(trials & {(record.item, record.epoch) for record in other.records})
        return shared, all(other.options.get(name) == run.options.get(name) for name in AMOUNT)

    return max(others, key=near)


def usual_run(runs: Sequence[Run], usual: Mapping[str, object], first: Sequence[str] = ()) -> Run:
    """Of several runs the one with the fewest options changed, of equals the one begun first.

    Engine settings and data that are not the usual ones are changes, how much is asked is none.

    Args:
        runs: In the order begun.
        usual: The usual value of each option.
        first: Options whose change weighs more than that of all others.
    """

    def changed(run: Run) -> tuple[int, int]:
        data = {"data": f"{run.dataset.name}@{run.dataset.version}"} if "data" in usual else {}
        given = {**run.options, **data}
        names = [
            name for name, value in usual.items() if name not in AMOUNT and given.get(name, value) != value
        ]
        return sum(name in first for name in names), len(names) + len({*run.settings} - {*usual})

    return min(runs, key=changed)


def trial_of(a: Run, b: Run) -> tuple[str, ...]:
    """Return the fields of a record that name a trial in both runs.

    Runs under one condition each, and not the same one (clean against distractors), are paired without it.
    """
    conditions = [{record.condition for record in run.records} for run in (a, b)]
    single = all(len(names) == 1 for names in conditions)
    if single and conditions[0] != conditions[1]:
        return tuple(part for part in TRIAL if part != "condition")
    return TRIAL


@dataclass(frozen=True, slots=True)
class Sides:
    """Two runs without the trials that only look alike.

    Attributes:
        trial: The fields of a record that name a trial in both. changed: Items that both runs have under one
        id, but that do not say the same; neither run has them here.
    """

    first: Run
    second: Run
    trial: tuple[str, ...]
    changed: tuple[str, ...] = ()

    @property
    def note(self) -> str:
        """What was left out, in a sentence; empty for nothing."""
        if not self.changed:
            return ""
        return f"Left out, because they were edited between the runs: {_listed(self.changed)}."


def sides(a: Run, b: Run) -> Sides:
    """Two runs as they can be compared, trial by trial.

    Data with the same hash are the same. Where a data set of one name and version was edited, those items are
    compared that say the same in both.

    Raises:
        BadUsage: The runs are on different data, or it cannot be known which items are the same.
    """
    trial = trial_of(a, b)
    one, other = a.dataset, b.dataset
    if (one.name, one.version) != (other.name, other.version):
        names = data_names((one, other))
        raise BadUsage(
            f"{a.id!r} is on {names[one]}, {b.id!r} on {names[other]}: items of different data are different "
            "items, whatever their ids. Compare runs on the same data set and version."
        )
    if one.sha256 and one.sha256 == other.sha256:
        return Sides(a, b, trial)
    known = [_contents(run) for run in (a, b)]
    shared = known[0].keys() & known[1].keys()
    silent = any("" in contents[item] for contents in known for item in shared)
    if silent and one.sha256 == other.sha256:  # data without a hash, and logs without contents
        return Sides(a, b, trial)
    if silent:
        raise BadUsage(
            f"{one.name}@{one.version} was edited between {a.id!r} and {b.id!r} (sha256 {one.sha256[:8]} and "
            f"{other.sha256[:8]}), and a log that an earlier version of knowact wrote does not say what its "
            "items hold: which of them are still the same cannot be known. Run both again on the same files."
        )
    changed = tuple(sorted(item for item in shared if known[0][item] != known[1][item]))
    if shared and len(changed) == len(shared):
        raise BadUsage(
            f"{one.name}@{one.version} was edited between {a.id!r} and {b.id!r}, and no item is what it was "
            f"({_listed(changed)}). Run both on the same files."
        )
    return Sides(_without(a, changed), _without(b, changed), trial, changed)


def _contents(run: Run) -> dict[str, frozenset[str]]:
    """What each item holds: a hash for each of its versions, empty where the log does not say it."""
    found: dict[str, set[str]] = {}
    for record in run.records:
        found.setdefault(record.item, set()).add(record.content)
    return {item: frozenset(contents) for item, contents in found.items()}


def _without(run: Run, items: Collection[str]) -> Run:
    left_out = frozenset(items)
    return replace(run, records=[one for one in run.records if one.item not in left_out]) if items else run


def _listed(items: Sequence[str]) -> str:
    more = len(items) - NAMED
    named = ", ".join(map(repr, items[:NAMED]))
    return f"{count(len(items), 'item')}: {named}{f' and {more:,} more' if more > 0 else ''}"


def item_sets(
    found: Sequence[tuple[Run, Mapping[str, str], Sequence[Record]]],
) -> list[tuple[dict[str, str], list[Record]]]:
    """Each set of items that runs were asked, once, with row heads that tell the sets apart.

    For numbers that are facts about items (what a constant policy gets on them): one record stands for each
    item and condition, as if it were of the first trial. Which trial's record it is hangs on the order in
    which trials ended, and pairs are of one trial.

    Args:
        found: Runs with what else belongs into a row head, and with records of theirs that no failure of the
            run spoilt.
    """
    kept: dict[Hashable, tuple[DatasetInfo, dict[str, str], list[Record]]] = {}
    for run, keys, records in found:
        items = {(record.item, record.condition): record for record in reversed(records)}
        here = (run.dataset, tuple(keys.items()), frozenset(items))
        if items and here not in kept:
            stand_ins = [replace(record, epoch=1) for record in reversed(items.values())]
            kept[here] = run.dataset, dict(keys), stand_ins
    names = data_names(info for info, _, _ in kept.values())
    several = len(names) > 1
    headed = [(keys | ({"data": names[info]} if several else {}), some) for info, keys, some in kept.values()]
    for _, alike in groupby(
        sorted(headed, key=lambda one: [*one[0].items()]), key=lambda one: [*one[0].items()]
    ):
        sets = list(alike)
        sizes = [len(records) for _, records in sets]
        for place, (keys, records) in enumerate(sets) if len(sets) > 1 else ():
            same = sizes[:place].count(len(records))
            keys["items"] = f"{len(records):,}" + (f" ({same + 1})" if same else "")
    return headed
