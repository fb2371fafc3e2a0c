"""What the benchmarks share: alternation, tables, and the exit code.

On a machine that other people use, one slow round says nothing. So sides take turns, medians are shown, and
a target counts as missed only when so many rounds lie above it that chance alone would not do that.
"""

import gc
import math
import platform
import resource
import statistics
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version

CHANCE = 0.05
"""How often a target that is met in truth may be reported as missed."""

Rounds = Mapping[str, Sequence[float]]
"""What each side took, round by round."""


def cpu_seconds() -> float:
    """User and system time of this process so far, all threads."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def alternated(sides: Mapping[str, Callable[[], float]], rounds: int) -> Rounds:
    """Let the sides take turns (A, B, A, B, …) and keep what each says it took."""
    taken: dict[str, list[float]] = {name: [] for name in sides}
    for _ in range(rounds):
        for name, side in sides.items():
            # What earlier runs left behind is nothing that a fresh process would have to look through.
            gc.collect()
            gc.freeze()
            taken[name].append(side())
    return taken


def ratios(over: Sequence[float], under: Sequence[float]) -> list[float]:
    """The quotients of two sides, each round by itself."""
    return [a / b for a, b in zip(over, under, strict=True)]


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a result.

    Attributes:
        what: What was measured.
        values: One figure per round.
        unit: Follows the figure; empty for ratios.
        target: The most that is allowed; None where nothing was promised.
    """

    what: str
    values: Sequence[float]
    unit: str = ""
    target: float | None = None

    @property
    def missed(self) -> bool:
        """Whether the target is missed by more than noise: a one-sided sign test, or all of a few rounds."""
        if self.target is None:
            return False
        rounds, above = len(self.values), sum(value > self.target for value in self.values)
        tail = sum(math.comb(rounds, k) for k in range(above, rounds + 1)) / 2**rounds
        return above == rounds or tail <= CHANCE

    def cells(self) -> tuple[str, str, str, str]:
        """What, median, range, target, as texts."""
        unit = f" {self.unit}" if self.unit else ""
        low, high = figure(min(self.values)), figure(max(self.values))
        spread = f"{low} to {high}" if len(self.values) > 1 else ""
        target = "" if self.target is None else f"at most {figure(self.target)}{unit}"
        return self.what, f"{figure(statistics.median(self.values))}{unit}", spread, target


def figure(number: float) -> str:
    """Three significant digits, and thousands in groups."""
    if abs(number) >= 100:
        return f"{number:,.0f}"
    return f"{number:.3g}" if abs(number) < 1 else f"{number:.2f}" if abs(number) < 10 else f"{number:.1f}"


def finish(lines: Sequence[Line], note: str) -> None:
    """Print the table; leave with 1 and a sentence where a target is missed.

    Args:
        lines: The results, in the order shown.
        note: How often, on what; printed above the table.
    """
    print(note)
    print(machine())
    rows = [("", "median", "lowest to highest", "target"), *(line.cells() for line in lines)]
    widths = [max(len(row[place]) for row in rows) for place in range(4)]
    for what, middle, spread, target in rows:
        right = f"{middle:>{widths[1]}}  {spread:>{widths[2]}}  {target:>{widths[3]}}"
        print(f"  {what:<{widths[0]}}  {right}".rstrip())
    missed = [line for line in lines if line.missed]
    for line in missed:
        what, middle, _, target = line.cells()
        print(f"Missed: {what} is {middle}; promised was {target}.", file=sys.stderr)
    sys.exit(1 if missed else 0)


def machine() -> str:
    """Python, engine and processor, in one line."""
    python = f"Python {platform.python_version()}"
    return f"{python}, Inspect {version('inspect_ai')}, {platform.system()} {platform.machine()}"
