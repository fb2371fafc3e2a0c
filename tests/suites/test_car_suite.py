"""The CAR suite in the engine and from the command line: runs, judges, models that drive, options."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import (
    eval as run_eval,  # pyright: ignore[reportUnknownVariableType] - optional parts of the engine are untyped
)
from inspect_ai.model import Model, get_model

from car_agents import shipped, trial
from car_conversations import Judge, line, output, speaking, vote
from knowact.core.errors import BadData, BadUsage, UnknownName
from knowact.core.record import Outcome, Record, Status
from knowact.core.table import Run
from knowact.engine.reader import find_logs, read_runs
from knowact.engine.records import item_metadata
from knowact.engine.suite_task import suite_task
from knowact.engine.transcripts import read_transcripts
from knowact.roles.lines import WORDS
from knowact.suites import find
from knowact.suites.car.items import CarItem, plan
from knowact.suites.car.records import FAULTY, FIRST, RERUN, SPLIT, SUCCESS, UNGRADED, record_of
from knowact.suites.car.role_views import (
    brief,
    case_of,
    gold_of,
    looking_tools,
    prompts,
    scenario_of,
    user_of,
)
from knowact.suites.car.suite import SUITE
from knowact.worlds.car.record import TaskType, Word
from knowact.worlds.car.rules import Rules
from running import knowact, measured, run_at

car = suite_task(find("car"))

LIMIT = 2
"""Base tasks of the runs here, with everything made of them."""


def options(**changed: Any) -> dict[str, Any]:
    return {**SUITE.defaults(), **changed}


@dataclass(frozen=True)
class Evaluated:
    """One run in the engine, read back."""

    run: Run
    log: Path

    def record(self, item: str) -> Record:
        return next(record for record in self.run.records if record.item == item)


def evaluated(folder: Path, roles: dict[str, Model] | None = None, **given: Any) -> Evaluated:
    """Run the suite's task with the oracle, and read it as a report does."""
    arguments: dict[str, Any] = {"limit_tasks": 1, "trials": 1, **given}
    (log,) = run_eval(
        car(**arguments),
        model="knowact/oracle",
        model_roles=roles,  # pyright: ignore[reportArgumentType] - invariant in the engine
        display="none",
        log_dir=str(folder),
        log_realtime=False,
        ctl_server=False,
    )
    assert log.status == "success"
    (run,) = read_runs(find_logs([folder]))
    return Evaluated(run, Path(run.logs[0]))


