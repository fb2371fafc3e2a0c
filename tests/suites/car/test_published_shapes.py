"""Published records in every shape that is known of score alike."""

import json
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any, cast

import pytest

from car_trials import BERLIN, HERE, call, drive, routes
from knowact.core.conversation import Stop
from knowact.suites.car.published_trials import read_runs
from knowact.suites.car.scoring import PUBLISHED, score
from knowact.suites.car.trajectory import CannotReplay, replayed
from knowact.worlds.car.record import CarTrial, TaskType, Word
from knowact.worlds.car.rules import Rules
from published_trials import competition, read_trials, record, simple

Put = Callable[..., Path]
Row = dict[str, Any]

LOOK = call("get_routes_from_start_to_destination", start_id=HERE, destination_id=BERLIN)
GO = call("set_new_navigation", route_ids=[routes(HERE, BERLIN)[0]])
FAN = call("set_fan_speed", level=3)
CURVE = {"soc_tresholds": [5, 10, 50, 100], "power_percentages": [60, 90, 100, 20]}
SCORES: dict[str, Any] = {
    **dict.fromkeys(PUBLISHED, 1.0),
    "r_outputs": None,
    "policy_aut_errors": [],
    "policy_llm_errors": [],
    "tool_subset_missing_tools": [],
}


def row(item: str = "base_0", epoch: int = 1, **more: Any) -> Row:
    """A record in which things are looked up, set in one batch, and said."""
    trial = drive(LOOK, "Three routes.", "> The fastest.", [FAN, GO, LOOK], "On our way.", item=item)
    found = record(trial.model_copy(update={"epoch": epoch}), [FAN, LOOK, GO], scores=SCORES, **more)
    found["info"]["task"]["context_init_config"]["charging_curve_parameters"] = CURVE
    return found


def through_protobuf(value: Any) -> Any:
    """The same with names in another order, and whole numbers as floats."""
    if isinstance(value, dict):
        found = cast("dict[str, Any]", value)
        return {name: through_protobuf(found[name]) for name in sorted(found)}
    if isinstance(value, list):
        return [through_protobuf(one) for one in cast("list[Any]", value)]
    return float(value) if isinstance(value, int) and not isinstance(value, bool) else value


def file_of(folder: Path, content: Any, name: str = "base_train.json") -> Path:
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return file


def outcome(path: Path) -> list[tuple[str, int, dict[str, float | None]]]:
    """What each trial comes to under the published rules."""
    found: list[tuple[str, int, dict[str, float | None]]] = []
    for one in read_trials(path):
        again = replayed(one)
        result = score(again.trial, again.goal, Rules.PUBLISHED)
        values = {name: result.metrics[name].value for name in PUBLISHED if name in result.metrics}
        found.append((one.item, one.index, {**values, "reward": result.reward.value}))
    return found


RIGHT = ("base_0", 0, {**dict.fromkeys(PUBLISHED, 1.0), "reward": 1.0})


def nested(row: Row) -> dict[str, Any]:
    return {
        "own": [row],
        "one row": row,
        "competition": competition([row]),
        "leaderboard": {"participants": {"agent": "0197"}, "results": [{"score": 1.0, **competition([row])}]},
        "final result": {"final_result": competition([row])},
        "final result in the leaderboard": {"results": [{"final_result": competition([row])}]},
        "rows under task names": {"base": {"base_0": [row]}},
        "a row under its task's name": {"base_0": row},
        "lists in lists": [[row]],
        "an artifact": {"artifacts": [{"parts": [{"data": competition([row])}]}]},
        "an artifact as text": {"parts": [{"kind": "text", "text": json.dumps(competition([row]))}]},
        "with a summary beside": {"tasks": [{"task_id": "base_0", "reward": 0.0, "trial": 0}], "rows": [row]},
        "lines": "\n".join([json.dumps(row), ""]),
        "an envelope on a line": json.dumps(competition([row])) + "\n" + json.dumps({"done": True}),
        "with NaN": json.dumps({**row, "latency": float("nan")}),
        "with a byte order mark": "\ufeff" + json.dumps([row]),
    }


