"""`docs/architecture.md` names no path and no name that is not there."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "knowact"
TEXT = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")

PATHS = sorted(set(re.findall(r"[\w<>*./-]+/(?:[\w<>*.-]+\.(?:py|md))?", TEXT)) - {"src/knowact/"})
NAMED = re.findall(r"`(\w+)` (?:in|of) `([\w/.]+\.py)`", TEXT)


def found(path: str) -> bool:
    """Whether a path is there, below the package or below the root; `<x>` and `*` stand for anything."""
    pattern = re.sub(r"<\w+>", "*", path).rstrip("/")
    return any(next(base.glob(pattern), None) is not None for base in (PACKAGE, ROOT))


@pytest.mark.parametrize("path", PATHS)
def test_every_path_exists(path: str) -> None:
    assert found(path)


@pytest.mark.parametrize(("name", "module"), NAMED)
def test_every_name_stands_where_the_page_says(name: str, module: str) -> None:
    code = (PACKAGE / module).read_text(encoding="utf-8")
    assert re.search(rf"^(?:def |class )?{name}\b", code, re.MULTILINE)


def test_every_folder_is_in_the_floor_plan() -> None:
    folders = {path.parent.name for path in PACKAGE.glob("*/__init__.py")} - {"testing"}
    assert folders
    assert {name for name in folders if f"| `{name}/` |" not in TEXT} == set()


def test_the_page_is_found_from_the_readme() -> None:
    assert "docs/architecture.md" in (ROOT / "README.md").read_text(encoding="utf-8")


def test_a_path_that_is_not_there_is_noticed() -> None:
    assert len(PATHS) > 30
    assert len(NAMED) >= 4
    assert not found("engine/no_such_module.py")
    assert not found("suites/<suite>/no_such_folder/*.md")
