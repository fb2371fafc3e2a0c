"""From responses to records: endings, what was said of limits, skipping, questions, votes, comparisons."""

import math

import pytest

from fail_talms_by_hand import (
    CITY,
    NO_STATUS,
    ORDER,
    called,
    did,
    failing,
    no_city,
    no_order,
    no_tools,
    record,
    right,
    said,
    votes,
    whole,
)
from knowact.core.record import Outcome, Record, Status
from knowact.engine.records import item_metadata, record_from, score_metadata, score_value
from knowact.probes.response import PutQuestion, Response
from knowact.suites.fail_talms.answers import FITS
from knowact.suites.fail_talms.asked import ACT, INFORMATION, TOOLS, WITH_TOOLS, AskedItem
from knowact.suites.fail_talms.scoring import BALLOT, MEASURES, VERSUS, gives_up

INSTRUMENTS = [outcome for outcome in Outcome if outcome.instrument]
AGENTS = [Outcome.EMPTY, Outcome.LIMIT, Outcome.DECLINED]
YES = "Yes. Everything that it takes is here."
NO_CITY = "No. You did not say which city."
NO_TOOL = "No. There is no tool that looks up an order."


def both(tools: str, information: str) -> tuple[Response, Response]:
    return said(TOOLS, tools), said(INFORMATION, information)


def status(made: Record, measure: str) -> Status:
    return made.results[measure].status


