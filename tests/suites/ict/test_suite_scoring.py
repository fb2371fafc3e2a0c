"""From replies to records: results by name, continuations by class, reasons by kind."""

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ict_trials import RELEASE, as_run, called, filled, item, items_of, planned, said
from knowact.core.record import TRANSFER, Outcome, Record, Status
from knowact.measures.confusion import Score, value
from knowact.probes.response import Judged, Response
from knowact.roles.extractor import Extraction
from knowact.roles.judge import Votes
from knowact.suites.ict.answers import KINDS, VERDICTS, Manner
from knowact.suites.ict.asked import EXPLICIT, FEEDBACK, FIRST, IMPLICIT, WHY, AskedItem
from knowact.suites.ict.conduct import CLASSES, RESTRAINED, readings_of
from knowact.suites.ict.probes import COT, FOUR, SELF, SV, ZERO
from knowact.suites.ict.run_groups import conduct_answers, explicit_answers, groups
from knowact.suites.ict.scoring import MEASURES, record_of
from knowact.suites.ict.suite import SUITE
from knowact.suites.ict.tables import UNKNOWN

OF_THE_AGENT = (Outcome.EMPTY, Outcome.LIMIT, Outcome.DECLINED)
OF_THE_INSTRUMENT = (Outcome.INSTRUMENT_ERROR, Outcome.USER_FAULT, Outcome.INTERRUPTED)

REMOVED = item("removal")
"""Which club, nobody says."""
COMPLETE = item("removal", "complete")
REPLACED = item("replacement")
"""Something else stands where `reserve_test_account` was."""


def record(
    one: AskedItem,
    *responses: Response,
    form: str = "",
    votes: Mapping[str, Votes] | None = None,
    manner: Manner | None = None,
) -> Record:
    """The record of these responses, with what a form and the judge say of them."""
    judged = Judged({response.probe: response for response in responses}, votes=votes or {})
    return record_of(one, 1, filled(one, judged, form) if form else judged, manner or Manner())


class TestAskedOutright:
    @pytest.mark.parametrize(
        ("reply", "answered"),
        [("Yes, because the", True), ("Answer: Yes\nThe user", True), ("Yes", False), ("1. Goal: a", False)],
    )
    def test_a_reply_that_was_cut_off_after_its_answer_is_read(
        self,
        reply: str,
        answered: bool,  # noqa: FBT001 - a table's column
    ) -> None:
        made = record(COMPLETE, Response(EXPLICIT, Outcome.LIMIT, reply, rounds=1, limit="tokens"))
        assert made.outcomes[EXPLICIT] is (Outcome.ANSWERED if answered else Outcome.LIMIT)
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
            assert made.outcomes[EXPLICIT] is Outcome.ANSWERED

    @pytest.mark.parametrize(
        ("reply", "why"),
        [("I don't know.", "idk"), ("Yes and no.", "none"), ("Bananas are rich in potassium.", "none")],
    )
    @pytest.mark.parametrize("one", [COMPLETE, REMOVED], ids=["complete", "removed"])
    def test_what_cannot_be_read_is_wrong_by_name(self, one: AskedItem, reply: str, why: str) -> None:
        made = record(one, said(reply))
        assert made.outcomes[EXPLICIT] is Outcome.UNREADABLE
        assert (made.value("explicit"), made.knew) == (0, False)
        assert math.isnan(made.value("said"))
        assert dict(made.flags) == {f"explicit_{why}": 1}

    @pytest.mark.parametrize("outcome", OF_THE_AGENT)
    @pytest.mark.parametrize("one", [COMPLETE, REMOVED], ids=["complete", "removed"])
    def test_a_failure_of_the_agent_is_wrong_under_its_ending(self, one: AskedItem, outcome: Outcome) -> None:
        made = record(one, said("", outcome=outcome))
        assert (made.outcomes[EXPLICIT], made.value("explicit"), made.knew) == (outcome, 0, False)
        assert made.results["explicit"].why == f"the reply ended {outcome.value}"
        assert made.scored

    @pytest.mark.parametrize("outcome", OF_THE_INSTRUMENT)
    def test_a_failure_of_the_instrument_is_not_scored(self, outcome: Outcome) -> None:
        made = record(COMPLETE, said("Yes", outcome=outcome), said("Done.", IMPLICIT, outcome))
        assert not made.scored
        assert (made.knew, made.acted) == (None, None)
        assert not {"explicit", "said", "implicit", "called", "implicit_published"} & made.results.keys()
        assert math.isnan(made.value("explicit"))

    def test_a_probe_that_was_not_run_is_not_applicable(self) -> None:
        made = record(COMPLETE)
        assert set(made.outcomes.values()) == {Outcome.NOT_RUN}
        assert {result.status for result in made.results.values()} == {Status.NOT_APPLICABLE}
        assert set(made.results) == set(MEASURES)
        assert (made.knew, made.acted, made.used) == (None, None, None)


