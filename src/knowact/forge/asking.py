"""What a model is asked in the making of data: a prompt, and what makes an answer of its reply."""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from pydantic import ValidationError

from knowact.core.errors import BadUsage

MOST_GIVEN_UP: Final = 10
"""So many texts a writer may never get right before it matters whether they are the most."""
_VALUES: Final = re.compile(r"'[^']*'|\"[^\"]*\"|\d[\w.]*")
"""What differs from one complaint of a kind to the next: the values that our own sentences quote."""

R_co = TypeVar("R_co", covariant=True)


class NotYet(Exception):  # noqa: N818 - reads as a sentence where it is raised
    """A reply that cannot be used.

    Args:
        wrong: What is wrong with it, a sentence each.
    """

    def __init__(self, *wrong: str) -> None:
        self.wrong = wrong or ("the reply holds no JSON object.",)
        super().__init__(*self.wrong)


def not_as_asked(error: ValidationError) -> NotYet:
    """Say of a reply that has not the fields that were asked for what is wrong with the first one."""
    first = error.errors()[0]
    return NotYet(f"the reply is not as asked for: {'.'.join(map(str, first['loc']))}: {first['msg']}")


@dataclass(frozen=True, slots=True)
class ToAsk(Generic[R_co]):
    """A question that is put until the reply can be used.

    Attributes:
        key: Names the question, for a file in the role.
        text: The prompt, filled.
        read: Makes the answer of the last JSON object of a reply, given which attempt it is; raises `NotYet`.
        failing: What there is without an answer ("no usable text for brief 7"), for people.
        told: Whether what is wrong is said in the same chat; else the question is put anew.
        seed: For votes on one thing, so that they differ.
        schema: The JSON Schema of a usable answer, for providers that hold a model to one.
        given_up: What is kept where no reply can be used, given what was wrong with the last one and how
            often it was asked; None leaves the question open, to be asked again.
    """

    key: str
    text: str
    read: Callable[[Mapping[str, Any], int], R_co]
    failing: str
    told: bool = True
    seed: int | None = None
    schema: Mapping[str, Any] | None = None
    given_up: Callable[[str, int], R_co] | None = None


def turn(brief: str, discarded: int) -> str:
    """The key of a question about a brief of which so many texts were discarded: "7e2c" or "7e2c.again1"."""
    return f"{brief}.again{discarded}" if discarded else brief


def stop_if_hopeless(writer: str, failed: Sequence[str]) -> None:
    """Stop where a writer never gets most of its texts right, before more is spent on it.

    Args:
        writer: Its name.
        failed: For each text that it was asked for, what was wrong with it in the end; "" with a usable one.

    Raises:
        BadUsage: More than half of them are given up, and more than `MOST_GIVEN_UP`.
    """
    wrong = [complaint for complaint in failed if complaint]
    if len(wrong) <= MOST_GIVEN_UP or 2 * len(wrong) <= len(failed):
        return
    raise BadUsage(
        f"{writer} wrote no valid text for {len(wrong):,} of {len(failed):,} briefs. Most often: "
        f"{commonest(wrong)} Bind another writer (--role writer=MODEL), or have people write (--briefs FILE)."
    )


def commonest(wrong: Sequence[str]) -> str:
    """An example of the commonest of some complaints, whatever values they quote."""
    kinds = Counter(_VALUES.sub("", complaint) for complaint in wrong)
    kind = max(kinds, key=lambda complaint: kinds[complaint])
    return next(complaint for complaint in wrong if _VALUES.sub("", complaint) == kind)
