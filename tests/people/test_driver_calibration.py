"""The labelled sets of the scripted driver and of the detector of its faults, and their rates."""

import re
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

from knowact.core.errors import BadData
from knowact.people.driver_calibration import (
    LABELLED,
    SETS,
    WHATS,
    DriverCase,
    DriverItem,
    calibrate,
    driver_calibrations,
    driver_instruments,
    loaded,
)
from knowact.people.driver_fault_calibration import (
    DRIVER,
    TALK_FAULTS,
    LineItem,
    TalkItem,
    calibrate_faults,
    calibrate_lines,
    driver_fault_calibrations,
    driver_fault_instruments,
)
from knowact.reading.calibration import Calibration, LabelledItem, Part, as_text, held_out, load
from knowact.worlds.car.record import Said

PAGE = Path(__file__).parents[2] / "docs" / "instruments.md"
SHEET = LABELLED / "README.md"
ITEMS, CASES = loaded("driver")
BLIND, BLIND_CASES = loaded("driver_blind")
TALKS = load(LABELLED / "driver_faults.jsonl", TalkItem)
LINES = load(LABELLED / "driver_lines.jsonl", LineItem)
EVERY: tuple[tuple[LabelledItem, ...], ...] = (ITEMS, TALKS, LINES, BLIND)
OF_BOTH = pytest.mark.parametrize(
    ("items", "cases"), [(ITEMS, CASES), (BLIND, BLIND_CASES)], ids=("first author", "second author")
)


@pytest.mark.parametrize("items", EVERY, ids=("driver", "faults", "lines", "second author"))
def test_each_set_has_hundreds_of_items_and_about_half_of_them_held_out(
    items: tuple[LabelledItem, ...],
) -> None:
    assert len(items) >= 200
    assert len({one.id for one in items}) == len(items)
    assert len({one.model_dump_json(exclude={"id", "kind", "why", "label"}) for one in items}) == len(items)
    assert 0.4 <= sum(held_out(one.id, 2) for one in items) / len(items) <= 0.6
    assert all(one.why for one in items)


def test_every_case_is_used_and_every_item_is_about_one() -> None:
    assert {one.about for one in ITEMS} == {one.about for one in TALKS} == set(CASES)
    assert len(CASES) >= 24
    assert {one.about for one in BLIND} == set(BLIND_CASES)
    assert len(BLIND_CASES) >= 60


@OF_BOTH
def test_labels_fit_their_cases(items: tuple[DriverItem, ...], cases: dict[str, DriverCase]) -> None:
    for one in items:
        script, label = cases[one.about].script, one.label
        assert {*label.tell, *label.may} <= set(range(len(script.details))), one.id
        assert script.secrets or not label.pressed, one.id
        assert script.later or label.then != "wish", one.id
        if label.then == "wish":
            assert len(one.before) < len(script.later), one.id


@OF_BOTH
def test_every_label_is_given_often_and_no_label_nearly_always(
    items: tuple[DriverItem, ...], cases: dict[str, DriverCase]
) -> None:
    told = sum(bool(one.label.tell) for one in items)
    assert len(items) / 4 <= told <= len(items) * 3 / 4
    count = Counter(one.label.yes for one in items)
    assert min(count["yes"], count["no"]) >= 40
    ends = Counter(one.label.then for one in items)
    assert min(ends["leaves"] + ends["wish"], ends["talks"]) >= 30
    assert sum(one.label.pressed for one in items) >= 20
    assert sum(bool(cases[one.about].secrets) for one in items) >= 40


def test_faults_and_readable_replies_are_about_half() -> None:
    assert 0.4 <= sum(not one.label for one in TALKS) / len(TALKS) <= 0.6
    faults = Counter(fault for one in TALKS for fault in one.label)
    assert set(faults) == set(TALK_FAULTS)
    assert 0.4 <= sum(bool(one.label.word) for one in LINES) / len(LINES) <= 0.6


def test_talks_go_to_and_fro_and_begin_with_the_driver() -> None:
    for one in TALKS:
        sides = [line.startswith(DRIVER) for line in one.talk]
        assert sides[0]
        assert all(a != b for a, b in pairwise(sides)), one.id


def test_a_talk_becomes_a_record_with_the_words_on_their_sides() -> None:
    said = [(one.role, one.text) for one in TALKS[0].trial.events if isinstance(one, Said)]
    assert said[0] == ("user", TALKS[0].talk[0].removeprefix(DRIVER))
    assert said[1] == ("assistant", TALKS[0].talk[1])


@pytest.mark.parametrize("measure", [driver_calibrations, driver_fault_calibrations])
def test_parts_add_up(measure: Callable[[Part], tuple[Calibration, ...]]) -> None:
    for whole, seen, unseen in zip(*(measure(part) for part in Part), strict=True):
        assert len(whole.judged) == len(seen.judged) + len(unseen.judged)


def test_a_wrong_label_shows() -> None:
    one = next(one for one in ITEMS if one.id == "dr-001")
    turned = one.model_copy(update={"label": one.label.model_copy(update={"tell": ()})})
    assert [found.outcome for found in calibrate([turned], CASES, "details").judged] == ["false positive"]
    right = {one.id for one in calibrate_faults(TALKS, CASES, "any").judged if one.outcome == "agrees"}
    talk = next(one for one in TALKS if not one.label and one.id in right)
    talk = talk.model_copy(update={"label": ("made_up",)})
    assert [found.outcome for found in calibrate_faults([talk], CASES, "any").judged] == ["false negative"]
    line = LINES[0].model_copy(update={"label": LINES[0].label.model_copy(update={"word": "STOP"})})
    assert [found.outcome for found in calibrate_lines([line]).judged] == ["false positive"]


@pytest.mark.parametrize(
    ("rest", "field"),
    [
        ('"said": "s", "label": {"yes": "maybe"}', "label.yes"),
        ('"label": {}', "said"),
        ('"said": "s", "label": {"tell": [0], "then": "leaves"}', "label"),
    ],
)
def test_a_damaged_line_is_named(tmp_path: Path, rest: str, field: str) -> None:
    file = tmp_path / "driver.jsonl"
    file.write_text(f'{{"id": "x", "kind": "k", "why": "w", "about": "a", {rest}}}', "utf-8")
    with pytest.raises(BadData, match=rf"driver\.jsonl:1, field '{field}'"):
        load(file, DriverItem)


def test_the_page_prints_the_rates_on_held_out_items() -> None:
    block = re.search(
        r"held by tests/people/test_driver_calibration\.py -->\n```text\n(.*?)\n```",
        PAGE.read_text(encoding="utf-8"),
        re.DOTALL,
    )
    assert block is not None
    rates = (*driver_calibrations(Part.HELD_OUT), *driver_fault_calibrations(Part.HELD_OUT))
    assert block.group(1) == as_text(rates, items=False)


def test_the_datasheet_counts_as_the_sets_do() -> None:
    sheet = SHEET.read_text(encoding="utf-8")
    for name, items in zip(("driver", "driver_faults", "driver_lines", "driver_blind"), EVERY, strict=True):
        assert f"`{name}.jsonl` ({len(items)} " in sheet


def test_reports_of_the_suite_print_these_rates() -> None:
    names = [one.name for one in (*driver_instruments(), *driver_fault_instruments())]
    rows = [f"{name}, {what}" for name in SETS for what in WHATS]
    assert names[: len(rows)] == rows
    assert names[len(rows) :][0] == "driver faults, any"
    assert names[-1] == "driver's lines"
