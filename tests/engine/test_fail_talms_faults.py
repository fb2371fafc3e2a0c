"""FAIL-TaLMs over an endpoint that fails for a while, and in a process that is killed: nothing shows."""

import random
import signal
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from doubles.endpoint import (
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
from fail_talms_agents import TRUE_NAME, AskingAgents, agrees, users_words
from fail_talms_trials import items_of, planned
from killing import PATIENCE, kill, start
from knowact.core.record import Record, Status
from knowact.core.seeds import generator
from knowact.suites.fail_talms.asked import AskedItem
from running import PATIENT, knowact, measured, records_at

pytestmark = pytest.mark.slow

MODEL = f"{TRUE_NAME}/agent"
ROLES = tuple(
    word
    for role, name in (("judge", "judge"), ("extractor", "extractor"), ("helper", "person"))
    for word in ("--role", f"{role}={TRUE_NAME}/{name}")
)
VOTES = 3
OPTIONS = {"limit": 2, "helper": "model", "votes": VOTES}
WORDS = (
    *("fail-talms", "--model", MODEL, *ROLES),
    *(word for name, value in OPTIONS.items() for word in (f"--{name}", value)),
)
SHORT = ("--", "--attempt-timeout", "15")
"""So long an attempt may take before it counts as a time-out; the endpoint answers at once or not at all."""

KINDS: tuple[Reply, ...] = (RateLimited(0.05), ServerError(), CutBody(), Hang(600), ServerError(503))
ONE_IN = 10


def first_of_ten() -> Callable[[Request], Reply | None]:
    """A fault for one in ten calls, the first time that each is made."""
    seen: Counter[str] = Counter()

    def fault(request: Request) -> Reply | None:
        call = f"{request.model} {users_words(request)} {request.rounds} {sorted(request.tool_names)}"
        # The same prompt goes to the judge for every vote: each is a call of its own.
        seen[call] += 1
        rng = generator(5, "faults", call, seen[call] if request.model == "judge" else 0)
        first = seen[call] == 1 or request.model == "judge"
        return rng.choice(KINDS) if first and rng.randrange(ONE_IN) == 0 else None

    return fault


def reasoned(items: Sequence[AskedItem]) -> int:
    """How many reasons the oracle gives: one for each item that lacks something."""
    return sum(bool(item.lacks) for item in items)


def gist(records: Mapping[str, Record]) -> Mapping[str, Any]:
    """What records say of the agent, by item."""
    return {item: measured(record) for item, record in records.items()}


@pytest.mark.soak
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
    assert undisturbed["judge"] == VOTES * (len(asking.items) + reasoned(asking.items))
    assert undisturbed["extractor"] == len(asking.items)
    before, after = records_at(tmp_path / "calm"), records_at(tmp_path / "rough")
    assert undisturbed["person"] == sum(one.value("questions") for one in before.values()) > 0
    assert gist(after) == gist(before)
    assert set(after) == {item.task.id for item in asking.items}


def test_an_item_whose_judge_fails_is_done_again_by_the_same_command_and_no_other(
    asking: AskingAgents, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    asking.items = items_of(planned(**OPTIONS))
    unlucky = asking.items[0]
    words = unlucky.task.opening.utterances[-1].text

    def refuses(request: Request) -> Reply:
        return Refuse401() if words in request.conversation else agrees(request)

    asking.judge = refuses
    first = knowact(capsys, "run", *WORDS, "--log-dir", tmp_path, *PATIENT)
    assert first.code == 1, first.said
    spoilt = {name for name, one in records_at(tmp_path).items() if not one.scored}
    assert unlucky.task.id in spoilt
    assert len(spoilt) < len(asking.items)
    asking.judge = agrees
    asking.requests.clear()
    second = knowact(capsys, "run", *WORDS, "--log-dir", tmp_path, *PATIENT)
    assert second.code == 0, second.said
    assert {asking.item_of(one).task.id for one in asking.of("agent")} == spoilt
    again = [item for item in asking.items if item.task.id in spoilt]
    assert asking.counted()["judge"] == VOTES * (len(again) + reasoned(again))
    assert asking.counted()["extractor"] == len(again)
    records = records_at(tmp_path)
    assert all(one.scored and one.value("pass_judge") == 1 for one in records.values())


def test_a_form_that_stays_invalid_is_sent_back_once_and_scores_nothing(
    asking: AskingAgents, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    asking.items = items_of(planned(**OPTIONS))
    asking.extractor = lambda _: Say("I would rather not.")
    done = knowact(capsys, "run", *WORDS, "--log-dir", tmp_path, *PATIENT)
    assert done.code == 1, done.said
    assert "stayed invalid after one repair" in done.said
    assert asking.counted()["extractor"] == 2 * len(asking.items)
    for record in records_at(tmp_path).values():
        assert {record.results[name].status for name in ("conduct", "right", "pass")} == {Status.JUDGE_ERROR}
        assert record.value("pass_judge") == record.value("aware") == 1


LATENCY = 0.12
KILLS = 10
LONG = {"limit": 9, "helper": "model", "votes": 1}
"""Far more requests than ten interrupted attempts can make."""


@pytest.mark.soak
def test_a_run_that_is_killed_ten_times_does_each_item_exactly_once(
    asking: AskingAgents, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    asking.items = items_of(planned(**LONG))
    words = (
        *("fail-talms", "--model", MODEL, *ROLES, "--max-connections", 2),
        *(word for name, value in LONG.items() for word in (f"--{name}", value)),
    )
    calm, rough = tmp_path / "calm", tmp_path / "rough"
    assert knowact(capsys, "run", *words, "--log-dir", calm).code == 0
    undisturbed = asking.counted()

    agents = AskingAgents(items=asking.items)
    rng = random.Random(4)
    with ScriptedEndpoint(agents.script, LATENCY) as endpoint:
        here = {"ASKING_BASE_URL": endpoint.base_url}
        for _ in range(KILLS):
            count = rng.choice((0, 2, 4, 6, 8))
            moment = (count, rng.uniform(0.0, LATENCY if count else 1.0))
            kill(start(words, rough, here), agents.requests, moment, signal.SIGKILL)
        last = start(words, rough, here)
        said, _ = last.communicate(timeout=3 * PATIENCE)
    assert last.returncode == 0, said
    assert "(resuming)" in said
    expected, found = records_at(calm), records_at(rough)
    assert set(found) == {item.task.id for item in asking.items}
    assert gist(found) == gist(expected)
    # At most what was under way at each kill was asked again: two samples, of at most ten requests each.
    asked = agents.counted()
    assert undisturbed["agent"] <= asked["agent"] <= undisturbed["agent"] + KILLS * 20
    assert undisturbed["judge"] <= asked["judge"] <= undisturbed["judge"] + KILLS * 4
    assert undisturbed["extractor"] <= asked["extractor"] <= undisturbed["extractor"] + KILLS * 2
    assert undisturbed["person"] <= asked["person"] <= undisturbed["person"] + KILLS * 4
