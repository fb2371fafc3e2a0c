import asyncio
import json
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import openai
import pytest

from chat_client import CLOCK, ask, body_of, client_of, connection_to
from doubles.endpoint import (
    Reply,
    Request,
    Say,
    ScriptedEndpoint,
    always,
    main,
    trivial_agent,
)


@pytest.fixture
def silent() -> Iterator[ScriptedEndpoint]:
    """An endpoint whose script does not matter."""
    with ScriptedEndpoint(always(Say("hello"))) as endpoint:
        yield endpoint


class TestRequests:
    def test_a_script_sees_what_was_asked(self, silent: ScriptedEndpoint) -> None:
        with client_of(silent) as client:
            client.chat.completions.create(
                model="some-model",
                messages=[
                    {"role": "system", "content": "Be brief."},
                    {
                        "role": "user",
                        "content": [{"type": "text", "text": "What "}, {"type": "text", "text": "time?"}],
                    },
                ],
                tools=[CLOCK],
                tool_choice="auto",
                extra_headers={"X-Mark": "seven"},
            )
        (request,) = silent.requests
        assert request.model == "some-model"
        assert request.conversation == request.last_text == "What time?"
        assert (request.tool_names, request.tool_choice) == (("get_time",), "auto")
        assert (request.number, request.turn, request.rounds) == (1, 1, 0)
        assert request.headers["x-mark"] == "seven"
        assert request.headers["authorization"] == "Bearer any"

    def test_one_connection_carries_many_requests(self, silent: ScriptedEndpoint) -> None:
        connection = connection_to(silent)
        ports: set[int] = set()
        for _ in range(3):
            connection.request("POST", "/v1/chat/completions", body_of())
            reply = connection.getresponse()
            assert reply.status == 200
            reply.read()
            ports.add(connection.sock.getsockname()[1])
        connection.close()
        assert len(ports) == 1
        assert [request.number for request in silent.requests] == [1, 2, 3]

    def test_a_client_that_wants_no_more_is_hung_up_on(self, silent: ScriptedEndpoint) -> None:
        connection = connection_to(silent)
        connection.request("POST", "/v1/chat/completions", body_of(), {"Connection": "close"})
        assert connection.getresponse().read()
        assert connection.sock is None or connection.sock.recv(1) == b""
        connection.close()

    @pytest.mark.parametrize(
        ("method", "path", "body", "status"),
        [
            ("GET", "/v1/chat/completions", b"", 404),
            ("POST", "/v1/responses", b"{}", 404),
            ("POST", "/v1/chat/completions", b'{"messages": [', 400),
            ("POST", "/v1/chat/completions", b"\xff\xfe\xfd", 400),
            ("POST", "/v1/chat/completions", b"[]", 400),
            ("POST", "/v1/chat/completions", b'{"messages": []}', 400),
            ("POST", "/v1/chat/completions", b'{"messages": ["hello"]}', 400),
            ("POST", "/v1/chat/completions", body_of(stream=True), 400),
            ("POST", "/v1/chat/completions?api-version=1", body_of(), 200),
        ],
    )
    def test_what_is_no_chat_request_is_told_so(
        self, silent: ScriptedEndpoint, method: str, path: str, body: bytes, status: int
    ) -> None:
        connection = connection_to(silent)
        connection.request(method, path, body)
        reply = connection.getresponse()
        assert reply.status == status
        assert ("error" in json.loads(reply.read())) == (status != 200)
        connection.close()
        assert len(silent.requests) == (status == 200)

    @pytest.mark.parametrize(
        "noise",
        [
            b"hello\r\n\r\n",
            b"POST / HTTP/1.1\r\nno colon\r\n\r\n",
            b"POST / HTTP/1.1\r\nContent-Length: many\r\n\r\n",
            b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        ],
    )
    def test_noise_is_refused_and_the_next_client_served(
        self, silent: ScriptedEndpoint, noise: bytes
    ) -> None:
        connection = connection_to(silent)
        connection.connect()
        connection.sock.sendall(noise)
        with connection.sock.makefile("rb") as reply:
            assert reply.readline().split()[1] == b"400"
        connection.close()
        with client_of(silent) as client:
            assert ask(client).choices[0].message.content == "hello"

    def test_headers_without_end_are_not_read_for_ever(self, silent: ScriptedEndpoint) -> None:
        connection = connection_to(silent)
        connection.connect()
        with suppress(ConnectionError):  # it may be hung up on before all is sent or read
            connection.sock.sendall(b"x" * 200_000)
            assert connection.sock.recv(12) in {b"HTTP/1.1 400", b""}
        connection.close()
        with client_of(silent) as client:
            assert ask(client).choices[0].message.content == "hello"


