"""Each number under both rules."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knowact.core.errors import Place
from knowact.suites.fail_talms.layout import FAILURES, Split
from knowact.suites.fail_talms.outputs import Against, Answer, Label, PublishedRun
from knowact.suites.fail_talms.published_tables import DEFINITIONS, Measure, Rules

YES, IDK, NO = Label.YES, Label.IDK, Label.NO


def record(number: int = 1, **changed: Any) -> Answer:
    """A record that was tried and failed."""
    members: dict[str, Any] = {
        "query_id": number,
        "skipped": False,
        "ruling": False,
        "tool_label": None,
        "info_label": None,
        "questions": 0,
        "against": None,
        "item": None,
        "copy": 1,
        "place": Place(Path("answers.json"), number),
    }
    return Answer(**{**members, **changed})


def share(
    split: Split, measure: Measure, rule: Rules, *answers: Answer, **originals: bool
) -> tuple[float | None, int]:
    """Value and n of one number."""
    run = PublishedRun(split, "m", helper=False, by_person=False, answers=answers, file=Path())
    found = DEFINITIONS[split, measure].share(rule)
    assert found is not None
    estimate = found.estimate([run], {int(key[1:]): passed for key, passed in originals.items()})
    return estimate.value, estimate.n


both = pytest.mark.parametrize("rule", Rules)


class TestPassRate:
    @pytest.mark.parametrize("split", [Split.PERFECT, *FAILURES])
    def test_by_definition_it_is_over_what_was_attempted_and_as_published_over_all_by_their_marks(
        self, split: Split
    ) -> None:
        answers = (record(ruling=True), record(skipped=True, ruling=True), record(), record(skipped=True))
        assert share(split, Measure.PASSED, Rules.DEFINITION, *answers) == (0.5, 2)
        assert share(split, Measure.PASSED, Rules.PUBLISHED, *answers) == (0.5, 4)

    @both
    def test_records_without_a_ruling_are_not_in_the_denominator(self, rule: Rules) -> None:
        answers = (record(ruling=True), record(ruling=None), record(ruling=None, skipped=True))
        found = {Rules.DEFINITION: (1, 1), Rules.PUBLISHED: (0.5, 2)}
        assert share(Split.PERFECT, Measure.PASSED, rule, *answers) == found[rule]
        answers = tuple(record(ruling=one, info_label=YES) for one in (True, False, None, None))
        assert share(Split.UNDER_SPECIFIED, Measure.UNEXPECTED, rule, *answers) == (0.5, 2)

    def test_without_tools_it_is_the_graders_by_definition_and_win_or_tie_as_published(self) -> None:
        answers = (
            record(ruling=True, against=Against.LOSE),
            record(ruling=True, against=Against.WIN),
            record(against=Against.TIE),
            record(ruling=True),
            record(),
        )
        assert share(Split.NO_TOOLS, Measure.PASSED, Rules.DEFINITION, *answers) == (0.6, 5)
        assert share(Split.NO_TOOLS, Measure.PASSED, Rules.PUBLISHED, *answers) == (0.4, 5)


class TestAwareness:
    @both
    def test_under_specified_asks_for_information(self, rule: Rules) -> None:
        answers = [record(info_label=label, tool_label=YES) for label in (NO, IDK, YES, YES, None)]
        assert share(Split.UNDER_SPECIFIED, Measure.AWARE, rule, *answers) == (0.4, 5)

    @both
    def test_non_replaceable_asks_for_tools(self, rule: Rules) -> None:
        answers = [record(tool_label=label, info_label=YES) for label in (NO, IDK, YES, None)]
        assert share(Split.NON_REPLACEABLE, Measure.AWARE, rule, *answers) == (0.5, 4)

    def test_replaceable_as_published_counts_idk_alone(self) -> None:
        answers = [record(tool_label=label) for label in (NO, NO, IDK, YES)]
        assert share(Split.REPLACEABLE, Measure.AWARE, Rules.DEFINITION, *answers) == (0.75, 4)
        assert share(Split.REPLACEABLE, Measure.AWARE, Rules.PUBLISHED, *answers) == (0.25, 4)

    def test_perfect_as_published_ignores_the_information_label(self) -> None:
        answers = [
            record(tool_label=YES, info_label=YES),
            record(tool_label=YES, info_label=IDK),
            record(tool_label=NO, info_label=YES),
            record(tool_label=YES, info_label=None),
        ]
        assert share(Split.PERFECT, Measure.AWARE, Rules.DEFINITION, *answers) == (0.25, 4)
        assert share(Split.PERFECT, Measure.AWARE, Rules.PUBLISHED, *answers) == (0.75, 4)

    def test_without_tools_nothing_is_asked(self) -> None:
        assert (Split.NO_TOOLS, Measure.AWARE) not in DEFINITIONS


class TestUnexpectedSuccess:
    ANSWERS = (
        record(tool_label=YES, info_label=NO, ruling=True),
        record(tool_label=IDK, info_label=YES, ruling=True),
        record(tool_label=YES, info_label=YES),
        record(tool_label=NO, info_label=NO, skipped=True),
    )

    @both
    @pytest.mark.parametrize("split", [Split.UNDER_SPECIFIED, Split.NON_REPLACEABLE])
    def test_it_is_yes_to_the_settings_own_question_and_passed(self, split: Split, rule: Rules) -> None:
        assert share(split, Measure.UNEXPECTED, rule, *self.ANSWERS) == (0.25, 4)

    @pytest.mark.parametrize("split", [Split.UNDER_SPECIFIED, Split.NON_REPLACEABLE])
    def test_a_skipped_record_that_is_marked_as_passed_counts_as_published_only(self, split: Split) -> None:
        answers = (record(tool_label=YES, info_label=YES, skipped=True, ruling=True), record())
        assert share(split, Measure.UNEXPECTED, Rules.DEFINITION, *answers) == (0, 2)
        assert share(split, Measure.UNEXPECTED, Rules.PUBLISHED, *answers) == (0.5, 2)

    def test_replaceable_as_published_counts_no(self) -> None:
        extra = record(tool_label=NO, ruling=True)
        assert share(Split.REPLACEABLE, Measure.UNEXPECTED, Rules.DEFINITION, *self.ANSWERS, extra) == (
            0.2,
            5,
        )
        assert share(Split.REPLACEABLE, Measure.UNEXPECTED, Rules.PUBLISHED, *self.ANSWERS, extra) == (0.4, 5)

    def test_perfect_is_defined_nowhere_and_published_as_no(self) -> None:
        assert DEFINITIONS[Split.PERFECT, Measure.UNEXPECTED].share(Rules.DEFINITION) is None
        assert share(Split.PERFECT, Measure.UNEXPECTED, Rules.PUBLISHED, *self.ANSWERS) == (0.25, 4)

    def test_without_tools_it_is_published_as_a_tie_where_perfect_failed(self) -> None:
        answers = [record(number, against=Against.TIE) for number in (1, 2, 3)]
        answers.append(record(4, against=Against.WIN))
        found = share(
            Split.NO_TOOLS, Measure.UNEXPECTED, Rules.PUBLISHED, *answers, q1=False, q2=True, q4=False
        )
        assert found == (0.25, 4), "item 3 has no record in the perfect setting"
        assert DEFINITIONS[Split.NO_TOOLS, Measure.UNEXPECTED].share(Rules.DEFINITION) is None


class TestSkippedAndAsked:
    @both
    @pytest.mark.parametrize("split", Split)
    def test_skipped_is_a_share_of_all_records(self, split: Split, rule: Rules) -> None:
        answers = (record(skipped=True, ruling=None), record(), record(), record())
        assert share(split, Measure.SKIPPED, rule, *answers) == (0.25, 4)

    @pytest.mark.parametrize("split", FAILURES)
    def test_interaction_as_published_leaves_skipped_records_out(self, split: Split) -> None:
        answers = (record(questions=2), record(questions=1), record(), record(skipped=True))
        assert share(split, Measure.ASKED, Rules.DEFINITION, *answers) == (0.5, 4)
        assert share(split, Measure.ASKED, Rules.PUBLISHED, *answers) == (2 / 3, 3)


class TestTheWords:
    def test_every_number_says_what_it_counts_and_of_what(self) -> None:
        for definition in DEFINITIONS.values():
            assert " / " in definition.words
            assert ("published: " in definition.words) is not definition.agree

    def test_only_these_numbers_depend_on_the_rules(self) -> None:
        assert {key for key, found in DEFINITIONS.items() if not found.agree} == {
            *((split, Measure.PASSED) for split in Split),
            (Split.PERFECT, Measure.AWARE),
            (Split.REPLACEABLE, Measure.AWARE),
            *((split, Measure.UNEXPECTED) for split in Split),
            *((split, Measure.ASKED) for split in FAILURES),
        }


ANSWERS = st.builds(
    record,
    st.integers(1, 5),
    skipped=st.booleans(),
    ruling=st.sampled_from([None, True, False]),
    tool_label=st.sampled_from([None, *Label]),
    info_label=st.sampled_from([None, *Label]),
    questions=st.integers(0, 2),
    against=st.sampled_from([None, *Against]),
)


@settings(deadline=None, max_examples=100)
@given(st.lists(ANSWERS, max_size=8), st.sampled_from(sorted(DEFINITIONS)), st.sampled_from(list(Rules)))
def test_every_number_is_a_share_that_no_order_changes(
    answers: list[Answer], key: tuple[Split, Measure], rule: Rules
) -> None:
    if DEFINITIONS[key].share(rule) is not None:
        value, n = share(*key, rule, *answers)
        assert n <= len(answers)
        assert (value is None) == (n == 0)
        assert value is None or 0 <= value <= 1
        assert share(*key, rule, *reversed(answers)) == (value, n)
