"""From the keyword arguments of `knowact.run` to a request: the options of the command, with underscores."""

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, TypeVar, cast

from knowact.agents.outside.reply import AgentFunction
from knowact.core.errors import BadUsage, suggest
from knowact.core.option import RULES, Option, is_whole
from knowact.measures.run_tables import BUDGETS
from knowact.probes.suite import Suite
from knowact.running import engine_options
from knowact.running.config_file import INSPECT, of_suite
from knowact.running.progress import DISPLAYS
from knowact.running.request import RunRequest
from knowact.running.sources import typed
from knowact.running.sweeps import AS_USUAL, budget, flag, values

T = TypeVar("T")


def request_of(suite: Suite, given: Mapping[str, Any], engine: Mapping[str, Any]) -> RunRequest:
    """Read options into a request; those that are None are left at their defaults.

    Args:
        suite: What is run.
        given: Values by the options' names; `config` names a file whose options these come before.
        engine: Options of the engine, by its names.

    Raises:
        BadUsage: There is no such option, or it does not take this value.
    """
    options = {name: value for name, value in given.items() if value is not None}
    if "config" in options:
        stored, _ = of_suite(Path(options.pop("config")), typed(suite.name))
        engine = {**stored.pop(INSPECT, {}), **engine}
        options = {**{name.replace("-", "_"): value for name, value in stored.items()}, **options}
    own = {option.name: option for option in suite.options}
    _check_names(suite, options, {*own, *_COMMON, *BUDGETS})
    common: dict[str, Any] = {"trials": suite.trials}
    for name, (field, read) in _COMMON.items():
        if name in options:
            common[field] = read(name, options[name])
    return RunRequest(
        suite=suite,
        options={
            name: _own(option, options[name])
            for name, option in own.items()
            # False leaves out what is no switch.
            if name in options and (options[name] is not False or isinstance(option.default, bool))
        },
        budgets={
            name: tuple(budget(name, word) for word in values(name, _listed(options[name])))
            for name in BUDGETS
            if name in options
        },
        engine=engine_options.of_values(engine),
        **common,
    )


def called_first(preflight: bool | None) -> bool:  # noqa: FBT001 - what the caller's argument is
    """Whether each model is called once before a run: as asked for, else as `KNOWACT_PREFLIGHT` says."""
    if preflight is not None:
        return preflight
    return os.environ.get("KNOWACT_PREFLIGHT", "1").strip().lower() not in _OFF


_OFF: Final = frozenset(("0", "false", "f", "no", "n", "off"))
"""How an environment variable switches something off."""


def _check_names(suite: Suite, options: Mapping[str, Any], known: set[str]) -> None:
    dropped = {name.replace("-", "_"): sentence for name, sentence in suite.dropped.items()}
    for name in options:
        if name in dropped:
            raise BadUsage(dropped[name])
        if name not in known:
            raise BadUsage(f"No such option {flag(name)!r}. {suggest(flag(name), map(flag, known))}")


def _own(option: Option, value: Any) -> Any:
    """A value of a suite's own option."""
    if option.several:
        return values(option.name, _listed(value), option.check)
    if option.bare and isinstance(value, bool):
        return option.bare * value
    if isinstance(option.default, str) and not isinstance(value, bool):
        value = str(value)
    elif is_whole(option.default) and isinstance(value, str) and value.isdecimal():
        value = int(value)
    option.check(value)
    return value


def _listed(value: Any) -> str:
    """Several values as the command line takes them; None among them is the usual one."""
    some = cast("Sequence[Any]", value) if isinstance(value, list | tuple) else [value]
    return ",".join(AS_USUAL if each is None else str(each) for each in some)


def _refused(name: str, takes: str, value: Any) -> BadUsage:
    return BadUsage(f"The option {name} takes {takes}, not {value!r}.")


def _whole(least: int | None = None) -> Callable[[str, Any], int]:
    def read(name: str, value: Any) -> int:
        number: Any = int(value) if isinstance(value, str) and value.isdecimal() else value
        if not is_whole(number) or (least is not None and number < least):
            raise _refused(
                name, "a whole number" if least is None else f"a whole number of at least {least}", value
            )
        return number

    return read


def _number(least: float = 0.0) -> Callable[[str, Any], float]:
    def read(name: str, value: Any) -> float:
        try:
            number = float(value)
        except (TypeError, ValueError):
            number = -1.0
        if isinstance(value, bool) or not number >= least:
            raise _refused(name, f"a number of at least {least:g}", value)
        return number

    return read


def _choice(choices: Sequence[str]) -> Callable[[str, Any], str]:
    def read(name: str, value: Any) -> str:
        if value not in choices:
            raise _refused(name, " or ".join(choices), value)
        return str(value)

    return read


def _switch(name: str, value: Any) -> bool:
    if not isinstance(value, bool):
        raise _refused(name, "true or false", value)
    return value


def _text(name: str, value: Any) -> str:
    if not isinstance(value, str):
        raise _refused(name, "a text", value)
    return value


def _texts(name: str, value: Any) -> tuple[str, ...]:
    some = cast("Sequence[Any]", value) if isinstance(value, list | tuple) else [value]
    return tuple(_text(name, text) for text in some)


def _agents(name: str, value: Any) -> tuple[str | AgentFunction, ...]:
    some = cast("Sequence[Any]", value) if isinstance(value, list | tuple) else [value]
    if wrong := [agent for agent in some if not (isinstance(agent, str) or callable(agent))]:
        raise _refused(name, "a text or a function", wrong[0])
    return tuple(some)


def _pairs(name: str, value: Any) -> tuple[str, ...]:
    if isinstance(value, Mapping):
        return tuple(f"{key}={inner}" for key, inner in cast("Mapping[str, Any]", value).items())
    return _texts(name, value)


def _path(name: str, value: Any) -> Path:
    return value if isinstance(value, Path) else Path(_text(name, value))


_COMMON: Final[Mapping[str, tuple[str, Callable[[str, Any], Any]]]] = {
    "model": ("models", _texts),
    "agent": ("agents", _agents),
    "agent_name": ("agent_name", _text),
    "agent_timeout": ("agent_timeout", _number(0.1)),
    "judge": ("judge", _text),
    "role": ("roles", _pairs),
    "limit": ("limit", _whole(1)),
    "trials": ("trials", _whole(1)),
    "seed": ("seed", _whole()),
    "rules": ("rules", _choice(RULES)),
    "max_connections": ("max_connections", _whole(1)),
    "cost_limit": ("cost_limit", _number()),
    "log_dir": ("log_dir", _path),
    "display": ("display", _choice(DISPLAYS)),
    "live": ("live", _switch),
    "fresh": ("fresh", _switch),
}
"""Options of every suite: the field of the request, and what reads a value."""
