"""Side by side and links, in a real browser."""

import dataclasses
import json
import re
from collections.abc import Sequence
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from knowact.core.table import Estimate, Paired, Row, Run, Table
from knowact.report.build import build
from knowact.report.page import page

from .report_double import make_input, make_run, make_suite, make_transcript
from .test_browser import CHROMIUM, opened

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium here; Debian has it as 'chromium'"),
]

STRANGE = ("a/b?c=d&e#f", "100 % sure", "</script><b>", "\u05e9\u05dc\u05d5\u05dd", "x+y z", "=1;'\"")
"""Names of items that a link has to hold."""

DRIVE = """
(async () => {
const seen = {};
const $ = (selector) => document.querySelector(selector);
const all = (selector) => [...document.querySelectorAll(selector)];
const until = async (said) => {
  for (let turn = 0; turn < 2000 && !said(); turn++) await new Promise((done) => setTimeout(done, 20));
  if (!said()) throw new Error(`never: ${said}`);
};
const press = (key) => $("#trial-dialog").dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
const press_button = (text) =>
  all("#trial-dialog header button").find((button) => button.textContent === text).click();
const close = () => press_button("Close");
const heading = () => $("#trial-dialog h3")?.textContent;
try {
  $("nav a[href='#sides']").click();
  await until(() => location.hash === "#sides");
  seen.count = $("#sides-count").textContent;
  $("#sides-table .open").click();
  await until(() => all(".pane").length === 2);
  seen.panes = all(".pane").map((pane) => pane.querySelectorAll(".turn").length);
  seen.names = all(".pane-name").map((name) => name.textContent);
  seen.first = heading();
  seen.link = location.hash;
  press("j");
  await until(() => heading() !== seen.first);
  seen.second = heading();
  press("k");
  await until(() => heading() === seen.first);
  press("k");
  seen.stays = heading();
  close();
  seen.back = location.hash;

  knowact.copy = (text) => (seen.copied = text);
  all("#trial-table .open")[2].click();
  await until(() => heading() !== seen.first && all(".turn").length > 0);
  seen.third = heading();
  press("ArrowLeft");
  await until(() => heading() !== seen.third);
  seen.before = heading();
  press_button("Copy link");
  close();

  $("[id$='table-paired'] [data-trace]").click();
  seen.discordant = $("#sides-count").textContent;
  seen.few = all("#sides-table .open").length;
  $("#sides-more button").click();
  seen.listed = all("#sides-table .open").map((open) => open.textContent);

  const lost = [];
  for (const item of knowact.data.items) {
    const { path, pairs } = knowact.parsed(knowact.trialLink(item));
    if (knowact.linkedTrial(path, Object.fromEntries(pairs)) !== item) lost.push(item.item);
  }
  seen.lost = lost;

  const box = $("#trial-controls input");
  box.value = "task-00";
  box.dispatchEvent(new Event("input"));
  seen.some = $("#trial-count").textContent;
  const link = knowact.trialsLink();
  box.value = "";
  box.dispatchEvent(new Event("input"));
  location.hash = link;
  await until(() => $("#trial-count").textContent === seen.some);
  seen.refilled = $("#trial-controls input").value;

  location.hash = "#fake/no such?run=none";
  await until(() => heading() === "Not in this report");
  seen.unknown = $("#trial-dialog .warning").textContent;
  close();
  location.hash = "#fake/%E0%A4%A";
  await until(() => $("#trial-dialog").open);
  seen.damaged = $("#trial-dialog .warning").textContent;
} catch (error) {
  seen.error = String(error);
}
document.documentElement.dataset.seen = JSON.stringify(seen);
})();
"""


def renamed(run: Run) -> Run:
    """The run with strange names for its last items."""
    kept = run.records[: -len(STRANGE)]
    strange = [
        dataclasses.replace(one, item=name)
        for one, name in zip(run.records[-len(STRANGE) :], STRANGE, strict=True)
    ]
    return dataclasses.replace(run, records=[*kept, *strange])


