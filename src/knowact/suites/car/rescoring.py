"""`knowact rescore car`: published trial records, scored again under both rule sets.

`rescore` is all that the command knows of this suite. No model is called: what the driver and the judge
said is taken from the record, everything else is computed anew.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from knowact.core.errors import BadData
from knowact.core.table import Table
from knowact.suites.car.differences import Explained, explained, words
from knowact.suites.car.errors import Diagnosis, diagnose
from knowact.suites.car.published import PublishedTrial, read_trials
from knowact.suites.car.published_tables import agreement, defects_table, errors, metrics, pass_k
from knowact.suites.car.scoring import METRICS, Score, score
from knowact.suites.car.trajectory import CannotReplay, replayed
from knowact.worlds.car.rules import Rules

BOTH: Final = "both"

EXCLUDED: Final = frozenset(
    {
        *(f"hallucination_{number}" for number in (41, 54, 59, 79, 80, 84, 95)),
        *(f"disambiguation_{number}" for number in (1, 2, 3, 5, 35, 47)),
    }
)
"""Tasks that the paper leaves out as wrong (spec car-bench.md, section 6.2)."""


@dataclass(frozen=True, slots=True)
class Rescored:
    """Published trials, scored again. `cli.rescore_command.Rescored` says what each part is."""

    tables: tuple[Table, ...]
    notes: tuple[str, ...]
    details: tuple[Mapping[str, str], ...]


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


def rescore(path: Path, rules: str = BOTH) -> Rescored:
    """Score published trials again.

    Args:
        path: A result file, or a folder of the result files of one run.
        rules: "definition", "published" or "both".

    Raises:
        BadData: There is no record, a file cannot be read, or a trial stands there twice.
        ValueError: There are no such rules.
    """
    chosen = tuple(Rules) if rules == BOTH else (Rules(rules),)
    published = read_trials(path)
    _require_one_run(published)
    judged = [_judged(one) for one in published]
    tables = [pass_k(judged, chosen), metrics(judged, chosen), errors(judged), agreement(judged)]
    kept = [one for one in judged if one.published.item not in EXCLUDED]
    if 0 < len(kept) < len(judged):
        title = "Success in k trials, without the tasks that the paper leaves out"
        tables.insert(1, replace(pass_k(kept, chosen), id="pass-k-paper", title=title))
    if len(chosen) > 1:
        tables.append(defects_table(judged))
    return Rescored(
        tables=tuple(table for table in tables if table.rows),
        notes=tuple(_notes(judged)),
        details=tuple(_details(judged)),
    )


def _require_one_run(published: Sequence[PublishedTrial]) -> None:
    seen: dict[tuple[str, int], PublishedTrial] = {}
    for one in published:
        first = seen.setdefault((one.item, one.index), one)
        if first is not one:
            what = f"the record of {one.name} stands here and at {first.place}"
            raise BadData(what, one.place, "name the files of one run at a time")


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


def _notes(judged: Sequence[Judged]) -> Iterator[str]:
    items = {one.published.item for one in judged}
    whole = sum(not one.reason for one in judged)
    yield f"{_count(len(judged), 'trial')} of {_count(len(items), 'task')}; {whole:,} can be scored again."
    reasons = Counter(one.reason for one in judged if one.reason)
    for reason, count in reasons.most_common():
        yield f"Not re-scorable, {_count(count, 'trial')}: {reason}."
    excluded = len(items & EXCLUDED)
    if excluded:
        yield f"The paper leaves out {_count(excluded, 'task')} of these as wrong; one table does, too."
    yield (
        "The driver's words and the judge's complaints are those of the record: neither is asked again. A "
        "trial whose record holds no word that failed it counts as ended in the way that its type ends well."
    )


def _details(judged: Sequence[Judged]) -> Iterator[Mapping[str, str]]:
    """One entry per difference between the rule sets or from the record, per failure, per trial left out."""
    for one in judged:
        head = {"item": one.published.item, "trial": str(one.published.index + 1)}
        place = {"place": str(one.published.place)}
        if one.reason:
            yield {**head, "kind": "not re-scorable", "why": one.reason, **place}
        for found in one.differences:
            yield {
                **head,
                "kind": "rule sets differ",
                "measure": found.metric,
                "published": found.published,
                "definition": found.definition,
                "defects": ", ".join(found.because),
                "meaning": "; ".join(defect.meaning for defect in found.because),
                "why": found.why,
                **place,
            }
        for measure, recorded, again in disagreements(one):
            yield {
                **head,
                "kind": "record differs",
                "measure": measure,
                "recorded": recorded,
                "published": again,
                **place,
            }
        if one.diagnosis is not None:
            diagnosis = one.diagnosis
            yield {**head, "kind": "error class", "class": diagnosis.error, "why": diagnosis.why, **place}


def disagreements(one: Judged) -> Iterator[tuple[str, str, str]]:
    """Yield what the record says otherwise than the published rules say now: measure, then, now."""
    again = one.scores.get(Rules.PUBLISHED)
    if again is None:
        return
    for metric in METRICS:
        then, now = one.published.recorded[metric], again.metrics.get(metric)
        if then is not None and now is not None and now.value is not None and then != now.value:
            yield metric, f"{then:g}", words(now)
    if one.published.reward is not None and again.reward.value not in {None, one.published.reward}:
        yield "reward", f"{one.published.reward:g}", words(again.reward)


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"
