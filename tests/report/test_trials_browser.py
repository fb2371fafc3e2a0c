"""The table of trials in a real browser: of one suite, a page of rows at a time, filtered."""

import json
import re
from dataclasses import replace
from html import unescape
from pathlib import Path

import pytest

from knowact.report.build import build
from knowact.report.page import page

from .report_double import make_input, make_run, make_suite
from .test_browser import CHROMIUM, opened

DRIVE = """
const seen = {};
const part = (selector) => document.querySelector(selector);
const parts = (selector) => [...document.querySelectorAll(selector)];
const controls = () => parts("#trial-controls label > span").map((one) => one.textContent);
const choose = (title, value) => {
  const found = parts("#trial-controls label").find((one) => one.textContent.startsWith(title));
  const box = found.querySelector("select, input");
  box.value = value;
  box.dispatchEvent(new Event(box.tagName === "INPUT" ? "input" : "change"));
};
const press = (text) => parts("#trial-more button").find((one) => one.textContent === text).click();
const state = () => ({
  count: part("#trial-count").textContent,
  rows: document.querySelectorAll("#trial-table tbody tr").length,
  first: part("#trial-table tbody th")?.textContent ?? null,
  shown: part("#trial-more span")?.textContent ?? null,
});
addEventListener("error", (event) => (seen.error = event.message));
const waiting = setInterval(() => {
  if (!part("#trial-table tbody tr")) return;
  clearInterval(waiting);
  seen.start = state();
  seen.controls = controls();
  press("Next");
  seen.next = state();
  press("Last");
  seen.last = state();
  choose("Outcome of act", "instrument_error");
  seen.failed = state();
  choose("Outcome of act", "");
  choose("Search", "INVENTED_tool task-07");
  seen.searched = state();
  choose("Search", "nowhere");
  seen.none = state();
  choose("Search", "");
  choose("Suite", "other");
  seen.other = state();
  seen.link = knowact.trialsLink();
  document.documentElement.dataset.seen = JSON.stringify(seen);
}, 50);
"""


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium here; Debian has it as 'chromium'")
def test_trials_of_one_suite_are_paged_filtered_and_searched(tmp_path: Path) -> None:
    runs = [make_run("gpt-5", 0.9, size=150), make_run("gpt-4o", 0.5, size=100, broken=2)]
    source = make_input(runs)
    other = (make_suite("other"), [make_run("gpt-5", 0.4, suite="other")])
    html = page(build(replace(source, suites=[*source.suites, other])))
    free = re.sub('<meta http-equiv="Content-Security-Policy"[^>]*>', "", html)
    before, end = free.rsplit("</body>", 1)
    file = tmp_path / "driven.html"
    file.write_text(f"{before}<script>{DRIVE}</script></body>{end}", encoding="utf-8", newline="")
    dom, console = opened(file, tmp_path / "profile", 1280)
    assert not console
    (said,) = re.findall(r'data-seen="([^"]*)"', dom)
    seen = json.loads(unescape(said))
    assert "error" not in seen
    assert seen["start"] == {
        "count": "252 trials",
        "rows": 100,
        "first": "task-000",
        "shown": "1 to 100 of 252",
    }
    assert seen["controls"][:3] == ["Suite", "Search", "Outcome of act"]
    assert (seen["next"]["first"], seen["next"]["shown"]) == ("task-100", "101 to 200 of 252")
    assert (seen["last"]["rows"], seen["last"]["shown"]) == (52, "201 to 252 of 252")
    assert seen["failed"] == {"count": "2 of 252 trials", "rows": 2, "first": "broken-0", "shown": None}
    invented = [
        record.item
        for run in runs
        for record in run.records
        if "invented_tool" in record.flags and "task-07" in record.item
    ]
    assert invented
    assert seen["searched"]["count"] == f"{len(invented)} of 252 trials"
    assert seen["searched"]["first"] == invented[0]
    assert seen["none"] == {"count": "0 of 252 trials", "rows": 0, "first": None, "shown": None}
    assert seen["other"]["count"] == "60 trials"
    assert seen["link"] == "#trials?suite=other"
