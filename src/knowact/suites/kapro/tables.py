"""The paper's tables (KAPRO, Tables 3, 4 and 8 to 11), each from records."""

from collections.abc import Callable, Mapping, Sequence

from knowact.core.table import Estimate, Row, Run, Table
from knowact.measures.columns import Columns
from knowact.measures.quadrants import DIRECTION_GAP, Quadrant
from knowact.measures.summary import (
    average_kas,
    average_mean,
    kas_estimate,
    mean_estimate,
    quadrant_estimates,
    worst,
)
from knowact.suites.kapro.arms import SEED, TOPOLOGIES, Arm, arms

AVERAGE = "average"
WORST = "worst"

NAMES = {
    "pass": "Pass",
    "acc_know": "Acc_know",
    "acc_act": "Acc_act",
    "over_know": "overuse (knowing)",
    "under_know": "underuse (knowing)",
    "lost_know": "no answer (knowing)",
    "over_act": "overuse (acting)",
    "under_act": "underuse (acting)",
    "lost_act": "no answer (acting)",
}
"""What tables call the verdicts."""


def _kas(part: Columns) -> Estimate:
    return kas_estimate(part, "acc_know", "acc_act", SEED)


def _rows(keys: Mapping[str, str], numbers: Mapping[str, Estimate]) -> list[Row]:
    return [Row(keys, measure, estimate) for measure, estimate in numbers.items()]


def _means(part: Columns, measures: Sequence[str]) -> dict[str, Estimate]:
    return {NAMES[name]: mean_estimate(part, name, SEED) for name in measures}


def main(runs: Sequence[Run]) -> Table:
    """Pass, Acc_know, Acc_act and KAS per subspace; KAS averaged, and of the worst subspace."""
    rows: list[Row] = []
    for arm in arms(runs):
        found: dict[str, Estimate] = {}
        for name, part in arm.subspaces().items():
            found[name] = _kas(part)
            numbers = _means(part, ("pass", "acc_know", "acc_act")) | {"KAS": found[name]}
            rows += _rows({**arm.keys, "boundary": name}, numbers)
        average = average_kas(arm.table, "acc_know", "acc_act", "boundary", SEED)
        rows += _rows({**arm.keys, "boundary": AVERAGE}, {"KAS": average})
        if lowest := worst(found):
            rows += _rows({**arm.keys, "boundary": WORST}, {"KAS": lowest[1]})
    return Table(
        "main",
        "Knowing and acting, per subspace",
        "KAPRO, Table 3",
        tuple(rows),
        across=("boundary",),
        note="KAS is the harmonic mean of the two accuracies of a subspace. The average weighs subspaces by "
        "their tasks; it hides who wins by calling everything, so the worst subspace stands beside it.",
    )


def quadrants(runs: Sequence[Run]) -> Table:
    """The know-act quadrants and DirGap per subspace, and averaged."""
    rows: list[Row] = []
    for arm in arms(runs):
        for name, part in arm.subspaces().items():
            rows += _rows({**arm.keys, "boundary": name}, quadrant_estimates(part, SEED))
        gap = average_mean(arm.table, DIRECTION_GAP, "boundary", SEED, limits=(-1.0, 1.0))
        rows += _rows({**arm.keys, "boundary": AVERAGE}, {DIRECTION_GAP: gap})
    return Table(
        "quadrants",
        "Know-act quadrants",
        "KAPRO, Table 4",
        tuple(rows),
        across=("boundary",),
        note="K: what it said it needs; A: what it used. c: exactly the required tools; w: anything else. "
        "DirGap = Kc/Aw - Kw/Ac: positive when knowing is ahead of acting.",
    )


def directions(runs: Sequence[Run]) -> Table:
    """Over- and underuse, knowing and acting: 1 - Acc = overuse + underuse + no answer."""
    names = [name for name in NAMES if name.split("_", maxsplit=1)[0] in ("over", "under", "lost")]
    rows = [
        row
        for arm in arms(runs)
        for boundary, part in arm.subspaces().items()
        for row in _rows({**arm.keys, "boundary": boundary}, _means(part, names))
    ]
    return Table(
        "directions",
        "Directional errors",
        "KAPRO, Table 8",
        tuple(rows),
        across=("boundary",),
        note="Shares of accuracy lost to tools too many, to tools missing, and to replies that could not be "
        "read or never came. They add up to 1 - Acc.",
    )


def topologies(runs: Sequence[Run]) -> Table:
    """Acc_know, Acc_act and KAS by subspace and topology."""
    rows: list[Row] = []
    for arm in arms(runs):
        found = arm.table.groups("boundary", "topology")
        for boundary in arm.subspaces():
            for topology in TOPOLOGIES:
                part = found.get((boundary, topology))
                if part is not None:
                    numbers = _means(part, ("acc_know", "acc_act")) | {"KAS": _kas(part)}
                    rows += _rows({**arm.keys, "boundary": boundary, "topology": topology}, numbers)
    return Table(
        "topology", "By topology", "KAPRO, Tables 9 to 11", tuple(rows), across=("boundary", "topology")
    )


def shifts(runs: Sequence[Run]) -> Table:
    """How each quadrant's share changes with distractors, on the same items."""
    rows: list[Row] = []
    every = arms(runs)
    for clean, noisy in distractor_pairs(every):
        for boundary in noisy.subspaces():
            change = _paired_quadrants(clean, noisy, boundary)
            rows += _rows({**noisy.keys, "boundary": boundary}, change)
    return Table(
        "shift",
        "Change under distractors",
        "KAPRO, Figure 5",
        tuple(rows),
        across=("boundary",),
        note="Share with distractors minus share without, over the items that both runs have. It takes a run "
        "of the same model clean and one with --distractors.",
    )


def distractor_pairs(every: Sequence[Arm]) -> list[tuple[Arm, Arm]]:
    """Each arm with distractors, beside the clean one of the same model, data and rules."""

    def kin(arm: Arm) -> tuple[object, ...]:
        return arm.run.model, arm.run.dataset.sha256, arm.run.options.get("rules")

    clean = {kin(arm): arm for arm in every if arm.condition == "clean"}
    noisy = [arm for arm in every if arm.condition.startswith("distractors")]
    return [(clean[kin(arm)], arm) for arm in noisy if kin(arm) in clean]


def _paired_quadrants(clean: Arm, noisy: Arm, boundary: str) -> dict[str, Estimate]:
    from knowact.measures.paired import compare_means

    before, after = clean.subspaces().get(boundary), noisy.subspaces()[boundary]
    if before is None:
        return {}
    return {
        quadrant.value: compare_means(before, after, quadrant, SEED, trial=("item", "epoch")).difference
        for quadrant in Quadrant
    }


TABLES: tuple[Callable[[Sequence[Run]], Table], ...] = (main, quadrants, directions, topologies, shifts)
"""Those of the paper, in its order."""
