"""docs/own-suite.md is the story of the plugins: its blocks are their files, and its commands work."""

import json
import re
import shlex
from pathlib import Path

import pytest

from knowact import authoring
from plugins.installing import PLUGINS

PAGE = (PLUGINS.parents[1] / "docs" / "own-suite.md").read_text(encoding="utf-8")
CHOICES = PLUGINS / "choices" / "knowact_choices"
DATA = CHOICES / "data" / "moves@1-A"

FIRST, SECOND, THIRD = re.split(r"^## (?:Errands|The library desk)", PAGE, flags=re.MULTILINE)


def blocks(text: str, kind: str) -> list[str]:
    return re.findall(rf"^```{kind}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


def plain(text: str) -> str:
    return re.sub(r"\n{2,}", "\n\n", text.strip())


def test_its_steps_make_the_package_of_multiple_choice() -> None:
    module = (CHOICES / "__init__.py").read_text(encoding="utf-8")
    assert plain("\n\n".join(blocks(FIRST, "python"))) == plain(module)
    (project,) = blocks(FIRST, "toml")
    assert plain(project) == plain((PLUGINS / "choices" / "pyproject.toml").read_text(encoding="utf-8"))
    (prompt,) = blocks(FIRST, "markdown")
    assert plain(prompt) == plain((CHOICES / "prompts" / "choose.md").read_text(encoding="utf-8"))
    row, manifest = map(json.loads, blocks(FIRST, "json"))
    assert row == json.loads((DATA / "items.jsonl").read_text(encoding="utf-8").splitlines()[0])
    assert manifest == json.loads((DATA / "manifest.json").read_text(encoding="utf-8"))
    (layout,) = blocks(FIRST, "text")
    files = {str(path.relative_to(PLUGINS / "choices")) for path in CHOICES.rglob("*.*") if path.is_file()}
    assert set(layout.split()) == {"pyproject.toml", *(name for name in files if "__pycache__" not in name)}


@pytest.mark.parametrize(("text", "plugin"), [(SECOND, "errands"), (THIRD, "library_desk")])
def test_what_it_shows_of_the_others_stands_in_their_modules(text: str, plugin: str) -> None:
    modules = "\n".join(
        path.read_text(encoding="utf-8") for path in (PLUGINS / plugin / f"knowact_{plugin}").glob("*.py")
    )
    shown = blocks(text, "python")
    assert len(shown) >= 3
    assert [one for one in shown if one not in modules + "\n"] == []


@pytest.mark.slow
def test_its_commands_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from knowact.cli.main import run

    monkeypatch.chdir(tmp_path)
    (commands,) = re.findall(r"<!-- run by tests/plugins -->\n```console\n(.*?)```", PAGE, re.DOTALL)
    for line in commands.splitlines():
        words = shlex.split(line.removeprefix("$ "))
        assert words[0] == "knowact"
        assert run(words[1:]) == 0, (line, capsys.readouterr())


def test_it_lists_everything_that_authors_can_import() -> None:
    table = PAGE.partition("## What you can import")[2]
    rows = re.findall(r"^\| [a-z ]+ \| (`.*) \|$", table, re.MULTILINE)
    assert sorted(name.strip("`") for row in rows for name in row.split()) == sorted(authoring.__all__)
