"""From a recipe to the files of a data set.

`files` is a pure function of seed and share: equal arguments give equal bytes, on every Python.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import Any, Final

from knowact.datasets.own import ITEMS, MANIFEST, Manifest
from knowact.forge.fail_talms.plan import cases
from knowact.forge.fail_talms.recipe import GENERATOR
from knowact.forge.kapro.freeze import WORLD
from knowact.suites.fail_talms.cases import Case
from knowact.suites.fail_talms.layout import UNAVAILABLE, Split

NAME: Final = "everyday"
VERSION: Final = "1-A"
SEED: Final = 27
"""The seed of the shipped data."""
DATASHEET: Final = "README.md"


def _unwatched(_done: int, _wanted: int) -> None:
    pass


def files(
    seed: int = SEED, share: float = 1.0, watch: Callable[[int, int], None] = _unwatched
) -> Mapping[str, str]:
    """Make a data set and return its files, name to text, without writing anything.

    Args:
        seed: Fixes everything.
        share: Of the paper's sizes.
        watch: Told how many candidates there are, and how many there will be.

    Raises:
        ValueError: The phrasings do not suffice for so many items.
    """
    made = cases(seed, share, watch)
    items = rendered(made)
    return {
        ITEMS: items,
        MANIFEST: f"{manifest(items, seed).model_dump_json(indent=2)}\n",
        DATASHEET: datasheet(made, seed),
    }


def rendered(made: Iterable[Case]) -> str:
    """Return the items file: a case per line, without what is so by default."""
    return "".join(f"{json.dumps(_row(case), ensure_ascii=False)}\n" for case in made)


def _row(case: Case) -> dict[str, Any]:
    # A change says its kind, by which it is read, though that is each noun's default.
    condition = {"condition": case.condition.model_dump(mode="json")}
    return case.model_dump(mode="json", exclude_defaults=True) | condition


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
        size=items.count("\n"),
    )


def datasheet(made: Sequence[Case], seed: int) -> str:
    """Return the datasheet: the authored text with this data set's own figures in it."""
    text = resources.files("knowact.forge.fail_talms").joinpath("datasheet.md").read_text("utf-8")
    counts = Counter((case.setting, case.possibility.value) for case in made)
    kinds = ("possible", "partly_possible", "impossible")
    rows = "\n".join(
        f"| {setting.value} | {sum(counts[setting, kind] for kind in kinds)} | "
        f"{' | '.join(str(counts[setting, kind]) for kind in kinds)} |"
        for setting in Split
    )
    complete = [case for case in made if case.setting is Split.PERFECT]
    categories = Counter(case.category for case in complete)
    sets = {frozenset(case.offered) for case in complete}
    removed = [case for case in made if case.setting in UNAVAILABLE]
    figures = {
        "uncrossed": sum(frozenset(case.offered) not in sets for case in removed),
        "seed": seed,
        "size": f"{len(made):,}",
        "bases": f"{len(complete):,}",
        "withheld": len({case.cluster for case in made if case.setting is Split.UNDER_SPECIFIED}),
        "defaults": sum(bool(case.missing and case.missing.default) for case in made),
        "by_model": sum(case.by_model is True for case in made),
        "by_person": sum(case.by_model is False for case in made),
        "alone": sum(not step.external for case in complete for step in case.task.plan),
        "rows": rows,
        "categories": ", ".join(f"{name} {count}" for name, count in sorted(categories.items())),
    }
    for name, figure in figures.items():
        text = text.replace(f"{{{name}}}", str(figure))
    return text


def write(made: Mapping[str, str], folder: Path) -> None:
    """Write the files; the manifest comes last, so that half a data set is never taken for a whole one."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in sorted(made, key=lambda name: name == MANIFEST):
        (folder / name).write_text(made[name], encoding="utf-8", newline="\n")
