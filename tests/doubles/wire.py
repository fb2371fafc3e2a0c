"""As much of HTTP/1.1 (RFC 9112) as a chat client uses: one request in, one reply's bytes out."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus

JSON = "application/json"
HTML = "text/html; charset=utf-8"
PHRASES = {status.value: status.phrase for status in HTTPStatus}


class Unreadable(Exception):  # noqa: N818 - reads as a sentence where it is raised
    """What came in is not an HTTP request with a length; the connection cannot go on."""


@dataclass(frozen=True, slots=True)
class Received:
    """A request as it came in. Header names are in lower case."""

    method: str
    path: str
    headers: Mapping[str, str]
    content: bytes
    keep_alive: bool


async def receive(reader: asyncio.StreamReader) -> Received:
    """Read one request.

    Raises:
        asyncio.IncompleteReadError: The client closed the connection, between requests or inside one.
        Unreadable: It is no request, or one without Content-Length but with a body.
    """
    try:
        head = await reader.readuntil(b"\r\n\r\n")
    except asyncio.LimitOverrunError as error:
        raise Unreadable("the headers do not end") from error
    first, *lines = head.decode("latin-1").rstrip("\r\n").split("\r\n")
    words = first.split(" ")
    if len(words) != 3 or not words[2].startswith("HTTP/1."):
        raise Unreadable(f"{first!r} is no request line")
    headers = _headers(lines)
    if "transfer-encoding" in headers:
        raise Unreadable("this endpoint reads bodies with Content-Length only")
    length = headers.get("content-length", "0")
    if not (length.isascii() and length.isdigit()):
        raise Unreadable(f"Content-Length is {length!r}")
    content = await reader.readexactly(int(length))
    connection = headers.get("connection", "").lower()
    keep_alive = connection != "close" if words[2] == "HTTP/1.1" else connection == "keep-alive"
    return Received(words[0], words[1], headers, content, keep_alive)


def _headers(lines: list[str]) -> dict[str, str]:
    headers: dict[str, str] = {}
    for line in lines:
        name, colon, value = line.partition(":")
        if not colon:
            raise Unreadable(f"{line!r} is no header")
        headers[name.strip().lower()] = value.strip()
    return headers


def reply_bytes(
    status: int,
    content: bytes,
    content_type: str = JSON,
    headers: Mapping[str, str] | None = None,
    *,
    promised: int | None = None,
) -> bytes:
    """Return a whole HTTP reply.

    Args:
        status: The status code; one that HTTP does not know gets an empty reason phrase.
        content: The body.
        content_type: Its media type.
        headers: Further headers.
        promised: What Content-Length says, where that is to differ from the truth.
    """
    lines = [
        f"HTTP/1.1 {status} {PHRASES.get(status, '')}",
        f"Content-Type: {content_type}",
        f"Content-Length: {len(content) if promised is None else promised}",
        *(f"{name}: {value}" for name, value in (headers or {}).items()),
    ]
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + content
