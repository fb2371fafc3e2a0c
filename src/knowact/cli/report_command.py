"""`knowact report`: from logs to page, JSON and CSV."""

from collections.abc import Sequence
from pathlib import Path

import click

from knowact.cli.for_suites import SuiteOption, one_question
from knowact.cli.options import FOLDER, HELP, PATH, folder_option
from knowact.core.table import Run
from knowact.datasets.audit_file import SUFFIX
from knowact.running.sources import make_report, runs_at


@click.command("report", context_settings=HELP)
@click.argument("paths", nargs=-1, type=PATH)
@folder_option("--out", "report", "Where to write page, JSON and CSV.")
@click.option("--json", "json_file", type=PATH, help="Write only the JSON, to FILE.")
@click.option(
    "--latex",
    type=FOLDER,
    metavar="DIR",
    help="Also write every table (LaTeX, Markdown, CSV) and every figure (SVG, PDF) to DIR, for a paper.",
)
@click.option(
    "--labels",
    "labels_file",
    type=PATH,
    metavar="FILE|FOLDER",
    help="People's labels. Of answers: a CSV file with the columns item and passed (yes, no, 1 or 0), and "
    "where known condition, epoch, model or run, annotator. Of a judge's verdicts: the folder or file of "
    "knowact human audit --verdicts.",
)
@click.option(
    "--humans",
    cls=SuiteOption,
    fits=one_question,
    type=PATH,
    metavar="FOLDER|FILE",
    help="People's answers to the agents' questions (knowact human answer), to show beside the models'.",
)
@click.option("--data", metavar="DIR", help="The data set that --humans belongs to, unless shipped.")
def command(  # noqa: PLR0917 - click passes by name
    paths: Sequence[Path],
    out: Path,
    json_file: Path | None,
    latex: Path | None,
    labels_file: Path | None,
    humans: Path | None,
    data: str | None,
) -> int:
    """Write a report of any number of logs: page, JSON and CSV.

    PATHS are logs, or folders that are searched recursively [default: ./logs]. Of several logs of one run
    the newest counts; the others are listed as superseded. Where several readers read the same replies
    (knowact rescore --judge), you see how far they agree.
    """
    from knowact.cli.human_command import people_at
    from knowact.cli.verdicts import agreement, answers_at
    from knowact.datasets.labels import attach, read_labels
    from knowact.report.papers import write_papers
    from knowact.report.pictures import INSTALL, can_draw
    from knowact.report.write import write, write_json

    # First, because reading logs can take long.
    verdicts = labels_file is not None and (labels_file.is_dir() or labels_file.suffix == SUFFIX)
    judged = answers_at(labels_file) if labels_file is not None and verdicts else []
    labels = read_labels(labels_file) if labels_file is not None and not verdicts else ()
    people = people_at(humans, data) if humans is not None else ()
    runs: Sequence[Run] = runs_at(paths or [Path("logs")])
    if labels:
        attached = attach(runs, labels)
        runs = attached.runs
        click.echo("\n".join(attached.notes))
    more = agreement(runs, judged)
    runs = [*runs, *people]
    report = make_report(runs, more)
    for run in runs:
        for log in run.superseded:
            click.echo(f"Superseded: {log}")
    if json_file is not None:
        write_json(report, json_file)
        click.echo(json_file)
    else:
        click.echo(write(report, out))
    if latex is not None:
        click.echo(write_papers(report, latex))
        if not can_draw():
            click.echo(f"Figures are left out: drawing them needs another package ({INSTALL}).", err=True)
    return 0 if not any(run.trials.unscored or run.trials.incomplete for run in report.runs) else 1
