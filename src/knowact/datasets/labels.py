"""People's labels of a run's answers: a CSV file that adds a result to the labelled records.

The header names the columns: `item` and `passed` (yes, no, 1 or 0) are required; `condition`, `epoch`,
`model`, `run` and `annotator` are optional. Other columns are ignored, and so are rows with an empty
`passed`, so you can add a column `passed` to a report's `csv/items.csv`.
"""

import csv
import difflib
import io
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from knowact.core.errors import BadData, Place
from knowact.core.record import Record, Result
from knowact.core.table import Run
from knowact.datasets.lines import read_text

PASS_HUMAN: Final = "pass_human"  # noqa: S105 - to pass, not to get in
"""The result that a label becomes."""

REQUIRED: Final = ("item", "passed")
OPTIONAL: Final = ("condition", "epoch", "model", "run", "annotator")
_WORDS: Final = {"yes": True, "1": True, "no": False, "0": False}
_NEAR: Final = 0.8
"""How similar to a known column a heading must be to count as misspelt."""


@dataclass(frozen=True, slots=True)
class Label:
    """One person's label of one answer. Empty fields (`epoch`: None) match any trial.

    Attributes:
        item: The task's id.
        passed: Whether the answer does what was asked.
        condition: The condition's name.
        epoch: The epoch, from 1.
        model: As the run names it, with or without its provider.
        run: The run's id.
        annotator: The person's name.
        line: The line in the file.
    """

    item: str
    passed: bool
    condition: str = ""
    epoch: int | None = None
    model: str = ""
    run: str = ""
    annotator: str = ""
    line: int = 0

    @property
    def trial(self) -> tuple[str, str, int | None, str, str]:
        """The labelled trial, as the file identifies it."""
        return self.item, self.condition, self.epoch, self.model, self.run

    def fits(self, run: Run, record: Record) -> bool:
        """Whether the label can be about this record."""
        return (
            self.item == record.item
            and self.condition in ("", record.condition)
            and self.epoch in (None, record.epoch)
            and self.model in ("", run.model, run.model.rpartition("/")[2])
            and self.run in ("", run.id)
        )


@dataclass(frozen=True, slots=True)
class Attached:
    """Runs with labels on their records.

    Attributes:
        runs: In the order given; only labelled records are changed.
        labelled: How many records have a label.
        unmatched: Labels that match no record.
        ambiguous: Labels that match several records.
        disagreed: How many records have no label because their annotators disagree.
    """

    runs: tuple[Run, ...]
    labelled: int
    unmatched: tuple[Label, ...]
    ambiguous: tuple[Label, ...]
    disagreed: int

    @property
    def notes(self) -> tuple[str, ...]:
        """What became of the labels, in sentences."""
        found = [f"Labelled trials: {self.labelled}."]
        if self.disagreed:
            found.append(f"Trials left unlabelled because annotators disagree: {self.disagreed}.")
        if self.unmatched:
            found.append(f"Labels that match no trial: {_counted(self.unmatched)}.")
        if self.ambiguous:
            fix = "Add condition, epoch, model or run."
            found.append(f"Labels that match several trials: {_counted(self.ambiguous)}. {fix}")
        return tuple(found)


def _counted(labels: Sequence[Label], most: int = 5) -> str:
    shown = ", ".join(str(label.line) for label in labels[:most])
    return f"{len(labels)} (line {shown}{', …' if len(labels) > most else ''})"


def read_labels(file: Path) -> tuple[Label, ...]:
    """Read a file of labels.

    Raises:
        BadData: The file cannot be read, a column is missing, misspelt or duplicated, a cell is wrong, an
            annotator gives one trial two different labels, or there are no labels.
    """
    rows = _rows(file)
    head_line, head = next(rows, (1, [""]))
    columns = _columns(head, Place(file, head_line))
    labels: dict[tuple[str, tuple[object, ...]], Label] = {}
    for line, cells in rows:
        if len(cells) != len(head):
            what = f"this row has {len(cells)} cells, but the header has {len(head)}"
            raise BadData(
                what, Place(file, line), "give each column a cell, and quote cells that contain commas"
            )
        row = {name: cells[place].strip() for name, place in columns.items()}
        if not row["passed"]:
            continue
        label = _label(row, file, line)
        first = labels.setdefault((label.annotator, label.trial), label)
        if first.passed != label.passed:
            what = f"this contradicts the same annotator's label of this trial on line {first.line}"
            raise BadData(what, Place(file, line, "passed"), "keep one of them, or name the annotators")
    if not labels:
        raise BadData("the file holds no label", Place(file), "put one label on each line below the header")
    return tuple(labels.values())


