"""The options of a suite: a class with a field for each, and what the command line makes of them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Annotated, Any, Final, Literal, Self, TypeVar, get_args, get_origin

from pydantic import BaseModel, ConfigDict
from pydantic.fields import FieldInfo

from knowact.core.errors import BadUsage

Rules = Literal["definition", "published"]
"""By the definitions of a paper, or as its published code scores."""

RULES: Final[tuple[Rules, ...]] = get_args(Rules)

LIMIT: Final = "limit_tasks"
"""The task argument that stands for the option `limit`: the engine has a limit of its own."""


@dataclass(frozen=True, slots=True)
class Option:
    """A suite's own option, on the command line and as a task argument of the engine.

    Attributes:
        name: In Python spelling; the command line shows it with hyphens.
        help: One sentence: what it does.
        default: Its type is the option's type (bool, int, str).
        choices: Allowed values; empty allows any.
        least: For integers, the least value that makes sense.
        others: The default on the command line for agents that are not built in; empty for the same default.
        refused: Values that other suites take and that make no sense here, each with a sentence: why.
        several: Whether it is a treatment of the same items, so that the command line takes several values,
            separated by commas, and makes a run of each; reports then pair these runs.
        bare: For integers, what the option means without a value (0: it takes one).
    """

    name: str
    help: str
    default: bool | int | str
    choices: tuple[str, ...] = ()
    least: int = 0
    others: str = ""
    refused: Mapping[str, str] = field(default_factory=dict[str, str])
    several: bool = False
    bare: int = 0

    def check(self, value: Any) -> None:
        """Make sure that the option takes a value.

        Raises:
            BadUsage: It does not; the sentence says what it takes, or why not this.
        """
        if why := self.refused.get(str(value)):
            raise BadUsage(f"The option {self.name} cannot be {value!r} here: {why}")
        if isinstance(self.default, bool):
            fits, allowed = isinstance(value, bool), "true or false"
        elif isinstance(self.default, int):
            switched = bool(self.bare) and isinstance(value, bool)
            fits = (is_whole(value) and value >= self.least) or switched
            allowed = f"a whole number of at least {self.least}"
        elif self.choices:
            *others, last = self.choices
            fits, allowed = value in self.choices, " or ".join(filter(None, (", ".join(others), last)))
        else:
            # The engine reads `-T data=2024` as a number; a folder may be called so.
            fits, allowed = isinstance(value, str | int | float) and not isinstance(value, bool), "a text"
        if not fits:
            raise BadUsage(f"The option {self.name} takes {allowed}, not {value!r}.")


@dataclass(frozen=True, slots=True)
class Least:
    """Marks an integer option: the least value that makes sense. Without it, that is 0."""

    value: int


@dataclass(frozen=True, slots=True)
class Bare:
    """Marks an integer option: what it means on the command line without a value."""

    value: int


@dataclass(frozen=True, slots=True)
class ForOthers:
    """Marks an option: its default on the command line for agents that are not built in."""

    value: str


@dataclass(frozen=True, slots=True)
class Treatment:
    """Marks an option as a treatment of the same items: the command line takes several values of it.

    A run is made of each value, and reports pair these runs.

    Attributes:
        refused: Values that other suites take and that make no sense here, each with a sentence: why.
    """

    refused: Mapping[str, str] = field(default_factory=dict[str, str])


MarkT = TypeVar("MarkT", Least, Bare, ForOthers, Treatment)


class Options(BaseModel):
    """What a run of a suite can be asked for; a suite's own class adds a field for each of its options.

        class ErrandOptions(Options):
            data: str = "town@1-A"
            '''A shipped data set, or a folder with items.jsonl.'''
            rounds: Annotated[int, Least(1)] = 8
            '''Maximum number of model calls per trial.'''
            probe: Literal["both", "know", "act"] = "both"
            '''Ask both ways, or only one.'''

    A field is a bool, an int, a text or a `Literal` of texts, and has a default. Its docstring is the help of
    the command line. `Least`, `Bare`, `ForOthers` and `Treatment` in its annotation say more.
    The fields here are those of every suite; `data` and `trials` get another default in a suite's class.
    """

    model_config = ConfigDict(
        frozen=True, extra="forbid", use_attribute_docstrings=True, coerce_numbers_to_str=True
    )

    data: str = ""
    """A shipped data set, or a folder."""
    seed: int = 0
    """Fixes every random choice."""
    trials: Annotated[int, Least(1)] = 1
    """Epochs per item."""
    rules: Rules = "definition"
    """Score by the paper's definitions, or reproduce its published numbers."""
    limit: int = 0
    """The first so many base tasks; 0 for all."""

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Self:
        """Read options by name, as commands, configuration files and logs have them; None is the default.

        Raises:
            BadUsage: An option does not take its value; the sentence says what it takes.
        """
        given = {name: value for name, value in values.items() if value is not None}
        for option in (*common_options(cls), *own_options(cls)):
            if option.name in given:
                option.check(given[option.name])
        return cls.model_validate(given)


COMMON: Final = ("seed", "trials", "rules", "limit")
"""The options of every suite beside `data`, in the order of logs."""


def common_defaults(options: type[Options]) -> dict[str, bool | int | str]:
    """The defaults of the options that every suite has."""
    return {name: options.model_fields[name].default for name in COMMON}


@cache
def own_options(options: type[Options]) -> tuple[Option, ...]:
    """A suite's own options, `data` first, as the command line and the engine take them."""
    return tuple(
        _option(name, declared) for name, declared in options.model_fields.items() if name not in COMMON
    )


@cache
def common_options(options: type[Options]) -> tuple[Option, ...]:
    """The checks of the options of every suite; `seed` is any whole number."""
    defaults = options.model_fields
    return tuple(_option(name, defaults[name]) for name in ("limit", "trials", "rules"))


def _option(name: str, declared: FieldInfo) -> Option:
    """What a field of an options class says of its option."""
    least, bare = _mark(declared, Least), _mark(declared, Bare)
    others, treatment = _mark(declared, ForOthers), _mark(declared, Treatment)
    refused = dict(treatment.refused) if treatment else {}
    listed: tuple[str, ...] = (
        get_args(declared.annotation) if get_origin(declared.annotation) is Literal else ()
    )
    return Option(
        name,
        declared.description or "",
        declared.default,
        tuple(choice for choice in listed if choice not in refused),
        least=least.value if least else 0,
        others=others.value if others else "",
        refused=refused,
        several=treatment is not None,
        bare=bare.value if bare else 0,
    )


def _mark(declared: FieldInfo, kind: type[MarkT]) -> MarkT | None:
    """What an annotation says of one kind; the outermost counts."""
    return next((mark for mark in reversed(declared.metadata) if isinstance(mark, kind)), None)


@dataclass(frozen=True, slots=True)
class Renamed:
    """What an option of earlier versions is called now.

    Attributes:
        name: Its name now.
        values: Its values then, each with the value now; others are unchanged.
    """

    name: str
    values: Mapping[str, Any]


RENAMED: Final = {"gate": Renamed("after_no", {"record": "act"})}
"""Options by the names that logs of earlier versions have; the command line refuses these names."""


def under_current_names(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options that a log states, under their names and values of today."""
    current: dict[str, Any] = {}
    for name, value in options.items():
        renamed = RENAMED.get(name)
        current |= {renamed.name: renamed.values.get(str(value), value)} if renamed else {name: value}
    return current


def is_whole(value: Any) -> bool:
    """Whether a value is a whole number; true and false are none."""
    return isinstance(value, int) and not isinstance(value, bool)
