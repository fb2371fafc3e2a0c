"""Columns of published files that hold something else than the card says: mended, told or refused."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from knowact.core.errors import BadData, BadUsage
from knowact.core.world import Call
from knowact.datasets.deviations import ToolKind
from knowact.suites.ict.cases import Manipulation
from knowact.suites.ict.layout import Benchmark, Kind, corruption_types
from knowact.suites.ict.published import Published, load_published

from .release import (
    AR_AB,
    AR_TB,
    FIXTURES,
    UR_AB,
    Row,
    changed,
    loaded,
    pair,
    standard,
    told,
    without,
)

REMOVAL = {"Dialogue": Manipulation.REMOVAL}


class TestCorruptionTypes:
    @pytest.mark.parametrize("value", ["Dialogue", "user", "", "2"])
    def test_an_unknown_one_is_reported_with_all_values_and_not_guessed(
        self, tmp_path: Path, value: str
    ) -> None:
        rows = [*pair(UR_AB, 3), *changed(pair(UR_AB), corruption_type=value)]
        with pytest.raises(BadData) as caught:
            loaded(tmp_path, rows, UR_AB)
        said = str(caught.value)
        assert f"{UR_AB}.jsonl:3, field 'corruption_type'" in said
        assert f"it is not known what the corruption type {value!r} stands for" in said
        assert "'Utterance' (2 rows)" in said
        assert f"{value!r} (2 rows)" in said
        assert f"--corruption-types {value!r}=utterance_removal" in said

    def test_whoever_knows_can_say_it(self, tmp_path: Path) -> None:
        rows = changed(pair(UR_AB), corruption_type="Dialogue")
        found = loaded(tmp_path, rows, UR_AB, corruption_types=REMOVAL)
        assert len(found.pairs) == 1
        assert [one.how for one in told(found, Kind.TYPE_IN_WORDS)] == [
            "'Dialogue' is utterance_removal, as it was said"
        ]

    def test_it_must_not_contradict_the_files_name(self, tmp_path: Path) -> None:
        with pytest.raises(BadData, match="named apibank_utterance_removal, but this row says 'API'"):
            loaded(tmp_path, changed(pair(UR_AB), corruption_type="API"), UR_AB)

    def test_null_leaves_it_to_the_files_name(self, tmp_path: Path) -> None:
        assert len(loaded(tmp_path, changed(pair(UR_AB), corruption_type=None), UR_AB).pairs) == 1

    def test_of_very_many_values_some_are_shown(self, tmp_path: Path) -> None:
        rows = [row for n in range(15) for row in changed(pair(), corruption_type=f"x{n}")]
        with pytest.raises(BadData, match=r"'x0' \(2 rows\), .*'x11' \(2 rows\), and 3 more\. Fix"):
            loaded(tmp_path, rows)

    def test_anything_but_a_text_is_refused(self, tmp_path: Path) -> None:
        with pytest.raises(BadData, match=r"corruption type 3 stands for; the file has 3 \(2 rows\)"):
            loaded(tmp_path, changed(pair(), corruption_type=3))

    def test_meanings_are_read_from_a_text(self) -> None:
        assert corruption_types("") == {}
        assert corruption_types(" Dialogue = utterance_removal , x=API replacement") == {
            "Dialogue": Manipulation.REMOVAL,
            "x": Manipulation.REPLACEMENT,
        }

    @pytest.mark.parametrize("text", ["Dialogue", "=utterance_removal", "Dialogue=", "Dialogue=words"])
    def test_a_text_that_says_no_meaning_is_refused(self, text: str) -> None:
        with pytest.raises(BadUsage, match="VALUE=api_replacement or utterance_removal"):
            corruption_types(text)


class TestFilesOfOtherNames:
    def one_file(self, folder: Path, rows: Sequence[Row]) -> Published:
        file = folder / "train.jsonl"
        file.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
        return load_published(file)

    def test_their_columns_say_what_is_in_them(self, tmp_path: Path) -> None:
        rows = [row for rows in standard().values() for row in rows]
        found = self.one_file(tmp_path, rows)
        assert sorted(one.manipulated.id for one in found.pairs) == sorted(
            one.manipulated.id for one in load_published(FIXTURES).pairs
        )

    @pytest.mark.parametrize("dataset", ["RapidAPI", None])
    def test_an_unknown_benchmark_is_refused_with_its_values(
        self, tmp_path: Path, dataset: str | None
    ) -> None:
        rows = changed(pair(AR_TB, 450), source_file_id={"dataset": dataset})
        with pytest.raises(BadData) as caught:
            self.one_file(tmp_path, rows)
        assert "train.jsonl:1, field 'source_file_id.dataset'" in str(caught.value)
        assert f"it has {dataset!r} (2 rows)" in str(caught.value)

    def test_a_missing_corruption_type_is_refused(self, tmp_path: Path) -> None:
        with pytest.raises(BadData, match=r"train\.jsonl:1, field 'corruption_type': the row does not say"):
            self.one_file(tmp_path, without(pair(), "corruption_type"))


class TestColumns:
    def test_an_unknown_benchmark_in_a_published_file_is_noted_once(self, tmp_path: Path) -> None:
        rows = changed(pair(AR_TB, 450), source_file_id={"dataset": "RapidAPI"})
        (found,) = told(loaded(tmp_path, rows, AR_TB), Kind.SOURCE_UNKNOWN)
        assert found.how == "'RapidAPI' (2 rows): toolbench by the file's name"

    def test_another_benchmark_than_the_files_is_refused(self, tmp_path: Path) -> None:
        rows = changed(pair(), source_file_id={"dataset": "toolbench"})
        with pytest.raises(BadData, match="named apibank_api_replacement, but this row says 'toolbench'"):
            loaded(tmp_path, rows)

    def test_the_origin_may_be_the_text_of_an_object(self, tmp_path: Path) -> None:
        rows = changed(pair(), source_file_id="{'dataset': 'api-bank', 'id': '0'}")
        assert loaded(tmp_path, rows).items[0].benchmark is Benchmark.APIBANK

    def test_other_spellings_and_columns_are_told_once(self, tmp_path: Path) -> None:
        rows = [{**row, "isCorrupted": row["is_corrupted"], "split": "test"} for row in pair()]
        found = loaded(tmp_path, without(rows, "is_corrupted"))
        assert len(found.pairs) == 1
        assert [one.how for one in told(found, ToolKind.SPELLING)] == [
            "'isCorrupted' was read as 'is_corrupted'"
        ]
        assert [one.place.field for one in told(found, Kind.COLUMN_UNKNOWN)] == ["split"]

    def test_a_thought_is_told(self, tmp_path: Path) -> None:
        found = loaded(tmp_path, changed(pair(), corruption_thought="The slipway is no berth."))
        assert len(told(found, Kind.THOUGHT)) == 2

    @pytest.mark.parametrize("answer", [None, ""])
    def test_an_item_may_be_without_an_answer(self, tmp_path: Path, answer: object) -> None:
        found = loaded(tmp_path, changed(pair(), answer=answer))
        assert {one.answer for one in found.items} == {()}
        assert len(told(found, Kind.ANSWER_MISSING)) == 2

    @pytest.mark.parametrize("answer", ["reserve the berth", 7, [7], {"name": "x"}])
    def test_an_answer_that_is_no_call_is_told(self, tmp_path: Path, answer: object) -> None:
        found = loaded(tmp_path, changed(pair(), answer=answer))
        assert {one.answer for one in found.items} == {()}
        assert len(told(found, Kind.ANSWER_UNREADABLE)) == 2

    def test_an_answer_may_keep_api_banks_prefix(self, tmp_path: Path) -> None:
        found = loaded(tmp_path, changed(pair(), answer="API-Request: [ReserveBerth(marina='Up')]"))
        assert found.items[0].answer == (Call("ReserveBerth", {"marina": "Up"}),)

    def test_an_answer_that_calls_what_the_complete_item_lacks_is_noted(self, tmp_path: Path) -> None:
        (found,) = told(loaded(tmp_path, changed(pair(), answer="Fly(to='Hull')")), Kind.ANSWER_NOT_OFFERED)
        assert (found.item, found.how) == ("apibank.api_replacement.0.original", "it calls 'Fly'")

    @pytest.mark.parametrize("answer", ["Forecast_for_Breeze(place='Brest')", "forecast(place='Brest')"])
    def test_an_answer_may_spell_a_tool_as_toolbench_does(self, tmp_path: Path, answer: str) -> None:
        found = loaded(tmp_path, changed(pair(AR_TB, 450), answer=answer), AR_TB)
        assert told(found, Kind.ANSWER_NOT_OFFERED) == []

    @pytest.mark.parametrize(
        ("columns", "said"),
        [
            ({"is_corrupted": "yes"}, "'is_corrupted': input should be a valid boolean"),
            ({"original_sample_id": "x"}, "'original_sample_id': this must be a whole number"),
            ({"conversation": " "}, "'conversation': this must be a text that is not blank"),
            ({"conversation": None}, "'conversation': input should be a valid string"),
            ({"api_list": "x", "corruption_api_list": None}, "'api_list': the tools cannot be read"),
            ({"api_list": None, "corruption_api_list": None}, "'api_list': this must be a list of tools"),
            ({"corruption_api_list": "{'name': x}"}, "'corruption_api_list': the tools cannot be read"),
        ],
    )
    def test_what_cannot_be_used_is_told_with_file_line_and_column(
        self, tmp_path: Path, columns: Mapping[str, Any], said: str
    ) -> None:
        with pytest.raises(BadData, match=rf"{AR_AB}\.jsonl:\d, field {said}"):
            loaded(tmp_path, changed(pair(), **columns))

    @pytest.mark.parametrize("column", ["is_corrupted", "original_sample_id", "conversation"])
    def test_a_missing_column_is_told(self, tmp_path: Path, column: str) -> None:
        with pytest.raises(BadData, match=f"field '{column}': this field is missing"):
            loaded(tmp_path, without(pair(), column))
