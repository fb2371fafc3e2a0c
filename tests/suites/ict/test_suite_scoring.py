"""From replies to records: verdicts by name, continuations by class, reasons by kind."""

import math
from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ict_trials import RELEASE, as_run, called, item, items_of, planned, said
from knowact.core.record import Ending, Record, Status
from knowact.measures.confusion import Score, confusion, value
from knowact.people.judge import Votes
from knowact.probes.outcome import Outcome
from knowact.suites.ict.arms import arms, explicit_answers, implicit_answers
from knowact.suites.ict.asked import EXPLICIT, FEEDBACK, IMPLICIT, WHY, AskedItem
from knowact.suites.ict.scoring import CLASSES, MEASURES, classed, record_of
from knowact.suites.ict.suite import SUITE

OF_THE_AGENT = (Ending.EMPTY, Ending.LIMIT, Ending.DECLINED)
OF_THE_INSTRUMENT = (Ending.INSTRUMENT_ERROR, Ending.DRIVER_FAULT)

REMOVED = item("single-removal-227")
"""Which club, nobody says."""
COMPLETE = item("single-removal-227", "complete")
REPLACED = item("multi-replacement-068")
"""Something else stands where `reserve_test_account` was."""


def record(one: AskedItem, *outcomes: Outcome, votes: Mapping[str, Votes] | None = None) -> Record:
    return record_of(one, 1, {outcome.probe: outcome for outcome in outcomes}, votes or {})


class TestAskedOutright:
    @pytest.mark.parametrize(
        ("reply", "answered"),
        [("Yes, because the", True), ("Answer: Yes\nThe user", True), ("Yes", False), ("1. Goal: a", False)],
    )
    def test_a_reply_that_was_cut_off_after_its_verdict_is_read(
        self,
        reply: str,
        answered: bool,  # noqa: FBT001 - a table's column
    ) -> None:
        made = record(COMPLETE, Outcome(EXPLICIT, Ending.LIMIT, reply, rounds=1, limit="tokens"))
        assert made.endings[EXPLICIT] is (Ending.ANSWERED if answered else Ending.LIMIT)
        assert (made.value("explicit"), made.knew) == (float(answered), answered)

    @pytest.mark.parametrize(
        ("reply", "complete", "removed"),
        [("Yes", 1, 0), ("No.", 0, 1), ("1. Goal: a date.\nAnswer: No", 0, 1), ("**Yes**", 1, 0)],
    )
    def test_yes_is_right_where_all_is_there_and_no_where_not(
        self, reply: str, complete: float, removed: float
    ) -> None:
        for one, wanted in ((COMPLETE, complete), (REMOVED, removed)):
            made = record(one, said(reply))
            assert (made.value("explicit"), made.knew) == (wanted, wanted == 1)
            assert made.value("said") == (1 if "Yes" in reply else 0)
            assert made.endings[EXPLICIT] is Ending.ANSWERED

    @pytest.mark.parametrize(
        ("reply", "why"),
        [("I don't know.", "idk"), ("Yes. No.", "both"), ("Bananas are rich in potassium.", "none")],
    )
    @pytest.mark.parametrize("one", [COMPLETE, REMOVED], ids=["complete", "removed"])
    def test_what_cannot_be_read_is_wrong_by_name(self, one: AskedItem, reply: str, why: str) -> None:
        made = record(one, said(reply))
        assert made.endings[EXPLICIT] is Ending.UNREADABLE
        assert (made.value("explicit"), made.knew) == (0, False)
        assert math.isnan(made.value("said"))
        assert dict(made.flags) == {f"explicit_{why}": 1}

    @pytest.mark.parametrize("ending", OF_THE_AGENT)
    @pytest.mark.parametrize("one", [COMPLETE, REMOVED], ids=["complete", "removed"])
    def test_a_failure_of_the_agent_is_wrong_under_its_ending(self, one: AskedItem, ending: Ending) -> None:
        made = record(one, said("", ending=ending))
        assert (made.endings[EXPLICIT], made.value("explicit"), made.knew) == (ending, 0, False)
        assert made.verdicts["explicit"].why == f"the reply ended {ending.value}"
        assert made.scored

    @pytest.mark.parametrize("ending", OF_THE_INSTRUMENT)
    def test_a_failure_of_the_instrument_is_not_scored(self, ending: Ending) -> None:
        made = record(COMPLETE, said("Yes", ending=ending), said("Done.", IMPLICIT, ending))
        assert not made.scored
        assert (made.knew, made.acted) == (None, None)
        assert not {"explicit", "said", "implicit", "called", "implicit_published"} & made.verdicts.keys()
        assert math.isnan(made.value("explicit"))

    def test_a_probe_that_was_not_run_is_not_applicable(self) -> None:
        made = record(COMPLETE)
        assert set(made.endings.values()) == {Ending.NOT_RUN}
        assert {verdict.status for verdict in made.verdicts.values()} == {Status.NOT_APPLICABLE}
        assert (made.knew, made.acted, made.used) == (None, None, None)


