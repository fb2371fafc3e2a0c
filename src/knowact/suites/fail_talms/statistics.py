"""Figures about the data: items by setting and possibility, by category, and what the loader mended."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import cast

from knowact.core.suite import Item
from knowact.core.table import Estimate, Row, Table
from knowact.suites.fail_talms.asked import AskedItem

PAPER = "The paper has 575 perfect, 599 under-specified, 261 and 314 unavailable, and 575 no-tools items."


def by_setting(items: Sequence[Item]) -> Table:
    """Items by setting and by what the prover says of them."""
    table = Table("settings", "Items by setting", "FAIL-TaLMs, Table 4", (), note=PAPER)
    return _counted(items, "possibility", table)


def by_category(items: Sequence[Item]) -> Table:
    """Items by category and setting."""
    table = Table("categories", "Items by category", "FAIL-TaLMs, Figures 3 and 4", ())
    return _counted(items, "category", table)


def _counted(items: Sequence[Item], label: str, table: Table) -> Table:
    """Fill a table with counts of items by a label and by setting."""
    found = Counter((item.labels["setting"], item.labels.get(label, "not known")) for item in items)
    settings = list(dict.fromkeys(item.labels["setting"] for item in items))
    rows = tuple(
        Row({label: value, "setting": setting}, "items", Estimate(found[setting, value], len(items)))
        for value in sorted({value for _, value in found})
        for setting in settings
    )
    return replace(table, rows=rows, across=("setting",), percent=False, counts=True)


def mended(items: Sequence[Item]) -> Table:
    """What the loader mended or noted, item by item (published data)."""
    asked = [cast("AskedItem", item) for item in items]
    rows = [
        Row({"item": item.task.id, "what": what}, "times", Estimate(count, len(items)))
        for item in asked
        for what, count in Counter(item.mended).items()
    ]
    note = "Departures from the published layout, each with what was done about it." if rows else "None."
    return Table(
        "mended", "Mended by the loader", "knowact", tuple(rows), note=note, percent=False, counts=True
    )


STATISTICS: tuple[Callable[[Sequence[Item]], Table], ...] = (by_setting, by_category, mended)
