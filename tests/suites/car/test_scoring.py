"""The six sub-metrics, the reward and the outcome, under both rule sets and fault by fault."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from car_scores import CLIMATE, FAN, HEAT, LIGHT, both, values
from car_trials import BERLIN, HERE, NOW, WEATHER, call, city, drive, goal, routes
from knowact.core.conversation import Parsed, PolicyVotes, Ruled, Stop, UserFault
from knowact.core.record import Status
from knowact.core.world import Call
from knowact.suites.car.differences import explained
from knowact.suites.car.scoring import (
    ANSWER,
    CONVERSATION,
    EXECUTION,
    FINAL,
    INTERMEDIATE,
    POLICY,
    PUBLISHED,
    SUBSET,
    TrialEnd,
    score,
    scored_with,
)
from knowact.worlds.car.defects import Defect
from knowact.worlds.car.record import Finding, TaskType, Word
from knowact.worlds.car.rules import Rules


class TestTheWhole:
    @pytest.mark.parametrize("rules", Rules)
    def test_doing_just_what_was_wanted_is_a_success(self, rules: Rules) -> None:
        trial = drive(CLIMATE, FAN, "The fan is at three.", Word.STOP)
        found = score(trial, goal(CLIMATE, FAN), rules)
        assert values(found) == {**dict.fromkeys(PUBLISHED, 1.0), ANSWER: None}
        assert {one.why for one in found.metrics.values()} == {""}
        assert (found.end, found.reward.value) == (TrialEnd.SUCCESS, 1)

    @pytest.mark.parametrize("rules", Rules)
    def test_doing_nothing_fails_state_and_subset(self, rules: Rules) -> None:
        found = score(drive("I'd rather not.", Word.STOP), goal(CLIMATE, FAN), rules)
        assert (values(found)[FINAL], values(found)[INTERMEDIATE], values(found)[SUBSET]) == (0, 1, 0)
        assert [one.name for one in found.differences] == ["fan_speed"]
        assert found.metrics[SUBSET].why.startswith("get_climate_settings")
        assert (found.end, found.reward.value) == (TrialEnd.AGENT, 0)

    def test_a_missing_result_leaves_the_trial_open_unless_something_else_settles_it(self) -> None:
        unjudged = drive(CLIMATE, FAN, "Done.").model_copy(update={"judged": ()})
        found = score(unjudged, goal(CLIMATE, FAN), Rules.DEFINITION)
        assert (found.end, found.reward.status) == (TrialEnd.OPEN, Status.NOT_JUDGED)
        assert found.by_code.value == 1
        assert score(unjudged, goal(HEAT), Rules.DEFINITION).end is TrialEnd.AGENT

    def test_a_judge_without_a_majority_is_named(self) -> None:
        votes = (PolicyVotes(policy="LLM-POL:002", followed=(True, False)),)
        trial = drive(CLIMATE, FAN, "Done.").model_copy(update={"judged": votes})
        found = score(trial, goal(CLIMATE, FAN), Rules.DEFINITION)
        assert found.metrics[POLICY].status is Status.JUDGE_ERROR
        assert found.end is TrialEnd.OPEN

    def test_one_published_verdict_without_its_policy_fails_the_trial(self) -> None:
        votes = PolicyVotes(policy="", followed=(False,)), PolicyVotes(policy="LLM-POL:002", followed=(True,))
        trial = drive(CLIMATE, FAN, "Done.").model_copy(update={"judged": votes})
        assert both(trial, goal(CLIMATE, FAN), POLICY) == (0, 0)

    def test_a_user_whose_messages_were_parsed_without_a_majority_is_the_judges_error(self) -> None:
        trial = drive("Hello.", stop=Stop.INSTRUMENT)
        parsed = trial.model_copy(update={"events": (*trial.events, Parsed(turn=1, step=1, by="judge"))})
        found = [score(one, goal(), Rules.DEFINITION).reward.status for one in (trial, parsed)]
        assert found == [Status.NOT_JUDGED, Status.JUDGE_ERROR]

    def test_a_judged_breach_fails_the_trial(self) -> None:
        trial = drive(CLIMATE, FAN, "It is 5 pm.", judged={"LLM-POL:002": False})
        assert both(trial, goal(CLIMATE, FAN), POLICY) == (0, 0)

    @pytest.mark.parametrize(
        ("stop", "by_definition", "published"),
        [
            (Stop.LIMIT, TrialEnd.LIMIT, TrialEnd.LIMIT),
            (Stop.INSTRUMENT, TrialEnd.INSTRUMENT, TrialEnd.AGENT),
            (Stop.USER, TrialEnd.USER, TrialEnd.AGENT),
        ],
    )
    def test_failures_of_others_are_not_the_agents(
        self, stop: Stop, by_definition: TrialEnd, published: TrialEnd
    ) -> None:
        trial = drive("Hello.", stop=stop)
        assert score(trial, goal(), Rules.DEFINITION).end is by_definition
        found = score(trial, goal(), Rules.PUBLISHED)
        assert (found.end, found.reward.value, found.metrics) == (published, 0, {})

    def test_a_trial_with_a_faulty_driver_is_not_scored(self) -> None:
        fault = UserFault(turn=1, step=1, name="early_stop")
        trial = drive("Hello.", Word.STOP).model_copy(update={"events": (fault,)})
        found = score(trial, goal(), Rules.DEFINITION)
        assert (found.end, found.reward.value) == (TrialEnd.USER, None)


class TestExecution:
    @pytest.mark.parametrize(
        ("steps", "found"),
        [
            ([call("set_fan_speed", level=9)], (0, 0)),
            ([call("set_fan_speed", speed=2)], (0, 1)),
            ([call("fly")], (0, 1)),
            ([call("set_climate_temperature", temperature=30, seat_zone="DRIVER")], (0, 1)),
            ([call("get_location_id_by_location_name", location="Ordino")], (1, 0)),
            ([call("get_location_id_by_location_name", location="Ordino")] * 2, (0, 0)),
            ([call("navigation_delete_destination", destination_id_to_delete=HERE)], (1, 0)),
        ],
    )
    def test_which_calls_are_errors(self, steps: list[Call], found: tuple[int, int]) -> None:
        assert both(drive(*steps, "Hm."), goal(), EXECUTION) == found

    def test_a_call_that_worked_once_may_be_refused_once(self) -> None:
        paris = city("Paris")
        legs = [routes(HERE, paris)[0], routes(paris, BERLIN)[0]]
        setup = {
            "navigation_active": True,
            "waypoints_id": [HERE, paris, BERLIN],
            "routes_to_final_destination_id": legs,
        }
        gone = call("navigation_delete_destination", destination_id_to_delete=BERLIN)
        trial = drive(gone, gone, "Done.", setup=setup)
        assert [one.ok for one in trial.calls] == [True, False]
        assert both(trial, goal(gone, setup=setup), EXECUTION) == (1, 0)

    def test_arguments_that_are_no_json_are_an_error_and_crash_the_published_runner(self) -> None:
        trial = drive(Call("set_fan_speed", None), CLIMATE, FAN, "Three.", Word.STOP)
        held = goal(CLIMATE, FAN)
        assert values(score(trial, held, Rules.DEFINITION))[EXECUTION] == 0
        published = score(trial, held, Rules.PUBLISHED)
        assert (published.end, published.reward.value, published.metrics) == (TrialEnd.AGENT, 0, {})
        mended = scored_with(trial, held, frozenset(Defect) - {Defect.UNREAD_CRASHES})
        assert (mended.end, values(mended)[EXECUTION]) == (TrialEnd.SUCCESS, 1)

    def test_masking_what_a_tool_raised_crashes_the_published_runner(self) -> None:
        early = call("get_weather", location_or_poi_id=HERE, **{**NOW, "time_hour_24hformat": 3})
        gone, held = ("result.get_weather.current_slot.condition",), goal()
        for read, reward in ((early, 0), (WEATHER, 1)):
            said = "I can't see what the sky does."
            trial = drive(read, said, Word.ACKNOWLEDGED, kind=TaskType.MISSING_RESPONSE, removed=gone)
            assert score(trial, held, Rules.PUBLISHED).reward.value == reward
            (found,) = [one for one in explained(trial, held) if one.metric == "reward"] or [None]
            assert (found and found.because) == (None if reward else (Defect.MASKING_CRASHES,))

    @pytest.mark.parametrize("rules", Rules)
    def test_what_was_taken_away_cannot_be_called_rightly(self, rules: Rules) -> None:
        trial = drive(
            call("set_fan_speed"),
            "That is not possible.",
            Word.ACKNOWLEDGED,
            rules=rules,
            kind=TaskType.MISSING_PARAMETER,
            removed=("set_fan_speed.level",),
        )
        assert not trial.calls[0].ok
        assert both(trial, goal(FAN), EXECUTION) == (1, 1)


class TestConversations:
    @pytest.mark.parametrize(
        ("kind", "word", "found"),
        [
            (TaskType.BASE, Word.STOP, (1, 1)),
            (TaskType.BASE, Word.OUT_OF_SCOPE, (1, 0)),
            (TaskType.INTERNAL, Word.DISAMBIGUATION, (0, 0)),
            (TaskType.USER, Word.OUT_OF_SCOPE, (1, 0)),
            (TaskType.MISSING_TOOL, Word.ACKNOWLEDGED, (1, 1)),
            (TaskType.MISSING_TOOL, Word.OUT_OF_SCOPE, (0, 0)),
            (TaskType.MISSING_RESPONSE, Word.HALLUCINATION, (0, 0)),
            (TaskType.MISSING_RESPONSE, Word.STOP, (0, 1)),
        ],
    )
    def test_what_a_word_means(self, kind: TaskType, word: Word, found: tuple[int, int]) -> None:
        assert both(drive("Well.", word, kind=kind), goal(), CONVERSATION) == found

    @pytest.mark.parametrize(("stop", "found"), [(Stop.TOOL, (0, 1)), (Stop.WORD, (0, 0))])
    def test_after_a_phone_call_the_published_user_has_no_further_say(
        self, stop: Stop, found: tuple[int, int]
    ) -> None:
        trial = drive("Calling.", stop=stop, kind=TaskType.MISSING_TOOL)
        concealed = Ruled(turn=1, step=1, word=Word.HALLUCINATION, by="judge", finding=Finding.CONCEALED)
        trial = trial.model_copy(update={"events": (*trial.events, concealed)})
        assert both(trial, goal(), CONVERSATION) == found

    def test_without_a_judge_nobody_knows_whether_it_was_acknowledged(self) -> None:
        trial = drive("Well.", kind=TaskType.MISSING_TOOL)
        unheard = Ruled(
            turn=1, step=1, word=Word.CONTINUE, by="code", finding=Finding.UNJUDGED, why="no judge was bound"
        )
        trial = trial.model_copy(update={"events": (*trial.events, unheard)})
        found = score(trial, goal(), Rules.DEFINITION).metrics[CONVERSATION]
        assert (found.status, found.why) == (Status.NOT_JUDGED, "no judge was bound")

    def test_a_judge_who_finds_the_user_out_of_scope_is_believed(self) -> None:
        trial = drive("Well.", Word.OUT_OF_SCOPE, by="judge")
        assert both(trial, goal(), CONVERSATION) == (0, 0)


STEPS = st.lists(
    st.one_of(
        st.sampled_from([FAN, HEAT, LIGHT, CLIMATE, WEATHER, call("fly"), call("set_fan_speed", level=9)]),
        st.sampled_from(["Well.", "> Go on.", Word.STOP, Word.OUT_OF_SCOPE]),
    ),
    max_size=8,
)


@given(STEPS, st.frozensets(st.sampled_from(Defect)), st.sampled_from(TaskType))
@settings(deadline=None, max_examples=60)
def test_any_trial_has_a_score_whatever_faults_are_on(
    steps: list[Any], faults: frozenset[Defect], kind: TaskType
) -> None:
    trial = drive(*steps, kind=kind)
    found = scored_with(trial, goal(CLIMATE, FAN, HEAT), faults)
    numbers = [result.value for result in found.metrics.values() if result.value is not None]
    assert set(numbers) <= {0.0, 1.0}
    assert found.reward.value == (0 if 0 in numbers else 1)
    assert (found.end is TrialEnd.SUCCESS) == (found.reward.value == 1)


@given(STEPS)
@settings(deadline=None, max_examples=30)
def test_the_rule_sets_are_all_faults_and_none(steps: list[Any]) -> None:
    trial, held = drive(*steps), goal(CLIMATE, FAN)
    assert score(trial, held, Rules.PUBLISHED) == scored_with(trial, held, frozenset(Defect))
    assert score(trial, held, Rules.DEFINITION) == scored_with(trial, held, frozenset())
    assert replace(score(trial, held, Rules.DEFINITION)) == score(trial, held, Rules.DEFINITION)
