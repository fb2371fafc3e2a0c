"""`knowact human audit` and `knowact human answer`: people check data, or answer what agents are asked."""

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import click

from knowact import suites
from knowact.cli import terminal
from knowact.cli.for_suites import ForSuites, SuiteOption, judged, one_question
from knowact.cli.interview import Interview, filled
from knowact.cli.options import HELP, PATH, F, Group, folder_option, seed_option
from knowact.cli.verdicts import FORMAT, Readers, by_annotator, readers_in, with_people
from knowact.core.clean import one_line
from knowact.core.errors import BadUsage
from knowact.core.rounding import count
from knowact.core.suite import Audit, Baseline, Item, Plan
from knowact.core.table import DatasetInfo, Run
from knowact.core.task import Task
from knowact.core.verdict import Verdict
from knowact.datasets.audit_file import AnswerFile, Head, check_same, label, normal, read_all
from knowact.datasets.baselines import as_runs, read_baselines
from knowact.datasets.own import data_folder
from knowact.probes.suite import Suite
from knowact.report.as_text import table_text
from knowact.report.audit_tables import Audited, agreement, doubts, majorities, progress, shares
from knowact.roles import audit as audits
from knowact.roles import baseline as baselines
from knowact.roles.audit import Sheet, general_audit
from knowact.roles.baseline import PERSON, SAMPLE
from knowact.roles.tool_audit import TOOL_AUDIT, shown_of, tool_item
from knowact.roles.verdict_audit import SAMPLE as SAMPLE_OF_VERDICTS
from knowact.roles.verdict_audit import drawn, verdict_audit, verdict_item
from knowact.running.sources import plan_of, runs_at, shipped_names, typed
from knowact.worlds.registry import open_world


@click.group("human", cls=Group, context_settings=HELP)
def command() -> None:
    """Ask people: `human audit` has them check data, `human answer` has them answer agents' questions."""


def _options(out: str, things: str, size: str) -> Callable[[F], F]:
    """The argument and options of both commands.

    Args:
        out: The default folder.
        things: What is sampled.
        size: Whose sample size is the default.
    """
    decorators: tuple[Callable[[F], F], ...] = (
        click.argument("suite_name", metavar="SUITE"),
        click.option("--annotator", metavar="NAME", help="Your name. Use the same name to resume."),
        click.option("--summary", is_flag=True, help="Ask no questions; show the results of all annotators."),
        click.option("--n", type=click.IntRange(1), help=f"How many {things} [default: {size}]."),
        click.option("--data", metavar="NAME|DIR", help="The data set [default: the suite's own]."),
        folder_option("--out", out, "Where to keep answers: a folder per suite, a file per annotator."),
        seed_option(f"Fixes the sample of {things}, and each annotator's order."),
    )

    def add(function: F) -> F:
        for decorator in reversed(decorators):
            function = decorator(function)
        return function

    return add


