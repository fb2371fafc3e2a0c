"""The files of `kapro/everyday`; see `forge.files`."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping

from knowact.core.task import Task
from knowact.forge.files import SEED, Watch, datasheet_of, laid_out, unwatched, write
from knowact.forge.kapro.recipe import GENERATOR, tasks

__all__ = ["SEED", "files", "write"]


def files(seed: int = SEED, share: float = 1.0, watch: Watch = unwatched) -> Mapping[str, str]:
    """Make a data set and return its files, name to text, without writing anything.

    Args:
        seed: Fixes everything.
        share: Of the paper's sizes.
        watch: Told how far it is.

    Raises:
        ValueError: The phrasings do not suffice for so many tasks.
    """
    made = tasks(seed, share, watch)
    return laid_out(_rendered(made), seed, GENERATOR, _datasheet(made, seed))


def _rendered(made: Iterable[Task]) -> str:
    """The items file: a task per line."""
    lines = (json.dumps(task.model_dump(mode="json"), ensure_ascii=False) for task in made)
    return "".join(f"{line}\n" for line in lines)


def _datasheet(made: Iterable[Task], seed: int) -> str:
    counts = Counter((task.boundary.value, task.topology.value) for task in made)
    rows = "\n".join(
        f"| {boundary} | {topology} | {n} |" for (boundary, topology), n in sorted(counts.items())
    )
    return datasheet_of("knowact.forge.kapro", {"size": f"{counts.total():,}", "seed": seed, "rows": rows})