@pytest.mark.parametrize("shape", list(nested(simple())))
def test_rows_are_found_wherever_they_stand(tmp_path: Path, shape: str) -> None:
    assert outcome(file_of(tmp_path, nested(row())[shape])) == [RIGHT]


def test_where_a_row_was_found_is_said(tmp_path: Path) -> None:
    (one,) = read_trials(file_of(tmp_path, nested(row())["leaderboard"], "leaders.json"))
    assert one.found.spot == "results.0.detailed_results_by_split.base.0"


def test_objects_are_read_by_name_and_whole_numbers_may_be_floats(tmp_path: Path) -> None:
    changed = through_protobuf(row())
    curve = changed["info"]["task"]["context_init_config"]["charging_curve_parameters"]
    assert list(curve) == ["power_percentages", "soc_tresholds"]
    assert outcome(file_of(tmp_path, competition([changed]))) == [RIGHT]
    context = replayed(read_trials(file_of(tmp_path, [changed]))[0]).trial.context
    assert context["charging_curve_parameters"] == {
        "thresholds": CURVE["soc_tresholds"],
        "power_shares": CURVE["power_percentages"],
    }


def arguments(change: Callable[[Row], Row]) -> Callable[[Row], None]:
    def apply(one: Row) -> None:
        for message in one["traj"]:
            if message.get("tool_calls"):
                message["tool_calls"] = [change(call) for call in message["tool_calls"]]

    return apply


def flat(call: Row) -> Row:
    return {"id": call["id"], **call["function"]}


def numbered(one: Row) -> None:
    """Ids of their own; results in another order."""
    for place, message in enumerate(one["traj"]):
        calls: list[Row] = message.get("tool_calls") or []
        for number, made in enumerate(calls):
            made["id"] = f"call_{place}_{number}"
            one["traj"][place + 1 + number]["tool_call_id"] = made["id"]
        one["traj"][place + 1 : place + 1 + len(calls)] = one["traj"][place + 1 : place + 1 + len(calls)][
            ::-1
        ]


def repeated(one: Row) -> None:
    """Every result twice."""
    numbered(one)
    one["traj"] = [same for m in one["traj"] for same in ([m, m] if m["role"] == "tool" else [m])]


def without_ids(one: Row) -> None:
    for message in one["traj"]:
        calls: list[Row] = message.get("tool_calls") or []
        for made in calls:
            del made["id"]
        if message["role"] == "tool":
            del message["tool_call_id"], message["name"]


def parts(one: Row) -> None:
    for message in one["traj"]:
        if message["content"] is not None:
            message["content"] = [{"type": "text", "text": message["content"]}]


def results_as_objects(one: Row) -> None:
    for message in one["traj"]:
        if message["role"] == "tool":
            message["content"] = json.loads(message["content"])


def nulls(one: Row) -> None:
    for message in one["traj"]:
        message.update(
            {name: None for name in ("tool_calls", "name", "reasoning_content") if name not in message}
        )
    task = one["info"]["task"]
    task |= {"removed_part": None, "disambiguation_element_internal": None, "calendar_id": None}
    task["context_init_config"] |= {
        "waypoints_id": None,
        "user_preferences": None,
        "phone_numbers_called": None,
    }
    for action in task["actions"]:
        action["dependent_on_action_index"] = None
    one["info"] |= {"error": None, "removed_part": None, "user_cost": None}


def all_text(one: Row) -> None:
    task = one["info"]["task"]
    task["context_init_config"] = json.dumps(task["context_init_config"])
    task["actions"] = json.dumps([{**one, "kwargs": json.dumps(one["kwargs"])} for one in task["actions"]])
    one["info"] = {**one["info"], "task": json.dumps(task)}
    one["traj"] = json.dumps(one["traj"])