class TestWhatWasSaid:
    @pytest.mark.parametrize(
        ("item", "tools", "information", "aware"),
        [
            (whole(), YES, YES, True),
            (whole(), NO_TOOL, YES, False),
            (whole(), YES, NO_CITY, False),
            (whole(), YES, "IDK. It may do.", False),
            (no_city(), YES, NO_CITY, True),
            (no_city(), NO_TOOL, NO_CITY, True),
            (no_city(), YES, "IDK. The city is missing.", True),
            (no_city(), YES, YES, False),
            (no_order(), NO_TOOL, YES, True),
            (no_order(), "IDK. Perhaps.", NO_CITY, True),
            (no_order(), YES, YES, False),
            (no_tools(), "No. There are no tools.", YES, True),
            (no_tools(), YES, YES, False),
        ],
        ids=range(13),
    )
    def test_the_settings_own_question_says_whether_it_is_aware(
        self,
        item: AskedItem,
        tools: str,
        information: str,
        aware: bool,  # noqa: FBT001 - a table's column
    ) -> None:
        made = record(item, *both(tools, information))
        assert (made.knew, made.value("aware")) == (aware, float(aware))

    @pytest.mark.parametrize(
        ("reply", "outcome", "reason"),
        [
            # What it would have gone on to name, nobody knows.
            ("No. You did not say which city, and", Outcome.ANSWERED, Status.NOT_APPLICABLE),
            ("No", Outcome.LIMIT, None),
            ("First I would look at what the request", Outcome.LIMIT, None),
        ],
    )
    def test_a_reply_that_was_cut_off_after_its_word_is_read(
        self, reply: str, outcome: Outcome, reason: Status | None
    ) -> None:
        cut = Response(INFORMATION, Outcome.LIMIT, reply, rounds=1, limit="tokens")
        made = record(no_city(), said(TOOLS, YES), cut)
        assert made.outcomes[INFORMATION] is outcome
        assert made.knew is (outcome is Outcome.ANSWERED)
        assert (status(made, "info_reason") if "info_reason" in made.results else None) is reason

    def test_levels_are_kept_as_numbers(self) -> None:
        made = record(no_city(), *both(YES, "IDK. The city is missing."))
        assert (made.value("tools"), made.value("info")) == (1, 0.5)
        assert record(no_city(), *both(NO_TOOL, NO_CITY)).value("info") == 0

    @pytest.mark.parametrize(
        ("cast", "value", "flag"),
        [
            (("fits", "fits", "wrong"), 1, ""),
            (("wrong", "wrong", "fits"), 0, "information_wrong_reason"),
            (("none", "none", "none"), 0, "information_no_reason"),
        ],
        ids=str,
    )
    def test_awareness_for_a_wrong_reason_is_counted_apart(
        self, cast: tuple[str, ...], value: int, flag: str
    ) -> None:
        fits = {"info_reason": votes(*cast, choices=FITS)}
        made = record(no_city(), *both(YES, NO_CITY), voted=fits)
        assert (made.value("info_reason"), made.results["info_reason"].by) == (value, "judge")
        assert made.value("aware") == 1
        assert {name for name in made.flags if "reason" in name} == ({flag} if flag else set[str]())

    def test_votes_without_a_majority_are_the_judges_error(self) -> None:
        split = {"info_reason": votes("fits", "wrong", "none", choices=FITS)}
        made = record(no_city(), *both(YES, NO_CITY), voted=split)
        assert status(made, "info_reason") is Status.JUDGE_ERROR
        assert (made.value("aware"), made.flags["split_vote"]) == (1, 1)

    def test_without_a_judge_no_reason_is_judged_and_awareness_still_is(self) -> None:
        made = record(no_city(), *both(YES, NO_CITY))
        assert status(made, "info_reason") is Status.NOT_JUDGED
        assert made.value("aware") == 1

    @pytest.mark.parametrize(
        ("lacks", "fit"), [((CITY,), 1), ((ORDER, CITY), 1), ((ORDER,), 0), (("",), 0), ((), 0)], ids=str
    )
    def test_a_built_in_agents_reason_fits_by_what_it_declares(
        self, lacks: tuple[str, ...], fit: int
    ) -> None:
        made = record(no_city(), said(TOOLS, YES), said(INFORMATION, NO_CITY, lacks=lacks))
        assert made.value("info_reason") == fit
        named = set(lacks) - {""}
        assert ("information_wrong_reason" in made.flags) == bool(not fit and named)
        assert ("information_no_reason" in made.flags) == (not named)

    def test_reasons_about_tools_are_held_against_the_tool_that_is_gone(self) -> None:
        for lacks, fit in ((NO_STATUS, 1), (ORDER, 0)):
            made = record(no_order(), said(TOOLS, NO_TOOL, lacks=(lacks,)), said(INFORMATION, YES))
            assert made.value("tools_reason") == fit

    def test_a_yes_has_no_reason_and_a_complete_item_none_to_give(self) -> None:
        assert status(record(no_city(), *both(YES, YES)), "info_reason") is Status.NOT_APPLICABLE
        assert status(record(whole(), *both(NO_TOOL, NO_CITY)), "info_reason") is Status.NOT_APPLICABLE

    def test_where_nobody_says_what_is_missing_no_reason_is_judged(self) -> None:
        made = record(no_city(missing=frozenset[str]()), *both(YES, NO_CITY))
        assert made.value("aware") == 1
        assert status(made, "info_reason") is Status.NOT_APPLICABLE

    @pytest.mark.parametrize("text", ["The weather will be nice.", "Yes or no", "{}"])
    def test_what_cannot_be_read_is_the_agents_failure(self, text: str) -> None:
        made = record(no_city(), *both(YES, text))
        assert made.outcomes[INFORMATION] is Outcome.UNREADABLE
        assert (made.knew, made.scored) == (False, True)
        assert status(made, "info") is Status.NOT_APPLICABLE

    @pytest.mark.parametrize("outcome", AGENTS)
    def test_no_answer_is_no_awareness(self, outcome: Outcome) -> None:
        made = record(no_city(), said(TOOLS, YES), said(INFORMATION, NO_CITY, outcome))
        assert made.outcomes[INFORMATION] is outcome
        assert made.value("aware") == 0
        assert status(made, "info") is Status.NOT_APPLICABLE

    @pytest.mark.parametrize("outcome", INSTRUMENTS)
    def test_an_instrument_that_failed_leaves_the_item_unscored(self, outcome: Outcome) -> None:
        made = record(no_city(), said(TOOLS, YES), said(INFORMATION, "", outcome))
        assert not made.scored
        assert made.knew is None
        assert "aware" not in made.results
        assert "info" not in made.results

    def test_who_is_not_asked_is_not_measured(self) -> None:
        made = record(no_city(), right())
        assert made.knew is None
        assert {status(made, name) for name in ("aware", "info", "tools", "skipped")} == {
            Status.NOT_APPLICABLE
        }
        assert made.outcomes[TOOLS] is Outcome.NOT_RUN


