"""No secret of the environment, a header or a URL ends in a log, in a page or on the screen."""

import base64
import io
import re
import sys
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import zipfile_zstd  # noqa: F401  # pyright: ignore[reportMissingTypeStubs, reportUnusedImport] - logs are packed so

from local_agents import LocalAgents
from one_address import served
from running import knowact, tasks_of

KEY, USER, HEADER, ARGUMENT = (f"knowact-secret-{one}" for one in ("key", "user", "header", "argument"))
SECRETS = (KEY, USER, HEADER, ARGUMENT)
MODEL = "openai-api/keyed/agent"
PACKED = re.compile(rb'"(eN[A-Za-z0-9+/]{200,}={0,2})"')
"""What a page holds compressed: zlib's first bytes in base64."""

AGENT = """
import sys
open({seen!r}, "a").write(sys.argv[1] + "\\n")
print("I cannot say.")
"""
"""An agent that keeps the address it was given outside of any log."""


@pytest.fixture
def keyed(monkeypatch: pytest.MonkeyPatch) -> Iterator[LocalAgents]:
    """Scripted models that are asked with a key."""
    with served(LocalAgents()) as agents:
        monkeypatch.setenv("KEYED_BASE_URL", agents.base_url)
        monkeypatch.setenv("KEYED_API_KEY", KEY)
        yield agents


def contents(folder: Path) -> Iterator[tuple[Path, bytes]]:
    """All bytes below a folder; those of archives unpacked."""
    for file in folder.rglob("*"):
        if not file.is_file():
            continue
        data = file.read_bytes()
        yield file, data
        for packed in PACKED.findall(data) if file.suffix == ".html" else ():
            yield file / "packed", zlib.decompress(base64.b64decode(packed))
        if zipfile.is_zipfile(io.BytesIO(data)):
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                for name in archive.namelist():
                    yield file / name, archive.read(name)


def found(folder: Path, secrets: tuple[str, ...]) -> list[str]:
    """Where secrets stand; fails where there is nothing to search."""
    searched = list(contents(folder))
    assert searched
    return [f"{secret} in {file}" for file, data in searched for secret in secrets if secret.encode() in data]


READ = ("--role", "extractor=openai-api/keyed/extractor", "--role", "judge=openai-api/keyed/judge")


@pytest.mark.slow
def test_a_run_and_its_report(keyed: LocalAgents, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    keyed.tasks = tasks_of()
    run = ("run", "kapro", "--model", MODEL, *READ, "--limit", 4, "--yes", "--log-dir", tmp_path / "logs")
    ran = knowact(capsys, *run, "--", "-M", f"api_key={ARGUMENT}")
    assert ran.code == 0, ran.said
    done = knowact(capsys, "report", tmp_path / "logs", "--out", tmp_path / "report")
    assert (tmp_path / "report" / "index.html").exists()
    page = [data for file, data in contents(tmp_path / "report") if file.name == "packed"]
    assert any(b"tool_decisions" in one for one in page), "transcripts are searched, too"
    assert not found(tmp_path, SECRETS)
    assert not any(secret in ran.said + done.said for secret in SECRETS)


@pytest.mark.slow
def test_an_agent_in_a_process_of_its_own(
    keyed: LocalAgents, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    agent, seen = tmp_path / "agent.py", tmp_path / "seen.txt"
    agent.write_text(AGENT.format(seen=str(seen)), encoding="utf-8")
    command = f"cmd:{sys.executable} {agent} {{mcp_url}}"
    run = ("run", "kapro", "--agent", command, "--limit", 2, "--yes", "--log-dir", tmp_path / "logs")
    knowact(capsys, *run)
    paths = {
        urlsplit(line).path.strip("/").split("/")[0] for line in seen.read_text(encoding="utf-8").split()
    }
    assert len(paths) >= 2, "a token for each trial"
    assert not found(tmp_path / "logs", (*SECRETS, *paths))


@pytest.mark.parametrize(
    "words",
    [
        ("--model-base-url", f"https://somebody:{USER}@example.org/v1"),
        ("-M", f'default_headers={{"Authorization": "Bearer {HEADER}"}}'),
        ("-M", f'default_headers={{"X-Api-Key": "{HEADER}"}}'),
        ("-M", f"client_secret={ARGUMENT}"),
    ],
)
def test_what_the_engine_would_write_into_its_log_is_refused(
    keyed: LocalAgents, tmp_path: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, str]
) -> None:
    run = ("run", "kapro", "--model", MODEL, "--limit", 1, "--yes", "--log-dir", tmp_path / "logs")
    ran = knowact(capsys, *run, "--", *words)
    assert ran.code == 2, ran.said
    assert "would stand in the log" in ran.err
    assert not any(secret in ran.said for secret in SECRETS)
    assert not keyed.requests


def test_an_address_with_a_password_in_the_environment_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GATED_BASE_URL", f"http://somebody:{USER}@127.0.0.1:9/v1")
    monkeypatch.setenv("GATED_API_KEY", KEY)
    for words in (
        ("--model", "openai-api/gated/a"),
        ("--model", "knowact/oracle", "--judge", "openai-api/gated/a"),
    ):
        ran = knowact(capsys, "run", "kapro", *words, "--limit", 1, "--yes", "--log-dir", tmp_path / "logs")
        assert ran.code == 2, ran.said
        assert "its address holds a password, which would stand in the log" in ran.err
        assert USER not in ran.said
