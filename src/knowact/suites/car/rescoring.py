"""`knowact rescore car`: published trial records, scored again under both rule sets.

`rescore` is all that the command knows of this suite. No model is called: what the driver and the judge
said is taken from the record, everything else is computed anew. What the record cannot decide is undecided,
and no rate or average stands on the other trials alone.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from knowact.core.record import NOT_APPLICABLE, Result, Status
from knowact.core.rounding import count
from knowact.core.table import Estimate, Row, Table, as_table
from knowact.datasets.loose import files_at
from knowact.measures.clusters import SEED
from knowact.measures.pass_k import AVERAGE, Power, Tally, rates
from knowact.measures.run_tables import AVERAGE as AVERAGED
from knowact.measures.shares import share
from knowact.suites.car.differences import REWARD, Explained, explained, words
from knowact.suites.car.errors import Diagnosis, ErrorClass, diagnose
from knowact.suites.car.published_trials import POLICY_BY_CODE, PublishedRun, PublishedTrial, read_runs
from knowact.suites.car.scoring import CONVERSATION, POLICY, PUBLISHED, Score, score
from knowact.suites.car.trajectory import CannotReplay, replayed
from knowact.worlds.car.defects import Defect
from knowact.worlds.car.rules import Rules

RECORDED: Final = "recorded"

REPEATED: Final = (POLICY, CONVERSATION)
"""Sub-metrics that take the judge's complaints, or the driver's last word, from the record."""

_UNPAIRED: Final = (33, 35)
"""Base tasks that no hallucination task was made from (CAR-bench)."""


@dataclass(frozen=True, slots=True)
class Rescored:
    """Published trials, scored again. `cli.rescore_command.Rescored` says what each part is."""

    tables: tuple[Table, ...]
    notes: tuple[str, ...]
    details: tuple[Mapping[str, str], ...]
    unscored: int


@dataclass(frozen=True, slots=True)
class Judged:
    """One published trial, and what it comes to.

    Attributes:
        scores: By rule set; empty where it could not be played again.
        differences: Where the rule sets disagree.
        diagnosis: Why it failed by the definition, or was not scored; None if it succeeded, or could not be
            played again.
        reason: Why it can't be scored again; empty if it can.
    """

    published: PublishedTrial
    scores: Mapping[Rules, Score]
    differences: tuple[Explained, ...] = ()
    diagnosis: Diagnosis | None = None
    reason: str = ""

    def reward(self, rules: str) -> float | None:
        """Its reward by a rule set or as recorded; None where it is undecided."""
        if rules == RECORDED:
            return self.published.reward
        found = self.scores.get(Rules(rules))
        return None if found is None else found.reward.value


Valued = Sequence[tuple[Judged, float | None]]
"""Trials with a 1, a 0, or None for what is undecided."""


@as_table("pass-k", "Success in k trials", "CAR-bench, main results", across=("rules",))
def pass_k(judged: Sequence[Judged], chosen: Sequence[Rules]) -> Iterator[Row]:
    """Pass^k and Pass@k per type of task and averaged, as recorded and under each rule set.

    Unbiased over all trials; items with fewer than k trials are left out. A hallucination task and its base
    task are resampled together. Recorded: the rewards that stand in the file. Where trials are undecided,
    nothing is computed; the JSON file has the bounds.
    """
    for rules in (RECORDED, *chosen):
        found = _tallies(judged, rules)
        for k in range(1, 1 + max((one.trials + one.unscored for one in found), default=0)):
            for power in Power:
                for kind, rate in rates(found, power, k, SEED).items():
                    keys = {"rules": str(rules), "type": AVERAGED if kind == AVERAGE else kind, "k": str(k)}
                    whole = [one for one in found if kind in {AVERAGE, one.kind}]
                    unknown, every = sum(t.unscored for t in whole), sum(t.trials + t.unscored for t in whole)
                    bounds = _undecided(unknown, every, rate.least, rate.most)
                    yield Row(keys, power.value, bounds if unknown else rate.estimate)


def _tallies(judged: Sequence[Judged], rules: str) -> list[Tally]:
    groups: dict[str, list[Judged]] = {}
    for one in judged:
        groups.setdefault(one.published.item, []).append(one)
    return [
        Tally.of(item, group[0].published.kind, lineage(item), [one.reward(rules) for one in group])
        for item, group in groups.items()
    ]


def _undecided(unknown: int, every: int, least: float | None, most: float | None) -> Estimate:
    return Estimate(None, every - unknown, least, most, f"{unknown:,} of {every:,} undecided")


def _rate(values: Valued) -> Estimate:
    """The share of trials with a 1; the trials of one base task are no independent ones."""
    known = [value for _, value in values if value is not None]
    unknown, ones = len(values) - len(known), sum(known)
    if unknown:
        return _undecided(unknown, len(values), ones / len(values), (ones + unknown) / len(values))
    return share(known, [lineage(one.published.item) for one, _ in values])


def lineage(item: str) -> str:
    """Return the base task that a published hallucination task was made from; any other item itself."""
    kind, _, number = item.rpartition("_")
    if kind != "hallucination" or not number.isdigit():
        return item
    place = int(number)
    for skipped in _UNPAIRED:
        place += place >= skipped
    return f"base_{place}"


@as_table("sub-metrics", "Sub-metrics", across=("rules",))
def metrics(judged: Sequence[Judged], chosen: Sequence[Rules]) -> Iterator[Row]:
    """The share of trials that pass each sub-metric, per type of task.

    Intervals resample base tasks with all trials of theirs, here and in the table of agreement.
    """
    for kind in dict.fromkeys(one.published.kind for one in judged):
        trials = [one for one in judged if one.published.kind == kind]
        for rules in chosen:
            for metric in PUBLISHED:
                applied = [
                    (one, result.value)
                    for one in trials
                    if (result := _result(one, metric, rules)) and result.status is not Status.NOT_APPLICABLE
                ]
                if applied:
                    lost = [(one, None) for one in trials if not one.scores]
                    yield Row({"type": kind, "rules": str(rules)}, metric, _rate([*applied, *lost]))


def _result(one: Judged, measure: str, rules: Rules) -> Result | None:
    found = one.scores.get(rules)
    if found is None:
        return None
    if measure == POLICY_BY_CODE:
        applies = POLICY in found.metrics and found.metrics[POLICY].status is not Status.NOT_APPLICABLE
        return Result.of(not found.violations) if applies else None
    return found.reward if measure == REWARD else found.metrics.get(measure)


@as_table(
    "error-classes",
    "Error classes",
    "CAR-bench, error taxonomy",
    across=("type",),
    percent=False,
    counts=True,
)
def errors(judged: Sequence[Judged]) -> Iterator[Row]:
    """How many of the failed trials fall into each error class, by the definition.

    "?": undecided whether they failed. docs/suites/car.md has the procedure.
    """
    for kind in dict.fromkeys(one.published.kind for one in judged):
        trials = [one for one in judged if one.published.kind == kind]
        found = Counter(
            one.diagnosis.error if one.diagnosis else ErrorClass.OPEN
            for one in trials
            if one.diagnosis or not one.scores
        )
        for error in (error for error in ErrorClass if error in found):
            yield Row({"type": kind, "class": error.value}, "trials", Estimate(found[error], len(trials)))


@as_table("agreement", "The record against the published rules")
def agreement(judged: Sequence[Judged]) -> Iterator[Row]:
    """How often the published rules, applied anew, say what the record says.

    Of the trials for which the record has a value. Recomputed: from the task, the calls and their results.
    Repeated: the judge's complaints and the user's last word are taken from the record, so agreement says
    little. The reward rests on both.
    """
    for measure in (*PUBLISHED, POLICY_BY_CODE, REWARD):
        pairs = [(one, _then(one, measure), _result(one, measure, Rules.PUBLISHED)) for one in judged]
        values: Valued = [
            (one, None if now is None or now.value is None else float(now.value == then))
            for one, then, now in pairs
            if then is not None and not (now is None and one.scores)
        ]
        if values:
            how = "both" if measure == REWARD else "repeated" if measure in REPEATED else "recomputed"
            yield Row({"measure of the record": measure, "comes from": how}, "agrees", _rate(values))


def _then(one: Judged, measure: str) -> float | None:
    return one.published.reward if measure == REWARD else one.published.recorded[measure]


@as_table("faults", "What the faults of the published scoring change", percent=False, counts=True)
def defects_table(judged: Sequence[Judged]) -> Iterator[Row]:
    """Which faults of the published scoring change how many results.

    The trials in which mending the fault is needed to get from the published result to ours; and those in
    which ours is undecided then.
    """
    changed, undecided = Counter[tuple[str, Defect]](), Counter[tuple[str, Defect]]()
    for found in (found for one in judged for found in one.differences):
        decided = found.definition in {"0", "1", words(NOT_APPLICABLE)}
        (changed if decided else undecided).update((found.metric, defect) for defect in found.because)
    order = list(Defect)
    for metric, defect in sorted(changed | undecided, key=lambda pair: (pair[0], order.index(pair[1]))):
        keys = {"sub-metric": metric, "fault": defect.value, "what it does": defect.meaning}
        for measure, counted in (("changed", changed), ("undecided", undecided)):
            yield Row(keys, measure, Estimate(counted[metric, defect], len(judged)))


BOTH: Final = "both"

EXCLUDED: Final = frozenset(
    {
        *(f"hallucination_{number}" for number in (41, 54, 59, 79, 80, 84, 95)),
        *(f"disambiguation_{number}" for number in (1, 2, 3, 5, 35, 47)),
    }
)
"""Tasks that the paper leaves out as wrong (CAR-bench)."""


def rescore(path: Path, rules: str = BOTH) -> Rescored:
    """Score published trials again.

    Args:
        path: A result file, or a folder of them. Several runs (`read_runs`) are told apart in every table.
        rules: "definition", "published" or "both".

    Raises:
        BadData: There is no record, or a file cannot be read.
        ValueError: There are no such rules.
    """
    chosen = tuple(Rules) if rules == BOTH else (Rules(rules),)
    runs = {run: [_judged(one) for one in run.trials] for run in read_runs(path)}
    tables: dict[str, Table] = {}
    details: list[Mapping[str, str]] = []
    for run, judged in runs.items():
        head = {"run": run.name} if len(runs) > 1 else {}
        for table in _tables(judged, chosen):
            rows = tuple(replace(row, keys={**head, **row.keys}) for row in table.rows)
            whole = tables.setdefault(table.id, replace(table, rows=()))
            tables[table.id] = replace(whole, rows=whole.rows + rows)
        details += [{**head, **detail} for detail in _details(judged)]
    return Rescored(
        tables=tuple(table for table in tables.values() if table.rows),
        notes=tuple(_notes(path, runs, chosen)),
        details=tuple(details),
        unscored=sum(
            all(one.reward(rules) is None for rules in chosen) for judged in runs.values() for one in judged
        ),
    )


def _tables(judged: Sequence[Judged], chosen: Sequence[Rules]) -> Iterator[Table]:
    yield pass_k(judged, chosen)
    kept = [one for one in judged if one.published.item not in EXCLUDED]
    title = "Success in k trials, without the tasks that the paper excludes"
    rows = pass_k(kept, chosen).rows if 0 < len(kept) < len(judged) else ()
    yield Table("pass-k-paper", title, "CAR-bench, main results", rows, across=("rules",))
    yield from (metrics(judged, chosen), errors(judged), agreement(judged))
    if len(chosen) > 1:
        yield defects_table(judged)


def _judged(published: PublishedTrial) -> Judged:
    try:
        again = replayed(published)
    except CannotReplay as error:
        return Judged(published, {}, reason=str(error))
    scores = {rules: score(again.trial, again.goal, rules) for rules in Rules}
    reward = scores[Rules.PUBLISHED].reward
    return Judged(
        published,
        scores,
        differences=explained(again.trial, again.goal),
        diagnosis=diagnose(again.trial, again.goal),
        reason=reward.why if reward.value is None else "",
    )


def _notes(
    path: Path, runs: Mapping[PublishedRun, Sequence[Judged]], chosen: Sequence[Rules]
) -> Iterator[str]:
    for run, judged in runs.items():
        name = f"{run.name}: " if len(runs) > 1 else ""
        whole = sum(not one.reason for one in judged)
        sizes = f"{count(len(judged), 'trial')} of {count(len(run.tasks), 'task')}"
        yield f"{name}{sizes}; {whole:,} can be scored again."
        if len(run.files) > 1:
            yield f"{name}One run, by its names and tasks, in {', '.join(file.name for file in run.files)}."
        yield from (f"{name}{remark}." for remark in run.remarks)
    every = [one for judged in runs.values() for one in judged]
    for reason, times in Counter(one.reason for one in every if one.reason).most_common():
        yield f"Not re-scorable, {count(times, 'trial')}: {reason}."
    open_ones = (
        one.scores[Rules.DEFINITION].reward for one in every if one.scores and Rules.DEFINITION in chosen
    )
    for why, times in Counter(one.why for one in open_ones if one.value is None).most_common():
        yield f"Undecided by the definition, {count(times, 'trial')}: {why}."
    excluded = len({one.published.item for one in every} & EXCLUDED)
    if excluded:
        yield f"The paper excludes {count(excluded, 'task')} of these as wrong, and so does one table."
    others = [file.name for file in files_at(path) if not any(file in run.files for run in runs)]
    if others:
        yield f"Without a trial record: {', '.join(others)}."
    yield (
        "The user's messages and the judge's complaints come from the record; neither is asked again. A "
        "trial without a recorded failing message counts as ended well."
    )


def _details(judged: Sequence[Judged]) -> Iterator[Mapping[str, str]]:
    """One entry per difference between the rule sets or from the record, per failure, per trial left out."""
    for one in judged:
        head = {"item": one.published.item, "trial": str(one.published.index + 1)}
        found = [{"kind": "not re-scorable", "why": one.reason}] if one.reason else []
        found += [
            {
                "kind": "rule sets differ",
                "measure": each.metric,
                "published": each.published,
                "definition": each.definition,
                "defects": ", ".join(each.because),
                "meaning": "; ".join(defect.meaning for defect in each.because),
                "why": each.why,
            }
            for each in one.differences
        ]
        found += [
            {"kind": "record differs", "measure": measure, "recorded": recorded, "published": again}
            for measure, recorded, again in disagreements(one)
        ]
        if one.diagnosis is not None:
            found.append({"kind": "error class", "class": one.diagnosis.error, "why": one.diagnosis.why})
        yield from ({**head, **each, "place": str(one.published.found.place)} for each in found)


def disagreements(one: Judged) -> Iterator[tuple[str, str, str]]:
    """Yield what the record says otherwise than the published rules say now: measure, then, now."""
    for measure in (*PUBLISHED, POLICY_BY_CODE, REWARD):
        then, now = _then(one, measure), _result(one, measure, Rules.PUBLISHED)
        if then is not None and now is not None and now.value not in {None, then}:
            yield measure, f"{then:g}", words(now)
