"""Extractors and judges over real HTTP: what they say becomes results, counts and an exit code."""

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from doubles.endpoint import Reply, Request, Say, TooLong
from faults import PASSING
from knowact.agents.policy import Statement, stated
from knowact.core.record import Status
from knowact.core.table import Estimate
from knowact.core.task import Fact, Task
from knowact.reading.answer_form import AnswerForm
from knowact.roles.calibration import Calibration, Rate, keep_rates
from knowact.roles.extractor import extraction_prompt
from knowact.suites.kapro.probes import ACT
from local_agents import LocalAgents, form_of, right_form, right_vote, well_done
from running import (
    EXTRACTOR,
    MODEL,
    READ,
    Ran,
    json_report,
    knowact,
    measured,
    records_at,
    run_at,
    table_rows,
    tasks_of,
)

pytestmark = pytest.mark.slow

RIGHT, WRONG, SILENT, REPAIRED, INVALID, SPLIT, TORN = range(7)
"""What happens to the tasks, by their place."""

VOTES = {SPLIT: ("right", "wrong", "right"), TORN: ("right", "wrong", "hm")}
INTERNAL = ("--subspace", "internal")
"""Tasks that take no tool, so that the agent's first words are its answer."""


def another(fact: Fact) -> Fact:
    """A number that is not the right one."""
    return fact.model_copy(update={"value": float(str(fact.value)) + 1})


class Readers:
    """An agent, an extractor and a judge that do to each task what its place says."""

    def __init__(self, tasks: Sequence[Task]) -> None:
        self.tasks = {task.id: place for place, task in enumerate(tasks)}
        self.voted: Counter[str] = Counter()

    def answer(self, request: Request, task: Task) -> Reply:
        """Answer rightly, wrongly, or without saying anything."""
        place = self.tasks[task.id]
        if request.tools and place == WRONG:
            return Say(self._wrong(task).text)
        return Say("That is done.") if request.tools and place == SILENT else well_done(request, task)

    def _wrong(self, task: Task) -> Statement:
        return stated(task, map(another, task.facts), range(len(task.facts)))

    def extract(self, request: Request, task: Task) -> Reply:
        """Fill the form as the reply has it, after some ado, or with a quote of its own making."""
        place = self.tasks[task.id]
        if place == WRONG:
            form = AnswerForm.from_facts(task.facts).declared(self._wrong(task).declared)
            return Say(json.dumps(form))
        if place == REPAIRED and request.rounds == 0:
            return Say("I would rather not fill in forms.")
        if place == INVALID:
            form = form_of(task)
            form["fact_1"]["quotes"] = ["words that nobody said"]
            return Say(json.dumps(form))
        return right_form(request, task)

    def judge(self, request: Request) -> Reply:
        """Vote rightly; now and then the votes differ."""
        (name,) = (task.id for task in tasks_of() if f"<task>\n{task.opening.text}\n" in request.conversation)
        place = self.tasks[name]
        number = self.voted[name]
        self.voted[name] += 1
        right = "wrong" if place in {WRONG, SILENT} else "right"
        result = VOTES.get(place, (right,) * 3)[number]
        return Say(json.dumps({"quote": "…", "why": "because", "verdict": result}))


