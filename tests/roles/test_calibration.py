"""Rates from marks, and what is kept of them."""

import json
from pathlib import Path

import pytest

from knowact.core.errors import BadData
from knowact.core.prompts import Prompt
from knowact.measures.intervals import wilson
from knowact.roles.calibration import (
    Calibration,
    LabelledItem,
    LabelledSet,
    Mark,
    ShownMessage,
    classified,
    keep_answer,
    keep_rates,
    kept_answers,
    known_rates,
    rates_of,
    sampled,
    seen,
)

PROMPT = Prompt("people/extract", "1", "Fill $form.\n")


def item(name: str, text: str = "?") -> LabelledItem:
    return LabelledItem(name, (ShownMessage("user", text),), None, lambda _: None, lambda _: ())


def test_a_rate_counts_the_marks_of_its_kind_and_names_those_that_erred() -> None:
    marks = [
        ("a", Mark("facts", "missed", True)),
        ("b", Mark("facts", "missed", False)),
        ("c", Mark("facts", "false pass", False)),
        ("d", Mark("asked", "missed", True)),
    ]
    rates = {(one.kind, one.what): one for one in rates_of(marks)}
    assert rates["facts", "missed"].estimate == wilson(1, 2)
    assert rates["facts", "missed"].wrong == ("a",)
    assert rates["facts", "false pass"].estimate == wilson(0, 1)
    assert rates["asked", "missed"].wrong == ("d",)


def test_what_is_seen_errs_one_way_where_it_is_there_and_the_other_where_it_is_not() -> None:
    assert seen("asked", got=False, label=True) == Mark("asked", "missed", True)
    assert seen("asked", got=True, label=False) == Mark("asked", "false pass", True)
    assert not seen("asked", got=True, label=True).wrong
    assert not seen("asked", got=False, label=False).wrong


@pytest.mark.parametrize(
    ("got", "label", "wrong"),
    [
        ("yes", "yes", set[tuple[str, str]]()),
        ("no", "yes", {("yes", "missed"), ("no", "false pass")}),
        (None, "yes", {("yes", "missed")}),
        ("yes", "neither", {("yes", "false pass")}),
        (None, "neither", set[tuple[str, str]]()),
    ],
)
def test_a_wrong_class_misses_its_own_and_is_a_false_pass_of_the_other(
    got: str | None, label: str, wrong: set[tuple[str, str]]
) -> None:
    marks = classified(got, label, ("yes", "no"))
    assert {(one.kind, one.what) for one in marks if one.wrong} == wrong
    assert len(marks) == 2


def test_a_sample_is_the_same_every_time_and_grows_at_its_end() -> None:
    whole = LabelledSet("judge", "x", "1", PROMPT, tuple(item(f"i-{number}") for number in range(30)))
    few, more = sampled(whole, 5), sampled(whole, 9)
    assert more[:5] == few
    assert [one.id for one in few] != [one.id for one in whole.items[:5]]
    assert {one.id for one in sampled(whole, 0)} == {one.id for one in whole.items}


def test_rates_are_found_again_by_model_role_and_prompt_alone(tmp_path: Path) -> None:
    rates = rates_of([("a", Mark("facts", "missed", True)), ("b", Mark("facts", "missed", False))])
    keep_rates(tmp_path, Calibration("openai/gpt-x", "extractor", PROMPT, {"claims": "1234"}, rates))
    assert known_rates(tmp_path, "openai/gpt-x", "extractor", PROMPT.sha256) == rates
    assert known_rates(tmp_path, "openai/gpt-y", "extractor", PROMPT.sha256) == ()
    assert known_rates(tmp_path, "openai-gpt-x", "extractor", PROMPT.sha256) == ()
    assert known_rates(tmp_path, "openai/gpt-x", "judge", PROMPT.sha256) == ()
    assert known_rates(tmp_path, "openai/gpt-x", "extractor", "0" * 16) == ()


def test_damaged_rates_are_named_with_their_file(tmp_path: Path) -> None:
    file = keep_rates(tmp_path, Calibration("m/x", "judge", PROMPT, {}, ()))
    kept = json.loads(file.read_text(encoding="utf-8"))
    file.write_text(json.dumps({**kept, "format": "knowact.calibration/9"}), encoding="utf-8")
    with pytest.raises(BadData, match="knowact calibrate"):
        known_rates(tmp_path, "m/x", "judge", PROMPT.sha256)


def test_a_torn_line_costs_its_own_answer_only(tmp_path: Path) -> None:
    file = tmp_path / "answers.jsonl"
    one, two, three = item("a", "first"), item("b", "second"), item("c", "third")
    keep_answer(file, one, "grün\n\ud83d")
    keep_answer(file, two, "two")
    file.write_bytes(file.read_bytes()[:-9])
    keep_answer(file, three, "three")
    assert kept_answers(file) == {one.asked: "grün\n\N{REPLACEMENT CHARACTER}", three.asked: "three"}


def test_an_answer_to_something_else_is_no_answer(tmp_path: Path) -> None:
    file = tmp_path / "answers.jsonl"
    keep_answer(file, item("a", "as it was asked"), "yes")
    assert item("a", "as it is asked now").asked not in kept_answers(file)
    assert kept_answers(tmp_path / "nowhere.jsonl") == {}
