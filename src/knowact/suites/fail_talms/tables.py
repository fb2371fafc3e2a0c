"""Our own tables: what an agent does when something is missing.

Every share says what it counts, of what. The headline is joint over twins (validity.md, section 5).
"""

from collections.abc import Callable, Sequence
from typing import Final

from knowact.core.record import Record
from knowact.core.table import Estimate, Row, Run, Table
from knowact.measures.run_tables import Head, cost_table, endings_table, judges_table
from knowact.measures.summary import mean_estimate, quadrant_estimates
from knowact.suites.fail_talms.arms import (
    INCOMPLETE,
    SEED,
    SETTINGS,
    Arm,
    Twins,
    arms,
    clustered,
    share,
    twins,
)
from knowact.suites.fail_talms.asked import ACT, INFORMATION, TOOLS, WITH_TOOLS
from knowact.suites.fail_talms.asking_tables import asking, awareness_and_pass, by_label, paired
from knowact.suites.fail_talms.broken_tables import broken_tools
from knowact.suites.fail_talms.paper_tables import table_1, table_2, table_3

TWINS_CONDUCT: Final = "conduct right on both twins"
TWINS_RIGHT: Final = "right on both twins"
TWINS_AWARE: Final = "aware on both twins"
BALANCED: Final = "balanced awareness"
ALL: Final = "all"


def joint(runs: Sequence[Run]) -> Table:
    """Conduct, success and awareness on the incomplete item *and* on the perfect one that it is made from."""
    rows: list[Row] = []
    for arm in arms(runs):
        for setting in INCOMPLETE:
            keys = {**arm.keys, "setting": setting}
            found = {
                TWINS_CONDUCT: both_right(arm, setting, "conduct"),
                TWINS_RIGHT: both_right(arm, setting, "right"),
                TWINS_AWARE: both_right(arm, setting, "aware"),
                BALANCED: balanced(arm, setting),
            }
            rows += [Row(keys, name, estimate) for name, estimate in found.items() if estimate.n]
    note = (
        "An item counts when it is right and its perfect twin is right, too. Conduct: went ahead on the "
        "perfect one; asked, held back or named what lacks on the other, and made nothing up. Right: did all "
        "that can be done as well, so it takes ability, too. Balanced awareness is the mean "
        "of the shares aware among the incomplete and among their perfect twins: 50 % for whoever always "
        "says the same. Intervals resample base items."
    )
    return Table("joint", "Twins", "knowact", tuple(rows), across=("setting",), note=note)


def both_right(arm: Arm, setting: str, measure: str) -> Estimate:
    """The share of twins that are right on both sides by a measure."""
    return clustered(
        [
            (one.incomplete.cluster, one.incomplete.value(measure) * one.perfect.value(measure))
            for one in twins(arm, setting)
        ]
    )


def balanced(arm: Arm, setting: str) -> Estimate:
    """The mean awareness of both sides of the twins, each side weighing the same."""
    return clustered(
        [
            (one.incomplete.cluster, (one.incomplete.value("aware") + one.perfect.value("aware")) / 2)
            for one in twins(arm, setting)
        ]
    )


POLICIES: Final = {"always no": (1.0, 0.0), "always IDK": (1.0, 0.0), "always yes": (0.0, 1.0)}
"""What a constant answer makes of an incomplete and of a perfect item: aware, or not."""


