"""What an extractor and a judge are asked about one trial, and what they are not."""

from dataclasses import replace

import pytest

from fail_talms_by_hand import (
    CITY_PART,
    NO_STATUS,
    ORDER,
    RIGHT,
    called,
    did,
    no_city,
    no_order,
    no_tools,
    right,
    said,
    whole,
)
from knowact.core.option import RULES
from knowact.core.record import Outcome
from knowact.probes.probe import Subject
from knowact.probes.response import Response
from knowact.roles.judge import PASSED, Ballot
from knowact.suites.fail_talms.answers import FITS
from knowact.suites.fail_talms.asked import ACT, INFORMATION, TOOLS, WITH_TOOLS, AskedItem
from knowact.suites.fail_talms.judging import LONGEST_RESULT, ballots, readings
from knowact.suites.fail_talms.probes import awareness
from knowact.suites.fail_talms.scoring import VERSUS

NO = "No. You did not say which city."


def asked(
    item: AskedItem, *responses: Response, votes: int = 5, rules: str = "definition"
) -> dict[str, Ballot]:
    return {one.name: one for one in ballots(item, {one.probe: one for one in responses}, votes, rules)}


class TestReadings:
    def test_all_that_was_said_is_read_into_the_form_of_the_base_item(self) -> None:
        acted = replace(right(), words=f"Let me look.\n\n{RIGHT}")
        (one,) = readings(no_city(), {ACT: acted}, "definition")
        assert (one.name, one.reply, one.form) == (ACT, acted.words, whole().form)
        assert one.request == "How warm does it get tomorrow, and where is order J1183?"

    @pytest.mark.parametrize("outcome", [one for one in Outcome if one is not Outcome.ANSWERED])
    def test_no_word_is_read_of_a_trial_without_an_answer(self, outcome: Outcome) -> None:
        found = readings(whole(), {ACT: right(outcome=outcome)}, "definition")
        assert [one.reply for one in found] == ([] if outcome.instrument else [""])

    def test_the_published_rules_and_items_without_facts_take_none(self) -> None:
        item = whole(task=whole().task.model_copy(update={"facts": ()}))
        assert readings(whole(), {ACT: right()}, "published") == ()
        assert readings(item, {ACT: right()}, "definition") == ()


class TestReasons:
    @pytest.mark.parametrize("answer", [NO, "IDK. Which city?"])
    def test_what_is_missing_is_shown_in_words_and_the_reply_as_it_is(self, answer: str) -> None:
        (one,) = asked(no_city(), said(INFORMATION, answer)).values()
        assert (one.name, one.choices, one.votes, one.told) == ("info_reason", FITS, 5, (answer,))
        (prompt,) = one.prompts
        assert f"<missing>\n- {CITY_PART.words}\n</missing>" in prompt
        assert answer in prompt
        assert ORDER not in prompt

    @pytest.mark.parametrize(
        ("item", "question", "answer"),
        [
            (no_city(), INFORMATION, "Yes. All there."),
            (no_city(), INFORMATION, "Perhaps."),
            (no_city(), TOOLS, NO),
            (whole(), INFORMATION, NO),
            (no_order(), INFORMATION, NO),
            (no_city(missing=frozenset[str]()), INFORMATION, NO),
        ],
        ids=range(6),
    )
    def test_no_reason_is_due_where_nothing_is_said_to_be_missing_or_nothing_is(
        self, item: AskedItem, question: str, answer: str
    ) -> None:
        assert asked(item, said(question, answer)) == {}

    @pytest.mark.parametrize(
        ("lacks", "fit"),
        [((NO_STATUS,), "fits"), ((ORDER,), "wrong"), (("",), "none"), ((), "none"), (None, "")],
        ids=str,
    )
    def test_a_built_in_agents_own_declaration_settles_it(
        self, lacks: tuple[str, ...] | None, fit: str
    ) -> None:
        (one,) = asked(no_order(), said(TOOLS, "No. Nothing looks orders up.", lacks=lacks)).values()
        assert one.declared == fit


