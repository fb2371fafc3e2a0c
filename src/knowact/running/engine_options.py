"""Options of the engine: the words after `--`, spelled as on its own command line, or values by name."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

from knowact.core.errors import BadUsage, UnknownName

OURS = frozenset(
    (
        *("tasks", "model", "model_roles", "log_dir", "task_args", "limit", "epochs", "eval_set_id"),
        *("retry_attempts", "retry_immediate", "solver", "kwargs", "sample_id", "cost_limit"),
        # Without these there is nothing to score, or nothing that a report can read.
        *("display", "log_format", "log_samples", "score"),
    )
)
"""Options of the engine that knowact sets itself."""


def parse(words: Sequence[str]) -> dict[str, Any]:
    """Turn `--max-retries 0 --no-log-images -M x=1` into keyword arguments of the engine.

    Values are read as JSON (numbers, true, lists) where possible, else as text.

    Raises:
        BadUsage: A word that is not an option, an option that knowact sets itself, or a secret that would end
            in the log.
        UnknownName: The engine has no such option.
    """
    options: dict[str, Any] = {}
    rest = list(words)
    while rest:
        word = rest.pop(0)
        if not word.startswith("-"):
            raise BadUsage(f"{word!r} after '--' is not an option of the engine. Options begin with '--'.")
        written, given, text = word.lstrip("-").partition("=")
        negated = written.startswith("no-")
        name = written.removeprefix("no-").replace("-", "_")
        if not given and rest and not rest[0].startswith("--") and not negated:
            text, given = rest.pop(0), "="
        value: Any = _value(text) if given else not negated
        if name == "M":
            key, _, inner = str(text).partition("=")
            options.setdefault("model_args", {})[key] = _unlogged(key, _value(inner))
        else:
            if _known(name, written) in options:
                raise BadUsage(f"The engine's option '--{name.replace('_', '-')}' is given twice.")
            options[name] = _checked(name, value)
    return options


def of_values(given: Mapping[str, Any]) -> dict[str, Any]:
    """Check options of the engine that are given by name with their values, as from Python.

    Args:
        given: Texts are read as JSON where possible; None leaves an option out; `M` and `model_args` hold
            what the provider takes.

    Raises:
        BadUsage: knowact sets an option itself, or a value is a secret or of a wrong type.
        UnknownName: The engine has no such option.
    """
    settings: dict[str, Any] = {}
    for written, value in given.items():
        name = written.replace("-", "_")
        if value is None:
            continue
        if name in {"M", "model_args"} and isinstance(value, Mapping):
            own = cast("Mapping[str, Any]", value).items()
            settings["model_args"] = {key: _unlogged(key, inner) for key, inner in own}
        else:
            typed = _value(value) if isinstance(value, str) else value
            settings[_known(name, written)] = _checked(name, typed)
    return settings


_SECRET: Final = re.compile(r"(^|[_-])(auth\w*|cookie|key|secret|token|password)$", re.IGNORECASE)
_NOT_LOGGED: Final = "api_key"
"""The model argument that the engine leaves out of its logs."""


def _unlogged(name: str, value: Any) -> Any:
    """Return a model argument that may stand in a log, as all but one do."""
    inner = list(cast("dict[str, Any]", value)) if isinstance(value, dict) else []
    for key in [] if name == _NOT_LOGGED else [name, *inner]:
        if _SECRET.search(key):
            raise BadUsage(f"'-M {name}': {key!r} would stand in the log. Set it in the environment.")
    return cast("Any", value)


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _known(name: str, written: str) -> str:
    from knowact.engine.models import engine_names

    names = engine_names()
    if name in OURS:
        raise BadUsage(
            f"knowact sets '--{name.replace('_', '-')}' itself. Leave it out, or give it before the '--'."
        )
    if name not in names:
        raise UnknownName("engine option", written, [known.replace("_", "-") for known in names])
    return name


def _checked(name: str, value: Any) -> Any:
    """Refuse a value of the wrong type now rather than in the middle of the run."""
    from knowact.engine.models import fits

    if not fits(name, value):
        raise BadUsage(f"The engine's option '--{name.replace('_', '-')}' cannot be {value!r}.")
    return value
