"""Progress of our own: a few lines that are redrawn in place on a terminal, plain lines in a pipe.

It goes to standard error, so that results can be piped. What it showed on a terminal is erased when it is
over: the command's summary says it all again, and no number is printed twice.
"""

import sys
import time
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, contextmanager
from itertools import pairwise
from threading import Event, Thread
from typing import TYPE_CHECKING, Final, TextIO

from knowact.core import screen
from knowact.core.clean import one_line

if TYPE_CHECKING:
    from knowact.engine.progress import Count, Standing, Watch

REDRAWN: Final = 4
"""Times a second on a terminal."""

LOOKED: Final = 0.5
"""Seconds after which a pipe's thread looks whether a line is due."""

SOON: Final = 10.0
"""Seconds between two lines in a pipe, at least; what takes less than that says nothing."""

STEP: Final = 0.1
"""The share of the work after which a line is due."""

LATE: Final = 120.0
"""Seconds after which a line is due in any case: what stands still should be seen to."""

MINUTE, HOUR, DAY = 60, 3_600, 86_400


OURS, PLAIN, NONE = "auto", "plain", "none"
ENGINES: Final = ("rich", "full")
DISPLAYS: Final = (OURS, PLAIN, *ENGINES, NONE)
"""Ways to show progress, as `--display` takes them."""


def displays(chosen: str, *, at_terminal: bool) -> "tuple[str, Watch]":
    """The engine's display, and ours; at most one of them shows anything.

    Args:
        chosen: The value of `--display`.
        at_terminal: Whether somebody is asked at the terminal meanwhile, so that nobody else may write there.
    """
    from knowact.engine.progress import unwatched

    if at_terminal or chosen == NONE:
        return NONE, unwatched
    if chosen in ENGINES:
        return (chosen if sys.stderr.isatty() and sys.stdout.isatty() else NONE), unwatched
    return NONE, shown(plain=chosen == PLAIN)


def shown(*, plain: bool = False) -> "Watch":
    """What shows progress here: drawn in place where standard error is a terminal, else in plain lines.

    Args:
        plain: Plain lines on a terminal, too.
    """
    return _lines if plain or not sys.stderr.isatty() else _drawn


def _drawn(standing: "Callable[[], Standing]") -> AbstractContextManager[object]:
    from rich.console import Console
    from rich.live import Live
    from rich.text import Text

    def picture() -> Text:
        return Text("\n".join(progress_lines(standing())), no_wrap=True, overflow="ellipsis")

    # A console of its own on what is standard error now: the engine puts its own before it, and silences it.
    return Live(
        get_renderable=picture,
        console=Console(file=sys.stderr, highlight=False, markup=False),
        refresh_per_second=REDRAWN,
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
    )


@contextmanager
def _lines(standing: "Callable[[], Standing]") -> Generator[None]:
    over, stream = Event(), sys.stderr
    thread = Thread(target=_tell, args=(standing, over, stream), name="progress", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def _tell(standing: "Callable[[], Standing]", over: Event, stream: TextIO) -> None:
    due = Due(time.monotonic())
    while not over.wait(LOOKED):
        now = standing()
        if due.at(time.monotonic(), now.share):
            print(progress_line(now), file=stream, flush=True)


class Due:
    """When the next line is due in a pipe.

    Args:
        began: Seconds, by any clock.
    """

    def __init__(self, began: float) -> None:
        self._last, self._share = began, 0.0

    def at(self, seconds: float, share: float) -> bool:
        """Whether a line is due at a moment of that clock, when so much of the work is done."""
        passed = seconds - self._last
        due = passed >= LATE or (passed >= SOON and share >= self._share + STEP)
        if due:
            self._last, self._share = seconds, share
        return due


def progress_lines(now: "Standing") -> list[str]:
    """How far it is: a line for the whole, and one for each of its parts."""
    every = (now.whole, *now.parts)
    wide = max(len(part.label) for part in every)
    right = max(len(f"{part.total:,}") for part in every)
    counts = [f"{part.done:>{right},} of {part.total:>{right},}" for part in every]
    rests = [
        ", ".join([*_pace(now), *_failures(now.whole)]),
        *(", ".join(_failures(part)) for part in now.parts),
    ]
    rows = zip(every, counts, rests, strict=True)
    return [
        one_line(f"  {part.label:{wide}}  {count}  {rest}".rstrip())[: screen.width()]
        for part, count, rest in rows
    ]


def progress_line(now: "Standing") -> str:
    """The same on one line, for a pipe."""
    parts = (", ".join([f"{part.label} {_count(part)}", *_failures(part)]) for part in now.parts)
    whole = ", ".join([f"{now.whole.label} {_count(now.whole)}", *_pace(now), *_failures(now.whole)])
    return one_line("; ".join([whole, *parts]))


def _count(part: "Count") -> str:
    return f"{part.done:,} of {part.total:,}"


def _pace(now: "Standing") -> list[str]:
    """The share that is done, the rate, the cost so far and the time left, as far as they are known."""
    facts = [f"{now.whole.done / max(1, now.whole.total):.0%}"]
    new = now.whole.done - now.whole.earlier
    if new and now.seconds:
        facts.append(rate(new / now.seconds))
    if now.cost:
        facts.append(f"${now.cost:,.2f}")
    if now.left is not None and now.share < 1:
        facts.append(f"{duration(now.left)} left")
    return facts


def _failures(part: "Count") -> list[str]:
    return [f"{name} {count:,}" for name, count in sorted(part.failures.items())]


def rate(per_second: float) -> str:
    """A rate in the unit that gives it a digit before the point."""
    for seconds, unit in ((1, "s"), (MINUTE, "min")):
        if per_second * seconds >= 1:
            return f"{per_second * seconds:.1f}/{unit}"
    return f"{per_second * HOUR:.1f}/h"


def duration(seconds: float) -> str:
    """A time in its two largest units: "3 min 20 s"."""
    units = ((DAY, "d"), (HOUR, "h"), (MINUTE, "min"), (1, "s"))
    whole = round(seconds)
    for (large, first), (small, second) in pairwise(units):
        if whole >= large:
            return f"{whole // large} {first} {whole % large // small} {second}"
    return f"{whole} s"
