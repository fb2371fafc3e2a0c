"""The published user neither notices nor corrects, whoever plays it: a model, a person or the script."""

from collections.abc import Sequence

import pytest

from car_agents import planned
from knowact.roles.simulated_user import ScriptedUser
from knowact.roles.user_brief import scenario_for_a_person, user_brief
from knowact.suites.car.items import CarItem
from knowact.suites.car.role_views import at_the_wheel, user_of
from knowact.worlds.car.rules import Rules


def items(rules: Rules) -> Sequence[CarItem]:
    return [one for one in planned(rules=rules.value, limit=4).items if isinstance(one, CarItem)]


@pytest.mark.parametrize("rules", Rules)
def test_a_model_and_a_person_are_told_to_notice_by_the_definition_alone(rules: Rules) -> None:
    notices = rules is Rules.DEFINITION
    for item in items(rules):
        setting = at_the_wheel(rules)
        told = user_brief(item.what.persona, item.what.instruction, setting)
        assert ("You notice" in told) is notices
        assert ("don't correct it" in told) is not notices
        read = scenario_for_a_person(item.what.persona, item.what.instruction, setting)
        assert ("Say so" in read[-1]) is notices
        assert ("leave it so" in read[-1]) is not notices


def test_the_script_wants_nothing_told_and_holds_no_report_against_its_wishes() -> None:
    users = {rules: [user_of(item) for item in items(rules)] for rules in Rules}
    assert any(one.due for one in users[Rules.DEFINITION])
    assert all(one.wishes for one in users[Rules.DEFINITION])
    for one in users[Rules.PUBLISHED]:
        assert isinstance(one, ScriptedUser)
        assert (one.due, one.wishes) == (frozenset(), {})
