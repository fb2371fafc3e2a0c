"""A provider that fails is told of: no headline where nothing was scored, none to be quoted beyond 2 %."""

import json
import re
from pathlib import Path

import pytest

from doubles.endpoint import Hang, HtmlPage, NoChoices, Raw, Refuse401, Reply, ServerError
from faults import LASTING
from local_agents import LocalAgents
from running import MODEL, Ran, knowact, tasks_of, waiting

HEADLINE = re.compile(r"KAS(, averaged over the kinds of task,)? is \d")
COUNTS = ("failures", "cost", "baselines")
"""Tables that say how trials ended and what they took, not what came out."""

TOTAL: dict[str, tuple[Reply, str]] = {
    "401": (Refuse401(), "Error code: 401 - The key is not valid."),
    "no choices": (NoChoices(), "Most often: the provider returned no choice."),
    "choices of null": (
        LASTING["choices of null"],
        "Most often: the provider's reply was not a chat completion.",
    ),
    "a choice of null": (
        LASTING["a choice of null"],
        "Most often: the provider's reply was not a chat completion.",
    ),
    "an error with status 200": (
        LASTING["an error with status 200"],
        "Most often: the provider answered with an error: You exceeded your quota.",
    ),
    "an error without a message": (
        Raw(200, '{"error": {"code": 402}, "choices": []}'),
        'Most often: the provider answered with an error: {"code": 402}.',
    ),
    "400": (LASTING["400"], "Most often: Error code: 400 - no such parameter."),
    "a gateway's page": (HtmlPage(502), "the provider failed (5xx), after all retries."),
    "an error of the server": (ServerError(), "the provider failed (5xx), after all retries."),
    "silence": (Hang(600), "the provider did not answer in time, after all retries."),
}


def run_on(capsys: pytest.CaptureFixture[str], logs: Path, items: int, seconds: int = 600) -> Ran:
    words = ("--model", MODEL, "--limit", items, "--log-dir", logs, *waiting(seconds))
    return knowact(capsys, "run", "kapro", *words)


@pytest.mark.slow
@pytest.mark.parametrize("kind", TOTAL)
def test_when_every_call_fails_there_is_no_headline_anywhere_but_a_reason(
    local: LocalAgents, capsys: pytest.CaptureFixture[str], tmp_path: Path, kind: str
) -> None:
    local.tasks = tasks_of()[:3]
    reply, reason = TOTAL[kind]
    for task in local.tasks:
        local.habits[task.id] = lambda _, __: reply
    logs, out = tmp_path / "logs", tmp_path / "report"
    done = run_on(capsys, logs, 3, seconds=1 if kind == "silence" else 600)
    assert done.code == 1
    assert HEADLINE.search(done.out) is None
    assert "No headline." in done.out
    assert "Scored 0 of 3 planned trials" in done.out
    assert done.err.startswith("No trial could be scored. Most often: ")
    assert reason in done.err
    assert "<Future" not in done.said
    assert "Traceback" not in done.said

    assert knowact(capsys, "report", logs, "--out", out).code == 1
    report = json.loads((out / "report.json").read_text(encoding="utf-8"))
    (summary,) = report["runs"]
    assert (summary["scored"], summary["planned"], summary["quotable"]) == (0, 3, False)
    assert summary["headline"] == []
    assert summary["bounds"] is None
    assert "None of the 3 planned trials was scored." in summary["warnings"][0]
    told = [table for table in report["tables"] if table["id"] not in COUNTS]
    assert len(told) > 5
    assert [row for table in told for row in table["rows"] if row["value"] is not None] == []
    page = (out / "index.html").read_text(encoding="utf-8")
    assert HEADLINE.search(page) is None
    assert "None of the 3 planned trials was scored." in page


@pytest.mark.slow
def test_one_of_eight_is_too_many_to_quote_the_rest(
    local: LocalAgents, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    local.tasks = tasks_of()[:8]
    local.habits[local.tasks[0].id] = lambda _, __: Refuse401()
    logs, out = tmp_path / "logs", tmp_path / "report"
    done = run_on(capsys, logs, 8)
    assert done.code == 1
    warning = "Do not quote: 1 of 8 planned trials (12.5 %) are unscored"
    assert warning in done.out
    assert HEADLINE.search(done.out), "so that the test above looks for what there would be"
    assert "1 of 8 trials could not be scored. Most often: Error code: 401" in done.err
    knowact(capsys, "report", logs, "--out", out)
    (summary,) = json.loads((out / "report.json").read_text(encoding="utf-8"))["runs"]
    assert (summary["scored"], summary["unscored"], summary["quotable"]) == (7, 1, False)
    assert warning in summary["warnings"][0]
    bounds = summary["bounds"]
    assert bounds["if_all_wrong"] == pytest.approx(7 / 8)
    assert bounds["if_all_right"] == pytest.approx(1)
    assert warning in (out / "index.html").read_text(encoding="utf-8")
