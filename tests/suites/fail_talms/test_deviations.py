"""Every kind of deviation in published files: it is taken, and told item by item."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from knowact.datasets.deviations import Deviation, DeviationKind, Done, ToolKind, counted
from knowact.suites.fail_talms.layout import Kind
from knowact.suites.fail_talms.published import Published, PublishedItem, load_published

from .release import (
    BOOK,
    FREE,
    HIGH_WATER,
    MOON,
    TIDE,
    Files,
    Row,
    descriptor,
    function,
    query,
    standard,
    with_combined,
    without,
    write,
)

ORIGINAL = "benchmark/Original/Harbour/query_1.json"
MASKED = "benchmark/Underspecified/Harbour/query_1_1.json"
REPLACEABLE = "benchmark/Replaceable/Harbour/query_1_1.json"
NON_REPLACEABLE = "benchmark/Non-replaceable/Harbour/query_1_1.json"


def loaded(folder: Path, changed: Files, removed: Sequence[str] = ()) -> Published:
    files = {name: value for name, value in {**standard(), **changed}.items() if name not in removed}
    return load_published(write(folder, with_combined(files)))


def item(published: Published, key: str) -> PublishedItem:
    (found,) = (one for one in published.every if one.id == key)
    return found


def told(published: Published, kind: DeviationKind) -> Deviation:
    """The only departure of one kind."""
    (found,) = (one for one in published.deviations if one.kind is kind)
    return found


def base(**changed: Any) -> Row:
    return query(TIDE, function(HIGH_WATER), function(FREE), **changed)


class TestMembers:
    def test_missing_relevant_apis_are_an_empty_list(self, tmp_path: Path) -> None:
        published = loaded(tmp_path, {ORIGINAL: [without(base(), "relevant APIs")]})
        found = told(published, Kind.RELEVANT_MISSING)
        assert (found.done, found.item) == (Done.MENDED, "perfect.Harbour.1")
        assert found.place.file.name == "query_1.json"
        assert item(published, found.item).relevant == ()

    def test_relevant_apis_in_another_spelling_are_read(self, tmp_path: Path) -> None:
        row: Row = {**without(base(), "relevant APIs"), "relevant_APIs": []}
        found = told(loaded(tmp_path, {ORIGINAL: [row]}), ToolKind.SPELLING)
        assert (found.place.field, found.done) == ("relevant_APIs", Done.MENDED)
        assert "'relevant APIs'" in found.how

    @pytest.mark.parametrize(
        ("written", "names"),
        [
            (["next_high_water", "free_berth"], ("next_high_water", "free_berth")),
            ([{"tool_name": "tides", "api_name": "next_high_water"}], ("tides.next_high_water",)),
            ([["tides", "next_high_water"]], ("tides.next_high_water",)),
            ("free_berth", ("free_berth",)),
        ],
    )
    def test_filled_relevant_apis_are_kept_and_told(
        self, tmp_path: Path, written: object, names: tuple[str, ...]
    ) -> None:
        published = loaded(tmp_path, {ORIGINAL: [base(**{"relevant APIs": written})]})
        assert item(published, "perfect.Harbour.1").relevant == names
        found = told(published, Kind.RELEVANT_FILLED)
        assert found.done is Done.NOTED
        assert names[0] in found.how

    def test_a_description_under_its_other_name_is_read(self, tmp_path: Path) -> None:
        """Only where there is no descriptor is the query's own description needed."""
        entry = {**without(function(HIGH_WATER), "api_description"), "description": "When the tide turns."}
        rows = {ORIGINAL: [query(TIDE, entry, function(FREE))]}
        published = loaded(tmp_path, rows, ["tools/Harbour/tides.json"])
        first = item(published, "perfect.Harbour.1").functions[0]
        assert first.tool.description == "When the tide turns."
        assert told(published, ToolKind.SPELLING).place.field == "api_list[0].description"

    def test_a_query_of_a_file_that_is_no_list_is_read(self, tmp_path: Path) -> None:
        files = standard()
        published = load_published(write(tmp_path, {**files, ORIGINAL: base()}))
        assert item(published, "perfect.Harbour.1").query == TIDE
        assert told(published, Kind.NOT_A_LIST).done is Done.MENDED

    def test_functions_in_the_setting_without_tools_are_not_offered(self, tmp_path: Path) -> None:
        published = loaded(tmp_path, {"benchmark/No-tools/Harbour/query_1.json": [base()]})
        assert item(published, "no-tools.Harbour.1").functions == ()
        assert told(published, Kind.OFFERED_WITHOUT_TOOLS).item == "no-tools.Harbour.1"