def at_the_top(one: Row) -> None:
    info = one.pop("info")
    one |= {"task": info["task"], **info["reward_info"]["info"]}


def only_numbers(one: Row) -> None:
    one["info"]["reward_info"]["info"] = dict.fromkeys(PUBLISHED, 1)


def truths(one: Row) -> None:
    one["info"]["reward_info"]["info"] |= dict.fromkeys(PUBLISHED, True)
    one["reward"] = True


def unusable_extras(one: Row) -> None:
    """Fixed variables that scoring does not look at."""
    one["info"]["task"]["context_init_config"] |= {
        "charging_curve_parameters": {"x": 1},
        "fuel_type": "diesel",
    }


CHANGES: dict[str, Callable[[Row], object]] = {
    "arguments as an object": arguments(
        lambda one: {
            **one,
            "function": {**one["function"], "arguments": json.loads(one["function"]["arguments"])},
        }
    ),
    "flat calls": arguments(flat),
    "calls of the A2A protocol": arguments(
        lambda one: {"tool_name": flat(one)["name"], "arguments": json.loads(flat(one)["arguments"])}
    ),
    "calls as text": lambda one: (
        [
            message.update(tool_calls=json.dumps(message["tool_calls"]))
            for message in one["traj"]
            if message.get("tool_calls")
        ]
        and None
    ),
    "ids that say which result is whose": numbered,
    "several results per call": repeated,
    "no ids and no names": without_ids,
    "contents in parts": parts,
    "results as objects": results_as_objects,
    "null everywhere": nulls,
    "text everywhere": all_text,
    "everything at the top": at_the_top,
    "no lists of errors": only_numbers,
    "truth values": truths,
    "variables that nobody needs": unusable_extras,
    "no system prompt": lambda one: one["traj"].pop(0),
    "no stop mark": lambda one: one["traj"].pop(),
}


@pytest.mark.parametrize("change", CHANGES)
def test_the_members_of_a_row_may_be_otherwise(tmp_path: Path, change: str) -> None:
    changed = deepcopy(row())
    CHANGES[change](changed)
    assert json.dumps(changed) != json.dumps(row())
    file = file_of(tmp_path, [changed])
    assert outcome(file) == [RIGHT]
    recorded = read_trials(file)[0].recorded
    assert [recorded[name] for name in PUBLISHED] == [1.0] * len(PUBLISHED)


@pytest.mark.parametrize(
    ("given", "where", "item"),
    [
        ("base_7", "x.json", "base_7"),
        (7, "x.json", "base_7"),
        ("7", "x.json", "base_7"),
        (7.0, "x.json", "base_7"),
        (None, "x.json", "base_7"),
    ],
)
def test_ids_may_be_numbers_with_the_type_in_the_task(
    tmp_path: Path, given: Any, where: str, item: str
) -> None:
    changed = row(task_id=given)
    changed["info"]["task"]["task_id"] = given if given is not None else 7
    del changed["task_index"]
    assert [one.item for one in read_trials(file_of(tmp_path, [changed], where))] == [item]


WHERE: dict[str, Callable[[Row], Any]] = {
    "model_disambiguation_test.json": lambda one: [one],
    "disambiguation/test.json": lambda one: [one],
    "all.json": lambda one: {"disambiguation": {"test": [one]}},
    "base.json": lambda one: {"detailed_results_by_split": {"disambiguation_user": [one]}},
}


@pytest.mark.parametrize("name", WHERE)
def test_or_with_the_type_where_they_stand(tmp_path: Path, name: str) -> None:
    changed = row(task_id=3)
    for field in ("task_type", "task_id"):
        del changed["info"]["task"][field]
    (one,) = read_trials(file_of(tmp_path, WHERE[name](changed), name))
    assert (one.item, one.kind, one.task.type) == ("disambiguation_3", "disambiguation", TaskType.USER)


