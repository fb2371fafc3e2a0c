"""FAIL-TaLMs over an endpoint that fails for a while, and in a process that is killed: nothing shows."""

import random
import signal
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from fail_talms_agents import TRUE_NAME, AskingAgents, users_words
from fail_talms_trials import items_of, planned
from killing import PATIENCE, kill, start
from knowact.core.record import Record
from knowact.core.seeds import generator
from knowact.testing.endpoint import (
    CutBody,
    Hang,
    RateLimited,
    Refuse401,
    Reply,
    Request,
    Say,
    ScriptedEndpoint,
    ServerError,
)
from running import PATIENT, knowact, measured, records_at

MODEL, JUDGE = f"{TRUE_NAME}/agent", f"{TRUE_NAME}/judge"
VOTES = 3
OPTIONS = {"limit": 2, "helper": "scripted", "votes": VOTES}
WORDS = (
    *("fail-talms", "--model", MODEL, "--role", f"grader={JUDGE}"),
    *(word for name, value in OPTIONS.items() for word in (f"--{name}", value)),
)
SHORT = ("--", "--attempt-timeout", "5")
"""So long an attempt may take before it counts as a time-out; the endpoint answers at once or not at all."""

KINDS: tuple[Reply, ...] = (RateLimited(0.05), ServerError(), CutBody(), Hang(30), ServerError(503))
ONE_IN = 10


def first_of_ten() -> Callable[[Request], Reply | None]:
    """A fault for one in ten calls, the first time that each is made."""
    seen: Counter[str] = Counter()

    def fault(request: Request) -> Reply | None:
        call = f"{request.model} {users_words(request)} {request.rounds} {sorted(request.tool_names)}"
        # The same prompt goes to the grader for every vote: each is a call of its own.
        seen[call] += 1
        dice = generator(5, "faults", call, seen[call] if request.model == "judge" else 0)
        first = seen[call] == 1 or request.model == "judge"
        return dice.choice(KINDS) if first and dice.randrange(ONE_IN) == 0 else None

    return fault


def gist(records: Mapping[str, Record]) -> Mapping[str, Any]:
    """What records say of the agent, by item."""
    return {item: measured(record) for item, record in records.items()}


def test_an_endpoint_that_fails_one_call_in_ten_changes_no_score_and_nothing_is_judged_twice(
    asking: AskingAgents, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    asking.items = items_of(planned(**OPTIONS))
    calm = knowact(capsys, "run", *WORDS, "--log-dir", tmp_path / "calm", *PATIENT)
    assert calm.code == 0, calm.said
    undisturbed = asking.counted()
    asking.requests.clear()

    faults: list[Reply] = []
    inner = first_of_ten()

    def fault(request: Request) -> Reply | None:
        found = inner(request)
        faults.extend([found] if found is not None else [])
        return found

    asking.fault = fault
    rough = knowact(capsys, "run", *WORDS, "--log-dir", tmp_path / "rough", *SHORT)
    assert rough.code == 0, rough.said
    assert len({type(one) for one in faults}) >= 3, "the faults of this test are too few"
    assert asking.counted() == undisturbed
    assert undisturbed["judge"] == VOTES * len(asking.items)
    before, after = records_at(tmp_path / "calm"), records_at(tmp_path / "rough")
    assert gist(after) == gist(before)
    assert set(after) == {item.task.id for item in asking.items}


def test_an_item_whose_grader_fails_is_done_again_by_the_same_command_and_no_other(
    asking: AskingAgents, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    asking.items = items_of(planned(**OPTIONS))
    unlucky = asking.items[0]
    words = unlucky.task.opening.utterances[-1].text

    def refuses(request: Request) -> Reply:
        return Refuse401() if words in request.conversation else Say('{"verdict": "right"}')

    asking.judge = refuses
    first = knowact(capsys, "run", *WORDS, "--log-dir", tmp_path, *PATIENT)
    assert first.code == 1, first.said
    spoilt = {name for name, one in records_at(tmp_path).items() if not one.scored}
    assert unlucky.task.id in spoilt
    assert len(spoilt) < len(asking.items)
    asking.judge = lambda _: Say('{"verdict": "right"}')
    asking.requests.clear()
    second = knowact(capsys, "run", *WORDS, "--log-dir", tmp_path, *PATIENT)
    assert second.code == 0, second.said
    assert {asking.item_of(one).task.id for one in asking.of("agent")} == spoilt
    assert asking.counted()["judge"] == VOTES * len(spoilt)
    records = records_at(tmp_path)
    assert all(one.scored and one.value("pass_grader") == 1 for one in records.values())


LATENCY = 0.12
KILLS = 10
LONG = {"limit": 14, "helper": "scripted", "votes": 1}
"""Far more requests than ten interrupted attempts can make."""


@pytest.mark.process
def test_a_run_that_is_killed_ten_times_does_each_item_exactly_once(
    asking: AskingAgents, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    asking.items = items_of(planned(**LONG))
    words = (
        *("fail-talms", "--model", MODEL, "--role", f"grader={JUDGE}", "--max-connections", 2),
        *(word for name, value in LONG.items() for word in (f"--{name}", value)),
    )
    calm, rough = tmp_path / "calm", tmp_path / "rough"
    assert knowact(capsys, "run", *words, "--log-dir", calm).code == 0
    undisturbed = asking.counted()

    agents = AskingAgents(items=asking.items)
    dice = random.Random(4)
    with ScriptedEndpoint(agents.script, LATENCY) as endpoint:
        here = {"ASKING_BASE_URL": endpoint.base_url}
        for _ in range(KILLS):
            count = dice.choice((0, 2, 4, 6, 8))
            moment = (count, dice.uniform(0.0, LATENCY if count else 1.0))
            kill(start(words, rough, here), agents.requests, moment, signal.SIGKILL)
        last = start(words, rough, here)
        said, _ = last.communicate(timeout=PATIENCE)
    assert last.returncode == 0, said
    assert "(going on)" in said
    expected, found = records_at(calm), records_at(rough)
    assert set(found) == {item.task.id for item in asking.items}
    assert gist(found) == gist(expected)
    # At most what was under way at each kill was asked again: two samples, of at most ten requests each.
    asked = agents.counted()
    assert undisturbed["agent"] <= asked["agent"] <= undisturbed["agent"] + KILLS * 20
    assert undisturbed["judge"] <= asked["judge"] <= undisturbed["judge"] + KILLS * 2
