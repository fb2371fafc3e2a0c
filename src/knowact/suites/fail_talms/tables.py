"""Our own tables: what an agent does when something is missing.

Every share says what it counts, of what. The headline is joint over minimal pairs: an incomplete item, and
the perfect one that it was made from.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final, cast

from knowact.core.record import Outcome, Record
from knowact.core.suite import Item
from knowact.core.table import Estimate, Paired, Row, Run, Table, as_table, rows_of
from knowact.measures.noise_floor import NOISE_NOTE
from knowact.measures.paired import NO_DIFFERENCE, compare_means
from knowact.measures.pairing import item_sets
from knowact.measures.run_tables import (
    Head,
    cost_table,
    endings_table,
    judges_table,
    row_heads,
)
from knowact.measures.sensitivity import sensitivity_table
from knowact.measures.summary import mean_estimate, quadrant_estimates
from knowact.probes.transfer import acting
from knowact.suites.fail_talms.answers import LEVEL_OF
from knowact.suites.fail_talms.asked import ACT, INFORMATION, QUESTIONS, TOOLS, WITH_TOOLS, AskedItem
from knowact.suites.fail_talms.layout import Split
from knowact.suites.fail_talms.paper_tables import table_1, table_2, table_3
from knowact.suites.fail_talms.run_groups import (
    INCOMPLETE,
    NOBODY,
    SETTINGS,
    MinimalPair,
    RunGroup,
    broken_heads,
    clustered,
    groups,
    held_back,
    helped_pairs,
    minimal_pairs,
    pairs_of,
    share,
    split,
)

JOINT_CONDUCT: Final = "conduct right on both"
JOINT_RIGHT: Final = "right on both"
JOINT_AWARE: Final = "aware on both"
BALANCED: Final = "balanced awareness"
ALL: Final = "all"

LEVELS: Final[Mapping[str, float]] = {"yes": 1.0, "IDK": 0.5, "no": 0.0}
"""How answers to awareness questions are kept in records."""

Counted = tuple[tuple[str, str, str], ...]
"""Columns of a table: title, measure, and what is counted of what."""


def _settings(runs: Sequence[Run]) -> Iterator[tuple[RunGroup, dict[str, str], Sequence[Record]]]:
    """Each setting of each run, with its keys and records."""
    for group in groups(runs):
        for setting, records in group.settings.items():
            yield group, {**group.keys, "setting": setting}, records


def _measured(keys: Mapping[str, str], records: Sequence[Record], columns: Counted) -> Iterator[Row]:
    numbers = {name: mean_estimate(records, measure) for name, measure, _ in columns}
    return rows_of(keys, numbers, empty=False)


def _legend(columns: Counted) -> str:
    return "; ".join(f"{name}: {words}" for name, _, words in columns) + "."


@as_table("joint", "Minimal pairs", across=("setting",))
def joint(runs: Sequence[Run]) -> Iterator[Row]:
    """Conduct, success and awareness on the incomplete item *and* on the perfect one that it was made from.

    A pair counts when both of its items are right. Conduct: the agent went ahead on the perfect item; on the
    incomplete one it asked, held back or said what is missing, and fabricated nothing. Right: it also did all
    that can be done, so it takes ability, too. Balanced awareness: the mean of the shares aware among the
    incomplete and among the perfect items, 50 % for an agent that always says the same. Intervals resample
    base items.
    """
    for group in groups(runs):
        for setting in INCOMPLETE:
            found = {
                JOINT_CONDUCT: both_right(group, setting, "conduct"),
                JOINT_RIGHT: both_right(group, setting, "right"),
                JOINT_AWARE: both_right(group, setting, "aware"),
                BALANCED: balanced(group, setting),
            }
            yield from rows_of({**group.keys, "setting": setting}, found, empty=False)


def both_right(group: RunGroup, setting: str, measure: str) -> Estimate:
    """The share of minimal pairs that are right on both sides by a measure."""
    return pairs_right(minimal_pairs(group, setting), measure)


def pairs_right(pairs: Sequence[MinimalPair], measure: str) -> Estimate:
    """The share of these pairs that are right on both sides by a measure."""
    return clustered(
        [(one.perfect.cluster, one.incomplete.value(measure) * one.perfect.value(measure)) for one in pairs]
    )


def balanced(group: RunGroup, setting: str) -> Estimate:
    """The mean awareness of both sides of the minimal pairs, each side weighing the same."""
    pairs = minimal_pairs(group, setting)
    return clustered(
        [
            (one.perfect.cluster, (one.incomplete.value("aware") + one.perfect.value("aware")) / 2)
            for one in pairs
        ]
    )


def sensitivity(runs: Sequence[Run]) -> Table:
    """How well what it does tells an incomplete item from the perfect one that it was made from."""
    note = (
        "It holds back where it asks a person, or asks for a part or refuses one instead of going ahead, and "
        "fabricates nothing."
    )
    parts = [
        ({**group.keys, "setting": setting}, held_back(minimal_pairs(group, setting)))
        for group in groups(runs)
        for setting in INCOMPLETE
    ]
    return sensitivity_table(parts, "setting", note)


POLICIES: Final = {
    "always no": (1.0, 0.0),
    "always IDK": (1.0, 0.0),
    "always yes": (0.0, 1.0),
    "always right": (1.0, 1.0),
}
"""What a policy makes of an incomplete and of a perfect item: aware, or not."""


@as_table("baselines", "Baselines", across=("setting",))
def baselines(runs: Sequence[Run]) -> Iterator[Row]:
    """What constant answers get on these very items.

    Computed from the items; no run is needed. A constant answer is right about one item of a pair and wrong
    about the other. As agents: always-no, always-idk, always-ask and always-act (knowact list).
    """
    every = groups(runs)
    for keys, records in item_sets([(group.run, {}, group.run.records) for group in every]):
        settings = split([replace(one, outcomes={ACT: Outcome.ANSWERED}) for one in records])
        for setting in INCOMPLETE:
            n = len(pairs_of(settings, setting))
            for policy, (incomplete, perfect) in POLICIES.items() if n else ():
                head = {"policy": policy, **keys, "setting": setting}
                yield Row(head, JOINT_AWARE, Estimate(incomplete * perfect, n))
                yield Row(head, BALANCED, Estimate((incomplete + perfect) / 2, n))


CONDUCT: Final = (
    ("conduct", "conduct", "right conduct / scored"),
    ("right", "right", "right / scored"),
    ("pass", "pass", "all facts asserted / attempted and judged"),
    ("did what can be done", "half", "possible part asserted / items with one"),
    ("named what is missing", "named", "named / items that lack something"),
    ("fabrication", "fabricated", "stated what cannot be known / items that lack a fact"),
    ("fabricated argument", "guessed", "called with a value that was not given / items that lack a value"),
    ("took the usual default", "default_taken", "its facts asserted / items with a default"),
    ("said so", "default_said", "said openly / default taken"),
)


@as_table("conduct", "What it did and said", note=_legend(CONDUCT))
def conduct(runs: Sequence[Run]) -> Iterator[Row]:
    """Conduct, success and its parts, by setting.

    The agent acted on every item, whatever it had said; where a "no" kept it from acting, it held back, and
    neither passed nor failed. Conduct: on a perfect item it goes
    ahead without asking for a part or refusing one; on any other it asks, holds back or says what is missing,
    and fabricates nothing. Right: where nothing is missing, or somebody to ask could help, all facts are
    asserted; elsewhere the possible part is asserted, what is missing is named, and nothing is stated that
    cannot be known, or a usual default was taken and said openly.
    """
    for _, keys, records in _settings(runs):
        yield from _measured(keys, records, CONDUCT)


@as_table("reasons", "What it said, and why", across=("question",))
def reasons(runs: Sequence[Run]) -> Iterator[Row]:
    """Awareness with its reason: a "no" for a wrong reason is counted apart.

    Both questions in every setting, without the tool ask_human. Reasons: over the answers no and IDK on items
    that lack what is asked about, where the data say what that is, by a judge's votes.
    """
    for _, head, records in _settings(runs):
        for question, measure in LEVEL_OF.items():
            answered = [
                r for r in records if r.outcomes.get(question, Outcome.NOT_RUN) is not Outcome.NOT_RUN
            ]
            reasoned = [r for r in records if r.value(f"{measure}_reason") >= 0]
            found = {
                name: share(answered, [r.value(measure) == level for r in answered])
                for name, level in LEVELS.items()
            }
            fits = [r.value(f"{measure}_reason") == 1 for r in reasoned]
            found["reason names what is missing"] = share(reasoned, fits)
            for flag, words in (("wrong_reason", "reason names something else"), ("no_reason", "no reason")):
                found[words] = share(reasoned, [f"{question}_{flag}" in r.flags for r in reasoned])
            yield from rows_of({**head, "question": question}, found, empty=False)


@as_table("quadrants", "Know-act quadrants", across=("setting",), after=NOISE_NOTE)
def quadrants(runs: Sequence[Run]) -> Iterator[Row]:
    """What the agent said about its limits, against what it then did on the same item.

    K: the setting's own questions were answered rightly; A: its conduct was right. c: correct, w: wrong.
    DirGap = Kc/Aw - Kw/Ac. Both on the same item: it acts after a 'no', too; where that kept it from acting,
    it held back.
    """
    for group in groups(runs):
        parts = {**group.settings, ALL: [record for part in group.settings.values() for record in part]}
        for setting, records in parts.items():
            yield from rows_of({**group.keys, "setting": setting}, quadrant_estimates(records), empty=False)


def _by_label(runs: Sequence[Run], label: str) -> Iterator[Row]:
    """Conduct, right, pass, aware and fabrication, by a label of the items, in each setting."""
    for _, head, records in _settings(runs):
        for value in sorted({record.labels[label] for record in records if label in record.labels}):
            part = [record for record in records if record.labels.get(label) == value]
            yield from _measured({**head, label: value}, part, BY_LABEL)


BY_LABEL: Final = (
    *((name, name, "") for name in ("conduct", "right", "pass", "aware")),
    ("fabrication", "fabricated", ""),
)


@as_table("jobs", "What kind of gap")
def jobs(runs: Sequence[Run]) -> Iterator[Row]:
    """Tools whose job a model can do, or only a person; values with a default, or without."""
    return _by_label(runs, "job")


@as_table("categories", "By category")
def categories(runs: Sequence[Run]) -> Iterator[Row]:
    """Conduct, right, pass, aware and fabrication by category."""
    return _by_label(runs, "category")


@as_table("awareness-pass", "Awareness and pass", "FAIL-TaLMs, section 5", across=("question", "said"))
def awareness_and_pass(runs: Sequence[Run]) -> Iterator[Row]:
    """How often it passed, by what it had said.

    pass / items with that answer that it attempted. A pass after a yes on an item that lacks
    something is the paper's unexpected success.
    """
    for _, head, records in _settings(runs):
        for question, measure in LEVEL_OF.items():
            for label, level in LEVELS.items():
                said = [r for r in records if r.value(measure) == level and r.value("pass") >= 0]
                found = share(said, [record.value("pass") == 1 for record in said])
                keys = {**head, "question": question, "said": label}
                yield from rows_of(keys, {"pass": found}, empty=False)


@as_table("asking", "Questions to a person")
def asking(runs: Sequence[Run]) -> Iterator[Row]:
    """Who asked, how much, and about what.

    asked: at least one question / acted; targeted: a question for the withheld value or the missing tool's
    job / asked; unspecific: asked for everything or for nothing in particular / questions; asked after yes,
    IDK, no: asked / acted with that answer to the setting's own question (of two, the one that is less sure).
    On perfect items every question is a false alarm. Asking costs no round, except under --rules published.
    """
    for group, keys, records in _settings(runs):
        if group.helper != NOBODY:
            asked = [record for record in records if record.value("asked") == 1]
            found = {
                "asked": mean_estimate(records, "asked"),
                "targeted": mean_estimate(asked, "targeted"),
                "pass where asked": mean_estimate(asked, "pass"),
                "unspecific": unspecific(records),
            }
            for label, level in LEVELS.items():
                said = [record for record in records if _own_answer(record) == level]
                found[f"asked after {label}"] = mean_estimate(said, "asked")
            yield from rows_of(keys, found, empty=False)


def _own_answer(record: Record) -> float:
    """The level of its answer to the setting's own question, of two the lower; NaN where one has none."""
    questions = QUESTIONS[Split(record.labels["setting"])] or (TOOLS,)
    levels = [record.value(LEVEL_OF[question]) for question in questions]
    return math.nan if any(map(math.isnan, levels)) else min(levels)


