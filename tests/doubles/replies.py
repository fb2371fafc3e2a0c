"""What a scripted endpoint can answer: good replies, the ways in which a provider fails, and scripts of both.

Each kind of reply turns itself into an `HttpReply`, the bytes that go over the wire and what happens to
the connection. The shapes follow OpenAI's chat-completions reference (objects "chat completion" and
"error"); every good reply carries usage numbers, as estimates of four bytes to a token.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, cast

from doubles.wire import HTML, JSON, reply_bytes

BYTES_PER_TOKEN = 4
"""A rough ratio for English text; the endpoint has no tokeniser, and tests need only plausible numbers."""


@dataclass(frozen=True, slots=True)
class Request:
    """One chat request, as a script sees it.

    Attributes:
        body: The parsed JSON body.
        headers: By name in lower case.
        conversation: Which conversation this belongs to: the text of its first user message.
        number: 1 for the first request that the endpoint got.
        turn: 1 for the first request of this conversation; a request sent again after a failure counts.
        at: When it arrived, in seconds of `time.monotonic`.
        size: Bytes of the body.
    """

    body: Mapping[str, Any]
    headers: Mapping[str, str]
    conversation: str
    number: int
    turn: int
    at: float
    size: int

    @property
    def model(self) -> str:
        """The model that was asked for; empty if none was."""
        return str(self.body.get("model") or "")

    @property
    def messages(self) -> list[dict[str, Any]]:
        """The conversation so far, oldest first."""
        return messages_of(self.body)

    @property
    def tools(self) -> list[dict[str, Any]]:
        """The tools on offer, as they were sent."""
        return self.body.get("tools") or []

    @property
    def tool_names(self) -> tuple[str, ...]:
        """The names of the tools on offer, in the order sent."""
        return tuple(tool["function"]["name"] for tool in self.tools)

    @property
    def tool_choice(self) -> Any:
        """What was sent as `tool_choice`, or None."""
        return self.body.get("tool_choice")

    @property
    def rounds(self) -> int:
        """How many replies of the assistant the conversation holds already."""
        return sum(message.get("role") == "assistant" for message in self.messages)

    @property
    def last_text(self) -> str:
        """The text of the last message: what the model is to answer, or a tool's result."""
        return text_of(self.messages[-1])


