"""The paper's tables from published records: the sample's reference values, and a release counted by hand."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from knowact.core.errors import BadData
from knowact.core.table import Estimate
from knowact.datasets.deviations import Deviation
from knowact.measures.intervals import wilson
from knowact.suites.fail_talms.layout import Split
from knowact.suites.fail_talms.outputs import Label, PublishedRun, read_outputs, tally
from knowact.suites.fail_talms.rescoring import Rescored, rescore

from .release import (
    MOONLIT,
    Files,
    answer,
    asked,
    info_label,
    outputs,
    standard,
    tool_label,
    with_combined,
    write,
)


class Reference(NamedTuple):
    """What the outputs of one published run come to."""

    folder: str
    model: str
    n: int
    passed: int
    labels: str
    unexpected: int
    skipped: int
    asked: int
    held: int | None


REFERENCE = [
    Reference("Original", "claude3.5_sonnet_auto_eval", 17, 14, "17/0/0", 14, 0, 0, None),
    Reference("Original", "gpt_4o_auto_eval", 18, 16, "18/0/0", 16, 0, 0, None),
    Reference("Original", "llama_70B_auto_eval", 17, 3, "17/0/0", 3, 0, 0, None),
    Reference("Underspecified", "claude3.5_sonnet_auto_eval", 27, 4, "2/17/8", 1, 8, 0, None),
    Reference("Underspecified", "claude3.5_sonnet_auto_eval_qaq", 26, 20, "3/21/2", 3, 2, 22, None),
    Reference("Underspecified", "gpt_4o_auto_eval", 27, 7, "13/11/3", 5, 3, 0, None),
    Reference("Underspecified", "gpt_4o_auto_eval_qaq", 27, 20, "11/15/1", 9, 1, 18, None),
    Reference("Underspecified", "llama_70B_auto_eval", 27, 2, "14/5/8", 2, 8, 0, None),
    Reference("Underspecified", "llama_70B_auto_eval_qaq", 26, 9, "8/16/2", 2, 2, 12, None),
    Reference("Replaceable", "claude3.5_sonnet_auto_eval", 40, 21, "24/15/1", 17, 1, 0, None),
    Reference("Replaceable", "gpt_4o_auto_eval_qaq", 37, 25, "35/1/1", 25, 1, 2, None),
    Reference("Non-replaceable", "claude3.5_sonnet_auto_eval", 28, 3, "5/20/3", 2, 3, 0, None),
    Reference("Non-replaceable", "llama_70B_auto_eval_qaq", 28, 1, "23/2/3", 1, 3, 3, None),
    Reference("No-tools", "claude3.5_sonnet_auto_eval", 19, 5, "", 0, 0, 0, 2),
    Reference("No-tools", "gpt_4o_auto_eval", 19, 16, "", 0, 0, 0, 7),
    Reference("No-tools", "llama_70B_auto_eval", 19, 11, "", 0, 0, 0, 7),
]

Cells = Mapping[tuple[str, ...], Estimate]


def cells(found: Rescored, table: str, *, also: tuple[str, ...] = ()) -> Cells:
    """The numbers of one table by (model, setting, number, what else, column)."""
    (one,) = (each for each in found.tables if each.id == table)
    return {
        (
            *(row.keys[name] for name in ("model", "setting", "number", *also) if name in row.keys),
            row.measure,
        ): row.estimate
        for row in one.rows
    }


def ids(found: Rescored) -> list[str]:
    return [table.id for table in found.tables]


@pytest.fixture(scope="module")
def runs(sample: Path) -> Mapping[tuple[str, str], PublishedRun]:
    found = read_outputs(sample, None, list[Deviation]())
    return {(one.split.folder, one.file.parent.name): one for one in found}


@pytest.fixture(scope="module")
def rescored(sample: Path) -> Rescored:
    return rescore(sample)


class TestTheSample:
    @pytest.mark.parametrize("row", REFERENCE, ids=lambda row: f"{row.folder}-{row.model}")
    def test_counts_are_the_reference_values(
        self, runs: Mapping[tuple[str, str], PublishedRun], row: Reference
    ) -> None:
        found = tally(runs[row.folder, row.model])
        labels = "/".join(str(found.labels[label]) for label in Label) if row.labels else ""
        counted = (found.n, found.passed, labels, found.unexpected, found.skipped, found.asked, found.held)
        assert counted == row[2:]

    @pytest.mark.parametrize("row", REFERENCE, ids=lambda row: f"{row.folder}-{row.model}")
    def test_tables_are_made_of_the_reference_values(self, rescored: Rescored, row: Reference) -> None:
        helper = row.model.endswith("_qaq")
        model = row.model.removesuffix("_qaq").removesuffix("_auto_eval")
        (split,) = (one for one in Split if one.folder == row.folder)
        table = cells(rescored, "table-2" if helper else "table-1")
        by_definition = {
            key[2]: one for key, one in table.items() if key[:2] == (model, split) and key[3] == "definition"
        }
        as_published = {
            key[2]: one for key, one in table.items() if key[:2] == (model, split) and key[3] == "published"
        }
        assert by_definition["pass rate"] == wilson(row.passed, row.n - row.skipped)
        held = row.passed if row.held is None else row.held
        assert as_published["pass rate"] == wilson(held, row.n)
        if row.labels:
            yes, idk, no = map(int, row.labels.split("/"))
            aware = yes if split is Split.PERFECT else idk + no
            assert by_definition["awareness"] == wilson(aware, row.n)
            assert as_published["awareness"] == wilson(idk if split is Split.REPLACEABLE else aware, row.n)
            if split is not Split.PERFECT:
                assert by_definition["unexpected success"] == wilson(row.unexpected, row.n)
                surprises = no if split is Split.REPLACEABLE else row.unexpected
                assert as_published["unexpected success"] == wilson(surprises, row.n)
        if helper:
            assert by_definition["interaction"] == wilson(row.asked, row.n)
            assert as_published["interaction"] == wilson(row.asked, row.n - row.skipped)
        else:
            assert by_definition["skipped"] == as_published["skipped"] == wilson(row.skipped, row.n)

    def test_every_model_is_in_every_table_qwen_too(self, rescored: Rescored) -> None:
        models = {"claude3.5_sonnet", "gpt_4o", "qwen2_72B", "llama_8B", "llama_70B", "llama_405B"}
        for table in ("table-1", "table-2", "asking", "counts"):
            (one,) = (each for each in rescored.tables if each.id == table)
            assert {row.keys["model"] for row in one.rows} == models

    def test_models_that_were_never_compared_are_named(self, rescored: Rescored) -> None:
        (note,) = (note for note in rescored.notes if "never compared with" in note)
        assert "llama_8B, qwen2_72B" in note
        table = cells(rescored, "table-1")
        assert table["qwen2_72B", "no-tools", "pass rate", "published"].value == 0
        assert table["qwen2_72B", "no-tools", "pass rate", "definition"] == wilson(5, 19)

    def test_all_six_intervals_of_table_3_are_there_with_both_denominators(self, rescored: Rescored) -> None:
        table = cells(rescored, "table-3")
        assert len(table) == 12
        assert {key[3] for key in table} == {"definition", "published"}
        assert {one.n for key, one in table.items() if key[3] == "published"} == {599, 575, 314}
        gpt = table["gpt_4o", "under-specified", "pass rate", "definition"]
        assert gpt == wilson(7, 27 - 3), "3 were skipped"

    def test_repeated_records_are_told_and_left_out_where_they_should_not_count(
        self, rescored: Rescored
    ) -> None:
        assert len([note for note in rescored.notes if "a record repeats an id" in note]) == 6
        cleaned = cells(rescored, "cleaned", also=("run",))
        assert {key[:2] for key in cleaned} == {
            (model, "unavailable-replaceable")
            for model in ("claude3.5_sonnet", "llama_405B", "llama_70B", "llama_8B", "qwen2_72B")
        }
        kept = {key: one.n for key, one in cleaned.items() if key[-1] == "cleaned"}
        assert {n for key, n in kept.items() if key[2] != "pass rate"} == {37}
        assert (
            kept[
                "claude3.5_sonnet", "unavailable-replaceable", "pass rate", "with a person to ask", "cleaned"
            ]
            == 35
        )
        paired = cells(rescored, "asking", also=("rules",))
        first = paired["claude3.5_sonnet", "unavailable-replaceable", "pass rate", "published", "difference"]
        assert first.n == 36
        attempted = paired[
            "claude3.5_sonnet", "unavailable-replaceable", "pass rate", "definition", "difference"
        ]
        assert attempted.n < 36, "some were skipped"

    def test_every_departure_is_there_for_programs(self, rescored: Rescored) -> None:
        kinds = [one["kind"] for one in rescored.details]
        assert kinds.count("'relevant APIs' missing") == 15
        assert kinds.count("a record repeats an id") == 6
        assert all(
            set(one) == {"item", "kind", "done", "how", "file", "line", "field"} for one in rescored.details
        )

    def test_the_categories_are_those_of_the_sample(self, rescored: Rescored) -> None:
        (table,) = (one for one in rescored.tables if one.id == "categories")
        found = {
            (row.keys["category"], row.keys["counted"], row.keys["setting"]): row.estimate.value
            for row in table.rows
        }
        assert found["Food", "published (on disk)", "under-specified"] == 35
        assert found["Food", "definition (usable)", "under-specified"] == 34
        assert found["Language", "with a published answer", "perfect"] == 18
        assert found["all", "published (on disk)", "unavailable-non-replaceable"] == 52

    def test_a_persons_rulings_are_held_against_the_graders(self, rescored: Rescored) -> None:
        (table,) = (one for one in rescored.tables if one.id == "people")
        found = {row.measure: row.estimate for row in table.rows}
        assert found["agreement"] == wilson(15, 17)
        assert found["passed by the person"] == wilson(15, 17)


def small(folder: Path, runs: Mapping[tuple[str, str], object], *, benchmark: bool = True) -> Path:
    """A release with these outputs."""
    files: Files = {**outputs(runs), **(with_combined(standard()) if benchmark else {})}
    return write(folder, files)


class TestACountByHand:
    @pytest.fixture
    def release(self, tmp_path: Path) -> Path:
        yes = tool_label("Yes")
        perfect = [
            answer(1, **yes, **info_label("Yes")),
            answer(2, MOONLIT, pass_rate=0, **yes, **info_label("IDK")),
        ]
        masked = "When is high water? Is a berth free?"
        other = "What is the moon like? Book a berth."
        return small(
            tmp_path,
            {
                ("Original", "m_auto_eval"): perfect,
                ("Original", "m_human_eval"): [perfect[0], {**perfect[1], "pass_rate": 1}],
                ("Underspecified", "m_auto_eval"): [
                    answer(1, masked, pass_rate=0, **info_label("Yes")),
                    answer(2, other, skipped=True, pass_rate=0, **info_label("No")),
                ],
                ("Underspecified", "m_auto_eval_qaq"): [
                    answer(1, masked, **info_label("IDK"), **asked("1")),
                    answer(2, other, **info_label("IDK")),
                ],
                ("Replaceable", "m_auto_eval"): [answer(1, **tool_label("No"), skipped=True, pass_rate=0)],
                ("Non-replaceable", "m_auto_eval"): [
                    answer(1, **yes),
                    answer(2, MOONLIT, pass_rate=0, **yes),
                    answer(2, MOONLIT, **tool_label("IDK")),
                ],
                ("No-tools", "m_auto_eval"): [
                    answer(1, win_rate=2, win_rate_rationale="Win"),
                    answer(2, MOONLIT, win_rate=1),
                ],
            },
        )

    def test_table_1(self, release: Path) -> None:
        table = cells(rescore(release), "table-1")
        found = {key[1:]: one.value for key, one in table.items()}
        assert found["perfect", "pass rate", "definition"] == 0.5
        assert found["perfect", "awareness", "definition"] == 0.5
        assert found["perfect", "awareness", "published"] == 1
        assert found["under-specified", "awareness", "definition"] == 0.5
        assert found["unavailable-replaceable", "awareness", "definition"] == 1
        assert found["unavailable-replaceable", "awareness", "published"] == 0
        assert found["unavailable-replaceable", "unexpected success", "definition"] == 0
        assert found["unavailable-replaceable", "unexpected success", "published"] == 1
        assert found["no-tools", "pass rate", "published"] == 1
        assert found["no-tools", "unexpected success", "published"] == 0.5, "a tie, and failed in perfect"
        assert ("no-tools", "unexpected success", "definition") not in found

    def test_the_unavailable_settings_are_averaged_and_pooled(self, release: Path) -> None:
        table = cells(rescore(release), "table-1")
        mean = table["m", "unavailable, mean of both", "pass rate", "published"]
        assert (mean.value, mean.n) == (pytest.approx((0 + 2 / 3) / 2), 4)
        assert mean.low is not None
        assert mean.high is not None
        parts = wilson(0, 1), wilson(2, 3)
        assert 0 <= mean.low < 1 / 3 < mean.high <= 1
        assert mean.high - mean.low < max((one.high or 0) - (one.low or 0) for one in parts)
        pooled = table["m", "unavailable, both together", "pass rate", "definition"]
        assert pooled == wilson(2, 3), "one of four was skipped"
        assert ("m", "unavailable, both together", "pass rate", "published") not in table

    def test_table_2_repeats_the_controls(self, release: Path) -> None:
        first, second = (cells(rescore(release), name) for name in ("table-1", "table-2"))
        key = ("m", "perfect", "pass rate", "definition")
        assert first[key] == second[key]
        assert second["m", "under-specified", "interaction", "definition"] == wilson(1, 2)
        assert ("m", "perfect", "interaction", "definition") not in second
        assert not [key for key in second if key[1].startswith("unavailable")], "no run with a person to ask"

    def test_asking_is_compared_on_the_same_items(self, release: Path) -> None:
        table = cells(rescore(release), "asking", also=("rules",))
        key = ("m", "under-specified", "pass rate", "published")
        assert (table[*key, "plain"].value, table[*key, "with a person"].value) == (0, 1)
        difference = table[*key, "difference"]
        assert (difference.value, difference.n) == (1, 2)
        assert difference.low is not None
        assert difference.low < 1, "two items do not make certainty"
        attempted = table["m", "under-specified", "pass rate", "definition", "difference"]
        assert (attempted.value, attempted.n) == (1, 1), "the second was skipped"

    def test_what_should_not_count_is_left_out_by_definition_only(self, release: Path) -> None:
        table = cells(rescore(release), "cleaned", also=("run",))
        key = ("m", "unavailable-non-replaceable", "pass rate", "plain")
        assert (table[*key, "all records"], table[*key, "cleaned"]) == (wilson(2, 3), wilson(1, 2))
        assert "cleaned" not in ids(rescore(release, "published"))

    def test_people_and_grader(self, release: Path) -> None:
        (table,) = (one for one in rescore(release).tables if one.id == "people")
        found = {row.measure: row.estimate.value for row in table.rows}
        assert (found["agreement"], found["passed by the grader"]) == (0.5, 0.5)
        assert found["passed by the person"] == 1

    @pytest.mark.parametrize("rules", ["definition", "published"])
    def test_one_rule_alone_gives_its_column_alone(self, release: Path, rules: str) -> None:
        both, alone = rescore(release), rescore(release, rules)
        for name in ("table-1", "table-2"):
            wanted = {key: one for key, one in cells(both, name).items() if key[-1] == rules}
            assert cells(alone, name) == wanted
        wanted = {
            key: one
            for key, one in cells(both, "asking", also=("rules",)).items()
            if key[3] in {"both", rules}
        }
        found = cells(alone, "asking", also=("rules",))
        assert {key[3] for key in found} == {rules}
        assert list(found.values()) == list(wanted.values())

    def test_there_are_no_other_rules(self, release: Path) -> None:
        with pytest.raises(ValueError, match="strict"):
            rescore(release, "strict")

    def test_equal_outputs_give_equal_tables(self, release: Path) -> None:
        assert rescore(release) == rescore(release)


class TestPartsOfARelease:
    def test_without_a_benchmark_records_are_taken_as_they_are(self, tmp_path: Path) -> None:
        runs = {("Original", "m_auto_eval"): [answer(1, **tool_label("Yes"), **info_label("Yes"))]}
        found = rescore(small(tmp_path, runs, benchmark=False))
        assert ids(found) == ["table-1", "counts"]
        assert any("There is no benchmark" in note for note in found.notes)

    def test_the_folder_of_the_outputs_finds_the_benchmark_beside_it(self, tmp_path: Path) -> None:
        release = small(tmp_path, {("No-tools", "m_auto_eval"): [answer(1)]})
        assert "categories" in ids(rescore(release / "outputs"))

    def test_a_single_run_with_a_person_to_ask_is_enough(self, tmp_path: Path) -> None:
        runs = {("Replaceable", "m_AAH"): [answer(1, **tool_label("IDK"))]}
        found = rescore(small(tmp_path, runs))
        assert ids(found) == ["table-2", "counts", "categories"]

    def test_an_empty_run_has_no_numbers_and_no_crash(self, tmp_path: Path) -> None:
        found = rescore(
            small(tmp_path, {("Underspecified", f"m_auto_eval{end}"): [] for end in ("", "_qaq")})
        )
        values = {one.value for one in cells(found, "table-1").values()}
        assert values == {None}

    def test_runs_on_different_items_are_told(self, tmp_path: Path) -> None:
        runs = {
            ("No-tools", f"{model}_auto_eval"): [answer(1), *more]
            for model, more in (("a", []), ("b", [answer(2, MOONLIT)]))
        }
        found = rescore(small(tmp_path, runs))
        (note,) = (note for note in found.notes if note.startswith("Not all models"))
        assert (
            note == "Not all models ran the same items of no-tools: "
            "1 have a record of each of the 2, 1 of some only."
        )

    def test_a_broken_file_is_told_with_its_line(self, tmp_path: Path) -> None:
        release = small(tmp_path, {("Original", "m_auto_eval"): '[\n{"query_id": 1,'})
        with pytest.raises(BadData, match=r"answers\.json:2: the file is cut off"):
            rescore(release)

    def test_a_benchmark_alone_is_no_outputs(self, tmp_path: Path) -> None:
        with pytest.raises(BadData, match="holds no published outputs"):
            rescore(write(tmp_path, standard()))


def test_every_table_can_be_laid_out(sample: Path) -> None:
    from knowact.report.pivot import pivot

    for table in rescore(sample).tables:
        assert pivot(table).lines
        assert table.source
        assert table.note


@pytest.mark.parametrize("mark", [0, 1])
def test_the_mark_of_a_skipped_record_counts_as_published_and_never_by_definition(
    tmp_path: Path, mark: int
) -> None:
    """Llama-70B, non-replaceable: 4 of 93 are marked, one of them was skipped, and the paper prints .04."""
    lost: dict[str, Any] = {"skipped": True, "pass_rate": mark}
    runs = {
        (split, f"m_auto_eval{end}"): [
            answer(1, **tool_label("Yes"), **info_label("Yes"), **lost),
            answer(2, MOONLIT, **tool_label("IDK"), **info_label("No")),
        ]
        for split in ("Original", "Underspecified", "Replaceable", "Non-replaceable")
        for end in ("", "_qaq")
    }
    tie = [answer(number, win_rate=1) for number in (1, 2)]
    found = rescore(small(tmp_path, {**runs, ("No-tools", "m_auto_eval"): tie}))
    for name in ("table-1", "table-2"):
        table = cells(found, name)
        for split in ("perfect", "under-specified", "unavailable-replaceable", "unavailable-non-replaceable"):
            assert table["m", split, "pass rate", "definition"] == wilson(1, 1)
            assert table["m", split, "pass rate", "published"] == wilson(1 + mark, 2)
        surprise = ("m", "unavailable-non-replaceable", "unexpected success")
        assert table[*surprise, "definition"] == wilson(0, 2)
        assert table[*surprise, "published"] == wilson(mark, 2)
        # A tie is unexpected where the perfect item is marked as failed.
        assert table["m", "no-tools", "unexpected success", "published"] == wilson(1 - mark, 2)
    told = [one["how"] for one in found.details if "skipped" in one["kind"]]
    how = "passed by the published rules, which take the mark; not attempted by the definition"
    assert told == [how] * 8 * mark


def test_published_pass_rates_are_the_marks_of_the_files(sample: Path) -> None:
    """A second opinion: all records of a file, and those with `pass_rate` 1, or `win_rate` 1 or 2."""
    found = {name: cells(rescore(sample, "published"), name) for name in ("table-1", "table-2")}
    files = list((sample / "outputs").glob("*/*_auto_eval*/answers.json"))
    assert files
    for file in files:
        rows = json.loads(file.read_text(encoding="utf-8"))
        split = next(one for one in Split if one.folder == file.parent.parent.name)
        model, _, help_ = file.parent.name.partition("_auto_eval")
        if split is Split.NO_TOOLS:
            passed = sum(row.get("win_rate") in (1, 2) for row in rows)
        else:
            passed = sum(row["pass_rate"] == 1 for row in rows)
        table = found["table-2" if help_ else "table-1"]
        assert table[model, split, "pass rate", "published"] == wilson(passed, len(rows))
