"""The readers and the scripted person that this suite's numbers rest on, with their error rates."""

from collections.abc import Sequence

from knowact.core.suite import Instrument
from knowact.people.calibration import helper_instruments
from knowact.reading.awareness_calibration import awareness_instruments
from knowact.reading.calibration import instruments as readers
from knowact.reading.inventions_calibration import inventions_instruments
from knowact.reading.limits_calibration import limits_instruments


def instruments() -> Sequence[Instrument]:
    """Rates on the held-out halves of the labelled sets."""
    claims = [one for one in readers() if one.name == "claims"]
    mine = (*limits_instruments(), *inventions_instruments(), *helper_instruments())
    return (*awareness_instruments(), *claims, *mine)
