import asyncio
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from openai import APIConnectionError, OpenAI

from offline import Guard, NetworkBlockedError, block_sockets

# Set aside for documentation (RFC 5737, RFC 3849) or private, so that a leak bothers nobody.
FOREIGN = ["192.0.2.1", "10.0.0.1", "128.0.0.1", "0.0.0.0", "", "example.org", "localhost.example.org"]  # noqa: S104 - to be refused


@pytest.mark.parametrize("host", FOREIGN)
def test_a_connection_to_anything_but_loopback_raises(host: str) -> None:
    with block_sockets() as guard, socket.socket() as client:
        with pytest.raises(NetworkBlockedError, match="loopback"):
            client.connect((host, 9))
        with pytest.raises(NetworkBlockedError, match="loopback"):
            client.connect_ex((host, 9))
    assert guard.attempts == [f"connect to {(host, 9)!r}", f"connect_ex to {(host, 9)!r}"]


@pytest.mark.parametrize("host", ["2001:db8::1", "::ffff:192.0.2.1", "::"])
def test_it_reads_ipv6_too(host: str) -> None:
    with block_sockets(), socket.socket(socket.AF_INET6) as client, pytest.raises(NetworkBlockedError):
        client.connect((host, 9))


def test_a_datagram_to_another_machine_raises() -> None:
    with block_sockets(), socket.socket(type=socket.SOCK_DGRAM) as client:
        with pytest.raises(NetworkBlockedError):
            client.sendto(b"x", ("192.0.2.1", 9))
        with pytest.raises(NetworkBlockedError):
            client.sendto(b"x", 0, ("192.0.2.1", 9))


@pytest.mark.parametrize("lookup", [socket.gethostbyname, socket.gethostbyname_ex])
def test_looking_up_a_foreign_name_raises(lookup: Callable[[str], Any]) -> None:
    with block_sockets():
        with pytest.raises(NetworkBlockedError, match=r"example\.org"):
            socket.getaddrinfo("example.org", 443)
        with pytest.raises(NetworkBlockedError, match=r"example\.org"):
            socket.getaddrinfo(b"example.org", 443)
        with pytest.raises(NetworkBlockedError, match=r"example\.org"):
            getattr(socket, lookup.__name__)("example.org")


def test_the_error_is_not_one_that_network_code_takes_for_bad_luck() -> None:
    async def connect() -> None:
        await asyncio.open_connection("192.0.2.1", 9)

    with block_sockets(), pytest.raises(NetworkBlockedError):
        asyncio.run(connect())
    assert not issubclass(NetworkBlockedError, OSError)


def test_an_attempt_is_on_record_when_a_client_wraps_the_error() -> None:
    with (
        block_sockets() as guard,
        OpenAI(base_url="http://example.org/v1", api_key="any", max_retries=0) as client,
        pytest.raises((APIConnectionError, NetworkBlockedError)),
    ):
        client.models.list()
    assert guard.attempts == ["getaddrinfo of 'example.org'"]


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.9.10", "localhost"])
def test_loopback_works(host: str) -> None:
    with block_sockets() as guard, socket.create_server(("0.0.0.0", 0)) as server:  # noqa: S104 - listening is free
        port = server.getsockname()[1]
        with socket.create_connection((host, port)):
            pass
        with socket.socket() as client:
            assert client.connect_ex((host, port)) == 0
        assert socket.getaddrinfo(None, port)
    assert guard.attempts == []


def test_loopback_works_in_ipv6() -> None:
    try:
        server = socket.create_server(("::1", 0), family=socket.AF_INET6)
    except OSError:
        pytest.skip("this machine has no IPv6 loopback")
    with block_sockets(), server, socket.create_connection(server.getsockname()[:2]):
        pass


@pytest.mark.skipif(not hasattr(socket, "AF_UNIX"), reason="no unix sockets here")
def test_unix_sockets_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # the path of a unix socket may have about 100 characters only
    with block_sockets(), socket.socket(socket.AF_UNIX) as server, socket.socket(socket.AF_UNIX) as client:
        server.bind("door")
        server.listen()
        client.connect("door")


def test_wrong_arguments_get_the_usual_complaint() -> None:
    with block_sockets(), socket.socket() as client, pytest.raises(TypeError, match="tuple"):
        client.connect("127.0.0.1")


def test_nothing_is_left_behind() -> None:
    before = (socket.socket.connect, socket.socket.sendto, socket.getaddrinfo, socket.gethostbyname)
    with block_sockets():
        assert socket.socket.connect is not before[0]
    assert before == (
        socket.socket.connect,
        socket.socket.sendto,
        socket.getaddrinfo,
        socket.gethostbyname,
    )


def test_every_test_here_runs_under_the_guard(loopback_only: Guard) -> None:
    with socket.socket() as client, pytest.raises(NetworkBlockedError):
        client.connect(("192.0.2.1", 9))
    assert loopback_only.attempts.pop() == "connect to ('192.0.2.1', 9)"