class TestLoad:
    def test_latency_delays_the_reply(self) -> None:
        with ScriptedEndpoint(always(Say("")), latency=0.2) as endpoint, client_of(endpoint) as client:
            started = time.monotonic()
            ask(client)
        assert time.monotonic() - started >= 0.2

    def test_64_requests_wait_side_by_side(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def one(number: int) -> str:
            connection = connection_to(endpoint)
            connection.request("POST", "/v1/chat/completions", body_of(f"request {number}"))
            reply = json.loads(connection.getresponse().read())
            connection.close()
            return reply["choices"][0]["message"]["content"]

        def script(request: Request) -> Reply:
            return Say(request.conversation)

        async def sleep(_seconds: float) -> None:
            while endpoint.peak < 64:
                await turn(0)

        # The latency is over when all of them wait, however long it takes them to come.
        turn = asyncio.sleep
        monkeypatch.setattr("doubles.endpoint.asyncio.sleep", sleep)
        with ScriptedEndpoint(script, latency=1) as endpoint, ThreadPoolExecutor(64) as pool:
            said = list(pool.map(one, range(64)))
            monkeypatch.undo()
            assert endpoint.peak == 64
        assert said == [f"request {number}" for number in range(64)]
        assert sorted(request.number for request in endpoint.requests) == list(range(1, 65))

    def test_a_script_that_blocks_the_thread_is_told_of(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("doubles.endpoint.STOP_SECONDS", 0.1)
        called, free = threading.Event(), threading.Event()

        def script(_request: Request) -> Reply:
            called.set()
            free.wait()
            return Say("at last")

        endpoint = ScriptedEndpoint(script)
        endpoint.__enter__()
        connection = connection_to(endpoint)
        connection.request("POST", "/v1/chat/completions", body_of())
        assert called.wait(600)
        with pytest.raises(RuntimeError, match="blocked its thread"):
            endpoint.__exit__(None, None, None)
        monkeypatch.undo()
        free.set()
        endpoint.__exit__(None, None, None)
        connection.close()


class TestCommand:
    def test_it_prints_its_address_and_serves_until_interrupted(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        said: list[str | None] = []

        def use_and_interrupt(seconds: float) -> None:
            base_url = capsys.readouterr().out.strip()
            with openai.OpenAI(base_url=base_url, api_key="any", max_retries=0) as client:
                said.append(ask(client).choices[0].message.content)
            raise KeyboardInterrupt

        monkeypatch.setattr("doubles.endpoint.time.sleep", use_and_interrupt)
        main(["--latency", "0.01", "--port", "0"])
        assert said == ['{"tool_decisions": {}}']

    def test_a_negative_latency_is_a_usage_error(self, capsys: pytest.CaptureFixture[str]) -> None:
        with pytest.raises(SystemExit) as caught:
            main(["--latency", "-1"])
        assert caught.value.code == 2
        assert "from 0 up" in capsys.readouterr().err

    def test_a_taken_port_is_an_error_at_once(self, silent: ScriptedEndpoint) -> None:
        port = int(silent.base_url.split(":")[2].split("/")[0])
        with pytest.raises(OSError, match="in use"), ScriptedEndpoint(trivial_agent, port=port):
            pass
