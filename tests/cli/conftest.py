"""`knowact human audit`: data to be audited, a sitting, and the summary of all."""

import io
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from own_tasks import parcel, rain, replayed, write_items
from running import Ran, knowact


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