def discordant(a: Run, b: Run) -> list[str]:
    pairs = zip(a.records, b.records, strict=True)
    return [one.item for one, other in pairs if one.value("jaccard_know") != other.value("jaccard_know")]


def test_three_clicks_lead_to_both_transcripts_and_every_link_leads_back(tmp_path: Path) -> None:
    strong, weak = renamed(make_run("strong", 0.9)), renamed(make_run("weak", 0.4))

    def paired_table(runs: Sequence[Run]) -> Table:
        pair = Paired(runs[0].id, runs[1].id, ("jaccard_know",))
        row = Row({"model": "weak", "against": "strong"}, "McNemar p", Estimate(0.0217, 60), pair)
        return Table("paired", "Against the first", "knowact", (row,), percent=False)

    suite = dataclasses.replace(make_suite(), tables=(*make_suite().tables, paired_table))
    html = page(build(make_input([strong, weak], suite)))
    free = re.sub('<meta http-equiv="Content-Security-Policy"[^>]*>', "", html)
    before, end = free.rsplit("</body>", 1)
    driven = tmp_path / "driven.html"
    driven.write_text(f"{before}<script>{DRIVE}</script></body>{end}", encoding="utf-8", newline="")
    dom, console = opened(driven, tmp_path / "profile", 1280, budget=90_000)
    assert not console
    match = re.search(r'<html[^>]* data-seen="([^"]*)"', dom)
    assert match is not None
    seen: dict[str, Any] = json.loads(unescape(match[1]))
    assert "error" not in seen, seen["error"]

    differing = discordant(strong, weak)
    assert len(differing) > 5
    assert seen["count"].startswith(f"{len(differing)} of 60 trials")
    assert (seen["panes"], seen["names"]) == ([9, 9], ["A: strong", "B: weak"])
    assert seen["first"] == seen["stays"], "there is none before the first"
    assert seen["second"] != seen["first"]
    assert f"item={seen['first']}" in seen["link"]
    assert seen["back"] == "#sides", "the address is what it was before"
    assert seen["before"] == "task-001"
    assert seen["copied"].endswith("driven.html#fake/task-001?run=fake%2Feveryday%401-A%2Fstrong")
    assert seen["discordant"].startswith(f"{len(differing)} of 60 trials")
    assert (seen["few"], seen["listed"]) == (15, differing)
    assert seen["lost"] == []
    assert (seen["some"], seen["refilled"]) == ("20 of 120 trials", "task-00")
    assert seen["unknown"] == "This page has no trial fake/no such (run none)."
    assert seen["damaged"].startswith("The link is damaged")


def test_a_link_opens_the_page_as_shipped_at_its_trial_with_the_deciding_message_marked(
    tmp_path: Path,
) -> None:
    run = make_run("m", 0.5, size=8)
    source = make_input([run])

    def marked(_: Run, records: Sequence[Any]) -> list[Any]:
        found = [make_transcript(record) for record in records]
        return [
            dataclasses.replace(
                one,
                probes=((name, (dataclasses.replace(turns[0], decided="it <b>guessed</b>"), *turns[1:])),),
            )
            for one in found
            for name, turns in one.probes[:1]
        ]

    file = tmp_path / "plain.html"
    file.write_text(
        page(build(dataclasses.replace(source, transcripts=marked))), encoding="utf-8", newline=""
    )
    dom, console = opened(
        file, tmp_path / "profile", 1280, link="#fake/task-003?run=fake%2Feveryday%401-A%2Fm"
    )
    assert not console, "its Content-Security-Policy refuses nothing"
    assert re.search(r'<dialog id="trial-dialog"[^>]* open=""', dom)
    assert "<bdi>task-003</bdi></h3>" in dom
    assert dom.count("Failed here: it &lt;b&gt;guessed&lt;/b&gt;") == 1
