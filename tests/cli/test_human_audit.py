"""`knowact human audit`: blind, resumable, safe against everything that happens to people."""

import io
import subprocess
import sys
from collections.abc import Callable
from copy import copy
from pathlib import Path
from typing import Any

import pytest

from knowact import suites
from knowact.core.suite import Suite
from knowact.datasets.own import load_own
from own_tasks import rain, write_items
from running import Ran, knowact

from .audits import answers, file_of, lines

TASKS = 6
QUESTIONS = 4
ALL_WRITTEN = ("yes", "external", "single", "", "yes")
"""One task as a pipe answers it: text, boundary, topology, Enter before the plan, plan."""


class TestASitting:
    def test_answers_are_kept_one_by_one_and_the_same_command_goes_on(
        self, audit: Callable[..., Ran], tmp_path: Path
    ) -> None:
        first = audit(["1", "1"])
        assert first.code == 1, first.said
        assert "2 questions done, 22 left." in first.out
        assert "The same command resumes." in first.out
        second = audit(["2", "", "yes", *ALL_WRITTEN * (TASKS - 1), ""])
        assert second.code == 0, second.said
        assert "Welcome back. You have answered 2 of 24 questions." in second.out
        assert "All done. Thank you! 24 questions done, 0 left." in second.out
        assert len(answers(tmp_path)) == TASKS * QUESTIONS
        assert answers(tmp_path)[:4] == [
            *(("text", "yes"), ("boundary", "external"), ("topology", "parallel"), ("plan", "yes"))
        ]
        before = file_of(tmp_path).read_bytes()
        third = audit([""])
        assert (third.code, file_of(tmp_path).read_bytes()) == (0, before)

    def test_what_is_asked_about_is_not_on_the_screen_before_it_is_answered(
        self, audit: Callable[..., Ran], data: Path
    ) -> None:
        tasks = {task.id: task for task in load_own(data).rows}
        blind = audit(["1", "1", "1", "q"]).out.split("Task 1 of 6")[1]
        for task in tasks.values():
            assert task.id not in blind
        assert "step" not in blind.lower().replace("step?", "")
        assert "from the query" not in blind
        shown = audit(["", "1", "q"], name="ann").out
        assert "The plan:" in shown
        assert "step 1" in shown
        assert all(task.id not in shown for task in tasks.values())

    def test_back_changes_an_answer_until_the_plan_is_shown(
        self, audit: Callable[..., Ran], tmp_path: Path
    ) -> None:
        done = audit(["1", "2", "b", "1", "3", "b", "2", "", "b", "1", "b", "2", "q"])
        assert done.code == 1
        assert "There is no earlier answer that you can still change." in done.out
        assert "Your answer: hybrid" in done.out
        assert answers(tmp_path) == [
            *(("text", "yes"), ("boundary", "hybrid"), ("boundary", "external")),
            *(("topology", "multi_hop"), ("topology", "parallel"), ("plan", "yes"), ("plan", "no")),
        ]

    def test_skipping_is_counted_and_nonsense_is_asked_again(
        self, audit: Callable[..., Ran], tmp_path: Path
    ) -> None:
        done = audit(["s", "0", "9", "x" * 5000, "²", "", "h", "b", "-1", "q"])
        assert "2 questions done (1 skipped), 22 left." in done.out
        assert done.out.count("Type a number from 1 to 3, or ? for help.") == 6
        assert answers(tmp_path) == [("text", None), ("boundary", "hybrid")]

    def test_help_says_how_to_decide_and_shows_the_task_again(self, audit: Callable[..., Ran]) -> None:
        done = audit(["?", "q"])
        assert done.out.count("Task 1 of 6") == 2
        assert "Say no if it reads like a form" in " ".join(done.out.split())

    def test_words_in_any_case_are_answers(self, audit: Callable[..., Ran], tmp_path: Path) -> None:
        audit(["YES", " External ", "Multi-hop", "Q"])
        assert [answer for _, answer in answers(tmp_path)] == ["yes", "external", "multi_hop"]

    def test_everybody_has_the_same_tasks_in_another_order_and_a_file_of_their_own(
        self, audit: Callable[..., Ran], tmp_path: Path
    ) -> None:
        for name in ("ann", "bob"):
            assert audit([*ALL_WRITTEN * 3, ""], "--n", 3, name=name).code == 0
        ann, bob = ([one["item"] for one in lines(tmp_path, name)[1:]] for name in ("ann", "bob"))
        assert set(ann) == set(bob)
        assert ann != bob

    def test_ctrl_c_keeps_everything_and_is_130(
        self,
        audit: Callable[..., Ran],
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
        data: Path,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        class Impatient(io.StringIO):
            def readline(self, *_: Any) -> str:
                if found := super().readline():
                    return found
                raise KeyboardInterrupt

        monkeypatch.setattr(sys, "stdin", Impatient("1\n1\n"))
        words = ("--annotator", "ann", "--data", data, "--out", tmp_path / "out")
        done = knowact(capsys, "human", "audit", "kapro", *words)
        assert done.code == 130
        assert "Stopped. 2 questions done, 22 left." in done.out
        assert answers(tmp_path) == [("text", "yes"), ("boundary", "external")]

    def test_texts_of_strangers_cannot_move_the_cursor(
        self, tmp_path: Path, audit: Callable[..., Ran], data: Path
    ) -> None:
        text = "What is\x1b]0;owned\x07 the weather\x9b2J in \u202eBergen?\r\nNow\tplease"
        write_items(data, [rain(opening={"kind": "query", "text": text})])
        done = audit(["q"], name="an\x1bn")
        assert not set(done.said) & set("\x1b\x07\x9b\u202e\r\t")
        assert "the weather\N{REPLACEMENT CHARACTER}2J in" in done.out
        assert "  Now please" in done.out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("kapro",), "Give either --annotator NAME, to answer, or --summary"),
        (("kapro", "--annotator", "ann", "--summary"), "Give either --annotator NAME"),
        (("kaprro", "--summary"), "There is no suite named 'kaprro'. Did you mean 'kapro'?"),
        (("kapro", "--annotator", "ann", "--n", "0"), "0 is not in the range x>=1"),
        (("kapro", "--annotator", "ann", "--data", "/no/such"), "/no/such: there is no such folder."),
    ],
)
def test_wrong_words_are_one_sentence(
    words: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    done = knowact(capsys, "human", "audit", *words)
    assert done.code == 2
    assert said in done.err


@pytest.mark.slow
def test_it_works_through_a_real_pipe_on_a_terminal_that_knows_little(data: Path, tmp_path: Path) -> None:
    words = [
        "human",
        "audit",
        "kapro",
        "--annotator",
        "Zoë",
        "--data",
        str(data),
        "--out",
        str(tmp_path / "o"),
    ]
    done = subprocess.run(
        [sys.executable, "-m", "knowact", *words],
        input=b"1\n\xff\xfe\n2\nq\n",
        capture_output=True,
        check=False,
        env={"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0", "LC_ALL": "C", "PYTHONPATH": ":".join(sys.path)},
    )
    assert done.returncode == 1, done.stderr
    assert done.stderr == b""
    assert b"2 questions done, 22 left." in done.stdout


@pytest.mark.parametrize("name", ["kapro", "ict", "fail_talms", "car"])
def test_a_suite_without_questions_of_its_own_is_asked_about_in_general(
    name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    suite = copy(suites.find(name))
    vars(suite)["audit"] = None

    def find(_: str) -> Suite:
        return suite

    monkeypatch.setattr(suites, "find", find)
    monkeypatch.setattr(sys, "stdin", io.StringIO("yes\n2\n1\nq\n"))
    words = ("human", "audit", name, "--out", tmp_path / "out")
    done = knowact(capsys, *words, "--annotator", "ann")
    assert (done.code, "3 questions done, 117 left." in done.out) == (1, True), done.said
    assert "Can the assistant do what is asked?" in done.out
    summed = knowact(capsys, *words, "--summary")
    assert "can be done" in summed.out
