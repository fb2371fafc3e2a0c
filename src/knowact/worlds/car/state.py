"""What a trial can change about the car, and a list of what each call has changed."""

from collections.abc import Mapping

from pydantic import JsonValue

from knowact.core.conversation import StateChange
from knowact.core.errors import BadUsage
from knowact.worlds.car.fields import Given, Value, fields_of
from knowact.worlds.car.rules import Rules


class State:
    """The 31 variables of one trial.

    Tools read what they decide by through `on` and `texts`, and everything else through `snapshot`.
    Writing (`set`) is undone by `undo`, and told by `changes`, back to the last `begin`.

    Args:
        values: Variables that start with another value than their default.
        rules: The rule set, which decides about the trunk's words (see `fields`).

    Raises:
        BadUsage: A value that the variable cannot have.
    """

    def __init__(self, values: Mapping[str, JsonValue], rules: Rules = Rules.DEFINITION) -> None:
        self._fields = fields_of(rules)
        self._values: dict[str, Value] = {
            name: kind.admitted(kind.default) for name, kind in self._fields.items()
        }
        self._before: dict[str, Value] = {}
        for name, value in values.items():
            try:
                self._values[name] = self._fields[name].admitted(value)
            except ValueError as wrong:
                raise BadUsage(f"the setup's {name!r} {wrong}, not {value!r}.") from None

    def on(self, name: str) -> bool:
        """Return a variable that is true or false."""
        return self._values[name] is True

    def texts(self, name: str) -> list[str]:
        """Return a variable that is a list of texts; the list is the caller's own."""
        value = self._values[name]
        return list(value) if isinstance(value, tuple) else []

    def set(self, name: str, value: Given) -> None:
        """Write a variable.

        Raises:
            KeyError: There is no such variable.
            ValueError: It cannot have that value. Tools check before they write, so this is their mistake.
        """
        try:
            admitted = self._fields[name].admitted(value)
        except ValueError as wrong:
            raise ValueError(f"{name!r} {wrong}, not {value!r}") from None
        self._before.setdefault(name, self._values[name])
        self._values[name] = admitted

    def begin(self) -> None:
        """Forget what was changed so far: a call begins."""
        self._before = {}

    def undo(self) -> None:
        """Put everything back to where it was when the call began."""
        self._values.update(self._before)
        self._before = {}

    @property
    def changed(self) -> bool:
        """Whether anything differs from when the call began."""
        return any(self._values[name] != before for name, before in self._before.items())

    def changes(self) -> tuple[StateChange, ...]:
        """Return what differs from when the call began, in the order of the first writing."""
        return tuple(
            StateChange(name, _json(before), _json(self._values[name]))
            for name, before in self._before.items()
            if self._values[name] != before
        )

    def snapshot(self) -> dict[str, JsonValue]:
        """Return all variables as JSON, in the order of the original."""
        return {name: _json(value) for name, value in self._values.items()}


def _json(value: Value) -> JsonValue:
    return list(value) if isinstance(value, tuple) else value
