"""The files of a data set: what both `build` modules have in common.

A `build` module has `files(seed, share, watch)`, a pure function whose equal arguments give equal bytes on
every Python, and `write`; `knowact forge SUITE` finds it by the suite's name.
"""

import hashlib
from collections.abc import Callable, Mapping
from importlib import resources
from pathlib import Path
from typing import Final

from knowact.datasets.own import ITEMS, MANIFEST, Manifest
from version_1.freeze import WORLD

NAME: Final = WORLD
VERSION: Final = "1-A"
SEED: Final = 27
"""The seed of the shipped data."""
DATASHEET: Final = "README.md"
Watch = Callable[[int, int], None]
"""Told how many candidates there are, and how many there will be."""


def unwatched(_done: int, _wanted: int) -> None:
    """Watch nothing."""


def laid_out(
    items: str, seed: int, generator: str, datasheet: str, version: str = VERSION
) -> Mapping[str, str]:
    """Return the files of a data set, name to text.

    Args:
        items: The items file.
        seed: The world's seed; only the shipped one carries the shipped version.
        generator: What wrote it, with version.
        datasheet: The datasheet, filled.
        version: Of the data made with the shipped seed.
    """
    manifest = Manifest(
        name=NAME,
        version=version if seed == SEED else f"{version}.seed{seed}",
        sha256=hashlib.sha256(items.encode()).hexdigest(),
        seed=seed,
        world=WORLD,
        generator=generator,
        licence="MIT",
        datasheet=DATASHEET,
        size=items.count("\n"),
    )
    return {ITEMS: items, MANIFEST: f"{manifest.model_dump_json(indent=2)}\n", DATASHEET: datasheet}


def datasheet_of(package: str, figures: Mapping[str, object]) -> str:
    """Fill the datasheet that lies in a package with a data set's own figures."""
    text = resources.files(package).joinpath("datasheet.md").read_text("utf-8")
    for name, figure in figures.items():
        text = text.replace(f"{{{name}}}", str(figure))
    return text


def write(made: Mapping[str, str], folder: Path) -> None:
    """Write the files; the manifest comes last, so that half a data set is never taken for a whole one."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in sorted(made, key=lambda name: name == MANIFEST):
        (folder / name).write_text(made[name], encoding="utf-8", newline="\n")
