"""The readers that this suite's numbers rest on, with their error rates."""

from collections.abc import Sequence

from knowact.core.suite import Instrument
from knowact.reading.limits_calibration import limits_instruments


def instruments() -> Sequence[Instrument]:
    """Rates on the held-out halves of the labelled sets; the referee reads limits with the shared reader."""
    return tuple(one for one in limits_instruments() if one.name in {"limits admitted", "limits asked back"})