class TestFileNames:
    @pytest.mark.parametrize(
        "name",
        ["query_1_3..json", "query_1 _3.json", "query_1. _3.json", " query_1_3.json", "Query_1_3.JSON"],
    )
    def test_irregular_names_are_read(self, tmp_path: Path, name: str) -> None:
        row = [query("When is high water?", function(HIGH_WATER), function(FREE))]
        published = loaded(tmp_path, {f"benchmark/Underspecified/Harbour/{name}": row})
        one = item(published, "under-specified.Harbour.1.3")
        assert (one.base, one.variant, one.query_id is not None) == (1, 3, True)
        assert told(published, Kind.FILE_NAME).item == one.id

    def test_of_two_files_of_one_number_the_irregular_one_takes_the_next(self, tmp_path: Path) -> None:
        row = [query("High water, when?", function(HIGH_WATER), function(FREE))]
        published = loaded(tmp_path, {"benchmark/Underspecified/Harbour/query_1 _1.json": row})
        assert item(published, "under-specified.Harbour.1.1").query.startswith("When")
        assert item(published, "under-specified.Harbour.1.2").query == "High water, when?"
        assert told(published, Kind.FILE_NAME).how == "read as query 1, variant 2"

    def test_two_originals_of_one_number_both_have_an_id(self, tmp_path: Path) -> None:
        row = [query("Another one?", function(HIGH_WATER), function(FREE))]
        published = loaded(tmp_path, {"benchmark/Original/Harbour/query_1..json": row})
        assert item(published, "perfect.Harbour.1").query == TIDE
        assert item(published, "perfect.Harbour.1.2").query == "Another one?"
        assert item(published, "no-tools.Harbour.1").original == TIDE

    @pytest.mark.parametrize(
        "name",
        ["bug_checker-2.ipynb", "notes.json", "query.json", "query_1234567.json", "Harbour/check.ipynb"],
    )
    def test_files_that_are_no_queries_are_passed_over_and_told(self, tmp_path: Path, name: str) -> None:
        published = loaded(tmp_path, {f"benchmark/Original/{name}": "no JSON at all"})
        found = told(published, Kind.STRAY_FILE)
        assert (found.done, found.place.file.name) == (Done.NOTED, Path(name).name)
        assert len(published.every) == 9

    def test_hidden_files_are_not_worth_a_word(self, tmp_path: Path) -> None:
        published = loaded(tmp_path, {"benchmark/Original/.DS_Store": "", "benchmark/.git/x": ""})
        assert Kind.STRAY_FILE not in {one.kind for one in published.deviations}

    def test_folders_in_another_spelling_are_read(self, tmp_path: Path) -> None:
        files = {
            name.replace("Non-replaceable", "Non-Replaceable"): value
            for name, value in with_combined(standard()).items()
        }
        published = load_published(write(tmp_path, files))
        assert len([one for one in published.items if one.split == "unavailable-non-replaceable"]) == 2
        assert told(published, Kind.FOLDER_NAME).how == "taken for Non-replaceable"

    def test_the_ids_inside_single_files_mean_nothing(self, tmp_path: Path) -> None:
        published = loaded(tmp_path, {ORIGINAL: [base(query_id=4)], MASKED: [without(base(), "query_id")]})
        assert item(published, "perfect.Harbour.1").query_id == 1


