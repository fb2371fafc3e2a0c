"""The published release as items: the files in `fixtures`, and changed copies of them."""

import json
from pathlib import Path
from typing import Any

import pytest

from knowact.core.condition import CLEAN
from knowact.core.errors import BadData
from knowact.core.schema import normalised
from knowact.core.task import Dialogue, Query
from knowact.core.world import Call
from knowact.datasets.deviations import Done, ToolKind
from knowact.suites.ict.cases import Manipulation, Source
from knowact.suites.ict.layout import Benchmark, Kind, looks_published
from knowact.suites.ict.published import Published, PublishedItem, load_published

from .release import (
    AR_AB,
    AR_TB,
    FIXTURES,
    STEMS,
    UR_AB,
    UR_TB,
    loaded,
    pair,
    told,
    write,
)


@pytest.fixture(scope="module")
def published() -> Published:
    return load_published(FIXTURES)


def item(published: Published, name: str) -> PublishedItem:
    (found,) = (one for one in published.items if one.id == name)
    return found


def names(item: PublishedItem) -> list[str]:
    return [tool.name for tool in item.tools]


class TestTheFixtures:
    def test_every_pair_is_an_item_and_its_original(self, published: Published) -> None:
        assert [one.manipulated.part.short for one in published.pairs] == [
            *("AR-AB", "AR-TB", "UR-AB", "UR-TB", "AR-AB", "AR-TB", "UR-AB", "AR-AB"),
        ]
        for one in published.pairs:
            assert (one.manipulated.is_corrupted, one.original.is_corrupted) == (True, False)
            assert one.manipulated.id == one.original.id.replace("original", "manipulated")
            assert one.manipulated.cluster == one.original.cluster
        assert len({one.id for one in published.items}) == 16

    def test_an_item_has_all_that_its_row_says(self, published: Published) -> None:
        one = item(published, "apibank.api_replacement.3.original")
        assert (one.benchmark, one.benchmark.source) == (Benchmark.APIBANK, Source.MULTI_TURN)
        assert one.manipulation is Manipulation.REPLACEMENT
        assert isinstance(one.opening, Dialogue)
        assert [call.tool for said in one.utterances for call in said.calls] == ["QueryMoon"]
        assert one.answer == (Call("QueryTide", {"port": "Hull", "day": "2023-05-04"}),)
        assert (one.place.file.name, one.place.line) == (f"{AR_AB}.jsonl", 4)
        assert one.condition == CLEAN
        assert item(published, "toolbench.api_replacement.450.original").opening == Query(
            text="How strong will the wind be in Brest over the next two days?"
        )

    def test_the_altered_tools_are_found_in_either_column(self, published: Published) -> None:
        own, other = (item(published, f"apibank.api_replacement.{n}.manipulated") for n in (0, 3))
        assert names(own) == ["ReserveSlipway", "QueryTide"]
        assert names(other) == ["QueryMoon", "ReserveSlipway"]
        (found,) = told(published, Kind.OTHER_COLUMN)
        assert (found.item, found.place.field) == (other.id, "api_list")

    def test_originals_show_the_original_tools_whatever_the_other_column_holds(
        self, published: Published
    ) -> None:
        assert names(item(published, "apibank.api_replacement.0.original")) == ["ReserveBerth", "QueryTide"]

    def test_what_is_withheld_follows_from_the_tools_or_is_not_known(self, published: Published) -> None:
        withheld = {one.id: one.withheld for one in published.items}
        assert withheld["apibank.api_replacement.5.manipulated"] == ("tool:OpenSession", "tool:RecordCatch")
        assert withheld["apibank.utterance_removal.0.manipulated"] is None
        assert withheld["apibank.utterance_removal.0.original"] == ()
        condition = item(published, "apibank.utterance_removal.0.manipulated").condition
        assert (condition.name, condition.withheld) == ("utterance_removal", None)

    def test_pairs_of_one_conversation_are_one_cluster(self, published: Published) -> None:
        clusters = {one.id: one.cluster for one in published.items}
        assert clusters["apibank.utterance_removal.0.manipulated"] == "apibank.api_replacement.0"
        assert len(set(clusters.values())) == 5

    def test_an_answer_may_be_pairs_of_tool_and_function(self, published: Published) -> None:
        one = item(published, "toolbench.api_replacement.451.original")
        assert one.answer == (Call("Search"), Call("Forecast"))
        assert names(one) == ["Search", "Yachts.Forecast", "Breeze.Forecast"]

    def test_a_tool_keeps_its_name_when_its_namesake_is_gone(self, published: Published) -> None:
        assert names(item(published, "toolbench.api_replacement.451.manipulated")) == [
            *("Museums", "Strongest gust", "Breeze.Forecast"),
        ]

    def test_a_pair_that_ends_with_a_result_is_set_aside(self, published: Published) -> None:
        (one,) = published.excluded
        assert one.reason is Kind.ENDS_WITH_CALL
        assert [found.id for found in one.items] == [
            "apibank.api_replacement.6.original",
            "apibank.api_replacement.6.manipulated",
        ]
        assert published.excluded_counts == {(one.items[0].part, Kind.ENDS_WITH_CALL): 1}
        with pytest.raises(ValueError, match="the last message of an opening is the user's"):
            _ = one.items[0].opening

    def test_what_departs_from_the_card_is_told_item_by_item(self, published: Published) -> None:
        counts: dict[tuple[str, Done], int] = {}
        for one in published.deviations:
            counts[one.kind, one.done] = counts.get((one.kind, one.done), 0) + 1
        assert counts == {
            (Kind.BOTH_FORMATS, Done.NOTED): 4,
            (Kind.TRAILING, Done.MENDED): 2,
            (Kind.CALL_LOOSE, Done.MENDED): 2,
            (Kind.TYPE_IN_WORDS, Done.NOTED): 2,
            (Kind.OTHER_COLUMN, Done.NOTED): 1,
            (Kind.ENDS_WITH_CALL, Done.EXCLUDED): 2,
            (Kind.SAME_NAME, Done.MENDED): 2,
            (ToolKind.DEFAULT, Done.MENDED): 7,
        }

    def test_all_parameters_have_a_type_that_survives_normalising(self, published: Published) -> None:
        for one in published.items:
            for tool in one.tools:
                assert normalised(tool.parameters).losses == ()
                assert all("type" in schema for schema in tool.properties.values())

    def test_parquet_and_json_lines_give_the_same_items(self, published: Published, tmp_path: Path) -> None:
        for stem in STEMS:
            (tmp_path / f"{stem}.parquet").write_bytes((FIXTURES / f"{stem}.parquet").read_bytes())
        other = load_published(tmp_path)
        assert _plain(other) == _plain(published)
        assert {one.place.line for one in other.items} == {one.place.line for one in published.items}

    def test_a_release_is_told_by_its_file_names(self, tmp_path: Path) -> None:
        assert looks_published(FIXTURES)
        assert looks_published(FIXTURES / "raw")
        assert looks_published(FIXTURES / f"{AR_AB}.parquet")
        assert not looks_published(tmp_path)

    def test_the_folder_of_the_json_lines_and_a_single_file_load_too(self, published: Published) -> None:
        assert load_published(FIXTURES / "raw").info == published.info
        single = load_published(FIXTURES / "raw" / f"{UR_TB}.jsonl")
        assert [one.manipulated.part.short for one in single.pairs] == ["UR-TB"]


