"""The published benchmark as items: the sample as it was released, and a small release of our own."""

import json
from collections import Counter
from pathlib import Path

import pytest

from knowact.core.condition import CLEAN
from knowact.core.errors import BadData
from knowact.core.names import shown_names
from knowact.core.schema import normalised
from knowact.datasets.deviations import Deviation, ToolKind
from knowact.suites.fail_talms.layout import FAILURES, Kind, Split, find_benchmark
from knowact.suites.fail_talms.published import Published, PublishedItem, load_published

from .release import HARBOUR, MOON, TIDE, Files, function, query, standard, with_combined, write

SAMPLE = {
    Split.PERFECT: 68,
    Split.UNDER_SPECIFIED: 106,
    Split.REPLACEABLE: 40,
    Split.NON_REPLACEABLE: 52,
    Split.NO_TOOLS: 68,
}


def loaded(folder: Path, files: Files) -> Published:
    return load_published(write(folder, files))


def item(published: Published, key: str) -> PublishedItem:
    (found,) = (one for one in published.every if one.id == key)
    return found


@pytest.fixture(scope="module")
def published(sample: Path) -> Published:
    return load_published(sample)


class TestThePublishedSample:
    def test_it_has_the_counts_of_its_own_page(self, published: Published) -> None:
        assert Counter(one.split for one in published.every) == SAMPLE
        assert Counter(one.category for one in published.every if one.split is Split.UNDER_SPECIFIED) == {
            "Art": 27,
            "Weather": 16,
            "Food": 35,
            "Language": 28,
        }

    def test_ids_are_unique_and_outputs_can_refer_to_every_item(self, published: Published) -> None:
        assert len({one.id for one in published.every}) == sum(SAMPLE.values())
        for split, n in SAMPLE.items():
            assert len(published.by_query_id(split)) == n

    def test_every_item_has_the_text_of_its_row_in_the_combined_file(
        self, published: Published, sample: Path
    ) -> None:
        for split in Split:
            file = sample / "benchmark" / split.folder / f"all_{split.folder}_queries.json"
            rows = json.loads(file.read_text(encoding="utf-8"))
            found = published.by_query_id(split)
            assert {row["query_id"]: row["query"] for row in rows} == {
                k: one.query for k, one in found.items()
            }
            for row in rows:
                names = [entry["api_name"] for entry in row["api_list"]]
                assert [one.key.name for one in found[row["query_id"]].functions] == names

    def test_only_one_query_was_not_altered_and_it_is_set_aside(self, published: Published) -> None:
        assert [(one.id, one.excluded) for one in published.excluded] == [
            ("under-specified.Food.1.4", Kind.UNALTERED)
        ]
        assert published.excluded_counts == {(Split.UNDER_SPECIFIED, Kind.UNALTERED): 1}

    def test_what_departs_from_the_layout_is_told_item_by_item(self, published: Published) -> None:
        found = Counter(one.kind for one in published.deviations)
        assert found == {
            Kind.RELEVANT_MISSING: 15,
            ToolKind.DEFAULT: 16,
            Kind.REPLY_ELSEWHERE: 18,
            Kind.UNALTERED: 1,
            Kind.TEXT_DIFFERS: 19,
            Kind.FUNCTIONS_DIFFER: 4,
        }
        for one in published.deviations:
            assert one.place.line is not None
            assert one.how
        assert {one.item for one in published.deviations if one.kind is Kind.FUNCTIONS_DIFFER} == {
            f"under-specified.Art.2.{variant}" for variant in (2, 3, 4, 5)
        }

    def test_what_is_withheld_follows_from_the_original_or_is_not_known(self, published: Published) -> None:
        for one in published.every:
            if one.split is Split.UNDER_SPECIFIED:
                assert one.withheld is None
            elif one.split is Split.PERFECT:
                assert one.withheld == ()
            else:
                assert one.withheld is not None
                assert len(one.withheld) == 1 + (one.split is Split.NO_TOOLS)
            assert one.original is not None
        assert item(published, "unavailable-non-replaceable.Language.18.1").withheld == ("tool:gettext",)

    def test_variants_of_one_base_query_are_one_cluster_in_all_settings(self, published: Published) -> None:
        clusters = {one.cluster for one in published.every if one.split is Split.PERFECT}
        assert len(clusters) == 68
        assert {one.cluster for one in published.every} == clusters

    def test_every_schema_is_carried_whole_and_every_name_can_be_shown(self, published: Published) -> None:
        assert len(published.pool) == 104
        for pooled in published.pool:
            assert normalised(pooled.tool.parameters).losses == ()
        for one in published.every:
            names = [found.tool.name for found in one.functions]
            assert len(set(shown_names(names).values())) == len(names)

    def test_no_parameter_of_a_number_became_a_text(self, published: Published) -> None:
        (weather,) = (one for one in published.pool if one.key.name == "get_weather_forecast")
        assert weather.tool.properties["latitude"]["type"] == "number"
        assert weather.tool.properties["daily"]["type"] == "array"
        assert "default" not in weather.tool.properties["latitude"]

    def test_sketches_of_replies_are_kept_and_empty_ones_made_up_for(self, published: Published) -> None:
        functions = [
            one for found in published.items if found.split is Split.PERFECT for one in found.functions
        ]
        assert Counter(one.reply is None for one in functions) == {False: 107 + 4 + 10, True: 15}

    def test_any_prefix_of_a_setting_is_spread_over_the_categories(self, published: Published) -> None:
        for split in Split:
            first = [one.category for one in published.items if one.split is split][:4]
            assert sorted(first) == ["Art", "Food", "Language", "Weather"]

    def test_without_the_single_files_most_originals_are_told_by_their_text(
        self, published: Published, sample: Path, tmp_path: Path
    ) -> None:
        for split in Split:
            file = sample / "benchmark" / split.folder / f"all_{split.folder}_queries.json"
            write(tmp_path, {f"benchmark/{split.folder}/{file.name}": file.read_text(encoding="utf-8")})
        combined = load_published(tmp_path)
        assert Counter(one.split for one in combined.every) == SAMPLE
        names = {
            one.cluster: combined.by_query_id(Split.PERFECT)[number].cluster
            for number, one in published.by_query_id(Split.PERFECT).items()
        }
        right = {
            split: sum(
                names[one.cluster] == combined.by_query_id(split)[number].cluster
                for number, one in published.by_query_id(split).items()
            )
            for split in Split
        }
        assert right == {**SAMPLE, Split.UNDER_SPECIFIED: 99}


