"""The labelled sets of the three readers that ask whether something is missing, and their rates."""

from importlib.resources import files
from pathlib import Path

import pytest

from knowact.reading.calibration import LabelledItem, Outcome, Part, as_text
from knowact.reading.completeness_calibration import (
    CONTINUATIONS,
    EXPLANATIONS,
    ContinuationItem,
    ExplanationItem,
    FeasibilityItem,
    calibrate_continuations,
    calibrate_explanations,
    calibrate_feasibility,
    completeness_calibrations,
    completeness_instruments,
    labelled,
)
from knowact.reading.continuations import Situation, read_continuation
from knowact.reading.explanations import read_explanation
from knowact.reading.feasibility import read_feasibility
from knowact.reading.reasons import Missing

SETS: dict[str, type[LabelledItem]] = {
    "feasibility": FeasibilityItem,
    "continuations": ContinuationItem,
    "explanations": ExplanationItem,
}


@pytest.mark.parametrize("name", sorted(SETS))
def test_each_set_has_hundreds_of_items_and_a_fresh_part_that_shares_none(name: str) -> None:
    seen, fresh, whole = (labelled(name, SETS[name], part) for part in (Part.SEEN, Part.HELD_OUT, Part.ALL))
    assert len(seen) >= 200
    assert len(fresh) >= 60
    assert len({item.id for item in whole}) == len(whole) == len(seen) + len(fresh)


def test_a_set_that_is_not_there_is_no_silence() -> None:
    with pytest.raises(FileNotFoundError):
        labelled("nothing", FeasibilityItem, Part.SEEN)


def verdict(item_id: str, reply: str, label: str) -> FeasibilityItem:
    return FeasibilityItem.model_validate(
        {"id": item_id, "kind": "x", "why": "y", "language": "en", "reply": reply, "label": label}
    )


def test_each_way_to_misread_a_verdict_is_told_apart() -> None:
    items = [
        verdict("1", "Yes", "yes"),
        verdict("2", "Yes", "no"),
        verdict("3", "Yes", "unreadable"),
        verdict("4", "hm", "no"),
    ]
    found = calibrate_feasibility(items, Part.SEEN)
    assert [one.outcome for one in found.judged] == [
        Outcome.AGREES,
        Outcome.FALSE_POSITIVE,
        Outcome.FALSE_POSITIVE,
        Outcome.FALSE_NEGATIVE,
    ]
    assert (found.false_positive.n, found.false_negative.n) == (2, 2)


def test_each_class_of_a_continuation_has_its_rates() -> None:
    common = {
        "kind": "x",
        "why": "y",
        "language": "en",
        "missing": Missing(),
        "said": "",
        "facts": (),
        "calls": 0,
    }
    rows = [
        ("1", "Which city?", "clarifying_question"),
        ("2", "Which city?", "other"),
        ("3", "Hm hm hm.", "other"),
    ]
    items = [
        ContinuationItem.model_validate({**common, "id": name, "reply": reply, "label": label})
        for name, reply, label in rows
    ]
    found = dict(zip(CONTINUATIONS, calibrate_continuations(items, Part.SEEN), strict=True))
    assert found["clarifying_question"].false_positive.value == 0.5
    assert found["clarifying_question"].false_negative.value == 0
    assert found["other"].false_negative.value == 1
    assert found["tool_call"].false_negative.value is None
    assert found["other"].name == "continuation: other"


def test_each_class_of_an_explanation_has_its_rates() -> None:
    item = ExplanationItem.model_validate(
        {
            "id": "1",
            "kind": "x",
            "why": "y",
            "language": "en",
            "missing": Missing(),
            "said": "",
            "reply": "",
            "label": "right",
        }
    )
    found = dict(zip(EXPLANATIONS, calibrate_explanations([item], Part.SEEN), strict=True))
    assert found["right"].false_negative.value == found["no_reason"].false_positive.value == 1


def test_the_readers_stay_as_good_as_they_were() -> None:
    for one in completeness_calibrations(Part.SEEN):
        assert one.false_positive.value is not None
        assert one.false_negative.value is not None
        assert one.false_positive.value <= 0.06, one.name
        assert one.false_negative.value <= 0.25, one.name


def test_the_page_on_instruments_prints_the_rates_on_fresh_items() -> None:
    page = (Path(__file__).parents[2] / "docs" / "instruments.md").read_text(encoding="utf-8")
    assert f"```text\n{as_text(completeness_calibrations(Part.HELD_OUT), items=False)}\n```" in page


def test_the_datasheet_counts_the_items() -> None:
    folder = Path(str(files("knowact.reading").joinpath("labelled")))
    sheet = (folder / "completeness.md").read_text(encoding="utf-8")
    for name, model in SETS.items():
        for part, suffix in ((Part.SEEN, ""), (Part.HELD_OUT, "_fresh")):
            assert f"| `{name}{suffix}.jsonl` | {len(labelled(name, model, part))} |" in sheet


def test_reports_get_the_rates_on_fresh_items() -> None:
    every = completeness_instruments()
    assert len(every) == 1 + len(CONTINUATIONS) + len(EXPLANATIONS)
    assert all("held out" in one.what for one in every)
    assert every[0].false_positive == completeness_calibrations(Part.HELD_OUT)[0].false_positive


NOISE = [
    "if " * 50_000,
    "\n".join(["match: yes"] * 20_000),
    "step 1 " * 20_000,
    "{" * 20_000,
    "no tool " * 20_000,
]


@pytest.mark.parametrize("text", NOISE)
def test_noise_without_end_is_read_like_anything_else(text: str) -> None:
    assert read_feasibility(text).label == "unreadable"
    assert read_continuation(text, 0, Situation(Missing())).label != "tool_call"
    assert read_explanation(text, Missing()) != "right"
