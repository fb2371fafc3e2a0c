"""Tables that every suite has: how trials ended, what they cost, and how two ways of judging agree.

A suite says what its row heads are and which records belong to each; the rest is the same everywhere.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from knowact.core.record import SPLIT, Ending, Record
from knowact.core.table import Estimate, Row, Table
from knowact.measures.agreement import kappa, observed
from knowact.measures.shares import share
from knowact.measures.summary import mean_estimate

SEED: Final = 0
"""Of the bootstrap: equal records give equal intervals."""

AVERAGE: Final = "average"


@dataclass(frozen=True, slots=True)
class Head:
    """A row head, and the records that it stands for."""

    keys: Mapping[str, str]
    records: Sequence[Record]


def endings_table(
    heads: Sequence[Head], probes: Sequence[str], probe_of: Callable[[str], str], note: str
) -> Table:
    """How trials ended and what went wrong in them, each by its name and as a share of all trials.

    Args:
        heads: Row heads with their records.
        probes: In the order of the columns.
        probe_of: Which probe a flag belongs to.
        note: What the endings mean in this suite.
    """
    rows: list[Row] = []
    for head in heads:
        for probe in probes:
            asked = [record for record in head.records if probe in record.endings]
            endings = {record.endings[probe] for record in asked}
            rows += [
                Row(
                    {**head.keys, "probe": probe},
                    ending.value,
                    _share(asked, [one.endings[probe] is ending for one in asked]),
                )
                for ending in Ending
                if ending in endings
            ]
        for flag in sorted({flag for record in head.records for flag in record.flags}):
            found = _share(head.records, [flag in record.flags for record in head.records])
            keys = {**head.keys, "probe": probe_of(flag)}
            rows.append(Row(keys, f"with {flag.replace('_', ' ')}", found))
    return Table(
        "failures",
        "Endings and oddities",
        "knowact",
        tuple(rows),
        across=("probe",),
        note=note,
        highest=False,
    )


def _share(records: Sequence[Record], hits: Sequence[bool]) -> Estimate:
    """Return the share of hits, a yes or no for each record."""
    return share(hits, [record.cluster for record in records], SEED)


def cost_table(heads: Sequence[Head], label: str, names: Sequence[str], source: str) -> Table:
    """Tool calls by a label, and tokens, seconds and dollars per trial over all of them.

    Args:
        heads: Row heads with their records.
        label: What makes the columns ("boundary").
        names: Its values, in order; one that does not occur is left out.
        source: Which table of which paper it is.
    """
    rows: list[Row] = []
    for head in heads:
        n = len(head.records)
        if not n:
            continue
        for name in names:
            part = [record for record in head.records if record.labels.get(label) == name]
            if part:
                calls = mean_estimate(part, "calls", SEED, (0.0, math.inf))
                rows.append(Row({**head.keys, label: name}, "tool calls", calls))
        priced = [record.cost for record in head.records if record.cost is not None]
        totals = {
            "input tokens": Estimate(sum(r.tokens[0] for r in head.records) / n, n),
            "output tokens": Estimate(sum(r.tokens[1] for r in head.records) / n, n),
            "seconds": Estimate(sum(r.seconds for r in head.records) / n, n),
            "dollars": Estimate(sum(priced) / len(priced) if priced else None, len(priced)),
        }
        totals |= _role_costs(head.records)
        rows += [Row({**head.keys, label: AVERAGE}, name, value) for name, value in totals.items()]
    note = (
        "Tokens, seconds and dollars are the agent's; what the models in roles took stands beside them, with "
        "the role's name."
    )
    return Table(
        "cost",
        "Cost of one trial",
        source,
        tuple(rows),
        across=(label,),
        note=note,
        percent=False,
        highest=False,
    )


def _role_costs(records: Sequence[Record]) -> dict[str, Estimate]:
    """Calls, tokens and dollars per trial of the models in each role; nothing where nobody plays one."""
    n, found = len(records), dict[str, Estimate]()
    played = dict.fromkeys(role for one in records for role in (*one.role_calls, *one.role_tokens))
    for role in sorted(played):
        tokens = [record.role_tokens.get(role, (0, 0)) for record in records]
        unpriced = any(role in one.role_tokens and role not in one.role_cost for one in records)
        dollars = None if unpriced else sum(one.role_cost.get(role, 0.0) for one in records) / n
        found |= {
            f"{role} calls": Estimate(sum(one.role_calls.get(role, 0) for one in records) / n, n),
            f"{role} input tokens": Estimate(sum(read for read, _ in tokens) / n, n),
            f"{role} output tokens": Estimate(sum(wrote for _, wrote in tokens) / n, n),
            f"{role} dollars": Estimate(dollars, n if dollars is not None else 0),
        }
    return found


JUDGES: Final = {"pass_form": "form", "pass_judge": "judge", "pass_human": "person"}
"""Verdicts on one and the same answer, and whose they are."""


def judges_table(heads: Sequence[Head], counted: str = "pass") -> Table:
    """Pass by each way of judging, how often two of them agree, with Cohen's kappa, and which one counts.

    Args:
        heads: Row heads with their records.
        counted: The verdict that other tables show; it says by whom it is.
    """
    rows: list[Row] = []
    for head in heads:
        scored = [record for record in head.records if record.scored]
        every = {who: [_read(record, measure) for record in scored] for measure, who in JUDGES.items()}
        known = {who: values for who, values in every.items() if not all(map(math.isnan, values))}
        for who, values in known.items():
            judged = [(r, v == 1) for r, v in zip(scored, values, strict=True) if not math.isnan(v)]
            passed = _share([record for record, _ in judged], [hit for _, hit in judged])
            rows.append(Row(head.keys, f"pass by {who}", passed))
        rows += _rests_on(head, scored, counted)
        clusters = [record.cluster for record in scored]
        for first, second in _pairs(list(known)):
            ratings = list(zip(map(_said, known[first]), map(_said, known[second]), strict=True))
            keys = {**head.keys, "between": f"{first} and {second}"}
            rows.append(Row(keys, "agreement", observed(ratings, clusters, SEED)))
            rows.append(Row(keys, "Cohen's kappa", kappa(ratings, clusters, SEED)))
        if "judge" in known:
            voted = [r for r, v in zip(scored, known["judge"], strict=True) if not math.isnan(v)]
            split = _share(voted, [SPLIT in record.flags for record in voted])
            rows.append(Row(head.keys, "with split votes", split))
    note = (
        "Of the answers that somebody read. By form: an extractor fills in what the answer states, and code "
        "compares it with the facts. By judge: votes. 'Rests on' says which of them the other tables count, "
        "and every headline made of passing, with its share of all trials. Split votes: not all were the "
        "same. A person's verdicts come from a file (knowact report --labels FILE) and change no other "
        "number."
    )
    return Table(
        "judges",
        "Ways to judge a pass",
        "knowact",
        tuple(rows),
        across=("between",),
        note=note,
        percent=False,
    )


def _read(record: Record, measure: str) -> float:
    """The value of a verdict that somebody gave; NaN for one that the trial's end decided."""
    verdict = record.verdicts.get(measure)
    return verdict.number if verdict is not None and verdict.by else math.nan


def _rests_on(head: Head, scored: Sequence[Record], counted: str) -> list[Row]:
    """By whom the verdict is that counts, as shares of the scored trials; a trial's end decides the rest."""
    said = [record.verdicts.get(counted) for record in scored]
    whose = ["" if verdict is None or verdict.value is None else verdict.by for verdict in said]
    return [
        Row(head.keys, f"rests on {who}", _share(scored, [one == who for one in whose]))
        for who in dict.fromkeys(whose)
        if who
    ]


def _pairs(names: Sequence[str]) -> list[tuple[str, str]]:
    return [(first, second) for place, first in enumerate(names) for second in names[place + 1 :]]


def _said(value: float) -> str | None:
    return None if math.isnan(value) else "pass" if value else "fail"
