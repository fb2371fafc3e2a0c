"""The paper's tables 2 and 5 to 8, and what their numbers hide."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from statistics import fmean
from typing import Final

from knowact.core.clean import dumps
from knowact.core.record import Outcome, Record
from knowact.core.suite import Item
from knowact.core.table import Estimate, Paired, Row, Run, Table, as_table, rows_of
from knowact.core.tool import Tool
from knowact.datasets.stats import words
from knowact.measures.agreement import kappa, observed
from knowact.measures.confusion import (
    Answer,
    Score,
    bounds,
    compare,
    constant_policies,
    estimate,
    mcnemar,
    mcnemar_pairs,
    rests_on,
)
from knowact.measures.noise_floor import NOISE_NOTE
from knowact.measures.paired import NO_DIFFERENCE
from knowact.measures.pairing import MODEL, alike_but_for, item_sets
from knowact.measures.run_tables import (
    cost_table,
    endings_table,
    flagged,
)
from knowact.measures.sensitivity import sensitivity_table
from knowact.measures.summary import mean_estimate, quadrant_estimates
from knowact.probes.transfer import acting
from knowact.suites.ict.asked import EXPLICIT, FEEDBACK, FIRST, IMPLICIT, WHY
from knowact.suites.ict.conduct import CLASSES
from knowact.suites.ict.explanations import explanations, people_and_judge
from knowact.suites.ict.probes import COT, FOUR, SELF, SV, ZERO
from knowact.suites.ict.run_groups import (
    COLUMNS,
    RunGroup,
    conduct_answers,
    explicit_answers,
    groups,
    heads,
)

ALL: Final = "all"
TOKENS: Final = "output tokens"
"""A row head: mean over the run's trials, all of their probes."""

JOINT: Final = "joint conduct"
"""The headline: the share of pairs on both items of which the agent does right."""

PAPER: Final = (Score.ACCURACY, Score.F1)
REASONING: Final = (ZERO, COT, SV, SELF)
"""The strategies that are compared with asking outright; four-shot stands in table 2."""
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


def score_rows(keys: Mapping[str, str], answers: Sequence[Answer], scores: Sequence[Score]) -> Iterator[Row]:
    """Yield a row for each score; none where nothing was answered."""
    for score in scores if answers else ():
        yield Row(keys, NAMES[score], estimate(score, answers))


def _parts(
    runs: Sequence[Run], *, tokens: bool = False
) -> Iterator[tuple[RunGroup, dict[str, str], list[Record]]]:
    """Each part of each run, with its keys (what its trials cost, where asked for) and records."""
    for group in groups(runs):
        head = {**group.keys, TOKENS: group.output_tokens} if tokens else group.keys
        for part in COLUMNS:
            yield group, {**head, "part": part}, group.records(part)


@as_table("joint", "Both items of a pair right", across=("part",))
def joint(runs: Sequence[Run]) -> Iterator[Row]:
    """Both items of a pair right, in conduct and in words: what a constant answer cannot reach.

    Joint conduct (implicit probe): the agent calls a tool on the complete item; on the incomplete one it
    asks, or says what is missing (by the published rules: it calls nothing). It is not given where replies
    were left unread. Pair accuracy (explicit probe): it answers yes on the complete item and no on the
    incomplete one. Both are 0 for an agent that always does the same, and so is MCC; its balanced accuracy is
    50 %. AR: a tool was replaced, UR: words were removed; AB: dialogues, TB: single requests. Intervals
    resample tasks.
    """
    for group, keys, records in _parts(runs, tokens=True):
        if done := conduct_answers(records):
            yield Row(keys, JOINT, joint_conduct(group, done))
        scores = (Score.PAIR_ACCURACY, Score.BALANCED_ACCURACY, Score.MCC)
        yield from score_rows(keys, explicit_answers(records), scores)


def joint_conduct(group: RunGroup, done: Sequence[Answer]) -> Estimate:
    """Joint conduct over these items; no value where some of the run's replies were not read."""
    return Estimate(None, 0) if group.unjudged else estimate(Score.PAIR_ACCURACY, done)


