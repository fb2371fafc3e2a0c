"""The paper's whole protocol over real HTTP: a scripted agent and a scripted judge, on a release of ours.

The agent knows replacements, and overlooks what a removal took unless it reasons or is asked to check; it
takes any failed call for a lack of information. So every number of the tables follows from its script.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from doubles.endpoint import CallTools, Reply, Request, Say, ToolCall
from doubles.replies import text_of
from ict_trials import items_of, planned
from knowact.core.record import Outcome, Status
from knowact.probes.probe import shown_tools, tools_as_text
from knowact.suites.ict.asked import FIRST, WHY, AskedItem
from knowact.suites.ict.probes import COT, FOUR, SELF, STRATEGIES, SV, ZERO
from one_address import afresh, served
from running import json_report, knowact, records_at, table_rows

from .release import standard, write

pytestmark = pytest.mark.slow

AGENT, JUDGE = "openai-api/paper/agent", "openai-api/paper/judge"
TOWNS = ("Hove", "Lund", "Brno", "Nice", "Pisa")
"""Four-shot takes five tasks of each part."""
PAIRS = 4
"""One of each part."""
PARTS = ("AR-AB", "AR-TB", "UR-AB", "UR-TB")


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A release of forty pairs: each of ours in five towns."""
    files = {
        stem: [
            {
                **row,
                "original_sample_id": row["original_sample_id"] + 10_000 * number,
                "conversation": row["conversation"].replace("User: ", f"User: Hello from {town}. ", 1),
            }
            for number, town in enumerate(TOWNS)
            for row in rows
        ]
        for stem, rows in standard().items()
    }
    return write(tmp_path_factory.mktemp("release"), files)


@cache
def _items(release: Path) -> tuple[AskedItem, ...]:
    return items_of(planned(data=str(release)))


def item_of(request: Request, release: Path) -> AskedItem:
    """The item that a request is about: by its words and its tools, examples of others left out."""
    texts = [text_of(message) for message in request.messages]
    question = [text for text in texts if "<conversation>" in text][-1:]
    shown = "\n".join(question or texts)
    found = [
        one
        for one in _items(release)
        if all(said.text in shown for said in one.task.opening.utterances)
        and (
            list(request.tool_names) == [tool["name"] for tool in shown_tools(one.tools)]
            or tools_as_text(one.tools) in shown
        )
    ]
    return max(found, key=lambda one: len(one.task.opening.text))


@dataclass(slots=True)
class PaperModels:
    """An agent and a judge.

    Attributes:
        base_url: Where they are.
        release: What they are asked about.
        strategy: How the agent is asked.
        refused: Parts whose complete items the agent says no to.
        requests: Those of this test.
    """

    base_url: str = ""
    release: Path = Path()
    strategy: str = ZERO
    refused: tuple[str, ...] = ()
    requests: list[Request] = field(default_factory=list[Request])

    def script(self, request: Request) -> Reply:
        """Answer a request."""
        self.requests.append(request)
        if request.model == "judge":
            reason = request.last_text.rpartition("<reason>")[2]
            return Say(f'{{"verdict": "{"wrong" if "no tool fits" in reason else "right"}"}}')
        return self._answer(request, item_of(request, self.release))

    def _answer(self, request: Request, item: AskedItem) -> Reply:
        removed = item.lacks == ("information",)
        if request.tools:
            able = item.gold == "complete" or removed
            call = CallTools((ToolCall(item.tools[0].name, {}),))
            return call if able else Say("Done! It is all arranged.")
        if request.last_text.startswith("Why not?"):
            return Say("I think no tool fits that." if removed else "What would do it is not on the list.")
        if "has just called a tool" in request.last_text:
            return Say("No" if '"error"' in text_of(request.messages[-2]) else "Yes")
        sees = not removed or self.strategy in (COT, SV) or "check that answer" in request.last_text
        right = "Yes" if item.gold == "complete" and item.labels["part"] not in self.refused else "No"
        return Say(f"I have thought.\nAnswer: {right}" if sees else "Yes")


@pytest.fixture(scope="module")
def _endpoint() -> Iterator[PaperModels]:
    with served(PaperModels()) as models:
        yield models


