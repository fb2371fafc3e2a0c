"""Records, tables and reports of the reference agents are what they were; see `frozen_outputs.py`."""

import json
from pathlib import Path

import pytest

from frozen_outputs import HASHES, differences, frozen, kept_at, runs_of


def suites() -> list[str]:
    """The suites whose reference agents are frozen; hashes of published files are `frozen_published.py`'s."""
    return sorted(file.stem for file in HASHES.glob("*.json") if not file.stem.startswith("published_"))


@pytest.mark.slow
@pytest.mark.parametrize("suite", suites())
def test_the_reference_agents_get_what_they_got(suite: str, tmp_path: Path) -> None:
    before = json.loads(kept_at(suite).read_text(encoding="utf-8"))
    changed = list(differences(before, frozen(runs_of(suite, tmp_path))))
    assert changed == [], f"{len(changed)} hashes differ"


def test_every_difference_is_named() -> None:
    before = {"a": {"x": "1", "y": "2"}, "b": "3"}
    now = {"a": {"x": "1", "y": "4", "z": "5"}}
    assert list(differences(before, now)) == ["/a/y differs", "/a/z is new", "/b is gone"]
