"""How often is the error class of a trial wrong? Measures `errors.diagnose` on `labelled/errors.jsonl`.

Each labelled trial is played in the real world and classified. Half of the set, chosen by a hash of the
items' ids, is held out: the rates to quote. `python -m knowact.suites.car.errors_calibration` prints both
halves and the disagreements on the tuned one; `--unseen` names the unseen ones too, which spends them;
`--write` stores the held-out rates for reports, which would otherwise play all trials again; `--page FILE`
puts them into docs/suites/car.md. `--stamp` says that the labels were looked at after tasks have changed.
"""

import hashlib
import json
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, cast

from knowact.core.clean import dumps
from knowact.core.suite import Instrument
from knowact.core.table import Estimate
from knowact.measures.intervals import wilson
from knowact.reading.calibration import (
    Calibration,
    Judged,
    Outcome,
    Part,
    as_instrument,
    as_text,
    calibration_of,
    in_part,
)
from knowact.suites.car.errors import MEANINGS, ErrorClass, diagnose
from knowact.suites.car.errors_set import ErrorItem, labelled, played
from knowact.suites.car.items import WHOLE, CarItem, plan
from knowact.suites.car.task_files import DEFAULT_DATA
from knowact.worlds.car.record import Said, Trial

HELD_OUT_ONE_IN: Final = 2
"""Half of the items were held out while the procedure was mended."""

NONE: Final = "none"
"""No error: the trial succeeded."""

CLASSES: Final = ("E1", "E2", "E3", "E4", "E5a", "E5b")
"""The classes with rates of their own."""

ORDER: Final = (NONE, *CLASSES, "U", "I", "?")
"""Rows and columns of the confusion matrix; the last is only ever a diagnosis."""

MARK: Final = "<!-- held by tests/suites/car/test_errors_calibration.py -->"
"""What stands before the rates in the docs."""

_OPTIONS: Final[Mapping[str, Any]] = {
    "data": DEFAULT_DATA,
    "databases": "",
    "seed": 0,
    "rules": "definition",
    "limit": 0,
    "votes": 3,
    "type": "all",
    "split": "all",
    "driver": "scripted",
    "strategy": "none",
    "steps": 40,
    "tool_lists": WHOLE,
}
"""All shipped tasks, with everything on offer that was not taken away on purpose."""


@dataclass(frozen=True, slots=True)
class Classified:
    """A labelled trial and the class that the procedure gives it."""

    item: ErrorItem
    trial: Trial
    got: str
    rule: int
    why: str

    @property
    def right(self) -> bool:
        """Whether procedure and label agree."""
        return self.got == self.item.label


def classify(item: ErrorItem, car: CarItem, trial: Trial) -> Classified:
    """Classify a labelled trial. Without a judge, success is what code can say, as in reports."""
    found = diagnose(trial, car.goal)
    if found is None or (found.error is ErrorClass.OPEN and not trial.judged):
        return Classified(item, trial, NONE, 0, "")
    return Classified(item, trial, found.error.value, found.rule, found.why)


@cache
def _cars() -> Mapping[str, CarItem]:
    return {one.task.id: cast("CarItem", one) for one in plan(_OPTIONS).items}


@cache
def _everything(graded: bool) -> tuple[Classified, ...]:  # noqa: FBT001 - cached by it
    if graded:
        return tuple(classify(one, _cars()[one.task], played(one, _cars()[one.task])) for one in labelled())
    return tuple(_ungraded(one) for one in _everything(graded=True))


def _ungraded(one: Classified) -> Classified:
    """The same trial where no grader is bound; it goes on otherwise only where somebody would have voted."""
    car = _cars()[one.item.task]
    again = played(one.item, car, graded=False) if one.item.heard else one.trial
    return classify(one.item, car, again.model_copy(update={"judged": ()}))


def classified(part: Part, *, graded: bool = True) -> tuple[Classified, ...]:
    """One part of the shipped set, played and classified."""
    every = _everything(graded=graded)
    kept = {item.id for item in in_part((one.item for one in every), part, HELD_OUT_ONE_IN)}
    return tuple(one for one in every if one.item.id in kept)


def agreement(found: Sequence[Classified]) -> Estimate:
    """The share of trials whose class is the label, those with none included."""
    return wilson(sum(one.right for one in found), len(found))


def calibrate(found: Sequence[Classified], error: str, part: Part) -> Calibration:
    """Measure one class; positive means that the label is this class."""
    judged = tuple(_judged(one, error) for one in found)
    return calibration_of(
        f"error class {error}", f"finds that a trial {MEANINGS[ErrorClass(error)]}", part, judged
    )


def _judged(one: Classified, error: str) -> Judged:
    got, wanted = one.got == error, one.item.label == error
    missed = Outcome.FALSE_POSITIVE if got else Outcome.FALSE_NEGATIVE
    outcome = Outcome.AGREES if got == wanted else missed
    said = " / ".join(e.text for e in one.trial.events if isinstance(e, Said) and e.role == "assistant")
    label, reason = f"{one.item.label}: {one.item.why}", f"{one.got}: question {one.rule}, {one.why}"
    return Judged(one.item.id, one.item.kind, wanted, outcome, label, reason, said)


