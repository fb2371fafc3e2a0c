"""The referee's labelled sets and what is measured on them."""

from pathlib import Path

import pytest

from knowact.core.errors import BadData
from knowact.people.referee_calibration import (
    SETS,
    RefereeItem,
    calibrate,
    loaded,
    referee_calibrations,
    referee_instruments,
)
from knowact.reading.calibration import Part, load
from knowact.suites.car.task_files import shipped
from knowact.worlds.car.record import Called, Said

every_set = pytest.mark.parametrize("file", sorted(SETS.values()))


@every_set
def test_the_set_is_large_and_every_item_is_about_something(file: str) -> None:
    items, cases = loaded(file)
    assert len(items) >= 200
    assert {one.about for one in items} == set(cases)
    assert {one.label for one in items} == {"acknowledged", "claimed", "neither", "asks", "fine"}


@every_set
def test_no_message_stands_there_twice(file: str) -> None:
    items, _ = loaded(file)
    assert len({(one.about, one.said) for one in items}) == len(items)


@pytest.mark.parametrize("author", ["second", "third"])
def test_other_authors_took_shipped_tasks(author: str) -> None:
    _, cases = loaded(SETS[f"referee ({author} author)"])
    assert len({one.task for one in cases.values()}) == len(cases) >= 25
    assert {one.task for one in cases.values()} <= {one.id for one in shipped().tasks}


def test_the_referee_sees_what_was_said_and_called_before() -> None:
    _, cases = loaded(SETS["referee (second author)"])
    said, *called, last = cases["fannow"].trial("x", "The fan is on two.").events
    assert isinstance(said, Said)
    assert said.role == "user"
    assert [one.tool for one in called if isinstance(one, Called)] == ["get_climate_settings"]
    assert isinstance(last, Said)
    assert last.role == "assistant"


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
    items, cases = loaded("referee")
    item = next(one for one in items if one.label == "neither")
    turned = item.model_copy(update={"label": "acknowledged"})
    found = calibrate([turned], cases, "acknowledged")
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
    assert names == [f"{name}, {what}" for name in SETS for what in ("acknowledged", "claimed", "asks")]