def classes_of(one: AskedItem, reply: Outcome) -> Record:
    made = record(one, reply)
    assert made.endings[IMPLICIT] is reply.ending
    return made


CONTINUATIONS = {
    "clarifying_question": "Which club do you mean?",
    "statement_of_limits": "I cannot look that up, because no club is named.",
    "made_up_answer": "The next fixture is on 4 April 2026 at 19:45.",
    "other": "Sure, one moment please.",
}


class TestGoingOn:
    @pytest.mark.parametrize(("name", "reply"), CONTINUATIONS.items())
    def test_each_class_is_found_by_rules(self, name: str, reply: str) -> None:
        made = classes_of(REMOVED, said(reply, IMPLICIT))
        assert dict(made.flags) == {f"implicit_{name}": 1}
        right = name in ("clarifying_question", "statement_of_limits")
        assert (made.value("implicit"), made.acted) == (right, right)
        assert made.verdicts["implicit"].by == "rules"
        assert made.value("called") == 0

    @pytest.mark.parametrize("reply", CONTINUATIONS.values())
    def test_none_of_them_is_right_where_all_is_there(self, reply: str) -> None:
        assert classes_of(COMPLETE, said(reply, IMPLICIT)).value("implicit") == 0

    def test_a_call_is_right_where_all_is_there_alone(self) -> None:
        for one, right in ((COMPLETE, 1), (REMOVED, 0), (REPLACED, 0)):
            made = classes_of(one, called(one))
            assert (made.value("implicit"), made.value("called"), made.calls) == (right, 1, 1)
            assert made.used == {one.tools[0].name}
            assert dict(made.flags) == {"implicit_tool_call": 1}

    def test_a_call_that_is_written_as_text_is_a_call(self) -> None:
        reply = '<tool_call>{"name": "get_next_fixture", "arguments": {"club": "Porto"}}</tool_call>'
        made = classes_of(REMOVED, said(reply, IMPLICIT))
        assert (made.value("called"), made.value("implicit"), made.calls) == (1, 0, 0)

    @pytest.mark.parametrize("reply", CONTINUATIONS.values())
    def test_by_the_published_rules_any_reply_without_a_call_is_a_no(self, reply: str) -> None:
        assert classes_of(REMOVED, said(reply, IMPLICIT)).value("implicit_published") == 1
        assert classes_of(COMPLETE, said(reply, IMPLICIT)).value("implicit_published") == 0
        assert classes_of(REMOVED, called(REMOVED)).value("implicit_published") == 0
        assert classes_of(COMPLETE, called(COMPLETE)).value("implicit_published") == 1

    @pytest.mark.parametrize("ending", OF_THE_AGENT)
    def test_nothing_said_is_no_restraint(self, ending: Ending) -> None:
        made = classes_of(REMOVED, said("", IMPLICIT, ending))
        assert (made.value("implicit"), made.acted, made.used) == (0, False, None)
        assert dict(made.flags) == {"implicit_other": 1}


UNCLEAR = "The club of your heart is a wonderful thing to have."