class TestTools:
    @pytest.mark.parametrize(
        "key", [("Tides", "next_high_water"), ("tides", "Next_High_Water"), ("TIDES", "NEXT_HIGH_WATER")]
    )
    def test_names_in_another_letter_case_find_their_descriptor(
        self, tmp_path: Path, key: tuple[str, str]
    ) -> None:
        rows = {ORIGINAL: [query(TIDE, function(key), function(FREE))]}
        published = loaded(tmp_path, rows)
        first = item(published, "perfect.Harbour.1").functions[0]
        assert first.key == ("Harbour", "tides", "next_high_water")
        assert first.tool.description.startswith("Descriptor's words")
        found = told(published, Kind.TOOL_NAME)
        assert (found.item, found.place.field) == ("perfect.Harbour.1", "api_list[0]")
        assert item(published, "unavailable-non-replaceable.Harbour.1.1").withheld == (
            "tool:next_high_water",
        )

    def test_an_unavailable_tool_query_keeps_its_tool_in_any_letter_case(self, tmp_path: Path) -> None:
        published = loaded(tmp_path, {REPLACEABLE: [query(TIDE, function(("TIDES", "next_high_water")))]})
        one = item(published, "unavailable-replaceable.Harbour.1.1")
        assert [found.tool.name for found in one.functions] == ["next_high_water"]
        assert one.withheld == ("tool:free_berth",)

    def test_a_descriptor_is_found_by_the_tool_that_it_declares(self, tmp_path: Path) -> None:
        files = {"tools/Harbour/berth_service.json": descriptor("berths", "free_berth", "book_berth")}
        published = loaded(tmp_path, files, ["tools/Harbour/berths.json"])
        second = item(published, "perfect.Harbour.1").functions[1]
        assert second.key.tool == "berth_service"
        assert second.tool.description.startswith("Descriptor's words")
        assert {one.kind for one in published.deviations if one.item} == {Kind.TOOL_NAME}

    def test_members_of_a_descriptor_may_be_spelt_in_another_way(self, tmp_path: Path) -> None:
        entry = {"Name": " next_high_water ", "Required-Parameters": [{"NAME": "port", "type": "STRING"}]}
        files = {"tools/Harbour/tides.json": {"tool_name": "tides", "API list": [entry]}}
        published = loaded(tmp_path, files)
        first = item(published, "perfect.Harbour.1").functions[0]
        assert (first.tool.name, [*first.tool.properties]) == ("next_high_water", ["port"])
        assert [one.key.name for one in published.pool if one.key.tool == "tides"] == ["next_high_water"]

    @pytest.mark.parametrize(
        ("removed", "changed", "kind"),
        [
            (["tools/Harbour/tides.json"], {}, Kind.DESCRIPTOR_MISSING),
            ([], {"tools/Harbour/tides.json": descriptor("tides", "moon_phase")}, Kind.DESCRIPTOR_MISSING),
            ([], {"tools/Harbour/tides.json": '{"api_list": ['}, Kind.DESCRIPTOR_UNREADABLE),
            ([], {"tools/Harbour/tides.json": {"api_list": "none"}}, Kind.DESCRIPTOR_UNREADABLE),
        ],
    )
    def test_without_a_descriptor_the_querys_own_words_are_taken(
        self, tmp_path: Path, removed: list[str], changed: Files, kind: Kind
    ) -> None:
        published = loaded(tmp_path, changed, removed)
        first = item(published, "perfect.Harbour.1").functions[0]
        assert first.tool.description == "Query's words for next_high_water."
        assert first.tool.required == ("port",)
        found = [one for one in published.deviations if one.item == "perfect.Harbour.1"]
        assert [(one.kind, one.done) for one in found] == [(kind, Done.MENDED)]

    def test_a_release_without_descriptors_is_described_by_its_queries(self, tmp_path: Path) -> None:
        removed = ["tools/Harbour/tides.json", "tools/Harbour/berths.json"]
        published = loaded(tmp_path, {}, removed)
        words = {one.tool.description for found in published.items for one in found.functions}
        assert all(text.startswith("Query's words") for text in words)
        assert published.pool == ()

    def test_of_two_functions_of_one_name_both_can_be_reached(self, tmp_path: Path) -> None:
        files = {
            "tools/Harbour/almanac.json": descriptor("almanac", "moon_phase"),
            ORIGINAL: [query(TIDE, function(MOON), function(("almanac", "moon_phase")))],
        }
        published = loaded(tmp_path, files)
        names = [one.tool.name for one in item(published, "perfect.Harbour.1").functions]
        assert names == ["tides.moon_phase", "almanac.moon_phase"]
        kinds = [one for one in published.deviations if one.kind is Kind.SAME_NAME]
        assert [one.place.field for one in kinds] == ["api_list[0].api_name", "api_list[1].api_name"]

    def test_a_function_offered_twice_is_offered_once(self, tmp_path: Path) -> None:
        rows = {ORIGINAL: [query(TIDE, function(HIGH_WATER), function(FREE), function(HIGH_WATER))]}
        published = loaded(tmp_path, rows)
        names = [one.tool.name for one in item(published, "perfect.Harbour.1").functions]
        assert names == ["next_high_water", "free_berth"]
        assert told(published, Kind.LISTED_TWICE).place.field == "api_list[2]"

    def test_a_sketch_of_the_reply_under_another_name_is_taken(self, tmp_path: Path) -> None:
        entry = {**without(function(HIGH_WATER), "template_response"), "response_format": {"at": "time"}}
        published = loaded(tmp_path, {ORIGINAL: [query(TIDE, entry, function(FREE))]})
        first = item(published, "perfect.Harbour.1").functions[0]
        assert first.reply == {"at": "time"}
        assert told(published, Kind.REPLY_ELSEWHERE).item == "perfect.Harbour.1"


