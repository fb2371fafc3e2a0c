"""CAR over HTTP and from the command line: run factors, published rules, costs, kills, the engine's log."""

import random
import signal
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import (
    eval as run_eval,  # pyright: ignore[reportUnknownVariableType] - optional parts of the engine are untyped
)
from inspect_ai.event import InfoEvent
from inspect_ai.log import EvalLog, read_eval_log

from car_people import Drive, Wheel, always, later, says, words_of
from doubles.endpoint import (
    EmptyReply,
    Reply,
    Request,
    Say,
    ScriptedEndpoint,
    ServerError,
    TooLong,
)
from doubles.replies import text_of
from killing import PATIENCE, kill, start
from knowact.agents.provider import NOTE
from knowact.core.record import CUT_OFF, OVER_CONTEXT, Outcome
from knowact.engine.conversation import CALLS, RULINGS
from knowact.engine.conversations import ATTEMPTS
from knowact.engine.reader import find_logs, read_runs
from knowact.suites.car.records import BROKEN, FAULTY, RERUN, SPENT, SUCCESS
from knowact.suites.car.role_views import looking_tools, prompts
from knowact.worlds.car.rules import Rules
from running import json_report, knowact, table_rows

pytestmark = pytest.mark.slow


def log_at(folder: Path) -> EvalLog:
    """The only log below a folder."""
    (log,) = find_logs([folder])
    return read_eval_log(str(log.path), resolve_attachments=True)


