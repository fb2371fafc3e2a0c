"""What the judge of a policy is shown: all that the rule hangs on by the definition, else as in the paper."""

import pytest

from car_trials import call, drive
from knowact.suites.car.role_views import policy_ballots
from knowact.worlds.car.policies.catalogue import POLICIES, Policy
from knowact.worlds.car.record import CarTrial
from knowact.worlds.car.rules import Rules

JUDGED = [one for one in POLICIES.values() if one.by == "judge"]
STEPS = (
    "> A wide window, please.",
    call("think", thought="A secret note."),
    call("set_air_conditioning", on=True),
    call("open_close_window", window="DRIVER", percentage=60),
    call("open_close_trunk_door", action="OPEN"),
    call("set_fog_lights", on=True),
    call("set_climate_temperature", temperature=27, seat_zone="DRIVER"),
    call("get_routes_from_start_to_destination", start_id="loc_mun_9995", destination_id="loc_mun_9995"),
    call("open_close_sunroof", percentage=20),
    "All done.",
)


def shown(policy: Policy, rules: Rules) -> str:
    ballots = {one.name: one for one in policy_ballots(_trial(rules), 1)}
    return ballots[policy.id].prompts[0]


def _trial(rules: Rules) -> CarTrial:
    trial = drive(*STEPS, rules=rules)
    looked_up = trial.calls[-2].model_copy(update={"problem": None, "result": {"routes": []}})
    events = tuple(looked_up if one == trial.calls[-2] else one for one in trial.events)
    return trial.model_copy(update={"events": events})


@pytest.mark.parametrize("policy", JUDGED, ids=lambda one: one.id)
def test_each_judged_rule_is_put_in_its_own_words(policy: Policy) -> None:
    definition, published = (shown(policy, rules) for rules in (Rules.DEFINITION, Rules.PUBLISHED))
    for others in JUDGED:
        assert (others.sentence in published) == (others.sentence in definition) == (others is policy)
    assert all(part in definition for part in (policy.trigger, policy.condition, policy.evidence))
    assert not any(part in published for part in (policy.condition, policy.evidence))
    assert f"{policy.id}: {policy.sentence}\nHint: {policy.published_hint or '(none)'}\n" in published


@pytest.mark.parametrize("policy", JUDGED, ids=lambda one: one.id)
def test_the_published_judge_sees_calls_and_notes_but_neither_place_nor_state(policy: Policy) -> None:
    definition, published = (shown(policy, rules) for rules in (Rules.DEFINITION, Rules.PUBLISHED))
    marks = ("[The car is at ", "[At the start: ", "[now: ")
    assert marks[0] in definition
    assert not any(mark in published for mark in marks)
    assert ("A secret note." in definition, "A secret note." in published) == (False, True)
    assert "[Call open_close_window(" in published


def test_the_paper_gives_hints_to_three_rules() -> None:
    hinted = [one.id for one in JUDGED if one.published_hint]
    assert hinted == ["LLM-POL:004", "LLM-POL:007", "LLM-POL:021"]


def test_the_judge_is_told_that_the_drivers_own_words_break_no_rule_of_speech() -> None:
    units = next(one for one in JUDGED if one.id == "LLM-POL:002")
    definition, published = (shown(units, rules) for rules in (Rules.DEFINITION, Rules.PUBLISHED))
    assert "the assistant may repeat these" in definition
    assert "time that the assistant states" in definition
    assert "repeats the driver's own words" in definition
    assert "repeat" not in published.partition("<conversation>")[0]