@pytest.fixture
def models(
    _endpoint: PaperModels, release: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> PaperModels:
    found = afresh(_endpoint, "paper", monkeypatch, tmp_path)
    found.release = release
    return found


def run(
    capsys: pytest.CaptureFixture[str], models: PaperModels, folder: Path, *words: object, probe: str
) -> Path:
    """Run one part of the protocol; return where its log is."""
    logs = folder / f"{probe}-{models.strategy}"
    options = ("--data", models.release, "--rules", "published", "--limit", PAIRS, "--votes", 1)
    roles = ("--model", AGENT, "--judge", JUDGE, "--log-dir", logs)
    done = knowact(capsys, "run", "ict", "--probe", probe, *options, *roles, *words)
    assert done.code == 0, done.said
    return logs


def by_part(report: dict[str, Any], table: str, measure: str, **keys: str) -> dict[str, Any]:
    return {
        row["part"]: row["value"] for row in table_rows(report, table, measure) if keys.items() <= row.items()
    }


def everywhere(replaced: float, removed: float) -> dict[str, float]:
    return dict(zip(PARTS, (replaced, replaced, removed, removed), strict=True))


class TestTheProtocol:
    def test_explicit_in_all_strategies_with_explanations(
        self, models: PaperModels, capsys: pytest.CaptureFixture[str], tmp_path: Path
    ) -> None:
        for strategy in STRATEGIES:
            models.strategy = strategy
            run(capsys, models, tmp_path, "--strategy", strategy, probe="explicit")
        report = json_report(capsys, tmp_path, tmp_path / "r.json")
        for table, strategies in (("table-2", (ZERO, FOUR)), ("table-7", (ZERO, COT, SV, SELF))):
            for strategy in strategies:
                blind = strategy in (ZERO, FOUR)
                accuracy = by_part(report, table, "Acc", strategy=strategy)
                assert accuracy == everywhere(1, 0.5 if blind else 1), (table, strategy)
                f1 = by_part(report, table, "F1 (no)", strategy=strategy)
                assert f1 == everywhere(1, 0 if blind else 1), (table, strategy)
        for strategy in (COT, SV, SELF):
            right = by_part(report, "table-9", "right", strategy=strategy)
            assert right == {**everywhere(1, 0), "all": 0.5}, strategy
        assert by_part(report, "table-9", "right", strategy=ZERO) == {"AR-AB": 1, "AR-TB": 1, "all": 1}
        knowact(capsys, "report", tmp_path, "--out", tmp_path / "page")
        assert "F1 by strategy" in (tmp_path / "page" / "index.html").read_text("utf-8")

    def test_implicit_any_reply_without_a_call_is_a_no(
        self, models: PaperModels, capsys: pytest.CaptureFixture[str], tmp_path: Path
    ) -> None:
        logs = run(capsys, models, tmp_path, probe="implicit")
        report = json_report(capsys, logs, tmp_path / "r.json")
        assert by_part(report, "table-5", "Acc") == everywhere(1, 0.5)
        assert by_part(report, "table-5", "F1 (no)") == everywhere(1, 0)
        assert {one.model for one in models.requests} == {"agent"}, "nobody reads words"

    def test_after_a_call_in_three_cells(
        self, models: PaperModels, capsys: pytest.CaptureFixture[str], tmp_path: Path
    ) -> None:
        logs = run(capsys, models, tmp_path, probe="feedback")
        report = json_report(capsys, logs, tmp_path / "r.json")
        rows = [row for row in table_rows(report, "table-6", "accuracy") if row["part"] == "all"]
        assert {row["cell"]: (row["value"], row["n"]) for row in rows} == {
            "removed, call fails": (1, PAIRS),
            "removed, call succeeds": (0, PAIRS),
            "complete, call fails": (0, PAIRS),
            "both dialogues right": (0, PAIRS),
        }
        assert all("tool_calls" in one.messages[-3] for one in models.requests)


class TestWhoIsAskedWhat:
    def test_a_first_answer_is_checked_in_the_same_chat(
        self, models: PaperModels, capsys: pytest.CaptureFixture[str], tmp_path: Path
    ) -> None:
        models.strategy = SELF
        records = records_at(
            run(capsys, models, tmp_path, "--strategy", SELF, "--no-why", probe="explicit")
        ).values()
        assert {record.outcomes[FIRST] for record in records} == {Outcome.ANSWERED}
        assert {record.outcomes[WHY] for record in records} == {Outcome.NOT_RUN}
        revised = [record for record in records if "explicit_revised" in record.flags]
        assert {record.labels["part"] for record in revised} == {"UR-AB", "UR-TB"}
        assert len(revised) == PAIRS // 2
        assert all(record.knew for record in records)
        assert len(models.requests) == 2 * 2 * PAIRS
        roles = {tuple(message["role"] for message in one.messages) for one in models.requests}
        assert roles == {("system", "user"), ("system", "user", "assistant", "user")}

    def test_only_a_right_no_is_explained(
        self, models: PaperModels, capsys: pytest.CaptureFixture[str], tmp_path: Path
    ) -> None:
        models.strategy, models.refused = SV, ("AR-TB", "UR-TB")
        logs = run(capsys, models, tmp_path, "--strategy", SV, probe="explicit")
        for record in records_at(logs).values():
            complete = record.labels["gold"] == "complete"
            said_no = record.value("said") == 0
            assert said_no == (not complete or record.labels["part"] in models.refused)
            assert (record.outcomes[WHY] is Outcome.ANSWERED) == (not complete)
        judged = [one for one in models.requests if one.model == "judge"]
        assert len(judged) == PAIRS
        assert all("Four examples." in one.last_text for one in judged)

    def test_peoples_labels_stand_beside_the_judge(
        self, models: PaperModels, capsys: pytest.CaptureFixture[str], tmp_path: Path
    ) -> None:
        models.strategy = SV
        logs = run(capsys, models, tmp_path, "--strategy", SV, probe="explicit")
        judged = [one for one in records_at(logs).values() if one.results["why"].status is Status.VALUE]
        assert len(judged) == PAIRS
        assert {one.value("why") for one in judged} == {0, 1}
        labels = tmp_path / "labels.csv"
        labels.write_text("".join(["item,passed\n", *(f"{one.item},yes\n" for one in judged)]), "utf-8")
        done = knowact(capsys, "report", logs, "--labels", labels, "--json", tmp_path / "r.json")
        assert f"Labelled trials: {PAIRS}." in done.out
        report = json.loads((tmp_path / "r.json").read_text("utf-8"))
        (row,) = table_rows(report, "judges", "agreement")
        assert (row["value"], row["n"], row["between"]) == (0.5, PAIRS, "judge and person")
