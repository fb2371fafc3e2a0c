"use strict";

/* Tables and figures: from a cell to its trials, and copies for a paper or a spreadsheet. */

knowact.cellText = (cell) => (cell.querySelector(".value") ?? cell).textContent.trim();

/** The copies of all tables, as `knowact report --latex` writes them; read when first asked for. */
knowact.copies = () => (knowact.copiesRead ??= knowact.inflated(knowact.data.copies).then(JSON.parse));

knowact.HEADLINES = "headlines"; // the table that the first screen draws as bars

knowact.button = (label, run) => knowact.element("button", { type: "button", text: label, on: { click: run } });

/** Buttons that copy a table, behind what shows it. */
knowact.addCopyButtons = function (shows, id) {
  const copy = (form, name) =>
    knowact.button(`Copy as ${name}`, async ({ target }) => knowact.copy((await knowact.copies())[id][form], target));
  shows.after(
    knowact.element(
      "p", { class: "actions" }, copy("markdown", "Markdown"), copy("latex", "LaTeX"), copy("csv", "CSV"),
    ),
  );
};

/** A file of the figure as it stands on paper, in the browser's downloads. */
knowact.saveFigure = async function (place) {
  const figure = place.closest(".figure");
  const svg = await knowact.paperFigure(Number(place.dataset.figure));
  const link = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  const name = figure.id.replace(/[^A-Za-z0-9._-]+/g, "-");
  knowact.element("a", { href: link, download: `${name}.svg` }).click();
  setTimeout(() => URL.revokeObjectURL(link), 10000);
};

knowact.startTables = function () {
  if (typeof DecompressionStream !== "undefined") {
    for (const box of document.querySelectorAll("main [id*='table-']")) {
      const shows = box.querySelector(".pieces") ?? box.querySelector(".scroll");
      if (shows) knowact.addCopyButtons(shows, /^(?:.*?-)?table-(.*)$/s.exec(box.id)[1]);
    }
    const first = document.querySelector("#overview > .source");
    if (first && document.getElementById(`together-table-${knowact.HEADLINES}`)) knowact.addCopyButtons(first, knowact.HEADLINES);
  }
  for (const place of document.querySelectorAll("[data-figure]")) {
    const save = knowact.button("Save as SVG", () => knowact.saveFigure(place));
    place.closest(".figure").querySelector(".source").after(knowact.element("p", { class: "actions" }, save));
  }
  document.getElementById("main").addEventListener("click", (event) => {
    const cell = event.target.closest("button[data-trace]");
    if (!cell) return;
    const trace = knowact.data.traces[Number(cell.dataset.trace)];
    if (trace.paired) knowact.showPaired(trace, cell);
    else knowact.showTrace(trace, cell);
  });
};
