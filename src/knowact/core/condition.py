"""Conditions: what was changed about a task, and what is withheld thereby."""

from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import Field

from knowact.core.model import Noun


class Hide(Noun):
    """The tool is not there."""

    kind: Literal["hide"] = "hide"
    tool: str


class Mask(Noun):
    """One parameter, or one field of the result, is not there."""

    kind: Literal["mask"] = "mask"
    tool: str
    part: Literal["parameter", "result"]
    name: str


class Replace(Noun):
    """A tool takes the place of another: `tool` is gone, `by` (a tool of the world) stands there."""

    kind: Literal["replace"] = "replace"
    tool: str
    by: str


Failure = Literal["unavailable", "gone", "server_error", "timeout", "empty", "malformed", "wrong"]
"""How a listed tool fails.

Four answer with an error: `unavailable` has its own message, `gone` says that the service was shut down for
good (HTTP 410), `server_error` that it broke down (500), `timeout` that it did not answer in time. `empty`
answers with an empty text, `malformed` with JSON that ends before the first value. None of these carries a
call out. `wrong` does, and reports something plausible that is not so.
"""


class Fail(Noun):
    """The tool is listed but does not do its job. `message` is what it says where it is `unavailable`."""

    kind: Literal["fail"] = "fail"
    tool: str
    message: str = "The service is unavailable at the moment."
    how: Failure = "unavailable"


class Add(Noun):
    """A tool that the task does not need is offered too (a distractor)."""

    kind: Literal["add"] = "add"
    tool: str


Change = Annotated[Hide | Mask | Replace | Fail | Add, Field(discriminator="kind")]


class Condition(Noun):
    """Data that say what was changed, and what an agent therefore cannot get.

    Attributes:
        name: A short name for tables ("clean", "distractors-10", "no-tools").
        changes: Computed changes, applied through a session overlay. A new order of the offered
            tools is part of the change (`order`).
        order: The offered tools in the order shown, after all changes; empty keeps the task's.
        withheld: What is missing, in the vocabulary of the change ("tool:get_forecast"). None says
            that it is *not known* (published items).
    """

    name: str
    changes: tuple[Change, ...] = ()
    order: tuple[str, ...] = ()
    withheld: tuple[str, ...] | None = ()


CLEAN = Condition(name="clean")
"""Nothing changed, nothing withheld."""


class Unfit(ValueError):  # noqa: N818 - reads as a sentence where it is raised
    """A condition that does not go with the tools that a task offers.

    Args:
        what: What is wrong, as a clause without a full stop.
        field: Which part of the condition it is ("order", "changes.0.tool").
    """

    def __init__(self, what: str, field: str) -> None:
        self.what, self.field = what, field
        super().__init__(what)


def on_the_table(offered: Sequence[str], condition: Condition) -> tuple[str, ...]:
    """Return the names of the tools on the table under a condition, in the order shown.

    Args:
        offered: Names offered in the clean setting, in order.
        condition: What is changed.

    Raises:
        Unfit: A tool would be on the table twice, or the order names others than those that are left.
    """
    names = list(offered)
    for change in condition.changes:
        if isinstance(change, Add):
            names.append(change.tool)
        elif isinstance(change, Hide):
            names = [name for name in names if name != change.tool]
        elif isinstance(change, Replace):
            names = [change.by if name == change.tool else name for name in names]
    for name in names:
        if names.count(name) > 1:
            raise Unfit(f"the tool {name!r} is added, but it is already offered", "changes")
    return _in_order(names, condition.order) if condition.order else tuple(names)


def _in_order(names: Sequence[str], order: Sequence[str]) -> tuple[str, ...]:
    for number, name in enumerate(order):
        if name in order[:number]:
            raise Unfit(f"the order names the tool {name!r} twice", f"order.{number}")
        if name not in names:
            what = f"the order names the tool {name!r}, which the condition does not offer"
            raise Unfit(what, f"order.{number}")
    if left_out := [name for name in names if name not in order]:
        raise Unfit(f"the order leaves out {', '.join(map(repr, left_out))}", "order")
    return tuple(order)
