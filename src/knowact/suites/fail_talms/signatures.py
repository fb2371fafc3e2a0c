"""Whether a descriptor fits the Python function that a call would end in (spec fail-talms.md, section 2.7).

The function's module is read, never run. In one of ten published functions the two disagree, and in most of
those a call that follows the descriptor must fail; that is the data's fault, not the agent's.
"""

import ast
import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path

from knowact.core.tool import Tool
from knowact.datasets.deviations import Ledger
from knowact.datasets.members import Members
from knowact.suites.fail_talms.deviations import Kind

MODULE = "api.py"


class Signatures:
    """The functions of published modules, each module parsed once."""

    def __init__(self) -> None:
        self._read: dict[Path, Mapping[str, ast.arguments] | None] = {}

    def check(self, tool: Tool, entry: Members, ledger: Ledger) -> None:
        """Enter where a descriptor's entry and its function disagree; nothing where there is no module.

        Args:
            tool: What was made of the entry.
            entry: The descriptor's entry.
            ledger: Takes what disagrees.
        """
        module = entry.line.file.with_suffix("") / MODULE
        if module not in self._read:
            self._read[module] = _functions(module) if module.is_file() else None
        functions = self._read[module]
        if functions is None:
            return
        arguments = functions.get(tool.name)
        if arguments is None:
            ledger.noted(Kind.FUNCTION_MISSING, entry.place("name"), f"{MODULE} has no {tool.name!r}")
            return
        for how in _disagreements(tool, arguments):
            ledger.noted(Kind.SIGNATURE, entry.place(), f"{tool.name}: {how}")


def _functions(module: Path) -> Mapping[str, ast.arguments] | None:
    """The functions at the top of a module; None where it cannot be read as Python."""
    try:
        with warnings.catch_warnings():
            # Published code is full of odd escapes; that is not for us to complain about.
            warnings.simplefilter("ignore")
            tree = ast.parse(module.read_bytes())
    except (OSError, SyntaxError, ValueError, RecursionError):
        return None
    return {
        node.name: node.args for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }


def _disagreements(tool: Tool, arguments: ast.arguments) -> Iterator[str]:
    """What keeps a call that follows the descriptor from working, then what is merely wrong."""
    positional = [*arguments.posonlyargs, *arguments.args]
    free = len(positional) - len(arguments.defaults)
    demanded = [one.arg for one in positional[:free]]
    named = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    demanded += [one.arg for one, default in named if default is None]
    known = {one.arg for one in (*positional, *arguments.kwonlyargs)}
    for name in demanded:
        if name not in tool.required:
            yield f"a call fails without {name!r}, which the descriptor does not require"
    if arguments.kwarg is None:
        for name in tool.properties:
            if name not in known:
                kind = "required" if name in tool.required else "optional"
                yield f"a call fails with the {kind} parameter {name!r}, which the function does not know"
