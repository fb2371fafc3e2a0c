"""What the readers of published files make of them is what it was; see `frozen_published.py`."""

import json

import pytest

from frozen_outputs import differences, kept_at
from frozen_published import SAMPLES, SUITES, UPSTREAM, frozen


@pytest.mark.slow
@pytest.mark.parametrize("suite", sorted(SUITES))
def test_published_files_are_read_and_refused_as_they_were(suite: str) -> None:
    sample = UPSTREAM / SAMPLES[suite]
    if SAMPLES[suite] and not sample.is_dir():
        pytest.skip(f"no published sample at {sample}; say where it is with KNOWACT_UPSTREAM")
    before = json.loads(kept_at(f"published_{suite}").read_text(encoding="utf-8"))
    changed = list(differences(before, frozen(SUITES[suite]())))
    assert changed == [], f"{len(changed)} hashes differ"
