"""The suites, found by scanning this folder and the entry-point group `knowact.suites`."""

import importlib
import pkgutil
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING, cast

import knowact.tools  # noqa: F401 - it offers the worlds `tools:NAME` # pyright: ignore[reportUnusedImport]
from knowact.core.errors import BadUsage, UnknownName
from knowact.probes.suite import Suite

if TYPE_CHECKING:
    from knowact.roles.calibration import LabelledSet

GROUP = "knowact.suites"
"""Other packages offer a `Suite` object under this entry-point group."""


BROKEN = (ImportError, SyntaxError, NameError, AttributeError, TypeError, ValueError, LookupError, OSError)
"""What a package raises that does not fit this version of knowact, or lacks a file."""


@cache
def own_names() -> tuple[str, ...]:
    """The names of the suites in this folder, without importing any."""
    return tuple(
        module.name
        for module in pkgutil.iter_modules(__path__)
        if module.ispkg and any(Path(folder, module.name, "suite.py").exists() for folder in __path__)
    )


@cache
def names() -> tuple[str, ...]:
    """The names of all installed suites, in Python spelling, without importing any of ours."""
    return tuple(sorted({*own_names(), *(entry.name for entry in entry_points(group=GROUP))}))


@cache
def find(name: str) -> Suite:
    """Return a suite by name; hyphens and underscores are the same.

    Raises:
        UnknownName: There is none of that name; the near ones are suggested.
    """
    plain = name.replace("-", "_")
    if plain not in names():
        raise UnknownName("suite", name, names())
    entry = next((one for one in entry_points(group=GROUP) if one.name == plain), None)
    if entry is None:
        return importlib.import_module(f"{__name__}.{plain}.suite").SUITE
    where = f"The entry point {plain!r} of the group {GROUP!r}"
    try:
        found: object = entry.load()
    except BROKEN as error:
        raise BadUsage(f"{where} cannot be loaded ({error}): update or uninstall that package.") from error
    suite = cast("Suite", found) if isinstance(found, Suite) else None
    if suite is None or suite.name != plain:
        raise BadUsage(f"{where} must be a knowact Suite of that name.")
    return suite


@cache
def labelled_sets() -> tuple["LabelledSet", ...]:
    """All labelled sets that measure models in roles: those that suites share, and those of each suite."""
    from knowact.roles.role_sets import shared_sets

    found = [*shared_sets()]
    for suite in map(find, names()):
        found += suite.labelled_sets()
    return tuple(found)
