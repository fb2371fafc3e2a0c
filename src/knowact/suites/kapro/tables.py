"""The paper's tables (KAPRO, Tables 3, 4 and 8 to 11), and those that say how far to trust them."""

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from knowact import authoring as ka
from knowact.core.charts import count_bars, dots_per_run, shift_bars
from knowact.core.role_model import bare, family
from knowact.core.scatter import Point, scatter_with_r
from knowact.core.table import Paired, Row, as_table, rows_of
from knowact.measures.agreement import FEWEST_FOR_R, clustered_pearson
from knowact.measures.chance import corrected, policies_of
from knowact.measures.columns import Columns, columns
from knowact.measures.kas import agreement_bounds, least_accuracy
from knowact.measures.noise_floor import NOISE_NOTE
from knowact.measures.paired import NO_DIFFERENCE, compare_means
from knowact.measures.pairing import BUDGETS, MODEL, alike_but_for, item_sets, run_pairs, usual_run
from knowact.measures.quadrants import DIRECTION_GAP, Quadrant
from knowact.measures.run_tables import (
    cost_table,
    endings_table,
    judges_table,
    quadrant_figure,
    row_heads,
    run_name,
    with_bar,
)
from knowact.measures.summary import (
    average_kas,
    kas_estimate,
    mean_estimate,
    quadrant_estimates,
    worst,
)
from knowact.measures.transfer import Transfer
from knowact.probes.strategies import NONE, STRATEGY
from knowact.probes.transfer import acting
from knowact.suites.kapro.own_boundary import INTERNAL, own_boundary, solo
from knowact.suites.kapro.run_groups import CALLS, SUBSPACES, TOPOLOGIES, RunGroup, groups, heads

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
"""What tables call the measures."""


def kas_of(part: Columns | Sequence[ka.Record]) -> ka.Estimate:
    """KAS over the trials of which both accuracies were measured."""
    return kas_estimate(part, "acc_know", "acc_act")


def average_of(group: RunGroup) -> ka.Estimate:
    """KAS of a whole run group: the average over its subspaces, each weighing its trials with a KAS."""
    return average_kas(group.table, "acc_know", "acc_act", "boundary")


def _subspaces(runs: Sequence[ka.Run]) -> Iterator[tuple[RunGroup, Mapping[str, str], Columns]]:
    """Each subspace of each run group, with its keys."""
    for group in groups(runs):
        for boundary, part in group.subspaces().items():
            yield group, {**group.keys, "boundary": boundary}, part


def _means(part: Columns, measures: Sequence[str]) -> dict[str, ka.Estimate]:
    return {NAMES[name]: mean_estimate(part, name) for name in measures}


@as_table("main", "Knowing and acting, per subspace", "KAPRO, Table 3", across=("boundary",))
def main(runs: Sequence[ka.Run]) -> Iterator[Row]:
    """Pass, Acc_know, Acc_act and KAS per subspace; KAS averaged, and of the worst subspace.

    KAS is the harmonic mean of the two accuracies of a subspace. The average weighs subspaces by their scored
    trials.
    It can hide an agent that wins by calling everything, so the worst subspace stands beside it.
    """
    for group in groups(runs):
        found: dict[str, ka.Estimate] = {}
        for name, part in group.subspaces().items():
            found[name] = kas_of(part)
            numbers = _means(part, ("pass", "acc_know", "acc_act")) | {"KAS": found[name]}
            yield from rows_of({**group.keys, "boundary": name}, numbers)
        yield Row({**group.keys, "boundary": AVERAGE}, "KAS", average_of(group))
        if lowest := worst(found):
            yield Row({**group.keys, "boundary": WORST}, "KAS", lowest[1])


@as_table("baselines", "Baselines", across=("boundary",))
def baselines(runs: Sequence[ka.Run]) -> Iterator[Row]:
    """What policies that do not read get on these very items.

    Computed from the items; no run is needed. Each policy says and does the same, so its number is its
    Acc_know, its Acc_act and its KAS. An agent that names and uses exactly T gets 100 %.
    """
    asked = [(group.run, {"setting": group.condition}, group.records) for group in groups(runs)]
    for keys, records in item_sets(asked):
        items = columns(records, (), ("boundary",)).groups("boundary")
        for boundary in SUBSPACES:
            if (part := items.get((boundary,))) is not None:
                found = policies_of(part)
                for policy, value in {**found.by_name, "exactly T": 1.0}.items():
                    yield Row(
                        {"policy": policy, **keys, "boundary": boundary}, "KAS", ka.Estimate(value, found.n)
                    )


