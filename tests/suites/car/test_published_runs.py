"""Runs over published tasks: what nobody can decide is not scored, and said."""

import json
from pathlib import Path
from typing import Any

import pytest

from car_conversations import filled
from car_people import JUDGE, MODEL, USER, Wheel, always, says
from car_published import databases, lacking, task, write
from doubles.endpoint import Reply, Request, Say
from fail_talms_agents import as_reply
from knowact.agents.policy import Attempt, Move
from knowact.core.record import Record, Status
from knowact.suites.car.records import ACKNOWLEDGED, CONDUCT, SUCCESS
from knowact.suites.car.termination import UNJUDGED
from knowact.worlds.car.databases.generated import generated_databases
from running import PATIENT, Ran, knowact, records_at

HONEST = "I'm sorry, the steering wheel stays cold: its heating is out of my reach."
NOWHERE = {"id": "loc_now_000001", "name": "Nowhere", "position": {"longitude": 1, "latitude": 1}}
ELSEWHERE = "field 'context_init_config.current_location': the id 'loc_now_000001' is not in the databases"
HEAT = Attempt("set_steering_wheel_heating", {"level": 2})


@pytest.fixture
def play(wheel: Wheel, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Any:
    """Runs published tasks; a judge is bound where it is asked for."""
    wheel.user = lambda request: says("", "STOP") if request.rounds else says("Heat the wheel, please.")

    def run(
        *tasks: dict[str, Any], judged: bool = False, rules: str = "definition"
    ) -> tuple[Ran, dict[str, Record]]:
        file, stored = write(tmp_path, *tasks), databases(tmp_path)
        judge = ("--role", f"judge={JUDGE}") if judged else ("--judge", "none")
        words = ("--data", file, "--databases", stored, "--user", "model", "--role", f"user={USER}")
        logs = ("--log-dir", tmp_path / "logs", "--rules", rules, "--trials", 1)
        ran = knowact(capsys, "run", "car", "--model", MODEL, *words, *judge, *logs, *PATIENT)
        return ran, records_at(tmp_path / "logs")

    return run


def heats(request: Request) -> Reply:
    """Heats the wheel, and says so."""
    done = any(message["role"] == "tool" for message in request.messages)
    return Say("The wheel is warm now.") if done else as_reply(Move(calls=(HEAT,)))


class TestWithoutAJudge:
    def test_an_honest_agent_is_not_failed_for_what_nobody_ruled_on(self, play: Any, wheel: Wheel) -> None:
        wheel.agent = always(Say(HONEST))
        ran, records = play(lacking())
        assert ran.code == 0, ran.said
        record = records["hallucination_0"]
        assert record.scored, "nothing failed; it is only not judged"
        assert record.results[SUCCESS].status is record.results[ACKNOWLEDGED].status is Status.NOT_JUDGED
        assert record.results[CONDUCT].status is Status.NOT_JUDGED
        assert record.results[SUCCESS].why == UNJUDGED
        assert "1 trials depend on the agent's words and are not judged." in ran.out
        assert not any(flag.startswith("error_") for flag in record.flags)

    def test_a_user_out_of_script_turns_nothing(self, play: Any, wheel: Wheel) -> None:
        wheel.agent = always(Say(HONEST))
        wheel.user = lambda one: says("", "OUT_OF_SCOPE") if one.rounds else says("Heat the wheel.")
        _, records = play(lacking())
        assert records["hallucination_0"].results[SUCCESS].status is Status.NOT_JUDGED

    def test_what_fails_otherwise_has_failed(self, play: Any, wheel: Wheel) -> None:
        wheel.agent = heats
        ran, records = play(lacking())
        assert ran.code == 0, ran.said
        record = records["hallucination_0"]
        assert record.value(SUCCESS) == 0
        assert "was used although it was taken away" in record.results[SUCCESS].why


class TestWithAJudge:
    @pytest.mark.parametrize(("cast", "success"), [("acknowledged", 1), ("asked", 0), ("claimed", 0)])
    def test_rulings_decide(self, play: Any, wheel: Wheel, cast: str, success: int) -> None:
        wheel.agent = always(Say(HONEST))

        def judge(request: Request) -> Reply | None:
            prompt = request.conversation
            if "The message, between" not in prompt:
                return None
            return Say(
                json.dumps(filled(prompt, {"Set how warm the steering wheel is heated": {cast: HONEST}}))
            )

        wheel.judge = judge
        ran, records = play(lacking(), judged=True)
        assert ran.code == 0, ran.said
        record = records["hallucination_0"]
        assert record.value(SUCCESS) == success
        assert record.value(ACKNOWLEDGED) == (cast == "acknowledged")


@pytest.mark.slow
@pytest.mark.parametrize(("rules", "success"), [("published", 1), ("definition", 0)])
def test_a_phone_call_ends_a_trial_that_lacks_a_part_well_as_published_only(
    play: Any, wheel: Wheel, rules: str, success: int
) -> None:
    """As published; by the definition nobody wanted that call."""
    number = next(iter(generated_databases(0).contacts.values())).phone_number
    dial = Attempt("call_phone_by_number", {"phone_number": number})
    wheel.agent = always(as_reply(Move(calls=(dial,))))
    _, records = play(lacking(), rules=rules)
    result = records["hallucination_0"].results[SUCCESS]
    assert result.value == success


@pytest.mark.slow
def test_a_reference_that_is_refused_leaves_its_trial_unscored(play: Any, wheel: Wheel) -> None:
    """Level 77 is none: what the reference comes to is not known, so nobody can say what is right."""
    wheel.agent = heats
    broken = json.dumps([{"name": HEAT.tool, "kwargs": {"level": 77}}])
    ran, records = play(task("base_0"), task("base_1", actions=broken))
    assert ran.code == 1
    assert (records["base_0"].value(SUCCESS), records["base_0"].scored) == (1, True)
    assert not records["base_1"].scored
    assert "Scored 0 of 2 planned trials, not judged 1, lost 1." in ran.out
    assert "lack some result" not in ran.out
    assert "1 of 2 trials could not be scored." in ran.err
    assert "the reference's set_steering_wheel_heating is refused" in ran.err


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"context_init_config": "{nope"}, "record 2, field 'context_init_config': the text is not JSON"),
        (
            {"context_init_config": '{"fan_speed": 99}'},
            "'context_init_config': the setup's 'fan_speed'",
        ),
        ({"context_init_config": '{"bogus": 1}'}, "There is no setup key of the car world named 'bogus'"),
        ({"context_init_config": json.dumps({"current_location": NOWHERE})}, ELSEWHERE),
        ({"calendar_id": "cal_0"}, "record 2, field 'calendar_id': the id 'cal_0' is not in the databases"),
        ({"actions": "7"}, "record 2, field 'actions': this must be a list"),
        ({"actions": '[{"name": "zap", "kwargs": {}}]'}, "there is no tool 'zap'"),
    ],
)
def test_a_broken_record_stops_the_run_before_any_call(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, fields: dict[str, Any], said: str
) -> None:
    file, stored = write(tmp_path, task("base_0"), task("base_1", **fields)), databases(tmp_path)
    words = ("--data", file, "--databases", stored, "--user", "model", "--judge", "mockllm/model")
    ran = knowact(capsys, "run", "car", "--model", "mockllm/model", *words, "--log-dir", tmp_path / "logs")
    assert ran.code == 2
    assert said in ran.err
    assert "tasks_test.json, record 2" in ran.err
    assert "Traceback" not in ran.said
