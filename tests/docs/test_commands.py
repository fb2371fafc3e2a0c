"""Every command that README and docs show is run as a reader would type it, page by page.

What a page takes for granted is put in place: models answer on loopback, agents and data are what the page
says of them. Blocks that can't run here say why in a comment above them; their options are checked still.
"""

import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import click
import pytest

from calibrating import filed, right_forms
from documented import (
    PAGES,
    PROVIDER,
    ROOT,
    Shown,
    answer,
    blocks,
    commands,
    local,
    mentioned,
    name_of,
    with_local_models,
)
from doubles.endpoint import ScriptedEndpoint
from knowact.cli.main import COMMANDS, knowact, run
from knowact.core.errors import KnowactError

RUN = [page for page in PAGES if any(not one.unrun for one in commands(page))]


def write(path: Path, text: str) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")


def own_tasks(folder: Path) -> None:
    """The task of the page, on one line."""
    write(folder / "my-tasks" / "items.jsonl", json.dumps(json.loads(blocks("docs/own-data.md", "json")[0])))


def own_function(folder: Path) -> None:
    """The page's agent."""
    write(folder / "my_agent.py", blocks("docs/agents.md", "python")[0])


def own_agents(folder: Path) -> None:
    """The page's agent, and a command that repeats its prompt."""
    own_function(folder)
    write(folder / "my-agent", f"#!{sys.executable}\nimport sys\nprint(open(sys.argv[-1]).read()[:40])\n")
    (folder / "my-agent").chmod(0o755)


def config(folder: Path) -> None:
    """The page's file, with few tasks and without a limit of cost: our models have no price."""
    text = with_local_models(blocks("docs/config.md", "toml")[0]).replace("cost-limit = 10\n", "")
    write(
        folder / "suite.toml", text.replace("limit = 200", "limit = 2").replace("[car]", "[car]\nlimit = 1")
    )


def runs_to_read_again(_: Path) -> None:
    """Runs of three suites; forms for some of the labelled replies."""
    for words in (
        "car --trials 1 --limit 1 --model knowact/oracle",
        "ict --limit 2 --model knowact/oracle",
        f"fail-talms --limit 2 --model openai-api/{PROVIDER}/agent --judge openai-api/{PROVIDER}/judge",
    ):
        assert run(["run", *words.split()]) == 0


def forms(folder: Path) -> None:
    """Runs, and filled forms."""
    runs_to_read_again(folder)
    filed(folder / "forms.jsonl", dict(list(right_forms().items())[:3]))


BEFORE: Mapping[str, Callable[[Path], None]] = {
    "README.md": own_function,
    "docs/agents.md": own_agents,
    "docs/config.md": config,
    "docs/instruments.md": forms,
    "docs/own-data.md": own_tasks,
    "docs/treatments.md": runs_to_read_again,
}


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Where models answer: one address, as the engine keeps a model while the process lives."""
    with ScriptedEndpoint(answer, keep_requests=False) as endpoint:
        yield endpoint.base_url


@pytest.fixture
def reader(tmp_path: Path, address: str, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, with models at hand and commands in it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("KNOWACT_DATA", str(tmp_path / "measured"))
    monkeypatch.setenv("INSPECT_CACHE_DIR", str(tmp_path / "engine-cache"))
    for provider in ("OPENROUTER", PROVIDER.upper()):
        monkeypatch.setenv(f"{provider}_API_KEY", "x")
        monkeypatch.setenv(f"{provider}_BASE_URL", address)
    return tmp_path


@pytest.mark.slow
@pytest.mark.parametrize("page", RUN, ids=name_of)
def test_the_commands_of_a_page_do_what_they_say(
    page: Path, reader: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    BEFORE.get(name_of(page), lambda _: None)(reader)
    for shown in commands(page):
        if not shown.unrun:
            code, said = carried_out(shown, monkeypatch, capsys)
            assert code == shown.code, (shown, said)


@pytest.mark.slow
@pytest.mark.usefixtures("reader")
def test_the_python_of_the_readme_runs() -> None:
    _agent, block = blocks("README.md", "python")  # `make frameworks` runs the agent
    found: dict[str, Any] = {}
    exec(block, found)  # noqa: S102 - our own page
    assert {run.model for run in found["runs"]} == {"knowact/eager", "knowact/oracle"}


def carried_out(
    shown: Shown, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> tuple[int, str]:
    """The exit code of a command, and what it said."""
    words = local(shown.words)
    if words[0] == "knowact" and words[1] != "serve":
        # Somebody who audits takes the first answer each time, and Enter where there is none to take; whoever
        # plays an agent or a user has left.
        monkeypatch.setattr(
            sys, "stdin", io.StringIO("1\n\n" * 2000 if words[1:3] == ["human", "audit"] else "")
        )
        return run(words[1:]), "".join(capsys.readouterr())
    programs = {"knowact": ["-m", "knowact"], "inspect": ["-m", "inspect_ai"], "python": []}
    done = subprocess.run(
        [sys.executable, *programs[words[0]], *words[1:]],
        check=False,
        capture_output=True,
        text=True,
        timeout=600,
        stdin=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
    )
    return done.returncode, done.stdout + done.stderr


BY_PLUGINS = "run by tests/plugins"
"""Of the suites that are installed there."""


def refused(words: list[str]) -> str:
    """What the command line has against the names and options of a command; "" if nothing."""
    command, context = knowact, click.Context(knowact, info_name="knowact")
    rest = ["kapro" if word == "SUITE" else word for word in words[1:]]
    try:
        while isinstance(command, click.Group) and rest and not rest[0].startswith("-"):
            name, found, rest = command.resolve_command(context, rest)
            assert found is not None
            context = click.Context(found, info_name=name, parent=context, **found.context_settings)
            command = found
        command.make_parser(context).parse_args(rest)
    except click.BadOptionUsage:
        pass  # a sentence may leave out what an option takes
    except (click.UsageError, KnowactError) as error:
        return str(error)
    return ""


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_command_and_option_that_a_page_names_exists(page: Path) -> None:
    every = [one for one in (*commands(page), *mentioned(page)) if one.words[0] == "knowact"]
    shown = [one for one in every if one.unrun != BY_PLUGINS]
    assert {one.line: why for one in shown if (why := refused(one.words))} == {}


def test_a_wrong_name_would_be_noticed() -> None:
    for line in (
        "knowact runn kapro",
        "knowact run kapro --modell M",
        "knowact human audits kapro",
        "knowact run kaproo",
    ):
        assert refused(list[str](line.split())), line


def test_nearly_all_commands_are_run() -> None:
    every = [one for page in PAGES for one in commands(page) if one.words[0] == "knowact"]
    never = [one for one in every if one.unrun and not one.unrun.startswith("run by tests/")]
    assert len(every) > 80
    assert len(never) <= 13, "more can be run: models answer on loopback"


def test_every_command_is_documented_and_has_help() -> None:
    page, context = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8"), click.Context(knowact)
    for name in COMMANDS:
        assert f"`knowact {name}" in page, name
        command = knowact.get_command(context, name)
        assert command is not None
        assert command.help


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", page.read_text(encoding="utf-8")):
        if "://" not in target:
            assert (page.parent / target).exists(), target


def test_the_make_targets_that_pages_name_exist() -> None:
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    for page in PAGES:
        named = re.findall(r"(?:`|\$ )make ([a-z][a-z -]*)", page.read_text(encoding="utf-8"))
        assert {word for words in named for word in words.split()} <= targets, page