def _plain(published: Published) -> list[tuple[Any, ...]]:
    return [
        (one.id, one.utterances, one.tools, one.answer, one.withheld, one.cluster) for one in published.items
    ]


class TestPairs:
    def reasons(self, published: Published) -> list[Kind]:
        return [one.reason for one in published.excluded]

    def test_a_row_without_a_partner_is_set_aside(self, tmp_path: Path) -> None:
        manipulated, original = pair()
        assert self.reasons(loaded(tmp_path / "a", [manipulated])) == [Kind.NO_ORIGINAL]
        assert self.reasons(loaded(tmp_path / "b", [original])) == [Kind.NO_MANIPULATED]

    def test_several_manipulated_rows_may_share_an_original(self, tmp_path: Path) -> None:
        manipulated, original = pair()
        found = loaded(tmp_path, [manipulated, original, manipulated])
        assert [one.original.id for one in found.pairs] == ["apibank.api_replacement.0.original"] * 2
        assert [one.manipulated.id for one in found.pairs] == [
            "apibank.api_replacement.0.manipulated",
            "apibank.api_replacement.0.manipulated-2",
        ]
        assert len(found.items) == 3
        assert len(told(found, Kind.ORIGINAL_SHARED)) == 1

    def test_as_many_originals_as_manipulated_rows_pair_up_in_order(self, tmp_path: Path) -> None:
        found = loaded(tmp_path, [*pair(), *pair()])
        assert [one.original.id for one in found.pairs] == [
            "apibank.api_replacement.0.original",
            "apibank.api_replacement.0.original-2",
        ]

    def test_other_numbers_of_rows_cannot_be_told_apart(self, tmp_path: Path) -> None:
        manipulated, original = pair()
        found = loaded(tmp_path, [manipulated, original, original])
        assert self.reasons(found) == [Kind.AMBIGUOUS]
        assert {one.how for one in told(found, Kind.AMBIGUOUS)} == {"1 manipulated, 2 original"}

    @pytest.mark.parametrize("stem", [AR_AB, UR_AB])
    def test_what_shows_the_same_as_its_original_is_set_aside(self, tmp_path: Path, stem: str) -> None:
        manipulated, original = pair(stem)
        rows = [{**original, "is_corrupted": True, "corruption_api_list": None}, original]
        assert manipulated["is_corrupted"]
        assert self.reasons(loaded(tmp_path, rows, stem)) == [Kind.UNALTERED]

    def test_members_that_no_agent_sees_make_no_difference(self, tmp_path: Path) -> None:
        manipulated, original = pair(AR_TB, 450)
        same = [{**json.loads(one), "method": "POST"} for one in original["api_list"].split("\n")]
        found = loaded(tmp_path, [{**manipulated, "corruption_api_list": repr(same)}, original], AR_TB)
        assert self.reasons(found) == [Kind.UNALTERED]

    def test_a_replacement_that_leaves_the_needed_tool_is_set_aside(self, tmp_path: Path) -> None:
        manipulated, original = pair()
        kept = {**manipulated, "corruption_api_list": original["api_list"].split("\n")[0]}
        assert self.reasons(loaded(tmp_path, [kept, original])) == [Kind.STILL_THERE]

    def test_a_removal_that_only_changes_the_tools_is_set_aside(self, tmp_path: Path) -> None:
        manipulated, original = pair(UR_AB)
        other = {**original, "is_corrupted": True, "api_list": manipulated["api_list"].split("\n")[1]}
        found = loaded(tmp_path, [other, original], UR_AB)
        assert self.reasons(found) == [Kind.UNALTERED]
        assert len(told(found, Kind.TOOLS_DIFFER)) == 1

    def test_a_replacement_with_other_words_is_noted(self, tmp_path: Path) -> None:
        manipulated, original = pair()
        other = {**manipulated, "conversation": "User: Something else."}
        found = loaded(tmp_path, [other, original])
        assert (len(found.pairs), len(told(found, Kind.TEXT_DIFFERS))) == (1, 1)

    def test_tools_that_stand_in_the_other_column_only_are_read_there(self, tmp_path: Path) -> None:
        manipulated, original = pair(UR_AB)
        moved = {**manipulated, "api_list": "", "corruption_api_list": manipulated["api_list"]}
        moved_too = {**original, "api_list": None, "corruption_api_list": original["api_list"]}
        found = loaded(tmp_path, [moved, moved_too], UR_AB)
        assert len(found.pairs) == 1
        assert len(told(found, Kind.OTHER_COLUMN)) == 2


