"""Published functions as tools: from the descriptor, and from the query where there is no descriptor.

The published pipelines take only the three names of a function from
the query, and all else from the descriptor. So do we. A function that they cannot find they drop without a
word; the query describes it too, so we take it from there, and say so.
"""

import ast
import warnings
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Literal, NamedTuple, cast

from pydantic import JsonValue

from knowact.core.errors import BadData
from knowact.core.tool import Tool
from knowact.datasets.deviations import Deviation
from knowact.datasets.members import Members
from knowact.datasets.parameters import parameters_of
from knowact.datasets.published import PublishedRow, Text, read_row
from knowact.suites.fail_talms.json_rows import read_one
from knowact.suites.fail_talms.layout import Kind

HELPERS = "HumanInteract"
"""The category of the tool through which a person is asked; it is no tool of any query."""


class Offered(PublishedRow):
    """What an entry of a query's `api_list` must say: which function it stands for."""

    category_name: Text
    tool_name: Text
    api_name: Text


class _Entry(PublishedRow):
    name: Text


class _Listing(PublishedRow):
    api_list: list[dict[str, JsonValue]]


def entries_of(row: Members) -> list[Members]:
    """The functions that a query or a descriptor lists.

    Raises:
        BadData: It has no list, or something else than objects is in it.
    """
    listed = read_row(_Listing, row).api_list
    return [row.inside(entry, f"api_list[{number}]") for number, entry in enumerate(listed)]


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
    """One descriptor. Its file is named after its tool, and queries refer to that.

    Attributes:
        declared: The tool that it says it is of.
        entries: Its functions by name; None where it cannot be read, which is told where a query needs it.
        remarks: What had to be mended to read the file at all.
    """

    file: Path
    declared: str = ""
    entries: Mapping[str, Members] | None = None
    remarks: Sequence[Deviation] = ()

    def key(self, name: str) -> FunctionKey:
        """What names one of its functions."""
        return FunctionKey(self.file.parent.name, self.file.stem, name)

    def copies(self, files: Container[Path]) -> bool:
        """Whether it says it is of a tool that another one of these files is named after."""
        return self.declared != self.file.stem and self.file.parent / f"{self.declared}.json" in files

    def find(self, name: str) -> Members | None:
        """Return a function's entry; in any letter case, but the exact one first."""
        entries = self.entries or {}
        alike = (entry for known, entry in entries.items() if known.casefold() == name.casefold())
        return entries.get(name) or next(alike, None)


class Toolbox:
    """The descriptors below one folder.

    Args:
        root: The folder `tools`; None where a release has none.
        deviations: Takes what had to be mended in the descriptors that queries use.
    """

    def __init__(self, root: Path | None, deviations: list[Deviation]) -> None:
        self.deviations = deviations
        self.used: list[Path] = []
        self._descriptors = [_descriptor(file) for file in sorted(root.glob("*/*.json"))] if root else []
        self._signatures = Signatures()
        self._built: dict[FunctionKey, Function] = {}

    def function(self, offered: Members) -> Function:
        """Return the function that an entry of a query's `api_list` stands for.

        Raises:
            BadData: One of its three names is missing.
        """
        names = read_row(Offered, offered)
        asked = FunctionKey(names.category_name.strip(), names.tool_name.strip(), names.api_name.strip())
        descriptor = self._find(asked)
        entry = descriptor.find(asked.name) if descriptor else None
        if descriptor is None or entry is None:
            unreadable = descriptor is not None and descriptor.entries is None
            kind = Kind.DESCRIPTOR_UNREADABLE if unreadable else Kind.DESCRIPTOR_MISSING
            offered.mended(kind, f"{'/'.join(asked)}: the query's own words were taken")
            return _with_reply(_function(asked, offered, offered, "query"), offered, None)
        key = descriptor.key(_name(entry))
        if key != asked:
            offered.mended(Kind.TOOL_NAME, f"{'/'.join(asked)} was read as {'/'.join(key)}")
        return self._described(descriptor, key, entry, offered)

    def _described(
        self, descriptor: _Descriptor, key: FunctionKey, entry: Members, offered: Members
    ) -> Function:
        """Build a function once; what is odd about its descriptor is entered then."""
        if descriptor.file not in self.used:
            self.used.append(descriptor.file)
            self.deviations += descriptor.remarks
        if key not in self._built:
            source = replace(entry, deviations=self.deviations)
            self._built[key] = _function(key, source, offered, "descriptor")
            self._signatures.check(self._built[key].tool, source)
        return _with_reply(self._built[key], offered, entry)

    def pool(self) -> tuple[Function, ...]:
        """Return every function that a descriptor lists, for distractors, but not those for asking people.

        A descriptor that cannot be read is passed over, and so is a copy: one that says it is of a tool that
        another file is named after.
        """
        files = {descriptor.file for descriptor in self._descriptors if descriptor.entries is not None}
        return tuple(
            _with_reply(self._built.get(key) or _function(key, entry, entry, "descriptor"), entry, entry)
            for descriptor in self._descriptors
            if descriptor.file.parent.name != HELPERS and not descriptor.copies(files)
            for name, entry in (descriptor.entries or {}).items()
            for key in (descriptor.key(name),)
        )

    def _find(self, asked: FunctionKey) -> _Descriptor | None:
        """Find a descriptor by its file's name, in any letter case; else by the tool that it declares."""
        category, tool = asked.category.casefold(), asked.tool.casefold()
        near = [known for known in self._descriptors if known.file.parent.name.casefold() == category]
        exact = (known for known in near if known.file.stem == asked.tool)
        alike = (known for known in near if known.file.stem.casefold() == tool)
        declared = (known for known in near if known.declared.casefold() == tool)
        return next(chain(exact, alike, declared), None)


