"""The first thing that a page says: how every run did on every suite, and what stands out.

Each suite names one number as its headline, and what agents that do not read get on the same items. Runs are
placed by that number; beside it stands how often a run knew what is right, and how often it did it.
"""

import json
import math
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

import numpy as np

from knowact.core.role_model import BUILT_IN
from knowact.core.scatter import Point, share_panels
from knowact.core.suite import Suite
from knowact.core.table import DatasetInfo, Estimate, Figure, Headline, Row, Run, Table
from knowact.measures.clusters import SEED
from knowact.measures.columns import as_columns
from knowact.measures.confusion import verdicts
from knowact.measures.enough import FEWEST, basis, enough
from knowact.measures.headline import headline_estimate, headline_of
from knowact.measures.intervals import mean
from knowact.measures.losses import Trials, trials_of
from knowact.measures.pairing import data_names
from knowact.measures.quadrants import DIRECTION_GAP, Quadrant
from knowact.measures.summary import mean_estimate
from knowact.report.best import leaders

SURE: Final = 0.05
"""A p-value above this is no difference. Few trials that all differ one way have an interval off zero."""

FEW: Final = 100
"""Of more clusters in which knowing and acting part, the bootstrap's interval can be trusted alone."""

KNOWING: Final = "knows-against-acts"
"""The id of the first screen's figure."""

NAMED: Final = 2
"""A sentence names at most this many results, and counts the others."""


@dataclass(frozen=True, slots=True)
class Known:
    """How often a run knew what is right, and how often it did it, over the trials that measured both.

    Attributes:
        gap: Knew minus acted.
        p: How often chance alone would part knowing and acting as much, if they were one (McNemar, exact,
            with one verdict per cluster); 0 where they part so often that the interval says it all.
        enough: Whether the gap may stand in a sentence.
    """

    knew: Estimate
    acted: Estimate
    gap: Estimate
    p: float
    enough: bool

    @property
    def differ(self) -> bool:
        """Whether knowing and acting differ by more than chance, by the test and by the interval."""
        low, high = self.gap.low, self.gap.high
        around_zero = low is not None and high is not None and low <= 0 <= high
        return self.gap.value is not None and self.p <= SURE and not around_zero


@dataclass(frozen=True, slots=True)
class Placed:
    """One run on one suite.

    Attributes:
        headline: The estimate of the suite's headline; without a value where it is not judged or measured.
        policies: What agents that do not read get on its items; empty where that cannot be computed.
        ceiling: What an agent that does everything right gets; None likewise.
        trials: Its planned trials by what became of them.
        why_not: Why there is no number; empty where there is one.
        enough: Whether the headline rests on enough independent items to be compared in a sentence.
        best: Whether it is the best of its suite, or not told apart from the best.
    """

    suite: str
    run: Run
    headline: Estimate
    policies: Mapping[str, float]
    ceiling: float | None
    known: Known
    trials: Trials
    why_not: str = ""
    enough: bool = False
    best: bool = False

    @property
    def floor(self) -> float | None:
        """The best of the policies that do not read."""
        return max(self.policies.values(), default=None)


@dataclass(frozen=True, slots=True)
class Contestant:
    """One line: a model or agent under one set of options.

    Attributes:
        model: Its name.
        short: The last part of that, if no other model has the same one.
        variant: In which options it differs from the first line of the same model; empty for that one.
        reference: Whether it is a built-in agent among models.
        placed: By suite.
    """

    model: str
    short: str
    variant: str
    reference: bool
    placed: Mapping[str, Placed]

    @property
    def name(self) -> str:
        """The short name of the model, and the variant."""
        return f"{self.short} ({self.variant})" if self.variant else self.short

    @property
    def runs(self) -> tuple[Run, ...]:
        """Its runs, over the suites."""
        return tuple(placed.run for placed in self.placed.values())

    @property
    def cost(self) -> float | None:
        """US dollars of the agent and of the models in roles; None where some price is not known."""
        records = [record for run in self.runs for record in run.records]
        free = self.model.startswith(BUILT_IN)  # a built-in agent calls nobody
        priced = all(
            (free or record.cost is not None) and record.role_tokens.keys() <= record.role_cost.keys()
            for record in records
        )
        if not records or not priced:
            return None
        return math.fsum((record.cost or 0.0) + math.fsum(record.role_cost.values()) for record in records)

    @property
    def tokens(self) -> int:
        """Tokens read and written, by the agent and by models in roles."""
        every = (
            pair
            for run in self.runs
            for record in run.records
            for pair in (record.tokens, *record.role_tokens.values())
        )
        return sum(map(sum, every))


