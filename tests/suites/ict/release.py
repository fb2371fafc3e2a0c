"""A small release in the published layout, in our own words: files in `fixtures`.

The parquet files there hold the same rows; pyarrow wrote them, as it wrote the published ones.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from knowact.datasets.deviations import Deviation, DeviationKind
from knowact.suites.ict.published import Published, load_published

FIXTURES = Path(__file__).parent / "fixtures"

Row = dict[str, Any]
Files = dict[str, list[Row]]
"""File name, without its ending, to its rows."""

AR_AB, AR_TB = "apibank_api_replacement", "toolbench_api_replacement"
UR_AB, UR_TB = "apibank_utterance_removal", "toolbench_utterance_removal"
STEMS = (AR_AB, AR_TB, UR_AB, UR_TB)


def standard() -> Files:
    """The rows of all four files."""
    return {stem: _rows(FIXTURES / "raw" / f"{stem}.jsonl") for stem in STEMS}


def _rows(file: Path) -> list[Row]:
    return [cast("Row", json.loads(line)) for line in file.read_text(encoding="utf-8").splitlines()]


def pair(stem: str = AR_AB, sample: int = 0) -> list[Row]:
    """The manipulated row of a sample, and its original."""
    return [row for row in standard()[stem] if row["original_sample_id"] == sample]


def changed(rows: Sequence[Row], **columns: Any) -> list[Row]:
    """The rows with other columns."""
    return [{**row, **columns} for row in rows]


def without(rows: Sequence[Row], *columns: str) -> list[Row]:
    """The rows without some columns."""
    return [{name: value for name, value in row.items() if name not in columns} for row in rows]


def write(folder: Path, files: Mapping[str, Sequence[Row] | str]) -> Path:
    """Write files of JSON Lines below `raw`; a text is written as it is. Return the release's folder."""
    raw = folder / "raw"
    raw.mkdir(parents=True, exist_ok=True)
    for stem, rows in files.items():
        text = rows if isinstance(rows, str) else "".join(json.dumps(row) + "\n" for row in rows)
        (raw / f"{stem}.jsonl").write_text(text, encoding="utf-8")
    return folder


def loaded(folder: Path, rows: Sequence[Row], stem: str = AR_AB, **options: Any) -> Published:
    """A release with a single file, loaded."""
    return load_published(write(folder, {stem: rows}), **options)


def told(published: Published, kind: DeviationKind) -> list[Deviation]:
    """What was told of one kind."""
    return [one for one in published.deviations if one.kind is kind]
