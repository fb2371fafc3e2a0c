"""An option of a suite, on the command line and as a task argument of the engine."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from knowact.core.errors import BadUsage


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
