"""The verdicts in logs, by reader, with those of people: for reports and `human audit --verdicts`."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import click

from knowact import suites
from knowact.core.errors import BadData, BadUsage, Place
from knowact.core.role_model import BUILT_IN
from knowact.core.table import Run, Table
from knowact.core.verdict import Verdict
from knowact.datasets.audit_file import SUFFIX, Answers, read
from knowact.probes.suite import Suite
from knowact.roles.audit import AuditAnswer

FORMAT: Final = "knowact.verdicts/1"

Readers = dict[str, dict[str, Verdict]]
"""What each reader said, by the verdict's key."""


def readers_in(suite: Suite, runs: Iterable[Run], data: str = "") -> Readers:
    """What the models in roles said in the logs of some runs, in the order of the runs.

    Args:
        suite: The one that the runs are of.
        runs: With logs.
        data: Where the data are by now; empty if they are where they were.

    Raises:
        BadData: A log cannot be read, or its data are not what they were.
        BadUsage: The data cannot be found.
    """
    from knowact.engine.reader import find_logs
    from knowact.engine.rescoring import Request, verdicts

    readers: Readers = {}
    for run in runs:
        (log,) = find_logs([Path(run.logs[0])])
        request = Request(log, suite, data=data)
        for verdict in verdicts(request, request.planned()):
            if reader := _reader(run, verdict.role):
                readers.setdefault(reader, {}).setdefault(verdict.key, verdict)
    return readers


def _reader(run: Run, role: str) -> str:
    """Who played a role; a built-in agent declares what it says, and nobody reads any other one unasked."""
    from knowact.report.readers import DECLARED

    return " and ".join(run.roles.get(role, ())) or (DECLARED if run.model.startswith(BUILT_IN) else "")


def read_again(runs: Sequence[Run], judged: Iterable[str]) -> list[Run]:
    """The runs of which some trial is in another run, too, or was judged by a person.

    Args:
        runs: Of one suite.
        judged: The keys of verdicts that people gave.
    """
    from knowact.engine.reader import trials_at

    by_people = {key.split("/")[0] for key in judged}
    alike = Counter((run.model, run.dataset) for run in runs)
    some = [run for run in runs if run.logs and (by_people or alike[run.model, run.dataset] > 1)]
    held = {run.id: trials_at(Path(run.logs[0])) for run in some}
    often = Counter(trial for trials in held.values() for trial in trials)
    shared = {trial for trial, count in often.items() if count > 1} | by_people
    return [run for run in runs if held.get(run.id, frozenset[str]()) & shared]


def answers_at(path: Path) -> list[Answers]:
    """The files in which people judged verdicts: one of them, or all below a folder.

    Raises:
        BadData: There are none, or one holds answers of another kind.
    """
    files = sorted(path.rglob(f"by-*{SUFFIX}")) if path.is_dir() else [path]
    answers = [read(file) for file in files]
    if not answers:
        fix = "make some with: knowact human audit SUITE --verdicts LOGS --annotator NAME"
        raise BadData("there are no verdicts of people here", Place(path), fix)
    for each in answers:
        if each.head.format != FORMAT:
            problem = f"these answers are of the kind {each.head.format!r}, not {FORMAT!r}"
            raise BadData(problem, Place(each.file), "name answers of knowact human audit --verdicts")
    return answers


def given(answers: Answers) -> dict[str, str | None]:
    """What one annotator said, by the verdict's key; a later answer replaces an earlier one."""
    return {event.item: event.answer for event in answers.events if isinstance(event, AuditAnswer)}


def with_people(readers: Readers, people: Mapping[str, Mapping[str, str | None]]) -> Readers:
    """Put people behind the models: by annotator, what they said of verdicts that are known."""
    known = {key: verdict for rulings in readers.values() for key, verdict in rulings.items()}
    return readers | {
        f"{name} (person)": {
            key: replace(known[key], said=answer) for key, answer in rulings.items() if key in known
        }
        for name, rulings in people.items()
    }


def by_annotator(files: Iterable[Answers]) -> dict[str, dict[str, str | None]]:
    """What each annotator said, over several files."""
    people: dict[str, dict[str, str | None]] = {}
    for answers in files:
        people.setdefault(answers.head.annotator, {}).update(given(answers))
    return people


def agreement(runs: Sequence[Run], judged: Sequence[Answers]) -> Mapping[str, Sequence[Table]]:
    """The tables of agreement, by suite, for the runs whose words several readers or people have read.

    A log of which the data are gone says so on the standard error, and is in no table.
    """
    from knowact.report.reader_agreement import reader_tables

    more: dict[str, Sequence[Table]] = {}
    for name in dict.fromkeys(run.suite for run in runs):
        suite = suites.find(name)
        people = by_annotator(answers for answers in judged if answers.head.suite == name)
        own = [run for run in runs if run.suite == name]
        readers: Readers = {}
        for run in read_again(own, (key for verdicts in people.values() for key in verdicts)):
            try:
                readings = readers_in(suite, [run])
            except (BadData, BadUsage) as error:
                click.echo(f"No agreement of readers on {run.id}: {error}", err=True)
                continue
            for reader, verdicts in readings.items():
                readers[reader] = {**verdicts, **readers.get(reader, {})}
        every = with_people(readers, people)
        more[name] = reader_tables(every)
        if people:
            fit = sum(len(every[reader]) for reader in every.keys() - readers.keys())
            click.echo(f"Verdicts of people on {name}: {fit:,} of {sum(map(len, people.values())):,} fit.")
    return more
