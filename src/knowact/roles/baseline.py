"""A human baseline: which items people are asked about, and in which order. Pure.

The ICT paper has 180 items and one answer to each. Here everybody answers the same items, so that their
agreement can be measured, in an order of their own. Nobody sees two items of one cluster: whoever has seen
the complete one knows what the other lacks. The classes are of one size, as in the paper.

Answers go into files as `datasets.audit_file` writes them, with the format "knowact.baseline/1" and the
question `QUESTION`; an item that was skipped has the answer null.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from knowact.core.seeds import derive, generator
from knowact.core.suite import Audit, AuditQuestion, Baseline, Facet, Item

FORMAT: Final = "knowact.baseline/1"
QUESTION: Final = "feasible"
"""The id of the one question: can this be done with these tools and this information, yes or no?"""
ANNOTATOR: Final = "annotator"
"""The option by which a run of a person is told from one of a model; its value is the name."""
PERSON: Final = "person/"
"""Prefix of the model that is a person at the terminal; the rest is the name."""
SAMPLE: Final = 10
"""Items that a person is asked to do as an agent does them."""
TOGETHER: Final = "people together"
"""All annotators, in a table's row head."""


def as_audit(baseline: Baseline) -> Audit:
    """The baseline as a sitting asks it: one blind question per item, which nobody compares with the data."""
    question = AuditQuestion(QUESTION, baseline.text, baseline.choices, lambda _: "", baseline.guide)
    facet = Facet(QUESTION, "the answer", (question,))
    return Audit((facet,), baseline.sample, baseline.strata, baseline.about)


def named(items: Iterable[Item]) -> tuple[Item, ...]:
    """The items with their own ids on their tasks: two conditions of one task are asked about apart."""
    return tuple(replace(item, task=item.task.model_copy(update={"id": item.id})) for item in items)


def sampled(items: Sequence[Item], by: str, strata: Sequence[str], size: int, seed: int) -> tuple[Item, ...]:
    """Draw items of distinct clusters, as many of each class, spread over strata; in the data's order.

    What is drawn depends on the seed and on the ids, not on the order of the items. There are fewer than
    `size` where the clusters run out.

    Args:
        items: Of a plan.
        by: The label that makes the classes ("gold").
        strata: Labels that each class is spread over evenly ("manipulation", "source").
        size: How many.
        seed: The baseline's.
    """
    ranked = sorted(items, key=lambda item: (derive(seed, "baseline", item.id), item.id))
    taken: dict[str, Item] = {}
    clusters: set[str] = set()
    counts: Counter[tuple[str, ...]] = Counter()
    while len(taken) < size:
        free = [item for item in ranked if item.task.cluster not in clusters]
        if not free:
            break
        # The class that has least, then in it the stratum that has least, then the first in rank.
        chosen = min(free, key=lambda item: (counts[_class(item, by)], counts[_cell(item, by, strata)]))
        taken[chosen.id] = chosen
        clusters.add(chosen.task.cluster)
        counts[_class(chosen, by)] += 1
        counts[_cell(chosen, by, strata)] += 1
    return tuple(item for item in items if item.id in taken)


def in_order_of(annotator: str, sample: Sequence[Item], seed: int) -> tuple[Item, ...]:
    """Shuffle the sample for one annotator; the same name gets the same order."""
    order = list(sample)
    generator(seed, "baseline order", annotator).shuffle(order)
    return tuple(order)


def _class(item: Item, by: str) -> tuple[str, ...]:
    return (item.labels.get(by, ""),)


def _cell(item: Item, by: str, strata: Sequence[str]) -> tuple[str, ...]:
    # One part more than a class at least, so that the two never share a count.
    return (*_class(item, by), "", *(item.labels.get(label, "") for label in strata))
