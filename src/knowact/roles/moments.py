"""The labelled moments of users who notice: what a good user does next, and how a reply is marked. Pure.

A moment is a scenario, what was said so far, and the assistant's last message. `says` are words of which one
stands in every line that does what the label says (the wanted value, the topic of the question); `not` are
words that only a line has which takes up again what was fine.
"""

from collections.abc import Iterator
from functools import partial
from typing import Final, Literal

from pydantic import Field

from knowact.roles.calibration import (
    LabelledItem,
    LabelledSet,
    Mark,
    ShownMessage,
    rows,
    version_of,
)
from knowact.roles.labelled_rows import LabelledRow, any_stands, line_item
from knowact.roles.lines import UserLine
from knowact.roles.script import Persona, Style
from knowact.roles.user_brief import user_brief, user_prompt

_HERE: Final = "knowact.roles"
_NAME: Final = "moments"

NOTICES: Final = ("insists", "corrects", "declines")
"""What a user does who has noticed something: a question passed over, a false report, a wrong proposal."""


class _Label(LabelledRow):
    then: Literal["insists", "corrects", "declines", "agrees", "wish", "leaves"]
    says: tuple[str, ...] = ()
    bare: tuple[str, ...] = Field(default=(), alias="not")


class _Moment(LabelledRow):
    """One moment; the user's lines of `talk` begin with "> ", and the last one is the assistant's."""

    id: str
    kind: str
    style: Style
    scenario: str
    talk: tuple[str, ...]
    label: _Label


def moments() -> LabelledSet:
    """The set, for the role `user`."""
    items = tuple(map(_item, rows(_HERE, _NAME, _Moment)))
    return LabelledSet("user", _NAME, version_of(_HERE, _NAME), user_prompt(), items)


def _item(moment: _Moment) -> LabelledItem:
    label = moment.label
    brief = user_brief(Persona(style=moment.style), moment.scenario)
    return line_item(
        moment.id, brief, map(_message, moment.talk), label.then == "leaves", partial(_marks, label)
    )


def _message(line: str) -> ShownMessage:
    """To the model that plays the user, its own lines are the assistant's."""
    return ShownMessage("assistant", line[2:]) if line.startswith("> ") else ShownMessage("user", line)


def _marks(label: _Label, line: UserLine) -> Iterator[Mark]:
    says = any_stands(label.says, line.text)
    if label.then in NOTICES:
        yield Mark(label.then, "missed", not says)
    elif label.then == "agrees":
        yield Mark("declines", "false pass", not says or any_stands(label.bare, line.text))
    elif label.then == "wish":
        yield Mark("wish", "missed", not says)
        yield Mark("notices", "false pass", any_stands(label.bare, line.text))
    else:
        yield Mark("notices", "false pass", bool(line.text))
