"""`knowact human audit`: an annotator's file, whatever happens to it."""

from collections.abc import Callable
from pathlib import Path

import pytest

from knowact.core.errors import BadUsage
from knowact.datasets import audit_file
from knowact.roles.audit import PlanShown
from running import Ran

from .audits import answers, file_of, lines


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
        with pytest.raises(BadUsage, match="Another process changed"):
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
            (('"answer": "yes"', '"answer": "maybe"'), ":2: 'maybe' is not an answer"),
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
        with pytest.raises(BadUsage, match="name is blank"):
            audit_file.file_of(tmp_path, " \n")
