"""docs/instruments.md prints the rates that the shipped readers have on the shipped sets."""

import re
from pathlib import Path

from knowact.reading.calibration import Part, summary

PAGE = Path(__file__).parents[2] / "docs" / "instruments.md"


def test_the_page_prints_the_rates_on_held_out_items() -> None:
    printed = re.search(r"```text\n(.*?)\n```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert printed is not None
    assert printed.group(1) == summary(Part.HELD_OUT, items=False)
