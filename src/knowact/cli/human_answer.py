"""`knowact human answer SUITE`: people are asked what agents are asked, blindly, one item at a time."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from knowact import suites
from knowact.cli import terminal
from knowact.cli.groups import HELP
from knowact.core.errors import BadUsage

if TYPE_CHECKING:
    from collections.abc import Sequence

    from knowact.core.suite import Baseline, Plan, Suite
    from knowact.core.table import Run


@click.command("answer", context_settings=HELP)
@click.argument("suite_name", metavar="SUITE")
@click.option("--annotator", metavar="NAME", help="Who answers. The same name goes on where it stopped.")
@click.option("--summary", is_flag=True, help="Ask nothing; say what all annotators came to.")
@click.option("--n", type=click.IntRange(1), help="How many items; as many as the suite asks if not given.")
@click.option("--data", metavar="NAME|DIR", help="The data set; the suite's default if not given.")
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("answers"),
    show_default=True,
    help="Where answers are kept, in a folder per suite and a file per annotator.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Fixes the items and everybody's order.")
def answer(  # noqa: PLR0917 - click passes by name
    suite_name: str,
    annotator: str | None,
    summary: bool,
    n: int | None,
    data: str | None,
    out: Path,
    seed: int,
) -> int:
    """Answer what SUITE asks agents, or sum up what people answered.

    Everybody gets the same items in an order of their own. Every answer is on the disk before the next
    question comes; stop whenever you like (q), and give the same command to go on. `knowact report --humans`
    puts people beside models. Exit code 1 says that some items are left.
    """
    suite = suites.find(suite_name)
    if suite.baseline is None:
        raise BadUsage(f"The suite {suite.name!r} asks people nothing in an agent's place.")
    if summary == bool(annotator):
        raise BadUsage("Give either --annotator NAME, to answer, or --summary, to see what people came to.")
    from knowact.cli.items import plan_of

    terminal.prepare()
    plan, folder = plan_of(suite, data), out / suite.name
    if summary:
        return _summary(suite, suite.baseline, plan, folder)
    return _session(suite, suite.baseline, plan, annotator or "", folder, n or suite.baseline.sample, seed)


def _session(  # noqa: PLR0917 - one call site, above
    suite: "Suite", baseline: "Baseline", plan: "Plan", annotator: str, folder: Path, n: int, seed: int
) -> int:
    from knowact.cli.interview import Interview, filled
    from knowact.datasets.audit_file import AnswerFile, Head, label, normal
    from knowact.people.audit import Sheet
    from knowact.people.baseline import FORMAT, QUESTION, as_audit, in_order_of, named, sampled

    name = normal(annotator)
    head = Head(
        format=FORMAT,
        suite=suite.name,
        data=label(plan.dataset),
        sha256=plan.dataset.sha256,
        annotator=name,
        n=n,
        seed=seed,
        questions=(QUESTION,),
    )
    sample = named(sampled(plan.items, baseline.by, baseline.strata, n, seed))
    order = [item.task for item in in_order_of(name, sample, seed)]
    file, audit = AnswerFile.open(folder, head), as_audit(baseline)
    sheet = filled(Sheet(audit, order), file.answers)
    shown = replace(plan, items=sample)
    return Interview(audit, shown, sheet, file, "Human baseline", details=True).hold()


def _summary(suite: "Suite", baseline: "Baseline", plan: "Plan", folder: Path) -> int:
    from knowact.datasets.baselines import as_runs, read_baselines
    from knowact.report.as_text import table_text

    name = suite.name.replace("_", "-")
    if not folder.is_dir():
        raise BadUsage(
            f"Nobody has answered in {folder}; begin with: knowact human answer {name} --annotator NAME"
        )
    runs = as_runs(suite, plan, read_baselines(folder))
    click.echo(f"Answers of people to {suite.name}/{plan.dataset.name}@{plan.dataset.version}.\n")
    click.echo(table_text(baseline.table(runs)))
    for run in runs:
        click.echo(f"{run.model}: {run.scored:,} of {run.planned:,} items answered.")
    return 0 if all(run.scored == run.planned for run in runs) else 1


def people_at(path: Path, data: str | None) -> "Sequence[Run]":
    """The runs of people whose answers are in a file, or below a folder, whatever suites they belong to.

    Args:
        path: As `--humans` has it.
        data: Where the data are, for those that no suite ships.

    Raises:
        BadUsage: Nobody can say where the data are.
        BadData: A file cannot be used.
    """
    from knowact.cli.items import plan_of, shipped_names
    from knowact.datasets.baselines import as_runs, read_baselines

    groups: dict[tuple[str, str], list[int]] = {}
    found = read_baselines(path)
    for place, one in enumerate(found):
        groups.setdefault((one.head.suite, one.head.data), []).append(place)
    runs: list[Run] = []
    for (name, label), places in groups.items():
        suite = suites.find(name)
        if suite.baseline is None:
            raise BadUsage(f"The suite {suite.name!r} asks people nothing in an agent's place.")
        if label not in shipped_names(suite) and data is None:
            raise BadUsage(f"{path} holds answers about {label}; say where that is with --data DIR.")
        plan = plan_of(suite, label if label in shipped_names(suite) else data)
        runs += as_runs(suite, plan, [found[place] for place in places])
    return runs
