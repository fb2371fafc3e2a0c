"""People's answers as runs, so that a suite's tables can show people beside models.

An item that somebody skipped or did not reach has no record and counts as not scored.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

from knowact.core.errors import BadData, Place
from knowact.core.suite import Item, Plan, Suite
from knowact.core.table import Run
from knowact.datasets.audit_file import SUFFIX, Answers, check_same, read
from knowact.roles.audit import AuditAnswer
from knowact.roles.baseline import ANNOTATOR, FORMAT, sampled


def read_baselines(path: Path) -> tuple[Answers, ...]:
    """Read one annotator's file, or those of all annotators below a folder, in order of name.

    Raises:
        BadData: There is no such file, or one is damaged.
    """
    if not path.exists():
        raise BadData("there is no such file or folder", Place(path), "check the path")
    files = sorted(path.rglob(f"by-*{SUFFIX}")) if path.is_dir() else [path]
    found = tuple(one for one in map(read, files) if path.is_file() or one.head.format == FORMAT)
    for one in found:
        if one.head.format != FORMAT:
            what = f"these answers are of the kind {one.head.format!r}, not {FORMAT!r}"
            raise BadData(what, Place(one.file), "name answers of: knowact human answer")
    if not found:
        raise BadData("there are no answers below this folder", Place(path), "name the folder of the answers")
    return found


def as_runs(suite: Suite, plan: Plan, found: Sequence[Answers]) -> tuple[Run, ...]:
    """Turn files of answers into runs, one per annotator.

    Args:
        suite: The suite of the baseline.
        plan: All items of the data.
        found: Files for that data.

    Raises:
        BadData: They are answers to other data, or to unknown items, or with unknown choices.
    """
    check_same(found, plan.dataset)
    return tuple(_run(suite, plan, one) for one in found)


def _run(suite: Suite, plan: Plan, answers: Answers) -> Run:
    assert suite.baseline is not None, "the caller checks"
    baseline, head = suite.baseline, answers.head
    sample = {item.id: item for item in sampled(plan.items, baseline.by, baseline.strata, head.n, head.seed)}
    said = _said(answers, sample, baseline.choices)
    return Run(
        id=f"{suite.name}-{head.data}-{ANNOTATOR}-{head.annotator}",
        suite=suite.name,
        dataset=plan.dataset,
        model=f"person: {head.annotator}",
        options={ANNOTATOR: head.annotator, "n": head.n, "seed": head.seed, "answers": str(answers.file)},
        logs=(),
        planned=len(sample),
        records=[baseline.record(sample[name], one) for name, one in said.items() if one is not None],
    )


def _said(answers: Answers, sample: Mapping[str, Item], choices: Mapping[str, str]) -> dict[str, str | None]:
    """The last answer to each item; None if skipped."""
    said: dict[str, str | None] = {}
    for event, line in zip(answers.events, answers.lines, strict=True):
        fits = isinstance(event, AuditAnswer) and event.item in sample
        if not (
            fits and isinstance(event, AuditAnswer) and (event.answer is None or event.answer in choices)
        ):
            what = "this does not answer an item of the sample"
            raise BadData(what, line.place(), "restore the file, or remove the line")
        said[event.item] = event.answer
    return said
