"""Results of which the groups weigh alike: the unweighted mean over groups of the mean over items.

A suite names them among what it compares. Their value is the same in its tables, as a headline, in
comparisons, in requirements and where trials are scored again.
"""

from collections.abc import Sequence

from knowact.core.record import NOT_APPLICABLE, Record, Status
from knowact.core.suite import Suite
from knowact.core.table import Estimate
from knowact.measures.clusters import SEED
from knowact.measures.pass_k import AVERAGE, Power, rates, tallies


class GroupMean(str):
    """The name of a result, among those that a suite compares, of which groups weigh alike.

    The groups are those of the label by which the suite compares (`Suite.compared_by`).
    """

    __slots__ = ()


def grouping(suite: Suite, measure: str) -> str:
    """The label by whose groups a measure is averaged; empty if all its trials weigh alike."""
    averaged = any(isinstance(name, GroupMean) and name == measure for name in suite.compared)
    return suite.compared_by if averaged else ""


def applicable(records: Sequence[Record], measure: str, by: str) -> list[Record]:
    """The records of the groups to which a measure applies.

    Those are all but the groups in which trials were scored and none has the measure: a base task is in no
    pair of its own. A group that an instrument spoilt as a whole stays, so that nothing is averaged without
    it.
    """
    having = {_group(record, by) for record in records if applies(record, measure)}
    silent = {_group(record, by) for record in records if record.scored} - having
    return [record for record in records if _group(record, by) not in silent]


def _group(record: Record, by: str) -> str:
    return record.labels.get(by, "")


def applies(record: Record, measure: str) -> bool:
    """Whether a measure applies to a trial, scored or not."""
    return record.results.get(measure, NOT_APPLICABLE).status is not Status.NOT_APPLICABLE


def group_mean(records: Sequence[Record], measure: str, by: str, seed: int = SEED) -> Estimate:
    """Return the unweighted mean over groups of the mean over items: Pass^1 and its average.

    Args:
        records: Of one run.
        measure: A result that is 1 or 0.
        by: The label that makes the groups.
        seed: Fixes the bootstrap.

    Returns:
        n counts items with a value; none where some group has no value.
    """
    items = tallies(applicable(records, measure, by), measure, by)
    if not items:
        return Estimate(None, 0)
    by_group = rates(items, Power.HAT, 1, seed)
    return by_group.get(AVERAGE, next(iter(by_group.values()))).estimate
