"""Which judge, which extractor and which person agrees with whom, about the same stored words."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from knowact.core.table import Estimate, Row, Table, as_table, rows_of
from knowact.core.verdict import Verdict
from knowact.measures.agreement import BothSaid, both_said, kappa, observed

ByReader = Mapping[str, Mapping[str, Verdict]]
"""What each reader said, by the verdict's key."""


def agreement_rows(pairs: Sequence[BothSaid], **keys: str) -> Iterator[Row]:
    """Yield observed agreement and Cohen's kappa of two readers for each kind of verdict."""
    for kind in dict.fromkeys(pair.kind for pair in pairs):
        part = [pair for pair in pairs if pair.kind == kind]
        numbers = {"agreement": observed(*_rated(part)), "Cohen's kappa": kappa(*_rated(part))}
        yield from rows_of({**keys, "on": kind}, numbers)


def _rated(pairs: Sequence[BothSaid]) -> tuple[list[tuple[str | None, str | None]], list[str]]:
    """What both said of each thing, and its cluster."""
    return [(pair.first, pair.second) for pair in pairs], [pair.cluster for pair in pairs]


@as_table("readers-agree", "Agreement of readers", percent=False, highest=False)
def readers_agree(readers: ByReader) -> Iterator[Row]:
    """On the same stored words, for each pair of readers and each kind of verdict.

    Agreement: how often both say the same, over all and where the first says so. Kappa: Cohen's; people
    (knowact human audit --verdicts) get as many of each verdict, so theirs is that of a balanced sample. What
    one of them came to no majority on, left in a form that cannot be used, or skipped counts nowhere. n
    counts verdicts; intervals resample tasks.
    """
    for first, second in combinations(readers, 2):
        pairs = both_said(readers[first].values(), readers[second].values())
        between = f"{first} and {second}"
        yield from agreement_rows(pairs, between=between)
        yield from _by_verdict(pairs, between)


def _by_verdict(pairs: Sequence[BothSaid], between: str) -> Iterator[Row]:
    """Agreement by what the first reader says."""
    both = [pair for pair in pairs if pair.first is not None]
    for kind, verdict in sorted({(pair.kind, str(pair.first)) for pair in both}):
        part = [pair for pair in both if (pair.kind, pair.first) == (kind, verdict)]
        yield Row({"between": between, "on": f"{kind}: {verdict}"}, "agreement", observed(*_rated(part)))


@as_table("readers-differ", "Where readers differ", percent=False, counts=True, highest=False)
def readers_differ(readers: ByReader) -> Iterator[Row]:
    """The verdicts that two readers disagree on, item by item.

    Said: the first reader of the pair, then the second.
    """
    for first, second in combinations(readers, 2):
        counts: dict[tuple[str, str, str], int] = {}
        for key, verdict in readers[first].items():
            other = readers[second].get(key)
            if other is not None and None not in (verdict.said, other.said) and verdict.said != other.said:
                difference = (verdict.kind, verdict.where, f"{verdict.said} / {other.said}")
                counts[difference] = counts.get(difference, 0) + 1
        for (kind, where, answers), count in counts.items():
            keys = {"between": f"{first} and {second}", "on": kind, "item": where, "said": answers}
            yield Row(keys, "verdicts", Estimate(count, count))


def reader_tables(readers: ByReader) -> list[Table]:
    """Both tables; none where no two readers spoke about the same."""
    agreement = readers_agree(readers)
    return [agreement, readers_differ(readers)] if agreement.rows else []
