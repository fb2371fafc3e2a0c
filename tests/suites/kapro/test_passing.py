"""From responses to records: whether a trial passes, alone or with tools, and where it failed."""

from collections.abc import Sequence
from typing import Any

import pytest

from kapro_trials import FACT, OF_THE_AGENT, OF_THE_INSTRUMENT, RULES, STATED, does, item, record, says
from knowact.conditions.removal import no_tools
from knowact.core.record import Decided, Outcome, Record, Result, Status
from knowact.core.suite import Item
from knowact.core.task import Fact
from knowact.probes.response import Response
from knowact.roles.judge import PASSED, Votes, result_of
from knowact.suites.kapro.probes import ACT, KNOW

GRADED = Votes(PASSED, ("right", "right"))


def passes(made: Record) -> tuple[Result, Result, Result]:
    return made.results["pass"], made.results["pass_form"], made.results["pass_judge"]


class TestPassing:
    @pytest.mark.parametrize(
        ("reply", "slot", "value"),
        [
            ("It is 42.", STATED, 1),
            ("It is 41.", {"value": "41", "quotes": ["It is 41."]}, 0),
            ("It is not 42.", {**STATED, "stance": "denied"}, 0),
            ("It may be 42.", {**STATED, "stance": "hedged"}, 0),
            ("It is 42 or 43.", {**STATED, "also": ["43"]}, 0),
            ("I don't know.", None, 0),
        ],
    )
    def test_the_form_decides_where_there_are_facts(self, reply: str, slot: object, value: float) -> None:
        made = record(item("a", "a"), act=does("a", "a", reply), slot=slot)
        result, by_form, by_judge = passes(made)
        assert result == by_form
        assert (result.value, result.by) == (value, "form")
        assert by_judge.status is Status.NOT_JUDGED

    def test_without_an_extractor_nothing_is_judged(self) -> None:
        result, by_form, _ = passes(record(item("a", "a"), act=does("a", "a", "It is 42.")))
        assert result == by_form
        assert result.status is Status.NOT_JUDGED

    def test_a_form_that_cannot_be_used_is_not_scored_however_right_it_looks(self) -> None:
        forged = {"value": "42", "quotes": ["The answer is 42."]}
        result, _, _ = passes(record(item("a", "a"), act=does("a", "a", "No idea."), slot=forged))
        assert (result.status, result.by) == (Status.JUDGE_ERROR, "form")
        assert "does not stand in the reply" in result.why

    def test_a_value_that_no_digit_bears_out_is_counted(self) -> None:
        words = {"value": "42", "quotes": ["forty-two"]}
        made = record(item("a", "a"), act=does("a", "a", "It is forty-two."), slot=words)
        assert (made.value("pass"), made.flags["unverified"]) == (1, 1)

    def test_the_form_goes_before_the_judge_and_both_are_kept(self) -> None:
        other = {"value": "41", "quotes": ["41"]}
        made = record(item("a", "a"), act=does("a", "a", "It is 41."), graded=GRADED, slot=other)
        result, by_form, by_judge = passes(made)
        assert result == by_form
        assert (by_form.value, by_judge.value) == (0, 1)

    def test_the_published_rules_go_by_the_judge(self) -> None:
        made = record(item("a", "a"), act=does("a", "a", "It is 41."), graded=GRADED, rules="published")
        result, _, by_judge = passes(made)
        assert result == by_judge == result_of(GRADED)

    def test_the_judge_decides_where_there_are_no_facts(self) -> None:
        result, by_form, by_judge = passes(record(item("a", "a", facts=()), act=does("a"), graded=GRADED))
        assert result == by_judge == result_of(GRADED)
        assert by_form.status is Status.NOT_JUDGED

    @pytest.mark.parametrize("facts", [(), (FACT,)])
    @pytest.mark.parametrize("outcome", [Outcome.ANSWERED, *OF_THE_AGENT])
    def test_where_nobody_reads_nothing_is_judged_however_it_ended(
        self, outcome: Outcome, facts: Sequence[Fact]
    ) -> None:
        made = record(item("a", "a", facts=facts), act=Response(ACT, outcome, "Whatever."))
        assert {result.status for result in passes(made)} == {Status.NOT_JUDGED}

    @pytest.mark.parametrize("outcome", OF_THE_AGENT)
    @pytest.mark.parametrize("rules", RULES)
    def test_a_trial_without_an_answer_does_not_pass(self, outcome: Outcome, rules: str) -> None:
        response = Response(ACT, outcome, "It is 42.")
        result, _, _ = passes(record(item("a", "a"), act=response, rules=rules, graded=GRADED, slot=None))
        assert result.value == 0
        assert outcome.value in result.why

    @pytest.mark.parametrize("facts", [(), (FACT,)])
    @pytest.mark.parametrize("graded", [None, GRADED])
    def test_with_a_replay_gap_nothing_is_judged(self, facts: Sequence[Fact], graded: Votes | None) -> None:
        one = item("ab", "a", facts=facts, gap="b")
        made = record(one, says("ab", "a"), does("a", "ab"), graded)
        assert {result.status for result in passes(made)} == {Status.NOT_JUDGED}
        assert made.results["pass"].why == "no recording of b"
        assert made.flags["replay_gap"] == 1
        assert (made.value("acc_know"), made.value("acc_act")) == (1, 1)

    @pytest.mark.parametrize("outcome", OF_THE_INSTRUMENT)
    def test_where_the_instrument_failed_there_is_no_result(self, outcome: Outcome) -> None:
        made = record(item("a", "a"), act=Response(ACT, outcome, "It is 42."), graded=GRADED)
        assert not {"pass", "pass_form", "pass_judge"} & made.results.keys()


