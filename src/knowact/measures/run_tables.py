"""What the tables of all suites have in common: row heads, and the tables that every suite has.

A suite says what its row heads are and which records belong to each; how trials ended, what they cost and how
two ways of judging agree is the same everywhere.
"""

import json
import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Final

import numpy as np

from knowact.core.charts import grouped_bars, stacked_shares
from knowact.core.palette import QUADRANTS
from knowact.core.record import LOST, OUTCOME_NAMES, SPLIT, Outcome, Record, probe_at_limit
from knowact.core.table import Estimate, Figure, Row, Run, Table, rows_of
from knowact.measures import intervals
from knowact.measures.agreement import kappa, observed
from knowact.measures.clusters import SEED, numbered
from knowact.measures.enough import Basis, enough
from knowact.measures.limits import COUNT
from knowact.measures.pairing import AMOUNT, BUDGETS, alike_but_for, data_names
from knowact.measures.quadrants import Quadrant
from knowact.measures.shares import share
from knowact.measures.summary import mean_estimate

AVERAGE: Final = "average"
ALL: Final = "all"


@dataclass(frozen=True, slots=True)
class Head:
    """A row head, and the records that it stands for."""

    keys: Mapping[str, str]
    records: Sequence[Record]


def row_heads(runs: Sequence[tuple[Run, Mapping[str, str]]]) -> list[dict[str, str]]:
    """Complete the row heads of runs, so that no two are alike.

    The data set is named where there are several. Of runs that are still alike each one says which of their
    differing options it has ("rules published"), and its id where the options leave it alike.
    """
    names = data_names(run.dataset for run, _ in runs)
    heads = [dict(named) | ({"data": names[run.dataset]} if len(names) > 1 else {}) for run, named in runs]
    alike: dict[tuple[tuple[str, str], ...], list[int]] = {}
    for place, keys in enumerate(heads):
        alike.setdefault(tuple(keys.items()), []).append(place)
    for places in alike.values():
        if len(places) > 1:
            names = _run_names([runs[place][0] for place in places])
            for place, name in zip(places, names, strict=True):
                heads[place]["run"] = name
    return heads


def _run_names(runs: Sequence[Run]) -> list[str]:
    """What tells several runs apart: the options in which they differ, or their ids."""
    options = sorted({name for run in runs for name in run.options})
    differing = [
        name for name in options if len({json.dumps(run.options.get(name), default=str) for run in runs}) > 1
    ]
    names = [", ".join(f"{name} {run.options.get(name, 'none')}" for name in differing) for run in runs]
    return [name if names.count(name) == 1 else run.id for name, run in zip(names, runs, strict=True)]


def run_name(keys: Mapping[str, str], usual: Mapping[str, str]) -> str:
    """Name a run in a chart: its model, and of the other row heads those that are not as usual.

    Args:
        keys: The run's row head, or a row's.
        usual: The usual value by row head ("setting": "clean").
    """
    model = keys["model"].rsplit("/", maxsplit=1)[-1]
    heads = {**usual, "data": "", "run": ""}
    shown = [f"{key}: {keys[key]}" for key, value in heads.items() if keys.get(key, value) != value]
    return ", ".join([model, *shown])


def with_bar(rows: Iterable[Row], usual: Mapping[str, str]) -> list[Row]:
    """Give each row a key "bar" that names its run."""
    return [replace(row, keys={**row.keys, "bar": run_name(row.keys, usual)}) for row in rows]


def quadrant_figure(table: Table, by: str, usual: Mapping[str, str], paper: str, note: str = "") -> Figure:
    """The know-act quadrants of each run as shares of each part of the data.

    Args:
        table: Has a row per quadrant.
        by: The row key that names the part.
        usual: As for `run_name`.
        paper: Where it comes from.
        note: What it takes, shown in place of an empty figure.
    """
    parts = [quadrant.value for quadrant in Quadrant]
    rows = with_bar((row for row in table.rows if row.measure in parts), usual)
    spec = stacked_shares(rows, "bar", "measure", parts=parts, facet=by, shades=QUADRANTS)
    return Figure("quadrant-shares", "Knowing and acting at a glance", paper, spec, "" if spec else note)


EFFORTS: Final = ("none", "minimal", "low", "medium", "high", "xhigh", "max")

USUAL_BUDGET: Final = "as usual"


