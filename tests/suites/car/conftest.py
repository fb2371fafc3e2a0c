"""What the tests of published trials share."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def put(tmp_path: Path) -> Callable[..., Path]:
    def write(*records: Mapping[str, Any], name: str = "base_train.json") -> Path:
        file = tmp_path / name
        file.write_text(json.dumps(list(records)), encoding="utf-8")
        return file

    return write
