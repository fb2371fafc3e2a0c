"""Published records: the layout, the odd ones, and what each run comes to."""

from pathlib import Path

import pytest

from knowact.core.errors import BadData
from knowact.datasets.deviations import Deviation, DeviationKind, Done
from knowact.suites.fail_talms.layout import Kind, Split
from knowact.suites.fail_talms.outputs import Against, Answer, Label, PublishedRun, read_outputs, tally
from knowact.suites.fail_talms.published import load_published

from .release import (
    TIDE,
    Files,
    Row,
    answer,
    asked,
    info_label,
    outputs,
    standard,
    tool_label,
    with_combined,
    write,
)

PLAIN = ("Original", "gpt_4o_auto_eval")


def read(
    folder: Path, runs: dict[tuple[str, str], object], *, benchmark: Files | None = None
) -> tuple[tuple[PublishedRun, ...], list[Deviation]]:
    """The runs of a release with these outputs, held against a benchmark if one is given."""
    deviations = list[Deviation]()
    write(folder, {**outputs(runs), **(benchmark or {})})
    return read_outputs(folder, load_published(folder) if benchmark else None, deviations), deviations


def one(folder: Path, row: Row, run: tuple[str, str] = PLAIN) -> tuple[Answer, list[DeviationKind]]:
    """A single record, and what was entered about it."""
    ((found,), deviations) = read(folder, {run: [row]})
    (answered,) = found.answers
    return answered, [entry.kind for entry in deviations]


class TestTheLayout:
    @pytest.mark.parametrize(
        ("name", "model", "helper", "by_person"),
        [
            ("gpt_4o_auto_eval", "gpt_4o", False, False),
            ("claude3.5_sonnet_auto_eval_qaq", "claude3.5_sonnet", True, False),
            ("llama_405B_auto_eval_AAH", "llama_405B", True, False),
            ("llama_405B_auto_evalAAH", "llama_405B", True, False),
            ("llama_8B_AAH", "llama_8B", True, False),
            ("gpt_4o_human_eval", "gpt_4o", False, True),
            ("qwen2_72B_auto_eval", "qwen2_72B", False, False),
        ],
    )
    def test_a_folders_name_says_which_run_it_is(
        self, tmp_path: Path, name: str, model: str, *, helper: bool, by_person: bool
    ) -> None:
        ((found,), _) = read(tmp_path, {("Underspecified", name): [answer(1, **info_label("Yes"))]})
        assert (found.model, found.helper, found.by_person) == (model, helper, by_person)
        assert found.split is Split.UNDER_SPECIFIED

    def test_the_release_or_its_outputs_can_be_named(self, tmp_path: Path) -> None:
        read(tmp_path, {PLAIN: [answer(1, **tool_label("Yes"), **info_label("Yes"))]})
        assert read_outputs(tmp_path / "outputs", None, list[Deviation]()) == read_outputs(
            tmp_path, None, list[Deviation]()
        )

    def test_settings_in_another_letter_case_are_read(self, tmp_path: Path) -> None:
        runs: dict[tuple[str, str], object] = {("non-Replaceable", "x_auto_eval"): []}
        ((found,), deviations) = read(tmp_path, runs)
        assert found.split is Split.NON_REPLACEABLE
        assert [entry.kind for entry in deviations] == [Kind.FOLDER_NAME]

    @pytest.mark.parametrize(
        ("run", "said"),
        [
            (
                ("Perfect", "gpt_4o_auto_eval"),
                "Perfect: this folder is named after none of the published settings",
            ),
            (("Original", "gpt_4o"), "gpt_4o: the folder's name does not say which run this is"),
        ],
    )
    def test_unknown_folders_are_refused(self, tmp_path: Path, run: tuple[str, str], said: str) -> None:
        with pytest.raises(BadData, match=said):
            read(tmp_path, {run: []})

    def test_two_folders_of_one_run_are_refused(self, tmp_path: Path) -> None:
        runs: dict[tuple[str, str], object] = {
            ("Original", "x_auto_eval_qaq"): [],
            ("Original", "x_auto_eval_AAH"): [],
        }
        with pytest.raises(BadData, match="of the same model and setting"):
            read(tmp_path, runs)

    def test_a_folder_without_outputs_is_one_sentence(self, tmp_path: Path) -> None:
        with pytest.raises(BadData, match="holds no published outputs"):
            read_outputs(write(tmp_path, standard()), None, list[Deviation]())
        with pytest.raises(BadData, match="there is no such folder"):
            read_outputs(tmp_path / "nowhere", None, list[Deviation]())

    @pytest.mark.parametrize(
        ("row", "field"),
        [
            ({**answer(1), "query_id": None}, "query_id"),
            ({**answer(1), "query_id": "one"}, "query_id"),
            ({**answer(1), "skipped": None}, "skipped"),
            ({**answer(1), "skipped": "no"}, "skipped"),
        ],
    )
    def test_a_record_without_id_or_skipping_is_refused(self, tmp_path: Path, row: Row, field: str) -> None:
        with pytest.raises(BadData, match=rf"answers\.json:2, field '{field}'"):
            one(tmp_path, row)