def _rows(file: Path) -> Iterator[tuple[int, list[str]]]:
    """Yield the non-empty rows with their line numbers."""
    text = read_text(file)
    first = text.lstrip().partition("\n")[0]
    # Spreadsheets in many countries use semicolons, because their numbers contain commas.
    separator = max(",;\t", key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    line = 1
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                yield line, cells
            line = reader.line_num + 1
    except csv.Error as error:
        place = Place(file, line)
        raise BadData(f"this row is not CSV ({error})", place, "save the file as CSV again") from error


def _columns(head: Sequence[str], place: Place) -> Mapping[str, int]:
    """Find the known columns, in any letter case."""
    names = [name.strip().casefold() for name in head]
    known = (*REQUIRED, *OPTIONAL)
    for name in known:
        if names.count(name) > 1:
            raise BadData(f"there are two columns {name!r}", _at(place, name), "keep one of them")
    for name in names:
        near = difflib.get_close_matches(name, [one for one in known if one not in names], 1, _NEAR)
        if near:
            raise BadData(f"there is no column {name!r}", _at(place, name), f"call it {near[0]!r}")
    for name in REQUIRED:
        if name not in names:
            fix = (
                f"name the columns in the first row: {', '.join(REQUIRED)}; optionally {', '.join(OPTIONAL)}"
            )
            raise BadData(f"the column {name!r} is missing", place, fix)
    return {name: names.index(name) for name in known if name in names}


def _at(place: Place, column: str) -> Place:
    return replace(place, field=column)


def _label(row: Mapping[str, str], file: Path, line: int) -> Label:
    passed = _WORDS.get(row["passed"].casefold())
    if passed is None:
        what = f"{row['passed']!r} is not a label"
        raise BadData(what, Place(file, line, "passed"), "write yes, no, 1 or 0")
    if not row["item"]:
        raise BadData("the item is missing", Place(file, line, "item"), "name the labelled item")
    epoch = row.get("epoch", "")
    if epoch and not re.fullmatch(r"[1-9][0-9]{0,8}", epoch):
        what = f"{epoch!r} is not an epoch"
        raise BadData(what, Place(file, line, "epoch"), "write a whole number from 1, or nothing")
    return Label(
        item=row["item"],
        passed=passed,
        condition=row.get("condition", ""),
        epoch=int(epoch) if epoch else None,
        model=row.get("model", ""),
        run=row.get("run", ""),
        annotator=row.get("annotator", ""),
        line=line,
    )


def attach(runs: Sequence[Run], labels: Sequence[Label]) -> Attached:
    """Give each record the result `pass_human` if its labels agree.

    A label that matches several records, in one run or in several, is given to none.
    """
    by_item: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for number, run in enumerate(runs):
        for place, record in enumerate(run.records):
            by_item[record.item].append((number, place))
    found: dict[tuple[int, int], list[Label]] = defaultdict(list)
    unmatched: list[Label] = []
    ambiguous: list[Label] = []
    for label in labels:
        trials = [
            (number, place)
            for number, place in by_item.get(label.item, ())
            if label.fits(runs[number], runs[number].records[place])
        ]
        if len(trials) == 1:
            found[trials[0]].append(label)
        else:
            (ambiguous if trials else unmatched).append(label)
    results = {trial: _result(given) for trial, given in found.items() if _agree(given)}
    return Attached(
        runs=tuple(_with_results(run, number, results) for number, run in enumerate(runs)),
        labelled=len(results),
        unmatched=tuple(unmatched),
        ambiguous=tuple(ambiguous),
        disagreed=len(found) - len(results),
    )


def _agree(labels: Sequence[Label]) -> bool:
    return len({label.passed for label in labels}) == 1


def _result(labels: Sequence[Label]) -> Result:
    names = dict.fromkeys(label.annotator for label in labels if label.annotator)
    return Result.of(labels[0].passed, by="human", why=", ".join(names))


def _with_results(run: Run, number: int, results: Mapping[tuple[int, int], Result]) -> Run:
    records = tuple(
        replace(record, results={**record.results, PASS_HUMAN: results[number, place]})
        if (number, place) in results
        else record
        for place, record in enumerate(run.records)
    )
    return replace(run, records=records)