@as_table("quadrants", "Know-act quadrants", "KAPRO, Table 4", across=("boundary",), after=NOISE_NOTE)
def quadrants(runs: Sequence[ka.Run]) -> Iterator[Row]:
    """The know-act quadrants and DirGap per subspace, and averaged.

    K: what it said it needs; A: what it used. c: exactly the required tools; w: anything else. DirGap = Kc/Aw
    - Kw/Ac: positive when knowing is ahead of acting.
    """
    for group in groups(runs):
        for name, part in group.subspaces().items():
            yield from rows_of({**group.keys, "boundary": name}, quadrant_estimates(part))
        gap = mean_estimate(group.table, DIRECTION_GAP)
        yield Row({**group.keys, "boundary": AVERAGE}, DIRECTION_GAP, gap)


@as_table("directions", "Directional errors", "KAPRO, Table 8", across=("boundary",))
def directions(runs: Sequence[ka.Run]) -> Iterator[Row]:
    """Over- and underuse, knowing and acting.

    Shares of accuracy lost to superfluous tools, to missing tools, and to replies that could not be read or
    never came. They add up to 1 - Acc.
    """
    names = [name for name in NAMES if name.split("_", maxsplit=1)[0] in ("over", "under", "lost")]
    for _, keys, part in _subspaces(runs):
        yield from rows_of(keys, _means(part, names))


@as_table("topology", "By topology", "KAPRO, Tables 9 to 11", across=("boundary", "topology"))
def topologies(runs: Sequence[ka.Run]) -> Iterator[Row]:
    """Acc_know, Acc_act and KAS by subspace and topology."""
    for group in groups(runs):
        found = group.table.groups("boundary", "topology")
        for boundary in group.subspaces():
            for topology in TOPOLOGIES:
                if part := found.get((boundary, topology)):
                    numbers = _means(part, ("acc_know", "acc_act")) | {"KAS": kas_of(part)}
                    yield from rows_of({**group.keys, "boundary": boundary, "topology": topology}, numbers)


@as_table("shift", "Change under distractors", "KAPRO, Figure 5", across=("boundary",), after=NO_DIFFERENCE)
def shifts(runs: Sequence[ka.Run]) -> Iterator[Row]:
    """How each quadrant's share changes with distractors, on the same items.

    Share with distractors minus share without, over the items that both runs have. It takes a run without
    distractors and one with --distractors that is like it in everything else.
    """
    by_run = {group.run.id: group for group in groups(runs)}
    for clean, noisy in run_pairs(("distractors",), runs, lambda run: not run.options.get("distractors")):
        first, second = by_run.get(clean.id), by_run.get(noisy.id)
        for boundary, after in second.subspaces().items() if first and second else ():
            if first and second and (before := first.subspaces().get(boundary)):
                for quadrant in Quadrant:
                    change = compare_means(before, after, quadrant, trial=("item", "epoch")).difference
                    keys = {**second.keys, "boundary": boundary}
                    yield Row(keys, quadrant.value, change, Paired(clean.id, noisy.id, ()))


@as_table("chance", "KAS corrected for chance", across=("boundary",))
def chance(runs: Sequence[ka.Run]) -> Iterator[Row]:
    """KAS corrected for the better of the two constant policies on the same items.

    (KAS - best constant policy) / (1 - best constant policy). On clean external and internal items calling
    everything or nothing is perfect by itself, so there is no number. The average is that of KAS,
    corrected for the same average of the better policy.
    """
    for group in groups(runs):
        found = {name: (kas_of(part), part) for name, part in group.subspaces().items()}
        found[AVERAGE] = average_of(group), group.table
        for boundary, (estimate, part) in found.items():
            best = policies_of(part).best
            if not math.isnan(best):
                yield Row({**group.keys, "boundary": boundary}, "corrected KAS", corrected(estimate, best))


@as_table("agreement", "Agreement of saying and doing", "KAPRO, appendix D", across=("boundary",))
def agreement(runs: Sequence[ka.Run]) -> Iterator[Row]:
    """Raw know-act agreement C, with what KAS guarantees of it.

    C is the mean Jaccard index of what was said and what was used, over trials where both can be read. High
    agreement is no merit by itself: an agent may say and do the same wrong thing.
    """
    for _, keys, part in _subspaces(runs):
        know, act = mean_estimate(part, "acc_know"), mean_estimate(part, "acc_act")
        yield Row(keys, "C", mean_estimate(part, "agreement"))
        if know.value is not None and act.value is not None:
            least = agreement_bounds(know.value, act.value)
            yield Row(keys, "Acc_know + Acc_act - 1", ka.Estimate(least.by_accuracies, know.n))
            yield Row(keys, "2 KAS - 1", ka.Estimate(least.by_kas, know.n))
            branch = least_accuracy(kas_of(part).value or 0.0)
            yield Row(keys, "least accuracy by KAS", ka.Estimate(branch, know.n))


