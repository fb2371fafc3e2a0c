"""Tables and figures: what suites make of records, and reports show. Fractions, never percent."""

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import wraps
from typing import Any, Literal, ParamSpec, TypeAlias, TypedDict, Unpack

from knowact.core.record import Outcome, Record, Result
from knowact.core.role_model import bare

P = ParamSpec("P")

Better: TypeAlias = Literal["higher", "lower", ""]
"""Which values of a measure are good; "" where neither is."""


@dataclass(frozen=True, slots=True)
class Term:
    """What a word in the head of a table means, and, if it is a measure, which values of it are good."""

    meaning: str
    better: Better = ""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number with its denominator and its uncertainty.

    Attributes:
        value: None says *not measured* (nothing was scored).
        n: How many values it rests on: trials, unless the measure counts something else (pairs, models).
        low: Lower end of the 95 % interval; None where none is given.
        high: Upper end.
        method: How the interval was made ("wilson", "cluster bootstrap", "fisher z", ""); where there is no
            value but bounds, why ("85 of 133 undecided").
    """

    value: float | None
    n: int
    low: float | None = None
    high: float | None = None
    method: str = ""


@dataclass(frozen=True, slots=True)
class Paired:
    """Two runs that a number compares on the trials that both have.

    Attributes:
        first: The id of the first run.
        second: The id of the second run.
        results: The results that it compares: the runs differ on a trial if they differ in one of them.
            Empty for what is not one of a trial's results, a quadrant for example; then they differ if they
            differ in what the agent knew or how it acted.
    """

    first: str
    second: str
    results: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """One number of a table: `keys` say which cell it is, `measure` what it measures.

    A number that compares two runs says which, so that a page can show the trials on which they differ.
    """

    keys: Mapping[str, str]
    measure: str
    estimate: Estimate
    paired: Paired | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """A table in long form; `across` says which keys a page puts into columns.

    Attributes:
        id: Stable, for `report.json` and CSV file names.
        source: Which table of which paper it is ("KAPRO, Table 3"), or "knowact".
        across: Keys that go into the column heads, outermost first; the measure comes below them.
            The remaining keys make the row heads.
        note: What a reader must know beside the numbers.
        percent: Whether a page shows the numbers in percent.
        counts: Whether the numbers are counts, shown whole; then `percent` is off.
        highest: Whether a page may take higher for better where no `Term` says what is good for a measure.
        unranked: Row heads that are never marked as the best: runs that are not ranked with others.
    """

    id: str
    title: str
    source: str
    rows: tuple[Row, ...]
    across: tuple[str, ...] = ()
    note: str = ""
    percent: bool = True
    counts: bool = False
    highest: bool = True
    unranked: frozenset[str] = frozenset()


class Display(TypedDict, total=False):
    """How a page shows a table: the fields of `Table` by the same names."""

    across: tuple[str, ...]
    percent: bool
    counts: bool
    highest: bool


def as_table(
    name: str,
    title: str,
    source: str = "knowact",
    note: str = "",
    after: str = "",
    **display: Unpack[Display],
) -> Callable[[Callable[P, Iterable[Row]]], Callable[P, Table]]:
    """Make a table of a function that yields its rows.

    The note below the table is what follows the first paragraph of the function's docstring, so that readers
    of the page and of the code are told the same.

    Args:
        name: The table's id.
        title: Its title.
        source: Which table of which paper it is.
        note: What stands before that note.
        after: What stands behind it.
        display: How a page shows it.
    """

    def wrap(make: Callable[P, Iterable[Row]]) -> Callable[P, Table]:
        written = inspect.cleandoc(make.__doc__ or "").partition("\n\n")[2]
        whole = " ".join([*note.split(), *written.split(), *after.split()])

        @wraps(make)
        def table(*args: P.args, **kwargs: P.kwargs) -> Table:
            return Table(name, title, source, tuple(make(*args, **kwargs)), note=whole, **display)

        return table

    return wrap


def rows_of(keys: Mapping[str, str], numbers: Mapping[str, Estimate], *, empty: bool = True) -> Iterator[Row]:
    """Yield a row for each number; without `empty` those are left out that rest on no item."""
    for measure, estimate in numbers.items():
        if empty or estimate.n:
            yield Row(keys, measure, estimate)


@dataclass(frozen=True, slots=True)
class Figure:
    """A chart as a Vega-Lite specification with its data inside.

    Attributes:
        spec: Vega-Lite, complete; empty where there is nothing to draw.
        note: A caption, or why there is nothing to draw.
    """

    id: str
    title: str
    source: str
    spec: Mapping[str, Any] = field(default_factory=dict[str, Any])
    note: str = ""


@dataclass(frozen=True, slots=True)
class DatasetInfo:
    """Which data a run used.

    Attributes:
        sha256: Over the bytes of its items.
        labels: What its labels rest on, a sentence each, where its maker says it.
        written_by: The families of the models that wrote its requests; see `role_model.family`.
    """

    name: str
    version: str
    sha256: str
    labels: tuple[str, ...] = field(default=(), compare=False)
    written_by: tuple[str, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class Run:
    """One model or agent on one data set under one set of options: what a table's row head names.

    Attributes:
        id: Unique in a report.
        options: The suite's own, and what was asked of the engine's generation settings besides.
        settings: Which of the options are those of the engine: run factors, such as the reasoning effort.
        logs: The log files it was read from, newest first; the others are superseded.
        planned: Trials that it set out to do; those without a record were *not run*.
        roles: The models in roles ("extractor", "judge", "user", "helper"), each as a `RoleModel`.
        wanted: The roles that have something to do in this run, whether anybody plays them or not.
        headline: Those of them without which the headline is not judged.
        prompts: The hash of each prompt that the run uses, by the prompt's id.
    """

    id: str
    suite: str
    dataset: DatasetInfo
    model: str
    options: Mapping[str, Any]
    logs: tuple[str, ...]
    planned: int
    records: Sequence[Record]
    superseded: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    settings: tuple[str, ...] = ()
    roles: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    wanted: tuple[str, ...] = ()
    headline: tuple[str, ...] = ()
    prompts: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def self_read(self) -> bool:
        """Whether the agent's own model read or judged its replies: such runs are not ranked with others."""
        readers = [one for role in ("extractor", "judge") for one in self.roles.get(role, ())]
        return any(bare(one) == self.model for one in readers)

    @property
    def scored(self) -> int:
        """How many trials no instrument spoilt."""
        return sum(record.scored for record in self.records)

    def is_read_from_logs_of(self, other: "Run") -> bool:
        """Whether both are the same trials, so that what doesn't differ could not have differed."""
        return self is other or (bool(self.logs) and self.logs == other.logs)