def named(functions: Iterable[Function], offered: Sequence[Members]) -> tuple[Function, ...]:
    """Give each function of one query a name of its own, and drop repetitions.

    Args:
        functions: In the order offered.
        offered: The entries that they came from, one each.
    """
    kept: dict[FunctionKey, tuple[Function, Members]] = {}
    for function, entry in zip(functions, offered, strict=True):
        if function.key.folded in kept:
            entry.mended(Kind.LISTED_TWICE, "offered once")
        kept.setdefault(function.key.folded, (function, entry))
    names = Counter(function.key.name for function, _ in kept.values())
    for key, (function, entry) in kept.items():
        if names[function.key.name] > 1:
            name = f"{function.key.tool}.{function.key.name}"
            entry.mended(Kind.SAME_NAME, f"offered as {name!r}", "api_name")
            tool = function.tool.model_copy(update={"name": name})
            kept[key] = (replace(function, tool=tool), entry)
    return tuple(function for function, _ in kept.values())


def _descriptor(file: Path) -> _Descriptor:
    remarks = list[Deviation]()
    try:
        line = read_one(file, remarks)
        # What is odd about single functions is entered when they are built.
        whole = Members(line, line.value, [])
        declared = whole.get("tool_name")
        entries: dict[str, Members] = {}
        for entry in entries_of(whole):
            entries.setdefault(_name(entry), entry)
    except BadData:
        return _Descriptor(file)
    # A bare object is what a descriptor should be.
    remarks = [remark for remark in remarks if remark.kind is not Kind.NOT_A_LIST]
    return _Descriptor(file, declared if isinstance(declared, str) else file.stem, entries, remarks)


def _name(entry: Members) -> str:
    return read_row(_Entry, entry).name.strip()


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
            offered.mended(Kind.REPLY_ELSEWHERE, f"{name!r} was taken for 'template_response'", name)
        return replace(function, reply=cast("JsonValue", value))
    return function


MODULE = "api.py"


class Signatures:
    """The functions of published modules, each module parsed once."""

    def __init__(self) -> None:
        self._read: dict[Path, Mapping[str, ast.arguments] | None] = {}

    def check(self, tool: Tool, entry: Members) -> None:
        """Enter where a descriptor's entry and its function disagree; nothing where there is no module.

        Args:
            tool: What was made of the entry.
            entry: The descriptor's entry.
        """
        module = entry.line.file.with_suffix("") / MODULE
        if module not in self._read:
            self._read[module] = _functions(module) if module.is_file() else None
        functions = self._read[module]
        if functions is None:
            return
        arguments = functions.get(tool.name)
        if arguments is None:
            entry.noted(Kind.FUNCTION_MISSING, f"{MODULE} has no {tool.name!r}", "name")
            return
        for how in _disagreements(tool, arguments):
            entry.noted(Kind.SIGNATURE, f"{tool.name}: {how}")


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
    demanded = [parameter.arg for parameter in positional[:free]]
    named = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    demanded += [parameter.arg for parameter, default in named if default is None]
    known = {parameter.arg for parameter in (*positional, *arguments.kwonlyargs)}
    for name in demanded:
        if name not in tool.required:
            yield f"a call fails without {name!r}, which the descriptor does not require"
    if arguments.kwarg is None:
        for name in tool.properties:
            if name not in known:
                kind = "required" if name in tool.required else "optional"
                yield f"a call fails with the {kind} parameter {name!r}, which the function does not know"