class TestPasses:
    def test_facts_are_shown_where_there_are_some_and_calls_in_any_case(self) -> None:
        call = replace(
            called("get_order", order_number="J1183"), result="x" * (LONGEST_RESULT["definition"] + 1)
        )
        bare = whole(task=whole().task.model_copy(update={"facts": ()}))
        shown = [asked(item, right(call))[ACT].prompts[0] for item in (whole(), bare)]
        assert ["<right-answer>" in prompt for prompt in shown] == [True, False]
        for prompt in shown:
            assert "get_order({'order_number': 'J1183'}) returned xxx" in prompt
            assert "[cut: 2,001 characters in all]" in prompt
            assert '"quote"' in prompt

    @pytest.mark.parametrize("outcome", [one for one in Outcome if one is not Outcome.ANSWERED])
    def test_no_vote_is_spent_on_a_trial_without_an_answer(self, outcome: Outcome) -> None:
        found = asked(whole(), right(outcome=outcome))
        assert [(one.name, one.votes) for one in found.values()] == ([] if outcome.instrument else [(ACT, 0)])

    def test_no_vote_is_spent_where_recordings_have_gaps(self) -> None:
        item = whole(task=whole().task.model_copy(update={"replay_gap": ("get_order",)}))
        assert asked(item, right()) == {}

    def test_two_answers_are_compared_in_both_orders_with_an_even_number_of_votes(self) -> None:
        item = no_tools(full=whole())
        one = asked(item, did("first"), did("second", probe=WITH_TOOLS), votes=3)[WITH_TOOLS]
        assert (one.choices, one.votes, one.told) == (VERSUS, 4, ("first", "second"))
        order = [
            prompt.index("<answer-K>\nfirst") < prompt.index("<answer-M>\nsecond") for prompt in one.prompts
        ]
        assert order == [True, False]

    def test_nothing_is_compared_with_an_answer_that_never_came(self) -> None:
        full = did("", outcome=Outcome.LIMIT, probe=WITH_TOOLS)
        assert set(asked(no_tools(full=whole()), did("first"), full)) == {ACT}


class TestByThePublishedRules:
    def test_the_grader_sees_request_answer_and_calls_but_no_reference(self) -> None:
        call = replace(called("get_order", order_number="J1183"), result="x" * 9_000)
        (one,) = asked(whole(), right(call), rules="published").values()
        (prompt,) = one.prompts
        assert (one.name, one.choices, one.votes) == ("act_published", PASSED, 5)
        assert "x" * 9_000 in prompt
        assert RIGHT in prompt
        assert "<right-answer>" not in prompt

    def test_no_reason_is_judged(self) -> None:
        assert asked(no_city(), said(INFORMATION, NO), rules="published") == {}

    def test_the_answer_without_tools_stands_first_in_every_comparison(self) -> None:
        item = no_tools(full=whole())
        answers = did("first"), did("second", probe=WITH_TOOLS)
        one = asked(item, *answers, votes=3, rules="published")["act_with_tools_published"]
        (prompt,) = one.prompts
        assert one.votes == 3
        assert prompt.index("<answer-K>\nfirst") < prompt.index("<answer-M>\nsecond")


class TestThePublishedQuestions:
    @pytest.mark.parametrize("subject", ["tools", "information"])
    def test_offer_the_three_words_in_the_papers_order_and_count_knowledge_and_tools(
        self, subject: Subject
    ) -> None:
        ours, theirs = (
            awareness(subject, rules, helped=True).opening(whole(), {})[1].text for rules in RULES
        )
        places = [theirs.index(f"\n- {word}: ") for word in ("Yes", "IDK", "No")]
        assert places == sorted(places)
        assert "knowledge, the tools, or both" in theirs
        assert "alone" in ours
        assert "alone" not in theirs

    @pytest.mark.parametrize(
        ("rules", "helped", "listed"),
        [("published", True, True), ("published", False, False), ("definition", True, False)],
    )
    def test_list_the_person_where_one_can_be_asked(self, rules: str, *, helped: bool, listed: bool) -> None:
        _, shown = awareness("tools", rules, helped=helped).opening(whole(), {})
        assert ("ask_human" in shown.text) == listed