@pytest.mark.parametrize(
    ("task", "kind"),
    [
        ({"removed_part": ["set_fan_speed"]}, TaskType.MISSING_TOOL),
        ({"removed_part": '["set_fan_speed.level"]'}, TaskType.MISSING_PARAMETER),
        ({"removed_part": "result.get_climate_settings.fan_speed"}, TaskType.MISSING_RESPONSE),
        ({"task_type": "TaskType.HALLUCINATION_MISSING_TOOL"}, TaskType.MISSING_TOOL),
    ],
)
def test_what_was_removed_tells_the_type(tmp_path: Path, task: Row, kind: TaskType) -> None:
    changed = row("hallucination_3")
    del changed["info"]["task"]["task_type"]
    changed["info"]["task"] |= task
    assert read_trials(file_of(tmp_path, [changed]))[0].task.type is kind


def test_trials_without_a_number_count_by_their_order(tmp_path: Path) -> None:
    rows = [row("base_0", 1), row("base_1", 1), row("base_0", 2)]
    for one in rows:
        one["trial"] = None
    assert [(one.item, one.index) for one in read_trials(file_of(tmp_path, rows))] == [
        ("base_0", 0),
        ("base_1", 0),
        ("base_0", 1),
    ]


def test_a_number_that_is_taken_already_is_no_obstacle(tmp_path: Path) -> None:
    rows = [{**row(epoch=1), "trial": None}, row(epoch=1, reward=0.0)]
    assert [one.index for one in read_trials(file_of(tmp_path, rows))] == [0, 1]


@pytest.mark.parametrize("role", [None, [], {}, 7])
def test_a_role_may_be_anything(tmp_path: Path, role: Any) -> None:
    changed = row()
    changed["traj"][1]["role"] = role
    changed["traj"][-2]["role"] = role
    assert len(outcome(file_of(tmp_path, [changed]))) == 1


def forty() -> Row:
    """A trial at the step limit: no sub-scores at all."""
    made = record(drive(*[LOOK] * 40, stop=Stop.LIMIT), [FAN], reward=0.0)
    del made["info"]["reward_info"]
    return made


def crash(**more: Any) -> Row:
    return {
        "task_id": "base_0",
        "reward": 0.0,
        "info": {"error": "provider failed", "traceback": "Traceback …"},
        "traj": [],
        "trial": 0,
        **more,
    }


def less(made: Row, *names: str) -> Row:
    return {name: value for name, value in made.items() if name not in names}


@pytest.mark.parametrize(
    ("made", "stop"),
    [
        (forty(), Stop.LIMIT),
        (less(forty(), "reward"), Stop.LIMIT),
        ({**forty(), "info": {}}, Stop.LIMIT),
        (crash(), Stop.INSTRUMENT),
        (less(crash(), "reward"), Stop.INSTRUMENT),
        (less(crash(), "traj"), Stop.INSTRUMENT),
        (crash(traj=None, task_id=0), Stop.INSTRUMENT),
        ({"task_id": "base_0", "trial": 0, "reward": 0, "error": "boom"}, Stop.INSTRUMENT),
        (
            {**row(traj=row()["traj"][:3], reward=0.0), "info": {**row()["info"], "reward_info": None}},
            Stop.INSTRUMENT,
        ),
    ],
)
def test_trials_that_were_cut_off_fail_as_published(tmp_path: Path, made: Row, stop: Stop) -> None:
    (one,) = read_trials(file_of(tmp_path, [made]))
    assert one.item == "base_0"
    assert replayed(one).trial.stop is stop
    assert outcome(file_of(tmp_path, [made])) == [("base_0", 0, {"reward": 0.0})]


def test_a_failure_by_the_driver_counts_where_its_word_is_not_recorded(tmp_path: Path) -> None:
    changed = row(reward=0.0)
    changed["info"]["reward_info"]["info"]["r_user_end_conversation"] = 0.0
    (one,) = read_trials(file_of(tmp_path, [changed]))
    assert [ruled.word for ruled in replayed(one).trial.rulings] == [Word.OUT_OF_SCOPE]
    ((_, _, found),) = outcome(file_of(tmp_path, [changed]))
    assert (found["r_user_end_conversation"], found["reward"]) == (0, 0)


