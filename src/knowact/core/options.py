"""Are the arguments of a suite's engine task what its options allow? The command line checks its own.

`inspect eval knowact/car -T driver=nobody` comes without knowact's command line, and the engine passes on
whatever was written. So each suite's task asks here first.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from knowact.core.errors import BadUsage
from knowact.core.suite import COMMON_DEFAULTS, Option, Suite

LIMIT: Final = "limit_tasks"
"""The task argument that stands for the option `limit`: the engine has a limit of its own."""

RULES: Final = ("definition", "published")


def options_of(suite: Suite, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return a suite's options, common ones included, from the arguments of its task.

    Raises:
        BadUsage: An argument that the option does not take, named with what it does take.
    """
    common = (
        Option(LIMIT, "", COMMON_DEFAULTS["limit"]),
        Option("trials", "", COMMON_DEFAULTS["trials"], least=1),
        Option("rules", "", COMMON_DEFAULTS["rules"], RULES),
    )
    for option in (*common, *suite.options):
        if option.name in arguments:
            _check(option, arguments[option.name])
    seed = arguments.get("seed", 0)
    if not _is_whole(seed):
        raise BadUsage(f"The option seed takes a whole number, not {seed!r}.")
    options = dict(arguments)
    options["limit"] = options.pop(LIMIT, 0)
    return options


def _check(option: Option, value: Any) -> None:
    if not _takes(option, value):
        raise BadUsage(f"The option {option.name} takes {_allowed(option)}, not {value!r}.")


def _takes(option: Option, value: Any) -> bool:
    if isinstance(option.default, bool):
        return isinstance(value, bool)
    if isinstance(option.default, int):
        return _is_whole(value) and value >= option.least
    if option.choices:
        return value in option.choices
    # The engine reads `-T data=2024` as a number; a folder may be called so.
    return isinstance(value, str | int | float) and not isinstance(value, bool)


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _allowed(option: Option) -> str:
    if isinstance(option.default, bool):
        return "true or false"
    if isinstance(option.default, int):
        return f"a whole number of at least {option.least}"
    return _either(option.choices) if option.choices else "a text"


def _either(names: Sequence[str]) -> str:
    return " or ".join(filter(None, (", ".join(names[:-1]), names[-1])))
