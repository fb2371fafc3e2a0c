"""Options that take several values, separated by commas: treatments of a suite, and budgets of tokens."""

from typing import Final

import click

from knowact.core.option import Option
from knowact.measures.run_tables import BUDGETS, EFFORTS
from knowact.running.sweeps import AS_USUAL, LEAST, Budget, budget, flag, values

_HELP: Final = {
    "reasoning_effort": "How hard the agent thinks.",
    "reasoning_tokens": "Tokens that the agent may think in, per call.",
    "max_tokens": "Tokens of an answer of the agent, its thoughts included.",
}


def values_option(option: Option) -> click.Option:
    """The option of a suite that takes several values."""

    def read(_ctx: click.Context, param: click.Parameter, value: str) -> tuple[str, ...]:
        return values(str(param.name), value, option.check)

    return click.Option(
        [flag(option.name)],
        default=option.default,
        show_default=True,
        metavar=f"[{'|'.join(option.choices)}][,...]",
        callback=read,
        help=option.help,
    )


def budget_options() -> list[click.Parameter]:
    """The budgets of tokens: None where not given, else values, among them None for the usual one."""

    def read(_ctx: click.Context, param: click.Parameter, value: str | None) -> tuple[Budget, ...] | None:
        if value is None:
            return None
        name = str(param.name)
        return tuple(budget(name, word) for word in values(name, value))

    return [
        click.Option(
            [flag(name)],
            metavar=f"[{AS_USUAL}|{'N' if name in LEAST else '|'.join(EFFORTS)}][,...]",
            callback=read,
            help=_HELP[name],
        )
        for name in BUDGETS
    ]
