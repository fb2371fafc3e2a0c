"""The feedback study on the published layout: the gold call, with and without what only the original says."""

import json
from pathlib import Path
from typing import Any

import pytest

from ict_trials import RELEASE, items_of, planned
from knowact.core.errors import BadUsage
from knowact.suites.ict.asked import AskedItem

from .release import UR_AB, changed, pair, write

CALLS = {
    ("incomplete", "fails"): (
        {"day": "2023-05-04"},
        {"error": {"code": "bad_arguments", "message": "QueryTide: 'port' is missing"}},
    ),
    ("incomplete", "succeeds"): ({"port": "Hull", "day": "2023-05-04"}, {"status": "success"}),
    ("complete", "fails"): (
        {"port": "Hull", "day": "2023-05-04"},
        {"error": {"code": "unavailable", "message": "The service is unavailable at the moment."}},
    ),
    ("complete", "succeeds"): ({"port": "Hull", "day": "2023-05-04"}, {"status": "success"}),
}
"""Of sample 3, whose shortened dialogue says the day and does not say "Hull"."""


def after_a_call(data: str | Path = RELEASE, **options: Any) -> tuple[AskedItem, ...]:
    return items_of(planned(data=str(data), probe="feedback", **options))


def cells(items: tuple[AskedItem, ...]) -> dict[tuple[str, str], Any]:
    found = {(one.gold, one.labels["call"]): one.outcome for one in items}
    return {cell: (call.arguments, call.result) for cell, call in found.items() if call is not None}


class TestTheRelease:
    def test_has_four_cells_of_each_removal_whose_gold_call_can_be_shown(self) -> None:
        assert cells(after_a_call(source="multi-turn")) == CALLS

    def test_has_the_papers_three_by_the_published_rules(self) -> None:
        found = cells(after_a_call(source="multi-turn", rules="published"))
        assert found == {cell: call for cell, call in CALLS.items() if cell != ("complete", "succeeds")}

    def test_says_how_many_removals_it_leaves_out_and_why(self) -> None:
        run = planned(data=RELEASE, probe="feedback")
        assert {item.labels["part"] for item in items_of(run)} == {"UR-AB", "UR-TB"}
        (note,) = [note for note in run.notes if note.startswith("Left out")]
        assert note.startswith("Left out: 1 of 3 removals, because no argument")

    def test_shows_nothing_of_replacements(self) -> None:
        assert {item.labels["manipulation"] for item in after_a_call()} == {"utterance_removal"}

    def test_a_limit_counts_removals_with_a_call(self) -> None:
        assert len(after_a_call(limit=1)) == 4

    def test_each_item_is_that_of_the_other_probes_but_for_the_call(self) -> None:
        plain = {(item.pair, item.gold): item for item in items_of(planned(data=RELEASE))}
        for item in after_a_call():
            version = plain[item.pair, item.gold]
            assert (item.task.opening, item.tools, item.lacks) == (
                version.task.opening,
                version.tools,
                version.lacks,
            )


class TestWhatIsLost:
    """One pair whose gold call is another."""

    def found(self, folder: Path, answer: str, **columns: Any) -> dict[tuple[str, str], Any]:
        rows = changed(pair(UR_AB, 3), answer=answer, **columns)
        return cells(after_a_call(write(folder, {UR_AB: rows})))

    def test_is_an_argument_that_stands_in_the_original_alone(self, tmp_path: Path) -> None:
        found = self.found(tmp_path, "QueryTide(day='Hull', port='full moon')")
        arguments, result = found["incomplete", "fails"]
        assert (arguments, result["error"]["message"]) == (
            {"port": "full moon"},
            "QueryTide: 'day' is missing",
        )

    def test_is_any_part_of_a_list(self, tmp_path: Path) -> None:
        found = self.found(tmp_path, "QueryTide(port=['Hull', 'moon'], day='2023-05-04')")
        assert found["incomplete", "fails"][0] == {"day": "2023-05-04"}

    @pytest.mark.parametrize(
        "answer",
        [
            "",
            "[['Ports', 'QueryTide']]",
            "QueryTide(day='2023-05-04')",
            "QueryTide(port='Hul', day='2023-05-04')",
            "QueryTide(port='', day=None)",
            "AskTheHarbourMaster(port='Hull')",
            "QueryTide(harbour='Hull')",
        ],
        ids=["none", "without arguments", "all said", "in a word", "nothing", "not offered", "no parameter"],
    )
    def test_is_not_guessed_at(self, tmp_path: Path, answer: str) -> None:
        with pytest.raises(BadUsage, match="No call can be shown for 1 of 1 removals"):
            self.found(tmp_path, answer)

    def test_is_no_argument_that_a_call_can_go_without(self, tmp_path: Path) -> None:
        descriptor = {
            "api_name": "QueryTide",
            "api_description": "High water.",
            "required_parameters": [],
            "optional_parameters": [{"name": "port", "type": "STRING", "description": "", "default": ""}],
        }
        with pytest.raises(BadUsage, match="no argument that their gold call takes"):
            self.found(tmp_path, "QueryTide(port='Hull')", api_list=json.dumps([descriptor]))