def messages_of(body: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the messages of a request's body."""
    return cast("list[dict[str, Any]]", body["messages"])


def conversation_of(body: Mapping[str, Any]) -> str:
    """Return the text of the first user message; empty if there is none."""
    return next((text_of(message) for message in messages_of(body) if message.get("role") == "user"), "")


def text_of(message: Mapping[str, Any]) -> str:
    """Return the text of a message whose content is text, a list of parts, or nothing."""
    content = message.get("content") or ""
    if isinstance(content, str):
        return content
    texts = (cast("dict[str, Any]", part).get("text") for part in content if isinstance(part, dict))
    return "".join(text for text in texts if isinstance(text, str))


@dataclass(frozen=True, slots=True)
class HttpReply:
    """What goes over the wire.

    Attributes:
        payload: Head and body; may be empty.
        close: Whether the connection is closed afterwards.
        hold: Seconds of silence before the payload, beside the endpoint's latency.
    """

    payload: bytes
    close: bool = False
    hold: float = 0.0


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call. Arguments as text are sent as they are, so that they can be malformed."""

    name: str
    arguments: Mapping[str, Any] | str = field(default_factory=dict[str, Any])

    @property
    def arguments_text(self) -> str:
        """The arguments as the protocol carries them."""
        return self.arguments if isinstance(self.arguments, str) else json.dumps(dict(self.arguments))


@dataclass(frozen=True, slots=True)
class Say:
    """A plain reply."""

    text: str
    cut: bool = False
    """Whether the reply says that it ends where the token limit cut it off."""
    likely: Mapping[str, float] = field(default_factory=dict[str, float])
    """The most likely tokens with their log-probabilities, given as those of the text's one token to whoever
    asks; empty for a provider that gives none."""

    def answer(self, request: Request) -> HttpReply:
        """Return the reply to this request."""
        ended = "length" if self.cut else "stop"
        logprobs = None
        if self.likely and request.body.get("logprobs"):
            tokens = [
                {"token": token, "logprob": value, "bytes": None} for token, value in self.likely.items()
            ]
            first = {"token": self.text, "logprob": self.likely.get(self.text, -9.0), "bytes": None}
            logprobs = {"content": [{**first, "top_logprobs": tokens}], "refusal": None}
        return _completion(request, {"role": "assistant", "content": self.text}, ended, logprobs)


@dataclass(frozen=True, slots=True)
class TooLong:
    """Status 400 and the error with which a llama.cpp server refuses what does not fit its context."""

    def answer(self, request: Request) -> HttpReply:
        """Return the reply to this request."""
        tokens = max(request.size // BYTES_PER_TOKEN, 1)
        error = {
            "code": 400,
            "message": f"request ({tokens} tokens) exceeds the available context size ({tokens - 1} tokens)",
            "type": "exceed_context_size_error",
        }
        return HttpReply(reply_bytes(400, _encoded({"error": error})))


@dataclass(frozen=True, slots=True)
class CallTools:
    """A reply that calls tools (which need not exist), with words beside it if `text` is given."""

    calls: tuple[ToolCall, ...]
    text: str | None = None

    def __post_init__(self) -> None:
        if not self.calls:
            raise ValueError("a reply that calls tools needs at least one call")

    def answer(self, request: Request) -> HttpReply:
        """Return the reply to this request."""
        calls = [
            {
                "id": f"call_{request.number}_{position}",
                "type": "function",
                "function": {"name": call.name, "arguments": call.arguments_text},
            }
            for position, call in enumerate(self.calls)
        ]
        message = {"role": "assistant", "content": self.text, "tool_calls": calls}
        return _completion(request, message, "tool_calls")


@dataclass(frozen=True, slots=True)
class EmptyReply:
    """A good reply with nothing in it: neither words nor calls."""

    null: bool = False
    """Whether the content is null rather than an empty text."""

    def answer(self, request: Request) -> HttpReply:
        """Return the reply to this request."""
        return _completion(request, {"role": "assistant", "content": None if self.null else ""}, "stop")


@dataclass(frozen=True, slots=True)
class NoChoices:
    """Status 200 and a completion whose list of choices is empty."""

    def answer(self, request: Request) -> HttpReply:
        """Return the reply to this request."""
        return HttpReply(reply_bytes(200, _encoded(_completion_body(request, [], 0))))


@dataclass(frozen=True, slots=True)
class RateLimited:
    """Status 429. `retry_after` in seconds is sent as Retry-After; None sends no such header."""

    retry_after: float | None = 1.0

    def answer(self, request: Request) -> HttpReply:
        """Return the reply to this request."""
        headers = {} if self.retry_after is None else {"Retry-After": f"{self.retry_after:.10g}"}
        return _error(429, "Too many requests.", "rate_limit_exceeded", headers)


@dataclass(frozen=True, slots=True)
class ServerError:
    """A status of the provider's own fault, with an error object."""

    status: int = 500

    def __post_init__(self) -> None:
        if not 500 <= self.status <= 599:
            raise ValueError(f"a server error has a status from 500 to 599, not {self.status}")

    def answer(self, request: Request) -> HttpReply:
        """Return the reply to this request."""
        return _error(self.status, "Something broke on the server.", "server_error")


@dataclass(frozen=True, slots=True)
class Refuse401:
    """Status 401: the key is not accepted."""

    def answer(self, request: Request) -> HttpReply:
        """Return the reply to this request."""
        return _error(401, "The key is not valid.", "invalid_api_key")


@dataclass(frozen=True, slots=True)
class Hang:
    """Silence; after so many seconds the connection is closed without a reply."""

    seconds: float = 3600.0

    def answer(self, request: Request) -> HttpReply:
        """Return the reply to this request."""
        return HttpReply(b"", close=True, hold=self.seconds)


@dataclass(frozen=True, slots=True)
class CutBody:
    """A good reply that breaks off: the length promised is twice what is sent, then the line goes dead."""

    def answer(self, request: Request) -> HttpReply:
        """Return the reply to this request."""
        content = _encoded({"id": f"chatcmpl-{request.number}", "object": "chat.completion"})[:-1]
        return HttpReply(reply_bytes(200, content, promised=2 * len(content)), close=True)


@dataclass(frozen=True, slots=True)
class BrokenJson:
    """Status 200, the right media type, the right length, and half a JSON object."""

    def answer(self, request: Request) -> HttpReply:
        """Return the reply to this request."""
        return HttpReply(
            reply_bytes(200, f'{{"id": "chatcmpl-{request.number}", "choices": [{{"ind'.encode())
        )


@dataclass(frozen=True, slots=True)
class HtmlPage:
    """A page of some proxy in between, with a success or a failure as its status."""

    status: Literal[200, 502] = 200

    def answer(self, request: Request) -> HttpReply:
        """Return the reply to this request."""
        page = "<!doctype html><html><body><h1>Gateway</h1><p>Try again later.</p></body></html>"
        return HttpReply(reply_bytes(self.status, page.encode(), HTML))


@dataclass(frozen=True, slots=True)
class Raw:
    """Any other reply: status and body as given."""

    status: int
    body: str
    content_type: str = JSON

    def answer(self, request: Request) -> HttpReply:
        """Return the reply to this request."""
        return HttpReply(reply_bytes(self.status, self.body.encode(), self.content_type))


Reply = (
    Say
    | TooLong
    | CallTools
    | EmptyReply
    | NoChoices
    | RateLimited
    | ServerError
    | Refuse401
    | Hang
    | CutBody
    | BrokenJson
    | HtmlPage
    | Raw
)

Script = Callable[[Request], Reply]
"""What a scripted endpoint is made of. Runs on the endpoint's one thread, so it must not block."""


def complaint(status: int, message: str) -> HttpReply:
    """Return the error object for a request that no script is asked about."""
    return _error(status, message, "invalid_request_error")


def _error(status: int, message: str, code: str, headers: Mapping[str, str] | None = None) -> HttpReply:
    error = {"message": message, "type": code, "param": None, "code": code}
    return HttpReply(reply_bytes(status, _encoded({"error": error}), headers=headers))


def _completion(
    request: Request, message: Mapping[str, Any], finish_reason: str, logprobs: object = None
) -> HttpReply:
    choice = {"index": 0, "message": message, "logprobs": logprobs, "finish_reason": finish_reason}
    return HttpReply(reply_bytes(200, _encoded(_completion_body(request, [choice], len(_encoded(message))))))


def _completion_body(request: Request, choices: list[dict[str, Any]], size: int) -> dict[str, Any]:
    asked, said = request.size // BYTES_PER_TOKEN, size // BYTES_PER_TOKEN
    return {
        "id": f"chatcmpl-{request.number}",
        "object": "chat.completion",
        "created": 0,  # no clock: the same script gives the same bytes
        "model": request.model,
        "choices": choices,
        "usage": {"prompt_tokens": asked, "completion_tokens": said, "total_tokens": asked + said},
    }


def _encoded(value: Mapping[str, Any]) -> bytes:
    return json.dumps(value).encode()


NO_TOOL_NEEDED = '{"tool_decisions": {}}'
"""The knowing probe's answer that marks no tool at all (KAPRO)."""


def always(reply: Reply) -> Script:
    """Return a script that gives the same reply to everything."""
    return lambda request: reply  # noqa: ARG005 - the request does not matter


def sequence(*replies: Reply) -> Script:
    """Return a script that gives these replies in order, each conversation from the start.

    A request that is sent again after a failure takes the next reply. The last one is given for ever.

    Raises:
        ValueError: No reply is given.
    """
    if not replies:
        raise ValueError("a sequence needs at least one reply")
    return lambda request: replies[min(request.turn, len(replies)) - 1]


def tool_caller(decide: Callable[[Request], Sequence[ToolCall]], answer: str = "done") -> Script:
    """Return an agent that calls the tools that `decide` names, all at once, and then says `answer`.

    `decide` is asked once, at the start of a conversation; if it names none, the answer comes at once.
    What an agent has done is read off the messages alone, so requests sent again change nothing.
    """

    def script(request: Request) -> Reply:
        calls = tuple(decide(request)) if request.rounds == 0 else ()
        return CallTools(calls) if calls else Say(answer)

    return script


def trivial_agent(request: Request) -> Reply:
    """Say that no tool is needed where none is registered (a knowing probe), and "done" elsewhere."""
    return Say("done") if request.tools else Say(NO_TOOL_NEEDED)