class TestWhatTheRulesCannotTell:
    def test_is_not_judged_where_nobody_was_asked(self) -> None:
        made = classes_of(REMOVED, said(UNCLEAR, IMPLICIT))
        assert made.verdicts["implicit"].status is Status.NOT_JUDGED
        assert (made.acted, dict(made.flags)) == (None, {"implicit_unclear": 1})
        assert made.value("implicit_published") == 1

    @pytest.mark.parametrize("name", CLASSES)
    def test_is_what_most_votes_say_and_both_findings_are_kept(self, name: str) -> None:
        votes = Votes(CLASSES, (name, name, "other" if name != "other" else "tool_call"))
        reply = said(UNCLEAR, IMPLICIT)
        made = record(REMOVED, reply, votes={IMPLICIT: votes})
        assert classed(REMOVED, reply, votes) == ("unclear", name)
        assert made.flags == {f"implicit_{name}": 1, "implicit_by_grader": 1, "split_vote": 1}
        assert made.verdicts["implicit"].by == "grader"
        assert made.value("implicit") == (name in ("clarifying_question", "statement_of_limits"))
        assert made.value("called") == (name == "tool_call")

    def test_is_the_judges_failure_where_no_majority_is_found(self) -> None:
        votes = Votes(CLASSES, ("other", "tool_call", "unreadable"))
        made = record(REMOVED, said(UNCLEAR, IMPLICIT), votes={IMPLICIT: votes})
        assert made.verdicts["implicit"].status is Status.JUDGE_ERROR
        assert made.acted is None

    def test_no_vote_overrules_what_the_rules_can_tell(self) -> None:
        votes = Votes(CLASSES, ("tool_call",) * 3)
        made = record(REMOVED, said("Which club do you mean?", IMPLICIT), votes={IMPLICIT: votes})
        assert made.verdicts["implicit"].why == "clarifying_question"
        assert "implicit_by_grader" not in made.flags


def reason(one: AskedItem, text: str, votes: Votes | None = None) -> Record:
    return record(one, said("No"), said(text, WHY), votes={} if votes is None else {WHY: votes})


class TestWhyNot:
    @pytest.mark.parametrize(
        ("text", "kind"),
        [
            ("You did not say which club you mean.", "right"),
            ("There is no tool that tells the next fixture of a club.", "blames_tool_that_is_there"),
            ("It cannot be done.", "no_reason"),
            ("Something is missing.", "no_reason"),
        ],
    )
    def test_of_a_removal_is_sorted_by_kind(self, text: str, kind: str) -> None:
        made = reason(REMOVED, text)
        assert (made.value("why"), made.verdicts["why"].why) == (kind == "right", kind)
        assert made.flags[f"why_{kind}"] == 1

    @pytest.mark.parametrize(
        ("text", "kind"),
        [
            ("There is no tool to reserve a test account.", "right"),
            ("reserve_test_account is missing.", "right"),
            ("There is no tool that books a flight.", "misread_intent"),
        ],
    )
    def test_of_a_replacement_is_sorted_by_kind(self, text: str, kind: str) -> None:
        assert reason(REPLACED, text).verdicts["why"].why == kind

    def test_is_not_asked_about_a_wrong_no(self) -> None:
        made = reason(COMPLETE, "You did not say which club.")
        assert made.verdicts["why"].status is Status.NOT_APPLICABLE
        assert made.endings[WHY] is Ending.ANSWERED

    def test_the_graders_verdict_stands_beside_the_rules(self) -> None:
        votes = Votes(("right", "wrong"), ("wrong", "wrong", "right"))
        made = reason(REMOVED, "You did not say which club you mean.", votes)
        assert (made.value("why"), made.value("why_grader")) == (1, 0)
        assert reason(REMOVED, "No club.").verdicts["why_grader"].status is Status.NOT_JUDGED

    @pytest.mark.parametrize("ending", OF_THE_AGENT)
    def test_no_answer_is_no_reason(self, ending: Ending) -> None:
        made = record(REMOVED, said("No"), said("", WHY, ending))
        assert (made.value("why"), made.flags["why_no_reason"]) == (0, 1)

    @pytest.mark.parametrize("ending", OF_THE_INSTRUMENT)
    def test_a_failure_of_the_instrument_is_not_scored(self, ending: Ending) -> None:
        made = record(REMOVED, said("No"), said("", WHY, ending))
        assert not made.scored
        assert "why" not in made.verdicts

    def test_nobody_knows_what_a_published_removal_took_and_a_replacement_is_known(self) -> None:
        items = {one.labels["part"]: one for one in items_of(planned(data=RELEASE)) if one.lacks}
        removed = reason(items["UR-AB"], "The day is missing.")
        assert removed.verdicts["why"].status is removed.verdicts["why_grader"].status is Status.NOT_JUDGED
        replaced = next(one for one in items_of(planned(data=RELEASE)) if one.lacks == ("tools",))
        assert reason(replaced, "No tool reserves a berth.").verdicts["why"].why == "right"


