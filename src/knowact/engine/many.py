"""Asking a model many things at once, each answer kept as it comes, so that a killed command resumes."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from typing import Final, TypeVar

from inspect_ai.model import Model, get_model

from knowact.core.clean import one_line

MOST_FAILURES: Final = 10
"""Calls that may fail before the first one has succeeded: a wrong key fails all of them."""
LONGEST_FAILURE: Final = 200

T = TypeVar("T")
R = TypeVar("R")


@dataclass(slots=True)
class Progress:
    """How far it is.

    Attributes:
        answered: Items that were asked and answered by now.
        failures: Why items could not be asked, one text each.
    """

    answered: int = 0
    failures: list[str] = field(default_factory=list[str])

    @property
    def hopeless(self) -> bool:
        """Whether nothing but failures has come."""
        return self.answered == 0 and len(self.failures) >= MOST_FAILURES


async def ask_each(
    model: str | Model,
    due: Iterable[T],
    ask: Callable[[Model, T], Awaitable[R]],
    keep: Callable[[T, R], None],
    tell: Callable[[Progress], None],
    *,
    connections: int,
) -> Progress:
    """Ask one item after the other, several at a time; what goes wrong with one is told, the others go on.

    Args:
        model: As the engine names it, or one of its own.
        due: The items; taken one at a time, so that they need not all be held.
        ask: Asks the model about one.
        keep: Keeps an answer.
        tell: Told after each item.
        connections: Items at a time.
    """
    waiting, progress = iter(due), Progress()

    async def work(player: Model) -> None:
        for item in waiting:
            (came,) = await asyncio.gather(ask(player, item), return_exceptions=True)
            if isinstance(came, Exception):
                progress.failures.append(one_line(f"{type(came).__name__}: {came}")[:LONGEST_FAILURE])
            elif isinstance(came, BaseException):
                raise came
            else:
                keep(item, came)
                progress.answered += 1
            tell(progress)
            if progress.hopeless:
                break

    # The client of a model belongs to the loop that it was first used in.
    async with get_model(model, memoize=False) as player:
        await asyncio.gather(*(work(player) for _ in range(connections)))
    return progress
