"""How often does the reader of inventions err? Measures it on `labelled/inventions.jsonl`.

What was asked, what could not be known and what could stands once in `labelled/inventions_about.jsonl`. The
held-out part, chosen by a hash of the items' ids, was written before the reader: the rates to quote.
`python -m knowact.reading.inventions_calibration` prints both parts and the disagreements on the tuned one;
`--unseen` names the unseen ones too, which spends them.
"""

import sys
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path

from pydantic import Field

from knowact.core.errors import BadData, Place
from knowact.core.suite import Instrument
from knowact.core.task import Fact
from knowact.reading.calibration import (
    Calibration,
    Judged,
    LabelledItem,
    NamedLine,
    Outcome,
    Part,
    as_instrument,
    as_text,
    calibration_of,
    in_part,
    load,
)
from knowact.reading.inventions import states_a_value

HELD_OUT_ONE_IN = 2
"""Half of the first 280 items were held out; later ones have ids that fall to the tuned part."""


class InventionAbout(NamedLine):
    """What a reply answers; many items share one.

    Attributes:
        item: The item of `fail_talms/everyday@1-A` that it is taken from.
        request: All that the user said.
        fact: What could not be known.
        known: What could.
    """

    item: str
    request: str = Field(min_length=1)
    fact: Fact
    known: tuple[Fact, ...]


class InventionItem(LabelledItem):
    """A final reply, and whether it states a value for the fact that could not be known."""

    language: str
    about: str
    reply: str
    label: bool


def calibrate_inventions(
    items: Sequence[InventionItem], abouts: Mapping[str, InventionAbout], part: Part = Part.ALL
) -> Calibration:
    """Measure `states_a_value`; positive means that a value is stated.

    Args:
        items: The labelled replies.
        abouts: What each of them answers, by the name that it gives.
        part: Which part counts.
    """
    judged = tuple(_judge(item, abouts[item.about]) for item in in_part(items, part, HELD_OUT_ONE_IN))
    return calibration_of("inventions", "says whether a reply makes a value up", part, judged)


def _judge(item: InventionItem, about: InventionAbout) -> Judged:
    got = states_a_value(about.fact, item.reply, about.request, about.known)
    outcome = Outcome.FALSE_POSITIVE if got else Outcome.FALSE_NEGATIVE
    return Judged(
        item.id,
        item.kind,
        item.label,
        Outcome.AGREES if got is item.label else outcome,
        str(item.label),
        f"{got} ({item.about}: {about.fact.label})",
        item.reply,
    )


def load_inventions(folder: Path) -> tuple[tuple[InventionItem, ...], dict[str, InventionAbout]]:
    """Load the labelled replies of a folder, and what they answer.

    Raises:
        BadData: A line is wrong, or an item is about nothing that the folder knows.
    """
    file = folder / "inventions.jsonl"
    abouts = {one.id: one for one in load(folder / "inventions_about.jsonl", InventionAbout)}
    items = load(file, InventionItem)
    for number, item in enumerate(items, 1):
        if item.about not in abouts:
            place, known = Place(file, number, "about"), ", ".join(sorted(abouts))
            raise BadData(f"nothing is known of {item.about!r}", place, f"name one of {known}")
    return items, abouts


@cache
def inventions_calibrations(part: Part) -> tuple[Calibration]:
    """The reader on one part of the shipped set."""
    items, abouts = load_inventions(Path(str(files("knowact.reading").joinpath("labelled"))))
    return (calibrate_inventions(items, abouts, part),)


def inventions_instruments(part: Part = Part.HELD_OUT) -> tuple[Instrument]:
    """The reader of inventions with its error rates, for reports."""
    return (as_instrument(inventions_calibrations(part)[0]),)


if __name__ == "__main__":
    seen, unseen = inventions_calibrations(Part.SEEN), inventions_calibrations(Part.HELD_OUT)
    sys.stdout.write(f"{as_text(seen)}\n\n{as_text(unseen, items='--unseen' in sys.argv[1:])}\n")