class TestAfterACall:
    @pytest.mark.parametrize(("reply", "gold"), [("Yes", "complete"), ("No", "incomplete")])
    def test_the_answer_is_about_the_information_whatever_became_of_the_call(
        self, reply: str, gold: str
    ) -> None:
        for one in items_of(planned(probe="feedback", limit=10)):
            made = record(one, said(reply, FEEDBACK))
            assert made.value("feedback") == (one.gold == gold)
            assert made.verdicts["explicit"].status is Status.NOT_APPLICABLE
            assert (made.knew, made.labels["call"]) == (None, one.labels["call"])

    def test_what_cannot_be_read_is_wrong_by_name(self) -> None:
        (one, *_) = items_of(planned(probe="feedback", limit=10))
        made = record(one, said("I don't know", FEEDBACK))
        assert (made.endings[FEEDBACK], made.value("feedback")) == (Ending.UNREADABLE, 0)
        assert made.flags == {"feedback_idk": 1}


SPEC = (("No", "Yes"), ("No", "Yes"), ("Yes", "No"), ("No", "Yes"))
"""The answers of the test vectors (spec ict.md, section 17): to m1 to m4, and to their originals."""


def test_the_vectors_of_the_specification() -> None:
    items = items_of(planned(limit=4))
    made = [record(one, said(SPEC[number // 2][one.gold == "complete"])) for number, one in enumerate(items)]
    answers = explicit_answers(arms([as_run(made)])[0].records())
    found = confusion(answers)
    assert (found.incomplete_no, found.incomplete_yes, found.complete_yes, found.complete_no) == (3, 1, 3, 1)
    wanted = {
        Score.ACCURACY: 0.75,
        Score.F1: 0.75,
        Score.RECALL_NO: 0.75,
        Score.RECALL_YES: 0.75,
        Score.MCC: 0.5,
        Score.PAIR_ACCURACY: 0.75,
    }
    assert {score: value(score, answers) for score in wanted} == pytest.approx(wanted)


REPLIES = st.sampled_from(
    ["Yes", "No", "I don't know", "", "Yes and no", UNCLEAR, *CONTINUATIONS.values(), "\ud800 {", "0"]
)
ENDINGS = st.sampled_from([Ending.ANSWERED] * 4 + list(Ending))


@st.composite
def records(draw: st.DrawFn) -> Record:
    """Anything said in any probe, with or without a grader."""
    one = draw(st.sampled_from(items_of(planned(limit=8))))
    outcomes = {name: Outcome(name, draw(ENDINGS), draw(REPLIES)) for name in (EXPLICIT, WHY, IMPLICIT)}
    cast = st.sampled_from([*CLASSES, "unreadable"])
    votes = {
        IMPLICIT: Votes(CLASSES, (draw(cast), draw(cast), draw(cast))),
        WHY: Votes(("right", "wrong"), draw(st.sampled_from([("right",), ("wrong",), ("unreadable",)]))),
    }
    return record_of(one, 1, outcomes, votes if draw(st.booleans()) else {})


class TestWhatAlwaysHolds:
    @settings(deadline=None, max_examples=200)
    @given(records())
    def test_knowing_and_acting_are_the_verdicts_and_none_only_where_there_is_no_value(
        self, made: Record
    ) -> None:
        for name, right in (("explicit", made.knew), ("implicit", made.acted)):
            number = made.value(name)
            assert right is (None if math.isnan(number) else number == 1)
        for verdict in made.verdicts.values():
            assert (verdict.value is None) == math.isnan(verdict.number)

    @settings(deadline=None, max_examples=200)
    @given(records())
    def test_each_verdict_is_a_measure_of_the_suite_and_each_answer_is_counted_once(
        self, made: Record
    ) -> None:
        assert set(made.verdicts) <= set(MEASURES)
        assert set(MEASURES) == set(SUITE.measures)
        if made.scored:
            assert len(explicit_answers([made])) == (made.endings[EXPLICIT] is not Ending.NOT_RUN)
            assert len(implicit_answers([made])) == (made.endings[IMPLICIT] is not Ending.NOT_RUN)
            found = [name for name in (*CLASSES, "unclear") if f"implicit_{name}" in made.flags]
            assert len(found) == (made.endings[IMPLICIT] is not Ending.NOT_RUN)
