"""Several values of one option, separated by commas: a run of each, on the same items.

Options of a suite that are treatments (`Option.several`) take them, and so do the budgets of tokens, which
belong to the engine. With several of both, every combination is a run.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, Final

import click

from knowact.core.errors import BadUsage
from knowact.core.option import Option
from knowact.core.suite import Suite
from knowact.measures.run_tables import BUDGETS, EFFORTS

AS_USUAL: Final = "default"
"""The value of a budget that leaves it to the provider, as without the option."""

_HELP: Final = {
    "reasoning_effort": "How hard the agent thinks.",
    "reasoning_tokens": "Tokens that the agent may think in, per call.",
    "max_tokens": "Tokens of an answer of the agent, its thoughts included.",
}
_LEAST: Final = {"reasoning_tokens": 0, "max_tokens": 1}


def values_option(option: Option) -> click.Option:
    """The option of a suite that takes several values."""

    def read(_ctx: click.Context, param: click.Parameter, value: str) -> tuple[str, ...]:
        return _each(value, param, option.check)

    return click.Option(
        [_flag(option.name)],
        default=option.default,
        show_default=True,
        metavar=f"[{'|'.join(option.choices)}][,...]",
        callback=read,
        help=option.help,
    )


def budget_options() -> list[click.Parameter]:
    """The budgets of tokens: None where not given, else values, among them None for the usual one."""

    def read(_ctx: click.Context, param: click.Parameter, value: str | None) -> tuple[Any, ...] | None:
        if value is None:
            return None
        return tuple(_budget(str(param.name), one) for one in _each(value, param))

    return [
        click.Option(
            [_flag(name)],
            metavar=f"[{AS_USUAL}|{'N' if name in _LEAST else '|'.join(EFFORTS)}][,...]",
            callback=read,
            help=_HELP[name],
        )
        for name in BUDGETS
    ]


def _flag(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _each(
    value: str, param: click.Parameter, check: Callable[[str], None] = lambda _: None
) -> tuple[str, ...]:
    found = tuple(word.strip() for word in value.split(","))
    for one in found:
        check(one)
    if len({*found}) < len(found):
        raise BadUsage(f"{_flag(str(param.name))} has a value twice in {value!r}.")
    return found


def _budget(name: str, word: str) -> str | int | None:
    if word == AS_USUAL:
        return None
    if name not in _LEAST:
        if word not in EFFORTS:
            raise BadUsage(f"{_flag(name)} takes {AS_USUAL}, {', '.join(EFFORTS)}, not {word!r}.")
        return word
    if not word.isdecimal() or int(word) < _LEAST[name]:
        raise BadUsage(f"{_flag(name)} takes whole numbers from {_LEAST[name]} and {AS_USUAL}, not {word!r}.")
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


def arms(suite: Suite, given: Mapping[str, Any], engine: Mapping[str, Any]) -> list[Arm]:
    """Every combination of the values given, in their order: the first value of each comes first.

    Args:
        suite: What is run.
        given: The values of the command's options, by name.
        engine: What was asked of the engine behind `--`.

    Raises:
        BadUsage: A budget is given twice.
    """
    options = [one.name for one in suite.options if one.several]
    budgets = [name for name in BUDGETS if given[name] is not None]
    for name in budgets:
        if name in engine:
            raise BadUsage(f"{_flag(name)} is given twice, before and after the '--'.")
    values: Sequence[Sequence[Any]] = [given[name] for name in (*options, *budgets)]
    several = [name for name, some in zip((*options, *budgets), values, strict=True) if len(some) > 1]
    found: list[Arm] = []
    for chosen in product(*values):
        named = dict(zip((*options, *budgets), chosen, strict=True))
        words = (f"{name.replace('_', ' ')} {_shown(named[name])}" for name in several)
        asked = {name: named[name] for name in budgets if named[name] is not None}
        found.append(Arm({name: named[name] for name in options}, asked, ", ".join(words)))
    return found


def _shown(value: Any) -> Any:
    return AS_USUAL if value is None else value