def budget_figure(runs: Sequence[Run], measure: str, title: str) -> Figure:
    """A mean against the token budget, for models with several runs that differ in nothing else.

    Args:
        runs: All runs of a suite.
        measure: The result.
        title: What it is called.
    """
    rows: list[Row] = []
    names = Counter[str]()
    for some in alike_but_for(BUDGETS, runs, amount=AMOUNT):
        if len({*map(_budget, some)}) == 1:
            continue
        model = some[0].model.rsplit("/", maxsplit=1)[-1]
        names[model] += 1
        named = f"{model} ({names[model]})" if names[model] > 1 else model
        for run in sorted(some, key=_budget):
            keys = {"model": named, "budget": _budget(run)[1]}
            rows.append(Row(keys, measure, mean_estimate(run.records, measure)))
    spec = grouped_bars(rows, "budget", "model", value_title=title)
    note = (
        "Needs runs of one model with several budgets (--max-tokens 512,4096 or --reasoning-effort low,high)."
    )
    return Figure("budget", f"{title} against the token budget", "knowact", spec, "" if spec else note)


def _budget(run: Run) -> tuple[tuple[tuple[float, str], ...], str]:
    """A run's budget: to sort by, and in words."""
    given = {name: run.options[name] for name in BUDGETS if name in run.settings}
    order = tuple((_size(given[name]) if name in given else math.inf, name) for name in BUDGETS)
    words = ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in given.items())
    return order, words or USUAL_BUDGET


def _size(value: object) -> float:
    return EFFORTS.index(str(value)) if str(value) in EFFORTS else float(str(value))


def best_and_worst(
    title: str, shares: Mapping[str, Estimate], pairs: Mapping[str, Basis], names: Mapping[str, str]
) -> list[str]:
    """Say in a sentence where a share is highest and where it is lowest; nothing where none was measured.

    Where some part is too small to compare, all of them are pooled.

    Args:
        title: What is measured.
        shares: Of pairs of items, by part of the data.
        pairs: Which pairs each share rests on.
        names: What a reader calls each part.
    """
    known = {
        part: (estimate.value, estimate.n) for part, estimate in shares.items() if estimate.value is not None
    }
    values = {part: value for part, (value, _) in known.items()}
    if not values:
        return []
    if len(values) > 1 and not all(enough(pairs[part].clusters) for part in known):
        mean = math.fsum(value * n for value, n in known.values()) / sum(n for _, n in known.values())
        return [f"{title}: {mean:.0%} of {Basis.together(pairs[part] for part in known).counted('pair')}."]
    worst, best = min(values, key=values.__getitem__), max(values, key=values.__getitem__)
    head = f"{title}: {values[best]:.0%}"
    if len(values) > 1 and values[best] == values[worst]:
        return [f"{head}, whatever is missing."]
    tail = f", {values[worst]:.0%} of {names[worst]}" if len(values) > 1 else ""
    return [f"{head} of {names[best]}{tail}."]


AGENTS_FAULT: Final = (
    "Unreadable and empty replies and trials that hit a limit are the agent's and count as wrong. Instrument "
    "errors leave an item unscored. None of them counts as restraint."
)


def means_table(runs: Sequence[Run], measures: Mapping[str, str], by: str, note: str = "") -> Table:
    """The mean of each measure, over the values of a label and over all items, a row per run.

    Args:
        runs: All runs of a suite.
        measures: Names of results to what the table calls them.
        by: The label that makes the columns.
        note: What the measures mean.
    """
    rows: list[Row] = []
    for head in heads_of(runs):
        values = sorted({record.labels[by] for record in head.records if by in record.labels})
        for value in (*values, ALL):
            part = [record for record in head.records if value in (ALL, record.labels.get(by))]
            means = {words: mean_estimate(part, name) for name, words in measures.items()}
            rows += rows_of({**head.keys, by: value}, means)
    return Table("means", f"Results by {by}", "knowact", tuple(rows), across=(by,), note=note)


def heads_of(runs: Sequence[Run]) -> list[Head]:
    """A row head per run: its model, the data where there are several, and its id beside others like it."""
    names = data_names(run.dataset for run in runs)
    heads = [{"model": run.model} | ({"data": names[run.dataset]} if len(names) > 1 else {}) for run in runs]
    return [
        Head(keys | ({"run": run.id} if heads.count(keys) > 1 else {}), run.records)
        for run, keys in zip(runs, heads, strict=True)
    ]


def endings_table(
    heads: Sequence[Head],
    probes: Sequence[str],
    probe_of: Callable[[str], str],
    note: str = AGENTS_FAULT,
) -> Table:
    """How trials ended and what went wrong in them, each by its name and as a share of all recorded trials.

    A trial that was lost as a whole stands under every probe, with what it was lost by; one that was not
    asked something that others were has "not_run" there. So the outcomes under a probe sum to one.

    Args:
        heads: Row heads with their records.
        probes: In the order of the columns; others that records name come after them.
        probe_of: Which probe a flag belongs to, except one that names it behind a limit.
        note: What the outcomes mean in this suite.
    """
    rows: list[Row] = []
    for head in heads:
        for probe in _probes_of(head.records, probes):
            ended = [_ending(record, probe) for record in head.records]
            rows += [
                Row(
                    {**head.keys, "probe": probe},
                    ending,
                    _share(head.records, [name == ending for name in ended]),
                )
                for ending in OUTCOME_NAMES
                if ending in ended
            ]
        for flag in sorted({flag for record in head.records for flag in record.flags}):
            keys = {**head.keys, "probe": probe_at_limit(flag) or probe_of(flag)}
            rows.append(Row(keys, f"with {flag.replace('_', ' ')}", flagged(head.records, flag)))
    notes = f"{note} {OF_ALL_RECORDED}"
    return Table("failures", "Outcomes and flags", "knowact", tuple(rows), ("probe",), notes, highest=False)


