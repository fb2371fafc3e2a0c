"""How long work takes, against fixed work in the same process: a busy machine slows both; and waiting."""

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def cpu(work: Callable[[], object], tries: int = 3) -> float:
    """Least CPU seconds of some tries; the wall clock would measure whatever else this machine does, and the
    process's whatever its other threads do.
    """
    times: list[float] = []
    for _ in range(tries):
        began = time.thread_time()
        work()
        times.append(time.thread_time() - began)
    return min(times)


def fixed() -> int:
    """A fixed piece of pure Python: about four thousandths of a second on an idle machine of 2026."""
    found = {str(number): number * number for number in range(20_000)}
    return sum(found.values())


def units(work: Callable[[], object], tries: int = 3) -> float:
    """How many times as long as the fixed piece some work takes."""
    return cpu(work, tries) / cpu(fixed)


def within(do: Callable[[float], T], in_time: Callable[[T], bool]) -> T:
    """Do something within a limit of time that only what never ends is to exceed.

    Args:
        do: Does it, given the seconds.
        in_time: Whether all the rest has kept the limit; on a busy machine it may need a longer one.
    """
    for seconds in (1, 10):
        if in_time(done := do(seconds)):
            return done
    return do(100)


def wait_until(holds: Callable[[], object], seconds: float = 600) -> None:
    """Wait for an event in another thread or process: it comes when it comes, so the limit is generous."""
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, f"it does not come within {seconds} s"
        time.sleep(0.02)
