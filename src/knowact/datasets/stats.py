"""Statistics of a data set that all suites share. Pure.

Each task counts once, whatever its conditions. A *sub-task* is a step of a plan; it is *needed* if the step
is external, so that it requires its tool.
"""

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from statistics import fmean, median
from typing import Final

import numpy as np

from knowact.core.charts import count_bars
from knowact.core.seeds import generator
from knowact.core.suite import Item
from knowact.core.table import Estimate, Figure, Row, Table
from knowact.core.task import Boundary, Task
from knowact.retrieval.duplicates import tokens

DRAW: Final = 68
"""Queries per draw for distinct-n, which falls with the number of texts, so only equal sizes compare. The
public sample of FAIL-TaLMs has 68 original queries."""

DRAWS: Final = 200
SOURCE: Final = "knowact"
ALL: Final = "all"
NEEDED, NOT_NEEDED = "needed", "not needed"
MOST_TOOLS: Final = 40
"""Bars in the figure of tools; the table has all of them."""


def distinct_tasks(items: Iterable[Item]) -> list[Task]:
    """Each task once, in order."""
    return list({item.task.id: item.task for item in items}.values())


def words(text: str) -> list[str]:
    """The words of a text in lower case; numbers are words, punctuation is not."""
    return re.findall(r"\w+(?:['\N{RIGHT SINGLE QUOTATION MARK}-]\w+)*", text.casefold())


def distinct_n(texts: Iterable[str], n: int) -> float:
    """Return the share of different n-grams among all n-grams, none of which spans two texts.

    (Li et al., "A diversity-promoting objective function for neural conversation models", 2016.) NaN where
    there is no n-gram.
    """
    found: Counter[tuple[str, ...]] = Counter()
    for text in texts:
        said = tokens(text)
        found.update(zip(*(said[start:] for start in range(n)), strict=False))
    return len(found) / found.total() if found else math.nan


def size(items: Sequence[Item]) -> Table:
    """Counts of tasks, steps, tools and facts."""
    tasks = distinct_tasks(items)
    tools = {tool.name: tool for item in items for tool in item.tools}
    steps = [step for task in tasks for step in task.plan]
    numbers = {
        "tasks": len(tasks),
        "base items (clusters)": len({task.cluster for task in tasks}),
        "sub-tasks": len(steps),
        "tools offered": len(tools),
        "categories of tools": len({tool.category for tool in tools.values() if tool.category}),
        "servers of tools": len({tool.server for tool in tools.values() if tool.server}),
        "reference facts": sum(len(task.facts) for task in tasks),
    }
    return _counts("size", "Size", "what", numbers, "number")


def steps(items: Sequence[Item]) -> Table:
    """Tasks by number of sub-tasks, and by number of tools offered."""
    tasks = distinct_tasks(items)
    rows: list[Row] = []
    for what, found in (
        ("sub-tasks", Counter(len(task.plan) for task in tasks)),
        ("tools offered", Counter(_offered(items).values())),
    ):
        rows += [
            Row({"number": str(number)}, f"tasks with this many {what}", Estimate(found[number], len(tasks)))
            for number in sorted(found)
        ]
    rows.sort(key=lambda row: int(row.keys["number"]))
    return Table("steps", "Tasks by size", SOURCE, tuple(rows), percent=False, counts=True)


def _offered(items: Sequence[Item]) -> dict[str, int]:
    """How many tools each task offers: as in its one item, or before any change if it has several."""
    several = Counter(item.task.id for item in items)
    return {
        item.task.id: len(item.tools) if several[item.task.id] == 1 else len(item.task.offered)
        for item in items
    }


def categories(items: Sequence[Item]) -> Table:
    """Sub-tasks by category of their tool, needed and not."""
    named = {tool.name: tool.category or "none" for item in items for tool in item.tools}
    found = Counter(
        (named.get(step.tool, "none"), _side(step.external))
        for task in distinct_tasks(items)
        for step in task.plan
    )
    return _two_sided("categories", "Sub-tasks by category", "category", found)


def tools(items: Sequence[Item]) -> Table:
    """Sub-tasks by tool, needed and not, for tools that occur as both; the most frequent first."""
    found = _by_tool(items)
    both = {tool for tool, _ in found if all((tool, side) in found for side in (NEEDED, NOT_NEEDED))}
    kept = Counter({key: count for key, count in found.items() if key[0] in both})
    total, share = found.total(), kept.total()
    part = f"{share:,} of {total:,} sub-tasks ({share / total:.0%})" if total else "no sub-task"
    note = (
        f"Of {len({tool for tool, _ in found})} tools in plans, {len(both)} are needed in some sub-tasks and "
        f"not needed in others; they occur in {part}. There an agent gains nothing by classifying "
        "tools without reading the query."
    )
    return _two_sided("tools", "Tools both needed and not", "tool", kept, note)


def query_lengths(items: Sequence[Item]) -> Table:
    """Words per query, over all and by boundary."""
    rows: list[Row] = []
    for name, tasks in _by_boundary(distinct_tasks(items)):
        lengths = [len(words(task.opening.text)) for task in tasks]
        numbers = {
            "mean": fmean(lengths),
            "median": median(lengths),
            "minimum": min(lengths),
            "maximum": max(lengths),
        }
        rows += [
            Row({"boundary": name}, what, Estimate(value, len(tasks))) for what, value in numbers.items()
        ]
    return Table("query-words", "Words per query", SOURCE, tuple(rows), percent=False)


