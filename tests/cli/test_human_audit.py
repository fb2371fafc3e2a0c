"""`knowact human audit`: blind, resumable, safe against everything that happens to people and to files."""

import io
import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from knowact import suites
from knowact.core.errors import BadUsage
from knowact.core.suite import Audit, Question
from knowact.core.task import Task
from knowact.datasets import audit_file
from knowact.datasets.own import load_own
from knowact.people.audit import PlanShown
from own_tasks import parcel, rain, replayed, write_items
from running import Ran, knowact

TASKS = 6
QUESTIONS = 4
ALL_WRITTEN = ("yes", "external", "single", "", "yes")
"""One task as a pipe answers it: text, boundary, topology, Enter before the plan, plan."""


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Six tasks of three kinds, whose ids would give everything away."""
    tasks: list[dict[str, Any]] = []
    for number in (1, 2):
        for make, label in (
            (rain, "external-single"),
            (parcel, "external-multi"),
            (replayed, "internal-single"),
        ):
            name = f"{label}-{number}"
            tasks.append(make(id=name, cluster=name))
    return write_items(tmp_path / "data", tasks)


@pytest.fixture
def audit(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Ran]:
    """Hold one sitting, with these lines typed; the end of the input comes after them."""

    def sit(typed: Sequence[str], *words: object, name: str = "ann") -> Ran:
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in typed)))
        given = ("--annotator", name, "--data", data, "--out", tmp_path / "out", *words)
        return knowact(capsys, "human", "audit", "kapro", *given)

    return sit


@pytest.fixture
def summary(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    def run(*words: object) -> Ran:
        given = ("--summary", "--data", data, "--out", tmp_path / "out", *words)
        return knowact(capsys, "human", "audit", "kapro", *given)

    return run


def file_of(tmp_path: Path, name: str = "ann") -> Path:
    return audit_file.file_of(tmp_path / "out" / "kapro", name)


def lines(tmp_path: Path, name: str = "ann") -> list[dict[str, Any]]:
    text = file_of(tmp_path, name).read_text(encoding="utf-8")
    assert text.endswith("\n")
    return [json.loads(line) for line in text.splitlines()]


def answers(tmp_path: Path, name: str = "ann") -> list[tuple[str, str]]:
    return [(one["question"], one["answer"]) for one in lines(tmp_path, name)[1:] if one["kind"] == "answer"]


class TestASitting:
    def test_answers_are_kept_one_by_one_and_the_same_command_goes_on(
        self, audit: Callable[..., Ran], tmp_path: Path
    ) -> None:
        first = audit(["1", "1"])
        assert first.code == 1, first.said
        assert "2 questions done; 22 left." in first.out
        assert "The same command goes on." in first.out
        second = audit(["2", "", "yes", *ALL_WRITTEN * (TASKS - 1), ""])
        assert second.code == 0, second.said
        assert "Welcome back: 2 of 24 questions are behind you." in second.out
        assert "That was all. Thank you! 24 questions done; 0 left." in second.out
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
        tasks = {task.id: task for task in load_own(data).tasks}
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
        assert "There is nothing before this that could still be changed." in done.out
        assert "You said: hybrid" in done.out
        assert answers(tmp_path) == [
            *(("text", "yes"), ("boundary", "hybrid"), ("boundary", "external")),
            *(("topology", "multi_hop"), ("topology", "parallel"), ("plan", "yes"), ("plan", "no")),
        ]

    def test_skipping_is_counted_and_nonsense_is_asked_again(
        self, audit: Callable[..., Ran], tmp_path: Path
    ) -> None:
        done = audit(["s", "0", "9", "x" * 5000, "²", "", "h", "b", "-1", "q"])
        assert "2 questions done, 1 of them skipped; 22 left." in done.out
        assert done.out.count("Type a number from 1 to 3; ? for help.") == 6
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
        assert "Stopped. 2 questions done; 22 left." in done.out
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


class TestFiles:
    def test_a_torn_last_line_is_told_taken_away_and_asked_again(
        self, audit: Callable[..., Ran], tmp_path: Path
    ) -> None:
        audit(["1", "1"])
        whole = file_of(tmp_path).read_bytes()
        for torn in (whole[:-20], whole + b'{"kind": "answ', whole + b"\0\0\0\0", whole + b"\xff\xfe\n"):
            file_of(tmp_path).write_bytes(torn)
            done = audit(["q"])
            assert done.code == 1, done.said
            assert "was cut off" in done.out
            expected = whole if torn.startswith(whole) else whole[: whole.rindex(b"\n", 0, -1) + 1]
            assert file_of(tmp_path).read_bytes() == expected

    def test_a_last_line_that_lacks_only_its_end_is_kept(
        self, audit: Callable[..., Ran], tmp_path: Path
    ) -> None:
        audit(["1", "1"])
        whole = file_of(tmp_path).read_bytes()
        file_of(tmp_path).write_bytes(whole[:-1])
        done = audit(["2"])
        assert "was cut off" not in done.out
        assert answers(tmp_path) == [("text", "yes"), ("boundary", "external"), ("topology", "parallel")]

    @pytest.mark.parametrize("left", [b"", b'{"format": "know', b"\0" * 300])
    def test_a_file_that_never_got_its_first_line_begins_anew(
        self, left: bytes, audit: Callable[..., Ran], tmp_path: Path
    ) -> None:
        file_of(tmp_path).parent.mkdir(parents=True)
        file_of(tmp_path).write_bytes(left)
        audit(["1"])
        assert answers(tmp_path) == [("text", "yes")]

    @pytest.mark.parametrize(
        "left", [b"my notes, saved over it", b'{"kind": "answer"}\r{"kind": "answer"}\r']
    )
    def test_what_cannot_be_read_at_all_may_be_somebodys_work_and_is_left_alone(
        self, left: bytes, audit: Callable[..., Ran], tmp_path: Path
    ) -> None:
        file_of(tmp_path).parent.mkdir(parents=True)
        file_of(tmp_path).write_bytes(left)
        done = audit(["1"])
        assert done.code == 2
        assert "by-ann.jsonl: the file holds no answers." in done.err
        assert file_of(tmp_path).read_bytes() == left

    def test_a_second_sitting_of_the_same_annotator_at_once_is_stopped(
        self, audit: Callable[..., Ran], data: Path, tmp_path: Path
    ) -> None:
        audit(["1"])
        head = audit_file.read(file_of(tmp_path)).head
        here, there = (audit_file.AnswerFile.open(tmp_path / "out" / "kapro", head) for _ in range(2))
        here.append(PlanShown(item="external-single-1"))
        with pytest.raises(BadUsage, match="is the same audit open elsewhere"):
            there.append(PlanShown(item="external-single-1"))
        assert len(lines(tmp_path)) == 3

    def test_somebody_elses_unfinished_first_line_stops_nobody(
        self, audit: Callable[..., Ran], tmp_path: Path
    ) -> None:
        audit(["1"])
        file_of(tmp_path, "bob").write_bytes(b'{"form')
        assert "1 question done" in audit(["q"]).out

    @pytest.mark.parametrize(
        ("change", "said"),
        [
            (('"yes"', '"ye'), ":2: the line is"),
            (('"answer": "yes"', '"answer": "maybe"'), ":2: 'maybe' is no answer"),
            (
                ('"question": "text"', '"question": "x"'),
                ":2: there is no question 'x'",
            ),
            (("knowact.audit/1", "knowact.audit/9"), "field 'format'"),
            (('"annotator": "ann"', '"annotator": "eve"'), "the answers of 'eve'"),
            (
                ('"n": 141', '"n": 12'),
                "for --n 12 --seed 0, not for --n 141 --seed 0",
            ),
            (('"plan"]', '"plot"]'), "the questions have changed"),
        ],
    )
    def test_damage_elsewhere_is_told_and_nothing_is_written(
        self, change: tuple[str, str], said: str, audit: Callable[..., Ran], tmp_path: Path
    ) -> None:
        audit(["1", "1"])
        text = file_of(tmp_path).read_text(encoding="utf-8")
        file_of(tmp_path).write_text(text.replace(*change), encoding="utf-8")
        before = file_of(tmp_path).read_bytes()
        done = audit(["1"])
        assert done.code == 2, done.said
        assert said in done.err
        assert done.err.count("\n") == 1
        assert file_of(tmp_path).read_bytes() == before

    def test_changed_data_are_refused_by_sitting_and_summary(
        self, audit: Callable[..., Ran], summary: Callable[..., Ran], data: Path
    ) -> None:
        audit(["1"])
        items = data / "items.jsonl"
        items.write_text(items.read_text(encoding="utf-8").replace("Bergen", "Oslo"), encoding="utf-8")
        for done in (audit(["1"]), summary(), audit(["1"], name="bob")):
            assert (done.code, done.out) == (2, "")
            assert "by-ann.jsonl: the data data@own have changed since these answers were given." in done.err

    def test_another_sample_in_the_same_folder_is_refused(self, audit: Callable[..., Ran]) -> None:
        audit(["1"], "--n", 3)
        for words in (("--n", 4), ("--n", 3, "--seed", 1)):
            done = audit(["1"], *words, name="bob")
            assert done.code == 2
            assert "by-ann.jsonl: these answers are for --n 3 --seed 0" in done.err

    def test_a_folder_that_cannot_be_written_to_is_told(
        self, audit: Callable[..., Ran], tmp_path: Path
    ) -> None:
        (tmp_path / "out").write_text("", encoding="utf-8")
        done = audit(["1"])
        assert done.code == 2
        assert "--out" in done.err

    @pytest.mark.parametrize(
        ("name", "file"),
        [
            ("ann", "by-ann.jsonl"),
            ("con", "by-con.jsonl"),
            ("Ann", "by-ann-"),
            ("../../etc/passwd", "by-etc-passwd-"),
            ("Zoë", "by-zo-"),
            ("李", "by-"),
            ("a" * 300, f"by-{'a' * 40}-"),
        ],
    )
    def test_any_name_makes_a_file_name_that_is_safe_everywhere(
        self, name: str, file: str, tmp_path: Path
    ) -> None:
        found = audit_file.file_of(tmp_path, name)
        assert found.parent == tmp_path
        assert found.name.startswith(file)
        assert len(found.name) < 70
        assert found.name.isascii()

    def test_two_names_never_share_a_file(self, tmp_path: Path) -> None:
        names = ("ann", "Ann", "ANN", "ann!", "a-nn", "a nn", "ánn", "an/n", "a" * 50, "a" * 51)
        files = {audit_file.file_of(tmp_path, name).name.casefold() for name in names}
        assert len(files) == len(names)
        composed, apart = "Zo\u00eb", "Zoe\u0308"
        assert audit_file.file_of(tmp_path, composed) == audit_file.file_of(tmp_path, f" {apart} ")

    def test_a_blank_name_is_refused(self, tmp_path: Path) -> None:
        with pytest.raises(BadUsage, match="needs a name"):
            audit_file.file_of(tmp_path, " \n")


def truth() -> dict[str, Question]:
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
    for task in loaded.tasks:
        rows += [_row(task, question, changed) for question in truth().values()]
    file = audit_file.file_of(folder, name)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def _row(task: Task, question: Question, changed: dict[tuple[str, str], str | None]) -> dict[str, Any]:
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
        assert cells(done, "the", "text", "internal")[0] == "50.0", "a tie is not right"
        assert cells(done, "plan", "and", "order", "all")[0] == "100.0"
        assert cells(done, "all", "of", "these", "all")[0] == "66.7"
        assert "Fleiss' kappa" in done.out
        # One of six tasks has two of three answers alike, so two of its three pairs differ.
        assert agreed(done, "boundary")[0] == "0.89"
        assert agreed(done, "topology")[0] == "1.00"
        doubts = done.out.split("To look at again\n")[1].splitlines()
        assert doubts == [
            (
                "  external-single-1, kind, found wrong (ann: hybrid, single_hop; bob: hybrid, single_hop; "
                "cy: external, single_hop)"
            ),
            "  internal-single-2, text, a tie (ann: yes; bob: no; cy: -)",
        ]

    def test_two_annotators_have_cohens_kappa_and_one_has_none(
        self, summary: Callable[..., Ran], data: Path, tmp_path: Path
    ) -> None:
        folder = tmp_path / "out" / "kapro"
        fill(folder, data, "ann")
        done = summary()
        assert "Agreement takes two annotators or more." in done.out
        assert "Every task that was answered was found right." in done.out
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
        assert "is cut off and was left out" in done.out
        assert file_of(tmp_path).read_bytes() == before, "a summary writes nothing"

    def test_nobody_yet_says_how_to_begin(self, summary: Callable[..., Ran]) -> None:
        done = summary()
        assert done.code == 2
        assert "begin with: knowact human audit kapro --annotator NAME" in done.err

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
        assert "keep each audit in an --out of its own" in done.err


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


@pytest.mark.process
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
    assert b"2 questions done; 22 left." in done.stdout
