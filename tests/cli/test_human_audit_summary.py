"""`knowact human audit --summary`: shares, agreement, and what to look at again."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from knowact import suites
from knowact.core.suite import Audit, AuditQuestion
from knowact.core.task import Task
from knowact.datasets import audit_file
from knowact.datasets.own import load_own
from running import Ran

from .audits import file_of


def truth() -> dict[str, AuditQuestion]:
    audit = suites.find("kapro").audit
    assert isinstance(audit, Audit)
    return {question.id: question for question in audit.questions}


def fill(folder: Path, data: Path, name: str, wrong: Sequence[tuple[str, str, str | None]] = ()) -> None:
    """Write an annotator's whole file, right but for (task, question, answer) in `wrong`."""
    loaded = load_own(data)
    changed = {(item, question): answer for item, question, answer in wrong}
    head = audit_file.Head(
        suite="kapro",
        data=audit_file.label(loaded.info),
        sha256=loaded.info.sha256,
        annotator=name,
        n=141,
        seed=0,
        questions=tuple(truth()),
    )
    rows: list[dict[str, Any]] = [head.model_dump()]
    for task in loaded.rows:
        rows += [_row(task, question, changed) for question in truth().values()]
    file = audit_file.file_of(folder, name)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def _row(task: Task, question: AuditQuestion, changed: dict[tuple[str, str], str | None]) -> dict[str, Any]:
    answer = changed.get((task.id, question.id), question.label(task))
    return {"kind": "answer", "item": task.id, "question": question.id, "answer": answer}


def cells(done: Ran, *heads: str) -> list[str]:
    return _cells(done.out, heads)


def agreed(done: Ran, question: str) -> list[str]:
    return _cells(done.out.split("\nAgreement\n")[1], (question,))


def _cells(text: str, heads: Sequence[str]) -> list[str]:
    (found,) = [line for line in text.splitlines() if line.split()[: len(heads)] == list(heads)]
    return found.split()[len(heads) :]


class TestSummary:
    def test_majority_shares_kappa_ties_and_what_is_missing(
        self, summary: Callable[..., Ran], data: Path, tmp_path: Path
    ) -> None:
        folder = tmp_path / "out" / "kapro"
        fill(folder, data, "ann", [("external-single-1", "boundary", "hybrid")])
        fill(
            folder,
            data,
            "bob",
            [("external-single-1", "boundary", "hybrid"), ("internal-single-2", "text", "no")],
        )
        fill(folder, data, "cy", [("internal-single-2", "text", None), ("external-multi-1", "plan", "no")])
        done = summary()
        assert done.code == 0, done.said
        assert cells(done, "cy") == ["23", "1", "0"]
        assert cells(done, "boundary", "and", "logic", "type", "all")[0] == "83.3"
        assert cells(done, "boundary", "and", "logic", "type", "external") == ["75.0", "[30.1,", "95.4]", "4"]
        assert cells(done, "the", "text", "internal")[0] == "50.0", "a tie does not confirm"
        assert cells(done, "plan", "and", "order", "all")[0] == "100.0"
        assert cells(done, "all", "facets", "all")[0] == "66.7"
        assert cells(done, "boundary", "external", "hybrid") == ["1"]
        assert cells(done, "boundary", "external", "external") == ["3"]
        assert cells(done, "text", "yes", "(none)") == ["1"]
        assert "Fleiss' kappa" in done.out
        # One of six tasks has two of three answers alike, so two of its three pairs differ.
        assert agreed(done, "boundary")[0] == "0.89"
        assert agreed(done, "topology")[0] == "1.00"
        doubts = done.out.split("Review these tasks:\n")[1].splitlines()
        assert doubts == [
            (
                "  external-single-1, kind: rejected; labelled: external, single_hop; majority: "
                "hybrid, single_hop (ann: hybrid, single_hop; bob: hybrid, single_hop; cy: external, "
                "single_hop)"
            ),
            "  internal-single-2, text: tie; labelled: yes; majority: (none) (ann: yes; bob: no; cy: -)",
        ]

    def test_two_annotators_have_cohens_kappa_and_one_has_none(
        self, summary: Callable[..., Ran], data: Path, tmp_path: Path
    ) -> None:
        folder = tmp_path / "out" / "kapro"
        fill(folder, data, "ann")
        done = summary()
        assert "Agreement needs at least two annotators." in done.out
        assert "Annotators confirmed every task that they answered." in done.out
        fill(folder, data, "bob")
        done = summary()
        assert "Cohen's kappa" in done.out
        assert agreed(done, "text")[-2:] == ["-", "6"], "chance explains that all said yes"

    def test_what_is_not_finished_is_counted_and_exit_code_1(
        self, audit: Callable[..., Ran], summary: Callable[..., Ran], tmp_path: Path
    ) -> None:
        audit(["1", "s"])
        with file_of(tmp_path).open("a", encoding="utf-8") as file:
            file.write('{"kind"')
        before = file_of(tmp_path).read_bytes()
        done = summary()
        assert done.code == 1
        assert cells(done, "ann") == ["1", "1", "22"]
        assert "is cut off and was ignored" in done.out
        assert file_of(tmp_path).read_bytes() == before, "a summary writes nothing"

    def test_nobody_yet_says_how_to_begin(self, summary: Callable[..., Ran]) -> None:
        done = summary()
        assert done.code == 2
        assert "Begin with: knowact human audit kapro --annotator NAME" in done.err

    def test_answers_to_two_samples_in_one_folder_are_refused(
        self, summary: Callable[..., Ran], data: Path, tmp_path: Path
    ) -> None:
        folder = tmp_path / "out" / "kapro"
        fill(folder, data, "ann")
        fill(folder, data, "bob")
        bob = audit_file.file_of(folder, "bob")
        bob.write_text(bob.read_text(encoding="utf-8").replace('"seed": 0', '"seed": 3'), encoding="utf-8")
        done = summary()
        assert done.code == 2
        assert "by-bob.jsonl: these answers are for --n 141 --seed 3" in done.err
        assert "keep each audit in its own --out" in done.err

    def test_a_copy_of_somebodys_answers_is_refused_and_does_not_take_their_place(
        self, summary: Callable[..., Ran], data: Path, tmp_path: Path
    ) -> None:
        folder = tmp_path / "out" / "kapro"
        fill(folder, data, "ann")
        (folder / "by-old.jsonl").write_bytes(audit_file.file_of(folder, "ann").read_bytes())
        done = summary()
        assert done.code == 2
        assert "by-old.jsonl: these are answers of 'ann', and so are those in" in done.err