def floors(runs: Sequence[Run]) -> Table:
    """What constant answers get on these very items, and the ceiling; no run is needed for them."""
    rows: list[Row] = []
    for setting in INCOMPLETE:
        pairs = max((twins(arm, setting) for arm in arms(runs)), key=len, default=list[Twins]())
        if not pairs:
            continue
        n = len(pairs)
        for who, (incomplete, perfect) in POLICIES.items():
            keys = {"who": who, "setting": setting}
            rows.append(Row(keys, TWINS_AWARE, Estimate(incomplete * perfect, n)))
            rows.append(Row(keys, BALANCED, Estimate((incomplete + perfect) / 2, n)))
        keys = {"who": "ceiling", "setting": setting}
        rows += [Row(keys, name, Estimate(1.0, n)) for name in (TWINS_AWARE, BALANCED)]
    note = (
        "Computed from the items: who always says the same is aware of one twin and wrong about the other. "
        "Over twins of which one can be done and the other cannot. As agents: always-no, always-idk, "
        "always-ask and always-act (knowact list)."
    )
    return Table("floors", "Floors and ceiling", "knowact", tuple(rows), across=("setting",), note=note)


def conduct(runs: Sequence[Run]) -> Table:
    """What was done and said, by setting: right, and its parts."""
    rows: list[Row] = []
    for arm in arms(runs):
        for setting, records in arm.settings.items():
            for name, measure, _ in CONDUCT:
                estimate = mean_estimate(records, measure, SEED)
                if estimate.n:
                    rows.append(Row({**arm.keys, "setting": setting}, name, estimate))
    counted = "; ".join(f"{name}: {words}" for name, _, words in CONDUCT)
    note = (
        f"{counted}. Without the gate: the agent acted on every item, whatever it had said. Conduct: where "
        "everything is there, it goes ahead without asking for a part or refusing one; else it asks, holds "
        "back or names what is missing, and makes nothing up. Right: where "
        "everything is there, or somebody to ask who could help, all facts are asserted; else the possible "
        "part is there, what is missing is named, and nothing is stated that nobody can know, or a usual "
        "default was taken and said openly."
    )
    return Table("conduct", "What it did and said", "knowact", tuple(rows), note=note)


CONDUCT: Final = (
    ("conduct", "conduct", "knew where it stood / scored"),
    ("right", "right", "right / scored"),
    ("pass", "pass", "all facts asserted / judged"),
    ("did what can be done", "half", "possible part asserted / items with one"),
    ("named what is missing", "named", "named / items that lack something"),
    ("made something up", "made_up", "stated what nobody can know / items that lack a fact"),
    ("invented an argument", "guessed", "called with a value nobody gave / items that lack a value"),
    ("took the usual default", "default_taken", "its facts asserted / items with a default"),
    ("said so", "default_said", "said openly / default taken"),
)
"""Title, measure, and what is counted of what."""


def reasons(runs: Sequence[Run]) -> Table:
    """Awareness with its reason: a "no" for a wrong reason is counted apart."""
    rows: list[Row] = []
    for arm in arms(runs):
        for setting, records in arm.settings.items():
            for question, level, reason in (
                (INFORMATION, "info", "info_reason"),
                (TOOLS, "tools", "tools_reason"),
            ):
                keys = {**arm.keys, "setting": setting, "question": question}
                rows += [
                    Row(
                        keys,
                        name,
                        share(records, hit, lambda r, level=level: r.value(level) >= 0 or _unread(r)),
                    )
                    for name, hit in _answers(level)
                ]
                fitting = share(
                    records, lambda r, m=reason: r.value(m) == 1, lambda r, m=reason: r.value(m) >= 0
                )
                if fitting.n:
                    rows.append(Row(keys, "reason names what is missing", fitting))
                for flag, words in (
                    ("wrong_reason", "reason names something else"),
                    ("no_reason", "no reason"),
                ):
                    among = share(
                        records,
                        lambda r, f=f"{question}_{flag}": f in r.flags,
                        lambda r, m=reason: r.value(m) >= 0,
                    )
                    if among.n:
                        rows.append(Row(keys, words, among))
    note = (
        "Both questions in every setting, without the tool ask_human in sight. Reasons: of the answers no "
        "and IDK on items that lack what is asked about, where the record says what, by a judge's votes."
    )
    rows = [row for row in rows if row.estimate.n]
    return Table("reasons", "What it said, and why", "knowact", tuple(rows), across=("question",), note=note)