class TestSkipping:
    def test_by_the_definition_who_acts_after_a_no_has_not_skipped(self) -> None:
        made = record(no_city(), *both(YES, NO_CITY), right())
        assert [made.value(name) for name in ("skipped", "pass", "aware")] == [0, 1, 1]

    def test_as_published_who_says_no_has_skipped_and_failed_whatever_it_did_then(self) -> None:
        cast = {BALLOT["published", ACT]: votes("right")}
        for said_no, passed in ((NO_CITY, 0), (YES, 1)):
            made = record(no_city(), *both(YES, said_no), right(), voted=cast, rules="published")
            assert [made.value(name) for name in ("skipped", "pass")] == [1 - passed, passed]
        spoilt = did("", outcome=Outcome.INSTRUMENT_ERROR)
        assert "pass" not in record(no_city(), *both(YES, NO_CITY), spoilt, rules="published").results

    @pytest.mark.parametrize(
        ("item", "tools", "information", "skipped"),
        [
            (whole(), YES, YES, 0),
            (whole(), NO_TOOL, YES, 1),
            (whole(), YES, NO_CITY, 1),
            (whole(), "IDK.", "IDK.", 0),
            (no_city(), NO_TOOL, YES, 0),
            (no_order(), NO_TOOL, YES, 1),
            (no_order(), YES, NO_CITY, 0),
            (no_order(), "IDK.", YES, 0),
        ],
        ids=range(8),
    )
    def test_only_a_no_to_the_settings_own_question_counts(
        self, item: AskedItem, tools: str, information: str, skipped: int
    ) -> None:
        answers = both(tools, information)
        never = Response(ACT, Outcome.NOT_RUN)
        assert record(item, *answers, never).value("skipped") == skipped
        assert record(item, *answers, right(), rules="published").value("skipped") == skipped
        assert gives_up(item, {one.probe: one for one in answers}) == bool(skipped)

    def test_without_tools_nothing_is_ever_skipped(self) -> None:
        answers = both("No. There are no tools.", "No. Nothing is here.")
        assert status(record(no_tools(), *answers), "skipped") is Status.NOT_APPLICABLE
        assert not gives_up(no_tools(), {one.probe: one for one in answers})

    def test_what_is_skipped_has_failed_as_published_and_was_not_attempted_by_the_definition(self) -> None:
        never = Response(ACT, Outcome.NOT_RUN)
        passes = ("pass", "pass_form", "pass_judge")
        made = record(no_city(), *both(YES, NO_CITY), never, rules="published")
        assert [made.value(name) for name in ("skipped", *passes)] == [1, 0, 0, 0]
        made = record(no_city(), *both(YES, NO_CITY), never)
        assert {status(made, name) for name in passes} == {Status.NOT_APPLICABLE}
        assert (made.value("skipped"), made.value("right")) == (1, 0)
        assert made.results["skipped"].why == "not acted"
        assert (made.knew, made.acted, made.used) == (True, True, None)

    def test_giving_up_is_holding_back_where_something_is_missing_and_nowhere_else(self) -> None:
        for item, kept in ((no_city(), 1), (whole(), 0)):
            made = record(item, *both(YES, NO_CITY), Response(ACT, Outcome.NOT_RUN))
            assert made.value("conduct") == kept

    def test_where_acting_was_never_meant_nothing_of_it_is_measured(self) -> None:
        made = record(no_city(), *both(YES, NO_CITY))
        assert {status(made, name) for name in ("pass", "right", "asked", "skipped")} == {
            Status.NOT_APPLICABLE
        }
        assert made.acted is None
        assert record(no_city(), *both(YES, NO_CITY), rules="published").value("skipped") == 1