Supposed: TypeAlias = Callable[[Record, bool], Record]
"""What a lost trial would have been, had it been right (True) or wrong."""


def supposing(*names: str) -> Supposed:
    """Return how trials are taken for right or wrong whose results in these measures are then 1 or 0."""

    def suppose(record: Record, right: bool) -> Record:  # noqa: FBT001 - the truth itself
        return replace(
            record,
            outcomes=dict.fromkeys(record.outcomes, Outcome.ANSWERED),
            results={**record.results, **dict.fromkeys(names, Result.of(right))},
        )

    return suppose


@dataclass(frozen=True, slots=True)
class Headline:
    """The one number by which a page places the runs of a suite.

    Attributes:
        name: What it is called in the suite's tables ("joint conduct").
        of: Its estimate for one run; no value where it was not measured or not judged.
        policies: What agents that do not read get on the very items of a run, by name: a fact about the
            items, so that no run is needed.
        ceiling: What the agent that does everything right gets.
        least: The least value that it can have.
        rests_on: The results of a trial that it is made of: a trial without one of them is not scored.
        suppose: What a lost trial would have been; None where the headline has no bounds.
    """

    name: str
    of: Callable[[Run], Estimate]
    policies: Callable[[Run], Mapping[str, float]]
    ceiling: float = 1.0
    least: float = 0.0
    rests_on: tuple[str, ...] = ()
    suppose: Supposed | None = None
