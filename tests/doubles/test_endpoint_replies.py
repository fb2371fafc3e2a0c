import http.client
import json
import time
from typing import Any, Literal

import openai
import pytest

from chat_client import CLOCK, ask, body_of, client_of, connection_to
from doubles.endpoint import (
    BrokenJson,
    CallTools,
    CutBody,
    EmptyReply,
    Hang,
    HtmlPage,
    NoChoices,
    RateLimited,
    Raw,
    Refuse401,
    Reply,
    Request,
    Say,
    ScriptedEndpoint,
    ServerError,
    ToolCall,
    TooLong,
    always,
    sequence,
    tool_caller,
    trivial_agent,
)


class TestGoodReplies:
    def test_words_come_with_usage(self) -> None:
        with ScriptedEndpoint(always(Say("Grüße"))) as endpoint, client_of(endpoint) as client:
            completion = ask(client)
        assert completion.model == "m"
        assert completion.choices[0].message.content == "Grüße"
        assert completion.choices[0].finish_reason == "stop"
        usage = completion.usage
        assert usage is not None
        assert min(usage.prompt_tokens, usage.completion_tokens) > 0
        assert usage.total_tokens == usage.prompt_tokens + usage.completion_tokens

    def test_calls_carry_their_arguments_malformed_ones_too(self) -> None:
        calls = (
            ToolCall("get_time", {"zone": "UTC"}),
            ToolCall("not_there"),
            ToolCall("get_time", '{"zone": '),
        )
        with ScriptedEndpoint(always(CallTools(calls))) as endpoint, client_of(endpoint) as client:
            choice = ask(client).choices[0]
        assert choice.finish_reason == "tool_calls"
        assert choice.message.content is None
        made = [call for call in choice.message.tool_calls or [] if call.type == "function"]
        assert [(call.function.name, call.function.arguments) for call in made] == [
            ("get_time", '{"zone": "UTC"}'),
            ("not_there", "{}"),
            ("get_time", '{"zone": '),
        ]
        assert len({call.id for call in made}) == 3

    @pytest.mark.parametrize(("null", "content"), [(False, ""), (True, None)])
    def test_an_empty_reply_has_neither_words_nor_calls(self, null: bool, content: str | None) -> None:  # noqa: FBT001 - a parameter of the test
        with ScriptedEndpoint(always(EmptyReply(null))) as endpoint, client_of(endpoint) as client:
            message = ask(client).choices[0].message
        assert message.content == content
        assert not message.tool_calls

    def test_impossible_replies_cannot_be_written(self) -> None:
        with pytest.raises(ValueError, match="at least one call"):
            CallTools(())
        with pytest.raises(ValueError, match="404"):
            ServerError(404)
        with pytest.raises(ValueError, match="latency"):
            ScriptedEndpoint(always(Say("")), latency=-1)


class TestFaults:
    def test_rate_limiting_is_waited_out(self) -> None:
        script = sequence(RateLimited(0.3), Say("at last"))
        with ScriptedEndpoint(script) as endpoint, client_of(endpoint, retries=1) as client:
            assert ask(client).choices[0].message.content == "at last"
            first, second = endpoint.requests
        assert second.at - first.at >= 0.3
        assert (first.turn, second.turn) == (1, 2)

    @pytest.mark.parametrize(("wait", "header"), [(1.0, "1"), (0.25, "0.25"), (None, None)])
    def test_rate_limiting_says_how_long(self, wait: float | None, header: str | None) -> None:
        with ScriptedEndpoint(always(RateLimited(wait))) as endpoint, client_of(endpoint) as client:
            with pytest.raises(openai.RateLimitError) as caught:
                ask(client)
            assert caught.value.response.headers.get("retry-after") == header

    @pytest.mark.parametrize(
        ("reply", "error"),
        [
            (ServerError(), openai.InternalServerError),
            (ServerError(503), openai.InternalServerError),
            (Refuse401(), openai.AuthenticationError),
            (HtmlPage(502), openai.InternalServerError),
            (Hang(), openai.APITimeoutError),
            (Hang(0.05), openai.APIConnectionError),
            (CutBody(), openai.APIConnectionError),
            (BrokenJson(), json.JSONDecodeError),
            (TooLong(), openai.BadRequestError),
            (Raw(418, "{}"), openai.APIStatusError),
        ],
        ids=repr,
    )
    def test_each_fault_is_what_the_client_takes_it_for(self, reply: Reply, error: type[Exception]) -> None:
        with (
            ScriptedEndpoint(always(reply)) as endpoint,
            client_of(endpoint, timeout=0.5 if reply == Hang() else 600) as client,
            pytest.raises(error) as caught,
        ):
            ask(client)
        assert isinstance(caught.value, openai.APITimeoutError) == (reply == Hang())

    @pytest.mark.parametrize("status", [500, 502, 599])
    def test_a_server_error_has_the_status_it_was_given(self, status: int) -> None:
        with ScriptedEndpoint(always(ServerError(status))) as endpoint, client_of(endpoint) as client:
            with pytest.raises(openai.APIStatusError) as caught:
                ask(client)
            assert caught.value.status_code == status

    def test_no_choices_is_a_completion_all_the_same(self) -> None:
        with ScriptedEndpoint(always(NoChoices())) as endpoint, client_of(endpoint) as client:
            completion = ask(client)
        assert completion.choices == []
        assert completion.usage is not None

    @pytest.mark.parametrize("status", [200, 502])
    def test_a_page_is_html(self, status: Literal[200, 502]) -> None:
        with ScriptedEndpoint(always(HtmlPage(status))) as endpoint:
            connection = connection_to(endpoint)
            connection.request("POST", "/v1/chat/completions", body_of())
            reply = connection.getresponse()
            assert (reply.status, reply.getheader("content-type")) == (status, "text/html; charset=utf-8")
            assert reply.read().startswith(b"<!doctype html>")
            connection.close()

    def test_a_cut_body_ends_before_its_length(self) -> None:
        with ScriptedEndpoint(always(CutBody())) as endpoint:
            connection = connection_to(endpoint)
            connection.request("POST", "/v1/chat/completions", body_of())
            with pytest.raises(http.client.IncompleteRead):
                connection.getresponse().read()
            connection.close()

    def test_a_hang_does_not_hold_up_the_end(self) -> None:
        with ScriptedEndpoint(always(Hang())) as endpoint, client_of(endpoint, timeout=0.1) as client:
            with pytest.raises(openai.APITimeoutError):
                ask(client)
            connection = connection_to(endpoint)
            connection.request("POST", "/v1/chat/completions", body_of())
            started = time.monotonic()
        assert time.monotonic() - started < 30
        connection.close()


