"""How well annotations of other people's tools agree with what the tools really do.

    python benchmarks/annotating.py [--errors 0.1] [--votes 3]

The everyday world is served over MCP, added as if it were somebody else's, and its worked examples are
recorded, so that results are described. Then it is annotated twice: by hand (its own declarations, written
into annotations.yaml, and everyday_sides.yaml for the tools that are external by their arguments), and by a
scripted model over loopback HTTP that gets each claim of each vote wrong with a chance of `--errors`. Both
are compared with the declarations, claim by claim, and by the labels of the steps of the shipped KAPRO data.
Target: 95 % of the labels that an annotation by hand gives are the data's.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import yaml

from knowact.core.clean import dumps
from knowact.core.task import Boundary
from knowact.suites.kapro.items import load
from knowact.tools.agreement import agreement
from knowact.tools.annotation import (
    NONE,
    PROOFS,
    PROPOSED,
    Annotation,
    Annotations,
    annotated,
    declared,
    fields_of,
    read_annotations,
)
from knowact.tools.folder import ToolFolder
from knowact.tools.material import side_of, uses
from knowact.worlds.check import examples_of
from knowact.worlds.everyday.catalogue import TOOLS

sys.path.append(str(Path(__file__).parents[1] / "tests"))

from doubles.annotators import ScriptedAnnotator
from doubles.endpoint import ScriptedEndpoint

NAME, WORLD, DATA = "somebody-s", "everyday", "everyday@2-A"
SIDES = Path(__file__).with_name("everyday_sides.yaml")
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


def by_hand() -> dict[str, Annotation]:
    """The world's own declarations, and which calls are external where their arguments decide."""
    sides = Annotations.model_validate({"tools": yaml.safe_load(SIDES.read_text("utf-8"))["tools"]}).tools
    return {
        name: declared(tool).model_copy(
            update={part: getattr(sides[name], part) for part in ("external_if", "internal_if")}
            if name in sides
            else {}
        )
        for name, tool in DECLARED.items()
    }


def labels(folder: ToolFolder) -> Labels:
    """Hold the annotations' labels against those of the data's steps."""
    sides = {
        one.own.name: side_of(one.own, one.said) for one in annotated(folder) if "label" not in one.closed
    }
    right = given = steps = 0
    for task in load(DATA).tasks:
        for step in task.plan:
            steps += 1
            side = sides[step.tool](step.call_arguments).boundary if step.tool in sides else None
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
    print(f"  {sum(not one.why_not for one in uses(folder)):,} of them can make items.")
    print(f"  labels of steps: {found.right:,} of {found.given:,} right, {found.steps:,} steps in all.")
    return found


def by_model(folder: ToolFolder, root: Path, errors: float, votes: int) -> Mapping[str, float | None]:
    """Annotate by a scripted model; how often it agrees with the declarations."""
    played = ScriptedAnnotator({own.name: own for own in folder.tools}, DECLARED, by_hand(), errors)
    with ScriptedEndpoint(played.script, keep_requests=False) as endpoint:
        roles = [
            word for role in ("annotator", "auditor") for word in ("--role", f"{role}=openai-api/n/{role}")
        ]
        knowact(
            *(root, "tools", "annotate", NAME, "--votes", str(votes), "--yes", *roles),
            N_API_KEY="x",
            N_BASE_URL=endpoint.base_url,
        )
    people = Annotations(tools=by_hand())
    rates = agreement(folder, people, read_annotations(folder.path / PROPOSED))
    print(f"  {len(played.asked):,} questions.")
    return {what: rate.value for what, rate in rates.items()}


def write(folder: ToolFolder, said: Mapping[str, Annotation]) -> None:
    """Write annotations.yaml."""
    plain = {name: one.model_dump(mode="json", exclude_defaults=True) for name, one in said.items()}
    folder.annotations.write_text(yaml.safe_dump({"tools": plain}), encoding="utf-8")


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
        said = by_hand()
        write(folder, {name: Annotation(writes=one.writes) for name, one in said.items()})
        tell(folder, "By that model, where people say which tools write")
        for own in folder.tools:
            one = said[own.name]
            # Results learnt from calls that failed have the fields of an error, too.
            more = {field: (NONE,) for field in fields_of(own) if field not in one.reports}
            said[own.name] = one.model_copy(update={"reports": {**one.reports, **more}})
        write(folder, said)
        (folder.path / PROPOSED).unlink()
        found = tell(folder, "By hand")
    if not found.given or found.right / found.given < LEAST:
        sys.exit(f"Missed: {found.right:,} of {found.given:,} labels by hand are the data's.")


if __name__ == "__main__":
    main()