class TestASmallRelease:
    def test_a_release_its_benchmark_or_a_part_of_it_can_be_named(self, tmp_path: Path) -> None:
        write(tmp_path, with_combined(standard()))
        whole = load_published(tmp_path)
        assert len(whole.every) == 9
        assert load_published(tmp_path / "benchmark").info == whole.info
        part = {name: value for name, value in standard().items() if "Underspecified" in name}
        assert len(loaded(tmp_path / "part", part).items) == 2

    def test_the_layout_is_told_by_its_folders(self, tmp_path: Path) -> None:
        assert find_benchmark(tmp_path, list[Deviation]()) is None
        assert find_benchmark(write(tmp_path, standard()), list[Deviation]()) is not None

    def test_an_item_has_all_that_its_files_say(self, tmp_path: Path) -> None:
        one = item(loaded(tmp_path, with_combined(standard())), "unavailable-replaceable.Harbour.1.1")
        assert (one.category, one.base, one.variant, one.query_id) == (HARBOUR, 1, 1, 1)
        assert (one.query, one.original, one.cluster) == (TIDE, TIDE, "Harbour.1")
        assert (one.place.file.name, one.place.line) == ("query_1_1.json", 2)
        (offered,) = one.functions
        assert offered.key == (HARBOUR, "tides", "next_high_water")
        assert offered.tool.description == "Descriptor's words for next_high_water."
        assert (offered.tool.category, offered.tool.server) == (HARBOUR, "tides")
        assert offered.reply == {"answer": "text"}
        assert offered.tool.parameters == {
            "type": "object",
            "properties": {
                "port": {"type": "string", "description": "Which port."},
                "days": {"type": "integer", "default": 3},
            },
            "required": ["port"],
        }

    def test_settings_are_conditions(self, tmp_path: Path) -> None:
        published = loaded(tmp_path, standard())
        conditions = {one.split: one.condition for one in published.items if one.base == 1}
        assert conditions[Split.PERFECT] == CLEAN
        assert {split: one.name for split, one in conditions.items() if split is not Split.PERFECT} == {
            split: split.value for split in (*FAILURES, Split.NO_TOOLS)
        }
        assert {split: one.withheld for split, one in conditions.items()} == {
            Split.PERFECT: (),
            Split.UNDER_SPECIFIED: None,
            Split.REPLACEABLE: ("tool:free_berth",),
            Split.NON_REPLACEABLE: ("tool:next_high_water",),
            Split.NO_TOOLS: ("tool:next_high_water", "tool:free_berth"),
        }

    def test_a_clean_release_has_no_departures_but_its_defaults(self, tmp_path: Path) -> None:
        published = loaded(tmp_path, with_combined(standard()))
        assert {one.kind for one in published.deviations} == {ToolKind.DEFAULT}
        assert len([one for one in published.deviations if one.kind is ToolKind.DEFAULT]) == 4
        assert published.excluded == ()

    def test_the_hash_is_that_of_the_queries_and_of_the_descriptors_they_use(self, tmp_path: Path) -> None:
        first = loaded(tmp_path / "a", standard()).info
        unused = {**standard(), "tools/Harbour/unused.json": "{"}
        assert loaded(tmp_path / "b", unused).info == first
        changed = {
            **standard(),
            "tools/Harbour/tides.json": json.dumps(standard()["tools/Harbour/tides.json"]),
        }
        assert loaded(tmp_path / "c", changed).info != first

    def test_the_pool_holds_every_function_but_those_for_asking_people(self, tmp_path: Path) -> None:
        files = standard()
        helper = files["tools/Harbour/tides.json"]
        published = loaded(tmp_path, {**files, "tools/HumanInteract/humaninteract.json": helper})
        names = ["free_berth", "book_berth", "next_high_water", "moon_phase"]
        assert [one.key.name for one in published.pool] == names

    def test_a_copy_of_a_descriptor_adds_nothing_to_the_pool(self, tmp_path: Path) -> None:
        files = standard()
        copy = {**files, "tools/Harbour/tides copy.json": files["tools/Harbour/tides.json"]}
        assert loaded(tmp_path, copy).pool == loaded(tmp_path / "x", files).pool

    def test_a_query_that_only_the_combined_file_has_is_an_item_too(self, tmp_path: Path) -> None:
        files = with_combined(standard())
        del files["benchmark/Underspecified/Harbour/query_2_1.json"]
        published = loaded(tmp_path, files)
        one = item(published, "under-specified.Harbour.q2")
        assert (one.base, one.cluster) == (None, "Harbour.2")
        kinds = {found.kind for found in published.deviations if found.item == one.id}
        assert kinds == {Kind.ROW_WITHOUT_FILE, Kind.ORIGINAL_BY_TEXT}

    def test_a_row_with_other_functions_is_taken_for_the_query_of_its_text(self, tmp_path: Path) -> None:
        files = with_combined(standard())
        name = "benchmark/Replaceable/all_Replaceable_queries.json"
        row = {**files[name][0], "api_list": [function(MOON)]}
        published = loaded(tmp_path, {**files, name: [row]})
        one = item(published, "unavailable-replaceable.Harbour.1.1")
        assert (one.query_id, [found.key.name for found in one.functions]) == (1, ["next_high_water"])
        assert len(published.every) == 9
        assert Kind.ROW_DIFFERS in {found.kind for found in published.deviations}

    def test_a_query_that_the_combined_file_lacks_has_no_id_for_outputs(self, tmp_path: Path) -> None:
        files = with_combined(standard())
        name = "benchmark/Replaceable/all_Replaceable_queries.json"
        published = loaded(tmp_path, {**files, name: []})
        one = item(published, "unavailable-replaceable.Harbour.1.1")
        assert one.query_id is None
        assert Kind.FILE_WITHOUT_ROW in {found.kind for found in published.deviations}

    def test_two_queries_of_one_text_in_two_categories_keep_their_own_id(self, tmp_path: Path) -> None:
        """Without tools a row does not say its category; the original of its id does."""
        files = standard()
        for split in ("Original", "No-tools"):
            row = files[f"benchmark/{split}/Harbour/query_1.json"]
            files[f"benchmark/{split}/Airport/query_7.json"] = row
        files = with_combined(files)
        name = "benchmark/No-tools/all_No-tools_queries.json"
        rows = files[name]
        # Airport stands first on disk; here its row comes last, with the id that its original has.
        original = files["benchmark/Original/all_Original_queries.json"]
        original[0]["query_id"], original[-1]["query_id"] = 30, 1
        rows[0]["query_id"], rows[-1]["query_id"] = 30, 1
        published = loaded(tmp_path, {**files, name: [*rows[1:], rows[0]]})
        by_id = published.by_query_id(Split.NO_TOOLS)
        originals = published.by_query_id(Split.PERFECT)
        assert {number: one.category for number, one in by_id.items()} == {
            number: one.category for number, one in originals.items()
        }


