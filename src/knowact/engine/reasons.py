"""Why a run ended as it did, in words.

The engine's own messages hold addresses, class names and whole requests.
"""

import ast
import re
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from inspect_ai.log import read_eval_log_sample_summaries

from knowact.core.clean import one_line
from knowact.core.record import Record, Status
from knowact.core.table import Run

LONGEST = 200
"""Characters of a message that are shown."""

_GIVEN_UP = re.compile(r"RetryError\(<Future .* raised (\w+)>\)")
_RAISED = re.compile(r"(\w+)\((['\"].*['\"])\)", re.DOTALL)

_NO_ROOM = "maximum context length"
"""How vLLM and servers like it begin to complain, be it of the request alone or with room for the reply."""

_MEANINGS = {
    "AttemptTimeoutError": "the provider did not answer in time",
    "APITimeoutError": "the provider did not answer in time",
    "APIConnectionError": "no connection to the provider",
    "RateLimitError": "the provider refused for too many requests (429)",
    "InternalServerError": "the provider failed (5xx)",
    "OpenAIResponseError": "the provider's reply was not a chat completion",
    "JSONDecodeError": "the provider's reply was not JSON",
}


def cancelled(error: str) -> bool:
    """Whether a sample did not fail but was stopped, by Ctrl-C or because the whole run broke off."""
    return error.partition("(")[0] in {"CancelledError", "Cancelled"}


def in_words(error: str) -> str:
    """Say what an error of a sample means, as a clause without what differs between samples."""
    if given_up := _GIVEN_UP.search(error):
        name = given_up[1]
        return f"{_MEANINGS.get(name, name)}, after all retries"
    if _NO_ROOM in error:
        return (
            "the request and room for the reply did not fit the model's context (serve a longer one, or "
            "reserve less room: -- --max-tokens N)"
        )
    name, text = _raised(error)
    if name == "ModelGenerateError":
        # The request comes first, then what the provider said of it.
        inner, text = _raised(text.rpartition("\n\n")[2])
        name = inner if inner in _MEANINGS else ""
    if name in _MEANINGS:
        return _MEANINGS[name]
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if not lines:
        return name or "an error without a message"
    said = lines[0][:LONGEST].rstrip(".")
    return f"{said} ({name})" if name else said


def _raised(error: str) -> tuple[str, str]:
    """The name and the message of an error that is written as Python writes it; the text alone otherwise."""
    written = _RAISED.fullmatch(error)
    if written is not None:
        with suppress(ValueError, SyntaxError):
            return written[1], str(ast.literal_eval(written[2]))
    name = error.partition("(")[0]
    return (name, error) if name in _MEANINGS else ("", error)


def broken_off(files: Sequence[Path]) -> int:
    """How many samples of these logs an error has ended: those are what the same command does again."""
    return sum(bool(summary.error) for file in files for summary in read_eval_log_sample_summaries(str(file)))


def most_common_reasons(files: Sequence[Path]) -> list[str]:
    """Why samples of these logs failed, the three commonest reasons; those that were stopped did not."""
    counted = Counter(
        in_words(summary.error)
        for file in files
        for summary in read_eval_log_sample_summaries(str(file))
        if summary.error and not cancelled(summary.error)
    )
    return [text for text, _ in counted.most_common(3)]


def why_unread(run: Run) -> str:
    """Say which trials whoever read them could not settle; empty where there are none.

    What nobody was asked to read is *not judged*, which is a choice and no failure.
    """
    unread = [_unsettled(record) for record in run.records]
    said = [
        f"on {len(found)} {happened} (most often: {_commonest(found)})"
        for by, happened in _UNSETTLED.items()
        if (found := [some[by] for some in unread if by in some])
    ]
    if not said:
        return ""
    return (
        f"Not all of {run.planned} trials could be read: {' and '.join(said)}. Results that depend on "
        "them count neither as right nor as wrong; --fresh starts over."
    )


_UNSETTLED: Final = {
    "form": "a form stayed invalid after one repair",
    "judge": "the judge came to no majority",
}


def _unsettled(record: Record) -> dict[str, str]:
    """Who came to no result on a trial (the form, the judge, or both), each with the first reason."""
    errors = [one for one in record.results.values() if one.status is Status.JUDGE_ERROR]
    return {"form" if one.by == "form" else "judge": one.why for one in reversed(errors)}


def _commonest(whys: Sequence[str]) -> str:
    """The commonest reason, without what all of them begin with."""
    (why, _), *_ = Counter(one_line(one) for one in whys).most_common(1)
    return why.removeprefix("the form cannot be used: ").removeprefix("no majority: ") or "no reason is given"


def _silence(run: Run) -> str:
    """The commonest reason for which unscored trials lack their first result, in brackets; empty if none."""
    lacking = (
        [one.why for one in record.results.values() if one.value is None and one.why]
        for record in run.records
        if not record.scored
    )
    counted = Counter(one_line(whys[0]) for whys in lacking if whys)
    return f" ({counted.most_common(1)[0][0]})" if counted else ""


def why_unscored(run: Run | None) -> str:
    """Say in a sentence why trials are unscored, and what becomes of them under the same command."""
    if run is None:
        return "Nothing was recorded."
    missing, logs = run.planned - run.scored, [Path(log) for log in run.logs]
    reasons = most_common_reasons(logs)
    cause = f" Most often: {reasons[0]}." if reasons else ""
    # A trial that came to its end without a result is over, as far as the engine is concerned.
    settled = max(0, sum(not record.scored for record in run.records) - broken_off(logs))
    again = "" if missing == settled else " The same command tries them again."
    if settled:
        cause += f" In {settled} there is no result at the end{_silence(run)}; --fresh starts over."
        again = again.replace("them", f"the other {missing - settled}")
    if run.scored == 0:
        return f"No trial could be scored.{cause}{again}"
    return f"{missing} of {run.planned} trials could not be scored.{cause}{again}"
