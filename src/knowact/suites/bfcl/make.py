"""Makes our own data: complete requests of ICT's, each beside its own tools and beside those of another one.

So request and tools are crossed: whoever looks at one of both alone is at chance. Run it: `python -m
knowact.suites.bfcl.make`.
"""

from collections.abc import Iterator

from knowact.core.condition import CLEAN, Condition
from knowact.core.seeds import generator
from knowact.core.suite import Item
from knowact.datasets.single_items import StoredItem, freeze
from knowact.forge.resampling import beside, couples, lost_jobs, tools_of
from knowact.suites import find
from knowact.suites.bfcl.suite import DATA, IRRELEVANCE, RELEVANCE

SEED, COUPLES = 27, 50


def rows() -> Iterator[StoredItem]:
    """The four items of each couple of requests: both with their own tools, and with the other's."""
    ict = find("ict")
    planned = ict.plan({**ict.defaults(), "source": "single-request"})
    complete = {item.task.cluster: item for item in planned.items if not item.lacks}
    tools = tools_of(planned.items[0], SEED)
    found = couples(complete.values(), tools, generator(SEED, "bfcl"))
    for _, (one, other) in zip(range(COUPLES), found, strict=False):
        for item, foreign in ((one, other), (other, one)):
            yield _row(item, CLEAN)
            crossed = beside(item.task, foreign.task.offered)
            yield _row(item, crossed, lost_jobs(item.task, crossed, tools))


def _row(item: Item, condition: Condition, missing: tuple[str, ...] = ()) -> StoredItem:
    fits = condition == CLEAN
    return StoredItem(
        id=f"{item.task.id}@{condition.name}",
        task=item.task,
        condition=condition,
        labels={
            "category": RELEVANCE if fits else IRRELEVANCE,
            "gold": "complete" if fits else "incomplete",
            "pair": item.task.id,
        },
        lacks=() if fits else ("tools",),
        missing=missing,
    )


if __name__ == "__main__":
    freeze(DATA / "everyday@2-A", list(rows()), "knowact.suites.bfcl.make 1", SEED, find("ict").datasets()[0])
