"""What a data set's datasheet says in figures: how many of each kind, who wrote, what readers found."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean

from pydantic import JsonValue

from knowact.core.table import Estimate, Row, Table
from knowact.forge.briefs import COMPLETE, Brief, BriefAnswer, Version, place_of
from knowact.forge.drafts import Draft, topology_of
from knowact.forge.ratings import DIMENSIONS, BlindReading, Rating, decided
from knowact.measures.agreement import kappa

RULE = (
    "A text is discarded where more than half of its votes deny one of the nine points (arXiv 2606.20661, "
    "section 3.3: six of the task, three of the executed plan); where fewer do, the point is disputed, and "
    "people decide."
)
_POOR = 2
"""Readings of at most so many points are "rated 1 or 2"."""


@dataclass(frozen=True, slots=True)
class Finished:
    """A draft with its texts, what judges said of them, and by version what readers said."""

    draft: Draft
    brief: Brief
    answer: BriefAnswer
    ratings: tuple[Rating, ...] = ()
    readings: Mapping[str, tuple[BlindReading, ...]] = field(
        default_factory=dict[str, tuple[BlindReading, ...]]
    )

    @property
    def text(self) -> str:
        """The complete text, all messages of it."""
        return self.answer.versions[COMPLETE].whole

    @property
    def lacking(self) -> Version:
        """The incomplete version that was wanted; there must be one."""
        return next(version for version in self.brief.versions if version.leaves_out)

    @property
    def said(self) -> dict[str, str]:
        """The complete text's words by `step.name`, steps counted from 0 as in plans."""
        words = self.answer.versions[COMPLETE].words
        return {f"{step}.{name}": words[key] for key in words for step, name in (place_of(key),)}

    def provenance(self, generator: str, seed: int) -> dict[str, JsonValue]:
        """Where a row made of it comes from."""
        return {
            **self.draft.task.provenance,
            "generator": generator,
            "seed": seed,
            "brief": self.brief.id,
            "writer": self.answer.writer,
            "attempts": self.answer.attempts,
        }

    @property
    def kind(self) -> tuple[str, str]:
        """Boundary and topology of what the last message asks for, as its items say them.

        What came of the other steps stands in the earlier messages.
        """
        parts = zip(self.draft.task.plan, self.brief.parts, strict=True)
        asked = tuple(step for step, part in parts if not part.gave)
        boundary = self.draft.task.model_copy(update={"plan": asked}).boundary
        return boundary.value, topology_of(asked).value

    @property
    def wanted(self) -> frozenset[str]:
        """The tools that the last message needs."""
        parts = zip(self.draft.task.plan, self.brief.parts, strict=True)
        return frozenset(step.tool for step, part in parts if step.external and not part.gave)


@dataclass(frozen=True, slots=True)
class Heard:
    """What readers said of some texts.

    Attributes:
        readers, readings: How many there are.
        natural: The mean of their marks from 1 to 5.
        poor: How many marks are 1 or 2.
        asked, right: How many readings say which tools are needed, and how many of these are right.
        lacking: In how many readings something is missing or unclear.
    """

    readers: int
    readings: int
    natural: float
    poor: int
    asked: int
    right: int
    lacking: int


def heard(judged: Sequence[tuple[Finished, BlindReading]]) -> Heard | None:
    """Sum up the readings with a mark; None where there is none."""
    judged = [(request, reading) for request, reading in judged if reading.natural is not None]
    marks = [reading.natural for _, reading in judged if reading.natural is not None]
    if not marks:
        return None
    return Heard(
        readers=len({reading.reader for _, reading in judged}),
        readings=len(judged),
        natural=fmean(marks),
        poor=sum(mark <= _POOR for mark in marks),
        asked=sum(reading.needs is not None for _, reading in judged),
        right=sum(reading.needs == request.wanted for request, reading in judged),
        lacking=sum(bool(reading.unclear) for _, reading in judged),
    )


def by_version(done: Sequence[Finished]) -> dict[str, Heard]:
    """What readers said of the complete versions, and of the incomplete ones."""
    read: defaultdict[str, list[tuple[Finished, BlindReading]]] = defaultdict(list)
    for request in done:
        for name, readings in request.readings.items():
            read[name] += [(request, reading) for reading in readings]
    return {name: all_said for name, readings_of in sorted(read.items()) if (all_said := heard(readings_of))}


def by_writer(done: Sequence[Finished]) -> dict[str, tuple[int, Heard | None]]:
    """How many requests each writer wrote, and what readers said of them."""
    written: defaultdict[str, list[Finished]] = defaultdict(list)
    for request in done:
        written[request.answer.writer or "unnamed"].append(request)
    return {writer: (len(own), heard(list(_readings(own)))) for writer, own in sorted(written.items())}


def _readings(done: Sequence[Finished]) -> Iterator[tuple[Finished, BlindReading]]:
    for request in done:
        for readings in request.readings.values():
            for reading in readings:
                yield request, reading


