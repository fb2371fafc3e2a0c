"""Error classes by the written procedure: one trial for each question, and the order of the questions."""

from typing import Any

import pytest

from car_trials import WEATHER, call, drive, goal, opened
from knowact.core.conversation import PolicyVotes, Ruled, Stop, UserFault
from knowact.suites.car.errors import ErrorClass, diagnose
from knowact.suites.car.goals import Goal
from knowact.worlds.car.record import CarRecorder, CarTrial, Finding, TaskType, Word
from knowact.worlds.car.rules import Rules

FAN = call("set_fan_speed", level=3)
CLIMATE = call("get_climate_settings")
FLOW = call("set_fan_airflow_direction", direction="WINDSHIELD")
TRUNK = call("open_close_trunk_door", action="OPEN")
UNASKED = {"LLM-POL:004": False}


def found(trial: CarTrial, held: Goal, rules: Rules = Rules.DEFINITION) -> tuple[ErrorClass, int] | None:
    diagnosis = diagnose(trial, held, rules)
    return None if diagnosis is None else (diagnosis.error, diagnosis.rule)


def ruled(trial: CarTrial, word: Word, finding: Finding | None = None, step: int | None = None) -> CarTrial:
    """The trial with a ruling at its end."""
    last = trial.events[-1]
    event = Ruled(
        turn=last.turn,
        step=last.step if step is None else step,
        word=word,
        by="judge",
        finding=finding or "",
        why="seen",
    )
    return trial.model_copy(update={"events": (*trial.events, event)})


def lacking(*steps: Any) -> CarTrial:
    return drive(*steps, kind=TaskType.MISSING_TOOL, removed=("set_fan_speed",))


def test_a_success_has_no_class() -> None:
    assert found(drive(CLIMATE, FAN, "Three.", Word.STOP), goal(CLIMATE, FAN)) is None


@pytest.mark.parametrize(
    ("stop", "error"),
    [
        (Stop.INSTRUMENT, ErrorClass.INSTRUMENT),
        (Stop.LIMIT, ErrorClass.INSTRUMENT),
        (Stop.USER, ErrorClass.USER),
    ],
)
def test_question_1_whose_failure_it_was(stop: Stop, error: ErrorClass) -> None:
    assert found(drive(FAN, stop=stop), goal(FAN)) == (error, 1)


def test_question_1_a_faulty_driver_excuses_everything_else() -> None:
    trial = lacking(FAN, "Done.").model_copy(update={"events": (UserFault(turn=1, step=1, name="leaked"),)})
    assert found(trial, goal(FAN)) == (ErrorClass.USER, 1)


def test_question_1_without_a_result_nobody_knows() -> None:
    trial = drive(CLIMATE, FAN, "Three.").model_copy(update={"judged": ()})
    assert found(trial, goal(CLIMATE, FAN)) == (ErrorClass.OPEN, 1)


def test_question_2_using_or_claiming_what_is_missing() -> None:
    assert found(lacking(FAN, "Done."), goal(FAN)) == (ErrorClass.CLAIMED, 2)
    claimed = ruled(lacking("I turned the fan up."), Word.HALLUCINATION, Finding.CLAIMED)
    assert found(claimed, goal(FAN)) == (ErrorClass.CLAIMED, 2)


def test_question_3_hiding_what_is_missing() -> None:
    concealed = ruled(lacking("All set."), Word.HALLUCINATION, Finding.CONCEALED)
    assert found(concealed, goal(FAN)) == (ErrorClass.CONCEALED, 3)
    assert found(ruled(lacking("All set."), Word.HALLUCINATION), goal(FAN)) == (ErrorClass.CONCEALED, 3)


def test_question_3_a_published_word_does_not_say_which_of_the_two() -> None:
    assert found(lacking("All set.", Word.HALLUCINATION), goal(FAN)) == (ErrorClass.FABRICATION, 3)


def test_question_4_a_call_that_could_not_be_carried_out_came_first() -> None:
    wrong = call("set_fan_speed", speed=3)
    assert found(drive(CLIMATE, wrong, "Hm."), goal(CLIMATE, FAN)) == (ErrorClass.EXECUTION, 4)
    late = drive(CLIMATE, call("set_fan_speed", level=5), wrong, "Hm.")
    assert found(late, goal(CLIMATE, FAN)) == (ErrorClass.LOGIC, 7)


def test_question_5_acting_before_looking() -> None:
    guess = drive(call("set_fan_speed", level=2), "Two.", Word.STOP)
    assert found(guess, goal(CLIMATE, FAN)) == (ErrorClass.PREMATURE, 5)
    unchecked = drive(
        call("open_close_sunshade", percentage=100), call("open_close_sunroof", percentage=50), "Open."
    )
    held = goal(call("open_close_sunshade", percentage=100), call("open_close_sunroof", percentage=50))
    assert found(unchecked, held) == (ErrorClass.PREMATURE, 5)


