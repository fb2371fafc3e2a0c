"""The page for readers with different eyes and aims: no barriers, figures to keep, tables to copy."""

import base64
import hashlib
import html
import json
import re
from pathlib import Path
from typing import Any

import pytest

from knowact.report.as_csv import table_csv
from knowact.report.as_latex import table_latex
from knowact.report.build import Report, build
from knowact.report.page import page
from knowact.report.printed import markdown

from .report_double import make_input, make_run
from .test_browser import CHROMIUM, FRAME, opened

AXE = Path(__file__).parents[2] / ".axe" / "node_modules" / "axe-core" / "axe.min.js"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium here; Debian has it as 'chromium'"),
]

needs_axe = pytest.mark.skipif(not AXE.exists(), reason="there is no axe-core here; `make axe` installs it")

REPORT = """
addEventListener("securitypolicyviolation", (event) => seen("refused", event.violatedDirective));
addEventListener("unhandledrejection", (event) => seen("failed", event.reason));
const told = {};
const seen = (name, value) => {
  told[name] = value;
  document.documentElement.dataset.told = JSON.stringify(told);
  parent.postMessage({ told: JSON.stringify(told) }, "*");
};
const ready = async () => {
  while (document.documentElement.dataset.ready !== "yes") await new Promise((go) => setTimeout(go, 50));
};
"""

COPY = """
knowact.copy = (text, button) => seen(button.textContent, text);
const link = URL.createObjectURL;
URL.createObjectURL = (blob) => (blob.text().then((text) => seen("svg", text)), link.call(URL, blob));
HTMLAnchorElement.prototype.click = function () { seen("file", this.download); };
ready().then(() => {
  for (const button of document.querySelector("[id$='-table-main'] .actions").children) button.click();
  document.querySelector("#overview .figure .actions button").click();
});
"""

LOOK = """
const found = async () =>
  (await axe.run(document, { resultTypes: ["violations"] })).violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
ready().then(async () => {
  seen("page", await found());
  for (const folded of document.querySelectorAll("details")) folded.open = true;
  while (document.querySelector(".plot:not([data-drawn])")) await new Promise((go) => setTimeout(go, 50));
  seen("opened", await found());
  document.querySelector("#trial-table .open").click();
  seen("trial", await found());
  seen("dark", matchMedia("(prefers-color-scheme: dark)").matches);
});
"""


@pytest.fixture(scope="module")
def report() -> Report:
    runs = [make_run("gpt-5", 0.9), make_run("gpt-4o", 0.5, broken=2), make_run("qwen3", 0.3)]
    return build(make_input(runs))


def told(report: Report, script: str, folder: Path, *flags: str, narrow: bool = False) -> dict[str, Any]:
    """What a script says of the page. The page's policy holds, and allows this script too."""
    whole = REPORT + script
    digest = base64.b64encode(hashlib.sha256(whole.encode()).digest()).decode()
    text = page(report).replace("script-src ", f"script-src 'sha256-{digest}' ", 1)
    before, end = text.rsplit("</body>", 1)
    driven, frame = folder / "driven.html", folder / "frame.html"
    driven.write_text(f"{before}<script>{whole}</script></body>{end}", encoding="utf-8", newline="")
    frame.write_text(FRAME, encoding="utf-8")
    dom, console = opened(frame if narrow else driven, folder / "profile", 1280, *flags)
    assert not console
    found = re.search('<html[^>]* data-told="([^"]*)"', dom)
    assert found is not None
    return json.loads(html.unescape(found.group(1)))


def test_what_is_copied_and_saved_is_what_the_files_hold(report: Report, tmp_path: Path) -> None:
    said = told(report, COPY, tmp_path)
    assert not {"refused", "failed"} & said.keys()
    table = next(one for one in report.sections[0].tables if one.id == "main")
    assert said["Copy as Markdown"] == markdown(table, report.sections[0].suite.terms)
    assert said["Copy as LaTeX"] == table_latex(table, report.sections[0].suite.terms)
    assert said["Copy as CSV"] == table_csv(table)
    assert said["file"] == "overview-knows-against-acts.svg"
    assert said["svg"].startswith("<svg ")
    assert "var(" not in said["svg"], "colours of its own, not the page's"
    assert ">2 gpt-4o<" in said["svg"], "what the page's table says of its numbers, the file says itself"


@needs_axe
@pytest.mark.parametrize("how", ["light", "dark and narrow"])
def test_axe_finds_no_serious_barrier(report: Report, tmp_path: Path, how: str) -> None:
    axe = AXE.read_text(encoding="utf-8").replace("</script", "<\\/script")
    dark = how != "light"
    # 0 is dark, 1 is light.
    flag = f"--blink-settings=preferredColorScheme={int(not dark)}"
    said = told(report, axe + LOOK, tmp_path, flag, narrow=dark)
    assert (said["page"], said["opened"], said["trial"], said["dark"]) == ([], [], [], dark)
