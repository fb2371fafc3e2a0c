"""Calls of an OpenAPI service: a request from a tool's arguments, and what the response comes to.

Arguments are a model's words. They fill in values only: no argument changes the path's segments, adds a
header, or sends a request to another host.
"""

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final
from urllib.parse import quote, urlencode

from pydantic import JsonValue

from knowact.core.clean import one_line
from knowact.core.errors import Unreachable
from knowact.core.world import Observation, Problem
from knowact.tools.folder import OwnTool, Route
from knowact.tools.openapi import FORM
from knowact.tools.recordings import named_secret
from knowact.worlds.replay import shortened

if TYPE_CHECKING:
    import httpx

LARGEST: Final = 2_000_000
"""Bytes that are read of one response; agents are shown far less."""
ATTEMPTS: Final = 3
_BUSY: Final = frozenset((429, 502, 503, 504))
"""Statuses by which a service asks to be called again later."""
UNKNOWN_CALLER: Final = 401
_LONGEST_WAIT: Final = 20.0
"""Seconds; whoever asks for a longer wait is not waited for."""
_CODES: Final = {400: "bad_arguments", 404: "not_found", 409: "conflict", 410: "gone", 422: "bad_arguments"}


class HttpService:
    """One service. It is safe to call it from several threads.

    Args:
        base: The base address.
        headers: Sent with each request.
        timeout: Seconds that one request may take.
    """

    def __init__(self, base: str, headers: Mapping[str, str], timeout: float) -> None:
        import httpx

        self._base = base.rstrip("/")
        self._timeout = timeout
        # No redirect is followed: it would take headers with keys to another place.
        self._client = httpx.Client(headers=dict(headers), timeout=timeout, follow_redirects=False)

    def close(self) -> None:
        """End all connections."""
        self._client.close()

    def healthy(self) -> None:
        """Complain where nothing answers at the base address; any status is an answer.

        Raises:
            Unreachable: Nothing does.
        """
        import httpx

        try:
            with self._client.stream("GET", self._base):
                pass
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise self._unreachable(error) from error

    def call(self, tool: OwnTool, arguments: Mapping[str, JsonValue]) -> Observation:
        """Carry a call out.

        Raises:
            Unreachable: The service can't be reached, does not answer in time, or does not accept our key.
                A tool that takes a secret itself is refused by what an agent gave it.
        """
        if tool.route is None:
            raise Unreachable(f"The folder does not say how to call {tool.name!r}. Add the tools again.")
        try:
            request = self._request(tool.hints.method, tool.route, arguments)
        except _Unfit as error:
            return Observation(problem=Problem("bad_arguments", f"{tool.name}: {error}"))
        response, content, cut = self._sent(request, again=bool(tool.hints.idempotent))
        if response.status_code == UNKNOWN_CALLER and not any(map(named_secret, tool.properties)):
            raise Unreachable(
                f"The service at {self._base} answers 401 {response.reason_phrase}: it does not accept who "
                "calls. Check the headers in source.yaml, and their variables."
            )
        return _observed(response, content, cut=cut)

    def _request(self, method: str, route: Route, arguments: Mapping[str, JsonValue]) -> "httpx.Request":
        import httpx

        made = _Filled(route.path)
        for name, value in arguments.items():
            made.take(name, value, route)
        if "{" in made.path:
            raise _Unfit(f"{made.path[made.path.index('{') + 1 :].partition('}')[0]!r} is missing")
        headers = {"Accept": "application/json, */*;q=0.5", **made.headers}
        if made.cookies:
            headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in made.cookies.items())
        content = _content(route.media, made.body, made.whole)
        if content is not None:
            headers["Content-Type"] = route.media.replace("*/*", "application/json")
        return self._client.build_request(
            method,
            self._base + made.path,
            params=httpx.QueryParams(tuple(made.query)),
            headers=headers,
            content=content,
        )

    def _sent(self, request: "httpx.Request", *, again: bool) -> "tuple[httpx.Response, bytes, bool]":
        """A response with the beginning of its body, and whether that was cut; asked again where safe."""
        import httpx

        for attempt in range(1, ATTEMPTS + 1):
            last = attempt == ATTEMPTS
            try:
                response, content, cut = self._received(request)
            except httpx.ConnectError as error:  # nothing was sent: safe to repeat, whatever it does
                if last:
                    raise self._unreachable(error) from error
                time.sleep(0.2 * 2**attempt)
                continue
            except (httpx.HTTPError, httpx.InvalidURL) as error:
                if last or not again:
                    raise self._unreachable(error) from error
                continue
            if response.status_code in _BUSY and not last and again:
                time.sleep(_pause(response, attempt))
                continue
            return response, content, cut
        raise AssertionError("the last attempt returns or raises")

    def _received(self, request: "httpx.Request") -> "tuple[httpx.Response, bytes, bool]":
        """As `_sent`, once."""
        import httpx

        ends = time.monotonic() + self._timeout
        response = self._client.send(request, stream=True)
        taken = bytearray()
        try:
            for chunk in response.iter_bytes():
                taken += chunk
                if len(taken) > LARGEST:
                    return response, bytes(taken[:LARGEST]), True
                if time.monotonic() > ends:  # the client's own limit is for each piece
                    raise httpx.ReadTimeout("it sends without end", request=request)
        finally:
            response.close()
        return response, bytes(taken), False

    def _unreachable(self, error: Exception) -> Unreachable:
        import httpx

        if isinstance(error, httpx.TimeoutException):
            return Unreachable(
                f"The service at {self._base} did not answer within {self._timeout:g} seconds."
            )
        why = one_line(error).strip() or type(error).__name__
        return Unreachable(f"The service at {self._base} cannot be reached ({why}).")


