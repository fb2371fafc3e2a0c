"""What a log holds, and what happens when somebody else's solver stands in the place of ours."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from inspect_ai import Task
from inspect_ai import eval as engine_eval  # pyright: ignore[reportUnknownVariableType] - partly untyped
from inspect_ai.log import EvalLog, EvalSampleSummary, read_eval_log
from inspect_ai.model import ChatMessageAssistant, ChatMessageTool, ModelOutput, ModelUsage
from inspect_ai.solver import Generate, Solver, TaskState, generate, solver
from inspect_ai.tool import ToolCall, ToolCallError

from knowact import suites
from knowact.agents.policy import right_answer
from knowact.core.names import sanitised
from knowact.core.record import Outcome, Status
from knowact.engine import reader
from knowact.engine.records import ITEM_KEYS, SCORING, item_metadata, record_from, whole
from knowact.engine.runs import Request, carry_out
from knowact.engine.suite_task import suite_task
from knowact.engine.transcripts import read_transcripts
from knowact.roles.extractor import extraction_prompt
from knowact.suites import find
from knowact.suites.kapro.probes import ACT, KNOW, prompts
from knowact.suites.kapro.suite import SUITE
from local_agents import LocalAgents
from running import EXTRACTOR, MODEL, knowact, records_at, tasks_of

car, ict, kapro = (suite_task(find(name)) for name in ("car", "ict", "kapro"))

LIMIT = 4


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> EvalLog:
    from knowact.cli.main import run

    folder = tmp_path_factory.mktemp("logs")
    words = ["--model", "knowact/oracle", "--limit", str(LIMIT), "--seed", "7", "--distractors", "3"]
    assert run(["run", "kapro", *words, "--log-dir", str(folder)]) == 0
    (file,) = folder.rglob("*.eval")
    return read_eval_log(str(file))


def test_the_log_says_all_that_is_needed_to_run_it_again(log: EvalLog) -> None:
    about = (log.eval.metadata or {})["knowact"]
    (shipped,) = [data for data in SUITE.datasets() if f"{data.name}@{data.version}" == "everyday@2-A"]
    manifest = json.loads((shipped.path / "manifest.json").read_text(encoding="utf-8"))
    assert about["suite"] == "kapro"
    assert {name: said for name, said in about["dataset"].items() if said} == {
        "name": "everyday",
        "version": "2-A",
        "sha256": manifest["sha256"],
        "written_by": manifest["written_by"],
    }
    assert about["planned"] == LIMIT
    changed = {"limit": LIMIT, "seed": 7, "distractors": 3, "data": "everyday"}
    assert about["options"] == SUITE.defaults() | changed
    used = (*(one for one in prompts().values() if "published" not in one.id), extraction_prompt())
    assert about["prompts"] == {one.id: [one.version, one.sha256] for one in used}
    assert len(about["prompts"]) == 5
    assert about["scoring"] == SCORING
    assert about["roles"] == {"wanted": ["extractor", "judge"], "headline": []}
    assert log.eval.task_version == SUITE.version
    assert log.eval.model == "knowact/oracle"
    config = log.plan.config
    assert (config.temperature, config.max_tokens, config.max_retries) == (0, 16_384, 6)
    assert (log.eval.config.fail_on_error, log.eval.config.retry_on_error) == (True, 2)


@pytest.mark.parametrize("suite", suites.names())
def test_the_items_of_a_run_are_those_of_the_commands_plan(suite: str, tmp_path: Path) -> None:
    """Planning takes seconds for large data; so the engine's task makes no plan of its own."""
    found = suites.find(suite)
    options = {**found.defaults(), "limit": 2, "trials": 1}
    plan = found.plan(options)
    assert len(plan.items) > 1
    done = carry_out(Request(found, options, "knowact/oracle", tmp_path), replace(plan, items=plan.items[:1]))
    assert done.run is not None
    assert [record.item for record in done.run.records] == [plan.items[0].task.id]