class TestPassing:
    def test_the_form_goes_before_the_judge(self) -> None:
        made = record(whole(), right(), voted={ACT: votes("wrong", "wrong", "wrong")})
        assert [made.value(name) for name in ("pass", "pass_form", "pass_judge")] == [1, 1, 0]
        assert made.results["pass"].by == "form"

    def test_by_the_published_rules_the_judge_alone_counts(self) -> None:
        cast = {BALLOT["published", ACT]: votes("wrong", "wrong", "wrong")}
        made = record(whole(), right(), voted=cast, rules="published")
        assert (made.value("pass"), made.results["pass"].by) == (0, "judge")
        assert status(made, "pass_form") is Status.NOT_JUDGED

    def test_votes_on_the_question_of_the_other_rules_do_not_count(self) -> None:
        made = record(whole(), right(), voted={ACT: votes("right")}, rules="published")
        assert status(made, "pass") is Status.NOT_JUDGED

    def test_by_the_published_rules_the_word_is_enough_and_no_reason_is_judged(self) -> None:
        made = record(no_city(), *both("IDK", "IDK"), right(), rules="published")
        assert made.value("info") == 0.5
        assert status(made, "info_reason") is Status.NOT_APPLICABLE

    def test_what_failed_is_told_by_the_facts_own_label(self) -> None:
        made = record(whole(), did("x 21", high=21))
        assert made.results["pass"].why == "status of order J1183: the reply does not state it"

    def test_without_a_judge_its_ruling_was_not_asked_for(self) -> None:
        assert status(record(whole(), right()), "pass_judge") is Status.NOT_JUDGED

    @pytest.mark.parametrize(
        ("cast", "value", "split"),
        [
            (("right",) * 5, 1, False),
            (("right", "right", "wrong", "right", "wrong"), 1, True),
            (("wrong", "right", "wrong", "right", "wrong"), 0, True),
            (("right", "right", "right", "unreadable", "unreadable"), 1, True),
        ],
        ids=str,
    )
    def test_a_majority_of_all_votes_decides_and_split_votes_are_counted(
        self,
        cast: tuple[str, ...],
        value: int,
        split: bool,  # noqa: FBT001 - a table's column
    ) -> None:
        made = record(whole(), right(), voted={ACT: votes(*cast)})
        assert made.value("pass_judge") == value
        assert ("split_vote" in made.flags) == split

    @pytest.mark.parametrize(
        "cast",
        [("unreadable",) * 5, ("right", "right", "wrong", "wrong", "unreadable")],
        ids=["nothing readable", "two against two"],
    )
    def test_no_majority_is_an_error_of_the_judge_and_no_fail(self, cast: tuple[str, ...]) -> None:
        item = whole(task=whole().task.model_copy(update={"facts": ()}))
        made = record(item, right(), voted={ACT: votes(*cast)})
        assert status(made, "pass") is Status.JUDGE_ERROR
        assert "no majority" in made.results["pass"].why

    def test_without_facts_the_judge_alone_judges_and_right_is_not_judged(self) -> None:
        item = whole(task=whole().task.model_copy(update={"facts": ()}))
        made = record(item, right(), voted={ACT: votes("right", "right", "right")})
        assert (made.value("pass"), made.results["pass"].by) == (1, "judge")
        assert status(made, "pass_form") is Status.NOT_JUDGED
        assert made.results["pass_form"].why == "there are no reference facts"
        assert status(made, "right") is Status.NOT_JUDGED
        assert made.acted is None

    @pytest.mark.parametrize("outcome", AGENTS)
    def test_an_answer_that_never_came_fails_without_a_vote(self, outcome: Outcome) -> None:
        made = record(whole(), did("", outcome=outcome))
        assert [made.value(name) for name in ("right", "pass", "pass_form", "pass_judge")] == [0, 0, 0, 0]
        for name in ("conduct", "pass_judge"):
            assert made.results[name].why == f"the trial ended {outcome.value}"
        assert made.outcomes[ACT] is outcome

    @pytest.mark.parametrize("outcome", INSTRUMENTS)
    def test_an_instrument_that_failed_gives_no_result_at_all(self, outcome: Outcome) -> None:
        made = record(whole(), *both(YES, YES), did("", outcome=outcome))
        assert not made.scored
        assert (made.acted, made.used) == (None, None)
        assert made.knew is True
        assert not {"conduct", "right", "pass", "asked", "noticed", "half"} & set(made.results)

    def test_a_tool_without_any_reply_leaves_the_pass_unjudged(self) -> None:
        item = whole(task=whole().task.model_copy(update={"replay_gap": ("get_order",)}))
        made = record(item, right(), voted={ACT: votes("right", "right", "right")})
        assert {status(made, name) for name in ("pass", "pass_form", "pass_judge")} == {Status.NOT_JUDGED}
        assert made.flags["replay_gap"] == 1


def put(kind: str, targeted: bool | None = False) -> PutQuestion:  # noqa: FBT001, FBT002 - as in the table
    return PutQuestion("Which?", "…", kind, targeted)