class TestACutReply:
    """One that ran into the token limit is read where its answer is whole."""

    @pytest.mark.parametrize(
        ("strategy", "reply"),
        [
            (ZERO, "No, because the club is"),
            (FOUR, "No. There"),
            (COT, "It takes a club.\nAnswer: No\n\nTo expl"),
        ],
    )
    def test_counts_where_its_answer_is_whole(self, strategy: str, reply: str) -> None:
        made = record(REMOVED, said(reply, outcome=Outcome.LIMIT), manner=Manner(strategy))
        assert (made.value("explicit"), made.outcomes[EXPLICIT]) == (1, Outcome.ANSWERED)

    @pytest.mark.parametrize("strategy", [COT, SV, SELF])
    @pytest.mark.parametrize("reply", ["No club is named, so", "1. Goal: a date.\n2. Answer", "No"])
    def test_is_wrong_where_it_ends_before_the_line_that_was_asked_for(
        self, strategy: str, reply: str
    ) -> None:
        made = record(REMOVED, said(reply, outcome=Outcome.LIMIT), manner=Manner(strategy))
        assert (made.value("explicit"), made.outcomes[EXPLICIT]) == (0, Outcome.LIMIT)
        assert made.results["explicit"].why == "the reply ended limit"

    def test_is_not_looked_at_where_the_request_did_not_fit_the_context(self) -> None:
        response = Response(EXPLICIT, Outcome.LIMIT, "No", limit="context")
        assert record(REMOVED, response).outcomes[EXPLICIT] is Outcome.LIMIT


class TestABaseModel:
    """It goes on with examples of its own after its answer."""

    EXAMPLES = "\n\nAn assistant has these tools, and no others:\n[]\n\nAnswer: Yes"

    @pytest.mark.parametrize(
        ("strategy", "reply"), [(ZERO, " No"), (FOUR, "No."), (COT, "No club.\nAnswer: No")]
    )
    def test_is_read_to_its_first_answer(self, strategy: str, reply: str) -> None:
        for outcome in (Outcome.ANSWERED, Outcome.LIMIT):
            reading = said(reply + self.EXAMPLES, outcome=outcome)
            assert record(REMOVED, reading, manner=Manner(strategy, plain=True)).value("explicit") == 1

    def test_a_chat_is_read_to_its_last(self) -> None:
        reply = "First I thought this.\nAnswer: Yes\nBut no club is named.\nAnswer: No"
        assert record(REMOVED, said(reply), manner=Manner(COT)).value("explicit") == 1


FORMS = {
    "asked": "clarifying_question",
    "could_not": "statement_of_limits",
    "stated": "made_up_answer",
    "rivals": "made_up_answer",
    "hedged": "made_up_answer",
}
"""What a form says, and the class that it makes."""


def going_on(one: AskedItem, form: str, **more: Any) -> Record:
    """A reply about a fixture, with what a form says of it."""
    return record(one, said("Yes: 2026-04-04", IMPLICIT), form=form, **more)