class TestAgainstTheOriginal:
    @pytest.mark.parametrize("text", [TIDE, TIDE.upper(), f"  {TIDE.replace('?', ' !')}"])
    def test_a_query_that_was_not_altered_is_set_aside(self, tmp_path: Path, text: str) -> None:
        published = loaded(tmp_path, {MASKED: [query(text, function(HIGH_WATER), function(FREE))]})
        assert [one.id for one in published.excluded] == ["under-specified.Harbour.1.1"]
        assert told(published, Kind.UNALTERED).done is Done.EXCLUDED

    def test_the_same_text_with_other_functions_is_no_unaltered_query(self, tmp_path: Path) -> None:
        published = loaded(tmp_path, {MASKED: [query(TIDE, function(MOON), function(FREE))]})
        assert published.excluded == ()
        assert told(published, Kind.FUNCTIONS_DIFFER).item == "under-specified.Harbour.1.1"

    def test_a_lost_function_is_told(self, tmp_path: Path) -> None:
        published = loaded(tmp_path, {MASKED: [query("When?", function(HIGH_WATER))]})
        found = told(published, Kind.FUNCTIONS_DIFFER)
        assert found.how == "next_high_water; there next_high_water, free_berth"

    def test_repeated_text_is_told_and_kept(self, tmp_path: Path) -> None:
        row = standard()[MASKED]
        files = {f"benchmark/Underspecified/Harbour/query_1_{number}.json": row for number in (2, 3)}
        published = loaded(tmp_path, files)
        found = [one for one in published.deviations if one.kind is Kind.REPEATED]
        assert [one.item for one in found] == ["under-specified.Harbour.1.2", "under-specified.Harbour.1.3"]
        assert all("under-specified.Harbour.1.1" in one.how for one in found)
        assert published.excluded == ()
        ids = {one.query_id for one in published.items if one.split == "under-specified"}
        assert ids == {1, 2, 3, 4}

    def test_an_exact_repeat_of_an_unavailable_tool_is_told(self, tmp_path: Path) -> None:
        row = standard()[NON_REPLACEABLE]
        published = loaded(tmp_path, {"benchmark/Non-replaceable/Harbour/query_1_2.json": row})
        assert told(published, Kind.REPEATED).item == "unavailable-non-replaceable.Harbour.1.2"

    def test_a_query_of_which_nothing_was_dropped_is_set_aside(self, tmp_path: Path) -> None:
        published = loaded(tmp_path, {NON_REPLACEABLE: [base()]})
        assert [(one.id, one.withheld) for one in published.excluded] == [
            ("unavailable-non-replaceable.Harbour.1.1", ())
        ]
        assert told(published, Kind.NOTHING_DROPPED).done is Done.EXCLUDED

    def test_two_functions_left_of_three_are_told(self, tmp_path: Path) -> None:
        three = (function(HIGH_WATER), function(FREE), function(BOOK))
        files = {ORIGINAL: [query(TIDE, *three)], NON_REPLACEABLE: [query(TIDE, *three[:2])]}
        published = loaded(tmp_path, files)
        assert item(published, "unavailable-non-replaceable.Harbour.1.1").withheld == ("tool:book_berth",)
        assert told(published, Kind.SEVERAL_LEFT).how == "next_high_water, free_berth, of 3"

    def test_a_base_query_that_is_not_there_leaves_what_was_dropped_unknown(self, tmp_path: Path) -> None:
        row = standard()[REPLACEABLE]
        published = loaded(tmp_path, {"benchmark/Replaceable/Harbour/query_9_1.json": row})
        one = item(published, "unavailable-replaceable.Harbour.9.1")
        assert (one.withheld, one.original, one.cluster) == (None, None, "Harbour.9")
        assert told(published, Kind.NO_ORIGINAL).item == one.id

    def test_the_same_query_with_both_labels_is_set_aside_twice(self, tmp_path: Path) -> None:
        published = loaded(tmp_path, {NON_REPLACEABLE: standard()[REPLACEABLE]})
        assert {one.id for one in published.excluded} == {
            "unavailable-replaceable.Harbour.1.1",
            "unavailable-non-replaceable.Harbour.1.1",
        }
        assert {one.excluded for one in published.excluded} == {Kind.CONTRADICTORY}
        assert sum(published.excluded_counts.values()) == 2

    @pytest.mark.parametrize("name", [REPLACEABLE, "benchmark/No-tools/Harbour/query_1.json"])
    def test_a_text_that_differs_is_told_and_what_was_dropped_still_follows(
        self, tmp_path: Path, name: str
    ) -> None:
        row = {**standard()[name][0], "query": "When is high water in Whitby, and what about a berth?"}
        published = loaded(tmp_path, {name: [row]})
        found = told(published, Kind.TEXT_DIFFERS)
        assert TIDE in found.how
        assert "tool:free_berth" in (item(published, found.item).withheld or ())

    def test_a_function_that_the_original_lacks_leaves_what_was_dropped_unknown(self, tmp_path: Path) -> None:
        published = loaded(tmp_path, {REPLACEABLE: [query(TIDE, function(MOON))]})
        assert item(published, "unavailable-replaceable.Harbour.1.1").withheld is None
        assert told(published, Kind.FUNCTIONS_DIFFER).item == "unavailable-replaceable.Harbour.1.1"

    def test_an_original_with_functions_of_one_tool_is_told(self, tmp_path: Path) -> None:
        published = loaded(tmp_path, {ORIGINAL: [query(TIDE, function(HIGH_WATER), function(MOON))]})
        assert told(published, Kind.ONE_TOOL).item == "perfect.Harbour.1"

    def test_an_original_with_one_function_is_fine(self, tmp_path: Path) -> None:
        published = loaded(tmp_path, {ORIGINAL: [query(TIDE, function(HIGH_WATER))]})
        assert Kind.ONE_TOOL not in {one.kind for one in published.deviations}


class TestWhatDeviates:
    def test_departures_are_counted_by_kind_in_a_fixed_order(self, tmp_path: Path) -> None:
        files = {ORIGINAL: [without(base(), "relevant APIs")], MASKED: [without(base(), "relevant APIs")]}
        published = loaded(tmp_path, files)
        found = counted(published.deviations)
        assert found[Kind.RELEVANT_MISSING, Done.MENDED] == 2
        assert found[Kind.UNALTERED, Done.EXCLUDED] == 1
        order: list[DeviationKind] = [*Kind, *ToolKind]
        assert [kind for kind, _ in found] == sorted((kind for kind, _ in found), key=order.index)

    def test_a_departure_reads_as_a_line(self, tmp_path: Path) -> None:
        published = loaded(tmp_path, {ORIGINAL: [without(base(), "relevant APIs")]})
        line = str(told(published, Kind.RELEVANT_MISSING))
        file = tmp_path / ORIGINAL
        assert line == f"{file}:2: 'relevant APIs' missing (corrected): taken for an empty list"

    def test_where_nothing_deviates_nothing_is_counted(self) -> None:
        assert counted([]) == {}
