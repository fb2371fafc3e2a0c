"""The floor plan's rules for imports (docs/architecture.md), read off the syntax trees."""

import ast
import re
from collections.abc import Iterator, Mapping
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src" / "knowact"
MODULES = sorted(SOURCE.rglob("*.py"))

LAYERS = (
    *("core", "measures", "reading", "retrieval", "worlds", "conditions", "roles", "probes", "datasets"),
    *("tools", "forge", "engine", "agents", "suites", "report", "running", "cli"),
)
"""From the ground up: each may import those before it, and itself."""

NARROWER = {
    "core": set[str](),
    "measures": {"core"},
    "reading": {"core"},
    "retrieval": {"core"},
    "worlds": {"core"},
    "conditions": {"core", "retrieval", "worlds"},
    "roles": {"core", "measures", "reading"},
    "probes": {"core", "reading", "roles"},
    "tools": {"core", "measures", "worlds", "datasets", "roles", "reading", "retrieval"},
}
"""Layers that may import less than everything below them."""

ENTRY = {"_registry", "__main__", "__init__", "api", "authoring"}
"""Outside the layers: where engine, Python and authors enter."""

FRAGMENTS = 3
"""Modules of at most sixty lines with a single importer: each belongs into the topic that it serves."""

SHARED = (
    *("core", "measures", "reading", "retrieval", "conditions", "roles", "probes", "datasets", "tools"),
    *("forge", "engine", "agents", "report", "running", "cli"),
)
"""Layers that know no suite and no world: what is special about one lives with it."""

PACKAGES = {
    "suites": {folder.name for folder in (SOURCE / "suites").iterdir() if (folder / "suite.py").exists()},
    "worlds": {folder.name for folder in (SOURCE / "worlds").iterdir() if (folder / "__init__.py").exists()}
    - {"typed"},
}
"""The packages of single suites and worlds; `typed` is what worlds share."""

SUITE_NAMES = re.compile(
    rf"\b({'|'.join(name.replace('_', '[_-]') for name in sorted(PACKAGES['suites']))})\b", re.IGNORECASE
)


def layer(path: Path) -> str:
    """Return the folder (or the module at the top) that a source file belongs to."""
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def imported(tree: ast.AST, package: str) -> Iterator[tuple[int, str]]:
    """Yield each import as (line, dotted name); `from a import b` gives "a.b", relative ones resolved."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(package.split(".")[: -node.level + 1 or None]) if node.level else ""
            stem = ".".join(part for part in (base, node.module or "") if part)
            yield from ((node.lineno, f"{stem}.{alias.name}") for alias in node.names)
        elif isinstance(node, ast.Call) and (name := imported_by_name(node)):
            yield node.lineno, name


def imported_by_name(call: ast.Call) -> str:
    """Return the module of ours that `import_module("knowact…")` names; "" for any other call."""
    called = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    first = call.args[0] if call.args else None
    if called != "import_module" or not isinstance(first, ast.Constant) or not isinstance(first.value, str):
        return ""
    return first.value if first.value.split(".")[0] == "knowact" else ""


@cache
def imports_of(path: Path) -> list[tuple[int, str]]:
    package = ".".join(path.relative_to(SOURCE.parent).parent.parts)
    return list(imported(ast.parse(path.read_text(encoding="utf-8")), package))


def where(path: Path, line: int) -> str:
    return f"{path.relative_to(SOURCE.parent)}:{line}"


def parts_after_knowact(name: str) -> list[str]:
    head, *rest = name.split(".")
    return rest if head == "knowact" else []


def wrong_direction(path: Path, name: str) -> bool:
    """Whether an import by `path` runs sideways or upwards."""
    own, *target = layer(path), *parts_after_knowact(name)
    if not target or own in ENTRY or own not in LAYERS or target[0] == own:
        return False
    if (own, target[0]) == ("suites", "authoring"):
        return False  # our own suites are made from what everybody's are
    if target[0] not in LAYERS:
        # Nobody in the layers builds on the entry points; `__version__` is fine.
        return (SOURCE / target[0]).is_dir() or (SOURCE / f"{target[0]}.py").is_file()
    allowed = NARROWER.get(own, set(LAYERS[: LAYERS.index(own)]))
    return target[0] not in allowed


def is_special(name: str) -> bool:
    """Whether a dotted name is of one suite's or one world's package."""
    target = parts_after_knowact(name)
    return len(target) > 1 and target[1] in PACKAGES.get(target[0], set())


def dotted(path: Path) -> str:
    return ".".join(path.relative_to(SOURCE.parent).with_suffix("").parts).removesuffix(".__init__")


def import_graph() -> Mapping[str, set[str]]:
    """Each module with the modules that it imports, wherever in it that stands.

    The package itself loads its public names when they are first used, so it imports none.
    """
    known = {dotted(path) for path in MODULES}
    graph: dict[str, set[str]] = {}
    for path in MODULES:
        if path == SOURCE / "__init__.py":
            continue
        named = [(name, name.rpartition(".")[0]) for _, name in imports_of(path)]
        found = {name if name in known else parent for name, parent in named}
        graph[dotted(path)] = (found & known) - {dotted(path)}
    return graph


def fragments(lines: int) -> dict[str, str]:
    """Return the modules of at most so many lines that a single other one imports, with that one."""
    graph = import_graph()
    named = [path for path in MODULES if path.name != "__init__.py"]
    short = [path for path in named if len(path.read_text("utf-8").splitlines()) <= lines]
    importers = {
        dotted(path): [name for name, found in graph.items() if dotted(path) in found] for path in short
    }
    return {name: by[0] for name, by in importers.items() if len(by) == 1}


def cycle_in(graph: Mapping[str, set[str]]) -> list[str]:
    """The modules of one cycle, in order; none where there is none."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def may_import_the_engine(path: Path) -> bool:
    parts = path.relative_to(SOURCE).parts
    task_of_a_suite = parts[0] == "suites" and len(parts) == 3 and parts[2] == "task.py"
    return parts[0] in {"engine", "agents", "_registry.py"} or task_of_a_suite


