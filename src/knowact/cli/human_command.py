"""`knowact human`: people vouch for a data set, blindly, one task at a time; or answer as agents do."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from knowact import suites
from knowact.cli import terminal
from knowact.cli.groups import HELP, Group
from knowact.cli.human_answer import answer
from knowact.core.errors import BadUsage

if TYPE_CHECKING:
    from knowact.core.suite import Audit, Plan, Suite
    from knowact.datasets.audit_file import Head
    from knowact.report.audit_tables import Audited


@click.group("human", cls=Group, context_settings=HELP)
def command() -> None:
    """People audit data (`human audit`), or are asked what agents are asked (`human answer`)."""


command.add_command(answer)


@command.command("audit", context_settings=HELP)
@click.argument("suite_name", metavar="SUITE")
@click.option("--annotator", metavar="NAME", help="Who answers. The same name goes on where it stopped.")
@click.option("--summary", is_flag=True, help="Ask nothing; say what all annotators found.")
@click.option(
    "--n", type=click.IntRange(1), help="How many tasks; as many as the suite's paper if not given."
)
@click.option("--data", metavar="NAME|DIR", help="The data set; the suite's default if not given.")
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("audit"),
    show_default=True,
    help="Where answers are kept, in a folder per suite and a file per annotator.",
)
@click.option(
    "--seed", type=int, default=0, show_default=True, help="Fixes the sample and everybody's order."
)
def audit(  # noqa: PLR0917 - click passes by name
    suite_name: str,
    annotator: str | None,
    summary: bool,
    n: int | None,
    data: str | None,
    out: Path,
    seed: int,
) -> int:
    """Audit the data of SUITE: answer questions about a sample of its tasks, or sum up the answers.

    Every answer is on the disk before the next question comes; stop whenever you like (q), and give the
    same command to go on. Exit code 0 says that every question was answered or skipped, 1 that some are
    left.
    """
    suite = suites.find(suite_name)
    if suite.audit is None:
        raise BadUsage(f"The suite {suite.name!r} asks people nothing about its data.")
    if summary == bool(annotator):
        raise BadUsage("Give either --annotator NAME, to answer, or --summary, to see what was found.")
    from knowact.cli.items import plan_of

    terminal.prepare()
    folder = out / suite.name
    plan = plan_of(suite, data)
    if summary:
        return _summary(suite.audit, suite.name, plan, folder)
    return _session(suite, plan, annotator or "", folder, n=n or suite.audit.sample, seed=seed)


def _session(suite: "Suite", plan: "Plan", annotator: str, folder: Path, *, n: int, seed: int) -> int:
    from knowact.cli.interview import Interview, filled
    from knowact.datasets.audit_file import AnswerFile, Head, label, normal
    from knowact.people.audit import Sheet, in_order_of, sampled

    assert suite.audit is not None
    name = normal(annotator)
    head = Head(
        suite=suite.name,
        data=label(plan.dataset),
        sha256=plan.dataset.sha256,
        annotator=name,
        n=n,
        seed=seed,
        questions=tuple(question.id for question in suite.audit.questions),
    )
    sample = sampled(plan.items, suite.audit.strata, n, seed)
    file = AnswerFile.open(folder, head)
    sheet = filled(Sheet(suite.audit, in_order_of(name, sample, seed)), file.answers)
    return Interview(suite.audit, plan, sheet, file).hold()


def _summary(audit: "Audit", suite: str, plan: "Plan", folder: Path) -> int:
    from knowact.cli.interview import filled
    from knowact.datasets.audit_file import check_same, read_all
    from knowact.people.audit import Sheet, in_order_of, sampled, tasks_of
    from knowact.report.audit_tables import Audited

    found = read_all(folder)
    if not found:
        name = suite.replace("_", "-")
        raise BadUsage(
            f"Nobody has answered in {folder}; begin with: knowact human audit {name} --annotator NAME"
        )
    check_same(found, plan.dataset)
    head = found[0].head
    sample = sampled(plan.items, audit.strata, head.n, head.seed)
    sheets = {
        one.head.annotator: filled(Sheet(audit, in_order_of(one.head.annotator, sample, head.seed)), one)
        for one in found
    }
    labels = {name: item.labels for name, item in tasks_of(plan.items).items()}
    given = {name: sheet.answers for name, sheet in sheets.items()}
    for one in found:
        if one.torn:
            click.echo(f"The last line of {one.file} is cut off and was left out.\n")
    _print(Audited(audit, sample, labels, given, head.seed), head)
    return 1 if any(sheet.left for sheet in sheets.values()) else 0


def _print(audited: "Audited", head: "Head") -> None:
    from knowact.core.clean import one_line
    from knowact.report.as_text import table_text
    from knowact.report.audit_tables import agreement, doubts, progress, shares

    click.echo(f"Audit of {head.suite}/{head.data}: {len(audited.sample)} tasks, seed {head.seed}.\n")
    tables = [progress(audited), shares(audited)]
    if len(audited.given) > 1:
        tables.append(agreement(audited))
    for table in tables:
        click.echo(table_text(table))
    if len(audited.given) == 1:
        click.echo("Agreement takes two annotators or more.\n")
    found = doubts(audited)
    click.echo("To look at again" if found else "Every task that was answered was found right.")
    for doubt in found:
        votes = "; ".join(f"{name}: {vote}" for name, vote in doubt.votes.items())
        click.echo(
            one_line(f"  {doubt.item}, {doubt.facet}, {'a tie' if doubt.tie else 'found wrong'} ({votes})")
        )
