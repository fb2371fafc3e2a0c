"""Rows of parquet files."""

from pathlib import Path

import pytest

from knowact.core.errors import BadData
from knowact.suites.ict.rows import read_parquet

from .release import AR_AB, FIXTURES, standard

FILE = FIXTURES / f"{AR_AB}.parquet"


def test_rows_are_those_of_the_json_lines() -> None:
    rows = read_parquet(FILE)
    assert [dict(row.value) for row in rows] == standard()[AR_AB]
    assert [row.number for row in rows] == list(range(1, len(rows) + 1))


def test_a_path_may_look_like_a_pattern(tmp_path: Path) -> None:
    folder = tmp_path / "data [1]'s *"
    folder.mkdir()
    (folder / FILE.name).write_bytes(FILE.read_bytes())
    assert len(read_parquet(folder / FILE.name)) == 8


def test_what_is_no_parquet_file_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "x.parquet"
    file.write_text("version https://git-lfs.github.com/spec/v1", encoding="utf-8")
    with pytest.raises(BadData, match=r"x\.parquet: the file cannot be read as parquet \(.+\)\. Fix"):
        read_parquet(file)