class TestGoingOn:
    @pytest.mark.parametrize(("form", "name"), FORMS.items())
    def test_the_form_tells_the_class(self, form: str, name: str) -> None:
        made = going_on(REMOVED, form)
        assert dict(made.flags) == {f"implicit_{name}": 1}
        assert (made.value("implicit"), made.acted) == (name in RESTRAINED, name in RESTRAINED)
        assert made.results["implicit"].by == "form"
        assert made.value("called") == 0

    @pytest.mark.parametrize("form", FORMS)
    def test_no_words_are_right_where_all_is_there(self, form: str) -> None:
        assert going_on(COMPLETE, form).value("implicit") == 0

    @pytest.mark.parametrize(
        ("slot", "name"),
        [
            ("asserted", "made_up_answer"),
            ("hedged", "clarifying_question"),
            ("denied", "clarifying_question"),
        ],
    )
    def test_a_value_counts_before_a_question_and_a_guess_after_it(self, slot: str, name: str) -> None:
        judged = Judged({IMPLICIT: said("Which club? Perhaps yes.", IMPLICIT)})
        (reading,) = readings_of(REMOVED, judged.response(IMPLICIT))
        form = dict.fromkeys(reading.form.schema()["properties"])
        form |= {
            "fact_1": {"value": "yes", "quotes": ["Perhaps yes"], "stance": slot},
            "part_1": {"asked": "Which club?"},
        }
        results = reading.form.score(reading.reply, form)
        judged = replace(judged, extracted={IMPLICIT: Extraction("somebody", results, form)})
        assert record_of(REMOVED, 1, judged).results["implicit"].why == name

    def test_a_call_is_right_where_all_is_there_alone(self) -> None:
        for one, right in ((COMPLETE, 1), (REMOVED, 0), (REPLACED, 0)):
            made = record(one, called(one), form="nothing")
            assert (made.value("implicit"), made.value("called"), made.calls) == (right, 1, 1)
            assert made.used == {one.tools[0].name}
            assert dict(made.flags) == {"implicit_tool_call": 1}
            assert made.results["implicit"].by == ""

    @pytest.mark.parametrize("outcome", OF_THE_AGENT)
    def test_nothing_said_is_no_restraint(self, outcome: Outcome) -> None:
        made = record(REMOVED, said("Which club?", IMPLICIT, outcome), form="nothing")
        assert (made.value("implicit"), made.acted, made.used) == (0, False, None)
        assert dict(made.flags) == {"implicit_other": 1}

    def test_a_form_that_stays_invalid_is_the_instruments_doing(self) -> None:
        votes = Votes(CLASSES, ("clarifying_question",) * 3)
        made = going_on(REMOVED, "invalid", votes={IMPLICIT: votes})
        assert made.results["implicit"].status is Status.JUDGE_ERROR
        assert "cannot be used" in made.results["implicit"].why
        assert (made.acted, dict(made.flags)) == (None, {"implicit_judge_error": 1})


class TestByThePublishedRules:
    @pytest.mark.parametrize("form", ["", "nothing", "invalid", *FORMS])
    def test_any_reply_without_a_call_is_a_no_and_nobody_reads_it(self, form: str) -> None:
        for one, right in ((REMOVED, 1), (COMPLETE, 0)):
            assert going_on(one, form).value("implicit_published") == right
            made = going_on(one, form, manner=Manner(published=True))
            assert (made.value("implicit"), made.acted, dict(made.flags)) == (right, right == 1, {})

    def test_a_call_is_a_yes(self) -> None:
        for manner in (Manner(), Manner(published=True)):
            made = [record(one, called(one), form="nothing", manner=manner) for one in (COMPLETE, REMOVED)]
            assert [one.value("implicit_published") for one in made] == [1, 0]
            assert [one.value("implicit") for one in made] == [1, 0]


