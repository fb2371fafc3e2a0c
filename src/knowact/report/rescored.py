"""A run that was scored again, beside what it was: results, differences by trial, agreement of readers."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Final

from knowact.core.clean import Json
from knowact.core.record import Outcome, Record, Result
from knowact.core.rounding import number_text
from knowact.core.suite import Suite
from knowact.core.table import Row, Run, as_table
from knowact.measures.agreement import BothSaid
from knowact.measures.clusters import SEED
from knowact.measures.group_means import applicable, group_mean, grouping
from knowact.measures.paired import compare_kas, compare_means
from knowact.measures.pairing import sides
from knowact.measures.summary import average_kas, mean_estimate
from knowact.report.reader_agreement import agreement_rows

AS_IT_WAS, NOW, DIFFERENCE = "as it was", "now", "difference"


@dataclass(frozen=True, slots=True)
class ItemDifference:
    """One result of one trial that came out otherwise.

    Attributes:
        was: Its value, or why there is none.
        now: The same after it was scored again.
        why: The reason.
    """

    item: str
    condition: str
    epoch: int
    measure: str
    was: str
    now: str
    why: str


def differences(suite: Suite, before: Run, after: Run) -> Iterator[ItemDifference]:
    """Yield each result that differs, in the order of the trials."""
    before, after = suite.with_related(before), suite.with_related(after)
    known = {(record.item, record.condition, record.epoch): record for record in before.records}
    for record in after.records:
        old = known.get((record.item, record.condition, record.epoch))
        for name in dict.fromkeys((*(old.results if old else ()), *record.results)):
            was, now = _result(old, name), _result(record, name)
            if was != now:
                trial = (record.item, record.condition, record.epoch)
                yield ItemDifference(*trial, name, was, now, _why(old, record, name))


def _result(record: Record | None, name: str) -> str:
    result = record.results.get(name) if record else None
    if result is None:
        return "none"
    return number_text(result.value, percent=False) if result.value is not None else _said(result)


def _said(result: Result) -> str:
    return result.status.value.replace("_", " ")


def _why(old: Record | None, new: Record, name: str) -> str:
    """The reason for a result, or for the one that it replaces, or how the trial ended."""
    now, was = new.results.get(name), old.results.get(name) if old else None
    if now is not None and now.why:
        return now.why
    ended = {probe: how for probe, how in new.outcome_names.items() if how not in _USUAL}
    if ended:
        return ", ".join(f"{probe} ended {how.replace('_', ' ')}" for probe, how in ended.items())
    return f"before: {was.why}" if was is not None and was.why else "counts so under these rules"


_USUAL: Final = frozenset((Outcome.ANSWERED.value, Outcome.NOT_RUN.value))


@as_table("rescored", "As it was, and scored again", highest=False)
def compared(suite: Suite, before: Run, after: Run) -> Iterator[Row]:
    """The same trials both times.

    The difference is paired, over the trials that have a result both times. Both times they are the same
    replies: where no result differs, the difference is 0 with certainty.
    """
    both = sides(suite.with_related(before), suite.with_related(after))
    was, now = both.first.records, both.second.records
    for measure in suite.compared:
        if isinstance(measure, str):
            by = grouping(suite, measure)
            first, second = (applicable(side, measure, by) if by else side for side in (was, now))
            means = [
                group_mean(records, measure, by) if by else mean_estimate(records, measure, SEED)
                for records in (first, second)
            ]
            comparison = compare_means(first, second, measure, SEED, same_trials=True, by=by)
        else:
            by = suite.compared_by
            means = [average_kas(records, *measure, by, SEED) for records in (was, now)]
            comparison = compare_kas(was, now, measure, by, SEED, same_trials=True)
        if any(mean.n for mean in means):
            keys = {"result": measure if isinstance(measure, str) else "KAS"}
            numbers = (*zip((AS_IT_WAS, NOW), means, strict=True), (DIFFERENCE, comparison.difference))
            yield from (Row(keys, name, estimate) for name, estimate in numbers)


@as_table("readers-agree", "Agreement of the two readers", percent=False, highest=False)
def agreement(pairs: Sequence[BothSaid]) -> Iterator[Row]:
    """On what both ruled on.

    Share: of the same words, how often both say the same. Kappa: Cohen's. What one of them came to no
    majority on, or left in a form that cannot be used, is in neither.
    """
    return agreement_rows(pairs)


def as_entries(differences: Sequence[ItemDifference]) -> list[Mapping[str, Json]]:
    """Differences as JSON has them."""
    return [asdict(difference) for difference in differences]
