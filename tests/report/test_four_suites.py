"""The page of the four suites: every word in a table's head is explained, and the grey scale is true."""

import pytest

from knowact import suites
from knowact.cli.main import run
from knowact.cli.sources import make_report, runs_at
from knowact.report.best import SHARED
from knowact.report.build import Report

NAMES = ("kapro", "ict", "fail_talms", "car")

POLICY = {"kapro": ("eager", "always call"), "ict": ("always-act", "always call")}
"""Built-in agents that do what a policy of the scale does."""

FLAGS = ("with ", "means ")
"""How measures begin that are named after flags; their tables explain them in their notes."""


@pytest.mark.parametrize("name", NAMES)
def test_a_suite_explains_words_and_says_what_is_good(name: str) -> None:
    terms = suites.find(name).terms
    assert len(terms) > 20
    for word, term in {**SHARED, **terms}.items():
        assert term.meaning.endswith("."), word
        assert term.better in {"higher", "lower", ""}


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Report:
    logs = tmp_path_factory.mktemp("four-suites")
    for name in NAMES:
        models = ["oracle", *POLICY.get(name, ())[:1]]
        chosen = [word for model in models for word in ("--model", f"knowact/{model}")]
        words = ["run", name.replace("_", "-"), *chosen, "--limit", "3", "--yes", "--log-dir", str(logs)]
        assert run(words) in (0, 1, 2)
    return make_report(runs_at([logs]))


@pytest.mark.slow
def test_every_measure_of_the_four_suites_is_explained(report: Report) -> None:
    assert {section.suite.name for section in report.sections} == set(NAMES)
    unexplained = {
        (section.suite.name, table.id, row.measure)
        for section in report.sections
        for table in section.tables
        for row in table.rows
        if row.measure not in {*section.suite.terms, *SHARED} and not row.measure.startswith(FLAGS)
    }
    assert unexplained == set()


@pytest.mark.slow
def test_reference_agents_reach_the_ends_of_the_grey_scale(report: Report) -> None:
    found = {(line.name, suite): one for line in report.overview.lines for suite, one in line.placed.items()}
    for suite in NAMES:
        placed = found["oracle", suite]
        assert placed.headline.value == pytest.approx(placed.ceiling), suite
        assert placed.policies
        assert placed.floor is not None
        assert placed.floor < 1
    for suite, (agent, policy) in POLICY.items():
        placed = found[agent, suite]
        assert placed.headline.value == pytest.approx(placed.policies[policy]), suite