def tables(done: Sequence[Finished]) -> tuple[Table, ...]:
    """Who wrote the requests, and how natural readers found them, for `knowact data stats`."""
    voices = [
        row
        for writer, (requests, summary) in by_writer(done).items()
        for row in _as_rows({"written by": writer, "requests": f"{requests:,}"}, summary)
    ]
    versions = [
        row for name, summary in by_version(done).items() for row in _as_rows({"version": name}, summary)
    ]
    note = (
        "Readers saw the request and the tools alone. Naturalness: the mean of marks from 1 (nobody would "
        "send this) to 5; the others are shares of the readings."
    )
    return (
        Table("voices", "Who wrote the requests", "knowact", tuple(voices), note=note, percent=False),
        Table("readings", "What blind readers said", "knowact", tuple(versions), note=note, percent=False),
    )


def _as_rows(keys: Mapping[str, str], summary: Heard | None) -> list[Row]:
    n = summary.readings if summary else 0
    shares = {
        "naturalness": summary.natural if summary else None,
        "rated 1 or 2": summary.poor / n if summary else None,
        "found lacking": summary.lacking / n if summary else None,
    }
    return [Row(keys, measure, Estimate(value, n)) for measure, value in shares.items()]


def figures(done: Sequence[Finished]) -> str:
    """The figures of a data set for its datasheet, as Markdown."""
    kinds = Counter(request.kind for request in done)
    lines = ["| boundary | topology | requests |", "|---|---|---:|"]
    lines += [f"| {boundary} | {topology} | {n:,} |" for (boundary, topology), n in sorted(kinds.items())]
    lines += ["", "| written by | requests | mean of 1 to 5 |", "|---|---:|---:|"]
    lines += [
        f"| {writer} | {n:,} | {f'{summary.natural:.2f}' if summary else ''} |"
        for writer, (n, summary) in by_writer(done).items()
    ]
    return "\n".join([*lines, "", *_rated(done), "", *_read(done), *_given(done)])


def _rated(done: Sequence[Finished]) -> Iterator[str]:
    """What judges said."""
    rated = [request for request in done if request.ratings]
    line = f"Rated by models: {len(rated):,} of {len(done):,} requests."
    if rated:
        came = Counter(decision for request in rated for decision in decided(request.ratings).values())
        line += f" Of the points {', '.join(f'{n:,} {how}' for how, n in sorted(came.items()))}. {RULE}"
    yield line


def discards(answers: Iterable[BriefAnswer]) -> Iterator[str]:
    """How many texts judges discarded, for which points, and what became of their briefs."""
    briefs = [answer for answer in answers if answer.discarded]
    texts = [text for answer in briefs for text in answer.discarded]
    if not texts:
        return
    points = Counter(point for text in texts for point in text.points)
    by_point = ", ".join(f"{points[point]:,} for {point}" for point in DIMENSIONS if points[point])
    rewritten = sum(bool(answer.versions) for answer in briefs)
    yield (
        f"Discarded: {len(texts):,} texts of {len(briefs):,} briefs ({by_point}). Of these briefs "
        f"{rewritten:,} have another text, and {len(briefs) - rewritten:,} have none."
    )


def _read(done: Sequence[Finished]) -> Iterator[str]:
    """What readers said, version by version."""
    versions = by_version(done)
    if not versions:
        yield "Read blind: 0 requests."
        return
    heads = ("readers", "readings", "mean of 1 to 5", "rated 1 or 2", "needed tools right", "lacks something")
    yield f"| read blind | {' | '.join(heads)} |"
    yield f"|---|{'---:|' * len(heads)}"
    for name, summary in versions.items():
        right = f"{summary.right:,} of {summary.asked:,}" if name == COMPLETE and summary.asked else ""
        yield (
            f"| {name} | {summary.readers:,} | {summary.readings:,} | {summary.natural:.2f} "
            f"| {summary.poor:,} | {right} | {summary.lacking:,} |"
        )


def _given(done: Sequence[Finished]) -> Iterator[str]:
    """How two readers agree on which results the person could give, and each case in which they don't."""
    rows: list[tuple[str, str]] = []
    clusters: list[str] = []
    disputed: list[str] = []
    for request in done:
        answers = [
            reading.gives for reading in request.readings.get(COMPLETE, ()) if reading.gives is not None
        ]
        for tool in sorted(request.wanted) if len(answers) > 1 else ():
            first, second, *others = ("yes" if tool in gives else "no" for gives in answers)
            rows.append((first, second))
            clusters.append(request.brief.id)
            if first != second:
                disputed.append(f"- `{request.brief.id}`, `{tool}`: {', '.join((first, second, *others))}")
    if rows:
        same, estimate = len(rows) - len(disputed), kappa(rows, clusters)
        yield ""
        yield (
            f"Whether the person could give what a needed tool gives: two readers agree on {same:,} of "
            f"{len(rows):,} (kappa {estimate.value or 0:.2f}); a third settles the rest, or the tool's label."
        )
    if disputed:
        yield from ("They differ on (what each said, in turn):", "", *disputed)
