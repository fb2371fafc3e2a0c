"""One model under both rule sets, in one report: every number once, and nothing drawn over something else."""

import json
from collections import Counter
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from running import knowact

CASES = {
    "kapro": ((), ("--distractors", "2", "--solo")),
    "fail-talms": ((), ("--helper", "scripted"), ("--broken", "gone")),
    "ict": ((), ("--kind", "all")),
    "car": ((), ("--tool-lists", "whole")),
}
RULES = ("definition", "published")
MARK = ("panel", "bar", "colour", "label", "x", "y")
"""What tells a bar or a dot from all others of its chart."""


@pytest.mark.slow
@pytest.mark.parametrize("suite", CASES)
def test_both_rule_sets_stand_side_by_side(
    suite: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for rules, words in product(RULES, CASES[suite]):
        run = (
            "run",
            suite,
            "--model",
            "knowact/oracle",
            "--limit",
            "2",
            "--trials",
            "1",
            "--yes",
            "--rules",
            rules,
        )
        assert knowact(capsys, *run, *words, "--log-dir", tmp_path / "logs").code in (0, 1)
    ran = knowact(capsys, "report", tmp_path / "logs", "--out", tmp_path)
    assert ran.code == 0, ran.said
    found: dict[str, Any] = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    assert len(found["runs"]) == len(RULES) * len(CASES[suite])
    for table in found["tables"]:
        heads = Counter(
            json.dumps({key: value for key, value in row.items() if isinstance(value, str)}, sort_keys=True)
            for row in table["rows"]
        )
        assert not [head for head, count in heads.items() if count > 1], table["id"]
    headline = found["tables"][0]["rows"]
    sides = Counter("published" in json.dumps(row) for row in headline)
    assert min(sides[True], sides[False]) > 0
    for figure in found["figures"]:
        drawn: list[dict[str, Any]] = figure["spec"]["data"]["values"] if figure["spec"] else []
        marks = Counter(json.dumps([one.get(key) for key in MARK]) for one in drawn)
        assert not [mark for mark, count in marks.items() if count > 1], figure["id"]


@pytest.mark.slow
def test_a_number_of_the_paper_is_counted_by_the_rules_of_its_own_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for rules in RULES:
        run = (
            "run",
            "fail-talms",
            "--model",
            "knowact/always-no",
            "--limit",
            "2",
            "--trials",
            "1",
            "--yes",
            "--rules",
            rules,
        )
        words = ("--setting", "unavailable-replaceable", "--log-dir", tmp_path / "logs")
        knowact(capsys, *run, *words)
    assert knowact(capsys, "report", tmp_path / "logs", "--out", tmp_path).code == 0
    found = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    tables = {one["id"]: one["rows"] for one in found["tables"]}
    aware = {
        row["model"]: row["value"]
        for row in tables["table-1"]
        if (row["setting"], row["measure"]) == ("unavailable-replaceable", "awareness")
    }
    assert aware == {"knowact/always-no": 1, "knowact/always-no, published rules": 0}
    models = Counter(row["model"] for row in tables["table-3"])
    assert set(models) == set(aware)