def sensitivity(runs: Sequence[Run]) -> Table:
    """How well it tells the items of a pair apart, in what it does and in what it says."""
    note = (
        "Implicit probe: it holds back where it asks or states a limit and calls nothing (not given where "
        "replies were left unread). Explicit probe: where it answers no. Measured by --probe both."
    )
    parts = [
        ({**keys, "probe": probe}, answers)
        for group, keys, records in _parts(runs)
        for probe, answers in (
            (IMPLICIT, () if group.unjudged else conduct_answers(records)),
            (EXPLICIT, explicit_answers(records)),
        )
    ]
    return sensitivity_table(parts, "part", note)


def _explicit_rows(
    runs: Sequence[Run], chosen: Callable[[RunGroup], bool], scores: Sequence[Score]
) -> Iterator[Row]:
    """Scores of the explicit probe, one row per run, beside what its answers cost."""
    for group, keys, records in _parts(runs, tokens=True):
        if chosen(group):
            yield from score_rows(keys, explicit_answers(records), scores)


@as_table("table-2", "Explicit probe", "ICT, Table 2", across=("part",))
def explicit(runs: Sequence[Run]) -> Iterator[Row]:
    """Accuracy and F1 under zero- and four-shot.

    F1 has no as the positive class: always answering no gives 66.7 % on a balanced set, at an accuracy of
    50 % (see Constant answers). Measured by --strategy zero-shot and four-shot.
    """
    return _explicit_rows(runs, lambda group: group.strategy in (ZERO, FOUR) and not group.plain, PAPER)


@as_table("table-7", "Strategies", "ICT, Table 7", across=("part",))
def strategies(runs: Sequence[Run]) -> Iterator[Row]:
    """Zero-shot, chain-of-thought and the two verifications, with output tokens.

    Both recalls show whether a strategy discriminates better or merely says no more often. Output tokens are
    means per trial, over all of its probes (--probe explicit --no-why: of the question alone). Measured by
    --strategy chain-of-thought, structured-verification and self-verification (of which the paper gives no
    numbers).
    """
    scores = (*PAPER, Score.RECALL_NO, Score.RECALL_YES)
    return _explicit_rows(runs, lambda group: group.strategy in REASONING and not group.plain, scores)


@as_table("table-8", "Base and chat models", "ICT, Table 8", across=("part",))
def plain(runs: Sequence[Run]) -> Iterator[Row]:
    """The question as one plain text against the chat.

    Base models are asked in one plain text (--plain).
    """
    some = any(group.plain for group in groups(runs))
    return _explicit_rows(runs, lambda _: some, PAPER)


@as_table("table-5", "Implicit probe", "ICT, Table 5", across=("part",))
def implicit(runs: Sequence[Run]) -> Iterator[Row]:
    """Continuing the dialogue: what was done, against what was said on the same items.

    A call is a yes, a question or a statement of limits a no; a fabricated answer, an empty reply and a trial
    that hit a limit are neither, and wrong. By the published rules, as in the paper, anything but a call is a
    no. Calls: how often it called a tool where something is missing. Only that is given where replies were
    left unread. The paper does not define its column Corr.; agreement and kappa compare what was said and
    done on the same items. Measured by --probe both or implicit.
    """
    for group, keys, records in _parts(runs):
        if done := conduct_answers(records):
            if not group.unjudged:
                yield from score_rows(keys, done, PAPER)
                yield from _agreement(keys, records)
            lacking = [record for record in records if record.labels["gold"] != "complete"]
            yield Row(keys, "calls", mean_estimate(lacking, "called"))


def _agreement(keys: Mapping[str, str], records: Sequence[Record]) -> Iterator[Row]:
    said = explicit_answers(records)
    done = {(one.pair, one.complete): one.said for one in conduct_answers(records)}
    both = [(one.said, done.get((one.pair, one.complete)), one.cluster) for one in said]
    known = [(first, second, cluster) for first, second, cluster in both if first and second]
    if known:
        ratings = [(first, second) for first, second, _ in known]
        clusters = [cluster for _, _, cluster in known]
        yield Row(keys, "agreement", observed(ratings, clusters))
        yield Row(keys, "kappa", kappa(ratings, clusters))


