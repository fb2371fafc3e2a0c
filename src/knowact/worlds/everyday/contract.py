"""One contract per tool: everything that anybody needs to know of it, derived from one typed function.

A tool function takes the session's `State` first, then its parameters, and returns a `Shape`. Its docstring
is the description, the types of its parameters are the schema, and the attribute is annotated once, where the
type is; each field of the result says what it is (`worlds.typed.schema`):

    CityName = Annotated[str, Attribute("city.name")]
    _WEATHER: Final = Server("Weather", "weather")

    class Sky(Shape):
        city: str = echo("The city.")
        sky: str = fact("weather.sky", "The sky in words.")

    @_WEATHER.tool(rubric=always(...), scenario="...", person_can="...")
    def get_sky(state: State, city: CityName) -> Sky:
        ...

From that come the JSON Schemas of parameters and result, the description, and the capability
(`core.tool.Capability`): needs, reports, echoes. Nothing of it is written a second time.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from inspect import signature
from typing import Final, Literal, NoReturn, TypeVar

from pydantic import JsonValue

from knowact.core.task import Boundary
from knowact.core.tool import Dimension, Replaceable, Rubric, Tool
from knowact.core.world import Problem
from knowact.worlds.paths import members
from knowact.worlds.typed import schema
from knowact.worlds.typed.tools import tool_of
from knowact.worlds.typed.validate import near

Within = Callable[[Mapping[str, JsonValue]], bool]
"""Whether a call's arguments lie under the written difficulty limits (see `limits`)."""
_Entry = TypeVar("_Entry")


class Refusal(Exception):  # noqa: N818 - reads as a sentence where it is raised
    """A tool cannot do what it was asked to; the session turns it into the `problem` of an observation."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        super().__init__(problem.message)


def refuse(code: Literal["not_found", "conflict", "bad_arguments"], message: str, fix: str = "") -> NoReturn:
    """Stop a tool function: nothing happens, and the agent reads why and what would be right."""
    raise Refusal(Problem(code, message, fix))


def check_listed(names: Collection[str], key: str, message: str, spelt: str | None = None) -> None:
    """Refuse a name that is not among those that there are, and suggest near ones; see `listed`."""
    if key not in names:
        refuse("not_found", message, near(key if spelt is None else spelt, names))


def listed(entries: Mapping[str, _Entry], key: str, message: str, spelt: str | None = None) -> _Entry:
    """Return an entry of a table; without one the call is refused, and keys near to it are suggested.

    Args:
        entries: The table.
        key: The key as the table spells it.
        message: What an agent reads where there is no such key.
        spelt: What suggestions are measured against, where that is not the key.
    """
    check_listed(entries, key, message, spelt)
    return entries[key]


def on(fits: Callable[..., bool], *names: str) -> Within:
    """Apply a limit to arguments of a call.

    Args:
        fits: The limit.
        names: Which arguments it takes, in order, every call has them. If none are named, it takes those that
            its parameters are named after, and where a call leaves one out the parameter has its default.
    """
    if names:
        return lambda given: fits(*(given[name] for name in names))
    own = tuple(signature(fits).parameters)
    return lambda given: fits(**{name: given[name] for name in own if name in given})


@dataclass(frozen=True, slots=True)
class Judgement:
    """When calls of a tool are external: the rubric, and for some tools the limit that decides."""

    rubric: Rubric
    within: Within | None = None


def always(*fires: Dimension, why: str) -> Judgement:
    """No model can do this alone, whatever the arguments are."""
    return Judgement(Rubric(fires=fires, when="always", why=why))


def never(*, why: str) -> Judgement:
    """A model can do this alone for every argument that the schema allows."""
    return Judgement(Rubric(fires=(), when="never", why=why))


def by_argument(*fires: Dimension, why: str, within: Within) -> Judgement:
    """A model can do this alone exactly when `within` holds for the arguments."""
    return Judgement(Rubric(fires=fires, when="by_argument", why=why), within)


def by_size(within: Within, *, why: str) -> Judgement:
    """A model can do this alone for arguments that are small enough: `by_argument` for its computation."""
    return by_argument(Dimension.COMPUTATION, why=why, within=within)


def by_source(within: Within, *, why: str) -> Judgement:
    """A model can do this alone for a short text that stands in the request, and not for the user's own."""
    return by_argument(Dimension.PRIVACY, Dimension.COMPUTATION, why=why, within=within)


def public(*, why: str) -> Judgement:
    """The tool reports public facts: a model may know them or not, so no sub-task of it carries a label."""
    return Judgement(Rubric(fires=(), when="public", why=why))


