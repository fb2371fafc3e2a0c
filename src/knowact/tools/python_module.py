"""Tools of a Python module: its public typed functions.

Each session runs the module's own code anew, so its global variables begin as they stand in the source;
what the module imports is shared, and so is everything outside the process. The code is the user's own and
runs in this process, a call in a thread of its own: a call that takes too long is left behind.
"""

import asyncio
import importlib.util
import inspect
import re
import sys
from collections.abc import Awaitable, Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from types import ModuleType
from typing import (
    TYPE_CHECKING,
    Any,
    Final,
    NotRequired,
    Required,
    TypeAlias,
    TypeVar,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from docstring_parser import parse
from pydantic import JsonValue

from knowact.core.clean import one_line, plain
from knowact.core.errors import BadUsage, Unreachable, loading
from knowact.core.schema import Schema, members
from knowact.core.world import Observation, Problem
from knowact.tools.folder import OwnTool, Source
from knowact.tools.schemas import finished, of_arguments, of_result
from knowact.worlds.replay import shortened

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler
    from pydantic_core import CoreSchema

T = TypeVar("T")

Function: TypeAlias = Callable[..., Any]
"""Somebody's own function: nobody knows what it takes and gives."""


class PythonModule:
    """The functions of one module, run anew.

    Args:
        source: Which module.

    Raises:
        BadUsage: It can't be imported, or has no function that can be a tool.

    Attributes:
        left_out: Its functions that can't be tools, and why, a clause each; filled by `tools`.
    """

    def __init__(self, source: Source) -> None:
        self._source = source
        self.left_out: list[str] = []
        self._functions = dict(_functions(_executed(source.module)))
        if not self._functions:
            raise BadUsage(f"{source.module} has no public function of its own.")

    def tools(self) -> list[OwnTool]:
        """A tool for each function whose types have a JSON Schema, in the order of the source.

        Raises:
            BadUsage: There is none.
        """
        tools: list[OwnTool] = []
        self.left_out.clear()
        for name, function in self._functions.items():
            try:
                tools.append(_tool(name, function))
            except _NoSchema as error:
                self.left_out.append(f"the types of {name!r} have no JSON Schema ({error})")
        if not tools:
            raise BadUsage(f"{self._source.module}: {self.left_out[0]}.")
        return tools

    def call(self, tool: OwnTool, arguments: Mapping[str, JsonValue]) -> Observation:
        """Carry a call out. What the function raises is its result.

        Raises:
            Unreachable: The function is gone, or takes too long.
        """
        function = self._functions.get(tool.name)
        if function is None:
            raise Unreachable(f"{self._source.module} has no function {tool.name!r} any more. Add it again.")
        answers: SimpleQueue[Observation] = SimpleQueue()
        Thread(target=lambda: answers.put(_called(function, arguments)), daemon=True).start()
        try:
            return answers.get(timeout=self._source.timeout)
        except Empty as error:
            limit = f"{self._source.timeout:g} seconds"
            raise Unreachable(f"{self._source.module}: {tool.name!r} took longer than {limit}.") from error

    def close(self) -> None:
        """Nothing is held."""


def _executed(named: str) -> ModuleType:
    """Run a module's code in a module object of its own."""
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    with loading(f"The module {named}", "Check the name and the module."):
        if named.endswith(".py"):
            spec = importlib.util.spec_from_file_location(Path(named).stem, Path(named).resolve())
        else:
            spec = importlib.util.find_spec(named)
        if spec is None or spec.loader is None:
            raise ModuleNotFoundError(f"no module named {named!r}")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    if sys.version_info < (3, 12):
        _typed_dicts_readable(module)
    return module


def _typed_dicts_readable(module: ModuleType) -> None:
    """Let pydantic read `typing.TypedDict`; below Python 3.12 it takes that of typing_extensions alone."""
    from typing_extensions import TypedDict as NewerDict

    @cache  # one for each, which may contain itself
    def newer(kind: type) -> type:
        required = frozenset[str](getattr(kind, "__required_keys__", ()))
        fields: dict[str, Any] = {}
        for name, hint in get_type_hints(kind, vars(module), include_extras=True).items():
            bare = get_args(hint)[0] if get_origin(hint) in {Required, NotRequired} else hint
            fields[name] = bare if name in required else NotRequired[bare]
        made: type = NewerDict(kind.__name__, fields)  # pyright: ignore[reportArgumentType, reportCallIssue]
        made.__doc__ = kind.__doc__
        return made

    def schema(kind: type, _source: type, handler: "GetCoreSchemaHandler") -> "CoreSchema":
        return handler.generate_schema(newer(kind))

    for member in vars(module).values():
        if is_typeddict(member) and type(member).__module__ == "typing":
            member.__get_pydantic_core_schema__ = classmethod(schema)


def _functions(module: ModuleType) -> Iterator[tuple[str, Function]]:
    chosen: list[str] | None = getattr(module, "__all__", None)
    for name, member in list(vars(module).items()):
        if not inspect.isfunction(member):
            continue
        own = member.__module__ == module.__name__ and not name.startswith("_")
        if own if chosen is None else name in chosen:
            yield name, member


class _NoSchema(ValueError):  # noqa: N818 - reads as a sentence where it is raised
    """A function whose types say nothing that JSON can carry."""


def _tool(name: str, function: Function) -> OwnTool:
    from pydantic import TypeAdapter
    from pydantic.errors import PydanticUndefinedAnnotation, PydanticUserError

    documented = parse(inspect.getdoc(function) or "")
    odd: list[str] = []
    annotations = inspect.get_annotations(function)
    untyped = [
        parameter for parameter in inspect.signature(function).parameters if parameter not in annotations
    ]
    if untyped:
        odd.append(f"its parameters without a type take anything: {', '.join(untyped)}")
    try:
        arguments: Any = function  # pydantic takes functions, too, which its own types don't say
        parameters, more = of_arguments(TypeAdapter(arguments).json_schema())
        hint = get_type_hints(function, include_extras=True).get("return")
        shape: Schema | None = None
        if hint not in (None, type(None), Any):
            shape = TypeAdapter(hint).json_schema(mode="serialization")
    except (PydanticUserError, PydanticUndefinedAnnotation, NameError, TypeError) as error:
        raise _NoSchema(one_line(str(error).splitlines()[0]).rstrip(".")) from error
    returns, last = of_result(shape)
    for parameter in documented.params:
        named = members(members(parameters["properties"]).get(parameter.arg_name))
        if named and parameter.description:
            named.setdefault("description", _joined(parameter.description))
    paragraphs = (documented.short_description or "", documented.long_description or "")
    description = "\n\n".join(_joined(paragraph) for paragraph in paragraphs if paragraph)
    tool = OwnTool(name=name, description=description, parameters=parameters, returns=returns)
    return finished(tool, [*odd, *more, *last])


_BREAK: Final = re.compile(r"(?<!\n)\n(?!\n)")


def _joined(text: str) -> str:
    """A docstring's paragraphs, each on one line."""
    return _BREAK.sub(" ", text.strip())


def _called(function: Function, arguments: Mapping[str, JsonValue]) -> Observation:
    """Call a function with arguments brought to its types; its result as JSON."""
    from pydantic import ConfigDict, ValidationError, validate_call
    from pydantic_core import to_jsonable_python

    try:
        made = validate_call(config=ConfigDict(arbitrary_types_allowed=True))(function)(**arguments)
        if inspect.isawaitable(made):
            made = asyncio.run(_awaited(made))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        message = f"{function.__name__}: {where}: {first['msg']}"
        return Observation(problem=Problem("bad_arguments", message))
    except Exception as error:  # noqa: BLE001 - whatever a tool raises is what it says to the agent
        return Observation(problem=Problem("refused", f"{type(error).__name__}: {error}"))
    return Observation(shortened(plain(to_jsonable_python(made, fallback=str))))


async def _awaited(made: Awaitable[T]) -> T:
    return await made
