"""docs/instruments.md prints the rates that the shipped readers have on the shipped sets."""

import re
from pathlib import Path

from knowact.people.calibration import helper_calibrations
from knowact.people.referee_calibration import referee_calibrations
from knowact.reading.awareness_calibration import awareness_calibrations
from knowact.reading.calibration import Part, as_text, calibrations
from knowact.reading.limits_calibration import limits_calibrations

PAGE = Path(__file__).parents[2] / "docs" / "instruments.md"


def test_the_page_prints_the_rates_on_held_out_items() -> None:
    printed = re.search(r"```text\n(.*?)\n```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert printed is not None
    every = (
        *(calibrations, awareness_calibrations, limits_calibrations, helper_calibrations),
        referee_calibrations,
    )
    rates = [one for measured in every for one in measured(Part.HELD_OUT)]
    assert printed.group(1) == as_text(rates, items=False)
