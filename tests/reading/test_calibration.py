"""The readers' error rates on their labelled sets."""

import json
from pathlib import Path

import pytest

from knowact.core.errors import BadData
from knowact.reading.calibration import (
    ClaimItem,
    Outcome,
    Part,
    ToolItem,
    calibrate_claims,
    calibrate_tool_decisions,
    calibrations,
    held_out,
    instruments,
    load,
    summary,
)


def tool_item(item_id: str, reply: str, ending: str, needed: list[str] | None) -> ToolItem:
    label = {"ending": ending, "needed": needed}
    fields = {"id": item_id, "kind": "x", "offered": ["a", "b"], "reply": reply, "label": label, "why": "y"}
    return ToolItem.model_validate(fields)


def claim_item(item_id: str, reply: str, *, label: bool) -> ClaimItem:
    facts = [{"kind": "number", "value": 7}]
    fields = {
        "id": item_id,
        "kind": "x",
        "language": "en",
        "facts": facts,
        "reply": reply,
        "label": label,
        "why": "y",
    }
    return ClaimItem.model_validate(fields)


def test_each_way_to_disagree_about_tools_is_told_apart() -> None:
    answer = '{"tool_decisions": {"a": true, "b": false}}'
    result = calibrate_tool_decisions(
        [
            tool_item("1", answer, "answered", ["a"]),
            tool_item("2", answer, "answered", ["b"]),
            tool_item("3", answer, "unreadable", None),
            tool_item("4", "hm", "answered", ["a"]),
            tool_item("5", "hm", "declined", None),
            tool_item("6", "", "empty", None),
        ]
    )
    assert [one.outcome for one in result.judged] == [
        Outcome.AGREES,
        Outcome.FALSE_POSITIVE,
        Outcome.FALSE_POSITIVE,
        Outcome.FALSE_NEGATIVE,
        Outcome.OTHER_ENDING,
        Outcome.AGREES,
    ]
    assert (result.false_positive.value, result.false_positive.n) == (0.5, 4)
    assert (result.false_negative.value, result.false_negative.n) == (0.5, 2)
    assert result.false_positive.method == "wilson"
    assert len(result.disagreements) == 4


def test_each_way_to_disagree_about_claims_is_told_apart() -> None:
    result = calibrate_claims(
        [
            claim_item("1", "It is 7.", label=True),
            claim_item("2", "It is 7.", label=False),
            claim_item("3", "It is 8.", label=True),
            claim_item("4", "It is 8.", label=False),
        ]
    )
    assert (result.false_positive.value, result.false_positive.n) == (0.5, 2)
    assert (result.false_negative.value, result.false_negative.n) == (0.5, 2)


def test_the_parts_split_the_tool_decisions_without_loss_and_a_third_is_held_out() -> None:
    whole, seen, unseen = (calibrations(part)[0] for part in Part)
    assert {one.id for one in seen.judged} | {one.id for one in unseen.judged} == {
        one.id for one in whole.judged
    }
    assert len(seen.judged) + len(unseen.judged) == len(whole.judged)
    assert all(held_out(one.id) for one in unseen.judged)
    assert 0.25 < len(unseen.judged) / len(whole.judged) < 0.42


def test_the_held_out_claims_are_none_of_the_tuned_ones() -> None:
    whole, tuned, unseen = (calibrations(part)[1] for part in Part)
    assert unseen.part is Part.HELD_OUT
    assert not {one.id for one in tuned.judged} & {one.id for one in unseen.judged}
    assert len(tuned.judged) + len(unseen.judged) == len(whole.judged)


@pytest.mark.parametrize("index", [0, 1])
def test_each_shipped_set_has_two_hundred_items_and_both_answers(index: int) -> None:
    whole = calibrations(Part.ALL)[index]
    assert len(whole.judged) >= 200
    positives = sum(one.positive for one in whole.judged)
    assert 0.3 < positives / len(whole.judged) < 0.7


def test_the_readers_stay_as_good_as_they_were() -> None:
    worst = {"tool decisions": (0.05, 0.05), "claims": (0.02, 0.03)}
    for one in calibrations(Part.SEEN):
        assert one.false_positive.value is not None
        assert one.false_negative.value is not None
        assert one.false_positive.value <= worst[one.name][0]
        assert one.false_negative.value <= worst[one.name][1]


def test_reports_get_the_rates_on_held_out_items() -> None:
    tools, claims = instruments()
    unseen = calibrations(Part.HELD_OUT)
    assert (tools.false_positive, claims.false_negative) == (
        unseen[0].false_positive,
        unseen[1].false_negative,
    )
    assert "held out" in tools.what
    assert "held out" in claims.what


def test_the_summary_names_every_disagreement_unless_only_the_rates_are_wanted() -> None:
    text, rates = summary(Part.SEEN), summary(Part.SEEN, items=False)
    for one in calibrations(Part.SEEN):
        assert f"{one.name}, tuned: {len(one.judged)} items" in rates
        assert all(item.id in text and item.id not in rates for item in one.disagreements)


GOOD = {
    "id": "1",
    "kind": "x",
    "language": "en",
    "facts": [{"kind": "number", "value": 7}],
    "reply": "",
    "label": True,
    "why": "y",
}


@pytest.mark.parametrize(
    ("lines", "where"),
    [
        ([json.dumps(GOOD), json.dumps(GOOD)], ":2, field 'id'"),
        ([json.dumps({**GOOD, "label": None})], ":1, field 'label'"),
        ([json.dumps({**GOOD, "facts": []})], ":1, field 'facts'"),
        ([json.dumps({**GOOD, "extra": 1})], ":1, field 'extra'"),
        ([json.dumps(GOOD)[:-5]], ":1"),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, lines: list[str], where: str) -> None:
    path = tmp_path / "set.jsonl"
    path.write_text("\n".join(lines), encoding="utf-8")
    with pytest.raises(BadData) as raised:
        load(path, ClaimItem)
    assert f"{path}{where}" in str(raised.value)
