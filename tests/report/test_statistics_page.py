"""The page of a data set's statistics: the report's own parts, without trials."""

import shutil
import subprocess
from pathlib import Path

import pytest

from knowact import suites
from knowact.core.condition import CLEAN
from knowact.core.suite import Item
from knowact.core.table import DatasetInfo
from knowact.report.statistics import Statistics, statistics, statistics_page, statistics_text
from mini_world import TASKS, TOOLS

from .reading_html import read_page

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")


@pytest.fixture(scope="module")
def found() -> Statistics:
    items = [Item(task, CLEAN, tuple(TOOLS[name] for name in task.offered), {}) for task in TASKS]
    return statistics(suites.find("kapro"), DatasetInfo("mini</script>", "1-A", "ab" * 32), items)


def test_it_holds_each_picture_and_table_that_has_something_to_show(found: Statistics) -> None:
    read = read_page(statistics_page(found))
    drawn = [figure for figure in found.figures if figure.spec]
    assert [spec["data"]["values"] for spec in read.payload["figures"]] == [
        figure.spec["data"]["values"] for figure in drawn
    ]
    assert len(read.all("div", class_="plot")) == len(drawn) == 3
    for table in found.tables:
        assert (table.title in read.text) == bool(table.rows)
    assert "9" in read.text
    assert read.unclosed == []
    assert "mini</script>" in read.text, "a name is text, whatever stands in it"


def test_counts_are_whole_numbers_in_page_and_terminal(found: Statistics) -> None:
    read = read_page(statistics_page(found))
    assert "9.00" not in read.text
    lines = [line.split() for line in statistics_text(found).splitlines()]
    assert ["tasks", "9"] in lines
    assert ["external", "1", "1", "1", "3"] in lines


@pytest.mark.skipif(CHROMIUM is None, reason="no browser here")
@pytest.mark.slow
def test_a_browser_draws_every_picture_and_refuses_nothing(found: Statistics, tmp_path: Path) -> None:
    file = tmp_path / "stats.html"
    file.write_text(statistics_page(found), encoding="utf-8", newline="")
    assert CHROMIUM is not None
    flags = ("--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr", "--dump-dom")
    done = subprocess.run(
        [
            CHROMIUM,
            *flags,
            "--virtual-time-budget=8000",
            f"--user-data-dir={tmp_path / 'profile'}",
            file.as_uri(),
        ],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        timeout=600,
    )
    assert 'data-ready="yes"' in done.stdout
    assert done.stdout.count('data-drawn="yes"') == 3
    assert done.stdout.count("Copy as LaTeX</button>") == sum(bool(table.rows) for table in found.tables)
    assert "CONSOLE" not in done.stderr, "nothing is refused or fails"