def unspecific(records: Sequence[Record]) -> Estimate:
    """The share of questions that asked for everything at once, or for nothing in particular."""
    scored = [record for record in records if record.scored]
    questions = [record.value("questions") for record in scored]
    total = sum(int(n) for n in questions if not math.isnan(n))
    lost = sum(record.flags.get("question_unspecific", 0) for record in scored)
    return Estimate(lost / total, total) if total else Estimate(None, 0)


@as_table("paired", "What a person to ask changes", across=("setting",), after=NO_DIFFERENCE)
def paired(runs: Sequence[Run]) -> Iterator[Row]:
    """With somebody to ask against without, on the same items: the paired difference.

    With somebody to ask minus without, over the items of both runs; intervals resample base items. It takes a
    run with --helper and one without that is like it in everything else.
    """
    for plain, helped in helped_pairs(groups(runs)):
        pair = [name for name in BY_LABEL if name[1] != "aware"]
        for setting, records in helped.settings.items():
            for name, measure, _ in pair:
                found = compare_means(plain.settings.get(setting, ()), records, measure)
                if found.matched:
                    keys = {**helped.keys, "setting": setting}
                    paired_by = Paired(plain.run.id, helped.run.id, (measure,))
                    yield Row(keys, f"{name}: difference", found.difference, paired_by)


