"""Yes or no: how an answer to an explicit question is read, by how it was asked."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Self

from knowact.probes.outcome import Outcome
from knowact.reading.yes_no import YesNo, read_yes_no
from knowact.suites.ict.probes import COT, SV, ZERO

_REASONED: Final = frozenset({COT, SV})
"""Strategies whose answer is a last line, "Answer: Yes"."""


@dataclass(frozen=True, slots=True)
class Manner:
    """How a run asks and counts, as far as reading depends on it.

    Attributes:
        strategy: How the explicit question is asked.
        plain: Whether it is asked in one plain text, which a base model goes on with.
        published: Whether any words without a call are a no when the dialogue goes on.
    """

    strategy: str = ZERO
    plain: bool = False
    published: bool = False

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> Self:
        """Take it from the options of a run."""
        return cls(str(options["strategy"]), bool(options["plain"]), options["rules"] == "published")


def read_answer(outcome: Outcome, manner: Manner) -> YesNo:
    """Read the answer to an explicit question.

    A reply that was cut off is readable where its answer is whole.

    Args:
        outcome: A readable one.
        manner: How it was asked.
    """
    lines = [line for line in outcome.reply.splitlines() if line.strip()]
    if manner.strategy not in _REASONED:
        # A base model that has answered goes on with examples of its own.
        return read_yes_no(lines[0] if manner.plain and lines else outcome.reply)
    last = next((number for number, line in enumerate(lines) if _is_answer(line)), None)
    if last is not None and manner.plain:
        return read_yes_no("\n".join(lines[: last + 1]))
    if last is None and outcome.cut:
        return YesNo(None)
    return read_yes_no(outcome.reply)


def _is_answer(line: str) -> bool:
    return line.strip(" *_#`>-").casefold().startswith("answer:")
