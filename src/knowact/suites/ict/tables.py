"""The paper's tables 2 and 5 to 9, and what their numbers hide (spec ict.md, sections 12 to 16)."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from knowact.core.record import CUT_OFF, OVER_CONTEXT, Record
from knowact.core.table import Estimate, Row, Run, Table
from knowact.measures.agreement import kappa, observed
from knowact.measures.confusion import Answer, Score, bounds, constant_policies, estimate
from knowact.measures.intervals import wilson
from knowact.measures.mcnemar import compare, mcnemar, mcnemar_pairs
from knowact.measures.run_tables import Head, cost_table, endings_table
from knowact.measures.summary import mean_estimate, quadrant_estimates
from knowact.suites.ict.arms import (
    COLUMNS,
    SEED,
    Arm,
    arms,
    conduct_answers,
    explicit_answers,
    implicit_answers,
)
from knowact.suites.ict.asked import EXPLICIT, FEEDBACK, IMPLICIT, WHY
from knowact.suites.ict.conduct import CLASSES
from knowact.suites.ict.probes import COT, FOUR, SV, ZERO
from knowact.suites.ict.reasons import KINDS

ALL: Final = "all"
TOKENS: Final = "output tokens"
"""A row head: mean over the run's trials, all of their probes."""

Answers = Callable[[Sequence[Record]], list[Answer]]


def _by_part(
    chosen: Sequence[Arm], answers: Answers, scores: Sequence[Score], names: Mapping[Score, str]
) -> list[Row]:
    """Scores of each part, one row per run, beside what its answers cost."""
    rows: list[Row] = []
    for arm in chosen:
        for part in COLUMNS:
            said = answers(arm.records(part))
            keys = {**arm.keys, TOKENS: arm.output_tokens, "part": part}
            rows += [Row(keys, names[s], estimate(s, said, SEED)) for s in (scores if said else ())]
    return rows


PAPER: Final = (Score.ACCURACY, Score.F1)
NAMES: Final[Mapping[Score, str]] = {
    Score.ACCURACY: "Acc",
    Score.F1: "F1 (no)",
    Score.RECALL_NO: "recall of no",
    Score.RECALL_YES: "recall of yes",
    Score.BALANCED_ACCURACY: "balanced accuracy",
    Score.MCC: "MCC",
    Score.PAIR_ACCURACY: "pair accuracy",
    Score.UNREADABLE: "unreadable",
}


JOINT: Final = "joint conduct"
"""The headline: the share of pairs on both items of which the agent does right."""


def joint(runs: Sequence[Run]) -> Table:
    """Both items of a pair right, in conduct and in words: what answering alike cannot reach."""
    rows: list[Row] = []
    scores = (Score.PAIR_ACCURACY, Score.BALANCED_ACCURACY, Score.MCC)
    for arm in arms(runs):
        for part in COLUMNS:
            records = arm.records(part)
            keys = {**arm.keys, TOKENS: arm.output_tokens, "part": part}
            if done := conduct_answers(records):
                rows.append(Row(keys, JOINT, joint_conduct(arm, done)))
            said = explicit_answers(records)
            rows += [Row(keys, NAMES[s], estimate(s, said, SEED)) for s in (scores if said else ())]
    note = (
        "Joint conduct (implicit probe): the agent calls a tool on the complete item, and asks or says what "
        "lacks on its incomplete one; it is not given where replies were left unread. Pair accuracy "
        "(explicit probe): the complete item is answered yes and its incomplete one no. Both are 0 for an "
        "agent that always does the same, as is MCC; balanced accuracy is 50 % there. AR: a tool was "
        "replaced, UR: words were removed; AB: dialogues, TB: single requests. Intervals resample tasks."
    )
    return Table("joint", "Both items of a pair right", "knowact", tuple(rows), across=("part",), note=note)


def joint_conduct(arm: Arm, done: Sequence[Answer]) -> Estimate:
    """Joint conduct over these items; no value where nobody read some of the run's replies."""
    return Estimate(None, 0) if arm.unjudged else estimate(Score.PAIR_ACCURACY, done, SEED)


def explicit(runs: Sequence[Run]) -> Table:
    """Accuracy and F1 under zero- and four-shot."""
    chosen = [arm for arm in arms(runs) if arm.strategy in (ZERO, FOUR) and not arm.plain]
    note = (
        "F1 has no as the positive class: always answering no gives 66.7 % on a balanced set, at an accuracy "
        "of 50 %. The table of constant answers stands below. Measured by --strategy zero-shot and four-shot."
    )
    rows = _by_part(chosen, explicit_answers, PAPER, NAMES)
    return Table("table-2", "Explicit probe", "ICT, Table 2", tuple(rows), across=("part",), note=note)


