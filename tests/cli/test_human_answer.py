"""`knowact human answer` and `knowact report --humans`: people in an agent's place."""

import io
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from ict_trials import items_of, planned
from knowact.cli.main import run
from knowact.datasets.audit_file import AnswerFile, Head, file_of, label
from knowact.datasets.baselines import as_runs, read_baselines
from knowact.roles.audit import AuditAnswer
from knowact.roles.baseline import FORMAT, QUESTION, sampled
from knowact.suites.ict.asked import AskedItem
from knowact.suites.ict.cases import DEFAULT_DATA
from knowact.suites.ict.suite import SUITE
from running import Ran, json_report, knowact, table_rows
from timing import wait_until

N = 8


@pytest.fixture
def answer(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Ran]:
    """Hold one sitting, with these lines typed; the end of the input comes after them."""

    def sit(typed: Sequence[str], *words: object, name: str = "ann") -> Ran:
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in typed)))
        given = ("--annotator", name, "--n", N, "--out", tmp_path, *words)
        return knowact(capsys, "human", "answer", "ict", *given)

    return sit


def given(folder: Path, name: str = "ann") -> list[tuple[str, str | None]]:
    """What an annotator's file holds, in order."""
    lines = file_of(folder / "ict", name).read_text("utf-8").splitlines()
    return [(one["item"], one["answer"]) for one in map(json.loads, lines[1:])]


def sample() -> dict[str, AskedItem]:
    assert SUITE.baseline is not None
    drawn = sampled(planned().items, SUITE.baseline.by, SUITE.baseline.strata, N, 0)
    return {item.id: item for item in items_of(planned()) if item.id in {one.id for one in drawn}}


def right(item: AskedItem) -> str:
    return "no" if item.lacks else "yes"


def write(folder: Path, name: str, says: Callable[[AskedItem], str | None]) -> None:
    """An annotator's whole file, without the terminal."""
    info = planned().dataset
    head = Head(
        format=FORMAT,
        suite="ict",
        data=label(info),
        sha256=info.sha256,
        annotator=name,
        n=N,
        seed=0,
        questions=(QUESTION,),
    )
    file = AnswerFile.open(folder / "ict", head)
    for item in sample().values():
        file.append(AuditAnswer(item=item.id, question=QUESTION, answer=says(item)))


class TestASitting:
    @pytest.mark.slow
    def test_answers_are_kept_one_by_one_and_the_same_command_goes_on(
        self, answer: Callable[..., Ran], tmp_path: Path
    ) -> None:
        first = answer(["yes", "2", "q"])
        assert first.code == 1
        assert f"Human baseline of ict/{DEFAULT_DATA}. Annotator: ann" in first.out
        assert f"2 questions done, {N - 2} left." in first.out
        assert [said for _, said in given(tmp_path)] == ["yes", "no"]
        second = answer(["n"] * (N - 2) + [""])
        assert second.code == 0, second.said
        assert f"Welcome back. You have answered 2 of {N} questions." in second.out
        found = given(tmp_path)
        assert {item for item, _ in found} == set(sample())
        assert len(found) == N

    def test_back_replaces_and_skip_is_counted(self, answer: Callable[..., Ran], tmp_path: Path) -> None:
        done = answer(["yes", "b", "no", "s", "q"])
        assert "(1 skipped)" in done.out
        first, second = dict(given(tmp_path)).items()
        assert (first[1], second[1]) == ("no", None)
        assert [said for _, said in given(tmp_path)] == ["yes", "no", None]

    def test_neither_ids_nor_labels_nor_minimal_pairs_are_shown(self, answer: Callable[..., Ran]) -> None:
        done = answer(["yes"] * N + [""])
        items = sample()
        assert done.out.count("Do these tools and this information suffice") == N
        for item in items.values():
            assert item.pair not in done.out
            assert item.id not in done.out
        assert not [word for word in ("incomplete", "removal", "replacement", "gold") if word in done.out]
        assert len({item.pair for item in items.values()}) == N

    def test_people_are_shown_what_agents_are(self, answer: Callable[..., Ran]) -> None:
        done = " ".join(answer(["yes"] * N + [""]).out.split())
        for item in sample().values():
            for text in (item.task.opening.utterances[-1].text, *(t.description for t in item.tools)):
                assert " ".join(text.split()) in done
        assert "home: Utrecht" in done
        optional = [
            tool
            for item in sample().values()
            for tool in item.tools
            if tool.properties.keys() - tool.required
        ]
        assert ("(optional)" in done) == bool(optional)

    def test_half_of_the_items_are_complete_and_all_parts_occur(self) -> None:
        items = sample().values()
        assert sum(not item.lacks for item in items) == N // 2
        assert len({item.labels["part"] for item in items}) == 4

    def test_everybody_has_the_same_items_in_another_order(
        self, answer: Callable[..., Ran], tmp_path: Path
    ) -> None:
        for name in ("ann", "bob"):
            assert answer(["yes"] * N + [""], name=name).code == 0
        ann, bob = ([item for item, _ in given(tmp_path, name)] for name in ("ann", "bob"))
        assert set(ann) == set(bob)
        assert ann != bob

    def test_another_sample_beside_it_is_refused(self, answer: Callable[..., Ran]) -> None:
        answer(["yes"])
        done = answer(["yes"], "--seed", 4, name="bob")
        assert done.code == 2
        assert f"these answers are for --n {N} --seed 0" in done.err