def test_a_broken_policy_counts_where_only_its_number_is_recorded(tmp_path: Path) -> None:
    changed = row(reward=0.0)
    changed["info"]["reward_info"]["info"] = {
        **dict.fromkeys(PUBLISHED, 1.0),
        "r_policy": 0,
        "policy_aut_errors": [],
    }
    ((_, _, found),) = outcome(file_of(tmp_path, [changed]))
    assert (found["r_policy"], found["reward"]) == (0, 0)


def test_what_was_answered_has_crashed_nothing(tmp_path: Path) -> None:
    """A part of its result was to be masked, but the trial went on."""
    reads = call("get_climate_settings", wind=1)
    kind = TaskType.MISSING_RESPONSE
    trial: CarTrial = drive(reads, "I can't.", kind=kind, removed=("result.get_climate_settings.fan_speed",))
    made = record(trial, [FAN], scores={"r_tool_execution": 1.0, "r_user_end_conversation": 1.0})
    assert made["traj"][3]["content"].startswith("Error")
    ((_, _, found),) = outcome(file_of(tmp_path, [made]))
    assert found["reward"] == 1


def test_scores_without_messages_are_not_re_scorable(tmp_path: Path) -> None:
    (one,) = read_trials(file_of(tmp_path, [row(traj=None)]))
    with pytest.raises(CannotReplay, match="no messages"):
        replayed(one)


class TestRuns:
    def names(self, path: Path) -> dict[str, int]:
        return {run.name: len(run.trials) for run in read_runs(path)}

    def test_files_of_types_and_splits_are_parts_of_one_run(self, tmp_path: Path) -> None:
        for name, item in (
            ("base_train", "base_0"),
            ("base_test", "base_1"),
            ("hallucination_test", "base_3"),
        ):
            file_of(tmp_path, [row(item)], f"m-4/{name}.json")
            file_of(tmp_path, [row(item)], f"other/results_{name}.json")
        assert self.names(tmp_path) == {"m-4": 3, "other/results": 3}

    def test_files_with_the_same_tasks_or_other_names_are_runs_of_their_own(self, tmp_path: Path) -> None:
        for name in ("gpt_base.json", "claude_base.json", "claude_base_test.json"):
            file_of(tmp_path, [row()], name)
        assert self.names(tmp_path) == {"claude_base.json": 1, "claude_base_test.json": 1, "gpt_base.json": 1}

    def test_models_of_one_file_are_runs(self, tmp_path: Path) -> None:
        rows = [{**row(), "model": "a"}, {**row(), "model": "b"}]
        file_of(tmp_path, rows)
        file_of(tmp_path, [{**row("base_1"), "info": {**row()["info"], "model": "a"}}], "x.json")
        assert self.names(tmp_path) == {"a": 2, "b": 1}

    def test_participants_of_one_leaderboard_are_runs(self, tmp_path: Path) -> None:
        results = [competition([row(reward=n)]) for n in (0.0, 1.0)]
        assert self.names(file_of(tmp_path, {"results": results})) == {
            "base_train.json": 1,
            "base_train.json (base_train.json)": 1,
        }

    def test_intermediate_results_count_once_and_that_is_said(self, tmp_path: Path) -> None:
        both = [competition([row()]), competition([row(), row("base_1")])]
        (run,) = read_runs(file_of(tmp_path, {"artifacts": both}))
        assert [one.name for one in run.trials] == ["base_0, trial 1", "base_1, trial 1"]
        assert run.remarks[0].startswith("1 of the records repeat others word for word")

    def test_a_trial_that_occurs_twice_is_told(self, tmp_path: Path) -> None:
        (run,) = read_runs(file_of(tmp_path, [row(), row(reward=0.0)]))
        assert [one.index for one in run.trials] == [0, 1]
        assert "base_0, trial 1 is recorded again" in run.remarks[0]