def private_part(name: str) -> bool:
    return any(part.startswith("_") and part != "__version__" for part in name.split(".")[1:])


def test_there_is_something_to_check() -> None:
    assert len(MODULES) > 20
    assert {layer(path) for path in MODULES} <= {*LAYERS, *ENTRY}


@pytest.mark.slow
def test_few_small_modules_serve_only_one_other() -> None:
    found = fragments(lines=60)
    assert len(found) <= FRAGMENTS, found
    assert not [name for name in found if name.startswith("knowact.worlds.")]


def test_imports_run_downwards_only() -> None:
    assert [
        f"{where(path, line)} imports {name}"
        for path in MODULES
        for line, name in imports_of(path)
        if wrong_direction(path, name)
    ] == []


def test_the_python_interface_imports_nothing_of_the_command_line() -> None:
    api = imports_of(SOURCE / "api.py")
    assert "knowact.running.plan.plan_runs" in {name for _, name in api}
    assert [name for _, name in api if name.startswith(("knowact.cli", "click"))] == []


def test_nothing_below_the_command_line_reads_one() -> None:
    assert [
        f"{where(path, line)} imports {name}"
        for path in MODULES
        if layer(path) == "running"
        for line, name in imports_of(path)
        if name.split(".")[0] == "click"
    ] == []


def test_no_import_leads_back_to_where_it_began() -> None:
    assert cycle_in(import_graph()) == []


def test_shared_code_imports_no_suite_and_no_world_of_its_own() -> None:
    assert [
        f"{where(path, line)} imports {name}"
        for path in MODULES
        if layer(path) in SHARED
        for line, name in imports_of(path)
        if is_special(name)
    ] == []


def test_a_suite_builds_on_no_other_suite() -> None:
    assert [
        f"{where(path, line)} imports {name}"
        for path in MODULES
        if layer(path) == "suites"
        for line, name in imports_of(path)
        if (target := parts_after_knowact(name))[:1] == ["suites"]
        and len(target) > 1
        and (SOURCE / "suites" / target[1]).is_dir()
        and target[1] != path.relative_to(SOURCE).parts[1]
    ] == []


def test_only_the_engines_own_layers_import_the_engine() -> None:
    assert [
        f"{where(path, line)} imports {name}"
        for path in MODULES
        if not may_import_the_engine(path)
        for line, name in imports_of(path)
        if name.split(".")[0] == "inspect_ai"
    ] == []


def test_only_the_engines_public_names_are_used() -> None:
    assert [
        f"{where(path, line)} imports {name}"
        for path in MODULES
        if path != SOURCE / "engine" / "compat.py"
        for line, name in imports_of(path)
        if name.split(".")[0] == "inspect_ai" and private_part(name)
    ] == []


def docstrings(tree: ast.AST) -> set[int]:
    """Return the identities of the constants that are docstrings, of attributes too."""
    return {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }


