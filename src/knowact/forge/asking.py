"""What a model is asked in the making of data: a prompt, and what makes an answer of its reply."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pydantic import ValidationError

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
    """

    key: str
    text: str
    read: Callable[[Mapping[str, Any], int], R_co]
    failing: str
    told: bool = True
    seed: int | None = None
    schema: Mapping[str, Any] | None = None
