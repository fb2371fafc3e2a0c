"""What annotators of an audit have written."""

import json
from pathlib import Path
from typing import Any

from knowact.datasets import audit_file


def file_of(tmp_path: Path, name: str = "ann") -> Path:
    return audit_file.file_of(tmp_path / "out" / "kapro", name)


def lines(tmp_path: Path, name: str = "ann") -> list[dict[str, Any]]:
    text = file_of(tmp_path, name).read_text(encoding="utf-8")
    assert text.endswith("\n")
    return [json.loads(line) for line in text.splitlines()]


def answers(tmp_path: Path, name: str = "ann") -> list[tuple[str, str]]:
    return [(one["question"], one["answer"]) for one in lines(tmp_path, name)[1:] if one["kind"] == "answer"]