class _Unfit(ValueError):  # noqa: N818 - reads as a sentence where it is raised
    """Arguments that no request can carry."""


@dataclass(slots=True)
class _Filled:
    """The parts of a request, filled in argument by argument."""

    path: str
    query: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    headers: dict[str, str] = field(default_factory=dict[str, str])
    cookies: dict[str, str] = field(default_factory=dict[str, str])
    body: dict[str, JsonValue] = field(default_factory=dict[str, JsonValue])
    whole: JsonValue = None

    def take(self, name: str, value: JsonValue, route: Route) -> None:
        wire, place = route.wire.get(name, name), route.places.get(name)
        if place == "path":
            self.path = self.path.replace(f"{{{wire}}}", _segment(name, value))
        elif place == "query":
            self.query += _pairs(wire, value, exploded=name in route.exploded)
        elif place == "header":
            self.headers[wire] = _printable(name, value)
        elif place == "cookie":
            self.cookies[wire] = quote(_text(value), safe="")
        elif place == "body":
            self.body[wire] = value
        elif place == "whole body":
            self.whole = value
        else:
            raise _Unfit(f"it takes no argument {name!r}")


def _segment(name: str, value: JsonValue) -> str:
    text = ",".join(map(_text, value)) if isinstance(value, list) else _text(value)
    # Servers take these for the folder itself and the one above, however they are written.
    if text in {"", ".", ".."}:
        raise _Unfit(f"{name!r} cannot be {text!r}")
    return quote(text, safe="")


def _printable(name: str, value: JsonValue) -> str:
    text = _text(value)
    if not (text.isascii() and text.isprintable()):
        raise _Unfit(f"{name!r} takes printable ASCII characters only")
    return text


def _pairs(name: str, value: JsonValue, *, exploded: bool) -> list[tuple[str, str]]:
    if value is None:
        return []
    if isinstance(value, dict):
        return [(f"{name}[{inner}]", _text(member)) for inner, member in value.items()]
    if not isinstance(value, list):
        return [(name, _text(value))]
    texts = [_text(element) for element in value]
    return [(name, text) for text in texts] if exploded else [(name, ",".join(texts))]


def _text(value: JsonValue) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise _Unfit("half of a surrogate pair is not text") from error
    return text


def _content(media: str, body: dict[str, JsonValue], whole: JsonValue) -> bytes | None:
    if not media or (whole is None and not body):
        return None
    content = body if whole is None else whole
    if media == FORM:
        if not isinstance(content, dict):
            raise _Unfit("the body must be an object")
        pairs = (_pairs(name, value, exploded=True) for name, value in content.items())
        return urlencode([pair for field in pairs for pair in field]).encode()
    return _text(json.dumps(content, ensure_ascii=False)).encode()


def _pause(response: "httpx.Response", attempt: int) -> float:
    seconds = response.headers.get("retry-after", "")
    return min(float(seconds), _LONGEST_WAIT) if seconds.isdigit() else 0.5 * 2**attempt


def _observed(response: "httpx.Response", content: bytes, *, cut: bool) -> Observation:
    value = _value(response, content, cut=cut)
    if response.is_success:
        return Observation(shortened(value))
    status = response.status_code
    code = _CODES.get(status, "server_error" if status >= 500 else "refused")  # noqa: PLR2004 - HTTP's
    body = Observation(shortened(value, 2_000)).text() if value not in (None, "") else ""
    return Observation(problem=Problem(code, f"{status} {response.reason_phrase}".strip(), body))


def _value(response: "httpx.Response", content: bytes, *, cut: bool) -> JsonValue:
    media = response.headers.get("content-type", "").partition(";")[0].strip().lower()
    if not content:
        return None
    text = content.decode(response.charset_encoding or "utf-8", "replace") if _is_text(media) else ""
    if cut:
        return f"{text}\n[The response was cut here, after {LARGEST:,} bytes.]"
    if media == "application/json" or media.endswith("+json"):
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            return text
    return text if _is_text(media) else f"[{len(content):,} bytes of {one_line(media) or 'unknown content'}]"


def _is_text(media: str) -> bool:
    return not media or media.startswith("text/") or media.endswith(("json", "xml", "javascript", "yaml"))
