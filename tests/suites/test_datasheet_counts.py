"""A second opinion on the datasheets: requests of each kind, counted from the lines of the items alone."""

import json
import re
from collections import Counter
from typing import Any

import pytest

from knowact import suites


@pytest.mark.parametrize("name", ["kapro", "fail_talms", "ict"])
def test_the_datasheet_counts_what_the_items_say(name: str) -> None:
    (data,) = suites.find(name).datasets()
    kinds: dict[str, tuple[str, str]] = {}
    for line in (data.path / "items.jsonl").read_text(encoding="utf-8").splitlines():
        row: dict[str, Any] = json.loads(line)
        task = row.get("task", row)
        sides = {step["boundary"] for step in task["plan"]}
        side = "hybrid" if len(sides) == 2 else sides.pop()
        kinds.setdefault(task["provenance"]["brief"], (side, task["topology"]))
    sheet = (data.path / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"\| (external|hybrid|internal) \| (\w+) \| ([\d,]+) \|", sheet)
    told = {(side, topology): int(count.replace(",", "")) for side, topology, count in rows}
    assert told == Counter(kinds.values())
