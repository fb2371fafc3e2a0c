"""Clients of a scripted endpoint, for tests: the openai package, and bare HTTP."""

import http.client
import json
from typing import Any

import openai
from openai.types.chat import ChatCompletion, ChatCompletionFunctionToolParam

from doubles.endpoint import ScriptedEndpoint

CLOCK: ChatCompletionFunctionToolParam = {
    "type": "function",
    "function": {"name": "get_time", "parameters": {"type": "object", "properties": {}}},
}


def client_of(endpoint: ScriptedEndpoint, retries: int = 0, timeout: float = 600.0) -> openai.OpenAI:
    return openai.OpenAI(base_url=endpoint.base_url, api_key="any", max_retries=retries, timeout=timeout)


def connection_to(endpoint: ScriptedEndpoint) -> http.client.HTTPConnection:
    return http.client.HTTPConnection(endpoint.base_url.split("/")[2], timeout=600)


def ask(client: openai.OpenAI, text: str = "hello") -> ChatCompletion:
    return client.chat.completions.create(model="m", messages=[{"role": "user", "content": text}])


def body_of(text: str = "hello", **more: Any) -> bytes:
    return json.dumps({"model": "m", "messages": [{"role": "user", "content": text}], **more}).encode()
