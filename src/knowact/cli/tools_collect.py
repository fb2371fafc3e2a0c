"""`knowact tools collect`: published tool collections, unified and sorted into a pool for sampling."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from knowact.cli.forge_asking import announce, ask
from knowact.cli.options import HELP, PATH, connections_option, yes_option
from knowact.running.roles import ANNOTATOR, AUDITOR, assigned

if TYPE_CHECKING:
    from knowact.tools.collection import Opinions
    from knowact.tools.layouts import Collected

NEAREST: Final = 10
"""Neighbours that are written for each tool of the pool."""
LEAST: Final = 0.11
"""Below this likeness the search for near duplicates would miss too many."""


@dataclass(frozen=True, slots=True)
class _Stage:
    """One of the two stages.

    Attributes:
        role: Its role.
        model: Who plays it.
        file: Where its opinions are kept.
        prompt: The name of its prompt.
        due: The operations that it is asked about.
    """

    role: str
    model: str
    file: str
    prompt: str
    due: Callable[[], "Iterator[Collected]"]


@click.command("collect", context_settings=HELP)
@click.argument("paths", nargs=-1, required=True, type=PATH)
@click.option("--out", required=True, type=PATH, help="The folder of the collection.")
@click.option(
    "--near",
    type=click.FloatRange(LEAST, 1),
    default=0.8,
    show_default=True,
    help="The likeness from which on two tools count as duplicates.",
)
@click.option(
    "--role",
    multiple=True,
    metavar="annotator=MODEL|auditor=MODEL",
    help="The model that sorts the tools, and the one that audits it [default: the same].",
)
@click.option("--embed", metavar="MODEL", help="Affinity by a sentence encoder [default: by words, TF-IDF].")
@connections_option
@yes_option
def command(  # noqa: PLR0917 - one parameter per option
    paths: tuple[Path, ...],
    out: Path,
    near: float,
    role: tuple[str, ...],
    embed: str | None,
    max_connections: int,
    yes: bool,
) -> int:
    """Bring the tools in PATHS to one schema, drop duplicates, and sort them by what a model can do alone.

    PATHS are files or folders: JSON Lines or parquet (Toucan's rows), ToolBench's tool files or queries,
    tau-bench's Python files (parsed, never run). Sorting takes --role annotator=MODEL: a screening of all
    tools, then an independent review of those that it took a side on; only what both agree on comes into the
    pool.

    Interrupt it at any time; the same command resumes.
    """
    from knowact.tools import collection

    roles = assigned(role, (ANNOTATOR, AUDITOR))
    made = collection.collect(paths, out, near, _reading)
    click.echo(
        f"{out / collection.TOOLS}: {made.kept:,} tools of {made.read:,} "
        f"({made.exact:,} exact and {made.near:,} near duplicates; {made.unusable:,} rows without a tool)."
    )
    if ANNOTATOR not in roles:
        click.echo("Add --role annotator=MODEL to sort them.")
        return 0
    first = _Stage(
        ANNOTATOR, roles[ANNOTATOR], collection.SCREENED, "screen", lambda: collection.collected(out)
    )
    screened, lost = _asked(out, first, max_connections, yes=yes)
    if lost:
        return _again(lost)
    sides = screened.labels
    second = _Stage(
        AUDITOR,
        roles.get(AUDITOR, roles[ANNOTATOR]),
        collection.REVIEWED,
        "review",
        lambda: (tool for tool in collection.collected(out) if sides[tool.id] != "unknown"),
    )
    reviewed, lost = _asked(out, second, max_connections, yes=yes)
    if lost:
        return _again(lost)
    return _finish(out, screened, reviewed, embed, one_model=first.model == second.model)


def _reading(read: int) -> None:
    click.echo(f"\r{read:,} tools read", nl=False, err=True)


def _again(lost: int) -> int:
    click.echo(f"{lost:,} tools have no verdict. Run the same command to resume.", err=True)
    return 1


def _asked(out: Path, stage: _Stage, connections: int, *, yes: bool) -> "tuple[Opinions, int]":
    """Have a stage done, as far as it is not; how many tools are left."""
    from knowact.core.prompts import load_prompt
    from knowact.engine.annotating import to_sort
    from knowact.tools.collection import Opinions, shown

    prompt = load_prompt("knowact.tools", stage.prompt)
    opinions = Opinions(out / stage.file, stage.model, prompt.sha256)
    sizes = [len(shown(tool)) + len(prompt.text) for tool in stage.due() if tool.id not in opinions.labels]
    if not sizes:
        return opinions, 0
    announce(stage.role, stage.model, len(sizes), sum(sizes), yes=yes)
    done = set(opinions.labels)
    due = (tool for tool in stage.due() if tool.id not in done)
    questions = to_sort(due, prompt, stage.model, scenario=stage.prompt == "review")
    return opinions, len(sizes) - ask(stage.model, questions, opinions.keep, connections).answered


def _finish(out: Path, first: "Opinions", second: "Opinions", embed: str | None, *, one_model: bool) -> int:
    """Write the pool, the affinities, and the report."""
    from knowact.datasets.lines import parse, read_object
    from knowact.tools import collection, counts

    collection.pool(out)
    nearest = collection.write_nearest(out, NEAREST, embed)
    collection.write_sample(out)
    made = parse(collection.Collection, read_object(out / collection.COLLECTED))
    counted_pool = counts.counted(
        made,
        first.labels,
        second.labels,
        people=collection.checked(out),
        one_model=one_model,
        nearest=nearest,
    )
    text = counts.as_text(counted_pool)
    collection.write_report(out, counts.as_json(counted_pool), text)
    click.echo(text)
    click.echo(out / "report.md")
    return 0