def strategies(runs: Sequence[Run]) -> Table:
    """Zero-shot, chain-of-thought and structured verification, with output tokens."""
    chosen = [arm for arm in arms(runs) if arm.strategy in (ZERO, COT, SV) and not arm.plain]
    rows = _by_part(chosen, explicit_answers, (*PAPER, Score.RECALL_NO, Score.RECALL_YES), NAMES)
    note = (
        "Both recalls show whether a strategy tells better or merely says no more often. Output tokens are "
        "means per trial, over all of its probes (--probe explicit --no-why: of the question alone). "
        "Measured by --strategy chain-of-thought and structured-verification."
    )
    return Table("table-7", "Strategies", "ICT, Table 7", tuple(rows), across=("part",), note=note)


def plain(runs: Sequence[Run]) -> Table:
    """Base and chat models: the question as one plain text against the chat."""
    every = arms(runs)
    models = {arm.run.model for arm in every if arm.plain}
    rows = _by_part([arm for arm in every if arm.plain or models], explicit_answers, PAPER, NAMES)
    if not models:
        rows = []
    note = "Base models are asked in one plain text (--plain)."
    return Table("table-8", "Base and chat models", "ICT, Table 8", tuple(rows), across=("part",), note=note)


def implicit(runs: Sequence[Run]) -> Table:
    """Going on with the dialogue: as the paper counts it, against what was said on the same items."""
    rows: list[Row] = []
    for arm in arms(runs):
        for part in COLUMNS:
            records = arm.records(part)
            done = implicit_answers(records)
            if not done:
                continue
            keys = {**arm.keys, "part": part}
            rows += [Row(keys, NAMES[score], estimate(score, done, SEED)) for score in PAPER]
            if not arm.unjudged:
                rows.append(Row(keys, "right", mean_estimate(records, IMPLICIT, SEED)))
            rows += _agreement(keys, records)
    note = (
        "Acc and F1 as in the paper: a call is a yes, anything else a no, an invented answer included. "
        "Right: a call where all is there, a question or a statement of limits where not; it is not given "
        "where replies were left unread. The paper's column "
        "Corr. has no definition; agreement and kappa compare saying and doing on the same items. Measured "
        "by --probe both or implicit."
    )
    return Table("table-5", "Implicit probe", "ICT, Table 5", tuple(rows), across=("part",), note=note)


def _agreement(keys: Mapping[str, str], records: Sequence[Record]) -> list[Row]:
    said = explicit_answers(records)
    done = {(one.pair, one.complete): one.said for one in implicit_answers(records)}
    both = [(one.said, done.get((one.pair, one.complete)), one.cluster) for one in said]
    known = [(first, second, cluster) for first, second, cluster in both if first and second]
    if not known:
        return []
    ratings = [(first, second) for first, second, _ in known]
    clusters = [cluster for _, _, cluster in known]
    return [
        Row(keys, "agreement", observed(ratings, clusters, SEED)),
        Row(keys, "kappa", kappa(ratings, clusters, SEED)),
    ]


UNKNOWN: Final = ("not_judged", "judge_error")
"""What stands in a class's place where nobody could tell."""


def classes(runs: Sequence[Run]) -> Table:
    """What the replies did, class by class."""
    rows: list[Row] = []
    for arm in arms(runs):
        for gold in ("complete", "incomplete"):
            records = [r for r in arm.records() if r.labels["gold"] == gold and r.value("called") >= 0]
            keys = {**arm.keys, "gold": gold}
            rows += (found := _classes(keys, records))
            if found:
                judged = sum("implicit_by_judge" in record.flags for record in records)
                rows.append(Row(keys, "by judge", wilson(judged, len(records))))
    note = (
        "Calls are counted; words are read into the answer form of the pair (role extractor). What the form "
        "leaves open goes to the judge (role judge): 'by judge' is its share. Judge error: no majority, or a "
        "form that stayed invalid. Measured by --probe both or implicit, by the rules of the definition."
    )
    return Table("classes", "What the replies did", "knowact", tuple(rows), across=("gold",), note=note)


def _classes(keys: Mapping[str, str], records: Sequence[Record]) -> list[Row]:
    found = {
        name: sum(f"implicit_{name}" in record.flags for record in records) for name in (*CLASSES, *UNKNOWN)
    }
    if not any(found.values()):
        return []
    return [Row(keys, name.replace("_", " "), wilson(hits, len(records))) for name, hits in found.items()]


