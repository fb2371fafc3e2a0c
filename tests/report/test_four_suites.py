"""The page of the four suites: every word in a table's head is explained, and the grey scale is true."""

from dataclasses import replace
from itertools import cycle
from pathlib import Path

import pytest

from knowact import suites
from knowact.cli.main import run
from knowact.core.table import Run, Table
from knowact.report.best import SHARED
from knowact.report.build import Report
from knowact.report.page import page
from knowact.running.sources import make_report, runs_at

from .test_browser import CHROMIUM, opened, seen_in, with_script

NAMES = ("kapro", "ict", "fail_talms", "car")

POLICY = {"kapro": ("eager", "always call"), "ict": ("always-act", "always call")}
"""Built-in agents that do what a policy of the scale does."""

SIX = (
    *("openai/gpt-5-mini-2025-08-07", "anthropic/claude-sonnet-4-5-20250929", "google/gemini-3-pro-preview"),
    *(
        "together/meta-llama/Llama-4-Maverick-17B-128E-Instruct",
        "hf/Qwen/Qwen3-235B-A22B-Thinking-2507",
        "x/a",
    ),
)

WIDTHS = """
const root = document.documentElement.dataset;
addEventListener("error", (event) => (root.error = event.message));
for (const one of document.querySelectorAll("details")) one.open = true;
const wide = (box) => box.scrollWidth > box.clientWidth;
const name = (box) => box.closest("[id]").id;
const said = [];
(async () => {
  for (const { suite } of knowact.blocks()) {
    Object.assign(knowact.trials, { chosen: { suite } });
    knowact.renderTrials();
    if (wide(document.querySelector("#trials .scroll"))) said.push(`trials of ${suite}`);
  }
  await new Promise((done) => setTimeout(done, 3000));
  said.push(...[...document.querySelectorAll("main .scroll")].filter(wide).map(name));
  root.sideways = said.join(" ");
  root.boxes = document.querySelectorAll("main .scroll").length;
  const [first, second] = document.querySelectorAll("#suite-3 > .table .piece");
  root.beside = first.offsetTop === second.offsetTop;
})();
"""

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
def runs(tmp_path_factory: pytest.TempPathFactory) -> list[Run]:
    logs = tmp_path_factory.mktemp("four-suites")
    for name in NAMES:
        models = ["oracle", *POLICY.get(name, ())[:1]]
        chosen = [word for model in models for word in ("--model", f"knowact/{model}")]
        words = ["run", name.replace("_", "-"), *chosen, "--limit", "3", "--yes", "--log-dir", str(logs)]
        assert run(words) in (0, 1, 2)
    return runs_at([logs])


@pytest.fixture(scope="module")
def report(runs: list[Run]) -> Report:
    return make_report(runs)


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
def test_no_two_parts_of_a_suite_have_one_title(report: Report) -> None:
    for section in report.sections:
        parts = [*section.tables, *section.figures]
        shown = [part.title for part in parts if (part.rows if isinstance(part, Table) else part.spec)]
        assert len(set(shown)) == len(shown), section.suite.name


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


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium here; Debian has it as 'chromium'")
def test_no_table_scrolls_sideways_with_six_models(runs: list[Run], tmp_path: Path) -> None:
    six = [
        replace(run, model=model, id=f"{name}-{place}")
        for name in NAMES
        for own in [[run for run in runs if run.suite == name]]
        for place, (model, run) in enumerate(zip(SIX, cycle(own), strict=False))
    ]
    file = tmp_path / "page.html"
    text = with_script(page(make_report(six)), WIDTHS)
    file.write_text(text, encoding="utf-8", newline="")
    dom, console = opened(file, tmp_path / "profile", 1280, budget=20_000)
    assert not console
    seen = seen_in(dom)
    assert "error" not in seen
    assert seen["sideways"] == ""
    assert int(seen["boxes"]) > 40
    assert seen["beside"] == "true", "parts of a table stand beside each other where there is room"
