import base64
import dataclasses
import hashlib

import pytest

from knowact.core.table import Estimate, Row, Run, Table, Term
from knowact.report.build import Report, build
from knowact.report.glossary import Glossary
from knowact.report.html_table import TableLinks, html_table
from knowact.report.page import page

from .reading_html import PageRead, read_page
from .report_double import always, make_input, make_run, make_suite


def report_of(*runs: Run) -> Report:
    return build(make_input(runs))


@pytest.fixture(scope="module")
def read() -> PageRead:
    runs = [make_run("gpt-5", 0.9), make_run("gpt-4o", 0.5, broken=2), make_run("dead", 0, size=0, broken=4)]
    return read_page(page(report_of(*runs)))


def test_the_summary_comes_before_every_number_table(read: PageRead) -> None:
    summary = read.text.index("mark-everything on internal tasks")
    assert summary < read.text.index("KAPRO, Table 3")


def test_it_says_scored_of_planned_endings_and_what_not_to_quote(read: PageRead) -> None:
    assert "Scored 60 of 62 planned trials, lost 2." in read.text
    assert "answered 60, instrument error 2" in read.text
    assert "Do not quote: 2 of 62" in read.text
    assert "If all 2 lost trials were wrong" in read.text
    assert "None of the 4 planned trials was scored. The endpoint answered 500." in read.text
    assert "No headline." in read.text
    assert "logs/fake/gpt-5/2026-01-01.eval" in read.text, "superseded logs are named"


def test_every_number_leads_to_trials_and_tells_n_and_interval(read: PageRead) -> None:
    cells = read.all("button", class_="cell")
    assert len(cells) == len(read.payload["traces"]) > 50
    assert [int(cell["data-trace"]) for cell in cells] == list(range(len(cells)))
    assert all("n = " in cell["title"] for cell in cells)
    said = "94.00; 95 % interval 73.88 to 100.00 (cluster bootstrap); n = 20."
    (first, *_) = (place for place, cell in enumerate(cells) if cell["title"].startswith(said))
    assert read.payload["traces"][first]["where"] == [["model", "gpt-5"], ["label:boundary", "external"]]


@pytest.mark.parametrize("highest", [True, False])
def test_the_highest_is_bold_only_where_more_is_better(*, highest: bool) -> None:
    rows = tuple(
        Row({"model": name}, "share", Estimate(value, 9)) for name, value in (("a", 0.1), ("b", 0.9))
    )
    table = Table("t", "T", "knowact", rows, highest=highest)
    shown = str(html_table(table, "t", TableLinks(Glossary().words(), None, [])))
    assert shown.count('class="value best"') == int(highest)
    assert ("bold: best" in shown) is highest


def test_the_lowest_is_bold_where_a_term_says_that_less_is_better() -> None:
    rows = tuple(
        Row({"model": name}, "fabrication", Estimate(value, 9)) for name, value in (("a", 0.1), ("b", 0.9))
    )
    suite = dataclasses.replace(make_suite(), terms={"fabrication": Term("It made something up.", "lower")})
    shown = str(
        html_table(Table("t", "T", "knowact", rows), "t", TableLinks(Glossary().words(suite), None, []))
    )
    assert '<span class="value best">10.0</span>' in shown
    assert shown.count("value best") == 1


def test_a_table_that_is_too_wide_falls_into_parts_and_keeps_every_number() -> None:
    rows = tuple(
        Row({"model": "m", "part": f"part {part}"}, f"measure {number}", Estimate(part / 10, 9, 0.0, 1.0))
        for part in range(4)
        for number in range(9)
    )
    wanted = TableLinks(Glossary().words(), None, [])
    whole = str(html_table(Table("t", "T", "s", rows[:9], ("part",)), "t", wanted))
    parts = str(html_table(Table("t", "T", "s", rows, ("part",)), "t", wanted))
    assert (whole.count("<table"), parts.count("<table")) == (1, 4)
    assert parts.count('class="value"') == 36
    assert [f">part {part}</h4>" in parts for part in range(4)] == [True] * 4


def test_an_n_that_is_the_same_everywhere_is_said_once() -> None:
    rows = tuple(
        Row({"model": model}, measure, Estimate(0.5, n))
        for model, measure, n in (("a", "x", 7), ("b", "x", 7), ("a", "y", 8), ("b", "y", 9))
    )
    wanted = TableLinks(Glossary().words(), None, [])
    same = str(html_table(Table("t", "T", "s", rows[:2]), "t", wanted))
    mixed = str(html_table(Table("t", "T", "s", rows), "t", wanted))
    assert same.count("n 7") == 1
    assert (mixed.count("n\N{NO-BREAK SPACE}7"), mixed.count("n 8"), mixed.count("n 9")) == (1, 1, 1)


