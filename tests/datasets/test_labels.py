"""Labels of people: read with complaints that say where, and laid over the records that they are about."""

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knowact.core.errors import BadData
from knowact.core.record import Outcome, Record, Result
from knowact.core.table import DatasetInfo, Run
from knowact.datasets.labels import PASS_HUMAN, Label, attach, read_labels


def written(folder: Path, text: str) -> Path:
    file = folder / "labels.csv"
    file.write_text(text, encoding="utf-8")
    return file


def record(item: str, condition: str = "clean", epoch: int = 1) -> Record:
    return Record(
        item=item,
        condition=condition,
        epoch=epoch,
        cluster=item,
        labels={},
        offered=(),
        required=frozenset(),
        outcomes={"act": Outcome.ANSWERED},
        results={"pass": Result.of(1)},
    )


def run(*records: Record, model: str = "openai/small", name: str = "one") -> Run:
    info = DatasetInfo("everyday", "1-A", "0")
    return Run(name, "fail_talms", info, model, {}, ("a.eval",), len(records), records)


def results(*runs: Run) -> Mapping[tuple[str, str, str, int], float]:
    return {
        (one.id, rec.item, rec.condition, rec.epoch): rec.value(PASS_HUMAN)
        for one in runs
        for rec in one.records
        if PASS_HUMAN in rec.results
    }


class TestReading:
    def test_every_column_is_taken(self, tmp_path: Path) -> None:
        text = "item,passed,condition,epoch,model,run,annotator\na,yes,clean,2,small,one,Ann\n"
        (label,) = read_labels(written(tmp_path, text))
        assert label == Label("a", True, "clean", 2, "small", "one", "Ann", line=2)

    @pytest.mark.parametrize(
        ("word", "passed"),
        [("yes", True), ("YES", True), ("1", True), ("no", False), ("No", False), ("0", False)],
    )
    def test_labels_are_yes_no_one_and_zero(self, tmp_path: Path, word: str, passed: bool) -> None:  # noqa: FBT001 - what is expected
        (label,) = read_labels(written(tmp_path, f"item,passed\na, {word} \n"))
        assert label.passed is passed

    @pytest.mark.parametrize("mark", [";", "\t", ","])
    def test_spreadsheets_of_any_country_are_read(self, tmp_path: Path, mark: str) -> None:
        text = (
            mark.join(["\ufeffPassed", "Item", "remark"])
            + "\n"
            + mark.join(["no", "a", '"1,5; well"'])
            + "\n"
        )
        assert read_labels(written(tmp_path, text)) == (Label("a", False, line=2),)

    def test_rows_without_a_label_and_blank_lines_are_passed_over(self, tmp_path: Path) -> None:
        text = "\nitem,passed\n\na,\n,,\nb,no\n".replace(",,", ",")
        assert read_labels(written(tmp_path, text)) == (Label("b", False, line=6),)

    def test_a_cell_of_several_lines_does_not_shift_the_lines_that_are_named(self, tmp_path: Path) -> None:
        text = 'item,passed,remark\na,yes,"one\ntwo\nthree"\nb,perhaps,\n'
        with pytest.raises(BadData, match="'perhaps' is not a label") as caught:
            read_labels(written(tmp_path, text))
        assert caught.value.place.line == 5

    def test_the_same_label_twice_is_one(self, tmp_path: Path) -> None:
        assert len(read_labels(written(tmp_path, "item,passed\na,yes\na,1\n"))) == 1

    @pytest.mark.parametrize(
        ("text", "line", "column", "words"),
        [
            ("", 1, None, "'item' is missing"),
            ("item,result\na,yes\n", 1, None, "'passed' is missing"),
            ("item,pased\na,yes\n", 1, "pased", "call it 'passed'"),
            ("item,passed,epochs\na,yes,1\n", 1, "epochs", "call it 'epoch'"),
            ("item,passed,item\na,yes,b\n", 1, "item", "two columns"),
            ("item,passed\na,yes\nb,maybe\n", 3, "passed", "'maybe' is not a label"),
            ("item,passed\n,yes\n", 2, "item", "the item is missing"),
            ("item,passed,epoch\na,yes,0\n", 2, "epoch", "'0' is not an epoch"),
            ("item,passed,epoch\na,yes,1.0\n", 2, "epoch", "'1.0' is not an epoch"),
            (f"item,passed,epoch\na,yes,{'9' * 5000}\n", 2, "epoch", "is not an epoch"),
            ("item,passed\na,yes,oh\n", 2, None, "3 cells, but the header has 2"),
            ("item,passed\na\n", 2, None, "1 cells, but the header has 2"),
            ('item,passed\n"a,yes\n', 2, None, "not CSV"),
            (
                "item,passed,annotator\na,yes,Ann\nb,no,Ann\na,no,Ann\n",
                4,
                "passed",
                "contradicts .* on line 2",
            ),
            ("item,passed\na,yes\na,no\n", 3, "passed", "name the annotators"),
            ("item,passed\na,\n", None, None, "holds no label"),
        ],
        ids=range(16),
    )
    def test_complaints_say_line_and_column(
        self, tmp_path: Path, text: str, line: int | None, column: str | None, words: str
    ) -> None:
        file = written(tmp_path, text)
        with pytest.raises(BadData, match=words) as caught:
            read_labels(file)
        place = caught.value.place
        assert (place.file, place.line, place.field) == (file, line, column)

    def test_what_cannot_be_read_is_named(self, tmp_path: Path) -> None:
        with pytest.raises(BadData, match="cannot be read"):
            read_labels(tmp_path / "nowhere.csv")
        (tmp_path / "latin.csv").write_bytes("item,passed\nä,yes\n".encode("latin-1"))
        with pytest.raises(BadData, match="not UTF-8"):
            read_labels(tmp_path / "latin.csv")

    @settings(deadline=None, max_examples=200)
    @given(st.text(max_size=60))
    def test_nothing_but_a_complaint_comes_of_noise(self, tmp_path_factory: Any, text: str) -> None:
        file = tmp_path_factory.mktemp("noise") / "labels.csv"
        file.write_bytes(("item,passed\n" + text).encode("utf-8", "surrogatepass"))
        with suppress(BadData):
            assert all(label.item and label.line > 1 for label in read_labels(file))