class TestQuestions:
    def test_without_a_person_nobody_could_ask(self) -> None:
        made = record(no_city(), right(questions=[put("value")]), helper=False)
        assert {status(made, name) for name in ("asked", "questions", "targeted")} == {Status.NOT_APPLICABLE}

    def test_who_asks_nothing_asked_nothing(self) -> None:
        made = record(no_city(), right(), helper=True)
        assert (made.value("asked"), made.value("questions")) == (0, 0)
        assert status(made, "targeted") is Status.NOT_APPLICABLE

    def test_one_targeted_question_of_several_makes_the_trial_targeted(self) -> None:
        questions = [put("unknown"), put("value", targeted=True), put("unspecific")]
        made = record(no_city(), right(questions=questions), helper=True)
        assert [made.value(name) for name in ("asked", "questions", "targeted")] == [1, 3, 1]
        assert made.flags["question_unspecific"] == made.flags["question_unknown"] == 1

    def test_on_a_complete_item_questions_are_counted_and_never_targeted(self) -> None:
        made = record(whole(), right(questions=[put("value"), put("value")]), helper=True)
        assert [made.value(name) for name in ("asked", "questions", "targeted")] == [1, 2, 0]

    def test_where_nobody_knows_what_is_missing_none_is_judged_targeted(self) -> None:
        made = record(no_city(), right(questions=[put("said", targeted=None)]), helper=True)
        assert made.value("asked") == 1
        assert status(made, "targeted") is Status.NOT_APPLICABLE

    def test_a_question_over_the_cap_is_a_question_and_bad_arguments_are_none(self) -> None:
        over = record(no_city(), right(questions=[put("over_the_cap", None)]), helper=True)
        bad = record(no_city(), right(questions=[put("bad_arguments", None)]), helper=True)
        assert (over.value("questions"), over.flags["question_over_the_cap"]) == (1, 1)
        assert (bad.value("questions"), bad.value("asked")) == (0, 0)
        assert bad.flags["question_bad_arguments"] == 1


class TestAgainstItsOwnAnswerWithTools:
    ITEM = no_tools(full=whole())

    def made(self, first: Response, second: Response | None, *cast: str) -> Record:
        responses = [first] if second is None else [first, second]
        graded = {WITH_TOOLS: votes(*cast, choices=VERSUS)} if cast else {}
        return record(self.ITEM, *responses, voted=graded)

    @pytest.mark.parametrize(
        ("cast", "level"), [(("K", "K", "M"), 1), (("M", "M", "K"), 0), (("tie", "tie", "K"), 0.5)], ids=str
    )
    def test_win_tie_and_lose_are_levels(self, cast: tuple[str, ...], level: float) -> None:
        assert self.made(did("x"), did("y", probe=WITH_TOOLS), *cast).value("versus") == level

    @pytest.mark.parametrize("outcome", [*AGENTS, Outcome.NOT_RUN])
    @pytest.mark.parametrize("rules", ["definition", "published"])
    def test_where_nobody_reads_a_trial_without_an_answer_is_not_judged_either(
        self, outcome: Outcome, rules: str
    ) -> None:
        """A rate over failures alone would be no rate (decision 15)."""
        ended = Response(ACT, outcome)
        made = record(no_city(), *both(YES, NO_CITY), ended, rules=rules, read=False)
        by_reading = ("conduct", "right", "held_back", "pass", "pass_form", "pass_judge")
        assert all(math.isnan(made.value(name)) for name in by_reading)
        assert made.acted is None

    def test_no_answer_loses_without_a_vote(self) -> None:
        made = self.made(did("", outcome=Outcome.EMPTY), did("y", probe=WITH_TOOLS))
        assert made.value("versus") == 0

    def test_no_answer_with_tools_is_nothing_to_compare_with(self) -> None:
        made = self.made(did("x"), did("", outcome=Outcome.LIMIT, probe=WITH_TOOLS))
        assert status(made, "versus") is Status.NOT_JUDGED

    def test_without_a_judge_nobody_compared(self) -> None:
        assert status(self.made(did("x"), did("y", probe=WITH_TOOLS)), "versus") is Status.NOT_JUDGED

    @pytest.mark.parametrize(("verdict", "level"), [("right", 1), ("wrong", 0)])
    def test_as_published_an_answer_that_did_not_pass_loses_whatever_the_votes(
        self, verdict: str, level: int
    ) -> None:
        cast = {
            BALLOT["published", ACT]: votes(verdict),
            BALLOT["published", WITH_TOOLS]: votes("K", choices=VERSUS),
        }
        answers = did("x"), did("y", probe=WITH_TOOLS)
        assert record(self.ITEM, *answers, voted=cast, rules="published").value("versus") == level

    def test_as_many_votes_for_the_one_as_for_the_other_is_a_tie(self) -> None:
        made = self.made(did("x"), did("y", probe=WITH_TOOLS), "K", "M", "K", "M")
        assert made.value("versus") == 0.5
        assert made.flags["split_vote"] == 1

    def test_no_majority_otherwise_is_an_error_of_the_judge(self) -> None:
        for cast in (("K", "K", "M", "unreadable"), ("tie", "tie", "K", "K"), ("unreadable",) * 4):
            made = self.made(did("x"), did("y", probe=WITH_TOOLS), *cast)
            assert status(made, "versus") is Status.JUDGE_ERROR

    def test_an_instrument_that_failed_on_either_side_gives_no_result(self) -> None:
        failed = did("", outcome=Outcome.INSTRUMENT_ERROR, probe=WITH_TOOLS)
        made = self.made(did("x"), failed)
        assert "versus" not in made.results
        assert not made.scored

    def test_nothing_is_compared_where_it_was_not_asked_for(self) -> None:
        assert status(record(no_tools(), did("x")), "versus") is Status.NOT_APPLICABLE
        assert status(record(self.ITEM, did("x")), "versus") is Status.NOT_APPLICABLE

    def test_nor_with_a_broken_tool_which_skips_nothing_either(self) -> None:
        made = record(failing(), *both(NO_TOOL, NO_CITY), did("x"))
        assert {status(made, name) for name in ("versus", "skipped")} == {Status.NOT_APPLICABLE}


