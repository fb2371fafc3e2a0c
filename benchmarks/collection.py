"""65,770 generated tools from ToolBench's layout to a pool: time, and memory at its peak (KAPRO, section 3).

    python benchmarks/collection.py [--tools 65770] [--asked 2000]

A fifth of the descriptions are copies. Reading, unifying, removing duplicates and affinity are measured over
all tools, each run in a fresh process. Sorting is measured over `--asked` tools by a scripted model over
loopback HTTP, in both stages: what is left of a model's own time is what knowact adds to each call. Targets:
two minutes of CPU for all that needs no model, 1.5 GiB, and 20 ms of CPU a call. (What it took by the clock
says little on a machine that others use.)
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from descriptions import descriptions
from measuring import Line, cpu_seconds, finish

from knowact.core.tool import Dimension
from knowact.tools import collection

sys.path.append(str(Path(__file__).parents[1] / "tests"))

from doubles.endpoint import Reply, Request, Say, ScriptedEndpoint

PARAMETERS = 3
A_FILE = 10


def write(folder: Path, count: int) -> Path:
    """Write tools in ToolBench's layout, ten endpoints a file."""
    texts = descriptions(count, seed=0).texts
    for start in range(0, count, A_FILE):
        apis = [
            {
                "name": " ".join(text.split()[:4]),
                "description": text,
                "method": "GET",
                "required_parameters": [
                    {"name": word.strip(".,").lower(), "type": "STRING", "description": f"The {word}."}
                    for word in text.split()[4 : 4 + PARAMETERS]
                ],
                "optional_parameters": [],
            }
            for text in texts[start : start + A_FILE]
        ]
        tool = {"tool_name": f"tool {start}", "tool_description": "A generated tool.", "api_list": apis}
        file = folder / f"{start % 49}" / f"tool_{start}.json"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(tool), encoding="utf-8")
    return folder


def script(request: Request) -> Reply:
    """Sort by the hash of a tool: nine of ten external, both stages alike but for one of eight."""
    text = request.conversation.rpartition("The tool:\n\n")[2]
    number = sum(text.encode())
    outside = number % 10 > 0
    if request.model == "auditor" and number % 8 == 0:
        outside = not outside
    says = {one.value: "yes" if outside and one is Dimension.TEMPORALITY else "no" for one in Dimension}
    return Say(json.dumps({**says, "why": "so it is", "scenario": json.loads(text)["description"]}))


def collect(published: Path, out: Path) -> None:
    """Everything that needs no model; half of the tools have opinions that agree, as many as in the paper."""
    began = time.perf_counter()
    made = collection.collect([published], out, 0.8, lambda _: None)
    unified = time.perf_counter() - began
    for stage in (collection.SCREENED, collection.REVIEWED):
        with (out / stage).open("w", encoding="utf-8") as lines:
            for number, one in enumerate(collection.collected(out)):
                says = dict.fromkeys(Dimension, "no" if number % 2 else "unsure")
                opinion = collection.Opinion.model_validate(
                    {"id": one.id, "model": "m", "prompt": "p", "says": says, "scenario": one.description}
                )
                lines.write(f"{opinion.model_dump_json()}\n")
    began = time.perf_counter()
    pooled = collection.pool(out)
    collection.write_nearest(out, 10, None)
    near = time.perf_counter() - began
    # Kibibytes on Linux.
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    print(json.dumps([unified, near, cpu_seconds(), peak, made.kept, made.exact, made.near, pooled]))


def sorting(published: Path, out: Path) -> tuple[float, float, int]:
    """Milliseconds of CPU a call, GiB at the peak, and calls, of the whole command on a scripted model."""
    calls = 0

    def counted(request: Request) -> Reply:
        nonlocal calls
        calls += 1
        return script(request)

    with ScriptedEndpoint(counted, keep_requests=False) as endpoint:
        roles = [f"--role={role}=openai-api/bench/{role}" for role in ("annotator", "auditor")]
        words = ["-m", "knowact", "tools", "collect", str(published), "--out", str(out), "--yes", *roles]
        subprocess.run(
            [sys.executable, *words],
            check=True,
            stdout=subprocess.DEVNULL,
            env={**os.environ, "BENCH_API_KEY": "x", "BENCH_BASE_URL": endpoint.base_url},
        )
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1_000 * (used.ru_utime + used.ru_stime) / calls, used.ru_maxrss / 2**20, calls


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--tools", type=int, default=65_770)
    parser.add_argument("--asked", type=int, default=2_000)
    parser.add_argument("--collect", nargs=2, type=Path, metavar=("FROM", "TO"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.collect:
        collect(*options.collect)
        return
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        some = write(folder / "some", options.asked)
        a_call, asking_peak, calls = sorting(some, folder / "sorted")
        every = write(folder / "every", options.tools)
        command = [sys.executable, __file__, "--collect", str(every), str(folder / "out")]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
    unified, near, cpu, peak, kept, exact, repeated, pooled = json.loads(done.stdout)
    lines = [
        Line("read, unified, without duplicates", [unified], "s"),
        Line("pool and affinity", [near], "s"),
        Line("both, CPU", [cpu], "s", 120.0),
        Line("peak memory", [peak], "GiB", 1.5),
        Line("a call, scripted model, CPU", [a_call], "ms", 20.0),
        Line("peak memory while asking", [asking_peak], "GiB"),
    ]
    note = (
        f"{options.tools:,} tools: {exact:,} exact and {repeated:,} near duplicates, {kept:,} kept, "
        f"{pooled:,} with their nearest. {calls:,} calls for {options.asked:,} tools."
    )
    finish(lines, note)


if __name__ == "__main__":
    main()
