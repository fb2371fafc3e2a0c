"""`make servers`: real MCP servers from the registry, each in an environment of its own, as worlds.

Reads the tools of each, makes calls in two sessions, records some, plays them again, and takes a field away
in front of one. Fails with a sentence where something is not as it should be. It installs from the registry.
"""

import json
import os
import sqlite3
import subprocess
import sys
import tempfile
import venv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from knowact.cli import main
from knowact.core.condition import Condition, Mask
from knowact.core.task import WorldRef
from knowact.core.world import Call
from knowact.worlds.overlay import Overlay, offered_under
from knowact.worlds.registry import open_world

ENVIRONMENTS: Final = Path(__file__).parents[1] / ".venv-servers"


@dataclass(frozen=True, slots=True)
class Server:
    """One server.

    Attributes:
        packages: What its environment holds; `mcp-server-sqlite` works with the SDK's first version only.
        arguments: Of its command; `{here}` is the folder of this run.
        tools: How many tools it offers.
        calls: Tools and arguments, the first of which is recorded.
        reads: The tool that is recorded, where its server does not say that it only reads.
        field: A field of the first call's result, which is then taken away; empty where it is a text.
    """

    packages: Sequence[str]
    arguments: str
    tools: int
    calls: Sequence[tuple[str, Mapping[str, Any]]]
    reads: str = ""
    field: str = ""


SERVERS: Final = {
    "time": Server(
        ("mcp-server-time",),
        "",
        2,
        (("get_current_time", {"timezone": "Asia/Tokyo"}), ("get_current_time", {"timezone": "Nowhere"})),
        field="day_of_week",
    ),
    "git": Server(
        ("mcp-server-git",),
        "--repository {here}/repo",
        12,
        (
            ("git_log", {"repo_path": "{here}/repo", "max_count": 1}),
            ("git_create_branch", {"repo_path": "{here}/repo", "branch_name": "new"}),
        ),
    ),
    "sqlite": Server(
        ("mcp-server-sqlite", "mcp<2"),
        "--db-path {here}/shop.db",
        6,
        (
            ("read_query", {"query": "SELECT name, price FROM product ORDER BY price"}),
            ("write_query", {"query": "DELETE FROM product"}),
            ("read_query", {"query": "SELECT nothing FROM nowhere"}),
        ),
        reads="read_query",
        field="[].price",
    ),
}


def installed(name: str, server: Server) -> Path:
    """The server's program, in an environment of its own."""
    home = ENVIRONMENTS / name
    program = home / ("Scripts" if os.name == "nt" else "bin")
    if not (program / f"mcp-server-{name}").exists():
        venv.create(home, with_pip=True)
        pip = [program / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, *server.packages], check=True)
    return program / f"mcp-server-{name}"


def prepare(here: Path) -> None:
    """A repository with one commit, and a database of three products."""
    (here / "repo").mkdir()
    for line in ("init -q", "-c user.name=a -c user.email=a@example.org commit -q --allow-empty -m first"):
        subprocess.run(["git", *line.split()], cwd=here / "repo", check=True)
    with sqlite3.connect(here / "shop.db") as database:
        database.execute("CREATE TABLE product (name TEXT, price REAL)")
        rows = [("Mug", 7.5), ("Lamp", 31.0), ("Chair", 80.0)]
        database.executemany("INSERT INTO product VALUES (?, ?)", rows)
    (here / "first.db").write_bytes((here / "shop.db").read_bytes())


def typed(*words: str) -> None:
    """Run a command of ours; stop where it fails."""
    print("$ knowact", *words)
    if main.run(list(words)):
        sys.exit(f"knowact {' '.join(words)} failed")


def tried(name: str, server: Server, here: Path) -> None:
    """Use one server as a user would."""
    arguments = server.arguments.format(here=here)
    reset = f"cp {here}/first.db {here}/shop.db" if name == "sqlite" else ""
    told = ["--mcp", f"{installed(name, server)} {arguments}".strip(), *(["--reset", reset] if reset else [])]
    typed("tools", "add", name, *told)
    ref = WorldRef(name=f"tools:{name}")
    calls = [
        Call(
            tool,
            {key: str(one).format(here=here) if isinstance(one, str) else one for key, one in given.items()},
        )
        for tool, given in server.calls
    ]
    firsts: list[str] = []
    for _ in range(2):
        session = open_world(ref, 0)
        assert len(session.tools()) == server.tools, f"{name} offers {len(session.tools())} tools"
        seen = [session.call(one) for one in calls]
        firsts.append(seen[0].text())
        print(
            *(f"  {one.tool}: {found.text()[:110]}" for one, found in zip(calls, seen, strict=True)), sep="\n"
        )
        assert seen[0].ok, seen[0]
        session.close()  # type: ignore[attr-defined]
    if reset:
        assert firsts[0] == firsts[1], "the second session did not find the database as it was"
    listed = here / f"{name}.jsonl"
    listed.write_text(
        json.dumps({"tool": calls[0].tool, "arguments": dict(calls[0].arguments or {})}), "utf-8"
    )
    reads = ["--reads", server.reads] if server.reads else []
    typed("tools", "record", name, "--calls", str(listed), *reads, "--yes")
    source = here / "knowact-tools" / name / "source.yaml"
    source.write_text(source.read_text("utf-8") + "answers: recorded\n", encoding="utf-8")
    played = open_world(ref, 0)
    tools = {tool.name: tool for tool in played.tools()}
    condition = Condition(
        name="masked",
        changes=(Mask(tool=calls[0].tool, part="result", name=server.field),) if server.field else (),
    )
    overlay = Overlay(played, condition, offered_under([calls[0].tool], tools, condition))
    answer = overlay.call(calls[0]).text()
    print(f"  played, without {server.field or 'nothing'}: {answer[:110]}")
    gone = server.field.rpartition(".")[2]
    assert not gone or gone not in answer, f"{gone} is still in the answer"
    assert played.call(Call(calls[0].tool, {"unknown": 1})).text().count("no_recording") == 1


def run() -> None:
    """Try all servers."""
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder)
        os.chdir(here)
        prepare(here)
        for name, server in SERVERS.items():
            tried(name, server, here)
        os.chdir("/")
    print("All servers do what they should.")


if __name__ == "__main__":
    run()
