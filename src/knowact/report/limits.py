"""Limits of the model in words: what a reader must hear with the headline, or a low number says too much."""

from collections.abc import Iterator

from knowact.core.record import CUT_OFF, OVER_CONTEXT, Ending
from knowact.core.table import Run

MANY = 0.1
"""Where a limit ended a smaller share of a probe's trials, it moves no headline by much."""


def limits_in_words(run: Run) -> Iterator[str]:
    """A sentence for each limit of the model that ended many trials of some probe."""
    most = run.options.get("max_tokens")
    tokens = f" (max_tokens {most})" if most else ""
    for flag, happened in (
        (CUT_OFF, f"an answer was cut off at the token limit{tokens}"),
        (OVER_CONTEXT, "a request did not fit the model's context"),
    ):
        if found := list(_many(run, flag)):
            *first, last = found
            where = f"{', '.join(first)} and {last}" if first else last
            yield f"In {where}, {happened}."


def _many(run: Run, flag: str) -> Iterator[str]:
    """The probes that a limit ended often: "20 of 20 trials of tools needed"."""
    for probe in dict.fromkeys(probe for record in run.records for probe in record.endings):
        asked = [one for one in run.records if one.endings.get(probe, Ending.NOT_RUN) is not Ending.NOT_RUN]
        ended = sum(flag + probe in record.flags for record in asked)
        if ended and ended >= MANY * len(asked):
            yield f"{ended:,} of {len(asked):,} trials of {probe.replace('_', ' ')}"
