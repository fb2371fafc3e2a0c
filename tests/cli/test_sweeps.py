"""Several values of one option: a run of each, one estimate first, paired differences at the end."""

import itertools
import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from doubles.endpoint import ScriptedEndpoint
from killing import PATIENCE, kill, start
from knowact.engine.budget import BUDGET
from knowact.engine.reader import find_logs, read_runs
from knowact.engine.run_folder import held
from local_agents import LocalAgents
from running import MODEL, json_report, knowact, measured, records_at, table_rows, tasks_of

NEEDS = "knowact/needs-telling"
BOTH = "none,acknowledge-limits"
PRICED = "openai-api/local/priced"


def sweep(capsys: pytest.CaptureFixture[str], folder: Path, suite: str, *words: object) -> Any:
    ran = knowact(capsys, "run", suite, "--model", NEEDS, "--log-dir", folder, *words)
    assert ran.code == 0, ran.said
    return ran


def differences(report: dict[str, Any], treatment: str) -> dict[str, float]:
    """Over all trials, the difference that a treatment makes, by result."""
    rows = table_rows(report, "treatments", "difference")
    return {
        row["result"]: row["value"]
        for row in rows
        if row["treatment"] == f"strategy {treatment}" and {"all", "average"} & {*map(str, row.values())}
    }


