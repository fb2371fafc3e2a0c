"""How well annotations of other people's tools agree with what the tools really do.

    python benchmarks/annotating.py [--errors 0.1] [--votes 3]

The everyday world is served over MCP, added as if it were somebody else's, and its worked examples are
recorded, so that results are described. Then it is annotated twice: by hand (its own declarations, written
into annotations.yaml), and by a scripted model over loopback HTTP that gets each claim of each vote wrong
with a chance of `--errors`. Both are compared with the declarations, claim by claim, and by the labels of the
steps of the shipped KAPRO data. Target: 95 % of the labels that an annotation by hand gives are the data's.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from knowact.core.clean import dumps
from knowact.core.task import Boundary
from knowact.suites.kapro.items import load
from knowact.testing.annotators import ScriptedAnnotator
from knowact.testing.endpoint import ScriptedEndpoint
from knowact.tools.annotation import (
    NONE,
    PROOFS,
    PROPOSED,
    Annotations,
    annotated,
    declared,
    fields_of,
    read_annotations,
)
from knowact.tools.claims import agreement
from knowact.tools.folder import ToolFolder
from knowact.worlds.check import examples_of
from knowact.worlds.everyday.catalogue import TOOLS

NAME, WORLD, DATA = "somebody-s", "everyday", "everyday@2-A"
DECLARED = {tool.name: tool for tool in TOOLS}
LEAST = 0.95


@dataclass(frozen=True, slots=True)
class Labels:
    """The labels that annotations give to the steps of the data.

    Attributes:
        right: Those that are the data's.
        given: All of them.
        steps: The steps, with and without a label.
    """

    right: int
    given: int
    steps: int


def knowact(folder: Path, *words: str, **environment: str) -> None:
    """Run a command there."""
    done = subprocess.run(
        [sys.executable, "-m", "knowact", *words],
        check=False,
        cwd=folder,
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
    )
    if done.returncode:
        sys.exit(f"knowact {' '.join(words[:3])} failed: {done.stdout[-1_000:]}{done.stderr[-1_000:]}")


def added(folder: Path) -> ToolFolder:
    """Serve the world over MCP, add its tools, and record its worked examples."""
    serve = f"{sys.executable} -m knowact serve {WORLD}"
    knowact(folder, "tools", "add", NAME, "--mcp", serve, "--env", "PYTHONPATH")
    calls = folder / "calls.jsonl"
    reading = {tool.name for tool in TOOLS if tool.capability is not None and not tool.capability.changes}
    examples = [one for one in examples_of(f"knowact.worlds.{WORLD}") if one.tool in reading]
    lines = [dumps({"tool": one.tool, "arguments": one.arguments}) for one in examples]
    calls.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    reads = [word for name in sorted(reading) for word in ("--reads", name)]
    knowact(folder, "tools", "record", NAME, "--calls", str(calls), *reads, "--yes")
    return ToolFolder.load(folder / "knowact-tools" / NAME)


def labels(folder: ToolFolder) -> Labels:
    """Hold the annotations' labels against those of the data's steps."""
    rubrics = {one.own.name: one.tool.rubric for one in annotated(folder)}
    sides = {"always": Boundary.EXTERNAL, "never": Boundary.INTERNAL}
    right = given = steps = 0
    for task in load(DATA).tasks:
        for step in task.plan:
            steps += 1
            rubric = rubrics.get(step.tool)
            side = sides.get(rubric.when) if rubric is not None else None
            # What the request itself says needs no tool, whatever the tool is.
            side = Boundary.INTERNAL if side and step.told else side
            given += side is not None
            right += side is step.boundary
    return Labels(right, given, steps)


def tell(folder: ToolFolder, how: str) -> Labels:
    """Print what annotations open, and how their labels agree."""
    tools = annotated(folder)
    open_to = ", ".join(
        f"{what} {sum(proof not in one.closed for one in tools)}" for proof, what in PROOFS.items()
    )
    found = labels(folder)
    print(f"{how}: of {len(tools)} tools are open to proof: {open_to}.")
    print(f"  labels of steps: {found.right:,} of {found.given:,} right, {found.steps:,} steps in all.")
    return found


def by_model(folder: ToolFolder, root: Path, errors: float, votes: int) -> Mapping[str, float | None]:
    """Annotate by a scripted model; how often it agrees with the declarations."""
    played = ScriptedAnnotator({own.name: own for own in folder.tools}, DECLARED, errors)
    with ScriptedEndpoint(played.script, keep_requests=False) as endpoint:
        roles = [
            word for role in ("annotator", "auditor") for word in ("--role", f"{role}=openai-api/n/{role}")
        ]
        knowact(
            *(root, "tools", "annotate", NAME, "--votes", str(votes), "--yes", *roles),
            N_API_KEY="x",
            N_BASE_URL=endpoint.base_url,
        )
    people = Annotations(tools={name: declared(tool) for name, tool in DECLARED.items()})
    rates = agreement(folder, people, read_annotations(folder.path / PROPOSED))
    print(f"  {len(played.asked):,} questions.")
    return {what: rate.value for what, rate in rates.items()}


def main() -> None:
    """Measure both."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--errors", type=float, default=0.1)
    parser.add_argument("--votes", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        root = Path(temporary)
        folder = added(root)
        rates = by_model(folder, root, options.errors, options.votes)
        tell(folder, f"By a model that errs in {options.errors:.0%} of claims")
        for what, rate in rates.items():
            print(f"  {what:<12}  {'not measured' if rate is None else f'{rate:.1%}'}")
        said: dict[str, Any] = {}
        for own in folder.tools:
            one = declared(DECLARED[own.name])
            # Results learnt from calls that failed have the fields of an error, too.
            more = {field: (NONE,) for field in fields_of(own) if field not in one.reports}
            one = one.model_copy(update={"reports": {**one.reports, **more}})
            said[own.name] = one.model_dump(mode="json", exclude_none=True, exclude={"open"})
        folder.annotations.write_text(yaml.safe_dump({"tools": said}), encoding="utf-8")
        (folder.path / PROPOSED).unlink()
        found = tell(folder, "By hand")
    if not found.given or found.right / found.given < LEAST:
        sys.exit(f"Missed: {found.right:,} of {found.given:,} labels by hand are the data's.")


if __name__ == "__main__":
    main()