def test_samples_hold_gold_and_facts_but_no_schema(log: EvalLog) -> None:
    tasks = {f"{task.id}@distractors-3": task for task in tasks_of()[:LIMIT]}
    assert log.samples is not None
    assert {str(sample.id) for sample in log.samples} == set(tasks)
    for sample in log.samples:
        task = tasks[str(sample.id)]
        about = sample.metadata
        assert about["item"] == task.id
        assert about["condition"] == "distractors-3"
        assert about["required"] == sorted(task.required)
        assert set(task.offered) < set(about["offered"])
        assert len(about["offered"]) == len(task.offered) + 3
        for fact in task.facts:
            assert f"{fact.label}: {fact.value}" in about["facts"]
        text = json.dumps(about)
        assert '"properties"' not in text
        assert "input_schema" not in text
        assert "additionalProperties" not in text


def test_every_message_belongs_to_the_probe_that_said_it(log: EvalLog) -> None:
    assert log.samples is not None
    transcripts = {one.item: one for one in read_transcripts(Path(log.location))}
    for sample in log.samples:
        found = dict(transcripts[sample.metadata["item"]].probes)
        assert list(found) == [KNOW, ACT]
        assert sum(map(len, found.values())) == len(sample.messages)
        assert [turn.role for turn in found[KNOW]] == ["system", "user", "assistant"]
        assert [turn.role for turn in found[ACT][:2]] == ["system", "user"]
        assert "tool_decisions" in found[KNOW][1].text
        assert found[ACT][1].text == sample.input


