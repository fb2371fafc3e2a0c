"""`knowact human audit --verdicts`: people see what a judge was shown, and give a verdict of their own."""

import io
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from knowact.datasets.audit_file import read
from running import Ran, knowact, table_rows

VERDICTS = 6
"""Three dialogues and requests of each manipulation, and the built-in agent gives a reason for each no."""


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from knowact.cli.main import run

    folder = tmp_path_factory.mktemp("logs")
    words = ("run", "ict", "--model", "knowact/always-no", "--limit", str(VERDICTS), "--log-dir", str(folder))
    assert run([*words, "--yes"]) == 0
    return folder


@pytest.fixture
def audit(
    logs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Ran]:
    """Hold one sitting, with these lines typed."""

    def sit(typed: Sequence[str], *words: object, name: str = "ann") -> Ran:
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in typed)))
        given = ("--verdicts", logs, "--annotator", name, "--out", tmp_path / "out", *words)
        return knowact(capsys, "human", "audit", "ict", *given)

    return sit


@pytest.fixture
def summary(logs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    def run(*words: object) -> Ran:
        given = ("--verdicts", logs, "--summary", "--out", tmp_path / "out", *words)
        return knowact(capsys, "human", "audit", "ict", *given)

    return run


def answers(folder: Path, name: str = "ann") -> list[str | None]:
    file = folder / "out" / "ict-verdicts" / "why" / f"by-{name}.jsonl"
    assert read(file).head.format == "knowact.verdicts/1"
    return [json.loads(line)["answer"] for line in file.read_text("utf-8").splitlines()[1:]]


class TestASitting:
    def test_the_annotator_sees_what_the_judge_saw_and_not_its_verdict(
        self, audit: Callable[..., Ran]
    ) -> None:
        shown = audit(["q"]).out.split(f"Verdict 1 of {VERDICTS}")[1]
        assert "What is really missing" in shown
        assert "It cannot be done." in shown
        assert "\n  6  no reason" in shown
        assert "declared" not in shown
        assert "votes" not in shown

    def test_it_resumes_goes_back_and_skips(self, audit: Callable[..., Ran], tmp_path: Path) -> None:
        first = audit(["1", "b", "6", "s"])
        assert (first.code, answers(tmp_path)) == (1, ["right", "no_reason", None])
        second = audit(["no", "no", "2", "no", ""])
        assert second.code == 0, second.said
        assert "Welcome back. You have answered 2 of 6 questions." in second.out
        assert answers(tmp_path)[3:] == ["no_reason", "no_reason", "misread_intent", "no_reason"]

    def test_a_smaller_sample_can_be_asked_for(self, audit: Callable[..., Ran]) -> None:
        assert "Verdict 1 of 2" in audit(["q"], "--n", 2).out

    def test_other_logs_are_other_verdicts(
        self, audit: Callable[..., Ran], capsys: pytest.CaptureFixture[str], tmp_path: Path
    ) -> None:
        audit(["6"])
        more = ("--model", "knowact/always-no", "--limit", 2, "--log-dir", tmp_path / "other", "--yes")
        assert knowact(capsys, "run", "ict", *more).code == 0
        done = audit(["q"], "--verdicts", tmp_path / "other")
        assert done.code == 2
        assert "have changed since" in done.err


class TestTheSummary:
    def test_says_how_people_agree_with_the_judge_and_each_other(
        self, audit: Callable[..., Ran], summary: Callable[..., Ran]
    ) -> None:
        audit(["6", "6", "6", "6", "6", "1", ""])
        audit(["6", "6"], name="bob")
        done = summary()
        assert done.code == 1, "Bob is not done"
        lines = [line.split() for line in done.out.splitlines()]
        (with_judge,) = [
            one for one in lines if one[:6] == ["declared", "and", "ann", "(person)", "why", "0.83"]
        ]
        assert with_judge[-1] == "6"
        assert any(one[:6] == ["ann", "(person)", "and", "bob", "(person)", "why"] for one in lines)
        assert "no_reason / right" in done.out
        assert "bob: 2 done (0 skipped), 4 left." in done.out

    def test_without_answers_it_says_how_to_begin(self, summary: Callable[..., Ran]) -> None:
        done = summary()
        assert done.code == 2
        assert "knowact human audit ict --verdicts LOGS --annotator NAME" in done.err


class TestTheReport:
    @pytest.fixture
    def report(
        self, logs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> Callable[[Path], tuple[Ran, dict[str, Any]]]:
        def make(labels: Path) -> tuple[Ran, dict[str, Any]]:
            file = tmp_path / "report.json"
            done = knowact(capsys, "report", logs, "--labels", labels, "--json", file)
            return done, json.loads(file.read_text("utf-8")) if file.exists() else {}

        return make

    def test_has_peoples_agreement_with_the_judge(
        self, audit: Callable[..., Ran], report: Callable[[Path], Any], tmp_path: Path
    ) -> None:
        audit(["6", "6", "6", "6", "6", "1", ""])
        done, found = report(tmp_path / "out")
        assert "Verdicts of people on ict: 6 of 6 fit." in done.out
        rows = table_rows(found, "readers-agree", "agreement")
        (row,) = [one for one in rows if one["on"] == "why"]
        assert (row["between"], row["n"]) == ("declared and ann (person)", 6)
        assert row["value"] == pytest.approx(5 / 6)
        assert [one["said"] for one in table_rows(found, "readers-differ", "verdicts")] == [
            "no_reason / right"
        ]

    def test_refuses_answers_of_another_kind(
        self, report: Callable[[Path], Any], tmp_path: Path, audit: Callable[..., Ran]
    ) -> None:
        audit(["6"])
        file = tmp_path / "out" / "ict-verdicts" / "why" / "by-ann.jsonl"
        file.write_text(file.read_text("utf-8").replace("verdicts/1", "audit/1"), encoding="utf-8")
        done, _ = report(file)
        assert done.code == 2
        assert "human audit --verdicts" in done.err
        empty = tmp_path / "empty"
        empty.mkdir()
        assert "there are no verdicts of people" in report(empty)[0].err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--kind", "nosuch"), "Name one of these kinds of verdict with --kind: why (6)."),
        (("--tools",), "--verdicts asks about logs"),
        (("--disputed",), "--verdicts asks about logs"),
    ],
)
def test_what_cannot_be_asked_is_told_in_a_sentence(
    audit: Callable[..., Ran], words: Sequence[str], told: str
) -> None:
    done = audit([], *words)
    assert done.code == 2
    assert told in done.err
    assert done.err.count("\n") == 1


def test_a_kind_without_logs_and_logs_without_verdicts_are_refused(
    capsys: pytest.CaptureFixture[str], logs: Path, tmp_path: Path
) -> None:
    done = knowact(capsys, "human", "audit", "ict", "--kind", "why", "--summary")
    assert (done.code, "--verdicts" in done.err) == (2, True)
    plain = (
        "--model",
        "knowact/always-act",
        "--limit",
        2,
        "--probe",
        "explicit",
        "--log-dir",
        tmp_path / "plain",
    )
    assert knowact(capsys, "run", "ict", *plain, "--yes").code == 0
    done = knowact(capsys, "human", "audit", "ict", "--verdicts", tmp_path / "plain", "--annotator", "ann")
    assert "No judge has judged anything" in done.err