class TestOddRecords:
    def test_an_ordinary_one_is_no_departure(self, tmp_path: Path) -> None:
        found, kinds = one(tmp_path, answer(7, **tool_label("Yes"), **info_label("IDK")))
        assert (found.query_id, found.passed, found.asked, found.copy) == (7, True, False, 1)
        assert (found.tool_label, found.info_label) == (Label.YES, Label.IDK)
        assert kinds == []

    @pytest.mark.parametrize(
        ("value", "kinds"),
        [
            (None, [Kind.ANSWER_ODD, Kind.ANSWER_EMPTY]),
            ({"answer": "noon"}, [Kind.ANSWER_ODD]),
            (["noon"], [Kind.ANSWER_ODD]),
            ("", [Kind.ANSWER_EMPTY]),
            (" \n", [Kind.ANSWER_EMPTY]),
            ('<function=tides>{"port": "Whitby"}</function>', [Kind.CALL_IN_ANSWER]),
        ],
    )
    def test_odd_answers_that_passed_are_told_and_keep_their_ruling(
        self, tmp_path: Path, value: object, kinds: list[Kind]
    ) -> None:
        row = answer(1, model_answer=value, **tool_label("Yes"), **info_label("Yes"))
        found, told = one(tmp_path, row)
        assert found.passed
        assert told == kinds

    def test_an_empty_answer_that_failed_is_nothing_to_tell(self, tmp_path: Path) -> None:
        row = answer(1, pass_rate=0, model_answer="", **tool_label("Yes"), **info_label("Yes"))
        assert one(tmp_path, row)[1] == []

    def test_a_skipped_record_keeps_its_mark_and_has_not_passed(self, tmp_path: Path) -> None:
        row = answer(1, skipped=True, **tool_label("No"), **info_label("Yes"))
        found, kinds = one(tmp_path, row)
        assert (found.marked, found.passed, found.attempted, found.judged) == (True, False, False, True)
        assert kinds == [Kind.SKIPPED_AND_PASSED]

    @pytest.mark.parametrize(
        ("value", "ruling"), [(1, True), (0, False), (1.0, True), ("0", False), (True, True)]
    )
    def test_rulings_are_read_in_any_form(self, tmp_path: Path, value: object, *, ruling: bool) -> None:
        row = answer(1, pass_rate=value, **tool_label("Yes"), **info_label("Yes"))
        assert one(tmp_path, row)[0].ruling is ruling

    @pytest.mark.parametrize("value", [None, 2, 0.5, "pass", [], "9" * 5000])
    def test_what_is_no_ruling_is_told_and_counts_as_not_graded(self, tmp_path: Path, value: object) -> None:
        row = answer(1, pass_rate=value, **tool_label("Yes"), **info_label("Yes"))
        found, kinds = one(tmp_path, row)
        assert (found.ruling, found.judged, found.passed) == (None, False, False)
        assert kinds == [Kind.RULING_ODD]

    @pytest.mark.parametrize(
        ("label", "reply"), [(None, "IDK. Perhaps."), ("?", "idk"), ("", '"IDK," I say')]
    )
    def test_a_label_that_is_missing_is_read_off_the_reply(
        self, tmp_path: Path, label: object, reply: str
    ) -> None:
        row = answer(1, tool_annotation=label, tool_awareness=reply, **info_label("Yes"))
        found, kinds = one(tmp_path, row)
        assert found.tool_label is Label.IDK
        assert kinds == [Kind.LABEL_ODD]

    @pytest.mark.parametrize("reply", [None, "Not really.", "", 5, "Nobody knows"])
    def test_a_label_that_cannot_be_read_is_told_where_the_setting_asks(
        self, tmp_path: Path, reply: object
    ) -> None:
        found, kinds = one(tmp_path, answer(1, info_awareness=reply, **tool_label("Yes")))
        assert found.info_label is None
        assert kinds == [Kind.LABEL_ODD]
        _, kinds = one(tmp_path / "b", answer(1, **tool_label("Yes")), ("Replaceable", "x_auto_eval"))
        assert kinds == []

    def test_questions_count_whatever_their_rating(self, tmp_path: Path) -> None:
        row = answer(1, **info_label("IDK"), **asked("1", "", "`"))
        found, kinds = one(tmp_path, row, ("Underspecified", "x_auto_eval_qaq"))
        assert (found.questions, found.asked) == (3, True)
        assert kinds == [Kind.RATING_ODD] * 2

    @pytest.mark.parametrize(("value", "questions"), [(None, 0), ([], 0), ({"score": "1"}, 1), ("1", 1)])
    def test_questions_that_are_no_list_are_read(self, tmp_path: Path, value: object, questions: int) -> None:
        row = answer(1, interaction_scores=value, **info_label("IDK"))
        found, kinds = one(tmp_path, row, ("Underspecified", "x_auto_eval_qaq"))
        assert (found.questions, kinds) == (questions, [])

    @pytest.mark.parametrize(("value", "against"), [(0, Against.LOSE), (1, Against.TIE), ("2", Against.WIN)])
    def test_comparisons_are_read(self, tmp_path: Path, value: object, against: Against) -> None:
        found, kinds = one(tmp_path, answer(1, win_rate=value), ("No-tools", "x_auto_eval"))
        assert (found.against, kinds) == (against, [])

    def test_what_is_no_comparison_is_told(self, tmp_path: Path) -> None:
        found, kinds = one(tmp_path, answer(1, win_rate=3), ("No-tools", "x_auto_eval"))
        assert (found.against, kinds) == (None, [Kind.RULING_ODD])

    def test_repeated_ids_are_kept_numbered_and_told(self, tmp_path: Path) -> None:
        rows = [answer(number, win_rate=0) for number in (3, 4, 3, 3)]
        ((found,), deviations) = read(tmp_path, {("No-tools", "x_auto_eval"): rows})
        assert [(each.query_id, each.copy) for each in found.answers] == [(3, 1), (4, 1), (3, 2), (3, 3)]
        assert [(entry.kind, entry.done) for entry in deviations] == [(Kind.RECORD_TWICE, Done.NOTED)] * 2