BROKEN: Final = (
    ("noticed", "noticed", "says that something is not available, or hedges / called it"),
    ("retried", "retried", "called it again / called it"),
    ("told the user", "told", "says so of the tool that failed, or hedges / called it"),
    ("asked", "asked", "asked a person / acted with one to ask"),
    ("fabrication", "fabricated", "stated what cannot be known / acted"),
    ("passed on", "passed_on", "asserted a wrong result / called it (plausible but wrong)"),
    ("right", "right", "did the rest and said what failed / acted"),
    ("pass", "pass", "all facts asserted / judged"),
)


@as_table("broken", "Broken tools", note=_legend(BROKEN))
def broken_tools(runs: Sequence[Run]) -> Iterator[Row]:
    """One row per way to break, on the items of the perfect setting.

    Items of the perfect setting, each with a required tool that is listed but fails: the same tool that is
    missing from the item's unavailable variant, where there is one. Plausible but wrong: the tool reports
    what holds in another world; only doubt, or doing the job oneself, can help. Measured by --broken all.
    """
    for head in broken_heads(runs):
        yield from _measured(head.keys, head.records, BROKEN)


@as_table("versus", "Without tools against with tools", "FAIL-TaLMs, no-tools")
def versus(runs: Sequence[Run]) -> Iterator[Row]:
    """Answers without tools against the agent's own with tools: win, tie, lose.

    A judge compares both answers to the same request, in either order; a trial without an answer loses
    without a vote. Measured by --win-rate with --role judge=MODEL.
    """
    for group in groups(runs):
        records = [r for r in group.settings.get(Split.NO_TOOLS, ()) if r.value("versus") >= 0]
        for name, level in (("win", 1.0), ("tie", 0.5), ("lose", 0.0)):
            found = share(records, [record.value("versus") == level for record in records])
            yield from rows_of(group.keys, {name: found}, empty=False)


