"""One real call of each model before a run: a closed port, a wrong key or a wrong name shows in seconds.

The call is a few tokens, in no log, and part of no number. What may pass by itself (too many requests, an
overloaded server) is told, and stops nothing: the run tries again by itself.
"""

import asyncio
import os
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, cast

from inspect_ai.model import GenerateConfig, get_model

from knowact.core.clean import one_line
from knowact.core.errors import BadUsage
from knowact.core.role_model import BUILT_IN
from knowact.engine.compat import EnginePrerequisiteError
from knowact.engine.filed import PROVIDER
from knowact.engine.models import plain
from knowact.engine.outputs import InstrumentFailure, guarded
from knowact.engine.own_model import AGENT
from knowact.engine.reasons import in_words
from knowact.engine.runs import Request
from knowact.roles.baseline import PERSON

QUESTION: Final = "Reply with the single word OK."

SECONDS: Final = 15.0
"""A model that takes longer for one word takes days for a run, or never answers."""

TOKENS: Final = 256
"""Room for the word, also where a model thinks before it."""

LONGEST: Final = 300
"""Characters of a provider's words that are shown."""

CALLS_NOBODY: Final = (BUILT_IN, f"{PROVIDER}/", PERSON, "mockllm/")
IN_PROCESS: Final = frozenset({"hf", "transformer_lens"})
"""Providers that compute in this process: there is nobody to reach, and setting them up twice takes twice the
memory."""
OWN_SERVER: Final = {"vllm": "VLLM_BASE_URL", "sglang": "SGLANG_BASE_URL"}
"""Providers that start a server of their own, unless they are told of one."""

_FIXES: Final = {
    401: "Check its API key.",
    403: "Check its API key, and what the key may use.",
    404: "Check the model's name and the server's address.",
}
_BUSY: Final = 429
_OVERLOADED: Final = 500
_NO_QUOTA: Final = "insufficient_quota"
"""OpenAI's code for an account without money, which comes as a 429 and does not pass."""


@dataclass(frozen=True, slots=True)
class Callee:
    """A model that can be called.

    Attributes:
        model: As the engine names it.
        base_url: Of its server; empty for the provider's own.
        args: What the engine passes on to the provider (`-M`).
        config: Settings without which a gateway may refuse the call.
    """

    model: str
    base_url: str = ""
    args: Mapping[str, Any] = field(default_factory=dict[str, Any])
    config: Mapping[str, Any] = field(default_factory=dict[str, Any])

    @property
    def reachable(self) -> bool:
        """Whether there is anybody to call: built-in agents, files and people are asked nothing."""
        provider = self.model.partition("/")[0]
        served = self.base_url or os.environ.get(OWN_SERVER.get(provider, ""))
        started = provider in OWN_SERVER and not served
        return not (self.model.startswith((*CALLS_NOBODY, AGENT)) or provider in IN_PROCESS or started)


def callees(request: Request) -> Iterator[Callee]:
    """The models that a run will call: the one under test, and those in roles.

    An agent that is no model is not called: one turn of it may cost a lot, or change something. The model
    that `--agent solver:…` asks is.
    """
    args = cast("Mapping[str, Any]", request.engine.get("model_args") or {})
    config = {
        name: request.engine[name] for name in ("extra_headers", "extra_body") if name in request.engine
    }
    if request.model.startswith(AGENT):
        yield Callee(str(args.get("agent_model", request.model)))
    else:
        yield Callee(request.model, str(request.engine.get("model_base_url") or ""), args, config)
    for player in request.roles.values():
        yield Callee(player.name, config={k: v for k, v in player.settings.items() if k == "extra_body"})


def call_each(every: Iterable[Callee]) -> list[str]:
    """Call each model once, all at the same time; those that occur twice, once.

    Returns:
        What a run will get over by itself, a sentence each.

    Raises:
        BadUsage: A model cannot be used: what its provider says, and what to do.
    """
    due: list[Callee] = []
    for one in every:
        if one.reachable and one not in due:
            due.append(one)
    return [note for _, note in asyncio.run(_all(due)) if note]


def ping(model: str) -> float:
    """Call a model once; return the seconds until it answered.

    Raises:
        BadUsage: It cannot be used, or is too busy to answer now.
    """
    ((seconds, note),) = asyncio.run(_all([Callee(model)]))
    if note:
        raise BadUsage(note)
    return seconds