PROBES = ("tools_needed", *acting("act"))


def failures(runs: Sequence[ka.Run]) -> ka.Table:
    """How trials ended, and what went wrong in them."""
    return endings_table(heads(runs), PROBES, _probe_of)


def _probe_of(flag: str) -> str:
    return "tools_needed" if flag.startswith(("read_", "omitted", "unknown_named")) else "act"


def judges(runs: Sequence[ka.Run]) -> ka.Table:
    """Pass by each way of judging, and how often two of them agree."""
    return judges_table(heads(runs))


def cost(runs: Sequence[ka.Run]) -> ka.Table:
    """Tool calls, tokens, seconds and dollars per trial."""
    return cost_table(heads(runs), "boundary", SUBSPACES, "KAPRO, section 5.2")


@as_table("correlation", "Correlations over models", "KAPRO, sections 4.2 and 5.2", percent=False)
def correlations(runs: Sequence[ka.Run]) -> Iterator[Row]:
    """Pearson's r of KAS with Pass, and with tool calls on internal tasks, one point per model.

    Over three models or more that were asked the same on the same data, without distractors. Of a model's
    runs the one without a strategy counts, else its first. Intervals resample families of models (by their
    names), because models of one family are no independent points. p, for ten models or more: how often
    families without any correlation would give an r as far from zero (two-sided, Student's t on as many
    points as there are families). The paper has r = -0.75 with tool calls, over 18 models.
    """
    for keys, models in model_groups(runs, FEWEST_FOR_R):
        for boundary in SUBSPACES:
            found = {"Pass": _r(models, boundary, lambda part: mean_estimate(part, "pass"))}
            if boundary == INTERNAL:
                found["tool calls"] = _r(models, boundary, _calls_of)
            for other, (r, p) in found.items():
                numbers = {f"r of KAS and {other}": r} | ({f"p of KAS and {other}": p} if p else {})
                yield from rows_of({**keys, "boundary": boundary}, numbers)


def model_groups(runs: Sequence[ka.Run], least: int) -> list[tuple[dict[str, str], list[RunGroup]]]:
    """One clean run group per model, for models that differ in nothing else, with what tells pools apart.

    Of a model's runs it is the one without a strategy, else the one with the fewest settings, else the first.

    Args:
        runs: All runs of the suite.
        least: How many models a pool has at least.
    """
    clean = [group.run for group in groups(runs) if group.condition == ka.CLEAN.name]
    pools = [
        [
            usual_run([run for run in pool if run.model == model], {STRATEGY: NONE}, (STRATEGY,))
            for model in dict.fromkeys(run.model for run in pool)
        ]
        for pool in alike_but_for((MODEL, STRATEGY, *BUDGETS), clean)
    ]
    enough = [pool for pool in pools if len(pool) >= least]
    heads = row_heads([(pool[0], {}) for pool in enough])
    return [
        (head, [group for group in groups(pool) if group.condition == ka.CLEAN.name])
        for head, pool in zip(heads, enough, strict=True)
    ]


def _r(
    models: Sequence[RunGroup], boundary: str, other: Callable[[Columns], ka.Estimate]
) -> tuple[ka.Estimate, ka.Estimate | None]:
    """Pearson's r of KAS and another estimate over the models that have both, and its p if there is one."""
    parts = [(group.run.model, group.subspaces().get(boundary)) for group in models]
    points = [(model, kas_of(part).value, other(part).value) for model, part in parts if part is not None]
    known = [(family(bare(model)), x, y) for model, x, y in points if x is not None and y is not None]
    return clustered_pearson(
        [x for _, x, _ in known], [y for _, _, y in known], [name for name, _, _ in known]
    )


def _calls_of(part: Columns) -> ka.Estimate:
    return mean_estimate(part, CALLS)


TRANSFERRED = Transfer(heads, "boundary", SUBSPACES, {"setting": ka.CLEAN.name})
"""Table, figure and sentence of know-to-act transfer."""

TABLES: tuple[Callable[[Sequence[ka.Run]], ka.Table], ...] = (
    *(main, baselines, quadrants, directions, topologies, shifts),
    *(chance, agreement, solo, own_boundary, failures, judges, cost, correlations, TRANSFERRED.table),
)
"""The headline and its baselines first, then the paper's in its order, then ours."""


USUAL = {"setting": ka.CLEAN.name}