def test_somebody_elses_solver_is_measured_by_what_it_does_alone(
    local: LocalAgents, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    local.tasks = tasks_of()[:LIMIT]
    engine_eval(
        kapro(limit_tasks=LIMIT), model=MODEL, solver=generate(), log_dir=str(tmp_path), display="none"
    )
    assert all(request.tools for request in local.requests), "nobody was asked what they know"
    records = records_at(tmp_path)
    assert set(records) == {task.id for task in local.tasks}
    for task in local.tasks:
        record = records[task.id]
        assert dict(record.outcomes) == {KNOW: Outcome.NOT_RUN, ACT: Outcome.ANSWERED}
        assert record.results["acc_know"].status is Status.NOT_APPLICABLE
        assert (record.needed, record.knew) == (None, None)
        assert (record.used, record.acted) == (task.required, True)
        assert record.calls == len(task.required)
        assert record.value("acc_act") == 1
        assert record.results["pass"].status is Status.NOT_JUDGED
    done = knowact(capsys, "report", tmp_path, "--json", tmp_path / "report.json")
    assert done.code == 0, done.said
    report = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    assert report["runs"][0]["headline"] == ["Knowing and acting were not both measured, so there is no KAS."]


def test_somebody_elses_calls_may_begin_their_ids_anew_in_each_message(tmp_path: Path) -> None:
    (tool, *_) = tasks_of()[0].offered
    refused = ToolCallError("parsing", "no")

    @solver
    def rounds() -> Solver:
        async def solve(state: TaskState, generate: Generate) -> TaskState:
            for error in (refused, refused, None):
                made = ToolCall(id="call_0", function=sanitised(tool), arguments={})
                state.messages.append(ChatMessageAssistant(content="", tool_calls=[made]))
                state.messages.append(ChatMessageTool(content="", tool_call_id="call_0", error=error))
            return state

        return solve

    engine_eval(
        kapro(limit_tasks=1), model="knowact/shy", solver=rounds(), log_dir=str(tmp_path), display="none"
    )
    (record,) = records_at(tmp_path).values()
    assert (record.calls, record.flags["bad_arguments"]) == (3, 2)


@pytest.mark.parametrize("leaves", ["messages", "output"])
def test_the_answer_of_somebody_elses_solver_is_what_it_said_last_wherever_it_leaves_it(
    leaves: str, local: LocalAgents, tmp_path: Path
) -> None:
    local.tasks = tasks_of()[:LIMIT]
    answers = {task.opening.text: right_answer(task).text for task in local.tasks}

    @solver
    def answering() -> Solver:
        async def solve(state: TaskState, generate: Generate) -> TaskState:
            said = answers[state.input_text]
            if leaves == "output":
                state.output = ModelOutput.from_content("own", said)
            else:
                state.messages += [
                    ChatMessageAssistant(content="Let me see."),
                    ChatMessageAssistant(content=said),
                ]
            return state

        return solve

    engine_eval(
        kapro(limit_tasks=LIMIT),
        model="knowact/shy",
        model_roles={"extractor": EXTRACTOR},
        solver=answering(),
        log_dir=str(tmp_path),
        display="none",
    )
    records = records_at(tmp_path)
    assert len(records) == LIMIT
    for record in records.values():
        assert (record.outcomes[ACT], record.calls) == (Outcome.ANSWERED, 0)
        assert record.value("pass") == 1


@pytest.mark.parametrize("make", [ict, car, partial(kapro, probe=KNOW)], ids=["ict", "car", "knowing"])
def test_a_suite_that_asks_its_own_questions_refuses_somebody_elses_solver_before_any_call(
    make: Callable[..., Task], local: LocalAgents, tmp_path: Path
) -> None:
    (log,) = engine_eval(
        make(limit_tasks=1), model=MODEL, solver=generate(), log_dir=str(tmp_path), display="none"
    )
    assert log.status == "error"
    assert log.error is not None
    assert re.fullmatch(
        r"\S+ asks its own questions, so --solver \S+ cannot .+ --agent solver:.+\.", log.error.message
    )
    assert (log.samples or [], local.requests) == ([], [])


@pytest.mark.parametrize("suite", ["car", "kapro"])
def test_what_a_record_needs_of_an_item_fits_into_a_summary(suite: str) -> None:
    """Entries of more than a kilobyte are left out there, and reading samples takes five times as long."""
    found = suites.find(suite)
    for item in found.plan({**found.defaults(), "limit": LIMIT}).items:
        about = item_metadata(item)
        read = record_from(1, about, None, None)
        assert read.offered == tuple(tool.name for tool in item.tools)
        assert read.content == item.task.content
        assert all(len(json.dumps(entry)) <= 1024 for entry in about.values())


def usage(tokens: int, cost: float | None) -> ModelUsage:
    return ModelUsage(input_tokens=tokens, output_tokens=1, total_tokens=tokens + 1, total_cost=cost)


@pytest.mark.parametrize(
    ("agent", "judge", "cost", "judged"),
    [
        (usage(100, 0.5), usage(40, 0.25), 0.5, {"judge": 0.25}),
        (usage(100, 0.5), usage(40, None), 0.5, {}),
        (usage(100, None), usage(40, 0.25), None, {"judge": 0.25}),
        (usage(100, None), usage(40, None), None, {}),
    ],
)
def test_what_a_trial_costs_is_told_apart_by_agent_and_role(  # noqa: PLR0917 - pytest passes by name
    agent: ModelUsage,
    judge: ModelUsage,
    cost: float | None,
    judged: dict[str, float],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    summary = EvalSampleSummary(
        id="a",
        epoch=1,
        input="",
        target="",
        metadata={"item": "a", "condition": "", "cluster": "a", "labels": {}, "offered": [], "required": []},
        model_usage={"some/agent": agent, "some/judge": judge},
        role_usage={"judge": judge},
    )

    def summaries(_: str) -> list[EvalSampleSummary]:
        return [summary]

    monkeypatch.setattr(reader, "read_eval_log_sample_summaries", summaries)
    (tmp_path / "a.eval").touch()
    (record,) = reader.read_records(tmp_path / "a.eval")
    assert (record.tokens, record.cost) == ((100, 1), cost)
    assert (record.role_tokens, record.role_cost) == ({"judge": (40, 1)}, judged)


def test_an_entry_left_out_of_a_summary_is_noticed_in_any_part() -> None:
    assert whole({"offered": ["a"], "offered_2": ["b"], "facts": "Key removed"}, ITEM_KEYS)
    assert not whole({"offered": ["a"], "offered_2": "Key removed from summary (> 1k)"}, ITEM_KEYS)
