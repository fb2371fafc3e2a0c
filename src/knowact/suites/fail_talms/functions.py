"""Published functions as tools: from the descriptor, and from the query where there is no descriptor.

The published pipelines take only the three names of a function from
the query, and all else from the descriptor. So do we. A function that they cannot find they drop without a
word; the query describes it too, so we take it from there, and say so.
"""

import ast
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, NamedTuple, cast

from pydantic import JsonValue

from knowact.core.errors import BadData
from knowact.core.tool import Tool
from knowact.datasets.deviations import Ledger
from knowact.datasets.lines import Line
from knowact.datasets.members import Members
from knowact.datasets.parameters import parameters_of
from knowact.suites.fail_talms.json_rows import read_one
from knowact.suites.fail_talms.layout import Kind

HELPERS = "HumanInteract"
"""The category of the tool through which a person is asked; it is no tool of any query."""


class FunctionKey(NamedTuple):
    """What names a function: its category, its tool and its own name, as the descriptors spell them."""

    category: str
    tool: str
    name: str

    @property
    def folded(self) -> "FunctionKey":
        """The same for every letter case."""
        return FunctionKey(*(part.casefold() for part in self))


@dataclass(frozen=True, slots=True)
class Function:
    """One function on offer.

    Attributes:
        key: What names it in the published data.
        tool: What an agent is offered. Its name is the function's; where a query offers two functions of one
            name, the published tool's stands before it.
        reply: The data's sketch of a reply, never a real one; None where there is none.
    """

    key: FunctionKey
    tool: Tool
    reply: JsonValue


@dataclass(frozen=True, slots=True)
class _Descriptor:
    """One descriptor.

    Attributes:
        line: The whole file.
        declared: The tool that it says it is of; as a rule its file is named after it.
        entries: Its functions by name.
        remarks: What had to be mended to read the file at all.
    """

    line: Line
    declared: str
    entries: Mapping[str, Members]
    remarks: Ledger

    @property
    def category(self) -> str:
        """The category, as the folder is named."""
        return self.line.file.parent.name

    @property
    def tool(self) -> str:
        """The tool, as the file is named: queries refer to that."""
        return self.line.file.stem

    def known(self, name: str) -> str | None:
        """Return a function's name as it stands here; in any letter case, but the exact one first."""
        if name in self.entries:
            return name
        return next((known for known in self.entries if known.casefold() == name.casefold()), None)


class Toolbox:
    """The descriptors below one folder, each read when it is first needed.

    Args:
        root: The folder `tools`; None where a release has none.
        ledger: Takes what had to be mended in the descriptors that queries use.
    """

    def __init__(self, root: Path | None, ledger: Ledger) -> None:
        self.ledger = ledger
        self.used: list[Path] = []
        self._folders = () if root is None else tuple(sorted(one for one in root.iterdir() if one.is_dir()))
        self._signatures = Signatures()
        self._read: dict[Path, _Descriptor | None] = {}
        self._built: dict[FunctionKey, Function] = {}

    def function(self, offered: Members) -> Function:
        """Return the function that an entry of a query's `api_list` stands for.

        Raises:
            BadData: One of its three names is missing.
        """
        names = (offered.text("category_name"), offered.text("tool_name"), offered.text("api_name"))
        asked = FunctionKey(*(name.strip() for name in names))
        file = self._file(asked)
        descriptor = None if file is None else self._load(file)
        name = None if descriptor is None else descriptor.known(asked.name)
        if descriptor is None or name is None:
            unreadable = file is not None and descriptor is None
            kind = Kind.DESCRIPTOR_UNREADABLE if unreadable else Kind.DESCRIPTOR_MISSING
            how = f"{'/'.join(asked)}: the query's own words were taken"
            offered.ledger.mended(kind, offered.place(), how, offered.item)
            return _with_reply(_function(asked, offered, offered, "query"), offered, None)
        key = FunctionKey(descriptor.category, descriptor.tool, name)
        if key != asked:
            how = f"{'/'.join(asked)} was read as {'/'.join(key)}"
            offered.ledger.mended(Kind.TOOL_NAME, offered.place(), how, offered.item)
        return self._described(descriptor, key, offered)

    def _described(self, descriptor: _Descriptor, key: FunctionKey, offered: Members) -> Function:
        """Build a function once; what is odd about its descriptor is entered then."""
        if descriptor.line.file not in self.used:
            self.used.append(descriptor.line.file)
            self.ledger.entries += descriptor.remarks.entries
        entry = descriptor.entries[key.name]
        if key not in self._built:
            source = Members(entry.line, entry.value, self.ledger, entry.path)
            self._built[key] = _function(key, source, offered, "descriptor")
            self._signatures.check(self._built[key].tool, source, self.ledger)
        return _with_reply(self._built[key], offered, entry)

    def pool(self) -> tuple[Function, ...]:
        """Return every function that a descriptor lists, for distractors, but not those for asking people.

        A descriptor that cannot be read is passed over, and so is a copy: one that says it is of a tool that
        another file is named after.
        """
        found: list[Function] = []
        for folder in self._folders:
            if folder.name == HELPERS:
                continue
            read = [self._load(file) for file in sorted(folder.glob("*.json"))]
            descriptors = [one for one in read if one is not None]
            names = {one.tool for one in descriptors}
            for one in descriptors:
                if one.declared == one.tool or one.declared not in names:
                    found += (self._pooled(one, name) for name in one.entries)
        return tuple(found)

    def _pooled(self, descriptor: _Descriptor, name: str) -> Function:
        key = FunctionKey(descriptor.category, descriptor.tool, name)
        entry = descriptor.entries[name]
        function = self._built.get(key) or _function(key, entry, entry, "descriptor")
        return _with_reply(function, entry, entry)

    def _file(self, asked: FunctionKey) -> Path | None:
        """Find a descriptor by its file's name, in any letter case; else by the tool that it declares."""
        files = [
            file
            for folder in self._folders
            if folder.name.casefold() == asked.category.casefold()
            for file in sorted(folder.glob("*.json"))
        ]
        tool = asked.tool.casefold()
        named_so = [file for file in files if file.stem == asked.tool]
        named_so += [file for file in files if file.stem.casefold() == tool]
        if not named_so:
            loaded = [self._load(file) for file in files]
            named_so = [one.line.file for one in loaded if one and one.declared.casefold() == tool]
        return named_so[0] if named_so else None

    def _load(self, file: Path) -> _Descriptor | None:
        """Read a descriptor once; None where it cannot be read, which is told where a query needs it."""
        if file not in self._read:
            try:
                self._read[file] = _descriptor(file)
            except BadData:
                self._read[file] = None
        return self._read[file]


