"""One agent in four frameworks, over an OpenAI-compatible endpoint: `--agent py:my_agents:langgraph`.

Each is as short as it can be; `run.py` lets all of them act on the same items.
"""

import json
import os
from collections.abc import Sequence
from typing import Any

URL = os.environ.get("ENDPOINT", "http://127.0.0.1:8000/v1")


async def openai_loop(messages: Sequence[Any], tools: Sequence[Any]) -> str:
    """A loop over the client alone."""
    from openai import AsyncOpenAI

    client = AsyncOpenAI(base_url=URL, api_key="none")
    by_name, chat = {tool.name: tool for tool in tools}, list(messages)
    offered = {"tools": [tool.openai for tool in tools]} if tools else {}
    while True:
        done = await client.chat.completions.create(model="m", messages=chat, **offered)
        said = done.choices[0].message
        if not said.tool_calls:
            return said.content or ""
        chat.append(said.model_dump(exclude_none=True))
        for call in said.tool_calls:
            result = await by_name[call.function.name](**json.loads(call.function.arguments))
            chat.append({"role": "tool", "tool_call_id": call.id, "content": result})


async def langgraph(messages: Sequence[Any], tools: Sequence[Any]) -> str:
    """LangGraph's ready-made agent."""
    from langchain_core.tools import StructuredTool
    from langchain_openai import ChatOpenAI
    from langgraph.prebuilt import create_react_agent

    offered = [
        StructuredTool(name=t.name, description=t.description, args_schema=t.parameters, coroutine=t)
        for t in tools
    ]
    model = ChatOpenAI(model="m", base_url=URL, api_key="none")
    done = await create_react_agent(model, offered).ainvoke({"messages": list(messages)})
    return done["messages"][-1].text


async def pydantic_ai(messages: Sequence[Any], tools: Sequence[Any]) -> str:
    """pydantic-ai."""
    from pydantic_ai import Agent, Tool
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider

    model = OpenAIChatModel("m", provider=OpenAIProvider(base_url=URL, api_key="none"))
    system, *rest = messages
    offered = [Tool.from_schema(t, t.name, t.description, t.parameters) for t in tools]
    return (await Agent(model, tools=offered, instructions=system["content"]).run(rest[-1]["content"])).output


async def openai_agents(messages: Sequence[Any], tools: Sequence[Any]) -> str:
    """The OpenAI Agents SDK."""
    from openai import AsyncOpenAI

    from agents import Agent, FunctionTool, OpenAIChatCompletionsModel, Runner, set_tracing_disabled

    set_tracing_disabled(disabled=True)

    def offered(tool: Any) -> FunctionTool:
        async def call(_context: Any, given: str) -> str:
            return await tool(**json.loads(given))

        return FunctionTool(tool.name, tool.description, tool.parameters, call, strict_json_schema=False)

    model = OpenAIChatCompletionsModel("m", AsyncOpenAI(base_url=URL, api_key="none"))
    system, *rest = messages
    mine = Agent(name="mine", instructions=system["content"], model=model, tools=list(map(offered, tools)))
    return (await Runner.run(mine, rest)).final_output