class TestSummary:
    def test_scores_people_and_their_agreement(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        write(tmp_path, "ann", right)
        write(tmp_path, "bob", lambda _: "no")
        done = knowact(capsys, "human", "answer", "ict", "--summary", "--out", tmp_path)
        assert done.code == 0, done.said
        assert "person: ann: 8 of 8 items answered." in done.out
        assert "people together" in done.out

    def test_is_exit_code_1_where_items_are_left(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        write(tmp_path, "ann", lambda item: right(item) if item.lacks else None)
        done = knowact(capsys, "human", "answer", "ict", "--summary", "--out", tmp_path)
        assert done.code == 1
        assert "person: ann: 4 of 8 items answered." in done.out

    def test_nobody_yet_says_how_to_begin(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        done = knowact(capsys, "human", "answer", "ict", "--summary", "--out", tmp_path / "none")
        assert done.code == 2
        assert "Begin with: knowact human answer ict --annotator NAME" in done.err


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of a model on forty pairs."""
    folder = tmp_path_factory.mktemp("logs")
    words = ["run", "ict", "--model", "knowact/always-no", "--limit", "40", "--log-dir", str(folder)]
    assert run(words) == 0
    return folder


def report(capsys: pytest.CaptureFixture[str], logs: Path, humans: Path, out: Path) -> dict[str, Any]:
    done = knowact(capsys, "report", logs, "--humans", humans, "--json", out)
    assert done.code in (0, 1), done.said
    return json.loads(out.read_text("utf-8"))


class TestAReport:
    @pytest.mark.slow
    def test_puts_people_beside_models(
        self, logs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        write(tmp_path, "ann", right)
        write(tmp_path, "bob", lambda _: "no")
        found = report(capsys, logs, tmp_path, tmp_path / "r.json")
        scores = {(row["who"], row["part"]): row for row in table_rows(found, "people", "Acc")}
        assert scores["person: ann", "all"]["value"] == 1
        assert scores["person: bob", "all"]["value"] == 0.5
        assert scores["people together", "all"]["value"] == 0.75
        assert scores["people together", "all"]["n"] == 2 * N
        assert scores["person: ann", "AR"]["n"] + scores["person: ann", "UR"]["n"] == N
        (f1,) = [
            r["value"]
            for r in table_rows(found, "people", "F1 (no)")
            if r["who"] == "person: bob" and r["part"] == "all"
        ]
        assert f1 == pytest.approx(2 / 3)
        recalls = {
            (row["who"], measure): row["value"]
            for measure in ("recall of no", "recall of yes")
            for row in table_rows(found, "people", measure)
            if row["part"] == "all"
        }
        assert recalls["person: bob", "recall of no"] == 1
        assert recalls["person: bob", "recall of yes"] == 0
        (agreed,) = table_rows(found, "people", "agreement")
        (chance,) = table_rows(found, "people", "kappa")
        assert (agreed["value"], agreed["n"]) == (0.5, N)
        assert chance["value"] == pytest.approx(0)

    @pytest.mark.slow
    def test_shows_models_on_the_very_items_that_people_answered(
        self, logs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        write(tmp_path, "ann", right)
        found = report(capsys, logs, tmp_path, tmp_path / "r.json")
        models = [row for row in table_rows(found, "people", "Acc") if row["who"].startswith("knowact/")]
        asked = {item.id for item in planned(limit=40).items} & set(sample())
        assert [row["n"] for row in models if row["part"] == "all"] == ([len(asked)] if asked else [])

    @pytest.mark.slow
    def test_counts_a_person_among_the_runs_and_leaves_the_other_tables_alone(
        self, logs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        before = json_report(capsys, logs, tmp_path / "before.json")
        write(tmp_path, "ann", lambda item: right(item) if item.lacks else None)
        after = report(capsys, logs, tmp_path, tmp_path / "after.json")
        (person,) = [one for one in after["runs"] if one["model"] == "person: ann"]
        assert (person["planned"], person["scored"]) == (N, N // 2)
        # Beside the table of people, those over all suites name everybody.
        named = {"people", "headlines", "knowing-acting", "profile"}
        others = [[t for t in one["tables"] if t["id"] not in named] for one in (before, after)]
        assert others[0] == others[1]

    @pytest.mark.slow
    def test_takes_runs_that_were_not_asked_outright(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        write(tmp_path, "ann", right)
        words = ("run", "ict", "--model", "knowact/oracle", "--probe", "implicit", "--limit", "2")
        assert knowact(capsys, *words, "--log-dir", tmp_path / "logs").code == 0
        found = report(capsys, tmp_path / "logs", tmp_path / "ict", tmp_path / "r.json")
        assert {row["who"] for row in table_rows(found, "people", "Acc")} == {"person: ann"}

    @pytest.mark.slow
    def test_refuses_a_copy_of_somebodys_answers(
        self, logs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        write(tmp_path, "ann", right)
        first = file_of(tmp_path / "ict", "ann")
        copy = tmp_path / "ict" / "by-copy.jsonl"
        copy.write_bytes(first.read_bytes())
        summary = ("human", "answer", "ict", "--summary", "--out", tmp_path)
        for words in (("report", logs, "--humans", tmp_path), summary):
            done = knowact(capsys, *words)
            assert done.code == 2
            assert f"{copy}: these are answers of 'ann', and so are those in {first}" in done.err

    @pytest.mark.slow
    def test_makes_its_page(self, logs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        write(tmp_path, "ann", right)
        done = knowact(
            capsys, "report", logs, "--humans", file_of(tmp_path / "ict", "ann"), "--out", tmp_path / "page"
        )
        assert done.code == 0, done.said
        page = (tmp_path / "page" / "index.html").read_text("utf-8")
        assert "A person: right on 100% of 8 items." in page
        assert "knowact human answer ict --summary" in page

    def test_says_where_to_say_the_place_of_data_that_nobody_ships(
        self, logs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        write(tmp_path, "ann", right)
        file = file_of(tmp_path / "ict", "ann")
        file.write_text(file.read_text("utf-8").replace(DEFAULT_DATA, "mine@own"), "utf-8")
        done = knowact(capsys, "report", logs, "--humans", tmp_path)
        assert done.code == 2
        assert "holds answers about mine@own. Name its folder with --data DIR" in done.err

    @pytest.mark.parametrize(
        ("change", "said"),
        [
            (('"answer": "yes"', '"answer": "perhaps"'), "this does not answer an item of the sample"),
            (("knowact.baseline/1", "knowact.audit/1"), "of the kind 'knowact.audit/1'"),
            ((planned().dataset.sha256, "0" * 64), "have changed since these answers were given"),
        ],
    )
    def test_damage_is_told_in_a_sentence(
        self,
        change: tuple[str, str],
        said: str,
        logs: Path,
        tmp_path: Path,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        write(tmp_path, "ann", right)
        file = file_of(tmp_path / "ict", "ann")
        file.write_text(file.read_text("utf-8").replace(*change), "utf-8")
        done = knowact(capsys, "report", logs, "--humans", file)
        assert done.code == 2, done.said
        assert said in done.err

    def test_audits_in_the_same_folder_are_passed_over(self, tmp_path: Path) -> None:
        write(tmp_path, "ann", right)
        text = file_of(tmp_path / "ict", "ann").read_text("utf-8")
        (tmp_path / "audit").mkdir()
        (tmp_path / "audit" / "by-eve.jsonl").write_text(
            text.splitlines()[0].replace("baseline", "audit") + "\n", "utf-8"
        )
        (only,) = read_baselines(tmp_path)
        assert as_runs(SUITE, planned(), [only])[0].model == "person: ann"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("kapro", "--summary"), "There are no answers in"),
        (("ict",), "Give either --annotator NAME"),
        (("ict", "--annotator", "ann", "--summary"), "Give either --annotator NAME"),
    ],
)
def test_wrong_words_are_one_sentence(
    words: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    done = knowact(capsys, "human", "answer", *words)
    assert done.code == 2
    assert said in done.err


def test_a_folder_without_answers_is_told(
    logs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for path, said in ((tmp_path, "there are no answers"), (tmp_path / "gone", "no such file or folder")):
        done = knowact(capsys, "report", logs, "--humans", path)
        assert done.code == 2
        assert said in done.err


@pytest.mark.slow
def test_a_sitting_that_is_killed_keeps_every_answer_that_was_given(tmp_path: Path) -> None:
    words = ["human", "answer", "ict", "--annotator", "ann", "--n", str(N), "--out", str(tmp_path)]
    command = [sys.executable, "-m", "knowact", *words]
    sitting = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert sitting.stdin is not None
    sitting.stdin.write(b"yes\nno\n")
    sitting.stdin.flush()
    wait_until(lambda: file_of(tmp_path / "ict", "ann").exists() and len(given(tmp_path)) == 2)
    assert sitting.poll() is None
    os.kill(sitting.pid, signal.SIGKILL)
    sitting.communicate()
    again = subprocess.run(
        command, input=b"s\n" * (N - 2) + b"\n", capture_output=True, check=False, timeout=600
    )
    assert again.returncode == 0, again.stderr
    assert b"Welcome back. You have answered 2 of 8" in again.stdout
    assert [said for _, said in given(tmp_path)] == ["yes", "no", *[None] * (N - 2)]