def feedback(runs: Sequence[Run]) -> Table:
    """After a call and its outcome: four cells, the fourth being the control."""
    rows: list[Row] = []
    for arm in arms(runs):
        called = [record for record in arm.run.records if record.scored and "call" in record.labels]
        for part in (*COLUMNS, ALL):
            rows += _cells(arm, part, [r for r in called if part in (ALL, r.labels["part"])])
    note = (
        "Is all the information there that the call takes? On removed items the successful call carries an "
        "invented value. The paper has three of the four cells: without complete and succeeding, whoever "
        "says no after every call looks able. Measured by --probe feedback."
    )
    return Table("table-6", "After a call", "ICT, Table 6", tuple(rows), across=("cell",), note=note)


def _cells(arm: Arm, part: str, records: Sequence[Record]) -> list[Row]:
    cells: dict[tuple[str, str], list[Record]] = {}
    for record in records:
        cells.setdefault((record.labels["gold"], record.labels["call"]), []).append(record)
    rows: list[Row] = []
    for (gold, outcome), found in sorted(cells.items()):
        dialogue = "complete" if gold == "complete" else "removed"
        keys = {**arm.keys, "part": part, "cell": f"{dialogue}, call {outcome}"}
        rows.append(Row(keys, "accuracy", mean_estimate(found, FEEDBACK, SEED)))
    if records:
        pairs = estimate(Score.PAIR_ACCURACY, explicit_answers(records, FEEDBACK), SEED)
        rows.append(Row({**arm.keys, "part": part, "cell": "both dialogues right"}, "accuracy", pairs))
    return rows


def explanations(runs: Sequence[Run]) -> Table:
    """Why the answer was no: right, or wrong by kind."""
    rows: list[Row] = []
    for arm in arms(runs):
        for part in (*COLUMNS, ALL):
            asked = [r for r in arm.records("" if part == ALL else part) if r.value(WHY) >= 0]
            keys = {**arm.keys, "part": part}
            if not asked:
                continue
            rows.append(Row(keys, "explanations", Estimate(len(asked), len(asked))))
            for kind in KINDS:
                hits = sum(f"why_{kind}" in record.flags for record in asked)
                rows.append(Row(keys, kind.replace("_", " "), wilson(hits, len(asked))))
    note = (
        "Of the no answers on incomplete items (the paper asks only about right ones; so here). The judge "
        "holds each reason against what was withheld. Measured by --why with a judge (--judge MODEL), on "
        "items that say what was withheld."
    )
    return Table(
        "table-9", "Why not", "ICT, Table 9", tuple(rows), across=("part",), note=note, percent=False
    )


def floors(runs: Sequence[Run]) -> Table:
    """What constant answers get on these very items."""
    rows: list[Row] = []
    for part in COLUMNS:
        said = max(
            (explicit_answers(arm.records(part)) for arm in arms(runs)), key=len, default=list[Answer]()
        )
        if not said:
            continue
        for score, values in constant_policies(said).items():
            if score is not Score.UNREADABLE:
                rows += [
                    Row({"who": f"always {word}", "part": part}, NAMES[score], Estimate(value, len(said)))
                    for word, value in values.items()
                ]
    note = "Computed from the items, no run needed. The ceiling is 100 % of everything."
    return Table("floors", "Constant answers", "knowact", tuple(rows), across=("part",), note=note)


def details(runs: Sequence[Run]) -> Table:
    """Every score over all parts, and what unreadable answers could change."""
    rows: list[Row] = []
    for arm in arms(runs):
        for probe, answers in ((EXPLICIT, explicit_answers), (IMPLICIT, implicit_answers)):
            said = answers(arm.records())
            keys = {**arm.keys, "probe": probe}
            for score in Score if said else ():
                rows.append(Row(keys, NAMES[score], estimate(score, said, SEED)))
                ends = bounds(score, said)
                if score in PAPER and any(one.said == "unreadable" for one in said) and ends.low is not None:
                    rows.append(Row(keys, f"{NAMES[score]}, lowest", Estimate(ends.low, len(said))))
                    rows.append(Row(keys, f"{NAMES[score]}, highest", Estimate(ends.high, len(said))))
    note = "Lowest and highest: as if every unreadable answer had been a yes, or a no."
    return Table("details", "All scores", "knowact", tuple(rows), note=note)