@command.command("audit", context_settings=HELP)
@_options("audit", "tasks", "as many as in the suite's paper")
@click.option(
    "--tools", is_flag=True, help="Audit the world's tools in place of the tasks, if they are labelled."
)
@click.option(
    "--disputed", is_flag=True, help="Only tasks with a point that a vote of forge's judges denies."
)
@click.option(
    "--verdicts",
    "logs",
    type=PATH,
    cls=SuiteOption,
    fits=judged,
    metavar="LOGS",
    help="Audit the judge's verdicts in these logs, in place of the tasks.",
)
@click.option("--kind", default="", help="With --verdicts: which kind of verdict [default: the suite's own].")
def audit(  # noqa: PLR0917 - click passes by name
    suite_name: str,
    annotator: str | None,
    summary: bool,
    n: int | None,
    data: str | None,
    out: Path,
    seed: int,
    tools: bool,
    disputed: bool,
    logs: Path | None,
    kind: str,
) -> int:
    """Audit the data of SUITE: answer questions about a sample of its tasks, or sum up all answers.

    With --verdicts, you check a judge: you see what the judge saw, but not its verdict.

    Each answer is saved before the next question. Quit at any time (q); the same command resumes. Exit
    code 0: every question is answered or skipped. Exit code 1: some are left.
    """
    suite = suites.find(suite_name)
    if tools and disputed:
        raise BadUsage("Judges vote on tasks, not on tools. Give either --tools or --disputed.")
    if logs is not None and (tools or disputed):
        raise BadUsage("--verdicts asks about logs, not about data: leave out --tools and --disputed.")
    if kind and logs is None:
        raise BadUsage("--kind names a kind of verdict: give the logs with --verdicts.")
    _check(annotator, summary)
    if logs is not None:
        return _verdicts(suite, logs, kind, annotator, n, data, out, seed)
    plan, part = plan_of(suite, data), ""
    if tools:
        plan, part = _tools_of(suite, plan), "-tools"
    elif disputed:
        plan, part = _disputed_of(suite, plan, data), "-disputed"
    if suite.audit is None and not tools:
        plan = replace(plan, items=baselines.named(plan.items))
    asked = TOOL_AUDIT if tools else suite.audit or general_audit(plan.items)
    folder = out / f"{suite.name}{part}"
    if summary:
        return _audit_summary(asked, typed(suite.name) + part.replace("-", " --"), plan, folder)
    size = n or asked.sample
    sample = audits.sampled(plan.items, asked.strata, size, seed)
    head = _head(suite, plan, annotator, tuple(question.id for question in asked.questions), size, seed)
    return _sitting(suite, asked, plan, folder, head, sample)


def _sitting(  # noqa: PLR0917 - two call sites
    suite: Suite, asked: Audit, plan: Plan, folder: Path, head: Head, sample: Sequence[Task]
) -> int:
    """Ask one annotator about a sample of a plan's items."""
    file = AnswerFile.open(folder, head)
    sheet = filled(Sheet(asked, audits.in_order_of(head.annotator, sample, head.seed)), file.answers)
    return Interview(asked, plan, sheet, file, sections=suite.sections).hold()


def _verdicts(  # noqa: PLR0917 - one call site, above
    suite: Suite,
    logs: Path,
    kind: str,
    annotator: str | None,
    n: int | None,
    data: str | None,
    out: Path,
    seed: int,
) -> int:
    """Have people judge what a judge judged, or compare them with it; without an annotator the latter."""
    runs = [run for run in runs_at([logs]) if run.suite == suite.name]
    judges = {
        name: {key: verdict for key, verdict in verdicts.items() if verdict.role == "judge"}
        for name, verdicts in readers_in(suite, runs, data or "").items()
    }
    usual: Mapping[str, int] = suite.audit.verdicts if suite.audit else {}
    chosen = _kind(judges, kind, usual, logs)
    judges = {name: _of_kind(verdicts, chosen) for name, verdicts in judges.items()}
    first = {key: verdict for verdicts in reversed(judges.values()) for key, verdict in verdicts.items()}
    size = n or usual.get(chosen, SAMPLE_OF_VERDICTS)
    about = DatasetInfo("verdicts", chosen, _digest(sorted(first)))
    plan = Plan(about, tuple(map(verdict_item, first.values())), (0, 0))
    folder = out / f"{suite.name}-verdicts" / re.sub(r"\W+", "-", chosen)
    if annotator is None:
        return _verdict_summary(suite, plan, folder, judges)
    head = _head(suite, plan, annotator, (chosen,), size, seed).model_copy(update={"format": FORMAT})
    return _sitting(suite, verdict_audit(first, size), plan, folder, head, drawn(plan.items, size, seed))


def _of_kind(verdicts: Mapping[str, Verdict], kind: str) -> dict[str, Verdict]:
    return {key: verdict for key, verdict in verdicts.items() if verdict.kind == kind}