OF_ALL_RECORDED: Final = (
    "Shares of all trials that were recorded; one that was lost before it was scored stands under each probe."
)


def _probes_of(records: Sequence[Record], order: Sequence[str]) -> list[str]:
    """The probes that records name, in this order, then the others.

    What stands for a lost trial is none of them, unless nothing else was recorded.
    """
    named = dict.fromkeys(probe for record in records for probe in record.outcomes)
    known = [probe for probe in order if probe in named]
    return [*known, *(probe for probe in named if probe not in {*order, LOST})] or list(named)


def _ending(record: Record, probe: str) -> str:
    """How a trial ended in a probe, in the words of tables."""
    names = record.outcome_names
    return names.get(probe) or names.get(LOST) or Outcome.NOT_RUN.value


def flagged(records: Sequence[Record], flag: str) -> Estimate:
    """Return the share of trials that carry a flag."""
    return _share(records, [flag in record.flags for record in records])


def _share(records: Sequence[Record], hits: Sequence[bool]) -> Estimate:
    """Return the share of hits, a yes or no for each record."""
    return share(hits, [record.cluster for record in records])


def cost_table(heads: Sequence[Head], label: str, names: Sequence[str], source: str) -> Table:
    """Tool calls by a label, and tokens, seconds and dollars per trial over all of them.

    All of it over all recorded trials: what came to no result was paid for, too.

    Args:
        heads: Row heads with their records.
        label: What makes the columns ("boundary").
        names: Its values, in order; one that does not occur is left out.
        source: Which table of which paper it is.
    """
    rows: list[Row] = []
    for head in heads:
        if not head.records:
            continue
        parts = {name: [r for r in head.records if r.labels.get(label) == name] for name in names}
        rows += [
            Row({**head.keys, label: name}, "tool calls", _calls_of(part))
            for name, part in parts.items()
            if part
        ]
        totals = {
            "input tokens": _mean_of(record.tokens[0] for record in head.records),
            "output tokens": _mean_of(record.tokens[1] for record in head.records),
            "seconds": _mean_of(record.seconds for record in head.records),
            "dollars": _mean_of(record.cost for record in head.records),
        }
        rows += rows_of({**head.keys, label: AVERAGE}, {**totals, **_role_costs(head.records)})
    note = (
        "Tokens, seconds and dollars are the agent's; those of models in roles carry the role's name. Means "
        "over all trials that were recorded, scored or not; one that was lost before it was scored has no "
        "tool calls in its record. A trial that an error ended is tried again: tokens, dollars and calls of "
        "roles are of all tries, tool calls and seconds of the last."
    )
    title = "Cost of one trial"
    return Table("cost", title, source, tuple(rows), (label,), note, percent=False, highest=False)


def _calls_of(records: Sequence[Record]) -> Estimate:
    """The mean number of tool calls, over all records."""
    calls = np.array([record.calls for record in records], dtype=np.float64)
    clusters = numbered([record.cluster for record in records])
    return intervals.mean(calls, clusters, SEED, COUNT)


def _role_costs(records: Sequence[Record]) -> dict[str, Estimate]:
    """Calls, tokens and dollars per trial of the models in each role; nothing where nobody plays one."""
    costs: dict[str, Estimate] = {}
    played = dict.fromkeys(role for record in records for role in (*record.role_calls, *record.role_tokens))
    for role in sorted(played):
        tokens = [record.role_tokens.get(role, (0, 0)) for record in records]
        unpriced = any(role in record.role_tokens and role not in record.role_cost for record in records)
        priced = records[:0] if unpriced else records
        costs |= {
            f"{role} calls": _mean_of(record.role_calls.get(role, 0) for record in records),
            f"{role} input tokens": _mean_of(read for read, _ in tokens),
            f"{role} output tokens": _mean_of(wrote for _, wrote in tokens),
            f"{role} dollars": _mean_of(record.role_cost.get(role, 0.0) for record in priced),
        }
    return costs


def _mean_of(amounts: Iterable[float | None]) -> Estimate:
    """The mean of the amounts that are known, without an interval."""
    known = [amount for amount in amounts if amount is not None]
    return Estimate(sum(known) / len(known) if known else None, len(known))