class TestFactors:
    def test_an_effort_reaches_the_agent_alone_and_is_kept(self, drive: Drive) -> None:
        ran = drive(engine=("--", "--reasoning-effort", "low"))
        assert ran.code == 0, ran.said
        assert {one.body.get("reasoning_effort") for one in drive.wheel.of("agent")} == {"low"}
        assert all("temperature" not in one.body for one in drive.wheel.of("agent"))
        for people in ("user", "judge"):
            assert all("reasoning_effort" not in one.body for one in drive.wheel.of(people))
        assert log_at(drive.folder).plan.config.reasoning_effort == "low"

    @pytest.mark.parametrize("tokens", [512, 4096])
    def test_a_token_budget_reaches_a_provider_that_takes_one(
        self, drive: Drive, tokens: int, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("OPENROUTER_API_KEY", "x")
        monkeypatch.setenv("OPENROUTER_BASE_URL", drive.wheel.base_url)
        drive.model = f"openrouter/wheel/agent-{tokens}"
        ran = drive(engine=("--", "--reasoning-tokens", str(tokens)))
        assert ran.code == 0, ran.said
        agents = drive.wheel.of(f"wheel/agent-{tokens}")
        assert agents
        assert all(one.body["reasoning"] == {"max_tokens": tokens} for one in agents)
        assert log_at(drive.folder).plan.config.reasoning_tokens == tokens

    def test_a_budget_that_would_get_lost_is_refused(self, drive: Drive) -> None:
        ran = drive(engine=("--", "--reasoning-tokens", "512"))
        assert ran.code == 2
        assert "does not pass reasoning tokens on to openai-api" in ran.err
        both = drive(engine=("--", "--reasoning-tokens", "512", "--reasoning-effort", "low"))
        assert both.code == 2
        assert drive.wheel.requests == []

    def test_a_budget_in_the_words_of_the_server_reaches_it(self, drive: Drive) -> None:
        ran = drive(engine=("--", "--extra-body", '{"thinking_token_budget": 512}'))
        assert ran.code == 0, ran.said
        assert {one.body["thinking_token_budget"] for one in drive.wheel.of("agent")} == {512}

    def test_runs_with_different_factors_have_rows_of_their_own(self, drive: Drive) -> None:
        drive()
        drive(engine=("--", "--reasoning-effort", "low"))
        drive(engine=("--", "--max-tokens", "512"))
        drive(engine=("--", "--max-retries", "3"))  # how a run is operated is no factor
        drive("base", 1, strategy="acknowledge-limits")
        drive("base", 1, strategy="gather-then-act")
        report = json_report(drive.capsys, drive.folder, drive.folder / "report.json")
        rows = [row for row in table_rows(report, "leaderboard", "Pass^1") if row["type"] == "base"]
        assert {row.get("condition", "") for row in rows} == {
            *("", "reasoning effort low", "max tokens 512"),
            *("acknowledge-limits", "gather-then-act"),
        }
        assert len(rows) == 5
        assert {run["options"].get("reasoning_effort") for run in report["runs"]} == {None, "low"}

    def test_gathering_offers_only_what_looks_and_then_everything(self, drive: Drive) -> None:
        looking = looking_tools(Rules.DEFINITION)
        drive.wheel.agent = lambda request: Say(NOTE) if {*request.tool_names} <= looking else None
        ran = drive("base", 1, strategy="gather-then-act")
        assert ran.code == 0, ran.said
        assert drive.record.value(SUCCESS) == 1
        offered = [{*one.tool_names} for one in drive.wheel.of("agent")]
        assert offered[0] <= looking
        assert len(offered[-1]) > len(offered[0])
        turn_over = prompts()["turn-over"].text.strip()
        told = [[text_of(message) for message in one.messages] for one in drive.wheel.of("agent")]
        assert turn_over in told[-1]
        shown = [text_of(message) for one in drive.wheel.of("user") for message in one.messages]
        assert not {turn_over, NOTE} & {*shown}

    def test_the_limits_are_spoken_of_to_the_agent_alone(self, drive: Drive) -> None:
        assert drive("base", 1, strategy="acknowledge-limits").code == 0
        assert all("Your limits" in str(one.messages[0]) for one in drive.wheel.of("agent"))
        assert all("Your limits" not in str(one.messages[0]) for one in drive.wheel.of("user"))


class TestPublishedRules:
    def test_a_run_goes_through_and_its_row_says_so(self, drive: Drive) -> None:
        for kind in ("base", "hallucination", "disambiguation"):
            ran = drive(kind, 1, rules="published")
            assert ran.code == 0, ran.said
        rows = drive.rows("leaderboard", "Pass^1")
        assert {row["condition"] for row in rows} == {"published rules"}

    def test_failures_of_the_user_count_as_the_agents_and_nothing_is_held_again(self, drive: Drive) -> None:
        drive.wheel.user = always(EmptyReply())
        ran = drive("base", 1, rules="published")
        assert ran.code == 0, ran.said
        assert drive.record.value(SUCCESS) == 0
        assert drive.record.outcomes["conversation"] is Outcome.ANSWERED
        assert drive.record.flags["user_empty"] == 1
        assert RERUN not in drive.record.flags

    def test_the_user_notices_nothing_and_nobody_reads_what_was_told(self, drive: Drive) -> None:
        for rules, told in (("published", "correct it"), ("definition", "You notice")):
            drive.wheel.requests.clear()
            assert drive("base", 1, rules=rules).code == 0
            assert all(told in str(one.messages[0]) for one in drive.wheel.of("user"))
            assert bool(drive.wheel.of("extractor")) is (rules == "definition")

    def test_nobody_looks_for_faults_in_what_the_user_says(self, drive: Drive) -> None:
        drive.wheel.user = later(says("Set it to 87.5 percent, please."))
        ran = drive("base", 1, "--steps", 6, rules="published")
        assert ran.code == 0, ran.said
        assert drive.record.outcomes["conversation"] is Outcome.LIMIT


class TestTheModelsLimits:
    def test_a_conversation_that_does_not_fit_the_context_is_the_agents_failure_by_name(
        self, drive: Drive
    ) -> None:
        drive.wheel.agent = always(TooLong())
        # Nothing was said that a judge could rule on, so one who can't doesn't matter.
        drive.wheel.judge = always(Say("I had rather not say."))
        ran = drive("base", 1)
        assert ran.code == 0, ran.said
        assert drive.record.outcomes["conversation"] is Outcome.LIMIT
        assert drive.record.results[SUCCESS].why == "the request did not fit the model's context"
        assert f"{OVER_CONTEXT}conversation" in drive.record.flags
        assert "In 1 of 1 trials of conversation, a request did not fit the model's context." in ran.out

    def test_words_that_were_cut_off_are_parsed_and_counted(self, drive: Drive) -> None:
        drive.wheel.agent = always(Say("Well, the thing with the sunshade is that", cut=True))
        ran = drive("base", 1)
        assert ran.code == 0, ran.said
        assert drive.record.outcomes["conversation"] is Outcome.ANSWERED
        assert f"{CUT_OFF}conversation" in drive.record.flags


class TestCosts:
    def test_who_spent_what_is_what_the_endpoint_handed_out_discarded_attempts_included(
        self, drive: Drive
    ) -> None:
        """A faulty user, then a user's provider that fails, then a judge's; clients try three times."""

        def user(_: Request) -> Reply | None:
            asked = drive.wheel.counted()["user"]
            return Say("???") if asked <= 3 else ServerError() if asked in range(5, 8) else None

        def judge(_: Request) -> Reply | None:
            return ServerError() if drive.wheel.counted()["judge"] in range(2, 6) else None

        drive.wheel.user, drive.wheel.judge = user, judge
        slow = ("--", "--attempt-timeout", "60", "--max-retries", "0", "--retry-on-error", "3")
        ran = drive("base", 2, "--max-connections", 1, engine=slow)
        assert ran.code == 0, ran.said
        records = drive.records
        assert sum(one.flags.get(FAULTY, 0) for one in records) == 1
        assert sum(one.flags.get(BROKEN, 0) for one in records) >= 2
        for role in ("agent", "user", "judge", "extractor"):
            for way in ("in", "out"):
                reported = sum(one.value(f"{role}_tokens_{way}") for one in records)
                assert reported == drive.wheel.handed[role, way] > 0, (role, way)
        for place, way in enumerate(("in", "out")):
            assert sum(one.tokens[place] for one in records) == drive.wheel.handed["agent", way], way
            for role in ("user", "judge", "extractor"):
                handed = drive.wheel.handed[role, way]
                assert sum(one.role_tokens[role][place] for one in records) == handed, (role, way)
        for role in ("user", "judge", "extractor"):
            calls = sum(one.value(f"{role}_calls") for one in records)
            assert sum(one.role_calls.get(role, 0) for one in records) == calls, role
        rows = {(row["role"], row["measure"]): row for row in _cost_rows(drive)}
        for role in ("agent", "user", "judge", "extractor"):
            mean = rows[role, "input tokens"]["value"]
            assert mean * len(records) == pytest.approx(drive.wheel.handed[role, "in"])
            assert rows[role, "seconds"]["value"] > 0
            assert rows[role, "seconds per call"]["value"] > 0

    def test_dollars_are_those_of_each_sides_own_prices(self, drive: Drive, tmp_path: Path) -> None:
        prices = tmp_path / "prices.json"
        each = '{{"input": {0}, "output": 0, "input_cache_write": 0, "input_cache_read": 0}}'
        models = {"agent": 1, "user": 10, "judge": 100}
        named = ", ".join(
            f'"openai-api/wheel/{name}": {each.format(price)}' for name, price in models.items()
        )
        prices.write_text(f"{{{named}}}", "utf-8")
        assert drive(engine=("--", "--model-cost-config", str(prices))).code == 0
        for name, price in models.items():
            expected = price * drive.wheel.handed[name, "in"] / 1e6
            assert drive.record.value(f"{name}_cost") == pytest.approx(expected)


def _cost_rows(drive: Drive) -> list[dict[str, Any]]:
    report = json_report(drive.capsys, drive.folder, drive.folder / "report.json")
    (table,) = (one for one in report["tables"] if one["id"] == "cost")
    return table["rows"]


class TestTheEnginesLog:
    def test_a_reader_sees_each_call_with_its_result_and_what_it_changed(self, drive: Drive) -> None:
        assert drive("base", 2).code == 0
        for sample in log_at(drive.folder).samples or []:
            infos = [event for event in sample.events if isinstance(event, InfoEvent)]
            calls: list[Any] = [one.data for one in infos if one.source == CALLS]
            asked = [call for m in sample.messages if m.role == "assistant" for call in m.tool_calls or []]
            assert [(one["call"], one["arguments"]) for one in calls] == [
                (call.function, call.arguments) for call in asked
            ]
            assert [one["result"] for one in calls] == [m.text for m in sample.messages if m.role == "tool"]
            assert any(one["changes"] for one in calls)
            ended: list[Any] = [one.data for one in infos if one.source == ATTEMPTS]
            assert ended == [{"attempt": 1, "stop": "word", "faults": []}]

    def test_rulings_and_faulty_attempts_stand_between_the_calls(self, drive: Drive) -> None:
        drive.wheel.user = lambda _: Say("???") if drive.wheel.counted()["user"] <= 3 else None
        assert drive("hallucination").code == 0
        (sample,) = log_at(drive.folder).samples or []
        infos: list[Any] = [(one.source, one.data) for one in sample.events if isinstance(one, InfoEvent)]
        words = [data["word"] for source, data in infos if source == RULINGS]
        assert words[-1] == "ASSISTANT_ACKNOWLEDGED_REMOVED_PART"
        attempts = [data for source, data in infos if source == ATTEMPTS]
        assert [one["faults"] for one in attempts] == [["unreadable"], []]


class TestAgentsThatDoNotFit:
    @pytest.mark.parametrize(
        ("suite", "agent"),
        [
            *(("kapro", name) for name in ("premature", "silent-omitter", "asker", "refuser")),
            *(("ict", "asker"), ("fail-talms", "refuser"), ("car", "eager"), ("car", "always-no")),
        ],
    )
    def test_they_are_refused_in_one_sentence(
        self, suite: str, agent: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
    ) -> None:
        ran = knowact(
            capsys, "run", suite, "--model", f"knowact/{agent}", "--limit", 1, "--log-dir", tmp_path
        )
        assert ran.code == 2
        assert len(ran.err.strip().splitlines()) == 1
        assert f"knowact/{agent} takes" in ran.err
        assert not list(tmp_path.iterdir())

    def test_those_that_do_both_are_let_in(self, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
        for suite in ("kapro", "car"):
            words = (
                "run",
                suite,
                "--model",
                "knowact/oracle",
                "--limit",
                1,
                "--trials",
                1,
                "--log-dir",
                tmp_path,
            )
            assert knowact(capsys, *words).code == 0


TRIALS = 3
LATENCY = 0.05
KILLS = 2


@pytest.mark.soak
def test_a_run_of_three_trials_that_is_killed_holds_each_exactly_once_and_knows_what_each_cost(
    drive: Drive, tmp_path: Path
) -> None:
    more = ("--trials", TRIALS, "--max-connections", 2)
    calm, rough = drive.folder, tmp_path / "rough"
    assert drive("base", 2, *more).code == 0
    wheel, rng = Wheel(items=drive.wheel.items), random.Random(7)
    words = (*words_of("base", 2), *more)
    with ScriptedEndpoint(wheel.script, LATENCY) as endpoint:
        here = {"WHEEL_BASE_URL": endpoint.base_url, "WHEEL_API_KEY": "x"}
        for _ in range(KILLS):
            moment = (rng.choice((1, 6, 9)), rng.uniform(0.0, LATENCY))
            kill(start(words, rough, here), wheel.requests, moment, signal.SIGKILL)
        last = start(words, rough, here)
        said, _ = last.communicate(timeout=PATIENCE)
    assert last.returncode == 0, said
    assert "(resuming)" in said
    (before,), (after,) = (read_runs(find_logs([folder])) for folder in (calm, rough))
    spent = [
        f"{role}_{what}"
        for role in ("agent", "user", "judge", "extractor")
        for what in SPENT
        if what == "calls"
    ]
    gist = [
        {(r.item, r.epoch): (r.value(SUCCESS), *(r.value(name) for name in spent)) for r in run.records}
        for run in (before, after)
    ]
    assert gist[0] == gist[1]
    assert len(after.records) == len(gist[1]) == 2 * TRIALS


def test_the_engine_finds_the_suite_by_its_name(tmp_path: Path) -> None:
    (log,) = run_eval(
        "knowact/car",
        task_args={"limit_tasks": 2, "trials": 1},
        model="knowact/oracle",
        display="none",
        log_dir=str(tmp_path),
        log_realtime=False,
        ctl_server=False,
    )
    assert log.status == "success"
    (run,) = read_runs(find_logs([tmp_path]))
    assert len(run.records) == run.planned > 2
    assert all(one.value(SUCCESS) == 1 for one in run.records)