def test_a_suite_shows_one_table_and_one_figure_and_folds_the_rest(read: PageRead) -> None:
    tables = [one["id"] for one in read.all("section", class_="table") if one["id"] != "trials"]
    figures = [one["id"] for one in read.all("section", class_="figure")]
    assert tables == ["suite-1-table-main"]
    assert figures == ["overview-knows-against-acts", "suite-1-figure-kas-topology"]
    folded = read.all("details", class_="part table") + read.all("details", class_="part figure")
    assert {one["id"] for one in folded} >= {"suite-1-table-quadrants", "suite-1-figure-shift"}
    assert not [given for name, given in read.tags if name == "details" and "open" in given]


def test_the_sentences_of_many_runs_are_folded() -> None:
    few, many = (
        read_page(page(report_of(*(make_run(f"m{place}", 0.8, size=3) for place in range(count)))))
        for count in (4, 5)
    )
    assert (len(few.all("ul", class_="verdicts")), len(many.all("ul", class_="verdicts"))) == (1, 0)
    assert len(many.all("article", class_="run")) == 5


def test_figures_carry_their_specification(read: PageRead) -> None:
    places = [int(given["data-figure"]) for given in read.all("div", class_="plot")]
    assert places == [4, 0, 1, 2, 3], "the first screen's belongs to all suites"
    assert all(spec["data"]["values"] for spec in read.payload["figures"])


def test_a_figure_with_nothing_to_draw_says_so() -> None:
    read = read_page(page(report_of(make_run("dead", 0, size=0, broken=2))))
    assert "Not measured in these runs" in read.text
    assert len(read.all("div", class_="plot")) < 4


def test_contents_lead_to_places_that_exist_once(read: PageRead) -> None:
    ids = [given["id"] for _, given in read.tags if "id" in given]
    assert len(ids) == len(set(ids))
    links = [given["href"] for given in read.all("a")]
    assert len(links) > 8
    assert {link.removeprefix("#") for link in links} <= set(ids)


def test_it_is_built_for_screen_readers_and_keyboards(read: PageRead) -> None:
    names = [name for name, _ in read.tags]
    assert [names.count(name) for name in ("header", "nav", "main", "footer", "h1")] == [1, 1, 1, 1, 1]
    assert all("scope" in given for given in read.all("th"))
    assert all(given.get("tabindex") == "0" for given in read.all("div", class_="scroll"))
    assert read.all("html")[0]["lang"] == "en"
    assert not read.unclosed


def test_only_our_own_scripts_may_run_and_nothing_may_be_fetched(read: PageRead) -> None:
    policy = [given for given in read.all("meta") if "http-equiv" in given]
    rules = dict(rule.strip().split(" ", 1) for rule in policy[0]["content"].split(";"))
    assert rules["default-src"] == "'none'"
    assert "unsafe" not in rules["script-src"]
    run = [script for script in read.scripts if script.strip()]
    hashes = {base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in run}
    assert {f"'sha256-{digest}'" for digest in hashes} == set(rules["script-src"].split())
    assert not [given for _, given in read.tags if "src" in given or given.get("href", "#")[0] != "#"]
    assert not [key for _, given in read.tags for key in given if key.startswith("on")]


def test_an_empty_report_is_a_page_too() -> None:
    read = read_page(page(build(make_input([]))))
    assert "No run was found" in read.text
    assert read.trials == []
    assert not [script for script in read.scripts if script.strip()]


def test_an_empty_table_says_that_nothing_was_measured() -> None:
    suite = dataclasses.replace(make_suite(), tables=(always(Table("t", "T", "s", ())),), figures=())
    read = read_page(page(build(make_input([make_run("m", 0.8, size=2)], suite))))
    assert "Not measured in these runs" in read.text


def test_a_change_shows_its_plus_only_in_measures_that_have_a_minus() -> None:
    rows = tuple(
        Row({"model": model}, measure, Estimate(value, 9))
        for model, measure, value in [("a", "KAS", 0.5), ("a", "DirGap", 0.25), ("b", "DirGap", -0.25)]
    )
    suite = dataclasses.replace(make_suite(), tables=(always(Table("t", "T", "s", rows)),), figures=())
    read = read_page(page(build(make_input([make_run("m", 0.8, size=2)], suite))))
    assert "a 50.0 +25.0" in read.text
    assert "b \N{MINUS SIGN}25.0" in read.text


def test_several_suites_share_a_page() -> None:
    one, other = make_suite("one", "First suite"), make_suite("other", "Second suite")
    runs = [(s, [make_run("m", 0.8, size=6, suite=s.name)]) for s in (one, other)]
    read = read_page(page(build(dataclasses.replace(make_input([]), suites=runs))))
    assert "First suite and Second suite" in read.text
    assert len(read.all("div", class_="plot")) == len(read.payload["figures"]) == 9
    assert {trace["suite"] for trace in read.payload["traces"]} == {"one", "other"}


def test_equal_reports_give_equal_pages() -> None:
    assert page(report_of(make_run("m", 0.8))) == page(report_of(make_run("m", 0.8)))
