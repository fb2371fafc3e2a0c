"""The figures: the know-act quadrants, twins, and the categories (FAIL-TaLMs, Figures 3 and 4)."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

from knowact.core.charts import grouped_bars, stacked_shares
from knowact.core.count_charts import count_bars
from knowact.core.table import Estimate, Figure, Row, Run
from knowact.measures.quadrants import Quadrant
from knowact.suites.fail_talms.arms import arms
from knowact.suites.fail_talms.layout import UNAVAILABLE, Split
from knowact.suites.fail_talms.tables import TWINS_CONDUCT, categories, joint, quadrants


def _named(row: Row) -> Row:
    """Give a row one key for its bar: the model, and whatever is not as usual."""
    model = row.keys["model"].rsplit("/", maxsplit=1)[-1]
    helper = row.keys.get("to ask", "nobody")
    others = [row.keys.get(key, "") for key in ("condition", "data", "run")]
    parts = [model, "" if helper == "nobody" else f"may ask ({helper})", *others]
    return replace(row, keys={**row.keys, "run": ", ".join(filter(None, parts))})


def twins_figure(runs: Sequence[Run]) -> Figure:
    """Conduct right on both twins, by setting."""
    rows = [_named(row) for row in joint(runs).rows if row.measure == TWINS_CONDUCT]
    spec = grouped_bars(rows, "setting", "run", value_title="Conduct right on both twins")
    note = "" if spec else "It takes a run with the perfect setting and another one (--setting all)."
    return Figure("twins", "Conduct with and without what is missing", "knowact", spec, note)


def quadrant_shares(runs: Sequence[Run]) -> Figure:
    """The quadrants as shares of each setting."""
    parts = [quadrant.value for quadrant in Quadrant]
    rows = [_named(row) for row in quadrants(runs).rows if row.measure in parts]
    spec = stacked_shares(rows, "run", "measure", parts=parts, facet="setting")
    note = "" if spec else "It takes a run with both probes (--probe both)."
    return Figure("quadrant-shares", "Knowing and acting at a glance", "knowact", spec, note)


def _items_by_category(runs: Sequence[Run], settings: Sequence[Split]) -> list[Row]:
    """The items of the largest run, by category."""
    every = max(arms(runs), key=lambda arm: sum(map(len, arm.settings.values())), default=None)
    if every is None:
        return []
    rows: list[Row] = []
    for setting in settings:
        records = [one for one in every.settings.get(setting.value, ()) if one.epoch == 1]
        counts = Counter(record.labels.get("category", "") for record in records)
        rows += [
            Row({"category": name, "setting": setting.value}, "items", Estimate(count, len(records)))
            for name, count in sorted(counts.items())
        ]
    return rows


def perfect_categories(runs: Sequence[Run]) -> Figure:
    """Items of the perfect setting by category (FAIL-TaLMs, Figure 3)."""
    spec = count_bars(_items_by_category(runs, (Split.PERFECT,)), "category", "setting", value_title="Items")
    return Figure("categories-perfect", "Perfect items by category", "FAIL-TaLMs, Figure 3", spec)


def unavailable_categories(runs: Sequence[Run]) -> Figure:
    """Items with a missing tool by category (FAIL-TaLMs, Figure 4)."""
    spec = count_bars(_items_by_category(runs, UNAVAILABLE), "category", "setting", value_title="Items")
    return Figure("categories-unavailable", "Items without a tool, by category", "FAIL-TaLMs, Figure 4", spec)


def right_by_category(runs: Sequence[Run]) -> Figure:
    """Right by category, over under-specified items and those without a tool."""
    rows = [
        _named(row)
        for row in categories(runs).rows
        if row.measure == "right" and row.keys["setting"] == Split.UNDER_SPECIFIED.value
    ]
    spec = grouped_bars(rows, "category", "run", value_title="Right, under-specified")
    return Figure("right-by-category", "Right by category", "knowact", spec)


FIGURES: tuple[Callable[[Sequence[Run]], Figure], ...] = (
    *(twins_figure, quadrant_shares, perfect_categories, unavailable_categories, right_by_category),
)
