"use strict";

/* Tables of numbers sort by each of their columns: numbers by value, what was not measured last. */

/** What a cell is sorted by: its number, its text, or null. */
knowact.sortValue = function (cell) {
  const text = knowact.cellText(cell);
  if (text === "" || text === "–") return null;
  const number = Number(text.replace("−", "-").replaceAll(",", ""));
  return Number.isNaN(number) ? text : number;
};

knowact.sortBy = function (table, head, at) {
  const down = head.getAttribute("aria-sort") !== "descending";
  for (const other of table.tHead.querySelectorAll("[aria-sort]")) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", down ? "descending" : "ascending");
  const rows = [...table.tBodies[0].rows].map((row) => ({ row, value: knowact.sortValue(row.cells[at]) }));
  rows.sort((a, b) => {
    if (a.value === null || b.value === null) return (a.value === null) - (b.value === null);
    const numbers = typeof a.value === "number" && typeof b.value === "number";
    const order = numbers ? a.value - b.value : String(a.value).localeCompare(String(b.value), "en", { numeric: true });
    return down ? -order : order;
  });
  table.tBodies[0].append(...rows.map(({ row }) => row));
};

knowact.startSorting = function () {
  // Tables of trials are filled by other scripts; they have no body yet, and a manner of sorting of their own.
  for (const table of document.querySelectorAll("main .scroll > table:has(> tbody)")) {
    if (table.tBodies[0].rows.length < 2) continue;
    [...table.tHead.rows[table.tHead.rows.length - 1].cells].forEach((head, at) => {
      const label = `Sort by ${head.textContent.trim()}`;
      const click = () => knowact.sortBy(table, head, at);
      head.append(knowact.element("button", { type: "button", class: "sort", "aria-label": label, title: label, on: { click } }));
    });
  }
};
