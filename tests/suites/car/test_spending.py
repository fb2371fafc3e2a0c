"""Cost and latency: every call counts, and roles are kept apart."""

from car_trials import drive
from knowact.suites.car.spending import spending
from knowact.worlds.car.record import Spent

TRIAL = drive("One.", "> And?", "Two.").model_copy(
    update={
        "spent": (
            Spent(role="agent", tokens=(100, 10), cost=0.25, seconds=2),
            Spent(role="agent", tokens=(120, 20), cost=0.5, seconds=4),
            Spent(role="user", tokens=(10, 1), cost=0.125, seconds=1),
            Spent(role="judge", tokens=(50, 5), cost=None, seconds=3),
        )
    }
)


def test_all_calls_of_a_role_are_added_up() -> None:
    agent = spending(TRIAL, "agent")
    assert (agent.calls, agent.tokens, agent.cost, agent.seconds) == (2, (220, 30), 0.75, 6)


def test_user_and_judge_stand_apart_and_a_missing_price_leaves_no_sum() -> None:
    assert spending(TRIAL, "user").cost == 0.125
    assert spending(TRIAL, "judge").cost is None
    assert spending(TRIAL, "agent", "user", "judge").seconds == 10


def test_a_role_that_was_not_played_cost_nothing() -> None:
    none = spending(TRIAL, "nobody")
    assert (none.calls, none.cost, none.seconds) == (0, 0.0, 0)
