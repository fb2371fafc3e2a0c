"""The figures of FAIL-TaLMs: the paper's, and ours."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final

from knowact.core.charts import count_bars, grouped_bars
from knowact.core.table import Estimate, Figure, Row, Run
from knowact.measures.run_tables import quadrant_figure, with_bar
from knowact.suites.fail_talms.layout import UNAVAILABLE, Split
from knowact.suites.fail_talms.run_groups import NOBODY, groups
from knowact.suites.fail_talms.tables import JOINT_CONDUCT, categories, joint, quadrants

USUAL: Final = {"helper": NOBODY, "condition": ""}


def joint_conduct(runs: Sequence[Run]) -> Figure:
    """Conduct right on both items of a minimal pair, by setting."""
    rows = with_bar((row for row in joint(runs).rows if row.measure == JOINT_CONDUCT), USUAL)
    spec = grouped_bars(rows, "setting", "bar", value_title="Conduct right on both items of a pair")
    note = "" if spec else "Needs a run with the perfect setting and another one (--setting all)."
    return Figure("minimal-pairs", "Conduct with and without what is missing", "knowact", spec, note)


def quadrant_shares(runs: Sequence[Run]) -> Figure:
    """The quadrants as shares of each setting."""
    note = "Needs a run with both probes (--probe both)."
    return quadrant_figure(quadrants(runs), "setting", USUAL, "knowact", note)


def _items_by_category(runs: Sequence[Run], settings: Sequence[Split]) -> list[Row]:
    """The items of the largest run, by category."""
    every = max(groups(runs), key=lambda group: sum(map(len, group.settings.values())), default=None)
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
    """Right by category, over under-specified items."""
    found = (row for row in categories(runs).rows if row.keys["setting"] == Split.UNDER_SPECIFIED)
    rows = with_bar((row for row in found if row.measure == "right"), USUAL)
    spec = grouped_bars(rows, "category", "bar", value_title="Right, under-specified")
    return Figure("right-by-category", "Right by category", "knowact", spec)


FIGURES: tuple[Callable[[Sequence[Run]], Figure], ...] = (
    *(joint_conduct, quadrant_shares, perfect_categories, unavailable_categories, right_by_category),
)
