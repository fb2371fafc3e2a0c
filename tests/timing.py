"""How long work takes, against fixed work in the same process: a busy machine slows both."""

import time
from collections.abc import Callable


def cpu(work: Callable[[], object], tries: int = 3) -> float:
    """Least CPU seconds of some tries; the wall clock would measure whatever else this machine does."""
    times: list[float] = []
    for _ in range(tries):
        began = time.process_time()
        work()
        times.append(time.process_time() - began)
    return min(times)


def fixed() -> int:
    """A fixed piece of pure Python: about four thousandths of a second on an idle machine of 2026."""
    found = {str(number): number * number for number in range(20_000)}
    return sum(found.values())


def units(work: Callable[[], object], tries: int = 3) -> float:
    """How many times as long as the fixed piece some work takes."""
    return cpu(work, tries) / cpu(fixed)
