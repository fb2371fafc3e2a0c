"""One real call before a run: what keeps a model from answering is told at once, and nothing is begun."""

import socket
from pathlib import Path

import pytest

from doubles.endpoint import (
    BrokenJson,
    Hang,
    HtmlPage,
    NoChoices,
    RateLimited,
    Raw,
    Refuse401,
    Reply,
    Request,
    Say,
    ScriptedEndpoint,
    ServerError,
)
from knowact.engine import first_call
from local_agents import LocalAgents
from running import EXTRACTOR, JUDGE, MODEL, Ran, knowact, tasks_of

OTHER = "openai-api/other/agent"
"""Its address changes from test to test, so no run of it may get beyond the first call: the engine keeps a
model, address included."""

REFUSALS = {
    "wrong key": (Refuse401(), "The key is not valid (401). Check its API key."),
    "no such model": (
        Raw(404, '{"error": {"message": "The model `agent` does not exist"}}'),
        "The model `agent` does not exist (404). Check the model's name",
    ),
    "no such page": (Raw(404, "<p>Nothing\x1b here</p>", "text/html"), "here</p> (404)"),
    "no money": (
        Raw(429, '{"error": {"message": "You exceeded your quota", "code": "insufficient_quota"}}'),
        "You exceeded your quota (429). Check the model's account.",
    ),
    "a web page": (HtmlPage(), "the provider's reply was not a chat completion. Check its server"),
    "half a JSON": (BrokenJson(), "the provider's reply was not JSON"),
    "no choice": (NoChoices(), "the provider returned no choice. Check"),
    "silence": (Hang(600), "gave no answer at http://127.0.0.1"),
}


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give an endpoint that answers as long as it needs on a busy machine."""
    monkeypatch.setattr(first_call, "SECONDS", 600.0)


def run_against(
    reply: Reply, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, log_dir: Path
) -> tuple[Ran, tuple[Request, ...]]:
    monkeypatch.setenv("OTHER_API_KEY", "any")
    if isinstance(reply, Hang):
        monkeypatch.setattr(first_call, "SECONDS", 0.5)
    with ScriptedEndpoint(lambda _: reply) as endpoint:
        monkeypatch.setenv("OTHER_BASE_URL", endpoint.base_url)
        words = ("run", "kapro", "--model", OTHER, "--limit", 1, "--yes", "--preflight", "--log-dir", log_dir)
        return knowact(capsys, *words), endpoint.requests


@pytest.mark.parametrize("kind", REFUSALS)
def test_what_refuses_is_told_in_the_providers_words_and_nothing_is_begun(
    kind: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    reply, said = REFUSALS[kind]
    ran, requests = run_against(reply, capsys, monkeypatch, tmp_path / "logs")
    assert ran.code == 2
    (sentence,) = ran.err.splitlines()
    assert sentence.startswith(f"Error: The model {OTHER} ")
    assert said in sentence
    assert "\x1b" not in sentence
    assert {request.conversation for request in requests} == {first_call.QUESTION}
    assert not (tmp_path / "logs").exists()


def test_a_closed_port_is_told_with_its_address(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    words = ("run", "kapro", "--model", OTHER, "--preflight", "--yes", "--log-dir", tmp_path)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # nobody listens, and nobody else can
        address = f"http://127.0.0.1:{taken.getsockname()[1]}/v1"
        monkeypatch.setenv("OTHER_API_KEY", "any")
        monkeypatch.setenv("OTHER_BASE_URL", address)
        ran = knowact(capsys, *words)
    assert ran.code == 2
    assert f"cannot be used at {address}: Connection refused. Check its server and address." in ran.err


@pytest.mark.parametrize("reply", [ServerError(), RateLimited(0.1)])
def test_what_passes_by_itself_is_told_and_stops_nothing(
    reply: Reply, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OTHER_API_KEY", "any")
    with ScriptedEndpoint(lambda _: reply) as endpoint:
        monkeypatch.setenv("OTHER_BASE_URL", endpoint.base_url)
        (note,) = first_call.call_each([first_call.Callee(OTHER)])
    assert "cannot answer now" in note


def test_built_in_agents_files_people_and_agents_that_are_no_models_are_not_called() -> None:
    for name in ("knowact/oracle", "filed/forms.jsonl", "person/terminal", "mockllm/model", "agent/cmd:ls"):
        assert not first_call.Callee(name).reachable, name
    assert not first_call.Callee("vllm/org/model").reachable
    assert first_call.Callee("vllm/org/model", "http://127.0.0.1:8000/v1").reachable


def test_each_model_is_called_once_and_a_finished_run_calls_nobody(
    local: LocalAgents, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    local.tasks = tasks_of()[:1]
    roles = ("--role", f"judge={JUDGE}", "--role", f"extractor={EXTRACTOR}", "--role", f"helper={JUDGE}")
    words = (
        "run",
        "kapro",
        "--model",
        MODEL,
        *roles,
        "--limit",
        1,
        "--yes",
        "--preflight",
        "--log-dir",
        tmp_path,
    )
    first = knowact(capsys, *words)
    assert first.code == 0, first.said
    called = [one for one in local.requests if one.conversation == first_call.QUESTION]
    assert sorted(one.model for one in called) == ["agent", "extractor", "judge"]
    assert called == local.requests[:3]
    before = len(local.requests)
    assert knowact(capsys, *words).code == 0
    assert len(local.requests) == before
    local.requests.clear()
    assert knowact(capsys, *words, "--fresh", "--no-preflight").code == 0
    assert all(one.conversation != first_call.QUESTION for one in local.requests)


def test_doctor_ping_does_only_that(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OTHER_API_KEY", "any")
    with ScriptedEndpoint(lambda _: Say("OK")) as endpoint:
        monkeypatch.setenv("OTHER_BASE_URL", endpoint.base_url)
        good = knowact(capsys, "doctor", "--ping", "--model", OTHER, "--model", "knowact/oracle")
        assert len(endpoint.requests) == 1
    first, second = good.out.splitlines()
    assert good.code == 0
    assert first.startswith(f"ok    the model {OTHER} answered in ")
    assert second == "ok    the model knowact/oracle has no server to call"
    with ScriptedEndpoint(lambda _: Refuse401()) as endpoint:
        monkeypatch.setenv("OTHER_BASE_URL", endpoint.base_url)
        bad = knowact(capsys, "doctor", "--ping", "--model", OTHER)
    assert bad.code == 1
    assert bad.out.startswith("FAIL  The model")
    assert knowact(capsys, "doctor", "--ping").code == 2