@dataclass(frozen=True, slots=True)
class Column:
    """A suite: its name in code and for readers, and what its headline is called."""

    suite: str
    title: str
    measure: str


@dataclass(frozen=True, slots=True)
class Overview:
    """Everything on the first screen but the warnings.

    Attributes:
        standing_out: At most three sentences.
        unranked: Ids of runs that are not ranked with others.
    """

    columns: tuple[Column, ...]
    lines: tuple[Contestant, ...]
    standing_out: tuple[str, ...]
    unranked: frozenset[str] = frozenset()

    @property
    def placed(self) -> Iterator[tuple[Contestant, Placed]]:
        """Every run with its line."""
        return ((line, placed) for line in self.lines for placed in line.placed.values())


NOTHING: Final = Overview((), (), ())


def overview(
    chosen: Sequence[tuple[Suite, Sequence[Run]]], why_not: Mapping[str, str], unranked: frozenset[str]
) -> Overview:
    """Place all runs.

    Args:
        chosen: Suites with their runs, labelled as tables name them, with all results (`Suite.with_traits`).
        why_not: By run, why its headline is not judged.
        unranked: Ids of runs that are not ranked with others.
    """
    columns: list[Column] = []
    by_contestant: dict[tuple[str, str], dict[str, Placed]] = {}
    short = Counter(suite.title.partition(":")[0] for suite, _ in chosen)
    for suite, runs in chosen:
        headline = headline_of(suite)
        title = suite.title.partition(":")[0]
        column_title = title if short[title] == 1 else f"{title} ({suite.name})"  # tables tell suites by it
        columns.append(Column(suite.name, column_title, headline.name))
        placed = [_placed(suite, headline, run, why_not.get(run.id, "")) for run in runs]
        best = {at for data in {run.dataset for run in runs} for at in _best_on(data, placed, unranked)}
        for at, (standing, variant) in enumerate(zip(placed, _variants(suite, runs), strict=True)):
            by_contestant.setdefault((standing.run.model, variant), {})[suite.name] = replace(
                standing, best=at in best
            )
    mixed = len({model.startswith(BUILT_IN) for model, _ in by_contestant}) > 1
    shorts = {model: model.rsplit("/", maxsplit=1)[-1] for model, _ in by_contestant}
    twice = Counter(shorts.values())
    lines = [
        Contestant(
            model=model,
            short=shorts[model] if twice[shorts[model]] == 1 else model,
            variant=variant,
            reference=mixed and model.startswith(BUILT_IN),
            placed=placed,
        )
        for (model, variant), placed in by_contestant.items()
    ]
    lines.sort(key=_rank)
    sentences = tuple(_standing_out(columns, lines, unranked))
    return Overview(tuple(columns), tuple(lines), sentences, unranked)


def _rank(line: Contestant) -> tuple[bool, float]:
    """Models before reference agents; then by the mean of the headlines, those without any last."""
    values = [placed.headline.value for placed in line.placed.values() if placed.headline.value is not None]
    return line.reference, -math.fsum(values) / len(values) if values else math.inf


def _placed(suite: Suite, headline: Headline, run: Run, why_not: str) -> Placed:
    """A run on a suite; a headline that is not judged has no number."""
    estimate = headline_estimate(suite, run)
    policies = headline.policies(run) if run.scored else dict[str, float]()
    return Placed(
        suite=suite.name,
        run=run,
        headline=estimate,
        policies=policies,
        ceiling=headline.ceiling if policies else None,
        known=_known(run),
        trials=trials_of(suite, run),
        why_not="" if estimate.value is not None else why_not or f"{headline.name} was not measured",
        enough=estimate.value is not None and _is_enough(run, headline, estimate),
    )


def _is_enough(run: Run, headline: Headline, estimate: Estimate) -> bool:
    """Whether a headline can be compared: what it counts may be fewer than the items (pairs of them)."""
    return estimate.n >= FEWEST and enough(basis(run.records, headline.rests_on).clusters)


