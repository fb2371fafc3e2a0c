"""Votes of several rulings on one text, and what most of them say."""

from collections.abc import Mapping, Sequence

Vote = Mapping[str, Mapping[str, str]]
"""What one ruling says that a text does: by the id of a part and by act, the quote that shows it."""


def quoted(vote: Vote, act: str, *parts: str) -> str | None:
    """The quote by which a vote says that a text does something about some parts; None if it doesn't."""
    return next((vote[part][act] for part in parts if act in vote.get(part, {})), None)


def majority(votes: Sequence[Vote | None], act: str, *parts: str) -> bool | None:
    """Whether a text does something about any of some parts, as more than half of all votes say.

    A vote that could not be used (None) is a vote for neither side.

    Returns:
        None where there is no such majority.
    """
    usable = [quoted(vote, act, *parts) is not None for vote in votes if vote is not None]
    if 2 * sum(usable) > len(votes):
        return True
    return False if 2 * (len(usable) - sum(usable)) > len(votes) else None