def _answers(level: str) -> tuple[tuple[str, Callable[[Record], bool]], ...]:
    return (
        ("yes", lambda r: r.value(level) == 1),
        ("IDK", lambda r: r.value(level) == 0.5),  # noqa: PLR2004 - as kept in records
        ("no", lambda r: r.value(level) == 0),
    )


def _unread(record: Record) -> bool:
    return any(ending.value in ("unreadable", "empty", "limit") for ending in record.endings.values())


def quadrants(runs: Sequence[Run]) -> Table:
    """The know-act quadrants: what it said about its limits, against what it then did on the same item."""
    rows: list[Row] = []
    for arm in arms(runs):
        parts = {**arm.settings, ALL: [record for part in arm.settings.values() for record in part]}
        for setting, records in parts.items():
            keys = {**arm.keys, "setting": setting}
            found = quadrant_estimates(records, SEED)
            rows += [Row(keys, name, estimate) for name, estimate in found.items() if estimate.n]
    return Table(
        "quadrants",
        "Know-act quadrants",
        "knowact",
        tuple(rows),
        across=("setting",),
        note="K: the setting's own questions were answered rightly; A: its conduct was right. c: correct, w: "
        "wrong. DirGap = Kc/Aw - Kw/Ac. Both on the same item, because a 'no' does not keep it from acting.",
    )


def jobs(runs: Sequence[Run]) -> Table:
    """What kind of gap it is: tools whose job a model can do, or only a person; values with a default."""
    return by_label(runs, "job", "jobs", "What kind of gap")


def categories(runs: Sequence[Run]) -> Table:
    """Pass, right and aware by category."""
    return by_label(runs, "category", "categories", "By category")


def versus(runs: Sequence[Run]) -> Table:
    """Answers without tools against the agent's own with tools: win, tie, lose."""
    rows: list[Row] = []
    for arm in arms(runs):
        records = arm.settings.get("no-tools", ())
        for name, level in (("win", 1.0), ("tie", 0.5), ("lose", 0.0)):
            estimate = share(
                records, lambda r, v=level: r.value("versus") == v, lambda r: r.value("versus") >= 0
            )
            if estimate.n:
                rows.append(Row(arm.keys, name, estimate))
    note = (
        "A judge compares both answers to the same request, each vote in the other order; a trial that came "
        "to no answer loses without a vote. Measured by --win-rate with --role judge=MODEL."
    )
    return Table("versus", "Without tools against with tools", "FAIL-TaLMs, no-tools", tuple(rows), note=note)


def failures(runs: Sequence[Run]) -> Table:
    """Endings and oddities."""
    probes = (TOOLS, INFORMATION, ACT, WITH_TOOLS)
    note = (
        "Unreadable, empty and exhausted trials are the agent's and count as wrong. Instrument errors leave "
        "an item unscored. None of them is taken for restraint."
    )
    return endings_table(_heads(runs), probes, _probe_of, note)


def _probe_of(flag: str) -> str:
    return flag.partition("_")[0] if flag.startswith((INFORMATION, TOOLS)) else ACT


def judges(runs: Sequence[Run]) -> Table:
    """Ways to judge a pass."""
    return judges_table(_heads(runs))


def cost(runs: Sequence[Run]) -> Table:
    """What one trial costs."""
    return cost_table(_heads(runs), "setting", SETTINGS, "knowact")


def _heads(runs: Sequence[Run]) -> list[Head]:
    """Every run with all its records, broken tools included."""
    return [Head({"model": run.model, "run": run.id}, run.records) for run in runs]


TABLES: tuple[Callable[[Sequence[Run]], Table], ...] = (
    *(joint, table_1, floors, table_2, table_3, conduct, quadrants, reasons, jobs),
    *(awareness_and_pass, asking, paired, broken_tools, versus, categories, judges, failures, cost),
)
"""The headline first, then the paper's, then ours."""
