"""Runs that differ in nothing but a treatment (a strategy, a budget of tokens), each against one without.

What is compared with what says `measures.pairing`; the statistics are those of `knowact compare`. Holm's
correction goes over all rows, so over all treatments.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from knowact.core.suite import Suite
from knowact.core.table import Run
from knowact.measures.clusters import SEED
from knowact.measures.pairing import BUDGETS, alike_but_for, run_pairs
from knowact.measures.run_tables import USUAL_BUDGET, row_heads
from knowact.probes.strategies import NONE
from knowact.report.compare import Compared, ComparedRow, as_tables, paired_lines

_NOTE = (
    "On the trials that both runs have: the run named under 'against', the treated one, and the difference. "
    "Each is compared with the run that differs in nothing else, or where there is none, with the run that "
    "began first."
)


def treatments(suite: Suite, runs: Sequence[Run]) -> Compared | None:
    """Compare runs of one suite, treatment by treatment; None where no two differ in one treatment alone.

    Args:
        suite: What they are runs of.
        runs: In the order begun.
    """
    own = [_Treatment((option.name,), option.default) for option in suite.options if option.several]
    pairs = [
        (treatment, *pair)
        for treatment in (*own, _Treatment(BUDGETS, None))
        for pair in treatment.pairs(runs)
    ]
    heads = row_heads([(treated, treatment.head(first, treated)) for treatment, first, treated in pairs])
    lines = [
        replace(line, keys={**head, **line.keys})
        for (_, first, treated), head in zip(pairs, heads, strict=True)
        for line in _lines(suite, first, treated)
    ]
    return as_tables("treatments", "Treatments, pair by pair", lines, _NOTE) if lines else None


def _lines(suite: Suite, first: Run, treated: Run) -> list[ComparedRow]:
    plain, treated = suite.with_related(first), suite.with_related(treated)
    return paired_lines(plain, treated, suite.compared, SEED, by=suite.compared_by)


@dataclass(frozen=True, slots=True)
class _Treatment:
    """Options that make one treatment, and what an untreated run has for them."""

    options: tuple[str, ...]
    usual: object

    def pairs(self, runs: Sequence[Run]) -> Iterator[tuple[Run, Run]]:
        """Each treated run behind the one that it is held against."""
        for family in alike_but_for(self.options, runs):
            untreated = [run for run in family if self._untreated(run)] or family[:1]
            against = self._values(untreated[0])
            yield from run_pairs(self.options, family, lambda run, value=against: self._values(run) == value)

    def head(self, first: Run, treated: Run) -> dict[str, str]:
        """The row head of a pair, in which each run is named by its treatment ("strategy none")."""
        both = [dict(zip(self.options, self._values(run), strict=True)) for run in (first, treated)]
        shown = [name for name in self.options if any(values[name] is not None for values in both)]
        named = [
            ", ".join(
                f"{name.replace('_', ' ')} {USUAL_BUDGET if values[name] is None else values[name]}"
                for name in shown
            )
            for values in both
        ]
        return {"model": first.model, "against": named[0], "treatment": named[1]}

    def _values(self, run: Run) -> tuple[object, ...]:
        asked = {name for name in self.options if name not in BUDGETS or name in run.settings}
        return tuple(run.options.get(name) if name in asked else None for name in self.options)

    def _untreated(self, run: Run) -> bool:
        """An effort of none is a treatment; for the others none is no treatment."""
        return all(
            value == self.usual or (self.usual is not None and value == NONE) for value in self._values(run)
        )
