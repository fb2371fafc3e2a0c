"""The readers that this suite's numbers rest on, with their error rates."""

from collections.abc import Sequence

from knowact.core.suite import Instrument
from knowact.people.driver_calibration import driver_instruments
from knowact.people.driver_fault_calibration import driver_fault_instruments
from knowact.people.referee_calibration import referee_instruments
from knowact.suites.car.errors_calibration import error_instruments


def instruments() -> Sequence[Instrument]:
    """Rates on held-out items: referee's rules, scripted driver, detector of driver faults, error classes."""
    return (
        *referee_instruments(),
        *driver_instruments(),
        *driver_fault_instruments(),
        *error_instruments(),
    )