class TestWhatCannotBeUsed:
    @pytest.mark.parametrize(
        ("name", "value", "said"),
        [
            ("Original/Harbour/query_1.json", "[", r"query_1\.json:1: the file is cut off"),
            ("Original/Harbour/query_1.json", "[]", "holds no rows instead of one"),
            (
                "Original/Harbour/query_1.json",
                '[\n{"a": 1},\n{}\n]',
                r"query_1\.json:3: the file holds 2 rows",
            ),
            ("Original/Harbour/query_1.json", "[1]", r"query_1\.json:1: this row is not a JSON object"),
            (
                "Original/Harbour/query_1.json",
                "[{}]",
                r"query_1\.json:1, field 'query': this field is missing",
            ),
            (
                "Original/Harbour/query_1.json",
                [{"query": " "}],
                "field 'query': this must be a text that is not blank",
            ),
            ("Original/Harbour/query_1.json", [{"query": "x"}], "field 'api_list': this field is missing"),
            (
                "Original/Harbour/query_1.json",
                [{"query": "x", "api_list": 5}],
                "input should be a valid list",
            ),
            (
                "Original/Harbour/query_1.json",
                [{"query": "x", "api_list": ["tides"]}],
                r"field 'api_list\[0\]': input should be a valid dictionary",
            ),
            (
                "Original/Harbour/query_1.json",
                [{"query": "x", "api_list": [{"category_name": "Harbour", "tool_name": "tides"}]}],
                r"field 'api_list\[0\]\.api_name': this field is missing",
            ),
            (
                "Original/all_Original_queries.json",
                [{"query": "x"}],
                "field 'query_id': this field is missing",
            ),
            (
                "Original/all_Original_queries.json",
                [query("x", query_id=4), query("y", query_id="4")],
                "the id 4 occurs twice in this file",
            ),
        ],
    )
    def test_it_is_told_with_file_line_and_member(
        self, tmp_path: Path, name: str, value: object, said: str
    ) -> None:
        with pytest.raises(BadData, match=said):
            loaded(tmp_path, {**standard(), f"benchmark/{name}": value})

    def test_a_folder_of_another_layout_is_one_sentence(self, tmp_path: Path) -> None:
        with pytest.raises(BadData, match="has none of the published folders"):
            load_published(tmp_path)
        with pytest.raises(BadData, match="there is no such folder"):
            load_published(tmp_path / "nowhere")

    def test_folders_without_a_query_are_another_layout(self, tmp_path: Path) -> None:
        with pytest.raises(BadData, match="none of the published folders holds a query"):
            loaded(tmp_path, {"benchmark/Original/all_Original_queries.json": []})