def named(functions: Iterable[Function], offered: Sequence[Members]) -> tuple[Function, ...]:
    """Give each function of one query a name of its own, and drop repetitions.

    Args:
        functions: In the order offered.
        offered: The entries that they came from, one each.
    """
    kept: dict[FunctionKey, tuple[Function, Members]] = {}
    for function, entry in zip(functions, offered, strict=True):
        if function.key.folded in kept:
            entry.ledger.mended(Kind.LISTED_TWICE, entry.place(), "offered once", entry.item)
        else:
            kept[function.key.folded] = (function, entry)
    names = [function.key.name for function, _ in kept.values()]
    out: list[Function] = []
    for function, entry in kept.values():
        if names.count(function.key.name) > 1:
            name = f"{function.key.tool}.{function.key.name}"
            entry.ledger.mended(Kind.SAME_NAME, entry.place("api_name"), f"offered as {name!r}", entry.item)
            out.append(replace(function, tool=function.tool.model_copy(update={"name": name})))
        else:
            out.append(function)
    return tuple(out)


def _descriptor(file: Path) -> _Descriptor:
    remarks = Ledger()
    line = read_one(file, remarks)
    # A bare object is what a descriptor should be.
    remarks.entries[:] = [entry for entry in remarks.entries if entry.kind is not Kind.NOT_A_LIST]
    # What is odd about single functions is entered when they are built.
    whole = Members(line, line.value, Ledger())
    declared = whole.get("tool_name")
    entries: dict[str, Members] = {}
    for entry in whole.objects("api_list"):
        entries.setdefault(entry.text("name").strip(), entry)
    return _Descriptor(line, declared if isinstance(declared, str) else file.stem, entries, remarks)


def _function(
    key: FunctionKey, source: Members, offered: Members, described_by: Literal["descriptor", "query"]
) -> Function:
    """Build a function; a descriptor without a description borrows the query's."""
    own = source.get("description") if described_by == "descriptor" else None
    words = own or offered.get("api_description", "description")
    tool = Tool(
        name=key.name,
        description=words.strip() if isinstance(words, str) else "",
        parameters=parameters_of(source),
        category=key.category,
        server=key.tool,
    )
    return Function(key, tool, None)


def _with_reply(function: Function, offered: Members, entry: Members | None) -> Function:
    """Add the sketch of a reply: the query's own, or what stands in for it there or in the descriptor."""
    places = [(offered, "template_response"), (offered, "response_format")]
    if entry is not None:
        places += [(entry, name) for name in ("response_example", "body")]
    for members, name in places:
        value = members.value.get(name)
        if value in (None, "", {}, []):
            continue
        if name == "response_format":
            how = "'response_format' was taken for 'template_response'"
            offered.ledger.mended(Kind.REPLY_ELSEWHERE, offered.place(name), how, offered.item)
        return replace(function, reply=cast("JsonValue", value))
    return function


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
