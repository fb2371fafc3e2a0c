"""Small files, short functions, full annotations, and no broad `except`."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src" / "knowact"
MODULES = sorted(SOURCE.rglob("*.py"))

LONGEST_FILE = 500
LONGEST_FUNCTION = 60
BROAD_PLACES = 6
"""The command line, and where the code of others is loaded, run, asks a model, or answers over MCP."""

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef


def trees() -> Iterator[tuple[Path, ast.Module]]:
    for path in MODULES:
        yield path.relative_to(SOURCE.parent), ast.parse(path.read_text(encoding="utf-8"))


def functions(tree: ast.AST) -> Iterator[FunctionNode]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def lines_of(function: FunctionNode) -> int:
    return (function.end_lineno or function.lineno) - function.lineno + 1


def is_broad(handler: ast.ExceptHandler) -> bool:
    """Whether it catches everything: bare, `Exception` or `BaseException`, alone or in a tuple."""
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return any(kind is None or ast.unparse(kind) in {"Exception", "BaseException"} for kind in kinds)


def bare_parameters(function: FunctionNode, *, method: bool) -> list[str]:
    """Return what lacks an annotation, "return" included; the first parameter of a method is exempt."""
    arguments = function.args
    positional = [*arguments.posonlyargs, *arguments.args]
    static = any(ast.unparse(decorator) == "staticmethod" for decorator in function.decorator_list)
    if method and not static:
        positional = positional[1:]
    stars = [star for star in (arguments.vararg, arguments.kwarg) if star is not None]
    bare = [item.arg for item in (*positional, *arguments.kwonlyargs, *stars) if item.annotation is None]
    return bare if function.returns is not None else [*bare, "return"]


def methods(tree: ast.AST) -> set[int]:
    return {id(node) for parent in ast.walk(tree) if isinstance(parent, ast.ClassDef) for node in parent.body}


def test_no_file_is_long() -> None:
    lengths = {str(path): len((SOURCE.parent / path).read_text("utf-8").splitlines()) for path, _ in trees()}
    assert len(lengths) > 20
    assert {path: lines for path, lines in lengths.items() if lines > LONGEST_FILE} == {}


def test_no_function_is_long() -> None:
    assert {
        f"{path}:{function.lineno} {function.name}": lines_of(function)
        for path, tree in trees()
        for function in functions(tree)
        if lines_of(function) > LONGEST_FUNCTION
    } == {}


@pytest.mark.slow
def test_everything_is_caught_in_one_place_at_most() -> None:
    found = [
        f"{path}:{node.lineno}"
        for path, tree in trees()
        for node in ast.walk(tree)
        if isinstance(node, ast.ExceptHandler) and is_broad(node)
    ]
    assert len(found) <= BROAD_PLACES, found


@pytest.mark.slow
def test_every_function_is_annotated() -> None:
    found: list[str] = []
    for path, tree in trees():
        inside = methods(tree)
        for function in functions(tree):
            bare = bare_parameters(function, method=id(function) in inside)
            found += [f"{path}:{function.lineno} {function.name}: {name}" for name in bare]
    assert found == []


class TestTheChecksThemselves:
    """A rule that cannot fail is no rule: each is shown what it must find."""

    @pytest.mark.parametrize(
        ("caught", "broad"),
        [
            ("", True),
            (" Exception", True),
            (" BaseException as error", True),
            (" (ValueError, Exception)", True),
            (" ValueError", False),
            (" (ValueError, KeyError)", False),
        ],
    )
    def test_broad(self, caught: str, *, broad: bool) -> None:
        tree = ast.parse(f"try:\n    pass\nexcept{caught}:\n    pass\n")
        handlers = [node for node in ast.walk(tree) if isinstance(node, ast.ExceptHandler)]
        assert [is_broad(handler) for handler in handlers] == [broad]

    @pytest.mark.parametrize(
        ("code", "bare"),
        [
            ("def f(a, *b: int, c, **d) -> int: ...", ["a", "c", "d"]),
            ("async def f(a: int): ...", ["return"]),
            ("class C:\n    def m(self, a) -> None: ...", ["a"]),
            ("class C:\n    @staticmethod\n    def m(a) -> None: ...", ["a"]),
            ("class C:\n    @classmethod\n    def m(cls) -> None: ...", []),
        ],
    )
    def test_annotations(self, code: str, bare: list[str]) -> None:
        tree = ast.parse(code)
        (function,) = functions(tree)
        assert bare_parameters(function, method=id(function) in methods(tree)) == bare

    def test_lines_are_counted_from_the_name_to_the_end(self) -> None:
        (function,) = functions(ast.parse("@decorated\ndef f() -> int:\n    a = 1\n    return a\n"))
        assert lines_of(function) == 3
