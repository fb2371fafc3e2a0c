"""From a number in a table to the trials behind it, for any suite's tables.

A key of a row that is some record's condition or label, or names a run, model or data set, selects those
trials; so does a know-act quadrant. Other keys ("average") select nothing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from knowact.core.suite import Suite
from knowact.core.table import Paired, Row, Run
from knowact.core.traits import Trait
from knowact.measures.pairing import data_names
from knowact.measures.profile import usual
from knowact.measures.quadrants import Quadrant
from knowact.report.readers import label

_OF_A_RUN = frozenset({"run", "model", "dataset"})

_QUADRANTS: Mapping[str, Quadrant] = {quadrant.value.casefold(): quadrant for quadrant in Quadrant}


@dataclass(frozen=True, slots=True)
class Trace:
    """The trials behind a number.

    Attributes:
        suite: Trials of this suite only.
        where: (field, value) that a trial must have; the fields are `run`, `model`, `dataset`,
            `condition`, `knew`, `acted` ("yes", "no"), `label:<name>`, `result:<name>` ("yes": it has one).
        measure: The number's measure.
        paired: For a number that compares two runs: these. Then `where` names no run, model or data set.
    """

    suite: str
    where: tuple[tuple[str, str], ...]
    measure: str
    paired: Paired | None = None


class Facets:
    """An index of one suite's records, for looking up the keys of its tables."""

    def __init__(self, suite: str, runs: Sequence[Run]) -> None:
        self._suite = suite
        self._conditions = _folded({record.condition for run in runs for record in run.records})
        self._labels = {
            (name.casefold(), value.casefold()): (f"label:{name}", value)
            for run in runs
            for record in run.records
            for name, value in record.labels.items()
        }
        self._names: list[tuple[str, dict[str, str]]] = [
            ("run", _folded({run.id for run in runs})),
            ("model", {label(run).casefold(): run.model for run in runs}),
            ("dataset", _folded({*data_names(run.dataset for run in runs).values()})),
        ]

    def trace(self, row: Row) -> Trace:
        """Return the trials that the row's keys and measure select."""
        where: dict[str, str] = {}
        for key, value in row.keys.items():
            constraint = self._constraint(key.casefold(), value.casefold())
            if constraint is not None:
                where.setdefault(*constraint)
        for text in (row.measure, *row.keys.values()):
            quadrant = _QUADRANTS.get(text.casefold())
            if quadrant is not None:
                where["knew"], where["acted"] = _yes_no(quadrant.knew), _yes_no(quadrant.acted)
        if row.paired is not None:
            where = {field: value for field, value in where.items() if field not in _OF_A_RUN}
        return Trace(self._suite, tuple(where.items()), row.measure, row.paired)

    def _constraint(self, key: str, value: str) -> tuple[str, str] | None:
        if key == "condition" and value in self._conditions:
            return "condition", self._conditions[value]
        if (key, value) in self._labels:
            return self._labels[key, value]
        for field, names in self._names:
            if value in names:
                return field, names[value]
        return None


class ProfileFacets:
    """An index for the table of profiles: from a trait of a model in a suite to the trials that show it."""

    def __init__(self, suites: Sequence[tuple[Suite, Sequence[Run]]]) -> None:
        self._suites = {suite.name: (suite, runs) for suite, runs in suites}

    def trace(self, row: Row) -> Trace | None:
        """Return the trials behind a number; a mean over suites has none of its own."""
        if row.keys.get("suite") not in self._suites:
            return None
        suite, runs = self._suites[row.keys["suite"]]
        run = usual(suite, [run for run in runs if label(run) == row.keys["model"]])
        shown = Trait.ACTS if row.measure == Trait.CONSISTENT else row.measure
        return Trace(suite.name, (("run", run.id), (f"result:{shown}", "yes")), shown)


def _yes_no(right: bool) -> str:  # noqa: FBT001 - nothing else it could be
    return "yes" if right else "no"


def _folded(names: set[str]) -> dict[str, str]:
    return {name.casefold(): name for name in sorted(names)}
