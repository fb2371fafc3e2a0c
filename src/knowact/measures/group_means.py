"""Results of which the groups weigh alike: the unweighted mean over groups of the mean over items.

A suite names them among what it compares. Their value is the same in its tables, as a headline, in comparisons,
in requirements and where trials are scored again.
"""

from collections.abc import Sequence

from knowact.core.record import Record, Status
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
    averaged = (one for one in suite.compared if isinstance(one, GroupMean))
    return suite.compared_by if measure in averaged else ""


def applicable(records: Sequence[Record], measure: str) -> list[Record]:
    """The records to which a measure applies, those included that lack its value."""
    return [
        record
        for record in records
        if (result := record.results.get(measure)) is not None and result.status is not Status.NOT_APPLICABLE
    ]


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
    found = tallies(applicable(records, measure), measure, by)
    if not found:
        return Estimate(None, 0)
    by_group = rates(found, Power.HAT, 1, seed)
    return by_group.get(AVERAGE, next(iter(by_group.values()))).estimate
