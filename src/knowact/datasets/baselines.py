"""People's answers as runs, so that the tables of a suite can put them beside those of models.

An item that somebody skipped, or has not come to, has no record: it is counted as not scored.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

from knowact.core.errors import BadData, Place
from knowact.core.suite import Item, Plan, Suite
from knowact.core.table import Run
from knowact.datasets.audit_file import SUFFIX, Answers, check_same, read
from knowact.people.audit import Answer
from knowact.people.baseline import ANNOTATOR, FORMAT, sampled


def read_baselines(path: Path) -> tuple[Answers, ...]:
    """Read one annotator's file, or those of all annotators below a folder, in the order of their names.

    Raises:
        BadData: There is nothing of the kind, or a file is damaged.
    """
    if not path.exists():
        raise BadData("there is no such file or folder", Place(path), "check the path")
    files = sorted(path.rglob(f"by-*{SUFFIX}")) if path.is_dir() else [path]
    found = tuple(one for one in map(read, files) if path.is_file() or one.head.format == FORMAT)
    for one in found:
        if one.head.format != FORMAT:
            what = f"these answers are of the kind {one.head.format!r}, not {FORMAT!r}"
            raise BadData(what, Place(one.file), "name answers that people gave in an agent's place")
    if not found:
        raise BadData(
            "nobody's answers are below this folder", Place(path), "name the folder that holds them"
        )
    return found


def as_runs(suite: Suite, plan: Plan, found: Sequence[Answers]) -> tuple[Run, ...]:
    """Turn files of answers into runs, one per annotator.

    Args:
        suite: Whose baseline it is.
        plan: All items of the data that were asked about.
        found: Files for that data.

    Raises:
        BadData: They are answers to other data, or to items or with words that there are not.
    """
    check_same(found, plan.dataset)
    return tuple(_run(suite, plan, one) for one in found)


def _run(suite: Suite, plan: Plan, answers: Answers) -> Run:
    assert suite.baseline is not None, "the caller has looked"
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
    """The last answer to each item; None where it was skipped."""
    said: dict[str, str | None] = {}
    for event, line in zip(answers.events, answers.lines, strict=True):
        fits = isinstance(event, Answer) and event.item in sample
        if not (fits and isinstance(event, Answer) and (event.answer is None or event.answer in choices)):
            what = "this is no answer to an item of the sample"
            raise BadData(what, line.place(), "restore the file, or remove the line")
        said[event.item] = event.answer
    return said
