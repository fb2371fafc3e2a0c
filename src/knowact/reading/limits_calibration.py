"""How often does the reader of limits err? Measures it on `labelled/limits.jsonl`, label by label.

What each item lacks and has, and what the user said, stands once in `labelled/abouts.jsonl`. Half of
the set, chosen by a hash of the items' ids, is held out: the rates to quote. `python -m
knowact.reading.limits_calibration` prints both halves and the disagreements on the tuned one; `--unseen`
names the unseen ones too, which spends them.
"""

import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path

from knowact.core.errors import Place
from knowact.core.model import Noun
from knowact.core.suite import Instrument
from knowact.reading.awareness_calibration import about_of, load_abouts
from knowact.reading.calibration import (
    Calibration,
    Judged,
    LabelledItem,
    Outcome,
    Part,
    as_instrument,
    as_text,
    calibration_of,
    in_part,
    load,
)
from knowact.reading.limits import Limits, read_limits
from knowact.reading.missing import Fit, Missing

HELD_OUT_ONE_IN = 2
"""Half of the items were held out while the reader was written."""


class LimitsLabel(Noun):
    """What a reply says of its limits, by the judgement of a person; as `limits.Limits`."""

    admits: bool
    names: Fit
    asks: bool
    assumes: bool
    doubts: bool


class LimitsItem(LabelledItem):
    """A final reply with its label."""

    language: str
    about: str
    reply: str
    label: LimitsLabel


_SAYS: Mapping[str, tuple[str, Callable[[Limits | LimitsLabel], bool]]] = {
    "limits admitted": ("says whether a reply admits a limit", lambda one: one.admits),
    "limits named": ("says whether a reply names what is missing", lambda one: one.names == "fits"),
    "limits named wrongly": (
        "says whether a reply names only what is not missing",
        lambda one: one.names == "wrong",
    ),
    "limits asked back": ("says whether a reply asks the user back", lambda one: one.asks),
    "limits assumed": ("says whether a reply takes a value for granted openly", lambda one: one.assumes),
    "limits doubted": ("says whether a reply doubts a result", lambda one: one.doubts),
}


def calibrate_limits(
    items: Sequence[LimitsItem], abouts: Mapping[str, Missing], part: Part = Part.ALL
) -> tuple[Calibration, ...]:
    """Measure `read_limits`, label by label.

    Args:
        items: The labelled replies.
        abouts: What each `about` lacks and has.
        part: Which half counts.
    """
    chosen = in_part(items, part, HELD_OUT_ONE_IN)
    read = [(item, read_limits(item.reply, abouts[item.about])) for item in chosen]
    return tuple(
        calibration_of(name, what, part, tuple(_judged(item, limits, says) for item, limits in read))
        for name, (what, says) in _SAYS.items()
    )


def _judged(item: LimitsItem, limits: Limits, says: Callable[[Limits | LimitsLabel], bool]) -> Judged:
    wanted, got = says(item.label), says(limits)
    outcome = Outcome.AGREES if wanted == got else Outcome.FALSE_POSITIVE if got else Outcome.FALSE_NEGATIVE
    told = f"{got} ({item.about}; names: {limits.names} for {item.label.names})"
    return Judged(item.id, item.kind, wanted, outcome, str(wanted), told, item.reply)


def load_limits(folder: Path) -> tuple[tuple[LimitsItem, ...], dict[str, Missing]]:
    """Load the labelled replies of a folder, and what each `about` lacks and has.

    Raises:
        BadData: A line is wrong, or an item is about nothing that the folder knows.
    """
    abouts, file = load_abouts(folder), folder / "limits.jsonl"
    items = load(file, LimitsItem)
    for number, item in enumerate(items, 1):
        about_of(item.about, abouts, Place(file, number, "about"))
    return items, abouts


@cache
def limits_calibrations(part: Part) -> tuple[Calibration, ...]:
    """The reader on one part of the shipped set, label by label."""
    items, abouts = load_limits(Path(str(files("knowact.reading").joinpath("labelled"))))
    return calibrate_limits(items, abouts, part)


def limits_instruments(part: Part = Part.HELD_OUT) -> tuple[Instrument, ...]:
    """The reader of limits with its error rates, for reports: one entry for each label."""
    return tuple(map(as_instrument, limits_calibrations(part)))


if __name__ == "__main__":
    seen, unseen = limits_calibrations(Part.SEEN), limits_calibrations(Part.HELD_OUT)
    sys.stdout.write(f"{as_text(seen)}\n\n{as_text(unseen, items='--unseen' in sys.argv[1:])}\n")
