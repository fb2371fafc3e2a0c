"""What a data set's datasheet says in figures: how many of each kind, who wrote, what readers found."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from knowact.forge.briefs import COMPLETE, Answer, Brief
from knowact.forge.drafts import Draft
from knowact.forge.ratings import Rating, Reading, decided
from knowact.measures.agreement import kappa

_POOR = 2
"""Readings of at most so many points are "rated 1 or 2"."""


@dataclass(frozen=True, slots=True)
class Finished:
    """A draft with its texts, what judges said of them, and by version what readers said."""

    draft: Draft
    brief: Brief
    answer: Answer
    ratings: tuple[Rating, ...] = ()
    readings: Mapping[str, tuple[Reading, ...]] = field(default_factory=dict[str, tuple[Reading, ...]])

    @property
    def text(self) -> str:
        """The complete text, all messages of it."""
        return self.answer.versions[COMPLETE].whole

    @property
    def wanted(self) -> frozenset[str]:
        """The tools that the last message needs."""
        parts = zip(self.draft.task.plan, self.brief.parts, strict=True)
        return frozenset(step.tool for step, part in parts if step.external and not part.gave)


def figures(done: Sequence[Finished]) -> str:
    """The figures of a data set, as Markdown."""
    kinds = Counter((one.draft.task.boundary.value, one.draft.task.topology.value) for one in done)
    writers = Counter(one.answer.writer or "unnamed" for one in done)
    lines = ["| boundary | topology | requests |", "|---|---|---:|"]
    lines += [f"| {boundary} | {topology} | {n:,} |" for (boundary, topology), n in sorted(kinds.items())]
    lines += ["", "| written by | requests |", "|---|---:|"]
    lines += [f"| {writer} | {n:,} |" for writer, n in sorted(writers.items())]
    return "\n".join([*lines, "", *_rated(done), "", *_read(done), *_given(done)])


def _rated(done: Sequence[Finished]) -> Iterator[str]:
    """What judges said."""
    rated = [one for one in done if one.ratings]
    line = f"Rated by models: {len(rated):,} of {len(done):,} requests."
    if rated:
        came = Counter(decision for one in rated for decision in decided(one.ratings).values())
        line += f" Of the points {', '.join(f'{n:,} {how}' for how, n in sorted(came.items()))}."
    yield line


def _read(done: Sequence[Finished]) -> Iterator[str]:
    """What readers said, version by version."""
    found: defaultdict[str, list[tuple[Finished, Reading]]] = defaultdict(list)
    for one in done:
        for name, readings in one.readings.items():
            found[name] += [(one, reading) for reading in readings]
    read = {name: every for name, every in sorted(found.items()) if every}
    if not read:
        yield "Read blind: 0 requests."
        return
    heads = ("readers", "readings", "mean of 1 to 5", "rated 1 or 2", "needed tools right", "lacks something")
    yield f"| read blind | {' | '.join(heads)} |"
    yield f"|---|{'---:|' * len(heads)}"
    for name, every in read.items():
        marks = [reading.natural for _, reading in every]
        cells = [
            name,
            f"{len({reading.reader for _, reading in every}):,}",
            f"{len(every):,}",
            f"{sum(marks) / len(marks):.2f}",
            f"{sum(mark <= _POOR for mark in marks):,}",
            f"{sum(reading.needs == one.wanted for one, reading in every):,}" if name == COMPLETE else "",
            f"{sum(bool(reading.unclear) for _, reading in every):,}",
        ]
        yield f"| {' | '.join(cells)} |"


def _given(done: Sequence[Finished]) -> Iterator[str]:
    """How two readers agree on which results the person could give."""
    rows: list[tuple[str, str]] = []
    clusters: list[str] = []
    for one in done:
        said = [reading.gives for reading in one.readings.get(COMPLETE, ()) if reading.gives is not None]
        for tool in sorted(one.wanted) if len(said) > 1 else ():
            first, second = ("yes" if tool in gives else "no" for gives in said[:2])
            rows.append((first, second))
            clusters.append(one.brief.id)
    if rows:
        same, estimate = sum(one == other for one, other in rows), kappa(rows, clusters)
        yield ""
        yield (
            f"Whether the person could give what a needed tool gives: two readers agree on {same:,} of "
            f"{len(rows):,} (kappa {estimate.value or 0:.2f}); a third settles the rest, or the tool's label."
        )