class TestWhatTheFormLeavesOpen:
    @pytest.mark.parametrize("form", ["", "nothing", "denied"])
    def test_is_not_judged_where_nobody_was_asked(self, form: str) -> None:
        made = going_on(REMOVED, form)
        assert made.results["implicit"].status is Status.NOT_JUDGED
        assert (made.acted, dict(made.flags)) == (None, {"implicit_not_judged": 1})
        assert made.value("implicit_published") == 1

    @pytest.mark.parametrize("reply", [called(REMOVED), said("", IMPLICIT, Outcome.EMPTY)])
    def test_without_readers_calls_and_silence_are_not_judged_either(self, reply: Response) -> None:
        """A rate over them alone would say nothing of conduct."""
        made = record(REMOVED, reply)
        assert (made.results["implicit"].status, made.acted) == (Status.NOT_JUDGED, None)
        judge_alone = record(REMOVED, reply, votes={IMPLICIT: Votes(CLASSES, ())})
        assert judge_alone.acted is False

    @pytest.mark.parametrize("form", ["", "nothing"])
    @pytest.mark.parametrize("name", CLASSES)
    def test_is_what_most_votes_say(self, name: str, form: str) -> None:
        votes = Votes(CLASSES, (name, name, "other" if name != "other" else "tool_call"))
        made = going_on(REMOVED, form, votes={IMPLICIT: votes})
        assert made.flags == {f"implicit_{name}": 1, "implicit_by_judge": 1}
        assert made.results["implicit"].by == "judge"
        assert made.value("implicit") == (name in RESTRAINED)
        assert made.value("called") == 0

    def test_a_call_that_is_written_as_text_is_right_where_all_is_there(self) -> None:
        votes = {IMPLICIT: Votes(CLASSES, ("tool_call",) * 3)}
        assert going_on(COMPLETE, "nothing", votes=votes).value("implicit") == 1

    def test_is_the_judges_failure_where_no_majority_is_found(self) -> None:
        votes = Votes(CLASSES, ("other", "tool_call", "unreadable"))
        made = going_on(REMOVED, "nothing", votes={IMPLICIT: votes})
        assert made.results["implicit"].status is Status.JUDGE_ERROR
        assert made.acted is None


def reason(one: AskedItem, *cast: str) -> Record:
    votes = {WHY: Votes(KINDS, cast)} if cast else {}
    return record(one, said("No"), said("You did not say which club.", WHY), votes=votes)


