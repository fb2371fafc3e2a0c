"""`make frameworks`: one agent in four frameworks, on the same items, over a scripted endpoint on loopback.

The README's own is among them. Fails unless all of them make the same calls and get the same scores.
"""

import os
import sys
import tempfile
from pathlib import Path
from typing import Final

import knowact

sys.path.append(str(Path(__file__).parents[2] / "tests"))

from doubles.endpoint import CallTools, Reply, Request, Say, ScriptedEndpoint, ToolCall

FUNCTIONS: Final = ("openai_loop", "langgraph", "pydantic_ai", "openai_agents")
HERE: Final = Path(__file__).parent
OVER_MCP: Final = f"cmd:{sys.executable} {HERE / 'over_mcp.py'} {{mcp_url}} {{messages_file}}"
README: Final = "readme_agent"
AGENTS: Final = {name: f"py:my_agents:{name}" for name in FUNCTIONS} | {
    "pydantic_ai over MCP": OVER_MCP,
    "the README's": f"py:{README}:agent",
}
ITEMS: Final = 4


def script(request: Request) -> Reply:
    """Say that every tool is needed; call the first two at once, then answer."""
    if not request.tools:
        return Say('{"tool_decisions": {}}')
    if request.rounds:
        return Say("Done.")
    return CallTools(tuple(ToolCall(one["function"]["name"], {}) for one in request.tools[:2]))


def main() -> int:
    """Run them and compare."""
    sys.path.insert(0, str(HERE))
    found: dict[str, list[tuple[object, ...]]] = {}
    with ScriptedEndpoint(script) as endpoint, tempfile.TemporaryDirectory() as logs:
        os.environ |= {
            "ENDPOINT": endpoint.base_url,
            "OPENAI_BASE_URL": endpoint.base_url,
            "OPENAI_API_KEY": "none",
        }
        text = (HERE.parents[1] / "README.md").read_text(encoding="utf-8")
        block = text.partition("```python\n")[2].partition("```")[0]
        (Path(logs) / f"{README}.py").write_text(block, encoding="utf-8")
        sys.path.insert(0, logs)
        for name, spec in AGENTS.items():
            runs = knowact.run(
                "kapro",
                model=[],
                agent=spec,
                limit=ITEMS,
                judge="none",
                log_dir=logs,
                quiet=True,
            )
            found[name] = [
                (one.item, sorted(one.used or ()), one.calls, one.value("acc_act"), dict(one.outcomes))
                for one in runs.records
            ]
    calls = {name: sum(int(str(one[2])) for one in some) for name, some in found.items()}
    alike = all(sorted(some, key=str) == sorted(found[FUNCTIONS[0]], key=str) for some in found.values())
    print(", ".join(f"{name}: {count} calls on {ITEMS} items" for name, count in calls.items()))
    print("All the same." if alike and min(calls.values()) else "They differ.")
    return 0 if alike and min(calls.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
