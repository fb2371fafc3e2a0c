"""Labelled sets of what this suite asks a judge: does the reason of an awareness answer fit?"""

from collections.abc import Iterator

from knowact.core.prompts import load_prompt
from knowact.roles.calibration import LabelledItem, LabelledSet, rows, version_of
from knowact.roles.judge import Ballot
from knowact.roles.labelled_rows import (
    JUDGE,
    NO_REQUEST,
    READING,
    LabelledRow,
    Missing,
    Replied,
    abouts,
    ballot_item,
)
from knowact.suites.fail_talms.answers import FITS, Fit


class _Label(LabelledRow):
    verdict: str
    reason: Fit | None


class Awareness(Replied):
    """An answer to an awareness question; `missing` is None where no reason is judged."""

    missing: Missing | None
    label: _Label


class Reason(Replied):
    """An answer whose reason is judged."""

    about: str
    label: _Label


def sets() -> tuple[LabelledSet, ...]:
    """Every labelled set of this suite."""
    prompt = load_prompt("knowact.suites.fail_talms", "judge-reason")
    return (
        LabelledSet(JUDGE, "reasons", version_of(READING, "reasons", "abouts"), prompt, tuple(_reasons())),
        LabelledSet(JUDGE, "awareness", version_of(READING, "awareness"), prompt, tuple(_awareness())),
    )


def _reasons() -> Iterator[LabelledItem]:
    known = abouts()
    for one in rows(READING, "reasons", Reason):
        about = known[one.about]
        yield _item(one, one.label, "\n".join(about.said), about.missing)


def _awareness() -> Iterator[LabelledItem]:
    for one in rows(READING, "awareness", Awareness):
        if one.missing is not None and one.label.reason is not None:
            yield _item(one, one.label, NO_REQUEST, one.missing)


def _item(one: Replied, label: _Label, request: str, missing: Missing) -> LabelledItem:
    prompt = load_prompt("knowact.suites.fail_talms", "judge-reason")
    values = {"request": request, "missing": missing.lacking, "answer": one.reply}
    return ballot_item(
        Ballot(one.id, (prompt.fill(values),), FITS, 1, (one.reply,)), "reason", str(label.reason)
    )