async def _all(due: Iterable[Callee]) -> list[tuple[float, str]]:
    came = await asyncio.gather(*map(_call, due), return_exceptions=True)
    for error in came:
        if isinstance(error, BaseException):
            raise error
    return [one for one in came if not isinstance(one, BaseException)]


async def _call(one: Callee) -> tuple[float, str]:
    """Call a model: the seconds that it took, and why it could not answer now.

    Raises:
        BadUsage: It cannot be used.
    """
    began, where = time.monotonic(), [one.base_url]
    # Every provider has errors of its own.
    (came,) = await asyncio.gather(_ask(one, where), return_exceptions=True)
    if came is None:
        return time.monotonic() - began, ""
    if not isinstance(came, Exception):
        raise came
    return 0.0, _complaint(one, came, f" at {where[-1]}" if where[-1] else "")


async def _ask(one: Callee, where: list[str]) -> None:
    """Ask a model, and note where its server is."""
    config = GenerateConfig(max_tokens=TOKENS, max_retries=0, cache=False, **one.config)
    base_url = one.base_url or None
    # The client of a model belongs to the loop that it was first used in, and the run has its own.
    async with get_model(one.model, base_url=base_url, config=config, memoize=False, **one.args) as model:
        where.append(str(model.api.base_url or ""))
        await asyncio.wait_for(guarded(model).generate(QUESTION), SECONDS)


def _complaint(one: Callee, error: Exception, at: str) -> str:
    """Say what came in place of an answer, if it passes by itself.

    Raises:
        BadUsage: It does not.
    """
    if isinstance(error, EnginePrerequisiteError):
        raise BadUsage(f"The model {one.model} cannot be used: {plain(str(error.message))}") from error
    if isinstance(error, TimeoutError):
        why = f"The model {one.model} gave no answer{at} within {SECONDS:.0f} seconds."
        raise BadUsage(f"{why} Check its server, or wait until it is ready.") from error
    status, said = _told(error)
    if status is not None and _passes(status, error):
        return f"The model {one.model} cannot answer now ({status}: {said})."
    code = "" if status is None else f" ({status})"
    fix = _FIXES.get(status or 0, "Check the model's account." if status else "Check its server and address.")
    raise BadUsage(f"The model {one.model} cannot be used{at}: {said}{code}. {fix}") from error


def _passes(status: int, error: BaseException) -> bool:
    codes = {_body(one).get("code") for one in _chain(error)}
    return (status == _BUSY and _NO_QUOTA not in codes) or status >= _OVERLOADED


def _told(error: BaseException) -> tuple[int | None, str]:
    """The status of a provider's complaint, and its words; else what the system says of the connection."""
    for one in _chain(error):
        status = getattr(one, "status_code", None) or getattr(one, "code", None)
        if isinstance(status, int):
            words = _body(one).get("message") or getattr(one, "body", None) or getattr(one, "message", None)
            return status, _short(words or one)
    for one in _chain(error):
        if isinstance(one, OSError) and one.errno:
            return None, _short(os.strerror(one.errno) if one.errno > 0 else one.strerror)
    # What the engine raises after its retries stands around the provider's own error.
    first = next((one for one in _chain(error) if not hasattr(one, "last_attempt")), error)
    if isinstance(first, InstrumentFailure):
        return None, _short(first.message)
    return None, _short(in_words(f"{type(first).__name__}({str(first)!r})"))


def _body(error: BaseException) -> dict[str, Any]:
    """What a provider's complaint holds, where its client keeps it as an object."""
    body: Any = getattr(error, "body", None)
    found = cast("dict[str, Any]", body) if isinstance(body, dict) else {}
    inner: Any = found.get("error")
    return cast("dict[str, Any]", inner) if isinstance(inner, dict) else found


def _chain(error: BaseException) -> Iterator[BaseException]:
    """An error, and what it came from."""
    one: BaseException | None = error
    while one is not None:
        yield one
        one = one.__cause__ or one.__context__


def _short(said: object) -> str:
    return one_line(" ".join(str(said).split()))[:LONGEST].rstrip(".")
