"""README commands are executed, in one place, as a reader would type them."""

import re
import shlex
from pathlib import Path

import click
import pytest

from knowact.cli.main import COMMANDS, knowact, run

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def executed_commands() -> list[str]:
    blocks = re.findall(r"<!-- executed by tests/docs -->\n```console\n(.*?)```", README, re.DOTALL)
    return [line.removeprefix("$ ") for block in blocks for line in block.splitlines()]


@pytest.mark.slow
def test_the_commands_of_the_readme_do_what_they_say(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    commands = executed_commands()
    assert len(commands) == 6
    for command in commands:
        words = shlex.split(command)
        assert words[0] == "knowact"
        assert run(words[1:]) == 0, (command, capsys.readouterr())
    assert (tmp_path / "report" / "index.html").exists()
    assert (tmp_path / "report" / "report.json").exists()
    assert list((tmp_path / "report" / "csv").glob("*.csv"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", page.read_text(encoding="utf-8")):
        if "://" not in target:
            assert (page.parent / target).exists(), target


def test_every_command_is_documented_and_has_help() -> None:
    context = click.Context(knowact)
    for name in COMMANDS:
        assert re.search(rf"knowact {name}\b", README), name
        command = knowact.get_command(context, name)
        assert command is not None
        assert command.help


def test_the_make_targets_of_the_readme_exist() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in re.findall(r"^\$ make (.+)$", README, re.MULTILINE):
        for word in target.split():
            assert re.search(rf"^{word}:", makefile, re.MULTILINE), word


def test_no_key_is_needed_for_what_the_readme_runs() -> None:
    assert all("openai/" not in command for command in executed_commands())