def _known(run: Run) -> Known:
    columns = as_columns(run.records)
    both = columns.values(Quadrant.CONSISTENT)
    only_knew, only_acted = (
        columns.values(quadrant) for quadrant in (Quadrant.KNEW_ONLY, Quadrant.ACTED_ONLY)
    )
    clusters = columns.cluster.codes
    measured = ~np.isnan(both)
    parted = verdicts(list((only_knew - only_acted)[measured]), list(clusters[measured]))
    return Known(
        knew=mean(both + only_knew, clusters, SEED),
        acted=mean(both + only_acted, clusters, SEED),
        gap=mean_estimate(columns, DIRECTION_GAP),
        p=parted.p if parted.only_first + parted.only_second <= FEW else 0.0,
        enough=enough(basis(columns, (DIRECTION_GAP,)).clusters),
    )


def _beats_the_floor(placed: Placed) -> bool:
    """Whether a result is shown to be above the best policy that does not read; so is one without any."""
    end = placed.headline.value if placed.headline.low is None else placed.headline.low
    return end is not None and (placed.floor is None or end > placed.floor)


def _somebody_reads(placed: Sequence[Placed]) -> bool:
    """Whether there is anything to be the best in: nobody is, where no result beats the floor."""
    return any(map(_beats_the_floor, placed))


def _best_on(data: DatasetInfo, placed: Sequence[Placed], unranked: Collection[str]) -> AbstractSet[int]:
    """Who is best on one data set: runs on different data do not compete."""
    here = [entry if entry.run.dataset == data and entry.run.id not in unranked else None for entry in placed]
    if not _somebody_reads([entry for entry in here if entry is not None]):
        return frozenset()
    return leaders([None if entry is None else entry.headline for entry in here], "higher")


def _variants(suite: Suite, runs: Sequence[Run]) -> list[str]:
    """What tells each run from others: the data where there are several, options, or its id.

    Runs of one model name the options in which they differ and that are not as usual.
    """
    usual = suite.defaults()
    names = data_names(run.dataset for run in runs)
    variants: list[str] = []
    for run in runs:
        kin = [other for other in runs if other.model == run.model]
        options = dict.fromkeys(name for other in kin for name in other.options)
        differ = [
            name
            for name in options
            if len({json.dumps(other.options.get(name), default=str) for other in kin}) > 1
        ]
        changed = [
            f"{name.replace('_', ' ')} {run.options[name]}"
            for name in differ
            if name in run.options and run.options[name] != usual.get(name)
        ]
        data = [names[run.dataset]] if len(names) > 1 else []
        variants.append(", ".join([*data, *changed]))
    keys = [(run.model, variant) for run, variant in zip(runs, variants, strict=True)]
    return [
        variant if keys.count((run.model, variant)) == 1 else ", ".join(filter(None, (variant, run.id)))
        for run, variant in zip(runs, variants, strict=True)
    ]


Ranked: TypeAlias = Sequence[tuple[Contestant, Placed]]


def _standing_out(
    columns: Sequence[Column], lines: Sequence[Contestant], unranked: frozenset[str]
) -> Iterator[str]:
    ranked = [
        (line, placed)
        for line in lines
        if not line.reference
        for placed in line.placed.values()
        if placed.run.id not in unranked
    ]
    titles = {column.suite: column.title for column in columns}
    yield from _who_leads(titles, ranked)
    yield from _who_is_at_the_floor(titles, ranked)
    yield from _who_knows_better(titles, ranked)


def _who_leads(titles: Mapping[str, str], ranked: Ranked) -> Iterator[str]:
    """Who has the best headline where, and where that order may be chance."""
    firsts: dict[str, list[str]] = {}
    unsure: list[str] = []
    for suite, title, data in _rankings(titles, ranked):
        here = [
            (line, placed)
            for line, placed in ranked
            if (placed.suite, placed.run.dataset) == (suite, data) and placed.enough
        ]
        known = [
            (line, placed.headline, placed.headline.value)
            for line, placed in here
            if placed.headline.value is not None
        ]
        if len(known) < 2 or not _somebody_reads([placed for _, placed in here]):  # noqa: PLR2004 - none leads itself
            continue
        top = max(value for *_, value in known)
        tops = [line.name for line, _, value in known if value == top]
        firsts.setdefault(_listed(tops), []).append(title)
        # No leaders: not one is told apart from the best.
        alike = leaders([headline for _, headline, _ in known], "higher") or known
        if len(alike) > len(tops):
            unsure.append(title)
    if firsts:
        leads = "; ".join(f"{names} in {_listed(where)}" for names, where in firsts.items())
        # One sentence: a lead without its doubt would say too much.
        doubt = f" (which may be chance in {_listed(unsure)}: other intervals overlap)" if unsure else ""
        yield f"Best headline: {leads}{doubt}."


