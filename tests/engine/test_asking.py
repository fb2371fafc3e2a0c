"""A person to ask, over real HTTP: who answers, what it costs, what the agent sees, what the log keeps."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

import pytest
from inspect_ai.log import read_eval_log

from doubles.endpoint import EmptyReply, Reply, Request, Say
from fail_talms_agents import (
    TRUE_NAME,
    AskingAgents,
    about_of,
    as_reply,
    helps,
    printed_tools,
    question,
    results,
    users_words,
)
from fail_talms_trials import items_of, planned, trial
from killing import PATIENCE, heed_interrupts
from knowact.agents.policy import Attempt, Move
from knowact.agents.reference import ASK
from knowact.core.record import Outcome, Record
from knowact.engine.stored import RESPONSES
from knowact.engine.tools import ENOUGH
from knowact.suites.fail_talms.asked import ACT, AskedItem
from running import PATIENT, Ran, knowact, measured, records_at, run_at
from timing import wait_until

pytestmark = pytest.mark.slow

MODEL, PERSON, EXTRACTOR = (f"{TRUE_NAME}/{name}" for name in ("agent", "person", "extractor"))
ROLES = ("--role", f"extractor={EXTRACTOR}", "--role", f"helper={PERSON}")
LIMIT = 4


UNREAD = ("--judge", "none")
"""For tests that look at calls alone."""


def run(
    capsys: pytest.CaptureFixture[str], agents: AskingAgents, logs: Path, *words: object, **options: Any
) -> Ran:
    """Let the endpoint's agent do the first items under some options."""
    options = {"limit": LIMIT, **options}
    agents.items = items_of(planned(**{k: v for k, v in options.items() if k != "max_connections"}))
    flags = [word for name, value in options.items() for word in (f"--{name.replace('_', '-')}", value)]
    return knowact(capsys, "run", "fail-talms", "--model", MODEL, "--log-dir", logs, *flags, *words, *PATIENT)


def outcomes_at(logs: Path) -> dict[str, Mapping[str, Any]]:
    """What came of the acting probe of each sample of the only log, as it is stored."""
    (file,) = logs.rglob("*.eval")
    samples = read_eval_log(str(file)).samples or []
    stored = {str(one.metadata["item"]): cast("Mapping[str, Any]", one.store[RESPONSES]) for one in samples}
    return {item: responses[ACT] for item, responses in stored.items()}


class TestTheScript:
    def test_answers_nobody_but_the_built_in_agents(
        self, asking: AskingAgents, capsys: pytest.CaptureFixture[str], tmp_path: Path
    ) -> None:
        refused = run(capsys, asking, tmp_path, helper="scripted")
        assert refused.code == 2
        assert "--helper model --role helper=MODEL" in refused.err
        assert asking.requests == []
        assert not list(tmp_path.rglob("*.eval"))


