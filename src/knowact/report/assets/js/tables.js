"use strict";

/* Tables: from a cell to its trials, and copies for a spreadsheet or a paper. */

knowact.cellText = (cell) => (cell.querySelector(".value") ?? cell).textContent.trim();

/** The table as rows of texts, spanning heads repeated over their columns. */
knowact.tableTexts = (table) =>
  [...table.rows].map((row) =>
    [...row.cells].flatMap((cell) => Array(cell.colSpan).fill(knowact.cellText(cell))),
  );

/** Texts that a spreadsheet would take for a formula get an apostrophe; numbers don't. */
knowact.csvField = function (text) {
  const plain = text.replace("−", "-");
  const safe = /^\s*[=+\-@]/.test(plain) && !/^[+-]?\d+(\.\d+)?$/.test(plain) ? `'${plain}` : plain;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

knowact.asCsv = (rows) => rows.map((row) => row.map(knowact.csvField).join(",")).join("\r\n") + "\r\n";

/** Markdown knows one head row only: the levels of heads are joined. */
knowact.asMarkdown = function (rows, heads) {
  const field = (text) => text.replace(/[\\|<>]/g, "\\$&").replace(/\s+/g, " ");
  const head = rows[0].map((_, at) =>
    [...new Set(rows.slice(0, heads).map((row) => row[at]))].filter(Boolean).join(" · "),
  );
  const line = (row) => `| ${row.map(field).join(" | ")} |`;
  const rule = `|${head.map(() => "---").join("|")}|`;
  return [line(head), rule, ...rows.slice(heads).map(line)].join("\n") + "\n";
};

knowact.addCopyButtons = function (box) {
  const table = box.querySelector("table");
  const button = (label, text) =>
    knowact.element("button", { type: "button", text: label, on: { click: (e) => knowact.copy(text(), e.target) } });
  const csv = () => knowact.asCsv(knowact.tableTexts(table));
  const markdown = () => knowact.asMarkdown(knowact.tableTexts(table), table.tHead.rows.length);
  box.after(
    knowact.element("p", { class: "actions" }, button("Copy as CSV", csv), button("Copy as Markdown", markdown)),
  );
};

knowact.startTables = function () {
  for (const box of document.querySelectorAll("main section.table:not(#trials) > .scroll")) {
    knowact.addCopyButtons(box);
  }
  document.getElementById("main").addEventListener("click", (event) => {
    const cell = event.target.closest("button[data-trace]");
    if (!cell) return;
    const trace = knowact.data.traces[Number(cell.dataset.trace)];
    if (trace.paired) knowact.showPaired(trace, cell);
    else knowact.showTrace(trace, cell);
  });
};
