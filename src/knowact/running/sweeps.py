"""Several values of one option: a run of each combination, on the same items.

Options of a suite that are treatments (`Option.several`) take them, and so do the budgets of tokens, which
belong to the engine.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, Final, TypeAlias

from knowact.core.errors import BadUsage
from knowact.measures.run_tables import EFFORTS
from knowact.running.request import RunRequest

AS_USUAL: Final = "default"
"""The value of a budget that leaves it to the provider, as without the option."""

LEAST: Final = {"reasoning_tokens": 0, "max_tokens": 1}
"""The least value of each budget that is a number."""

Budget: TypeAlias = str | int | None
"""One value of a budget; None leaves it to the provider."""


def flag(name: str) -> str:
    """An option's name as it is typed."""
    return f"--{name.replace('_', '-')}"


def values(name: str, text: str, check: Callable[[str], None] = lambda _: None) -> tuple[str, ...]:
    """The values of an option that stand in a text, separated by commas.

    Raises:
        BadUsage: One stands there twice, or `check` refuses it.
    """
    words = tuple(word.strip() for word in text.split(","))
    for word in words:
        check(word)
    if len({*words}) < len(words):
        raise BadUsage(f"{flag(name)} has a value twice in {text!r}.")
    return words


def budget(name: str, word: str) -> Budget:
    """One value of a budget.

    Raises:
        BadUsage: It is neither `AS_USUAL` nor an effort or a number that makes sense.
    """
    if word == AS_USUAL:
        return None
    if name not in LEAST:
        if word not in EFFORTS:
            raise BadUsage(f"{flag(name)} takes {AS_USUAL}, {', '.join(EFFORTS)}, not {word!r}.")
        return word
    if not word.isdecimal() or int(word) < LEAST[name]:
        raise BadUsage(f"{flag(name)} takes whole numbers from {LEAST[name]} and {AS_USUAL}, not {word!r}.")
    return int(word)


@dataclass(frozen=True, slots=True)
class Arm:
    """One run of a sweep: what it does not share with the others.

    Attributes:
        options: Of the suite.
        engine: Budgets, by the engine's names; one that is left as usual is not among them.
        words: What tells it from the others ("strategy none, max tokens 512"); empty for the only one.
    """

    options: Mapping[str, Any]
    engine: Mapping[str, Any]
    words: str = ""


def arms(request: RunRequest) -> list[Arm]:
    """Every combination of the values asked for, in their order: the first value of each comes first.

    Raises:
        BadUsage: A budget is given twice.
    """
    treatments = {
        option.name: request.options.get(option.name) or (option.default,)
        for option in request.suite.options
        if option.several
    }
    for name in request.budgets:
        if name in request.engine:
            raise BadUsage(f"{flag(name)} is given twice, before and after the '--'.")
    swept: dict[str, Sequence[Any]] = {**treatments, **request.budgets}
    several = [name for name, some in swept.items() if len(some) > 1]
    combinations: list[Arm] = []
    for chosen in product(*swept.values()):
        named = dict(zip(swept, chosen, strict=True))
        words = (f"{name.replace('_', ' ')} {_shown(named[name])}" for name in several)
        asked = {name: named[name] for name in request.budgets if named[name] is not None}
        combinations.append(Arm({name: named[name] for name in treatments}, asked, ", ".join(words)))
    return combinations


def _shown(value: Any) -> Any:
    return AS_USUAL if value is None else value
