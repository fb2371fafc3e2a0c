"""`knowact report`: logs in, page, JSON and CSV out."""

from collections.abc import Sequence
from pathlib import Path

import click

from knowact.core.table import Run


@click.command("report", context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=Path("report"),
    show_default=True,
    help="Where page, JSON and CSV are written.",
)
@click.option("--json", "json_file", type=click.Path(path_type=Path), help="Write the JSON alone, to FILE.")
@click.option(
    "--labels",
    "labels_file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Verdicts of people, a CSV file with the columns item, passed (yes, no, 1 or 0) and, where known, "
    "condition, epoch, model or run, annotator.",
)
@click.option(
    "--humans",
    type=click.Path(path_type=Path),
    metavar="FOLDER|FILE",
    help="Answers that people gave in an agent's place (knowact human answer), to stand beside the models'.",
)
@click.option("--data", metavar="DIR", help="Where the data are that they answered about, unless shipped.")
def command(  # noqa: PLR0917 - click passes by name
    paths: Sequence[Path],
    out: Path,
    json_file: Path | None,
    labels_file: Path | None,
    humans: Path | None,
    data: str | None,
) -> int:
    """Make the page, JSON and CSV of any number of logs.

    PATHS are logs or folders, read recursively; ./logs if none is given. The newest log of each run
    counts, and the superseded ones are named.
    """
    from knowact.cli.human_answer import people_at
    from knowact.cli.sources import make_report, runs_at
    from knowact.datasets.labels import attach, read_labels
    from knowact.report.write import write, write_json

    # First, because logs may take long to read.
    labels = read_labels(labels_file) if labels_file is not None else ()
    people = people_at(humans, data) if humans is not None else ()
    runs: Sequence[Run] = runs_at(paths or [Path("logs")])
    if labels:
        attached = attach(runs, labels)
        runs = attached.runs
        click.echo("\n".join(attached.notes))
    runs = [*runs, *people]
    report = make_report(runs)
    for run in runs:
        for log in run.superseded:
            click.echo(f"Superseded: {log}")
    if json_file is not None:
        write_json(report, json_file)
        click.echo(json_file)
    else:
        click.echo(write(report, out))
    return 0 if not any(run.unscored for run in report.runs) else 1
