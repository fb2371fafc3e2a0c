"""Runs that differ in nothing but treatments (a strategy, a budget of tokens), each against the first.

The statistics are those of `knowact compare`: pairs by item, condition and epoch. Holm's correction goes over
all rows, so over all treatments.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from knowact.core.suite import Suite
from knowact.core.table import Run
from knowact.measures.clusters import SEED
from knowact.measures.run_tables import BUDGETS, USUAL_BUDGET, alike_but_for, row_heads
from knowact.probes.strategies import NONE
from knowact.report.compare import Compared, Line, as_tables, paired_lines

_NOTE = (
    "On the trials that both runs have: the run named under 'against', the treated one, and the difference. "
    "Each is held against the run without a treatment, or where there is none against the one begun first."
)


def treatments(suite: Suite, runs: Sequence[Run]) -> Compared | None:
    """Compare runs of one suite, treatment by treatment; None where no two differ in treatments alone.

    Args:
        suite: What they are runs of.
        runs: In the order begun.
    """
    usual = {option.name: option.default for option in suite.options if option.several}
    usual |= dict.fromkeys(BUDGETS)
    families = [_Family(usual, some) for some in alike_but_for(usual, runs) if len(some) > 1]
    heads = row_heads([(one.first, {"model": one.first.model}) for one in families])
    lines = [line for one, head in zip(families, heads, strict=True) for line in one.lines(suite, head)]
    return as_tables("treatments", "Treatments, pair by pair", lines, _NOTE) if lines else None


class _Family:
    """Runs that differ in treatments alone."""

    def __init__(self, usual: Mapping[str, object], runs: Sequence[Run]) -> None:
        self._usual = usual
        self._factors = [name for name in usual if len({str(self._value(run, name)) for run in runs}) > 1]
        untreated = [run for run in runs if all(self._untreated(run, name) for name in self._factors)]
        self.first = [*untreated, *runs][0]
        self._others = [run for run in runs if run is not self.first]

    def _value(self, run: Run, name: str) -> object:
        return run.options[name] if name not in BUDGETS or name in run.settings else None

    def _untreated(self, run: Run, name: str) -> bool:
        value = self._value(run, name)
        return value == self._usual[name] or (name not in BUDGETS and value == NONE)

    def _named(self, run: Run) -> str:
        """A run by its treatments ("strategy acknowledge-limits")."""
        told = ((name, self._value(run, name)) for name in self._factors)
        return ", ".join(f"{name.replace('_', ' ')} {USUAL_BUDGET if v is None else v}" for name, v in told)

    def lines(self, suite: Suite, head: Mapping[str, str]) -> Iterator[Line]:
        """Each treated run against the first."""
        first = suite.with_related(self.first)
        for run in self._others:
            keys = {**head, "against": self._named(self.first), "treatment": self._named(run)}
            for line in paired_lines(
                first, suite.with_related(run), suite.compared, SEED, by=suite.compared_by
            ):
                yield replace(line, keys={**keys, **line.keys})
