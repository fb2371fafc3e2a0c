"""`knowact forge`: data from a seed, on the command line."""

from pathlib import Path

import pytest

from running import knowact


def test_similar_tools_are_ranked_as_asked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("forge", "ict", "--seed", "3", "--share", "0.01")
    plain, named = tmp_path / "plain", tmp_path / "named"

    assert knowact(capsys, *words, "--out", plain).code == 0
    assert knowact(capsys, *words, "--retriever", "bm25", "--out", named).code == 0
    assert (plain / "items.jsonl").read_bytes() == (named / "items.jsonl").read_bytes()


@pytest.mark.parametrize(
    ("suite", "retriever", "said"),
    [
        ("kapro", "bm25", "The recipe of kapro does not look for similar tools. Leave out --retriever."),
        ("ict", "guessing", "guessing"),
    ],
)
def test_a_retriever_that_makes_no_sense_is_refused(
    suite: str, retriever: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("--seed", "3", "--share", "0.01", "--retriever", retriever, "--out", tmp_path / "new")
    done = knowact(capsys, "forge", suite, *words)

    assert done.code == 2
    assert said in done.err
    assert "Traceback" not in done.err
    assert not (tmp_path / "new").exists()