def levels(runs: Sequence[Run]) -> Table:
    """Replacements by how alike the tool is that stands in the place of the right one."""
    rows: list[Row] = []
    for arm in arms(runs):
        for level in ("near", "medium", "far", "absent"):
            records = [r for r in arm.records() if r.labels.get("level") == level]
            pairs = explicit_answers(records)
            if pairs:
                keys = {**arm.keys, "level": level}
                scores = (Score.PAIR_ACCURACY, Score.RECALL_NO)
                rows += [Row(keys, NAMES[score], estimate(score, pairs, SEED)) for score in scores]
    note = (
        "near, medium, far: rank of the substitute among all tools; absent: none stands there. Our own data "
        "say that of replacements."
    )
    return Table("levels", "Replacements by level", "knowact", tuple(rows), across=("level",), note=note)


def partly(runs: Sequence[Run]) -> Table:
    """The third class: one of two requests can still be served."""
    rows: list[Row] = []
    for arm in arms(runs):
        records = [r for r in arm.records(kind="partly") if r.labels["gold"] == "partly"]
        if not records:
            continue
        rows.append(Row(arm.keys, "says no", mean_estimate(records, "explicit", SEED)))
        rows += _classes(arm.keys, [r for r in records if r.value("called") >= 0])
    note = (
        "The whole request cannot be handled, so no is right when asked explicitly; going on, a call for the "
        "possible half is as good as saying what is missing. Measured by --kind partly or all."
    )
    return Table("partly", "Partly possible", "knowact", tuple(rows), note=note)


def quadrants(runs: Sequence[Run]) -> Table:
    """Said against done, on the same items."""
    rows: list[Row] = []
    for arm in arms(runs):
        for part in () if arm.unjudged else (*COLUMNS, ALL):
            found = quadrant_estimates(arm.records("" if part == ALL else part), SEED)
            keys = {**arm.keys, "part": part}
            rows += [Row(keys, name, value) for name, value in found.items() if value.n]
    note = (
        "K: the explicit answer is right; A: what it did is right. c: correct, w: wrong. "
        "DirGap = Kc/Aw - Kw/Ac. Measured by --probe both; not given where replies were left unread."
    )
    return Table("quadrants", "Know-act quadrants", "knowact", tuple(rows), across=("part",), note=note)


def pairs_of_runs(runs: Sequence[Run]) -> Table:
    """Each run against the first one: McNemar's counts and the paired differences."""
    rows: list[Row] = []
    first, *others = [arm for arm in arms(runs) if explicit_answers(arm.records())] or [None]
    for other in others:
        if first is None or other is None or other.run.dataset.sha256 != first.run.dataset.sha256:
            continue
        one, two = (explicit_answers(arm.records()) for arm in (first, other))
        keys = {**other.keys, "against": ", ".join(first.keys.values())}
        for name, found in (("items", mcnemar(one, two)), ("pairs", mcnemar_pairs(one, two))):
            n = found.both + found.only_first + found.only_second + found.neither
            rows.append(Row(keys, f"{name}: McNemar p", Estimate(found.p, n)))
        scores = (Score.ACCURACY, Score.PAIR_ACCURACY, Score.BALANCED_ACCURACY)
        rows += [Row(keys, f"{NAMES[s]}: difference", compare(s, one, two, SEED).difference) for s in scores]
    note = (
        "Over the items of both runs. Differences: the run minus the first one, tasks resampled. It takes "
        "two runs on the same data."
    )
    return Table("paired", "Runs against the first", "knowact", tuple(rows), note=note, percent=False)


_PROBES: Final = (EXPLICIT, WHY, IMPLICIT, FEEDBACK)


def failures(runs: Sequence[Run]) -> Table:
    """Endings and oddities."""
    note = (
        "Unreadable answers are wrong, by name: idk (it says that it does not know) or none. Instrument "
        "errors leave an item unscored."
    )
    return endings_table(_heads(runs), _PROBES, _probe_of, note)


def _probe_of(flag: str) -> str:
    """Flags name their probe first, or behind a limit; all others are the readers'."""
    name = flag.removeprefix(CUT_OFF).removeprefix(OVER_CONTEXT).partition("_")[0]
    return name if name in _PROBES else "reading"


def cost(runs: Sequence[Run]) -> Table:
    """What one trial costs."""
    return cost_table(_heads(runs), "part", COLUMNS, "knowact")


def _heads(runs: Sequence[Run]) -> list[Head]:
    return [Head(arm.keys, arm.run.records) for arm in arms(runs)]


TABLES: tuple[Callable[[Sequence[Run]], Table], ...] = (
    *(joint, explicit, floors, implicit, feedback, strategies, plain, explanations),
    *(quadrants, classes, levels, partly, details, pairs_of_runs, failures, cost),
)
"""The headline first, then the paper's, then ours."""
