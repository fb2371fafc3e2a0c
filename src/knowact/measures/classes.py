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
from knowact.measures.clusters import SEED, Floats, numbered
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
    classes = sorted({item.gold for item in items})
    if not classes:
        return Estimate(None, 0)
    rows = np.array([_row(item, classes) for item in items], float)
    clusters = numbered([item.cluster for item in items])
    return intervals.bootstrapped(rows, clusters, SEED, SHARE, _macro, n=len(items))


def _row(item: Classed, classes: Sequence[str]) -> list[float]:
    """Twice the hit of each class, then what its F1 is divided by."""
    hits = [2.0 * (item.gold == name == item.said) for name in classes]
    return [*hits, *(float(item.gold == name) + float(item.said == name) for name in classes)]


def _macro(totals: Floats) -> Floats:
    """Over the leading index; a draw that holds no item of a class leaves that class out."""
    hits, sizes = np.split(totals, 2, axis=-1)
    shares = np.where(sizes > 0, hits / np.where(sizes > 0, sizes, 1.0), np.nan)
    return np.nanmean(shares, axis=-1)


def classed(records: Sequence[Record], probe: str, label: str, classes: Sequence[str]) -> list[Classed]:
    """The scored items of one probe; `label` names the label that holds the right class."""
    return [
        Classed(
            record.labels[label],
            next((name for name in classes if record.value(f"{probe} {name}") == 1), ""),
            record.cluster,
        )
        for record in records
        if record.scored and not math.isnan(record.value(probe))
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
    asked = [record for record in records if record.scored and record.labels[label] in (call, *restrained)]
    if any(record.results.get(probe, NOT_APPLICABLE).status is Status.NOT_JUDGED for record in asked):
        return []
    answers: list[Answer] = []
    for record in asked:
        if not math.isnan(record.value(probe)):
            held = any(record.value(f"{probe} {name}") == 1 for name in restrained)
            said: Said = "yes" if record.value(f"{probe} {call}") == 1 else "no" if held else "unreadable"
            pair = f"{record.labels['pair']} {record.epoch}"
            answers.append(Answer(pair, record.labels[label] == call, said, record.cluster))
    return answers


def supposing_class(probe: str, label: str, classes: Sequence[str]) -> Supposed:
    """Return how a lost trial is taken for one whose class is the right one, or none."""

    def suppose(record: Record, right: bool) -> Record:  # noqa: FBT001 - the truth itself
        supposed = supposing(probe)(record, right)
        done = {f"{probe} {name}": Result.of(right and name == record.labels[label]) for name in classes}
        return replace(supposed, results={**supposed.results, **done})

    return suppose


def class_summary(
    records: Sequence[Record], words: Mapping[str, str], label: str, classes: Sequence[str]
) -> list[str]:
    """A sentence for each probe that was scored; `words` says what it did there ("picked")."""
    sentences: list[str] = []
    for probe, did in words.items():
        mean, f1 = mean_estimate(records, probe), macro_f1(classed(records, probe, label, classes))
        if mean.value is not None and f1.value is not None:
            numbers = f"{mean.value:.0%} (macro F1 {f1.value:.0%})"
            sentences.append(f"It {did} the right thing in {numbers}: {shares_by(records, probe, label)}.")
    return sentences


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
                bare = [record for record in head.records if not record.offered]
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
