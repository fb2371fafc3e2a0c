"""Published trial records, made from driven trials, in both shapes."""

import json
from collections.abc import Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from car_trials import call, drive
from knowact.core.conversation import Said, Stop
from knowact.core.world import Call
from knowact.suites.car.published_trials import PublishedTrial, read_runs
from knowact.worlds.car.contract import Fault
from knowact.worlds.car.record import CarCalled, CarTrial

STOP = {"role": "user", "content": "###STOP###"}


def read_trials(path: Path) -> list[PublishedTrial]:
    """Every trial of a path."""
    return [one for run in read_runs(path) for one in run.trials]


def answer(call: CarCalled) -> str:
    """What the published tool would have answered."""
    if call.problem is None:
        plain = call.tool in {"think", "calculate_math", "calculate_datetime"}
        return json.dumps(call.result if plain else {"status": "SUCCESS", "result": call.result})
    if call.problem.code == "unknown_tool":
        return f"Unknown action {call.tool}"
    if call.fault is Fault.RAISED:
        return f"Error: {call.problem.message}"
    return json.dumps({"status": "FAILURE", "errors": {"code": call.problem.message}})


def messages(trial: CarTrial) -> list[dict[str, Any]]:
    """The messages of a trial, as the runner stores them."""
    found: list[dict[str, Any]] = [{"role": "system", "content": "You are in a car."}]
    for _, group in groupby(trial.events, key=lambda event: (event.step, event.kind, event.turn)):
        events = list(group)
        calls = [event for event in events if isinstance(event, CarCalled)]
        if calls:
            listed = [
                {
                    "id": "call_1",  # ids may repeat
                    "type": "function",
                    "function": {"name": one.tool, "arguments": json.dumps(one.arguments)},
                }
                for one in calls
            ]
            found.append({"role": "assistant", "content": None, "tool_calls": listed})
            found += [
                {"role": "tool", "tool_call_id": "call_1", "name": one.tool, "content": answer(one)}
                for one in calls
            ]
        found += [{"role": one.role, "content": one.text} for one in events if isinstance(one, Said)]
    if trial.stop is Stop.TOOL:
        return [*found, {"role": "user", "content": found[-1]["content"]}]
    return [*found, STOP] if trial.stop is Stop.WORD else found


def record(
    trial: CarTrial,
    reference: Sequence[Call],
    *,
    reward: float = 1.0,
    scores: Mapping[str, Any] | None = None,
    as_text: bool = False,
    **more: Any,
) -> dict[str, Any]:
    """A record of the benchmark's own runner.

    Args:
        trial: What happened.
        reference: The task's actions.
        reward: As the record has it.
        scores: Further entries of the sub-scores.
        as_text: Whether the task's nested values are JSON text, as in the public release.
        more: Members of the record that differ.
    """

    def pack(value: Any) -> Any:
        return json.dumps(value) if as_text else value

    task: dict[str, Any] = {
        "task_id": trial.item,
        "persona": "age 40, commanding",
        "calendar_id": "cal_0001",
        "instruction": "",
        "context_init_config": pack({**trial.context, **trial.initial}),
        "actions": pack(
            [
                {"name": one.tool, "kwargs": dict(one.arguments or {}), "index": i}
                for i, one in enumerate(reference)
            ]
        ),
        "task_type": trial.type.value,
        "removed_part": pack(list(trial.removed)) if trial.removed else None,
    }
    sub_scores: dict[str, Any] = {"policy_llm_errors": [], "end_conversation_keyword": None, **(scores or {})}
    made: dict[str, Any] = {
        "task_index": 0,
        "task_id": trial.item,
        "reward": reward,
        "trial": trial.epoch - 1,
        "traj": messages(trial),
        "info": {
            "task": task,
            "source": "user",
            "reward_info": {"reward": reward, "info": sub_scores, "actions": []},
            "total_agent_cost": 0.01,
            "total_llm_induced_latency_ms": 1500.0,
        },
    }
    return {**made, **more}


def competition(records: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The same records in the competition's result file."""
    rows = [
        {
            **{name: value for name, value in one.items() if name != "traj"},
            "trajectory": one["traj"],
            "turns": [1.0],
        }
        for one in records
    ]
    return {
        "pass_power_k_scores": {"1": 1.0},
        "score": 1.0,
        "max_trials": 1,
        "task_rewards_by_split": {"base": {"base_0": [1.0]}},
        "detailed_results_by_split": {"base": rows},
    }


def simple(item: str = "base_0", epoch: int = 1, **more: Any) -> dict[str, Any]:
    """A record of a task that is done right."""
    climate, fan = call("get_climate_settings"), call("set_fan_speed", level=3)
    trial = drive(climate, fan, "Three.", item=item).model_copy(update={"epoch": epoch})
    return record(trial, [climate, fan], **more)