class TestAttaching:
    def test_a_label_becomes_a_result_and_nothing_else_changes(self) -> None:
        one = run(record("a"), record("b"))
        attached = attach([one], [Label("a", True, annotator="Ann"), Label("b", False)])
        first, second = attached.runs[0].records
        assert first.results == {"pass": Result.of(1), PASS_HUMAN: Result.of(1, by="human", why="Ann")}
        assert second.results[PASS_HUMAN] == Result.of(0, by="human")
        assert one.records[0].results == {"pass": Result.of(1)}
        assert attached.labelled == 2
        assert attached.notes == ("Labelled trials: 2.",)

    def test_what_the_file_says_picks_the_trial(self) -> None:
        small = run(record("a"), record("a", "no-tools"), record("a", epoch=2))
        large = run(record("a"), model="openai/large", name="two")
        labels = [
            Label("a", True, condition="no-tools"),
            Label("a", False, epoch=2),
            Label("a", True, model="large"),
            Label("a", False, run="one", condition="clean", epoch=1),
        ]
        assert results(*attach([small, large], labels).runs) == {
            ("one", "a", "no-tools", 1): 1,
            ("one", "a", "clean", 2): 0,
            ("two", "a", "clean", 1): 1,
            ("one", "a", "clean", 1): 0,
        }

    def test_a_label_that_fits_nothing_is_counted_and_said(self) -> None:
        labels = [Label("c", True, line=n) for n in range(2, 9)] + [Label("a", True, model="huge", line=9)]
        attached = attach([run(record("a"))], labels)
        assert results(*attached.runs) == {}
        assert attached.notes[1:] == ("Labels that match no trial: 8 (line 2, 3, 4, 5, 6, …).",)

    def test_a_label_that_fits_several_trials_goes_to_none(self) -> None:
        """Every model gave another answer; nobody knows which of them was judged."""
        runs = [run(record("a")), run(record("a"), model="openai/large", name="two")]
        attached = attach(runs, [Label("a", True, line=2)])
        assert results(*attached.runs) == {}
        assert attached.notes[1:] == (
            "Labels that match several trials: 1 (line 2). Add condition, epoch, model or run.",
        )

    def test_people_who_disagree_give_none_and_are_counted(self) -> None:
        labels = [
            Label("a", True, annotator="Ann"),
            Label("a", False, annotator="Bob", condition="clean"),
            Label("b", True, annotator="Ann"),
            Label("b", True, annotator="Bob"),
        ]
        attached = attach([run(record("a"), record("b"))], labels)
        assert results(*attached.runs) == {("one", "b", "clean", 1): 1}
        assert attached.runs[0].records[1].results[PASS_HUMAN].why == "Ann, Bob"
        assert attached.notes[1:] == ("Trials left unlabelled because annotators disagree: 1.",)

    @settings(deadline=None, max_examples=100)
    @given(
        st.lists(
            st.builds(
                Label,
                item=st.sampled_from("abc"),
                passed=st.booleans(),
                condition=st.sampled_from(("", "clean", "no-tools")),
                epoch=st.sampled_from((None, 1, 2)),
                annotator=st.sampled_from(("Ann", "Bob")),
            ),
            max_size=8,
        ),
        st.randoms(),
    )
    def test_the_order_of_labels_makes_no_difference_to_the_numbers(
        self, labels: list[Label], rng: Any
    ) -> None:
        one = run(*(record(item, condition) for item in "ab" for condition in ("clean", "no-tools")))
        mixed = list(labels)
        rng.shuffle(mixed)
        first, second = attach([one], labels), attach([one], mixed)
        assert results(*first.runs) == results(*second.runs)
        assert (first.labelled, first.disagreed) == (second.labelled, second.disagreed)
        placed = len(labels) - len(first.unmatched) - len(first.ambiguous)
        assert placed >= first.labelled + first.disagreed
