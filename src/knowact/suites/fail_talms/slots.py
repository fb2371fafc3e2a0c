"""The facts of a base item as an answer form shows them: under labels that name none of its values.

A request that lacks its city has facts about that city, and what a reply says of another one belongs in the
same slot: it was assumed, or made up. So the slot is "high in [city]", for all variants of the base item.
"""

import re
from collections.abc import Mapping
from typing import cast

from knowact.core.task import Fact, Task


def slots_of(task: Task) -> tuple[Fact, ...]:
    """The facts, the values of the plan's arguments cut out of their labels while those stay different."""
    said = cast("Mapping[str, str]", task.provenance.get("said", {}))
    names: dict[str, str] = {}
    for number, step in enumerate(task.plan):
        for name, argument in step.arguments.items():
            for words in (said.get(f"{number}.{name}", ""), str(argument.value)):
                names[words.casefold()] = name.replace("_", " ")
    spoken = [words for words in sorted(names, key=len, reverse=True) if words]
    if not spoken:
        return task.facts
    pattern = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, spoken))})(?!\w)", re.IGNORECASE)
    facts = tuple(_without(fact, pattern, names) for fact in task.facts)
    labels = [fact.label for fact in facts]
    return facts if len(set(labels)) == len(labels) else task.facts


def _without(fact: Fact, pattern: re.Pattern[str], names: Mapping[str, str]) -> Fact:
    cut = list(dict.fromkeys(names[found.casefold()] for found in pattern.findall(fact.label)))
    if not cut:
        return fact
    label = pattern.sub(lambda found: f"[{names[found[0].casefold()]}]", fact.label)
    whichever = " and ".join(f"[{name}]" for name in cut)
    return fact.model_copy(update={"label": f"{label} (whichever {whichever} the reply speaks of)"})