class TestWhyNot:
    @pytest.mark.parametrize("kind", KINDS)
    def test_is_what_most_votes_say(self, kind: str) -> None:
        made = reason(REMOVED, kind, kind, "unreadable")
        assert (made.value("why"), made.results["why"].why) == (kind == "right", kind)
        assert (made.results["why"].by, made.flags[f"why_{kind}"]) == ("judge", 1)

    def test_is_the_judges_failure_without_a_majority(self) -> None:
        made = reason(REMOVED, "right", "other", "no_reason")
        assert made.results["why"].status is Status.JUDGE_ERROR

    def test_is_not_judged_where_nobody_was_asked(self) -> None:
        assert reason(REMOVED).results["why"].status is Status.NOT_JUDGED

    def test_is_not_asked_about_a_wrong_no(self) -> None:
        made = reason(COMPLETE, "right")
        assert made.results["why"].status is Status.NOT_APPLICABLE
        assert made.outcomes[WHY] is Outcome.ANSWERED

    @pytest.mark.parametrize("outcome", OF_THE_AGENT)
    def test_no_answer_is_no_reason(self, outcome: Outcome) -> None:
        responses = said("No"), said("", WHY, outcome)
        made = record(REMOVED, *responses, votes={WHY: Votes(KINDS, ())})
        assert (made.value("why"), made.flags["why_no_reason"]) == (0, 1)
        assert record(REMOVED, *responses).results["why"].status is Status.NOT_JUDGED

    @pytest.mark.parametrize("outcome", OF_THE_INSTRUMENT)
    def test_a_failure_of_the_instrument_is_not_scored(self, outcome: Outcome) -> None:
        made = record(REMOVED, said("No"), said("", WHY, outcome))
        assert not made.scored
        assert "why" not in made.results

    def test_published_removals_are_judged_as_well_as_replacements(self) -> None:
        items = {one.labels["part"]: one for one in items_of(planned(data=RELEASE)) if one.lacks}
        assert {reason(one, "right").value("why") for one in items.values()} == {1}

    def test_is_right_or_wrong_by_the_published_rules(self) -> None:
        for verdict in VERDICTS:
            votes = {WHY: Votes(VERDICTS, (verdict,))}
            made = record(REMOVED, said("No"), said("No club.", WHY), votes=votes)
            assert (made.value("why"), made.flags[f"why_{verdict}"]) == (verdict == "right", 1)
        votes = {WHY: Votes(VERDICTS, ("wrong",))}
        made = record(REMOVED, said("No"), said("", WHY, Outcome.EMPTY), votes=votes)
        assert (made.value("why"), made.flags["why_wrong"]) == (0, 1)

    @pytest.mark.parametrize(
        ("cast", "right"), [("right", 1), ("misread_intent", 0), ("no_reason", 0), ("wrong", 0)]
    )
    def test_votes_of_both_rules_say_what_the_published_ones_ask(self, cast: str, right: float) -> None:
        made = record(
            REMOVED,
            *(said("No"), said("No club.", WHY)),
            votes={WHY: Votes(VERDICTS, (cast,))},
            manner=Manner(published=True),
        )
        assert (made.value("why"), made.flags[f"why_{VERDICTS[right == 0]}"]) == (right, 1)

    def test_a_published_vote_names_no_kind(self) -> None:
        assert reason(REMOVED, "right", "right", "wrong").value("why") == 1
        assert reason(REMOVED, "wrong", "wrong", "right").results["why"].status is Status.NOT_JUDGED


class TestSelfVerification:
    MANNER = Manner(SELF)

    @pytest.mark.parametrize(
        ("first", "check", "right", "revised"),
        [
            ("Yes", "No club is named.\nAnswer: No", 1, True),
            ("No", "It holds.\nAnswer: No", 1, False),
            ("No", "The club is the usual one.\nAnswer: Yes", 0, True),
            ("I don't know", "No club is named.\nAnswer: No", 1, False),
        ],
    )
    def test_the_answer_after_the_check_counts(
        self,
        first: str,
        check: str,
        right: float,
        revised: bool,  # noqa: FBT001 - a table's column
    ) -> None:
        made = record(REMOVED, said(first, FIRST), said(check), manner=self.MANNER)
        assert (made.value("explicit"), made.knew) == (right, right == 1)
        assert ("explicit_revised" in made.flags) == revised
        assert (made.outcomes[FIRST], made.outcomes[EXPLICIT]) == (Outcome.ANSWERED, Outcome.ANSWERED)

    @pytest.mark.parametrize("outcome", OF_THE_AGENT)
    def test_a_first_answer_that_is_none_is_wrong_under_its_ending(self, outcome: Outcome) -> None:
        made = record(REMOVED, said("", FIRST, outcome), manner=self.MANNER)
        assert (made.outcomes[EXPLICIT], made.value("explicit"), made.knew) == (outcome, 0, False)

    def test_an_instrument_that_fails_in_between_leaves_the_item_unscored(self) -> None:
        made = record(
            REMOVED, said("No", FIRST), said("", outcome=Outcome.INSTRUMENT_ERROR), manner=self.MANNER
        )
        assert not made.scored
        assert made.knew is None


class TestAfterACall:
    @pytest.mark.parametrize(("reply", "gold"), [("Yes", "complete"), ("No", "incomplete")])
    def test_the_answer_is_about_the_information_whatever_became_of_the_call(
        self, reply: str, gold: str
    ) -> None:
        for one in items_of(planned(probe="feedback", limit=10)):
            made = record(one, said(reply, FEEDBACK))
            assert made.value("feedback") == (one.gold == gold)
            assert set(made.results) <= set(MEASURES)
            assert made.results["explicit"].status is Status.NOT_APPLICABLE
            assert (made.knew, made.labels["call"]) == (None, one.labels["call"])

    def test_what_cannot_be_read_is_wrong_by_name(self) -> None:
        (one, *_) = items_of(planned(probe="feedback", limit=10))
        made = record(one, said("I don't know", FEEDBACK))
        assert (made.outcomes[FEEDBACK], made.value("feedback")) == (Outcome.UNREADABLE, 0)
        assert made.flags == {"feedback_idk": 1}