UNKNOWN: Final = ("not_judged", "judge_error")
"""What stands in a class's place where nobody could tell."""


@as_table("classes", "What the replies did", across=("gold",))
def classes(runs: Sequence[Run]) -> Iterator[Row]:
    """The replies class by class.

    Calls are counted; words are read into the pair's answer form (role extractor). What the form leaves open
    goes to the judge (role judge): 'by judge' is its share. Judge error: no majority, or a form that stayed
    invalid. Measured by --probe both or implicit, by the default rules.
    """
    for group in groups(runs):
        for gold in ("complete", "incomplete"):
            records = [r for r in group.records() if r.labels["gold"] == gold and r.value("called") >= 0]
            keys = {**group.keys, "gold": gold}
            if found := list(_classes(keys, records)):
                yield from (*found, Row(keys, "by judge", flagged(records, "implicit_by_judge")))


def _classes(keys: Mapping[str, str], records: Sequence[Record]) -> Iterator[Row]:
    found = {name: flagged(records, f"implicit_{name}") for name in (*CLASSES, *UNKNOWN)} if records else {}
    for name, share in found.items() if any(one.value for one in found.values()) else ():
        yield Row(keys, _words(name), share)


def _words(name: str) -> str:
    return {"made_up_answer": "fabricated answer"}.get(name, name.replace("_", " "))


@as_table("table-6", "After a call", "ICT, Table 6", across=("cell",))
def feedback(runs: Sequence[Run]) -> Iterator[Row]:
    """After a call and its outcome: four cells, the fourth being the control.

    Is all the information there that the call takes? On removed items the successful call carries a value
    that nobody gave. The paper has three of the four cells (--rules published asks those alone); without
    "complete, call succeeds" an agent that says no after every call looks able. Measured by --probe feedback.
    """
    for group in groups(runs):
        called = [record for record in group.run.records if record.scored and "call" in record.labels]
        for part in (*COLUMNS, ALL):
            yield from _cells(group, part, [r for r in called if part in (ALL, r.labels["part"])])


def _cells(group: RunGroup, part: str, records: Sequence[Record]) -> Iterator[Row]:
    cells: dict[tuple[str, str], list[Record]] = {}
    for record in records:
        cells.setdefault((record.labels["gold"], record.labels["call"]), []).append(record)
    for (gold, outcome), found in sorted(cells.items()):
        dialogue = "complete" if gold == "complete" else "removed"
        keys = {**group.keys, "part": part, "cell": f"{dialogue}, call {outcome}"}
        yield Row(keys, "accuracy", mean_estimate(found, FEEDBACK))
    if records:
        pairs = estimate(Score.PAIR_ACCURACY, explicit_answers(records, FEEDBACK))
        yield Row({**group.keys, "part": part, "cell": "both dialogues right"}, "accuracy", pairs)


@as_table("baselines", "Constant answers", across=("part",))
def baselines(runs: Sequence[Run]) -> Iterator[Row]:
    """What constant answers get on these very items.

    Computed from the items; no run is needed. The reference agent gets 100 % of everything.
    """
    asked = [
        (group.run, {"part": part}, records)
        for group in groups(runs)
        for part in COLUMNS
        if explicit_answers(records := group.records(part, scored=False))
    ]
    for keys, records in item_sets(asked):
        said = explicit_answers([replace(one, outcomes={EXPLICIT: Outcome.ANSWERED}) for one in records])
        for score, values in constant_policies(said).items():
            for word, value in values.items() if score is not Score.UNREADABLE else ():
                yield Row(
                    {"policy": f"always {word}", **keys}, NAMES[score], Estimate(value, rests_on(score, said))
                )


@as_table("details", "All scores")
def details(runs: Sequence[Run]) -> Iterator[Row]:
    """Every score over all parts, and what unreadable answers could change.

    Lowest and highest: as if every unreadable answer had been a yes, or a no. The implicit probe is not given
    where replies were left unread.
    """
    for group in groups(runs):
        records = group.records()
        done = [] if group.unjudged else conduct_answers(records)
        for probe, said in ((EXPLICIT, explicit_answers(records)), (IMPLICIT, done)):
            keys = {**group.keys, "probe": probe}
            for score in Score if said else ():
                yield Row(keys, NAMES[score], estimate(score, said))
                ends = bounds(score, said)
                if score in PAPER and any(one.said == "unreadable" for one in said) and ends.low is not None:
                    yield Row(keys, f"{NAMES[score]}, lowest", Estimate(ends.low, len(said)))
                    yield Row(keys, f"{NAMES[score]}, highest", Estimate(ends.high, len(said)))