def test_question_5_a_look_that_another_step_needed_is_not_missed() -> None:
    held = goal(CLIMATE, FAN, FLOW)
    wrong = drive(call("set_fan_speed", level=2), "Two.")
    assert found(wrong, held) == (ErrorClass.PREMATURE, 5)
    need = held.needs[0].model_copy(update={"before": (2,)})
    assert found(wrong, held.model_copy(update={"needs": (need,)})) == (ErrorClass.LOGIC, 7)


def test_question_5_asking_what_had_to_be_settled_without_asking() -> None:
    trial = drive("Which level would you like?", Word.DISAMBIGUATION, kind=TaskType.INTERNAL)
    assert found(trial, goal(FAN)) == (ErrorClass.PREMATURE, 5)


class TestAmbiguity:
    """Question 5 in disambiguation tasks: was the element settled when it was acted upon?"""

    HELD = goal(FAN).model_copy(update={"open": ("fan_speed",)})

    def test_a_guess_before_anything_was_asked(self) -> None:
        trial = drive(call("set_fan_speed", level=1), "One.", kind=TaskType.USER)
        assert found(trial, self.HELD) == (ErrorClass.PREMATURE, 5)

    def test_a_wrong_value_after_the_answer_is_wrong_thinking(self) -> None:
        trial = drive("Which level?", "> Three.", call("set_fan_speed", level=1), "One.", kind=TaskType.USER)
        assert found(ruled(trial, Word.CONTINUE, Finding.SETTLED, step=1), self.HELD) == (ErrorClass.LOGIC, 7)

    def test_what_is_not_the_open_element_is_no_guess(self) -> None:
        trial = drive(FLOW, "Done.", kind=TaskType.USER)
        assert found(trial, self.HELD) == (ErrorClass.LOGIC, 7)

    def test_the_record_knows_when_it_was_settled(self) -> None:
        trial = drive(CLIMATE, call("set_fan_speed", level=1), "One.", kind=TaskType.INTERNAL)
        settled = ruled(trial, Word.CONTINUE, Finding.SETTLED, step=1)
        assert found(settled, self.HELD) == (ErrorClass.LOGIC, 7)
        too_late = ruled(trial, Word.CONTINUE, Finding.SETTLED, step=2)
        assert found(too_late, self.HELD) == (ErrorClass.PREMATURE, 5)


def test_question_6_a_rule_that_was_known() -> None:
    shade = call("open_close_sunshade", percentage=50)
    roof = call("open_close_sunroof", percentage=50)
    trial = drive(WEATHER, shade, roof, "Open.", Word.STOP)
    assert found(trial, goal(WEATHER, shade, roof)) == (ErrorClass.POLICY, 6)


def test_question_6_a_judged_breach() -> None:
    judged = {"LLM-POL:002": True, "LLM-POL:004": False}
    assert found(drive(TRUNK, "Open.", judged=judged), goal(TRUNK)) == (ErrorClass.POLICY, 6)


def test_question_6_a_published_judge_does_not_say_which_rule() -> None:
    votes = (PolicyVotes(policy="", followed=(False,), why=("no yes was waited for",)),)
    trial = drive(TRUNK, "Open.").model_copy(update={"judged": votes})
    diagnosis = diagnose(trial, goal(TRUNK))
    assert diagnosis is not None
    assert (diagnosis.error, diagnosis.why) == (ErrorClass.POLICY, "no yes was waited for")


def test_question_7_everything_was_there_and_the_value_is_wrong() -> None:
    trial = drive(CLIMATE, call("set_fan_speed", level=2), "Two.")
    diagnosis = diagnose(trial, goal(CLIMATE, FAN))
    assert diagnosis is not None
    assert (diagnosis.error, diagnosis.why) == (ErrorClass.LOGIC, "fan_speed")


def test_question_7_a_step_that_was_left_out() -> None:
    assert found(drive(CLIMATE, "Fine.", Word.STOP), goal(CLIMATE, FAN)) == (ErrorClass.LOGIC, 7)


def test_question_7_of_an_agent_that_only_keeps_silent_nothing_is_concluded() -> None:
    said = "it said nothing at all, and called nothing: fan_speed"
    diagnosis = diagnose(drive("", "  ", Word.STOP), goal(FAN))
    assert diagnosis is not None
    assert (diagnosis.error, diagnosis.rule) == (ErrorClass.LOGIC, 7)
    assert diagnosis.why.startswith(said)
    acted = diagnose(drive(CLIMATE, "", Word.STOP), goal(CLIMATE, FAN))
    assert acted is not None
    assert acted.why.startswith("it said nothing at all: fan_speed")
    spoke = diagnose(drive("", "Fine.", Word.STOP), goal(FAN))
    assert spoke is not None
    assert spoke.why.startswith("fan_speed")


