"""Cost and latency: every call counts, and roles are kept apart."""

from car_trials import drive
from knowact.core.conversation import ModelUsage
from knowact.suites.car.records import spending

TRIAL = drive("One.", "> And?", "Two.").model_copy(
    update={
        "spent": (
            ModelUsage(role="agent", tokens=(100, 10), cost=0.25, seconds=2),
            ModelUsage(role="agent", tokens=(120, 20), cost=0.5, seconds=4),
            ModelUsage(role="user", tokens=(10, 1), cost=0.125, seconds=1),
            ModelUsage(role="judge", tokens=(50, 5), cost=None, seconds=3),
        )
    }
)


def spent(role: str) -> list[float | None]:
    found = spending([TRIAL])
    return [found[f"{role}_{what}"].value for what in ("calls", "tokens_in", "tokens_out", "cost", "seconds")]


def test_all_calls_of_a_role_are_added_up() -> None:
    assert spent("agent") == [2, 220, 30, 0.75, 6]


def test_all_attempts_are_added_up() -> None:
    found = spending([TRIAL, TRIAL])
    assert (found["agent_calls"].value, found["agent_cost"].value) == (4, 1.5)


def test_user_and_judge_stand_apart_and_a_missing_price_leaves_no_sum() -> None:
    assert spent("user") == [1, 10, 1, 0.125, 1]
    assert spent("judge") == [1, 50, 5, None, 3]


def test_a_role_that_was_not_played_took_nothing_and_has_no_price() -> None:
    none = spending([TRIAL.model_copy(update={"spent": ()})])
    assert (none["agent_calls"].value, none["agent_cost"].value, none["agent_seconds"].value) == (0, None, 0)