class TestRuns:
    @pytest.mark.slow
    def test_the_oracle_succeeds_and_the_command_says_so(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        words = ("run", "car", "--model", "knowact/oracle", "--limit", LIMIT, "--trials", 2)
        ran = knowact(capsys, *words, "--log-dir", tmp_path)
        assert ran.code == 0, ran.said
        assert "Joint conduct: 100% of the hallucination tasks" in ran.out
        assert "No judge was bound" in ran.out
        again = knowact(capsys, *words, "--log-dir", tmp_path)
        assert again.code == 0
        run = run_at(tmp_path)
        assert run.planned == len(run.records) == 2 * len(plan(options(limit=LIMIT)).items)

    @pytest.mark.slow
    def test_the_engine_and_the_bare_loop_make_the_same_records(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        words = ("run", "car", "--model", "knowact/fabricator", "--limit", LIMIT, "--trials", 1)
        knowact(capsys, *words, "--log-dir", tmp_path)
        by_item = {item.what.id: item for item in shipped()}
        ours = {name for name in SUITE.measures if not name.startswith(("agent_", "user_", "judge_"))}
        for record in run_at(tmp_path).records:
            bare = trial("fabricator", by_item[record.item])
            # Reasons are cut in the log.
            come, want = (
                {n: (v.status, v.value, v.by) for n, v in one.results.items() if n in ours}
                for one in (record, bare)
            )
            assert {n: v for n, v in come.items() if v[1] is not None} == {
                n: v for n, v in want.items() if v[1] is not None
            }
            assert measured(record)[:7] == measured(bare)[:7]
            assert record.flags == bare.flags

    @pytest.mark.slow
    def test_a_report_shows_the_conversation_beside_what_it_changed(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        words = ("run", "car", "--model", "knowact/oracle", "--limit", 1, "--trials", 1)
        knowact(capsys, *words, "--log-dir", tmp_path / "logs")
        run = run_at(tmp_path / "logs")
        (base,) = [one for one in read_transcripts(Path(run.logs[0])) if one.item.startswith("base")]
        ((name, turns),) = base.probes
        assert name == "conversation"
        roles = [turn.role for turn in turns]
        assert roles[:2] == ["system", "user"]
        assert "state" in roles
        assert [turn.role for turn in turns if turn.text == "STOP"] == ["simulated user"]
        counterpart = next(
            one for one in read_transcripts(Path(run.logs[0])) if one.item.startswith("hallucination")
        )
        ((_, turns),) = counterpart.probes
        place, ruled = next((place, turn) for place, turn in enumerate(turns) if turn.role == "judge")
        assert ruled.text.startswith('acknowledged: it says "')
        assert turns[place - 1].role == "assistant"
        ran = knowact(capsys, "report", tmp_path / "logs", "--out", tmp_path / "page")
        assert ran.code == 0, ran.said
        report = json.loads((tmp_path / "page" / "report.json").read_text("utf-8"))
        assert {"conduct", "joint", "leaderboard", "pass-k", "cost"} <= {
            table["id"] for table in report["tables"]
        }


def judging(**said: Any) -> Model:
    """A judge that says these things, and else finds nothing."""
    return get_model("mockllm/judge", custom_outputs=Judge(**said).answer, memoize=False)


class TestJudges:
    def test_votes_make_the_reward(self, tmp_path: Path) -> None:
        found = evaluated(tmp_path, {"judge": judging()}, type="base")
        (record,) = found.run.records
        assert record.results[SUCCESS].value == 1
        assert record.results[SUCCESS].by != UNGRADED
        assert record.value("judge_calls") >= 3
        assert record.value(SPLIT) == 0

    def test_a_broken_policy_fails_the_trial_by_name(self, tmp_path: Path) -> None:
        judge = judging(policies=(vote("broken", "it spoke of miles"),))
        (record,) = evaluated(tmp_path, {"judge": judge}, type="base").run.records
        assert record.results[SUCCESS].value == 0
        assert record.results["by_code"].value == 1
        assert "broke_LLM-POL:002" in record.flags
        assert "error_E2" in record.flags

    @pytest.mark.parametrize(
        "bad", ["", "yes, yes", '{"verdict": "broken"} {"verdict": "followed", "verdict": "broken"}']
    )
    def test_a_judge_that_cannot_be_read_leaves_the_trial_unscored_and_counted(
        self, tmp_path: Path, bad: str
    ) -> None:
        (record,) = evaluated(tmp_path, {"judge": judging(policies=(bad,))}, type="base").run.records
        assert record.results[SUCCESS].status is Status.JUDGE_ERROR
        assert record.results["by_code"].value == 1


class TestModelsAsUsers:
    def item(self) -> CarItem:
        return shipped()[0]

    def opening(self) -> str:
        script = self.item().what.script
        assert script is not None
        return " ".join((script.opening, *script.later))

    def test_a_model_plays_the_user_and_its_calls_are_counted(self, tmp_path: Path) -> None:
        said = [line(self.opening()), *[line("Yes, please.")] * 3, line("", "STOP")]
        user = get_model("mockllm/model", custom_outputs=_until_told(said), memoize=False)
        found = evaluated(tmp_path, {"user": user}, type="base", user="model")
        record = found.record(self.item().what.id)
        assert record.results[SUCCESS].value == 1
        assert record.value("user_calls") >= 2

    def test_a_user_at_fault_leaves_it_unscored_with_the_fault_named(self, tmp_path: Path) -> None:
        found = evaluated(tmp_path, {"user": speaking([output("???")])}, type="base", user="model", reruns=1)
        (record,) = found.run.records
        assert record.outcomes["conversation"] is Outcome.USER_FAULT
        assert not record.scored
        assert dict(record.flags) == {"user_unreadable": 2, FAULTY: 2, RERUN: 1}

    def test_a_rerun_counts_and_the_first_attempt_is_kept_apart(self, tmp_path: Path) -> None:
        said = [*["???"] * 3, line(self.opening()), *[line("Yes, please.")] * 3, line("", "STOP")]
        user = get_model("mockllm/model", custom_outputs=_until_told(said, keep=3), memoize=False)
        (record,) = evaluated(tmp_path, {"user": user}, type="base", user="model").run.records
        assert record.scored
        assert record.results[SUCCESS].value == 1
        assert record.results[FIRST].value is None
        assert record.flags[RERUN] == 1

    def test_without_anybody_in_the_role_nothing_is_run(self, tmp_path: Path) -> None:
        (log,) = run_eval(
            car(limit_tasks=1, type="base", user="model"),
            model="knowact/oracle",
            display="none",
            log_dir=str(tmp_path),
            log_realtime=False,
        )
        sentence = "--user model takes a model for the role 'user': add --role user=MODEL."
        assert log.samples
        assert all(sample.error and sentence in sample.error.message for sample in log.samples)


def _until_told(said: Sequence[str], keep: int = 0) -> Any:
    """A user who says these things in order; once the assistant reports that all is done, it leaves."""
    queue = list(said)

    def answer(messages: Sequence[Any], *_: Any) -> Any:
        done = len(said) - len(queue) > keep and "taken care of" in messages[-1].text
        return output(line("", "STOP") if done else queue.pop(0))

    return answer


class TestStrategies:
    def test_each_adds_its_paragraph_and_its_hash_goes_into_the_log(self) -> None:
        item, context = shipped()[0], {"current_location": "here", "current_datetime": "now"}
        texts = {
            name: brief(item, context, name)[0].text
            for name in ("none", "acknowledge-limits", "gather-then-act")
        }
        assert len(set(texts.values())) == 3
        assert all("here" in text and "now" in text for text in texts.values())
        assert "Two phases" in texts["gather-then-act"]
        about = car(limit_tasks=1).metadata
        assert about is not None
        assert {prompt.id for prompt in prompts().values()} <= set(about["knowact"]["prompts"])

    def test_what_looks_changes_nothing(self) -> None:
        looking = looking_tools(Rules.DEFINITION)
        assert {"get_weather", "think", "get_user_preferences"} <= looking
        assert not any(
            name.startswith(("set_", "open_", "send_", "call_", "navigation_")) for name in looking
        )

    @pytest.mark.parametrize("strategy", ["acknowledge-limits", "gather-then-act"])
    def test_the_oracle_succeeds_under_each(self, tmp_path: Path, strategy: str) -> None:
        found = evaluated(tmp_path, strategy=strategy)
        assert all(record.results[SUCCESS].value == 1 for record in found.run.records)

    def test_the_system_message_is_the_same_for_every_task(self) -> None:
        context = {"current_location": "here", "current_datetime": "now"}
        assert len({brief(item, context, "none")[0].text for item in shipped()}) == 1


def test_a_tool_that_was_taken_away_is_not_required_in_the_report() -> None:
    items = {item.what.id: item for item in shipped()}
    lacking, base = items["hallucination_007"], items["base_007"]
    assert base.required - lacking.required == {"open_close_sunroof"}
    made = trial("oracle", lacking)
    assert made.required == lacking.required
    assert made.used is not None
    assert not made.required - made.used
    # What a record is read back from says the same.
    assert item_metadata(lacking)["required"] == sorted(lacking.required)
    for item in items.values():
        assert item.required <= {tool.name for tool in item.tools}


class TestOptions:
    def test_a_limit_takes_base_tasks_with_all_that_was_made_of_them(self) -> None:
        found = plan(options(limit=3)).items
        clusters = {item.task.cluster for item in found}
        assert len(clusters) == 3
        assert {i.what.id for i in shipped() if i.task.cluster in clusters} == {
            item.what.id for item in found if isinstance(item, CarItem)
        }

    def test_types_and_halves_can_be_chosen(self) -> None:
        for family, count in (("base", 100), ("hallucination", 90), ("disambiguation", 50)):
            assert len(plan(options(type=family)).items) == count
        halves = [
            {item.task.cluster for item in plan(options(split=half)).items} for half in ("train", "test")
        ]
        assert not halves[0] & halves[1]

    def test_ids_are_unique_and_a_removal_is_a_condition(self) -> None:
        found = plan(options()).items
        assert len({item.id for item in found}) == 240
        lacking = [item for item in found if item.labels["type"] == "hallucination"]
        assert all(item.condition.withheld and item.lacks for item in lacking)
        hidden = [item for item in lacking if item.labels["removed"] == "tool"]
        assert all(len(item.tools) < len(item.task.offered) for item in hidden)

    @pytest.mark.parametrize(
        ("changed", "error", "words"),
        [
            ({"votes": 2}, BadUsage, "odd"),
            ({"data": "nowhere"}, UnknownName, "nowhere"),
            ({"data": "no/where"}, BadData, "no such folder"),
            ({"rules": "strictest"}, UnknownName, "rule set"),
        ],
    )
    def test_options_that_make_no_sense_get_a_sentence(
        self, changed: dict[str, Any], error: type[Exception], words: str
    ) -> None:
        with pytest.raises(error, match=words):
            plan(options(**changed))

    def test_a_person_at_the_wheel_gets_the_terminal(self) -> None:
        assert plan(options(user="person", limit=1)).at_terminal

    def test_published_tasks_want_a_user_and_their_databases(self, tmp_path: Path) -> None:
        row = {
            "task_id": "base_0",
            "persona": "age 30, commanding",
            "instruction": "Open the sunshade half way.",
            "context_init_config": {"sunshade_position": 0},
            "actions": [{"name": "open_close_sunshade", "kwargs": {"percentage": 50}}],
            "task_type": "base",
        }
        (tmp_path / "base_test.json").write_text(json.dumps([row]), "utf-8")
        told = {"data": str(tmp_path)}
        assert "--user model" in plan(options(**told)).obstacle
        assert "--databases" in plan(options(**told, user="model")).obstacle
        with pytest.raises(BadUsage, match="have no script"):
            car(data=str(tmp_path))

    def test_who_has_to_play_and_to_judge_is_known_before(self) -> None:
        found = plan(options(user="model", limit=1))
        assert found.roles == {"user": "--user model"}
        assert found.headline == ("judge", "extractor", "user")
        assert set(found.role_calls) == {"judge", "extractor", "user"}
        assert all(0 < few < most for few, most in found.role_calls.values())
        script = plan(options(limit=1))
        assert (script.roles, script.headline) == ({}, ("judge", "extractor"))
        assert "--role user=MODEL" in script.built_in_only
        assert found.built_in_only == plan(options(user="person", limit=1)).built_in_only == ""

    def test_the_fewest_calls_are_never_more_than_the_most(self) -> None:
        found = plan(options(limit=1, steps=1))
        assert found.calls == (len(found.items), len(found.items))
        few, most = plan(options(limit=1, steps=3)).calls
        assert (few, most) == (2 * len(found.items), 3 * len(found.items))


class TestRoleViews:
    def test_a_user_is_never_told_what_is_missing_or_right(self) -> None:
        for item in shipped():
            what = item.what
            if what.removal is not None and what.script is not None:
                assert not any(path in what.instruction for path in what.removal.paths)

    def test_judge_user_and_agents_know_what_the_task_says(self) -> None:
        for item in shipped():
            case, gold, user = case_of(item), gold_of(item), user_of(item)
            assert bool(case.missing) == item.what.type.lacks_a_part == (gold.missing is not None)
            assert gold.asks == (item.what.type is TaskType.USER) == bool(user.answers)
            assert bool(user.yours) == (item.what.type is TaskType.INTERNAL)
            assert len(gold.actions) == len(item.what.reference)
            assert scenario_of(item.what).startswith(item.what.instruction)
            ids = {part.id for part in case.parts}
            assert {case.missing, *case.also, case.open} - {""} <= ids

    def test_a_question_of_the_oracle_gets_the_answer_it_needs(self) -> None:
        asked = [trial("oracle", one) for one in shipped() if one.what.type is TaskType.USER]
        assert all(record.value("asked_first") == 1 for record in asked)


def test_without_any_attempt_the_instrument_has_failed() -> None:
    record = record_of(shipped()[0], 1, [], graded=False)
    assert record.outcomes["conversation"] is Outcome.INSTRUMENT_ERROR
    assert not record.scored


def test_words_of_the_user_are_few() -> None:
    assert set(WORDS) == {Word.CONTINUE, Word.STOP, Word.OUT_OF_SCOPE}
