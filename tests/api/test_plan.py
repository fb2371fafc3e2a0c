"""The plan of a request: which runs it is made of, what they take and cost, before anything is called."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from knowact import suites
from knowact.core.errors import BadUsage
from knowact.core.suite import Item
from knowact.running.carry_out import Output, carry_out
from knowact.running.plan import RunPlan, plan_runs
from knowact.running.request import RunRequest

EAGER, ORACLE = "knowact/eager", "knowact/oracle"


@pytest.fixture
def request_(tmp_path: Path) -> RunRequest:
    """Four tasks by two built-in agents."""
    return RunRequest(suite=suites.find("kapro"), models=(EAGER, ORACLE), limit=4, log_dir=tmp_path)


def carried_out(plan: RunPlan) -> tuple[list[str], list[str]]:
    """Carry a plan out; return the words of its results and of its problems."""
    results, problems = list[str](), list[str]()
    assert carry_out(plan, Output(results.append, problems.append)).exit_code == 0
    return results, problems


def test_there_is_a_run_for_each_model_and_treatment_models_first(request_: RunRequest) -> None:
    swept = replace(
        request_, options={"strategy": ("none", "gather-then-act")}, budgets={"max_tokens": (None, 512)}
    )
    plan = plan_runs(swept)
    words = [
        "strategy none, max tokens default",
        "strategy none, max tokens 512",
        "strategy gather-then-act, max tokens default",
        "strategy gather-then-act, max tokens 512",
    ]
    assert [(run.request.model, run.words) for run in plan.runs] == [
        (model, word) for model in (EAGER, ORACLE) for word in words
    ]
    assert len({run.folder for run in plan.runs}) == 8, "each run has a folder of its own"
    assert plan.head(2) == f"Run 2 of 8: {EAGER}, {words[1]}"
    assert [run.request.engine.get("max_tokens") for run in plan.runs[:2]] == [None, 512]
    assert [run.request.options["strategy"] for run in plan.runs[:3]] == ["none", "none", "gather-then-act"]


def test_a_plan_of_one_run_says_no_number(request_: RunRequest) -> None:
    plan = plan_runs(replace(request_, models=(EAGER,)))
    assert not plan.runs[0].words
    assert not any("Run 1 of" in line or "In all" in line for line in plan.announcement())


def test_of_several_runs_each_is_announced_and_all_of_them_together(request_: RunRequest) -> None:
    lines = list(plan_runs(request_).announcement())
    assert [line for line in lines if line.startswith("Run ")] == [
        f"Run 1 of 2: {EAGER}",
        f"Run 2 of 2: {ORACLE}",
    ]
    notes = [line for line in lines if line.startswith("Note: ")]
    assert len(notes) == len({*notes}), "a note stands there once"


def test_calls_grow_with_trials_and_shrink_with_items(request_: RunRequest) -> None:
    few, most = plan_runs(request_).runs[0].calls
    assert 0 < few <= most
    assert plan_runs(replace(request_, trials=3)).runs[0].calls == (3 * few, 3 * most)

    def half(items: Sequence[Item]) -> tuple[tuple[Item, ...], str]:
        return tuple(items)[: len(items) // 2], "the first half"

    drawn = plan_runs(request_, half).runs[0]
    whole = plan_runs(request_).runs[0]
    assert len(drawn.plan.items) == len(whole.plan.items) // 2
    assert drawn.calls == (-(-few // 2), -(-most // 2))
    assert drawn.request.sample == "the first half"
    assert drawn.folder != whole.folder


def test_only_models_that_can_cost_money_make_a_plan_paid(
    request_: RunRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A provider of its own: the engine keeps a model, address included, and nobody answers at this one.
    monkeypatch.setenv("PLANNED_API_KEY", "x")
    monkeypatch.setenv("PLANNED_BASE_URL", "http://127.0.0.1:9/v1")
    assert not plan_runs(request_).paid
    judged = replace(request_, judge="openai-api/planned/judge", options={"reasons": True})
    tested = replace(request_, models=("openai-api/planned/agent",), judge="none")
    assert plan_runs(tested).paid
    assert plan_runs(tested).runs[0].least_cost is None, "nobody knows its price"
    assert plan_runs(judged).paid == bool(plan_runs(judged).runs[0].request.roles)


def test_a_run_is_over_when_each_of_its_trials_has_ended(request_: RunRequest) -> None:
    short = replace(request_, models=(ORACLE,), limit=2)
    plan = plan_runs(short)
    assert not plan.runs[0].over
    results, problems = carried_out(plan)
    assert problems == []
    assert any(line.startswith("The page: knowact report ") for line in results)
    assert plan_runs(short).runs[0].over
    assert not plan_runs(replace(short, trials=2)).runs[0].over


def test_a_fresh_run_sets_the_earlier_one_aside(request_: RunRequest) -> None:
    short = replace(request_, models=(ORACLE,), limit=1)
    carried_out(plan_runs(short))
    results, _ = carried_out(plan_runs(replace(short, fresh=True)))
    assert any(line.startswith("The earlier run is now in ") for line in results)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"models": ()}, "Name a model by --model, or an agent by --agent."),
        ({"agent_name": "Mine"}, "--agent-name takes one --agent."),
        ({"agents": ("mine:agent",)}, "There is no agent 'mine:agent'."),
        ({"agents": ("solver:a.py@b",)}, "A solver asks one model: name it by --model."),
        ({"models": ("knowact/nobody",)}, "nobody"),
        ({"models": ("mockllm/model",), "roles": ("moderator=x/y",)}, "There is no role 'moderator'."),
        ({"budgets": {"max_tokens": (5,)}, "engine": {"max_tokens": 6}}, "--max-tokens is given twice"),
    ],
)
def test_what_cannot_be_planned_is_refused_before_anything_is_made(
    request_: RunRequest, tmp_path: Path, change: dict[str, object], complaint: str
) -> None:
    with pytest.raises(BadUsage) as raised:
        plan_runs(replace(request_, **change))  # pyright: ignore[reportArgumentType] - each is a field's value
    assert complaint in str(raised.value)
    assert not list(tmp_path.iterdir())
