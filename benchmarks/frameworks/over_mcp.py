"""pydantic-ai with our tools over MCP: `--agent "cmd:python over_mcp.py {mcp_url} {messages_file}"`."""

import asyncio
import json
import sys
from pathlib import Path

from my_agents import URL
from pydantic_ai import Agent
from pydantic_ai.mcp import MCPToolset
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider


async def main(tools: str, told: str) -> None:
    """Answer once."""
    system, *rest = json.loads(told)
    model = OpenAIChatModel("m", provider=OpenAIProvider(base_url=URL, api_key="none"))
    agent = Agent(model, toolsets=[MCPToolset(tools)], instructions=system["content"])
    print((await agent.run(rest[-1]["content"])).output)


asyncio.run(main(sys.argv[1], Path(sys.argv[2]).read_text(encoding="utf-8")))