class TestBeingHelped:
    def test_gives_the_same_records_as_without_engine_and_wire(
        self, asking: AskingAgents, capsys: pytest.CaptureFixture[str], tmp_path: Path
    ) -> None:
        assert run(capsys, asking, tmp_path, *ROLES, helper="model").code == 0
        found = records_at(tmp_path)
        expected = {item.task.id: trial("oracle", item, helped=True) for item in asking.items}
        assert {name: _gist(one) for name, one in found.items()} == {
            name: _gist(one) for name, one in expected.items()
        }
        assert any(one.value("targeted") == 1 for one in found.values())

    def test_shows_the_tool_while_acting_and_never_in_a_question(
        self, asking: AskingAgents, capsys: pytest.CaptureFixture[str], tmp_path: Path
    ) -> None:
        assert run(capsys, asking, tmp_path, *ROLES, helper="model").code == 0
        questions = 0
        for request in asking.of("agent"):
            own = [tool.name for tool in asking.item_of(request).tools]
            if about_of(request):
                questions += 1
                assert request.tools == []
                assert printed_tools(request) == own
                assert ASK not in request.conversation
            else:
                assert list(request.tool_names) == [*own, ASK]
        assert questions == 2 * len(asking.items)

    def test_is_not_there_without_the_option(
        self, asking: AskingAgents, capsys: pytest.CaptureFixture[str], tmp_path: Path
    ) -> None:
        assert run(capsys, asking, tmp_path, *UNREAD, limit=2).code == 0
        assert not any(ASK in request.tool_names for request in asking.requests)

    def test_what_the_user_said_before_comes_as_messages_of_their_own(
        self, asking: AskingAgents, capsys: pytest.CaptureFixture[str], tmp_path: Path
    ) -> None:
        assert run(capsys, asking, tmp_path, *UNREAD, limit=12, probe="act", setting="perfect").code == 0
        remarked = 0
        for request in asking.requests:
            said = [one.text for one in asking.item_of(request).task.opening.utterances]
            roles = [message["role"] for message in request.messages]
            assert roles[: len(said) + 1] == ["system", *["user"] * len(said)]
            assert users_words(request) == "\n\n".join(said)
            remarked += len(said) > 1
        assert remarked

    def test_leaves_calls_with_arguments_and_results_in_the_log(
        self, asking: AskingAgents, capsys: pytest.CaptureFixture[str], tmp_path: Path
    ) -> None:
        assert run(capsys, asking, tmp_path, *ROLES, helper="model", probe="act").code == 0
        stored = outcomes_at(tmp_path)
        by_id = {item.task.id: item for item in asking.items}
        for name, outcome in stored.items():
            plan = {step.tool: step.call_arguments for step in by_id[name].task.plan}
            for call in outcome["calls"]:
                assert call["arguments"] == plan[call["tool"]]
                assert call["result"]
        questions = [put for outcome in stored.values() for put in outcome["questions"]]
        assert questions
        assert all(put["text"] and put["answer"] and put["kind"] for put in questions)


def _gist(record: Record) -> Any:
    """What a record says but for what takes a judge, and what became of each question."""
    *rest, results, flags = measured(record)
    taken = ("pass_judge", "info_reason", "tools_reason")
    kept = {name: value[:3] for name, value in results.items() if name not in taken}
    return [*rest, kept, {name: count for name, count in flags.items() if not name.startswith("question_")}]


def asks_first(number: int) -> Any:
    """An agent that asks so many questions, one a round, then makes one call, then answers."""

    def habit(request: Request) -> Reply | None:
        if request.rounds < number:
            return question(f"What about thing number {request.rounds}?")
        if request.rounds == number:
            return _first_call(request)
        return Say("I have done what I could.")

    return habit


def _first_call(request: Request) -> Reply:
    return as_reply(Move(calls=(Attempt(request.tool_names[0], {}),)))


class TestWhatAskingCosts:
    OPTIONS: Mapping[str, Any] = {
        "limit": 1,
        "setting": "perfect",
        "probe": "act",
        "helper": "model",
        "rounds": 2,
        "max_questions": 3,
    }

    @pytest.mark.parametrize(
        ("rules", "outcome", "generations"),
        [("definition", Outcome.ANSWERED, 5), ("published", Outcome.LIMIT, 2)],
    )
    def test_nothing_by_the_definition_and_a_round_as_published(  # noqa: PLR0917 - pytest's
        self,
        rules: str,
        outcome: Outcome,
        generations: int,
        asking: AskingAgents,
        capsys: pytest.CaptureFixture[str],
        tmp_path: Path,
    ) -> None:
        asking.habit = asks_first(3)
        # The published runs offer a person only where something is missing.
        options = {**self.OPTIONS, "setting": "under-specified"}
        assert run(capsys, asking, tmp_path, *ROLES, *UNREAD, rules=rules, **options).code == 0
        (record,) = records_at(tmp_path).values()
        assert record.outcomes[ACT] is outcome
        assert len(asking.of("agent")) == generations
        assert record.value("questions") == min(3, generations)
        assert {request.body["temperature"] for request in asking.of("agent")} == {
            1.0 if rules == "published" else 0.0
        }

    def test_only_so_many_questions_are_answered_and_only_those_are_free(
        self, asking: AskingAgents, capsys: pytest.CaptureFixture[str], tmp_path: Path
    ) -> None:
        asking.habit = asks_first(4)
        assert run(capsys, asking, tmp_path, *ROLES, **self.OPTIONS).code == 0
        (record,) = records_at(tmp_path).values()
        assert record.flags["question_over_the_cap"] == 1
        assert record.value("questions") == 4
        answers = results(asking.of("agent")[-1], ASK)
        assert [answer == ENOUGH for answer in answers] == [False, False, False, True]
        # Three free questions, then the fourth and the call take the two rounds.
        assert record.outcomes[ACT] is Outcome.LIMIT
        assert len(asking.of("agent")) == 5
        assert len(asking.of("person")) == 3

    def test_a_call_beside_a_question_takes_a_round(
        self, asking: AskingAgents, capsys: pytest.CaptureFixture[str], tmp_path: Path
    ) -> None:
        asking.habit = lambda request: as_reply(
            Move(calls=(Attempt(ASK, {"question": "Which?"}), Attempt(request.tool_names[0], {})))
        )
        assert run(capsys, asking, tmp_path, *ROLES, **self.OPTIONS).code == 0
        (record,) = records_at(tmp_path).values()
        assert (record.outcomes[ACT], record.calls, record.value("questions")) == (Outcome.LIMIT, 2, 2)

    def test_a_question_that_is_none_is_refused_and_counted_apart(
        self, asking: AskingAgents, capsys: pytest.CaptureFixture[str], tmp_path: Path
    ) -> None:
        asking.habit = lambda request: (
            Say("Never mind.")
            if request.rounds
            else as_reply(Move(calls=(Attempt(ASK, {"wrong": 1}), Attempt(ASK, '{"cut'))))
        )
        assert run(capsys, asking, tmp_path, *ROLES, **self.OPTIONS).code == 0
        (record,) = records_at(tmp_path).values()
        assert record.flags["question_bad_arguments"] == 2
        assert (record.value("asked"), record.value("questions"), record.calls) == (0, 0, 0)