def test_a_reference_without_states_leaves_the_other_questions() -> None:
    held = goal(call("set_new_navigation", route_ids=["rll_xxx_yyy_000000"]))
    assert found(drive(call("fly"), "Hm."), held) == (ErrorClass.EXECUTION, 4)


def test_the_rule_set_says_whether_it_failed_at_all() -> None:
    trial = drive(
        WEATHER, call("open_close_sunroof", percentage=50), "Open.", setup={"sunshade_position": 50}
    )
    held = goal(WEATHER, call("open_close_sunroof", percentage=50), setup={"sunshade_position": 50})
    assert found(trial, held, Rules.PUBLISHED) is None
    assert found(trial, held) == (ErrorClass.POLICY, 6)


def test_nobody_acknowledged_anything() -> None:
    recorder = CarRecorder(
        opened(),
        CarTrial(item="hallucination_1", type=TaskType.MISSING_TOOL, removed=("set_fan_speed",), context={}),
    )
    recorder.user("Turn the fan up.")
    recorder.batch([call("call_phone_by_number", phone_number="1")])
    trial = recorder.close(Stop.TOOL).model_copy(
        update={"judged": (PolicyVotes(policy="", followed=(True,)),)}
    )
    dial = call("call_phone_by_number", phone_number="1")
    assert found(trial, goal(dial)) == (ErrorClass.CONCEALED, 3)


def test_asking_on_and_on_is_acting_before_finding_out() -> None:
    trial = drive("How warm is it?", Word.OUT_OF_SCOPE, by="judge")
    assert found(trial, goal(CLIMATE, FAN)) == (ErrorClass.PREMATURE, 5)
    by_driver = drive("How warm is it?", Word.OUT_OF_SCOPE)
    assert found(by_driver, goal(CLIMATE, FAN)) == (ErrorClass.PREMATURE, 5)


class TestTheEarliestDecides:
    """Several faults in one trial."""

    WRONG = call("set_fan_speed", level=5)

    def test_a_rule_before_a_wrong_value(self) -> None:
        trial = drive(TRUNK, CLIMATE, self.WRONG, "Five.", judged=UNASKED)
        assert found(trial, goal(TRUNK, CLIMATE, FAN)) == (ErrorClass.POLICY, 6)

    def test_a_wrong_value_before_a_rule(self) -> None:
        trial = drive(CLIMATE, self.WRONG, TRUNK, "Five.", judged=UNASKED)
        assert found(trial, goal(CLIMATE, FAN, TRUNK)) == (ErrorClass.LOGIC, 7)

    def test_what_goes_unsaid_shows_at_the_end(self) -> None:
        trial = drive(CLIMATE, self.WRONG, "Five.", judged={"LLM-POL:002": False})
        assert found(trial, goal(CLIMATE, FAN)) == (ErrorClass.LOGIC, 7)

    def test_of_one_message_the_first_question_counts(self) -> None:
        trial = drive(CLIMATE, [TRUNK, self.WRONG], "Five.", judged=UNASKED)
        assert found(trial, goal(CLIMATE, FAN, TRUNK)) == (ErrorClass.POLICY, 6)

    def test_another_fault_before_something_is_hidden(self) -> None:
        trial = ruled(lacking(CLIMATE, FLOW, "All set."), Word.HALLUCINATION, Finding.CONCEALED)
        assert found(trial, goal(FAN)) == (ErrorClass.LOGIC, 7)

    def test_acting_on_what_is_missing_is_part_of_hiding_it(self) -> None:
        held = goal(CLIMATE, FAN)
        barred = held.actions[1].model_copy(update={"barred": True})
        trial = drive(self.WRONG, "There.", kind=TaskType.MISSING_RESPONSE)
        concealed = ruled(trial, Word.HALLUCINATION, Finding.CONCEALED)
        hidden = held.model_copy(update={"actions": (held.actions[0], barred)})
        assert found(concealed, hidden) == (ErrorClass.CONCEALED, 3)
        assert found(ruled(trial, Word.ACKNOWLEDGED), hidden) == (ErrorClass.PREMATURE, 5)

    def test_a_claim_without_an_action_where_nothing_is_missing(self) -> None:
        trial = drive(
            CLIMATE, FAN, "The fan is on three and I've opened the trunk.", Finding.CLAIMED, Word.STOP
        )
        assert found(trial, goal(CLIMATE, FAN, TRUNK)) == (ErrorClass.CLAIMED, 2)
        silent = drive(CLIMATE, FAN, "The fan is on three.", Word.STOP)
        assert found(silent, goal(CLIMATE, FAN, TRUNK)) == (ErrorClass.LOGIC, 7)

    def test_no_look_would_have_helped_what_nobody_wanted(self) -> None:
        roof = call("open_close_sunroof", percentage=50)
        trial = drive(call("open_close_sunshade", percentage=100), roof, "Open.", Word.STOP)
        assert found(trial, goal(call("open_close_sunshade", percentage=100))) == (ErrorClass.LOGIC, 7)
