"""What a provider or a model can do wrong, over real HTTP, through Inspect's own provider."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest
from inspect_ai.log import read_eval_log
from inspect_ai.model import ModelUsage

from doubles.endpoint import CallTools, EmptyReply, Hang, Reply, Request, Say, ToolCall, TooLong
from faults import LASTING, PASSING, once
from knowact.core.record import CUT_OFF, OVER_CONTEXT, Outcome, Record, Status
from knowact.core.task import Task
from knowact.engine.reader import find_logs
from knowact.suites.kapro.items import KaproOptions
from knowact.suites.kapro.probes import ACT, KNOW
from local_agents import Habit, LocalAgents, right_form, shown_tools
from running import MODEL, PATIENT, READ, knowact, measured, records_at, run_at, tasks_of, waiting
from timing import within


def acting(reply: Reply) -> Habit:
    """Do this while acting; know as usual."""
    return lambda request, _: reply if request.tools else None


def knowing(reply: Reply) -> Habit:
    """Say this when asked; act as usual."""
    return lambda request, _: None if request.tools else reply


def invents_a_tool(request: Request, number: int) -> Reply | None:
    if not request.tools:
        return None
    return Say("done") if request.rounds else CallTools((ToolCall("no_such_tool", {"x": 1}),))


def cuts_its_arguments(request: Request, number: int) -> Reply | None:
    if not request.tools:
        return None
    return Say("done") if request.rounds else CallTools((ToolCall(shown_tools(request)[0], '{"cut": '),))


def never_stops(request: Request, number: int) -> Reply | None:
    return CallTools((ToolCall(shown_tools(request)[0], {}),)) if request.tools else None


LIMITS: dict[str, str] = {
    "a cut answer": CUT_OFF,
    "a cut decision": CUT_OFF,
    "too long to act": OVER_CONTEXT,
    "too long to know": OVER_CONTEXT,
}
"""How the flag begins that names the model's limit."""

CAUSED: dict[str, tuple[Habit, str, Outcome]] = {
    "an invented tool": (invents_a_tool, ACT, Outcome.ANSWERED),
    "half an argument": (cuts_its_arguments, ACT, Outcome.ANSWERED),
    "endless calls": (never_stops, ACT, Outcome.LIMIT),
    "an empty text": (acting(EmptyReply()), ACT, Outcome.EMPTY),
    "no text": (acting(EmptyReply(null=True)), ACT, Outcome.EMPTY),
    "nothing when asked": (knowing(EmptyReply()), KNOW, Outcome.EMPTY),
    "prose when asked": (knowing(Say("Probably some of them.")), KNOW, Outcome.UNREADABLE),
    "a cut answer": (acting(Say("It would be", cut=True)), ACT, Outcome.LIMIT),
    "a cut decision": (knowing(Say('{"tool_decisions": {', cut=True)), KNOW, Outcome.LIMIT),
    "too long to act": (acting(TooLong()), ACT, Outcome.LIMIT),
    "too long to know": (knowing(TooLong()), KNOW, Outcome.LIMIT),
    "a call when asked": (knowing(CallTools((ToolCall("x"),))), KNOW, Outcome.EMPTY),
}
"""The agent's: what it does, in which probe, and the ending that gives it."""


def spread(tasks: Sequence[Task], names: Sequence[str]) -> dict[str, Task]:
    """A task for each name, in the order of the data set.

    Which tools were called counts, whatever their arguments: who calls one tool badly is right where just
    that one is needed, so these get a task that offers more and needs none of them, or several.
    """
    rest, found = list(tasks), dict[str, Task]()
    if "half an argument" in names:
        found["half an argument"] = next(
            task for task in rest if len(task.required) != 1 and len(task.offered) > 1
        )
        rest.remove(found["half an argument"])
    return found | dict(zip((name for name in names if name not in found), rest, strict=False))


def assert_perfect(record: Record) -> None:
    assert (record.knew, record.acted) == (True, True), record.item
    assert record.value("pass") == 1, record.item


