"""Every public module, class and function of the package says what it is."""

import ast
from collections.abc import Iterator
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "src" / "knowact"


def public(name: str) -> bool:
    return not name.startswith("_") or name == "__init__"


def undocumented(tree: ast.Module) -> Iterator[str]:
    """Yield the public names at the top of a module, and in its public classes, without a docstring."""
    if not (ast.get_docstring(tree) or "").strip():
        yield "the module"
    for node in tree.body:
        yield from _undocumented(node, "")


def _undocumented(node: ast.stmt, inside: str) -> Iterator[str]:
    if not isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
        return
    if node.name.startswith("_"):
        return
    if not (ast.get_docstring(node) or "").strip() and not _says_each_field(node):
        yield inside + node.name
    if isinstance(node, ast.ClassDef):
        for member in node.body:
            yield from _undocumented(member, f"{inside}{node.name}.")


def _says_each_field(node: ast.stmt) -> bool:
    """Whether it is the result of a tool: each of its fields has a text."""
    bases = [ast.unparse(base) for base in node.bases] if isinstance(node, ast.ClassDef) else []
    return bases == ["Shape"]


def test_everything_public_has_a_docstring() -> None:
    modules = [path for path in sorted(SOURCE.rglob("*.py")) if public(path.stem)]
    assert len(modules) > 20
    assert [
        f"{path.relative_to(SOURCE.parent)}: {name}"
        for path in modules
        for name in undocumented(ast.parse(path.read_text(encoding="utf-8")))
    ] == []


def test_the_check_finds_what_is_missing() -> None:
    code = "def f(): ...\ndef _g(): ...\nclass C:\n    def m(self): ...\n    def _n(self): ...\n"
    assert list(undocumented(ast.parse(code))) == ["the module", "f", "C", "C.m"]
    result = 'class R(Shape):\n    n: int = echo("How many.")\n'
    assert list(undocumented(ast.parse(code + result))) == ["the module", "f", "C", "C.m"]
    assert list(undocumented(ast.parse('"""Doc."""\ndef f():\n    """Doc."""\n'))) == []
