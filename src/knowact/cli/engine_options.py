"""The words after `--`: options of the engine, spelled as on its own command line."""

import json
from collections.abc import Sequence
from typing import Any

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
        BadUsage: A word that is not an option, or an option that knowact sets itself.
        UnknownName: The engine has no such option.
    """
    found: dict[str, Any] = {}
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
            found.setdefault("model_args", {})[key] = _value(inner)
        else:
            if _known(name, written) in found:
                raise BadUsage(f"The engine's option '--{name.replace('_', '-')}' is given twice.")
            found[name] = _checked(name, value)
    return found


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
