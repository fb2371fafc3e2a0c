"""Making a shipped data set anew from its plans and texts."""

import shutil
from pathlib import Path

import pytest

from running import knowact

MADE = ("items.jsonl", "manifest.json", "README.md")
"""What `knowact forge` makes of the rest."""


def assert_remade(
    folder: Path, suite: str, *, size: int, seed: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Make a copy of a data set from what was written, and compare every file byte for byte."""
    copy = tmp_path / "copy"
    shutil.copytree(folder, copy)
    for name in MADE:
        (copy / name).unlink()
    assert knowact(capsys, "forge", suite, "--seed", seed, "--size", size, "--out", copy).code == 0
    for file in folder.iterdir():
        assert (copy / file.name).read_bytes() == file.read_bytes(), file.name
