"""The tables that say how far to trust the others: floors and ceiling, agreement, failures, judges, cost."""

import math
from collections.abc import Callable, Sequence

from knowact.core.record import Record
from knowact.core.table import Estimate, Row, Run, Table
from knowact.measures.chance import corrected, policies_of
from knowact.measures.correlation import pearson
from knowact.measures.kas import agreement_bounds, branch_floor
from knowact.measures.run_tables import Head, cost_table, endings_table, judges_table
from knowact.measures.summary import kas_estimate, mean_estimate
from knowact.suites.kapro.arms import SEED, SUBSPACES, Arm, arms


def floors(runs: Sequence[Run]) -> Table:
    """What policies that do not read get on these very items, and KAS corrected for the best of them."""
    rows: list[Row] = []
    seen: set[tuple[str, str]] = set()
    for arm in arms(runs):
        for boundary, part in arm.subspaces().items():
            found = policies_of(part)
            key = (arm.run.dataset.sha256 + arm.condition, boundary)
            if key not in seen and found.n:
                seen.add(key)
                setting = {"setting": arm.condition, "boundary": boundary}
                named = {
                    "mark everything": found.everything,
                    "mark nothing": found.nothing,
                    "toss a coin": found.coin,
                    "ceiling (exactly T)": 1.0,
                }
                rows += [
                    Row({"who": who, **setting}, "KAS", Estimate(value, found.n))
                    for who, value in named.items()
                ]
    return Table(
        "floors",
        "Floors and ceiling",
        "knowact",
        tuple(rows),
        across=("boundary",),
        note="Computed from the items, no run needed. Each of these policies says and does the same, so its "
        "number is its Acc_know, its Acc_act and its KAS.",
    )


def chance(runs: Sequence[Run]) -> Table:
    """KAS corrected for the better of the two constant policies on the same items."""
    rows: list[Row] = []
    for arm in arms(runs):
        for boundary, part in (*arm.subspaces().items(), ("all", arm.table)):
            kas = kas_estimate(part, "acc_know", "acc_act", SEED)
            best = policies_of(part).best
            if math.isnan(best):
                continue
            fixed = corrected(kas, best)
            rows.append(Row({**arm.keys, "boundary": boundary}, "corrected KAS", fixed))
    return Table(
        "chance",
        "KAS corrected for chance",
        "knowact",
        tuple(rows),
        across=("boundary",),
        note="(KAS - best constant policy) / (1 - best constant policy). Where marking everything or nothing "
        "is perfect by itself, as on clean external and internal items, nothing can be shown and there is no "
        "number; over all items together there is.",
    )


def agreement(runs: Sequence[Run]) -> Table:
    """Raw know-act agreement C, with what KAS guarantees of it (KAPRO, appendix D)."""
    rows: list[Row] = []
    for arm in arms(runs):
        for boundary, part in arm.subspaces().items():
            keys = {**arm.keys, "boundary": boundary}
            know = mean_estimate(part, "acc_know", SEED)
            act = mean_estimate(part, "acc_act", SEED)
            rows.append(Row(keys, "C", mean_estimate(part, "agreement", SEED)))
            if know.value is None or act.value is None:
                continue
            least = agreement_bounds(know.value, act.value)
            kas = kas_estimate(part, "acc_know", "acc_act", SEED)
            rows += [
                Row(keys, "Acc_know + Acc_act - 1", Estimate(least.by_accuracies, know.n)),
                Row(keys, "2 KAS - 1", Estimate(least.by_kas, know.n)),
                Row(keys, "least branch by KAS", Estimate(branch_floor(kas.value or 0.0), know.n)),
            ]
    return Table(
        "agreement",
        "Agreement of saying and doing",
        "KAPRO, appendix D",
        tuple(rows),
        across=("boundary",),
        note="C is the mean Jaccard index of what was said and what was used, over trials where both can be "
        "read. High agreement is no merit by itself: an agent may say and do the same wrong thing.",
    )


def solo(runs: Sequence[Run]) -> Table:
    """What the model solves without any tool, and KAS where the boundary holds for this model."""
    rows: list[Row] = []
    for arm in arms(runs):
        if not arm.solo:
            continue
        alone = {(record.item, record.epoch): record.value("pass_alone") for record in arm.solo}
        for boundary in SUBSPACES:
            mine = [r for r in arm.solo if r.labels["boundary"] == boundary]
            if not mine:
                continue
            keys = {**arm.keys, "boundary": boundary}
            holding = [r for r in arm.records if r.labels["boundary"] == boundary and _holds(r, alone)]
            rows += [
                Row(keys, "solved without tools", mean_estimate(mine, "pass_alone", SEED)),
                Row(keys, "KAS where the boundary holds", kas_estimate(holding, "acc_know", "acc_act", SEED)),
            ]
    return Table(
        "solo",
        "Without tools",
        "knowact",
        tuple(rows),
        across=("boundary",),
        note="Measured by --solo. Labels are model-independent opinions of their date. Here they are tested "
        "on this model: an external or hybrid item holds if it is not solved without tools, an internal one "
        "if it is.",
    )


def _holds(record: Record, alone: dict[tuple[str, int], float]) -> bool:
    passed = alone.get((record.item, record.epoch), math.nan)
    return passed == (1.0 if record.labels["boundary"] == "internal" else 0.0)


PROBES = ("tools_needed", "act")


def failures(runs: Sequence[Run]) -> Table:
    """How trials ended and what went wrong in them, each by its name and as a share of all trials."""
    note = (
        "Unreadable, empty and exhausted trials are the agent's and count as wrong. Instrument errors "
        "leave an item unscored. None of them is taken for restraint."
    )
    return endings_table(_heads(runs), PROBES, _probe_of, note)


def _probe_of(flag: str) -> str:
    return "tools_needed" if flag.startswith(("read_", "omitted", "unknown_named")) else "act"


def judges(runs: Sequence[Run]) -> Table:
    """Pass by each way of judging, and how often two of them agree."""
    return judges_table(_heads(runs))


def cost(runs: Sequence[Run]) -> Table:
    """Tool calls, tokens, seconds and dollars per trial."""
    return cost_table(_heads(runs), "boundary", SUBSPACES, "KAPRO, section 5.2")


def _heads(runs: Sequence[Run]) -> list[Head]:
    return [Head(arm.keys, arm.records) for arm in arms(runs)]


def pass_against_kas(runs: Sequence[Run]) -> Table:
    """Pearson's r of Pass and KAS over the runs, per subspace (spec kapro.md, section 11)."""
    every = [arm for arm in arms(runs) if arm.condition == "clean"]
    rows: list[Row] = []
    for boundary in SUBSPACES:
        points = [_pass_and_kas(arm, boundary) for arm in every]
        known = [point for point in points if point is not None]
        r = pearson([x for x, _ in known], [y for _, y in known])
        rows.append(Row({"boundary": boundary}, "r of Pass and KAS", r))
    return Table(
        "correlation", "Does passing go with knowing?", "KAPRO, section 4.2", tuple(rows), percent=False
    )


def _pass_and_kas(arm: Arm, boundary: str) -> tuple[float, float] | None:
    part = arm.subspaces().get(boundary)
    if part is None:
        return None
    passed = mean_estimate(part, "pass", SEED).value
    kas = kas_estimate(part, "acc_know", "acc_act", SEED).value
    return None if passed is None or kas is None else (passed, kas)


CHECKS: tuple[Callable[[Sequence[Run]], Table], ...] = (
    *(floors, chance, agreement, solo, failures, judges, cost, pass_against_kas),
)
