"""Small files in the layouts of published tool collections; the words are ours."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

TAU = """
import os
from typing import Any, Dict
from tau_bench.envs.tool import Tool

os.environ["KNOWACT_RAN_IT"] = "yes"


class CancelOrder(Tool):
    @staticmethod
    def invoke(data: Dict[str, Any], order: str) -> str:
        return "done"

    @staticmethod
    def get_info() -> Dict[str, Any]:
        return {
            "type": "function",
            "function": {
                "name": "cancel_order",
                "description": (
                    "Cancel an order that has not left the house. "
                    "The money goes back the way it came."
                ),
                "parameters": {
                    "type": "object",
                    "properties": {"order": {"type": "string", "description": "Its number."}},
                    "required": ["order"],
                },
            },
        }


class Computed(Tool):
    @staticmethod
    def get_info() -> Dict[str, Any]:
        return make_info()
"""

TOOLBENCH: Mapping[str, Any] = {
    "product_id": "api_1",
    "tool_description": "Sayings for every day of the year.",
    "home_url": "https://example.org/sayings",
    "name": "Wise Sayings",
    "tool_name": "Wise Sayings",
    "score": {"avgLatency": 689},
    "api_list": [
        {
            "name": "By topic",
            "url": "https://example.org/by-topic",
            "description": "Gives a saying about a topic.",
            "method": "GET",
            "required_parameters": [
                {"name": "topic", "type": "STRING", "description": "What about.", "default": "courage"}
            ],
            "optional_parameters": [
                {"name": "count", "type": "NUMBER", "description": "", "default": ""},
                {"name": "since", "type": "DATE (YYYY-MM-DD)", "description": "From when on."},
            ],
        },
        {
            "name": "Random",
            "description": "",
            "method": "GET",
            "required_parameters": [],
            "optional_parameters": [],
        },
    ],
}

QUERY: Mapping[str, Any] = {
    "api_list": [
        {
            "category_name": "Sports",
            "tool_name": "Local Results",
            "api_name": "Fixtures",
            "api_description": "Lists the matches of a club.",
            "required_parameters": [{"name": "club", "type": "STRING", "description": "Its name."}],
            "optional_parameters": [],
            "method": "GET",
        }
    ],
    "query": "When does my club play?",
    "query_id": 7,
}

FIND = {"name": "find_pages", "description": "Searches the web for pages.", "input_schema": {
    "type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]}}  # fmt: skip

TOUCAN: Mapping[str, Any] = {
    "uuid": "0",
    "subset_name": "single-turn-original",
    "messages": json.dumps([{"role": "tool", "name": "x", "description": "no tool", "parameters": {}}]),
    "question": "Find pages on owls.",
    "available_tools": json.dumps(
        [
            {
                "type": "function",
                "function": {
                    "name": "page-server-find_pages",
                    "description": FIND["description"],
                    "parameters": FIND["input_schema"],
                },
            }
        ]
    ),
    "target_tools": "find_pages",
    "metadata": json.dumps(
        {
            "mcp_servers": [
                {
                    "server_name": "Page Server",
                    "server_info_crawled": {"name": "Page Server", "overview": "Pages of the web."},
                    "remote_server_response": {"url": "https://example.org/mcp", "tools": [FIND]},
                }
            ]
        }
    ),
}


def write_all(folder: Path) -> Path:
    """Write one file of each layout; return the folder."""
    tau = folder / "shop" / "tools" / "cancel_order.py"
    tau.parent.mkdir(parents=True)
    tau.write_text(TAU, encoding="utf-8")
    social = folder / "Social" / "wise_sayings.json"
    social.parent.mkdir()
    social.write_text(json.dumps(TOOLBENCH, indent=2), encoding="utf-8")
    (folder / "G1_query.json").write_text(json.dumps([QUERY, QUERY]), encoding="utf-8")
    rows = [TOUCAN, TOUCAN, {**TOUCAN, "metadata": "{}"}]
    (folder / "toucan.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return folder