class TestScripts:
    def test_a_sequence_starts_anew_in_each_conversation_and_keeps_its_last_reply(self) -> None:
        script = sequence(Say("one"), Say("two"))
        with ScriptedEndpoint(script) as endpoint, client_of(endpoint) as client:
            said = [ask(client, text).choices[0].message.content for text in ("a", "b", "a", "a", "b")]
        assert said == ["one", "one", "two", "two", "two"]

    def test_a_sequence_of_nothing_is_refused(self) -> None:
        with pytest.raises(ValueError, match="at least one"):
            sequence()

    def test_a_tool_caller_calls_once_and_then_answers(self) -> None:
        def decide(request: Request) -> list[ToolCall]:
            return [ToolCall(name) for name in request.tool_names if name.split("_")[1] in request.last_text]

        with ScriptedEndpoint(tool_caller(decide, "It is noon.")) as endpoint, client_of(endpoint) as client:
            asked: Any = [{"role": "user", "content": "What time is it?"}]
            first = (
                client.chat.completions.create(model="m", messages=asked, tools=[CLOCK]).choices[0].message
            )
            made = first.model_dump(exclude_none=True)
            result = {"role": "tool", "tool_call_id": made["tool_calls"][0]["id"], "content": "12:00"}
            after: Any = [*asked, made, result]
            second = client.chat.completions.create(model="m", messages=after, tools=[CLOCK])
            assert [call["function"]["name"] for call in made["tool_calls"]] == ["get_time"]
            assert second.choices[0].message.content == "It is noon."
            unneeded = client.chat.completions.create(
                model="m", messages=[{"role": "user", "content": "Hello"}], tools=[CLOCK]
            )
            assert unneeded.choices[0].message.content == "It is noon."
            assert [(request.turn, request.rounds) for request in endpoint.requests] == [
                (1, 0),
                (2, 1),
                (1, 0),
            ]

    def test_the_trivial_agent_needs_no_tool(self) -> None:
        with ScriptedEndpoint(trivial_agent) as endpoint, client_of(endpoint) as client:
            assert json.loads(ask(client).choices[0].message.content or "") == {"tool_decisions": {}}
            acting = client.chat.completions.create(
                model="m", messages=[{"role": "user", "content": "hello"}], tools=[CLOCK]
            )
        assert acting.choices[0].message.content == "done"

    def test_a_script_that_raises_is_told_to_both_sides(self) -> None:
        def script(request: Request) -> Reply:
            assert request.model == "other", "the wrong model was asked"
            return Say("")

        def use(endpoint: ScriptedEndpoint) -> None:
            with endpoint, client_of(endpoint, retries=3) as client:
                with pytest.raises(openai.BadRequestError, match="the wrong model"):
                    ask(client)
                assert len(endpoint.requests) == 1

        with pytest.raises(AssertionError, match="the wrong model"):
            use(ScriptedEndpoint(script))

    def test_a_script_s_error_does_not_hide_the_test_s_own(self) -> None:
        def script(request: Request) -> Reply:
            raise LookupError(request.model)

        with (
            pytest.raises(openai.BadRequestError) as caught,
            ScriptedEndpoint(script) as endpoint,
            client_of(endpoint) as client,
        ):
            ask(client)
        assert any("LookupError" in note for note in caught.value.__notes__)