class TestSources:
    def test_missing_files_are_noted(self, tmp_path: Path) -> None:
        found = loaded(tmp_path, pair())
        assert [one.how for one in told(found, Kind.FILE_MISSING)] == [
            f"neither {stem}.jsonl nor {stem}.parquet" for stem in (AR_TB, UR_AB, UR_TB)
        ]

    def test_a_place_without_a_release_is_one_sentence(self, tmp_path: Path) -> None:
        with pytest.raises(BadData, match="holds none of the published files"):
            load_published(tmp_path)
        with pytest.raises(BadData, match="there is no such file or folder"):
            load_published(tmp_path / "nowhere")

    def test_files_without_rows_are_one_sentence(self, tmp_path: Path) -> None:
        with pytest.raises(BadData, match="the files hold no row"):
            load_published(write(tmp_path, {AR_AB: ""}))

    def test_a_broken_line_is_told_with_its_number(self, tmp_path: Path) -> None:
        text = json.dumps(pair()[0]) + "\n{"
        with pytest.raises(BadData, match=rf"{AR_AB}\.jsonl:2: the line is cut off"):
            load_published(write(tmp_path, {AR_AB: text}))

    def test_the_hash_is_that_of_the_files_that_were_read(self, tmp_path: Path) -> None:
        assert loaded(tmp_path / "a", pair()).info == loaded(tmp_path / "b", pair()).info
        assert loaded(tmp_path / "c", pair(sample=3)).info != loaded(tmp_path / "d", pair()).info