def diversity(items: Sequence[Item], seed: int = 0) -> Table:
    """Distinct-1 and distinct-2 of queries, averaged over random draws of `DRAW` of them."""
    queries = [task.opening.text for task in distinct_tasks(items)]
    size_of_draw = min(DRAW, len(queries))
    draw = generator(seed, "distinct")
    samples = [draw.sample(queries, size_of_draw) for _ in range(DRAWS)]
    rows: list[Row] = []
    for n in (1, 2):
        every = [distinct_n(sample, n) for sample in samples]
        values = [value for value in every if not math.isnan(value)]
        low, high = (float(end) for end in np.quantile(values, [0.025, 0.975])) if values else (None, None)
        estimate = Estimate(
            fmean(values) if values else None, size_of_draw, low, high, "middle 95 % of draws"
        )
        rows.append(Row({"of": f"distinct-{n}"}, "different n-grams", estimate))
    note = (
        f"Means over {DRAWS} random draws of {size_of_draw} queries. Brackets: the middle 95 % of the draws."
    )
    return Table(
        "diversity", "Lexical diversity of the queries", SOURCE, tuple(rows), note=note, percent=False
    )


TABLES: Final[tuple[Callable[[Sequence[Item]], Table], ...]] = (
    *(size, steps, query_lengths, diversity, categories, tools),
)


def tables(items: Sequence[Item]) -> list[Table]:
    """All tables; the one of tools only if some sub-task is not needed."""
    both = any(not step.external for task in distinct_tasks(items) for step in task.plan)
    return [make(items) for make in TABLES if both or make is not tools]


def length_picture(items: Sequence[Item]) -> Figure:
    """Queries by number of words."""
    tasks = distinct_tasks(items)
    longest = max((len(words(task.opening.text)) for task in tasks), default=0)
    width = max(5, -(-longest // 60) * 5)  # a dozen bars, on round numbers
    found = Counter((len(words(task.opening.text)) // width, task.boundary.value) for task in tasks)
    rows = [
        Row(
            {"words": f"{place * width}-{place * width + width - 1}", "boundary": boundary.value},
            "tasks",
            Estimate(found[place, boundary.value], len(tasks)),
        )
        for place in range(longest // width + 1 if tasks else 0)
        for boundary in Boundary
    ]
    spec = count_bars(rows, "words", "boundary", value_title="tasks", along_title="words per query")
    return Figure("query-words", "Words per query", SOURCE, spec)


def category_picture(items: Sequence[Item]) -> Figure:
    """Sub-tasks by category, needed and not."""
    spec = count_bars(categories(items).rows, "category", "measure", value_title="sub-tasks", lying=True)
    return Figure("categories", "Sub-tasks by category", SOURCE, spec)


def tool_picture(items: Sequence[Item]) -> Figure:
    """The tools that are both needed and not."""
    table = tools(items)
    shown = list(dict.fromkeys(row.keys["tool"] for row in table.rows))
    rows = [row for row in table.rows if row.keys["tool"] in shown[:MOST_TOOLS]]
    note = f"The {MOST_TOOLS} most frequent of {len(shown)}." if len(shown) > MOST_TOOLS else ""
    spec = count_bars(rows, "tool", "measure", value_title="sub-tasks", lying=True)
    return Figure(
        "tools", "Tools both needed and not", SOURCE, spec, note or ("" if spec else "No tool is both.")
    )


PICTURES: Final[tuple[Callable[[Sequence[Item]], Figure], ...]] = (
    *(length_picture, category_picture, tool_picture),
)


def _side(external: bool) -> str:  # noqa: FBT001 - nothing else it could be
    return NEEDED if external else NOT_NEEDED


def _by_tool(items: Sequence[Item]) -> Counter[tuple[str, str]]:
    return Counter((step.tool, _side(step.external)) for task in distinct_tasks(items) for step in task.plan)


def _by_boundary(tasks: Sequence[Task]) -> list[tuple[str, list[Task]]]:
    groups = [(ALL, list(tasks))]
    groups += [(side.value, [task for task in tasks if task.boundary is side]) for side in Boundary]
    return [(name, found) for name, found in groups if found]


def _counts(name: str, title: str, key: str, numbers: dict[str, int], measure: str) -> Table:
    rows = tuple(Row({key: what}, measure, Estimate(count, count)) for what, count in numbers.items())
    return Table(name, title, SOURCE, rows, percent=False, counts=True)


def _two_sided(name: str, title: str, key: str, found: Counter[tuple[str, str]], note: str = "") -> Table:
    """A table of counts with a column for needed and one for not; the most frequent row first."""
    totals: Counter[str] = Counter()
    for (what, _), count in found.items():
        totals[what] += count
    ordered = sorted(totals, key=lambda what: (-totals[what], what))
    rows = tuple(
        Row({key: what}, side, Estimate(found[what, side], totals[what]))
        for what in ordered
        for side in (NEEDED, NOT_NEEDED)
    )
    return Table(name, title, SOURCE, rows, note=note, percent=False, counts=True)
