"""Five things that readers come for, each in at most three clicks from the first screen of a real page."""

import json
import re
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from knowact.cli.main import run
from knowact.core.rounding import number_text
from knowact.measures.profile import ALL_SUITES, PROFILE
from knowact.report.as_latex import table_latex
from knowact.report.build import Report
from knowact.report.page import page
from knowact.running.sources import make_report, runs_at

from .test_browser import CHROMIUM, FRAME, opened, seen_in, with_script

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium here; Debian has it as 'chromium'"),
]

AGENTS = {"fail-talms": ("always-act", "always-no", "oracle"), "ict": ("always-act", "always-no", "oracle")}
"""Agents that a suite is run with. The first one admits nothing, and is not right where the others are."""

MOST = 3
"""Clicks."""

HANDS = """
const seen = { clicks: 0 };
const $ = (selector, within = document) => within.querySelector(selector);
const all = (selector, within = document) => [...within.querySelectorAll(selector)];
const until = async (said) => {
  for (let turn = 0; turn < 2000 && !said(); turn++) await new Promise((done) => setTimeout(done, 20));
  if (!said()) throw new Error(`never: ${said}`);
};
const inSight = (part) => {
  const { top, bottom, width } = part.getBoundingClientRect();
  return width > 0 && top < innerHeight && bottom > 0;
};
// Whatever a hand cannot reach is no click: hidden, disabled, or below something else.
const click = async (part) => {
  seen.clicks += 1;
  part.scrollIntoView({ block: "center", behavior: "instant" });
  const { left, top, width, height } = part.getBoundingClientRect();
  const hit = document.elementFromPoint(left + width / 2, top + height / 2);
  if (!part.contains(hit) || part.disabled) throw new Error(`out of reach: ${part.outerHTML.slice(0, 200)}`);
  part.click();
  await new Promise((done) => setTimeout(done, 100));
};
const choose = async (part, label, value) => {
  seen.clicks += 1;
  const box = $("select", all(`#${part} label`).find((one) => $("span", one).textContent === label));
  if (box.getBoundingClientRect().width === 0) throw new Error(`folded: ${label}`);
  box.value = value;
  box.dispatchEvent(new Event("change"));
};
const contents = (title) =>
  click(all("nav.contents a").find((one) => one.textContent === title && inSight(one)));
const button = (text, within = document) => all("button", within).find((one) => one.textContent === text);
const wait = () => until(() => document.documentElement.dataset.ready && $("#trial-table tbody tr"));
knowact.copy = (text) => (seen.copied = text);
const task = async (work) => {
  try {
    await wait();
    await work();
  } catch (error) {
    seen.error = String(error);
  }
  document.documentElement.dataset.seen = JSON.stringify(seen);
};
"""


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Report:
    logs = tmp_path_factory.mktemp("five-tasks")
    for suite, agents in AGENTS.items():
        chosen = [word for agent in agents for word in ("--model", f"knowact/{agent}")]
        assert run(["run", suite, *chosen, "--limit", "12", "--yes", "--log-dir", str(logs)]) in (0, 1, 2)
    return make_report(runs_at([logs]))


@pytest.fixture(scope="module")
def html(report: Report) -> str:
    return page(report)


def told(html: str, task: str, folder: Path, link: str = "") -> dict[str, Any]:
    """What a script saw on the page, having clicked no more than it may."""
    file = folder / "page.html"
    file.write_text(
        with_script(html, f"{HANDS}\ntask(async () => {{{task}}});"), encoding="utf-8", newline=""
    )
    dom, console = opened(file, folder / "profile", 1280, link=link, budget=60_000)
    assert not console
    match = re.search(r'<html[^>]* data-seen="([^"]*)"', dom)
    assert match is not None
    seen: dict[str, Any] = json.loads(unescape(match[1]))
    assert "error" not in seen, seen["error"]
    assert seen["clicks"] <= MOST
    return seen


def test_which_model_is_best_at_admitting_what_it_lacks_and_how_sure_is_that(
    report: Report, html: str, tmp_path: Path
) -> None:
    seen = told(
        html,
        """
        await contents("Profiles");
        const table = $("#together-table-profile table");
        const heads = all("thead tr:first-child th", table);
        seen.group = heads[0].textContent.trim();
        const named = (one) => $("a.term", one)?.textContent;
        const head = all("thead tr:last-child > *", table).find((one) => named(one) === "admits");
        seen.meaning = $("a.term", head).title;
        await click($("button.sort", head));
        const [first] = $("tbody", table).rows;
        seen.best = first.cells[0].textContent;
        const cell = first.cells[head.cellIndex];
        seen.value = $(".value", cell).textContent;
        seen.bold = $(".value", cell).classList.contains("best");
        seen.spread = $(".spread", cell).textContent;
        seen.sight = inSight(cell);
        """,
        tmp_path,
    )
    (table,) = (one for one in report.tables if one.id == PROFILE)
    found = {
        row.keys["model"]: row.estimate
        for row in table.rows
        if (row.keys["suite"], row.measure) == (ALL_SUITES, "admits")
    }
    values = {model: one.value or 0.0 for model, one in found.items()}
    best = max(values.values())
    assert min(values.values()) < best
    leader = found[seen["best"]]
    assert leader.value == best
    assert seen["group"].startswith(ALL_SUITES)
    assert seen["value"] == number_text(best, percent=True)
    assert leader.low is not None
    assert seen["spread"].startswith(f"[{number_text(leader.low, percent=True, places=0)}, ")
    assert "where a tool or its result is missing" in seen["meaning"].lower()
    assert seen["bold"], "all were on the same suites, so that their means can be ranked"
    assert seen["sight"]