def kas_by_topology(runs: Sequence[ka.Run]) -> ka.Figure:
    """KAS by subspace and topology (KAPRO, Figure 3)."""
    rows = with_bar((row for row in topologies(runs).rows if row.measure == "KAS"), USUAL)
    spec = dots_per_run(rows, "bar", "topology", "boundary", value_title="KAS")
    return ka.Figure("kas-by-topology", "KAS by topology", "KAPRO, Figure 3", spec)


def quadrant_shares(runs: Sequence[ka.Run]) -> ka.Figure:
    """The quadrants as shares of each subspace."""
    return quadrant_figure(quadrants(runs), "boundary", USUAL, "KAPRO, Table 4")


def kas_against_calls(runs: Sequence[ka.Run]) -> ka.Figure:
    """KAS against mean tool calls on internal tasks, where every call is overhead (KAPRO, Figure 4)."""
    pools = model_groups(runs, FEWEST_FOR_R) or model_groups(runs, 1)
    points = [
        Point(run_name({**group.keys, **keys}, USUAL), kas_of(part), _calls_of(part))
        for keys, models in pools
        for group in models
        if (part := group.subspaces().get(INTERNAL)) is not None
    ]
    alone = pools[0][1] if len(pools) == 1 else []
    r, p = _r(alone, INTERNAL, _calls_of)
    spec = scatter_with_r(points, r, x_title="KAS, internal", y_title="Tool calls per task")
    note = "Internal tasks need no tool, so each call is overhead. One dot per model: "
    note += "its run without a strategy, else its first."
    note += " There is no r over models that were not asked the same." if len(pools) > 1 else ""
    note += f" p = {p.value:.2g}." if p and p.value is not None else ""
    return ka.Figure(
        "kas-against-calls",
        "KAS against tool calls on internal tasks",
        "KAPRO, Figure 4",
        spec,
        note if spec else "No run has internal tasks in the clean setting.",
    )


def distractor_shift(runs: Sequence[ka.Run]) -> ka.Figure:
    """Change of each quadrant's share with distractors (KAPRO, Figure 5)."""
    rows = [
        replace(row, keys={**row.keys, "cell": f"{row.keys['boundary']} {row.measure}"})
        for row in with_bar(shifts(runs).rows, USUAL)
    ]
    spec = shift_bars(rows, "cell", "bar")
    note = "" if spec else "Run a model both without and with --distractors to see this."
    return ka.Figure("distractor-shift", "What distractors change", "KAPRO, Figure 5", spec, note)


FIGURES: tuple[Callable[[Sequence[ka.Run]], ka.Figure], ...] = (
    *(kas_against_calls, quadrant_shares, kas_by_topology, distractor_shift, TRANSFERRED.figure),
)


SOURCE = "KAPRO, Table 2"
TITLE = "Tasks by boundary and logic type"
TOTAL = "all"


def _rows(items: Sequence[ka.Item]) -> list[Row]:
    tasks = {item.task.id: item.task for item in items}.values()
    found = Counter((task.boundary.value, task.topology.value) for task in tasks)
    return [
        Row({"boundary": side, "topology": kind}, "tasks", ka.Estimate(found[side, kind], len(tasks)))
        for side in SUBSPACES
        for kind in TOPOLOGIES
    ]


@as_table("topology", TITLE, SOURCE, across=("topology",), percent=False, counts=True)
def by_topology(items: Sequence[ka.Item]) -> list[Row]:
    """Tasks by boundary and topology, with totals.

    The paper has 310 external, 368 hybrid and 398 internal tasks, as its percentages show; how they split by
    logic type cannot be recovered. There is no hybrid single-hop task: hybrid takes two parts.
    """
    rows = _rows(items)
    sums: Counter[tuple[str, str]] = Counter()
    for row in rows:
        side, kind, count = row.keys["boundary"], row.keys["topology"], int(row.estimate.value or 0)
        for key in ((side, TOTAL), (TOTAL, kind), (TOTAL, TOTAL)):
            sums[key] += count
    rows += [
        Row({"boundary": side, "topology": kind}, "tasks", ka.Estimate(count, sums[TOTAL, TOTAL]))
        for (side, kind), count in sums.items()
    ]
    order = [*SUBSPACES, TOTAL]
    return sorted(rows, key=lambda row: order.index(row.keys["boundary"]))


def topology_picture(items: Sequence[ka.Item]) -> ka.Figure:
    """The same as bars."""
    spec = count_bars(_rows(items), "boundary", "topology", value_title="tasks")
    return ka.Figure("topology", TITLE, SOURCE, spec)
