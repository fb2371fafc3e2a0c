"""Four shots: two complete and two incomplete examples as earlier turns (spec ict.md, section 7).

They come from all items of the data, however few of them a run asks about, so that `--limit` changes no
prompt; and from the same part, but never from the evaluated pair or another version of its task.
"""

from collections.abc import Sequence
from typing import Final, cast

from knowact.core.errors import BadUsage
from knowact.core.seeds import generator
from knowact.core.suite import Item
from knowact.suites.ict.asked import AskedItem

EACH: Final = 2
"""Examples of each class."""
TASKS: Final = 2 * EACH + 1
"""Tasks that a part needs: one for each example, and one that is evaluated."""


class Examples:
    """What examples are drawn from.

    Args:
        pool: Items of the data, both versions of each pair; partly possible ones are passed over.
        seed: The run's.
    """

    def __init__(self, pool: Sequence[Item], seed: int) -> None:
        self._seed = seed
        self._by_part: dict[tuple[str, bool], list[AskedItem]] = {}
        for item in cast("Sequence[AskedItem]", pool):
            if item.gold != "partly":
                self._by_part.setdefault((item.labels["part"], not item.lacks), []).append(item)

    def require(self, items: Sequence[Item]) -> None:
        """Make sure that each of the items can have its examples.

        Raises:
            BadUsage: A part has too few tasks.
        """
        for part in dict.fromkeys(item.labels["part"] for item in items):
            for complete in (True, False):
                tasks = {one.task.cluster for one in self._by_part.get((part, complete), ())}
                if len(tasks) < TASKS:
                    raise BadUsage(
                        f"Four-shot takes {TASKS} different tasks of {part}, and the data have {len(tasks)}; "
                        f"choose another --strategy, or leave that part out."
                    )

    def of(self, item: AskedItem) -> list[AskedItem]:
        """Draw the examples of an item; the same for equal seed and item, in an order that says nothing."""
        dice = generator(self._seed, "shots", item.id)
        taken = {item.task.cluster}
        chosen: list[AskedItem] = []
        for complete in (True, False):
            found = 0
            pool = self._by_part.get((item.labels["part"], complete), [])
            for one in dice.sample(pool, len(pool)):
                if found == EACH:
                    break
                if one.task.cluster not in taken and one.pair != item.pair:
                    taken.add(one.task.cluster)
                    chosen.append(one)
                    found += 1
        dice.shuffle(chosen)
        return chosen