def _rankings(titles: Mapping[str, str], ranked: Ranked) -> Iterator[tuple[str, str, DatasetInfo]]:
    """Each suite on each data set, with its title: runs on different data have no order."""
    for suite, title in titles.items():
        names = data_names(placed.run.dataset for _, placed in ranked if placed.suite == suite)
        for data, name in names.items():
            yield suite, f"{title} on {name}" if len(names) > 1 else title, data


def _who_is_at_the_floor(titles: Mapping[str, str], ranked: Ranked) -> Iterator[str]:
    """Which results are not shown to be better than a policy that does not read."""
    known = [(line, placed) for line, placed in ranked if placed.floor is not None and placed.enough]
    poor = [
        f"{line.name} in {titles[placed.suite]}" for line, placed in known if not _beats_the_floor(placed)
    ]
    if poor:
        results = f"{len(poor)} of {len(known)} results are" if len(known) > 1 else "The result is"
        yield f"{results} not shown to beat an agent that treats all items alike: {_listed(poor)}."
    elif known:
        results = "Every result" if len(known) > 1 else "The result"
        yield f"{results} is better than that of an agent that treats all items alike."


def _who_knows_better(titles: Mapping[str, str], ranked: Ranked) -> Iterator[str]:
    """The largest gap between knowing and acting that is more than chance."""
    sure = [
        (abs(gap), line, placed)
        for line, placed in ranked
        if placed.known.enough and (gap := placed.known.gap.value) is not None and placed.known.differ
    ]
    if sure:
        _, line, placed = max(sure, key=lambda entry: entry[0])
        knew, acted = placed.known.knew.value or 0.0, placed.known.acted.value or 0.0
        yield (
            f"The largest gap between knowing and acting: {line.name} in {titles[placed.suite]} knew what is "
            f"right in {knew:.0%} of the trials, and did what is right in {acted:.0%}."
        )
    elif any(placed.known.enough for _, placed in ranked):
        yield "In no run do knowing and acting differ by more than chance allows."


def _listed(names: Sequence[str]) -> str:
    """Names in a sentence: the first few of them, and how many more there are."""
    if len(names) > NAMED + 1:
        return f"{', '.join(names[:NAMED])} and {len(names) - NAMED} more"
    *first, end = names
    return f"{', '.join(first)} and {end}" if first else end


def headlines_table(overview: Overview) -> Table:
    """The headline of every run."""
    rows = [
        Row({"model": line.name, "suite": column.title}, column.measure, line.placed[column.suite].headline)
        for line in overview.lines
        for column in overview.columns
        if column.suite in line.placed
    ]
    note = "Each suite's headline measure. Numbers of different suites do not compare."
    return _table(overview, "headlines", "Headlines", rows, note)


def knowing_table(overview: Overview) -> Table:
    """How often every run knew what is right, and how often it did it."""
    titles = {column.suite: column.title for column in overview.columns}
    rows = [
        Row({"model": line.name, "suite": titles[placed.suite]}, name, estimate)
        for line, placed in overview.placed
        for name, estimate in (
            ("knew", placed.known.knew),
            ("acted", placed.known.acted),
            (DIRECTION_GAP, placed.known.gap),
        )
        if estimate.n
    ]
    note = (
        "Over the trials in which both were measured. Each suite says at its know-act quadrants what counts "
        "as knowing and what as acting. DirGap is the difference."
    )
    return _table(overview, "knowing-acting", "Knowing against acting", rows, note)


def knowing_figure(overview: Overview) -> Figure:
    """Each run's share of knowing against its share of acting, a panel per suite."""
    points = [
        Point(line.name, known.knew, known.acted, number, column.title)
        for column in overview.columns
        for number, line in enumerate(overview.lines, 1)
        if column.suite in line.placed
        for known in [line.placed[column.suite].known]
    ]
    note = (
        "Each dot is a run: the share of trials in which it knew what is right, against the share in which "
        "it did it. Below the line it knew better than it acted."
    )
    spec = share_panels(points, x_title="knew, %", y_title="acted, %")
    return Figure(KNOWING, "Knows against acts", "knowact", spec, note)


def _table(overview: Overview, name: str, title: str, rows: Sequence[Row], note: str) -> Table:
    """A table of all suites, which ranks no run that its suite's tables do not rank."""
    unranked = {line.name for line in overview.lines for run in line.runs if run.id in overview.unranked}
    return Table(
        *(name, title, "knowact", tuple(rows)), across=("suite",), note=note, unranked=frozenset(unranked)
    )