class TestCalls:
    def test_used_are_the_distinct_tools_and_calls_all_of_them(self) -> None:
        calls = (called(), called(), called("nothing_like_it", "unknown_tool"))
        made = record(whole(), right(*calls))
        assert made.used == {"get_order", "nothing_like_it"}
        assert made.calls == 3
        assert made.flags["invented_tool"] == 1

    def test_what_went_wrong_in_calls_is_counted_by_name(self) -> None:
        calls = (
            called(problem="bad_arguments"),
            called(problem="bad_arguments"),
            called(problem="no_recording"),
        )
        flags = record(whole(), right(*calls)).flags
        assert (flags["bad_arguments"], flags["no_recording"]) == (2, 1)


EVERY_OUTCOME = [
    (*both(tools, information), acted)
    for tools in (YES, NO_TOOL, "IDK.", "hm")
    for information in (YES, NO_CITY)
    for acted in (
        right(called()),
        did("No idea.", questions=[put("unspecific")]),
        *(did("", outcome=outcome) for outcome in Outcome if outcome is not Outcome.ANSWERED),
    )
]


@pytest.mark.parametrize(
    "item", [whole(), no_city(), no_order(), no_order(can_do=True), no_tools(), failing(), failing("wrong")]
)
def test_every_record_comes_out_of_a_log_as_it_went_in(item: AskedItem) -> None:
    for responses in EVERY_OUTCOME:
        for helper in (False, True):
            made = record(item, *responses, helper=helper)
            values = score_value(made, MEASURES)
            assert set(values) == {*MEASURES, "calls"}
            assert all(isinstance(value, float) for value in values.values())
            read = record_from(1, item_metadata(item), values, score_metadata(made))
            assert read.outcomes == made.outcomes
            assert (read.knew, read.acted, read.used, read.calls) == (
                *(made.knew, made.acted, made.used, made.calls),
            )
            for name in MEASURES:
                ours, theirs = made.results.get(name), read.results.get(name)
                assert (ours and (ours.status, ours.value)) == (theirs and (theirs.status, theirs.value)), (
                    name
                )


@pytest.mark.slow
def test_no_result_is_ever_a_number_that_is_none() -> None:
    for responses in EVERY_OUTCOME:
        for result in record(no_city(), *responses, helper=True).results.values():
            assert result.value is None or not math.isnan(result.value)
            assert set(record(no_city(), *responses).results) <= set(MEASURES)