@pytest.fixture
def read(local: LocalAgents, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Ran:
    """Seven tasks, each with its own fate."""
    local.tasks = [task for task in tasks_of() if not task.required][:7]
    readers = Readers(local.tasks)
    local.answers, local.extractor, local.judge = readers.answer, readers.extract, readers.judge
    words = ("--model", MODEL, *READ, *INTERNAL, "--limit", 7, "--log-dir", tmp_path / "logs")
    return knowact(capsys, "run", "kapro", *words)


def test_forms_and_votes_become_results_with_what_went_wrong_named(
    read: Ran, local: LocalAgents, tmp_path: Path
) -> None:
    records = [records_at(tmp_path)[task.id] for task in local.tasks]
    passed = [(r.results["pass"].status, r.results["pass"].value, r.results["pass"].by) for r in records]
    right, wrong = (Status.VALUE, 1.0, "form"), (Status.VALUE, 0.0, "form")
    unread = (Status.JUDGE_ERROR, None, "form")
    assert passed == [right, wrong, wrong, right, unread, right, right]
    assert "is not the value" in records[WRONG].results["pass"].why
    assert "the reply does not state it" in records[SILENT].results["pass"].why
    assert "does not stand in the reply" in records[INVALID].results["pass"].why
    voted = [r.results["pass_judge"].value for r in records]
    assert voted == [1, 0, 0, 1, 1, 1, None]
    assert records[TORN].results["pass_judge"].status is Status.JUDGE_ERROR
    flags = [dict(record.flags) for record in records]
    assert flags[REPAIRED]["repaired_forms"] == 1
    assert flags[INVALID]["invalid_forms"] == 1
    assert flags[SPLIT]["split_vote"] == flags[TORN]["split_vote"] == 1
    assert not any({"repaired_forms", "invalid_forms", "split_vote"} & {*flags[i]} for i in (0, 1, 2))


def test_calls_and_tokens_of_readers_are_told_apart_from_the_agents(
    read: Ran, local: LocalAgents, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    records = [records_at(tmp_path)[task.id] for task in local.tasks]
    assert [dict(record.role_calls) for record in records] == [
        {"extractor": 2 if place in {REPAIRED, INVALID} else 1, "judge": 3} for place in range(7)
    ]
    sent = {"agent": 0, "extractor": 0, "judge": 0}
    for request in local.requests:
        sent[request.model] += request.size // 4
    told = {role: sum(r.role_tokens[role][0] for r in records) for role in ("extractor", "judge")}
    assert told | {"agent": sum(r.tokens[0] for r in records)} == sent
    report = json_report(capsys, tmp_path / "logs", tmp_path / "report.json")
    calls = {role: table_rows(report, "cost", f"{role} calls")[0]["value"] for role in told}
    assert calls == {"extractor": pytest.approx(9 / 7), "judge": 3}
    (dollars,) = table_rows(report, "cost", "judge dollars")
    assert dollars["value"] is None, "no price is known"


def test_the_run_says_who_read_it_what_went_wrong_and_exits_with_1(read: Ran) -> None:
    assert read.code == 1
    assert read.err == (
        "Not all of 7 trials could be read: on 1 a form stayed invalid after one repair (most often: fact_1: "
        "the quote 'words that nobody said' does not stand in the reply) and on 1 the judge came to no "
        "majority (most often: 1 right, 1 wrong, 1 unreadable). Results that depend on them count neither "
        "as right nor as wrong; --fresh starts over.\n"
    )
    assert "Role extractor: 7 to 14 calls of openai-api/local/extractor" in read.out
    assert "Role judge: 21 calls of openai-api/local/judge" in read.out
    assert (
        "Extractor: openai-api/local/extractor; not calibrated: run `knowact calibrate --model "
        "openai-api/local/extractor --role extractor`."
    ) in read.out
    assert "Reading: forms repaired 1, forms invalid 1, trials without a majority 1." in read.out


def test_the_report_shows_how_form_and_judge_agree_and_which_one_counts(
    read: Ran, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    report = json_report(capsys, tmp_path / "logs", tmp_path / "report.json")
    (rests,) = table_rows(report, "judges", "rests on form")
    assert (rests["value"], rests["n"]) == (pytest.approx(6 / 7), 7)
    (agreed,) = table_rows(report, "judges", "agreement")
    assert (agreed["between"], agreed["value"], agreed["n"]) == ("form and judge", 1.0, 5)
    (split,) = table_rows(report, "judges", "with split votes")
    assert (split["value"], split["n"]) == (pytest.approx(1 / 6), 6), "those that came to a result"
    (run,) = report["runs"]
    assert [(one["role"], one["by"]) for one in run["readers"]] == [
        ("extractor", "openai-api/local/extractor"),
        ("judge", "openai-api/local/judge"),
    ]
    assert (run["trials"]["incomplete"], run["unscored"]) == (2, 0), "KAS rests on no reader"


def test_what_was_calibrated_stands_beside_the_reader(
    read: Ran, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KNOWACT_DATA", str(tmp_path / "data"))
    missed = Rate("facts: number", "missed", Estimate(0.02, 100, 0.01, 0.07, "wilson"))
    known = Calibration(EXTRACTOR, "extractor", extraction_prompt(), {"claims": "1"}, (missed,))
    keep_rates(tmp_path / "data", known)
    (run,) = json_report(capsys, tmp_path / "logs", tmp_path / "report.json")["runs"]
    extractor, judge = run["readers"]
    (rate,) = extractor["rates"]
    assert (rate["kind"], rate["what"], rate["value"], rate["n"]) == ("facts: number", "missed", 0.02, 100)
    assert extractor["calibrate"] is None
    assert judge["calibrate"] == "knowact calibrate --model openai-api/local/judge --role judge"


def test_what_nobody_reads_is_not_judged_and_no_failure(
    local: LocalAgents, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    local.tasks = tasks_of()[:3]
    done = knowact(
        *(capsys, "run", "kapro", "--model", MODEL, "--judge", "none", "--limit", 3, "--log-dir", tmp_path)
    )
    assert done.code == 0, done.said
    assert done.err == ""
    assert "KAS, averaged over the kinds of task, is 100% on 3 items." in done.out, (
        "calls and a requested format decide it"
    )
    assert "Extractor: nobody (not judged)." in done.out
    assert "Reading: trials not judged 3." in done.out
    assert {r.results["pass"].status for r in run_at(tmp_path).records} == {Status.NOT_JUDGED}
    assert {request.model for request in local.requests} == {"agent"}
    assert knowact(capsys, "report", tmp_path, "--json", tmp_path / "report.json").code == 0


def test_an_agent_that_reads_itself_is_marked(
    local: LocalAgents, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    def answers(request: Request, task: Task) -> Reply:
        if "You fill in a form" in request.conversation:
            return right_form(request, task)
        judging = "You check whether" in request.conversation
        return right_vote(request) if judging else well_done(request, task)

    local.tasks, local.answers = tasks_of()[:3], answers
    done = knowact(
        *(capsys, "run", "kapro", "--model", MODEL, "--judge", "self", "--limit", 3, "--log-dir", tmp_path)
    )
    assert done.code == 0, done.said
    run = run_at(tmp_path)
    assert run.self_read
    assert all(record.value("pass") == record.value("pass_judge") == 1 for record in run.records)
    assert all(record.role_calls == {"extractor": 1, "judge": 3} for record in run.records)
    assert f"Warning: Self-read: {MODEL} read or judged its own replies" in done.out
    assert f"{MODEL} (self-read)  clean" in done.out


LIMITS: list[tuple[Reply, int, str, str]] = [
    (
        TooLong(),
        1,
        "the request did not fit the context of the model that fills it",
        "the request did not fit the judge's context",
    ),
    (
        Say('{"fact_1": {"value": "', cut=True),
        2,
        "it was cut off at the token limit",
        "a vote was cut off at the token limit",
    ),
]


@pytest.mark.parametrize(("reply", "calls", "form", "vote"), LIMITS)
def test_a_limit_of_who_reads_is_told_as_such(  # noqa: PLR0917 - what is expected of each
    reply: Reply,
    calls: int,
    form: str,
    vote: str,
    local: LocalAgents,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    local.tasks = [task for task in tasks_of() if not task.required][:1]
    local.answers, local.extractor, local.judge = well_done, lambda _, __: reply, lambda _: reply
    words = ("--model", MODEL, *READ, *INTERNAL, "--limit", 1, "--log-dir", tmp_path / "logs")
    done = knowact(capsys, "run", "kapro", *words)
    assert done.code == 1, done.said
    assert f"on 1 a form stayed invalid after one repair (most often: {form})" in done.err
    assert f"(most often: {vote}; 0 right, 0 wrong, 3 unreadable)" in done.err
    (record,) = run_at(tmp_path / "logs").records
    assert record.scored, "it is no failure of the provider's"
    assert record.role_calls == {"extractor": calls, "judge": 3}, "no repair of what does not fit"


def test_a_file_of_forms_reads_as_a_model_does(
    local: LocalAgents, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    local.tasks = tasks_of()[:3]
    file = tmp_path / "forms.jsonl"
    lines = [{"id": f"{task.id}/1/{ACT}", "form": form_of(task)} for task in local.tasks[:2]]
    file.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    words = (
        "--model",
        MODEL,
        "--role",
        f"extractor=file:{file}",
        "--limit",
        3,
        "--log-dir",
        tmp_path / "logs",
    )
    done = knowact(capsys, "run", "kapro", *words)
    assert done.code == 1, "the third form is not in the file"
    assert "on 1 a form stayed invalid after one repair" in done.err
    records = records_at(tmp_path / "logs")
    assert [records[task.id].results["pass"].value for task in local.tasks] == [1, 1, None]
    assert f"Extractor: file:{file}." in done.out


def test_one_fault_in_ten_calls_changes_no_score(
    local: LocalAgents, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    count = 20
    local.tasks = tasks_of()[:count]
    words = ("run", "kapro", "--model", MODEL, *READ, "--limit", count)
    assert knowact(capsys, *words, "--log-dir", tmp_path / "calm").code == 0
    failed: Counter[str] = Counter()

    def fault(request: Request) -> Reply | None:
        """A passing fault at the first sight of every tenth request or so, whoever it is for."""
        seen = f"{request.model} {bool(request.tools)} {request.rounds} {request.conversation}"
        digest = hashlib.sha256(f"faults {seen}".encode()).digest()
        if digest[0] % 10 or failed[seen]:
            return None
        failed[seen] += 1
        return list(PASSING.values())[digest[1] % len(PASSING)]

    def rough(reply: Callable[[Request, Task], Reply]) -> Callable[[Request, Task], Reply]:
        return lambda request, task: fault(request) or reply(request, task)

    local.answers, local.extractor = rough(well_done), rough(right_form)
    local.judge = lambda request: fault(request) or right_vote(request)
    done = knowact(capsys, *words, "--log-dir", tmp_path / "rough")
    assert done.code == 0, done.said
    assert {key.split()[0] for key in failed} == {"agent", "extractor", "judge"}
    calm, shaken = records_at(tmp_path / "calm"), records_at(tmp_path / "rough")
    assert {name: measured(r) for name, r in shaken.items()} == {n: measured(r) for n, r in calm.items()}
    assert {name: r.role_calls for name, r in shaken.items()} == {n: r.role_calls for n, r in calm.items()}
