"""What became of a run's trials, and where its headline would lie had the lost ones been right, or wrong."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from knowact.core.record import Record, Status
from knowact.core.rounding import number_text
from knowact.core.suite import Suite
from knowact.core.table import Headline, Run, Supposed
from knowact.measures.group_means import applies
from knowact.measures.headline import headline_estimate, headline_of


@dataclass(frozen=True, slots=True)
class Trials:
    """The planned trials of a run by what became of them; the first four add up to all of them.

    Attributes:
        scored: Nothing that the headline rests on is missing for want of an instrument or a reader.
        not_judged: Nobody was bound to read what the headline rests on.
        lost: The provider, the world or the simulated user failed, or so did the reader of what the headline
            rests on.
        not_run: There is no record of them.
        incomplete: Scored or not judged ones that lack another result because its reader failed.
    """

    scored: int
    not_judged: int
    lost: int
    not_run: int
    incomplete: int

    @property
    def unscored(self) -> int:
        """How many an instrument, a reader that failed or an interruption cost."""
        return self.lost + self.not_run

    def __str__(self) -> str:
        planned = self.scored + self.not_judged + self.unscored
        parts = {"not judged": self.not_judged, "lost": self.lost, "not run": self.not_run}
        rest = "".join(f", {name} {count:,}" for name, count in parts.items() if count)
        lacking = f"; {self.incomplete:,} of the others lack some result" if self.incomplete else ""
        return f"Scored {self.scored:,} of {planned:,} planned trials{rest}{lacking}."


@dataclass(frozen=True, slots=True)
class Bounds:
    """The headline, and its value if all lost trials were wrong, or right.

    Attributes:
        measure: The headline's name.
        value: The headline over the trials that were scored.
        if_all_wrong: The same statistic with every lost trial wrong.
        if_all_right: The same statistic with every lost trial right. It can lie below the value: a pair of
            which one member is wrong stays wrong, whatever its lost member was.
        lost: How many trials were lost that the headline would rest on.
    """

    measure: str
    value: float
    if_all_wrong: float
    if_all_right: float
    lost: int

    def __str__(self) -> str:
        ends = (self.value, self.if_all_wrong, self.if_all_right)
        value, wrong, right = (number_text(end, percent=True) for end in ends)
        return (
            f"{self.measure[:1].upper()}{self.measure[1:]}: {value} %. If all {self.lost:,} lost trials were "
            f"wrong: {wrong} %. If they were right: {right} %."
        )


def trials_of(suite: Suite, run: Run) -> Trials:
    """Count the planned trials of a run by what became of them."""
    rests_on = headline_of(suite).rests_on
    lost = [is_lost(record, rests_on) for record in run.records]
    kept = [record for record, gone in zip(run.records, lost, strict=True) if not gone]
    silent = sum(_is(record, rests_on, Status.NOT_JUDGED) for record in kept)
    return Trials(
        scored=len(kept) - silent,
        not_judged=silent,
        lost=sum(lost),
        not_run=max(0, run.planned - len(run.records)),
        incomplete=sum(_is(record, suite.measures, Status.JUDGE_ERROR) for record in kept),
    )


def is_lost(record: Record, rests_on: Iterable[str]) -> bool:
    """Whether an instrument failed, or whoever was to read what the headline rests on."""
    return not record.scored or _is(record, rests_on, Status.JUDGE_ERROR)


def _is(record: Record, names: Iterable[str], status: Status) -> bool:
    return any(record.results[name].status is status for name in names if name in record.results)


def bounds(suite: Suite, run: Run) -> Bounds | None:
    """Compute the headline again with every lost trial wrong, and with every one right.

    Trials that were never recorded are in neither: which ones they are no record says.

    Args:
        suite: The run's.
        run: With all its results (`Suite.with_traits`).

    Returns:
        None where no trial was lost, or there is no headline: what nobody was bound to judge has no bounds.
    """
    headline = headline_of(suite)
    estimate = headline_estimate(suite, run)
    without = _conditions_without(run, headline)
    lost = [
        place
        for place, record in enumerate(run.records)
        if is_lost(record, headline.rests_on) and record.condition not in without
    ]
    if estimate.value is None or not lost or headline.suppose is None:
        return None
    low, high = (_supposing(headline, headline.suppose, run, lost, right=right) for right in (False, True))
    if low is None or high is None:
        return None
    return Bounds(headline.name, estimate.value, low, high, len(lost))


def _supposing(
    headline: Headline, suppose: Supposed, run: Run, lost: Iterable[int], *, right: bool
) -> float | None:
    records = list(run.records)
    for place in lost:
        records[place] = suppose(records[place], right)
    return headline.of(replace(run, records=records)).value


def _conditions_without(run: Run, headline: Headline) -> set[str]:
    """The conditions under which trials were scored, and none has what the headline rests on."""
    if not headline.rests_on:
        return set()
    scored, having = set[str](), set[str]()
    for record in run.records:
        if record.scored:
            scored.add(record.condition)
            if any(applies(record, name) for name in headline.rests_on):
                having.add(record.condition)
    return scored - having
