"""Why the answer was no: the paper's table 9, and how far people agree with its judge."""

from collections.abc import Iterator, Sequence
from typing import Final

from knowact.core.record import Record
from knowact.core.table import Estimate, Row, Run, Table, as_table
from knowact.datasets.labels import PASS_HUMAN
from knowact.measures.run_tables import Head, flagged, judges_table
from knowact.suites.ict.answers import KINDS, VERDICTS
from knowact.suites.ict.asked import WHY
from knowact.suites.ict.run_groups import COLUMNS, RunGroup, groups

ALL: Final = "all"


@as_table("table-9", "Why not", "ICT, Table 9", across=("part",), percent=False)
def explanations(runs: Sequence[Run]) -> Iterator[Row]:
    """Why the answer was no: right, or wrong by kind.

    Over the no answers on incomplete items (the paper asks only about right ones; so here). The judge
    compares each reason with what was withheld. By the published rules it has four examples and two verdicts.
    Measured by --why with a judge (--judge MODEL).
    """
    for group in groups(runs):
        for part in (*COLUMNS, ALL):
            asked = _explained(group, part)
            keys = {**group.keys, "part": part}
            if asked:
                yield Row(keys, "explanations", Estimate(len(asked), len(asked)))
                for kind in VERDICTS if group.published else KINDS:
                    yield Row(keys, kind.replace("_", " "), flagged(asked, f"why_{kind}"))


def _explained(group: RunGroup, part: str) -> list[Record]:
    return [one for one in group.records("" if part == ALL else part) if one.value(WHY) >= 0]


def people_and_judge(runs: Sequence[Run]) -> Table:
    """How far people agree with the judge about explanations."""
    note = (
        "In the paper a person and the judge agreed on 82 of 100 explanations, half of them of each "
        "manipulation. Measured by --labels (knowact report --labels FILE; passed: whether the explanation "
        "names what is missing)."
    )
    heads = [
        Head(group.keys, labelled)
        for group in groups(runs)
        if (labelled := [one for one in _explained(group, ALL) if PASS_HUMAN in one.results])
    ]
    return judges_table(heads, WHY, {WHY: "judge", PASS_HUMAN: "person"}, note)
