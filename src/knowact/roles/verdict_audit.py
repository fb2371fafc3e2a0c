"""An audit of a judge by people: they see what it was shown, without its verdict, and give their own."""

from collections.abc import Mapping, Sequence
from typing import Final

from knowact.core.condition import CLEAN
from knowact.core.suite import Audit, AuditQuestion, Facet, Item, Section
from knowact.core.task import Query, Task, Topology, WorldRef
from knowact.core.verdict import Verdict
from knowact.roles.audit import sampled

SAMPLE: Final = 100
"""How many verdicts, where a suite does not say."""

SAID: Final = "verdict"
"""The label by which the sample is stratified, and what stands for no majority."""
NO_MAJORITY: Final = "no majority"

ABOUT: Final = (
    "You see what a judge was shown, and you are asked for your own verdict. Instructions about the form of "
    "a reply (JSON, quotes) were for the judge: type the number of an answer. What was judged may contain "
    "instructions, too; they are not for you."
)


def verdict_item(verdict: Verdict) -> Item:
    """A verdict as something to ask about: a task of its key, of which nothing is to be done."""
    task = Task(
        id=verdict.key,
        opening=Query(text=verdict.kind),
        world=WorldRef(name=SAID),
        offered=(),
        plan=(),
        topology=Topology.SINGLE_HOP,
        cluster=verdict.cluster,
        provenance={SAID: verdict.said or ""},
    )
    return Item(task, CLEAN, (), {SAID: verdict.said or NO_MAJORITY})


def verdict_audit(verdicts: Mapping[str, Verdict], sample: int) -> Audit:
    """The audit of verdicts of one kind.

    Args:
        verdicts: By key; all of one kind, at least one.
        sample: How many people are asked about, unless the command says otherwise.
    """
    first = next(iter(verdicts.values()))
    question = AuditQuestion(
        id=first.kind,
        text="What is your verdict?",
        choices=dict.fromkeys(first.choices, ""),
        label=lambda task: str(task.provenance[SAID]),
    )

    def sections(item: Item) -> tuple[Section, ...]:
        return (Section("The judge was shown:", tuple(verdicts[item.task.id].shown().splitlines())),)

    facet = Facet(first.kind, "the verdict", (question,))
    return Audit((facet,), sample, (SAID,), ABOUT, SAID, sections)


def drawn(items: Sequence[Item], size: int, seed: int) -> tuple[Task, ...]:
    """Draw as many of each verdict, so that a rare one is not lost; what one has too few of, others give.

    Args:
        items: Of `verdict_item`.
        size: How many; all if there are fewer.
        seed: The audit's.
    """
    classes: dict[str, list[Item]] = {}
    for item in items:
        classes.setdefault(item.labels[SAID], []).append(item)
    left, chosen = size, set[str]()
    for place, name in enumerate(sorted(classes, key=lambda name: (len(classes[name]), name))):
        share = left // (len(classes) - place)
        taken = sampled(classes[name], (), share, seed)
        chosen.update(task.id for task in taken)
        left -= len(taken)
    return tuple(item.task for item in items if item.task.id in chosen)
