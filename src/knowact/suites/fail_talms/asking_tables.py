"""What a person to ask is good for: questions, what they are about, and what changes on the same items."""

import math
from collections.abc import Mapping, Sequence
from typing import Final

from knowact.core.record import Record
from knowact.core.table import Estimate, Row, Run, Table
from knowact.measures.paired import compare_means
from knowact.measures.summary import mean_estimate
from knowact.suites.fail_talms.arms import NOBODY, SEED, Arm, arms, share

_LEVELS: Final[Mapping[str, float]] = {"yes": 1.0, "IDK": 0.5, "no": 0.0}


def asking(runs: Sequence[Run]) -> Table:
    """Who asked, how much, and about what; on perfect items every question is a false alarm."""
    rows: list[Row] = []
    for arm in arms(runs):
        if arm.helper == NOBODY:
            continue
        for setting, records in arm.settings.items():
            keys = {**arm.keys, "setting": setting}
            rows += [Row(keys, name, found) for name, found in _numbers(records)]
            rows += _given_awareness(keys, records)
    rows = [row for row in rows if row.estimate.n]
    note = (
        "asked: at least one question / acted; targeted: a question for the withheld value or the missing "
        "tool's job / asked; for nothing in particular: asked for everything or for nothing / questions. "
        "On perfect items every question is a false alarm. Asking is free, but not by --rules published."
    )
    return Table("asking", "Questions to a person", "knowact", tuple(rows), note=note, percent=True)


def _numbers(records: Sequence[Record]) -> list[tuple[str, Estimate]]:
    asked = [record for record in records if record.value("asked") == 1]
    return [
        ("asked", mean_estimate(records, "asked", SEED)),
        ("targeted", mean_estimate(asked, "targeted", SEED)),
        ("pass where asked", mean_estimate(asked, "pass", SEED)),
        ("for nothing in particular", unspecific(records)),
    ]


def unspecific(records: Sequence[Record]) -> Estimate:
    """The share of questions that asked for everything at once, or for nothing in particular."""
    scored = [record for record in records if record.scored]
    questions = [record.value("questions") for record in scored]
    total = sum(int(n) for n in questions if not math.isnan(n))
    lost = sum(record.flags.get("question_unspecific", 0) for record in scored)
    return Estimate(lost / total, total) if total else Estimate(None, 0)


def _given_awareness(keys: Mapping[str, str], records: Sequence[Record]) -> list[Row]:
    """How often it asked, by what it had said about the information."""
    rows: list[Row] = []
    for label, level in _LEVELS.items():
        said = [record for record in records if record.value("info") == level]
        found = mean_estimate(said, "asked", SEED)
        rows.append(Row(keys, f"asked after {label}", found))
    return rows


def awareness_and_pass(runs: Sequence[Run]) -> Table:
    """Awareness against pass: how often it passed, by what it had said."""
    rows: list[Row] = []
    for arm in arms(runs):
        for setting, records in arm.settings.items():
            for question, measure in (("information", "info"), ("tools", "tools")):
                for label, level in _LEVELS.items():
                    said = [record for record in records if record.value(measure) == level]
                    found = share(said, lambda r: r.value("pass") == 1, lambda r: r.value("pass") >= 0)
                    keys = {**arm.keys, "setting": setting, "question": question, "said": label}
                    if found.n:
                        rows.append(Row(keys, "pass", found))
    note = (
        "pass / items with that answer, acted whatever was said. A pass after a yes on an item that lacks "
        "something is the paper's unexpected success."
    )
    return Table(
        "awareness-pass",
        "Awareness and pass",
        "FAIL-TaLMs, section 5",
        tuple(rows),
        across=("question", "said"),
        note=note,
    )


def paired(runs: Sequence[Run]) -> Table:
    """With somebody to ask against without, on the same items: the paired difference."""
    rows: list[Row] = []
    every = arms(runs)
    plain = {arm.kin: arm for arm in every if arm.helper == NOBODY}
    for arm in every:
        if arm.helper != NOBODY and arm.kin in plain:
            rows += _differences(plain[arm.kin], arm)
    note = (
        "With somebody to ask minus without, over the items of both runs; the interval resamples base items. "
        "It takes a run of the same model with --helper and one without."
    )
    return Table(
        "paired", "What a person to ask changes", "knowact", tuple(rows), across=("setting",), note=note
    )


def _differences(plain: Arm, helped: Arm) -> list[Row]:
    rows: list[Row] = []
    for setting, records in helped.settings.items():
        before = plain.settings.get(setting, ())
        for measure in ("conduct", "pass", "right", "made_up"):
            found = compare_means(before, records, measure, SEED)
            if found.matched:
                keys = {**helped.keys, "setting": setting}
                rows.append(Row(keys, f"{measure.replace('_', ' ')}: difference", found.difference))
    return rows


def by_label(runs: Sequence[Run], label: str, name: str, title: str) -> Table:
    """Conduct, right, pass, aware and made up, by a label of the items, in each setting."""
    rows: list[Row] = []
    for arm in arms(runs):
        for setting, records in arm.settings.items():
            values = sorted({record.labels[label] for record in records if label in record.labels})
            for value in values:
                part = [record for record in records if record.labels.get(label) == value]
                for measure in ("conduct", "right", "pass", "aware", "made_up"):
                    found = mean_estimate(part, measure, SEED)
                    if found.n:
                        keys = {**arm.keys, "setting": setting, label: value}
                        rows.append(Row(keys, measure.replace("_", " "), found))
    return Table(name, title, "knowact", tuple(rows))