def error_calibrations(part: Part) -> tuple[Calibration, ...]:
    """All classes on one part of the shipped set."""
    found = classified(part)
    return tuple(calibrate(found, error, part) for error in CLASSES)


def matrix(found: Sequence[Classified]) -> str:
    """The confusion matrix as text: a row per label, a column per class that was given."""
    counts = Counter((one.item.label, one.got) for one in found)
    columns = [name for name in ORDER if any(name in {one.got, one.item.label} for one in found)]
    lines = ["label  " + "".join(f"{name:>5}" for name in columns)]
    for label in ORDER:
        if any(one.item.label == label for one in found):
            cells = "".join(f"{counts[label, name] or '.':>5}" for name in columns)
            lines.append(f"{label:<7}{cells}")
    return "\n".join(lines)


def summary(part: Part) -> str:
    """Agreement, matrix and rates of one part, as the docs print them."""
    found, bare = classified(part), classified(part, graded=False)
    return "\n".join(
        [
            f"error classes, {part.value}: {len(found)} trials",
            f"  agreement {_rate(agreement(found))}",
            f"  agreement without a grader {_rate(agreement(bare))}",
            matrix(found),
            as_text(error_calibrations(part), items=False),
        ]
    )


def _rate(found: Estimate) -> str:
    assert found.value is not None
    return f"{found.value:.1%} of {found.n} (95 %: {found.low:.1%} to {found.high:.1%})"


def stored() -> Path:
    """Where the held-out rates lie that reports print; a test holds them to those measured afresh."""
    return Path(str(files("knowact.suites.car").joinpath("labelled", "errors_rates.json")))


def rates() -> list[dict[str, Any]]:
    """The held-out rates, as they are stored: of each class, errors and how many there could be."""
    return [_rates_of(one) for one in error_calibrations(Part.HELD_OUT)]


def _rates_of(one: Calibration) -> dict[str, Any]:
    count, shown = Counter(judged.outcome for judged in one.judged), as_instrument(one)
    return {
        "name": shown.name,
        "what": shown.what,
        "false_positive": [count[Outcome.FALSE_POSITIVE], shown.false_positive.n],
        "false_negative": [count[Outcome.FALSE_NEGATIVE], shown.false_negative.n],
    }


@cache
def error_instruments() -> tuple[Instrument, ...]:
    """The error classes with their held-out rates, for reports."""
    lines = cast("list[dict[str, Any]]", json.loads(stored().read_text("utf-8")))
    return tuple(
        Instrument(one["name"], one["what"], wilson(*one["false_positive"]), wilson(*one["false_negative"]))
        for one in lines
    )


def stamps() -> dict[str, str]:
    """A hash of what the labels of each task's trials hang on: its reference, and what is missing or open."""
    used = sorted({item.task for item in labelled()})
    return {task: _stamp(_cars()[task]) for task in used}


def _stamp(car: CarItem) -> str:
    what = car.what
    about = [
        [[one.tool, dict(one.arguments)] for one in what.reference],
        [what.removal.paths, what.removal.lost] if what.removal else [],
        [what.element.level, what.element.answer] if what.element else [],
    ]
    return hashlib.blake2b(dumps(about).encode(), digest_size=4).hexdigest()


def stamped() -> Path:
    """Where the hashes lie of the tasks as they were when their trials were labelled."""
    return stored().with_name("errors_tasks.json")


def _disagreements(found: Iterable[Classified]) -> str:
    lines = list[str]()
    for one in found:
        if not one.right:
            lines.append(f"{one.item.id} ({one.item.made}): label {one.item.label}: {one.item.why}")
            lines.append(f"    got {one.got}, question {one.rule}: {one.why}")
    return "\n".join(lines)


def page(text: str) -> str:
    """The docs' page with the held-out rates of now."""
    head, block = text.split(f"{MARK}\n```text\n", 1)
    _, rest = block.split("```", 1)
    return f"{head}{MARK}\n```text\n{summary(Part.HELD_OUT)}\n```{rest}"


def main(arguments: Sequence[str]) -> None:
    """Print the rates of both halves; see the top of the module for the options."""
    if "--page" in arguments:
        file = Path(arguments[arguments.index("--page") + 1])
        file.write_text(page(file.read_text("utf-8")), encoding="utf-8")
    if "--stamp" in arguments:
        stamped().write_text(json.dumps(stamps(), indent=0) + "\n", encoding="utf-8")
    if "--write" in arguments:
        stored().write_text(json.dumps(rates(), indent=1) + "\n", encoding="utf-8")
    sys.stdout.write(f"{summary(Part.SEEN)}\n{_disagreements(classified(Part.SEEN))}\n\n")
    sys.stdout.write(f"{summary(Part.HELD_OUT)}\n")
    if "--unseen" in arguments:
        sys.stdout.write(f"{_disagreements(classified(Part.HELD_OUT))}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
