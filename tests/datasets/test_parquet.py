"""Rows of parquet files."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import duckdb
import pytest

from knowact.core.errors import BadData
from knowact.datasets.parquet import parquet_rows

ROWS: list[dict[str, Any]] = [
    {"uuid": str(number), "tools": [{"name": "find", "count": number}], "about": None if number else "ü"}
    for number in range(250)
]


def write(file: Path, rows: list[dict[str, Any]]) -> Path:
    lines = file.with_suffix(".jsonl")
    lines.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    with duckdb.connect(":memory:") as database:
        database.execute("copy (select * from read_json(?)) to ? (format parquet)", [str(lines), str(file)])
    return file


def test_rows_are_those_of_the_json_lines_in_their_order(tmp_path: Path) -> None:
    rows = list(parquet_rows(write(tmp_path / "x.parquet", ROWS)))
    assert [{**row, "uuid": str(row["uuid"])} for row in rows] == ROWS


def test_a_path_may_look_like_a_pattern(tmp_path: Path) -> None:
    folder = tmp_path / "data [1]'s *"
    folder.mkdir()
    made = write(tmp_path / "x.parquet", ROWS)
    (folder / "x.parquet").write_bytes(made.read_bytes())
    assert len(list(parquet_rows(folder / "x.parquet"))) == 250


def test_what_is_no_parquet_file_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "x.parquet"
    file.write_text("version https://git-lfs.github.com/spec/v1", encoding="utf-8")
    with pytest.raises(BadData, match=r"x\.parquet: the file cannot be read as parquet \(.+\)\. Fix"):
        list(parquet_rows(file))


READ = """
import resource, sys
from pathlib import Path
from knowact.datasets.parquet import parquet_rows
next(parquet_rows(Path(sys.argv[2])))
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(sum(len(row["text"]) for row in parquet_rows(Path(sys.argv[1]))))
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


@pytest.mark.slow
def test_a_file_is_never_held_whole(tmp_path: Path) -> None:
    file = tmp_path / "large.parquet"
    with duckdb.connect(":memory:") as database:
        # 640 MB of text that no compression shrinks away by columns, in row groups of 2,048.
        database.execute(
            "copy (select repeat(md5(n::text), 1000) as text from range(20000) t(n)) to ? "
            "(format parquet, row_group_size 2048)",
            [str(file)],
        )
    small = write(tmp_path / "small.parquet", ROWS)
    done = subprocess.run(
        [sys.executable, "-c", READ, str(file), str(small)], check=True, capture_output=True, text=True
    )
    characters, grown = map(int, done.stdout.split())
    assert characters == 640_000_000
    assert grown * (1 if sys.platform == "darwin" else 1024) < 300_000_000