@as_table("levels", "Replacements by level", across=("level",))
def levels(runs: Sequence[Run]) -> Iterator[Row]:
    """Replacements by how alike the substitute of the right tool is.

    near, medium, far: rank of the substitute among all tools; absent: there is none. Only our own data carry
    this label.
    """
    for group in groups(runs):
        for level in ("near", "medium", "far", "absent"):
            records = [r for r in group.records() if r.labels.get("level") == level]
            scores = (Score.PAIR_ACCURACY, Score.RECALL_NO)
            yield from score_rows({**group.keys, "level": level}, explicit_answers(records), scores)


@as_table("proof", "Pairs by proof", across=("proof",))
def proofs(runs: Sequence[Run]) -> Iterator[Row]:
    """Pairs by how well they are shown to be what they claim.

    proven: by the prover, on tools whose declarations are checked by execution; executed: by the prover, and
    the plan ran; declared: it rests on what somebody says of the tools, or on a judge. Measured by --data
    with pairs that `knowact forge --from` made.
    """
    for group in groups(runs):
        labelled = [record for record in group.records() if "proof" in record.labels]
        for proof in sorted({record.labels["proof"] for record in labelled}):
            records = [record for record in labelled if record.labels["proof"] == proof]
            keys = {**group.keys, "proof": proof}
            if done := conduct_answers(records):
                yield Row(keys, JOINT, joint_conduct(group, done))
            yield from score_rows(keys, explicit_answers(records), (Score.PAIR_ACCURACY,))


@as_table("partly", "Partly possible")
def partly(runs: Sequence[Run]) -> Iterator[Row]:
    """The third class: one of two requests can still be served.

    The whole request cannot be handled, so no is right in the explicit probe; in the implicit probe, a call
    for the possible half is as good as saying what is missing. Measured by --kind partly or all.
    """
    for group in groups(runs):
        records = [r for r in group.records(kind="partly") if r.labels["gold"] == "partly"]
        if records:
            yield Row(group.keys, "says no", mean_estimate(records, EXPLICIT))
            yield from _classes(group.keys, [r for r in records if r.value("called") >= 0])


@as_table("quadrants", "Know-act quadrants", across=("part",), after=NOISE_NOTE)
def quadrants(runs: Sequence[Run]) -> Iterator[Row]:
    """What was said against what was done, on the same items.

    K: the explicit answer is right; A: what it did is right. c: correct, w: wrong. DirGap = Kc/Aw - Kw/Ac.
    Measured by --probe both; not given where replies were left unread.
    """
    for group in groups(runs):
        for part in () if group.unjudged else (*COLUMNS, ALL):
            found = quadrant_estimates(group.records("" if part == ALL else part))
            yield from rows_of({**group.keys, "part": part}, found, empty=False)


@as_table("paired", "Runs against the first", percent=False, after=NO_DIFFERENCE)
def pairs_of_runs(runs: Sequence[Run]) -> Iterator[Row]:
    """Each run against the first that differs from it in one thing: McNemar's test, differences.

    Over the items of both runs. Differences: the run minus the first one; intervals resample tasks. McNemar:
    one verdict a task, for the run that is right more often over its items and trials; n counts tasks. It
    takes two runs that are alike but for the model, the strategy or how the question is put (--plain).
    """
    answered = {group.run.id: group for group in groups(runs) if explicit_answers(group.records())}
    asked = [run for run in runs if run.id in answered]
    for factor in (MODEL, "strategy", "plain"):
        for family in alike_but_for((factor,), asked):
            first = answered[family[0].id]
            for other in (
                answered[run.id]
                for run in family[1:]
                if factor_of(run, factor) != factor_of(family[0], factor)
            ):
                yield from _against(first, other)


