"""From responses to records: the worked examples of the definitions, and what every ending comes to."""

import json
import math
from collections.abc import Sequence
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kapro_trials import (
    FACT,
    OF_THE_AGENT,
    OF_THE_INSTRUMENT,
    RULES,
    does,
    item,
    record,
    says,
)
from knowact.core.record import Outcome, Record, Status
from knowact.probes.response import Judged, MadeCall, Response
from knowact.suites.kapro.probes import ACT, KNOW
from knowact.suites.kapro.scoring import record_of


class Vector(NamedTuple):
    """A worked example: two branches, with Jaccard, overuse and underuse of each."""

    listed: str
    required: str
    said: str
    used: str
    know: tuple[float, float, float]
    act: tuple[float, float, float]
    knew: bool
    acted: bool


VECTORS = (
    Vector("a", "", "", "", (1, 0, 0), (1, 0, 0), knew=True, acted=True),
    Vector("ab", "", "", "a", (1, 0, 0), (0, 1, 0), knew=True, acted=False),
    Vector("ab", "ab", "ab", "a", (1, 0, 0), (1 / 2, 0, 1 / 2), knew=True, acted=False),
    Vector("abc", "abc", "ab", "abc", (2 / 3, 0, 1 / 3), (1, 0, 0), knew=False, acted=True),
    Vector("ab", "a", "ab", "a", (1 / 2, 1 / 2, 0), (1, 0, 0), knew=False, acted=True),
    Vector("ab", "a", "b", "", (0, 1 / 2, 1 / 2), (0, 0, 1), knew=False, acted=False),
    Vector("abc", "ab", "ac", "abx", (1 / 3, 1 / 3, 1 / 3), (2 / 3, 1 / 3, 0), knew=False, acted=False),
)


def of_vector(row: Vector, rules: str = "definition") -> Record:
    return record(
        item(row.listed, row.required),
        says(row.listed, row.said),
        does(row.used, row.listed),
        rules=rules,
    )


class TestTheWorkedExamples:
    @pytest.mark.parametrize("rules", RULES)
    @pytest.mark.parametrize("row", VECTORS, ids=range(1, 8))
    def test_each_row(self, row: Vector, rules: str) -> None:
        made = of_vector(row, rules)
        for branch, wanted in (("know", row.know), ("act", row.act)):
            found = [made.value(f"{part}_{branch}") for part in ("acc", "over", "under")]
            assert found == pytest.approx(wanted)
            assert made.value(f"lost_{branch}") == 0
        assert (made.knew, made.acted) == (row.knew, row.acted)
        assert made.needed == frozenset(row.said)
        assert made.used == frozenset(row.used)
        assert made.required == frozenset(row.required)

    def test_their_means(self) -> None:
        made = [of_vector(row) for row in VECTORS]
        assert sum(one.value("acc_know") for one in made) / 7 == pytest.approx(0.642857, abs=1e-6)
        assert sum(one.value("acc_act") for one in made) / 7 == pytest.approx(0.595238, abs=1e-6)
        quadrants = [(one.knew, one.acted) for one in made]
        assert [quadrants.count(q) for q in ((True, True), (True, False), (False, True), (False, False))] == [
            *(1, 2, 2, 2),
        ]


class TestWhatIsSaid:
    def test_names_are_read_as_they_were_shown(self) -> None:
        one = item(["maps.find", "b"], ["maps.find"])
        reply = json.dumps({"tool_decisions": {"maps_find": True, "b": False}})
        made = record(one, Response(KNOW, Outcome.ANSWERED, reply))
        assert made.needed == {"maps.find"}
        assert made.knew is True
        assert made.flags == {}

    def test_a_tool_that_is_left_out_counts_as_not_needed_and_is_counted(self) -> None:
        made = record(item("abc", "a"), says("a", "a"))
        assert made.knew is True
        assert made.flags["omitted"] == 2

    def test_a_tool_that_is_not_offered_enlarges_the_union(self) -> None:
        made = record(item("ab", "a"), says("ab", ["a", "teleport"]))
        assert made.value("acc_know") == 1 / 2
        assert made.value("over_know") == 1 / 2
        assert made.knew is False
        assert made.flags["unknown_named"] == 1

    def test_a_reply_that_cannot_be_read_is_no_empty_set(self) -> None:
        made = record(item("ab", ""), Response(KNOW, Outcome.ANSWERED, "Hard to say."))
        assert made.outcomes[KNOW] is Outcome.UNREADABLE
        assert (made.needed, made.knew) == (None, False)
        assert (made.value("acc_know"), made.value("lost_know")) == (0, 1)

    def test_how_a_reply_was_read_is_flagged(self) -> None:
        made = record(item("ab", "a"), Response(KNOW, Outcome.ANSWERED, '{"a": true, "b": false}'))
        assert (made.knew, dict(made.flags)) == (True, {"read_bare_mapping": 1})

    def test_a_refusal_is_no_empty_set_either(self) -> None:
        reply = "I'm sorry, but I can't help with that."
        made = record(item("ab", ""), Response(KNOW, Outcome.ANSWERED, reply))
        assert made.outcomes[KNOW] is Outcome.UNREADABLE
        assert made.knew is False


