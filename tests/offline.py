"""A guard that lets tests talk to this machine only.

It stands at the socket level of this process, below every HTTP client and above the kernel. What it
cannot see: processes that a test starts, extension modules that open sockets in C, and `sendmsg`.
"""

import ipaddress
import socket
from collections.abc import Callable, Generator
from contextlib import ExitStack, contextmanager
from typing import Any, cast
from unittest.mock import patch


class NetworkBlockedError(RuntimeError):
    """Something tried to leave this machine.

    Not an OSError on purpose: network libraries take that for bad luck and try again.
    """


class Guard:
    """What a `block_sockets` block has seen."""

    def __init__(self) -> None:
        self.attempts: list[str] = []
        """Each attempt that was stopped, in order; also those whose error a library swallowed."""

    def refuse(self, what: str) -> NetworkBlockedError:
        """Note an attempt, and return the error to raise."""
        self.attempts.append(what)
        return NetworkBlockedError(
            f"Blocked: {what}. Tests may talk to loopback (127.0.0.0/8, ::1) and unix sockets only."
        )


@contextmanager
def block_sockets() -> Generator[Guard]:
    """Make every connection to something other than loopback or a unix socket raise.

    Covered are `connect`, `connect_ex` and `sendto` of sockets, and the look-up of names other than
    localhost. Blocks may be nested; the inner one answers first.

    Raises:
        NetworkBlockedError: In the block, at the place of the attempt.
    """
    guard = Guard()
    with ExitStack() as stack:
        for method in ("connect", "connect_ex", "sendto"):
            stack.enter_context(patch.object(socket.socket, method, _guarded_method(guard, method)))
        for function in ("getaddrinfo", "gethostbyname", "gethostbyname_ex"):
            stack.enter_context(patch.object(socket, function, _guarded_lookup(guard, function)))
        yield guard


def _guarded_method(guard: Guard, name: str) -> Callable[..., Any]:
    original: Callable[..., Any] = getattr(socket.socket, name)

    def method(self: socket.socket, *arguments: Any) -> Any:
        # All three take the address last.
        if arguments and not _stays_here(self.family, arguments[-1]):
            raise guard.refuse(f"{name} to {arguments[-1]!r}")
        return original(self, *arguments)

    return method


def _guarded_lookup(guard: Guard, name: str) -> Callable[..., Any]:
    original: Callable[..., Any] = getattr(socket, name)

    def lookup(host: Any, *arguments: Any, **options: Any) -> Any:
        # No host means any address of this machine (for listening), and a number needs no look-up.
        if host and not _is_localhost(_text(host)) and _address(_text(host)) is None:
            raise guard.refuse(f"{name} of {_text(host)!r}")
        return original(host, *arguments, **options)

    return lookup


def _stays_here(family: int, address: Any) -> bool:
    if family == getattr(socket, "AF_UNIX", None):
        return True
    if family not in {socket.AF_INET, socket.AF_INET6}:
        return False
    if not isinstance(address, tuple) or not address:
        return True  # no address at all: the original says so best
    host = _text(cast("tuple[Any, ...]", address)[0])
    number = _address(host)
    return _is_localhost(host) if number is None else _is_loopback(number)


def _is_loopback(number: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    # Python before 3.13 does not look into an IPv4 address that is written as IPv6.
    inner = number.ipv4_mapped if isinstance(number, ipaddress.IPv6Address) else None
    return (inner or number).is_loopback


def _is_localhost(host: str) -> bool:
    return host.lower() == "localhost" or host.lower().endswith(".localhost")


def _address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def _text(host: Any) -> str:
    return host.decode("ascii", "replace") if isinstance(host, bytes | bytearray) else str(host)
