"""Know-to-act transfer over real HTTP: what stands in each of the four chats, and what comes of it."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from doubles.endpoint import EmptyReply, Reply, Request, Say
from doubles.replies import text_of
from knowact.core.names import shown_names
from knowact.core.record import TRANSFER, Outcome, Status
from knowact.core.suite import Item, Plan, Suite
from knowact.core.task import Task
from knowact.engine.loop import chat
from knowact.probes.probe import opening_messages
from knowact.suites.fail_talms.asked import AskedItem as FailItem
from knowact.suites.fail_talms.suite import SUITE as FAIL_TALMS
from knowact.suites.ict.asked import AskedItem as IctItem
from knowact.suites.ict.suite import SUITE as ICT
from knowact.suites.kapro.suite import SUITE as KAPRO
from local_agents import LocalAgents
from running import EXTRACTOR, JUDGE, MODEL, PATIENT, Ran, knowact, run_at

pytestmark = pytest.mark.slow

LONG = ("more than 20 characters", "more than 200 characters")
"""What the neutral questions ask."""
NEUTRAL = "I have looked at how long they are."


@dataclass(frozen=True, slots=True)
class Case:
    """A suite, how many of its items, and what its agent answers to each question about its limits."""

    suite: Suite
    act: str
    questions: int
    verdict: str
    limit: int

    @property
    def plan(self) -> Plan:
        return self.suite.plan({**self.suite.defaults(), "limit": self.limit, "transfer": True})


CASES = {
    "kapro": Case(KAPRO, "act", 1, '{"tool_decisions": {}} is my verdict.', 6),
    "fail-talms": Case(FAIL_TALMS, "act", 2, "IDK. I could not say.", 2),
    "ict": Case(ICT, "implicit", 1, "Yes", 3),
}


def is_question(request: Request) -> bool:
    return "</tools>" in request.last_text


def is_neutral(request: Request) -> bool:
    return any(words in request.last_text for words in LONG)


def said(request: Request) -> list[tuple[str, str]]:
    return [(message["role"], text_of(message)) for message in request.messages]


class Talks:
    """A run of some items of a suite, and what its agent was sent."""

    def __init__(self, name: str, local: LocalAgents, monkeypatch: pytest.MonkeyPatch) -> None:
        self.name, self.case, self.local = name, CASES[name], local
        self.plan = self.case.plan
        self.silent = False
        # What is done does not depend on the task.
        monkeypatch.setattr(LocalAgents, "task_of", self._any_task)
        local.answers = lambda request, _: self.answer(request)
        local.extractor = lambda request, _: _finds_nothing(request)
        local.judge = _never_likes

    def _any_task(self, _: Request) -> Task:
        return self.plan.items[0].task

    def answer(self, request: Request) -> Reply:
        if not is_question(request):
            return Say("That is all that I can say.")
        if is_neutral(request):
            return Say(NEUTRAL)
        return EmptyReply() if self.silent else Say(self.case.verdict)

    def run(self, capsys: pytest.CaptureFixture[str], logs: Path) -> Ran:
        words = ("--limit", self.case.limit, "--transfer", "--model", MODEL, "--log-dir", logs)
        roles = ("--role", f"extractor={EXTRACTOR}", "--role", f"judge={JUDGE}")
        return knowact(capsys, "run", self.name, *words, *roles, *PATIENT)

    def of(self, model: str) -> list[Request]:
        return [one for one in self.local.requests if one.model == model]

    def acting(self, item: Item) -> list[Request]:
        """The chats in which the agent acts on an item, in the order sent."""
        opening = [(one.role, one.text) for one in chat(opening_messages(item.task.opening))]
        names = [*shown_names(tool.name for tool in item.tools).values()]
        lengths = {1 + len(opening), 1 + 2 * self.case.questions + len(opening)}
        return [
            one
            for one in self.of("agent")
            if not is_question(one)
            and [*one.tool_names] == names
            and said(one)[-len(opening) :] == opening
            and len(one.messages) in lengths
        ]


def _never_likes(request: Request) -> Reply:
    """A judge that says the least of what it may."""
    verdict = "other" if "- other:" in request.conversation else "wrong"
    return Say(json.dumps({"verdict": verdict}))


def _finds_nothing(request: Request) -> Reply:
    properties: Mapping[str, Any] = json.loads(request.conversation.rpartition("The form:")[2])["properties"]
    return Say(json.dumps(dict.fromkeys(properties)))


@pytest.fixture(params=CASES)
def talks(request: pytest.FixtureRequest, local: LocalAgents, monkeypatch: pytest.MonkeyPatch) -> Talks:
    return Talks(str(request.param), local, monkeypatch)


def gold_of(item: Item, answers: Sequence[str]) -> bool:
    """Whether these are the right answers about an item, read a second way than they were written."""
    if isinstance(item, IctItem):
        return list(answers) == ["No" if item.lacks else "Yes"]
    if isinstance(item, FailItem):
        words = {part.id: part.words for part in item.parts}
        found: dict[str, str] = dict(zip(("tools", "information"), answers, strict=True))
        lacking = {name for name, answer in found.items() if answer.startswith("No. This is missing: ")}
        named = all(words[one] in found[name] for one in item.missing for name in lacking)
        yes = all(answer.startswith("Yes. ") for name, answer in found.items() if name not in lacking)
        return lacking == set(item.lacks) and named and yes
    shown = shown_names(tool.name for tool in item.tools)
    decided = json.loads(answers[0])["tool_decisions"]
    needed = {shown[tool] for tool in item.task.required}
    return list(decided) == [*shown.values()] and {name for name, yes in decided.items() if yes} == needed


def test_the_four_chats_differ_in_what_precedes_the_request_alone(
    talks: Talks, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    done = talks.run(capsys, tmp_path)
    assert done.code == 0, done.said
    between = 1 + 2 * talks.case.questions
    for item in talks.plan.items:
        alone, own, neutral, gold = chats = [said(one) for one in talks.acting(item)]
        assert alone[0][0] == "system"
        for one in chats[1:]:
            assert [*one[:1], *one[between:]] == alone, item.id
            assert [role for role, _ in one[1:between]] == ["user", "assistant"] * talks.case.questions
        assert own[1:between:2] == gold[1:between:2] != neutral[1:between:2]
        for (_, question), (_, other) in zip(own[1:between:2], neutral[1:between:2], strict=True):
            assert abs(len(other) - len(question)) <= 0.1 * len(question), item.id
        assert {text for _, text in own[2:between:2]} == {talks.case.verdict}
        assert {text for _, text in neutral[2:between:2]} == {NEUTRAL}
        assert gold_of(item, [text for _, text in gold[2:between:2]]), item.id
        # What was said before a verdict was asked for is no business of the next chat.
        tools = [one.tools for one in talks.acting(item)]
        assert tools == tools[:1] * 4
    few, most = talks.plan.calls
    assert few <= len(talks.of("agent")) <= most


def test_each_reply_is_read_as_that_of_the_acting_probe_is(
    talks: Talks, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert talks.run(capsys, tmp_path).code == 0
    records = run_at(tmp_path).records
    assert len(records) == len(talks.plan.items)
    for record in records:
        results = [record.results[name] for name in TRANSFER]
        # It said the same and called nothing in all four, so whoever reads it comes to the same.
        assert results[0].status is Status.VALUE
        assert results == results[:1] * 4, record.item
    read = {"kapro": 1, "fail-talms": 4, "ict": 4}[talks.name]
    with_facts = sum(bool(item.task.facts) or talks.name == "ict" for item in talks.plan.items)
    assert len(talks.of("extractor")) == read * with_facts
    for role in ("extractor", "judge"):
        few, most = talks.plan.role_calls[role]
        assert few <= len(talks.of(role)) <= most


def test_no_verdict_is_followed_where_none_was_given_and_that_is_counted(
    talks: Talks, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    talks.silent = True
    done = talks.run(capsys, tmp_path)
    assert done.code == 0, done.said
    behind_own = f"{talks.case.act}_own"
    for record in run_at(tmp_path).records:
        assert record.outcomes[behind_own] is Outcome.NOT_RUN
        lost = record.results["transfer_own"]
        assert (lost.status, lost.why) == (Status.NOT_APPLICABLE, "there was no answer to follow")
        assert record.results["transfer_gold"].status is Status.VALUE
    for item in talks.plan.items:
        assert len(talks.acting(item)) == 3
    assert f"Outcome of {behind_own.replace('_', ' ')}: not run {len(talks.plan.items)}." in done.out
    few, most = talks.plan.calls
    assert few <= len(talks.of("agent")) <= most
