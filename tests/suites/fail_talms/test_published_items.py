"""The published sample as items: what the data do not say, and where replies may come from."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from fail_talms_trials import items_of, planned
from knowact.suites.fail_talms.asked import INFORMATION
from knowact.suites.fail_talms.layout import UNAVAILABLE, Split
from knowact.suites.fail_talms.own_items import BREAKS


class TestPublishedData:
    def test_without_replies_nothing_can_be_acted_and_the_two_ways_out_are_named(self, sample: Path) -> None:
        plan = planned(data=str(sample))
        assert "--cassette FILE" in plan.obstacle
        assert "--replies template" in plan.obstacle

    @pytest.mark.parametrize("changed", [{"probe": "awareness"}, {"replies": "template"}], ids=str)
    def test_asking_always_works_and_so_do_sketches(self, sample: Path, changed: dict[str, Any]) -> None:
        assert planned(data=str(sample), **changed).obstacle == ""

    def test_sketches_are_labelled_synthetic_and_told(self, sample: Path) -> None:
        plan = planned(data=str(sample), replies="template")
        assert {item.labels.get("replies") for item in plan.items if item.tools} == {"synthetic"}
        assert any("synthetic" in note for note in plan.notes)

    def test_without_tools_there_is_nothing_to_answer_so_nothing_stands_in_the_way(
        self, sample: Path
    ) -> None:
        assert planned(data=str(sample), setting="no-tools").obstacle == ""
        assert planned(data=str(sample), setting="no-tools", win_rate=True).obstacle

    def test_the_script_has_nothing_to_answer_from(self, sample: Path) -> None:
        assert "--helper model" in planned(data=str(sample), helper="scripted", replies="template").obstacle

    def test_nobody_says_which_detail_an_under_specified_query_lacks(self, sample: Path) -> None:
        for item in items_of(planned(data=str(sample), setting="under-specified", probe="awareness")):
            assert item.missing == frozenset()
            assert item.known is not None
            assert item.known.whole
            assert not item.known.withheld
            assert item.lacks == (INFORMATION,)

    def test_what_a_setting_took_away_is_missing_and_has_words(self, sample: Path) -> None:
        dropped = 0
        for item in items_of(planned(data=str(sample), probe="awareness")):
            words = {part.id: part.words for part in item.parts}
            assert item.missing <= set(words)
            if item.setting in UNAVAILABLE and item.condition.withheld:
                dropped += 1
                assert item.missing == set(item.condition.withheld)
                assert all(words[one] for one in item.missing)
                assert not item.missing & {f"tool:{tool.name}" for tool in item.tools}
        assert dropped

    def test_a_pass_takes_a_judge_and_nothing_is_read_into_a_form(self, sample: Path) -> None:
        plan = planned(data=str(sample), replies="template", limit=3)
        assert plan.headline == ("judge",)
        assert "extractor" not in plan.role_calls
        assert planned(data=str(sample), probe="awareness", limit=3).headline == ()

    def test_minimal_pairs_share_a_cluster_so_a_limit_keeps_them_together(self, sample: Path) -> None:
        every = items_of(planned(data=str(sample), probe="awareness"))
        some = items_of(planned(data=str(sample), probe="awareness", limit=6))
        bases = {item.task.cluster for item in some}
        assert len(bases) == 6
        assert [item.id for item in some] == [item.id for item in every if item.task.cluster in bases]

    def test_distractors_are_functions_that_the_item_has_not_and_are_told_to_be_unproven(
        self, sample: Path
    ) -> None:
        plan = planned(data=str(sample), replies="template", distractors=3, limit=6)
        alone = {item.task.id: item for item in planned(data=str(sample), replies="template", limit=6).items}
        for item in items_of(plan):
            own = [tool.name for tool in alone[item.task.id].tools]
            names = [tool.name for tool in item.tools]
            assert len(set(names)) == len(names) == (len(own) + 3 if own else 0)
            assert names[: len(own)] == own
        assert any("not proven harmless" in note for note in plan.notes)

    def test_broken_tools_are_listed_ones_of_the_perfect_setting(self, sample: Path) -> None:
        items = items_of(planned(data=str(sample), replies="template", broken="all", probe="act"))
        assert {item.setting for item in items} == {Split.PERFECT}
        assert Counter(item.broken for item in items) == dict.fromkeys(BREAKS, len(items) // len(BREAKS))
        for item in items:
            assert not item.wrong
            assert all(change.tool in {tool.name for tool in item.tools} for change in item.condition.changes)

    def test_what_was_mended_is_told_item_by_item(self, sample: Path) -> None:
        plan = planned(data=str(sample), probe="awareness")
        assert any(item.mended for item in items_of(plan))
        assert any("corrected" in note for note in plan.notes)

    def test_recorded_replies_are_part_of_what_the_data_are(self, sample: Path, tmp_path: Path) -> None:
        (item, *_) = [one for one in planned(data=str(sample), probe="awareness").items if one.tools]
        category = item.labels["category"]
        line = {"category": category, "tool": "no such tool", "function": "f", "reply": 1}
        for name, reply in (("one", 1), ("other", 2)):
            (tmp_path / name).write_text(json.dumps({**line, "reply": reply}) + "\n", "utf-8")
        plans = [planned(data=str(sample), cassette=str(tmp_path / name)) for name in ("one", "other")]
        hashes = {plan.dataset.sha256 for plan in (*plans, planned(data=str(sample), probe="awareness"))}
        assert len(hashes) == 3
        assert any("no such tool.f" in note for note in plans[0].notes)
