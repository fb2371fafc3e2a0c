"""Several classes, one of which is right: results of a trial, macro F1, and the tables that show them.

Suites give each item the right class as a label. A trial's results are named after the probe: whether the
class is right under the probe's own name, and one result per class ("free tool_call").
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from knowact.core.record import NOT_APPLICABLE, Answer, Record, Result, Said, Status
from knowact.core.table import Estimate, Row, Run, Supposed, Table, as_table, rows_of, supposing
from knowact.measures import intervals
from knowact.measures.clusters import SEED, Floats, numbered, profiles
from knowact.measures.limits import SHARE
from knowact.measures.run_tables import heads_of, means_table, shares_by
from knowact.measures.summary import mean_estimate, quadrant_estimates


@dataclass(frozen=True, slots=True)
class Classed:
    """One scored item.

    Attributes:
        gold: The right class.
        said: The class of the reply; "" for none of them, which misses the right one and is nobody's alarm.
        cluster: Items of one cluster are resampled together.
    """

    gold: str
    said: str
    cluster: str


def macro_f1(items: Sequence[Classed]) -> Estimate:
    """The mean of the classes' F1, with a clustered bootstrap.

    F1 of a class is 2 TP / (items of that class + items taken for it). The mean is over the classes that are
    right for some item: one that never is has nothing to find, and taking items for it costs the others.
    """
    classes = sorted({one.gold for one in items})
    if not classes:
        return Estimate(None, 0)
    rows = np.array([_row(one, classes) for one in items], float)
    found = profiles(rows, numbered([one.cluster for one in items]))
    point = float(_macro(found.totals))
    drawn = intervals.percentile(point, _macro(found.resampled(SEED)), len(items))
    return drawn or intervals.unanimous(point, len(items), found.clusters, SHARE)


def _row(one: Classed, classes: Sequence[str]) -> list[float]:
    """Twice the hit of each class, then what its F1 is divided by."""
    hits = [2.0 * (one.gold == name == one.said) for name in classes]
    return [*hits, *(float(one.gold == name) + float(one.said == name) for name in classes)]


def _macro(totals: Floats) -> Floats:
    """Over the leading index; a draw that holds no item of a class leaves that class out."""
    hits, sizes = np.split(totals, 2, axis=-1)
    shares = np.where(sizes > 0, hits / np.where(sizes > 0, sizes, 1.0), np.nan)
    return np.nanmean(shares, axis=-1)


def classed(records: Sequence[Record], probe: str, label: str, classes: Sequence[str]) -> list[Classed]:
    """The scored items of one probe; `label` names the label that holds the right class."""
    return [
        Classed(
            one.labels[label],
            next((name for name in classes if one.value(f"{probe} {name}") == 1), ""),
            one.cluster,
        )
        for one in records
        if one.scored and not math.isnan(one.value(probe))
    ]


def restraint(
    records: Sequence[Record], probe: str, label: str, call: str, restrained: Sequence[str]
) -> list[Answer]:
    """Calls against restraint: items for which one of both is right.

    None where nobody was asked to judge some reply: calls are seen without a judge, so that what is left
    would be no fair sample.

    Args:
        records: With the label `pair`.
        probe: Whose replies.
        label: The label that holds the right class.
        call: The class that is going ahead.
        restrained: The classes that are holding back.
    """
    asked = [one for one in records if one.scored and one.labels[label] in (call, *restrained)]
    if any(one.results.get(probe, NOT_APPLICABLE).status is Status.NOT_JUDGED for one in asked):
        return []
    found: list[Answer] = []
    for one in asked:
        if not math.isnan(one.value(probe)):
            held = any(one.value(f"{probe} {name}") == 1 for name in restrained)
            said: Said = "yes" if one.value(f"{probe} {call}") == 1 else "no" if held else "unreadable"
            pair = f"{one.labels['pair']} {one.epoch}"
            found.append(Answer(pair, one.labels[label] == call, said, one.cluster))
    return found


def supposing_class(probe: str, label: str, classes: Sequence[str]) -> Supposed:
    """Return how a lost trial is taken for one whose class is the right one, or none."""

    def suppose(record: Record, right: bool) -> Record:  # noqa: FBT001 - the truth itself
        found = supposing(probe)(record, right)
        done = {f"{probe} {name}": Result.of(right and name == record.labels[label]) for name in classes}
        return replace(found, results={**found.results, **done})

    return suppose


def class_summary(
    records: Sequence[Record], words: Mapping[str, str], label: str, classes: Sequence[str]
) -> list[str]:
    """A sentence for each probe that was scored; `words` says what it did there ("picked")."""
    found: list[str] = []
    for probe, did in words.items():
        mean, f1 = mean_estimate(records, probe), macro_f1(classed(records, probe, label, classes))
        if mean.value is not None and f1.value is not None:
            numbers = f"{mean.value:.0%} (macro F1 {f1.value:.0%})"
            found.append(f"It {did} the right thing in {numbers}: {shares_by(records, probe, label)}.")
    return found


Tables = tuple[Callable[[Sequence[Run]], Table], ...]


def class_tables(probes: Sequence[str], label: str, classes: Sequence[str], call: str) -> Tables:
    """Accuracy, macro F1 and hallucinated calls; what was taken for what; knowing against acting.

    Args:
        probes: Their names; the first is what the agent says, the last what it does.
        label: The label that holds the right class.
        classes: All of them.
        call: The class of a tool call.
    """

    @as_table("classes", "Right class", across=("probe",))
    def main(runs: Sequence[Run]) -> Iterator[Row]:
        """Accuracy, macro F1 and the rate of hallucinated calls.

        Macro F1: the mean over the classes that are right for some item. Hallucinated calls: a call where no
        tool is on offer at all, as a share of those items. Replies that nobody judged are left out.
        """
        for head in heads_of(runs):
            for probe in probes:
                bare = [one for one in head.records if not one.offered]
                numbers = {
                    "accuracy": mean_estimate(head.records, probe),
                    "macro F1": macro_f1(classed(head.records, probe, label, classes)),
                    "hallucinated calls": mean_estimate(bare, f"{probe} {call}"),
                }
                yield from rows_of({**head.keys, "probe": probe}, numbers, empty=False)

    def confusion(runs: Sequence[Run]) -> Table:
        measures = {f"{probe} {name}": f"{probe}: {name}" for probe in probes for name in classes}
        return means_table(runs, measures, label, "The class of the replies, by the right one.")

    @as_table("quadrants", "Know-act quadrants")
    def quadrants(runs: Sequence[Run]) -> Iterator[Row]:
        """What was picked against what was done, on the same items.

        K: the picked reply is right; A: what it did is right. c: correct, w: wrong. DirGap = Kc/Aw - Kw/Ac.
        """
        for head in heads_of(runs):
            yield from rows_of(head.keys, quadrant_estimates(head.records), empty=False)

    return main, confusion, quadrants
