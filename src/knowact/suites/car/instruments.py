"""The readers that this suite's numbers rest on, with their error rates."""

from collections.abc import Sequence

from knowact.core.suite import Instrument
from knowact.people.referee_calibration import referee_instruments


def instruments() -> Sequence[Instrument]:
    """Rates of the referee's rules on the held-out half of their labelled set."""
    return referee_instruments()