class TestWhatIsDone:
    def test_repeated_calls_count_once_in_the_set_and_each_in_the_number(self) -> None:
        made = record(item("ab", "a"), act=does("aaa", "ab"))
        assert (made.used, made.calls, made.acted) == ({"a"}, 3, True)

    def test_an_invented_tool_enlarges_the_union(self) -> None:
        made = record(item("ab", "ab"), act=does(["a", "b", "teleport"], "ab"))
        assert made.value("acc_act") == pytest.approx(2 / 3)
        assert made.value("over_act") == pytest.approx(1 / 3)
        assert made.acted is False
        assert made.flags["invented_tool"] == 1

    def test_an_invented_tool_is_overuse_where_none_is_needed(self) -> None:
        made = record(item("a", ""), act=does(["teleport"], "a"))
        assert (made.value("acc_act"), made.value("over_act")) == (0, 1)

    @pytest.mark.parametrize(("problem", "flag"), [("bad_arguments",) * 2, ("no_recording",) * 2])
    def test_a_call_that_failed_still_counts_as_use(self, problem: str, flag: str) -> None:
        calls = (MadeCall("a", offered=True, problem=problem),) * 2
        made = record(item("a", "a"), act=Response(ACT, Outcome.ANSWERED, "42", calls))
        assert made.acted is True
        assert made.flags[flag] == 2

    def test_agreement_compares_what_was_said_with_what_was_done(self) -> None:
        made = record(item("abc", "a"), says("abc", "ab"), does("bc", "abc"))
        assert made.value("agreement") == pytest.approx(1 / 3)

    def test_there_is_no_agreement_with_what_could_not_be_read(self) -> None:
        made = record(item("a", ""), Response(KNOW, Outcome.EMPTY), does("", "a"))
        assert "agreement" not in made.results


def ended(probe: str, outcome: Outcome, calls: Sequence[str] = ()) -> Response:
    return Response(probe, outcome, "", tuple(MadeCall(name, offered=True) for name in calls))


class TestEveryEnding:
    @pytest.mark.parametrize("required", ["", "a", "ab"])
    @pytest.mark.parametrize("outcome", OF_THE_AGENT)
    @pytest.mark.parametrize(("probe", "branch"), [(KNOW, "know"), (ACT, "act")])
    def test_a_failure_of_the_agent_is_wrong_by_name_under_the_definition(
        self, probe: str, branch: str, outcome: Outcome, required: str
    ) -> None:
        made = record(item("ab", required), *_placed(ended(probe, outcome)))
        assert made.outcomes[probe] is outcome
        values = [made.value(f"{part}_{branch}") for part in ("acc", "over", "under", "lost")]
        assert values == [0, 0, 0, 1]
        assert (made.knew if probe == KNOW else made.acted) is False

    @pytest.mark.parametrize("outcome", OF_THE_AGENT)
    @pytest.mark.parametrize(("probe", "branch"), [(KNOW, "know"), (ACT, "act")])
    def test_under_the_published_rules_it_counts_as_what_is_left(
        self, probe: str, branch: str, outcome: Outcome
    ) -> None:
        internal = record(item("ab", ""), *_placed(ended(probe, outcome)), rules="published")
        external = record(item("ab", "ab"), *_placed(ended(probe, outcome)), rules="published")
        assert internal.outcomes[probe] is outcome
        assert internal.value(f"acc_{branch}") == 1
        assert external.value(f"acc_{branch}") == 0
        assert external.value(f"under_{branch}") == 1
        assert internal.value(f"lost_{branch}") == external.value(f"lost_{branch}") == 0

    def test_calls_made_before_the_rounds_ran_out_count_under_the_published_rules(self) -> None:
        one = item("ab", "a")
        exhausted = ended(ACT, Outcome.LIMIT, "aab")
        published = record(one, act=exhausted, rules="published")
        assert published.value("acc_act") == 1 / 2
        definition = record(one, act=exhausted)
        assert definition.value("acc_act") == 0
        assert (definition.used, definition.calls) == ({"a", "b"}, 3)

    @pytest.mark.parametrize(
        ("reply", "needed"),
        [
            ('{"tool_decisions": {"a": true, "b": false}} I chose a because', {"a"}),
            ('{"tool_decisions": {"a": true, "b": false}', {"a"}),
            ('{"tool_decisions": {"a": true, "b": fal', None),
            ('{"tool_decisions": {"a": true}} The other one', None),
            ('{"a": true}\n{"b', None),
            ("Let me think about a and b. First", None),
            ("", None),
        ],
    )
    def test_of_a_reply_that_was_cut_off_counts_a_decision_on_each_tool(
        self, reply: str, needed: set[str] | None
    ) -> None:
        made = record(item("ab", "a"), Response(KNOW, Outcome.LIMIT, reply, rounds=1, limit="tokens"))
        assert made.outcomes[KNOW] is (Outcome.LIMIT if needed is None else Outcome.ANSWERED)
        assert made.needed == needed
        assert made.knew is (needed == {"a"})
        assert made.value("lost_know") == (needed is None)

    def test_what_is_said_with_a_refused_request_is_not_read(self) -> None:
        whole = says("ab", "a").reply
        made = record(item("ab", "a"), Response(KNOW, Outcome.LIMIT, whole, rounds=1, limit="context"))
        assert (made.outcomes[KNOW], made.needed) == (Outcome.LIMIT, None)

    @pytest.mark.parametrize("rules", RULES)
    @pytest.mark.parametrize("outcome", OF_THE_INSTRUMENT)
    @pytest.mark.parametrize("required", ["", "a"])
    @pytest.mark.parametrize(("probe", "branch"), [(KNOW, "know"), (ACT, "act")])
    def test_a_failure_of_the_instrument_is_not_scored_under_any_rules(
        self, probe: str, branch: str, outcome: Outcome, required: str, rules: str
    ) -> None:
        made = record(item("a", required), *_placed(ended(probe, outcome, "a")), rules=rules)
        assert not made.scored
        assert math.isnan(made.value(f"acc_{branch}"))
        assert math.isnan(made.value("pass"))
        assert made.needed is None
        assert "agreement" not in made.results
        assert (made.knew if probe == KNOW else made.acted) is None

    def test_a_branch_that_was_not_run_is_not_applicable(self) -> None:
        made = record(item("a", "a"), act=does("a", "a"))
        assert made.outcomes == {KNOW: Outcome.NOT_RUN, ACT: Outcome.ANSWERED}
        assert made.results["acc_know"].status is Status.NOT_APPLICABLE
        assert (made.knew, made.acted) == (None, True)
        only = record(item("a", "a"), says("a", "a"))
        assert {only.results[name].status for name in ("acc_act", "pass", "pass_form")} == {
            Status.NOT_APPLICABLE
        }

    @pytest.mark.parametrize("probe", [KNOW, ACT])
    def test_an_empty_reply_on_an_internal_task_is_never_restraint(self, probe: str) -> None:
        made = record(item("a", ""), *_placed(Response(probe, Outcome.EMPTY, "")))
        assert (made.knew, made.acted) == ((False, None) if probe == KNOW else (None, False))

    def test_nor_is_a_knowing_reply_of_blanks_that_passed_for_an_answer(self) -> None:
        made = record(item("a", ""), Response(KNOW, Outcome.ANSWERED, " \n\t"))
        assert made.outcomes[KNOW] is Outcome.EMPTY
        assert made.knew is False


