"""The protocols of two papers from end to end (--rules published), over real HTTP with scripted models."""

import json
from collections import Counter
from pathlib import Path

import pytest

from doubles.endpoint import Reply, Request, Say
from fail_talms_agents import TRUE_NAME, AskingAgents, about_of
from fail_talms_trials import items_of, planned
from knowact.core.record import Status
from knowact.core.task import Boundary
from knowact.roles.judge import reference_of
from knowact.suites.fail_talms.layout import FAILURES, Split
from local_agents import LocalAgents
from running import JUDGE, MODEL, PATIENT, json_report, knowact, run_at, table_rows, tasks_of

pytestmark = pytest.mark.slow

ASK = '"name": "ask_human"'


def test_fail_talms_asks_lets_act_grades_and_compares(
    asking: AskingAgents, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    asking.items = items_of(planned(limit=1, rules="published", win_rate=True))
    asking.habit = lambda request: Say("IDK") if about_of(request) else None
    asking.judge = lambda request: Say(
        json.dumps({"verdict": "tie" if "<answer-K>" in request.conversation else "right"})
    )
    roles = [f"--role={name}={TRUE_NAME}/{who}" for name, who in (("judge", "judge"), ("helper", "person"))]
    words = ("--rules", "published", "--helper", "model", "--win-rate", "--limit", 1, *roles)
    done = knowact(
        capsys,
        *("run", "fail-talms", "--model", f"{TRUE_NAME}/agent", *words, "--log-dir", tmp_path, *PATIENT),
    )
    assert done.code == 0, done.said

    # The setting's own questions, in the milder words; a person is on the list where something is missing.
    questions = [one for one in asking.of("agent") if about_of(one)]
    wanted = sum(len(item.questions) for item in asking.items)
    assert len(questions) == wanted
    assert all("Judge by" not in one.conversation for one in questions)
    failing = sum(len(item.questions) for item in asking.items if item.setting in FAILURES)
    assert sum(ASK in one.conversation for one in questions) == failing
    # One word is an answer: everything is tried, at temperature 1.
    acting = [one for one in asking.of("agent") if not about_of(one)]
    assert {one.body["temperature"] for one in acting + questions} == {1}
    assert asking.counted()["person"] > 0

    # Five grades without a reference; the answer without tools stands first, five times, too.
    (full,) = {item.task.cluster: item for item in asking.items if item.setting is Split.PERFECT}.values()
    judged = Counter("<answer-K>" in one.conversation for one in asking.of("judge"))
    assert judged == {False: 5 * len(asking.items), True: 5}
    assert all("right answer says" not in one.conversation for one in asking.of("judge"))
    assert reference_of(full.task) not in "".join(one.conversation for one in asking.of("judge"))

    run = run_at(tmp_path)
    used = {f"fail-talms/{name}-published" for name in ("information", "tools", "judge", "compare")}
    assert {name for name in run.prompts if name.endswith("-published")} == used
    assert not {name.removesuffix("-published") for name in used} & run.prompts.keys()
    records = run.records
    assert len(records) == len(asking.items)
    for record in records:
        assert record.value("pass") == 1
        assert record.value("skipped") != 1
        # Nobody can be asked where nothing is missing, and the scripted agent asks for a missing detail.
        if record.labels["setting"] not in FAILURES:
            assert record.results["asked"].status is Status.NOT_APPLICABLE
        if record.labels["setting"] == Split.UNDER_SPECIFIED:
            assert record.value("asked") == 1
        assert (record.value("versus") == 0.5) == (record.labels["setting"] == Split.NO_TOOLS)
    report = json_report(capsys, tmp_path, tmp_path / "report.json")
    rates = {row["setting"]: row["value"] for row in table_rows(report, "table-2", "pass rate")}
    # A tie without tools is a pass there, as it is counted.
    assert set(rates.values()) == {1}
    assert rates.keys() == {item.setting for item in asking.items}
    aware = {row["setting"]: row["value"] for row in table_rows(report, "table-2", "awareness")}
    assert [aware[split] for split in (Split.PERFECT, Split.UNDER_SPECIFIED)] == [0, 1]


def test_kapro_knows_acts_and_is_judged_by_calls_and_answer(
    local: LocalAgents, kaware: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    local.tasks = tasks_of(kaware)

    def judge(request: Request) -> Reply:
        task = local.task_of(request)
        made = [step for step in task.plan if step.external]
        calls = request.conversation.partition("<calls>")[2].partition("</calls>")[0]
        alone = calls.strip() == "(none)"
        # Without tools only what is internal can be right.
        right = task.boundary is Boundary.INTERNAL if alone else all(one.tool in calls for one in made)
        return Say(json.dumps({"verdict": "right" if right else "wrong"}))

    local.judge = judge
    words = ("--rules", "published", "--solo", 2, "--role", f"judge={JUDGE}", "--log-dir", tmp_path)
    done = knowact(capsys, "run", "kapro", "--data", kaware, "--model", MODEL, *words, *PATIENT)
    assert done.code == 0, done.said

    asked = [one for one in local.requests if one.model == "agent"]
    alone = [one for one in asked if not one.tools and "<tools>" not in one.conversation]
    assert len(alone) == 2 * len(local.tasks)
    assert {one.body["temperature"] for one in alone} == {1}
    assert {one.body["temperature"] for one in asked if one not in alone} == {0}
    votes = [one for one in local.requests if one.model == "judge"]
    fair = [task for task in local.tasks if not task.replay_gap]
    assert len(votes) == 3 * (len(fair) + 2 * len(local.tasks))
    assert all("<calls>" in one.conversation for one in votes)
    called = [one for one in votes if " returned " in one.conversation]
    assert len(called) == 3 * sum(task.boundary is not Boundary.INTERNAL for task in fair)

    records = [one for one in run_at(tmp_path).records if one.condition == "clean"]
    for record in records:
        judged = record.item in {task.id for task in fair}
        assert (record.results["pass"].value, record.results["pass"].by) == (
            (1, "judge") if judged else (None, "")
        )
    report = json_report(capsys, tmp_path, tmp_path / "report.json")
    own = {row["boundary"]: (row["value"], row["n"]) for row in table_rows(report, "own-boundary", "KAS")}
    # This model is what the data say: hybrid and external tasks are beyond it, and T is the data's.
    assert own == {"external": (1, 5), "internal": (1, 3), "average": (1, 8)}
    assert {row["value"] for row in table_rows(report, "solo", "unlabelled for it")} == {0}


def test_what_reasons_gets_no_temperature_without_tools_either(
    local: LocalAgents, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    local.tasks = tasks_of()[:1]
    words = ("--limit", 1, "--solo", 1, "--probe", "act", "--log-dir", tmp_path)
    knowact(capsys, "run", "kapro", "--model", MODEL, *words, *PATIENT, "--reasoning-effort", "low")
    assert [one.condition for one in run_at(tmp_path).records] == ["clean", "no-tools"]
    assert all(one.body.get("temperature") is None for one in local.requests)