def _kind(judges: Readers, given: str, usual: Iterable[str], logs: Path) -> str:
    """The kind of verdict that is asked about: the one given, else the suite's, else the only one.

    Raises:
        BadUsage: There is none, or not this one, or one must be chosen.
    """
    counts = Counter(verdict.kind for verdicts in judges.values() for verdict in verdicts.values())
    if not counts:
        raise BadUsage(f"No judge has judged anything in {logs}. Run the suite with --judge MODEL.")
    kinds = [given] if given else [*(name for name in usual if name in counts)] or [*counts]
    if len(kinds) > 1 or kinds[0] not in counts:
        there = ", ".join(f"{name} ({count:,})" for name, count in counts.most_common())
        raise BadUsage(f"Name one of these kinds of verdict with --kind: {there}.")
    return kinds[0]


def _verdict_summary(suite: Suite, plan: Plan, folder: Path, judges: Readers) -> int:
    """Print how people agree with each judge, and among each other."""
    from knowact.report.reader_agreement import reader_tables

    files = read_all(folder)
    if not files:
        raise _nobody(folder, "audit", f"{typed(suite.name)} --verdicts LOGS")
    check_same(files, plan.dataset)
    people = by_annotator(files)
    click.echo(f"Audit of what was judged in {suite.name}, {plan.dataset.version}.\n")
    for table in reader_tables(with_people(judges, people)):
        click.echo(table_text(table))
    left = [min(file.head.n, len(plan.items)) - len(people[file.head.annotator]) for file in files]
    for file, open_ in zip(files, left, strict=True):
        skipped = sum(answer is None for answer in people[file.head.annotator].values())
        done = len(people[file.head.annotator])
        click.echo(f"{file.head.annotator}: {done:,} done ({skipped:,} skipped), {open_:,} left.")
    click.echo(f"In a report: knowact report LOGS --labels {folder}")
    return 1 if any(left) else 0


def _tools_of(suite: Suite, plan: Plan) -> Plan:
    """The labelled tools of the worlds that a suite's tasks live in, an item each."""
    worlds = {item.task.world.name: item.task.world for item in reversed(plan.items)}
    tools = {
        tool.name: (tool, world)
        for world in worlds.values()
        for tool in open_world(world, plan.world_seed).tools()
        if tool.rubric is not None
    }
    if not tools:
        raise BadUsage(
            f"The tools of {suite.name}/{label(plan.dataset)} have no labels to audit. "
            "Leave out --tools to audit its tasks."
        )
    items = tuple(tool_item(tool, world) for tool, world in tools.values())
    name = "+".join(sorted({world.name for _, world in tools.values()}))
    return replace(
        plan, dataset=DatasetInfo(name, "tools", _digest(shown_of(item) for item in items)), items=items
    )


def _disputed_of(suite: Suite, plan: Plan, data: str | None) -> Plan:
    """The items of whose requests a judge's vote denies a point."""
    from knowact.forge.recipe import RATINGS, disputed_in

    folder = data_folder(data or str(suite.defaults()["data"]), suite.name, suite.datasets())
    briefs = disputed_in(folder)
    if briefs is None:
        raise BadUsage(f"There are no votes of judges in {folder / RATINGS}. Leave out --disputed.")
    items = tuple(item for item in plan.items if item.task.provenance.get("brief") in briefs)
    if not items:
        raise BadUsage(
            f"No judge denies a point of any task of {folder}. Leave out --disputed to audit all of them."
        )
    dataset = replace(
        plan.dataset,
        version=f"{plan.dataset.version}+disputed",
        sha256=_digest((plan.dataset.sha256, *sorted(item.id for item in items))),
    )
    return replace(plan, dataset=dataset, items=items)


