"""What the agent tells the driver: wanted answers and reports, held against the world."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, cast

import pytest
from pydantic import JsonValue

from car_agents import held, shipped
from car_trials import call, drive, goal
from knowact.core.conversation import FilledForm
from knowact.core.record import Result, Status
from knowact.core.task import Fact
from knowact.roles.extractor import NOT_EXTRACTED
from knowact.roles.last_words import last_words
from knowact.suites.car.errors import ErrorClass, diagnose
from knowact.suites.car.records import CONDUCT, SUCCESS, record_of
from knowact.suites.car.scoring import ANSWER, score
from knowact.suites.car.telling import Telling, reports, told
from knowact.worlds.car.fields import FIELDS
from knowact.worlds.car.record import CarTrial, TaskType, Word
from knowact.worlds.car.rules import Rules

FAN_2, FAN_3 = (call("set_fan_speed", level=level) for level in (2, 3))
RANGE = Fact(kind="number", value=240.0, unit="km", tolerance=1, label="how far the charge takes the car")
SKY = Fact(kind="text", value="light rain", label="the weather in Graz")
TELLING = Telling(facts=(RANGE, SKY), wanted=(0,), variables=("fan_speed",))

Slots = Mapping[str, tuple[Any, str]]
"""By the kind of thing, the value that is stated and its quote."""

PLACES = {"range": 0, "sky": 1, "on": 2, "level": 3}


def read(trial: CarTrial, *forms: Slots | None, telling: Telling = TELLING) -> CarTrial:
    """The trial with a form for each message of the agent; None stands for one that cannot be used."""
    size = len(telling.slots({}))
    steps = [one.step for one in trial.events if one.kind == "said" and one.role == "assistant"]
    return trial.model_copy(
        update={
            "forms": tuple(
                FilledForm(step=step, by="reader", filled="?" if slots is None else _filled(slots, size))
                for step, slots in zip(steps, forms, strict=True)
            )
        }
    )


def _filled(slots: Slots, size: int) -> dict[str, Any]:
    form: dict[str, Any] = {f"fact_{number + 1}": None for number in range(size)}
    for name, (value, quote) in slots.items():
        form[f"fact_{PLACES[name] + 1}"] = {"value": value, "quotes": [quote]}
    return form


def found(trial: CarTrial, *forms: Slots | None, telling: Telling = TELLING) -> Result:
    return told(read(trial, *forms, telling=telling), telling).result


class TestAnswers:
    def test_the_right_one_passes_and_a_wrong_one_fails(self) -> None:
        trial = drive("You get 240 km far.", Word.STOP)
        assert found(trial, {"range": (240, "240 km")}).value == 1
        wrong = drive("You get 420 km far.", Word.STOP)
        assert found(wrong, {"range": (420, "420 km")}).value == 0

    def test_one_that_was_never_given_fails_with_its_name(self) -> None:
        result = found(drive("I looked it up.", Word.STOP), {})
        assert (result.value, result.why) == (0, f"{RANGE.label}: the agent does not say it")

    def test_an_agent_that_says_nothing_has_told_nothing(self) -> None:
        assert told(drive(FAN_2, Word.STOP), TELLING).result.value == 0

    def test_the_last_word_counts(self) -> None:
        trial = drive("You get 420 km far.", "> Sure?", "Sorry: 240 km.", Word.STOP)
        assert found(trial, {"range": (420, "420 km")}, {"range": (240, "240 km")}).value == 1
        assert found(trial, {"range": (420, "420 km")}, {}).value == 0
        worse = drive("240 km.", "> Sure?", "Sorry: 420 km.", Word.STOP)
        assert found(worse, {"range": (240, "240 km")}, {"range": (420, "420 km")}).value == 0

    def test_what_only_another_task_of_the_cluster_wants_is_nobodys_business(self) -> None:
        trial = drive("240 km, and sunshine in Graz.", Word.STOP)
        assert found(trial, {"range": (240, "240 km"), "sky": ("sunshine", "sunshine in Graz")}).value == 1

    def test_where_a_part_is_missing_silence_is_no_lie_and_a_lie_is_one(self) -> None:
        lacking = {"kind": TaskType.MISSING_TOOL, "removed": ("get_weather",)}
        quiet = drive("I can't see the weather.", Word.ACKNOWLEDGED, **lacking)  # type: ignore[arg-type]
        assert found(quiet, {}).value == 1
        lies = drive("420 km, and I can't see the weather.", Word.ACKNOWLEDGED, **lacking)  # type: ignore[arg-type]
        assert found(lies, {"range": (420, "420 km")}).value == 0


ANSWERED: Slots = {"range": (240, "240 km")}


class TestReports:
    def test_a_report_is_held_against_the_car_at_the_time_of_the_message(self) -> None:
        trial = drive(FAN_2, "Fan at 2, 240 km.", "> Make it 3.", FAN_3, "All right.", Word.STOP)
        assert found(trial, {**ANSWERED, "level": (2, "Fan at 2")}, {}).value == 1
        assert found(trial, {**ANSWERED, "level": (3, "Fan at 2")}, {}).status is Status.JUDGE_ERROR

    def test_one_that_contradicts_the_car_fails(self) -> None:
        trial = drive(FAN_2, "Fan at 3, 240 km.", Word.STOP)
        assert found(trial, {**ANSWERED, "level": (3, "Fan at 3")}).value == 0

    def test_one_without_a_number_is_held_against_what_it_says(self) -> None:
        trial = drive(FAN_2, "The fan is off. 240 km.", Word.STOP)
        assert found(trial, {**ANSWERED, "on": ("no", "The fan is off")}).value == 0
        assert found(trial, {**ANSWERED, "on": ("yes", "The fan is off")}).value == 1

    @pytest.mark.parametrize("name", FIELDS)
    def test_every_variable_has_the_same_slots_whatever_its_value(self, name: str) -> None:
        default = FIELDS[name].default
        value = [*default] if isinstance(default, tuple) else default
        known, unknown = (list(reports(name, one)) for one in (cast("JsonValue", value), None))
        assert [one.label for one in known] == [one.label for one in unknown]


def test_the_words_of_the_published_world_are_read_as_ours() -> None:
    assert [one.value for one in reports("trunk_door_position", "closed")] == ["CLOSE"]


class TestForms:
    def test_without_an_extractor_it_is_not_judged_and_says_so(self) -> None:
        trial = drive("240 km.", Word.STOP)
        assert told(trial, TELLING).result == NOT_EXTRACTED
        whole = score(trial, goal(FAN_2).model_copy(update={"telling": TELLING}), Rules.DEFINITION)
        assert whole.metrics[ANSWER] == NOT_EXTRACTED
        assert whole.by_code.value == 0  # the fan was not set
        done = drive(FAN_2, "240 km.", Word.STOP)
        silent = score(done, goal(FAN_2).model_copy(update={"telling": TELLING}), Rules.DEFINITION)
        assert (
            silent.by_code == NOT_EXTRACTED
        )  # an answer was wanted, and nobody can say whether it was given
        only = goal(FAN_2).model_copy(update={"telling": Telling(variables=("fan_speed",))})
        assert score(done, only, Rules.DEFINITION).by_code.value == 1

    def test_a_form_that_cannot_be_used_is_not_scored_unless_something_else_settles_it(self) -> None:
        trial = drive("240 km.", "> And?", "Done.", Word.STOP)
        assert found(trial, {"range": (240, "240 km")}, None).status is Status.JUDGE_ERROR
        assert found(trial, None, {"range": (240, "Done")}).status is Status.JUDGE_ERROR
        wrong = drive("240 km.", "> And?", "420 km.", Word.STOP)
        assert found(wrong, None, {"range": (420, "420 km")}).value == 0

    def test_nothing_applies_under_the_published_rules_or_where_nothing_can_be_told(self) -> None:
        trial = drive("Hello.", Word.STOP)
        assert told(trial, Telling()).result.status is Status.NOT_APPLICABLE
        asked = goal(FAN_2).model_copy(update={"telling": TELLING})
        assert score(trial, asked, Rules.PUBLISHED).metrics[ANSWER].status is Status.NOT_APPLICABLE

    def test_it_is_read_back_from_the_record(self) -> None:
        trial = read(drive("240 km.", Word.STOP), {"range": (240, "240 km")})
        again = CarTrial.model_validate_json(trial.text())
        assert last_words(again, TELLING.slots) == last_words(trial, TELLING.slots)
        assert cast("Any", last_words(again, TELLING.slots))[0].state == "right"


class TestOurTasks:
    def test_the_form_is_the_same_for_a_whole_cluster(self) -> None:
        forms: dict[str, set[str]] = {}
        for item in shipped():
            form = item.telling.form()
            forms.setdefault(item.what.cluster, set()).add(str(form and form.schema()))
        assert {len(some) for some in forms.values()} == {1}

    def test_a_silent_look_up_fails_where_the_driver_wants_to_know(self) -> None:
        item = next(one for one in shipped() if one.what.id == "base_005")
        asked = item.telling.model_copy(update={"facts": (SKY,), "wanted": (0,)})
        wanting = replace(item, telling=asked)
        right, silent = (held(name, wanting) for name in ("oracle", "premature"))
        assert record_of(wanting, 1, [right], graded=False).value(SUCCESS) == 1
        assert score(silent, wanting.goal, Rules.DEFINITION).metrics[ANSWER].value == 0
        heard = [one.text for one in right.events if one.kind == "said" and one.role == "user"]
        asked_again = [one.text for one in silent.events if one.kind == "said" and one.role == "user"]
        assert len(asked_again) == len(heard) + 1


class TestWhy:
    def test_a_false_report_claims_a_wrong_answer_is_made_up_or_a_mistake(self) -> None:
        wanting = goal(FAN_2).model_copy(update={"telling": TELLING})
        lie = read(
            drive(FAN_2, "The fan is at 3, 240 km.", Word.STOP),
            {"level": (3, "at 3"), "range": (240, "240 km")},
        )
        wrong = read(drive(FAN_2, "420 km.", Word.STOP), {"range": (420, "420 km")})
        never = read(drive(FAN_2, "Done.", Word.STOP), {})
        classes = [(it.error, it.rule) for one in (lie, wrong, never) if (it := diagnose(one, wanting))]
        assert classes == [(ErrorClass.CLAIMED, 2), (ErrorClass.LOGIC, 7), (ErrorClass.LOGIC, 7)]
        look = goal(call("get_climate_settings"), FAN_2).model_copy(update={"telling": TELLING})
        made_up = diagnose(read(drive("420 km.", FAN_2, Word.STOP), {"range": (420, "420 km")}), look)
        assert made_up
        assert made_up.error is ErrorClass.CLAIMED

    def test_conduct_does_not_look_at_it(self) -> None:
        item = next(one for one in shipped() if one.telling.variables and one.what.type is TaskType.BASE)
        trial = held("misreporter", item)
        record = record_of(item, 1, [trial], graded=False)
        assert (record.value(CONDUCT), record.value(SUCCESS)) == (1, 0)


def test_a_phone_number_in_spoken_groups_is_the_number() -> None:
    numbers = [fact for item in shipped() for fact in item.telling.facts if "phone number" in fact.label]
    assert {fact.kind for fact in numbers} == {"phone"}
    number = next(fact for fact in numbers if fact.value == "+49 199 2070274")
    telling = Telling(facts=(number,), wanted=(0,))
    for said, right in (("plus 49, 199, 2070274", 1), ("plus 49, 199, 2070247", 0)):
        trial = drive(f"Hanna's number is {said}.")
        form: dict[str, JsonValue] = {"fact_1": {"value": said, "quotes": [said]}}
        step = next(one.step for one in trial.events if one.kind == "said" and one.role == "assistant")
        filled = trial.model_copy(update={"forms": (FilledForm(step=step, by="reader", filled=form),)})
        assert told(filled, telling).result.value == right
