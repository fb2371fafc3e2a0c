"""What a provider hands over, made fit for worlds and logs before anybody else sees it.

A model may write half of a surrogate pair, which no log can hold (one of them in a single call and the engine
keeps nothing of the whole run), or arguments that are no JSON: the engine reads those without braces as YAML,
which knows dates, bytes and sets, and it stumbles over whole numbers of thousands of digits. All of that is
the agent's doing, so it must end neither the run nor the trial: a text loses what it cannot carry, and a call
with such arguments is one whose arguments cannot be read.

An answer that is none (an error object with status 200, no choice) is the provider's doing: it ends the trial
with a sentence that says what came instead.

A request that does not fit the model's context is the model's limit, too. The engine knows the ways in which
most providers say so (stop reason `model_length`), with the provider's complaint as if the model had said it;
a local llama.cpp server says it with an error of its own.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import fields, is_dataclass
from functools import wraps
from typing import Any, Final, cast

from inspect_ai.model import ChatMessageAssistant, Model, ModelOutput
from inspect_ai.tool import ToolCall
from pydantic import BaseModel

from knowact.core import clean
from knowact.engine.compat import call_being_read, reply_being_read
from knowact.probes.response import Limit

LONGEST_NUMBER: Final = 14_000
"""Bits of a whole number: Python neither prints nor reads longer ones (4,300 digits)."""

STUMBLES: Final = (ValueError, TypeError, KeyError, IndexError, AttributeError, OverflowError)
"""What reading JSON or YAML can raise."""

_GUARDED: Final = "_knowact_guarded"

_LONGEST_COMPLAINT: Final = 200
"""Characters of a provider's own complaint that are kept."""


class InstrumentFailure(RuntimeError):  # noqa: N818 - reads as a sentence where it is raised
    """A provider's answer that is no answer. The engine retries the sample; then it is unscored."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message
        """What the engine writes into the log, in place of Python's notation."""


_OVER_CONTEXT: Final = frozenset({"context_length_exceeded", "exceed_context_size_error"})
"""What OpenAI and llama.cpp put under `code` or `type` of an error whose request was too long."""


def guarded(model: Model) -> Model:
    """Return the model itself, whose replies are from now on fit to be used."""
    api: Any = model.api
    if not getattr(api, _GUARDED, False):
        api.generate = _guard(api)
        setattr(api, _GUARDED, True)
    return model


def _guard(api: Any) -> Callable[..., Awaitable[Any]]:
    provider = cast("Any", type(api))

    @wraps(provider.generate)
    async def fit(*args: Any, **kwargs: Any) -> Any:
        try:
            result: Any = await provider.generate(api, *args, **kwargs)
        except STUMBLES as error:
            stumbled = _unread(error)
            if stumbled is None:
                reply = reply_being_read(error)
                if reply is None:  # it has stumbled over something else
                    raise
                raise InstrumentFailure(_said_instead(reply, _NO_COMPLETION)) from error
            message = ChatMessageAssistant(content="", tool_calls=[stumbled])
            return ModelOutput.from_message(message, stop_reason="tool_calls")
        output, call = cast("tuple[Any, Any]", result if isinstance(result, tuple) else (result, None))
        if isinstance(output, Exception) and _says_too_long(output):
            output = ModelOutput.from_content(api.model_name, str(output), stop_reason="model_length")
        if isinstance(output, ModelOutput) and not output.choices:
            raise InstrumentFailure(_said_instead(call and call.response, output.error or _NO_CHOICE))
        for part in (output, call):
            made_fit(part)
        return cast("Any", (output, call) if isinstance(result, tuple) else output)

    return fit


_NO_COMPLETION: Final = "the provider's reply was not a chat completion"
_NO_CHOICE: Final = "the provider returned no choice"


def _said_instead(reply: object, otherwise: str) -> str:
    """What a reply that is none says: its error, where it holds one."""
    error = _entry(reply, "error")
    if not error:
        return otherwise
    told = error if isinstance(error, str) else _entry(error, "message") or clean.dumps(error)
    complaint = clean.one_line(" ".join(str(told).split()))
    return f"the provider answered with an error: {complaint[:_LONGEST_COMPLAINT]}"