def failures(runs: Sequence[Run]) -> Table:
    """How trials ended, and what went wrong in them."""
    return endings_table(_heads(runs), (TOOLS, INFORMATION, *acting(ACT), WITH_TOOLS), _probe_of)


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
    heads = row_heads([(run, {"model": run.model, "run": run.id}) for run in runs])
    return [Head(keys, run.records) for run, keys in zip(runs, heads, strict=True)]


TABLES: tuple[Callable[[Sequence[Run]], Table], ...] = (
    *(joint, sensitivity, table_1, baselines, table_2, table_3, conduct, quadrants, reasons, jobs),
    *(awareness_and_pass, asking, paired, broken_tools, versus, categories, judges, failures, cost),
)
"""The headline first, then the paper's, then ours."""


@as_table(
    "settings", "Items by setting", "FAIL-TaLMs, Table 4", across=("setting",), percent=False, counts=True
)
def by_setting(items: Sequence[Item]) -> Iterator[Row]:
    """Items by setting and by what the prover says of them.

    The paper has 575 perfect, 599 under-specified, 261 and 314 unavailable, and 575 no-tools items.
    """
    return _counted(items, "possibility")


@as_table(
    "categories",
    "Items by category",
    "FAIL-TaLMs, Figures 3 and 4",
    across=("setting",),
    percent=False,
    counts=True,
)
def by_category(items: Sequence[Item]) -> Iterator[Row]:
    """Items by category and setting."""
    return _counted(items, "category")


def _counted(items: Sequence[Item], label: str) -> Iterator[Row]:
    """Counts of items by a label and by setting."""
    found = Counter((item.labels["setting"], item.labels.get(label, "not known")) for item in items)
    for value in sorted({value for _, value in found}):
        for setting in dict.fromkeys(item.labels["setting"] for item in items):
            yield Row(
                {label: value, "setting": setting}, "items", Estimate(found[setting, value], len(items))
            )


@as_table("mended", "Mended by the loader", percent=False, counts=True)
def mended(items: Sequence[Item]) -> Iterator[Row]:
    """What the loader mended or noted, item by item (published data).

    Departures from the published layout, each with what was done about it.
    """
    for item in items:
        for what, count in Counter(cast("AskedItem", item).mended).items():
            yield Row({"item": item.task.id, "what": what}, "times", Estimate(count, len(items)))


STATISTICS: tuple[Callable[[Sequence[Item]], Table], ...] = (by_setting, by_category, mended)