def _digest(texts: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()


@command.command(
    "answer",
    cls=ForSuites,
    suites={"Suites with one question": one_question},
    context_settings={**HELP, "ignore_unknown_options": True},
)
@_options("answers", "items", "the suite's choice")
@click.argument("more", nargs=-1, type=click.UNPROCESSED)
def answer(  # noqa: PLR0917 - click passes by name
    suite_name: str,
    annotator: str | None,
    summary: bool,
    n: int | None,
    data: str | None,
    out: Path,
    seed: int,
    more: Sequence[str],
) -> int:
    """Answer the questions that SUITE asks agents, or sum up people's answers.

    Everybody gets the same items, in a different order. Each answer is saved before the next question.
    Quit at any time; the same command resumes. Exit code 1: some items are left.

    If a suite has one question for people, `knowact report --humans` shows their answers beside models'. In
    other suites you take the agent's place in an ordinary run, and may add its options (MORE: --judge M, and
    those of `knowact run SUITE`); `knowact report` shows it beside the runs of models.
    """
    suite = suites.find(suite_name)
    _check(annotator, summary)
    baseline = suite.baseline
    if baseline is None:
        return _in_an_agents_place(suite, annotator, data, n or SAMPLE, out, seed, more)
    if more:
        raise click.NoSuchOption(more[0])
    plan = plan_of(suite, data)
    if summary:
        return _answer_summary(suite, baseline, plan, out / suite.name)
    size = n or baseline.sample
    head = _head(suite, plan, annotator, (baselines.QUESTION,), size, seed)
    sample = baselines.named(baselines.sampled(plan.items, baseline.by, baseline.strata, size, seed))
    order = [item.task for item in baselines.in_order_of(head.annotator, sample, seed)]
    file = AnswerFile.open(out / suite.name, head.model_copy(update={"format": baselines.FORMAT}))
    asked = baselines.as_audit(baseline)
    sheet = filled(Sheet(asked, order), file.answers)
    return Interview(asked, replace(plan, items=sample), sheet, file, "Human baseline", details=True).hold()


def _in_an_agents_place(  # noqa: PLR0917 - one call site, named there
    suite: Suite,
    annotator: str | None,
    data: str | None,
    n: int,
    out: Path,
    seed: int,
    more: Sequence[str],
) -> int:
    """Have a person do tasks as an agent does them: a run whose model is that person."""
    from knowact.cli.run_command import run_suite, suite_command

    if annotator is None:
        return _runs_summary(suite, out / suite.name)
    # As part of a model's name, which the engine splits at commas and slashes.
    name = re.sub(r"[^\w.-]+", "-", normal(annotator))

    def draw(items: Sequence[Item]) -> tuple[tuple[Item, ...], str]:
        drawn = baselines.sampled(items, suite.compared_by, (), n, seed)
        return baselines.in_order_of(name, drawn, seed), f"{n} of distinct clusters"

    # Nobody does a task twice; --trials among the further options says otherwise.
    words = ["--model", f"{PERSON}{name}", "--trials", "1", "--seed", str(seed), "--log-dir", str(out), *more]
    context = suite_command(suite).make_context(
        "answer", [*words, *(["--data", data] if data is not None else [])]
    )
    return run_suite(suite, context.params, draw)


def _runs_summary(suite: Suite, folder: Path) -> int:
    """Print the first table that the runs of people fill."""
    from knowact.report.build import tables

    if not folder.is_dir():
        raise _nobody(folder, "answer", typed(suite.name))
    runs = runs_at([folder])
    made = tables(suite, runs)
    click.echo(table_text(next((table for table in made if table.rows), made[0])))
    for run in runs:
        click.echo(f"{run.model}: {run.scored:,} of {run.planned:,} tasks scored.")
    click.echo(f"Beside models: knowact report logs {folder}")
    return 0 if all(run.scored == run.planned for run in runs) else 1


def _baseline(suite: Suite) -> Baseline:
    if suite.baseline is None:
        raise BadUsage(f"The suite {suite.name!r} has no questions for people to answer.")
    return suite.baseline


def _check(annotator: str | None, summary: bool) -> None:
    if summary == bool(annotator):
        raise BadUsage("Give either --annotator NAME, to answer, or --summary, to see the results.")
    terminal.prepare()


def _head(  # noqa: PLR0917 - two call sites, above
    suite: Suite, plan: Plan, annotator: str | None, questions: tuple[str, ...], n: int, seed: int
) -> Head:
    return Head(
        suite=suite.name,
        data=label(plan.dataset),
        sha256=plan.dataset.sha256,
        annotator=normal(annotator or ""),
        n=n,
        seed=seed,
        questions=questions,
    )


def _nobody(folder: Path, kind: str, suite: str) -> BadUsage:
    return BadUsage(
        f"There are no answers in {folder}. Begin with: knowact human {kind} {suite} --annotator NAME"
    )


def _audit_summary(audit: Audit, suite: str, plan: Plan, folder: Path) -> int:
    files = read_all(folder)
    if not files:
        raise _nobody(folder, "audit", suite)
    check_same(files, plan.dataset)
    head = files[0].head
    sample: Sequence[Task] = audits.sampled(plan.items, audit.strata, head.n, head.seed)
    sheets = {
        file.head.annotator: filled(
            Sheet(audit, audits.in_order_of(file.head.annotator, sample, head.seed)), file
        )
        for file in files
    }
    labels = {name: item.labels for name, item in audits.tasks_of(plan.items).items()}
    given = {name: sheet.answers for name, sheet in sheets.items()}
    for file in files:
        if file.torn:
            click.echo(f"The last line of {file.file} is cut off and was ignored.\n")
    _print(Audited(audit, sample, labels, given, head.seed), head)
    return 1 if any(sheet.left for sheet in sheets.values()) else 0


def _print(audited: Audited, head: Head) -> None:
    thing = audited.audit.thing
    size = count(len(audited.sample), thing)
    click.echo(f"Audit of {head.suite}/{head.data}: {size}, seed {head.seed}.\n")
    tables = [progress(audited), shares(audited), majorities(audited)]
    if len(audited.given) > 1:
        tables.append(agreement(audited))
    for table in tables:
        click.echo(table_text(table))
    if len(audited.given) == 1:
        click.echo("Agreement needs at least two annotators.\n")
    doubted = doubts(audited)
    click.echo(
        f"Review these {thing}s:" if doubted else f"Annotators confirmed every {thing} that they answered."
    )
    for doubt in doubted:
        votes = "; ".join(f"{name}: {vote}" for name, vote in doubt.votes.items())
        outcome = "tie" if doubt.tie else "rejected"
        against = f"labelled: {doubt.label}; majority: {doubt.majority}"
        click.echo(one_line(f"  {doubt.item}, {doubt.facet}: {outcome}; {against} ({votes})"))


def _answer_summary(suite: Suite, baseline: Baseline, plan: Plan, folder: Path) -> int:
    if not folder.is_dir():
        raise _nobody(folder, "answer", typed(suite.name))
    runs = as_runs(suite, plan, read_baselines(folder))
    click.echo(f"Answers of people to {suite.name}/{label(plan.dataset)}.\n")
    click.echo(table_text(baseline.table(runs)))
    for run in runs:
        click.echo(f"{run.model}: {run.scored:,} of {run.planned:,} items answered.")
    return 0 if all(run.scored == run.planned for run in runs) else 1


def people_at(path: Path, data: str | None) -> Sequence[Run]:
    """The runs of people whose answers are in a file or below a folder, whatever their suites.

    Args:
        path: The value of `--humans`.
        data: The folder of data that no suite ships.

    Raises:
        BadUsage: The data of some answers are not shipped, and `data` is None.
        BadData: A file cannot be used.
    """
    groups: dict[tuple[str, str], list[int]] = {}
    answers = read_baselines(path)
    for place, each in enumerate(answers):
        groups.setdefault((each.head.suite, each.head.data), []).append(place)
    runs: list[Run] = []
    for (name, data_set), places in groups.items():
        suite = suites.find(name)
        _baseline(suite)
        shipped = data_set in shipped_names(suite)
        if not shipped and data is None:
            raise BadUsage(f"{path} holds answers about {data_set}. Name its folder with --data DIR.")
        plan = plan_of(suite, data_set if shipped else data)
        runs += as_runs(suite, plan, [answers[place] for place in places])
    return runs