def _entry(value: object, name: str) -> object:
    return cast("dict[str, object]", value).get(name) if isinstance(value, dict) else None


def _unread(error: Exception) -> ToolCall | None:
    """The call whose arguments the engine has stumbled over; None where the error is another one.

    What else the reply held, its token counts included, is lost with it.
    """
    known = call_being_read(error)
    if known is None:
        return None
    call, tool = known
    return ToolCall(id=call, function=clean.text(tool), arguments={}, parse_error=_complaint(error))


def overflowed(output: ModelOutput) -> bool:
    """Whether the provider refused the request because it does not fit the model's context.

    A reply that fills the context up on its way has the same stop reason, and usage.
    """
    return output.stop_reason == "model_length" and output.usage is None


BROKE: Final = "knowact_broke"
"""Key of an output's metadata: what ended an agent that is no model ("crash", "time")."""


WHY_BROKEN: Final = "knowact_why_broken"
"""Key of a message's metadata: the words of the error with which an agent that is no model broke off."""


def limit_of(output: ModelOutput) -> Limit:
    """Which limit of the agent a reply ran into, as far as the provider says."""
    if broke := (output.metadata or {}).get(BROKE):
        return "time" if broke == "time" else "crash"
    if overflowed(output):
        return "context"
    return "tokens" if output.stop_reason in {"max_tokens", "model_length"} else ""


def _says_too_long(error: Exception) -> bool:
    """Whether an error that a provider's client returned is its way to say that the request is too long."""
    body = getattr(error, "body", None)
    if not isinstance(body, Mapping):
        return False
    said = cast("Mapping[str, object]", body)
    return any(said.get(key) in _OVER_CONTEXT for key in ("code", "type"))


def _complaint(error: object) -> str:
    return f"The arguments cannot be read ({clean.one_line(error)[:100]})."


def made_fit(part: object) -> None:
    """Mend what a provider returned, in place: texts that no log can hold, arguments that are no JSON."""
    if isinstance(part, ModelOutput):
        if overflowed(part) and part.choices:
            part.error, part.message.content = part.error or part.message.text, ""
            part.completion = ""
        for choice in part.choices:
            for call in choice.message.tool_calls or []:
                if not is_json(call.arguments):
                    call.arguments, call.parse_error = {}, _complaint("no JSON object")
    if isinstance(part, BaseModel):
        _mended(part)


def is_json(value: object) -> bool:
    """Whether a value is one that JSON knows, NaN let through, and every whole number can be written."""
    if value is None or isinstance(value, str | float):
        return True
    if isinstance(value, int):
        return value.bit_length() <= LONGEST_NUMBER
    if isinstance(value, dict):
        pairs = cast("dict[object, object]", value)
        return all(isinstance(key, str) for key in pairs) and all(map(is_json, pairs.values()))
    return isinstance(value, list) and all(map(is_json, cast("list[object]", value)))


def _mended(value: Any) -> Any:
    """The value with every text in it mended; objects are changed in place."""
    if value is None or isinstance(value, int | float):  # most of what there is
        return value
    if isinstance(value, str):
        return clean.text(value)
    names = _members(value)
    if names is not None:
        for name in names:
            was = getattr(value, name)
            now = _mended(was)
            if now is not was:
                setattr(value, name, now)
        return value
    if isinstance(value, dict):
        mended: Any = {_mended(k): _mended(v) for k, v in cast("dict[Any, Any]", value).items()}
    elif isinstance(value, list):
        mended = [_mended(one) for one in cast("list[Any]", value)]
    else:
        return value
    return cast("Any", value) if mended == value else mended


def _members(value: Any) -> list[str] | None:
    """The members of one of the engine's objects; None for anything else."""
    if isinstance(value, BaseModel):
        return list(type(value).model_fields)
    return (
        [one.name for one in fields(value)] if is_dataclass(value) and not isinstance(value, type) else None
    )