class TestAgainstTheBenchmark:
    def run(self, folder: Path, *rows: Row) -> tuple[PublishedRun, list[Deviation]]:
        runs: dict[tuple[str, str], object] = {("No-tools", "x_auto_eval"): list(rows)}
        ((found,), deviations) = read(folder, runs, benchmark=with_combined(standard()))
        return found, deviations

    def test_records_find_their_item(self, tmp_path: Path) -> None:
        found, deviations = self.run(tmp_path, answer(1, f"  {TIDE}\n"))
        (each,) = found.answers
        assert each.item is not None
        assert each.item.id == "no-tools.Harbour.1"
        assert deviations == []

    def test_another_text_is_told(self, tmp_path: Path) -> None:
        found, deviations = self.run(tmp_path, answer(1, "Something else?"), answer(2, query=None))
        assert len(found.answers) == 2
        assert [(entry.kind, entry.item) for entry in deviations] == [
            (Kind.RECORD_TEXT, "no-tools.Harbour.1"),
            (Kind.RECORD_TEXT, "no-tools.Harbour.2"),
        ]

    def test_a_record_of_an_item_that_is_not_there_is_told(self, tmp_path: Path) -> None:
        found, deviations = self.run(tmp_path, answer(99))
        assert found.answers[0].item is None
        assert [entry.kind for entry in deviations] == [Kind.RECORD_UNKNOWN]


class TestTheTally:
    def test_it_counts_records_labels_passes_skips_and_questions(self, tmp_path: Path) -> None:
        rows = [
            answer(1, **info_label("Yes"), **asked("1")),
            answer(2, pass_rate=0, **info_label("Yes")),
            answer(3, **info_label("IDK"), **asked("1", "0")),
            answer(4, skipped=True, pass_rate=0, **info_label("No")),
        ]
        ((found,), _) = read(tmp_path, {("Underspecified", "x_auto_eval_qaq"): rows})
        counts = tally(found)
        assert (counts.n, counts.passed, counts.unexpected) == (4, 2, 1)
        assert (counts.skipped, counts.asked, counts.held) == (1, 2, None)
        assert counts.labels == {Label.YES: 2, Label.IDK: 1, Label.NO: 1}

    def test_wins_and_ties_hold(self, tmp_path: Path) -> None:
        rows = [answer(number, win_rate=value) for number, value in enumerate((0, 1, 2, 2))]
        ((found,), _) = read(tmp_path, {("No-tools", "x_auto_eval"): rows})
        assert tally(found).held == 3

    def test_an_empty_file_is_a_run_without_records(self, tmp_path: Path) -> None:
        ((found,), _) = read(tmp_path, {("No-tools", "x_auto_eval"): []})
        assert (tally(found).n, tally(found).held) == (0, None)
