"""From a recipe to the files of a data set.

`files` is a pure function of seed and share: equal arguments give equal bytes, on every Python.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from importlib import resources
from pathlib import Path
from typing import Final

from knowact.core.task import Task
from knowact.datasets.own import ITEMS, MANIFEST, Manifest
from knowact.forge.kapro.freeze import WORLD
from knowact.forge.kapro.recipe import GENERATOR, tasks

NAME: Final = "everyday"
VERSION: Final = "1-A"
SEED: Final = 27
"""The seed of the shipped data."""
DATASHEET: Final = "README.md"


def _unwatched(_done: int, _wanted: int) -> None:
    pass


def files(
    seed: int = SEED,
    share: float = 1.0,
    watch: Callable[[int, int], None] = _unwatched,
) -> Mapping[str, str]:
    """Make a data set and return its files, name to text, without writing anything.

    Args:
        seed: Fixes everything.
        share: Of the paper's sizes.
        watch: Told how many candidates there are, and how many there will be.

    Raises:
        ValueError: The phrasings do not suffice for so many tasks.
    """
    made = tasks(seed, share, watch)
    items = rendered(made)
    return {
        ITEMS: items,
        MANIFEST: f"{manifest(items, seed).model_dump_json(indent=2)}\n",
        DATASHEET: datasheet(made, seed),
    }


def rendered(made: Iterable[Task]) -> str:
    """Return the items file: a task per line."""
    lines = (json.dumps(task.model_dump(mode="json"), ensure_ascii=False) for task in made)
    return "".join(f"{line}\n" for line in lines)


def manifest(items: str, seed: int) -> Manifest:
    """Return the manifest of an items file; only the shipped seed carries the shipped version."""
    return Manifest(
        name=NAME,
        version=VERSION if seed == SEED else f"{VERSION}.seed{seed}",
        sha256=hashlib.sha256(items.encode()).hexdigest(),
        seed=seed,
        world=WORLD,
        generator=GENERATOR,
        licence="MIT",
        datasheet=DATASHEET,
        size=len(items.splitlines()),
    )


def datasheet(made: Iterable[Task], seed: int) -> str:
    """Return the datasheet: the authored text with this data set's own figures in it."""
    text = resources.files("knowact.forge.kapro").joinpath("datasheet.md").read_text("utf-8")
    counts = Counter((task.boundary.value, task.topology.value) for task in made)
    rows = "\n".join(
        f"| {boundary} | {topology} | {n} |" for (boundary, topology), n in sorted(counts.items())
    )
    return text.replace("{size}", f"{counts.total():,}").replace("{seed}", str(seed)).replace("{rows}", rows)


def write(made: Mapping[str, str], folder: Path) -> None:
    """Write the files; the manifest comes last, so that half a data set is never taken for a whole one."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in sorted(made, key=lambda name: name == MANIFEST):
        (folder / name).write_text(made[name], encoding="utf-8", newline="\n")
