"""The page in a real browser: charts are drawn, nothing is refused, three clicks lead to a transcript."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from knowact.report.build import build
from knowact.report.page import page

from .report_double import make_input, make_run

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--enable-logging=stderr",
)

DRIVE = """
(async () => {
const seen = (name, value) => (document.documentElement.dataset[name] = String(value));
addEventListener("error", (event) => seen("error", event.message));
document.querySelector("#suite-1 button.cell").click();
seen("count", document.getElementById("trial-count").textContent);
document.querySelector("#trial-table .open").click();
while (!document.querySelector("#trial-dialog .turn")) await new Promise((done) => setTimeout(done, 20));
seen("turns", document.querySelectorAll("#trial-dialog .turn").length);
seen("heading", document.querySelector("#trial-dialog h3").textContent);
document.getElementById("trial-dialog").close();
const find = document.querySelector("#trial-controls input");
find.value = "invented_tool task-0";
find.dispatchEvent(new Event("input"));
seen("found", document.querySelectorAll("#trial-table tbody tr").length);
document.querySelector("#trial-trace button").click();
[...document.querySelectorAll("#trial-table thead button")].find((b) => b.textContent === "Calls").click();
[...document.querySelectorAll("#trial-table thead button")].find((b) => b.textContent === "Calls").click();
seen("most", document.querySelector("#trial-table tbody td.number:last-child").textContent);
seen("sorted", document.querySelector("#trial-table [aria-sort]").getAttribute("aria-sort"));
setTimeout(() => {
  seen("width", innerWidth);
  seen("overflow", document.documentElement.scrollWidth - innerWidth);
  const plots = [...document.querySelectorAll(".plot")];
  seen("charts", Math.max(...plots.map((plot) => plot.scrollWidth - plot.clientWidth)));
  parent.postMessage({ ...document.documentElement.dataset }, "*");
}, 3000);
})();
"""

FRAME = """<!DOCTYPE html><meta charset="utf-8"><iframe src="driven.html" width="390" height="900"></iframe>
<script>
addEventListener("message", (event) => Object.assign(document.documentElement.dataset, event.data));
</script>"""
"""Chromium has no windows narrower than 500 pixels, but frames."""


def opened(
    file: Path, profile: Path, width: int, *flags: str, link: str = "", budget: int = 8000
) -> tuple[str, str]:
    """The page after its scripts have run, and what the console said; `link` is what follows its address.

    The browser's clock runs ahead while nothing happens, up to `budget` milliseconds.
    """
    assert CHROMIUM is not None
    given = [
        CHROMIUM,
        *FLAGS,
        *flags,
        f"--virtual-time-budget={budget}",
        f"--user-data-dir={profile}",
        f"--window-size={width},900",
        "--dump-dom",
        file.as_uri() + link,
    ]
    done = subprocess.run(given, capture_output=True, text=True, timeout=600, check=True)
    console = "\n".join(line for line in done.stderr.splitlines() if "CONSOLE" in line)
    return done.stdout, console


def with_script(html: str, script: str) -> str:
    """A copy without the policy, which allows no script but ours, and with another script."""
    before, end = re.sub('<meta http-equiv="Content-Security-Policy"[^>]*>', "", html).rsplit("</body>", 1)
    return f"{before}<script>{script}</script></body>{end}"


def seen_in(dom: str) -> dict[str, str]:
    """What a script left in the attributes of the root."""
    root = re.search("<html[^>]*>", dom)
    assert root is not None
    return dict(re.findall(r'data-(\w+)="([^"]*)"', root.group()))


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium here; Debian has it as 'chromium'")
def test_a_browser_draws_the_charts_and_leads_from_a_number_to_its_transcript(tmp_path: Path) -> None:
    runs = [
        make_run("gpt-5", 0.9),
        make_run("gpt-4o", 0.5, broken=2),
        make_run("qwen3", 0.3),
        make_run("o4", 0.7),
    ]
    html = page(build(make_input(runs)))
    plain, driven, frame = (tmp_path / f"{name}.html" for name in ("plain", "driven", "frame"))
    plain.write_text(html, encoding="utf-8", newline="")

    dom, console = opened(plain, tmp_path / "profile", 1280)
    assert not console, "as shipped, with its Content-Security-Policy, nothing is refused or fails"
    assert dom.count('data-drawn="yes"') == 2, "folded figures are drawn when somebody opens them"
    told = "Suite: KAPRO double; Run: gpt-5; knew, %: "
    assert dom.count(f'aria-label="{told}') == 1, "screen readers are told percent, run by run"

    driven.write_text(with_script(html, DRIVE), encoding="utf-8", newline="")
    frame.write_text(FRAME, encoding="utf-8")
    dom, console = opened(frame, tmp_path / "profile", 800)
    assert not console
    seen = seen_in(dom)
    assert "error" not in seen
    assert seen["count"] == "20 of 242 trials"
    assert (seen["heading"], seen["turns"]) == ("task-000", "9")
    assert int(seen["found"]) > 0
    assert (seen["sorted"], seen["most"]) == ("descending", "4")
    assert int(seen["width"]) == 390
    assert int(seen["overflow"]) <= 0, "only tables scroll sideways"
    assert int(seen["charts"]) <= 0, "charts fit"


UNFOLD = """
const seen = (name, value) => (document.documentElement.dataset[name] = String(value));
addEventListener("error", (event) => seen("error", event.message));
seen("height", document.documentElement.scrollHeight);
seen("overview", document.getElementById("overview").getBoundingClientRect().bottom);
location.hash = "#suite-1-table-quadrants";
setTimeout(() => {
  const folded = document.getElementById("suite-1-table-quadrants");
  seen("opened", folded.open);
  seen("others", document.querySelectorAll("details.part:not([open])").length);
  const head = [...folded.querySelectorAll("thead th")].find((one) => one.textContent.startsWith("Kc/Ac"));
  const at = head.cellIndex;
  const rows = folded.querySelector("tbody").rows;
  const shown = () => [...rows].map((row) => Number.parseFloat(row.cells[at].innerText));
  head.querySelector("button.sort").click();
  seen("down", shown().join(" "));
  head.querySelector("button.sort").click();
  seen("up", shown().join(" "));
  seen("sorted", head.getAttribute("aria-sort"));
  location.hash = head.querySelector("a.term").hash;
  for (const one of document.querySelectorAll("details")) one.open = true;
}, 500);
setTimeout(() => {
  seen("term", document.querySelector("dt:target")?.textContent ?? "");
  const boxes = [...document.querySelectorAll("main .scroll:not(#trials .scroll)")];
  seen("sideways", boxes.filter((box) => box.scrollWidth > box.clientWidth).length);
  seen("boxes", boxes.length);
}, 4000);
"""


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium here; Debian has it as 'chromium'")
def test_links_unfold_tables_sort_and_none_scrolls_sideways_with_six_models(tmp_path: Path) -> None:
    names = ("openai/gpt-5-mini-2025-08-07", "anthropic/claude-sonnet-4-5", "google/gemini-3-pro-preview")
    runs = [make_run(name, 0.2 + place / 10) for place, name in enumerate((*names, "x/a", "x/b", "x/c"))]
    file = tmp_path / "page.html"
    file.write_text(with_script(page(build(make_input(runs))), UNFOLD), encoding="utf-8", newline="")
    dom, console = opened(file, tmp_path / "profile", 1280)
    assert not console
    assert dom.count('data-drawn="yes"') == 5
    assert 'data-drawn="no"' not in dom
    assert len(re.findall(r'aria-roledescription="bar"', dom)) > 40
    assert len(re.findall(r'aria-roledescription="rule', dom)) > 20, "intervals are drawn"
    assert 'aria-roledescription="point"' in dom
    seen = seen_in(dom)
    assert "error" not in seen
    assert float(seen["overview"]) < 900, "the first screen holds the overview"
    assert (seen["opened"], int(seen["others"]) > 4) == ("true", True)
    down = [float(one) for one in seen["down"].split()]
    assert len(set(down)) > 3
    assert down == sorted(down, reverse=True)
    assert [float(one) for one in seen["up"].split()] == sorted(down)
    assert seen["sorted"] == "ascending"
    assert seen["term"] == "Kc/Ac"
    assert (seen["sideways"], int(seen["boxes"]) >= 5) == ("0", True)
