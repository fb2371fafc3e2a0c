"""The referee's labelled set and what is measured on it."""

from pathlib import Path

import pytest

from knowact.core.errors import BadData
from knowact.people.referee_calibration import (
    RefereeCase,
    RefereeItem,
    calibrate,
    referee_calibrations,
    referee_instruments,
)
from knowact.reading.calibration import Part, load

FOLDER = Path(__file__).parents[2] / "src" / "knowact" / "people" / "labelled"
ITEMS = load(FOLDER / "referee.jsonl", RefereeItem)
CASES = {one.id: one.case for one in load(FOLDER / "referee_cases.jsonl", RefereeCase)}


def test_the_set_is_large_and_every_item_is_about_something() -> None:
    assert len(ITEMS) >= 200
    assert {one.about for one in ITEMS} == set(CASES)
    assert {one.label for one in ITEMS} == {"acknowledged", "claimed", "neither", "asks", "fine"}


def test_no_message_stands_there_twice() -> None:
    assert len({(one.about, one.said) for one in ITEMS}) == len(ITEMS)


@pytest.mark.parametrize("part", list(Part))
def test_rules_say_little_that_is_wrong(part: Part) -> None:
    for measured in referee_calibrations(part):
        assert measured.false_positive.value is not None
        assert measured.false_positive.value <= 0.1
        assert measured.false_negative.value is not None
        assert measured.false_negative.value <= 0.5


def test_parts_add_up() -> None:
    for whole, seen, unseen in zip(*(referee_calibrations(part) for part in Part), strict=True):
        assert len(whole.judged) == len(seen.judged) + len(unseen.judged)


def test_a_wrong_label_shows() -> None:
    item = next(one for one in ITEMS if one.label == "neither")
    turned = item.model_copy(update={"label": "acknowledged"})
    found = calibrate([turned], CASES, "acknowledged")
    assert [one.outcome for one in found.judged] == ["false negative"]


def test_a_damaged_line_is_named(tmp_path: Path) -> None:
    file = tmp_path / "referee.jsonl"
    file.write_text(
        '{"id": "x", "kind": "k", "why": "w", "about": "shade", "said": "s", "label": "yes"}\n', "utf-8"
    )
    with pytest.raises(BadData, match=r"referee\.jsonl:1, field 'label'"):
        load(file, RefereeItem)


def test_reports_get_the_held_out_rates() -> None:
    names = [one.name for one in referee_instruments()]
    assert names == ["referee, acknowledged", "referee, claimed", "referee, asks"]
