"""Why samples failed, in words: the engine's own messages hold addresses, class names and whole requests."""

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from inspect_ai.log import read_eval_log_sample_summaries

LONGEST = 200
"""Characters of a message that are shown."""

_GIVEN_UP = re.compile(r"RetryError\(<Future .* raised (\w+)>\)")
_WITH_REQUEST = re.compile(r"ModelGenerateError\(.*\\n\\n(.*?)['\"]\)", re.DOTALL)

_NO_ROOM = "maximum context length"
"""How vLLM and servers like it begin to complain, be it of the request alone or with room for the reply."""

_MEANINGS = {
    "AttemptTimeoutError": "the provider did not answer in time",
    "APITimeoutError": "the provider did not answer in time",
    "APIConnectionError": "no connection to the provider",
    "RateLimitError": "the provider refused for too many requests (429)",
    "InternalServerError": "the provider failed (5xx)",
    "OpenAIResponseError": "the provider's reply was no chat completion",
    "JSONDecodeError": "the provider's reply was no JSON",
}


def in_words(error: str) -> str:
    """Say what an error of a sample means, as a clause without what differs between samples."""
    if given_up := _GIVEN_UP.search(error):
        name = given_up[1]
        return f"{_MEANINGS.get(name, name)}, however often it was tried"
    if with_request := _WITH_REQUEST.match(error):
        error = with_request[1]
    if _NO_ROOM in error:
        return (
            "the request and room for the reply did not fit the model's context (serve a longer one, or "
            "reserve less room: -- --max-tokens N)"
        )
    name = error.partition("(")[0]
    if name in _MEANINGS:
        return _MEANINGS[name]
    lines = [line.strip() for line in error.splitlines() if line.strip()]
    return lines[0][:LONGEST].rstrip(".") if lines else "an error without a message"


def broken_off(files: Sequence[Path]) -> int:
    """How many samples of these logs an error has ended: those are what the same command does again."""
    return sum(bool(summary.error) for file in files for summary in read_eval_log_sample_summaries(str(file)))


def most_common_reasons(files: Sequence[Path], limit: int = 3) -> list[str]:
    """Why samples of these logs failed, the commonest reason first."""
    counted = Counter(
        in_words(summary.error)
        for file in files
        for summary in read_eval_log_sample_summaries(str(file))
        if summary.error
    )
    return [text for text, _ in counted.most_common(limit)]
