"""Killed at a random moment, time and again: the same command finishes the run, and nothing shows."""

import random
import signal
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from doubles.endpoint import Reply, Request, ScriptedEndpoint
from ict_trials import REMOVED_FROM_REQUESTS, able, finds_questions, likes_reasons, tasks_of_requests
from killing import PATIENCE, kill, start
from knowact.core.task import Task
from local_agents import LocalAgents, right_form, right_vote, well_done
from running import MODEL, READ, knowact, measured, records_at, tasks_of


@dataclass(frozen=True, slots=True)
class Case:
    """What is run, and how often it is killed.

    Attributes:
        words: Suite and options.
        tasks: What is asked about: far more than the interrupted attempts can ask, however fast they start.
        answers: What a well-behaved agent says.
        extractor: What the model says that fills forms.
        judge: What the model says that judges.
        kills: How often it is ended.
        interrupted: Which of these times by Ctrl-C.
        requests: Most requests of one sample.
    """

    words: tuple[str, ...]
    tasks: Callable[[], Sequence[Task]]
    answers: Callable[[Request, Task], Reply]
    extractor: Callable[[Request, Task], Reply]
    judge: Callable[[Request], Reply]
    kills: int
    interrupted: tuple[int, ...]
    requests: int


CASES = {
    "kapro": Case(
        words=("kapro", "--limit", "56", *READ),
        tasks=lambda: tasks_of()[:56],
        answers=well_done,
        extractor=right_form,
        judge=right_vote,
        kills=10,
        interrupted=(4, 7),
        requests=3,
    ),
    "ict": Case(
        words=("ict", "--limit", "14", *REMOVED_FROM_REQUESTS, *READ),
        tasks=lambda: tasks_of_requests(14),
        answers=able,
        extractor=finds_questions,
        judge=likes_reasons,
        kills=3,
        interrupted=(1,),
        requests=5,
    ),
}
LATENCY = 0.15


@pytest.mark.soak
@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_a_run_that_is_killed_time_and_again_ends_like_one_that_is_not(
    case: Case, local: LocalAgents, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    local.tasks, local.answers = case.tasks(), case.answers
    local.extractor, local.judge = case.extractor, case.judge
    calm, rough = tmp_path / "calm", tmp_path / "rough"
    words = (*case.words, "--model", MODEL, "--max-connections", "2")
    assert knowact(capsys, "run", *words, "--log-dir", calm).code == 0
    undisturbed = sum(local.asked().values())

    agents = LocalAgents(tasks=local.tasks, answers=case.answers, extractor=case.extractor, judge=case.judge)
    rng = random.Random(20)
    # Somewhere in the start-up (no request awaited), or in the midst of the asking.
    awaited = [rng.choice((0, 1, 2, 3, 4)) for _ in range(case.kills)]
    moments = [(count, rng.uniform(0.0, 1.2 * LATENCY if count else 1.2)) for count in awaited]
    with ScriptedEndpoint(agents.script, LATENCY) as endpoint:
        address = {"LOCAL_BASE_URL": endpoint.base_url}
        for number, moment in enumerate(moments):
            process = start(words, rough, address)
            how = signal.SIGINT if number in case.interrupted else signal.SIGKILL
            moment = (max(1, moment[0]), moment[1]) if number in case.interrupted else moment  # noqa: PLW2901
            said = kill(process, agents.requests, moment, how)
            if how == signal.SIGINT:
                assert process.returncode == 130, said
                assert "the same command resumes" in said
            else:
                assert process.returncode == -signal.SIGKILL
        last = start(words, rough, address)
        said, _ = last.communicate(timeout=PATIENCE)
    assert last.returncode == 0, said
    assert "(resuming)" in said

    expected, found = records_at(calm), records_at(rough)
    assert set(found) == {task.id for task in local.tasks}
    assert {item: measured(record) for item, record in found.items()} == {
        item: measured(record) for item, record in expected.items()
    }
    # At most what was under way at each kill was asked again: two samples at a time.
    asked = sum(agents.asked().values())
    assert undisturbed <= asked <= undisturbed + case.kills * 2 * case.requests
    second = knowact(capsys, "report", rough, "--json", tmp_path / "report.json")
    assert second.code == 0, second.said