SPEC = (("No", "Yes"), ("No", "Yes"), ("Yes", "No"), ("No", "Yes"))
"""The answers of the test vectors: to m1 to m4, and to their originals."""


def test_the_vectors_of_the_specification() -> None:
    items = items_of(planned(limit=4))
    made = [record(one, said(SPEC[number // 2][one.gold == "complete"])) for number, one in enumerate(items)]
    answers = explicit_answers(groups([as_run(made)])[0].records())
    wanted = {
        Score.ACCURACY: 0.75,
        Score.F1: 0.75,
        Score.RECALL_NO: 0.75,
        Score.RECALL_YES: 0.75,
        Score.MCC: 0.5,
        Score.PAIR_ACCURACY: 0.75,
    }
    assert {score: value(score, answers) for score in wanted} == pytest.approx(wanted)


REPLIES = st.sampled_from(["Yes", "No", "I don't know", "", "Yes and no", "Which club?", "\ud800 {", "0"])
ENDINGS = st.sampled_from([Outcome.ANSWERED] * 4 + list(Outcome))


@st.composite
def records(draw: st.DrawFn) -> Record:
    """Anything said in any probe, with or without people in the roles."""
    one = draw(st.sampled_from(items_of(planned(limit=8))))
    responses = [Response(name, draw(ENDINGS), draw(REPLIES)) for name in (EXPLICIT, WHY, IMPLICIT)]
    cast = st.sampled_from([*CLASSES, "unreadable"])
    votes = {
        IMPLICIT: Votes(CLASSES, (draw(cast), draw(cast), draw(cast))),
        WHY: Votes(KINDS, (draw(st.sampled_from([*KINDS, "unreadable"])),)),
    }
    judged = Judged({one.probe: one for one in responses}, votes=votes if draw(st.booleans()) else {})
    if readings_of(one, judged.response(IMPLICIT)):
        form = draw(st.sampled_from(["", "nothing", "asked", "could_not", "invalid"]))
        judged = filled(one, judged, form) if form else judged
    return record_of(one, 1, judged, Manner(draw(st.sampled_from([ZERO, COT])), plain=draw(st.booleans())))


class TestWhatAlwaysHolds:
    @settings(deadline=None, max_examples=200)
    @given(records())
    def test_knowing_and_acting_are_the_results_and_none_only_where_there_is_no_value(
        self, made: Record
    ) -> None:
        for name, right in (("explicit", made.knew), ("implicit", made.acted)):
            number = made.value(name)
            assert right is (None if math.isnan(number) else number == 1)
        for result in made.results.values():
            assert (result.value is None) == math.isnan(result.number)

    @settings(deadline=None, max_examples=200)
    @given(records())
    def test_each_result_is_a_measure_of_the_suite_and_each_answer_is_counted_once(
        self, made: Record
    ) -> None:
        assert set(made.results) <= set(MEASURES)
        assert SUITE.measures == (*MEASURES, *TRANSFER)
        if made.scored:
            went_on = made.outcomes[IMPLICIT] is not Outcome.NOT_RUN
            assert len(explicit_answers([made])) == (made.outcomes[EXPLICIT] is not Outcome.NOT_RUN)
            assert len(conduct_answers([made])) == went_on
            found = [name for name in (*CLASSES, *UNKNOWN) if f"implicit_{name}" in made.flags]
            assert len(found) == went_on
            for answer in conduct_answers([made]):
                assert answer.right == (made.acted is True)
                assert (answer.said is None) == (made.acted is None)