class TestTheSoloCondition:
    def solo(self, reply: str, **changed: Any) -> Record:
        full = item("ab", "a", **changed)
        bare = Item(full.task, no_tools(full.task), (), full.labels)
        return record(bare, act=does("", reply=reply), slot=STATED if "42" in reply else None)

    @pytest.mark.parametrize(("reply", "value"), [("It is 42.", 1), ("I cannot know.", 0)])
    def test_only_solving_alone_is_recorded(self, reply: str, value: float) -> None:
        made = self.solo(reply)
        assert set(made.results) == {"pass_alone"}
        assert made.value("pass_alone") == value
        assert (made.knew, made.acted, made.condition) == (None, None, "no-tools")

    def test_what_the_instrument_spoilt_has_no_result(self) -> None:
        full = item("ab", "a")
        bare = Item(full.task, no_tools(full.task), (), full.labels)
        assert record(bare, act=Response(ACT, Outcome.INSTRUMENT_ERROR)).results == {}

    def test_a_replay_gap_does_no_harm_where_no_tool_is_offered(self) -> None:
        assert self.solo("It is 42.", gap="b").value("pass_alone") == 1


class TestWhereATrialFailed:
    def test_the_reply_that_names_other_tools_and_the_first_call_that_is_not_required(self) -> None:
        made = record(item("abc", "ab"), says("abc", "ac"), does("abxa", "abc"))
        assert made.decided == (
            Decided(KNOW, "named, but not required: c; required, but not named: b"),
            Decided(ACT, "x is not required", call=2),
        )

    def test_the_last_reply_where_a_required_call_never_came(self) -> None:
        made = record(item("ab", "ab"), says("ab", "ab"), does("a", "ab"))
        assert made.decided == (Decided(ACT, "it ended without a call of b"),)

    def test_nowhere_where_it_succeeded_or_left_nothing_to_read(self) -> None:
        assert record(item("ab", "a"), says("ab", "a"), does("a", "ab")).decided == ()
        assert (
            record(item("ab", "a"), Response(KNOW, Outcome.EMPTY), Response(ACT, Outcome.LIMIT)).decided == ()
        )
