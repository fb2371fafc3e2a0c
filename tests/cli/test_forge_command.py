"""`knowact forge`: which suites have a recipe, and what became of an option."""

from pathlib import Path

import pytest

from running import knowact


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("car",), "car has no recipe for data yet."),
        (("nothing",), "no suite named 'nothing'"),
        (("kapro", "--size", "2000"), "--size is at most 1,076 for kapro"),
        (("kapro", "--share", "0.1"), "--share was removed. Give the number of items with --size N"),
    ],
)
def test_what_cannot_be_made_is_refused_in_a_sentence(
    words: tuple[str, ...], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    done = knowact(capsys, "forge", *words, "--seed", "3", "--out", tmp_path / "new")
    assert done.code == 2
    assert said in done.err
    assert "Traceback" not in done.err
    assert not (tmp_path / "new").exists()