def literals(tree: ast.AST) -> Iterator[tuple[int, str]]:
    skipped = docstrings(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in skipped:
            yield node.lineno, node.value


@pytest.mark.parametrize("folder", SHARED)
def test_shared_code_knows_no_suite_by_name(folder: str) -> None:
    """Docstrings may cite a paper; code and what it prints may not depend on one."""
    found: list[str] = []
    for path in (path for path in MODULES if layer(path) == folder):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        found += [
            f"{where(path, line)} says {text!r}" for line, text in literals(tree) if SUITE_NAMES.search(text)
        ]
        found += [
            f"{where(path, line)} imports {name}"
            for line, name in imports_of(path)
            if SUITE_NAMES.search(name.replace(".", " "))
        ]
    assert found == []


class TestTheChecksThemselves:
    """A rule that cannot fail is no rule: each is shown what it must find."""

    @pytest.mark.parametrize(
        ("path", "name", "wrong"),
        [
            ("core/x.py", "knowact.measures.kas", True),
            ("core/x.py", "knowact.core.tool", False),
            ("measures/x.py", "knowact.reading.y", True),
            ("conditions/x.py", "knowact.worlds.overlay", False),
            ("conditions/x.py", "knowact.measures.kas", True),
            ("reading/x.py", "knowact.measures.kas", True),
            ("probes/x.py", "knowact.worlds.replay", True),
            ("roles/x.py", "knowact.worlds.car.record", True),
            ("report/x.py", "knowact.cli.main", True),
            ("report/x.py", "knowact.suites", False),
            ("report/x.py", "knowact.running.plan", True),
            ("running/x.py", "knowact.report.build", False),
            ("running/x.py", "knowact.cli.main", True),
            ("cli/x.py", "knowact.report.page", False),
            ("cli/x.py", "knowact.authoring", True),
            ("suites/x/y.py", "knowact.authoring.Suite", False),
            ("cli/x.py", "knowact.__version__", False),
            ("_registry.py", "knowact.suites.kapro.suite", False),
            ("engine/x.py", "json", False),
        ],
    )
    def test_direction(self, path: str, name: str, *, wrong: bool) -> None:
        assert wrong_direction(SOURCE / path, name) == wrong

    @pytest.mark.parametrize(
        ("name", "special"),
        [
            ("knowact.suites.car.task", True),
            ("knowact.suites.kapro", True),
            ("knowact.worlds.everyday.catalogue", True),
            ("knowact.worlds.car.record.CarTrial", True),
            ("knowact.suites.find", False),
            ("knowact.worlds.registry.find", False),
            ("knowact.worlds.typed.schema", False),
            ("knowact.core.suite.Suite", False),
            ("inspect_ai.car", False),
        ],
    )
    def test_what_is_special_to_a_suite_or_a_world(self, name: str, *, special: bool) -> None:
        assert is_special(name) == special

    def test_a_cycle_is_found_and_a_graph_without_one_is_not(self) -> None:
        assert set(cycle_in({"a": {"b"}, "b": {"c"}, "c": {"a"}})) == {"a", "b", "c"}
        assert cycle_in({"a": {"b", "c"}, "b": {"c"}, "c": set()}) == []

    def test_the_graph_knows_imports_inside_functions_and_of_packages(self) -> None:
        graph = import_graph()
        assert "knowact.worlds.car.databases.statistics" in graph["knowact.worlds.registry"]
        assert "knowact.suites" in graph["knowact.cli.main"] | graph["knowact.cli.run_command"]
        assert "knowact.core.conversation" in graph["knowact.worlds.car.record"]

    def test_relative_imports_and_imports_inside_functions_are_seen(self) -> None:
        tree = ast.parse("from ..core import tool\nfrom . import b\ndef f():\n    import inspect_ai.model\n")
        assert sorted(name for _, name in imported(tree, "knowact.worlds")) == [
            "inspect_ai.model",
            "knowact.core.tool",
            "knowact.worlds.b",
        ]

    def test_imports_by_name_are_seen_where_they_are_of_ours(self) -> None:
        tree = ast.parse(
            'import_module("knowact.tools.world")\nimportlib.import_module("knowact.cli.main")\n'
            'import_module("pandas")\nimport_module(name)\nload("knowact.tools.world")\n'
        )
        assert list(imported(tree, "knowact.worlds")) == [(1, "knowact.tools.world"), (2, "knowact.cli.main")]

    @pytest.mark.parametrize(
        ("path", "allowed"),
        [
            ("engine/loop.py", True),
            ("agents/oracle.py", True),
            ("_registry.py", True),
            ("suites/kapro/task.py", True),
            ("suites/kapro/suite.py", False),
            ("suites/task.py", False),
            ("report/page.py", False),
        ],
    )
    def test_who_may_import_the_engine(self, path: str, *, allowed: bool) -> None:
        assert may_import_the_engine(SOURCE / path) == allowed

    @pytest.mark.parametrize(
        ("name", "private"),
        [
            ("inspect_ai._util.error", True),
            ("inspect_ai.model._model", True),
            ("inspect_ai.model.Model", False),
            ("inspect_ai.__version__", False),
        ],
    )
    def test_private_names(self, name: str, *, private: bool) -> None:
        assert private_part(name) == private

    @pytest.mark.parametrize(
        ("text", "named"),
        [("run kapro", True), ("fail-talms", True), ("a car", True), ("careful, strict", False), ("", False)],
    )
    def test_names_of_suites(self, text: str, *, named: bool) -> None:
        assert bool(SUITE_NAMES.search(text)) == named

    def test_docstrings_are_no_literals(self) -> None:
        tree = ast.parse('"""KAPRO."""\nX = 1\n"""car"""\nY = "said"\n')
        assert list(literals(tree)) == [(4, "said")]
