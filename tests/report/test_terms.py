"""Every word in the head of a table is explained, and every explanation is of a word that can occur."""

import json
from pathlib import Path

import pytest

from knowact import suites
from knowact.cli.main import run
from knowact.cli.sources import make_report, runs_at
from knowact.measures.terms import SHARED

NAMES = ("kapro", "ict", "fail_talms", "car")

FREE = ("with ", "means ")
"""How measures begin that are named after flags; a table of flags explains them in its note."""


@pytest.mark.parametrize("name", NAMES)
def test_a_suite_explains_words_and_says_what_is_good(name: str) -> None:
    terms = suites.find(name).terms
    assert len(terms) > 20
    for word, term in {**SHARED, **terms}.items():
        assert term.meaning.endswith("."), word
        assert term.better in {"higher", "lower", ""}


@pytest.mark.slow
def test_every_measure_of_the_four_suites_is_explained_on_the_page(tmp_path: Path) -> None:
    for name in NAMES:
        words = [
            "run",
            name.replace("_", "-"),
            "--model",
            "knowact/oracle",
            "--yes",
            "--log-dir",
            str(tmp_path),
        ]
        assert run([*words, "--limit", "2"]) in (0, 1, 2)
    report = make_report(runs_at([tmp_path]))
    assert {section.suite.name for section in report.sections} == set(NAMES)
    unexplained = {
        (section.suite.name, table.id, row.measure)
        for section in report.sections
        for table in section.tables
        for row in table.rows
        if row.measure not in section.suite.terms
        and row.measure not in SHARED
        and not row.measure.startswith(FREE)
    }
    assert unexplained == set(), json.dumps(sorted(unexplained), indent=1)
