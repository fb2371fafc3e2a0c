"""Which judge, which extractor and which person agrees with whom, about the same stored words."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from knowact.core.table import Estimate, Row, Table, as_table
from knowact.core.verdict import Verdict
from knowact.measures.agreement import BothSaid, both_said, kappa, observed

ByReader = Mapping[str, Mapping[str, Verdict]]
"""What each reader said, by the verdict's key."""


def agreement_rows(said: Sequence[BothSaid], **keys: str) -> Iterator[Row]:
    """Yield observed agreement and Cohen's kappa of two readers for each kind of verdict."""
    for kind in dict.fromkeys(one.kind for one in said):
        part = [one for one in said if one.kind == kind]
        ratings, clusters = [(one.first, one.second) for one in part], [one.cluster for one in part]
        yield Row({**keys, "on": kind}, "agreement", observed(ratings, clusters))
        yield Row({**keys, "on": kind}, "Cohen's kappa", kappa(ratings, clusters))


@as_table("readers-agree", "Agreement of readers", percent=False, highest=False)
def readers_agree(readers: ByReader) -> Iterator[Row]:
    """On the same stored words, for each pair of readers and each kind of verdict.

    Agreement: how often both say the same, over all and where the first says so. Kappa: Cohen's; people
    (knowact human audit --verdicts) get as many of each verdict, so theirs is that of a balanced sample. What
    one of them came to no majority on, left in a form that cannot be used, or skipped counts nowhere. n
    counts verdicts; intervals resample tasks.
    """
    for first, second in combinations(readers, 2):
        said = both_said(readers[first].values(), readers[second].values())
        between = f"{first} and {second}"
        yield from agreement_rows(said, between=between)
        yield from _by_verdict(said, between)


def _by_verdict(said: Sequence[BothSaid], between: str) -> Iterator[Row]:
    """Agreement by what the first reader says."""
    both = [one for one in said if one.first is not None]
    for kind, verdict in sorted({(one.kind, str(one.first)) for one in both}):
        part = [one for one in both if (one.kind, one.first) == (kind, verdict)]
        ratings, clusters = [(one.first, one.second) for one in part], [one.cluster for one in part]
        yield Row({"between": between, "on": f"{kind}: {verdict}"}, "agreement", observed(ratings, clusters))


@as_table("readers-differ", "Where readers differ", percent=False, counts=True, highest=False)
def readers_differ(readers: ByReader) -> Iterator[Row]:
    """The verdicts that two readers disagree on, item by item.

    Said: the first reader of the pair, then the second.
    """
    for first, second in combinations(readers, 2):
        counts: dict[tuple[str, str, str], int] = {}
        for key, one in readers[first].items():
            other = readers[second].get(key)
            if other is not None and None not in (one.said, other.said) and one.said != other.said:
                what = (one.kind, one.where, f"{one.said} / {other.said}")
                counts[what] = counts.get(what, 0) + 1
        for (kind, where, said), count in counts.items():
            keys = {"between": f"{first} and {second}", "on": kind, "item": where, "said": said}
            yield Row(keys, "verdicts", Estimate(count, count))


def reader_tables(readers: ByReader) -> list[Table]:
    """Both tables; none where no two readers spoke about the same."""
    found = readers_agree(readers)
    return [found, readers_differ(readers)] if found.rows else []