class TestAModel:
    OPTIONS: Mapping[str, Any] = {"limit": 3, "setting": "under-specified", "probe": "act", "helper": "model"}

    def test_plays_the_person_by_the_same_facts(
        self, asking: AskingAgents, capsys: pytest.CaptureFixture[str], tmp_path: Path
    ) -> None:
        done = run(capsys, asking, tmp_path, *ROLES, **self.OPTIONS)
        assert done.code == 0, done.said
        records = records_at(tmp_path)
        assert len(records) == len(asking.items) == len(asking.of("person"))
        for item in asking.items:
            record = records[item.task.id]
            assert record.value("pass") == record.value("conduct") == 1, item.id
            values = [record.value(name) for name in ("targeted", "guessed", "fabricated")]
            assert values == [1, 0, 0], item.id
            assert record.flags["question_said"] == 1
            assert item.known is not None
            (held,) = item.known.withheld
            line = f"- p1: {held.part.words} = {held.words}\n</withheld>"
            told = [one for one in asking.of("person") if line in one.conversation]
            assert told
            assert not [fact for fact in item.task.facts for one in told if fact.label in one.conversation]

    def test_that_says_nothing_leaves_the_item_unscored_until_it_does(
        self, asking: AskingAgents, capsys: pytest.CaptureFixture[str], tmp_path: Path
    ) -> None:
        asking.person = lambda _: EmptyReply()
        first = run(capsys, asking, tmp_path, *ROLES, **self.OPTIONS)
        assert first.code == 1
        assert "the model that plays the person did not answer in the form asked for" in first.said
        assert not any(record.scored for record in records_at(tmp_path).values())
        asking.person = lambda _: Say('{"asks_for": [], "answer": "I don\'t know, sorry."}')
        second = run(capsys, asking, tmp_path, *ROLES, **self.OPTIONS)
        assert second.code == 0, second.said
        records = records_at(tmp_path).values()
        assert all(record.scored for record in records)
        assert {(record.value("targeted"), record.value("fabricated")) for record in records} == {(0, 1)}

    def test_is_asked_once_more_where_its_answer_is_not_of_the_form(
        self, asking: AskingAgents, capsys: pytest.CaptureFixture[str], tmp_path: Path
    ) -> None:
        asking.person = lambda request: Say("Hm?") if len(asking.of("person")) % 2 else helps(request)
        options = {**self.OPTIONS, "limit": 1, "max_connections": 1}
        done = run(capsys, asking, tmp_path, *ROLES, **options)
        assert done.code == 0, done.said
        records = records_at(tmp_path)
        assert len(asking.of("person")) == 2 * len(records)
        assert all(record.value("targeted") == 1 for record in records.values())

    def test_must_be_named(
        self, asking: AskingAgents, capsys: pytest.CaptureFixture[str], tmp_path: Path
    ) -> None:
        refused = run(capsys, asking, tmp_path, **self.OPTIONS)
        assert refused.code == 2
        assert "--role helper=MODEL" in refused.err
        assert asking.requests == []