@pytest.mark.slow
class TestWhatBuiltInAgentsMakeOfThem:
    """`needs-telling` acts on its limits under the two strategies that tell it to check them, and only there.

    So each difference follows from the data: its results under a strategy are the oracle's, and without one
    those of agents that overdo it and make things up.
    """

    def test_kapro(self, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
        ran = sweep(capsys, tmp_path, "kapro", "--limit", 16, "--strategy", f"{BOTH},structured-verification")
        assert "In all: 3 runs," in ran.out
        assert ran.out.index("In all: 3 runs,") < ran.out.index("Scored 16 of 16")
        report = json_report(capsys, tmp_path, tmp_path / "report.json")
        strategies = {run["options"]["strategy"] for run in report["runs"]}
        assert strategies == {"none", "acknowledge-limits", "structured-verification"}
        records = {run.options["strategy"]: run.records for run in read_runs(find_logs([tmp_path]))}
        untold = sum(one.value("acc_act") for one in records["none"]) / 16
        assert untold < 1
        for strategy in ("acknowledge-limits", "structured-verification"):
            made = differences(report, strategy)
            assert made["acc_know"] == 0
            assert made["acc_act"] == pytest.approx(1 - untold)

    def test_fail_talms(self, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
        sweep(capsys, tmp_path, "fail-talms", "--limit", 4, "--strategy", f"{BOTH},gather-then-act")
        report = json_report(capsys, tmp_path, tmp_path / "report.json")
        (run, *_) = read_runs(find_logs([tmp_path]))
        lacking = [one for one in run.records if one.labels["setting"] != "perfect"]
        told = differences(report, "acknowledge-limits")
        assert told["conduct"] == pytest.approx(len(lacking) / len(run.records))
        assert told["aware"] == 0
        assert set(differences(report, "gather-then-act").values()) == {0}

    def test_ict(self, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
        sweep(capsys, tmp_path, "ict", "--limit", 4, "--strategy", f"{BOTH},structured-verification")
        report = json_report(capsys, tmp_path, tmp_path / "report.json")
        for strategy in ("acknowledge-limits", "structured-verification"):
            assert differences(report, strategy) == {"implicit": 0.5, "explicit": 0}

    def test_car(self, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
        sweep(capsys, tmp_path, "car", "--limit", 2, "--type", "all", "--strategy", f"{BOTH},gather-then-act")
        report = json_report(capsys, tmp_path, tmp_path / "report.json")
        told, gathered = (differences(report, one) for one in ("acknowledge-limits", "gather-then-act"))
        runs = {run.options["strategy"]: run.records for run in read_runs(find_logs([tmp_path]))}
        lacking = [one for one in runs["none"] if one.labels["type"].startswith("hallucination")]
        assert lacking
        assert told["success"] == pytest.approx(len(lacking) / len(runs["none"]))
        assert gathered["success"] == 0


@pytest.mark.slow
class TestRuns:
    def test_every_combination_is_a_run_and_the_first_values_are_what_the_others_are_held_against(
        self, capsys: pytest.CaptureFixture[str], tmp_path: Path
    ) -> None:
        ran = sweep(
            capsys, tmp_path, "kapro", "--limit", 2, "--strategy", BOTH, "--max-tokens", "default,512"
        )
        assert "Run 4 of 4: knowact/needs-telling, strategy acknowledge-limits, max tokens 512" in ran.out
        report = json_report(capsys, tmp_path, tmp_path / "report.json")
        rows = table_rows(report, "treatments", "difference")
        assert {row["against"] for row in rows} == {"strategy none", "max tokens as usual"}
        assert {row["treatment"] for row in rows} == {"strategy acknowledge-limits", "max tokens 512"}

    def test_a_single_run_of_before_is_taken_up_and_budgets_are_those_behind_the_dashes(
        self, capsys: pytest.CaptureFixture[str], tmp_path: Path
    ) -> None:
        words = ("run", "kapro", "--model", NEEDS, "--limit", 2, "--log-dir", tmp_path)
        assert knowact(capsys, *words, "--", "--max-tokens", 512).code == 0
        ran = knowact(capsys, *words, "--max-tokens", "512,1024")
        assert ran.code == 0
        assert ran.out.count("(resuming)") == 1
        assert len([*(tmp_path / "kapro").iterdir()]) == 2

    def test_a_budget_reaches_the_agent_and_the_usual_one_is_not_sent(
        self, local: LocalAgents, capsys: pytest.CaptureFixture[str], tmp_path: Path
    ) -> None:
        local.tasks = tasks_of()[:1]
        words = ("run", "kapro", "--model", MODEL, "--limit", 1, "--probe", "tools_needed")
        ran = knowact(capsys, *words, "--reasoning-effort", "default,low,high", "--log-dir", tmp_path)
        assert ran.code == 0, ran.said
        assert [one.body.get("reasoning_effort") for one in local.requests] == [None, "low", "high"]
        assert "reasoning effort as usual  reasoning effort high" in ran.out

    def test_a_run_that_somebody_else_does_is_left_to_them(
        self, capsys: pytest.CaptureFixture[str], tmp_path: Path
    ) -> None:
        words = ("run", "kapro", "--model", NEEDS, "--limit", 2, "--log-dir", tmp_path)
        assert knowact(capsys, *words).code == 0
        (folder,) = (tmp_path / "kapro").iterdir()
        with held(folder):
            ran = knowact(capsys, *words, "--strategy", BOTH)
        assert ran.code == 5
        assert "This run is under way already" in ran.err
        assert len([*(tmp_path / "kapro").iterdir()]) == 2, "the other run is done"

    def test_the_cost_limit_holds_for_all_runs_together(
        self, local: LocalAgents, capsys: pytest.CaptureFixture[str], tmp_path: Path
    ) -> None:
        local.tasks = tasks_of()[:2]
        prices = tmp_path / "prices.json"
        dollars = {"input": 1000.0, "output": 1000.0, "input_cache_write": 0.0, "input_cache_read": 0.0}
        prices.write_text(json.dumps({PRICED: dollars}), encoding="utf-8")
        words = ("run", "kapro", "--model", PRICED, "--limit", 2, "--max-connections", 1)
        engine = ("--", "--model-cost-config", prices)
        assert knowact(capsys, *words, "--log-dir", tmp_path / "one", "--cost-limit", 1000, *engine).code == 0
        one = BUDGET.spent
        sweep = (*words, "--log-dir", tmp_path / "both", "--strategy", f"{BOTH},gather-then-act")
        ran = knowact(capsys, *sweep, "--cost-limit", 1.5 * one, *engine)
        assert ran.code == 3
        assert "at least $" in ran.out
        assert 1.5 * one <= BUDGET.spent < 2 * one + 5
        assert len([*(tmp_path / "both" / "kapro").iterdir()]) == 2, "the third run is not begun"
        assert knowact(capsys, *sweep, "--cost-limit", 1000, *engine).code == 0

    def test_the_engines_own_command_takes_one_value(self, tmp_path: Path) -> None:
        words = ("knowact/ict", "--model", NEEDS, "-T", "limit_tasks=2", "-T", "strategy=acknowledge-limits")
        ended = subprocess.run(
            [sys.executable, "-m", "inspect_ai", "eval", *words, "--display", "none", "--log-dir", tmp_path],
            check=False,
            capture_output=True,
            text=True,
            cwd=tmp_path,
            timeout=600,
        )
        assert ended.returncode == 0, ended.stdout + ended.stderr
        (run,) = read_runs(find_logs([tmp_path]))
        assert run.options["strategy"] == "acknowledge-limits"
        assert "probes/acknowledge-limits" in run.prompts
        assert {one.value("implicit") for one in run.records} == {1.0}


@pytest.mark.slow
def test_a_sweep_that_is_killed_goes_on_where_it_was(
    local: LocalAgents, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    limit = 8
    local.tasks = tasks_of()[:limit]
    calm, rough = tmp_path / "calm", tmp_path / "rough"
    words = ("kapro", "--limit", limit, "--strategy", BOTH, "--model", MODEL, "--max-connections", "2")
    assert knowact(capsys, "run", *words, "--log-dir", calm).code == 0
    undisturbed = len(local.requests)

    agents = LocalAgents(tasks=local.tasks)
    with ScriptedEndpoint(agents.script, 0.15) as endpoint:
        address = {"LOCAL_BASE_URL": endpoint.base_url}
        # Both runs ask equally often: this is in the midst of the second one.
        kill(start(words, rough, address), agents.requests, (undisturbed // 2 + 4, 0.0), signal.SIGKILL)
        last = start(words, rough, address)
        said, _ = last.communicate(timeout=PATIENCE)
    assert last.returncode == 0, said
    assert said.count("(resuming)") == 2
    assert "Treatments, pair by pair" in said
    # At most what was under way is asked again: two trials of three requests. The first run is not.
    assert undisturbed <= len(agents.requests) <= undisturbed + 2 * 3
    for one, other in zip(*(sorted((folder / "kapro").iterdir()) for folder in (calm, rough)), strict=True):
        assert one.name == other.name
        first, second = records_at(one), records_at(other)
        assert {item: measured(record) for item, record in first.items()} == {
            item: measured(record) for item, record in second.items()
        }


WRONG = (
    (
        ("--strategy", "none,foo"),
        "takes none, acknowledge-limits, gather-then-act or structured-verification",
    ),
    (("--strategy", "none,none"), "--strategy has a value twice in 'none,none'."),
    (("--max-tokens", "0"), "--max-tokens takes whole numbers from 1 and default, not '0'."),
    (
        ("--reasoning-tokens", "many"),
        "--reasoning-tokens takes whole numbers from 0 and default, not 'many'.",
    ),
    (("--reasoning-effort", "low,fierce"), "--reasoning-effort takes default, none, minimal,"),
    (("--max-tokens", "5", "--", "--max-tokens", "6"), "--max-tokens is given twice, before and after"),
    (
        ("--reasoning-tokens", "0,512", "--reasoning-effort", "low"),
        "Give knowact/needs-telling a reasoning effort or reasoning tokens",
    ),
)


@pytest.mark.parametrize(("words", "sentence"), WRONG)
def test_what_makes_no_sense_is_refused_before_the_first_run(
    words: tuple[str, ...], sentence: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    ran = knowact(capsys, "run", "kapro", "--model", NEEDS, "--limit", 2, "--log-dir", tmp_path, *words)
    assert ran.code == 2
    assert sentence in ran.err
    assert [*itertools.islice(tmp_path.rglob("*"), 1)] == []


def test_a_strategy_that_makes_no_sense_here_is_refused_with_the_reason(
    capsys: pytest.CaptureFixture[str],
) -> None:
    ran = knowact(capsys, "run", "ict", "--model", NEEDS, "--strategy", "none,gather-then-act")
    assert ran.code == 2
    assert "no call is carried out, so there is nothing to gather" in ran.err
