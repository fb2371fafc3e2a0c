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
document.querySelector("button.cell").click();
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


def opened(file: Path, profile: Path, width: int, link: str = "", budget: int = 8000) -> tuple[str, str]:
    """The page after its scripts have run, and what the console said; `link` is what follows its address.

    The browser's clock runs ahead while nothing happens, up to `budget` milliseconds.
    """
    assert CHROMIUM is not None
    given = [
        CHROMIUM,
        *FLAGS,
        f"--virtual-time-budget={budget}",
        f"--user-data-dir={profile}",
        f"--window-size={width},900",
        "--dump-dom",
        file.as_uri() + link,
    ]
    done = subprocess.run(given, capture_output=True, text=True, timeout=120, check=True)
    console = "\n".join(line for line in done.stderr.splitlines() if "CONSOLE" in line)
    return done.stdout, console


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
    assert dom.count('data-drawn="yes"') == 4
    assert 'data-drawn="no"' not in dom
    assert len(re.findall(r'aria-roledescription="bar"', dom)) > 40
    assert len(re.findall(r'aria-roledescription="rule', dom)) > 20, "intervals are drawn"
    assert 'aria-roledescription="point"' in dom

    # The driving script is not ours to allow, so it gets a copy without the policy.
    free = re.sub('<meta http-equiv="Content-Security-Policy"[^>]*>', "", html)
    before, end = free.rsplit("</body>", 1)
    driven.write_text(f"{before}<script>{DRIVE}</script></body>{end}", encoding="utf-8", newline="")
    frame.write_text(FRAME, encoding="utf-8")
    dom, console = opened(frame, tmp_path / "profile", 800)
    assert not console
    root = re.search("<html[^>]*>", dom)
    assert root is not None
    seen = dict(re.findall(r'data-(\w+)="([^"]*)"', root.group()))
    assert "error" not in seen
    assert seen["count"] == "20 of 242 trials"
    assert (seen["heading"], seen["turns"]) == ("task-000", "9")
    assert int(seen["found"]) > 0
    assert (seen["sorted"], seen["most"]) == ("descending", "4")
    assert int(seen["width"]) == 390
    assert int(seen["overflow"]) <= 0, "only tables scroll sideways"
    assert int(seen["charts"]) <= 0, "charts fit"