def factor_of(run: Run, name: str) -> object:
    """What a run has for one factor."""
    return run.model if name == MODEL else run.options.get(name)


def _against(first: RunGroup, other: RunGroup) -> Iterator[Row]:
    """One run against another."""
    one, two = (explicit_answers(group.records()) for group in (first, other))
    keys = {**other.keys, "against": ", ".join(first.keys[key] for key in first.keys if key != "data")}
    paired = Paired(first.run.id, other.run.id, (EXPLICIT,))
    for name, found in (("items", mcnemar(one, two)), ("pairs", mcnemar_pairs(one, two))):
        yield Row(keys, f"{name}: McNemar p", Estimate(found.p, found.n), paired)
    for score in (Score.ACCURACY, Score.PAIR_ACCURACY, Score.BALANCED_ACCURACY):
        yield Row(keys, f"{NAMES[score]}: difference", compare(score, one, two).difference, paired)


_PROBES: Final = (FIRST, EXPLICIT, WHY, *acting(IMPLICIT), FEEDBACK)


def failures(runs: Sequence[Run]) -> Table:
    """How trials ended, and what went wrong in them."""
    note = (
        "Unreadable answers are wrong and counted by name: idk (it says that it does not know) or none. "
        "Instrument errors leave an item unscored."
    )
    return endings_table(heads(runs), _PROBES, _probe_of, note)


def _probe_of(flag: str) -> str:
    """Flags name their probe first; all others are the parsers'."""
    name = flag.partition("_")[0]
    return name if name in _PROBES else "reading"


def cost(runs: Sequence[Run]) -> Table:
    """What one trial costs."""
    return cost_table(heads(runs), "part", COLUMNS, "knowact")


TABLES: tuple[Callable[[Sequence[Run]], Table], ...] = (
    *(
        joint,
        sensitivity,
        explicit,
        baselines,
        implicit,
        feedback,
        strategies,
        plain,
        explanations,
        people_and_judge,
    ),
    *(quadrants, classes, levels, proofs, partly, details, pairs_of_runs, failures, cost),
)
"""The headline first, then the paper's, then ours."""


@as_table("table-1", "How much there is", "ICT, Table 1", percent=False)
def sizes(items: Sequence[Item]) -> Iterator[Row]:
    """Instances, turns, tools and lengths of the incomplete items, part by part.

    Over the manipulated items of each part (AR: tools replaced, UR: words removed; AB: API-Bank, TB:
    ToolBench). A turn is what the user or the assistant says, an earlier call belongs to the assistant's; its
    length is in words, that of a tool in characters of its descriptor as JSON. The paper names no units: its
    lengths of turns are most likely in sub-word tokens, those of tools in characters.
    """
    lacking = [item for item in items if item.lacks]
    for part in COLUMNS:
        own = [item for item in lacking if item.labels["part"] == part]
        said = [one.text for item in own for one in item.task.opening.utterances if one.text]
        means = {
            "turns": [len(item.task.opening.utterances) for item in own],
            "tools per instance": [len(item.tools) for item in own],
            "length of a turn": [len(words(text)) for text in said],
            "length of a tool": [_length(tool) for item in own for tool in item.tools],
        }
        numbers = {"manipulated instances": Estimate(len(own), len(own))} | {
            name: Estimate(fmean(values) if values else None, len(values)) for name, values in means.items()
        }
        yield from rows_of({"part": part}, numbers if own else {})


def _length(tool: Tool) -> int:
    """A tool is as long as its name, description and schema."""
    shown = {"name": tool.name, "description": tool.description, "parameters": tool.parameters}
    return len(dumps(shown))


@as_table("levels", "Pairs by level", across=("level",), percent=False, counts=True)
def by_level(items: Sequence[Item]) -> Iterator[Row]:
    """Pairs by part and by how alike the substitute is."""
    found = Counter(
        (item.labels["part"], item.labels.get("level", "words removed")) for item in items if item.lacks
    )
    for (part, level), count in sorted(found.items()):
        yield Row({"part": part, "level": level}, "pairs", Estimate(count, len(items)))


STATISTICS: tuple[Callable[[Sequence[Item]], Table], ...] = (sizes, by_level)
