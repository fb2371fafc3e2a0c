"""What a cascade came to: the counts of the paper's Table 5, and what they leave out.

The paper's own counts do not add up (2,538 of its second stage's labels are in no row, and its pool is
smaller than its agreement), so here every operation that was reviewed is in exactly one of three rows.
Agreement is given over all of them and over those where both stages took a side, with Cohen's kappa beside
it: where nearly all tools are external, two sorters agree often by chance alone.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Final

from knowact.core.schema import Schema
from knowact.core.table import Estimate
from knowact.measures.agreement import kappa
from knowact.measures.intervals import wilson
from knowact.tools.collection import Collection, Label

LABELS: Final[tuple[Label, ...]] = ("outside", "inside", "unknown")
NAMES: Final[Mapping[Label, str]] = {
    "outside": "definitely outside",
    "inside": "potentially inside",
    "unknown": "unknown",
}


@dataclass(frozen=True, slots=True)
class Counts:
    """The counts of a cascade.

    Attributes:
        made: The collection.
        first: What stage 1 says, by label.
        second: What stage 2 says of those that stage 1 took a side on.
        consistent: Both stages took the same side.
        inconsistent: They took different sides.
        undecided: Stage 2 took none.
        pool: What is committed, by label.
        of_all: Agreement over all that were reviewed.
        of_decided: Over those where both took a side.
        kappa: Cohen's, over the same.
        one_model: Whether one model did both stages.
        nearest: How many tools have their nearest written.
        people: Of the tools that people settled on a label for, those where it is the review's.
        split: How many they did not settle on.
    """

    made: Collection
    first: Mapping[Label, int]
    second: Mapping[Label, int]
    consistent: int
    inconsistent: int
    undecided: int
    pool: Mapping[Label, int]
    of_all: Estimate
    of_decided: Estimate
    kappa: Estimate
    one_model: bool
    nearest: int
    people: Estimate
    split: int


def counted(
    made: Collection,
    first: Mapping[str, Label],
    second: Mapping[str, Label],
    *,
    people: Mapping[str, Label | None],
    one_model: bool,
    nearest: int,
) -> Counts:
    """Count what two stages say.

    Args:
        made: The collection.
        first: Stage 1's label of each operation that it was asked about.
        second: Stage 2's.
        people: What people say of some operations; None where they are split.
        one_model: Whether one model did both.
        nearest: How many tools have their nearest written.
    """
    pairs: list[tuple[Label, Label]] = [
        (first[name], label) for name, label in second.items() if first.get(name, "unknown") != "unknown"
    ]
    decided: list[tuple[Label, Label]] = [pair for pair in pairs if pair[1] != "unknown"]
    same: list[Label] = [label for label, other in decided if label == other]
    settled = {name: label for name, label in people.items() if label is not None and name in second}
    numbers = [str(place) for place in range(len(decided))]
    return Counts(
        made=made,
        first=_by_label(first.values()),
        second=_by_label(label for _, label in pairs),
        consistent=len(same),
        inconsistent=len(decided) - len(same),
        undecided=len(pairs) - len(decided),
        pool=_by_label(same),
        of_all=wilson(len(same), len(pairs)),
        of_decided=wilson(len(same), len(decided)),
        kappa=kappa(decided, numbers),
        one_model=one_model,
        nearest=nearest,
        people=wilson(sum(second[name] == label for name, label in settled.items()), len(settled)),
        split=sum(label is None for label in people.values()),
    )


def _by_label(labels: Iterable[Label]) -> Mapping[Label, int]:
    counts = Counter(labels)
    return {label: counts[label] for label in LABELS}


def as_json(counts: Counts) -> Schema:
    """The counts as the report's file keeps them."""
    return {
        "format": "knowact.collection/1",
        "collection": counts.made.model_dump(mode="json"),
        "stage_1": {**counts.first},
        "stage_2": {**counts.second},
        "consensus": {
            "consistent": counts.consistent,
            "inconsistent": counts.inconsistent,
            "undecided": counts.undecided,
        },
        "agreement": asdict(counts.of_all),
        "agreement_where_both_took_a_side": asdict(counts.of_decided),
        "kappa": asdict(counts.kappa),
        "self_consistency": counts.one_model,
        "pool": {label: counts.pool[label] for label in ("outside", "inside")},
        "nearest": counts.nearest,
        "people": {**asdict(counts.people), "split": counts.split},
    }


def as_text(counts: Counts) -> str:
    """The counts as a page of Markdown."""
    made = counts.made
    rows: list[tuple[str, str, str]] = [
        ("Collection", "operations read", f"{made.read:,}"),
        ("", "exact duplicates", f"{made.exact:,}"),
        ("", f"near duplicates (from {made.threshold})", f"{made.near:,}"),
        ("", "kept", f"{made.kept:,}"),
        ("", "rows without an operation", f"{made.unusable:,}"),
    ]
    for stage, by_label in (("Stage 1", counts.first), ("Stage 2", counts.second)):
        rows += [
            (stage if label == LABELS[0] else "", NAMES[label], f"{by_label[label]:,}") for label in LABELS
        ]
    rows += [
        ("Consensus", "consistent", f"{counts.consistent:,}"),
        ("", "inconsistent", f"{counts.inconsistent:,}"),
        ("", "undecided in stage 2", f"{counts.undecided:,}"),
        ("", "agreement", _percent(counts.of_all)),
        ("", "agreement where both took a side", _percent(counts.of_decided)),
        ("", "Cohen's kappa, likewise", _plain(counts.kappa)),
        ("Human check", "settled by people", f"{counts.people.n:,}"),
        ("", "they are split", f"{counts.split:,}"),
        ("", "agreement with stage 2", _percent(counts.people)),
        ("Pool", "external", f"{counts.pool['outside']:,}"),
        ("", "internal", f"{counts.pool['inside']:,}"),
    ]
    lines = ["| phase | item | count |", "|---|---|---:|"]
    lines += [f"| {phase} | {item} | {count} |" for phase, item, count in rows]
    note = (
        "Both stages were done by one model, so agreement is self-consistency.\n" if counts.one_model else ""
    )
    unread = "" if counts.people.n else "These labels were read by no person.\n"
    return "\n".join([*lines, "", f"{note}{unread}"])


def _percent(share: Estimate) -> str:
    if share.value is None or share.low is None or share.high is None:
        return "not measured"
    return f"{share.value:.2%} of {share.n:,} ({share.low:.2%} to {share.high:.2%})"


def _plain(figure: Estimate) -> str:
    if figure.value is None:
        return "not measured"
    interval = (
        "" if figure.low is None or figure.high is None else f" ({figure.low:.3f} to {figure.high:.3f})"
    )
    return f"{figure.value:.3f}{interval}"