class Terminal:
    """A run in a process of its own, whose keyboard and screen are ours."""

    def __init__(self, agents: AskingAgents, logs: Path) -> None:
        options = {"limit": 4, "setting": "under-specified", "probe": "act", "helper": "person"}
        agents.items = items_of(planned(**options))
        words = [str(word) for name, value in options.items() for word in (f"--{name}", value)]
        self.process = subprocess.Popen(
            [
                *(sys.executable, "-m", "knowact", "run", "fail-talms", "--model", MODEL),
                *("--role", f"extractor={EXTRACTOR}", "--log-dir", str(logs), *words, *PATIENT),
            ],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={**os.environ, "ASKING_BASE_URL": agents.base_url, "PYTHONUNBUFFERED": "1"},
            preexec_fn=heed_interrupts,  # noqa: PLW1509 - it only sets a signal's disposition
        )
        self.shown = ""
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        while character := self.process.stdout.read(1):
            self.shown += character

    def questions(self) -> int:
        """How many questions have stood on the screen."""
        return self.shown.count("It asks you:")

    def type(self, line: str) -> None:
        """Answer the question that stands there."""
        assert self.process.stdin is not None
        self.process.stdin.write(f"{line}\n")
        self.process.stdin.flush()

    def wait_for(self, what: str, number: int) -> None:
        """Wait until something has been shown so many times."""
        deadline = time.monotonic() + PATIENCE
        while self.shown.count(what) < number:
            if self.process.poll() is not None:
                self.reader.join(PATIENCE)  # what it said last may not be read yet
                assert self.shown.count(what) >= number, self.shown
            assert time.monotonic() < deadline, self.shown
            time.sleep(0.02)

    def ends(self) -> int:
        """Wait until it is over; its exit code."""
        code = self.process.wait(PATIENCE)
        self.reader.join(PATIENCE)
        for pipe in (self.process.stdin, self.process.stdout):
            assert pipe is not None
            pipe.close()
        return code


def answer_for(items: list[AskedItem], shown: str) -> str:
    """What the person on the screen knows."""
    # The terminal wraps what it shows.
    last = " ".join(shown.rpartition("You asked an assistant:")[2].split())
    (item,) = [one for one in items if one.task.opening.utterances[-1].text in last]
    assert item.known is not None
    return item.known.withheld[0].words


def test_a_person_is_asked_one_question_at_a_time_while_others_go_on_and_may_walk_away(
    asking: AskingAgents, tmp_path: Path
) -> None:
    terminal = Terminal(asking, tmp_path)
    items = list(asking.items)
    terminal.wait_for("It asks you:", 1)
    # All samples get to their question while the first one stands on the screen.
    wait_until(lambda: len(asking.of("agent")) >= len(items))
    assert terminal.questions() == 1
    for number in range(1, len(items)):
        terminal.wait_for("It asks you:", number)
        terminal.wait_for("> ", number)
        terminal.type(answer_for(items, terminal.shown))
    terminal.wait_for("It asks you:", len(items))
    assert terminal.process.stdin is not None
    terminal.process.stdin.close()
    assert terminal.ends() == 1, terminal.shown
    assert "nobody answers at the terminal" in terminal.shown
    records = run_at(tmp_path).records
    assert len(records) == len(items)
    answered = [record for record in records if record.scored]
    assert len(answered) == len(items) - 1
    alone = {item.task.id: trial("oracle", item, helped=True) for item in items}
    assert all(record.value("pass") == alone[record.item].value("pass") for record in answered)
    assert all(record.flags["question_said"] == 1 for record in answered)
    assert all(record.value("fabricated") == record.value("guessed") == 0 for record in answered)


def test_a_question_that_nobody_answers_does_not_hold_up_who_wants_to_leave(
    asking: AskingAgents, tmp_path: Path
) -> None:
    terminal = Terminal(asking, tmp_path)
    terminal.wait_for("It asks you:", 1)
    terminal.process.send_signal(signal.SIGINT)
    assert terminal.ends() == 130, terminal.shown
