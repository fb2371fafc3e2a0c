"""Wall time on a slow endpoint: `knowact` against bare Inspect, the ideal, and a plain thread pool.

    python benchmarks/wall_time.py [--tasks 500] [--latency 2] [--connections 64]

The endpoint answers after a fixed latency from a process of its own, so the ideal is calls x latency /
connections. Start-up (planning, the engine's first steps, reading the log back) is stated apart and
taken off: it is what one task takes beyond its two calls.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import openai
from bare import bare
from inspect_ai import eval_set
from measuring import Line, alternated, finish, ratios
from workload import SETTINGS, options, repeated_data, seed_of

from knowact.core.suite import Plan
from knowact.engine.runs import Request, carry_out
from knowact.suites.kapro.items import KaproOptions
from knowact.suites.kapro.probes import act, tools_needed
from knowact.suites.kapro.suite import SUITE
from knowact.worlds.registry import open_world

MODEL = "openai-api/slow/agent"


def started(latency: float) -> tuple[subprocess.Popen[str], str]:
    """Start the endpoint; its first line is its address."""
    words = [sys.executable, "-m", "doubles.endpoint", "--latency", str(latency), "--port", "0"]
    tests = str(Path(__file__).parents[1] / "tests")
    server = subprocess.Popen(
        words,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join((tests, os.environ.get("PYTHONPATH", "")))},
    )
    assert server.stdout is not None
    return server, server.stdout.readline().strip()


def knowact(data: Path, logs: Path, connections: int) -> Callable[[], None]:
    def work() -> None:
        engine = {"max_connections": connections, "max_samples": connections}
        request = Request(SUITE, options(data), MODEL, logs, engine=engine)
        done = carry_out(request, SUITE.plan(request.options))
        assert done.exit_code == 0, done.reason

    return work


def engine(data: Path, logs: Path, connections: int) -> Callable[[], None]:
    def work() -> None:
        few = {"max_connections": connections, "max_samples": connections}
        good, _ = eval_set(bare(str(data)), log_dir=str(logs), model=MODEL, **SETTINGS, **few)
        assert good

    return work


def threads(data: Path, url: str, connections: int) -> Callable[[], None]:
    """The same two prompts per task from a plain pool: no retries, no logs, no tools run."""

    def work() -> None:
        client = openai.OpenAI(base_url=url, api_key="none", max_retries=0)
        with ThreadPoolExecutor(connections) as pool:
            list(pool.map(lambda messages: ask(client, messages), prompts(SUITE.plan(options(data)), data)))
        client.close()

    return work


def prompts(plan: Plan, data: Path) -> list[list[dict[str, str]]]:
    made: list[list[dict[str, str]]] = []
    for item in plan.items:
        context = open_world(item.task.world, seed_of(data)).context()
        made += [
            [{"role": message.role, "content": message.text} for message in probe.opening(item, context)]
            for probe in (tools_needed(), act(item, KaproOptions().rounds))
        ]
    return made


def ask(client: openai.OpenAI, messages: list[dict[str, str]]) -> None:
    client.chat.completions.create(model="agent", messages=messages)


def fresh(folder: Path) -> Path:
    """A log folder that nothing was written to."""
    return Path(tempfile.mkdtemp(dir=folder))


def seconds(work: Callable[[], None]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--tasks", type=int, default=500)
    parser.add_argument("--latency", type=float, default=2.0)
    parser.add_argument("--connections", type=int, default=64)
    parser.add_argument("--rounds", type=int, default=2)
    chosen = parser.parse_args()
    ideal = 2 * chosen.tasks * chosen.latency / chosen.connections
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        small, data = repeated_data(folder / "small", 1), repeated_data(folder / "data", chosen.tasks)
        server, url = started(chosen.latency)
        os.environ["SLOW_BASE_URL"], os.environ["SLOW_API_KEY"] = url, "none"
        try:
            # One task costs two calls one after the other; the rest of its time is start-up.
            first = seconds(knowact(small, folder / "first", 1)) - 2 * chosen.latency
            ours_up = seconds(knowact(small, folder / "again", 1)) - 2 * chosen.latency
            bare_up = seconds(engine(small, folder / "bare-again", 1)) - 2 * chosen.latency
            taken = alternated(
                {
                    "ours": lambda: seconds(knowact(data, fresh(folder), chosen.connections)) - ours_up,
                    "bare": lambda: seconds(engine(data, fresh(folder), chosen.connections)) - bare_up,
                    "plain": lambda: seconds(threads(data, url, chosen.connections)),
                },
                chosen.rounds,
            )
        finally:
            server.terminate()
            server.wait()
    lines = [
        Line("start-up of the first run in a process", [first], "s"),
        Line("start-up of a later run", [ours_up], "s"),
        Line("start-up of bare Inspect", [bare_up], "s"),
        Line("knowact", taken["ours"], "s"),
        Line("bare Inspect", taken["bare"], "s"),
        Line("plain thread pool", taken["plain"], "s"),
        Line("ideal", [ideal], "s"),
        Line("knowact against bare Inspect", ratios(taken["ours"], taken["bare"]), target=1.05),
        Line("knowact against the ideal", [wall / ideal for wall in taken["ours"]], target=1.2),
    ]
    what = (
        f"{chosen.tasks} tasks of two calls, {chosen.latency:g} s latency, {chosen.connections} connections"
    )
    finish(lines, f"Wall time, {what}")


if __name__ == "__main__":
    main()