def _is_arithmetic(tool: Tool) -> bool:
    kinds = {_element_type(members(shape)) for shape in tool.properties.values() if "enum" not in shape}
    results = members((tool.returns or {}).get("properties"))
    gives = {_element_type(members(shape)) for shape in results.values()}
    by_size = tool.rubric is not None and Dimension.COMPUTATION in tool.rubric.fires
    return by_size and bool(kinds) and kinds <= _NUMBERS and bool(gives & _NUMBERS)


@dataclass(frozen=True, slots=True)
class Operation:
    """A tool with what carries it out.

    Attributes:
        tool: What agents, conditions and proofs see.
        run: The function; called with the state and validated arguments.
        scenario: A plausible situation in which a person wants this, for sampling tasks.
        within: For tools of `by_argument`: whether a call lies under the limits.
        also_done_by: Tools that can do its job by way of a formula that everybody knows. Capabilities do
            not say that (a product is not "litres of rain"), so none of them may be a distractor beside it.
        takes: The attribute of each parameter that has one.
        arithmetic: Whether it makes numbers of numbers alone: with patience, any such tool does any other's
            sums. Worked out once: the forges ask hundreds of thousands of times.
    """

    tool: Tool
    run: Callable[..., schema.Shape]
    scenario: str
    within: Within | None
    also_done_by: tuple[str, ...] = ()
    takes: Mapping[str, str] = field(default_factory=dict[str, str])
    arithmetic: bool = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "arithmetic", _is_arithmetic(self.tool))

    @property
    def writes(self) -> bool:
        """Whether calls change the state."""
        return bool(self.tool.capability and self.tool.capability.changes)

    def can_stand_in_for(self, other: "Operation") -> bool:
        """Whether this tool can do the other's job by a formula that everybody knows."""
        return self.tool.name in other.also_done_by or (self.arithmetic and other.arithmetic)

    def boundary(self, arguments: Mapping[str, JsonValue]) -> Boundary:
        """Return on which side of a model's own abilities a call with these arguments lies.

        Raises:
            ValueError: The tool reports public facts.
        """
        if self.tool.rubric is not None and self.tool.rubric.when == "public":
            raise ValueError(f"{self.tool.name} reports public facts, so its calls lie on neither side")
        if self.within is not None:
            return Boundary.INTERNAL if self.within(arguments) else Boundary.EXTERNAL
        never_fires = self.tool.rubric is not None and self.tool.rubric.when == "never"
        return Boundary.INTERNAL if never_fires else Boundary.EXTERNAL


_NUMBERS: Final = frozenset({"number", "integer"})
MULTIPLIERS: Final = (
    *("multiply", "get_percentage", "get_fuel_needed", "get_rain_volume"),
    *("scale_picture", "get_tourist_tax", "get_late_fee", "get_yearly_pay"),
)
"""Tools that multiply, whatever they call the factors, so that each can do the job of another."""


def _element_type(shape: Mapping[str, JsonValue]) -> str:
    """The JSON type of a value, or of the elements of a list."""
    return str((members(shape["items"]) if shape.get("type") == "array" else shape).get("type"))


@dataclass(frozen=True, slots=True)
class Server:
    """A group of tools that are published together.

    Attributes:
        category: One of 21 broad subjects.
        name: The group.
    """

    category: str
    name: str

    def tool(
        self,
        *,
        rubric: Judgement,
        scenario: str,
        person_can: str = "",
        person_cannot: str = "",
        about: tuple[str, ...] | None = None,
        changes: tuple[str, ...] = (),
        also_done_by: tuple[str, ...] = (),
    ) -> Callable[[Callable[..., schema.Shape]], Operation]:
        """Make an operation of a typed function.

        Args:
            rubric: From `always`, `never`, `by_argument` or `public`.
            scenario: One or two sentences: who wants this, and when.
            person_can: Why a person who is asked could do the tool's job; or else
            person_cannot: why no person could.
            about: The parameters that together name the subject of what is reported; None for all that
                must be told.
            changes: Attributes that a call makes true; empty for tools that only read.
            also_done_by: See `Operation`.

        Raises:
            ContractError: The function's types or docstring leave something unsaid.
        """
        if bool(person_can) == bool(person_cannot):
            raise schema.ContractError("say why a person can do the tool's job, or why not")

        def derive(function: Callable[..., schema.Shape]) -> Operation:
            derived = tool_of(
                function, category=self.category, server=self.name, about=about, changes=changes
            )
            person = Replaceable(by_human=bool(person_can), why=person_can or person_cannot)
            derived = derived.model_copy(update={"rubric": rubric.rubric, "replaceable": person})
            takes = schema.attributes_of(function)
            return Operation(derived, function, scenario, rubric.within, also_done_by, takes)

        return derive
