"""The items that tell two runs apart: what `knowact compare` names after its table."""

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote, urlencode

from knowact.core.record import Record
from knowact.core.suite import Suite
from knowact.core.table import Run
from knowact.measures.pairing import Sides, sides
from knowact.report.compare import Measure

MOST: Final = 10
"""Items that are named."""


@dataclass(frozen=True, slots=True)
class Telling:
    """One item on which two runs differ in the suite's headline.

    Attributes:
        item: The task's id.
        condition: The condition of the first run; of the second, too, unless the runs have one each.
        epochs: How many trials of the item both runs have a value for.
        first: The first run's mean over them.
        second: The second run's.
        same: In how many of the other compared results the same run is ahead.
        why_first: The first run's reason in the first trial on which they differ; empty where none is given.
        why_second: The second run's.
        link: What to put behind the address of a report's page to see both transcripts.
    """

    item: str
    condition: str
    epochs: int
    first: float
    second: float
    same: int
    why_first: str
    why_second: str
    link: str


def telling_items(suite: Suite, a: Run, b: Run, most: int = MOST) -> list[Telling]:
    """Return the items that differ most in the headline, the most telling one first.

    The headline is the first result that the suite compares. Items whose runs are equal in it are left out.
    First come those whose means over the epochs lie furthest apart. Of these, first those with the least
    noise: more epochs say so, then more of the other compared results have the same run ahead. What is left
    equal keeps the order of the data, which is stratified.

    Args:
        suite: Of both runs.
        a: The first run.
        b: The second run.
        most: How many items to return.

    Raises:
        BadUsage: The runs are on different data.
    """
    both = sides(suite.with_related(a), suite.with_related(b))
    headline, *others = suite.compared
    items = [
        _telling(pairs, headline, others, (a, b))
        for pairs in _pairs_by_item(headline, both)
        if _differ(pairs)
    ]
    items.sort(key=lambda item: (-abs(item.second - item.first), -item.epochs, -item.same))
    return items[:most]


@dataclass(frozen=True, slots=True)
class _Pair:
    """The same trial in two runs, and the headline of both."""

    records: tuple[Record, Record]
    values: tuple[float, float]


def _pairs_by_item(headline: Measure, both: Sides) -> Iterator[list[_Pair]]:
    """The trials for which both runs have a headline, by item and condition, in the first run's order."""

    def trial(record: Record) -> tuple[object, ...]:
        return tuple(getattr(record, name) for name in both.trial)

    others = {trial(record): record for record in both.second.records}
    by_item: dict[tuple[str, str], list[_Pair]] = defaultdict(list)
    for record in both.first.records:
        other = others.get(trial(record))
        if other is not None:
            values = _value(record, headline), _value(other, headline)
            if not any(map(math.isnan, values)):
                by_item[record.item, record.condition].append(_Pair((record, other), values))
    yield from by_item.values()


def _value(record: Record, measure: Measure) -> float:
    """A result; of a pair the mean, as KAS is high where both are; of a quadrant nothing."""
    names = (measure,) if isinstance(measure, str) else measure
    return sum(map(record.value, names)) / len(names)


def _differ(pairs: Sequence[_Pair]) -> bool:
    return _mean(pairs, 0) != _mean(pairs, 1)


def _mean(pairs: Sequence[_Pair], side: int) -> float:
    return math.fsum(pair.values[side] for pair in pairs) / len(pairs)


def _telling(
    pairs: Sequence[_Pair], headline: Measure, others: Sequence[Measure], runs: tuple[Run, Run]
) -> Telling:
    first, second = _mean(pairs, 0), _mean(pairs, 1)
    shown = next(pair for pair in pairs if pair.values[0] != pair.values[1])
    first_record, second_record = shown.records
    return Telling(
        item=first_record.item,
        condition=first_record.condition,
        epochs=len(pairs),
        first=first,
        second=second,
        same=sum(_ahead(pairs, measure) * (second - first) > 0 for measure in others),
        why_first=_why(first_record, headline),
        why_second=_why(second_record, headline),
        link=sides_link(
            *runs, item=first_record.item, condition=first_record.condition, epoch=str(first_record.epoch)
        ),
    )


def _ahead(pairs: Sequence[_Pair], measure: Measure) -> float:
    """By how much the second run is ahead in a result; 0 where some trial has none."""
    gap = math.fsum(_value(pair.records[1], measure) - _value(pair.records[0], measure) for pair in pairs)
    return 0.0 if math.isnan(gap) else gap


def _why(record: Record, headline: Measure) -> str:
    """The reason for the headline, what decided the failure, or how a probe ended without an answer."""
    names = (headline,) if isinstance(headline, str) else headline
    reasons = [record.results[name].why for name in names if name in record.results]
    places = [decided.why for decided in record.decided]
    return next(filter(None, (*reasons, *places)), "") or _ended(record.outcome_names)


def _ended(outcomes: Mapping[str, str]) -> str:
    usual = {"answered", "not_run"}
    ended = [f"{probe}: {outcome}" for probe, outcome in outcomes.items() if outcome not in usual]
    return ", ".join(ended).replace("_", " ")


def sides_link(a: Run, b: Run, **trial: str) -> str:
    """Return the part of a page's address that shows two runs side by side, or one trial of both."""
    return f"#sides?{urlencode({'a': a.id, 'b': b.id, **trial}, quote_via=quote, safe='')}"
