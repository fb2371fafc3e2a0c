"""Authors of suites need one module of ours, and that one stays."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from knowact import authoring
from plugins.installing import PLUGINS

MODULES = sorted(PLUGINS.glob("*/knowact_*/**/*.py"))


def test_what_authors_are_given_is_all_there() -> None:
    assert sorted(authoring.__all__) == sorted(set(authoring.__all__))
    assert all(hasattr(authoring, name) for name in authoring.__all__)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PLUGINS)))
def test_a_suite_from_outside_imports_nothing_else_of_ours(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    names = {
        f"{node.module}.{alias.name}" if node.module == "knowact" else str(node.module)
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    } | {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    ours = {name for name in names if name.partition(".")[0] in {"knowact", "inspect_ai"}}
    assert ours <= {"knowact.authoring"}
    used = {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "ka"
    }
    assert used <= set(authoring.__all__)


@pytest.mark.parametrize(("plugin", "most"), [("choices", 120), ("errands", 250), ("library_desk", 400)])
def test_a_suite_is_small(plugin: str, most: int) -> None:
    lines = 0
    for path in (PLUGINS / plugin).rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        documented = {
            line
            for node in ast.walk(tree)
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
            for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)
        }
        source = path.read_text(encoding="utf-8").splitlines()
        lines += sum(bool(text.strip()) and at not in documented for at, text in enumerate(source, 1))
    assert lines <= most


@pytest.mark.slow
def test_it_does_not_load_the_engine() -> None:
    check = "import knowact.authoring, sys; sys.exit('inspect_ai' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", check], check=False).returncode == 0