def usual_tables(
    measures: Mapping[str, str], by: str, probes: Sequence[str], note: str
) -> tuple[Callable[[Sequence[Run]], Table], ...]:
    """The tables that a suite of single items has: means by a label, outcomes, cost.

    Args:
        measures: Names of results to what the table calls them.
        by: The label that makes the columns.
        probes: In the order of the columns; a flag is of the one it begins with, or of the last, which acts.
        note: What the measures mean.
    """

    def means(runs: Sequence[Run]) -> Table:
        return means_table(runs, measures, by, note)

    def outcomes(runs: Sequence[Run]) -> Table:
        def probe_of(flag: str) -> str:
            return next((probe for probe in probes if flag.startswith(probe)), probes[-1])

        return endings_table(heads_of(runs), probes, probe_of)

    def cost(runs: Sequence[Run]) -> Table:
        names = sorted({record.labels.get(by, "") for run in runs for record in run.records} - {""})
        return cost_table(heads_of(runs), by, names, "knowact")

    return means, outcomes, cost


def shares_by(records: Sequence[Record], measure: str, by: str) -> str:
    """Say in words a share for each value of a label, "call 80%, ask 20%"; empty where none was measured."""
    groups: dict[str, list[float]] = {}
    for record in records:
        value = record.value(measure)
        if by in record.labels and not math.isnan(value):
            groups.setdefault(record.labels[by], []).append(value)
    shares = {name: math.fsum(values) / len(values) for name, values in sorted(groups.items())}
    return ", ".join(f"{name.replace('_', ' ')} {share:.0%}" for name, share in shares.items())


JUDGES: Final = {"pass_form": "form", "pass_judge": "judge", "pass_human": "person"}
"""Results on one and the same answer, and whose they are."""

JUDGES_NOTE: Final = (
    "Over the answers that were read. By form: an extractor fills in what the answer states, and code "
    "compares it with the facts. By judge: votes. 'Rests on' says which of them the other tables count, "
    "with its share of all trials. Split votes: the judge's votes differed. A person's labels come from "
    "a file (knowact report --labels FILE) and change no other number."
)


def judges_table(
    heads: Sequence[Head],
    counted: str = "pass",
    ways: Mapping[str, str] = JUDGES,
    note: str = JUDGES_NOTE,
) -> Table:
    """What is judged, by each way of judging, how often two of them agree, and which one counts.

    Args:
        heads: Row heads with their records.
        counted: The result that other tables show; it says by whom it is.
        ways: Results on the same words, and whose they are.
        note: What a reader must know beside the numbers.
    """
    rows: list[Row] = []
    for head in heads:
        scored = [record for record in head.records if record.scored]
        every = {who: [_read(record, measure) for record in scored] for measure, who in ways.items()}
        known = {who: values for who, values in every.items() if not all(map(math.isnan, values))}
        for who, values in known.items():
            judged = [(r, v == 1) for r, v in zip(scored, values, strict=True) if not math.isnan(v)]
            passed = _share([record for record, _ in judged], [hit for _, hit in judged])
            rows.append(Row(head.keys, f"{counted} by {who}", passed))
        rows += _rests_on(head, scored, counted)
        clusters = [record.cluster for record in scored]
        for first, second in combinations(known, 2):
            ratings = list(zip(map(_said, known[first]), map(_said, known[second]), strict=True))
            numbers = {"agreement": observed(ratings, clusters), "Cohen's kappa": kappa(ratings, clusters)}
            rows += rows_of({**head.keys, "between": f"{first} and {second}"}, numbers)
        if "judge" in known and any(SPLIT in record.flags for record in scored):
            voted = [r for r, v in zip(scored, known["judge"], strict=True) if not math.isnan(v)]
            split = _share(voted, [SPLIT in record.flags for record in voted])
            rows.append(Row(head.keys, "with split votes", split))
    title = f"Ways to judge: {counted}"
    return Table("judges", title, "knowact", tuple(rows), ("between",), note, percent=False)


def _read(record: Record, measure: str) -> float:
    """The value of a result that somebody gave; NaN for one that the trial's end decided."""
    result = record.results.get(measure)
    return result.number if result is not None and result.by else math.nan


def _rests_on(head: Head, scored: Sequence[Record], counted: str) -> list[Row]:
    """By whom the result is that counts, as shares of the scored trials; a trial's end decides the rest."""
    results = [record.results.get(counted) for record in scored]
    whose = ["" if result is None or result.value is None else result.by for result in results]
    return [
        Row(head.keys, f"rests on {who}", _share(scored, [name == who for name in whose]))
        for who in dict.fromkeys(whose)
        if who
    ]


def _said(value: float) -> str | None:
    return None if math.isnan(value) else "pass" if value else "fail"