@pytest.mark.slow
def test_faults_that_pass_leave_no_trace_in_the_scores(
    local: LocalAgents, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    local.tasks = tasks_of()[:4]
    for name, task in spread(local.tasks, list(PASSING)).items():
        local.habits[task.id] = once(PASSING[name])
    done = knowact(capsys, "run", "kapro", "--model", MODEL, *READ, "--limit", 4, "--log-dir", tmp_path)
    assert done.code == 0, done.said
    records = records_at(tmp_path)
    assert len(records) == 4
    for record in records.values():
        assert_perfect(record)
    undisturbed = {task.id: 3 if task.required else 2 for task in local.tasks}
    again = {task_id: 2 if task_id in local.habits else 0 for task_id in undisturbed}
    assert local.asked() == {task_id: undisturbed[task_id] + again[task_id] for task_id in undisturbed}


@pytest.mark.slow
def test_what_the_engine_tries_again_is_paid_for_every_time(
    local: LocalAgents, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """An agent's provider fails twice, and an extractor's once: both samples are tried again."""
    local.tasks = tasks_of()[:3]
    refused, unread, calm = (task.id for task in local.tasks)
    local.habits[refused] = lambda request, number: LASTING["400"] if request.tools and number <= 2 else None
    failures = iter([LASTING["400"]])

    def extractor(request: Request, task: Task) -> Reply:
        return right_form(request, task) if task.id != unread else next(failures, right_form(request, task))

    local.extractor = extractor
    again = (*PATIENT[:-1], "3")
    done = knowact(
        capsys, "run", "kapro", "--model", MODEL, *READ, "--limit", 3, "--log-dir", tmp_path, *again
    )
    assert done.code == 0, done.said
    (log,) = find_logs([tmp_path])
    header = read_eval_log(str(log.path), header_only=True)
    assert min(local.asked()[refused], local.asked()[unread]) > local.asked()[calm]
    records = records_at(tmp_path).values()
    for place, usage_of in enumerate((_read, lambda usage: usage.output_tokens)):
        played = {role: usage_of(usage) for role, usage in header.stats.role_usage.items()}
        every = sum(map(usage_of, header.stats.model_usage.values()))
        assert sum(record.tokens[place] for record in records) == every - sum(played.values()) > 0
        assert played.keys() == {"extractor", "judge"}
        for role, total in played.items():
            assert sum(record.role_tokens[role][place] for record in records) == total > 0, role
    replies = Counter(request.model for request in local.requests)
    assert sum(record.role_calls["judge"] for record in records) == replies["judge"]
    assert sum(record.role_calls["extractor"] for record in records) == replies["extractor"] - 1


def _read(usage: ModelUsage) -> int:
    return usage.input_tokens + (usage.input_tokens_cache_read or 0)


@pytest.mark.slow
def test_what_the_instrument_spoils_is_unscored_and_done_by_the_same_command_later(
    local: LocalAgents, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    number = len(LASTING) + len(CAUSED)
    local.tasks = tasks_of()[:number]
    given = spread(local.tasks, [*LASTING, *CAUSED])
    for name, reply in LASTING.items():
        local.habits[given[name].id] = acting(reply)
    for name, (habit, _, _) in CAUSED.items():
        local.habits[given[name].id] = habit
    words = ("run", "kapro", "--model", MODEL, *READ, "--limit", number, "--log-dir", tmp_path)

    first = knowact(capsys, *words, *PATIENT)
    assert first.code == 1
    assert f"{len(LASTING)} of {number} trials could not be scored." in first.err
    assert f"instrument error {len(LASTING)}" in first.out
    assert "Do not quote" in first.out
    before = records_at(tmp_path)
    assert len(before) == number
    for name in LASTING:
        record = before[given[name].id]
        assert not record.scored, name
        assert record.outcomes[ACT] is Outcome.INSTRUMENT_ERROR, name
        assert record.outcomes[KNOW] is Outcome.ANSWERED, f"{name}: what was said before is kept"
        assert "acc_act" not in record.results, name
        assert record.acted is None, name
    for name in CAUSED:
        assert_wrong_by_name(before[given[name].id], name)

    local.recover()
    second = knowact(capsys, *words, *PATIENT)
    assert second.code == 0, second.said
    assert set(local.asked()) == {given[name].id for name in LASTING}
    after = records_at(tmp_path)
    assert set(after) == {task.id for task in local.tasks}
    for name in LASTING:
        assert_perfect(after[given[name].id])
    for name in CAUSED:
        assert measured(after[given[name].id]) == measured(before[given[name].id]), name
    assert run_at(tmp_path).scored == number

    local.recover()
    assert knowact(capsys, *words, *PATIENT).code == 0
    assert local.requests == []


@pytest.mark.slow
def test_silence_is_the_instrument_s_and_what_was_said_before_is_kept(
    local: LocalAgents, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    local.tasks = tasks_of()[:2]
    silent, other = (task.id for task in local.tasks)
    local.habits[silent] = acting(Hang(600))
    words = ("run", "kapro", "--model", MODEL, *READ, "--limit", 2, "--log-dir", tmp_path)

    def run(seconds: float) -> dict[str, Record]:
        done = knowact(capsys, *words, "--fresh", *waiting(seconds))
        assert done.code == 1, done.said
        return records_at(tmp_path)

    found = within(run, lambda one: one[other].scored and one[silent].outcomes[KNOW] is Outcome.ANSWERED)
    assert_perfect(found[other])
    assert found[silent].outcomes == {KNOW: Outcome.ANSWERED, ACT: Outcome.INSTRUMENT_ERROR}
    assert found[silent].acted is None

    local.recover()
    again = knowact(capsys, *words, *PATIENT)
    assert again.code == 0, again.said
    assert set(local.asked()) == {silent}
    assert_perfect(records_at(tmp_path)[silent])


def assert_wrong_by_name(record: Record, name: str) -> None:
    _, probe, outcome = CAUSED[name]
    assert record.scored, name
    assert record.outcomes[probe] is outcome, name
    side = "act" if probe == ACT else "know"
    assert (record.acted if probe == ACT else record.knew) is False, name
    if outcome is not Outcome.ANSWERED:
        assert record.value(f"acc_{side}") == 0, name
        assert record.value(f"lost_{side}") == 1, name
    flags = {flag for flag in record.flags if flag.startswith((CUT_OFF, OVER_CONTEXT))}
    assert flags == ({LIMITS[name] + probe} if name in LIMITS else set[str]()), name
    if probe == ACT:
        assert record.results["pass"].status is Status.VALUE, name
        assert record.value("pass") == 0, name
    if name == "an invented tool":
        assert record.used == {"no_such_tool"}
        assert record.flags["invented_tool"] == 1
    if name == "half an argument":
        assert record.used is not None
        assert record.used < set(record.offered)
        assert record.flags["bad_arguments"] == 1
    if name == "endless calls":
        assert record.calls == KaproOptions().rounds