def test_an_item_where_one_model_is_right_and_the_other_is_not_with_both_transcripts(
    html: str, tmp_path: Path
) -> None:
    seen = told(
        html,
        """
        await contents("Side by side");
        await choose("sides", "Better", "b");
        const row = $("#sides-table tbody tr");
        seen.values = all("td.number", row).map((one) => one.textContent);
        seen.why = all("td.reason", row).map((one) => one.textContent);
        await click($(".open", row));
        await until(() => all(".pane").length === 2);
        seen.names = all(".pane-name").map((one) => one.textContent);
        seen.beside = all(".pane").map((one) => Math.round(one.getBoundingClientRect().top));
        seen.turns = all(".pane").map((one) => all(".turn", one).length);
        seen.failed = all(".pane").map((one) => all(".failure", one).length);
        """,
        tmp_path,
    )
    assert seen["values"] == ["0", "1"]
    assert len(seen["why"][0]) > len("nothing")
    assert seen["names"] == ["A: knowact/always-act", "B: knowact/always-no"]
    assert seen["beside"][0] == seen["beside"][1]
    assert min(seen["turns"]) > 0
    assert seen["failed"][0] > 0


def test_why_this_trial_failed_at_the_message_that_decided_it(html: str, tmp_path: Path) -> None:
    seen = told(
        html,
        """
        await contents("Trials");
        const heads = all("#trial-table thead th").map((one) => one.textContent);
        const acted = heads.indexOf("Acted");
        const rows = all("#trial-table tbody tr");
        const failed = rows.find((row) => row.cells[acted].textContent === "no");
        seen.name = $(".open", failed).textContent;
        await click($(".open", failed));
        await until(() => $("#trial-dialog .failure"));
        seen.heading = $("#trial-dialog h3").textContent;
        seen.why = $("#trial-dialog .failure").firstChild.textContent;
        await click(button("Show the message", $("#trial-dialog")));
        const turn = $("#trial-dialog .turn.deciding");
        seen.marked = $(".decided", turn).textContent;
        seen.text = turn.textContent.length;
        seen.sight = inSight($(".decided", turn));
        """,
        tmp_path,
    )
    assert seen["heading"] == seen["name"]
    assert seen["why"].startswith("Failed: ")
    assert (
        seen["why"].removeprefix("Failed: ").strip() == seen["marked"].removeprefix("Failed here: ").strip()
    )
    assert seen["text"] > len(seen["marked"]), "the message itself stands there"
    assert seen["sight"]


def test_the_main_tables_as_latex(report: Report, html: str, tmp_path: Path) -> None:
    seen = told(html, 'await click(button("Copy as LaTeX")); await until(() => seen.copied);', tmp_path)
    assert seen["clicks"] == 1
    (headlines,) = (one for one in report.tables if one.id == "headlines")
    assert seen["copied"] == table_latex(headlines, {})
    seen = told(
        html,
        """
        await contents("ICT");
        await click(button("Copy as LaTeX", $("#suite-2")));
        await until(() => seen.copied);
        """,
        tmp_path,
    )
    section = next(one for one in report.sections if one.suite.name == "ict")
    main = next(one for one in section.tables if one.rows)
    assert seen["copied"] == table_latex(main, section.suite.terms)
    assert "\\toprule" in seen["copied"]


VIEW = """
seen.count = $("#trial-count").textContent;
seen.rows = all("#trial-table tbody tr").map((row) => row.textContent);
"""


def test_the_link_to_exactly_this_view(html: str, tmp_path: Path) -> None:
    seen = told(
        html,
        f"""
        await contents("Trials");
        await choose("trials", "Acted", "no");
        await click($("#trial-count + .link"));
        {VIEW}
        """,
        tmp_path,
    )
    address, _, link = seen["copied"].partition("#")
    assert address.endswith("page.html")
    shown, total = (int(one) for one in re.findall(r"\d+", seen["count"]))
    assert 0 < shown < total
    again = told(html, f"{VIEW} seen.sight = inSight($('#trials h2'));", tmp_path, f"#{link}")
    assert (again["clicks"], again["count"], again["rows"]) == (0, seen["count"], seen["rows"])
    assert again["sight"]


def test_on_a_phone_only_tables_scroll_sideways(html: str, tmp_path: Path) -> None:
    script = """
    until(() => document.documentElement.dataset.ready).then(() => {
      const over = document.documentElement.scrollWidth - innerWidth;
      parent.postMessage({ width: innerWidth, over }, "*");
    });
    """
    (tmp_path / "driven.html").write_text(with_script(html, HANDS + script), encoding="utf-8", newline="")
    frame = tmp_path / "frame.html"
    frame.write_text(FRAME, encoding="utf-8")
    dom, console = opened(frame, tmp_path / "profile", 800, budget=20_000)
    assert not console
    seen = seen_in(dom)
    assert seen["width"] == "390"
    assert int(seen["over"]) <= 0