def _placed(response: Response) -> tuple[Response | None, Response | None]:
    return (response, None) if response.probe == KNOW else (None, response)


NAMES = "abcxyz"
SETS = st.frozensets(st.sampled_from(NAMES))


@st.composite
def trials(draw: st.DrawFn) -> Record:
    """Any listed and required tools, any endings, any calls, under either rule set."""
    listed = draw(st.lists(st.sampled_from(NAMES[:4]), min_size=1, max_size=4, unique=True))
    required = draw(st.frozensets(st.sampled_from(listed)))
    one = item(listed, required, facts=draw(st.sampled_from([(), (FACT,)])))
    know = says(listed, draw(SETS))
    act = does(sorted(draw(SETS)), listed, draw(st.sampled_from(["42", "It is 41.", ""])))
    outcomes = st.sampled_from([Outcome.ANSWERED] * 3 + list(Outcome))
    responses = {
        KNOW: Response(KNOW, draw(outcomes), know.reply),
        ACT: Response(ACT, draw(outcomes), act.reply, act.calls),
    }
    return record_of(one, 1, Judged(responses), draw(st.sampled_from(RULES)))


class TestWhatAlwaysHolds:
    @pytest.mark.slow
    @settings(deadline=None, max_examples=500)
    @given(trials())
    def test_each_lost_unit_of_accuracy_has_a_name(self, made: Record) -> None:
        for branch, probe in (("know", KNOW), ("act", ACT)):
            parts = [made.value(f"{part}_{branch}") for part in ("over", "under", "lost")]
            if made.outcomes[probe].instrument or made.outcomes[probe] is Outcome.NOT_RUN:
                assert all(math.isnan(part) for part in parts)
            else:
                assert 1 - made.value(f"acc_{branch}") == pytest.approx(sum(parts))
                assert all(0 <= part <= 1 for part in parts)

    @settings(deadline=None, max_examples=300)
    @given(trials())
    def test_right_is_exactly_an_accuracy_of_one(self, made: Record) -> None:
        for name, right in (("acc_know", made.knew), ("acc_act", made.acted)):
            assert right is (None if math.isnan(made.value(name)) else made.value(name) == 1)

    @pytest.mark.slow
    @settings(deadline=None, max_examples=300)
    @given(trials())
    def test_agreement_is_at_least_what_the_accuracies_force(self, made: Record) -> None:
        floor = made.value("acc_know") + made.value("acc_act") - 1
        if not math.isnan(made.value("agreement")):
            assert made.value("agreement") >= floor - 1e-9
